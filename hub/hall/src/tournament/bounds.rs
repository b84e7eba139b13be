//! The bounds of a bundle of changes, which keep it readable for people and small enough for the log.

use laws::RuleSet;
use prost::Message;

use crate::Denied;
use crate::refusal::Why;
use crate::round::controls;
use crate::ruling::RulingRefusal;
use crate::{from_proto, to_proto};
use tournament::fold::check_abnormal_points;
use tournament::{Actor, Change, Event, ProposalReason, Scope, Tournament};

/// Maximum number of changes in one bundle: enough for a large event with all its rounds.
const MAX_CHANGES: usize = 50_000;
/// Maximum encoded size of one bundle, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Maximum length, in bytes, of a request's reason and of each string that [`texts`] returns. A record has room for a
/// name and a reason of maximum length as well as its changes.
const MAX_REASON: usize = 300;

/// Checks the bounds of the changes to an event (`None` for a new event) and returns them in the form that is read back
/// from the log, so that a replay applies exactly the same changes.
pub(super) fn bounded(
    actor: &Actor,
    reason: &str,
    changes: &[Change],
    before: Option<&Tournament>,
) -> Result<Vec<Change>, Denied> {
    let invalid = |why: String| Err(Denied::Invalid(why));
    if changes.is_empty() || changes.len() > MAX_CHANGES {
        return invalid(format!(
            "a bundle has 1 to {MAX_CHANGES} changes, not {}",
            changes.len()
        ));
    }
    for (text, most, what) in [
        (actor.name.as_str(), from_proto::MAX_NAME, "an actor's name"),
        (reason, MAX_REASON, "a reason"),
    ] {
        if text.len() > most {
            return invalid(format!(
                "{what} has at most {most} bytes, not {}",
                text.len()
            ));
        }
    }
    plain(reason, || "the reason".to_owned())?;
    for change in changes {
        if let Change::SetEvent(event) = change {
            controls::checked(event)?;
        }
    }
    let mut bytes = 0;
    let mut taken = Vec::with_capacity(changes.len());
    for change in changes {
        if let Some(long) = texts(change)
            .into_iter()
            .find(|text| text.len() > MAX_REASON)
        {
            let begin: String = long.chars().take(40).collect();
            return invalid(format!(
                "a name or a reason has at most {MAX_REASON} bytes, not {}: {begin} …",
                long.len()
            ));
        }
        if let Change::SetEvent(event) = change {
            rules_are_known(event)?;
            points_fit(event, before)?;
        }
        for text in texts(change) {
            plain(text, || format!("“{}”", timing::text::escaped(text)))?;
        }
        let encoded = to_proto::tournament::change(change);
        bytes += encoded.encoded_len();
        let read = from_proto::tournament::change(encoded);
        taken.push(read.map_err(|error| Denied::Invalid(error.to_string()))?);
    }
    if bytes > MAX_BYTES {
        return invalid(format!(
            "a bundle has at most {MAX_BYTES} bytes of changes, not {bytes}"
        ));
    }
    Ok(taken)
}

/// Checks that the hub has the rule sets that an event names. Not checked on replay: an older log may name a rule set
/// that this version no longer has.
fn rules_are_known(event: &Event) -> Result<(), Denied> {
    let mut named = event.round_rules.values().chain([&event.rules]);
    let unknown = named.find(|key| !key.is_empty() && RuleSet::find(key).is_none());
    unknown.map_or(Ok(()), |key| {
        let why = RulingRefusal::NoRuleSet(key.clone());
        Err(Denied::NotPossible(Why::Ruling(why).into()))
    })
}

/// Checks that a report can hold the abnormal points that a change adds. Not checked on replay, and points that the event
/// already has are exempt, because an older log may contain points that no report can hold.
fn points_fit(event: &Event, before: Option<&Tournament>) -> Result<(), Denied> {
    let known = before.map_or(&[][..], |before| &before.event().abnormal_points);
    let mut added = event
        .abnormal_points
        .iter()
        .filter(|of| !known.contains(of));
    added.try_for_each(|given| {
        check_abnormal_points(given).map_err(|refusal| {
            let why = Why::Event { of: None, refusal };
            Denied::NotPossible(why.into())
        })
    })
}

/// Checks that a string has no hidden characters. Not checked on replay, because an older log may contain some.
fn plain(text: &str, what: impl FnOnce() -> String) -> Result<(), Denied> {
    match timing::text::hidden_in(text) {
        Some(found) => {
            let what = what();
            Err(Denied::NotPossible(
                Why::HiddenCharacter { what, found }.into(),
            ))
        }
        None => Ok(()),
    }
}

/// Returns the strings of a change that must be short and without hidden characters.
fn texts(change: &Change) -> Vec<&str> {
    match change {
        Change::SetEvent(event) => [
            &event.name,
            &event.city,
            &event.federation,
            &event.chief_arbiter,
            &event.time_control,
            &event.time_control_code,
            &event.type_text,
            &event.type_code,
            &event.pairing_program,
        ]
        .into_iter()
        .chain(&event.deputies)
        .chain([&event.rules])
        .chain(event.round_rules.values())
        .chain(event.sectors.keys())
        .map(String::as_str)
        .collect(),
        Change::EnterPlayer(player) => {
            vec![
                &player.name,
                &player.title,
                &player.federation,
                &player.club,
            ]
        }
        Change::EnterTeam(team) => vec![&team.name, &team.short_name, &team.federation],
        Change::Propose(_, _, _, ProposalReason::Text(why))
        | Change::Enter(_, _, _, why)
        | Change::RemoveResult(_, _, why)
        | Change::Reopen(_, why) => vec![why],
        Change::Start(_, Scope::Sector(name)) => vec![name],
        Change::StateStandings(Some(stated)) => vec![&stated.file],
        Change::Start(_, Scope::All | Scope::Board(_))
        | Change::Propose(..)
        | Change::RemovePlayer(_)
        | Change::Withdraw(..)
        | Change::ReturnPlayer(_)
        | Change::GrantBye(..)
        | Change::Renumber(_)
        | Change::RemoveTeam(_)
        | Change::PairRound(..)
        | Change::Unpair(_)
        | Change::RemoveBoards(..)
        | Change::Reseat(..)
        | Change::Preset(..)
        | Change::FirstPress(..)
        | Change::ForfeitMatch(..)
        | Change::StateStandings(None)
        | Change::Confirm(_) => Vec::new(),
    }
}
