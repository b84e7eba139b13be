//! Why a number is what it is: its addends as data, and as sentences an arbiter can read out.
//!
//! Owns the words. Must never compute anything that the standings do not.

use super::super::fold::Tournament;
use super::super::player::PlayerNo;
use super::super::points::Ratio;
use super::super::result::Bye;
use super::super::team::TeamNo;
use super::super::tie_break::{Code, TieBreak};
use super::boards;
use super::field::{Field, Kind, Who};
use super::meeting;
use super::method::{self, Extension, Method, Placing};
use super::sums::Sums;
use super::term::{Basis, CutReason, Term, UNIT};
use super::{Order, column};

/// One line of the separate standings of a direct encounter (C.07 6.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// What is counted, `game points` or `on board 1`; empty in an event of individuals.
    pub by: String,
    /// Whose line it is.
    pub who: Who,
    /// The sum of his scores against the others who are tied.
    pub score: Ratio,
    /// What it would be if he won every game against them that was not played.
    pub most: Ratio,
    /// How many of them he met.
    pub met: usize,
}

/// How a number comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Which tie-break.
    pub tie_break: TieBreak,
    /// Whose.
    pub who: Who,
    /// The number.
    pub value: Option<Ratio>,
    /// Its addends, in order of the rounds.
    pub terms: Vec<Term>,
    /// The separate standings, where the tie-break is a direct encounter and somebody is tied.
    pub encounters: Vec<Encounter>,
    /// What the addends do not say.
    pub note: String,
}

/// The number of a participant, among those who are tied with him.
pub(super) fn explain(
    field: &Field,
    tie_break: TieBreak,
    subject: usize,
    tied: &[usize],
) -> Explanation {
    let who = field.competitors[subject].who;
    let mut explanation = Explanation {
        tie_break,
        who,
        value: None,
        terms: Vec::new(),
        encounters: Vec::new(),
        note: String::new(),
    };
    // Places are told within the group alone: it comes first, and is the only one.
    let among = || {
        let mut order = Order::all(field.competitors.len());
        order.sequence.sort_by_key(|other| !tied.contains(other));
        order.groups = std::iter::once(0..tied.len()).collect();
        let places = column(field, tie_break, &order);
        places.get(subject).copied().flatten()
    };
    match method::of(tie_break.code).placing() {
        Some(Placing::Meeting(extension)) => {
            explanation.encounters = encounters(field, tie_break, extension, subject, tied);
            explanation.value = among();
            explanation.note = meeting_note(field, &explanation.encounters, extension);
        }
        Some(Placing::Boards(_)) => {
            explanation.value = among();
            explanation.note = boards::note(field, subject);
        }
        None => {
            let working = Sums::new(field, tie_break).working(subject);
            explanation.value = working.value;
            explanation.terms = working.terms;
            explanation.note = working.note;
        }
    }
    explanation
}

/// The separate standings in which a participant is compared: the first one of each step that still finds somebody tied
/// with him.
fn encounters(
    field: &Field,
    tie_break: TieBreak,
    extension: Extension,
    subject: usize,
    tied: &[usize],
) -> Vec<Encounter> {
    let measure = tie_break.measure.unwrap_or(field.primary);
    let steps = meeting::steps(field, measure, extension);
    let mut asked = Vec::with_capacity(steps.len());
    let mut encounters = Vec::new();
    meeting::resolve(field, tied, &steps, tie_break, |applied| {
        let has = applied.table.iter().any(|line| line.subject == subject);
        if !has || asked.contains(&applied.step) {
            return;
        }
        asked.push(applied.step);
        let by = match field.is_team() {
            true => applied.step.to_string(),
            false => String::new(),
        };
        encounters.extend(applied.table.iter().map(|line| Encounter {
            by: by.clone(),
            who: field.competitors[line.subject].who,
            score: line.score,
            most: line.most,
            met: line.met,
        }));
    });
    encounters
}

/// What the article does with a table.
fn meeting_note(field: &Field, encounters: &[Encounter], extension: Extension) -> String {
    let by = encounters.first().map(|first| &first.by);
    let first = || encounters.iter().filter(|line| Some(&line.by) == by);
    let others = first().count().saturating_sub(1);
    if others == 0 {
        return match field.is_team() {
            true => "nobody is tied with this team".to_owned(),
            false => "nobody is tied with this player".to_owned(),
        };
    }
    let note = if first().all(|line| line.met == others) {
        "all have met: the separate standings rank them, and the article is applied anew to those still tied (C.07 6.2)"
    } else if field.is_round_robin() {
        "all are to meet: the separate standings rank them, so far on the games played, and the article is applied anew to those still tied (C.07 6.2)"
    } else {
        "not all have met: only who stays alone at the top whatever the missing games bring is ranked (C.07 6.3)"
    };
    let then = match extension {
        Extension::None => "",
        Extension::Secondary => "; the other score decides where this one leaves a tie (C.07 13.3)",
        Extension::Boards { .. } => {
            "; the other score decides where this one leaves a tie, and the boards where two teams are then left (C.07 13.3)"
        }
    };
    format!("{note}{then}")
}

impl Explanation {
    /// The sentences, with the names the event has.
    #[must_use]
    pub fn words(&self, tournament: &Tournament) -> Vec<String> {
        let name = |who: Who| name(tournament, who);
        let value = text(self.tie_break.code, self.value);
        let mut words = vec![format!("{} of {}: {value}", self.tie_break, name(self.who))];
        words.extend(
            self.terms
                .iter()
                .map(|term| sentence(self.tie_break.code, term, &name)),
        );
        words.extend(self.encounters.iter().map(|line| {
            let most = if line.most == line.score {
                String::new()
            } else {
                format!(", at most {} with the games not played", line.most)
            };
            let by = match line.by.as_str() {
                "" => String::new(),
                by => format!(" {by}"),
            };
            let met = format!("has {}{by} against {} of those tied", line.score, line.met);
            format!("{} {met}{most}", name(line.who))
        }));
        if !self.note.is_empty() {
            words.push(self.note.clone());
        }
        words
    }
}

/// A participant's name, or his number if the event has him no more.
fn name(tournament: &Tournament, who: Who) -> String {
    let found = match who {
        Who::Player(no) => tournament
            .players()
            .get(&PlayerNo(no.0))
            .map(|player| player.name.clone()),
        Who::Team(no) => tournament
            .teams()
            .get(&TeamNo(no.0))
            .map(|team| team.name.clone()),
    };
    found.unwrap_or_else(|| who.number().to_string())
}

/// What a round was, in words.
const fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Played => "played",
        Kind::Pending => "not finished",
        Kind::ForfeitWin => "won by forfeit",
        Kind::ForfeitLoss => "lost by forfeit",
        Kind::Bye(Bye::Full) => "full point bye",
        Kind::Bye(Bye::Half) => "half point bye",
        Kind::Bye(Bye::Zero) => "zero point bye",
        Kind::Bye(Bye::PairingAllocated) => "pairing-allocated bye",
    }
}

/// Where an addend comes from, in words.
const fn basis_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Own => "",
        Basis::Bonus => "given or taken apart from the results ",
        Basis::Opponent => "score ",
        Basis::DummyOwn => "a dummy with the own score ",
        Basis::DummyOpponent => "a dummy held to the scheduled opponent's score ",
        Basis::DummyDraws => "a dummy held to a draw in every round, ",
        Basis::Rating => "rating ",
        Basis::OpponentValue => "value ",
        Basis::Count => "count ",
    }
}

/// Why it does not count, in words.
const fn cut_words(cut: CutReason) -> &'static str {
    match cut {
        CutReason::Least => "cut: the least significant value (C.07 14.1)",
        CutReason::Voluntary => {
            "cut: the lowest contribution of a voluntary unplayed round (C.07 16.5)"
        }
        CutReason::Most => "cut: the most significant value (C.07 14.3)",
        CutReason::BelowLimit => "does not count: below the limit (C.07 9.2)",
    }
}

/// One addend as a sentence.
fn sentence(code: Code, term: &Term, name: &impl Fn(Who) -> String) -> String {
    let mut parts = Vec::new();
    if term.round > 0 {
        parts.push(format!("round {}", term.round));
    }
    match (term.opponent, term.kind) {
        (Some(opponent), Some(Kind::Played)) => parts.push(name(opponent)),
        (Some(opponent), Some(kind)) => {
            parts.push(format!("{}, {}", name(opponent), kind_words(kind)))
        }
        (None, Some(kind)) => parts.push(kind_words(kind).to_owned()),
        (Some(opponent), None) => parts.push(name(opponent)),
        (None, None) => (),
    }
    let amount = term.amount();
    let product = matches!(
        method::of(code),
        Method::SonnebornBerger(_) | Method::BoardCount
    );
    let made = if product {
        let (score, factor) = (Ratio::new(term.score, UNIT), Ratio::new(term.factor, UNIT));
        format!("{}{score} × {factor} = {amount}", basis_words(term.basis))
    } else {
        format!("{}{amount}", basis_words(term.basis))
    };
    let made = if term.moved == 0 {
        made
    } else {
        let draws = Ratio::new(term.moved, UNIT);
        format!("{made}, {draws} of it for unplayed rounds that count as draws (C.07 16.3.2)")
    };
    parts.push(made);
    let line = parts.join(": ");
    match term.cut {
        Some(cut) => format!("{line} ({})", cut_words(cut)),
        None => line,
    }
}

/// A value as tables print it: `4.0`, `3.00` for Sonneborn-Berger, two decimals for averages, whole counts and ratings, `–`
/// for none.
#[must_use]
pub fn text(code: Code, value: Option<Ratio>) -> String {
    let Some(value) = value else {
        return "–".to_owned();
    };
    match method::of(code) {
        Method::Points(_)
        | Method::Progressive
        | Method::Buchholz { .. }
        | Method::Koya
        | Method::Own(method::Own::StandardPoints)
        | Method::BoardCount => exact(value, 1),
        Method::SonnebornBerger(_) => exact(value, 2),
        Method::AverageBuchholz | Method::Strength => fixed(value.to_hundredths(), 2),
        Method::Own(_)
        | Method::Number
        | Method::Rating
        | Method::Performance(_)
        | Method::Meeting(_)
        | Method::Boards(_)
        | Method::Count(_) => value.rounded().to_string(),
    }
}

/// With at least so many decimals, and more while the number is not exact (up to four).
fn exact(value: Ratio, least: u32) -> String {
    let places = (least..4).find(|places| 10_i64.pow(*places) % value.denominator() == 0);
    let places = places.unwrap_or(4);
    fixed(value.scaled(10_i64.pow(places)), places)
}

/// A number of that many decimal places, from its digits.
fn fixed(digits: i64, places: u32) -> String {
    let unit = 10_i64.pow(places);
    let sign = if digits < 0 { "-" } else { "" };
    let width = usize::try_from(places).unwrap_or(0);
    format!(
        "{sign}{}.{:0width$}",
        digits.abs() / unit,
        digits.abs() % unit
    )
}
