//! What people and programs ask to be changed about the event: whether it is repeated, whether its sender saw the event as it is,
//! whether the event's rules allow it. Owns the answers; what an accepted change does is the fold's.

mod bounds;
mod parts;
mod stale;
pub(crate) mod topic;

use std::sync::{Arc, OnceLock};

use proto::ids::CommandId;
use timing::{Hub, Instant};

use super::Hall;
use super::effect::{Denied, HubEffect, Outcome, Step};
use super::entry::{Entry, EventEntry, EventWhat};
use super::fold::tournament::tried;
use super::input::{ReplyId, RequestDigest};
use super::refusal::{Refusal, Why};
use crate::tournament::{Actor, Change, Standings, Tournament};
use bounds::bounded;
use stale::stale;

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
    /// What the sender sent, told from anything else it could have sent.
    pub digest: RequestDigest,
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
        let carried = match self.fold.answers.repeated(&id, request.digest) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => self.carry_tournament_request(now, request, step),
            Err(denied) => Err(denied),
        };
        if let Err(denied) = carried {
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
            digest,
        } = request;
        let changes = bounded(&actor, &reason, &changes)?;
        let event = &self.fold.event;
        let refused = match seen.and_then(|seen| stale(event, seen, &changes)) {
            Some(why) => Some(why.into()),
            None => tried(event.tournament.as_deref(), &actor, &changes).err(),
        };
        let records = match refused {
            None => parts::parts(id, &actor, &reason, digest, &changes),
            Some(why) => vec![refusal(id, actor, reason, digest, why)],
        };
        self.log_tournament(now, records, step)
            .map_err(Denied::Invalid)
    }

    /// Makes changes of the hub's own: what a clock did, or an arbiter through it. Gives the version they made.
    ///
    /// # Errors
    /// Why they are refused; nothing is logged then.
    pub(crate) fn change_tournament(
        &mut self,
        now: Instant<Hub>,
        actor: &Actor,
        reason: &str,
        changes: &[Change],
        step: &mut Step,
    ) -> Result<u64, Refusal> {
        let in_words = |why: String| Refusal::from(Why::InWords(why));
        let changes = bounded(actor, reason, changes).map_err(|why| in_words(why.to_string()))?;
        tried(self.fold.event.tournament.as_deref(), actor, &changes)?;
        let records = parts::parts(self.own_id(), actor, reason, RequestDigest::OWN, &changes);
        self.log_tournament(now, records, step).map_err(in_words)?;
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
    pub(crate) fn publish_tournament(&mut self, now: Instant<Hub>, step: &mut Step) {
        let Some(shown) = self.tournament() else {
            return;
        };
        self.show_round(now, &shown.tournament, step);
        step.effects.push(HubEffect::Tournament {
            hub_us: now.as_micros(),
            now: shown,
        });
    }

    /// The event's name and the round that is being played stand above the boards.
    fn show_round(&mut self, now: Instant<Hub>, tournament: &Tournament, step: &mut Step) {
        let played = tournament.present_round();
        let of = Some(u32::from(tournament.event().rounds));
        let round = played.map(|round| u32::from(round.0));
        let event = &mut self.live.event;
        let name = match tournament.event().name.as_str() {
            // An event that has no name yet goes by what the configuration calls the hall.
            "" => event.name.clone(),
            name => name.to_owned(),
        };
        if (event.round, event.rounds, &event.name) != (round, of, &name) {
            (event.round, event.rounds, event.name) = (round, of, name);
            step.effects.push(HubEffect::PublishEvent {
                hub_us: now.as_micros(),
                event: self.live.event.clone(),
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

fn refusal(
    id: CommandId,
    actor: Actor,
    reason: String,
    digest: RequestDigest,
    why: Refusal,
) -> EventEntry {
    /// Bytes of a refusal that are kept: names of players and boards fit many times.
    const MOST: usize = 2_000;
    EventEntry {
        id,
        actor,
        reason,
        part: 1,
        parts: 1,
        digest,
        what: EventWhat::Refused(why.cut(MOST)),
    }
}
