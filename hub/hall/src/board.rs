//! One board according to the log: its clock, the keeper of its time, pending commands and recent changes. Part of the
//! fold: independent of links and of the time of execution. A panic of the clock's engine affects only its own board.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::{Changed, Names};
use proto::refusal::ChangeKind;
use timing::{
    Allotment, Board as BoardTime, BoardClock, BoardState, ClockStep, Command, Duration, Effect,
    Effects, Fact, Hub, Instant, Rejection, Setup, Side, Snapshot, StartRule,
};

use super::board_id::BoardId;
use super::changes::{Change, Changes};
use super::command_record::PendingCommand;
use super::offence::Offences;
use super::pair::Pair;
use super::play::{GameStep, History, Play};
use super::replay::tap::{SUPPOSED, Tap};
use super::round::Seat;
use super::rulings::Rulings;
use super::time_chess::{PressRule, TimeChess};
use super::words::{capital, state_word};
use super::{told, trace};
use crate::to_proto;

pub(crate) const LINES: usize = 12;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Board {
    pub(crate) id: BoardId,
    pub(crate) play: Play,
    pub(crate) history: History,
    pub(crate) changes: Changes,
    pub(crate) names: Names,
    pub(crate) draw_odds: Option<Side>,
    pub(crate) offences: Offences,
    pub(crate) rulings: Rulings,
    pub(crate) time_chess: Option<Box<TimeChess>>,
    /// The action that completes a turn of Time Chess. Stays with the board when a new game is set.
    pub(crate) press_rule: PressRule,
    /// The round for which the board's clock is set, and pending commands for games of the event.
    pub(crate) seat: Seat,
    pub(crate) opening: Opening,
    pub(crate) agent: Option<AgentId>,
    pub(crate) keeper: Keeper,
    /// The clocks of the two sides, if each side has its own. The hub then keeps the time.
    pub(crate) pair: Option<Pair>,
    /// Commands that wait for the agent, oldest first.
    pub(crate) pending: Vec<PendingCommand>,
    /// Hub instant at which the game entered its current state.
    pub(crate) since: Option<Instant<Hub>>,
    pub(crate) paused_by: Option<String>,
    pub(crate) arbiter_called: Option<Instant<Hub>>,
    /// The reason why the board's clock failed; a new game clears it.
    pub(crate) fault: Option<String>,
    /// Watches the clock's steps, and may change them, while a game is replayed; `None` in a running hall.
    pub(crate) tap: Option<Box<Tap>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The board's agent keeps the time, on its own timeline.
    Agent(AgentId),
    /// The hub alone keeps the time, on its own timeline.
    Hub {
        /// Number of the unanswered order that makes the board's agent take over; `None` if there is none.
        adoption: Option<u64>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opening {
    /// Estimated hub instant at which the game's first clock started.
    pub(crate) started: Option<Instant<Hub>>,
    /// The player who had not completed a move by the default time, and the text of the note. At most one per game.
    pub(crate) late: Option<Late>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Late {
    pub(crate) side: Side,
    pub(crate) text: String,
}

#[derive(Debug)]
pub(crate) enum Stepped {
    Applied(Effects, Box<Changed>),
    Refused(Rejection),
    /// The engine panicked. The board is out of order until a new game is set.
    Faulted(String),
}

impl Board {
    pub(crate) fn new(id: BoardId, setup: Setup) -> Self {
        let clock = BoardClock::new(setup);
        Self {
            id,
            history: History::new(&clock),
            play: Play::new(clock, LINES),
            changes: Changes::default(),
            names: Names::default(),
            draw_odds: None,
            offences: Offences::default(),
            rulings: Rulings::default(),
            time_chess: None,
            press_rule: PressRule::default(),
            seat: Seat::default(),
            opening: Opening::default(),
            agent: None,
            keeper: Keeper::Hub { adoption: None },
            pair: None,
            pending: Vec::new(),
            since: None,
            paused_by: None,
            arbiter_called: None,
            fault: None,
            tap: None,
        }
    }

    pub(crate) fn clock(&self) -> &BoardClock {
        &self.play.clock
    }

    pub(crate) fn pending(&self, command: &CommandId) -> Option<&PendingCommand> {
        let mut pending = self.pending.iter();
        pending.find(|pending| pending.record.id == *command)
    }

    pub(crate) fn take_pending(&mut self, command: &CommandId) -> Option<PendingCommand> {
        let mut pending = self.pending.iter();
        let index = pending.position(|pending| pending.record.id == *command)?;
        Some(self.pending.remove(index))
    }

    pub(crate) fn runs(&self) -> bool {
        matches!(self.clock().state(), BoardState::Running { .. })
    }

    /// Returns true if a game is in progress: begun, and not over.
    pub(crate) fn in_play(&self) -> bool {
        match self.clock().state() {
            BoardState::Ready | BoardState::Over => false,
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. } => true,
        }
    }

    /// Applies a step and remembers its changes. `by` names the sender of a requested step.
    pub(crate) fn step(&mut self, step: GameStep, by: Option<&str>) -> Stepped {
        let Some(mut tap) = self.tap.take() else {
            return self.step_with(step, by, Play::step);
        };
        let step = tap.supposed(step);
        let before = self.clock().clone();
        let stepped = self.step_with(step.clone(), by, Play::step);
        tap.record_step(before, &step, by, &stepped, &self.play);
        while let Some(added) = tap.due(&step, self.clock()) {
            let before = self.clock().clone();
            let stepped = self.step_with(added.clone(), Some(SUPPOSED), Play::step);
            tap.record_step(before, &added, Some(SUPPOSED), &stepped, &self.play);
        }
        self.tap = Some(tap);
        stepped
    }

    fn step_with(
        &mut self,
        step: GameStep,
        by: Option<&str>,
        apply: impl FnOnce(&mut Play, &GameStep) -> Result<Effects, Rejection>,
    ) -> Stepped {
        if let Some(fault) = &self.fault {
            match setup_of(&step) {
                // A failed clock is replaced, regardless of the state it reports.
                Some(setup) => self.play = Play::new(BoardClock::new(setup), LINES),
                None => return Stepped::Faulted(fault.clone()),
            }
        }
        let before = state_word(self.clock().state());
        let found = trace::before(self.clock(), &step);
        let play = &mut self.play;
        // The play may be half-changed after a panic; it is not used again before a new game replaces it.
        let effects = match catch_unwind(AssertUnwindSafe(|| apply(play, &step))) {
            Ok(Ok(effects)) => effects,
            Ok(Err(rejection)) => return Stepped::Refused(rejection),
            Err(panic) => {
                let fault = panic_text(panic.as_ref());
                let text = "the board's clock failed";
                let failed = told::by_itself(step.hub, ChangeKind::ClockFailed, text);
                self.changes.decide(failed);
                self.fault = Some(fault.clone());
                self.keeper = Keeper::Hub { adoption: None };
                return Stepped::Faulted(fault);
            }
        };
        self.note_changes(&step, &effects, by);
        let mut changed = trace::of_step(&self.play, &step, &effects, found);
        if before != state_word(self.clock().state()) {
            self.since = Some(step.hub);
            self.paused_by = by
                .filter(|_| matches!(self.clock().state(), BoardState::Paused { .. }))
                .map(str::to_owned);
            self.arbiter_called = None;
        } else if let ClockStep::Fact {
            fact: Fact::Stopped,
            ..
        } = step.step
        {
            changed.arbiter_called = self.call_arbiter(step.hub);
        }
        self.remember(step, &effects);
        Stepped::Applied(effects, Box::new(changed))
    }

    /// Records a player's call for the arbiter: a stop of stopped clocks (FIDE 6.11.2). Returns true for the first
    /// call.
    pub(crate) fn call_arbiter(&mut self, hub: Instant<Hub>) -> bool {
        let first = matches!(self.clock().state(), BoardState::Stopped { .. })
            && self.arbiter_called.is_none();
        if first {
            self.arbiter_called = Some(hub);
            self.changes.push(Change::Label);
        }
        first
    }

    fn remember(&mut self, step: GameStep, effects: &Effects) {
        if setup_of(&step).is_some() {
            self.fault = None;
            self.history = History::new(self.clock());
            self.since = Some(step.hub);
            self.opening = Opening::default();
            self.draw_odds = None;
            self.offences = Offences::default();
            self.rulings = self.rulings.of_new_game();
            self.time_chess = None;
            self.settle_variant();
            return;
        }
        let changed = effects
            .iter()
            .any(|effect| !matches!(effect, Effect::PressIgnored { .. }));
        if changed || matches!(step.step, ClockStep::Moved(_)) {
            self.history.push(step);
        }
    }

    fn note_changes(&mut self, step: &GameStep, effects: &Effects, by: Option<&str>) {
        if let ClockStep::Command { command, .. } = &step.step {
            self.changes.decide(told::command(command, by, step.hub));
        }
        for effect in effects.iter() {
            self.follow_time_chess(effect);
            if let Effect::Started { .. } = effect {
                self.opening.started.get_or_insert(step.hub);
            }
            match *effect {
                Effect::MoveCompleted { side, moves } => {
                    let at = step.hub;
                    self.changes.push(Change::Press { side, moves, at });
                    self.rulings.on_press(side);
                }
                Effect::FlagFell { side, .. } => {
                    let text = format!("{}'s flag fell", capital(side));
                    let mut fell = told::by_itself(step.hub, ChangeKind::FlagFell, text);
                    fell.set_side(to_proto::side(side));
                    self.changes.decide(fell);
                }
                Effect::Stopped => {
                    let text = "the players stopped the clocks";
                    let stopped = told::by_itself(step.hub, ChangeKind::ClocksStopped, text);
                    self.changes.decide(stopped);
                }
                Effect::Ended { result: Some(_) } | Effect::Restored if is_command(step) => {
                    self.rulings.on_end();
                }
                Effect::Ended { result } if !is_command(step) => {
                    self.rulings.on_end();
                    let result = result.map(|result| result.to_string());
                    let with = result
                        .as_ref()
                        .map_or("without a result".to_owned(), |result| {
                            format!("with {result}")
                        });
                    let text = format!("the game ended {with}");
                    let mut ended = told::by_itself(step.hub, ChangeKind::GameEnded, text);
                    ended.name = result.unwrap_or_default();
                    self.changes.decide(ended);
                }
                Effect::Started { .. } if !is_command(step) => {
                    let text = "the game was started";
                    let started = told::by_itself(step.hub, ChangeKind::Started, text);
                    self.changes.decide(started);
                }
                Effect::PeriodEntered { .. } | Effect::AllotmentEntered { .. } => {
                    self.changes.push(Change::Period(step.hub));
                }
                Effect::Ended { .. }
                | Effect::Started { .. }
                | Effect::PressIgnored { .. }
                | Effect::Paused
                | Effect::Resumed { .. }
                | Effect::Edited { .. }
                | Effect::FlagCalled { .. }
                | Effect::Prepared
                | Effect::Restored
                | Effect::ButtonsChanged { .. }
                | Effect::ControlChanged => (),
            }
        }
    }

    pub(crate) fn before(&self, event: EventSeq) -> Option<Snapshot> {
        let history = &self.history;
        catch_unwind(AssertUnwindSafe(|| history.before(event)))
            .ok()
            .flatten()
    }

    /// Returns `command`. If it starts a game of Time Chess without naming a side, returns a start with Black to move
    /// first.
    pub(crate) fn start_by_rules(&self, command: Command) -> Command {
        if command == Command::Start(None) && self.has_time_chess_rules() {
            return Command::Start(Some(Side::Black));
        }
        command
    }

    /// Returns `rule`, or, for Time Chess, [`StartRule::Arbiter`]: Black moves first, so a press must not start White's
    /// clock.
    pub(crate) fn start_rule_for(&self, rule: StartRule) -> StartRule {
        match self.has_time_chess_rules() {
            true => StartRule::Arbiter,
            false => rule,
        }
    }

    /// Returns the instant of the next flag fall if there are no further presses.
    pub(crate) fn flag_deadline(&self) -> Option<Instant<BoardTime>> {
        if !self.runs() || self.fault.is_some() {
            return None;
        }
        let clock = self.clock();
        flag_in(&clock.plan(clock.now())).map(|(at, _)| at)
    }

    /// Limits `wanted` to the range from the settled time to just before the next flag fall. Only a clock can confirm a
    /// flag fall, so an outage must not cause one.
    pub(crate) fn short_of_flag(&self, wanted: Instant<BoardTime>) -> Instant<BoardTime> {
        let latest = self
            .flag_deadline()
            .map_or(Instant::MAX, |flag| flag - Duration::MICROSECOND);
        wanted.min(latest).max(self.clock().now())
    }

    /// Makes the hub the keeper of the time from `hub` on. `at` is the same instant on the previous timeline.
    pub(crate) fn take_over(&mut self, at: Instant<BoardTime>, hub: Instant<Hub>) {
        let settle = self.short_of_flag(at);
        for step in [
            ClockStep::TimePassed(settle),
            ClockStep::Moved(Instant::from_micros(hub.as_micros())),
        ] {
            // Settling and moving are never refused; the step has stored any fault.
            let _ = self.step(GameStep::new(hub, step), None);
        }
        self.keeper = Keeper::Hub { adoption: None };
    }
}

pub(crate) fn flag_in(plan: &timing::Plan) -> Option<(Instant<BoardTime>, Side)> {
    let first = plan.segments.first()?;
    plan.segments.iter().skip(1).find_map(|segment| {
        let fell = |before: Allotment, after: Allotment| {
            before != Allotment::Flagged && after == Allotment::Flagged
        };
        if fell(first.white_phase, segment.white_phase) {
            Some((segment.from, Side::White))
        } else if fell(first.black_phase, segment.black_phase) {
            Some((segment.from, Side::Black))
        } else {
            None
        }
    })
}

fn setup_of(step: &GameStep) -> Option<Setup> {
    if let ClockStep::Command { command, .. } = &step.step
        && let Command::Prepare(setup) = &**command
    {
        return Some(setup.clone());
    }
    None
}

fn is_command(step: &GameStep) -> bool {
    matches!(step.step, ClockStep::Command { .. })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "the clock's engine panicked".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use timing::{Button, StartRule};

    use super::*;

    fn board(name: &str) -> Board {
        let setup = Setup {
            control: "5m".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        Board::new(name.parse().unwrap(), setup)
    }

    fn command(text: &str, at: i64) -> GameStep {
        GameStep {
            event: None,
            command: None,
            hub: Instant::from_micros(at),
            step: ClockStep::command(Instant::from_micros(at), text.parse().unwrap()),
        }
    }

    #[test]
    fn a_panic_affects_only_its_own_board() {
        let (mut one, mut other) = (board("1"), board("2"));
        for board in [&mut one, &mut other] {
            assert!(matches!(
                board.step(command("start", 10), None),
                Stepped::Applied(..)
            ));
        }
        let press = GameStep {
            event: Some(EventSeq(3)),
            command: None,
            hub: Instant::from_micros(20),
            step: ClockStep::fact(Instant::from_micros(20), Fact::Pressed(Button::Left)),
        };
        let failed = one.step_with(press.clone(), None, |_, _| panic!("impossible period"));
        assert!(matches!(failed, Stepped::Faulted(why) if why == "impossible period"));
        // The failed clock gets no further steps, and its state is not used.
        assert!(matches!(one.step(press.clone(), None), Stepped::Faulted(_)));
        assert_eq!(one.flag_deadline(), None);
        assert!(matches!(other.step(press, None), Stepped::Applied(..)));
        // A new game clears the fault, though the failed clock still reports that it runs.
        let _ = one.step(command("end draw", 30), None);
        assert!(one.fault.is_some());
        assert!(matches!(
            one.step(command("prepare left arbiter 3m+2s", 40), None),
            Stepped::Applied(..)
        ));
        assert_eq!(one.fault, None);
    }
}
