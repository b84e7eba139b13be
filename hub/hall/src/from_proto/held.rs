//! Decodes held commands from the log.

use proto::log;
use proto::log::command_held::What;
use timing::RulesVersion;

use super::records::{command_record, event_changed};
use super::{BadInput, bad, pending_command_id};
use crate::entry::{HeldDecision, HeldEntry, HeldPart};
use crate::held::HoldRevocation;
use crate::request::{Actor, Role};

pub(crate) fn command_held(
    rules: RulesVersion,
    held: log::CommandHeld,
) -> Result<HeldEntry, BadInput> {
    let role = if held.chief { Role::Chief } else { Role::Floor };
    let part = match held.what {
        Some(What::Command(command)) => HeldPart::Command(command_record(rules, command)?.into()),
        Some(What::Event(changed)) => HeldPart::Event {
            entry: Box::new(event_changed(changed)?),
            seen: held.seen_version,
            replaces: held.replaces,
            removes: held.removes,
        },
        Some(What::Revocation(revocation)) => HeldPart::Revocation(HoldRevocation {
            id: pending_command_id(&revocation.id)?,
            actor: Actor {
                name: revocation.actor,
                role,
            },
            reason: revocation.reason,
            device: revocation.device,
            name: revocation.name,
        }),
        None => return Err(bad("a held command of an unknown kind")),
    };
    Ok(HeldEntry {
        chief: held.chief,
        part,
    })
}

pub(crate) fn held_decided(decided: log::HeldDecided) -> Result<HeldDecision, BadInput> {
    Ok(HeldDecision {
        id: pending_command_id(&decided.id)?,
        actor: decided.actor,
        confirmed: decided.confirmed,
    })
}
