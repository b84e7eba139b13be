//! Frames over Bluetooth LE: this clock is the peripheral, the hub's radio the central. Owns one connection's handshake and
//! its values; the radio itself is [`peripheral`]'s.

mod link;
pub mod peripheral;

use std::sync::Arc;

use proto::ids::AgentId;

use super::{ConnectError, Connector};
use crate::identity::Identity;
use peripheral::{AdvertisedClock, Peripheral, RadioError};

pub(crate) use link::random;
pub use link::{BleLink, Values};

/// A clock's radio: shows the clock to the air, and hands out the connection of whoever subscribes to it.
pub trait Radio: Send {
    /// Advertises until a central has subscribed; its connection. Whatever connection there was before is over.
    ///
    /// # Errors
    /// [`RadioError`]; the next call begins anew.
    fn next(
        &mut self,
        shown: &AdvertisedClock,
    ) -> impl Future<Output = Result<Values, RadioError>> + Send;

    /// Leaves the air.
    fn off(&mut self);
}

impl Radio for Peripheral {
    async fn next(&mut self, shown: &AdvertisedClock) -> Result<Values, RadioError> {
        Peripheral::next(self, shown).await
    }

    fn off(&mut self) {
        Peripheral::off(self);
    }
}

/// Opens sessions of one clock with its hub, whenever the hub's radio comes.
pub struct BleConnector<R = Peripheral> {
    agent: AgentId,
    secret: [u8; 32],
    hub_key: HubKey,
    shown: AdvertisedClock,
    battery: Battery,
    radio: R,
}

/// Says how full the battery is.
pub type Battery = fn() -> Option<u8>;

/// Says the hub's X25519 key, once the hub has given it: with the enrolment, or over QUIC later.
pub type HubKey = Arc<dyn Fn() -> Option<[u8; 32]> + Send + Sync>;

/// What a session's handshake needs.
pub(super) struct Secrets {
    pub(super) agent: AgentId,
    pub(super) secret: [u8; 32],
    pub(super) hub: [u8; 32],
}

impl<R> std::fmt::Debug for BleConnector<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BleConnector({:?})", self.agent)
    }
}

/// The enrolment is older than Bluetooth LE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the hub has given this clock no key for Bluetooth LE yet: run it once where it reaches the hub over QUIC (--link quic or auto), or enrol it \
     again with clock-agent enrol CODE; its name, its board and its journal stay"
)]
pub struct NoHubKey;

impl<R: Radio> BleConnector<R> {
    /// Sessions of `identity` through `radio`, with the hub whose key `hub_key` tells.
    pub fn new(identity: &Identity, radio: R, battery: Battery, hub_key: HubKey) -> Self {
        let enrolment = &identity.enrolment;
        let agent = identity.keys.agent_id();
        Self {
            agent,
            secret: identity.keys.exchange_secret(),
            hub_key,
            shown: AdvertisedClock {
                agent,
                enrolled: true,
                name: match enrolment.board.as_str() {
                    "" => enrolment.name.clone(),
                    board => format!("board {board}"),
                },
                battery: None,
            },
            battery,
            radio,
        }
    }

    /// Leaves the air while there is a better way.
    pub fn off(&mut self) {
        self.radio.off();
    }
}

impl<R: Radio> Connector for BleConnector<R> {
    type Link = BleLink;

    async fn connect(&mut self) -> Result<BleLink, ConnectError> {
        let away = |error: &dyn std::fmt::Display| ConnectError::Away(error.to_string());
        let hub = (self.hub_key)().ok_or_else(|| away(&NoHubKey))?;
        self.shown.battery = (self.battery)();
        let values = self.radio.next(&self.shown).await;
        let values = values.map_err(|error| away(&error))?;
        let own = Secrets {
            agent: self.agent,
            secret: self.secret,
            hub,
        };
        let open = BleLink::open(values, &own).await;
        open.map_err(|end| ConnectError::Away(format!("Bluetooth LE: {end}")))
    }
}
