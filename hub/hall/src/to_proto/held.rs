//! Encodes requests that wait for a second arbiter, and the decisions about them, as records of the log.

use proto::log;
use proto::log::command_held::What;

use super::records::command_received;
use super::tournament::event_changed;
use crate::entry::{HeldDecision, HeldEntry, HeldPart};

pub(crate) fn command_held(entry: HeldEntry) -> log::CommandHeld {
    let held = log::CommandHeld {
        chief: entry.chief,
        ..log::CommandHeld::default()
    };
    match entry.part {
        HeldPart::Command(record) => log::CommandHeld {
            what: Some(What::Command(command_received(&record))),
            ..held
        },
        HeldPart::Event {
            entry,
            seen,
            replaces,
            removes,
        } => log::CommandHeld {
            what: Some(What::Event(event_changed(&entry))),
            seen_version: seen,
            replaces,
            removes,
            ..held
        },
        HeldPart::Revocation(revocation) => log::CommandHeld {
            what: Some(What::Revocation(log::HeldRevocation {
                id: revocation.id.0.to_vec(),
                actor: revocation.actor.name,
                reason: revocation.reason,
                device: revocation.device,
                name: revocation.name,
            })),
            ..held
        },
    }
}

pub(crate) fn held_decided(decision: HeldDecision) -> log::HeldDecided {
    log::HeldDecided {
        id: decision.id.0.to_vec(),
        actor: decision.actor,
        confirmed: decision.confirmed,
    }
}
