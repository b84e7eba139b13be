//! Applies steps to the clock of a board: facts, commands, the passing of time, and moves to another timeline. Also checks commands in advance, and
//! converts the clock to and from snapshots.

use super::{BoardClock, Called, FlagView};
use crate::command::GameCommand;
use crate::phase::Phase;
use crate::player_clock::Flag;
use crate::{
    Board, ClockStep, Command, Effect, Effects, Fact, Instant, Rejection, RulesVersion, Side,
    Snapshot, SnapshotError, StartRule,
};

impl BoardClock {
    /// Applies a step. Hub and agent apply the same steps with this function, so both reach the same state.
    ///
    /// # Errors
    /// Returns the rule that refuses a command. The refused command then has no effect, but time passes up to its instant. So hub and agent agree
    /// even if only one of them had already settled that time.
    pub fn apply(&mut self, step: &ClockStep) -> Result<Effects, Rejection> {
        match step {
            ClockStep::Fact { at, fact, rules } => Ok(self.on_fact_under(*rules, *at, *fact)),
            ClockStep::Command { at, command } => {
                self.on_command(*at, command).inspect_err(|_| {
                    // A refusal returns no effects: any change caused by the passing of time is visible in the clock.
                    let _ = self.pass_time(*at);
                })
            }
            ClockStep::TimePassed(at) => Ok(self.pass_time(*at)),
            ClockStep::Moved(to) => {
                self.move_to(*to);
                Ok(Effects::default())
            }
        }
    }

    fn move_to(&mut self, to: Instant<Board>) {
        // Cannot fail: a valid clock is valid at every instant.
        if let Ok(moved) = Self::from_snapshot(&self.snapshot().moved_to(to)) {
            *self = moved;
        }
    }

    /// Applies a fact at `now` under the latest rules. Never fails: a press that is ignored yields
    /// [`Effect::PressIgnored`](crate::Effect::PressIgnored).
    pub fn on_fact(&mut self, now: Instant<Board>, fact: Fact) -> Effects {
        self.on_fact_under(RulesVersion::LATEST, now, fact)
    }

    fn on_fact_under(&mut self, rules: RulesVersion, now: Instant<Board>, fact: Fact) -> Effects {
        match fact {
            Fact::Pressed(button) => {
                let side = self.side_of(button);
                let starts = (self.start, side, self.game.phase())
                    == (StartRule::BlackPress, Side::Black, Phase::Ready);
                if starts
                    && let Ok(effects) = self
                        .game
                        .on_command(now, GameCommand::Start(Some(Side::White)))
                {
                    return effects;
                }
                self.game.on_press(rules, now, side, button)
            }
            Fact::Stopped => self.game.on_stop(now),
        }
    }

    /// Lets time pass up to `now`, and applies the deadlines until then. The caller must apply any earlier fact or command first.
    pub fn pass_time(&mut self, now: Instant<Board>) -> Effects {
        self.game.pass_time(now)
    }

    /// Applies an arbiter's request at `now`.
    ///
    /// # Errors
    /// Returns the rule that refuses the request. The clock is then unchanged, and the time up to `now` is not settled.
    pub fn on_command(
        &mut self,
        now: Instant<Board>,
        command: &Command,
    ) -> Result<Effects, Rejection> {
        match command.for_game() {
            Some(command) => {
                let effects = self.game.on_command(now, command)?;
                self.forget_lifted_flags();
                Ok(effects)
            }
            None => {
                let mut next = self.clone();
                let effects = next.on_board_command(now, command)?;
                *self = next;
                Ok(effects)
            }
        }
    }

    fn on_board_command(
        &mut self,
        now: Instant<Board>,
        command: &Command,
    ) -> Result<Effects, Rejection> {
        if let Command::ChangeControl(control) = command {
            let effects = self.game.change_control(now, control)?;
            self.forget_lifted_flags();
            return Ok(effects);
        }
        if let Command::Sequence(parts) = command {
            let mut effects = Effects::default();
            for part in parts {
                effects.extend(self.on_command(now, part)?);
            }
            return Ok(effects);
        }
        if now < self.game.now() {
            return Err(Rejection::Late);
        }
        let mut effects = self.pass_time(now);
        match command {
            Command::Prepare(setup) => match self.game.phase() {
                Phase::Running { .. } | Phase::Paused { .. } => {
                    return Err(Rejection::GameInProgress);
                }
                Phase::Ready | Phase::Over { .. } => {
                    *self = Self::new(setup.clone());
                    self.game.stop_at(now);
                    effects.push(Effect::Prepared);
                }
            },
            Command::Restore(snapshot) => {
                // The snapshot's buttons may be out of date: keep the current ones.
                *self = Self {
                    white: self.white,
                    ..snapshot.0.clone()
                };
                self.game.stop_at(now);
                effects.push(Effect::Restored);
            }
            Command::CallFlag(side) => {
                self.call_flag(*side)?;
                effects.push(Effect::FlagCalled { side: *side });
            }
            Command::WhiteIs(button) => {
                self.white = *button;
                effects.push(Effect::ButtonsChanged { white: self.white });
            }
            Command::Swap => {
                self.white = self.white.other();
                effects.push(Effect::ButtonsChanged { white: self.white });
            }
            // Handled above, or by the game.
            Command::Sequence(_)
            | Command::ChangeControl(_)
            | Command::Start(_)
            | Command::Pause
            | Command::Resume(_)
            | Command::Set { .. }
            | Command::Add { .. }
            | Command::Moves { .. }
            | Command::Refill { .. }
            | Command::End(_)
            | Command::ClaimDraw(_) => (),
        }
        Ok(effects)
    }

    /// Calls a fallen flag. FIDE 6.8: a flag is considered to have fallen when the arbiter observes it or a player makes a valid claim.
    fn call_flag(&mut self, side: Side) -> Result<(), Rejection> {
        match (self.game.phase(), self.flag(side)) {
            (Phase::Over { .. }, _) => Err(Rejection::GameOver),
            (_, FlagView::None) => Err(Rejection::FlagUp),
            (_, FlagView::Called) => Err(Rejection::AlreadyCalled),
            (_, FlagView::Fallen) => {
                self.called[side] = Called::Yes;
                Ok(())
            }
        }
    }

    fn forget_lifted_flags(&mut self) {
        for side in Side::BOTH {
            if self.game.state.clocks[side].flag == Flag::Up {
                self.called[side] = Called::Not;
            }
        }
    }

    /// Checks that [`BoardClock::on_command`] would accept the request; changes nothing.
    ///
    /// # Errors
    /// Returns the rule by which [`BoardClock::on_command`] would refuse the request.
    pub fn check(&self, now: Instant<Board>, command: &Command) -> Result<(), Rejection> {
        match command.for_game() {
            Some(command) => self.game.check(now, command),
            None => self.clone().on_board_command(now, command).map(|_| ()),
        }
    }

    /// Returns the complete state of the clock.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Returns the clock that a snapshot contains.
    ///
    /// # Errors
    /// Returns an error if the snapshot describes an impossible clock. This cannot happen for a snapshot that was read from bytes.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        snapshot.0.check_invariants()?;
        Ok(snapshot.0.clone())
    }
}
