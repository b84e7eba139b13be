//! Standings: places and tie-breaks after any round, and an explanation of each number (FIDE C.07).
//!
//! Owns the order of the participants and the breaking of ties. Standings never depend on the order in which results
//! were entered. Must never round unless the regulations do.

mod boards;
mod cut;
pub mod explain;
mod field;
mod meeting;
mod method;
pub mod note;
mod opponents;
mod order;
mod own;
mod parts;
mod rating;
pub mod rating_tables;
pub mod record;
mod stand_in;
mod sums;
mod term;

pub use explain::{Explainer, Explanation};
pub use field::RoundKind;
pub use meeting::Step;
pub use note::{EncounterRule, Note, RemainingTieRule};
pub use record::RoundRecord;
pub use term::{Basis, CutReason, Term};

use crate::tie_break::begins_with_score;
use crate::{
    Actor, Change, Participant, PlaceSource, Points, Ratio, Refusal, RoundNo, TieBreak, Tournament,
};
use field::Field;
use method::Method;
use order::{Order, column};

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 1. Participants with the same score share a place if the tie-breaks do not separate them. They
    /// also share it while one of them has a game without a final result.
    pub rank: usize,
    /// True if other participants have the same place.
    pub shared: bool,
    /// The line's participant.
    pub who: Participant,
    /// The primary score. For a team, match points or game points, whichever the event ranks first.
    pub score: Points,
    /// The secondary score of a team.
    pub second_score: Option<Points>,
    /// One value for each of the event's tie-breaks, in order; `None` if the tie-break has no value for the
    /// participant, for example because no game was played.
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
    /// The source of the places: computed from results, or stated by a file.
    pub source: PlaceSource,
    /// The lines, best first. Participants who share a place are in the order that the tie-breaks give so far, then in
    /// the order of their pairing numbers.
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
    /// Returns the last round that counts for live standings: the last one that has a result, or that was confirmed
    /// although it has no games. Returns 0 if there is none.
    #[must_use]
    pub fn rounds_begun(&self) -> u16 {
        let begun = self.rounds().iter().rev().find(|(_, round)| {
            let no_games = round.boards.is_empty() && round.matches.is_empty();
            round.has_results() || (no_games && round.confirmed.is_some())
        });
        begun.map_or(0, |(no, _)| no.0)
    }

    /// Returns a copy of the event with different tie-breaks and with computed places. Queries use it to leave the
    /// event itself unchanged.
    ///
    /// # Errors
    /// Returns the reason why the event cannot have these tie-breaks.
    pub fn with_tie_breaks(&self, list: Vec<TieBreak>) -> Result<Self, Refusal> {
        let mut event = self.event().clone();
        event.tie_breaks = list;
        let mut other = self.clone();
        // Otherwise the standings would carry the note that a file's places lapsed because the event has changed.
        other.apply(&Actor::program("query"), Change::StateStandings(None))?;
        other.apply(&Actor::program("query"), Change::SetEvent(Box::new(event)))?;
        Ok(other)
    }

    /// Returns the standings after a round, or after all rounds begun.
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

    /// Explains the value that a tie-break gives a participant. Returns `None` if the event has no such participant.
    #[must_use]
    pub fn explain(
        &self,
        after: Option<RoundNo>,
        who: Participant,
        tie_break: TieBreak,
    ) -> Option<Explanation> {
        self.explainer(after).explain(who, tie_break)
    }

    /// Returns an explainer of the standings after a round, or after all rounds begun. Use it to explain several numbers,
    /// because [`Self::explain`] computes the standings again for each one.
    #[must_use]
    pub fn explainer(&self, after: Option<RoundNo>) -> Explainer {
        let field = self.field(after);
        let list = &self.event().tie_breaks;
        let mut order = by_score(&field, list);
        let mut orders = Vec::with_capacity(list.len() + 1);
        for tie_break in list {
            orders.push(order.clone());
            order.split(&column(&field, *tie_break, &order), ascending(*tie_break));
        }
        orders.push(order);
        Explainer::new(field, list.clone(), orders)
    }

    fn field(&self, after: Option<RoundNo>) -> Field {
        let rounds = after.map(|round| round.0.min(self.event().rounds));
        Field::new(self, rounds.unwrap_or_else(|| self.rounds_begun()))
    }
}

/// Returns the participants in groups by primary score, or in one group if the list itself begins with a score.
fn by_score(field: &Field, list: &[TieBreak]) -> Order {
    let mut order = Order::all(field.competitors.len());
    if !begins_with_score(list) {
        let scores = field.totals(field.primary).into_iter();
        let scores: Vec<_> = scores.map(|points| Some(points.into())).collect();
        order.split(&scores, false);
    }
    order
}

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

fn rows(field: &Field, order: &Order, columns: &[Vec<Option<Ratio>>]) -> Vec<Row> {
    let first = field.totals(field.primary);
    let second = field.totals(field.primary.other());
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
