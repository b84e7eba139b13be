//! A complete hub: opens the log, folds the hall, binds the sockets, serves everything, and shuts down cleanly.
//!
//! Owns the order of start and shutdown. All sockets are bound before the log records a start, so that a hub that cannot serve adds no record to it.
//! At shutdown, the hub says goodbye on the links before it closes the log.

mod addresses;
mod archive;
mod budgets;
mod error;
mod names;
mod pairing;
mod public;
mod repairs;
mod space;
mod start;
mod trust;
mod upkeep;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::{self, Api};
use crate::config::{Compare, Config, Start};
use crate::discovery::Announcement;
use crate::enrolment::EnrolmentDesk;
use crate::event_loop::{self, Ended, EventLoopHandle, TIMELINE};
use crate::fide_list::FideListStore;
use crate::games::Games;
use crate::gateways::GatewayRegistry;
use crate::identity::{
    BrowserTrust, Devices, Gateways, Identity, KeyFiles, LogIdentity, LogKeys, TrustSettings,
    WallClock, check_authority, check_log_exists, lost_lists, server_names,
};
use crate::links::{BleSettings, Links, Serving};
use crate::live::{HallChange, LiveHall, RING, Subscription};
use crate::sessions::Sessions;
use crate::time_source::{Bridge, TimeSource, TimelineMark, TimelineStart, WallTime};
use crate::{metrics, web};
use budgets::Budget;
use durable_log::{Archive, Log, Release};
use hall::replay::RecordIndex;
use hall::{
    Arbiter, Arbiters, EventOptions, Hall, NoteKind, SecondArbiterLimits, StartUp, Thresholds,
};
use public::{Public, broadcast};
use start::{new_origin, start_up};
use upkeep::{end, upkeep};

pub use addresses::{Addresses, addresses_in};
pub use error::StartError;
pub use trust::trust_lines;

/// Interval at which a starting hub checks whether the hall is published, even if the feed reports nothing.
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_millis(50);
/// Time that clients have to read the responses in progress once the hub stops.
const ANSWERS_WITHIN: std::time::Duration = std::time::Duration::from_millis(600);
/// Time limit for the last readers of the log to end.
const READERS_WITHIN: std::time::Duration = std::time::Duration::from_secs(2);
/// Maximum number of ports tried for port 0: the same number must be free for UDP and TCP.
const PORTS_TRIED: usize = 16;

pub struct HubServer {
    hub: EventLoopHandle,
    event_loop: JoinHandle<Ended>,
    /// The event loop's result, once the loop has ended.
    outcome: Option<Result<Ended, StartError>>,
    links: Serving,
    desk: Arc<EnrolmentDesk>,
    sessions: Arc<Sessions>,
    identity: Arc<Identity>,
    trust: Arc<BrowserTrust>,
    addresses: Addresses,
    data_dir: PathBuf,
    announcement: Option<Announcement>,
    /// Cancelled to end the broadcast and the tasks in `served`.
    ending: CancellationToken,
    served: Vec<JoinHandle<()>>,
    archive: Archive,
    /// Handle for waiting until the last reader of the log is gone.
    release: Release,
    _budgets: [Budget; 2],
}

struct Opened {
    log: Log,
    hall: Hall,
    index: RecordIndex,
    identity: Identity,
    trust: Arc<BrowserTrust>,
    devices: Devices,
    gateways: Gateways,
    key_files: Arc<KeyFiles>,
    time: TimeSource,
    timeline: TimelineStart,
    /// Notes for arbiters about faults that this start found in the log and the data directory.
    log_notes: Vec<(NoteKind, String)>,
}

struct Bound {
    links: Links,
    api: Api,
    http: TcpListener,
    metrics: Option<(TcpListener, metrics::RecorderHandle)>,
}

impl HubServer {
    /// Starts a hub. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// Returns any [`StartError`]. Its text is one line for the operator.
    pub async fn start(config: &Config) -> Result<Self, StartError> {
        let (dir, mirror) = (config.data_dir.clone(), config.mirror.clone());
        let trust = trust::settings(config);
        // Opening reads and verifies the log, which may take seconds.
        let opened = tokio::task::spawn_blocking(move || open(&dir, mirror, trust)).await;
        let opened = opened.map_err(StartError::internal)??;
        let bound = bind(config, &opened).await?;
        serve(config, opened, bound).await
    }

    pub fn addresses(&self) -> Addresses {
        self.addresses
    }

    pub fn hub(&self) -> &EventLoopHandle {
        &self.hub
    }

    pub fn desk(&self) -> &EnrolmentDesk {
        &self.desk
    }

    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub fn live(&self) -> &Arc<LiveHall> {
        self.hub.live()
    }

    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    pub fn trust(&self) -> &Arc<BrowserTrust> {
        &self.trust
    }

    /// Waits until the event loop ends. An end before [`Self::stop`] is always a failure. Cancel safe.
    pub async fn ended(&mut self) {
        if self.outcome.is_none() {
            let ended = (&mut self.event_loop).await;
            self.outcome = Some(ended.map_err(StartError::internal));
        }
    }

    /// Stops the hub: agents are told and continue without it, and submitted records become durable. Does not wait long for clients that read
    /// nothing.
    ///
    /// # Errors
    /// Returns [`StartError::Internal`] if a task of the hub has panicked.
    pub async fn stop(mut self) -> Result<Ended, StartError> {
        if let Some(announcement) = self.announcement.take() {
            announcement.withdraw();
        }
        addresses::remove(&self.data_dir);
        self.hub.shut_down().await;
        self.ending.cancel();
        let served = std::mem::take(&mut self.served);
        tokio::join!(self.links.close(), end(served, ANSWERS_WITHIN));
        self.ended().await;
        let (archive, release, outcome) = self.last_parts();
        // The archive is closed late so that its last checkpoint covers the last records.
        let closed = tokio::task::spawn_blocking(move || archive.close()).await;
        closed.map_err(StartError::internal)?;
        // Background readers of the log, such as the check of free space, finish shortly. A disk that does not respond must not block the shutdown.
        let _ = tokio::task::spawn_blocking(move || release.wait(READERS_WITHIN)).await;
        // Never `None`: `ended` has just set the outcome.
        outcome.unwrap_or_else(|| Err(StartError::Internal("the event loop is lost".to_owned())))
    }

    /// Returns the archive, the release and the outcome. Drops everything else, which also ends its readers of the log.
    fn last_parts(self) -> (Archive, Release, Option<Result<Ended, StartError>>) {
        (self.archive, self.release, self.outcome)
    }
}

/// Opens the data directory. The lock comes first: nothing is written before it is held.
fn open(dir: &Path, mirror: Option<PathBuf>, trust: TrustSettings) -> Result<Opened, StartError> {
    check_log_exists(dir)?;
    let (mut log, hall, index) = repairs::folded(dir, mirror)?;
    for notice in log.notices() {
        tracing::warn!("{notice}");
    }
    let mut log_notes = repairs::of(&log, &hall)?;
    let mark = log.meta(TIMELINE)?;
    let mark = mark.as_deref().and_then(TimelineMark::from_bytes);
    let (time, timeline) = TimeSource::resume(mark);
    if matches!(timeline.bridge, Bridge::NewBoot { .. }) {
        tracing::warn!("{timeline}");
    } else {
        tracing::info!("{timeline}");
    }
    check_authority(dir, log_identity(&hall))?;
    let time = match hall.newest() {
        Some(newest) => time.not_before(newest),
        None => time,
    };
    log.set_meta(TIMELINE, &time.mark().to_bytes())?;
    if hall.records() > 0 {
        let lost = repairs::of_lists(&lost_lists(dir)?);
        log_notes.extend(lost.inspect(|(_, text)| tracing::warn!("{text}")));
    }
    let mut identity = Identity::open(dir)?;
    identity.end_former(time.wall_now().unix_us())?;
    if let Some(former) = identity.former() {
        tracing::info!(
            until = %WallTime::from_unix_us(former.until_us()),
            "the authority has changed: clocks take the new one, and the former one is valid until then"
        );
    }
    if identity.first_start() {
        tracing::info!(
            key = %identity.chief_file().display(),
            "first start: a new authority, and the chief arbiter's key file"
        );
    }
    let trust = BrowserTrust::open(dir, trust, wall_clock(&time))?;
    Ok(Opened {
        log,
        hall,
        index,
        identity,
        trust: Arc::new(trust),
        devices: Devices::open(dir)?,
        gateways: Gateways::open(dir)?,
        key_files: Arc::new(KeyFiles::open(dir, wall_clock(&time))?),
        time,
        timeline,
        log_notes,
    })
}

fn log_identity(hall: &Hall) -> LogIdentity<'_> {
    LogIdentity {
        records: hall.records(),
        origin: hall.log_origin(),
        authority: hall.authority(),
    }
}

fn wall_clock(time: &TimeSource) -> WallClock {
    let time = time.clone();
    Arc::new(move || time.wall_now().unix_us())
}

async fn bind(config: &Config, opened: &Opened) -> Result<Bound, StartError> {
    let http = web::bind(config.http, "--http").await?;
    let metrics = match config.metrics {
        // Metrics are installed before anything can be counted.
        Some(address) => Some((web::bind(address, "--metrics").await?, metrics::install()?)),
        None => None,
    };
    let names = server_names(Some(&config.public_name));
    let wall = wall_clock(&opened.time);
    let mut tries = match config.listen.port() {
        0 => PORTS_TRIED,
        _ => 1,
    };
    let (links, api) = loop {
        let links = Links::bind(config.listen, &opened.identity, &names, wall.clone())?;
        let address = links.address();
        let (identity, trust) = (&opened.identity, opened.trust.clone());
        match Api::bind(address, identity, &names, trust, wall.clone()).await {
            Ok(api) => break (links, api),
            Err(error) if tries == 1 => return Err(error.into()),
            Err(_) => tries -= 1,
        }
    };
    Ok(Bound {
        links,
        api,
        http,
        metrics,
    })
}

async fn serve(config: &Config, opened: Opened, bound: Bound) -> Result<HubServer, StartError> {
    let addresses = bound.addresses(config);
    let (mut hall, time, trust) = (opened.hall, opened.time, opened.trust);
    let log_origin = configure(&mut hall, config, &opened.identity).await?;
    let (log_reader, release) = (opened.log.reader(), opened.log.release());
    let epochs = archive::epochs(&hall);
    let (identity, origin) = (&opened.identity, log_origin.clone());
    let start = start_up(config, identity, &time, opened.timeline, origin)?;
    let (hub, event_loop) = running(hall, opened.log, &time, start).await?;
    repairs::tell(&hub, opened.log_notes);
    let archive = archive::start(config, &log_origin, log_reader.clone(), epochs, hub.clone())?;
    let (identity, ending) = (Arc::new(opened.identity), CancellationToken::new());
    let at = names::reached_at(config, addresses.listen).await;
    let sessions = Sessions::new(opened.devices, &identity, time.clone(), at.0.clone(), at.1)?;
    let (sessions, pairing) = (Arc::new(sessions), pairing::desk(config));
    let desk = desk(&identity, &hub, &time, &log_origin, at, opened.gateways);
    let links = bound.links.serve(&hub, &desk, archive.handle(), &time);
    radios(config, &links);
    let games = Games::new(log_reader.clone(), opened.index);
    let public = Public::new(&hub, &identity, &trust, &sessions, addresses.http.port());
    let broadcast = broadcast(config, public, games.clone(), &log_origin, &time, &ending)?;
    let parts = api::ServiceContext {
        hub: hub.clone(),
        time,
        desk: desk.clone(),
        nearby_clocks: links.nearby_clocks().clone(),
        routes: links.routes().clone(),
        sessions: sessions.clone(),
        key_files: opened.key_files,
        identity: identity.clone(),
        trust: trust.clone(),
        public_port: addresses.http.port(),
        calls: api::CallAcknowledgements::default(),
        log: log_reader,
        places: games.places,
        archive: archive.handle(),
        log_keys: Arc::new(LogKeys::read(&config.data_dir)?),
        log_origin,
        defaults: defaults(config),
        pairing: pairing.clone(),
        broadcast: broadcast.clone(),
        second_devices: config.second_arbiter_chief,
        fide_list: Arc::new(FideListStore::open(&config.data_dir)),
    };
    let budgets = [Budget::public()?, Budget::arbiters()?];
    let mut served = vec![budgets[1].spawn(arbiters(bound.api, parts, ending.clone()))];
    let shown = broadcast.router();
    served.push(budgets[0].spawn(wake_spectators(hub.live().clone(), ending.clone())));
    served.extend(pages(bound.http, shown, bound.metrics, &budgets, &ending));
    served.extend(upkeep(config, &hub, &trust, &pairing, &archive, &ending));
    addresses::write(&config.data_dir, &addresses);
    Ok(HubServer {
        announcement: announcement(config, addresses.listen, &identity),
        hub,
        event_loop,
        outcome: None,
        links,
        desk,
        sessions,
        identity,
        trust,
        addresses,
        data_dir: config.data_dir.clone(),
        ending,
        served,
        archive,
        release,
        _budgets: budgets,
    })
}

/// Starts the event loop, and waits until the hall is published or the hub has failed.
async fn running(
    hall: Hall,
    log: Log,
    time: &TimeSource,
    start: StartUp,
) -> Result<(EventLoopHandle, JoinHandle<Ended>), StartError> {
    let (boards, live, time) = (hall.board_count(), live(time), time.clone());
    let changes = live.subscribe(None);
    let (hub, event_loop) = event_loop::start(event_loop::Parts {
        hall,
        log,
        time,
        live,
        start,
    })?;
    until_shown(&hub, boards, changes).await;
    Ok((hub, event_loop))
}

/// Creates the desk at which clocks and gateways enrol. Its codes contain the address `at`.
fn desk(
    identity: &Arc<Identity>,
    hub: &EventLoopHandle,
    time: &TimeSource,
    log_origin: &str,
    at: (String, u16),
    gateways: Gateways,
) -> Arc<EnrolmentDesk> {
    let (identity, hub, time) = (identity.clone(), hub.clone(), time.clone());
    let gateways = Arc::new(GatewayRegistry::new(
        gateways,
        identity.clone(),
        time.clone(),
    ));
    let log_origin = log_origin.to_owned();
    Arc::new(EnrolmentDesk::new(
        identity, hub, time, log_origin, at, gateways,
    ))
}

fn radios(config: &Config, links: &Serving) {
    if let Some(adapters) = config.ble.clone() {
        links.serve_ble(BleSettings {
            adapters,
            // At most 64, so the cast is lossless.
            clocks_per_adapter: config.ble_clocks_per_adapter as usize,
        });
    }
}

/// Applies the configuration to the hall, and returns the name of its log. A new log gets a new name.
async fn configure(
    hall: &mut Hall,
    config: &Config,
    identity: &Identity,
) -> Result<String, StartError> {
    hall.set_options(EventOptions {
        default_time: config.default_time,
        sound: config.sound,
        notes: thresholds(config),
    });
    hall.set_second_arbiter_limits(second_arbiter_limits(config));
    hall.set_arbiters(arbiters_with_pins(config, identity).await?);
    match hall.log_origin() {
        Some(origin) => Ok(origin.to_owned()),
        None => new_origin(identity),
    }
}

/// Returns the arbiters whose PINs are configured. Derives their keys off the runtime's own threads, because the derivation is deliberately
/// slow.
async fn arbiters_with_pins(config: &Config, identity: &Identity) -> Result<Arbiters, StartError> {
    let salt = identity.pin_salt().to_vec();
    let pins = config.arbiter_pins.clone();
    let made = tokio::task::spawn_blocking(move || {
        let list: Result<Vec<_>, _> = pins
            .into_iter()
            .map(|arbiter| {
                let key = proto::pin::derive_key(&arbiter.pin, &salt)?;
                Ok(Arbiter {
                    name: arbiter.name,
                    key: proto::pin::public(&key),
                })
            })
            .collect();
        list.map(|list| Arbiters { salt, list })
    });
    let made: Result<Arbiters, proto::pin::PinError> = made.await.map_err(StartError::internal)?;
    made.map_err(|error| StartError::Internal(format!("an arbiter's PIN: {error}")))
}

/// Returns the limits above which a command waits for a second arbiter. A configured limit of 0 means no limit.
fn second_arbiter_limits(config: &Config) -> SecondArbiterLimits {
    SecondArbiterLimits {
        time: Some(config.second_arbiter_time).filter(|time| time.is_positive()),
        pairings: Some(config.second_arbiter_pairings).filter(|games| *games > 0),
        event: config.second_arbiter_event,
    }
}

fn thresholds(config: &Config) -> Thresholds {
    Thresholds {
        ignored_presses: config.note_ignored_presses,
        long_think_percent: config.note_long_think,
        not_started: config.note_not_started,
        stopped: config.note_stopped,
        battery_percent: config.note_battery,
        reconnects: config.note_reconnects,
        reconnects_within: config.note_reconnects_within,
        other_control: config.note_other_control != Compare::Off,
        control: match config.note_other_control {
            Compare::Event => Some(config.control.control.clone()),
            Compare::Round | Compare::Off => None,
        },
    }
}

fn pages(
    http: TcpListener,
    public: axum::Router,
    metrics: Option<(TcpListener, metrics::RecorderHandle)>,
    [spectators, staff]: &[Budget; 2],
    ending: &CancellationToken,
) -> Vec<JoinHandle<()>> {
    let ended = || ending.clone().cancelled_owned();
    let metrics = metrics.map(|(listener, recorded)| {
        staff.spawn(web::serve(listener, metrics::router(recorded), ended()))
    });
    let pages = spectators.spawn(web::serve(http, public, ended()));
    std::iter::once(pages).chain(metrics).collect()
}

async fn wake_spectators(live: Arc<LiveHall>, ending: CancellationToken) {
    ending
        .run_until_cancelled(live.keep_waking_spectators())
        .await;
}

fn announcement(config: &Config, listen: SocketAddr, identity: &Identity) -> Option<Announcement> {
    let announce = || Announcement::make(&config.event_name, listen, identity);
    config.mdns.then(announce).flatten()
}

impl Bound {
    fn addresses(&self, config: &Config) -> Addresses {
        let metrics = self.metrics.as_ref().zip(config.metrics);
        Addresses {
            listen: self.links.address(),
            http: local(&self.http, config.http),
            metrics: metrics.map(|((listener, _), asked)| local(listener, asked)),
        }
    }
}

fn live(time: &TimeSource) -> Arc<LiveHall> {
    let time = time.clone();
    let hub_us = move || time.hub_now().as_micros();
    // The epoch is the instant at which this run began, not a run number. A hub that was restored from a backup, or begins in an empty directory,
    // would repeat numbers. A page that watched the earlier hub would then mistake old changes for new ones.
    let epoch = hub_us().unsigned_abs();
    Arc::new(LiveHall::new(epoch, RING, hub_us))
}

fn defaults(config: &Config) -> api::Defaults {
    api::Defaults {
        control: config.control.control.to_string(),
        draw_odds: config.control.draw_odds,
        start: match config.start {
            Start::Black => timing::StartRule::BlackPress,
            Start::Arbiter | Start::At(_) => timing::StartRule::Arbiter,
        },
        after_flag: config.after_flag,
    }
}

async fn arbiters(api: Api, parts: api::ServiceContext, ending: CancellationToken) {
    if let Err(error) = api.serve(parts, ending).await {
        tracing::error!(%error, "arbiters are no longer served");
    }
}

/// Waits until the boards and the event from the log are published, so that the first visitor does not find an empty hall.
async fn until_shown(hub: &EventLoopHandle, boards: usize, mut changes: Subscription<HallChange>) {
    let is_shown = || {
        let live = hub.live();
        live.counts().0 >= boards && !live.event().name.is_empty()
    };
    // A log that fails immediately publishes nothing and reports the failure itself.
    while !is_shown() && hub.health().is_ok() {
        let _ = tokio::time::timeout(LOOK_AGAIN, changes.next()).await;
    }
}

fn local(listener: &TcpListener, asked: SocketAddr) -> SocketAddr {
    listener.local_addr().unwrap_or(asked)
}
