//! Arbiters' devices enrolled by a code, with their keys and their arbiters. Must know nothing of sessions.

use serde::{Deserialize, Serialize};

use super::enrolled_list::{Enrolled, EnrolledList, Revoked};
use super::{Arbiter, DeviceId, DeviceKey};

/// An enrolled device of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// The device's public key.
    #[serde(rename = "public_key")]
    pub key: DeviceKey,
    /// The arbiter who uses the device, and the arbiter's role.
    #[serde(flatten)]
    pub arbiter: Arbiter,
    /// The name that the device gives itself in the list; may be empty.
    pub label: String,
    /// Time of the enrolment: Unix time, microseconds.
    pub enrolled_us: i64,
    /// The person who issued the device's code.
    pub enrolled_by: String,
    /// The revocation, if the device is revoked.
    pub revoked: Option<Revoked>,
}

impl Device {
    /// Returns the hub's id of the device.
    pub fn id(&self) -> DeviceId {
        self.key.id()
    }
}

/// The list of all enrolled devices.
pub type Devices = EnrolledList<Device>;

impl Devices {
    /// Returns the device with this id, revoked or not.
    pub fn find(&self, id: &str) -> Option<&Device> {
        self.first(|device| device.id().as_str() == id)
    }
}

impl Enrolled for Device {
    const LIST: &'static str = "devices";
    type Id = DeviceId;

    fn id(&self) -> DeviceId {
        self.key.id()
    }

    fn enrolled_us(&self) -> i64 {
        self.enrolled_us
    }

    fn revoked(&mut self) -> &mut Option<Revoked> {
        &mut self.revoked
    }
}
