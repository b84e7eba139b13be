//! The radios, through btleplug: scanning, connecting, subscribing, and monitoring connections. Does not interpret values.

use std::collections::BTreeMap;
use std::time::Duration;

use btleplug::api::{
    Central as _, CentralEvent, CharPropFlags, Characteristic, Manager as _, Peripheral as _,
    ScanFilter, WriteType,
};
use btleplug::platform::{Adapter, Manager, Peripheral};
use futures::StreamExt;
use proto::ble::{ATT_HEADER, Advertisement, COMPANY, FROM_CLOCK, MAX_VALUE, SERVICE, TO_CLOCK};
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::carrier::Carrier;
use super::roster::Roster;
use super::{BleSettings, ConnectTarget, DetectedClock, RadioHost, Radios, WantedClocks};

const CHECK_EVERY: Duration = Duration::from_millis(500);
/// Retry interval when no radio can be used or BlueZ does not answer.
const RETRY_EVERY: Duration = Duration::from_secs(2);
/// Retry interval for a named adapter that is missing while other adapters work.
const RETRY_MISSING_EVERY: Duration = Duration::from_secs(10);
/// Number of checks between two scan requests. A scan ends when BlueZ restarts, or when another program ends it.
const RESCAN_AFTER: u32 = 10;
/// Initial number of consecutive failed attempts to list the adapters before a new bus connection is opened. It doubles with each new connection.
const BUS_TRIES: u32 = 15;
/// Time limit for connecting and for discovering the clock's services.
const CONNECT_WITHIN: Duration = Duration::from_secs(15);
/// Time limit for releasing a clock. An unresponsive BlueZ must neither block the radio's slot nor keep the program from ending.
const RELEASE_WITHIN: Duration = Duration::from_secs(3);
/// Maximum number of values queued in each direction: two windows.
const QUEUE: usize = 32;

/// Serves the radios that the settings select, until the program ends.
pub(crate) async fn run<O: RadioHost>(shared: Radios<O>) {
    let mut said = String::new();
    // Keep the manager as long as it responds: dropping it would not close its bus connection, and the bus limits the connections of each user.
    let mut manager = None;
    let (mut unanswered, mut tries) = (0, BUS_TRIES);
    loop {
        let served = tokio::select! {
            served = radios(&mut manager, &mut unanswered, &shared) => served,
            () = shared.ending.cancelled() => return,
        };
        // If BlueZ is not running, a new connection does not help. Each abandoned connection stays open, so new ones are opened ever more rarely.
        if unanswered >= tries {
            manager = None;
            unanswered = 0;
            tries = tries.saturating_mul(2);
        }
        let why = served.err().unwrap_or_default();
        if why != said {
            tracing::warn!(why, "Bluetooth LE is unavailable; retrying every 2 s");
            said = why;
        }
        tokio::select! {
            () = sleep(RETRY_EVERY) => {}
            () = shared.ending.cancelled() => return,
        }
    }
}

/// Serves the radios that are available. Returns when one of them ends, or when a missing radio has appeared.
async fn radios<O: RadioHost>(
    manager: &mut Option<Manager>,
    unanswered: &mut u32,
    shared: &Radios<O>,
) -> Result<(), String> {
    let manager = match manager {
        Some(manager) => &*manager,
        none => none.insert(Manager::new().await.map_err(message_of)?),
    };
    *unanswered += 1;
    let stations = available(manager, &shared.settings).await?;
    *unanswered = 0;
    let names: Vec<_> = stations.iter().map(|(name, _)| name.clone()).collect();
    let mut missing = shared.settings.adapters.clone();
    missing.retain(|wanted| !names.contains(wanted));
    if names.is_empty() {
        let which = missing.join(", ");
        return Err(format!("there is no Bluetooth adapter {which}")
            .trim_end()
            .to_owned());
    }
    if !missing.is_empty() {
        tracing::warn!(?missing, serving = ?names, "a Bluetooth adapter is missing; checking again every 10 s");
    }
    let over = CancellationToken::new();
    let _over = over.clone().drop_guard();
    let alone = names.len() == 1;
    let stations = stations.into_iter().map(|(name, adapter)| {
        let station = Station {
            name,
            adapter,
            shared: shared.clone(),
            roster: Roster::default(),
            links: BTreeMap::new(),
            over: over.clone(),
            alone,
            missing: false,
        };
        Box::pin(station.run())
    });
    let ended = tokio::select! {
        (ended, ..) = futures::future::select_all(stations) => ended,
        found = wait_for_missing(manager, &shared.settings, &missing), if !missing.is_empty() => Err(format!("{found} has appeared")),
    };
    forget(&shared.host, &names).await;
    ended
}

async fn available(
    manager: &Manager,
    settings: &BleSettings,
) -> Result<Vec<(String, Adapter)>, String> {
    let mut there = Vec::new();
    for adapter in manager.adapters().await.map_err(message_of)? {
        // Skip an adapter that has just been unplugged.
        let Ok(info) = adapter.adapter_info().await else {
            continue;
        };
        // For example: hci0 (usb:v1D6Bp0246d0542)
        let name = info.split_whitespace().next().unwrap_or("?").to_owned();
        if settings.adapters.is_empty() || settings.adapters.contains(&name) {
            there.push((name, adapter));
        }
    }
    Ok(there)
}

async fn wait_for_missing(manager: &Manager, settings: &BleSettings, missing: &[String]) -> String {
    loop {
        sleep(RETRY_MISSING_EVERY).await;
        let there = available(manager, settings).await.unwrap_or_default();
        let mut names = there.into_iter().map(|(name, _)| name);
        if let Some(found) = names.find(|name| missing.contains(name)) {
            return found;
        }
    }
}

async fn forget(host: &impl RadioHost, radios: &[String]) {
    for radio in radios {
        if let Err(why) = host.wanted(radio, &[]).await {
            tracing::debug!(radio, why, "the radio was not told to forget its clocks");
        }
    }
}

struct Station<O> {
    name: String,
    adapter: Adapter,
    shared: Radios<O>,
    roster: Roster,
    /// The cancellation token of each link, by clock address. A token is cancelled when the link's connection is lost.
    links: BTreeMap<String, CancellationToken>,
    /// Parent of the links' tokens, shared by all radios. Cancelled when the service of the radios ends.
    over: CancellationToken,
    /// True if this is the only radio that is served. If it is lost, the service ends, and adapters are searched for again.
    alone: bool,
    missing: bool,
}

/// A message from a link's task to its radio.
enum StationEvent {
    /// The attempt has connected or failed, so the next one may begin.
    Settled,
    /// The attempt or link to the clock at this address has ended, after being served for this time; zero if serving failed.
    Ended(String, timing::Duration),
}

impl<O: RadioHost> Station<O> {
    async fn run(mut self) -> Result<(), String> {
        let mut events = self.adapter.events().await.map_err(message_of)?;
        let (tell, mut told) = mpsc::channel(QUEUE);
        let mut look = interval(CHECK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut looks, mut connecting) = (0_u32, false);
        tracing::info!(
            adapter = self.name,
            "searching for clocks over Bluetooth LE"
        );
        loop {
            tokio::select! {
                           event = events.next() => match event {
                               Some(CentralEvent::DeviceDisconnected(id)) => {
                                   if let Some(link) = self.links.get(&id.to_string()) {
            link.cancel();
            }
                               }
                               Some(_) => {}
                               None => return Err(format!("{} is gone", self.name)),
                           },
                           news = told.recv() => match news {
                               Some(StationEvent::Settled) => {
                                   connecting = false;
                                   self.scan().await;
                               }
                               Some(StationEvent::Ended(address, held)) => {
                                   if let Some(link) = self.links.remove(&address) {
                                       link.cancel();
                                   }
                                   self.roster.ended(&address, self.shared.time.hub_now(), held);
                               }
                               None => return Ok(()),
                           },
                           _ = look.tick() => {
                               if looks.is_multiple_of(RESCAN_AFTER) {
                                   match self.check_present().await {
                                       Ok(()) => self.missing = false,
                                       Err(why) if self.alone => return Err(why),
                                       Err(why) => self.mark_missing(&why),
                                   }
                                   if !connecting {
                                       self.scan().await;
                                   }
                               }
                               looks = looks.wrapping_add(1);
                               let (clocks, heard) = self.listen().await?;
                               let wanted = self.shared.host.wanted(&self.name, &heard).await?;
                               self.roster.look(self.shared.time.hub_now(), &heard, &wanted);
                               if !connecting {
                                   connecting = self.connect(clocks, &wanted, &tell).await;
                               }
                           }
                       }
        }
    }

    /// Checks that the adapter is present. BlueZ does not report that an adapter was unplugged; it just drops the clocks it knew.
    async fn check_present(&self) -> Result<(), String> {
        let asked = self.adapter.adapter_info().await.map(drop);
        asked.map_err(|error| format!("{} is gone: {error}", self.name))
    }

    /// Marks this radio as missing, and logs a warning unless it already was. A missing radio reports no clocks, but other radios may hear them.
    fn mark_missing(&mut self, why: &str) {
        if !std::mem::replace(&mut self.missing, true) {
            let adapter = &self.name;
            tracing::warn!(adapter, why, "a radio is missing; the others continue");
        }
    }

    /// Requests a scan. Errors are ignored: they usually mean that a scan is already running, and [`Self::check_present`] detects a lost radio.
    async fn scan(&self) {
        let services = vec![Uuid::from_u128(SERVICE)];
        if let Err(error) = self.adapter.start_scan(ScanFilter { services }).await {
            tracing::trace!(adapter = self.name, %error, "a scan did not start");
        }
    }

    /// Disconnects a clock that has no link in this run of the program. A killed program leaves its connections behind, and a connected clock does
    /// not advertise.
    async fn release(&self, clock: &Peripheral) {
        if clock.is_connected().await.unwrap_or(false) {
            tracing::info!(adapter = self.name, clock = %clock.id(), "ending a connection left over from an earlier run");
            // The clock may have disconnected by itself.
            let _ = timeout(RELEASE_WITHIN, clock.disconnect()).await;
        }
    }

    async fn listen(
        &mut self,
    ) -> Result<(BTreeMap<String, Peripheral>, Vec<DetectedClock>), String> {
        let mut clocks = BTreeMap::new();
        let mut heard = Vec::new();
        for peripheral in self.adapter.peripherals().await.map_err(message_of)? {
            // Skip a clock that has disappeared since BlueZ listed it.
            let Ok(Some(properties)) = peripheral.properties().await else {
                continue;
            };
            let said = properties.manufacturer_data.get(&COMPANY);
            let Some(Ok(said)) = said.map(|said| Advertisement::try_from(said.as_slice())) else {
                continue;
            };
            let address = peripheral.id().to_string();
            if properties.rssi.is_none() && !self.links.contains_key(&address) {
                self.release(&peripheral).await;
            }
            // An enrolled clock is worth a connection attempt even if the radio has just lost it.
            if properties.rssi.is_some() || said.enrolled {
                heard.push(DetectedClock {
                    address: address.clone(),
                    advertisement: said,
                    rssi: properties.rssi,
                });
            }
            clocks.insert(address, peripheral);
        }
        Ok((clocks, heard))
    }

    /// Begins a connection to the clock whose turn it is, if any. Returns true if a connection was begun.
    async fn connect(
        &mut self,
        mut clocks: BTreeMap<String, Peripheral>,
        wanted: &WantedClocks,
        tell: &mpsc::Sender<StationEvent>,
    ) -> bool {
        if clocks.is_empty() {
            return false;
        }
        let capacity = self.shared.settings.clocks_per_adapter;
        let now = self.shared.time.hub_now();
        let Some((address, pairing)) = self.roster.next(now, capacity, wanted) else {
            return false;
        };
        let Some(peripheral) = clocks.remove(&address) else {
            self.roster.ended(&address, now, timing::Duration::ZERO);
            return false;
        };
        // Scanning would slow or break a connection attempt. Ignore an error: the scan may not be running.
        let _ = self.adapter.stop_scan().await;
        let link = self.over.child_token();
        self.links.insert(address.clone(), link.clone());
        let target = ConnectTarget {
            adapter: self.name.clone(),
            address,
            pairing,
        };
        let attempt = Attempt {
            peripheral,
            target,
            link,
            tell: tell.clone(),
            shared: self.shared.clone(),
        };
        self.shared.tasks.spawn(attempt.run());
        true
    }
}

/// One connection to a clock, from the attempt to the release.
struct Attempt<O> {
    peripheral: Peripheral,
    target: ConnectTarget,
    link: CancellationToken,
    tell: mpsc::Sender<StationEvent>,
    shared: Radios<O>,
}

impl<O: RadioHost> Attempt<O> {
    async fn run(self) {
        let address = format!("ble {} {}", self.target.adapter, self.target.address);
        let ending = self.shared.ending.clone();
        let connected = tokio::select! {
            connected = timeout(CONNECT_WITHIN, self.open()) => connected,
            () = ending.cancelled() => Ok(Err("the program is shutting down".to_owned())),
        };
        // Ignore an error: the radio's task may have ended already.
        let _ = self.tell.send(StationEvent::Settled).await;
        let mut held = timing::Duration::ZERO;
        match connected {
            Ok(Ok((carrier, opened))) => {
                let connected = self.shared.time.hub_now();
                let served = self.shared.host.serve(carrier, opened, &self.target).await;
                match served {
                    Ok(()) => held = self.shared.time.hub_now() - connected,
                    Err(why) => tracing::info!(address, why, "a connection came to nothing"),
                }
            }
            Ok(Err(why)) => tracing::info!(address, why, "a clock could not be connected"),
            Err(_) => tracing::info!(address, "a clock did not connect within 15 s"),
        }
        let released = timeout(RELEASE_WITHIN, self.release(&address)).await;
        if released.is_err() {
            tracing::warn!(address, "BlueZ did not release a clock within 3 s");
        }
        let ended = StationEvent::Ended(self.target.address, held);
        let _ = self.tell.send(ended).await;
    }

    async fn release(&self, address: &str) {
        // Without this, BlueZ would subscribe by itself when the clock comes back.
        if let Ok(from_clock) = characteristic(&self.peripheral, FROM_CLOCK, CharPropFlags::NOTIFY)
        {
            let _ = self.peripheral.unsubscribe(&from_clock).await;
        }
        if let Err(error) = self.peripheral.disconnect().await {
            tracing::debug!(address, %error, "a clock could not be disconnected");
        }
    }

    async fn open(&self) -> Result<(Carrier, Instant<Hub>), String> {
        let clock = &self.peripheral;
        let opened = self.shared.time.hub_now();
        // Listen before connecting: BlueZ may subscribe by itself as soon as a clock is back, and the clock sends first.
        let values = clock.notifications().await.map_err(message_of)?;
        clock.connect().await.map_err(message_of)?;
        clock.discover_services().await.map_err(message_of)?;
        let from_clock = characteristic(clock, FROM_CLOCK, CharPropFlags::NOTIFY)?;
        let to_clock = characteristic(clock, TO_CLOCK, CharPropFlags::WRITE_WITHOUT_RESPONSE)?;
        let room = usize::from(clock.mtu()).saturating_sub(ATT_HEADER);
        let (came, incoming) = mpsc::channel(QUEUE);
        let (outgoing, to_write) = mpsc::channel(QUEUE);
        let carrier = Carrier {
            incoming,
            outgoing,
            room: room.min(MAX_VALUE),
        };
        let time = self.shared.time.clone();
        let (over, reading) = (self.link.clone(), self.link.clone());
        tokio::spawn(async move {
            let mut values = values;
            loop {
                let value = tokio::select! {
                    value = values.next() => value,
                    () = reading.cancelled() => return,
                };
                let Some(value) = value else { return };
                if value.uuid != Uuid::from_u128(FROM_CLOCK) {
                    continue;
                }
                // A clock may have one window of values in flight, and the queue holds two. A clock that sends more, or whose values are not
                // taken, loses its connection, because BlueZ would hold the excess in memory.
                if let Err(error) = came.try_send((value.value, time.hub_now())) {
                    tracing::debug!(%error, "a clock sent more values than its window allows");
                    return reading.cancel();
                }
            }
        });
        clock.subscribe(&from_clock).await.map_err(message_of)?;
        tokio::spawn(write(clock.clone(), to_clock, to_write, over));
        Ok((carrier, opened))
    }
}

async fn write(
    clock: Peripheral,
    to_clock: Characteristic,
    mut values: mpsc::Receiver<Vec<u8>>,
    over: CancellationToken,
) {
    loop {
        let value = tokio::select! {
            value = values.recv() => value,
            () = over.cancelled() => return,
        };
        let Some(value) = value else { return };
        if let Err(error) = clock
            .write(&to_clock, &value, WriteType::WithoutResponse)
            .await
        {
            tracing::debug!(%error, "a value could not be written");
            return over.cancel();
        }
    }
}

fn characteristic(
    clock: &Peripheral,
    uuid: u128,
    needs: CharPropFlags,
) -> Result<Characteristic, String> {
    let uuid = Uuid::from_u128(uuid);
    clock
        .characteristics()
        .into_iter()
        .find(|one| one.uuid == uuid && one.properties.contains(needs))
        .ok_or_else(|| format!("the device has no usable clock characteristic {uuid}"))
}

fn message_of(error: btleplug::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::NearbyClocks;
    use super::*;

    #[derive(Clone, Default)]
    struct Inventory(NearbyClocks);

    impl RadioHost for Inventory {
        async fn wanted(
            &self,
            adapter: &str,
            heard: &[DetectedClock],
        ) -> Result<WantedClocks, String> {
            self.0.update(adapter, heard);
            Ok(WantedClocks::default())
        }

        async fn serve(
            &self,
            _: Carrier,
            _: Instant<Hub>,
            _: &ConnectTarget,
        ) -> Result<(), String> {
            Err("this radio serves no clock".to_owned())
        }
    }

    #[tokio::test]
    async fn clocks_heard_by_a_lost_radio_leave_the_inventory() {
        let host = Inventory::default();
        for (radio, number) in [("hci0", 1), ("hci1", 2), ("hci10", 3)] {
            let agent = proto::ids::AgentId([number; 32]);
            let clock = DetectedClock {
                address: radio.to_owned(),
                advertisement: Advertisement::new(&agent, false, None),
                rssi: None,
            };
            host.wanted(radio, &[clock]).await.unwrap();
        }
        forget(&host, &["hci0".to_owned(), "hci1".to_owned()]).await;
        let left: Vec<_> = host.0.nearby().into_iter().map(|c| c.adapter).collect();
        assert_eq!(left, ["hci10"], "and nothing of a radio that is there");
    }
}
