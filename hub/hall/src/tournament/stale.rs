//! Checks that the sender of changes saw the current state of the topics on which the changes depend.

use proto::refusal::{Change as Told, ChangeKind};

use super::topic::{self, Topic};
use crate::changes::Missed;
use crate::fold::tournament::{EventFold, Touch};
use crate::refusal::Why;
use crate::told;
use tournament::Change;

const MAX_LISTED: usize = 3;

pub(super) fn stale(event: &EventFold, seen: u64, changes: &[Change]) -> Option<Why> {
    if seen >= event.version {
        return None;
    }
    let depends_on: Vec<_> = changes.iter().map(topic::depends_on).collect();
    let mut newer: Vec<_> = event
        .touched
        .iter()
        .filter(|(topic, touch)| {
            touch.version > seen && depends_on.iter().any(|depends_on| depends_on.has(**topic))
        })
        .collect();
    newer.sort_by_key(|(_, touch)| std::cmp::Reverse(touch.version));
    let (topic, touch) = newer.first()?;
    let others = match newer.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let phrase = state_phrase(event, **topic);
    let text = format!("{topic}{phrase}, by {}{others}", touch.by);
    let mut changes: Vec<_> = newer
        .iter()
        .take(MAX_LISTED)
        .map(|(topic, touch)| told(event, **topic, touch))
        .collect();
    changes.reverse();
    Some(Why::EventChanged(Box::new(Missed {
        text,
        changes,
        more: newer.len() > MAX_LISTED,
    })))
}

fn told(event: &EventFold, topic: Topic, touch: &Touch) -> Told {
    let text = format!("{topic}{}, by {}", state_phrase(event, topic), touch.by);
    let mut change = told::told(Some(touch.at), &touch.by, touch.kind, text);
    match topic {
        Topic::Whole | Topic::Event => (),
        Topic::Player(no) => change.number = no.0.into(),
        Topic::Team(no) => change.number = no.0.into(),
        Topic::Round(round) => change.round = round.0.into(),
        Topic::Board(round, board) => {
            (change.round, change.board) = (round.0.into(), board.to_string());
        }
        Topic::Match(round, no) => {
            (change.round, change.number) = (round.0.into(), no.0.into());
        }
    }
    if touch.kind == ChangeKind::GameResult {
        change.name = result_at(event, topic).unwrap_or_default();
    }
    change
}

/// Returns a phrase about a topic's current state, to be put after the topic's name; empty if the topic is not a board.
fn state_phrase(event: &EventFold, topic: Topic) -> String {
    let Topic::Board(round, board) = topic else {
        return String::new();
    };
    let tournament = event.tournament.as_ref();
    let round = tournament.and_then(|tournament| tournament.rounds().get(&round));
    let there = round.is_some_and(|round| round.boards.contains_key(&board));
    match result_at(event, topic) {
        Some(result) => format!(" has {result} now"),
        None if there => " has no result now".to_owned(),
        None => " no longer exists".to_owned(),
    }
}

fn result_at(event: &EventFold, topic: Topic) -> Option<String> {
    let Topic::Board(round, board) = topic else {
        return None;
    };
    let round = event.tournament.as_ref()?.rounds().get(&round)?;
    Some(round.boards.get(&board)?.result?.label())
}
