//! The addends of a tie-break and their origins.

use super::field::{Entry, Field, RoundKind};
use super::note::Note;
use crate::{Participant, Points, Ratio};

/// One, in ten-thousandths. The product of two scores in hundredths is a whole number of ten-thousandths.
pub(super) const UNIT: i64 = 10_000;

pub(super) const fn ten_thousandths(points: Points) -> i64 {
    points.hundredths() * (UNIT / 100)
}

/// The origin of an addend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// The participant's own record.
    Own,
    /// A bonus or a penalty (TRF 299).
    Bonus,
    /// An opponent's score: adjusted (16.3), or in the Koya system as awarded.
    Opponent,
    /// A dummy opponent with the participant's own score (16.4).
    DummyOwn,
    /// A dummy opponent with a score capped at the scheduled opponent's adjusted score (16.4.1).
    DummyOpponent,
    /// A dummy opponent with a score capped at a draw in every round (16.4.2).
    DummyDraws,
    /// An opponent's rating, or the rating assumed for an unrated opponent.
    Rating,
    /// An opponent's value in the averaged tie-break.
    OpponentValue,
    /// The participant's final count in a game, or its difference from the opponent's (Scrabble, Othello).
    Count,
}

/// The reason why an addend does not count.
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

/// One addend of a tie-break's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The round to which the addend belongs, from 1; 0 if it belongs to none.
    pub round: u16,
    /// The opponent, scheduled or met.
    pub opponent: Option<Participant>,
    /// The kind of round; `None` if the addend does not depend on it.
    pub kind: Option<RoundKind>,
    /// The origin of the score.
    pub basis: Basis,
    /// The score, rating or value that `basis` describes, in ten-thousandths.
    pub score: i64,
    /// The part of `score` that comes from counting the opponent's unplayed rounds as draws (16.3.2), in
    /// ten-thousandths.
    pub adjustment: i64,
    /// The factor in ten-thousandths: the points scored in Sonneborn-Berger, the board number in board count, the share
    /// of the point in rating tie-breaks; otherwise 1.
    pub factor: i64,
    /// The amount added, in ten-thousandths; nothing is added if `cut` is set.
    pub value: i64,
    /// The reason why the addend does not count; `None` if it counts.
    pub cut: Option<CutReason>,
}

impl Term {
    /// Returns the amount added, as a fraction.
    #[must_use]
    pub fn amount(&self) -> Ratio {
        Ratio::new(self.value, UNIT)
    }

    /// Returns true if the addend comes from a dummy opponent in a voluntary unplayed round (16.1.2).
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
        dummy && self.kind.is_some_and(RoundKind::is_voluntary)
    }

    pub(super) fn of_round(
        field: &Field,
        round: u16,
        entry: &Entry,
        basis: Basis,
        value: i64,
    ) -> Self {
        let opponent = entry.opponent;
        Self {
            opponent: opponent.map(|opponent| field.competitors[opponent].who),
            kind: Some(entry.kind),
            ..Self::plain(round, basis, value)
        }
    }

    pub(super) const fn plain(round: u16, basis: Basis, value: i64) -> Self {
        Self {
            round,
            opponent: None,
            kind: None,
            basis,
            score: value,
            adjustment: 0,
            factor: UNIT,
            value,
            cut: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TermSum {
    pub(super) terms: Vec<Term>,
    pub(super) value: Option<Ratio>,
    pub(super) note: Option<Note>,
}

impl TermSum {
    pub(super) fn sum(terms: Vec<Term>) -> Self {
        let value = Some(Ratio::new(total(&terms), UNIT));
        Self {
            terms,
            value,
            note: None,
        }
    }

    pub(super) const fn of(value: Option<Ratio>) -> Self {
        Self {
            terms: Vec::new(),
            value,
            note: None,
        }
    }
}

pub(super) fn counting(terms: &[Term]) -> impl Iterator<Item = &Term> {
    terms.iter().filter(|term| term.cut.is_none())
}

/// Returns the sum of the addends that count, in ten-thousandths.
pub(super) fn total(terms: &[Term]) -> i64 {
    counting(terms).map(|term| term.value).sum()
}

pub(super) fn count(terms: &[Term]) -> i64 {
    i64::try_from(counting(terms).count()).unwrap_or(i64::MAX)
}
