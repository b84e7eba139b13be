//! Explanations of the standings' numbers: their addends as data, and as sentences that an arbiter can read out.
//!
//! Owns the sentences. Must never compute anything that the standings do not.

use super::field::{Field, RoundKind};
use super::meeting::Step;
use super::method::{self, Extension, Method, Placing};
use super::note::{EncounterRule, Note, RemainingTieRule};
use super::order::{Order, column};
use super::sums::computation;
use super::term::{Basis, CutReason, Term, TermSum, UNIT};
use super::{boards, meeting};
use crate::{Code, Participant, Ratio, TieBreak, Tournament};

/// One line of the separate standings of a direct encounter (C.07 6.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The score that decides in this table; `None` in an individual event.
    pub by: Option<Step>,
    /// The line's participant.
    pub who: Participant,
    /// The sum of the scores against the other tied participants.
    pub score: Ratio,
    /// The sum if the participant won every missing game against the other tied participants.
    pub most: Ratio,
    /// The number of other tied participants whom the participant has met.
    pub met: usize,
}

/// The explanation of one participant's value in one tie-break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The explained tie-break.
    pub tie_break: TieBreak,
    /// The participant.
    pub who: Participant,
    /// The number itself; `None` if the tie-break gives the participant none.
    pub value: Option<Ratio>,
    /// The addends, in the order of the rounds or boards.
    pub terms: Vec<Term>,
    /// The separate standings of a direct encounter, if other participants are tied.
    pub encounters: Vec<Encounter>,
    /// A note, if the addends alone do not explain the number.
    pub note: Option<Note>,
}

/// The data of one standings table from which its numbers can be explained.
pub struct Explainer {
    field: Field,
    tie_breaks: Vec<TieBreak>,
    /// The order before each tie-break is applied, then the order after all of them.
    orders: Vec<Order>,
}

impl Explainer {
    pub(super) fn new(field: Field, tie_breaks: Vec<TieBreak>, orders: Vec<Order>) -> Self {
        Self {
            field,
            tie_breaks,
            orders,
        }
    }

    /// Explains the value that a tie-break gives a participant. Returns `None` if the event has no such participant.
    #[must_use]
    pub fn explain(&self, who: Participant, tie_break: TieBreak) -> Option<Explanation> {
        let mut all = self.field.competitors.iter();
        let subject = all.position(|competitor| competitor.who == who)?;
        let mut list = self.tie_breaks.iter();
        // Only participants who are still tied with this one when the tie-break is applied are relevant.
        let applied = list.position(|listed| *listed == tie_break);
        let order = self.orders.get(applied.unwrap_or(self.tie_breaks.len()))?;
        let tied = order.group_of(subject);
        Some(explain(&self.field, tie_break, subject, &tied))
    }
}

fn explain(field: &Field, tie_break: TieBreak, subject: usize, tied: &[usize]) -> Explanation {
    // Places are relative to a group, so the tied participants come first and are the only group.
    let among = || {
        let mut order = Order::all(field.competitors.len());
        order.sequence.sort_by_key(|other| !tied.contains(other));
        order.groups = std::iter::once(0..tied.len()).collect();
        let places = column(field, tie_break, &order);
        TermSum::of(places.get(subject).copied().flatten())
    };
    let mut encountered = Vec::new();
    let working = match method::of(tie_break.code).placing() {
        Some(Placing::Meeting(extension)) => {
            encountered = encounters(field, tie_break, extension, subject, tied);
            TermSum {
                note: Some(meeting_note(field, &encountered, extension)),
                ..among()
            }
        }
        Some(Placing::Boards(_)) => TermSum {
            note: boards::note(field, subject),
            ..among()
        },
        None => computation(field, tie_break)(subject),
    };
    Explanation {
        tie_break,
        who: field.competitors[subject].who,
        value: working.value,
        terms: working.terms,
        encounters: encountered,
        note: working.note,
    }
}

/// Returns, for each step, the lines of the first table that includes the participant `subject`.
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
        let by = field.is_team().then_some(applied.step);
        encounters.extend(applied.table.iter().map(|line| Encounter {
            by,
            who: field.competitors[line.subject].who,
            score: line.score,
            most: line.most,
            met: line.met,
        }));
    });
    encounters
}

fn meeting_note(field: &Field, encounters: &[Encounter], extension: Extension) -> Note {
    let by = encounters.first().map(|first| first.by);
    let first = || encounters.iter().filter(|line| Some(line.by) == by);
    let others = first().count().saturating_sub(1);
    if others == 0 {
        let (team, player) = (EncounterRule::AloneTeam, EncounterRule::AlonePlayer);
        return Note::DirectEncounter {
            rule: if field.is_team() { team } else { player },
            then: RemainingTieRule::Nothing,
        };
    }
    let rule = if first().all(|line| line.met == others) {
        EncounterRule::AllMet
    } else if field.is_round_robin() {
        EncounterRule::AllWillMeet
    } else {
        EncounterRule::NotAllMet
    };
    let then = match extension {
        Extension::None => RemainingTieRule::Nothing,
        Extension::Secondary => RemainingTieRule::OtherScore,
        Extension::Boards { .. } => RemainingTieRule::Boards,
    };
    Note::DirectEncounter { rule, then }
}

impl Explanation {
    /// Returns the explanation as sentences, with the names from the event.
    #[must_use]
    pub fn words(&self, tournament: &Tournament) -> Vec<String> {
        let name = |who: Participant| name(tournament, who);
        let value = text(self.tie_break.code, self.value);
        let mut words = vec![format!("{} of {}: {value}", self.tie_break, name(self.who))];
        let terms = self.terms.iter();
        words.extend(terms.map(|term| sentence(self.tie_break.code, term, &name)));
        words.extend(self.encounters.iter().map(|line| {
            let most = match line.most == line.score {
                true => String::new(),
                false => format!(", at most {} if all missing games are won", line.most),
            };
            let by = line.by.map_or(String::new(), |by| format!(" {by}"));
            let met = format!("has {}{by} against {} of those tied", line.score, line.met);
            format!("{} {met}{most}", name(line.who))
        }));
        words.extend(self.note.as_ref().map(ToString::to_string));
        words
    }
}

/// Returns a participant's name, or the number if the event no longer has the participant.
#[must_use]
pub fn name(tournament: &Tournament, who: Participant) -> String {
    let found = match who {
        Participant::Player(no) => tournament.players().get(&no).map(|player| &player.name),
        Participant::Team(no) => tournament.teams().get(&no).map(|team| &team.name),
    };
    found.map_or_else(|| who.number().to_string(), String::clone)
}

const fn kind_words(kind: RoundKind) -> &'static str {
    match kind {
        RoundKind::Played => "played",
        RoundKind::Pending => "not finished",
        RoundKind::ForfeitWin => "won by forfeit",
        RoundKind::ForfeitLoss => "lost by forfeit",
        RoundKind::Bye(bye) => bye.words(),
    }
}

/// Describes the origin of an addend; the text precedes its amount.
const fn basis_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Own => "",
        Basis::Bonus => "bonus or penalty ",
        Basis::Opponent => "score ",
        Basis::DummyOwn => "dummy with the participant's own score ",
        Basis::DummyOpponent => "dummy capped at the scheduled opponent's score ",
        Basis::DummyDraws => "dummy capped at a draw in every round, ",
        Basis::Rating => "rating ",
        Basis::OpponentValue => "value ",
        Basis::Count => "count ",
    }
}

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

fn sentence(code: Code, term: &Term, name: &impl Fn(Participant) -> String) -> String {
    let mut parts = Vec::new();
    if term.round > 0 {
        parts.push(format!("round {}", term.round));
    }
    match (term.opponent.map(name), term.kind) {
        (Some(opponent), Some(RoundKind::Played) | None) => parts.push(opponent),
        (Some(opponent), Some(kind)) => parts.push(format!("{opponent}, {}", kind_words(kind))),
        (None, Some(kind)) => parts.push(kind_words(kind).to_owned()),
        (None, None) => (),
    }
    let amount = term.amount();
    let method = method::of(code);
    let mut made = basis_words(term.basis).to_owned();
    if matches!(method, Method::SonnebornBerger(_) | Method::BoardCount) {
        let (score, factor) = (Ratio::new(term.score, UNIT), Ratio::new(term.factor, UNIT));
        made += &format!("{score} × {factor} = ");
    }
    made += &amount.to_string();
    if term.adjustment != 0 {
        let draws = Ratio::new(term.adjustment, UNIT);
        made +=
            &format!(", including {draws} for unplayed rounds that count as draws (C.07 16.3.2)");
    }
    parts.push(made);
    let line = parts.join(": ");
    match term.cut {
        Some(cut) => format!("{line} ({})", cut_words(cut)),
        None => line,
    }
}

/// Formats a value as tables print it: `4.0` for scores, sums of scores and board counts, `3.00` for Sonneborn-Berger,
/// average Buchholz and SSSC, `2374` for all other tie-breaks. No value is `–`. Values of the first kind and
/// Sonneborn-Berger have up to four decimals if they need them to be exact.
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
        | Method::Placing(_)
        | Method::Count(_) => value.rounded().to_string(),
    }
}

/// Formats a value with at least `min_places` decimals, and with up to four if it needs them to be exact.
fn exact(value: Ratio, min_places: u32) -> String {
    let places = (min_places..4).find(|places| 10_i64.pow(*places) % value.denominator() == 0);
    let places = places.unwrap_or(4);
    fixed(value.scaled(10_i64.pow(places)), places)
}

/// Formats a number with this many decimal places; `digits` is the number without its decimal point.
fn fixed(digits: i64, places: u32) -> String {
    let unit = 10_i64.pow(places);
    let sign = if digits < 0 { "-" } else { "" };
    let width = usize::try_from(places).unwrap_or(0);
    let (whole, rest) = (digits.abs() / unit, digits.abs() % unit);
    format!("{sign}{whole}.{rest:0width$}")
}
