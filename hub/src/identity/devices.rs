//! Arbiters' devices that were enrolled with a code: who acts with each, by which key it is known, and how they stand in their file.
//! Knows no session.

use serde::{Deserialize, Serialize};

use super::kept_list::{KeptList, Listed, Revoked};
use super::{Arbiter, DeviceId, DeviceKey};

/// A device of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its key.
    pub key: DeviceKey,
    /// Who acts with it, and as what.
    pub arbiter: Arbiter,
    /// What it calls itself, for the list; may be empty.
    pub label: String,
    /// When it was enrolled: Unix time, microseconds.
    pub enrolled_us: i64,
    /// Who gave out its code.
    pub enrolled_by: String,
    /// Set once it is shut out.
    pub revoked: Option<Revoked>,
}

impl Device {
    /// What it is called by the hub.
    pub fn id(&self) -> DeviceId {
        self.key.id()
    }
}

/// All of them.
pub type Devices = KeptList<Device>;

impl Devices {
    /// The device of this id, shut out or not.
    pub fn find(&self, id: &str) -> Option<&Device> {
        self.first(|device| device.id().as_str() == id)
    }
}

/// The list in its file.
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

impl Listed for Device {
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
