//! Frames over Bluetooth LE: this clock is the peripheral, the hub's radio the central. Owns one connection's handshake and
//! its values; the radio itself is [`peripheral`]'s.

mod link;
pub mod peripheral;

use proto::ids::AgentId;

use super::{ConnectError, Connector};
use crate::identity::Identity;
use peripheral::{Peripheral, Shown};

pub(crate) use link::random;
pub use link::{BleLink, Values};

/// Opens sessions of one clock with its hub, whenever the hub's radio comes.
pub struct BleConnector {
    own: Secrets,
    shown: Shown,
    battery: Battery,
    peripheral: Peripheral,
}

/// Says how full the battery is.
pub type Battery = fn() -> Option<u8>;

/// What a session's handshake needs.
pub(super) struct Secrets {
    pub(super) agent: AgentId,
    pub(super) secret: [u8; 32],
    pub(super) hub: [u8; 32],
}

impl std::fmt::Debug for BleConnector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BleConnector({:?})", self.own.agent)
    }
}

/// The enrolment is older than Bluetooth LE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hub gave this clock no key for Bluetooth LE: enrol it again")]
pub struct NoHubKey;

impl BleConnector {
    /// Sessions of `identity` through `peripheral`.
    ///
    /// # Errors
    /// [`NoHubKey`].
    pub fn new(
        identity: &Identity,
        peripheral: Peripheral,
        battery: Battery,
    ) -> Result<Self, NoHubKey> {
        let enrolment = &identity.enrolment;
        let hub = enrolment.hub_exchange_key.as_slice();
        let agent = identity.keys.agent_id();
        Ok(Self {
            own: Secrets {
                agent,
                secret: identity.keys.exchange_secret(),
                hub: hub.try_into().map_err(|_| NoHubKey)?,
            },
            shown: Shown {
                agent,
                enrolled: true,
                name: match enrolment.board.as_str() {
                    "" => enrolment.name.clone(),
                    board => format!("board {board}"),
                },
                battery: None,
            },
            battery,
            peripheral,
        })
    }

    /// Leaves the air while there is a better way.
    pub fn off(&mut self) {
        self.peripheral.off();
    }
}

impl Connector for BleConnector {
    type Link = BleLink;

    async fn connect(&mut self) -> Result<BleLink, ConnectError> {
        self.shown.battery = (self.battery)();
        let values = self.peripheral.next(&self.shown).await;
        let values = values.map_err(|error| ConnectError::Away(error.to_string()))?;
        let open = BleLink::open(values, &self.own).await;
        open.map_err(|end| ConnectError::Away(format!("Bluetooth LE: {end}")))
    }
}
