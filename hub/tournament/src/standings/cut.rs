//! Modifiers: values left out of a sum (C.07 14), and the exception for voluntary unplayed rounds (16.5).

use super::term::{CutReason, Term};
use crate::Cut;

/// Marks the values that the modifier cuts, the low ones first (14.3, 14.4).
pub(super) fn apply(terms: &mut [Term], cut: Cut) {
    for _ in 0..cut.low {
        let Some(least) = pick(terms, |term| (term.score, term.value)) else {
            return;
        };
        let voluntary = terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.cut.is_none() && term.is_voluntary())
            .min_by_key(|(place, term)| (term.value, term.score, *place))
            .map(|(place, _)| place);
        // 16.5.1: cut a voluntary unplayed round instead, unless it is lower than the least significant value.
        let (place, reason) = match voluntary {
            Some(place) if terms[place].value >= terms[least].value => {
                (place, CutReason::Voluntary)
            }
            Some(_) | None => (least, CutReason::Least),
        };
        terms[place].cut = Some(reason);
    }
    for _ in 0..cut.high {
        let Some(most) = pick(terms, |term| (-term.score, -term.value)) else {
            return;
        };
        terms[most].cut = Some(CutReason::Most);
    }
}

/// Returns the uncut addend with the lowest key, the first one if several have it.
fn pick(terms: &[Term], key: impl Fn(&Term) -> (i64, i64)) -> Option<usize> {
    terms
        .iter()
        .enumerate()
        .filter(|(_, term)| term.cut.is_none())
        .min_by_key(|(place, term)| (key(term), *place))
        .map(|(place, _)| place)
}
