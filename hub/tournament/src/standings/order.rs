//! The order of the participants: the values of a tie-break for all of them, and the splitting of ties.

use std::ops::Range;

use super::field::{Competitor, Field};
use super::method::{self, Placing};
use super::{boards, meeting, sums};
use crate::{Ratio, TieBreak};

pub(super) fn column(field: &Field, tie_break: TieBreak, order: &Order) -> Vec<Option<Ratio>> {
    let measure = tie_break.measure.unwrap_or(field.primary);
    match method::of(tie_break.code).placing() {
        Some(Placing::Meeting(extension)) => {
            let steps = meeting::steps(field, measure, extension);
            order.places(|tied| meeting::resolve(field, tied, &steps, tie_break, |_| ()))
        }
        Some(Placing::Boards(from)) => order.places(|tied| boards::resolve(field, tied, from)),
        None => {
            let compute = sums::computation(field, tie_break);
            let all = 0..field.competitors.len();
            all.map(|subject| compute(subject).value).collect()
        }
    }
}

#[derive(Clone)]
pub(super) struct Order {
    /// The participants' indices in the field, best first.
    pub(super) sequence: Vec<usize>,
    /// The ranges of `sequence` whose participants are tied, in order.
    pub(super) groups: Vec<Range<usize>>,
}

impl Order {
    pub(super) fn all(count: usize) -> Self {
        Self {
            sequence: (0..count).collect(),
            groups: (count > 0).then_some(0..count).into_iter().collect(),
        }
    }

    /// Splits each group by a value; participants without a value come last.
    pub(super) fn split(&mut self, values: &[Option<Ratio>], ascending: bool) {
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let Some(run) = self.sequence.get_mut(group.clone()) else {
                continue;
            };
            let key = |subject: &usize| values.get(*subject).copied().flatten();
            run.sort_by(|left, right| match (key(left), key(right)) {
                (Some(left_value), Some(right_value)) => {
                    let by_value = match ascending {
                        true => left_value.cmp(&right_value),
                        false => right_value.cmp(&left_value),
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

    /// Merges groups of the same score if one of their games has no final result, since that result could still change
    /// every tie-break among them. The sequence keeps the order that the tie-breaks give so far.
    pub(super) fn share_while_pending(&mut self, field: &Field, scores: &[Range<usize>]) {
        let is_pending = |group: &Range<usize>| {
            let run = self.sequence.get(group.clone()).unwrap_or_default();
            let mut competitors = run.iter().map(|subject| &field.competitors[*subject]);
            competitors.any(Competitor::is_pending)
        };
        let pending: Vec<&Range<usize>> = scores.iter().filter(|group| is_pending(group)).collect();
        let within = |part: &Range<usize>| pending.iter().find(|group| group.contains(&part.start));
        let groups = self.groups.iter();
        let groups = groups.map(|part| within(part).copied().unwrap_or(part).clone());
        let mut groups: Vec<Range<usize>> = groups.collect();
        groups.dedup();
        self.groups = groups;
    }

    pub(super) fn group_of(&self, subject: usize) -> Vec<usize> {
        let groups = self.groups.iter();
        let mut runs = groups.filter_map(|group| self.sequence.get(group.clone()));
        let found = runs.find(|run| run.contains(&subject));
        found.unwrap_or_default().to_vec()
    }

    /// Returns the places that a rule gives within each group: from 1, or 0 for all if the rule separates none of them.
    pub(super) fn places(
        &self,
        resolve: impl Fn(&[usize]) -> Vec<Vec<usize>>,
    ) -> Vec<Option<Ratio>> {
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
