//! Finds the commands among the log's records for the audit view: requests, decisions and corrections. Reads each
//! record by itself and needs no state of the hall.

use prost::Message;
use proto::log::record::Input;
use proto::log::{Record, command_held, command_received};
use proto::wire::{EventBody, event_body};

/// A command in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedCommand {
    /// The person or program that gave the command.
    pub actor: String,
    /// True if the command was refused and had no effect.
    pub refused: bool,
}

/// Returns the command in a record; `None` if the record contains no command, or only the continuation of one.
pub fn command_in(record: &Record) -> Option<AuditedCommand> {
    let (actor, refused) = match record.input.as_ref()? {
        Input::Command(command) => {
            let refused = matches!(command.what, Some(command_received::What::Refused(_)));
            (&command.actor, refused)
        }
        Input::EventChanged(changed) if changed.part <= 1 => {
            let actor = changed.actor.as_ref()?;
            (&actor.name, !changed.refused.is_empty())
        }
        Input::FloorArranged(arranged) if arranged.part <= 1 => (&arranged.actor, false),
        Input::Forced(forced) => (&forced.actor, false),
        Input::Withdrawn(withdrawn) => (&withdrawn.actor, false),
        Input::NoteAcknowledged(seen) => (&seen.actor, false),
        Input::AgentRevoked(revoked) => (&revoked.actor, false),
        Input::AgentEnrolled(enrolled) if !enrolled.admitted_by.is_empty() => {
            (&enrolled.admitted_by, false)
        }
        Input::CallMade(call) => (&call.actor, false),
        Input::HeldDecided(decided) => (&decided.actor, false),
        Input::CommandHeld(held) => match held.what.as_ref()? {
            command_held::What::Command(command) => (&command.actor, false),
            command_held::What::Event(changed) if changed.part <= 1 => {
                (&changed.actor.as_ref()?.name, false)
            }
            command_held::What::Event(_) => return None,
            command_held::What::Revocation(revocation) => (&revocation.actor, false),
        },
        Input::AgentEvent(event) => return correction_in(&event.body),
        Input::ChiefRecovered(_) => return Some(recovery()),
        Input::EventChanged(_)
        | Input::FloorArranged(_)
        | Input::AgentEnrolled(_)
        | Input::RequestSigned(_)
        | Input::Opened(_)
        | Input::HubStarted(_)
        | Input::Settled(_)
        | Input::Note(_)
        | Input::ZeroTestEnded(_)
        | Input::NoteOver(_)
        | Input::Passed(_)
        | Input::Arbiters(_)
        | Input::Equivocation(_)
        | Input::FlagExpected(_)
        | Input::LinkChanged(_) => return None,
    };
    Some(AuditedCommand {
        actor: actor.clone(),
        refused,
    })
}

/// Returns the use of the recovery code. The log records no person for it, only the sender's address.
fn recovery() -> AuditedCommand {
    AuditedCommand {
        actor: "recovery code".to_owned(),
        refused: false,
    }
}

/// Returns the correction made at a board's clock; `None` if the event is not a correction.
fn correction_in(body: &[u8]) -> Option<AuditedCommand> {
    let fact = EventBody::decode(body).ok()?.fact?;
    if let event_body::Fact::Correction(correction) = fact {
        return Some(AuditedCommand {
            actor: correction.arbiter,
            refused: false,
        });
    }
    None
}
