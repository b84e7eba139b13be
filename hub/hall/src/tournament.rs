//! Requests to change the event. Checks that a request is not a repetition, that its sender saw the current state, and
//! that the event's rules allow it. Produces the answers; the fold applies the accepted changes.

mod bounds;
mod parts;
mod stale;
pub(crate) mod topic;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use proto::ids::CommandId;
use timing::{Hub, Instant};

use super::Hall;
use super::effect::{Denied, HubEffect, Outcome, Step};
use super::entry::{Entry, EventEntry, EventWhat, Imported};
use super::fold::FoldError;
use super::fold::journal::Undone;
use super::fold::tournament::{EventFold, tried};
use super::input::RequestDigest;
use super::refusal::{Refusal, Why};
use bounds::bounded;
use stale::stale;
pub use topic::words as change_words;
use tournament::{Actor, ActorKind, Change, Standings, Tournament};

/// The number of an event among those that the hub stores, from 1. A number is never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventNo(pub u32);

impl fmt::Display for EventNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The purpose of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Changes the event.
    #[default]
    Amend,
    /// Imports the changes of a file, which can be undone as a whole.
    Import {
        /// The file's name.
        file: String,
    },
    /// Begins another event with the changes and sets the present one aside.
    Open {
        /// The file's name.
        file: String,
        /// The name of the present event, as the arbiter typed it.
        set_aside: String,
    },
    /// Undoes an import; the request has no changes.
    Undo {
        /// The version that the import made; 0 for the newest import.
        version: u64,
    },
    /// Switches back to an event that was set aside; the request has no changes.
    Switch {
        /// The number of that event.
        to: EventNo,
        /// The name of the present event, as the arbiter typed it.
        set_aside: String,
    },
}

/// A request to change the event. Its changes apply together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentRequest {
    /// The idempotency key, chosen by the sender: a repeated request is applied once and gets the same answer.
    pub id: CommandId,
    /// The sender.
    pub actor: Actor,
    /// The version of the event that the sender saw; `None` accepts any version.
    pub seen: Option<u64>,
    /// The reason, for the log.
    pub reason: String,
    /// The changes in order. The first change of a new event sets its data.
    pub changes: Vec<Change>,
    /// The purpose of the request.
    pub purpose: Purpose,
    /// Digest of the bytes that the sender sent.
    pub digest: RequestDigest,
}

/// The answer to a [`TournamentRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentAnswer {
    /// The request.
    pub id: CommandId,
    /// Done or refused; never pending.
    pub outcome: Outcome,
    /// The event's version after the request.
    pub version: u64,
}

/// The event at one version.
#[derive(Clone, Debug)]
pub struct TournamentNow {
    /// The version: the number of bundles of changes applied so far.
    pub version: u64,
    /// The event.
    pub tournament: Arc<Tournament>,
    standings: Arc<OnceLock<Standings>>,
    /// The event as the hall stores it, with the data for an undo and the events that are set aside.
    kept: EventFold,
}

/// An import that can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenImport {
    /// The version that the import made.
    pub version: u64,
    /// The file's name.
    pub file: String,
    /// The arbiter who imported it.
    pub by: String,
    /// True if the import began the event.
    pub opened: bool,
    /// The changes; empty for an import that began the event.
    pub changes: Vec<Change>,
}

impl TournamentNow {
    /// Returns an event at a version.
    pub fn new(version: u64, tournament: Arc<Tournament>) -> Self {
        Self {
            version,
            tournament,
            standings: Arc::default(),
            kept: EventFold::default(),
        }
    }

    /// Returns the event's number among those that the hub stores.
    pub fn number(&self) -> EventNo {
        self.kept.number
    }

    /// Returns the events that are set aside.
    pub fn set_aside(&self) -> BTreeMap<EventNo, Arc<Tournament>> {
        let aside = self.kept.aside.iter();
        aside
            .map(|(number, aside)| (*number, aside.tournament.clone()))
            .collect()
    }

    /// Returns the imports that can be undone, oldest first.
    pub fn imports(&self) -> Vec<TakenImport> {
        let imports = self.kept.journal.imports();
        let taken = imports.map(|import| TakenImport {
            version: import.version,
            file: import.file.to_owned(),
            by: import.by.to_owned(),
            opened: import.opened,
            changes: import.changes.to_vec(),
        });
        taken.collect()
    }

    /// Returns the import of this version (0 for the newest one), if it can be undone.
    ///
    /// # Errors
    /// Names the change that depends on the import, or says that there is none.
    pub fn undoable(&self, version: u64) -> Result<TakenImport, Refusal> {
        let (version, _) = self.kept.without(version)?;
        let mut imports = self.imports().into_iter();
        let import = imports.find(|import| import.version == version);
        import.ok_or_else(|| Why::NothingToUndo(Some(version)).into())
    }

    /// Returns the current standings, computed once for all callers.
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
        step: &mut Step,
    ) -> Result<TournamentAnswer, Denied> {
        let id = request.id;
        if self.fold.answers.repeated(&id, request.digest)?.is_none() {
            self.carry_tournament_request(now, request, step)?;
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

    /// Applies a request's changes, or logs the refusal.
    fn carry_tournament_request(
        &mut self,
        now: Instant<Hub>,
        request: TournamentRequest,
        step: &mut Step,
    ) -> Result<(), Denied> {
        let (id, actor) = (request.id, &request.actor);
        let entries = match &request.purpose {
            Purpose::Amend => self.amended(&request, None)?,
            Purpose::Import { file } => self.amended(&request, Some(file))?,
            Purpose::Open { file, set_aside } => self.opened(&request, file, set_aside)?,
            Purpose::Undo { version } => {
                let undone = self.fold.event.without(*version).map_err(Refusal::from);
                chief(actor).and(undone).map(|(version, undone)| {
                    // The newest import may be a different one when the log is read again.
                    let _: Undone = undone;
                    vec![alone(&request, EventWhat::Undone(version))]
                })
            }
            Purpose::Switch { to, set_aside } => {
                let event = &self.fold.event;
                let known = event.aside.contains_key(to);
                let known = known.then_some(()).ok_or(Why::EventUnknown(to.0).into());
                let may = event.may_set_aside(set_aside).map_err(Refusal::from);
                let may = chief(actor).and(known).and(may);
                may.map(|()| vec![alone(&request, EventWhat::SwitchedTo(*to))])
            }
        };
        let records = entries.unwrap_or_else(|why| {
            let (actor, reason) = (request.actor.clone(), request.reason.clone());
            vec![refusal(id, actor, reason, request.digest, why)]
        });
        self.log_tournament(now, records, step)
            .map_err(|error| Denied::Invalid(error.to_string()))
    }

    /// Returns the records that change the present event, or the reason for a refusal.
    fn amended(
        &self,
        request: &TournamentRequest,
        file: Option<&String>,
    ) -> Result<Result<Vec<EventEntry>, Refusal>, Denied> {
        let changes = bounded(&request.actor, &request.reason, &request.changes)?;
        let event = &self.fold.event;
        let stale = request.seen.and_then(|seen| stale(event, seen, &changes));
        let refused = match stale {
            Some(why) => Some(why.into()),
            None => tried(event.tournament.as_deref(), &request.actor, &changes).err(),
        };
        let opens = event.tournament.is_none();
        let imported = file.map(|file| imported(file, opens));
        Ok(match refused {
            None => Ok(entries(request, imported, &changes)),
            Some(why) => Err(why),
        })
    }

    /// Returns the records that begin another event, or the reason for a refusal.
    fn opened(
        &self,
        request: &TournamentRequest,
        file: &str,
        set_aside: &str,
    ) -> Result<Result<Vec<EventEntry>, Refusal>, Denied> {
        let changes = bounded(&request.actor, &request.reason, &request.changes)?;
        let event = &self.fold.event;
        let room = match event.aside.len() < MAX_ASIDE {
            true => Ok(()),
            false => Err(Refusal::from(Why::InWords(format!(
                "the hub keeps at most {MAX_ASIDE} events beside the present one"
            )))),
        };
        let may = chief(&request.actor)
            .and(room)
            .and(event.may_set_aside(set_aside).map_err(Refusal::from))
            .and(tried(None, &request.actor, &changes));
        Ok(may.map(|_| entries(request, Some(imported(file, true)), &changes)))
    }

    /// Applies changes of the hub itself, caused by a clock or by an arbiter's command. Returns the resulting version.
    ///
    /// # Errors
    /// The reason for a refusal; nothing is logged then.
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
        self.log_tournament(now, records, step)
            .map_err(|error| in_words(error.to_string()))?;
        Ok(self.fold.event.version)
    }

    fn log_tournament(
        &mut self,
        now: Instant<Hub>,
        records: Vec<EventEntry>,
        step: &mut Step,
    ) -> Result<(), FoldError> {
        for entry in records {
            self.log(now, None, Entry::Event(Box::new(entry)), step)?;
        }
        Ok(())
    }

    pub(crate) fn publish_tournament(&mut self, now: Instant<Hub>, step: &mut Step) {
        let Some(shown) = self.tournament() else {
            return self.publish_no_tournament(now, step);
        };
        self.show_round(now, &shown.tournament, step);
        step.effects.push(HubEffect::Tournament {
            hub_us: now.as_micros(),
            now: shown,
        });
    }

    /// Publishes that there is no event any more, unless there never was one.
    fn publish_no_tournament(&mut self, now: Instant<Hub>, step: &mut Step) {
        let version = self.fold.event.version;
        let hub_us = now.as_micros();
        if version == 0 {
            return;
        }
        let name = self.fold.event_name.clone();
        let event = &mut self.live.event;
        if (event.round, event.rounds, &event.name) != (None, None, &name) {
            (event.round, event.rounds, event.name) = (None, None, name);
            let event = event.clone();
            step.effects.push(HubEffect::PublishEvent { hub_us, event });
        }
        step.effects
            .push(HubEffect::NoTournament { hub_us, version });
    }

    /// Publishes the event's name and current round, if they changed.
    fn show_round(&mut self, now: Instant<Hub>, tournament: &Tournament, step: &mut Step) {
        let played = tournament.present_round();
        let of = Some(u32::from(tournament.event().rounds));
        let round = played.map(|round| u32::from(round.0));
        let event = &mut self.live.event;
        let name = match tournament.event().name.as_str() {
            // An event without a name uses the hall's configured name.
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

    /// Returns the event; `None` before there is one.
    pub fn tournament(&self) -> Option<TournamentNow> {
        let event = &self.fold.event;
        let tournament = event.tournament()?.clone();
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

/// Returns a record without changes.
fn alone(request: &TournamentRequest, what: EventWhat) -> EventEntry {
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

fn refusal(
    id: CommandId,
    actor: Actor,
    reason: String,
    digest: RequestDigest,
    why: Refusal,
) -> EventEntry {
    /// Maximum size of a stored refusal, in bytes: several names of players and boards fit.
    const MOST: usize = 2_000;
    EventEntry {
        id,
        actor,
        reason,
        part: 1,
        parts: 1,
        digest,
        imported: None,
        what: EventWhat::Refused(why.cut(MOST)),
    }
}
