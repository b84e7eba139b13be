//! Results of games and byes.
//!
//! Owns the kinds of results and byes and their points. Must never know the players.

use crate::{InvalidResult, Points, Side};

/// The outcome of a game for one side.
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
    pub(super) fn of_scores<T: Ord>(own: T, other: T) -> Self {
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => Self::Win,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Less => Self::Loss,
        }
    }

    /// Returns the outcome of the other side in an ordinary game.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// Returns the points as a result slip shows them: `1`, `½` or `0`.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Win => "1",
            Self::Draw => "½",
            Self::Loss => "0",
        }
    }

    /// Returns the share of a full point in hundredths, independent of the event's scoring: 100, 50 or 0 (rating
    /// regulations B.02).
    #[must_use]
    pub const fn fraction(self) -> i64 {
        match self {
            Self::Win => 100,
            Self::Draw => 50,
            Self::Loss => 0,
        }
    }
}

/// The final counts of both sides in a game decided by a count: points in Scrabble, discs in Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// The count of the player entered as White (Scrabble: the starting player; Othello: the white discs).
    pub white: i32,
    /// The count of the player entered as Black.
    pub black: i32,
}

impl Tally {
    /// Returns White's outcome: the side with the higher count wins.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        Outcome::of_scores(self.white, self.black)
    }

    /// Returns the count of a side.
    #[must_use]
    pub const fn of(self, side: Side) -> i32 {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

/// The result of a paired game: played, forfeited or adjourned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Played over the board. Normally the outcomes are opposite; an arbiter may decide otherwise (½-0, 0-0: FIDE Laws
    /// 12.9.5).
    Played {
        /// White's outcome.
        white: Outcome,
        /// Black's outcome.
        black: Outcome,
        /// True for a rated game (TRF `1 = 0`), false for an unrated one (TRF `W D L`).
        rated: bool,
        /// The final counts, if the game is decided by a count.
        tally: Option<Tally>,
    },
    /// Not played: one side or both sides forfeited.
    Forfeit {
        /// The side that wins by forfeit; `None` if both sides forfeited.
        winner: Option<Side>,
    },
    /// Interrupted, to be finished later (Laws, guideline I). It counts for nothing until a result is entered.
    Adjourned,
}

impl GameResult {
    /// Returns an ordinary rated result with this outcome for White.
    #[must_use]
    pub const fn played(white: Outcome) -> Self {
        Self::Played {
            white,
            black: white.opposite(),
            rated: true,
            tally: None,
        }
    }

    /// Returns an ordinary unrated result with this outcome for White.
    #[must_use]
    pub const fn unrated(white: Outcome) -> Self {
        Self::Played {
            white,
            black: white.opposite(),
            rated: false,
            tally: None,
        }
    }

    /// Returns the result that a final count decides (Scrabble, Othello).
    #[must_use]
    pub fn counted(tally: Tally) -> Self {
        Self::Played {
            white: tally.outcome(),
            black: tally.outcome().opposite(),
            rated: true,
            tally: Some(tally),
        }
    }

    /// Returns a win by forfeit for the side `winner`.
    #[must_use]
    pub const fn forfeit(winner: Side) -> Self {
        Self::Forfeit {
            winner: Some(winner),
        }
    }

    /// Both sides forfeited.
    pub const DOUBLE_FORFEIT: Self = Self::Forfeit { winner: None };

    /// Returns a side's outcome, or `None` while adjourned.
    #[must_use]
    pub fn outcome(self, side: Side) -> Option<Outcome> {
        match self {
            Self::Played { white, black, .. } => Some(match side {
                Side::White => white,
                Side::Black => black,
            }),
            Self::Forfeit { winner } if winner == Some(side) => Some(Outcome::Win),
            Self::Forfeit { .. } => Some(Outcome::Loss),
            Self::Adjourned => None,
        }
    }

    /// Returns true if the game was played over the board.
    #[must_use]
    pub const fn is_played(self) -> bool {
        matches!(self, Self::Played { .. })
    }

    /// Returns true if the result ends the game. Only an adjournment does not.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Adjourned)
    }

    /// Returns a side's points under the event's scoring, or `None` while adjourned.
    #[must_use]
    pub fn points(self, side: Side, scoring: &Scoring) -> Option<Points> {
        let outcome = self.outcome(side)?;
        Some(match self {
            Self::Forfeit { winner } if winner != Some(side) => scoring.forfeit_loss,
            Self::Played { .. } | Self::Forfeit { .. } | Self::Adjourned => scoring.game(outcome),
        })
    }

    /// Returns the result without its final count, which tournament reports cannot hold.
    #[must_use]
    pub const fn without_count(mut self) -> Self {
        if let Self::Played { tally, .. } = &mut self {
            *tally = None;
        }
        self
    }

    /// Returns true if the outcomes award more points than one game has, as in 1-½. Only an arbiter may decide this
    /// (Laws 12.9.6).
    #[must_use]
    pub fn awards_extra_points(self) -> bool {
        let Self::Played { white, black, .. } = self else {
            return false;
        };
        [white, black].contains(&Outcome::Win) && ![white, black].contains(&Outcome::Loss)
    }

    /// Returns the reason why a game of this kind cannot have the result, or `None` if it can.
    #[must_use]
    pub fn fault(self, game: Game) -> Option<InvalidResult> {
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
            (Game::Chess, Some(_)) => Some(InvalidResult::CountInChess),
            (Game::Chess, None) => None,
            (Game::Scrabble, None) => Some(InvalidResult::NoPoints),
            (Game::Othello, None) => Some(InvalidResult::NoDiscs),
            (Game::Othello, Some(Tally { white, black }))
                if white < 0 || black < 0 || white.checked_add(black) != Some(64) =>
            {
                Some(InvalidResult::DiscSum)
            }
            (Game::Scrabble | Game::Othello, Some(tally))
                if white != tally.outcome() || black != white.opposite() =>
            {
                Some(InvalidResult::HigherCountWins)
            }
            (Game::Scrabble | Game::Othello, Some(_)) => None,
        }
    }

    /// Returns the result as written on a result slip: `1-0`, `½-½`, `+:-`, `-:-`, `adj.`, `1-0 unrated`, `1-0
    /// (402:377)`.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Played {
                white,
                black,
                rated,
                tally,
            } => {
                let count = tally.map(|tally| format!(" ({}:{})", tally.white, tally.black));
                let count = count.unwrap_or_default();
                let note = if rated { "" } else { " unrated" };
                format!("{}-{}{note}{count}", white.mark(), black.mark())
            }
            Self::Forfeit { winner } => match winner {
                Some(Side::White) => "+:-".to_owned(),
                Some(Side::Black) => "-:+".to_owned(),
                None => "-:-".to_owned(),
            },
            Self::Adjourned => "adj.".to_owned(),
        }
    }
}

text_enum! {
    /// The kind of bye, a round without an opponent.
    Bye {
        /// A requested full-point bye (TRF `F`).
        Full = "full",
        /// A requested half-point bye (TRF `H`).
        Half = "half",
        /// A requested zero-point bye, or an absence (TRF `Z` or blank).
        Zero = "zero",
        /// Assigned by the pairing to the player left over (TRF `U`).
        PairingAllocated = "pairing",
    }
}

impl Bye {
    /// Returns the points for the bye under a scoring.
    #[must_use]
    pub const fn points(self, scoring: &Scoring) -> Points {
        match self {
            Self::Full => scoring.full_bye,
            Self::Half => scoring.half_bye,
            Self::Zero => scoring.zero_bye,
            Self::PairingAllocated => scoring.pairing_bye,
        }
    }

    /// Returns the name of the bye in English.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Full => "full-point bye",
            Self::Half => "half-point bye",
            Self::Zero => "zero-point bye",
            Self::PairingAllocated => "pairing-allocated bye",
        }
    }

    /// Returns true if C.07 16.1.2 treats the bye as voluntary: half-point and zero-point byes only.
    #[must_use]
    pub const fn is_voluntary(self) -> bool {
        match self {
            Self::Half | Self::Zero => true,
            Self::Full | Self::PairingAllocated => false,
        }
    }
}

/// The kind of game, which determines the possible results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Chess, and every other game whose result is a win, a draw or a loss (draughts, shogi, go).
    Chess,
    /// Scrabble: both sides' points, whose difference is the spread.
    Scrabble,
    /// Othello: discs, 64 in total.
    Othello,
}

/// Points for each outcome of a round (TRF 162 for games, 362 for matches).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// A win, over the board or by forfeit (`W`).
    pub win: Points,
    /// A draw (`D`).
    pub draw: Points,
    /// A loss over the board (`L`).
    pub loss: Points,
    /// A loss by forfeit (`A`: absence).
    pub forfeit_loss: Points,
    /// A pairing-allocated bye (`P`).
    pub pairing_bye: Points,
    /// A full-point bye.
    pub full_bye: Points,
    /// A half-point bye.
    pub half_bye: Points,
    /// A zero-point bye (`A`: absence).
    pub zero_bye: Points,
}

impl Scoring {
    /// 1, ½ and 0 points for a win, a draw and a loss; a pairing-allocated bye is worth a win.
    pub const STANDARD: Self = Self::of(Points::ONE, Points::HALF, Points::ZERO);
    /// 2, 1 and 0 match points for a win, a draw and a loss.
    pub const MATCH: Self = Self::of(Points::whole(2), Points::ONE, Points::ZERO);

    /// Returns a scoring with these points. A half-point bye is worth a draw; full-point and pairing-allocated byes are
    /// worth a win. Forfeit losses and zero-point byes are worth nothing.
    #[must_use]
    pub const fn of(win: Points, draw: Points, loss: Points) -> Self {
        Self {
            win,
            draw,
            loss,
            forfeit_loss: Points::ZERO,
            pairing_bye: win,
            full_bye: win,
            half_bye: draw,
            zero_bye: Points::ZERO,
        }
    }

    /// Returns every value of the scoring.
    #[must_use]
    pub const fn all(&self) -> [Points; 8] {
        [
            self.win,
            self.draw,
            self.loss,
            self.forfeit_loss,
            self.pairing_bye,
            self.full_bye,
            self.half_bye,
            self.zero_bye,
        ]
    }

    /// Returns the points for an outcome over the board.
    #[must_use]
    pub const fn game(&self, outcome: Outcome) -> Points {
        match outcome {
            Outcome::Win => self.win,
            Outcome::Draw => self.draw,
            Outcome::Loss => self.loss,
        }
    }
}
