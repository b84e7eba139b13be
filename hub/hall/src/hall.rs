//! The state machine of the hall: the fold of the log, the state of this run, and the dispatch of inputs.
//!
//! Owns the order of an input's steps; the sibling modules decide what each input does.

use std::collections::{BTreeMap, BTreeSet};

use proto::checkpoint::LogEpoch;
use proto::ids::{AgentId, CommandId};
use proto::log::{Changed, Record};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use sha2::{Digest, Sha256};
use timing::{Board as BoardTime, Duration, Hub, Instant, RulesVersion};

use crate::agent_frame::LinkId;
use crate::anomaly::tally::Watch;
use crate::anomaly::{Repeats, Subject};
use crate::arbiter_view::{AgentInfo, Offset};
use crate::ask::{Answer, HallRequest, Reply, ReplyId};
use crate::board_id::BoardId;
use crate::command_record::CommandKind;
use crate::corrections::Arbiters;
use crate::effect::{HubEffect, OpenStep, Step};
use crate::entry::{Entry, Logged, LoggedNote};
use crate::evidence::{PromiseCheck, ed25519};
use crate::fold::{Fold, FoldError};
use crate::held::{HeldRefusal, Limited, SecondArbiterLimits};
use crate::input::Input;
use crate::note::Notice;
use crate::note_kind::NoteKind;
use crate::options::EventOptions;
use crate::public_board::{Published, Touch};
use crate::request::Request;
use crate::session::Session;
use crate::sum_check::Sum;
use crate::suspicion::UnverifiedTime;
use crate::view::{EventView, PressLine};
use crate::wakes::{WakeReason, Wakes};
use crate::zero_test::ZeroTests;
use crate::{from_proto, to_proto};

#[derive(Debug, Default)]
pub struct Hall {
    pub(crate) fold: Fold,
    pub(crate) live: Live,
}

#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) started: Instant<Hub>,
    /// The wall clock at `started`, in microseconds since 1970.
    pub(crate) wall_us: i64,
    /// Error bound of the hub's timeline relative to the previous run.
    pub(crate) bound: Duration,
    pub(crate) event: EventView,
    pub(crate) options: EventOptions,
    pub(crate) arbiters: Arbiters,
    pub(crate) scheduled: Option<Instant<Hub>>,
    /// Clocks whose links may have changed in this step.
    pub(crate) relinked: BTreeSet<AgentId>,
    pub(crate) logged_online: BTreeSet<AgentId>,
    pub(crate) sessions: BTreeMap<AgentId, Session>,
    pub(crate) links: BTreeMap<LinkId, AgentId>,
    pub(crate) wakes: Wakes,
    /// Source of the nonces of time probes and clock tests, and of the random choice of signatures to check.
    pub(crate) nonces: SplitMix64,
    pub(crate) waiting: BTreeMap<CommandId, Vec<ReplyId>>,
    /// Ids of requests that were carried out without a record. A repetition must not have a second effect.
    pub(crate) unlogged: BTreeSet<CommandId>,
    /// Boards to publish at the end of the step.
    pub(crate) touched: BTreeMap<BoardId, Touch>,
    pub(crate) published: BTreeMap<BoardId, Published>,
    /// Hub instant of each board's expected flag fall, at which the board's view changes without an input.
    pub(crate) flags: BTreeMap<BoardId, Instant<Hub>>,
    /// Instant of the next check for an absent player, by board.
    pub(crate) absences: BTreeMap<BoardId, Instant<Hub>>,
    pub(crate) noted: BTreeMap<(NoteKind, Option<AgentId>), Instant<Hub>>,
    /// Repetitions of counted notes that are not logged yet, by subject and kind.
    pub(crate) repeats: BTreeMap<(Subject, NoteKind), Repeats>,
    /// Boards that an agent took over while a clock ran; the time that elapsed meanwhile has not been charged yet.
    pub(crate) handovers: BTreeMap<BoardId, Handover>,
    pub(crate) zero_tests: ZeroTests,
    pub(crate) sums: BTreeMap<BoardId, Sum>,
    /// The time in each game that is known only from a clock's own reports, by board and clock.
    pub(crate) accounts: BTreeMap<BoardId, BTreeMap<AgentId, UnverifiedTime>>,
    pub(crate) check: PromiseCheck,
    pub(crate) watch: Watch,
    /// The board whose command is entering or removing a result in the event. Its clock needs no second command for
    /// that result.
    pub(crate) deciding: Option<BoardId>,
    pub(crate) second: SecondArbiterLimits,
}

/// A running clock that moves from the hub to an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handover {
    pub(crate) agent: AgentId,
    /// The instant up to which the hub charged the time.
    pub(crate) charged: Instant<Hub>,
    pub(crate) taken: Instant<BoardTime>,
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
            nonces: SplitMix64::seed_from_u64(0),
            waiting: BTreeMap::new(),
            unlogged: BTreeSet::new(),
            touched: BTreeMap::new(),
            published: BTreeMap::new(),
            flags: BTreeMap::new(),
            absences: BTreeMap::new(),
            noted: BTreeMap::new(),
            repeats: BTreeMap::new(),
            handovers: BTreeMap::new(),
            zero_tests: ZeroTests::default(),
            sums: BTreeMap::new(),
            accounts: BTreeMap::new(),
            check: ed25519,
            watch: Watch::default(),
            deciding: None,
            second: SecondArbiterLimits::default(),
        }
    }
}

impl Hall {
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies a record of the log.
    ///
    /// # Errors
    /// Returns a [`FoldError`] if the record cannot be read or applied, or states a different clock; the hall must then
    /// be discarded.
    pub fn apply(&mut self, record: Record) -> Result<(), FoldError> {
        self.apply_traced(record).map(drop)
    }

    /// Applies a record of the log, and returns the changes to the record's board.
    ///
    /// # Errors
    /// Returns a [`FoldError`] if the record cannot be read or applied, or states a different clock; the hall must then
    /// be discarded.
    pub fn apply_traced(&mut self, record: Record) -> Result<Changed, FoldError> {
        let index = self.fold.records;
        let logged =
            from_proto::records::logged(record).map_err(|error| FoldError::Unreadable {
                index,
                what: error.to_string(),
            })?;
        self.fold.replay(&logged)
    }

    /// Processes an input at the hub instant `now`, which must never decrease.
    pub fn on_input(&mut self, now: Instant<Hub>, input: Input) -> Step {
        let mut step = OpenStep::new(now);
        match input {
            Input::StartUp(start) => self.on_start_up(*start, &mut step),
            Input::AgentConnected {
                agent,
                link,
                opened,
                hello,
            } => self.on_connected(agent, link, opened, &hello, &mut step),
            Input::AgentFrame {
                link,
                received,
                frame,
            } => self.on_frame(link, received, frame, &mut step),
            Input::AgentGone { link, .. } => self.on_gone(link),
            Input::Asked { request, reply } => self.on_asked(request, reply, &mut step),
            Input::Signed(request) => self.on_signed(request, &mut step),
            Input::Noted(notice) => self.note(&mut step, *notice),
            Input::Wake => (),
        }
        self.on_due(&mut step);
        self.log_links(&mut step);
        self.publish(&mut step);
        step.step
    }

    /// Returns the instant at which [`Input::Wake`] must be the next input if no other input comes first.
    pub fn next_wake(&self) -> Option<Instant<Hub>> {
        self.live.wakes.next()
    }

    fn on_due(&mut self, step: &mut OpenStep) {
        let now = step.now;
        while let Some(due) = self.live.wakes.take(now) {
            match due {
                WakeReason::Probe(agent) => self.on_probe_due(agent, step),
                WakeReason::Silence(agent) => self.on_silence_due(now, agent),
                WakeReason::Flag(board) => {
                    self.live.flags.remove(&board);
                    self.settle_hub_clock(&board, step);
                    self.log_expected_flag(&board, step);
                    self.touch_moved(&board);
                }
                WakeReason::Answer(command) => self.answer_waiting(&command, step),
                WakeReason::Schedule => self.on_scheduled(step),
                WakeReason::DefaultTime(board) => self.on_default_time(&board, step),
                WakeReason::Check => self.on_check(step),
                WakeReason::ZeroTest(agent, nonce) => self.on_zero_test_due(agent, nonce, step),
            }
        }
    }

    /// Accepts an entry: applies it, adds its record to the step, and carries out its consequences.
    pub(crate) fn log(
        &mut self,
        board: Option<BoardId>,
        entry: Entry,
        step: &mut OpenStep,
    ) -> Result<(), FoldError> {
        let mut logged = Logged {
            rules: RulesVersion::LATEST,
            hub: step.now,
            board,
            entry,
            after: None,
        };
        let mut applied = self.fold.apply(&logged)?;
        let clock = applied.clock.as_ref();
        logged.after = clock.and_then(|board| self.fold.after(board));
        let changed = std::mem::take(&mut applied.changed);
        let mut record = to_proto::records::record(&logged);
        record.changed = logged.board.is_some().then_some(changed);
        step.step.records.push(record);
        self.react(&logged, applied, step);
        Ok(())
    }

    /// Logs a note. A note of a counted kind is counted, and not every repetition is logged. Any other note without a
    /// board is skipped if the same kind was noted for the same agent within the last minute.
    pub(crate) fn note(&mut self, step: &mut OpenStep, notice: Notice) {
        let now = step.now;
        const REPEAT: Duration = Duration::from_secs(60);
        if notice.kind.is_counted() {
            return self.count_note(notice, step);
        }
        if notice.board.is_none() {
            let key = (notice.kind, notice.agent);
            let last = self.live.noted.get(&key);
            if last.is_some_and(|last| now - *last < REPEAT) {
                return;
            }
            self.live.noted.insert(key, now);
        }
        let entry = Entry::Note(Box::new(LoggedNote {
            kind: notice.kind.as_str().to_owned(),
            text: notice.text.clone(),
            agent: notice.agent,
            count: 0,
            figures: notice.figures.clone(),
        }));
        // The fold accepts every note about an existing board.
        let _ = self.log(notice.board.clone(), entry, step);
        step.effect(HubEffect::Notice(notice));
    }

    /// Makes an agent take over its board again, with the hub's current state.
    pub(crate) fn readopt(&mut self, agent: AgentId, reason: &str, step: &mut OpenStep) {
        if let Some(board) = self.board_of(agent) {
            let again = match self.fold.side_of(agent) {
                Some((_, side)) => CommandKind::AssignSide(side, Some(agent)),
                None => CommandKind::Assign(Some(agent)),
            };
            // The agent serves the board, so it can be assigned again.
            let _ = self.hub_command(&board, reason, again, step);
        }
    }

    pub(crate) fn link_of(&self, agent: AgentId) -> Option<LinkId> {
        let open = self.live.sessions.get(&agent)?.link?;
        Some(open.link)
    }

    pub(crate) fn board_of(&self, agent: AgentId) -> Option<BoardId> {
        self.fold.agents.get(&agent)?.board.clone()
    }

    /// Marks a board for publication because its data changed, possibly only data that spectators do not see.
    pub(crate) fn touch(&mut self, board: &BoardId) {
        if !self.live.touched.contains_key(board) {
            self.live.touched.insert(board.clone(), Touch::Changed);
        }
    }

    pub(crate) fn touch_board_of(&mut self, agent: AgentId) {
        if let Some(board) = self.board_of(agent) {
            self.touch(&board);
        }
    }

    /// Marks a board for publication although its data may be unchanged: its clock's offset has changed, or time alone
    /// changed the view.
    pub(crate) fn touch_moved(&mut self, board: &BoardId) {
        self.live.touched.insert(board.clone(), Touch::Moved);
    }

    /// Returns the origin that names the log; `None` while the log is empty.
    pub fn log_origin(&self) -> Option<&str> {
        self.fold.origin.as_deref()
    }

    /// Returns the fingerprint of the hub's authority, as last recorded; `None` if no record states it.
    pub fn authority(&self) -> Option<[u8; 16]> {
        self.fold.authority
    }

    /// Returns the epoch of the log; `None` in its first epoch.
    pub fn log_epoch(&self) -> Option<LogEpoch> {
        self.fold.log_epoch
    }

    pub fn event_name(&self) -> &str {
        &self.fold.event_name
    }

    pub fn records(&self) -> u64 {
        self.fold.records
    }

    pub fn board_count(&self) -> usize {
        self.fold.boards.len()
    }

    /// Returns true if both halls have the same durable state, as a hall and the replay of its log must.
    pub fn same_state(&self, other: &Self) -> bool {
        self.fold == other.fold
    }

    /// Returns the latest hub instant of the records; `None` while the log is empty.
    pub fn newest(&self) -> Option<Instant<Hub>> {
        self.fold.hub
    }

    /// Returns the outcome of a command; `None` if the id is unknown or forgotten.
    pub fn outcome(&self, id: &CommandId, now: Instant<Hub>) -> Option<Answer> {
        if let Some(held) = self.fold.held.get(id) {
            let board = held.command.board.clone();
            return Some(self.refused(now, *id, board, HeldRefusal::SecondNeeded.into()));
        }
        self.fold.answers.get(id)?;
        Some(self.answer(id, now))
    }

    /// Returns the completed moves of the game on a board, oldest first.
    pub fn presses(&self, board: &str) -> Vec<PressLine> {
        let board = self.fold.boards.get(board);
        board
            .map(|board| board.history.presses())
            .unwrap_or_default()
    }

    pub fn clock_bytes(&self, board: &str) -> Option<Vec<u8>> {
        let board = self.fold.boards.get(board)?;
        Some(board.clock().snapshot().to_bytes())
    }

    pub fn board_ids(&self) -> impl Iterator<Item = &BoardId> {
        self.fold.boards.keys()
    }

    pub fn agents(&self) -> Vec<AgentInfo> {
        let ids = self.fold.agents.keys();
        ids.map(|id| self.agent_info(id)).collect()
    }

    pub(crate) fn agent_info(&self, id: &AgentId) -> AgentInfo {
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
                .map(|session| session.firmware.to_string())
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

impl Hall {
    pub(crate) fn on_asked(&mut self, request: HallRequest, reply: ReplyId, step: &mut OpenStep) {
        let now = step.now;
        let answer = match request {
            HallRequest::Command(request) => {
                return self.on_command(*request, false, reply, step);
            }
            HallRequest::LimitedCommand(limited) => {
                let Limited(request) = *limited;
                return self.on_command(request, true, reply, step);
            }
            HallRequest::Tournament(request) => self
                .on_tournament_request(*request, false, step)
                .map(Reply::Tournament),
            HallRequest::LimitedTournament(limited) => {
                let Limited(request) = *limited;
                self.on_tournament_request(request, true, step)
                    .map(Reply::Tournament)
            }
            HallRequest::HoldRevocation(request) => self
                .on_hold_revocation(*request, step)
                .map(Reply::HoldRevocation),
            HallRequest::DecideHeld(decision) => {
                self.on_decide_held(&decision, step).map(Reply::DecideHeld)
            }
            HallRequest::LogCall(call) => self.on_log_call(*call, step).map(Reply::LogCall),
            HallRequest::Round(request) => self.on_round_request(&request, step).map(Reply::Round),
            HallRequest::Floor(request) => self.on_floor_request(*request, step).map(Reply::Floor),
            HallRequest::NotesSeen(seen) => self.on_notes_seen(*seen, step).map(Reply::NotesSeen),
            HallRequest::Player(request) => {
                self.on_player_request(*request, step).map(Reply::Player)
            }
            HallRequest::Enrol(enrolment) => self.enrol(*enrolment, step).map(Reply::Enrol),
            HallRequest::Recover(recovery) => self.on_recover(*recovery, step).map(Reply::Recover),
            HallRequest::Outcome(asked) => Ok(Reply::Outcome(self.outcome(&asked.0, now))),
            HallRequest::Agents(_) => Ok(Reply::Agents(self.agents())),
            HallRequest::Proceedings(asked) => {
                let found = self.proceedings(&asked.0, now);
                Ok(Reply::Proceedings(found.map(Box::new)))
            }
            HallRequest::Presses(asked) => Ok(Reply::Presses(self.presses(&asked.0))),
        };
        step.reply(reply, answer);
    }

    fn on_command(&mut self, request: Request, limited: bool, reply: ReplyId, step: &mut OpenStep) {
        let answer = self.on_request(request, limited, reply, step);
        // `None` means that the answer must wait for a clock.
        if let Some(answer) = answer.transpose() {
            step.reply_to_command(reply, answer);
        }
    }
}

fn offset_of(session: &Session, at: Instant<BoardTime>) -> Option<Offset> {
    let mapped = session.estimate.to_hub(at)?;
    let offset = |hub: Instant<Hub>| hub.as_micros().saturating_sub(at.as_micros());
    Some(Offset {
        lo_us: offset(mapped.lo),
        est_us: offset(mapped.est),
        hi_us: offset(mapped.hi),
    })
}

pub(crate) fn first_half(hash: Sha256) -> CommandId {
    let hash: [u8; 32] = hash.finalize().into();
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    CommandId(id)
}
