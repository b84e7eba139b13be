//! A complete Bluetooth LE clock for a maker's firmware, built on the five small traits in [`platform`].
//!
//! Owns the order of work (presses first, because they happened earliest), the layout of the flash, the enrolment, and one connection at a time.
//! Decides nothing about time: that is the job of the [`AgentCore`], which the program for Linux uses too. Never waits for an event, and calls
//! the maker's code only through the traits.

mod banks;
mod identity;
pub mod platform;
mod radio_link;
mod session;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;

use proto::ble::{Advertisement, Channel, LocalKeys, PairingCode};
use proto::ids::AgentId;
use timing::{Board, Instant};

use crate::agent::{AgentCore, Bounds, CoreConfig, Input, Recovered, recover, signer::Signer};
use crate::buttons::TwoButtons;
use crate::face_state::{FaceState, FaceView};
use crate::tracing;
use banks::{BankError, Banks};
use identity::{Keys, StoredIdentity};
use platform::{FlashError, Platform};
use radio_link::RadioLink;

pub use radio_link::RadioEvent;

/// Number of failed connections after which a code is replaced, because each connection lets an attacker test one guess.
const MAX_FAILED_CONNECTIONS: u32 = 3;
/// Lifetime of a code, in microseconds.
const CODE_LIFETIME: i64 = 600_000_000;
/// Number of bytes in a bank that are reserved for journal entries other than events, such as the board's snapshot and the labels.
const JOURNAL_STATE: u32 = 8 * 1024;
/// Number of bytes that one press takes in flash, rounded up.
const JOURNAL_EVENT: u32 = 192;

/// Settings that the maker of the clock chooses.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name and version of the firmware, for the hub's health page.
    pub firmware: String,
    /// Name under which the clock advertises before its enrolment, such as the number on its case.
    pub name: String,
    /// Maximum number of events kept in memory for the hub, about 350 bytes each. A small flash lowers this limit.
    pub max_events: usize,
    /// Maximum number of unacknowledged events sent to the hub, about 200 bytes each.
    pub in_flight: u64,
}

/// The content that the clock's display must show.
#[derive(Debug)]
pub enum Screen<'a> {
    /// Not enrolled: the code to type at the hub and, if the last enrolment failed, the reason.
    Code(&'a PairingCode, Option<&'a str>),
    /// Enrolled: the face to draw.
    Face(Box<FaceState>),
}

/// A Bluetooth LE clock on the maker's platform.
pub struct Firmware<P> {
    platform: P,
    settings: Settings,
    keys: Keys,
    identity: StoredIdentity,
    identity_banks: Banks,
    journal: Banks,
    stage: Stage,
    link: RadioLink,
    buttons: TwoButtons,
    battery: Option<u8>,
    /// Offset from the crystal's count to board time, in microseconds.
    base_us: i64,
    changed: bool,
    note: Option<String>,
    /// Results of writes, which the agent receives between its steps.
    reports: VecDeque<Input>,
    /// True if the bank was full during the agent's current step, so that the whole journal was written. It includes the step's remaining batches.
    rewritten: bool,
}

enum Stage {
    New {
        code: PairingCode,
        /// Instant at which the code expires, in microseconds on the platform's counter.
        until: i64,
        failed_connections: u32,
        /// X25519 key of the hub to which this link's enrolment request was sent.
        asked: Option<[u8; 32]>,
    },
    Enrolled(Box<AgentCore>),
}

impl<P> core::fmt::Debug for Firmware<P> {
    /// Omits the secrets.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Firmware({:?}, {:?})", self.keys.agent(), self.link)
    }
}

impl<P: Platform> Firmware<P> {
    /// Starts the clock from its flash or, if the flash holds no readable identity, as a new clock with new keys. Call this once after power-up.
    ///
    /// # Errors
    /// Returns [`FlashError`] if the flash cannot be read, or the identity of a new clock cannot be written.
    pub fn start(mut platform: P, settings: Settings) -> Result<Self, FlashError> {
        let sector = platform.sector();
        // Two sectors for the identity; the rest is split in two for the journal.
        let half = (platform.size() / sector).saturating_sub(2) / 2 * sector;
        let mut identity_banks = Banks::open(&mut platform, 0, sector)?;
        let journal = Banks::open(&mut platform, 2 * sector, half)?;
        let found = identity_banks.records(&mut platform).next();
        let found: Option<StoredIdentity> =
            found.and_then(|bytes| prost::Message::decode(bytes.as_slice()).ok());
        let known = found.and_then(|identity| identity.keys().map(|keys| (identity, keys)));
        let (identity, keys) = match known {
            Some(known) => known,
            None => {
                let identity = StoredIdentity::draw(&mut platform);
                let bytes = prost::Message::encode_to_vec(&identity);
                identity_banks
                    .replace(&mut platform, [bytes])
                    .map_err(|_| FlashError)?;
                let keys = identity.keys().ok_or(FlashError)?;
                (identity, keys)
            }
        };
        let mut clock = Self {
            stage: new_code(&mut platform),
            platform,
            settings,
            keys,
            identity,
            identity_banks,
            journal,
            link: RadioLink::Advertising,
            buttons: TwoButtons::default(),
            battery: None,
            base_us: 0,
            changed: true,
            note: None,
            reports: VecDeque::new(),
            rewritten: false,
        };
        if clock.identity.hub().is_some() {
            clock.start_agent();
        }
        clock.advertise();
        Ok(clock)
    }

    fn start_agent(&mut self) {
        let origin = match &self.identity.enrolment {
            Some(enrolment) => enrolment.log_origin.clone(),
            None => return,
        };
        let recovered = self.recovered(&origin);
        // With an empty journal, as after an enrolment, board time counts from power-up.
        self.base_us = (recovered.reached_us() - self.platform.now_us()).max(0);
        let mut boot = alloc::vec![0; 16];
        self.platform.fill(&mut boot);
        let mut token = [0; 8];
        self.platform.fill(&mut token);
        let config = CoreConfig {
            signer: Signer::Ed25519(Box::new(self.keys.signing.clone())),
            firmware: self.settings.firmware.clone(),
            boot,
            base_us: self.base_us,
            // A token of 0 would mean no token.
            token: u64::from_be_bytes(token).max(1),
        };
        // A PIN cannot be entered with two buttons, and deriving its key needs more memory than a chip has.
        let core = AgentCore::new(config, recovered, self.board_now())
            .with_bounds(self.bounds())
            .without_corrections();
        let whole = core.whole_journal();
        self.stage = Stage::Enrolled(Box::new(core));
        // Compacts the journal into the other bank, so that an entry that a power cut left incomplete in this bank is discarded.
        self.write(whole);
    }

    fn recovered(&mut self, origin: &str) -> Recovered {
        let agent = self.keys.agent();
        let entries = self
            .journal
            .records(&mut self.platform)
            .map_while(|bytes| prost::Message::decode(bytes.as_slice()).ok());
        let (recovered, fault) = recover(entries, origin, &agent);
        if let Some(error) = fault {
            tracing::error!(%error, "the journal is only partly readable");
        }
        recovered
    }

    /// Returns the event limits that memory and flash allow. A quarter of the space for events stays free, so that not every event causes a rewrite.
    fn bounds(&self) -> Bounds {
        let free = self.journal.capacity().saturating_sub(JOURNAL_STATE) / 4 * 3;
        let flash = (free / JOURNAL_EVENT) as usize;
        Bounds {
            max_events: self.settings.max_events.min(flash),
            in_flight: self.settings.in_flight,
        }
    }

    /// Does the work that is due: presses first, then `event`. Call this for each radio event, when a contact changes, and at the instant that the
    /// last call returned; more calls do no harm. Returns the latest instant for the next call, on the counter of [`Time`](platform::Time).
    pub fn run_once(&mut self, event: Option<RadioEvent>) -> i64 {
        self.take_presses();
        if let Some(event) = event {
            self.on_radio(event);
        }
        self.step(Input::Wake);
        self.link.hand_over(&mut self.platform);
        let now = self.platform.now_us();
        if self.link.is_over(now) {
            self.end_link();
        }
        self.renew_code();
        self.next_wake()
    }

    /// Leaves the hub: creates new keys, an empty journal and a code for a new enrolment. Use this when a clock moves to a different event or its
    /// access has been revoked. Unacknowledged presses are lost, so show their number from [`AgentCore`] first and require a deliberate gesture, such
    /// as both buttons held at power-up.
    ///
    /// # Errors
    /// Returns [`FlashError`] if the new identity cannot be written; the clock is then unchanged.
    pub fn forget(&mut self) -> Result<(), FlashError> {
        let identity = StoredIdentity::draw(&mut self.platform);
        let keys = identity.keys().ok_or(FlashError)?;
        let bytes = prost::Message::encode_to_vec(&identity);
        self.identity_banks
            .replace(&mut self.platform, [bytes])
            .map_err(|_| FlashError)?;
        (self.identity, self.keys) = (identity, keys);
        // Even if the old journal remains or reappears after a power cut, nothing is recovered from it, because it belongs to the old keys.
        if self.journal.replace(&mut self.platform, []).is_err() {
            tracing::error!("cannot erase the journal of the former keys");
        }
        self.stage = new_code(&mut self.platform);
        self.note = None;
        self.reports.clear();
        self.changed = true;
        self.end_link();
        Ok(())
    }

    /// Returns the clock's identity, which is its public signing key.
    pub fn agent(&self) -> AgentId {
        self.keys.agent()
    }

    /// Returns the maker's platform, which the clock owns.
    pub fn platform(&mut self) -> &mut P {
        &mut self.platform
    }

    /// Returns the agent; `None` while the clock is not enrolled.
    pub fn core(&self) -> Option<&AgentCore> {
        match &self.stage {
            Stage::New { .. } => None,
            Stage::Enrolled(core) => Some(core),
        }
    }

    /// Returns true if the display's content may have changed since the last call, apart from a running clock's time.
    pub fn take_changed(&mut self) -> bool {
        core::mem::take(&mut self.changed)
    }

    /// Returns the content that the display must show. [`Firmware::view`] evaluates an enrolled clock's [`FaceState`] at the current instant.
    pub fn screen(&self) -> Screen<'_> {
        match &self.stage {
            Stage::New { code, .. } => Screen::Code(code, self.note.as_deref()),
            Stage::Enrolled(core) => Screen::Face(Box::new(core.face())),
        }
    }

    /// Returns the face at the current instant; `None` if the clock is not enrolled or serves no board.
    pub fn view(&self) -> Option<FaceView> {
        self.core()?.face().at(self.board_now())
    }

    /// Returns the current instant on the board's timeline, for [`FaceState::at`].
    pub fn now(&self) -> Instant<Board> {
        self.board_now()
    }

    /// Informs the clock of the battery charge in percent and the temperature in thousandths of a degree Celsius; `None` if unknown.
    pub fn on_machine(&mut self, battery_percent: Option<u8>, temperature_mc: Option<i32>) {
        let renew = self.battery != battery_percent;
        self.battery = battery_percent;
        self.step(Input::Machine {
            battery_percent,
            temperature_mc,
        });
        if renew && matches!(self.link, RadioLink::Advertising) {
            self.advertise();
        }
    }

    fn board_now(&self) -> Instant<Board> {
        self.board_at(self.platform.now_us())
    }

    fn board_at(&self, raw_us: i64) -> Instant<Board> {
        Instant::from_micros(raw_us.saturating_add(self.base_us))
    }

    /// Handles every edge up to the current instant, in order. Then tells the agent that no press from before that instant is still to come.
    fn take_presses(&mut self) {
        let read = self.platform.now_us();
        while let Some(edge) = self.platform.next_edge() {
            let at = self.board_at(edge.at_us);
            for event in self.buttons.on_edge(edge.button, edge.edge, at) {
                self.step(Input::Button(event));
            }
        }
        let quiet = self.board_at(read);
        for event in self.buttons.on_time(quiet) {
            self.step(Input::Button(event));
        }
        if let Stage::Enrolled(core) = &mut self.stage {
            core.set_quiet_before(quiet);
        }
    }

    fn advertise(&mut self) {
        let enrolment = self.identity.enrolment.as_ref();
        let agent = self.keys.agent();
        let shown = Advertisement::new(&agent, enrolment.is_some(), self.battery);
        let name = match enrolment {
            Some(enrolment) if enrolment.board.is_empty() => enrolment.name.clone(),
            Some(enrolment) => alloc::format!("board {}", enrolment.board),
            None => self.settings.name.clone(),
        };
        self.platform.advertise(&shown, &name);
    }

    /// Starts a link to the hub that has just subscribed to the radio's notifications. The clock sends the first message.
    fn on_subscribed(&mut self, mtu: u16) {
        if let RadioLink::Hidden { .. } = self.link {
            return self.platform.disconnect();
        }
        let mut random = [0; 32];
        self.platform.fill(&mut random);
        let own = LocalKeys {
            secret: &self.keys.exchange,
            random,
        };
        let (channel, enrols) = match (&self.stage, self.identity.hub()) {
            (Stage::Enrolled(_), Some(hub)) => {
                (Channel::session(own, &self.keys.agent(), &hub), false)
            }
            (Stage::New { code, .. }, _) => (Channel::enrolment(own, code), true),
            (Stage::Enrolled(_), None) => return self.platform.disconnect(),
        };
        match channel {
            Ok(channel) => {
                let now = self.platform.now_us();
                self.link = RadioLink::linked(channel, mtu, enrols, now);
            }
            Err(error) => {
                tracing::error!(%error, "cannot start a handshake");
                self.platform.disconnect();
            }
        }
    }

    fn renew_code(&mut self) {
        let now = self.platform.now_us();
        let linked = matches!(self.link, RadioLink::Linked(_));
        if let Stage::New {
            until,
            failed_connections,
            ..
        } = self.stage
            && (until <= now || failed_connections >= MAX_FAILED_CONNECTIONS)
            && !linked
        {
            self.stage = new_code(&mut self.platform);
            self.changed = true;
        }
    }

    fn next_wake(&self) -> i64 {
        let now = self.platform.now_us();
        let core = match &self.stage {
            Stage::New { until, .. } => Some(*until),
            Stage::Enrolled(core) => core.next_wake().map(|at| self.raw(at)),
        };
        let buttons = self.buttons.next_deadline().map(|at| self.raw(at));
        let wakes = [core, buttons, self.link.wake(), Some(now + DAY)];
        // Overdue work that could not be finished is retried after 1 ms, so that the main loop does not spin.
        let sooner = |wake: i64| wake.max(now + 1_000);
        wakes.into_iter().flatten().map(sooner).min().unwrap_or(now)
    }

    fn raw(&self, at: Instant<Board>) -> i64 {
        at.as_micros().saturating_sub(self.base_us)
    }
}

/// Maximum time between two runs of an idle clock's main loop, in microseconds.
const DAY: i64 = 86_400_000_000;

fn new_code(platform: &mut impl Platform) -> Stage {
    let mut random = [0; 8];
    platform.fill(&mut random);
    Stage::New {
        code: PairingCode::from_random(random),
        until: platform.now_us() + CODE_LIFETIME,
        failed_connections: 0,
        asked: None,
    }
}
