//! Modifiers: values left out of a sum (C.07 14), and the exception for voluntary unplayed rounds (16.5).

use super::term::{CutReason, Term};
use crate::Cut;

/// Marks the values that the modifier cuts, the low ones first (14.3, 14.4).
pub(super) fn apply(terms: &mut [Term], cut: Cut) {
    for _ in 0..cut.low {
        let Some(least) = pick(terms, |_| true, |term| (term.score, term.value)) else {
            return;
        };
        let voluntary = pick(terms, Term::is_voluntary, |term| (term.value, term.score));
        // 16.5.1: cut the lowest contribution of a voluntary unplayed round instead, unless it is below the least
        // significant value.
        let (place, reason) = match voluntary {
            Some(place) if terms[place].value >= terms[least].value => {
                (place, CutReason::Voluntary)
            }
            Some(_) | None => (least, CutReason::Least),
        };
        terms[place].cut = Some(reason);
    }
    for _ in 0..cut.high {
        let Some(most) = pick(terms, |_| true, |term| (-term.score, -term.value)) else {
            return;
        };
        terms[most].cut = Some(CutReason::Most);
    }
}

/// Returns the index of the uncut candidate with the lowest key; if several have that key, the first of them.
fn pick(
    terms: &[Term],
    is_candidate: impl Fn(&Term) -> bool,
    key: impl Fn(&Term) -> (i64, i64),
) -> Option<usize> {
    let all = terms.iter().enumerate();
    let candidates = all.filter(|(_, term)| term.cut.is_none() && is_candidate(term));
    let (place, _) = candidates.min_by_key(|(_, term)| key(term))?;
    Some(place)
}
