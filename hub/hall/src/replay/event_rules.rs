//! The rule sets that events name, read from the log's records of events. A replay needs these rule sets, but not an
//! event's players or pairings.
//!
//! Decides which records are relevant. The hall's own fold applies them, reduced to the events' rules, so that imports
//! are undone as in live operation. Must never change an event other than by that fold.

use prost::Message;
use proto::event::{self, Change, change};
use proto::log::{EventChanged, Imported};
use timing::{Hub, Instant};

use crate::event_no::EventNo;
use crate::fold::tournament::{By, EventFold};
use tournament::fold::MAX_ROUNDS;
use tournament::{Actor, Event, RoundNo, Tournament};

/// The rules of the current event, and of the events that are set aside.
#[derive(Debug, Default)]
pub(super) struct EventRules {
    /// The events, with only their rules.
    events: EventFold,
    bundle: PartialBundle,
}

/// The parts of a bundle that have been read so far.
#[derive(Debug, Default)]
struct PartialBundle {
    id: Vec<u8>,
    /// Number of the newest part.
    part: u32,
    imported: Option<Imported>,
    /// The event's data, each time the bundle sets it.
    set: Vec<Event>,
    piece: Vec<u8>,
}

/// The relevance of an event's record for the event's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relevance {
    /// The record affects neither the rules nor the version.
    None,
    /// The record may change the rules of the current event.
    Rules,
    /// The record changes only the event's version, which identifies an import to undo.
    Version,
    /// The record undoes an import.
    Undo,
}

impl Relevance {
    pub(super) fn of(changed: &EventChanged) -> Self {
        let is_last = changed.part >= changed.parts;
        let moves = changed.imported.is_some() || changed.switched_to > 0;
        let sets = moves || !changed.piece.is_empty() || set_events(changed).next().is_some();
        if is_refused(changed) {
            Self::None
        } else if changed.undone > 0 {
            Self::Undo
        } else if sets || (is_last && changed.parts > 1) {
            Self::Rules
        } else if is_last {
            Self::Version
        } else {
            Self::None
        }
    }
}

fn is_refused(changed: &EventChanged) -> bool {
    !changed.refused.is_empty() || changed.refusal.is_some()
}

fn set_events(changed: &EventChanged) -> impl Iterator<Item = &event::Event> {
    changed.changes.iter().filter_map(set_event)
}

fn set_event(change: &Change) -> Option<&event::Event> {
    if let Some(change::What::SetEvent(event)) = &change.what {
        return Some(event);
    }
    None
}

impl EventRules {
    /// Applies a record. Returns true if it may have changed the rules of the current event.
    pub(super) fn follow(&mut self, changed: &EventChanged) -> bool {
        if is_refused(changed) {
            return false;
        }
        self.bundle.add(changed);
        if changed.part < changed.parts {
            return false;
        }
        let bundle = std::mem::take(&mut self.bundle);
        let actor = Actor::program("replay");
        let at = Instant::<Hub>::MIN;
        let by = By { actor: &actor, at };
        if changed.undone > 0 {
            let undone = self.events.undo(by, changed.undone);
            // If the newest import is undone, a file of one game omits the records that only count towards the version.
            // No import then has the stated version.
            return undone.or_else(|_| self.events.undo(by, 0)).is_ok();
        }
        if changed.switched_to > 0 {
            return self.events.switch(by, EventNo(changed.switched_to)).is_ok();
        }
        self.make(by, bundle)
    }

    /// Returns true if a record undoes the newest import, which can be found without a version.
    pub(super) fn undoes_newest(&self, changed: &EventChanged) -> bool {
        let newest = self.events.journal.imports().last();
        newest.is_some_and(|import| import.version == changed.undone)
    }

    /// Returns the event with only its rules.
    pub(super) fn current(&self) -> Option<&Event> {
        self.events.tournament.as_deref().map(Tournament::event)
    }

    /// Returns true if the current event names a rule set for its games.
    pub(super) fn are_named(&self) -> bool {
        let current = self.current();
        current.is_some_and(|event| !event.rules.is_empty() || !event.round_rules.is_empty())
    }

    fn make(&mut self, by: By<'_>, mut bundle: PartialBundle) -> bool {
        let imported = bundle.imported.as_ref();
        let opens = imported.is_some_and(|from| from.opens);
        let begins = opens || self.events.tournament.is_none();
        if begins && bundle.set.is_empty() {
            // The data is in pieces that an evidence file conceals.
            bundle.set.push(without_rules());
        }
        if bundle.set.is_empty() && imported.is_none() {
            self.events.version += 1;
            return false;
        }
        let changes = bundle.set.into_iter().map(Box::new);
        let changes = changes.map(tournament::Change::SetEvent).collect();
        self.events.make(by, imported, changes).is_ok()
    }
}

impl PartialBundle {
    fn add(&mut self, changed: &EventChanged) {
        // A hub that stops before the last part never applies the others. The sender may then repeat the request.
        if self.id != changed.id || changed.part <= self.part {
            *self = Self {
                id: changed.id.clone(),
                ..Self::default()
            };
        }
        self.part = changed.part;
        if self.imported.is_none() {
            self.imported.clone_from(&changed.imported);
        }
        self.set.extend(set_events(changed).map(rules_of));
        self.piece.extend_from_slice(&changed.piece);
        if changed.piece_ends {
            let whole = Change::decode(std::mem::take(&mut self.piece).as_slice());
            let whole = whole.unwrap_or_default();
            self.set.extend(set_event(&whole).map(rules_of));
        }
    }
}

fn without_rules() -> Event {
    Event::new("", MAX_ROUNDS)
}

fn rules_of(named: &event::Event) -> Event {
    let mut event = without_rules();
    event.rules.clone_from(&named.rules);
    let rounds = named.round_rules.iter();
    let rounds = rounds.filter_map(|of| Some((RoundNo(of.round.try_into().ok()?), &of.rules)));
    event.round_rules = rounds
        .map(|(round, rules)| (round, rules.clone()))
        .collect();
    event
}

#[cfg(test)]
mod tests;
