//! Bluetooth LE as a carrier: the radios of a hub or gateway find clocks and connect to them. The hub turns their values into links like those over
//! QUIC.
//!
//! Owns radios, their connections, and the hub's end of the handshake. A lying clock or a failing radio loses only its own links.

mod carrier;
mod radio;
mod roster;
mod serve;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use proto::ble::Advertisement;
use timing::{Hub, Instant};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Context;
use crate::lock::lock;
use crate::time_source::TimeSource;
use hall::{AgentInfo, AskAgents};

pub use carrier::Carrier;
pub(crate) use radio::run;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BleSettings {
    /// Names of the adapters, such as `hci0`; empty for all.
    pub adapters: Vec<String>,
    pub clocks_per_adapter: usize,
}

/// An unenrolled clock in radio range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearbyClock {
    /// The first four bytes of the clock's key in hex, from its advertisement.
    pub tag: String,
    pub battery_percent: Option<u8>,
    /// Name of the radio that hears the clock; for a gateway's radio, with the gateway's name.
    pub adapter: String,
    /// Signal strength, in dBm.
    pub rssi: Option<i16>,
}

/// The unenrolled clocks that the radios of this hub and of its gateways hear.
#[derive(Clone, Debug, Default)]
pub struct NearbyClocks(Arc<Mutex<BTreeMap<(String, String), NearbyClock>>>);

impl NearbyClocks {
    /// Returns the clocks in range, ordered by radio and address.
    pub fn nearby(&self) -> Vec<NearbyClock> {
        lock(&self.0).values().cloned().collect()
    }

    pub(super) fn update(&self, adapter: &str, heard: &[DetectedClock]) {
        let mut nearby_clocks = lock(&self.0);
        nearby_clocks.retain(|(radio, _), _| radio != adapter);
        for clock in heard.iter().filter(|clock| !clock.advertisement.enrolled) {
            let nearby = NearbyClock {
                tag: proto::ids::hex(&clock.advertisement.tag),
                battery_percent: clock.advertisement.battery,
                adapter: adapter.to_owned(),
                rssi: clock.rssi,
            };
            nearby_clocks.insert((adapter.to_owned(), clock.address.clone()), nearby);
        }
    }

    pub(super) fn forget(&self, beginning: &str) {
        lock(&self.0).retain(|(radio, _), _| !radio.starts_with(beginning));
    }
}

/// A clock that a radio hears, or an enrolled clock that it has recently heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedClock {
    /// The clock's Bluetooth address; for a clock that a gateway's radio hears, the clock's tag in hex.
    pub address: String,
    pub advertisement: Advertisement,
    /// Signal strength, in dBm; `None` if the radio no longer hears the clock.
    pub rssi: Option<i16>,
}

/// The clocks to which a radio should connect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedClocks {
    /// The tags of the enrolled clocks in range that need a session.
    pub tags: BTreeSet<[u8; 4]>,
    /// Number of the newest open pairing code that an arbiter typed; `None` if there is none.
    pub pairing: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectTarget {
    pub adapter: String,
    pub address: String,
    /// Number of the pairing code to try; `None` if the connection is for a session.
    pub pairing: Option<u64>,
}

/// The program for which a radio works: the hub itself, or a gateway that relays to a hub.
pub trait RadioHost: Clone + Send + Sync + 'static {
    /// Returns which of the clocks that `adapter` hears are wanted.
    ///
    /// # Errors
    /// Returns an error if the host has stopped.
    fn wanted(
        &self,
        adapter: &str,
        heard: &[DetectedClock],
    ) -> impl Future<Output = Result<WantedClocks, String>> + Send;

    /// Serves a connection until it ends. `opened` is the instant at which the attempt to connect began.
    ///
    /// # Errors
    /// Returns the reason why neither a session nor an enrolment was possible.
    fn serve(
        &self,
        carrier: Carrier,
        opened: Instant<Hub>,
        target: &ConnectTarget,
    ) -> impl Future<Output = Result<(), String>> + Send;
}

#[derive(Clone)]
pub(crate) struct Radios<O> {
    pub(crate) host: O,
    pub(crate) settings: BleSettings,
    pub(crate) time: TimeSource,
    pub(crate) ending: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

#[derive(Clone)]
pub(super) struct HubRadioHost(pub(super) Context);

impl RadioHost for HubRadioHost {
    async fn wanted(&self, adapter: &str, heard: &[DetectedClock]) -> Result<WantedClocks, String> {
        self.0.nearby_clocks.update(adapter, heard);
        wanted(&self.0, heard).await
    }

    async fn serve(
        &self,
        carrier: Carrier,
        opened: Instant<Hub>,
        target: &ConnectTarget,
    ) -> Result<(), String> {
        let way = format!("ble {} {}", target.adapter, target.address);
        serve_target(carrier, &way, opened, target.pairing, &self.0).await
    }
}

pub(super) async fn wanted(
    context: &Context,
    heard: &[DetectedClock],
) -> Result<WantedClocks, String> {
    let pairing = context.desk.newest_pairing().map(|(number, _)| number);
    let mut tags = BTreeSet::new();
    if heard.iter().any(|clock| clock.advertisement.enrolled) {
        let agents = context.hub.ask(AskAgents).await;
        let agents = agents.map_err(|denied| denied.to_string())?;
        let is_wanted = |said: &&Advertisement| {
            said.enrolled && agents.iter().any(|known| wants_session(known, said))
        };
        let said = heard
            .iter()
            .map(|clock| &clock.advertisement)
            .filter(is_wanted);
        tags = said.map(|said| said.tag).collect();
    }
    Ok(WantedClocks { tags, pairing })
}

fn wants_session(known: &AgentInfo, said: &Advertisement) -> bool {
    !known.revoked
        && !known.online
        && known.exchange_key.len() == 32
        && said.may_belong_to(&known.agent)
}

/// Serves a connection: for a session, or to try the code with the number `pairing`. `way` is the route as the inventory and the log show it.
pub(super) async fn serve_target(
    carrier: Carrier,
    way: &str,
    opened: Instant<Hub>,
    pairing: Option<u64>,
    context: &Context,
) -> Result<(), String> {
    let Some(number) = pairing else {
        return serve::session(carrier, way, opened, context).await;
    };
    let code = context.desk.pairing(number);
    let code = code.ok_or("the code that was typed is no longer open")?;
    serve::enrolment(carrier, way, &code, context).await
}
