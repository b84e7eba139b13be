//! The addends of a tie-break, with where each comes from.

use super::super::points::Ratio;
use super::field::{Kind, Who};

/// Ten-thousandths: a product of two scores in hundredths is a whole number of them.
pub(super) const UNIT: i64 = 10_000;

/// Where an addend comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The participant's own record.
    Own,
    /// Points given or taken apart from the results (TRF 299).
    Bonus,
    /// An opponent's adjusted score (16.3).
    Opponent,
    /// A dummy with the participant's own score (16.4).
    DummyOwn,
    /// A dummy held down to the scheduled opponent's adjusted score (16.4.1).
    DummyOpponent,
    /// A dummy held down to a draw in every round (16.4.2).
    DummyDraws,
    /// An opponent's rating, or what unrated players count as.
    Rating,
    /// A value of the same kind that an opponent has himself.
    OpponentValue,
    /// A game with a count.
    Count,
}

/// Why an addend is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutReason {
    /// The least significant value (14.1).
    Least,
    /// The lowest contribution from a voluntary unplayed round, instead of the least significant value (16.5).
    Voluntary,
    /// The most significant value (14.3).
    Most,
    /// An opponent below Koya's limit (9.2).
    BelowLimit,
}

/// One addend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The round; 0 if it belongs to none.
    pub round: u16,
    /// The opponent, scheduled or met.
    pub opponent: Option<Who>,
    /// What the round was.
    pub kind: Option<Kind>,
    /// Where it comes from.
    pub basis: Basis,
    /// The opponent's score, rating or value, in ten-thousandths.
    pub score: i64,
    /// How much of the score comes from the opponent's unplayed rounds that count as draws (16.3.2), in ten-thousandths.
    pub moved: i64,
    /// By what it is multiplied, in ten-thousandths of one.
    pub factor: i64,
    /// What it adds, in ten-thousandths.
    pub value: i64,
    /// Why it does not count.
    pub cut: Option<CutReason>,
}

impl Term {
    /// What it adds.
    #[must_use]
    pub const fn amount(&self) -> Ratio {
        Ratio::new(self.value, UNIT)
    }

    /// Whether it comes from a round the participant did not want to play (16.1.2).
    pub(super) fn is_voluntary(&self) -> bool {
        let dummy = match self.basis {
            Basis::DummyOwn | Basis::DummyOpponent | Basis::DummyDraws => true,
            Basis::Own
            | Basis::Bonus
            | Basis::Opponent
            | Basis::Rating
            | Basis::OpponentValue
            | Basis::Count => false,
        };
        dummy && self.kind.is_some_and(Kind::is_voluntary)
    }

    /// An addend that is its score.
    pub(super) const fn plain(round: u16, basis: Basis, value: i64) -> Self {
        Self {
            round,
            opponent: None,
            kind: None,
            basis,
            score: value,
            moved: 0,
            factor: UNIT,
            value,
            cut: None,
        }
    }
}

/// A number with the way it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Working {
    pub(super) terms: Vec<Term>,
    pub(super) value: Option<Ratio>,
    /// What the terms do not say, in a sentence.
    pub(super) note: String,
}

impl Working {
    /// The sum of what counts.
    pub(super) fn sum(terms: Vec<Term>) -> Self {
        let value = Some(Ratio::new(total(&terms), UNIT));
        Self {
            terms,
            value,
            note: String::new(),
        }
    }

    /// A number without addends.
    pub(super) const fn of(value: Option<Ratio>) -> Self {
        Self {
            terms: Vec::new(),
            value,
            note: String::new(),
        }
    }
}

/// The sum of the addends that count, in ten-thousandths.
pub(super) fn total(terms: &[Term]) -> i64 {
    terms
        .iter()
        .filter(|term| term.cut.is_none())
        .map(|term| term.value)
        .sum()
}

/// How many addends count.
pub(super) fn count(terms: &[Term]) -> i64 {
    let counted = terms.iter().filter(|term| term.cut.is_none()).count();
    i64::try_from(counted).unwrap_or(i64::MAX)
}
