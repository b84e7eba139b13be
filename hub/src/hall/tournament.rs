//! What people and programs ask to be changed about the event: whether it is repeated, whether its sender saw the event as it is,
//! whether the event's rules allow it. Owns the answers; what an accepted change does is the fold's.

mod parts;
pub(crate) mod topic;

use std::sync::{Arc, OnceLock};

use proto::ids::CommandId;
use timing::{Hub, Instant};

use super::Hall;
use super::effect::{Denied, HubEffect, Outcome, Step};
use super::entry::{Entry, EventEntry, EventWhat};
use super::fold::tournament::{EventFold, tried};
use super::input::ReplyId;
use crate::tournament::{Actor, Change, Scope, Standings, Tournament};
use crate::{from_proto, to_proto};

/// Changes in one bundle: a large event with all its rounds.
const MOST_CHANGES: usize = 50_000;
/// Bytes of one bundle, encoded.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of an actor's name and of a reason: both fit a record beside its changes.
const MOST_NAME: usize = 240;
const MOST_REASON: usize = 300;

/// Changes of the event that are to be made together, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentRequest {
    /// Made by the sender: carried out once, answered alike for ever.
    pub id: CommandId,
    /// Who asks.
    pub actor: Actor,
    /// The version of the event that the sender saw; `None`: whatever has changed since.
    pub seen: Option<u64>,
    /// Why, for the log.
    pub reason: String,
    /// In order. The first change of all says what the event is.
    pub changes: Vec<Change>,
}

/// What became of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentAnswer {
    /// Which request.
    pub id: CommandId,
    /// Done or refused; never pending.
    pub outcome: Outcome,
    /// The event's version after it.
    pub version: u64,
}

/// The event at one version.
#[derive(Clone, Debug)]
pub struct TournamentNow {
    /// How many bundles of changes made it.
    pub version: u64,
    /// The event.
    pub tournament: Arc<Tournament>,
    standings: Arc<OnceLock<Standings>>,
}

impl TournamentNow {
    /// An event at a version.
    pub fn new(version: u64, tournament: Arc<Tournament>) -> Self {
        Self {
            version,
            tournament,
            standings: Arc::default(),
        }
    }

    /// The standings after everything so far: computed once, for all who ask.
    pub fn standings(&self) -> &Standings {
        self.standings
            .get_or_init(|| self.tournament.standings(None))
    }
}

impl Hall {
    pub(crate) fn on_tournament_request(
        &mut self,
        now: Instant<Hub>,
        request: TournamentRequest,
        reply: ReplyId,
        step: &mut Step,
    ) {
        let id = request.id;
        if self.fold.answers.get(&id).is_none()
            && let Err(denied) = self.carry_tournament_request(now, request, step)
        {
            let answer = Err(denied);
            step.effects
                .push(HubEffect::TournamentReply { reply, answer });
            return;
        }
        let kept = self.fold.answers.get(&id);
        let answer = TournamentAnswer {
            id,
            outcome: kept.map_or(Outcome::Pending, |kept| kept.outcome.clone()),
            version: kept
                .and_then(|kept| kept.version)
                .unwrap_or(self.fold.event.version),
        };
        let answer = Ok(answer);
        step.effects
            .push(HubEffect::TournamentReply { reply, answer });
    }

    /// Makes the changes, or logs why not.
    fn carry_tournament_request(
        &mut self,
        now: Instant<Hub>,
        request: TournamentRequest,
        step: &mut Step,
    ) -> Result<(), Denied> {
        let TournamentRequest {
            id,
            actor,
            seen,
            reason,
            changes,
        } = request;
        let changes = bounded(&actor, &reason, &changes)?;
        let event = &self.fold.event;
        let refused = match seen.and_then(|seen| stale(event, seen, &changes)) {
            Some(why) => Some(why),
            None => tried(event.tournament.as_deref(), &actor, &changes).err(),
        };
        let records = match refused {
            None => parts::parts(id, &actor, &reason, &changes),
            Some(why) => vec![refusal(id, actor, reason, why)],
        };
        self.log_tournament(now, records, step)
            .map_err(Denied::Invalid)
    }

    /// Makes changes of the hub's own: what a clock did, or an arbiter through it. Gives the version they made.
    ///
    /// # Errors
    /// Why they are refused; nothing is logged then.
    #[expect(dead_code, reason = "clocks that follow a round call it")]
    pub(crate) fn change_tournament(
        &mut self,
        now: Instant<Hub>,
        actor: &Actor,
        reason: &str,
        changes: &[Change],
        step: &mut Step,
    ) -> Result<u64, String> {
        let changes = bounded(actor, reason, changes).map_err(|denied| denied.to_string())?;
        tried(self.fold.event.tournament.as_deref(), actor, &changes)?;
        let records = parts::parts(self.own_id(), actor, reason, &changes);
        self.log_tournament(now, records, step)?;
        Ok(self.fold.event.version)
    }

    fn log_tournament(
        &mut self,
        now: Instant<Hub>,
        records: Vec<EventEntry>,
        step: &mut Step,
    ) -> Result<(), String> {
        for entry in records {
            self.log(now, None, Entry::Event(Box::new(entry)), step)
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The event as it is now, for watchers.
    pub(crate) fn publish_tournament(&self, now: Instant<Hub>, step: &mut Step) {
        if let Some(now_at) = self.tournament() {
            step.effects.push(HubEffect::Tournament {
                hub_us: now.as_micros(),
                now: now_at,
            });
        }
    }

    /// The event; `None` before there is one.
    pub fn tournament(&self) -> Option<TournamentNow> {
        let event = &self.fold.event;
        let tournament = event.tournament()?.clone();
        Some(TournamentNow::new(event.version, tournament))
    }
}

/// The changes as the log will have them, if they are within the bounds: what is made now is what a replay makes.
fn bounded(actor: &Actor, reason: &str, changes: &[Change]) -> Result<Vec<Change>, Denied> {
    use prost::Message as _;
    let invalid = |why: String| Err(Denied::Invalid(why));
    if changes.is_empty() || changes.len() > MOST_CHANGES {
        return invalid(format!(
            "a bundle has 1 to {MOST_CHANGES} changes, not {}",
            changes.len()
        ));
    }
    for (text, most, what) in [
        (actor.name.as_str(), MOST_NAME, "an actor's name"),
        (reason, MOST_REASON, "a reason"),
    ] {
        if text.len() > most {
            return invalid(format!(
                "{what} has at most {most} bytes, not {}",
                text.len()
            ));
        }
    }
    let mut bytes = 0;
    let mut taken = Vec::with_capacity(changes.len());
    for change in changes {
        if let Some(long) = texts(change)
            .into_iter()
            .find(|text| text.len() > MOST_REASON)
        {
            let begin: String = long.chars().take(40).collect();
            return invalid(format!(
                "a name or a reason has at most {MOST_REASON} bytes, not {}: {begin} …",
                long.len()
            ));
        }
        let encoded = to_proto::tournament::change(change);
        bytes += encoded.encoded_len();
        let read = from_proto::tournament::change(encoded);
        taken.push(read.map_err(|error| Denied::Invalid(error.to_string()))?);
    }
    if bytes > MOST_BYTES {
        return invalid(format!(
            "a bundle has at most {MOST_BYTES} bytes of changes, not {bytes}"
        ));
    }
    Ok(taken)
}

/// The names and reasons of a change, which people read in one line.
fn texts(change: &Change) -> Vec<&str> {
    match change {
        Change::SetEvent(event) => vec![&event.name, &event.city, &event.chief_arbiter],
        Change::EnterPlayer(player) => vec![&player.name, &player.title, &player.federation],
        Change::EnterTeam(team) => vec![&team.name, &team.short_name, &team.federation],
        Change::Propose(_, _, _, why)
        | Change::Enter(_, _, _, why)
        | Change::TakeBack(_, _, why)
        | Change::Reopen(_, why) => vec![why],
        Change::Start(_, Scope::Sector(name)) => vec![name],
        Change::Start(_, Scope::All | Scope::Board(_))
        | Change::RemovePlayer(_)
        | Change::Withdraw(..)
        | Change::Return(_)
        | Change::GrantBye(..)
        | Change::PairRound(..)
        | Change::Unpair(_)
        | Change::Reseat(..)
        | Change::Preset(..)
        | Change::FirstPress(..)
        | Change::ForfeitMatch(..)
        | Change::Confirm(_) => Vec::new(),
    }
}

/// What has changed that these changes rest on since their sender looked, in words.
fn stale(event: &EventFold, seen: u64, changes: &[Change]) -> Option<String> {
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
    Some(format!(
        "the event has changed since you looked: {topic}{stands}, by {}{others}",
        touch.by
    ))
}

/// What stands there now, where a word says it.
fn stands(event: &EventFold, topic: topic::Topic) -> String {
    let topic::Topic::Board(round, board) = topic else {
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

fn refusal(id: CommandId, actor: Actor, reason: String, why: String) -> EventEntry {
    /// Bytes of a refusal that are kept: names of players and boards fit many times.
    const MOST: usize = 2_000;
    let end = (0..=MOST.min(why.len()))
        .rev()
        .find(|end| why.is_char_boundary(*end));
    let kept = why.get(..end.unwrap_or(0)).unwrap_or_default();
    EventEntry {
        id,
        actor,
        reason,
        part: 1,
        parts: 1,
        what: EventWhat::Refused(kept.to_owned()),
    }
}
