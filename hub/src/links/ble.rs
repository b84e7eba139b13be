//! Bluetooth LE as a carrier: this hub's radios find clocks, connect, and turn values into the same links as QUIC's.
//!
//! Owns radios, who is connected when, and the hub's end of the handshake. A clock that lies, or a radio that fails, costs its
//! own link and nothing else.

mod carrier;
mod radio;
mod roster;
mod serve;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use proto::ble::Advertisement;

use super::Context;

pub(super) use radio::run;

/// Which radios, and how much each carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BleSettings {
    /// Names of the adapters, as in `hci0`; empty for all there are.
    pub adapters: Vec<String>,
    /// Clocks that one adapter carries at a time.
    pub clocks_per_adapter: usize,
}

/// A clock in the air that is not enrolled here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearbyClock {
    /// The first four bytes of its key, as it says.
    pub tag: String,
    /// Charge in percent, as it says.
    pub battery_percent: Option<u8>,
    /// Which radio hears it.
    pub adapter: String,
    /// How loudly, in dBm.
    pub rssi: Option<i16>,
}

/// What the radios hear of clocks that are not enrolled, for the inventory.
#[derive(Clone, Debug, Default)]
pub struct Air(Arc<Mutex<BTreeMap<(String, String), NearbyClock>>>);

impl Air {
    /// Every clock heard in the last seconds, by radio and address.
    pub fn nearby(&self) -> Vec<NearbyClock> {
        self.lock().values().cloned().collect()
    }

    /// What `adapter` hears now, by address.
    fn hear(&self, adapter: &str, heard: Vec<(String, Advertisement, Option<i16>)>) {
        let mut air = self.lock();
        air.retain(|(radio, _), _| radio != adapter);
        for (address, said, rssi) in heard {
            let clock = NearbyClock {
                tag: proto::ids::hex(&said.tag),
                battery_percent: said.battery,
                adapter: adapter.to_owned(),
                rssi,
            };
            air.insert((adapter.to_owned(), address), clock);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, String), NearbyClock>> {
        // Entries are replaced whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the tasks of the radios share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) context: Context,
    pub(super) settings: BleSettings,
    pub(super) air: Air,
    /// The hub's X25519 secret.
    pub(super) secret: [u8; 32],
}
