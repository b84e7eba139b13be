//! A clock's advertisement: layout version, enrolment state, battery and tag. Owns the six bytes. They are neither secret nor trusted: only the
//! handshake proves a clock's identity.

use crate::ids::AgentId;

/// Company identifier of the manufacturer data. The Bluetooth SIG permits this value only for tests before a company has its own identifier; a
/// product that ships needs an assigned one.
pub const COMPANY: u16 = 0xffff;

/// Layout version, in the upper half of the first byte.
const VERSION: u8 = 1;
const ENROLLED: u8 = 0x01;
/// Battery byte of a clock without a battery or with unknown charge.
const NO_BATTERY: u8 = 0xff;

/// The manufacturer data that a clock advertises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertisement {
    /// True if the clock is enrolled and is looking for its hub.
    pub enrolled: bool,
    /// Battery charge in percent, 0 to 100; `None` without a battery or if unknown.
    pub battery: Option<u8>,
    /// The first four bytes of the clock's [`AgentId`].
    pub tag: [u8; 4],
}

/// The error for bytes that are not a clock's manufacturer data, or that have an unknown layout version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a clock's manufacturer data, or an unknown layout version")]
pub struct BadAdvertisement;

impl Advertisement {
    /// Length of the manufacturer data after the company identifier, in bytes.
    pub const LEN: usize = 6;

    /// Creates the advertisement of the clock `agent`. A battery charge above 100 counts as 100.
    pub fn new(agent: &AgentId, enrolled: bool, battery: Option<u8>) -> Self {
        Self {
            enrolled,
            battery: battery.map(|percent| percent.min(100)),
            tag: tag(agent),
        }
    }

    /// Returns true if the advertisement has the tag of `agent`. Other clocks may have the same tag.
    pub fn may_belong_to(&self, agent: &AgentId) -> bool {
        self.tag == tag(agent)
    }

    /// Encodes the manufacturer data that follows the company identifier.
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

    /// Parses the manufacturer data. Ignores bytes after the sixth, which a later version may add.
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
