//! Whether the sender of changes saw the event as it is, as far as his changes rest on it. Owns the words for what is new.

use super::topic::{self, Topic};
use crate::hall::fold::tournament::EventFold;
use crate::hall::refusal::Why;
use crate::tournament::Change;

/// What has changed that these changes rest on since their sender looked, in words.
pub(super) fn stale(event: &EventFold, seen: u64, changes: &[Change]) -> Option<Why> {
    if seen >= event.version {
        return None;
    }
    let rests: Vec<_> = changes.iter().map(topic::rests).collect();
    let mut newer: Vec<_> = event
        .touched
        .iter()
        .filter(|(topic, touch)| {
            touch.version > seen && rests.iter().any(|rests| rests.has(**topic))
        })
        .collect();
    newer.sort_by_key(|(_, touch)| std::cmp::Reverse(touch.version));
    let (topic, touch) = newer.first()?;
    let others = match newer.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let stands = stands(event, **topic);
    Some(Why::EventChanged(format!(
        "{topic}{stands}, by {}{others}",
        touch.by
    )))
}

/// What stands there now, where a word says it.
fn stands(event: &EventFold, topic: Topic) -> String {
    let Topic::Board(round, board) = topic else {
        return String::new();
    };
    let at = event
        .tournament()
        .and_then(|tournament| tournament.rounds().get(&round))
        .and_then(|round| round.boards.get(&board));
    match at.map(|at| at.result) {
        Some(Some(result)) => format!(" has {} now", result.label()),
        Some(None) => " has no result now".to_owned(),
        None => " is there no more".to_owned(),
    }
}
