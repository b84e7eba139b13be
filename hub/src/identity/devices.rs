//! The enrolled devices of arbiters and players, with their keys and their holders. Must know nothing of sessions.

use serde::{Deserialize, Serialize};

use super::enrolled_list::{Enrolled, EnrolledList, Revoked};
use super::{Arbiter, DeviceId, DeviceKey};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    #[serde(rename = "public_key")]
    pub key: DeviceKey,
    #[serde(flatten)]
    pub arbiter: Arbiter,
    /// The name that the device gives itself; may be empty.
    pub label: String,
    /// Time of the enrolment: Unix time, microseconds.
    pub enrolled_us: i64,
    /// The person who issued the device's code.
    pub enrolled_by: String,
    pub revoked: Option<Revoked>,
}

impl Device {
    pub fn id(&self) -> DeviceId {
        self.key.id()
    }
}

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
