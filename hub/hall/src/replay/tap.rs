//! The tap on a board's clock during a replay: records every step, and changes the steps as a supposition requires.

use std::mem;

use proto::ids::{CommandId, EventSeq};
use timing::{
    BoardClock, BoardState, ClockStep, Command, Effect, Effects, Rejection, RulesVersion, Side,
    Snapshot, TimeControl,
};

use super::supposition::Added;
use crate::board::Stepped;
use crate::play::{GameStep, Play};
use crate::view::PressLine;

/// Sender name of a step that exists only under a supposition.
pub(crate) const SUPPOSED: &str = "what if";

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tap {
    taken: Vec<Taken>,
    changes: StepChanges,
    /// The clock just before each press and stop that a clock reported, with the number of that event.
    facts: Vec<(EventSeq, Snapshot)>,
    restores: Vec<Restore>,
}

/// A restore command, and the event just before which the clock had the restored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Restore {
    pub(crate) command: CommandId,
    pub(crate) before: EventSeq,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StepChanges {
    pub(crate) without: Vec<Omitted>,
    pub(crate) control: Option<TimeControl>,
    pub(crate) rules: Option<RulesVersion>,
    /// The restores of the actual game. Each restore sets the supposed clock back to its state before the same event.
    pub(crate) restores: Vec<Restore>,
    /// Additions that are not due yet.
    pub(crate) add: Vec<Added>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Omitted {
    Command(CommandId),
    /// A correction at the clock itself, identified by the event that reported it.
    Event(EventSeq),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) step: GameStep,
    pub(crate) by: Option<String>,
    pub(crate) before: BoardClock,
    pub(crate) outcome: StepOutcome,
    pub(crate) line: Option<PressLine>,
    pub(crate) after: BoardClock,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StepOutcome {
    Applied(Effects),
    Refused(Rejection),
    Faulted(String),
}

impl Tap {
    pub(crate) fn new(changes: StepChanges) -> Self {
        Self {
            taken: Vec::new(),
            changes,
            facts: Vec::new(),
            restores: Vec::new(),
        }
    }

    pub(crate) fn restores(&self) -> &[Restore] {
        &self.restores
    }

    /// Returns the state to which a restore sets the clock under the supposition.
    fn restored(&self, command: Option<CommandId>) -> Option<&Snapshot> {
        let mut restores = self.changes.restores.iter();
        let restore = restores.find(|restore| Some(restore.command) == command)?;
        let mut facts = self.facts.iter().rev();
        let (_, clock) = facts.find(|(event, _)| *event == restore.before)?;
        Some(clock)
    }

    /// Stores the clock just before a fact. For a restore, stores the fact just before which the clock had the restored
    /// state.
    fn remember(&mut self, before: &BoardClock, step: &GameStep) {
        match (&step.step, step.event) {
            (ClockStep::Fact { at, .. }, Some(event)) => {
                let mut clock = before.clone();
                // A fact from the past leaves the clock unchanged.
                let _ = clock.pass_time(*at);
                self.facts.push((event, clock.snapshot()));
            }
            (ClockStep::Command { command, .. }, _) => {
                let Command::Restore(to) = &**command else {
                    return;
                };
                let fact = self.facts.iter().rev().find(|(_, clock)| clock == &**to);
                if let (Some(command), Some((before, _))) = (step.command, fact) {
                    let before = *before;
                    self.restores.push(Restore { command, before });
                }
            }
            (ClockStep::Fact { .. } | ClockStep::TimePassed(_) | ClockStep::Moved(_), _) => (),
        }
    }

    pub(crate) fn drain(&mut self) -> Vec<Taken> {
        mem::take(&mut self.taken)
    }

    pub(crate) fn changes(&self) -> &StepChanges {
        &self.changes
    }

    /// Returns the step as the supposition changes it. An omitted action becomes a step that only lets time pass.
    pub(crate) fn supposed(&self, mut step: GameStep) -> GameStep {
        let changes = &self.changes;
        match &mut step.step {
            ClockStep::Command { at, command } => {
                let omitted = changes.without.iter().any(|omitted| match omitted {
                    Omitted::Command(id) => step.command == Some(*id),
                    Omitted::Event(seq) => step.command.is_none() && step.event == Some(*seq),
                });
                let id = step.command;
                match (&mut **command, &changes.control) {
                    (Command::Restore(to), _) if !omitted => {
                        if let Some(supposed) = self.restored(id) {
                            (**to).clone_from(supposed);
                        }
                    }
                    (_, _) if omitted => step.step = ClockStep::TimePassed(*at),
                    (Command::Prepare(setup), Some(control)) => setup.control = control.clone(),
                    (Command::ChangeControl(_), Some(_)) => step.step = ClockStep::TimePassed(*at),
                    (_, _) => (),
                }
            }
            ClockStep::Fact { rules, .. } => *rules = changes.rules.unwrap_or(*rules),
            ClockStep::TimePassed(_) | ClockStep::Moved(_) => (),
        }
        step
    }

    pub(crate) fn record_step(
        &mut self,
        before: BoardClock,
        step: &GameStep,
        by: Option<&str>,
        stepped: &Stepped,
        play: &Play,
    ) {
        let (outcome, line) = match stepped {
            Stepped::Applied(effects, _) => {
                let moved = effects
                    .iter()
                    .any(|effect| matches!(effect, Effect::MoveCompleted { .. }));
                let line = play.lines.back().filter(|_| moved).copied();
                (StepOutcome::Applied(effects.clone()), line)
            }
            Stepped::Refused(why) => (StepOutcome::Refused(*why), None),
            Stepped::Faulted(why) => (StepOutcome::Faulted(why.clone()), None),
        };
        self.remember(&before, step);
        self.taken.push(Taken {
            step: step.clone(),
            by: by.map(str::to_owned),
            before,
            outcome,
            line,
            after: play.clock.clone(),
        });
    }

    /// Removes and returns the supposed action whose turn has begun with `step`, if there is one.
    pub(crate) fn due(&mut self, step: &GameStep, clock: &BoardClock) -> Option<GameStep> {
        let BoardState::Running { mover } = clock.state() else {
            return None;
        };
        let begun = |side: Side| clock.side(side, clock.now()).moves + 1;
        let due =
            self.changes.add.iter().position(|added| {
                added.before.side == mover && added.before.number == begun(mover)
            })?;
        let added = self.changes.add.remove(due);
        let command = ClockStep::command(clock.now(), added.command);
        Some(GameStep::new(step.hub, command))
    }
}
