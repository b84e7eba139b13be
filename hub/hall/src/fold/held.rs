//! The held commands, as built from the log's records.

use std::sync::Arc;

use proto::ids::CommandId;

use super::super::answers::CommandResult;
use super::super::command_record::CommandRecord;
use super::super::entry::{EventEntry, EventEntryKind, HeldDecision, HeldEntry, HeldPart};
use super::super::held::{HeldCommand, HeldEffect, HeldRefusal, HoldRevocation};
use super::super::outcome::Outcome;
use super::super::request::{Actor, RequestDigest, Role, is_same_person};
use super::super::tournament::{Purpose, TournamentRequest};
use super::super::words::display_text;
use super::parts::follows;
use super::tournament::joined;
use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::board_id::BoardId;
use crate::event_no::EventNo;

/// A held command, with the request that its confirmation carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) command: HeldCommand,
    pub(crate) digest: RequestDigest,
    pub(crate) what: HeldSubject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeldSubject {
    Command(Arc<CommandRecord>),
    Event {
        request: Box<TournamentRequest>,
        /// Number of the event that the request sets aside or removes; 0 for none.
        replaces: EventNo,
    },
    Revocation(HoldRevocation),
}

impl Held {
    /// Returns true if `actor` may confirm the command, or may decline it if `confirm` is false. The sender may only
    /// decline the command. The holder of a device to be revoked may not decide, except to decline their own request.
    pub(crate) fn may_decide(&self, actor: &Actor, confirm: bool) -> bool {
        let sender = is_same_person(&actor.name, &self.command.actor.name);
        match &self.what {
            HeldSubject::Revocation(revocation)
                if is_same_person(&revocation.name, &actor.name) =>
            {
                sender && !confirm
            }
            HeldSubject::Revocation(_) | HeldSubject::Command(_) | HeldSubject::Event { .. } => {
                !(sender && confirm)
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HeldFold {
    /// Held commands, oldest first.
    pub(crate) waiting: Vec<Held>,
    /// The parts of an incomplete command that have arrived so far.
    pub(crate) parts: Vec<EventEntry>,
}

impl HeldFold {
    pub(crate) fn get(&self, id: &CommandId) -> Option<&Held> {
        self.waiting.iter().find(|held| held.command.id == *id)
    }

    fn take(&mut self, id: &CommandId) -> Option<Held> {
        let mut waiting = self.waiting.iter();
        let at = waiting.position(|held| held.command.id == *id)?;
        Some(self.waiting.remove(at))
    }
}

impl Fold {
    pub(super) fn hold(
        &mut self,
        board: Option<&BoardId>,
        entry: &HeldEntry,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let role = if entry.chief {
            Role::Chief
        } else {
            Role::Floor
        };
        let held = match &entry.part {
            HeldPart::Command(record) => command(record, role, board, applied),
            HeldPart::Revocation(revocation) => self::revocation(revocation, applied),
            HeldPart::Event {
                entry,
                seen,
                replaces,
                removes,
            } => match self.hold_part(entry)? {
                Some(request) => {
                    let request = TournamentRequest {
                        seen: *seen,
                        ..request
                    };
                    self.held_event(request, EventNo(*replaces), *removes, applied)
                }
                None => return Ok(()),
            },
        };
        self.held.waiting.push(held);
        applied.add(FoldOutcome::HeldChanged);
        Ok(())
    }

    /// Stores a part of a request to change the event; returns the complete request when the last part arrives.
    fn hold_part(
        &mut self,
        entry: &EventEntry,
    ) -> Result<Option<TournamentRequest>, RecordConflict> {
        let of = "changes that wait for a second arbiter";
        let same = |first: &EventEntry| (first.id, first.parts) == (entry.id, entry.parts);
        follows(of, (entry.part, entry.parts), &self.held.parts, same)?;
        if entry.part < entry.parts {
            self.held.parts.push(entry.clone());
            return Ok(None);
        }
        let parts = &self.held.parts;
        let first = parts.first().unwrap_or(entry);
        let (purpose, changes) = match (&entry.what, &first.imported) {
            (EventEntryKind::Undone(version), _) => {
                (Purpose::Undo { version: *version }, Vec::new())
            }
            (EventEntryKind::SwitchedTo(to), _) => {
                let set_aside = String::new();
                (Purpose::Switch { to: *to, set_aside }, Vec::new())
            }
            (EventEntryKind::Refused(_), _) => return Err(RecordConflict::ForeignPart),
            (EventEntryKind::Changes(_) | EventEntryKind::Piece { .. }, imported) => {
                let purpose = match imported {
                    Some(imported) if imported.opens => Purpose::Open {
                        file: imported.file.clone(),
                        set_aside: String::new(),
                    },
                    Some(imported) => Purpose::Import {
                        file: imported.file.clone(),
                    },
                    None => Purpose::Amend,
                };
                (purpose, joined(parts.iter().chain([entry]))?)
            }
        };
        let request = TournamentRequest {
            id: entry.id,
            actor: entry.actor.clone(),
            seen: None,
            reason: first.reason.clone(),
            changes,
            purpose,
            digest: entry.digest,
        };
        self.held.parts.clear();
        Ok(Some(request))
    }

    fn held_event(
        &self,
        request: TournamentRequest,
        replaces: EventNo,
        removes: u32,
        applied: &Applied,
    ) -> Held {
        let name = || {
            let present = self.event.tournament.as_ref();
            present.map_or(String::new(), |event| event.event().name.clone())
        };
        let effect = match removes {
            0 => HeldEffect::Event(name()),
            games => HeldEffect::Pairings(games),
        };
        Held {
            command: HeldCommand {
                id: request.id,
                actor: Actor {
                    name: request.actor.name.clone(),
                    role: Role::Chief,
                },
                board: None,
                reason: request.reason.clone(),
                since: applied.hub,
                effect,
            },
            digest: request.digest,
            what: HeldSubject::Event {
                request: Box::new(request),
                replaces,
            },
        }
    }

    /// Removes a held command from the queue, and answers it if it was declined.
    pub(super) fn decide_held(
        &mut self,
        decision: &HeldDecision,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let HeldDecision {
            id,
            actor,
            confirmed,
        } = decision;
        let held = self.held.take(id).ok_or(RecordConflict::NotPending)?;
        if !confirmed {
            let by = actor.clone();
            let result = CommandResult {
                outcome: Outcome::Refused(HeldRefusal::Declined { by }.into()),
                board: held.command.board,
                version: Some(self.event.version),
                digest: held.digest,
            };
            self.answers.remember(*id, result);
        }
        applied.add(FoldOutcome::HeldChanged);
        Ok(())
    }
}

fn command(
    record: &Arc<CommandRecord>,
    role: Role,
    board: Option<&BoardId>,
    applied: &Applied,
) -> Held {
    let text = record.clock_command().map(display_text);
    Held {
        command: HeldCommand {
            id: record.id,
            actor: Actor {
                name: record.actor.clone(),
                role,
            },
            board: board.cloned(),
            reason: record.reason.clone(),
            since: applied.hub,
            effect: HeldEffect::Time(text.unwrap_or_default()),
        },
        digest: record.digest,
        what: HeldSubject::Command(record.clone()),
    }
}

fn revocation(revocation: &HoldRevocation, applied: &Applied) -> Held {
    Held {
        command: HeldCommand {
            id: revocation.id,
            actor: revocation.actor.clone(),
            board: None,
            reason: revocation.reason.clone(),
            since: applied.hub,
            effect: HeldEffect::Device(revocation.name.clone()),
        },
        digest: RequestDigest::OWN,
        what: HeldSubject::Revocation(revocation.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Entry, Logged};
    use timing::{Hub, Instant, RulesVersion};
    use tournament::Actor as Changer;

    fn part(part: u32, what: EventEntryKind) -> Logged {
        let entry = EventEntry {
            id: CommandId([1; 16]),
            actor: Changer::chief("Chief"),
            reason: String::new(),
            part,
            parts: 2,
            digest: RequestDigest::OWN,
            imported: None,
            what,
        };
        let held = HeldEntry {
            chief: true,
            part: HeldPart::Event {
                entry: Box::new(entry),
                seen: None,
                replaces: 0,
                removes: 3,
            },
        };
        Logged {
            rules: RulesVersion::LATEST,
            hub: Instant::<Hub>::MIN,
            board: None,
            entry: Entry::Held(Box::new(held)),
            after: None,
        }
    }

    #[test]
    fn a_part_that_cannot_be_joined_leaves_the_other_parts_unchanged() {
        let mut fold = Fold::default();
        let piece = |ends| EventEntryKind::Piece {
            bytes: vec![0xff],
            ends,
        };
        fold.apply(&part(1, piece(false))).unwrap();
        let before = fold.clone();
        for last in [piece(false), piece(true)] {
            assert!(fold.apply(&part(2, last.clone())).is_err(), "{last:?}");
            assert_eq!(fold, before, "{last:?}");
        }
    }
}
