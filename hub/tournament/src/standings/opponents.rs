//! Tie-breaks from the opponents' scores (C.07 8, 9, 13), including unplayed rounds (15, 16).

use super::cut;
use super::field::{Entry, Field, RoundKind};
use super::note::Note;
use super::own::rounds;
use super::term::{Basis, CutReason, Term, TermSum, UNIT, ten_thousandths};
use crate::{Measure, Points, Ratio, Regulations, System, TieBreak};

/// Every participant's score, as awarded and as adjusted for the opponents' tie-breaks.
pub(super) struct Standing {
    own: Vec<Points>,
    adjusted: Vec<Points>,
}

impl Standing {
    pub(super) fn new(field: &Field, measure: Measure) -> Self {
        let all = 0..field.competitors.len();
        Self {
            own: field.totals(measure),
            adjusted: all
                .map(|subject| adjusted(field, subject, measure))
                .collect(),
        }
    }

    /// Returns the difference that 16.3.2 makes to a participant's score, in ten-thousandths.
    fn adjustment(&self, subject: usize) -> i64 {
        ten_thousandths(self.adjusted[subject] - self.own[subject])
    }
}

/// Returns the score for the opponents' tie-breaks (16.3). In a Swiss, a half-point or zero-point bye counts as a draw
/// if every later counted round is a voluntary unplayed round. So does such a bye in the last counted round.
fn adjusted(field: &Field, subject: usize, measure: Measure) -> Points {
    let log = &field.competitors[subject].log;
    let awarded = field.competitors[subject].total(measure);
    if field.is_round_robin() {
        return awarded;
    }
    let log = log.iter().rev();
    let tail = log.take_while(|entry| entry.kind.is_voluntary());
    let byes = tail.filter(|entry| matches!(entry.kind, RoundKind::Bye(_)));
    let draw = field.round_draw(measure);
    let moved = byes.map(|entry| draw - entry.scores.of(measure));
    awarded + moved.sum()
}

/// Returns the opposing score of a round: the opponent's or the dummy opponent's (16.4). Returns `None` for a bye
/// or a round without an opponent in a round robin.
fn opposing(
    field: &Field,
    standing: &Standing,
    measure: Measure,
    subject: usize,
    entry: &Entry,
    as_played: bool,
) -> Option<(Points, Basis)> {
    let theirs = entry.opponent.map(|opponent| standing.adjusted[opponent]);
    let met = match entry.kind {
        RoundKind::Played | RoundKind::Pending => true,
        RoundKind::ForfeitWin | RoundKind::ForfeitLoss => as_played || field.is_round_robin(),
        RoundKind::Bye(_) => false,
    };
    if let (Some(theirs), true) = (theirs, met) {
        return Some((theirs, Basis::Opponent));
    }
    if field.is_round_robin() {
        return None;
    }
    let own = standing.own[subject];
    if field.regulations < Regulations::March2026 {
        return Some((own, Basis::DummyOwn));
    }
    let draws = || field.round_draw(measure).times(i64::from(field.rounds));
    let (cap, basis) = match theirs {
        Some(theirs) => (theirs, Basis::DummyOpponent),
        None => (draws(), Basis::DummyDraws),
    };
    Some(match own <= cap {
        true => (own, Basis::DummyOwn),
        false => (cap, basis),
    })
}

/// Returns one addend for each round with an opposing score, with cuts marked. If `times` is set, the opposing score is
/// multiplied by the participant's own points in the round, in that measure.
fn terms(
    field: &Field,
    standing: &Standing,
    tie_break: TieBreak,
    subject: usize,
    measure: Measure,
    times: Option<Measure>,
) -> Vec<Term> {
    let mut terms = Vec::with_capacity(usize::from(field.rounds));
    for (round, entry) in rounds(field, subject) {
        let as_played = tie_break.forfeits_as_played;
        let found = opposing(field, standing, measure, subject, entry, as_played);
        let Some((score, basis)) = found else {
            continue;
        };
        let score = ten_thousandths(score);
        let factor = times.map_or(UNIT, |times| ten_thousandths(entry.scores.of(times)));
        let scheduled = matches!(basis, Basis::Opponent | Basis::DummyOpponent);
        let opponent = entry.opponent.filter(|_| scheduled);
        terms.push(Term {
            adjustment: opponent.map_or(0, |opponent| standing.adjustment(opponent)),
            factor,
            // Both factors are multiples of a hundred, so the product is exact.
            value: (score / 100) * (factor / 100),
            ..Term::of_round(field, round, entry, basis, score)
        });
    }
    cut::apply(&mut terms, tie_break.cut);
    terms
}

/// Computes 8.1 and 8.3: the sum of the opposing scores.
pub(super) fn buchholz(
    field: &Field,
    standing: &Standing,
    tie_break: TieBreak,
    subject: usize,
    measure: Measure,
) -> TermSum {
    TermSum::sum(terms(field, standing, tie_break, subject, measure, None))
}

/// Computes 9.1 and 13.2: the sum of the opposing scores, each times the points scored.
pub(super) fn sonneborn_berger(
    field: &Field,
    standing: &Standing,
    tie_break: TieBreak,
    subject: usize,
    (theirs, own): (Measure, Measure),
) -> TermSum {
    let terms = terms(field, standing, tie_break, subject, theirs, Some(own));
    TermSum::sum(terms)
}

/// Computes 9.2: the points against opponents whose score reaches the limit, usually half of the maximum.
pub(super) fn koya(
    field: &Field,
    subject: usize,
    tie_break: TieBreak,
    measure: Measure,
    totals: &[Points],
) -> TermSum {
    let limit = koya_limit(field, tie_break, measure);
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        let Some(opponent) = entry.opponent else {
            continue;
        };
        let value = ten_thousandths(entry.scores.of(measure));
        let too_low = Ratio::from(totals[opponent]) < limit;
        terms.push(Term {
            score: ten_thousandths(totals[opponent]),
            cut: too_low.then_some(CutReason::BelowLimit),
            ..Term::of_round(field, round, entry, Basis::Opponent, value)
        });
    }
    TermSum {
        note: Some(Note::Limit(limit)),
        ..TermSum::sum(terms)
    }
}

/// Returns the lowest score at which an opponent counts. The maximum leaves out the free rounds of a round robin with
/// an odd number of participants, because they cannot earn points.
fn koya_limit(field: &Field, tie_break: TieBreak, measure: Measure) -> Ratio {
    let rounds = match field.system {
        System::Swiss => i64::from(field.rounds),
        System::RoundRobin { cycles } => {
            let all = field.competitors.iter();
            let paired = all.filter(|competitor| competitor.is_paired()).count();
            let opponents = i64::try_from(paired.saturating_sub(1)).unwrap_or(i64::MAX);
            let games = opponents.saturating_mul(i64::from(cycles));
            games.min(i64::from(field.rounds))
        }
    };
    let most = Ratio::from(field.round_win(measure).times(rounds));
    most * Ratio::new(i64::from(tie_break.koya.percent), 100) + tie_break.koya.shift.into()
}

/// Returns the addends of 8.2, 10.4 and 10.5: the values of the opponents met over the board, in ten-thousandths.
/// Opponents without a value are left out.
pub(super) fn average_of(field: &Field, subject: usize, theirs: &[Option<i64>]) -> Vec<Term> {
    let mut terms = Vec::new();
    for (round, entry) in rounds(field, subject) {
        let Some(opponent) = entry.opponent.filter(|_| entry.is_played()) else {
            continue;
        };
        if let Some(value) = theirs[opponent] {
            let basis = Basis::OpponentValue;
            terms.push(Term::of_round(field, round, entry, basis, value));
        }
    }
    terms
}
