//! One game on one clock, with its list of moves. The same code is used in live play, on replay and when a restore
//! computes a game again. Defines the order of steps and the time used for a move; knows no agents, orders or
//! protocols.

use std::collections::VecDeque;

use proto::ids::{CommandId, EventSeq};
use timing::{
    Board, BoardClock, BoardState, ClockStep, Command, Duration, Effect, Effects, Hub, Instant,
    Rejection, Side, Snapshot,
};

use crate::recent::push_recent;
use crate::view::{self, PressLine};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameStep {
    pub(crate) event: Option<EventSeq>,
    pub(crate) command: Option<CommandId>,
    /// Estimated hub instant of the step.
    pub(crate) hub: Instant<Hub>,
    pub(crate) step: ClockStep,
}

impl GameStep {
    pub(crate) fn new(hub: Instant<Hub>, step: ClockStep) -> Self {
        Self {
            event: None,
            command: None,
            hub,
            step,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Play {
    pub(crate) clock: BoardClock,
    /// The newest completed moves, oldest first; at most `keep` of them.
    pub(crate) lines: VecDeque<PressLine>,
    pub(crate) turn: Turn,
    keep: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Time used for the current move before `since`, or all of it while the clocks are stopped.
    pub(crate) used: Duration,
    /// The instant since which the mover's clock has been running; `None` while the clocks are stopped.
    pub(crate) since: Option<Instant<Board>>,
}

impl Play {
    pub(crate) fn new(clock: BoardClock, keep: usize) -> Self {
        Self {
            clock,
            lines: VecDeque::new(),
            turn: Turn::default(),
            keep,
        }
    }

    pub(crate) fn step(&mut self, step: &GameStep) -> Result<Effects, Rejection> {
        let (on_move, from) = (self.clock.state().on_move(), self.clock.now());
        let effects = self.clock.apply(&step.step)?;
        match &step.step {
            ClockStep::Command { command, .. } => self.follow(command),
            ClockStep::Moved(to) if self.clock.now() == *to => {
                self.turn.since = self.turn.since.map(|since| *to + (since - from));
            }
            ClockStep::Moved(_) | ClockStep::Fact { .. } | ClockStep::TimePassed(_) => (),
        }
        if gives_back(on_move, &effects) {
            // The time used for the interrupted move does not count towards the corrected move.
            self.turn = Turn::default();
        }
        self.keep_count(step, &effects);
        Ok(effects)
    }

    fn follow(&mut self, command: &Command) {
        match command {
            Command::Prepare(_) => {
                self.lines.clear();
                self.turn = Turn::default();
            }
            Command::Restore(_) => {
                let clock = &self.clock;
                self.lines.retain(|line| {
                    let side = domain_side(line.side);
                    line.n <= clock.side(side, clock.now()).moves
                });
                self.turn = Turn::default();
            }
            // A sequence neither sets nor restores a game.
            Command::Sequence(_)
            | Command::Start(_)
            | Command::Pause
            | Command::Resume(_)
            | Command::Set { .. }
            | Command::Add { .. }
            | Command::Moves { .. }
            | Command::Refill { .. }
            | Command::End(_)
            | Command::ClaimDraw(_)
            | Command::CallFlag(_)
            | Command::WhiteIs(_)
            | Command::Swap
            | Command::ChangeControl(_) => (),
        }
    }

    fn keep_count(&mut self, step: &GameStep, effects: &Effects) {
        let now = self.clock.now();
        for effect in effects.iter() {
            if let Effect::MoveCompleted { side, moves } = *effect {
                let used = self.turn.until(now);
                self.turn = Turn::default();
                self.add_line(step, side, moves, used);
            }
        }
        let running = matches!(self.clock.state(), BoardState::Running { .. });
        match (running, self.turn.since) {
            (true, None) => self.turn.since = Some(now),
            (false, Some(_)) => {
                self.turn.used = self.turn.until(now);
                self.turn.since = None;
            }
            (true, Some(_)) | (false, None) => (),
        }
    }

    fn add_line(&mut self, step: &GameStep, side: Side, moves: u32, used: Duration) {
        let line = PressLine {
            n: moves,
            side: view_side(side),
            at_us: step.hub.as_micros(),
            used_us: used.as_micros(),
            left_us: self.clock.side(side, self.clock.now()).time.as_micros(),
            event_seq: step.event.unwrap_or_default(),
        };
        push_recent(&mut self.lines, self.keep, line);
    }
}

impl Turn {
    pub(crate) fn until(&self, now: Instant<Board>) -> Duration {
        self.since
            .map_or(self.used, |since| self.used + (now - since).or_zero())
    }
}

/// The stored steps of a game, from which it can be computed again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct History {
    /// The clock before the first step.
    pub(crate) base: Snapshot,
    pub(crate) steps: VecDeque<GameStep>,
}

/// Maximum number of steps stored; the earliest steps of a longer game are dropped.
const MAX_STEPS: usize = 20_000;

impl History {
    pub(crate) fn new(clock: &BoardClock) -> Self {
        Self {
            base: clock.snapshot(),
            steps: VecDeque::new(),
        }
    }

    pub(crate) fn push(&mut self, step: GameStep) {
        if self.steps.len() >= MAX_STEPS {
            self.forget(MAX_STEPS / 2);
        }
        self.steps.push_back(step);
    }

    /// Drops the first `count` steps and moves the starting state past them.
    fn forget(&mut self, count: usize) {
        let Ok(clock) = BoardClock::from_snapshot(&self.base) else {
            return;
        };
        let mut play = Play::new(clock, 0);
        for step in self.steps.drain(..count.min(self.steps.len())) {
            // Cannot fail: the same clock has already accepted this step.
            let _ = play.step(&step);
        }
        self.base = play.clock.snapshot();
    }

    /// Returns the clock immediately before an event, with its time at that event's instant. Returns `None` if no
    /// stored step comes from that event.
    pub(crate) fn before(&self, before: EventSeq) -> Option<Snapshot> {
        let index = self
            .steps
            .iter()
            .rposition(|step| step.event == Some(before))?;
        let mut play = Play::new(BoardClock::from_snapshot(&self.base).ok()?, 0);
        for step in self.steps.iter().take(index) {
            // Cannot fail: see `forget`.
            let _ = play.step(step);
        }
        if let Some(at) = self.steps[index].step.at() {
            let _ = play.clock.pass_time(at);
        }
        Some(play.clock.snapshot())
    }

    pub(crate) fn presses(&self) -> Vec<PressLine> {
        let Ok(clock) = BoardClock::from_snapshot(&self.base) else {
            return Vec::new();
        };
        let mut play = Play::new(clock, usize::MAX);
        for step in &self.steps {
            // Cannot fail: see `forget`.
            let _ = play.step(step);
        }
        play.lines.into()
    }
}

/// Returns true if the clocks resumed for the side that was not to move.
fn gives_back(on_move: Option<Side>, effects: &Effects) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Resumed { side } if on_move != Some(*side)))
}

pub(crate) fn view_side(side: Side) -> view::Side {
    match side {
        Side::White => view::Side::White,
        Side::Black => view::Side::Black,
    }
}

pub(crate) fn domain_side(side: view::Side) -> Side {
    match side {
        view::Side::White => Side::White,
        view::Side::Black => Side::Black,
    }
}
