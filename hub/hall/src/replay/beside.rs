//! The moments of commands that cause no step of a clock: new boards, requests that wait, and rulings that leave the
//! clocks unchanged.

use super::moment::MomentDetail;
use crate::words::display_text;
use crate::{CommandKind, CommandRecord};

/// Returns the moment of a command. The outer `None` means that the replay only describes the command, as
/// [`MomentDetail::Other`]. The inner `None` means that the clock's steps already include the moment.
pub(super) fn beside_command(
    command: &CommandRecord,
    of_clock: bool,
) -> Option<Option<MomentDetail>> {
    match &command.kind {
        CommandKind::AddBoard(setup) => Some(Some(MomentDetail::Set {
            control: setup.control.to_string(),
        })),
        CommandKind::Board(_) | CommandKind::Ruling(_) if of_clock => Some(None),
        CommandKind::Board(ask) => Some(Some(asked(display_text(ask), command))),
        CommandKind::Ruling(ruling) if ruling.command.is_some() => {
            Some(Some(asked(ruling.request.to_string(), command)))
        }
        // The ruling leaves the clock unchanged.
        CommandKind::Ruling(ruling) => Some(Some(MomentDetail::Action {
            command: ruling.request.to_string(),
            actor: command.actor.clone(),
            reason: command.reason.clone(),
            asked: None,
            refused: None,
        })),
        CommandKind::Moves(_)
        | CommandKind::Rules(_)
        | CommandKind::Player(..)
        | CommandKind::PressRule(_)
        | CommandKind::RemoveBoard
        | CommandKind::Assign(_)
        | CommandKind::AssignSide(..)
        | CommandKind::Names(_)
        | CommandKind::DrawOdds(_)
        | CommandKind::ZeroTest
        | CommandKind::Refused(_) => None,
    }
}

fn asked(text: String, command: &CommandRecord) -> MomentDetail {
    MomentDetail::Asked {
        command: text,
        actor: command.actor.clone(),
        reason: command.reason.clone(),
    }
}
