//! Arbiters' devices enrolled by a code: their keys, their arbiters, and their form in the file. Must never know a
//! session.

use serde::{Deserialize, Serialize};

use super::enrolled_list::{Enrolled, EnrolledList, Revoked};
use super::{Arbiter, DeviceId, DeviceKey};

/// A device of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The public key.
    pub key: DeviceKey,
    /// The arbiter who uses the device, with the role.
    pub arbiter: Arbiter,
    /// The device's own name for the list; may be empty.
    pub label: String,
    /// Time of the enrolment: Unix time, microseconds.
    pub enrolled_us: i64,
    /// The issuer of its code.
    pub enrolled_by: String,
    /// The revocation, once revoked.
    pub revoked: Option<Revoked>,
}

impl Device {
    /// Returns the hub's id of the device.
    pub fn id(&self) -> DeviceId {
        self.key.id()
    }
}

/// All devices.
pub type Devices = EnrolledList<Device>;

impl Devices {
    /// Returns the device of this id, revoked or not.
    pub fn find(&self, id: &str) -> Option<&Device> {
        self.first(|device| device.id().as_str() == id)
    }
}

/// The list as stored in its file.
#[derive(Serialize, Deserialize)]
pub struct Lines {
    devices: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    public_key: String,
    name: String,
    role: String,
    label: String,
    enrolled_us: i64,
    enrolled_by: String,
    revoked: Option<Revoked>,
}

impl Enrolled for Device {
    const FILE: &'static str = "devices.json";
    type Id = DeviceId;
    type Lines = Lines;

    fn id(&self) -> DeviceId {
        self.key.id()
    }

    fn enrolled_us(&self) -> i64 {
        self.enrolled_us
    }

    fn revoked(&mut self) -> &mut Option<Revoked> {
        &mut self.revoked
    }

    fn to_lines(all: &[Self]) -> Lines {
        let devices = all.iter().map(|device| Line {
            public_key: device.key.to_base64(),
            name: device.arbiter.name.clone(),
            role: device.arbiter.role.as_str().to_owned(),
            label: device.label.clone(),
            enrolled_us: device.enrolled_us,
            enrolled_by: device.enrolled_by.clone(),
            revoked: device.revoked.clone(),
        });
        Lines {
            devices: devices.collect(),
        }
    }

    fn from_lines(lines: Lines) -> Result<Vec<Self>, String> {
        let devices = lines.devices.into_iter().map(|line| {
            Ok(Self {
                key: DeviceKey::from_base64(&line.public_key).map_err(|error| error.to_string())?,
                arbiter: Arbiter {
                    role: line.role.parse()?,
                    name: line.name,
                },
                label: line.label,
                enrolled_us: line.enrolled_us,
                enrolled_by: line.enrolled_by,
                revoked: line.revoked,
            })
        });
        devices.collect()
    }
}
