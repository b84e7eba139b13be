//! Tie-breaks from a participant's own record (C.07 7), and sums of the games' counts.

use super::field::{Entry, Field, RoundKind, Unit};
use super::method::{Counted, Own};
use super::term::{Basis, CutReason, Term, TermSum, UNIT, ten_thousandths};
use crate::{Bye, Measure, Outcome, Side, TieBreak};

pub(super) fn record(field: &Field, subject: usize, measure: Measure, what: Own) -> TermSum {
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        let units = entry.units(measure);
        let values = units
            .iter()
            .map(|unit| one(field, measure, entry, unit, what));
        let value = values.sum();
        if value != 0 {
            terms.push(Term::of_round(field, round, entry, Basis::Own, value));
        }
    }
    TermSum::sum(terms)
}

/// Returns the amount that a game, or a round counted as one game, adds, in ten-thousandths.
fn one(field: &Field, measure: Measure, entry: &Entry, unit: &Unit, what: Own) -> i64 {
    let played = unit.kind == RoundKind::Played && entry.opponent.is_some();
    let won = unit.points == field.win.of(measure) && unit.kind != RoundKind::Pending;
    let black = unit.colour == Some(Side::Black);
    let counts = match what {
        Own::Wins => won,
        Own::GamesWon => played && unit.outcome == Some(Outcome::Win),
        Own::BlackGames => played && black,
        Own::BlackWins => played && black && unit.outcome == Some(Outcome::Win),
        Own::RoundsElected => elected(unit.kind),
        Own::StandardPoints => return standard(field, measure, unit),
    };
    if counts { UNIT } else { 0 }
}

/// Returns true if the participant elected to play (7.6). Returns false for half-point byes, zero-point byes and
/// forfeit losses.
const fn elected(kind: RoundKind) -> bool {
    match kind {
        RoundKind::Played
        | RoundKind::Pending
        | RoundKind::ForfeitWin
        | RoundKind::Bye(Bye::Full | Bye::PairingAllocated) => true,
        RoundKind::ForfeitLoss | RoundKind::Bye(Bye::Half | Bye::Zero) => false,
    }
}

/// Computes the standard points of one game or match (7.7). The points of a played game are compared with the
/// opponent's points, those of an unplayed game with the points of a draw.
fn standard(field: &Field, measure: Measure, unit: &Unit) -> i64 {
    let against = match unit.kind {
        RoundKind::Pending => return 0,
        RoundKind::Played => unit.against,
        RoundKind::ForfeitWin | RoundKind::ForfeitLoss | RoundKind::Bye(_) => {
            field.draw.of(measure)
        }
    };
    Outcome::of_scores(unit.points, against).fraction() * (UNIT / 100)
}

/// Computes 7.5: the sum of the scores after each round. A cut leaves out the first rounds (14.1.1 c).
pub(super) fn progressive(
    field: &Field,
    subject: usize,
    tie_break: TieBreak,
    measure: Measure,
) -> TermSum {
    let mut score = 0;
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        score += ten_thousandths(entry.total(measure));
        let mut term = Term::plain(round, Basis::Own, score);
        if round <= tie_break.cut.low {
            term.cut = Some(CutReason::Least);
        }
        terms.push(term);
    }
    TermSum::sum(terms)
}

pub(super) fn counts(field: &Field, subject: usize, what: Counted) -> TermSum {
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        let Some((own, other)) = entry.tally else {
            continue;
        };
        let value = match what {
            Counted::Spread => i64::from(own) - i64::from(other),
            Counted::Tally => i64::from(own),
        };
        let value = value * UNIT;
        terms.push(Term::of_round(field, round, entry, Basis::Count, value));
    }
    TermSum::sum(terms)
}

pub(super) fn rounds(field: &Field, subject: usize) -> impl Iterator<Item = (u16, &Entry)> {
    (1..).zip(&field.competitors[subject].log)
}
