//! The rule sets that events name, read from the log's records of events. A replay needs these rule sets, but not an
//! event's players or pairings.
//!
//! Defines the relevant records. Undoing an import restores the rules from before the newest import.

use std::collections::BTreeMap;

use proto::event::{self, Change, change};
use proto::log::EventChanged;
use tournament::{Event, RoundNo};

/// The rules of the current event, and of the events that are set aside.
#[derive(Debug, Default)]
pub(super) struct EventRules {
    current: Option<RuledEvent>,
    last: u32,
    aside: BTreeMap<u32, RuledEvent>,
}

#[derive(Debug)]
struct RuledEvent {
    number: u32,
    /// The event, with only its rules.
    event: Event,
    imports: Vec<Import>,
}

#[derive(Debug)]
enum Import {
    /// The import started the event. The event with this number, if any, was set aside for it.
    Opening(Option<u32>),
    /// The import changed the event. These are the rules before the import.
    Into(Box<Event>),
}

/// Returns true if a record may change the rules of the current event.
pub(super) fn concerns(changed: &EventChanged) -> bool {
    let is_refused = !changed.refused.is_empty() || changed.refusal.is_some();
    let moves = changed.imported.is_some() || changed.undone > 0 || changed.switched_to > 0;
    !is_refused && (moves || set_event(changed).is_some())
}

/// Returns true if a record names a rule set for its event's games.
pub(super) fn names(changed: &EventChanged) -> bool {
    let names = |event: &event::Event| !event.rules.is_empty() || !event.round_rules.is_empty();
    concerns(changed) && set_event(changed).is_some_and(names)
}

/// Returns the event data that a record sets. The data always fits into one record.
fn set_event(changed: &EventChanged) -> Option<&event::Event> {
    changed.changes.iter().find_map(|Change { what }| {
        if let Some(change::What::SetEvent(event)) = what {
            return Some(event);
        }
        None
    })
}

impl EventRules {
    /// Applies a record. Returns true if it may have changed the rules of the current event.
    pub(super) fn follow(&mut self, changed: &EventChanged) -> bool {
        if !concerns(changed) {
            return false;
        }
        if changed.undone > 0 {
            self.undo();
        } else if changed.switched_to > 0 {
            self.set_aside();
            self.current = self.aside.remove(&changed.switched_to);
        } else {
            self.take(changed);
        }
        true
    }

    pub(super) fn current(&self) -> Option<&Event> {
        self.current.as_ref().map(|current| &current.event)
    }

    fn take(&mut self, changed: &EventChanged) {
        let opens = changed.imported.as_ref().is_some_and(|from| from.opens);
        let instead_of = match opens {
            true => self.set_aside(),
            false => None,
        };
        if let (Some(current), Some(_)) = (&mut self.current, &changed.imported) {
            let before = Box::new(current.event.clone());
            current.imports.push(Import::Into(before));
        }
        let Some(event) = set_event(changed).map(rules_of) else {
            return;
        };
        if let Some(current) = &mut self.current {
            current.event = event;
            return;
        }
        self.last += 1;
        let opening = changed.imported.is_some();
        self.current = Some(RuledEvent {
            number: self.last,
            event,
            imports: opening
                .then_some(Import::Opening(instead_of))
                .into_iter()
                .collect(),
        });
    }

    fn undo(&mut self) {
        let Some(current) = &mut self.current else {
            return;
        };
        match current.imports.pop() {
            Some(Import::Into(before)) => current.event = *before,
            Some(Import::Opening(instead_of)) => {
                self.current = instead_of.and_then(|number| self.aside.remove(&number));
            }
            None => (),
        }
    }

    fn set_aside(&mut self) -> Option<u32> {
        let current = self.current.take()?;
        let number = current.number;
        self.aside.insert(number, current);
        Some(number)
    }
}

fn rules_of(named: &event::Event) -> Event {
    let mut event = Event::new("", 1);
    event.rules.clone_from(&named.rules);
    let rounds = named.round_rules.iter();
    let rounds = rounds.filter_map(|of| Some((RoundNo(of.round.try_into().ok()?), &of.rules)));
    event.round_rules = rounds
        .map(|(round, rules)| (round, rules.clone()))
        .collect();
    event
}

#[cfg(test)]
mod tests {
    use proto::log::Imported;

    use super::*;

    fn set(rules: &str) -> EventChanged {
        let event = event::Event {
            rules: rules.to_owned(),
            ..event::Event::default()
        };
        let what = Some(change::What::SetEvent(event));
        EventChanged {
            changes: vec![Change { what }],
            ..EventChanged::default()
        }
    }

    fn imported(rules: &str, opens: bool) -> EventChanged {
        let file = "a.trf".to_owned();
        EventChanged {
            imported: Some(Imported { file, opens }),
            ..set(rules)
        }
    }

    fn undone() -> EventChanged {
        EventChanged {
            undone: 1,
            ..EventChanged::default()
        }
    }

    #[test]
    fn the_rules_follow_events_that_are_set_switched_and_undone() {
        let mut rules = EventRules::default();
        let refused = EventChanged {
            refused: "unknown".to_owned(),
            ..set("go")
        };
        let back = EventChanged {
            switched_to: 1,
            ..EventChanged::default()
        };
        for (record, key) in [
            (set("uscf"), "uscf"),
            (refused, "uscf"),
            (imported("fide-blitz", false), "fide-blitz"),
            (undone(), "uscf"),
            (imported("time-chess", true), "time-chess"),
            (undone(), "uscf"),
            (imported("go", true), "go"),
            (back, "uscf"),
        ] {
            rules.follow(&record);
            let current = rules.current().map(|event| event.rules.as_str());
            assert_eq!(current, Some(key), "{record:?}");
        }
        assert!(names(&set("go")) && !names(&set("")) && !names(&undone()));
    }
}
