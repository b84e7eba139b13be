//! The computation of one tie-break for the whole field. Shared values are prepared once, then each participant's
//! number is computed.

use super::super::points::{Points, Ratio};
use super::super::tie_break::{Measure, TieBreak};
use super::field::{Entry, Field};
use super::method::{self, Method, Performance, Product, Score};
use super::note::Note;
use super::opponents::{self, Standing};
use super::term::{Basis, Term, UNIT, Working, count, total};
use super::{boards, own, rating};

/// The values that all numbers of one tie-break share.
enum Shared {
    /// No shared values.
    Nothing,
    /// Scores, and the field they belong to if it is not the plain one (fore Buchholz).
    Standing(Standing, Option<Box<Field>>),
    /// Scores as awarded.
    Totals(Vec<Points>),
    /// The opponents' values, in ten-thousandths.
    Theirs(Vec<Option<i64>>),
}

/// The numbers of one tie-break.
pub(super) struct Sums<'a> {
    field: &'a Field,
    tie_break: TieBreak,
    method: Method,
    measure: Measure,
    shared: Shared,
}

impl<'a> Sums<'a> {
    /// Prepares the shared values of a tie-break.
    pub(super) fn new(field: &'a Field, tie_break: TieBreak) -> Self {
        let method = method::of(tie_break.code);
        let measure = tie_break.measure.unwrap_or(field.primary);
        let standing = |measure: Measure, fore: bool| {
            if fore {
                let fore = field.fore();
                Shared::Standing(Standing::new(&fore, measure), Some(Box::new(fore)))
            } else {
                Shared::Standing(Standing::new(field, measure), None)
            }
        };
        let shared = match method {
            Method::Buchholz { fore } => standing(measure, fore || tie_break.fore),
            Method::Strength => standing(measure, tie_break.fore),
            Method::SonnebornBerger(product) => standing(pair(product, measure).0, false),
            Method::AverageBuchholz => Shared::Theirs(buchholz_of_all(field, tie_break)),
            Method::Koya => Shared::Totals(field.totals(measure)),
            Method::Performance(Performance::AverageTournament) => {
                Shared::Theirs(rating::values(field, tie_break, Performance::Tournament))
            }
            Method::Performance(Performance::AveragePerfect) => {
                Shared::Theirs(rating::values(field, tie_break, Performance::Perfect))
            }
            Method::Points(_)
            | Method::Own(_)
            | Method::Progressive
            | Method::Number
            | Method::Rating
            | Method::Performance(
                Performance::Average | Performance::Tournament | Performance::Perfect,
            )
            | Method::Meeting(_)
            | Method::BoardCount
            | Method::Boards(_)
            | Method::Count(_) => Shared::Nothing,
        };
        Self {
            field,
            tie_break,
            method,
            measure,
            shared,
        }
    }

    /// Computes one participant's number with its addends.
    pub(super) fn working(&self, subject: usize) -> Working {
        let (field, tie_break, measure) = (self.field, self.tie_break, self.measure);
        match (self.method, &self.shared) {
            (Method::Points(score), _) => self.score(subject, score),
            (Method::Own(what), _) => own::record(field, subject, measure, what),
            (Method::Progressive, _) => own::progressive(field, subject, tie_break, measure),
            (Method::Number, _) => {
                let number = field.competitors[subject].who.number();
                Working::of(Some(Ratio::whole(i64::from(number))))
            }
            (Method::Rating, _) => rating::own(field, subject, tie_break),
            (Method::Buchholz { .. }, Shared::Standing(standing, fore)) => {
                let field = fore.as_deref().unwrap_or(field);
                opponents::buchholz(field, standing, tie_break, subject, measure)
            }
            (Method::Strength, Shared::Standing(standing, fore)) => {
                let field = fore.as_deref().unwrap_or(field);
                let buchholz = opponents::buchholz(field, standing, tie_break, subject, measure);
                self.strength(subject, buchholz)
            }
            (Method::SonnebornBerger(product), Shared::Standing(standing, _)) => {
                opponents::sonneborn_berger(
                    field,
                    standing,
                    tie_break,
                    subject,
                    pair(product, measure),
                )
            }
            (Method::Koya, Shared::Totals(totals)) => {
                opponents::koya(field, subject, tie_break, measure, totals)
            }
            (Method::AverageBuchholz, Shared::Theirs(theirs)) => {
                average(opponents::average_of(field, subject, theirs), false)
            }
            (Method::Performance(_), Shared::Theirs(theirs)) => {
                average(opponents::average_of(field, subject, theirs), true)
            }
            (Method::Performance(what), _) => rating::performance(field, subject, tie_break, what),
            (Method::BoardCount, _) => boards::count(field, subject),
            (Method::Count(what), _) => own::counts(field, subject, what),
            // Direct encounter and boards rank groups. For every other method `new` has prepared what it needs.
            (
                Method::Meeting(_)
                | Method::Boards(_)
                | Method::Buchholz { .. }
                | Method::Strength
                | Method::SonnebornBerger(_)
                | Method::Koya
                | Method::AverageBuchholz,
                _,
            ) => Working::of(None),
        }
    }

    /// Returns a score with one addend per round.
    fn score(&self, subject: usize, score: Score) -> Working {
        let measure = match score {
            Score::Primary => self.measure,
            Score::Secondary => self.field.primary.other(),
            Score::Named(measure) => measure,
        };
        let of_result = |round: u16, entry: &Entry| Term {
            opponent: entry
                .opponent
                .map(|opponent| self.field.competitors[opponent].who),
            kind: Some(entry.kind),
            ..Term::plain(
                round,
                Basis::Own,
                entry.scores.of(measure).hundredths() * (UNIT / 100),
            )
        };
        let mut terms = Vec::new();
        for (round, entry) in own::rounds(self.field, subject) {
            terms.push(of_result(round, entry));
            let bonus = entry.bonus.of(measure).hundredths();
            if bonus != 0 {
                terms.push(Term::plain(round, Basis::Bonus, bonus * (UNIT / 100)));
            }
        }
        Working::sum(terms)
    }

    /// Computes 13.4: the secondary score plus Buchholz divided by the normalising factor.
    fn strength(&self, subject: usize, buchholz: Working) -> Working {
        let other = self.measure.other();
        let secondary = self.field.competitors[subject].total(other);
        let most = self
            .field
            .round_win(self.measure)
            .times(i64::from(self.field.rounds));
        let usual = most.hundredths() / self.field.round_win(other).hundredths().max(1);
        let divisor = self.tie_break.divisor.map_or(usual, i64::from).max(1);
        let sum = Ratio::new(total(&buchholz.terms), UNIT * divisor);
        Working {
            terms: buchholz.terms,
            value: Some(Ratio::from(secondary) + sum),
            note: Some(Note::Strength {
                measure: other,
                points: secondary,
                divisor,
            }),
        }
    }
}

/// Returns the scores of a product.
const fn pair(product: Product, measure: Measure) -> (Measure, Measure) {
    match product {
        Product::Same => (measure, measure),
        Product::Crossed => (measure, measure.other()),
        Product::Named(theirs, ours) => (theirs, ours),
    }
}

/// Returns the average of the counting addends, without a value if there are none.
fn average(terms: Vec<Term>, rounded: bool) -> Working {
    let games = count(&terms);
    let value = Ratio::new(total(&terms), UNIT * games.max(1));
    let value = if rounded {
        Ratio::whole(value.rounded())
    } else {
        value
    };
    Working {
        terms,
        value: if games == 0 { None } else { Some(value) },
        note: Some(Note::Average(games)),
    }
}

/// Returns every participant's Buchholz or fore Buchholz, in ten-thousandths. Cuts of AOB apply to each Buchholz
/// averaged.
fn buchholz_of_all(field: &Field, tie_break: TieBreak) -> Vec<Option<i64>> {
    let fore = tie_break.fore.then(|| field.fore());
    let field = fore.as_ref().unwrap_or(field);
    let measure = tie_break.measure.unwrap_or(field.primary);
    let standing = Standing::new(field, measure);
    (0..field.competitors.len())
        .map(|subject| {
            Some(total(
                &opponents::buchholz(field, &standing, tie_break, subject, measure).terms,
            ))
        })
        .collect()
}
