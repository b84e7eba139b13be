//! The arbiter's commands to a game, and the rules by which the game refuses them.

use super::{Game, State};
use crate::command::{Ending, GameCommand};
use crate::method::{Bonus, Flow, TripleBlock};
use crate::phase::{PausedBy, Phase};
use crate::player_clock::{Flag, TimeKind};
use crate::time_control::{Length, SideControl, TimeControl};
use crate::{Duration, Effect, Effects, GameResult, Instant, Rejection, Side, Timeline};

impl<T: Timeline> Game<T> {
    /// Applies an arbiter's command at `now`.
    ///
    /// # Errors
    /// Returns the rule that refuses the command. The game is then unchanged, and the time up to `now` is not settled.
    pub fn on_command(
        &mut self,
        now: Instant<T>,
        command: GameCommand,
    ) -> Result<Effects<T>, Rejection> {
        let mut effects = Effects::default();
        let mut next = self.state;
        next.command(&self.control, now, command, &mut effects)?;
        self.state = next;
        Ok(effects)
    }

    /// Checks that [`Game::on_command`] would accept the command; changes nothing.
    ///
    /// # Errors
    /// Returns the rule by which [`Game::on_command`] would refuse the command.
    pub fn check(&self, now: Instant<T>, command: GameCommand) -> Result<(), Rejection> {
        let mut copy = self.state;
        copy.command(&self.control, now, command, &mut Effects::default())
    }

    /// Continues under a different time control from `now` on. In a game in progress, the move counts and positive times in hand stay, and the new
    /// control determines each side's period. Before the start, the clocks are set as for a new game.
    ///
    /// # Errors
    /// Returns an error if the game has a result, or if time is already settled beyond `now`.
    pub(crate) fn change_control(
        &mut self,
        now: Instant<T>,
        control: &TimeControl,
    ) -> Result<Effects<T>, Rejection> {
        let mut effects = Effects::default();
        let mut next = self.state;
        next.settle_for_command(&self.control, now, &mut effects)?;
        match next.phase {
            Phase::Over { .. } => return Err(Rejection::GameOver),
            Phase::Ready => next.clocks = Self::new(control.clone()).state.clocks,
            Phase::Running { .. } | Phase::Paused { .. } => {
                for side in Side::BOTH {
                    next.carry_over(side, self.control.side(side), control.side(side));
                }
            }
        }
        self.control = control.clone();
        self.state = next;
        effects.push(Effect::ControlChanged);
        Ok(effects)
    }

    /// Sets the settled instant to `now`. A game in progress is then paused, as if by an arbiter.
    pub(crate) fn stop_at(&mut self, now: Instant<T>) {
        if let Phase::Running { mover: next } | Phase::Paused { next, .. } = self.state.phase {
            self.state.phase = Phase::Paused {
                next,
                since: now,
                by: PausedBy::Arbiter,
            };
        }
        self.state.settled = now;
    }
}

impl<T: Timeline> State<T> {
    fn settle_for_command(
        &mut self,
        control: &TimeControl,
        now: Instant<T>,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        if now < self.settled {
            return Err(Rejection::Late);
        }
        self.settle(control, now, effects);
        Ok(())
    }

    fn command(
        &mut self,
        control: &TimeControl,
        now: Instant<T>,
        command: GameCommand,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        self.settle_for_command(control, now, effects)?;
        if let GameCommand::End(ending) = command {
            return self.on_ending(now, ending, effects);
        }
        if let Phase::Over { .. } = self.phase {
            return Err(Rejection::GameOver);
        }
        match command {
            GameCommand::Start(side) => self.start(side.unwrap_or(Side::White), effects)?,
            GameCommand::Pause => self.pause(now, effects)?,
            GameCommand::Resume(side) => self.resume(side, effects)?,
            GameCommand::Set { side, to } => self.set(control.side(side), side, to, effects)?,
            GameCommand::Add { side, by } => self.add(control.side(side), side, by, effects)?,
            GameCommand::Moves { side, to } => self.count_moves(side, to, effects),
            GameCommand::Refill { side, amount } => {
                self.refill(control.side(side), side, amount, effects)?
            }
            GameCommand::ClaimDraw(side) => self.claim_draw(control, side, effects)?,
            GameCommand::End(_) => (),
        }
        // If a clock starts or resumes without time, its flag falls immediately.
        self.settle(control, now, effects);
        Ok(())
    }

    /// Starts a game that has not started (FIDE 6.6).
    fn start(&mut self, side: Side, effects: &mut Effects<T>) -> Result<(), Rejection> {
        match self.phase {
            Phase::Ready => {
                self.phase = Phase::Running { mover: side };
                effects.push(Effect::Started { side });
                Ok(())
            }
            Phase::Running { .. } | Phase::Paused { .. } => Err(Rejection::AlreadyStarted),
            Phase::Over { .. } => Err(Rejection::GameOver),
        }
    }

    /// Stops both clocks for an arbiter (FIDE 6.11).
    fn pause(&mut self, now: Instant<T>, effects: &mut Effects<T>) -> Result<(), Rejection> {
        match self.phase {
            Phase::Running { mover } => {
                self.phase = Phase::Paused {
                    next: mover,
                    since: now,
                    by: PausedBy::Arbiter,
                };
                effects.push(Effect::Paused);
                Ok(())
            }
            Phase::Ready | Phase::Paused { .. } => Err(Rejection::NotRunning),
            Phase::Over { .. } => Err(Rejection::GameOver),
        }
    }

    /// Restarts the clock of `side`, or else of the player to move, when the arbiter decides (FIDE 6.11.3). The delay does not restart, because a
    /// move begins with a press.
    fn resume(&mut self, side: Option<Side>, effects: &mut Effects<T>) -> Result<(), Rejection> {
        match self.phase {
            Phase::Paused { next, .. } => {
                let mover = side.unwrap_or(next);
                self.phase = Phase::Running { mover };
                effects.push(Effect::Resumed { side: mover });
                Ok(())
            }
            Phase::Ready => Err(Rejection::NotStarted),
            Phase::Running { .. } => Err(Rejection::Running),
            Phase::Over { .. } => Err(Rejection::GameOver),
        }
    }

    /// Sets the time in hand (FIDE 6.10.2). The current move gets its whole delay again.
    fn set(
        &mut self,
        control: &SideControl,
        side: Side,
        to: Duration,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        let clock = &self.clocks[side];
        let shown = match clock.time_kind {
            TimeKind::Main => clock.period_of(control).bonus.shown(),
            TimeKind::ByoYomi { .. }
            | TimeKind::Canadian { .. }
            | TimeKind::Extra
            | TimeKind::Grace
            | TimeKind::Overtime => Duration::ZERO,
        };
        self.edit(control, side, to + shown, effects)?;
        self.clocks[side].used = Duration::ZERO;
        Ok(())
    }

    /// Adds time, or subtracts it if `by` is negative (FIDE 6.10.2, 7.5.5, 12.9). The delay of the current move stays as it is.
    fn add(
        &mut self,
        control: &SideControl,
        side: Side,
        by: Duration,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        self.edit(control, side, self.clocks[side].time + by, effects)
    }

    /// Sets the time on the clock, including a Bronstein delay. This lifts a fallen flag.
    fn edit(
        &mut self,
        control: &SideControl,
        side: Side,
        time: Duration,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        if matches!(control.period(0).bonus, Bonus::TripleBlock(_)) {
            return Err(Rejection::TripleBlock);
        }
        let clock = &mut self.clocks[side];
        if !time.is_positive() && clock.time_kind != TimeKind::Overtime {
            return Err(Rejection::NoTimeLeft);
        }
        clock.time = time;
        if clock.flag == Flag::Down {
            clock.flag = Flag::Up;
            // After extra time or grace, the flag that fell was the second: the first stays recorded.
            let was_last_time = !matches!(clock.time_kind, TimeKind::Extra | TimeKind::Grace);
            if was_last_time && self.first_flag == Some(side) {
                self.first_flag = None;
            }
        }
        effects.push(Effect::Edited { side });
        Ok(())
    }

    /// Corrects the number of completed moves (FIDE 6.10.2). No time changes.
    fn count_moves(&mut self, side: Side, to: u32, effects: &mut Effects<T>) {
        let clock = &mut self.clocks[side];
        let change = i64::from(to) - i64::from(clock.moves);
        let counted = (i64::from(clock.counted) + change).clamp(0, i64::from(u32::MAX));
        clock.moves = to;
        // Cannot fail after the `clamp`.
        clock.counted = u32::try_from(counted).unwrap_or(u32::MAX);
        effects.push(Effect::Edited { side });
    }

    /// Moves time from the bank to the clock (ICCF Triple Block d, 5 and 7).
    fn refill(
        &mut self,
        control: &SideControl,
        side: Side,
        amount: Option<Duration>,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        if control.triple_block().is_none() {
            return Err(Rejection::NoBank);
        }
        match self.phase {
            Phase::Ready => return Err(Rejection::NotStarted),
            Phase::Over { .. } => return Err(Rejection::GameOver),
            Phase::Running { mover: on_move } | Phase::Paused { next: on_move, .. }
                if on_move != side =>
            {
                return Err(Rejection::NotOnMove);
            }
            Phase::Running { .. } | Phase::Paused { .. } => (),
        }
        let clock = &mut self.clocks[side];
        if clock.flag == Flag::Down {
            return Err(Rejection::FlagDown);
        }
        if !TripleBlock::refillable(clock, amount).is_positive() {
            return Err(Rejection::NothingToRefill);
        }
        TripleBlock::refill(clock, amount);
        effects.push(Effect::Edited { side });
        Ok(())
    }

    /// Accepts or refuses a claim under the double flag. A player with main time left may claim a draw once the opponent has entered extra time.
    fn claim_draw(
        &mut self,
        control: &TimeControl,
        side: Side,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        if !control.has_double_flag() {
            return Err(Rejection::NoDoubleFlag);
        }
        let (own, other) = (&self.clocks[side], &self.clocks[side.other()]);
        let has_main_time = own.flag == Flag::Up && own.time_kind == TimeKind::Main;
        if !(has_main_time && other.time_kind == TimeKind::Extra) {
            return Err(Rejection::NoDrawRight);
        }
        self.end(GameResult::Draw, effects);
        Ok(())
    }

    fn on_ending(
        &mut self,
        now: Instant<T>,
        ending: Ending,
        effects: &mut Effects<T>,
    ) -> Result<(), Rejection> {
        let result = match ending {
            Ending::Result(Some(result)) => result,
            Ending::Result(None) => return self.lift_result(now, effects),
            Ending::Mate(_) | Ending::Resign(_) | Ending::Draw
                if matches!(self.phase, Phase::Over { .. }) =>
            {
                return Err(Rejection::GameOver);
            }
            // Under the double flag, a checkmate by a player in extra time is only a draw.
            Ending::Mate(side) if self.clocks[side].time_kind == TimeKind::Extra => {
                GameResult::Draw
            }
            Ending::Mate(side) => GameResult::win(side),
            Ending::Resign(side) => GameResult::win(side.other()),
            Ending::Draw => GameResult::Draw,
        };
        self.end(result, effects);
        Ok(())
    }

    fn lift_result(&mut self, now: Instant<T>, effects: &mut Effects<T>) -> Result<(), Rejection> {
        match self.phase {
            Phase::Over { next, .. } => {
                self.phase = match next {
                    Some(next) => Phase::Paused {
                        next,
                        since: now,
                        by: PausedBy::Arbiter,
                    },
                    None => Phase::Ready,
                };
                effects.push(Effect::Ended { result: None });
                Ok(())
            }
            Phase::Ready | Phase::Running { .. } | Phase::Paused { .. } => Err(Rejection::NoResult),
        }
    }

    fn carry_over(&mut self, side: Side, old: &SideControl, new: &SideControl) {
        let clock = &mut self.clocks[side];
        let (period, counted) = place_in(new, clock.moves, clock.period);
        let old_shown = clock.period_of(old).bonus.shown();
        (clock.period, clock.counted) = (period, counted);
        if !(new.is_last(period) && new.reserve().allows(clock.time_kind)) {
            clock.time_kind = TimeKind::Main;
        }
        if clock.flag == Flag::Up && clock.time_kind == TimeKind::Main {
            let shown = clock.time - old_shown + new.period(period).bonus.shown();
            if shown.is_positive() {
                clock.time = shown;
            }
            // In main time, a clock that counts down must have time left, and a clock that counts up must not be negative.
            match new.period(period).flow {
                Flow::Up => clock.time = clock.time.or_zero(),
                Flow::Down | Flow::Hourglass if clock.time.is_positive() => (),
                Flow::Down | Flow::Hourglass => clock.fall(),
            }
        }
        if !clock.has_fallen() && self.first_flag == Some(side) {
            self.first_flag = None;
        }
        clock.bank = match (new.triple_block(), old.triple_block()) {
            (Some(_), Some(_)) => clock.bank,
            (Some(triple), None) => triple.bank,
            (None, _) => Duration::ZERO,
        };
    }
}

/// Returns the current period's index in `control`, and the moves counted in it. The side has completed `moves` moves and has entered period
/// `entered`.
fn place_in(control: &SideControl, moves: u32, entered: u32) -> (u32, u32) {
    let (mut index, mut counted) = (0, moves);
    while !control.is_last(index) {
        match control.period(index).length {
            Length::Moves(needed) if counted >= needed => counted -= needed,
            // A period that ends when a clock reaches zero does not depend on moves: the side remains in the one that it has entered.
            Length::ByZero if index < entered => (),
            Length::Moves(_) | Length::ByZero | Length::ToTheEnd => return (index, counted),
        }
        index += 1;
    }
    match control.period(index).length {
        Length::Moves(needed) => (index, counted % needed.max(1)),
        Length::ByZero | Length::ToTheEnd => (index, counted),
    }
}
