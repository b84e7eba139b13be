//! The computation of one tie-break for the whole field. Shared values are prepared once, then each participant's
//! number is computed.

use std::borrow::Cow;

use super::field::Field;
use super::method::{self, Method, Performance, Product, Score};
use super::note::Note;
use super::opponents::{self, Standing};
use super::term::{Basis, Term, TermSum, UNIT, count, ten_thousandths, total};
use super::{boards, own, rating};
use crate::{Measure, Ratio, TieBreak};

pub(super) type Computation<'a> = Box<dyn Fn(usize) -> TermSum + 'a>;

pub(super) fn computation(field: &Field, tie_break: TieBreak) -> Computation<'_> {
    let measure = tie_break.measure.unwrap_or(field.primary);
    match method::of(tie_break.code) {
        Method::Points(score) => {
            let measure = match score {
                Score::Primary => measure,
                Score::Secondary => field.primary.other(),
                Score::Named(measure) => measure,
            };
            Box::new(move |subject| points(field, subject, measure))
        }
        Method::Own(what) => Box::new(move |subject| own::record(field, subject, measure, what)),
        Method::Progressive => {
            Box::new(move |subject| own::progressive(field, subject, tie_break, measure))
        }
        Method::Number => Box::new(|subject| {
            let number = field.competitors[subject].who.number();
            TermSum::of(Some(Ratio::whole(i64::from(number))))
        }),
        Method::Rating => Box::new(move |subject| rating::own(field, subject, tie_break)),
        Method::Buchholz { fore } => Box::new(buchholz(field, tie_break, fore || tie_break.fore)),
        Method::AverageBuchholz => {
            // Cuts apply to each of the averaged Buchholz scores.
            let buchholz = buchholz(field, tie_break, tie_break.fore);
            let all = 0..field.competitors.len();
            let theirs = all.map(|subject| Some(total(&buchholz(subject).terms)));
            average(field, theirs.collect(), false)
        }
        Method::Strength => {
            let buchholz = buchholz(field, tie_break, tie_break.fore);
            Box::new(move |subject| strength(field, tie_break, subject, buchholz(subject)))
        }
        Method::SonnebornBerger(product) => {
            let pair = pair(product, measure);
            let standing = Standing::new(field, pair.0);
            Box::new(move |subject| {
                opponents::sonneborn_berger(field, &standing, tie_break, subject, pair)
            })
        }
        Method::Koya => {
            let totals = field.totals(measure);
            Box::new(move |subject| opponents::koya(field, subject, tie_break, measure, &totals))
        }
        Method::Performance(Performance::AverageTournament) => {
            let theirs = rating::values(field, tie_break, Performance::Tournament);
            average(field, theirs, true)
        }
        Method::Performance(Performance::AveragePerfect) => {
            let theirs = rating::values(field, tie_break, Performance::Perfect);
            average(field, theirs, true)
        }
        Method::Performance(what) => {
            Box::new(move |subject| rating::performance(field, subject, tie_break, what))
        }
        Method::BoardCount => Box::new(|subject| boards::count(field, subject)),
        Method::Count(what) => Box::new(move |subject| own::counts(field, subject, what)),
        // These methods rank groups and have no number for each participant.
        Method::Placing(_) => Box::new(|_| TermSum::of(None)),
    }
}

fn points(field: &Field, subject: usize, measure: Measure) -> TermSum {
    let mut terms = Vec::new();
    for (round, entry) in own::rounds(field, subject) {
        let value = ten_thousandths(entry.scores.of(measure));
        terms.push(Term::of_round(field, round, entry, Basis::Own, value));
        let bonus = ten_thousandths(entry.bonus.of(measure));
        if bonus != 0 {
            terms.push(Term::plain(round, Basis::Bonus, bonus));
        }
    }
    TermSum::sum(terms)
}

fn buchholz(field: &Field, tie_break: TieBreak, fore: bool) -> impl Fn(usize) -> TermSum {
    let measure = tie_break.measure.unwrap_or(field.primary);
    let field = match fore {
        true => Cow::Owned(field.fore()),
        false => Cow::Borrowed(field),
    };
    let standing = Standing::new(&field, measure);
    move |subject| opponents::buchholz(&field, &standing, tie_break, subject, measure)
}

/// Computes 13.4: the secondary score plus Buchholz divided by the normalising factor.
fn strength(field: &Field, tie_break: TieBreak, subject: usize, buchholz: TermSum) -> TermSum {
    let measure = tie_break.measure.unwrap_or(field.primary);
    let other = measure.other();
    let secondary = field.competitors[subject].total(other);
    let most = field.round_win(measure).times(i64::from(field.rounds));
    let usual = most.hundredths() / field.round_win(other).hundredths().max(1);
    let divisor = tie_break.divisor.map_or(usual, i64::from).max(1);
    let sum = Ratio::new(total(&buchholz.terms), UNIT * divisor);
    TermSum {
        terms: buchholz.terms,
        value: Some(Ratio::from(secondary) + sum),
        note: Some(Note::Strength {
            measure: other,
            points: secondary,
            divisor,
        }),
    }
}

const fn pair(product: Product, measure: Measure) -> (Measure, Measure) {
    match product {
        Product::Same => (measure, measure),
        Product::Crossed => (measure, measure.other()),
        Product::Named(theirs, ours) => (theirs, ours),
    }
}

/// Returns the computation of the average of the opponents' values, which `theirs` holds in ten-thousandths. There is
/// no average if no opponent has a value.
fn average(field: &Field, theirs: Vec<Option<i64>>, rounded: bool) -> Computation<'_> {
    Box::new(move |subject| {
        let terms = opponents::average_of(field, subject, &theirs);
        let games = count(&terms);
        let value = Ratio::new(total(&terms), UNIT * games.max(1));
        let value = match rounded {
            true => Ratio::whole(value.rounded()),
            false => value,
        };
        TermSum {
            terms,
            value: (games > 0).then_some(value),
            note: Some(Note::Average(games)),
        }
    })
}
