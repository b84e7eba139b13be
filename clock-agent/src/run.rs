//! Implements the subcommands: connects the other modules, waits for the end and shuts down cleanly.

mod arbiter;
mod bell;
mod face_thread;
mod logging;
mod machine;
mod signals;
mod speaker;
mod swarm_program;
mod table;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use proto::ble::PairingCode;
use proto::enrolment::EnrolmentCode;
use proto::wire::Certificate;
use timing::Board;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::buttons::{Buttons, ButtonsError};
use crate::cli;
use crate::config::{self, NoHome};
use crate::core::signer::Signer;
use crate::core::{AgentCore, CoreConfig};
use crate::enrol::{EnrolError, enrol_over_ble};
use crate::identity::{Enrolment, Identity, IdentityError, Keys};
use crate::journal::{JournalThread, Store, StoreError};
use crate::links::ble::peripheral::Peripheral;
use crate::links::ble::{BleConnector, NoHubKey};
use crate::links::quic::{Dialer, HubLocation, QuicConnector};
use crate::links::{HubAddress, HubRoute};
use crate::session::{self, Logs, SessionParts};
use crate::swarm::{SwarmEnrolError, SwarmError};
use crate::time_source::{TimeSource, boot_id};
use face_thread::FaceThread;
use speaker::SpeakerThread;
use table::{PlayerPanel, Voice};

pub use swarm_program::swarm;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    NoHome(#[from] NoHome),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("not enrolled: {0}")]
    Enrol(#[from] EnrolError),
    /// A signal ended the program before the clock was enrolled.
    #[error(
        "not enrolled: stopped before the arbiter admitted this clock; start it again with the same code"
    )]
    Stopped,
    #[error(
        "this clock is not enrolled ({}): print a code at the hub with `flagfall enrol`, then `clock-agent enrol CODE`",
        .0.display()
    )]
    NotEnrolled(PathBuf),
    #[error(transparent)]
    Buttons(#[from] ButtonsError),
    #[error("the stored hub address is invalid: {0}; give the address with --hub")]
    Address(#[from] crate::links::AddressError),
    #[error("certificate or key is unusable: {0}; enrol this clock again")]
    Tls(#[from] rustls::Error),
    #[error(transparent)]
    NoHubKey(#[from] NoHubKey),
    #[error("terminal: {0}; try --face plain")]
    Terminal(std::io::Error),
    #[error("--log: {0}")]
    Log(String),
    #[error("{what}: {error}")]
    System {
        /// The resource or operation that failed.
        what: &'static str,
        error: std::io::Error,
    },
    #[error("swarm: {0}")]
    Swarm(#[from] SwarmError),
    #[error("swarm: {0}")]
    SwarmEnrol(#[from] SwarmEnrolError<swarm_program::NoCode>),
    #[error("{}:{line}: {error}", path.display())]
    Codes {
        path: PathBuf,
        /// Number of the invalid line, counted from 1.
        line: usize,
        error: proto::enrolment::CodeError,
    },
    #[error("no identities and no codes: pass --codes FILE")]
    NoAgents,
}

fn system(what: &'static str) -> impl Fn(std::io::Error) -> RunError {
    move |error| RunError::System { what, error }
}

pub fn enrol(args: &cli::Enrol, log: &str) -> Result<(), RunError> {
    let _summaries = logging::to_stderr(log)?;
    let dir = config::state_dir(&args.state)?;
    let store = Store::open(&dir)?;
    let name = args.name.clone().unwrap_or_else(config::machine_name);
    let runtime = runtime()?;
    let enrolment = runtime.block_on(async {
        let stop = CancellationToken::new();
        signals::stop_at_signal(&stop).map_err(system("signals"))?;
        stoppable(
            &stop,
            enrol_in(&store, &args.code, &name, cli::FaceKind::Plain),
        )
        .await
    })?;
    let board = match enrolment.board.as_str() {
        "" => "no board yet".to_owned(),
        board => format!("board {board}"),
    };
    logging::say(&format!(
        "Enrolled with {} as {}, {board}. Start the clock with: clock-agent run",
        enrolment.hub, enrolment.name
    ));
    Ok(())
}

async fn enrol_in(
    store: &Store,
    code: &EnrolmentCode,
    name: &str,
    face: cli::FaceKind,
) -> Result<Enrolment, RunError> {
    let keys = Keys::open(store.dir())?;
    let show = |number: &str| face_thread::show_waiting(face, number);
    let enrolment = crate::enrol::enrol(&keys, code, name, show).await?;
    enrolment.save(store.dir())?;
    Ok(enrolment)
}

/// Runs `work` until it is done or a signal arrives, because a clock may wait a long time for the arbiter.
async fn stoppable<T>(
    stop: &CancellationToken,
    work: impl Future<Output = Result<T, RunError>>,
) -> Result<T, RunError> {
    tokio::select! {
        done = work => done,
        () = stop.cancelled() => Err(RunError::Stopped),
    }
}

/// Runs `clock-agent run`.
pub fn clock(args: &cli::Run, log: &str) -> Result<(), RunError> {
    let dir = config::state_dir(&args.state)?;
    let store = Store::open(&dir)?;
    let face = face_thread::chosen(args.face);
    let _summaries = logging::beside_face(log, face, store.dir())?;
    runtime()?.block_on(run_clock(args, store, face))
}

async fn run_clock(args: &cli::Run, store: Store, face: cli::FaceKind) -> Result<(), RunError> {
    let stop = CancellationToken::new();
    signals::stop_at_signal(&stop).map_err(system("signals"))?;
    let identity = stoppable(&stop, identity(args, &store, face)).await?;
    let agent = identity.keys.agent_id();
    let boot = boot_id().map_err(system("the boot id of this machine"))?;
    let state = store.dir().to_owned();
    let thread = JournalThread::start().map_err(system("the journal thread"))?;
    let origin = &identity.enrolment.log_origin;
    let (logs, recovered) = Logs::files(store, thread, origin, &agent)?;
    let time = Arc::new(TimeSource::resume(
        recovered.timeline(),
        recovered.reached_us(),
        &boot,
    ));
    let config = CoreConfig {
        signer: Signer::Ed25519(Box::new(identity.keys.signing_key().clone())),
        firmware: config::FIRMWARE.to_owned(),
        boot,
        base_us: time.base_us(),
        token: rand::random(),
    };
    let mut core = AgentCore::new(config, recovered, time.now());
    core = core.with_renewals().with_checkpoints();
    if !args.buttons.has_keyboard() {
        core = core.without_corrections();
    }
    let enrolment = StoredEnrolment::new(identity.clone(), state);
    let connector = route(args, &identity, &enrolment)?;
    // The face must take over the terminal before keys are read from it, and restore it afterwards.
    let mut shown = FaceThread::start(face, &args.buttons, core.face(), time.clone())?;
    let source = Buttons::open(&args.buttons, time.clone())?;
    let speaker = speaker(args, &core, &time)?;
    let voice = Voice(speaker.as_ref().map(SpeakerThread::sender));
    // Queries come only from a swarm.
    let (_, asked) = mpsc::channel(1);
    let (inputs, given) = mpsc::channel(4);
    #[cfg(feature = "dgt-board")]
    follow_board(args, &time, &inputs, &stop)?;
    machine::watch(inputs, stop.clone());
    let seed = u64::from_le_bytes(first_eight(&agent.0));
    tracing::info!(agent = %agent.short(), log = origin, "clock started");
    let ended = session::run(SessionParts {
        core,
        logs,
        time: time.clone(),
        connector,
        buttons: PlayerPanel::new(
            source,
            shown.sender(),
            voice.clone(),
            time.clone(),
            stop.clone(),
        ),
        observer: table::FaceUpdater::new(shown.sender(), voice, enrolment),
        queries: asked,
        inputs: given,
        stop,
        seed,
    })
    .await;
    shown.end();
    tracing::info!(
        events = ended.seq().0,
        acknowledged = ended.acknowledged().0,
        "clock stopped"
    );
    Ok(())
}

#[cfg(feature = "dgt-board")]
fn follow_board(
    args: &cli::Run,
    time: &Arc<TimeSource>,
    inputs: &mpsc::Sender<crate::core::Input>,
    stop: &CancellationToken,
) -> Result<(), RunError> {
    let Some(port) = args.dgt_board.clone() else {
        return Ok(());
    };
    crate::dgt_board::follow(port, time.clone(), inputs.clone(), stop.clone())
        .map_err(system("the thread of the DGT board"))
}

fn speaker(
    args: &cli::Run,
    core: &AgentCore,
    time: &Arc<TimeSource>,
) -> Result<Option<SpeakerThread>, RunError> {
    let Some(listener) = args.speak else {
        return Ok(None);
    };
    speaker::program(args.speak_with.as_deref())
        .map(|program| SpeakerThread::start(listener, program, core.face(), time.clone()))
        .transpose()
}

/// Returns the clock's identity, after enrolling the clock if needed. A code from the current hub changes nothing, so a service can pass the same
/// code at every start.
async fn identity(
    args: &cli::Run,
    store: &Store,
    face: cli::FaceKind,
) -> Result<Identity, RunError> {
    let keys = Keys::open(store.dir())?;
    let known = Enrolment::load(store.dir())?;
    let enrolment = match (known, &args.code) {
        (Some(known), Some(code)) if known.trusts_authority(&code.authority) => known,
        (_, Some(code)) => enrol_in(store, code, &config::machine_name(), face).await?,
        (Some(known), None) => known,
        (None, None) if args.link == cli::LinkKind::Quic => {
            return Err(RunError::NotEnrolled(store.dir().to_owned()));
        }
        (None, None) => enrol_by_shown_code(args, store, &keys).await?,
    };
    Ok(Identity { keys, enrolment })
}

async fn enrol_by_shown_code(
    args: &cli::Run,
    store: &Store,
    keys: &Keys,
) -> Result<Enrolment, RunError> {
    let mut peripheral = Peripheral::new(args.ble_adapter.clone());
    let tag = keys.agent_id().short();
    let show = move |code: &PairingCode| {
        logging::say(&format!(
            "This is clock {tag}, not enrolled. At the hub: flagfall enrol --ble {code}"
        ));
    };
    let name = config::machine_name();
    let battery = machine::charge();
    let enrolment = enrol_over_ble(keys, &mut peripheral, &name, battery, show).await?;
    enrolment.save(store.dir())?;
    logging::say(&format!("Enrolled as {}.", enrolment.name));
    Ok(enrolment)
}

fn route(
    args: &cli::Run,
    identity: &Identity,
    remembered: &StoredEnrolment,
) -> Result<HubRoute, RunError> {
    let ble = || {
        let peripheral = Peripheral::new(args.ble_adapter.clone());
        let remembered = remembered.clone();
        let hub_key = Arc::new(move || remembered.hub_key());
        BleConnector::new(identity, peripheral, machine::charge, hub_key)
    };
    Ok(match args.link {
        cli::LinkKind::Quic => HubRoute::Quic(connector(args, identity, remembered)?),
        // Without the hub's key, no link over Bluetooth LE is possible, and without QUIC, the hub cannot send its key.
        cli::LinkKind::Ble if remembered.hub_key().is_none() => return Err(NoHubKey.into()),
        cli::LinkKind::Ble => HubRoute::Ble(Box::new(ble())),
        cli::LinkKind::Auto => HubRoute::auto(connector(args, identity, remembered)?, ble()),
    })
}

fn connector(
    args: &cli::Run,
    identity: &Identity,
    remembered: &StoredEnrolment,
) -> Result<QuicConnector, RunError> {
    let dialer = Dialer::open().map_err(system("a socket"))?;
    let location = match &args.hub {
        Some(address) => HubLocation::At(address.clone()),
        // A clock that has reached its hub only over Bluetooth LE has no stored address.
        None if identity.enrolment.hub.is_empty() => HubLocation::Remembered(None),
        None => {
            let address: HubAddress = identity.enrolment.hub.parse()?;
            HubLocation::Remembered(Some(address))
        }
    };
    let stored = remembered.clone();
    let newest = Box::new(move || stored.lock().clone());
    let remembered = remembered.clone();
    let reached = move |address: &HubAddress| {
        remembered.change(|enrolment| enrolment.hub = address.to_string());
    };
    let connector = QuicConnector::new(identity, dialer, location, Box::new(reached))?;
    Ok(connector.with_renewals(newest))
}

/// The enrolment on disk, updated when the hub moves, changes its log, sends its key or renews the clock's certificate.
#[derive(Clone, Debug)]
pub(crate) struct StoredEnrolment {
    keys: Keys,
    enrolment: Arc<Mutex<Enrolment>>,
    dir: PathBuf,
}

impl StoredEnrolment {
    fn new(identity: Identity, dir: PathBuf) -> Self {
        Self {
            keys: identity.keys,
            enrolment: Arc::new(Mutex::new(identity.enrolment)),
            dir,
        }
    }

    /// Checks a certificate that the hub has sent, and stores it for the next connection. Ignores an invalid certificate.
    pub(crate) fn renew(&self, certificate: &Certificate) {
        let identity = Identity {
            keys: self.keys.clone(),
            enrolment: self.lock().clone(),
        };
        match identity.renewed(certificate) {
            Ok(renewed) => {
                let new_authority = renewed.authority_der != identity.enrolment.authority_der;
                tracing::info!(
                    new_authority,
                    "the hub has renewed this clock's certificate"
                );
                self.change(|enrolment| {
                    enrolment.certificate_der = renewed.certificate_der;
                    enrolment.authority_der = renewed.authority_der;
                    enrolment.former_authorities = renewed.former_authorities;
                });
            }
            Err(error) => {
                tracing::error!(%error, "the hub sent an invalid certificate, which is ignored")
            }
        }
    }

    fn hub_key(&self) -> Option<[u8; 32]> {
        proto::exchange::exchange_key(&self.lock().hub_exchange_key).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Enrolment> {
        // Ignore poisoning: fields are replaced as a whole, so a panicking holder cannot leave a partial change.
        self.enrolment
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Enrolment)) {
        let mut enrolment = self.lock();
        let before = enrolment.clone();
        change(&mut enrolment);
        if *enrolment != before
            && let Err(error) = enrolment.save(&self.dir)
        {
            tracing::warn!(%error, "cannot store the updated enrolment");
        }
    }
}

fn runtime() -> Result<Runtime, RunError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(system("the runtime"))
}

fn first_eight(bytes: &[u8; 32]) -> [u8; 8] {
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    first
}

type Now = timing::Instant<Board>;
