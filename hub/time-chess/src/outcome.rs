//! The end of a game: its winner and its reason.
//!
//! Owns the reasons and their words. The rules decide some of them, players and arbiters the others.

use std::fmt;

use shakmaty::Color;

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The player on move sees, is in check and has no legal move.
    Checkmate,
    /// The player on move sees, is not in check and has no legal move.
    Stalemate,
    /// The blind player on move has no move that could be carried out.
    NoMove,
    /// Neither player has the material for checkmate.
    DeadPosition,
    /// The same position in the same phase for the fifth time.
    FivefoldRepetition,
    /// 75 moves of each player without a capture and without a pawn move.
    SeventyFiveMoves,
    /// A claim: the same position in the same phase for the third time.
    ThreefoldRepetition,
    /// A claim: 50 moves of each player without a capture and without a pawn move.
    FiftyMoves,
    /// The loser resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// The loser's flag fell.
    FlagFall,
    /// The source of the game states no reason.
    Unstated,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 12] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::NoMove,
        Self::DeadPosition,
        Self::FivefoldRepetition,
        Self::SeventyFiveMoves,
        Self::ThreefoldRepetition,
        Self::FiftyMoves,
        Self::Resignation,
        Self::Agreement,
        Self::FlagFall,
        Self::Unstated,
    ];

    /// Returns the words, as the PGN tag `Termination` has them.
    pub fn words(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::NoMove => "no move in a blind turn",
            Self::DeadPosition => "dead position",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "75 moves",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "50 moves",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::FlagFall => "flag fall",
            Self::Unstated => "unstated",
        }
    }

    /// Returns the reason with these words.
    pub fn from_words(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.words() == words)
    }

    /// Returns true if the rules end the game by themselves for this reason.
    pub fn is_automatic(self) -> bool {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::NoMove
            | Self::DeadPosition
            | Self::FivefoldRepetition
            | Self::SeventyFiveMoves => true,
            Self::ThreefoldRepetition
            | Self::FiftyMoves
            | Self::Resignation
            | Self::Agreement
            | Self::FlagFall
            | Self::Unstated => false,
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; none in a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: Reason,
}

impl Outcome {
    /// Returns a draw.
    pub fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }

    /// Returns a win.
    pub fn win(winner: Color, reason: Reason) -> Self {
        Self {
            winner: Some(winner),
            reason,
        }
    }

    /// Returns the result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.result(), self.reason.words())
    }
}
