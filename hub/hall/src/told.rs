//! The changes listed in a refusal. Each has its kind as data, and its actor and time if they are known, so that a
//! program can make a sentence in any language. Must never decide whether a request is stale.

use proto::ids::AgentId;
use proto::refusal::{Change as Told, ChangeKind};
use timing::{Command, Ending, Hub, Instant, Side};

use super::words::{capital, display_text};
use crate::to_proto;

/// Maximum length of an actor's name, in bytes. This and the next two limits let a refusal with three changes fit its
/// record.
const MAX_ACTOR: usize = 100;
/// Maximum length of a change's description, in bytes.
const MAX_TEXT: usize = 160;
/// Maximum length of a name in a change, in bytes.
const MAX_NAME: usize = 80;

pub(crate) fn by_itself(at: Instant<Hub>, kind: ChangeKind, text: impl Into<String>) -> Told {
    told(Some(at), "", kind, text.into())
}

pub(crate) fn told(
    at: Option<Instant<Hub>>,
    actor: &str,
    kind: ChangeKind,
    mut text: String,
) -> Told {
    cut(&mut text, MAX_TEXT);
    let mut actor = actor.to_owned();
    cut(&mut actor, MAX_ACTOR);
    Told {
        at_us: at.map(Instant::as_micros),
        actor,
        kind: kind.into(),
        text,
        ..Told::default()
    }
}

pub(crate) fn command(command: &Command, actor: Option<&str>, at: Instant<Hub>) -> Told {
    let words = display_text(command);
    let text = match actor {
        Some(actor) => format!("{words} by {actor}"),
        None => words,
    };
    let mut change = told(Some(at), actor.unwrap_or_default(), kind_of(command), text);
    match command {
        Command::Set { side, to } => {
            change.set_side(to_proto::side(*side));
            change.amount_us = to.as_micros();
        }
        Command::Add { side, by } => {
            change.set_side(to_proto::side(*side));
            change.amount_us = by.as_micros();
        }
        Command::Moves { side, to } => {
            change.set_side(to_proto::side(*side));
            change.r#move = *to;
        }
        Command::Refill { side, .. } | Command::ClaimDraw(side) | Command::CallFlag(side) => {
            change.set_side(to_proto::side(*side));
        }
        Command::End(ending) => change.name = result_of(*ending),
        Command::ChangeControl(control) => change.name = control.to_string(),
        Command::Prepare(setup) => change.name = setup.control.to_string(),
        Command::Start(_)
        | Command::Pause
        | Command::Resume(_)
        | Command::WhiteIs(_)
        | Command::Swap
        | Command::Restore(_)
        | Command::Sequence(_) => (),
    }
    cut(&mut change.name, MAX_NAME);
    change
}

pub(crate) fn waiting(wanted: &Command, actor: &str, at: Instant<Hub>, text: String) -> Told {
    let mut change = command(wanted, Some(actor), at);
    change.waiting = true;
    change.text = text;
    cut(&mut change.text, MAX_TEXT);
    change
}

pub(crate) fn assigned(
    agent: Option<AgentId>,
    side: Option<Side>,
    actor: &str,
    at: Instant<Hub>,
) -> Told {
    let text = match (agent, side.map(capital)) {
        (Some(agent), None) => format!("clock {} assigned by {actor}", agent.short()),
        (None, None) => format!("its clock taken off by {actor}"),
        (Some(agent), Some(side)) => {
            format!("clock {} assigned to {side} by {actor}", agent.short())
        }
        (None, Some(side)) => format!("{side}'s clock taken off by {actor}"),
    };
    let mut change = told(Some(at), actor, ChangeKind::ClockAssigned, text);
    if let Some(side) = side {
        change.set_side(to_proto::side(side));
    }
    change
}

fn kind_of(command: &Command) -> ChangeKind {
    match command {
        Command::Prepare(_) => ChangeKind::GameSet,
        Command::Start(_) => ChangeKind::Started,
        Command::Pause => ChangeKind::Paused,
        Command::Resume(_) => ChangeKind::Resumed,
        Command::Set { .. } => ChangeKind::TimeSet,
        Command::Add { .. } => ChangeKind::TimeAdded,
        Command::Moves { .. } => ChangeKind::MovesSet,
        Command::Refill { .. } => ChangeKind::Refilled,
        Command::End(Ending::Result(None)) => ChangeKind::ResultRemoved,
        Command::End(_) => ChangeKind::ResultEntered,
        Command::ClaimDraw(_) => ChangeKind::DrawClaimed,
        Command::CallFlag(_) => ChangeKind::FlagCalled,
        Command::WhiteIs(_) | Command::Swap => ChangeKind::ButtonsChanged,
        Command::ChangeControl(_) => ChangeKind::ControlChanged,
        Command::Restore(_) => ChangeKind::Restored,
        Command::Sequence(_) => ChangeKind::Ruled,
    }
}

fn result_of(ending: Ending) -> String {
    match ending {
        Ending::Mate(Side::White) | Ending::Resign(Side::Black) => "1-0".to_owned(),
        Ending::Mate(Side::Black) | Ending::Resign(Side::White) => "0-1".to_owned(),
        Ending::Draw => "1/2-1/2".to_owned(),
        Ending::Result(result) => result.map(|result| result.to_string()).unwrap_or_default(),
    }
}

fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_reported_with_kind_actor_time_and_values() {
        let at = Instant::from_micros(14);
        let add = command(&"add black -120s".parse().unwrap(), Some("Anna"), at);
        assert_eq!(add.kind(), ChangeKind::TimeAdded);
        assert_eq!((add.actor.as_str(), add.at_us), ("Anna", Some(14)));
        assert_eq!(
            (add.side(), add.amount_us),
            (to_proto::side(Side::Black), -120_000_000)
        );
        assert_eq!(add.text, "add black -2m by Anna");
        let end = command(&"end resign white".parse().unwrap(), Some("Anna"), at);
        assert_eq!(
            (end.kind(), end.name.as_str()),
            (ChangeKind::ResultEntered, "0-1")
        );
        let lifted = command(&"end result *".parse().unwrap(), Some("Anna"), at);
        assert_eq!(
            (lifted.kind(), lifted.name.as_str()),
            (ChangeKind::ResultRemoved, "")
        );
    }

    #[test]
    fn the_longest_names_are_truncated_between_characters() {
        let actor = "é".repeat(150);
        let change = command(&Command::Pause, Some(&actor), Instant::from_micros(1));
        assert_eq!(change.actor, "é".repeat(50));
        assert!(change.text.len() <= MAX_TEXT && change.text.starts_with("pause by é"));
    }
}
