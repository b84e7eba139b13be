//! The programs behind the subcommands: join what the other modules own, wait for the end, leave in order.

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
use crate::session::{self, Logs, Parts};
use crate::swarm::{SwarmEnrolError, SwarmError};
use crate::time_source::{TimeSource, boot_id};
use face_thread::FaceThread;
use speaker::SpeakerThread;
use table::{Table, Voice};

pub use swarm_program::swarm;

/// Why a program ends before its time.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No place for the state.
    #[error(transparent)]
    NoHome(#[from] NoHome),
    /// Keys or enrolment.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The state directory or a journal.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Enrolment.
    #[error("not enrolled: {0}")]
    Enrol(#[from] EnrolError),
    /// A signal came before the clock was enrolled.
    #[error(
        "not enrolled: ended before the arbiter admitted this clock; start it again with the same code"
    )]
    Stopped,
    /// There is no enrolment.
    #[error(
        "this clock is not enrolled ({}): print a code at the hub with `flagfall enrol`, then `clock-agent enrol CODE`",
        .0.display()
    )]
    NotEnrolled(PathBuf),
    /// The buttons.
    #[error(transparent)]
    Buttons(#[from] ButtonsError),
    /// The remembered address is none.
    #[error("the remembered address of the hub: {0}; give it with --hub")]
    Address(#[from] crate::links::AddressError),
    /// Certificate or key.
    #[error("certificate or key: {0}; enrol this clock again")]
    Tls(#[from] rustls::Error),
    /// The enrolment knows no Bluetooth LE.
    #[error(transparent)]
    NoHubKey(#[from] NoHubKey),
    /// The terminal.
    #[error("terminal: {0}; try --face plain")]
    Terminal(std::io::Error),
    /// The log filter.
    #[error("--log: {0}")]
    Log(String),
    /// Something of the system.
    #[error("{what}: {error}")]
    System {
        /// What was to be done.
        what: &'static str,
        /// What it said.
        error: std::io::Error,
    },
    /// A swarm.
    #[error("swarm: {0}")]
    Swarm(#[from] SwarmError),
    /// The enrolment of a swarm.
    #[error("swarm: {0}")]
    SwarmEnrol(#[from] SwarmEnrolError<swarm_program::NoCode>),
    /// A file of codes.
    #[error("{}:{line}: {error}", path.display())]
    Codes {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong there.
        error: proto::enrolment::CodeError,
    },
    /// A swarm without a hub.
    #[error("no identities and no codes: give --codes FILE")]
    NoAgents,
}

fn system(what: &'static str) -> impl Fn(std::io::Error) -> RunError {
    move |error| RunError::System { what, error }
}

/// `clock-agent enrol`.
///
/// # Errors
/// [`RunError`].
pub fn enrol(args: &cli::Enrol, log: &str) -> Result<(), RunError> {
    logging::to_stderr(log)?;
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

/// Runs `work` until it is done or a signal ends the program: a clock may wait long for the arbiter.
async fn stoppable<T>(
    stop: &CancellationToken,
    work: impl Future<Output = Result<T, RunError>>,
) -> Result<T, RunError> {
    tokio::select! {
        done = work => done,
        () = stop.cancelled() => Err(RunError::Stopped),
    }
}

/// `clock-agent run`.
///
/// # Errors
/// [`RunError`].
pub fn clock(args: &cli::Run, log: &str) -> Result<(), RunError> {
    let dir = config::state_dir(&args.state)?;
    let store = Store::open(&dir)?;
    let face = face_thread::chosen(args.face);
    logging::beside_face(log, face, store.dir())?;
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
    let core = AgentCore::new(config, recovered, time.now());
    let enrolment = Remembered::new(identity.enrolment.clone(), state);
    let connector = way(args, &identity, &enrolment)?;
    // The face takes the terminal before keys are read from it, and gives it back after.
    let mut shown = FaceThread::start(face, &args.buttons, core.face(), time.clone())?;
    let source = Buttons::open(&args.buttons, time.clone())?;
    let speaker = speaker(args, &core, &time)?;
    let voice = Voice(speaker.as_ref().map(SpeakerThread::sender));
    let (_asks, asked) = mpsc::channel(1);
    let (inputs, given) = mpsc::channel(4);
    machine::watch(inputs, stop.clone());
    let seed = u64::from_le_bytes(first_eight(&agent.0));
    tracing::info!(agent = %agent.short(), log = origin, "this clock runs");
    let ended = session::run(Parts {
        core,
        logs,
        time: time.clone(),
        connector,
        hands: Table::new(
            source,
            shown.sender(),
            voice.clone(),
            time.clone(),
            stop.clone(),
        ),
        watcher: table::FaceUpdater::new(shown.sender(), voice, enrolment),
        asks: asked,
        inputs: given,
        stop,
        seed,
    })
    .await;
    shown.end();
    tracing::info!(
        events = ended.seq().0,
        acknowledged = ended.acknowledged().0,
        "this clock ends"
    );
    Ok(())
}

/// The speaker, if one is wanted and there is a program for it.
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

/// The enrolment of this clock, made now if a code says so. A code of the hub it is enrolled with already is left alone,
/// so that a service may be started with it again and again.
async fn identity(
    args: &cli::Run,
    store: &Store,
    face: cli::FaceKind,
) -> Result<Identity, RunError> {
    let keys = Keys::open(store.dir())?;
    let known = Enrolment::load(store.dir())?;
    let enrolment = match (known, &args.code) {
        (Some(known), Some(code)) if known.authority() == code.authority => known,
        (_, Some(code)) => enrol_in(store, code, &config::machine_name(), face).await?,
        (Some(known), None) => known,
        (None, None) if args.link == cli::LinkKind::Quic => {
            return Err(RunError::NotEnrolled(store.dir().to_owned()));
        }
        (None, None) => by_code_of_this_clock(args, store, &keys).await?,
    };
    Ok(Identity { keys, enrolment })
}

/// Over Bluetooth LE the clock shows a code, and an arbiter types it at the hub.
async fn by_code_of_this_clock(
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

/// The ways to the hub that were asked for.
fn way(
    args: &cli::Run,
    identity: &Identity,
    remembered: &Remembered,
) -> Result<HubRoute, RunError> {
    let ble = || {
        let peripheral = Peripheral::new(args.ble_adapter.clone());
        let remembered = remembered.clone();
        let hub_key = Arc::new(move || remembered.hub_key());
        BleConnector::new(identity, peripheral, machine::charge, hub_key)
    };
    Ok(match args.link {
        cli::LinkKind::Quic => HubRoute::Quic(connector(args, identity, remembered)?),
        // Without it, and without QUIC, nothing could ever come.
        cli::LinkKind::Ble if remembered.hub_key().is_none() => return Err(NoHubKey.into()),
        cli::LinkKind::Ble => HubRoute::Ble(Box::new(ble())),
        cli::LinkKind::Auto => HubRoute::auto(connector(args, identity, remembered)?, ble()),
    })
}

fn connector(
    args: &cli::Run,
    identity: &Identity,
    remembered: &Remembered,
) -> Result<QuicConnector, RunError> {
    let dialer = Dialer::open().map_err(system("a socket"))?;
    let location = match &args.hub {
        Some(address) => HubLocation::At(address.clone()),
        // Enrolled over Bluetooth LE.
        None if identity.enrolment.hub.is_empty() => HubLocation::Remembered(None),
        None => {
            let address: HubAddress = identity.enrolment.hub.parse()?;
            HubLocation::Remembered(Some(address))
        }
    };
    let remembered = remembered.clone();
    let reached = move |address: &HubAddress| {
        remembered.change(|enrolment| enrolment.hub = address.to_string());
    };
    Ok(QuicConnector::new(
        identity,
        dialer,
        location,
        Box::new(reached),
    )?)
}

/// The enrolment on disk, brought up to date when the hub moves or begins another log.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    enrolment: Arc<Mutex<Enrolment>>,
    dir: PathBuf,
}

impl Remembered {
    fn new(enrolment: Enrolment, dir: PathBuf) -> Self {
        Self {
            enrolment: Arc::new(Mutex::new(enrolment)),
            dir,
        }
    }

    /// The hub's X25519 key, if the hub has given it.
    fn hub_key(&self) -> Option<[u8; 32]> {
        self.lock().hub_exchange_key.as_slice().try_into().ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Enrolment> {
        // A panicking holder cannot have left it half changed: fields are replaced whole.
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
            tracing::warn!(%error, "cannot remember where the hub is");
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

/// Board time, as this module hands it on.
type Now = timing::Instant<Board>;
