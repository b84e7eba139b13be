//! The event as built from the log's records: complete bundles of changes, in order. Holds the version, the last change
//! to each part of the event, the journal for undoing imports, and the events that were set aside. The rules of the
//! changes are in [`tournament`].

use std::collections::BTreeMap;
use std::sync::Arc;

use prost::Message;
use proto::log::Imported;
use proto::refusal::ChangeKind;
use timing::{Hub, Instant};

use super::super::answers::CommandResult;
use super::super::entry::{EventEntry, EventEntryKind};
use super::super::refusal::{Refusal, Why};
use super::super::tournament::topic::{self, Topic};
use super::journal::{Bundle, Import, Journal, Opened, Undone};
use super::parts::follows;
use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::event_no::EventNo;
use crate::from_proto;
use crate::outcome::Outcome;
use tournament::{Actor, BoardNo, BoardPhase, Change, RoundNo, Tournament};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EventFold {
    pub(crate) tournament: Option<Arc<Tournament>>,
    /// Number of bundles, undone imports and switches applied.
    pub(crate) version: u64,
    pub(crate) touched: BTreeMap<Topic, Touch>,
    /// The parts of an incomplete bundle that have arrived so far.
    pub(crate) parts: Vec<EventEntry>,
    pub(crate) number: EventNo,
    pub(crate) last_number: EventNo,
    pub(crate) journal: Arc<Journal>,
    pub(crate) aside: Arc<BTreeMap<EventNo, EventSetAside>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventSetAside {
    pub(crate) tournament: Arc<Tournament>,
    pub(crate) journal: Arc<Journal>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) version: u64,
    pub(crate) by: Arc<str>,
    pub(crate) at: Instant<Hub>,
    pub(crate) kind: ChangeKind,
}

#[derive(Clone, Copy)]
pub(crate) struct By<'a> {
    pub(crate) actor: &'a Actor,
    pub(crate) at: Instant<Hub>,
}

impl EventFold {
    fn touch(&mut self, by: By<'_>, topics: impl IntoIterator<Item = (Topic, ChangeKind)>) {
        let name: Arc<str> = by.actor.name.as_str().into();
        for (topic, kind) in topics {
            let touch = Touch {
                version: self.version,
                by: name.clone(),
                at: by.at,
                kind,
            };
            self.touched.insert(topic, touch);
        }
    }

    fn touch_changed(&mut self, by: By<'_>, changes: &[Change]) {
        self.touch(by, changes.iter().flat_map(topic::kinds));
    }

    /// Makes every previously seen state of the event stale. Without an event, no request can depend on such a state.
    fn touch_all(&mut self, by: By<'_>) {
        self.touched.clear();
        if self.tournament.is_some() {
            self.touch(by, [(Topic::Whole, ChangeKind::EventReplaced)]);
        }
    }

    /// Refuses to set the current event aside if `typed` is not its name, or while a game is in progress.
    pub(crate) fn may_set_aside(&self, typed: &str) -> Result<(), Why> {
        let Some(event) = &self.tournament else {
            return Ok(());
        };
        let name = &event.event().name;
        if name != typed {
            return Err(Why::EventNameDiffers(name.clone()));
        }
        match in_play(event) {
            Some((round, board)) => Err(Why::EventInPlay { round, board }),
            None => Ok(()),
        }
    }

    fn set_aside(&mut self) -> Option<EventNo> {
        let aside = EventSetAside {
            tournament: self.tournament.take()?,
            journal: std::mem::take(&mut self.journal),
        };
        Arc::make_mut(&mut self.aside).insert(self.number, aside);
        Some(self.number)
    }

    /// Makes a set-aside event the current one again. There must be no current event.
    fn bring_back(&mut self, number: EventNo) -> Result<(), Why> {
        let aside = Arc::make_mut(&mut self.aside).remove(&number);
        let mut aside = aside.ok_or(Why::EventUnknown(number.0))?;
        // The clocks may since have served a different event, so they must be set again.
        Arc::make_mut(&mut aside.tournament).unset_clocks(|_, _, _| false);
        self.tournament = Some(aside.tournament);
        self.journal = aside.journal;
        self.number = number;
        Ok(())
    }

    /// Applies a bundle of changes to the current event, or starts a new event with it.
    pub(crate) fn make(
        &mut self,
        by: By<'_>,
        imported: Option<&Imported>,
        changes: Vec<Change>,
    ) -> Result<(), RecordConflict> {
        let actor = by.actor;
        let opens = imported.is_some_and(|imported| imported.opens);
        let before = self.tournament.clone().filter(|_| !opens);
        let apply = match imported {
            Some(_) => Tournament::apply_imported,
            None => Tournament::apply,
        };
        let after = applied(before.as_deref(), actor, &changes, apply);
        let after = Arc::new(after.map_err(RecordConflict::Refused)?);
        let set_aside = match opens {
            true => self.set_aside(),
            false => None,
        };
        self.version += 1;
        match before {
            Some(before) => {
                let import = imported.map(|imported| Import::new(&imported.file, &after));
                self.touch_changed(by, &changes);
                let bundle = Bundle::new(self.version, actor, import, changes);
                Arc::make_mut(&mut self.journal).add(&before, bundle);
                self.tournament = Some(after);
            }
            None => {
                self.last_number = EventNo(self.last_number.0 + 1);
                self.number = self.last_number;
                let opened = imported.map(|imported| Opened {
                    import: Import::new(&imported.file, &after),
                    version: self.version,
                    by: actor.name.clone(),
                    instead_of: set_aside,
                });
                let journal = opened.map(|opened| Journal::of(opened, after.clone()));
                self.journal = Arc::new(journal.unwrap_or_default());
                self.tournament = Some(after);
                self.touch_changed(by, &changes);
                if set_aside.is_some() {
                    self.touch_all(by);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn without(&self, version: u64) -> Result<(u64, Undone), Why> {
        let none = Why::NothingToUndo(Some(version).filter(|version| *version > 0));
        let present = self.tournament.as_ref().ok_or(none)?;
        let (version, undone) = self.journal.without(version, present)?;
        match &undone {
            Undone::Opening(None) if !self.aside.is_empty() => {
                let what = "the current event, which is needed while others are set aside,";
                Err(Why::UndoBlocked {
                    what: what.to_owned(),
                })
            }
            Undone::Opening(Some(number)) if !self.aside.contains_key(number) => {
                Err(Why::EventUnknown(number.0))
            }
            Undone::Opening(_) | Undone::Event(..) => match in_play(present) {
                Some((round, board)) if matches!(undone, Undone::Opening(_)) => {
                    Err(Why::EventInPlay { round, board })
                }
                Some(_) | None => Ok((version, undone)),
            },
        }
    }

    pub(crate) fn undo(&mut self, by: By<'_>, version: u64) -> Result<(), Why> {
        match self.without(version)?.1 {
            Undone::Event(event, journal) => {
                self.tournament = Some(event);
                self.journal = Arc::new(journal);
            }
            Undone::Opening(instead_of) => {
                self.tournament = None;
                self.journal = Arc::default();
                if let Some(number) = instead_of {
                    self.bring_back(number)?;
                }
            }
        }
        self.version += 1;
        self.touch_all(by);
        Ok(())
    }

    pub(crate) fn switch(&mut self, by: By<'_>, to: EventNo) -> Result<(), Why> {
        if !self.aside.contains_key(&to) {
            return Err(Why::EventUnknown(to.0));
        }
        self.set_aside();
        self.bring_back(to)?;
        self.version += 1;
        self.touch_all(by);
        Ok(())
    }
}

/// Returns true if a change may give a board a different rule set.
fn concerns_rules(change: &Change) -> bool {
    matches!(
        change,
        Change::SetEvent(_) | Change::Unpair(_) | Change::RemoveBoards(..) | Change::Reseat(..)
    )
}

pub(super) fn joined<'a>(
    parts: impl Iterator<Item = &'a EventEntry>,
) -> Result<Vec<Change>, RecordConflict> {
    let mut changes = Vec::new();
    let mut bytes = Vec::new();
    for entry in parts {
        match &entry.what {
            EventEntryKind::Changes(whole) if bytes.is_empty() => changes.extend_from_slice(whole),
            EventEntryKind::Piece { bytes: more, ends } => {
                bytes.extend_from_slice(more);
                if *ends {
                    changes.push(decoded(&std::mem::take(&mut bytes))?);
                }
            }
            EventEntryKind::Changes(_) => return Err(RecordConflict::ChangeCutOff),
            EventEntryKind::Refused(_)
            | EventEntryKind::Undone(_)
            | EventEntryKind::SwitchedTo(_) => {
                return Err(RecordConflict::ForeignPart);
            }
        }
    }
    match bytes.is_empty() {
        true => Ok(changes),
        false => Err(RecordConflict::LastChangeCutOff),
    }
}

fn in_play(event: &Tournament) -> Option<(RoundNo, BoardNo)> {
    let mut rounds = event.rounds().iter();
    rounds.find_map(|(round, paired)| {
        let mut boards = paired.boards.iter();
        let (no, _) = boards
            .find(|(_, board)| matches!(board.phase, BoardPhase::Started | BoardPhase::Running))?;
        Some((*round, *no))
    })
}

fn decoded(bytes: &[u8]) -> Result<Change, RecordConflict> {
    let change = proto::event::Change::decode(bytes).map_err(RecordConflict::Undecodable)?;
    Ok(from_proto::tournament::change(change)?)
}

/// Returns the event with all changes applied. Without an event, the first change must start one.
///
/// # Errors
/// Returns an error if a change is not allowed, or if there is no event and the first change starts none.
pub fn with_changes(
    before: Option<&Tournament>,
    actor: &Actor,
    changes: &[Change],
) -> Result<Tournament, Refusal> {
    applied(before, actor, changes, Tournament::apply)
}

type Apply = fn(&mut Tournament, &Actor, Change) -> Result<(), tournament::Refusal>;

fn applied(
    before: Option<&Tournament>,
    actor: &Actor,
    changes: &[Change],
    apply: Apply,
) -> Result<Tournament, Refusal> {
    let mut after = match (before, changes.first()) {
        (Some(before), _) => before.clone(),
        (None, Some(Change::SetEvent(event))) => Tournament::new((**event).clone()),
        (None, Some(_) | None) => {
            return Err(Why::EventNotBegun.into());
        }
    };
    for change in changes {
        apply(&mut after, actor, change.clone()).map_err(|refusal| Why::Event {
            of: (changes.len() > 1).then(|| topic::refused(change)),
            refusal,
        })?;
    }
    Ok(after)
}

impl Fold {
    pub(super) fn event_changed(
        &mut self,
        entry: &EventEntry,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let by = By {
            actor: &entry.actor,
            at: applied.hub,
        };
        let same = |first: &EventEntry| {
            (first.id, first.parts, &first.actor) == (entry.id, entry.parts, &entry.actor)
        };
        let here = &self.event.parts;
        follows("a bundle of changes", (entry.part, entry.parts), here, same)?;
        if let EventEntryKind::Refused(why) = &entry.what {
            self.event_answered(entry, Outcome::Refused(why.clone()));
            return Ok(());
        }
        if entry.part < entry.parts {
            self.event.parts.push(entry.clone());
            return Ok(());
        }
        let before = self.event.tournament.clone();
        let number = self.event.number;
        match &entry.what {
            EventEntryKind::Undone(version) => {
                let undone = self.event.undo(by, *version);
                undone.map_err(|why| RecordConflict::Refused(why.into()))?;
            }
            EventEntryKind::SwitchedTo(to) => {
                let switched = self.event.switch(by, *to);
                switched.map_err(|why| RecordConflict::Refused(why.into()))?;
            }
            EventEntryKind::Changes(_)
            | EventEntryKind::Piece { .. }
            | EventEntryKind::Refused(_) => {
                let changes = joined(self.event.parts.iter().chain([entry]))?;
                let first = self.event.parts.first().unwrap_or(entry);
                let imported = first.imported.clone();
                let opens = imported.as_ref().is_some_and(|imported| imported.opens);
                self.event.make(by, imported.as_ref(), changes.clone())?;
                self.event.parts.clear();
                if !(opens && before.is_some()) {
                    self.event_answered(entry, Outcome::Done);
                    self.vacate(&changes, applied);
                    if changes.iter().any(concerns_rules) {
                        self.follow_all_rules(applied);
                    }
                    applied.add(FoldOutcome::TournamentChanged(changes));
                    return Ok(());
                }
            }
        }
        self.event_answered(entry, Outcome::Done);
        let same_event = self.event.tournament.is_some() && self.event.number == number;
        let lifted = self.reseat_all(before.as_deref(), same_event, applied);
        self.follow_all_rules(applied);
        applied.add(FoldOutcome::TournamentReplaced(lifted));
        Ok(())
    }

    fn event_answered(&mut self, entry: &EventEntry, outcome: Outcome) {
        let result = CommandResult {
            outcome,
            board: None,
            version: Some(self.event.version),
            digest: entry.digest,
        };
        self.answers.remember(entry.id, result);
    }
}
