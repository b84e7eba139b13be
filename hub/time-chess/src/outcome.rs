//! The end of a game: its winner and its reason.
//!
//! Owns the reasons and their names. Some ends follow from the rules alone; players and arbiters decide the rest.

use std::fmt;

use shakmaty::Color;

/// The reason for the game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The player to move sees the board, is in check and has no legal move.
    Checkmate,
    /// The player to move sees the board, is not in check and has no legal move.
    Stalemate,
    /// The player to move is blind and has no move that could be carried out.
    NoMove,
    /// Neither player has the material for checkmate.
    DeadPosition,
    /// The same position in the same phase appeared for the fifth time.
    FivefoldRepetition,
    /// 75 moves by each player without a pawn move or a capture.
    SeventyFiveMoves,
    /// A claim that the same position in the same phase has appeared at least three times.
    ThreefoldRepetition,
    /// A claim of at least 50 moves by each player without a pawn move or a capture.
    FiftyMoves,
    /// The loser resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's flag fell.
    FlagFall,
    /// The source of the game states no reason.
    Unstated,
}

impl Reason {
    /// Every reason, in the order of declaration.
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

    /// Returns the text of the PGN tag `Termination`.
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

    /// Returns the reason with this text in the PGN tag `Termination`; `None` if no reason has this text.
    pub fn from_words(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.words() == words)
    }

    /// Returns true if the rules alone end the game for this reason.
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

/// The winner and the reason of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` if the game is drawn.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub reason: Reason,
}

impl Outcome {
    /// Creates a drawn outcome.
    pub fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }

    /// Creates an outcome with a winner.
    pub fn win(winner: Color, reason: Reason) -> Self {
        Self {
            winner: Some(winner),
            reason,
        }
    }

    /// Returns the result in PGN notation: `1-0`, `0-1` or `1/2-1/2`.
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
