//! A game with its clocks, where the press advances the day.
//!
//! Owns the order of move, press and clock. Callers pass the time as an argument. A fallen flag has no effect until it
//! is called (FIDE 6.8).

use shakmaty::Color;
use timing::{
    Button, Duration, Effect, Effects, Ending, GameCommand, GameResult, Instant, Rejection,
    RulesVersion, Side, TimeControl, Timeline,
};

use crate::{Attempt, Game, Outcome, Phase, Position, Reason, Refusal, Turn};

/// A game of Time Chess under any time control, on timeline `T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedGame<T: Timeline> {
    game: Game,
    clocks: timing::Game<T>,
}

/// The effect of a press on the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Press<T: Timeline> {
    /// The press completed the turn, and the day has advanced to this phase.
    Advanced(Phase, Effects<T>),
    /// The player to move pressed without a move (FIDE 7.5.3). The press changes neither clocks nor day, and an arbiter
    /// decides.
    WithoutMove(Effects<T>),
    /// The clock ignored the press. The effects state the reason.
    Ignored(Effects<T>),
}

/// The reason why a request about a timed game has no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum TimedRefusal {
    #[error("{0}")]
    Game(#[from] Refusal),
    #[error("{0}")]
    Clocks(#[from] Rejection),
    #[error("the clocks are stopped: start or resume them first")]
    Stopped,
    /// The flag has not fallen, or the other flag fell first.
    #[error("the flag has not fallen")]
    NoFlag,
}

impl<T: Timeline> TimedGame<T> {
    /// Prepares a game from a position.
    pub fn new(start: Position, control: TimeControl) -> Self {
        Self {
            game: Game::new(start),
            clocks: timing::Game::new(control),
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the clocks.
    pub fn clocks(&self) -> &timing::Game<T> {
        &self.clocks
    }

    /// Returns the side's time in hand at `now`.
    pub fn remaining(&self, side: Side, now: Instant<T>) -> Duration {
        let plan = self.clocks.plan(now);
        let first = plan.segments.first();
        first.map_or(Duration::ZERO, |segment| match side {
            Side::White => segment.white,
            Side::Black => segment.black,
        })
    }

    /// Starts the clock of the player to move: Black's at dawn.
    ///
    /// # Errors
    /// Returns the clocks' rejection, for example of a second start.
    pub fn start(&mut self, now: Instant<T>) -> Result<Effects<T>, TimedRefusal> {
        let first = side_of(self.game.position().mover());
        let start = GameCommand::Start(Some(first));
        Ok(self.clocks.on_command(now, start)?)
    }

    /// Makes the move of this turn at `now`. A move that ends the game stops the clocks; any other move waits for the
    /// press.
    ///
    /// # Errors
    /// Refuses a move while the clocks are stopped, and any move that [`Game::play`] refuses.
    pub fn play(
        &mut self,
        now: Instant<T>,
        attempt: Attempt,
    ) -> Result<(Turn, Effects<T>), TimedRefusal> {
        if self.clocks.running().is_none() && self.game.outcome().is_none() {
            return Err(TimedRefusal::Stopped);
        }
        let turn = self.game.play(attempt)?;
        let effects = match self.game.outcome() {
            Some(outcome) => self.end_clocks(now, outcome)?,
            None => self.clocks.pass_time(now),
        };
        Ok((turn, effects))
    }

    /// Applies a press at `now`. After a move, even a forfeited one, the mover's press charges the time and advances
    /// the day.
    pub fn on_press(&mut self, now: Instant<T>, side: Side, button: Button) -> Press<T> {
        let is_mover = self.clocks.running() == Some(side);
        if is_mover && !self.game.is_moved() && self.game.outcome().is_none() {
            return Press::WithoutMove(self.clocks.pass_time(now));
        }
        let clocks = &mut self.clocks;
        let effects = clocks.on_press(RulesVersion::LATEST, now, side, button);
        let completes = |effect: &Effect<T>| matches!(effect, Effect::MoveCompleted { .. });
        if !effects.iter().any(completes) {
            return Press::Ignored(effects);
        }
        match self.game.press() {
            Ok(phase) => Press::Advanced(phase, effects),
            Err(_) => Press::Ignored(effects),
        }
    }

    /// Calls the flag of a side at `now`: the side loses, or draws if the opponent has a bare king (FIDE 6.9).
    ///
    /// # Errors
    /// Refuses a flag that has not fallen or was not the first to fall, and a game that is over.
    pub fn call_flag(&mut self, now: Instant<T>, side: Side) -> Result<Outcome, TimedRefusal> {
        let mut clocks = self.clocks.clone();
        let _ = clocks.pass_time(now);
        if clocks.first_flag() != Some(side) {
            return Err(TimedRefusal::NoFlag);
        }
        let winner = !color_of(side);
        let is_bare = self.game.latest().board().by_color(winner).count() == 1;
        let outcome = match is_bare {
            true => Outcome::draw(Reason::FlagFall),
            false => Outcome::win(winner, Reason::FlagFall),
        };
        let _ = self.conclude(now, outcome)?;
        Ok(outcome)
    }

    /// Ends the game and its clocks at `now` for a reason that does not follow from the rules alone.
    ///
    /// # Errors
    /// Refuses an outcome that only the rules decide, a game that is over, and an end that the clocks reject.
    pub fn conclude(
        &mut self,
        now: Instant<T>,
        outcome: Outcome,
    ) -> Result<Effects<T>, TimedRefusal> {
        let mut next = self.clone();
        next.game.conclude(outcome)?;
        let effects = next.end_clocks(now, outcome)?;
        *self = next;
        Ok(effects)
    }

    fn end_clocks(&mut self, now: Instant<T>, outcome: Outcome) -> Result<Effects<T>, Rejection> {
        // Under the double flag, a checkmate by a player in extra time is a draw, so the clocks decide the result.
        let ending = match (outcome.winner.map(side_of), outcome.reason) {
            (Some(winner), Reason::Checkmate) => Ending::Mate(winner),
            (Some(winner), Reason::Resignation) => Ending::Resign(winner.other()),
            (Some(winner), _) => Ending::Result(Some(GameResult::win(winner))),
            (None, Reason::FlagFall) => Ending::Result(Some(GameResult::Draw)),
            (None, _) => Ending::Draw,
        };
        self.clocks.on_command(now, GameCommand::End(ending))
    }
}

/// Returns a player's side on the clock.
pub fn side_of(player: Color) -> Side {
    match player {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// Returns the player on a side of the clock.
pub fn color_of(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}
