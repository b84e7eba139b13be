//! A game: turns, presses, claims and the end.
//!
//! Owns the order of a turn: the player moves, then the press advances the day. Must never read a clock.

use shakmaty::{Board, Color, Square};

use crate::{Attempt, Outcome, Phase, Position, Reason, Refusal, Turn};

/// A game of Time Chess, as the arbiter knows it. Players and spectators get [`Game::view`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    position: Position,
    turns: Vec<Turn>,
    reached: Vec<Repeatable>,
    stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    ToMove,
    /// The move has been made. Holds the position of the next phase, which begins with the press.
    Moved(Box<Position>),
    Over(Outcome),
}

/// Everything that must be equal for two positions to be the same (FIDE 9.2.3), including the phase.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Repeatable {
    board: Board,
    rights: u64,
    en_passant: Option<Square>,
    phase: Phase,
}

impl Repeatable {
    fn of(position: &Position) -> Self {
        let can_capture = position.moves().iter().any(|m| m.is_en_passant());
        Self {
            board: position.board().clone(),
            rights: position.castling_rights().0,
            en_passant: position.en_passant().filter(|_| can_capture),
            phase: position.phase(),
        }
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}

impl Game {
    /// Starts a game from a position.
    pub fn new(start: Position) -> Self {
        let mut game = Self {
            position: start.clone(),
            turns: Vec::new(),
            reached: vec![Repeatable::of(&start)],
            stage: Stage::ToMove,
            start,
        };
        if let Some(outcome) = game.automatic_end(&game.position) {
            game.stage = Stage::Over(outcome);
        }
        game
    }

    /// Returns the position at the start of the game.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the position at the start of the current turn. In a finished game, this is the final position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the phase of the current turn.
    pub fn phase(&self) -> Phase {
        self.position.phase()
    }

    /// Returns the turns, with attempts and results.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the turns, each with its phase.
    pub fn turns_with_phase(&self) -> impl Iterator<Item = (Phase, &Turn)> {
        let phases = std::iter::successors(Some(self.start.phase()), |phase| Some(phase.next()));
        phases.zip(&self.turns)
    }

    /// Returns true if the move of this turn has been made and waits for the press.
    pub fn is_moved(&self) -> bool {
        matches!(self.stage, Stage::Moved(_))
    }

    /// Returns the outcome; `None` while the game continues.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Over(outcome) => Some(outcome),
            Stage::ToMove | Stage::Moved(_) => None,
        }
    }

    /// Returns the position on the board, which includes a move that waits for the press.
    pub(crate) fn latest(&self) -> &Position {
        match &self.stage {
            Stage::Moved(next) => next,
            Stage::ToMove | Stage::Over(_) => &self.position,
        }
    }

    /// Makes the move of this turn. A move that ends the game needs no press (FIDE 6.2.1.1).
    ///
    /// # Errors
    /// Returns the refusal; the game is unchanged. In a blind turn, the refusal depends only on what the mover sees.
    pub fn play(&mut self, attempt: Attempt) -> Result<Turn, Refusal> {
        self.expect_to_move()?;
        let turn = self.position.resolve(attempt)?;
        let next = self.position.after(turn.result);
        self.turns.push(turn);
        self.reached.push(Repeatable::of(&next));
        self.stage = match self.automatic_end(&next) {
            Some(outcome) => {
                self.position = next;
                Stage::Over(outcome)
            }
            None => Stage::Moved(Box::new(next)),
        };
        Ok(turn)
    }

    /// Presses the clock after a move, which advances the day by one phase.
    ///
    /// # Errors
    /// Returns [`Refusal::NotMoved`] if no move has been made, and [`Refusal::GameOver`] if the game is over.
    pub fn press(&mut self) -> Result<Phase, Refusal> {
        match std::mem::replace(&mut self.stage, Stage::ToMove) {
            Stage::Moved(next) => {
                self.position = *next;
                Ok(self.phase())
            }
            Stage::ToMove => Err(Refusal::NotMoved),
            Stage::Over(outcome) => {
                self.stage = Stage::Over(outcome);
                Err(Refusal::GameOver(outcome))
            }
        }
    }

    /// Plays a whole turn: the move and, unless it ends the game, the press.
    pub fn turn(&mut self, attempt: Attempt) -> Result<Turn, Refusal> {
        let turn = self.play(attempt)?;
        if self.is_moved() {
            self.press()?;
        }
        Ok(turn)
    }

    /// Ends the game by a claim of threefold repetition or of the 50-move rule (FIDE 9.2, 9.3).
    ///
    /// # Errors
    /// Refuses a claim after the turn's move or after the game, by a player who is not to move, or without grounds.
    /// Also refuses a blind player's claim, because the answer would reveal hidden pieces.
    pub fn claim_draw(&mut self, player: Color) -> Result<Outcome, Refusal> {
        if let Some(outcome) = self.outcome() {
            return Err(Refusal::GameOver(outcome));
        }
        // Checked before the stage, which would tell a waiting opponent that the move has been made.
        if player != self.position.mover() {
            return Err(Refusal::NotOnMove);
        }
        self.expect_to_move()?;
        if self.phase().is_blind_turn() {
            return Err(Refusal::Blind);
        }
        let reason = if self.repetitions() >= 3 {
            Reason::ThreefoldRepetition
        } else if self.position.halfmoves() >= 100 {
            Reason::FiftyMoves
        } else {
            return Err(Refusal::NoDraw);
        };
        let outcome = Outcome::draw(reason);
        self.stage = Stage::Over(outcome);
        Ok(outcome)
    }

    /// Ends the game for a reason that does not follow from the rules alone, such as a resignation, an agreed draw or a
    /// flag fall.
    ///
    /// # Errors
    /// Refuses an outcome that only the rules decide, and any outcome after the game has ended.
    pub fn conclude(&mut self, outcome: Outcome) -> Result<(), Refusal> {
        if let Stage::Over(over) = self.stage {
            return Err(Refusal::GameOver(over));
        }
        if outcome.reason.is_automatic() {
            return Err(Refusal::DecidedByRules(outcome));
        }
        if let Stage::Moved(next) = std::mem::replace(&mut self.stage, Stage::Over(outcome)) {
            self.position = *next;
        }
        Ok(())
    }

    /// Returns how often the latest position has occurred in the same phase, including now.
    pub fn repetitions(&self) -> usize {
        let latest = self.reached.last();
        let same = self.reached.iter().filter(|one| Some(*one) == latest);
        same.count()
    }

    fn expect_to_move(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::ToMove => Ok(()),
            Stage::Moved(_) => Err(Refusal::AlreadyMoved),
            Stage::Over(outcome) => Err(Refusal::GameOver(outcome)),
        }
    }

    /// Returns the outcome, if any, that follows from the rules in the latest position. Checkmate takes precedence
    /// (FIDE 9.6).
    fn automatic_end(&self, latest: &Position) -> Option<Outcome> {
        let fivefold = || (self.repetitions() >= 5).then_some(Reason::FivefoldRepetition);
        let long = || (latest.halfmoves() >= 150).then_some(Reason::SeventyFiveMoves);
        let drawn = || fivefold().or_else(long).map(Outcome::draw);
        latest.outcome().or_else(drawn)
    }
}
