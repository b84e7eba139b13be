//! The state of the hall after a list of records. The same code applies a new record and replays the log, so replay and
//! live operation give the same state. Decides which agent serves which board and which order is next; sees no links or
//! sockets.

pub(crate) mod command;
mod correction;
mod error;
pub(crate) mod event;
pub(crate) mod floor;
pub(crate) mod held;
pub(crate) mod journal;
mod pair;
mod parts;
mod round;
mod ruling;
mod time_chess;
pub(crate) mod tournament;

pub use error::{FoldError, RecordConflict};

use std::collections::BTreeMap;

use proto::chain::genesis;
use proto::checkpoint::LogEpoch;
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::{After, Changed, NewGame};
use sha2::{Digest, Sha256};
use timing::{Board as BoardTime, ClockStep, Effects, Hub, Instant, RulesVersion, Side};

use super::agent::{Agent, OrderKind};
use super::agent_frame::EventFact;
use super::anomaly::Anomalies;
use super::answers::Answers;
use super::board::{Board, Keeper, Stepped};
use super::board_id::BoardId;
use super::corrections::{Arbiter, Corrected, Correction};
use super::entry::{Entry, Logged, LoggedNote};
use super::note_kind::NoteKind;
use super::outcome::Outcome;
use super::play::GameStep;
use super::refusal::{Refusal, Why};
use super::request::Enrolment;
use super::time_chess::PressRule;
use super::trace;
use ::tournament::{Change, RoundNo};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fold {
    /// The origin, which names the log; `None` before the log's first record.
    pub(crate) origin: Option<String>,
    /// Fingerprint of the hub's authority, as last recorded; `None` if no record states it.
    pub(crate) authority: Option<[u8; 16]>,
    pub(crate) event_name: String,
    /// The log's epoch; `None` in its first epoch.
    pub(crate) log_epoch: Option<LogEpoch>,
    /// Number of the hub's run that wrote the newest records.
    pub(crate) epoch: u64,
    pub(crate) records: u64,
    /// Latest hub instant of the records.
    pub(crate) hub: Option<Instant<Hub>>,
    pub(crate) boards: BTreeMap<BoardId, Board>,
    pub(crate) agents: BTreeMap<AgentId, Agent>,
    pub(crate) answers: Answers,
    pub(crate) anomalies: Anomalies,
    pub(crate) arbiters: Vec<Arbiter>,
    pub(crate) event: tournament::EventFold,
    pub(crate) floor: floor::FloorFold,
    pub(crate) held: held::HeldFold,
}

/// The changes that a record made, for the code that reacts to new records.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) rules: RulesVersion,
    pub(crate) hub: Instant<Hub>,
    pub(crate) boards: Vec<BoardId>,
    /// The last board whose clock got a step from the record, even a refused one; `None` without a step or after a
    /// fault.
    pub(crate) clock: Option<BoardId>,
    pub(crate) outcomes: Vec<FoldOutcome>,
    /// The changes to the record's board, for readers of the log.
    pub(crate) changed: Changed,
}

#[derive(Debug)]
pub(crate) enum FoldOutcome {
    Answered(CommandId),
    Ordered(AgentId),
    Engine(BoardId, Effects),
    Faulted(BoardId, String),
    /// A player's action or a jump arrived from an agent that keeps no board's time.
    Late(Option<BoardId>, EventFact, EventSeq),
    /// An agent took over a board. If its clock was running, the hub had charged the time up to `charged`.
    Adopted {
        board: BoardId,
        charged: Option<Instant<Hub>>,
    },
    Corrected(Option<BoardId>, Correction, Corrected),
    WithdrawnButCarriedOut(BoardId, String),
    /// A fact from one of a board's two clocks had no effect.
    FactIgnored,
    /// The benefit of the doubt went to a player whose press may have been too late.
    Straddled(BoardId, String),
    Removed(BoardId),
    Named(BoardId),
    /// A command for a board's game in the event was answered, or a clock adopted one side of the board.
    Followed(BoardId),
    TournamentChanged(Vec<Change>),
    /// A different event replaced the current one, or an import was undone. These boards lost their results.
    TournamentReplaced(Vec<BoardId>),
    /// The clocks of a board must make a scripted press.
    ZeroTest(BoardId, CommandId),
    FloorArranged,
    /// A command waits for a second arbiter, or no longer does.
    HeldChanged,
}

impl Applied {
    fn new(logged: &Logged) -> Self {
        Self {
            rules: logged.rules,
            hub: logged.hub,
            boards: Vec::new(),
            clock: None,
            outcomes: Vec::new(),
            changed: Changed::default(),
        }
    }

    fn add(&mut self, outcome: FoldOutcome) {
        self.outcomes.push(outcome);
    }

    fn stepped(&mut self, board: &BoardId, stepped: Stepped) -> Result<(), Refusal> {
        self.show(board);
        self.clock = Some(board.clone());
        match stepped {
            Stepped::Applied(effects, changed) => {
                trace::join(&mut self.changed, *changed);
                self.add(FoldOutcome::Engine(board.clone(), effects));
                Ok(())
            }
            Stepped::Refused(rule) => {
                let why = Refusal::from(rule);
                self.changed.refused = why.text().to_owned();
                self.changed.refusal = Some(Box::new(why.without_text()));
                Err(why)
            }
            Stepped::Faulted(what) => {
                // The clock may be half-changed, so its state is not evidence.
                self.clock = None;
                self.add(FoldOutcome::Faulted(board.clone(), what.clone()));
                Err(Why::OutOfOrder(what).into())
            }
        }
    }

    pub(crate) fn followed(&self) -> impl Iterator<Item = &BoardId> {
        self.outcomes.iter().filter_map(|outcome| {
            if let FoldOutcome::Followed(board) = outcome {
                return Some(board);
            }
            None
        })
    }

    fn begin_game(&mut self, board: &BoardId, round: Option<RoundNo>) {
        self.show(board);
        let round = round.map_or(0, |round| round.0.into());
        self.changed.new_game = Some(NewGame { round });
    }

    fn show(&mut self, board: &BoardId) {
        if !self.boards.contains(board) {
            self.boards.push(board.clone());
        }
    }
}

impl Fold {
    /// Applies a record of the log and compares the resulting clock with the logged one, if there is one.
    ///
    /// # Errors
    /// Returns a [`FoldError`] if the record cannot be applied or states a different clock; the fold must then be
    /// discarded.
    pub(crate) fn replay(&mut self, logged: &Logged) -> Result<Changed, FoldError> {
        let index = self.records;
        let applied = self.apply(logged)?;
        let Some(said) = &logged.after else {
            return Ok(applied.changed);
        };
        let Some(board) = applied.clock else {
            return Err(FoldError::Impossible {
                index,
                what: RecordConflict::ChangesNoClock,
            });
        };
        match self.after(&board) {
            Some(folded) if folded != *said => Err(FoldError::Differs {
                index,
                board,
                logged: said.clone(),
                folded,
            }),
            Some(_) | None => Ok(applied.changed),
        }
    }

    /// Applies a record without comparing its logged clock.
    ///
    /// # Errors
    /// Returns [`FoldError::Impossible`] if the record does not fit the hall.
    pub(crate) fn apply(&mut self, logged: &Logged) -> Result<Applied, FoldError> {
        let mut applied = Applied::new(logged);
        self.enter(logged, &mut applied)
            .map_err(|what| FoldError::Impossible {
                index: self.records,
                what,
            })?;
        self.settle_rulings(&applied);
        self.records += 1;
        self.hub = Some(self.hub.map_or(logged.hub, |hub| hub.max(logged.hub)));
        Ok(applied)
    }

    /// Tells each board the outcomes of its answered commands. A refused or withdrawn command leaves no offence and no
    /// ruling.
    fn settle_rulings(&mut self, applied: &Applied) {
        for outcome in &applied.outcomes {
            let FoldOutcome::Answered(id) = outcome else {
                continue;
            };
            let Some(kept) = self.answers.get(id) else {
                continue;
            };
            let stands = matches!(kept.outcome, Outcome::Done | Outcome::Pending);
            let board = kept.board.as_ref();
            if let Some(board) = board.and_then(|board| self.boards.get_mut(board)) {
                board.offences.answered(id, stands);
                board.rulings.answered(id, stands);
            }
        }
    }

    fn enter(&mut self, logged: &Logged, applied: &mut Applied) -> Result<(), RecordConflict> {
        match &logged.entry {
            Entry::Opened(opened) => {
                if let Some(origin) = &self.origin {
                    return Err(RecordConflict::AlreadyOpen {
                        origin: origin.clone(),
                    });
                }
                self.origin = Some(opened.origin.clone());
                self.event_name = opened.event_name.clone();
                Ok(())
            }
            Entry::HubStarted(started) => {
                self.epoch = started.epoch;
                self.authority = authority_of(started).or(self.authority);
                // The hub stopped before the remaining parts were stored, so none of the parts applies.
                self.event.parts.clear();
                self.floor.parts.clear();
                self.held.parts.clear();
                Ok(())
            }
            Entry::AgentEnrolled(enrolment) => self.enrol(enrolment, applied),
            Entry::AgentRevoked { agent, .. } => self.revoke(*agent, applied),
            Entry::Command(command) => self.command(logged.board.as_ref(), command, applied),
            Entry::AgentEvent {
                agent,
                event,
                placed,
                accepted,
            } => self.event(*agent, event, *placed, *accepted, applied),
            Entry::Equivocation(equivocation) => {
                let known = self.agents.contains_key(&equivocation.agent);
                known.then_some(()).ok_or(RecordConflict::UnknownAgent)
            }
            Entry::Passed { side, at } => self.passed(logged.board.as_ref(), *side, *at, applied),
            Entry::Settled { at } => self.settle(logged.board.as_ref(), *at, applied),
            Entry::Forced { id, actor, at } => self.force(id, actor, *at, applied),
            Entry::Withdrawn { id, actor } => self.withdraw(id, actor, applied),
            Entry::Note(note) => self.note(logged.board.as_ref(), note, logged.hub),
            Entry::NoteSeen(seen) => {
                self.confirm_loss(seen);
                self.anomalies.acknowledge(logged.board.as_ref(), seen);
                Ok(())
            }
            Entry::NoteOver { kind, agent } => {
                self.anomalies.end(logged.board.as_ref(), *agent, kind);
                Ok(())
            }
            Entry::Arbiters(arbiters) => {
                self.arbiters.clone_from(arbiters);
                Ok(())
            }
            Entry::Event(entry) => self.event_changed(entry, applied),
            // These entries serve readers of the log only.
            Entry::Signed(_)
            | Entry::Called(_)
            | Entry::ChiefRecovered(_)
            | Entry::FlagExpected { .. }
            | Entry::LinkChanged(_) => Ok(()),
            Entry::Held(entry) => self.hold(logged.board.as_ref(), entry, applied),
            Entry::HeldDecided(decision) => self.decide_held(decision, applied),
            Entry::Floor(entry) => self.floor_arranged(entry, applied),
            Entry::ZeroTestEnded(certificate) => {
                applied.add(FoldOutcome::Answered(certificate.command));
                Ok(())
            }
        }
    }

    fn note(
        &mut self,
        board: Option<&BoardId>,
        note: &LoggedNote,
        hub: Instant<Hub>,
    ) -> Result<(), RecordConflict> {
        self.anomalies.raise(board, note, hub);
        if NoteKind::from_word(&note.kind) == Some(NoteKind::BackupRestored) {
            self.begin_log_epoch();
        }
        if NoteKind::from_word(&note.kind) == Some(NoteKind::DefaultTime)
            && let Some(id) = board
        {
            self.board_mut(id)?.note_late(&note.text);
        }
        Ok(())
    }

    fn enrol(
        &mut self,
        enrolment: &Enrolment,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let origin = self.origin.clone().ok_or(RecordConflict::NotOpen)?;
        if let Some(board) = &enrolment.board
            && !self.boards.contains_key(board)
        {
            return Err(RecordConflict::NoBoard(board.clone()));
        }
        let id = enrolment.agent;
        // After a failed check, no field may have changed: the live hub goes on without the record.
        if let (Some(board), Some(side)) = (&enrolment.board, enrolment.side) {
            self.check_one_side(board, side, id)?;
        }
        let agent = self.agents.entry(id).or_insert_with(|| Agent {
            id,
            name: String::new(),
            exchange_key: Vec::new(),
            certificate_serial: Vec::new(),
            revoked: false,
            board: None,
            seq: EventSeq(0),
            head: genesis(&origin, &id),
            at: None,
            heard: None,
            offset_us: None,
            corrected: None,
            left: None,
            loss_confirmed: None,
            next_order: 1,
            orders: Default::default(),
        });
        if agent.revoked {
            return Err(RecordConflict::AgentRevoked(id));
        }
        agent.name = enrolment.name.clone();
        agent.exchange_key = enrolment.exchange_key.clone();
        agent.certificate_serial = enrolment.certificate_serial.clone();
        match (&enrolment.board, enrolment.side) {
            (Some(board), Some(side)) => self.assign_side(board, side, Some(id), applied),
            (Some(board), None) => self.assign(board, Some(id), applied),
            (None, _) => Ok(()),
        }
    }

    fn revoke(&mut self, id: AgentId, applied: &mut Applied) -> Result<(), RecordConflict> {
        let agent = self
            .agents
            .get_mut(&id)
            .ok_or(RecordConflict::UnknownAgent)?;
        agent.revoked = true;
        let side = self.side_of(id).map(|(_, side)| side);
        let board = self.agents.get(&id).and_then(|agent| agent.board.clone());
        match (board, side) {
            (Some(board), Some(side)) => self.assign_side(&board, side, None, applied)?,
            (Some(board), None) => self.assign(&board, None, applied)?,
            (None, _) => (),
        }
        if let Some(agent) = self.agents.get_mut(&id) {
            agent.orders.clear();
        }
        Ok(())
    }

    fn may_serve(&self, agent: Option<AgentId>) -> Result<(), RecordConflict> {
        let Some(id) = agent else { return Ok(()) };
        match self
            .agents
            .get(&id)
            .ok_or(RecordConflict::UnknownAgent)?
            .revoked
        {
            true => Err(RecordConflict::AgentRevoked(id)),
            false => Ok(()),
        }
    }

    /// Assigns a board to an agent, or to the hub alone. Releases any other agent of the board; a running clock keeps
    /// running.
    fn assign(
        &mut self,
        board_id: &BoardId,
        new: Option<AgentId>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        self.may_serve(new)?;
        self.board(board_id)?;
        self.end_pair(board_id, new, applied);
        let old = self.board(board_id)?.agent;
        self.take_over(board_id, applied.hub);
        applied.show(board_id);
        if old != new {
            if let Some(old) = old {
                self.release(old, board_id, applied);
            }
            self.refuse_pending(board_id, Why::ClockReplaced, applied);
        }
        let Some(new) = new else {
            self.board_mut(board_id)?.agent = None;
            return Ok(());
        };
        self.leave_other_board(new, board_id, applied);
        if let Some(agent) = self.agents.get_mut(&new) {
            agent.board = Some(board_id.clone());
        }
        let board = self.board_mut(board_id)?;
        board.agent = Some(new);
        board.press_rule = PressRule::Clock;
        self.queue_adoption(board_id, applied);
        Ok(())
    }

    fn release(&mut self, id: AgentId, board: &BoardId, applied: &mut Applied) {
        if let Some(agent) = self.agents.get_mut(&id) {
            agent.take_orders_of(board);
            agent.board = None;
            agent.left = Some(board.clone());
            if !agent.revoked {
                agent.order(OrderKind::Release, applied.hub);
                applied.add(FoldOutcome::Ordered(id));
            }
        }
    }

    fn take_over(&mut self, board_id: &BoardId, hub: Instant<Hub>) {
        let Some(board) = self.boards.get_mut(board_id) else {
            return;
        };
        if let Keeper::Agent(agent) = board.keeper {
            let known = self.agents.get(&agent);
            let at = known.and_then(|known| known.board_time_at_least(hub));
            board.take_over(at.unwrap_or(board.clock().now()), hub);
        }
    }

    /// Orders the board's agent to take over the clock in its current state. Pending commands that are not withdrawn
    /// are queued again after that order.
    fn queue_adoption(&mut self, board_id: &BoardId, applied: &mut Applied) {
        let Some(board) = self.boards.get_mut(board_id) else {
            return;
        };
        let Some(agent) = board.agent.and_then(|agent| self.agents.get_mut(&agent)) else {
            return;
        };
        let waiting = agent.take_orders_of(board_id);
        let number = agent.order(
            OrderKind::Adopt {
                board: board_id.clone(),
                snapshot: board.clock().to_bytes(),
            },
            applied.hub,
        );
        board.keeper = Keeper::Hub {
            adoption: Some(number),
        };
        for order in waiting {
            if matches!(order.what, OrderKind::Command { .. }) && !order.withdrawn {
                agent.order(order.what, applied.hub);
            }
        }
        applied.add(FoldOutcome::Ordered(agent.id));
    }

    fn refuse_pending(&mut self, board_id: &BoardId, why: Why, applied: &mut Applied) {
        let Some(board) = self.boards.get_mut(board_id) else {
            return;
        };
        for pending in std::mem::take(&mut board.pending) {
            self.refuse(&pending.record.id, why.clone(), applied);
        }
    }

    /// Settles a board up to `at`. No earlier fact can follow, so changes caused only by the passing of time up to then
    /// are certain.
    fn settle(
        &mut self,
        board_id: Option<&BoardId>,
        at: Instant<BoardTime>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board_id = board_id.ok_or(RecordConflict::SettledNowhere)?;
        let hub = self.hub_time(board_id, at, applied.hub);
        let step = GameStep::new(hub, ClockStep::TimePassed(at));

        let board = self.board_mut(board_id)?;
        let stepped = board.step(step, None);
        // Settling is never refused.
        let _ = applied.stepped(board_id, stepped);
        Ok(())
    }

    /// Estimates the hub instant of a board instant. The estimate is never later than `hub`, the instant at which the
    /// hub learnt of the change.
    fn hub_time(
        &self,
        board_id: &BoardId,
        at: Instant<BoardTime>,
        hub: Instant<Hub>,
    ) -> Instant<Hub> {
        let keeper = self.boards.get(board_id).map(|board| board.keeper);
        let mapped = match keeper {
            Some(Keeper::Agent(agent)) => {
                self.agents.get(&agent).and_then(|agent| agent.hub_time(at))
            }
            Some(Keeper::Hub { .. }) | None => Some(Instant::from_micros(at.as_micros())),
        };
        mapped.map_or(hub, |mapped| mapped.min(hub))
    }

    pub(crate) fn after(&self, board_id: &BoardId) -> Option<After> {
        let clock = self.boards.get(board_id)?.clock();
        let time = |side| clock.side(side, clock.now()).time.as_micros();
        Some(After {
            white_us: time(Side::White),
            black_us: time(Side::Black),
            digest: digest(&clock.to_bytes()),
        })
    }

    pub(crate) fn board(&self, id: &BoardId) -> Result<&Board, RecordConflict> {
        self.boards
            .get(id)
            .ok_or_else(|| RecordConflict::NoBoard(id.clone()))
    }

    fn board_mut(&mut self, id: &BoardId) -> Result<&mut Board, RecordConflict> {
        self.boards
            .get_mut(id)
            .ok_or_else(|| RecordConflict::NoBoard(id.clone()))
    }
}

/// Returns the first eight bytes of the SHA-256 of a clock's snapshot, for comparison.
pub(crate) fn digest(snapshot: &[u8]) -> Vec<u8> {
    Sha256::digest(snapshot)[..8].to_vec()
}

/// Returns the fingerprint of the authority under which the hub started; `None` if the record does not state it.
fn authority_of(started: &proto::log::HubStarted) -> Option<[u8; 16]> {
    let certificate = &started.authority_der;
    (!certificate.is_empty()).then(|| proto::enrolment::fingerprint(certificate))
}
