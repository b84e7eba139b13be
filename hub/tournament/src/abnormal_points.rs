//! Abnormal points (TRF 299): bonuses, penalties, and results whose points differ from the event's scoring.
//!
//! Owns the rules, and decides which of them apply to a participant in a round. Must never add up a score.

mod apply;

use crate::{Bye, GameResult, Outcome, Points, RoundNo, Side};

/// A kind of result that record 299 can name. The record has no letter for a pairing-allocated bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// `W`: won over the board.
    Win,
    /// `D`: drawn over the board.
    Draw,
    /// `L`: lost over the board.
    Loss,
    /// `+`: won by forfeit.
    ForfeitWin,
    /// `-`: lost by forfeit.
    ForfeitLoss,
    /// `F`: a full-point bye.
    FullBye,
    /// `H`: a half-point bye.
    HalfBye,
    /// `Z`: a zero-point bye.
    ZeroBye,
}

impl ResultKind {
    /// Returns the kind of an outcome over the board.
    #[must_use]
    pub const fn of_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::Win,
            Outcome::Draw => Self::Draw,
            Outcome::Loss => Self::Loss,
        }
    }

    /// Returns the kind of a game's result for one side, or `None` while the game is undecided.
    #[must_use]
    pub fn of_game(result: GameResult, side: Side) -> Option<Self> {
        match result {
            GameResult::Forfeit { winner } if winner == Some(side) => Some(Self::ForfeitWin),
            GameResult::Forfeit { .. } => Some(Self::ForfeitLoss),
            GameResult::Played { .. } => result.outcome(side).map(Self::of_outcome),
            GameResult::Adjourned => None,
        }
    }

    /// Returns the kind of a bye, or `None` for a pairing-allocated one, which record 299 cannot name.
    #[must_use]
    pub const fn of_bye(bye: Bye) -> Option<Self> {
        match bye {
            Bye::Full => Some(Self::FullBye),
            Bye::Half => Some(Self::HalfBye),
            Bye::Zero => Some(Self::ZeroBye),
            Bye::PairingAllocated => None,
        }
    }
}

/// A rule that gives points which differ from the event's scoring: one record 299.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbnormalPoints {
    /// The result whose points this rule replaces; `None` for a bonus or a penalty, which is added to the points of the
    /// round.
    pub replaces: Option<ResultKind>,
    /// Match points, in a team event.
    pub match_points: Option<Points>,
    /// Points, or game points in a team event.
    pub points: Option<Points>,
    /// The round to which the rule applies; `None` for every round.
    pub round: Option<RoundNo>,
    /// Numbers of players, or of teams in a team event; empty for all of them.
    pub participants: Vec<u16>,
}

impl AbnormalPoints {
    fn applies(&self, round: RoundNo, who: u16) -> bool {
        self.round.is_none_or(|of| of == round)
            && (self.participants.is_empty() || self.participants.contains(&who))
    }
}
