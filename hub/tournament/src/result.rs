//! What may come of a game or of a round without one.
//!
//! Owns the kinds of results and byes and what each is worth. Must never know who played.

use timing::Side;

use super::event::{Game, Scoring};
use super::points::Points;

/// What one side of a game got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

impl Outcome {
    /// What the other side of an ordinary game got.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// The share of a full point in hundredths, whatever the event's scoring: 100, 50 or 0 (rating regulations B.02).
    #[must_use]
    pub const fn fraction(self) -> i64 {
        match self {
            Self::Win => 100,
            Self::Draw => 50,
            Self::Loss => 0,
        }
    }
}

/// The count a game ends with where the game has one: points at Scrabble, discs at Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// Of the player entered as White (Scrabble: the one who began; Othello: the white discs).
    pub white: i32,
    /// Of the player entered as Black.
    pub black: i32,
}

impl Tally {
    /// What White got by count.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self.white.cmp(&self.black) {
            std::cmp::Ordering::Greater => Outcome::Win,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Loss,
        }
    }

    /// By how much a side is ahead: the spread of Scrabble, the disc difference of Othello.
    #[must_use]
    pub const fn spread(self, side: Side) -> i32 {
        match side {
            Side::White => self.white.saturating_sub(self.black),
            Side::Black => self.black.saturating_sub(self.white),
        }
    }

    /// The count of a side.
    #[must_use]
    pub const fn of(self, side: Side) -> i32 {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

/// What came of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Played over the board. Usually one side's outcome is the opposite of the other's; an arbiter may decide otherwise
    /// (½-0, 0-0: FIDE Laws 12.9.5).
    Played {
        /// What White got.
        white: Outcome,
        /// What Black got.
        black: Outcome,
        /// Whether it counts for ratings (TRF `1 = 0`) or not (TRF `W D L`).
        rated: bool,
        /// The count, where the game has one.
        tally: Option<Tally>,
    },
    /// Not played: the winner's opponent forfeited, or both did (`None`).
    Forfeit {
        /// Who gets the win.
        winner: Option<Side>,
    },
    /// Interrupted, to be finished later (Laws, guideline I). Counts for nothing until a result follows.
    Adjourned,
}

impl GameResult {
    /// An ordinary rated result, by what White got.
    #[must_use]
    pub const fn played(white: Outcome) -> Self {
        Self::Played {
            white,
            black: white.opposite(),
            rated: true,
            tally: None,
        }
    }

    /// An ordinary result that does not count for ratings, by what White got.
    #[must_use]
    pub const fn unrated(white: Outcome) -> Self {
        Self::Played {
            white,
            black: white.opposite(),
            rated: false,
            tally: None,
        }
    }

    /// A result that its count decides (Scrabble, Othello).
    #[must_use]
    pub fn counted(tally: Tally) -> Self {
        Self::Played {
            white: tally.outcome(),
            black: tally.outcome().opposite(),
            rated: true,
            tally: Some(tally),
        }
    }

    /// A win by forfeit.
    #[must_use]
    pub const fn forfeit(winner: Side) -> Self {
        Self::Forfeit {
            winner: Some(winner),
        }
    }

    /// Both sides forfeited.
    pub const DOUBLE_FORFEIT: Self = Self::Forfeit { winner: None };

    /// What a side got; `None` while adjourned.
    #[must_use]
    pub fn outcome(self, side: Side) -> Option<Outcome> {
        match self {
            Self::Played { white, black, .. } => Some(match side {
                Side::White => white,
                Side::Black => black,
            }),
            Self::Forfeit { winner } => Some(if winner == Some(side) {
                Outcome::Win
            } else {
                Outcome::Loss
            }),
            Self::Adjourned => None,
        }
    }

    /// Whether it was played over the board.
    #[must_use]
    pub const fn is_played(self) -> bool {
        matches!(self, Self::Played { .. })
    }

    /// Whether it ends the game: everything but an adjournment.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Adjourned)
    }

    /// The points a side gets under the event's scoring; `None` while adjourned.
    #[must_use]
    pub fn points(self, side: Side, scoring: &Scoring) -> Option<Points> {
        let outcome = self.outcome(side)?;
        Some(match self {
            Self::Forfeit { winner } if winner != Some(side) => scoring.forfeit_loss,
            Self::Played { .. } | Self::Forfeit { .. } | Self::Adjourned => scoring.game(outcome),
        })
    }

    /// What is wrong with it under a rule set, in words; `None` if it is a possible result there.
    #[must_use]
    pub fn fault(self, game: Game) -> Option<&'static str> {
        let Self::Played {
            white,
            black,
            tally,
            ..
        } = self
        else {
            return None;
        };
        match (game, tally) {
            (Game::Chess, Some(_)) => Some("a chess game ends without a count"),
            (Game::Chess, None) if white == Outcome::Win && black != Outcome::Loss => {
                Some("one side won, so the other lost")
            }
            (Game::Chess, None) if black == Outcome::Win && white != Outcome::Loss => {
                Some("one side won, so the other lost")
            }
            (Game::Chess, None) => None,
            (Game::Scrabble, None) => Some("a Scrabble result has the points of both sides"),
            (Game::Othello, None) => Some("an Othello result has the discs of both sides"),
            (Game::Othello, Some(tally))
                if tally.white < 0
                    || tally.black < 0
                    || tally.white.checked_add(tally.black) != Some(64) =>
            {
                Some("the discs of both sides add up to 64")
            }
            (Game::Scrabble | Game::Othello, Some(tally))
                if white != tally.outcome() || black != white.opposite() =>
            {
                Some("the winner is the side with the higher count")
            }
            (Game::Scrabble | Game::Othello, Some(_)) => None,
        }
    }

    /// As on a result slip: `1-0`, `½-½`, `+:-`, `-:-`, `adj.`, `1-0 unrated`, `1-0 (402:377)`.
    #[must_use]
    pub fn label(self) -> String {
        const fn mark(outcome: Outcome) -> &'static str {
            match outcome {
                Outcome::Win => "1",
                Outcome::Draw => "½",
                Outcome::Loss => "0",
            }
        }
        match self {
            Self::Played {
                white,
                black,
                rated,
                tally,
            } => {
                let count = tally.map_or(String::new(), |tally| {
                    format!(" ({}:{})", tally.white, tally.black)
                });
                let note = if rated { "" } else { " unrated" };
                format!("{}-{}{note}{count}", mark(white), mark(black))
            }
            Self::Forfeit {
                winner: Some(Side::White),
            } => "+:-".to_owned(),
            Self::Forfeit {
                winner: Some(Side::Black),
            } => "-:+".to_owned(),
            Self::Forfeit { winner: None } => "-:-".to_owned(),
            Self::Adjourned => "adj.".to_owned(),
        }
    }
}

/// A round without a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bye {
    /// Requested, as many points as a win (TRF `F`).
    Full,
    /// Requested, as many points as a draw (TRF `H`).
    Half,
    /// Requested or absent, no points (TRF `Z` or blank).
    Zero,
    /// Given by the pairing program to the one left over (TRF `U`).
    PairingAllocated,
}

impl Bye {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Full, Self::Half, Self::Zero, Self::PairingAllocated];

    /// The points it is worth in a scoring.
    #[must_use]
    pub const fn points(self, scoring: &Scoring) -> Points {
        match self {
            Self::Full => scoring.full_bye,
            Self::Half => scoring.half_bye,
            Self::Zero => scoring.zero_bye,
            Self::PairingAllocated => scoring.pairing_bye,
        }
    }

    /// Whether the round went unplayed by the player's own will (C.07 16.1.2: half and zero point byes; a full point bye
    /// is none).
    #[must_use]
    pub const fn is_voluntary(self) -> bool {
        match self {
            Self::Half | Self::Zero => true,
            Self::Full | Self::PairingAllocated => false,
        }
    }

    /// `full`, `half`, `zero` or `pairing`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Half => "half",
            Self::Zero => "zero",
            Self::PairingAllocated => "pairing",
        }
    }

    /// The bye of that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bye| bye.as_str() == word)
    }
}
