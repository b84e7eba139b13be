//! Standings: places and tie-breaks after any round, and an explanation of each number (FIDE C.07).
//!
//! Owns the order of the participants and the splitting of ties. Standings depend on the results alone, never on the
//! order in which they were entered. Must never round unless the regulations do.

mod boards;
mod cut;
pub mod explain;
mod field;
mod meeting;
mod method;
pub mod note;
mod opponents;
mod own;
mod rating;
pub mod rating_tables;
pub mod record;
mod stand_in;
mod sums;
mod term;

use std::collections::BTreeMap;
use std::ops::Range;

pub use explain::Explanation;
pub use field::Kind;
pub use meeting::Step;
pub use note::{MeetingRule, MeetingThen, Note};
pub use record::RoundRecord;
pub use term::{Basis, CutReason, Term};

use crate::{
    Actor, Change, Code, Measure, Participant, PlaceSource, Points, Ratio, Refusal, RoundNo,
    TieBreak, Tournament,
};
use field::Field;
use method::{Method, Placing};

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 1. Participants with the same score share it if the tie-breaks do not separate them, or while
    /// one of them has a game without a final result.
    pub rank: usize,
    /// True if other participants have the same place.
    pub shared: bool,
    /// The line's participant.
    pub who: Participant,
    /// The primary score.
    pub score: Points,
    /// The secondary score of a team.
    pub second_score: Option<Points>,
    /// One value for each tie-break of the list; `None` if it has no value (no game played, unrated players).
    pub values: Vec<Option<Ratio>>,
    /// True if a game of this participant in the counted rounds has no final result yet.
    pub pending: bool,
}

/// The standings after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The number of counted rounds.
    pub after: u16,
    /// True if a game of the counted rounds has no final result.
    pub provisional: bool,
    /// The event's tie-breaks, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// The origin of the places.
    pub source: PlaceSource,
    /// The lines, best first; equal places in the order of the pairing numbers.
    pub rows: Vec<Row>,
}

impl Standings {
    /// Returns the line of a participant.
    #[must_use]
    pub fn row(&self, who: Participant) -> Option<&Row> {
        self.rows.iter().find(|row| row.who == who)
    }
}

impl Tournament {
    /// Returns the last round that counts for live standings: the last with a result.
    #[must_use]
    pub fn rounds_begun(&self) -> u16 {
        let begun = self.rounds().iter().rev().find(|(_, round)| {
            let no_games = round.boards.is_empty() && round.matches.is_empty();
            round.has_results() || (no_games && round.confirmed.is_some())
        });
        begun.map_or(0, |(no, _)| no.0)
    }

    /// Returns the event with other tie-breaks and with computed places, for a query that changes nothing.
    ///
    /// # Errors
    /// The reason why the event cannot have these tie-breaks.
    pub fn with_tie_breaks(&self, list: Vec<TieBreak>) -> Result<Self, Refusal> {
        let mut event = self.event().clone();
        event.tie_breaks = list;
        let mut other = self.clone();
        // The places that a file stated would need a note that its tie-breaks have changed.
        other.apply(&Actor::program("query"), Change::StateStandings(None))?;
        other.apply(&Actor::program("query"), Change::SetEvent(Box::new(event)))?;
        Ok(other)
    }

    /// Returns the standings after a round, or after every round begun.
    #[must_use]
    pub fn standings(&self, after: Option<RoundNo>) -> Standings {
        let field = self.field(after);
        let list = &self.event().tie_breaks;
        let mut order = by_score(&field, list);
        let mut scores = (!begins_with_score(list)).then(|| order.groups.clone());
        let mut columns = Vec::with_capacity(list.len());
        for tie_break in list {
            let values = column(&field, *tie_break, &order);
            order.split(&values, ascending(*tie_break));
            columns.push(values);
            scores.get_or_insert_with(|| order.groups.clone());
        }
        order.share_while_pending(&field, &scores.unwrap_or_default());
        let mut rows = rows(&field, &order, &columns);
        let source = self.arrange_stated(field.rounds, &mut rows, field.primary);
        Standings {
            after: field.rounds,
            provisional: rows.iter().any(|row| row.pending),
            tie_breaks: list.clone(),
            source,
            rows,
        }
    }

    /// Explains one number of the standings. Returns `None` if there is no such participant.
    #[must_use]
    pub fn explain(
        &self,
        after: Option<RoundNo>,
        who: Participant,
        tie_break: TieBreak,
    ) -> Option<Explanation> {
        let field = self.field(after);
        let subject = field
            .competitors
            .iter()
            .position(|competitor| competitor.who == who)?;
        // The participants still tied with this one when the tie-break is applied.
        let list = &self.event().tie_breaks;
        let mut order = by_score(&field, list);
        for earlier in list.iter().take_while(|earlier| **earlier != tie_break) {
            order.split(&column(&field, *earlier, &order), ascending(*earlier));
        }
        let tied = order.group_of(subject);
        Some(explain::explain(&field, tie_break, subject, &tied))
    }

    fn field(&self, after: Option<RoundNo>) -> Field {
        let rounds = after.map_or_else(
            || self.rounds_begun(),
            |round| round.0.min(self.event().rounds),
        );
        Field::new(self, rounds)
    }
}

/// Returns the participants in groups by primary score, or in one group if the list itself begins with a score.
fn by_score(field: &Field, list: &[TieBreak]) -> Order {
    let mut order = Order::all(field.competitors.len());
    if !begins_with_score(list) {
        let scores: Vec<_> = field
            .totals(field.primary)
            .into_iter()
            .map(|points| Some(points.into()))
            .collect();
        order.split(&scores, false);
    }
    order
}

/// Returns whether a list begins with the primary score. The secondary score of a team (MPvGP) only breaks ties.
pub fn begins_with_score(list: &[TieBreak]) -> bool {
    let named = |first: &TieBreak| matches!(first.code, Code::Pts | Code::Mpts | Code::Gpts);
    list.first().is_some_and(named)
}

/// Returns whether lower values are better.
fn ascending(tie_break: TieBreak) -> bool {
    let usual = match method::of(tie_break.code) {
        Method::Number | Method::BoardCount | Method::Placing(_) => true,
        Method::Points(_)
        | Method::Own(_)
        | Method::Progressive
        | Method::Rating
        | Method::Buchholz { .. }
        | Method::AverageBuchholz
        | Method::SonnebornBerger(_)
        | Method::Koya
        | Method::Performance(_)
        | Method::Strength
        | Method::Count(_) => false,
    };
    usual != tie_break.reversed
}

fn column(field: &Field, tie_break: TieBreak, order: &Order) -> Vec<Option<Ratio>> {
    let measure = tie_break.measure.unwrap_or(field.primary);
    match method::of(tie_break.code).placing() {
        Some(Placing::Meeting(extension)) => {
            let steps = meeting::steps(field, measure, extension);
            order.places(|tied| meeting::resolve(field, tied, &steps, tie_break, |_| ()))
        }
        Some(Placing::Boards(from)) => order.places(|tied| boards::resolve(field, tied, from)),
        None => {
            let compute = sums::computation(field, tie_break);
            (0..field.competitors.len())
                .map(|subject| compute(subject).value)
                .collect()
        }
    }
}

fn rows(field: &Field, order: &Order, columns: &[Vec<Option<Ratio>>]) -> Vec<Row> {
    let (first, second) = (
        field.totals(field.primary),
        field.totals(field.primary.other()),
    );
    let mut rows = Vec::with_capacity(field.competitors.len());
    for tied in &order.groups {
        for subject in order.sequence.get(tied.clone()).unwrap_or_default() {
            let competitor = &field.competitors[*subject];
            rows.push(Row {
                rank: tied.start + 1,
                shared: tied.len() > 1,
                who: competitor.who,
                score: first[*subject],
                second_score: field.is_team().then(|| second[*subject]),
                values: columns.iter().map(|column| column[*subject]).collect(),
                pending: competitor.is_pending(),
            });
        }
    }
    rows
}

/// The participants in order, grouped by ties.
struct Order {
    /// Indices into the field.
    sequence: Vec<usize>,
    /// Runs of the sequence, in order.
    groups: Vec<Range<usize>>,
}

impl Order {
    /// Returns all participants as one tie, in the order of their numbers.
    fn all(count: usize) -> Self {
        Self {
            sequence: (0..count).collect(),
            groups: if count == 0 {
                Vec::new()
            } else {
                std::iter::once(0..count).collect()
            },
        }
    }

    /// Splits each group by a value; participants without one come last.
    fn split(&mut self, values: &[Option<Ratio>], ascending: bool) {
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let Some(run) = self.sequence.get_mut(group.clone()) else {
                continue;
            };
            let key = |subject: &usize| values.get(*subject).copied().flatten();
            run.sort_by(|left, right| match (key(left), key(right)) {
                (Some(left_value), Some(right_value)) => {
                    let by_value = left_value.cmp(&right_value);
                    let by_value = if ascending {
                        by_value
                    } else {
                        by_value.reverse()
                    };
                    by_value.then(left.cmp(right))
                }
                (one, other) => other.is_some().cmp(&one.is_some()).then(left.cmp(right)),
            });
            let mut start = group.start;
            for place in 1..run.len() {
                if key(&run[place - 1]) != key(&run[place]) {
                    groups.push(start..group.start + place);
                    start = group.start + place;
                }
            }
            groups.push(start..group.end);
        }
        self.groups = groups;
    }

    /// Merges groups of the same score if one of their games has no final result, which could still change every
    /// tie-break among them. The sequence keeps the order that the tie-breaks give so far.
    fn share_while_pending(&mut self, field: &Field, scores: &[Range<usize>]) {
        let is_pending = |group: &Range<usize>| {
            let run = self.sequence.get(group.clone()).unwrap_or_default();
            run.iter()
                .any(|subject| field.competitors[*subject].is_pending())
        };
        let pending: Vec<&Range<usize>> = scores.iter().filter(|group| is_pending(group)).collect();
        let within = |part: &Range<usize>| pending.iter().find(|group| group.contains(&part.start));
        let mut groups: Vec<Range<usize>> = self
            .groups
            .iter()
            .map(|part| within(part).map_or_else(|| part.clone(), |group| (*group).clone()))
            .collect();
        groups.dedup();
        self.groups = groups;
    }

    fn group_of(&self, subject: usize) -> Vec<usize> {
        let run = |group: &Range<usize>| {
            self.sequence
                .get(group.clone())
                .unwrap_or_default()
                .to_vec()
        };
        let mut groups = self.groups.iter().map(run);
        groups
            .find(|group| group.contains(&subject))
            .unwrap_or_default()
    }

    /// Returns the places that a rule gives within each group: from 1, or 0 for all if the rule separates none of them.
    fn places(&self, resolve: impl Fn(&[usize]) -> Vec<Vec<usize>>) -> Vec<Option<Ratio>> {
        let mut places = vec![Some(Ratio::ZERO); self.sequence.len()];
        for group in &self.groups {
            let parts = resolve(self.sequence.get(group.clone()).unwrap_or_default());
            let mut place = if parts.len() > 1 { 1 } else { 0 };
            for part in parts {
                for subject in &part {
                    places[*subject] = Some(Ratio::whole(place));
                }
                place += i64::try_from(part.len()).unwrap_or(i64::MAX);
            }
        }
        places
    }
}

/// Returns the primary score of a team event: the one its list begins with, else match points.
pub fn primary(list: &[TieBreak]) -> Measure {
    match list.first() {
        Some(first) if first.code == Code::Gpts => Measure::Game,
        Some(first) if first.code == Code::Pts => first.measure.unwrap_or(Measure::Match),
        Some(_) | None => Measure::Match,
    }
}

/// Partitions participants by a value, highest first, keeping the order among equals.
fn parts_by<K: Ord>(tied: &[usize], key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<std::cmp::Reverse<K>, Vec<usize>> = BTreeMap::new();
    for subject in tied {
        parts
            .entry(std::cmp::Reverse(key(*subject)))
            .or_default()
            .push(*subject);
    }
    parts.into_values().collect()
}
