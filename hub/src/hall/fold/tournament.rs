//! The event as the log's records have made it: whole bundles of changes, in order. Owns the version, and what of the event
//! changed when; the rules of what may follow what are [`crate::tournament`]'s.

use std::collections::BTreeMap;
use std::sync::Arc;

use prost::Message;

use super::super::answers::Kept;
use super::super::effect::Outcome;
use super::super::entry::{EventEntry, EventWhat};
use super::super::refusal::{Refusal, Why};
use super::super::tournament::topic::{self, Topic};
use super::parts::Part;
use super::{Applied, Fold, Happened};
use crate::from_proto;
use crate::tournament::{Actor, Change, Tournament};

/// The event, as far as the log has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EventFold {
    /// `None` before its first bundle.
    pub(crate) tournament: Option<Arc<Tournament>>,
    /// How many bundles have been made.
    pub(crate) version: u64,
    /// What changed last with which version, and whose change it was.
    pub(crate) touched: BTreeMap<Topic, Touch>,
    /// The parts so far of a bundle whose last part is still to come.
    pub(crate) parts: Vec<EventEntry>,
}

/// The last change of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// The version that this change made.
    pub(crate) version: u64,
    /// Whose it was.
    pub(crate) by: Arc<str>,
}

impl EventFold {
    /// The event; `None` before there is one.
    pub(crate) fn tournament(&self) -> Option<&Arc<Tournament>> {
        self.tournament.as_ref()
    }

    /// Whether a part comes after those that are here.
    fn follows(&self, entry: &EventEntry) -> Result<(), String> {
        let same = |first: &EventEntry| {
            (first.id, first.parts, &first.actor) == (entry.id, entry.parts, &entry.actor)
        };
        let part = Part {
            of: "a bundle of changes",
            part: entry.part,
            parts: entry.parts,
        };
        part.follows(&self.parts, same)
    }

    /// Every change of a bundle, now that its last part is here.
    fn joined(&self, last: &EventEntry) -> Result<Vec<Change>, String> {
        let mut changes = Vec::new();
        let mut bytes = Vec::new();
        for entry in self.parts.iter().chain([last]) {
            match &entry.what {
                EventWhat::Changes(whole) if bytes.is_empty() => changes.extend_from_slice(whole),
                EventWhat::Piece { bytes: more, ends } => {
                    bytes.extend_from_slice(more);
                    if *ends {
                        changes.push(decoded(&std::mem::take(&mut bytes))?);
                    }
                }
                EventWhat::Changes(_) => return Err("a change breaks off".to_owned()),
                EventWhat::Refused(_) => return Err("a refusal among changes".to_owned()),
            }
        }
        match bytes.is_empty() {
            true => Ok(changes),
            false => Err("the last change breaks off".to_owned()),
        }
    }

    fn touch(&mut self, by: &Actor, changes: &[Change]) {
        let touch = Touch {
            version: self.version,
            by: by.name.as_str().into(),
        };
        for topic in changes.iter().flat_map(topic::touched) {
            self.touched.insert(topic, touch.clone());
        }
    }
}

fn decoded(bytes: &[u8]) -> Result<Change, String> {
    let change = proto::event::Change::decode(bytes).map_err(|error| error.to_string())?;
    from_proto::tournament::change(change).map_err(|error| error.to_string())
}

/// What changes make of an event, all of them; without one, the first must say what the event is.
///
/// # Errors
/// The first change that is refused, and why.
pub(crate) fn tried(
    before: Option<&Tournament>,
    actor: &Actor,
    changes: &[Change],
) -> Result<Tournament, Refusal> {
    let mut after = match (before, changes.first()) {
        (Some(before), _) => before.clone(),
        (None, Some(Change::SetEvent(event))) => Tournament::new((**event).clone()),
        (None, Some(_) | None) => {
            return Err(Why::EventNotBegun.into());
        }
    };
    for change in changes {
        after
            .apply(actor, change.clone())
            .map_err(|refusal| Why::Event {
                of: (changes.len() > 1).then(|| topic::refused(change)),
                refusal,
            })?;
    }
    Ok(after)
}

impl Fold {
    /// Takes a part of a bundle; with the last one, all of it is made.
    pub(super) fn event_changed(
        &mut self,
        entry: &EventEntry,
        applied: &mut Applied,
    ) -> Result<(), String> {
        self.event.follows(entry)?;
        if let EventWhat::Refused(why) = &entry.what {
            self.event_answered(entry, Outcome::Refused(why.clone()));
            return Ok(());
        }
        if entry.part < entry.parts {
            self.event.parts.push(entry.clone());
            return Ok(());
        }
        let changes = self.event.joined(entry)?;
        let before = self.event.tournament.as_deref();
        let after = tried(before, &entry.actor, &changes).map_err(|why| why.to_string())?;
        self.event.parts.clear();
        self.event.tournament = Some(Arc::new(after));
        self.event.version += 1;
        self.event.touch(&entry.actor, &changes);
        self.event_answered(entry, Outcome::Done);
        self.vacate(&changes, applied);
        applied.happened.push(Happened::TournamentChanged(changes));
        Ok(())
    }

    fn event_answered(&mut self, entry: &EventEntry, outcome: Outcome) {
        let kept = Kept {
            outcome,
            board: None,
            version: Some(self.event.version),
            digest: entry.digest,
        };
        self.answers.remember(entry.id, kept);
    }
}
