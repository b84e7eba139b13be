//! Judges the requests to change the event, logs the accepted changes and the refusals, and publishes the event.

use std::collections::BTreeMap;

use proto::log::Imported;

use super::bounds::bounded;
use super::removal::with_points_removed;
use super::stale::stale;
use super::{Purpose, TournamentAnswer, TournamentNow, TournamentRequest, parts};
use crate::Hall;
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, EventEntry, EventEntryKind};
use crate::fold::FoldError;
use crate::fold::journal::Undone;
use crate::fold::tournament::{EventFold, with_changes};
use crate::outcome::{Denied, Outcome};
use crate::refusal::{Refusal, Why};
use crate::request::RequestDigest;
use tournament::{Actor, ActorKind, Change, Tournament};

impl Hall {
    pub(crate) fn on_tournament_request(
        &mut self,
        request: TournamentRequest,
        limited: bool,
        step: &mut OpenStep,
    ) -> Result<TournamentAnswer, Denied> {
        let id = request.id;
        let mut waits = self.held_already(&id, request.digest)?;
        let repeated = self.fold.answers.repeated(&id, request.digest)?;
        if repeated.is_none() && waits.is_none() {
            waits = self.carry_tournament_request(request, limited, step)?;
        }
        if let Some(why) = waits {
            return Ok(TournamentAnswer {
                id,
                outcome: Outcome::Refused(why),
                version: self.fold.event.version,
            });
        }
        let kept = self.fold.answers.get(&id);
        Ok(TournamentAnswer {
            id,
            outcome: kept.map_or(Outcome::Pending, |kept| kept.outcome.clone()),
            version: kept
                .and_then(|kept| kept.version)
                .unwrap_or(self.fold.event.version),
        })
    }

    /// Judges a request and logs its changes or its refusal. If the request must wait for a second arbiter, returns the
    /// refusal that tells the sender so.
    pub(crate) fn carry_tournament_request(
        &mut self,
        request: TournamentRequest,
        limited: bool,
        step: &mut OpenStep,
    ) -> Result<Option<Refusal>, Denied> {
        let actor = &request.actor;
        let size = match limited {
            true => self.event_above(&request),
            false => None,
        };
        let waits = size.is_some();
        let entries = match &request.purpose {
            Purpose::Amend => self.amended(&request, None, waits)?,
            Purpose::Import { file } => self.amended(&request, Some(file), waits)?,
            Purpose::Open { file, set_aside } => self.opened(&request, file, set_aside)?,
            Purpose::Undo { version } => {
                let undone = self.fold.event.without(*version).map_err(Refusal::from);
                chief(actor).and(undone).map(|(version, undone)| {
                    // The record names the version explicitly: when the log is read again, a different import may be
                    // the newest.
                    let _: Undone = undone;
                    vec![alone(&request, EventEntryKind::Undone(version))]
                })
            }
            Purpose::Switch { to, set_aside } => {
                let event = &self.fold.event;
                let known = event.aside.get(to).ok_or(Why::EventUnknown(to.0).into());
                let may = event.may_set_aside(set_aside).map_err(Refusal::from);
                let may = chief(actor).and(known).and(may);
                may.map(|()| vec![alone(&request, EventEntryKind::SwitchedTo(*to))])
            }
        };
        let size = size.filter(|_| entries.is_ok());
        let refused = |why: Refusal| EventEntryKind::Refused(why.cut(MAX_REFUSAL));
        let records = entries.unwrap_or_else(|why| vec![alone(&request, refused(why))]);
        if let Some(size) = size {
            return self.hold_event(&request, records, &size, step).map(Some);
        }
        self.log_tournament(records, step)?;
        Ok(None)
    }

    /// Returns the records of a request's changes, or its refusal. If the request `waits` for a second arbiter, the
    /// changes of [`with_points_removed`] are left to its confirmation, because the event may change until then.
    fn amended(
        &self,
        request: &TournamentRequest,
        file: Option<&String>,
        waits: bool,
    ) -> Result<Result<Vec<EventEntry>, Refusal>, Denied> {
        let event = &self.fold.event;
        let before = event.tournament.as_deref();
        let changes = bounded(&request.actor, &request.reason, &request.changes, before)?;
        let stale = request.seen.and_then(|seen| stale(event, seen, &changes));
        let changes = match waits {
            true => changes,
            false => with_points_removed(before, &request.actor, changes),
        };
        let tried = match stale {
            Some(why) => Err(why.into()),
            None => with_changes(before, &request.actor, &changes),
        };
        let opens = event.tournament.is_none();
        let imported = file.map(|file| imported(file, opens));
        Ok(tried.map(|_| entries(request, imported, &changes)))
    }

    fn opened(
        &self,
        request: &TournamentRequest,
        file: &str,
        set_aside: &str,
    ) -> Result<Result<Vec<EventEntry>, Refusal>, Denied> {
        let changes = bounded(&request.actor, &request.reason, &request.changes, None)?;
        let event = &self.fold.event;
        let room = match event.aside.len() < MAX_ASIDE {
            true => Ok(()),
            false => Err(Refusal::from(Why::TextOnly(format!(
                "the hub stores at most {MAX_ASIDE} events in addition to the current one"
            )))),
        };
        let may = chief(&request.actor)
            .and(room)
            .and(event.may_set_aside(set_aside).map_err(Refusal::from))
            .and(with_changes(None, &request.actor, &changes));
        Ok(may.map(|_| entries(request, Some(imported(file, true)), &changes)))
    }

    /// Applies changes to the event that do not come from a [`TournamentRequest`]. Returns the resulting version.
    ///
    /// # Errors
    /// Returns the reason why the changes were refused.
    pub(crate) fn change_tournament(
        &mut self,
        actor: &Actor,
        reason: &str,
        changes: &[Change],
        step: &mut OpenStep,
    ) -> Result<u64, Refusal> {
        let in_words = |why: String| Refusal::from(Why::TextOnly(why));
        let before = self.fold.event.tournament.as_deref();
        let changes = bounded(actor, reason, changes, before);
        let changes = changes.map_err(|why| in_words(why.to_string()))?;
        with_changes(before, actor, &changes)?;
        let records = parts::parts(self.own_id(), actor, reason, RequestDigest::OWN, &changes);
        self.log_tournament(records, step)
            .map_err(|error| in_words(error.to_string()))?;
        Ok(self.fold.event.version)
    }

    fn log_tournament(
        &mut self,
        records: Vec<EventEntry>,
        step: &mut OpenStep,
    ) -> Result<(), FoldError> {
        for entry in records {
            self.log(None, Entry::Event(Box::new(entry)), step)?;
        }
        Ok(())
    }

    pub(crate) fn publish_tournament(&mut self, step: &mut OpenStep) {
        let Some(shown) = self.tournament() else {
            return self.publish_no_tournament(step);
        };
        self.show_round(&shown.tournament, step);
        step.effect(HubEffect::Tournament { now: shown });
    }

    /// Publishes that there is no current event, unless there has never been one.
    fn publish_no_tournament(&mut self, step: &mut OpenStep) {
        let version = self.fold.event.version;
        if version == 0 {
            return;
        }
        let name = self.fold.event_name.clone();
        let event = &mut self.live.event;
        if (event.round, event.rounds, &event.name) != (None, None, &name) {
            (event.round, event.rounds, event.name) = (None, None, name);
            let event = event.clone();
            step.effect(HubEffect::PublishEvent { event });
        }
        step.effect(HubEffect::NoTournament { version });
    }

    fn show_round(&mut self, tournament: &Tournament, step: &mut OpenStep) {
        let played = tournament.current_round();
        let of = Some(u32::from(tournament.event().rounds));
        let round = played.map(|round| u32::from(round.0));
        let name = match tournament.event().name.as_str() {
            "" => self.fold.event_name.clone(),
            name => name.to_owned(),
        };
        let event = &mut self.live.event;
        if (event.round, event.rounds, &event.name) != (round, of, &name) {
            (event.round, event.rounds, event.name) = (round, of, name);
            let event = event.clone();
            step.effect(HubEffect::PublishEvent { event });
        }
    }

    pub fn tournament(&self) -> Option<TournamentNow> {
        let event = &self.fold.event;
        let tournament = event.tournament.as_ref()?.clone();
        let kept = EventFold {
            touched: BTreeMap::new(),
            parts: Vec::new(),
            tournament: event.tournament.clone(),
            journal: event.journal.clone(),
            aside: event.aside.clone(),
            ..*event
        };
        Some(TournamentNow {
            kept,
            ..TournamentNow::new(event.version, tournament)
        })
    }
}

const MAX_ASIDE: usize = 50;
/// Maximum size of a stored refusal, in bytes; large enough for several names of players and boards.
const MAX_REFUSAL: usize = 2_000;

fn chief(actor: &Actor) -> Result<(), Refusal> {
    match actor.kind {
        ActorKind::ChiefArbiter => Ok(()),
        ActorKind::FloorArbiter | ActorKind::Clock | ActorKind::Program => {
            Err(Why::ChiefOnly.into())
        }
    }
}

fn imported(file: &str, opens: bool) -> Imported {
    /// Maximum length of a file's name in a record, in bytes.
    const MAX_NAME: usize = 100;
    Imported {
        file: file[..file.floor_char_boundary(MAX_NAME)].to_owned(),
        opens,
    }
}

fn entries(
    request: &TournamentRequest,
    imported: Option<Imported>,
    changes: &[Change],
) -> Vec<EventEntry> {
    let (actor, reason) = (&request.actor, &request.reason);
    let mut entries = parts::parts(request.id, actor, reason, request.digest, changes);
    if let Some(first) = entries.first_mut() {
        first.imported = imported;
    }
    entries
}

fn alone(request: &TournamentRequest, what: EventEntryKind) -> EventEntry {
    EventEntry {
        id: request.id,
        actor: request.actor.clone(),
        reason: request.reason.clone(),
        part: 1,
        parts: 1,
        digest: request.digest,
        imported: None,
        what,
    }
}
