//! Frames over Bluetooth LE: this clock is the peripheral, and the hub's radio is the central. Owns the handshake and the exchange of values on a
//! connection; [`peripheral`] owns the radio.

mod link;
pub mod peripheral;

use std::sync::Arc;

use proto::ids::AgentId;

use super::{ConnectError, Connector};
use crate::identity::Identity;
use peripheral::{AdvertisedClock, Peripheral, RadioError};

pub(crate) use link::random;
pub use link::{BleLink, Values};

/// A clock's radio: advertises the clock, and returns the connection of each central that subscribes.
pub trait Radio: Send {
    /// Advertises until a central has subscribed, and returns its connection. The caller must drop the previous connection first, because only the
    /// newest connection receives values.
    ///
    /// # Errors
    /// Returns a [`RadioError`] if the radio is unavailable; the next call starts over.
    fn next(
        &mut self,
        shown: &AdvertisedClock,
    ) -> impl Future<Output = Result<Values, RadioError>> + Send;

    /// Stops advertising.
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

/// A source of Bluetooth LE links between one clock and its hub. The hub's radio opens each link.
pub struct BleConnector<R = Peripheral> {
    agent: AgentId,
    secret: [u8; 32],
    hub_key: HubKey,
    shown: AdvertisedClock,
    battery: Battery,
    radio: R,
}

/// A function that returns the battery's charge in percent.
pub type Battery = fn() -> Option<u8>;

/// A function that returns the hub's X25519 key; `None` until the hub has sent it, with the enrolment or later over QUIC.
pub type HubKey = Arc<dyn Fn() -> Option<[u8; 32]> + Send + Sync>;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the hub has given this clock no key for Bluetooth LE yet: run the clock once where it reaches the hub over QUIC (--link quic or auto), or enrol it \
         again with clock-agent enrol CODE; name, board and journal are kept"
)]
pub struct NoHubKey;

impl<R: Radio> BleConnector<R> {
    /// Creates a source of links for `identity` over `radio`. The hub must own the key that `hub_key` returns.
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
