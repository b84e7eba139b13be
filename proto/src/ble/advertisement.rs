//! What a clock says to everybody in the air: that it is one, whether it is enrolled, which one, how full its battery is.
//! Owns the six bytes; nothing in them is secret, and nothing in them is believed: who a clock is the handshake tells.

use crate::ids::AgentId;

/// The company number of the manufacturer data: the one that the Bluetooth SIG leaves for everybody.
pub const COMPANY: u16 = 0xffff;

/// Layout of the six bytes.
const VERSION: u8 = 1;
const ENROLLED: u8 = 0x01;
/// The charge of a clock on mains power, or of one that does not know it.
const NO_BATTERY: u8 = 0xff;

/// Manufacturer data of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertisement {
    /// It has an enrolment and looks for its hub.
    pub enrolled: bool,
    /// Charge in percent, 0 to 100; `None` on mains power or unknown.
    pub battery: Option<u8>,
    /// The first four bytes of its [`AgentId`].
    pub tag: [u8; 4],
}

/// These are not the six bytes of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a clock's manufacturer data, or of a version that is not known")]
pub struct BadAdvertisement;

impl Advertisement {
    /// Bytes of the manufacturer data after the company.
    pub const LEN: usize = 6;

    /// What the clock `agent` advertises.
    pub fn new(agent: &AgentId, enrolled: bool, battery: Option<u8>) -> Self {
        Self {
            enrolled,
            battery: battery.map(|percent| percent.min(100)),
            tag: tag(agent),
        }
    }

    /// Whether `agent` may be the clock that says this.
    pub fn may_be(&self, agent: &AgentId) -> bool {
        self.tag == tag(agent)
    }

    /// The manufacturer data after the company.
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let flags = if self.enrolled { ENROLLED } else { 0 };
        let [a, b, c, d] = self.tag;
        [
            VERSION << 4 | flags,
            self.battery.unwrap_or(NO_BATTERY),
            a,
            b,
            c,
            d,
        ]
    }
}

fn tag(agent: &AgentId) -> [u8; 4] {
    let [a, b, c, d, ..] = agent.0;
    [a, b, c, d]
}

impl TryFrom<&[u8]> for Advertisement {
    type Error = BadAdvertisement;

    /// Bytes after the sixth are of a later version, and ignored.
    fn try_from(bytes: &[u8]) -> Result<Self, BadAdvertisement> {
        let Some((&[head, battery, a, b, c, d], _)) = bytes.split_first_chunk() else {
            return Err(BadAdvertisement);
        };
        let battery = match battery {
            NO_BATTERY => None,
            percent @ 0..=100 => Some(percent),
            101..=254 => return Err(BadAdvertisement),
        };
        if head >> 4 != VERSION {
            return Err(BadAdvertisement);
        }
        Ok(Self {
            enrolled: head & ENROLLED != 0,
            battery,
            tag: [a, b, c, d],
        })
    }
}
