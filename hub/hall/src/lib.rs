//! The hall: every board, every agent, and what an arbiter may do with them, as one state machine without clocks, sockets or disks.
//!
//! [`Hall::on_input`] takes what happened and gives back records to log and effects to carry out once the records are durable.
//! State that matters is a fold of the records (`fold`); what is known only of this run (links, silence, offsets) stands
//! beside it and dies with it. Given the same inputs at the same instants the hall does the same, to the byte.
//!
//! Must never read a clock, wait, do I/O, draw a random number, or iterate in an order that is not defined.

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
pub use offence::{Offence, OffenceKind};
pub(crate) use options::Labels;
pub use options::{EventOptions, Sound};
pub use refusal::Refusal;
pub use round::{BoardWork, PresetWith, RoundAnswer, RoundRequest, RoundWork, WorkState};
pub use snapshot::SnapshotError;
pub use tournament::{
    EventNo, Purpose, TakenImport, TournamentAnswer, TournamentNow, TournamentRequest,
};
pub use trace::{GameCursor, GamePlace};
pub use wall_time::WallTime;
pub use zero_test::{
    Certificate, LIMIT_ANSWER, LIMIT_ERROR, LIMIT_INTERVAL, LIMIT_RATE_PPB, TestPress,
};

/// The hall. See the module.
#[derive(Debug, Default)]
pub struct Hall {
    fold: Fold,
    live: Live,
}

/// What is known of this run only.
#[derive(Debug)]
struct Live {
    /// When this run began.
    started: Instant<Hub>,
    /// The wall clock then, microseconds since 1970.
    wall_us: i64,
    /// How far the hub's timeline may be off against the run before.
    bound: Duration,
    event: EventView,
    options: EventOptions,
    arbiters: Arbiters,
    scheduled: Option<Instant<Hub>>,
    /// Clocks whose links may have been lost or found in this step.
    relinked: BTreeSet<AgentId>,
    /// Clocks that the log says are heard.
    logged_online: BTreeSet<AgentId>,
    sessions: BTreeMap<AgentId, Session>,
    links: BTreeMap<LinkId, AgentId>,
    wakes: Wakes,
    nonces: Nonces,
    /// Who waits for which command.
    waiting: BTreeMap<CommandId, Vec<ReplyId>>,
    /// Requests without a place in the log that were carried out, so that a repetition has no second effect.
    unlogged: BTreeSet<CommandId>,
    /// Boards to be shown anew at the end of the step.
    touched: BTreeSet<BoardId>,
    /// When a board will look different by itself.
    flags: BTreeMap<BoardId, Instant<Hub>>,
    /// When a board will be looked at for a player who is not there.
    absences: BTreeMap<BoardId, Instant<Hub>>,
    /// When a note of this kind about this agent was last written.
    noted: BTreeMap<(&'static str, Option<AgentId>), Instant<Hub>>,
    /// Boards that changed clocks while one ran: what elapsed is still to be charged.
    handovers: BTreeMap<BoardId, Handover>,
    zero_tests: zero_test::ZeroTests,
    /// What the games of this run come to.
    sums: BTreeMap<BoardId, sum_check::Sum>,
    /// How signatures of promises are checked.
    check: evidence::PromiseCheck,
    watch: anomaly::Watch,
    /// A result is being entered at this board: its clock needs nobody to follow.
    deciding: Option<BoardId>,
}

/// A running clock on its way from the hub to an agent.
#[derive(Clone, Copy, Debug)]
struct Handover {
    agent: AgentId,
    /// Up to when the hub had charged it.
    charged: Instant<Hub>,
    /// When the agent took it on.
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

/// Numbers nobody can foresee who does not know the seed: SplitMix64.
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
    /// A hall whose log is empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies a record of the log.
    ///
    /// # Errors
    /// See [`FoldError`]; the hall is then of no use any more.
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

    /// Takes what happened at `now`, which never decreases.
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

    /// When [`Input::Wake`] is wanted, if nothing else happens before.
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

    /// Accepts an entry: applies it, and puts its record into the step.
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

    /// Writes a note, unless the same was noted of the same agent a moment ago.
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
            kind: notice.kind.to_owned(),
            text: notice.text.clone(),
            agent: notice.agent,
        };
        // A note changes nothing, so it always fits.
        let _ = self.log(now, notice.board.clone(), entry, step);
        step.effects.push(HubEffect::Notice(notice));
    }

    /// Has an agent take its board over from the hub, as the hub has it.
    fn readopt(&mut self, now: Instant<Hub>, agent: AgentId, reason: &str, step: &mut Step) {
        if let Some(board) = self.board_of(agent) {
            let again = match self.fold.side_of(agent) {
                Some((_, side)) => CommandKind::AssignSide(side, Some(agent)),
                None => CommandKind::Assign(Some(agent)),
            };
            // The agent serves the board, so assigning it again is possible.
            let _ = self.hub_command(now, &board, reason, again, step);
        }
    }

    /// The board an agent serves.
    fn board_of(&self, agent: AgentId) -> Option<BoardId> {
        self.fold.agents.get(&agent)?.board.clone()
    }

    /// Has a board shown anew at the end of the step.
    fn touch(&mut self, board: &BoardId) {
        if !self.live.touched.contains(board) {
            self.live.touched.insert(board.clone());
        }
    }

    /// The origin that names the log; `None` while it is empty.
    pub fn log_origin(&self) -> Option<&str> {
        self.fold.origin.as_deref()
    }

    /// The event's name as the log has it.
    pub fn event_name(&self) -> &str {
        &self.fold.event_name
    }

    /// How many records have been applied.
    pub fn records(&self) -> u64 {
        self.fold.records
    }

    /// How many boards there are.
    pub fn board_count(&self) -> usize {
        self.fold.boards.len()
    }

    /// Hub instant of the newest record.
    pub fn newest(&self) -> Option<Instant<Hub>> {
        self.fold.hub
    }

    /// What became of a command.
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

    /// The clocks of a board, exactly: snapshot bytes, for comparison.
    pub fn clock_bytes(&self, board: &str) -> Option<Vec<u8>> {
        let board = self.fold.boards.get(board)?;
        Some(board.clock().snapshot().to_bytes())
    }

    /// Every board's id.
    pub fn board_ids(&self) -> impl Iterator<Item = &BoardId> {
        self.fold.boards.keys()
    }

    /// Every agent.
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

/// The offset between an agent's time and the hub's at `at`.
fn offset_of(session: &Session, at: Instant<BoardTime>) -> Option<Offset> {
    let mapped = session.estimate.to_hub(at)?;
    let offset = |hub: Instant<Hub>| hub.as_micros().saturating_sub(at.as_micros());
    Some(Offset {
        lo_us: offset(mapped.lo),
        est_us: offset(mapped.est),
        hi_us: offset(mapped.hi),
    })
}

/// The first sixteen bytes of a hash, as an id.
fn first_half(hash: Sha256) -> CommandId {
    let hash: [u8; 32] = hash.finalize().into();
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    CommandId(id)
}
