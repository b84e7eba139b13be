//! Reads the records of a game into its timeline.

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::ids::{AgentId, CommandId, EventSeq, hex};
use proto::log::{Changed, Record, record::Input};
use timing::{ClockStep, Command, Effect, Instant};

use super::beside::beside_command;
use super::day::Turns;
use super::event_rules::EventRules;
use super::moment::{Basis, Clocks, Moment, MomentDetail as Detail, Pending};
use super::supposition::Added;
use super::tap::{Omitted, StepChanges, StepOutcome, Taken, Tap};
use super::timeline::{Step, Timeline, clocks};
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::Board;
use crate::describe::describe;
use crate::entry::{AcceptedTime, Entry, Logged};
use crate::fold::{Fold, FoldError};
use crate::pair::Placed;
use crate::play::view_side;
use crate::trace::GameCursor;
use crate::words::display_text;
use crate::{BoardId, CommandKind, CommandRecord, Refusal, from_proto};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReplayError {
    #[error(transparent)]
    Fold(#[from] FoldError),
    #[error("board {board} has no game {game} in these records")]
    NoGame { board: BoardId, game: u32 },
    #[error("the timeline has no board")]
    NoBoard,
    #[error("record {0} is not an arbiter's action on the clocks of this game")]
    NoAction(u64),
    #[error("\"{0}\" cannot take effect: that turn never began")]
    NeverDue(Box<Added>),
}

/// Replays game number `game` of a board from the records that [`RecordIndex::needed`](super::RecordIndex::needed)
/// names, each with its index. Compares every clock with the one that the log states.
///
/// # Errors
/// Returns an error if the records do not follow from each other, give different clocks, or do not contain the game.
pub fn game(
    records: &[(u64, Record)],
    board: &BoardId,
    game: u32,
) -> Result<Timeline, ReplayError> {
    let mut reader = Reader::new(board, game, StepChanges::default());
    for (index, record) in records {
        reader.read(*index, record, Check::Clocks)?;
    }
    reader.finish()
}

/// Replays the game with changed steps. The clocks are not compared with those in the log, because they may differ.
pub(super) fn supposed(
    records: &[(u64, Record)],
    board: &BoardId,
    game: u32,
    changes: StepChanges,
) -> Result<Timeline, ReplayError> {
    let mut reader = Reader::new(board, game, changes);
    for (index, record) in records {
        reader.read(*index, record, Check::Nothing)?;
    }
    if let Some(added) = reader.not_due() {
        return Err(ReplayError::NeverDue(Box::new(added)));
    }
    reader.finish()
}

/// The comparison of each record's clocks with those that the log states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    Clocks,
    Nothing,
}

struct Reader {
    board: BoardId,
    game: u32,
    fold: Fold,
    event_rules: EventRules,
    cursor: GameCursor,
    changes: StepChanges,
    asked: BTreeMap<CommandId, Asked>,
    /// The stamps of presses and stops on a board with two clocks, by their numbers on the board.
    placed: BTreeMap<u64, Basis>,
    timeline: Option<Timeline>,
}

#[derive(Clone)]
struct Asked {
    index: u64,
    record: Arc<CommandRecord>,
}

impl Reader {
    fn new(board: &BoardId, game: u32, changes: StepChanges) -> Self {
        Self {
            board: board.clone(),
            game,
            fold: Fold::default(),
            event_rules: EventRules::default(),
            cursor: GameCursor::default(),
            changes,
            asked: BTreeMap::new(),
            placed: BTreeMap::new(),
            timeline: None,
        }
    }

    fn read(&mut self, index: u64, record: &Record, check: Check) -> Result<(), ReplayError> {
        if let Some(Input::EventChanged(changed)) = &record.input {
            if self.event_rules.follow(changed) {
                self.fold.follow_event_rules(self.event_rules.current());
            }
            return Ok(());
        }
        let logged = from_proto::records::logged(record.clone());
        let mut logged = logged.map_err(|error| FoldError::Unreadable {
            index,
            what: error.to_string(),
        })?;
        self.suppose_control(&mut logged);
        // Records that only other boards need are left out, so the fold must be told the index of this record.
        self.fold.records = index;
        let held_before = self.held();
        // A held command changes nothing; if it is confirmed, its own records follow.
        let waits = matches!(logged.entry, Entry::Held(_) | Entry::HeldDecided(_));
        let changed = match check {
            _ if waits => Changed::default(),
            Check::Clocks => self.fold.replay(&logged)?,
            Check::Nothing => self.fold.apply(&logged)?.changed,
        };
        if logged.board.as_ref() != Some(&self.board) {
            self.watch();
            return Ok(());
        }
        if let Entry::AgentEvent {
            agent,
            event,
            placed: Some(placed),
            ..
        } = &logged.entry
            && self.held() > held_before
        {
            let basis = placed_basis(index, *agent, event, *placed);
            self.placed.insert(self.held(), basis);
        }
        let place = if record.changed.is_some() {
            self.cursor.place(record)
        } else {
            // Logs of older hubs do not contain the changes that a record made.
            let mut record = record.clone();
            record.changed = Some(changed.clone());
            self.cursor.place(&record)
        };
        if let Entry::Command(command) = &logged.entry {
            let asked = Asked {
                index,
                record: command.clone(),
            };
            self.asked.insert(command.id, asked);
        }
        let taken = self.watch();
        if place.game == self.game {
            self.enter(index, place.round, record, &logged, taken);
            if changed.arbiter_called {
                self.push(index, logged.hub.as_micros(), Detail::ArbiterCalled);
            }
        }
        Ok(())
    }

    /// Returns the number of events that the board's two clocks have reported.
    fn held(&self) -> u64 {
        let board = self.fold.boards.get(&self.board);
        board
            .and_then(|board| board.pair.as_ref())
            .map_or(0, |pair| pair.events)
    }

    /// Attaches a [`Tap`] to the board's clock if it has none yet: the last record may have added the board. Returns
    /// the steps since the last call.
    fn watch(&mut self) -> Vec<Taken> {
        let Some(board) = self.fold.boards.get_mut(&self.board) else {
            return Vec::new();
        };
        let changes = &self.changes;
        let tap = board
            .tap
            .get_or_insert_with(|| Box::new(Tap::new(changes.clone())));
        tap.drain()
    }

    /// Puts the supposed control, if there is one, into the command that adds the board: the board's first game begins
    /// with that command's control.
    fn suppose_control(&self, logged: &mut Logged) {
        if let Entry::Command(record) = &mut logged.entry
            && logged.board.as_ref() == Some(&self.board)
            && let CommandKind::AddBoard(_) = record.kind
            && let Some(control) = &self.changes.control
            && let CommandKind::AddBoard(setup) = &mut Arc::make_mut(record).kind
        {
            setup.control = control.clone();
        }
    }

    fn not_due(&self) -> Option<Added> {
        let board = self.fold.boards.get(&self.board)?;
        let tap = board.tap.as_ref()?;
        tap.changes().add.first().cloned()
    }

    fn finish(self) -> Result<Timeline, ReplayError> {
        let known_until = self.fold.hub.map_or(0, Instant::as_micros);
        let board = self.fold.boards.get(&self.board);
        let tap = board.and_then(|board| board.tap.as_ref());
        let timeline = self.timeline.map(|timeline| Timeline {
            known_until_us: known_until.max(timeline.end_us()),
            restores: tap.map_or_else(Vec::new, |tap| tap.restores().to_vec()),
            ..timeline
        });
        timeline.ok_or(ReplayError::NoGame {
            board: self.board,
            game: self.game,
        })
    }

    fn enter(
        &mut self,
        index: u64,
        round: u32,
        record: &Record,
        logged: &Logged,
        taken: Vec<Taken>,
    ) {
        if self.timeline.is_none() {
            self.begin(round);
        }
        if let (Some(timeline), Some(board)) =
            (&mut self.timeline, self.fold.boards.get(&self.board))
        {
            (timeline.white, timeline.black) =
                (board.names.white.clone(), board.names.black.clone());
            timeline.round = round;
        }
        self.follow_score(logged);
        let of_clock = !taken.is_empty();
        for taken in taken {
            self.enter_step(index, logged, &taken);
        }
        if let Some(what) = self.beside(record, logged, of_clock) {
            self.push(index, logged.hub.as_micros(), what);
        }
        self.note_waiting(logged);
        self.note_day(index, logged);
    }

    fn follow_score(&mut self, logged: &Logged) {
        let Entry::Command(command) = &logged.entry else {
            return;
        };
        if let (CommandKind::Moves(_), Some(timeline), Some(board)) = (
            &command.kind,
            &mut self.timeline,
            self.fold.boards.get(&self.board),
        ) {
            let moves = board.rulings.score().map(|score| score.moves().iter());
            let moves = moves.into_iter().flatten();
            timeline.score = moves.map(|played| played.san.clone()).collect();
        }
    }

    fn begin(&mut self, round: u32) {
        let Some(board) = self.fold.boards.get(&self.board) else {
            return;
        };
        self.timeline = Some(Timeline {
            board: self.board.to_string(),
            game: self.game,
            round,
            white: String::new(),
            black: String::new(),
            control: board.clock().time_control().to_string(),
            score: Vec::new(),
            known_until_us: 0,
            days: Vec::new(),
            turns: None,
            moments: Vec::new(),
            steps: Vec::new(),
            waiting: Vec::new(),
            actions: Vec::new(),
            restores: Vec::new(),
        });
    }

    /// Returns the moment of a record, if the clock's steps do not already include it.
    fn beside(&self, record: &Record, logged: &Logged, of_clock: bool) -> Option<Detail> {
        let text = || describe(record);
        let other = || Some(Detail::Other { text: text() });
        match &logged.entry {
            Entry::Command(command) => beside_command(command, of_clock).unwrap_or_else(other),
            Entry::Note(note) => Some(Detail::Note {
                note: note.kind.clone(),
                text: note.text.clone(),
            }),
            Entry::LinkChanged(link) => Some(Detail::Link {
                online: link.online,
            }),
            Entry::FlagExpected { side, .. } => Some(Detail::FlagExpected {
                side: view_side(*side),
            }),
            Entry::AgentEvent { event, .. } => match event.fact {
                EventFact::Rebase { .. } => other(),
                EventFact::Players(_)
                | EventFact::OrderTaken(_)
                | EventFact::ZeroTested(_)
                | EventFact::Correction => None,
            },
            Entry::Withdrawn { .. }
            | Entry::AgentEnrolled(_)
            | Entry::AgentRevoked { .. }
            | Entry::Equivocation(_)
            | Entry::NoteSeen(_)
            | Entry::NoteOver { .. }
            | Entry::Held(_)
            | Entry::HeldDecided(_)
            | Entry::ZeroTestEnded(_) => other(),
            Entry::Opened(_)
            | Entry::HubStarted(_)
            | Entry::Passed { .. }
            | Entry::Settled { .. }
            | Entry::Forced { .. }
            | Entry::Arbiters(_)
            | Entry::Event(_)
            | Entry::Signed(_)
            | Entry::Called(_)
            | Entry::ChiefRecovered(_)
            | Entry::Floor(_) => None,
        }
    }

    fn note_day(&mut self, index: u64, logged: &Logged) {
        let board = self.fold.boards.get(&self.board);
        let turns = board.and_then(|board| {
            let time_chess = board.time_chess.as_ref()?;
            Some(Turns {
                game: time_chess.shown(board.clock()),
                presses: time_chess.presses().to_vec(),
            })
        });
        if let (Some(timeline), Some(_)) = (&mut self.timeline, board) {
            timeline.note_day(turns, index, logged.hub.as_micros());
        }
    }

    fn note_waiting(&mut self, logged: &Logged) {
        let (Some(timeline), Some(board)) = (&mut self.timeline, self.fold.boards.get(&self.board))
        else {
            return;
        };
        let waiting = board.pending.iter().map(|pending| Pending {
            record: self
                .asked
                .get(&pending.record.id)
                .map_or(0, |asked| asked.index),
            command: pending.record.text(),
            actor: pending.record.actor.clone(),
            since_us: pending.since.as_micros(),
        });
        let waiting: Vec<Pending> = waiting.collect();
        let known = timeline.waiting.last().map(|(_, waiting)| waiting);
        if known.map_or(!waiting.is_empty(), |known| *known != waiting) {
            timeline.waiting.push((logged.hub.as_micros(), waiting));
        }
    }

    fn push(&mut self, index: u64, at_us: i64, what: Detail) {
        let board = self.fold.boards.get(&self.board);
        let (Some(board), Some(timeline)) = (board, &mut self.timeline) else {
            return;
        };
        if timeline.steps.is_empty() {
            timeline.steps.push(first_step(board, at_us));
        }
        let drawn = match timeline.at(at_us) {
            Some(standing) => standing.clocks,
            None => clocks(board.clock(), board.clock().now(), timeline.names()),
        };
        timeline.moments.push(Moment {
            record: index,
            at_us,
            what,
            clocks: drawn,
        });
        if let Some(step) = timeline.steps.last_mut() {
            step.moments = timeline.moments.len();
        }
    }

    fn enter_step(&mut self, index: u64, logged: &Logged, taken: &Taken) {
        let moments = self.moments_of(index, logged, taken);
        let Some(timeline) = &mut self.timeline else {
            return;
        };
        let hub_us = taken.step.hub.as_micros();
        let hub_us = timeline
            .steps
            .last()
            .map_or(hub_us, |step| step.hub_us.max(hub_us));
        let omitted = match (taken.step.command, taken.step.event) {
            (Some(id), _) => Some(Omitted::Command(id)),
            (None, event) => event.map(Omitted::Event),
        };
        for moment in moments {
            if let (Detail::Action { .. }, Some(omitted)) = (&moment.what, omitted) {
                timeline.actions.push((timeline.moments.len(), omitted));
            }
            timeline.moments.push(moment);
        }
        timeline.steps.push(Step {
            hub_us,
            at: taken.after.now(),
            clock: taken.after.clone(),
            moved: matches!(taken.step.step, ClockStep::Moved(_)),
            moments: timeline.moments.len(),
        });
    }

    fn moments_of(&self, index: u64, logged: &Logged, taken: &Taken) -> Vec<Moment> {
        let Some(timeline) = &self.timeline else {
            return Vec::new();
        };
        let names = timeline.names();
        let at_us = taken.step.hub.as_micros();
        let after = clocks(&taken.after, taken.after.now(), names);
        let moment = |at_us: i64, what: Detail, clocks: &Clocks| Moment {
            record: index,
            at_us,
            what,
            clocks: clocks.clone(),
        };
        let mut moments = Vec::new();
        if let StepOutcome::Applied(effects) = &taken.outcome {
            for effect in effects.iter() {
                let what = self.effect(index, logged, taken, effect);
                // Time ran out before the step, so the moment shows the clocks as they were when the flag fell.
                if let Effect::FlagFell { at, .. } = effect {
                    let since = taken
                        .step
                        .step
                        .at()
                        .map_or(0, |step| (step - *at).as_micros());
                    let then = clocks(&taken.before, *at, names);
                    moments.extend(what.map(|what| moment(at_us - since, what, &then)));
                } else {
                    moments.extend(what.map(|what| moment(at_us, what, &after)));
                }
            }
        }
        if let Some(action) = self.action(taken) {
            moments.push(moment(at_us, action, &after));
        }
        moments
    }

    fn effect(
        &self,
        index: u64,
        logged: &Logged,
        taken: &Taken,
        effect: &Effect,
    ) -> Option<Detail> {
        match *effect {
            Effect::Prepared => Some(Detail::Set {
                control: taken.after.time_control().to_string(),
            }),
            Effect::Started { side } => Some(Detail::Started {
                side: view_side(side),
            }),
            Effect::MoveCompleted { side, moves } => {
                let pressed_at = taken.step.step.at()?.max(taken.before.now());
                let pressed = taken.before.side(side, pressed_at);
                Some(Detail::Move {
                    side: view_side(side),
                    number: moves,
                    used_us: taken.line.map_or(0, |line| line.used_us),
                    pressed_us: pressed.time.as_micros(),
                    basis: self.basis(index, logged, taken),
                })
            }
            Effect::PressIgnored { side, why, .. } => Some(Detail::Ignored {
                side: view_side(side),
                why,
                basis: self.basis(index, logged, taken),
            }),
            Effect::FlagFell { side, .. } => Some(Detail::Flag {
                side: view_side(side),
            }),
            Effect::PeriodEntered { side, period, .. } => Some(Detail::Period {
                side: view_side(side),
                period,
            }),
            Effect::Stopped => Some(Detail::Stopped),
            // These effects belong to the action that caused them, or are visible in the clocks.
            Effect::AllotmentEntered { .. }
            | Effect::Paused
            | Effect::Resumed { .. }
            | Effect::Edited { .. }
            | Effect::FlagCalled { .. }
            | Effect::Ended { .. }
            | Effect::ControlChanged
            | Effect::Restored
            | Effect::ButtonsChanged { .. } => None,
        }
    }

    fn action(&self, taken: &Taken) -> Option<Detail> {
        let ClockStep::Command { command, .. } = &taken.step.step else {
            return None;
        };
        let prepared = matches!(&**command, Command::Prepare(_));
        let refused = match &taken.outcome {
            StepOutcome::Applied(_) if prepared => return None,
            StepOutcome::Applied(_) => None,
            StepOutcome::Refused(why) => Some((*why).into()),
            StepOutcome::Faulted(why) => Some(Refusal::from_record(why.clone(), None)),
        };
        let asked = taken.step.command.and_then(|id| self.asked.get(&id));
        let mut text = display_text(command);
        if let Some(CommandKind::Ruling(ruling)) = asked.map(|asked| &asked.record.kind) {
            text = format!("{}; {text}", ruling.request);
        }
        Some(Detail::Action {
            command: text,
            actor: taken.by.clone().unwrap_or_default(),
            reason: asked.map_or_else(String::new, |asked| asked.record.reason.clone()),
            asked: asked.map(|asked| asked.index),
            refused,
        })
    }

    fn basis(&self, index: u64, logged: &Logged, taken: &Taken) -> Option<Basis> {
        if let Some(EventSeq(number)) = taken.step.event
            && let Some(placed) = self.placed.get(&number)
        {
            return Some(placed.clone());
        }
        if let Entry::AgentEvent {
            agent,
            event,
            accepted,
            ..
        } = &logged.entry
        {
            return Some(own_basis(index, *agent, event, *accepted));
        }
        None
    }
}

fn first_step(board: &Board, at_us: i64) -> Step {
    let clock = board.clock().clone();
    Step {
        hub_us: at_us,
        at: clock.now(),
        clock,
        moved: false,
        moments: 0,
    }
}

fn own_basis(index: u64, agent: AgentId, event: &SignedEvent, accepted: AcceptedTime) -> Basis {
    Basis {
        record: index,
        agent: hex(&agent.0),
        event: event.seq.0,
        stamp_us: event.at.as_micros(),
        counts_at_us: accepted.at.map(Instant::as_micros),
        bounds_us: None,
    }
}

fn placed_basis(index: u64, agent: AgentId, event: &SignedEvent, placed: Placed) -> Basis {
    Basis {
        bounds_us: Some((placed.lo.as_micros(), placed.hi.as_micros())),
        ..own_basis(index, agent, event, AcceptedTime::default())
    }
}
