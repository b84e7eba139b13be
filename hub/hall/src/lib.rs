//! The hall: every board, every agent and every arbiter's command as one state machine without clocks, sockets or
//! disks.
//!
//! [`Hall::on_input`] takes an input and returns records to log and effects to carry out once the records are durable.
//! The durable state is a fold of the records (`fold`). The state of this run (links, silence, offsets) is kept beside
//! it and ends with the run. The same inputs at the same instants give the same output, byte for byte.
//!
//! Must never read a clock, wait, do I/O, draw a random number, or iterate in an undefined order.

mod agent;
mod anomaly;
mod answers;
mod ask;
mod board;
mod changes;
mod command;
mod command_record;
mod corrections;
mod default_time;
mod describe;
mod effect;
mod entry;
mod evidence;
mod floor;
mod fold;
pub mod from_proto;
mod greeting;
mod input;
mod note;
mod note_kind;
mod offence;
mod options;
mod pair;
mod pending;
mod picture;
mod placing;
mod play;
mod probes;
mod react;
pub mod refusal;
mod roster;
mod round;
mod session;
mod snapshot;
mod start;
mod sum_check;
mod suspicion;
pub mod to_proto;
mod told;
pub mod tournament;
mod trace;
mod traffic;
pub mod view;
mod wakes;
mod wall_time;
mod zero_test;

use std::collections::{BTreeMap, BTreeSet};

use proto::ids::{AgentId, CommandId};
use proto::log::{Changed, Record};
use sha2::{Digest, Sha256};
use timing::{Board as BoardTime, Duration, Hub, Instant, RulesVersion};

use crate::view::{EventView, PressLine};
use entry::{Entry, Logged};
use fold::Fold;
use session::Session;
use wakes::{Due, Wakes};

pub use anomaly::Thresholds;
pub use ask::{Ask, AskAgents, AskOutcome, AskPresses, HallRequest, Reply, ReplyId};
pub use command_record::{CommandKind, CommandRecord, PendingCommand};
pub use corrections::{Arbiter, Arbiters, Correction};
pub use describe::{describe, describe_changes, exact_time};
pub use effect::*;
pub use evidence::{PromiseCheck, SignedPromise};
pub use floor::{FARTHEST, FloorAnswer, FloorPlan, FloorRequest, MOST_PLACES, Spot};
pub use fold::tournament::tried;
pub use fold::{FoldError, Misfit};
pub use input::*;
pub use note_kind::NoteKind;
pub use offence::{Offence, OffenceKind};
pub(crate) use options::Labels;
pub use options::{EventOptions, Sound};
pub use refusal::Refusal;
pub use round::{
    BoardReason, BoardWork, PresetWith, RoundAnswer, RoundRequest, RoundWork, WorkState,
};
pub use snapshot::SnapshotError;
pub use tournament::{
    EventNo, Purpose, TakenImport, TournamentAnswer, TournamentNow, TournamentRequest,
};
pub use trace::{GameCursor, GamePlace};
pub use wall_time::WallTime;
pub use zero_test::{
    Certificate, LIMIT_ANSWER, LIMIT_ERROR, LIMIT_INTERVAL, LIMIT_RATE_PPB, TestPress,
};

/// The state machine of the hall; see the crate documentation.
#[derive(Debug, Default)]
pub struct Hall {
    fold: Fold,
    live: Live,
}

#[derive(Debug)]
struct Live {
    started: Instant<Hub>,
    /// The wall clock at `started`, in microseconds since 1970.
    wall_us: i64,
    /// Error bound of the hub's timeline against the previous run.
    bound: Duration,
    event: EventView,
    options: EventOptions,
    arbiters: Arbiters,
    scheduled: Option<Instant<Hub>>,
    /// Clocks whose links may have changed in this step.
    relinked: BTreeSet<AgentId>,
    /// Clocks that are online according to the log.
    logged_online: BTreeSet<AgentId>,
    sessions: BTreeMap<AgentId, Session>,
    links: BTreeMap<LinkId, AgentId>,
    wakes: Wakes,
    nonces: Nonces,
    /// Callers that wait for a command's answer.
    waiting: BTreeMap<CommandId, Vec<ReplyId>>,
    /// Requests that were carried out without a record; a repetition must not have a second effect.
    unlogged: BTreeSet<CommandId>,
    /// Boards to publish at the end of the step.
    touched: BTreeSet<BoardId>,
    /// The next instant at which a board's view changes without an input.
    flags: BTreeMap<BoardId, Instant<Hub>>,
    /// Instant of the check for a board's absent player.
    absences: BTreeMap<BoardId, Instant<Hub>>,
    /// Instant of the last note of each kind about each agent.
    noted: BTreeMap<(NoteKind, Option<AgentId>), Instant<Hub>>,
    /// Boards whose clock device changed while a clock ran: the elapsed time is still to be charged.
    handovers: BTreeMap<BoardId, Handover>,
    zero_tests: zero_test::ZeroTests,
    sums: BTreeMap<BoardId, sum_check::Sum>,
    /// The signature check for promises.
    check: evidence::PromiseCheck,
    watch: anomaly::Watch,
    /// The board at which a result is being entered; its clock needs no follow-up.
    deciding: Option<BoardId>,
}

/// A running clock that moves from the hub to an agent.
#[derive(Clone, Copy, Debug)]
struct Handover {
    agent: AgentId,
    /// The instant up to which the hub charged the time.
    charged: Instant<Hub>,
    /// The instant at which the agent took over.
    taken: Instant<BoardTime>,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            started: Instant::MAX,
            wall_us: 0,
            bound: Duration::ZERO,
            event: EventView::default(),
            options: EventOptions::default(),
            arbiters: Arbiters::default(),
            scheduled: None,
            relinked: BTreeSet::new(),
            logged_online: BTreeSet::new(),
            sessions: BTreeMap::new(),
            links: BTreeMap::new(),
            wakes: Wakes::default(),
            nonces: Nonces::default(),
            waiting: BTreeMap::new(),
            unlogged: BTreeSet::new(),
            touched: BTreeSet::new(),
            flags: BTreeMap::new(),
            absences: BTreeMap::new(),
            noted: BTreeMap::new(),
            handovers: BTreeMap::new(),
            zero_tests: zero_test::ZeroTests::default(),
            sums: BTreeMap::new(),
            check: evidence::ed25519,
            watch: anomaly::Watch::default(),
            deciding: None,
        }
    }
}

/// Seeded nonce generator (SplitMix64).
#[derive(Debug, Default)]
struct Nonces {
    state: u64,
}

impl Nonces {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Hall {
    /// Returns a hall with an empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies a record of the log.
    ///
    /// # Errors
    /// See [`FoldError`]; after an error the hall must be discarded.
    pub fn apply(&mut self, record: Record) -> Result<(), FoldError> {
        self.apply_traced(record).map(drop)
    }

    /// Applies a record of the log and returns what it changed on its board.
    ///
    /// # Errors
    /// See [`FoldError`]; after an error the hall must be discarded.
    pub fn apply_traced(&mut self, record: Record) -> Result<Changed, FoldError> {
        let index = self.fold.records;
        let logged = from_proto::logged(record).map_err(|error| FoldError::Unreadable {
            index,
            what: error.to_string(),
        })?;
        self.fold.replay(&logged)
    }

    /// Processes an input at `now`, which must never decrease.
    pub fn on_input(&mut self, now: Instant<Hub>, input: Input) -> Step {
        let mut step = Step::default();
        match input {
            Input::StartUp(start) => self.on_start_up(now, *start, &mut step),
            Input::AgentConnected {
                agent,
                link,
                opened,
                hello,
            } => self.on_connected(now, agent, link, opened, &hello, &mut step),
            Input::AgentFrame {
                link,
                received,
                frame,
            } => self.on_frame(now, link, received, frame, &mut step),
            Input::AgentGone { link, .. } => self.on_gone(link),
            Input::Asked { request, reply } => self.on_asked(now, request, reply, &mut step),
            Input::Signed(request) => self.on_signed(now, request, &mut step),
            Input::Wake => (),
        }
        self.on_due(now, &mut step);
        self.log_links(now, &mut step);
        self.publish(now, &mut step);
        step
    }

    /// Returns the instant at which [`Input::Wake`] is due, unless another input comes first.
    pub fn next_wake(&self) -> Option<Instant<Hub>> {
        self.live.wakes.next()
    }

    fn on_due(&mut self, now: Instant<Hub>, step: &mut Step) {
        while let Some(due) = self.live.wakes.take(now) {
            match due {
                Due::Probe(agent) => self.on_probe_due(now, agent, step),
                Due::Silence(agent) => self.on_silence_due(now, agent),
                Due::Flag(board) => {
                    self.live.flags.remove(&board);
                    self.log_expected_flag(now, &board, step);
                    self.touch(&board);
                }
                Due::Answer(command) => self.answer_waiting(&command, now, step),
                Due::Schedule => self.on_scheduled(now, step),
                Due::DefaultTime(board) => self.on_default_time(now, &board, step),
                Due::Look => self.on_look(now, step),
                Due::ZeroTest(agent, nonce) => self.on_zero_test_due(now, agent, nonce, step),
            }
        }
    }

    /// Accepts an entry: applies it and adds its record to the step.
    fn log(
        &mut self,
        now: Instant<Hub>,
        board: Option<BoardId>,
        entry: Entry,
        step: &mut Step,
    ) -> Result<(), FoldError> {
        let mut logged = Logged {
            rules: RulesVersion::LATEST,
            hub: now,
            board,
            entry,
            after: None,
        };
        let mut applied = self.fold.apply(&logged)?;
        logged.after = applied
            .clock
            .as_ref()
            .and_then(|board| self.fold.after(board));
        let changed = std::mem::take(&mut applied.changed);
        let mut record = to_proto::record(&logged);
        record.changed = logged.board.is_some().then_some(changed);
        step.records.push(record);
        self.react(now, &logged, applied, step);
        Ok(())
    }

    /// Writes a note, unless the same note about the same agent was written within the last minute.
    fn note(&mut self, now: Instant<Hub>, step: &mut Step, notice: Notice) {
        const REPEAT: Duration = Duration::from_secs(60);
        if notice.board.is_none() {
            let key = (notice.kind, notice.agent);
            let repeated = self
                .live
                .noted
                .get(&key)
                .is_some_and(|last| now - *last < REPEAT);
            if repeated {
                return;
            }
            self.live.noted.insert(key, now);
        }
        let entry = Entry::Note {
            kind: notice.kind.as_str().to_owned(),
            text: notice.text.clone(),
            agent: notice.agent,
        };
        // A note changes nothing, so it always fits.
        let _ = self.log(now, notice.board.clone(), entry, step);
        step.effects.push(HubEffect::Notice(notice));
    }

    /// Makes an agent take over its board in the hub's current state.
    fn readopt(&mut self, now: Instant<Hub>, agent: AgentId, reason: &str, step: &mut Step) {
        if let Some(board) = self.board_of(agent) {
            let again = match self.fold.side_of(agent) {
                Some((_, side)) => CommandKind::AssignSide(side, Some(agent)),
                None => CommandKind::Assign(Some(agent)),
            };
            // The agent serves the board, so it can be assigned again.
            let _ = self.hub_command(now, &board, reason, again, step);
        }
    }

    fn board_of(&self, agent: AgentId) -> Option<BoardId> {
        self.fold.agents.get(&agent)?.board.clone()
    }

    /// Marks a board for publication at the end of the step.
    fn touch(&mut self, board: &BoardId) {
        if !self.live.touched.contains(board) {
            self.live.touched.insert(board.clone());
        }
    }

    /// Returns the origin that names the log; `None` while the log is empty.
    pub fn log_origin(&self) -> Option<&str> {
        self.fold.origin.as_deref()
    }

    /// Returns the event's name from the log.
    pub fn event_name(&self) -> &str {
        &self.fold.event_name
    }

    /// Returns the number of applied records.
    pub fn records(&self) -> u64 {
        self.fold.records
    }

    /// Returns the number of boards.
    pub fn board_count(&self) -> usize {
        self.fold.boards.len()
    }

    /// Returns the hub instant of the newest record.
    pub fn newest(&self) -> Option<Instant<Hub>> {
        self.fold.hub
    }

    /// Returns the outcome of a command.
    pub fn outcome(&self, id: &CommandId, now: Instant<Hub>) -> Option<Answer> {
        self.fold.answers.get(id)?;
        Some(self.answer(id, now))
    }

    /// The completed moves of the game on a board, oldest first.
    pub fn presses(&self, board: &str) -> Vec<PressLine> {
        self.fold
            .boards
            .get(board)
            .map(|board| board.history.presses())
            .unwrap_or_default()
    }

    /// Returns the snapshot bytes of a board's clock, for comparison.
    pub fn clock_bytes(&self, board: &str) -> Option<Vec<u8>> {
        let board = self.fold.boards.get(board)?;
        Some(board.clock().snapshot().to_bytes())
    }

    /// Returns every board's id.
    pub fn board_ids(&self) -> impl Iterator<Item = &BoardId> {
        self.fold.boards.keys()
    }

    /// Returns every agent.
    pub fn agents(&self) -> Vec<AgentInfo> {
        self.fold
            .agents
            .keys()
            .map(|id| self.agent_info(id))
            .collect()
    }

    fn agent_info(&self, id: &AgentId) -> AgentInfo {
        let known = self.fold.agents.get(id);
        let session = self.live.sessions.get(id);
        let health = session.and_then(|session| session.health);
        let width = |session: &Session| {
            let at = known.and_then(|known| known.at)?;
            let mapped = session.estimate.to_hub(at)?;
            Some((mapped.hi - mapped.lo).as_micros() / 2)
        };
        AgentInfo {
            agent: *id,
            name: known.map(|known| known.name.clone()).unwrap_or_default(),
            exchange_key: known
                .map(|known| known.exchange_key.clone())
                .unwrap_or_default(),
            board: known.and_then(|known| known.board.clone()),
            online: session.is_some_and(|session| session.online),
            revoked: known.is_some_and(|known| known.revoked),
            firmware: session
                .map(|session| session.firmware.clone())
                .unwrap_or_default(),
            battery_percent: health.and_then(|health| health.battery_percent),
            acked_seq: known.map(|known| known.seq).unwrap_or_default(),
            offset_uncertainty_us: session.and_then(width),
            rate_ppb: session.and_then(|session| session.estimate.rate_ppb()),
            round_trip_us: session
                .and_then(|session| session.round_trip)
                .map(Duration::as_micros),
            journal_ok: health.is_none_or(|health| health.journal_ok),
            unacknowledged: health.map_or(0, |health| health.unacknowledged),
            unsaved: health.map_or(0, |health| health.unsaved),
            temperature_mc: health.and_then(|health| health.temperature_mc),
            offset: session.and_then(|session| offset_of(session, known?.at?)),
            alerts: self.alerts_of(*id),
        }
    }
}

/// Returns the offset between an agent's time and the hub's at `at`.
fn offset_of(session: &Session, at: Instant<BoardTime>) -> Option<Offset> {
    let mapped = session.estimate.to_hub(at)?;
    let offset = |hub: Instant<Hub>| hub.as_micros().saturating_sub(at.as_micros());
    Some(Offset {
        lo_us: offset(mapped.lo),
        est_us: offset(mapped.est),
        hi_us: offset(mapped.hi),
    })
}

/// Returns the first sixteen bytes of a hash as an id.
fn first_half(hash: Sha256) -> CommandId {
    let hash: [u8; 32] = hash.finalize().into();
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    CommandId(id)
}
