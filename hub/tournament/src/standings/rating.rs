//! Tie-breaks from ratings (C.07 10), with the tables of B.02.

use super::cut;
use super::field::Field;
use super::method::Performance;
use super::note::Note;
use super::own::rounds;
use super::rating_tables::{probability, rating_difference};
use super::term::{Basis, Term, TermSum, UNIT, count, counting, total};
use crate::{Ratio, TieBreak};

/// Returns the rating to assume for an unrated player: the tie-break's value, or else the event's.
fn substitute(field: &Field, tie_break: TieBreak) -> Option<i64> {
    tie_break.unrated_as.or(field.unrated_as).map(i64::from)
}

/// Returns true if a tie-break from ratings can be computed (C.07 10): all players are rated, or a rating for unrated
/// players is set.
pub(super) fn possible(field: &Field, tie_break: TieBreak) -> bool {
    let mut all = field.competitors.iter();
    substitute(field, tie_break).is_some() || all.all(|competitor| competitor.rating.is_some())
}

/// Computes 10.6: the participant's rating.
pub(super) fn own(field: &Field, subject: usize, tie_break: TieBreak) -> TermSum {
    let rating = field.competitors[subject].rating.map(i64::from);
    let rating = rating.or(substitute(field, tie_break));
    let rating = rating.filter(|_| possible(field, tie_break));
    TermSum::of(rating.map(Ratio::whole))
}

/// Returns one addend per game over the board: the opponent's rating, with cuts marked. The addend's `factor` is the
/// participant's share of the point.
fn ratings(field: &Field, subject: usize, tie_break: TieBreak) -> Vec<Term> {
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        let (Some(opponent), Some(outcome)) =
            (entry.opponent.filter(|_| entry.is_played()), entry.outcome)
        else {
            continue;
        };
        let rating = field.competitors[opponent].rating.map(i64::from);
        if let Some(rating) = rating.or(substitute(field, tie_break)) {
            terms.push(Term {
                factor: outcome.fraction() * (UNIT / 100),
                ..Term::of_round(field, round, entry, Basis::Rating, rating * UNIT)
            });
        }
    }
    cut::apply(&mut terms, tie_break.cut);
    terms
}

/// Computes 10.1, 10.2 and 10.3. [`values`] prepares the averages of 10.4 and 10.5.
pub(super) fn performance(
    field: &Field,
    subject: usize,
    tie_break: TieBreak,
    what: Performance,
) -> TermSum {
    if !possible(field, tie_break) {
        return TermSum {
            note: Some(Note::Unrated),
            ..TermSum::of(None)
        };
    }
    let terms = ratings(field, subject, tie_break);
    let games = count(&terms);
    if games == 0 {
        return TermSum::of(None);
    }
    let score = counting(&terms).map(|term| term.factor).sum::<i64>() * 100 / UNIT;
    let average = Ratio::new(total(&terms), games * UNIT).rounded();
    let percent = Ratio::new(score, games).rounded();
    let (value, note) = match what {
        Performance::Average | Performance::AverageTournament | Performance::AveragePerfect => {
            (average, Note::AverageRating)
        }
        Performance::Tournament => {
            let difference = rating_difference(percent);
            let note = Note::Performance {
                average,
                percent,
                difference,
            };
            (average + difference, note)
        }
        Performance::Perfect => {
            let ratings: Vec<i64> = counting(&terms).map(|term| term.score / UNIT).collect();
            let note = Note::Perfect(Ratio::new(score, 100));
            (perfect(&ratings, score), note)
        }
    };
    TermSum {
        terms,
        value: Some(Ratio::whole(value)),
        note: Some(note),
    }
}

/// Returns the lowest whole rating whose expected score, in hundredths, reaches the score (10.3). A score of zero gives
/// 800 less than the lowest opponent's rating.
fn perfect(ratings: &[i64], score: i64) -> i64 {
    let lowest = ratings.iter().copied().min().unwrap_or(0);
    let highest = ratings.iter().copied().max().unwrap_or(0);
    if score == 0 {
        return lowest - 800;
    }
    let expected = |rating: i64| -> i64 {
        let games = ratings.iter();
        games.map(|other| probability(rating - other)).sum()
    };
    // The expected score grows with the rating. At 736 points above the highest opponent, the expected score of each
    // game is 100 %.
    let (mut low, mut high) = (lowest - 737, highest + 736);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if expected(middle) >= score {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Returns every participant's performance for the averages of 10.4 and 10.5, in ten-thousandths.
pub(super) fn values(field: &Field, tie_break: TieBreak, what: Performance) -> Vec<Option<i64>> {
    let all = 0..field.competitors.len();
    let values = all.map(|subject| {
        let value = performance(field, subject, tie_break, what).value?;
        Some(value.numerator() * UNIT / value.denominator())
    });
    values.collect()
}
