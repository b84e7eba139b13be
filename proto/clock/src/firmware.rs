//! A Bluetooth LE clock, whole: what a maker's firmware calls, and what it has to bring ([`platform`]'s five small traits).
//!
//! Owns the order in which things are looked at (presses first: they happened before whatever else is waiting), the flash's two
//! halves, the enrolment, and one connection at a time. Decides nothing about time: that is the [`AgentCore`]'s, the same as in the
//! program for Linux. Never waits, and never calls the maker's code but through those traits.

mod air;
mod banks;
mod kept;
pub mod platform;
mod session;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;

use proto::ble::{Advertisement, Channel, Own, PairingCode};
use proto::ids::AgentId;
use timing::{Board, Instant};

use crate::agent::{AgentCore, Bounds, CoreConfig, Input, Recovered, recover, signer::Signer};
use crate::buttons::TwoButtons;
use crate::face_state::{FaceState, FaceView};
use crate::tracing;
use air::Air;
use banks::{BankError, Banks};
use kept::{Kept, Keys};
use platform::{FlashError, Platform};

pub use air::RadioEvent;

/// A code is replaced after so many connections that came to nothing: each gives a guesser something to work on.
const TRIES: u32 = 3;
/// A code is replaced after this long, microseconds.
const CODE_GOOD_FOR: i64 = 600_000_000;
/// Bytes of a journal beside its events: the board's snapshot, labels, who may correct.
const JOURNAL_STATE: u32 = 8 * 1024;
/// Bytes of flash that a press takes, rounded up.
const JOURNAL_EVENT: u32 = 192;

/// What a maker decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name and version of the firmware, for the hub's health page.
    pub firmware: String,
    /// What an unenrolled clock calls itself in the air: printed on its case, perhaps.
    pub name: String,
    /// Events to keep in memory for the hub, at most: some 350 bytes each. The flash may hold fewer, which then counts.
    pub kept: usize,
    /// Events on the way to the hub at the same time: some 200 bytes each.
    pub in_flight: u64,
}

/// What the clock shows.
#[derive(Debug)]
pub enum Shown<'a> {
    /// Not enrolled: these digits, for an arbiter to type at the hub; and why the last attempt came to nothing.
    Code(&'a PairingCode, Option<&'a str>),
    /// Enrolled.
    Face(Box<FaceState>),
}

/// A clock.
pub struct Firmware<P> {
    platform: P,
    settings: Settings,
    keys: Keys,
    kept: Kept,
    /// Where `kept` lies, and the journal.
    home: Banks,
    journal: Banks,
    life: Life,
    air: Air,
    buttons: TwoButtons,
    battery: Option<u8>,
    /// Board time less the crystal's count, microseconds.
    base_us: i64,
    /// What is shown has changed by more than the passing of time.
    changed: bool,
    /// Why the last enrolment came to nothing.
    note: Option<String>,
    /// What became of batches, for the agent to be told between its steps.
    reports: VecDeque<Input>,
    /// The whole journal was written since the agent's last step: the step's other batches are in it.
    rewritten: bool,
}

/// What a clock is.
enum Life {
    New {
        code: PairingCode,
        /// When the code is replaced, whatever happens.
        until: i64,
        tries: u32,
        /// The X25519 key of the hub that was asked on this link.
        asked: Option<[u8; 32]>,
    },
    Enrolled(Box<AgentCore>),
}

impl<P> core::fmt::Debug for Firmware<P> {
    /// Leaves the secrets out.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Firmware({:?}, {:?})", self.keys.agent(), self.air)
    }
}

impl<P: Platform> Firmware<P> {
    /// The clock as its flash has it; in an empty flash, a new one with keys of its own. To be called once after power-up.
    ///
    /// # Errors
    /// [`FlashError`]: there is nothing that a clock could be made of.
    pub fn start(mut platform: P, settings: Settings) -> Result<Self, FlashError> {
        let sector = platform.sector();
        // Two sectors for what the clock is, and two halves of the rest for its journal.
        let half = (platform.size() / sector).saturating_sub(2) / 2 * sector;
        let mut home = Banks::open(&mut platform, 0, sector)?;
        let journal = Banks::open(&mut platform, 2 * sector, half)?;
        let found = home.records(&mut platform).next();
        let found: Option<Kept> =
            found.and_then(|bytes| prost::Message::decode(bytes.as_slice()).ok());
        let known = found.and_then(|kept| kept.keys().map(|keys| (kept, keys)));
        let (kept, keys) = match known {
            Some(known) => known,
            None => {
                let kept = Kept::draw(&mut platform);
                let bytes = prost::Message::encode_to_vec(&kept);
                home.replace(&mut platform, [bytes])
                    .map_err(|_| FlashError)?;
                let keys = kept.keys().ok_or(FlashError)?;
                (kept, keys)
            }
        };
        let mut clock = Self {
            life: new_code(&mut platform),
            platform,
            settings,
            keys,
            kept,
            home,
            journal,
            air: Air::Shown,
            buttons: TwoButtons::default(),
            battery: None,
            base_us: 0,
            changed: true,
            note: None,
            reports: VecDeque::new(),
            rewritten: false,
        };
        if clock.kept.hub().is_some() {
            clock.begin_life();
        }
        clock.show_in_air();
        Ok(clock)
    }

    /// Takes up its journal: board time goes on from the latest instant that the journal knows of.
    fn begin_life(&mut self) {
        let origin = match &self.kept.home {
            Some(home) => home.log_origin.clone(),
            None => return,
        };
        let recovered = self.recovered(&origin);
        // Enrolled just now, it counts from when it was switched on.
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
            // 0 says that there is none.
            token: u64::from_be_bytes(token).max(1),
        };
        let core = AgentCore::new(config, recovered, self.board_now()).with_bounds(self.bounds());
        let whole = core.whole_journal();
        self.life = Life::Enrolled(Box::new(core));
        // Compact, and in the other bank: whatever a power cut left at the end of this one is behind it.
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
            tracing::error!(%error, "the journal makes sense only so far");
        }
        recovered
    }

    /// As many events as memory and flash have room for: a quarter of a bank stays free, so that not every event rewrites it.
    fn bounds(&self) -> Bounds {
        let free = self.journal.capacity().saturating_sub(JOURNAL_STATE) / 4 * 3;
        let flash = (free / JOURNAL_EVENT) as usize;
        Bounds {
            kept: self.settings.kept.min(flash),
            in_flight: self.settings.in_flight,
        }
    }

    /// Does what has come due: presses first, then `event`. To be called whenever the radio tells something, a contact has changed,
    /// or the instant has come that the last call gave; more often does no harm. Gives when to call again at the latest, on the
    /// counter of [`Time`](platform::Time).
    pub fn turn(&mut self, event: Option<RadioEvent>) -> i64 {
        self.take_presses();
        if let Some(event) = event {
            self.on_radio(event);
        }
        self.step(Input::Wake);
        self.air.hand_over(&mut self.platform);
        let now = self.platform.now_us();
        if self.air.is_over(now) {
            self.end_link();
        }
        self.renew_code();
        self.next_wake()
    }

    /// Leaves its hub: other keys, an empty journal, digits to be enrolled with again. For a clock that goes to another event, or was
    /// shut out for good. A maker asks for it by something that nobody does by accident, as both buttons held while the power comes,
    /// and shows before what [`AgentCore`] still has for the hub: presses that no hub has acknowledged are gone with the journal.
    ///
    /// # Errors
    /// [`FlashError`]; the clock is what it was.
    pub fn forget(&mut self) -> Result<(), FlashError> {
        let kept = Kept::draw(&mut self.platform);
        let keys = kept.keys().ok_or(FlashError)?;
        let bytes = prost::Message::encode_to_vec(&kept);
        self.home
            .replace(&mut self.platform, [bytes])
            .map_err(|_| FlashError)?;
        (self.kept, self.keys) = (kept, keys);
        // Where it stays, or comes back after a power cut, it is another clock's, and nothing is recovered from it.
        if self.journal.replace(&mut self.platform, []).is_err() {
            tracing::error!("the journal of the former keys stays where it is");
        }
        self.life = new_code(&mut self.platform);
        self.note = None;
        self.reports.clear();
        self.changed = true;
        self.end_link();
        Ok(())
    }

    /// Whose clock this is.
    pub fn agent(&self) -> AgentId {
        self.keys.agent()
    }

    /// The maker's own parts.
    pub fn platform(&mut self) -> &mut P {
        &mut self.platform
    }

    /// The agent, once the clock is enrolled.
    pub fn core(&self) -> Option<&AgentCore> {
        match &self.life {
            Life::New { .. } => None,
            Life::Enrolled(core) => Some(core),
        }
    }

    /// Whether what is shown has changed, by more than the passing of time, since this was last asked.
    pub fn take_changed(&mut self) -> bool {
        core::mem::take(&mut self.changed)
    }

    /// What is to be shown. A [`FaceState`] can be drawn as often as the display likes: [`Firmware::view`] says how.
    pub fn shown(&self) -> Shown<'_> {
        match &self.life {
            Life::New { code, .. } => Shown::Code(code, self.note.as_deref()),
            Life::Enrolled(core) => Shown::Face(Box::new(core.face())),
        }
    }

    /// Both clocks at this instant, by the engine; `None` while there is no board.
    pub fn view(&self) -> Option<FaceView> {
        self.core()?.face().at(self.board_now())
    }

    /// Now, on the board's timeline: what [`FaceState::at`] is asked with.
    pub fn now(&self) -> Instant<Board> {
        self.board_now()
    }

    /// The charge of the battery changed, or the temperature (thousandths of a degree Celsius).
    pub fn on_machine(&mut self, battery_percent: Option<u8>, temperature_mc: Option<i32>) {
        let renew = self.battery != battery_percent;
        self.battery = battery_percent;
        self.step(Input::Machine {
            battery_percent,
            temperature_mc,
        });
        if renew && matches!(self.air, Air::Shown) {
            self.show_in_air();
        }
    }

    fn board_now(&self) -> Instant<Board> {
        self.board_at(self.platform.now_us())
    }

    fn board_at(&self, raw_us: i64) -> Instant<Board> {
        Instant::from_micros(raw_us.saturating_add(self.base_us))
    }

    /// Every edge that came before now, in order; what comes later may be stamped no earlier.
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
        if let Life::Enrolled(core) = &mut self.life {
            core.set_quiet_before(quiet);
        }
    }

    fn show_in_air(&mut self) {
        let home = self.kept.home.as_ref();
        let agent = self.keys.agent();
        let shown = Advertisement::new(&agent, home.is_some(), self.battery);
        let name = match home {
            Some(home) if home.board.is_empty() => home.name.clone(),
            Some(home) => alloc::format!("board {}", home.board),
            None => self.settings.name.clone(),
        };
        self.platform.advertise(&shown, &name);
    }

    /// A hub has connected: this end speaks first.
    fn on_subscribed(&mut self, mtu: u16) {
        if let Air::Hidden { .. } = self.air {
            return self.platform.hang_up();
        }
        let mut random = [0; 32];
        self.platform.fill(&mut random);
        let own = Own {
            secret: &self.keys.exchange,
            random,
        };
        let (channel, enrols) = match (&self.life, self.kept.hub()) {
            (Life::Enrolled(_), Some(hub)) => {
                (Channel::session(own, &self.keys.agent(), &hub), false)
            }
            (Life::New { code, .. }, _) => (Channel::enrolment(own, code), true),
            (Life::Enrolled(_), None) => return self.platform.hang_up(),
        };
        match channel {
            Ok(channel) => {
                let now = self.platform.now_us();
                self.air = Air::linked(channel, mtu, enrols, now);
            }
            Err(error) => {
                tracing::error!(%error, "no handshake");
                self.platform.hang_up();
            }
        }
    }

    /// A code that has been up for long enough, or tried often enough, opens nothing any more.
    fn renew_code(&mut self) {
        let now = self.platform.now_us();
        let linked = matches!(self.air, Air::Linked(_));
        if let Life::New { until, tries, .. } = self.life
            && (until <= now || tries >= TRIES)
            && !linked
        {
            self.life = new_code(&mut self.platform);
            self.changed = true;
        }
    }

    fn next_wake(&self) -> i64 {
        let now = self.platform.now_us();
        let core = match &self.life {
            Life::New { until, .. } => Some(*until),
            Life::Enrolled(core) => core.next_wake().map(|at| self.raw(at)),
        };
        let buttons = self.buttons.next_deadline().map(|at| self.raw(at));
        let wakes = [core, buttons, self.air.wake(), Some(now + DAY)];
        // An instant that has just been looked at is looked at again soon, not at once.
        let sooner = |wake: i64| wake.max(now + 1_000);
        wakes.into_iter().flatten().map(sooner).min().unwrap_or(now)
    }

    fn raw(&self, at: Instant<Board>) -> i64 {
        at.as_micros().saturating_sub(self.base_us)
    }
}

/// A clock without anything to do is looked after once a day.
const DAY: i64 = 86_400_000_000;

fn new_code(platform: &mut impl Platform) -> Life {
    let mut random = [0; 8];
    platform.fill(&mut random);
    Life::New {
        code: PairingCode::from_random(random),
        until: platform.now_us() + CODE_GOOD_FOR,
        tries: 0,
        asked: None,
    }
}
