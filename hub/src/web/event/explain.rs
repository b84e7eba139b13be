//! The explanation of the numbers in one line of the standings: opponents, their terms, and adjustments.
//!
//! Must never compute a number; shows only the terms from which the standings were computed.

use serde::Serialize;

use super::edition::Edition;
use super::explain_words::{
    CutView, KindView, MeasureView, NoteView, SourceView, cut, kind, measure, method_has_factor,
    notes, source,
};
use super::shared::Name;
use super::tie_break_names::TieBreakView;
use tournament::standings::explain::{Encounter, text};
use tournament::standings::{Basis, Term};
use tournament::{Code, Explanation, Participant, Points, Ratio, TieBreak, Tournament};

/// Number of units in a point: terms are in ten-thousandths.
const UNIT: i64 = 10_000;

#[derive(Serialize)]
pub(super) struct WhyView<'a> {
    version: u64,
    after: u16,
    #[serde(flatten)]
    name: Name<'a>,
    /// The score, unless the event's list contains it, then each tie-break of the list that has an explanation.
    numbers: Vec<NumberView<'a>>,
}

#[derive(Serialize)]
struct NumberView<'a> {
    #[serde(flatten)]
    tie_break: TieBreakView,
    value: String,
    terms: Vec<TermView<'a>>,
    /// The separate standings of the tied participants, for a direct encounter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tied: Vec<TiedView<'a>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    /// The statements in `note`, as codes that pages translate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteView>,
    words: Vec<String>,
}

#[derive(Serialize)]
struct TermView<'a> {
    #[serde(skip_serializing_if = "is_zero")]
    round: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<Name<'a>>,
    #[serde(flatten)]
    kind: Option<KindView>,
    #[serde(flatten)]
    source: Option<SourceView>,
    /// In a product, the value that is multiplied by `factor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<String>,
    adds: String,
    /// The part of the term's score that comes from the opponent's unplayed rounds that count as draws (16.3.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    adjusted: Option<String>,
    #[serde(flatten)]
    cut: Option<CutView>,
}

#[derive(Serialize)]
struct TiedView<'a> {
    /// The score that is compared if the event has several, such as `game points` or `on board 1`.
    #[serde(skip_serializing_if = "String::is_empty")]
    by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    measure: Option<MeasureView>,
    #[serde(flatten)]
    name: Name<'a>,
    score: String,
    /// The score if the missing games against the tied participants were all won.
    most: String,
    met: usize,
}

const fn is_zero(round: &u16) -> bool {
    *round == 0
}

pub(super) fn of(edition: &Edition, after: u16, who: Participant) -> WhyView<'_> {
    let tournament = &edition.tournament;
    let list = &tournament.event().tie_breaks;
    let score = TieBreak::new(Code::Pts);
    let first = (!list.contains(&score)).then_some(score);
    let explainer = edition.explainer(after);
    let explain = |tie_break: TieBreak| explainer.explain(who, tie_break);
    let numbers = first.into_iter().chain(list.iter().copied());
    let numbers = numbers.filter_map(explain);
    WhyView {
        version: edition.version,
        after,
        name: Name::who(tournament, who),
        numbers: numbers
            .map(|explained| number(tournament, explained))
            .collect(),
    }
}

fn number(tournament: &Tournament, explanation: Explanation) -> NumberView<'_> {
    let code = explanation.tie_break.code;
    let words = explanation.words(tournament);
    let (terms, encounters) = (explanation.terms.iter(), explanation.encounters.iter());
    NumberView {
        tie_break: TieBreakView::of(explanation.tie_break),
        value: text(code, explanation.value),
        terms: terms.map(|addend| term(tournament, code, addend)).collect(),
        tied: encounters.map(|line| tied_view(tournament, line)).collect(),
        notes: explanation.note.as_ref().map_or_else(Vec::new, notes),
        note: explanation
            .note
            .map_or_else(String::new, |note| note.to_string()),
        words,
    }
}

fn term<'a>(tournament: &'a Tournament, code: Code, term: &Term) -> TermView<'a> {
    let product = method_has_factor(code);
    TermView {
        round: term.round,
        opponent: term.opponent.map(|who| Name::who(tournament, who)),
        kind: term.kind.and_then(kind),
        source: source(term.basis),
        score: product.then(|| amount(term.basis, term.score)),
        factor: product.then(|| amount(Basis::Own, term.factor)),
        adds: amount(term.basis, term.value),
        adjusted: (term.adjustment != 0).then(|| amount(Basis::Opponent, term.adjustment)),
        cut: term.cut.map(cut),
    }
}

fn tied_view<'a>(tournament: &'a Tournament, line: &Encounter) -> TiedView<'a> {
    TiedView {
        by: line.by.map(|by| by.to_string()).unwrap_or_default(),
        measure: line.by.map(measure),
        name: Name::who(tournament, line.who),
        score: line.score.to_string(),
        most: line.most.to_string(),
        met: line.met,
    }
}

/// Formats ten-thousandths: ratings and counts as plain numbers, other values as scores, with up to four decimals if they need them.
fn amount(basis: Basis, units: i64) -> String {
    match basis {
        Basis::Rating | Basis::Count => Ratio::new(units, UNIT).to_string(),
        Basis::Own
        | Basis::Bonus
        | Basis::Opponent
        | Basis::DummyOwn
        | Basis::DummyOpponent
        | Basis::DummyDraws
        | Basis::OpponentValue => {
            if units % 100 == 0 {
                Points::from_hundredths(units / 100).to_string()
            } else {
                Ratio::new(units, UNIT).to_string()
            }
        }
    }
}
