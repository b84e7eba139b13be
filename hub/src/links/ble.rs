//! Bluetooth LE as a carrier: this hub's radios find clocks, connect, and turn values into the same links as QUIC's.
//!
//! Owns radios, who is connected when, and the hub's end of the handshake. A clock that lies, or a radio that fails, costs its
//! own link and nothing else.

mod carrier;
mod radio;
mod roster;
mod serve;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use proto::ble::Advertisement;
use timing::{Hub, Instant};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Context;
use crate::time_source::TimeSource;
use hall::{AgentInfo, AskAgents};

pub use carrier::Carrier;
pub(crate) use radio::run;

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

    /// What `adapter` hears now.
    pub(super) fn hear(&self, adapter: &str, heard: &[Heard]) {
        let mut air = self.lock();
        air.retain(|(radio, _), _| radio != adapter);
        for clock in heard.iter().filter(|clock| !clock.said.enrolled) {
            let nearby = NearbyClock {
                tag: proto::ids::hex(&clock.said.tag),
                battery_percent: clock.said.battery,
                adapter: adapter.to_owned(),
                rssi: clock.rssi,
            };
            air.insert((adapter.to_owned(), clock.address.clone()), nearby);
        }
    }

    /// Forgets what every radio whose name begins so has heard.
    pub(super) fn forget(&self, beginning: &str) {
        self.lock()
            .retain(|(radio, _), _| !radio.starts_with(beginning));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, String), NearbyClock>> {
        // Entries are replaced whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A clock that a radio hears now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Its address in the air.
    pub address: String,
    /// What it says.
    pub said: Advertisement,
    /// How loudly, in dBm.
    pub rssi: Option<i16>,
}

/// Which clocks a radio is to connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The tags of enrolled clocks that have no link.
    pub tags: BTreeSet<[u8; 4]>,
    /// The number of the newest code of an unenrolled clock that an arbiter has typed.
    pub pairing: Option<u64>,
}

/// What a connection was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// The radio.
    pub adapter: String,
    /// The clock's address in the air.
    pub address: String,
    /// The number of the code that is tried; `None` for a session.
    pub pairing: Option<u64>,
}

/// Whom radios work for: the hub itself, or a gateway that relays to it.
pub trait Office: Clone + Send + Sync + 'static {
    /// What is to be done about the clocks that `adapter` hears.
    ///
    /// # Errors
    /// There is nobody to work for any more.
    fn wanted(
        &self,
        adapter: &str,
        heard: &[Heard],
    ) -> impl Future<Output = Result<Wanted, String>> + Send;

    /// Serves a connection until it is over. `opened` is the moment at which it was begun.
    ///
    /// # Errors
    /// Why it came to nothing.
    fn serve(
        &self,
        carrier: Carrier,
        opened: Instant<Hub>,
        errand: &Errand,
    ) -> impl Future<Output = Result<(), String>> + Send;
}

/// What the tasks of the radios share.
#[derive(Clone)]
pub(crate) struct Radios<O> {
    pub(crate) office: O,
    pub(crate) settings: BleSettings,
    pub(crate) time: TimeSource,
    pub(crate) ending: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

/// The hub's own radios work for the hub.
#[derive(Clone)]
pub(super) struct HubOffice(pub(super) Context);

impl Office for HubOffice {
    async fn wanted(&self, adapter: &str, heard: &[Heard]) -> Result<Wanted, String> {
        self.0.air.hear(adapter, heard);
        wanted(&self.0, heard).await
    }

    async fn serve(
        &self,
        carrier: Carrier,
        opened: Instant<Hub>,
        errand: &Errand,
    ) -> Result<(), String> {
        let way = format!("ble {} {}", errand.adapter, errand.address);
        serve_errand(carrier, &way, opened, errand.pairing, &self.0).await
    }
}

/// Which of the clocks in `heard` the hub wants a connection to.
pub(super) async fn wanted(context: &Context, heard: &[Heard]) -> Result<Wanted, String> {
    let pairing = context.desk.newest_pairing().map(|(number, _)| number);
    let mut tags = BTreeSet::new();
    if heard.iter().any(|clock| clock.said.enrolled) {
        let agents = context.hub.ask(AskAgents).await;
        let agents = agents.map_err(|denied| denied.to_string())?;
        let enrolled = heard.iter().filter(|clock| clock.said.enrolled);
        tags = enrolled
            .filter(|clock| agents.iter().any(|known| looks_for(known, &clock.said)))
            .map(|clock| clock.said.tag)
            .collect();
    }
    Ok(Wanted { tags, pairing })
}

/// Whether `known` may be the clock that says this, and has no link.
fn looks_for(known: &AgentInfo, said: &Advertisement) -> bool {
    !known.revoked
        && !known.online
        && known.exchange_key.len() == 32
        && said.may_belong_to(&known.agent)
}

/// Serves a connection that was made for a session, or to try the code with the number `pairing`; `way` is for the inventory and the log.
pub(super) async fn serve_errand(
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
    let code = code.ok_or("the code that was typed is not open any more")?;
    serve::enrolment(carrier, way, &code, context).await
}
