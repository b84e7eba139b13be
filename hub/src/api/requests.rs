//! Converts requests from arbiters' programs to the hall's values. Each function returns a complete value or an error; none decides whether
//! a request is permitted or makes sense now.

use hall::from_proto::{
    self, BadInput, MAX_NAME, MAX_TEXT, bounded_text, optional_board, pending_command_id, side,
};
use hall::{Action, Actor, NoteKind, NotesSeen, Offence, Request, RequestDigest};
use prost::Message;
use proto::event;
use proto::grpc::{self, command_request::Command as Requested};
use proto::ids::{CommandId, EventSeq};
use timing::{AfterFlag, Button, Command, Duration, Setup, Side, StartRule, TimeControl};

fn bad(what: impl Into<String>) -> BadInput {
    BadInput::Malformed(what.into())
}

/// Converts a request from the arbiter `actor`.
///
/// # Errors
/// Returns an error that names the field that is missing, malformed or too long.
pub fn request(request: grpc::CommandRequest, actor: Actor) -> Result<Request, BadInput> {
    let id = CommandId::try_from(request.id.as_slice())
        .map_err(|error| bad(format!("the command's id: {error}")))?;
    // A retry may have a newer sequence number, although it requests the same action.
    let asked = grpc::CommandRequest {
        seen_seq: 0,
        ..request.clone()
    };
    let digest = RequestDigest::of("command", &actor.name, &asked.encode_to_vec());
    let wanted = request
        .command
        .ok_or_else(|| bad("the request names no command"))?;
    let board = optional_board(&request.board)?;
    let action = action(wanted)?;
    if matches!(action, Action::AddBoard(..)) {
        plain(&request.board, "the board's name")?;
    }
    Ok(Request {
        id,
        actor: Actor {
            // The name comes from an earlier enrolment, which may be much older than the current limit on names.
            name: bounded_text(actor.name, "the actor's name", MAX_NAME)?,
            ..actor
        },
        board,
        seen_seq: request.seen_seq,
        reason: reason(request.reason)?,
        offence: offence_of(request.offence, &action)?,
        action,
        digest,
    })
}

pub(super) fn command_id(bytes: &[u8]) -> Result<CommandId, BadInput> {
    CommandId::try_from(bytes).map_err(|error| bad(format!("id: {error}")))
}

fn offence_of(
    offence: Option<event::Offence>,
    action: &Action,
) -> Result<Option<Offence>, BadInput> {
    let offence = offence.map(from_proto::offence).transpose()?;
    match (offence, action) {
        (Some(_), action) if !matches!(action, Action::Board(_)) => Err(bad(
            "an offence needs a command for the board's clock, such as adding time or entering a result",
        )),
        (offence, _) => Ok(offence),
    }
}

fn action(wanted: Requested) -> Result<Action, BadInput> {
    let pending = pending_command_id;
    Ok(Action::Board(match wanted {
        Requested::Prepare(prepare) => {
            return Ok(Action::Prepare {
                control: after_flag(control(&prepare.control)?, prepare.after_flag()),
                start: start_rule(&prepare.start)?,
                white: optional_button(prepare.white()),
                draw_odds: side(prepare.draw_odds()),
            });
        }
        Requested::Start(start) => Command::Start(side(start.side())),
        Requested::Pause(grpc::Pause {}) => Command::Pause,
        Requested::Resume(resume) => Command::Resume(side(resume.side())),
        Requested::SetTime(set) => Command::Set {
            side: named_side(set.side())?,
            to: Duration::from_micros(set.to_us),
        },
        Requested::AddTime(add) => Command::Add {
            side: named_side(add.side())?,
            by: Duration::from_micros(add.by_us),
        },
        Requested::SetMoves(set) => Command::Moves {
            side: named_side(set.side())?,
            to: set.moves,
        },
        Requested::Refill(refill) => Command::Refill {
            side: named_side(refill.side())?,
            amount: refill.amount_us.map(Duration::from_micros),
        },
        Requested::EndGame(end) => ending(&end.ending)?,
        Requested::ClaimDraw(claim) => Command::ClaimDraw(named_side(claim.side())?),
        Requested::CallFlag(call) => Command::CallFlag(named_side(call.side())?),
        Requested::WhiteButton(white) => Command::WhiteIs(button(white.white())?),
        Requested::SwapButtons(grpc::SwapButtons {}) => Command::Swap,
        Requested::ChangeControl(change) => {
            let control = control(&change.control)?;
            Command::ChangeControl(after_flag(control, change.after_flag()))
        }
        Requested::Restore(restore) => return Ok(before(&restore)),
        Requested::AddBoard(add) => {
            let setup = Setup {
                control: after_flag(control(&add.control)?, add.after_flag()),
                start: start_rule(&add.start)?,
                white: optional_button(add.white()).unwrap_or(Button::Left),
            };
            return Ok(Action::AddBoard(setup, side(add.draw_odds())));
        }
        Requested::RemoveBoard(grpc::RemoveBoard {}) => return Ok(Action::RemoveBoard),
        Requested::Assign(assign) => {
            return Ok(match side(assign.side()) {
                Some(side) => Action::AssignSide(side, assign.agent),
                None => Action::Assign(assign.agent),
            });
        }
        Requested::Names(names) => return self::names(names),
        Requested::Rule(rule) => return ruling(&rule.request),
        Requested::EnterMoves(entered) => return Ok(moves(entered)),
        Requested::ChooseRules(choose) => return rules(&choose.rules),
        Requested::ChoosePress(choose) => return press(choose.rule),
        Requested::Identify(grpc::Identify {}) => return Ok(Action::Identify),
        Requested::ZeroTest(grpc::ZeroTest {}) => return Ok(Action::ZeroTest),
        Requested::Show(show) => return Ok(Action::Show(short(show.text, "the text", MAX_TEXT)?)),
        Requested::Force(force) => return Ok(Action::Force(pending(&force.command_id)?)),
        Requested::Withdraw(held) => return Ok(Action::Withdraw(pending(&held.command_id)?)),
        Requested::DrawOdds(odds) => return Ok(Action::DrawOdds(side(odds.side()))),
        Requested::RevokeAgent(revoke) => return Ok(Action::RevokeAgent(revoke.agent)),
    }))
}

fn before(restore: &grpc::Restore) -> Action {
    Action::RestoreBefore(EventSeq(restore.before_event_seq))
}

fn moves(entered: grpc::EnterMoves) -> Action {
    Action::Moves {
        after: entered.after,
        moves: entered.moves,
    }
}

fn rules(key: &str) -> Result<Action, BadInput> {
    Ok(Action::Rules(from_proto::rule_set(key)?))
}

fn press(rule: i32) -> Result<Action, BadInput> {
    let rule = from_proto::time_chess::press_rule(rule)?;
    Ok(Action::PressRule(rule))
}

fn ending(text: &str) -> Result<Command, BadInput> {
    let ending = format!("end {text}");
    let command = ending.parse();
    command.map_err(|error| bad(format!("{ending}: {error}")))
}

fn ruling(text: &str) -> Result<Action, BadInput> {
    let request = text
        .parse::<laws::Request>()
        .map_err(|error| bad(format!("the request {text:?}: {error}")))?;
    Ok(Action::Rule(Box::new(request)))
}

fn names(names: grpc::Names) -> Result<Action, BadInput> {
    Ok(Action::Names {
        white: short(names.white, "White's name", MAX_NAME)?,
        black: short(names.black, "Black's name", MAX_NAME)?,
        round: short(names.round, "the round", MAX_NAME)?,
    })
}

/// Converts an acknowledgement of notes. The error names a field that is malformed or too long, or a kind of note unknown to this hub.
pub(super) fn notes_seen(
    request: grpc::AcknowledgeNotesRequest,
    actor: Actor,
) -> Result<NotesSeen, BadInput> {
    let notes = request.notes.into_iter().map(|note| {
        let kind = NoteKind::from_word(&note.kind)
            .ok_or_else(|| bad(format!("no note is of the kind {:?}", note.kind)))?;
        let agent = Some(note.agent.as_str()).filter(|agent| !agent.is_empty());
        let agent = agent.map(str::parse).transpose();
        let agent = agent.map_err(|error| bad(format!("the note's clock: {error}")))?;
        Ok((kind, agent, note.count))
    });
    Ok(NotesSeen {
        actor: bounded_text(actor.name, "the actor's name", MAX_NAME)?,
        reason: reason(request.reason)?,
        board: optional_board(&request.board)?,
        notes: notes.collect::<Result<_, BadInput>>()?,
    })
}

/// Checks that a request to confirm the loss of a clock's events has a reason and acknowledges no other note.
pub(super) fn only_a_loss(request: &grpc::AcknowledgeNotesRequest) -> Result<(), BadInput> {
    if request.notes.len() == 1 && !request.reason.trim().is_empty() {
        return Ok(());
    }
    Err(bad(
        "confirm the loss of a clock's events for one clock at a time, and with a reason",
    ))
}

pub(crate) fn reason(text: String) -> Result<String, BadInput> {
    short(text, "the reason", MAX_TEXT)
}

/// Checks text that a person entered: at most `most` bytes, without hidden characters.
fn short(text: String, what: &str, most: usize) -> Result<String, BadInput> {
    plain(&text, what)?;
    bounded_text(text, what, most)
}

fn plain(text: &str, what: &str) -> Result<(), BadInput> {
    match timing::text::hidden_in(text) {
        Some(found) => Err(BadInput::Hidden {
            what: what.to_owned(),
            found,
        }),
        None => Ok(()),
    }
}

/// Returns the time control that is written in Flagfall's notation or named as a preset.
pub(super) fn control(notation: &str) -> Result<TimeControl, BadInput> {
    timing::presets::control_of(notation).map_err(|error| BadInput::Control {
        written: notation.to_owned(),
        why: error.to_string(),
    })
}

fn after_flag(control: TimeControl, wanted: grpc::AfterFlag) -> TimeControl {
    match wanted {
        grpc::AfterFlag::Unspecified => control,
        grpc::AfterFlag::Freezes => control.with_after_flag(AfterFlag::Freezes),
        grpc::AfterFlag::RunsOn => control.with_after_flag(AfterFlag::RunsOn),
    }
}

fn start_rule(word: &str) -> Result<StartRule, BadInput> {
    if word.is_empty() {
        return Ok(StartRule::Arbiter);
    }
    StartRule::from_word(word).ok_or_else(|| {
        bad(format!(
            "the starter of White's clock, {word:?}, is neither arbiter nor black-press"
        ))
    })
}

fn named_side(side: proto::Side) -> Result<Side, BadInput> {
    from_proto::side(side).ok_or_else(|| bad("the command does not say which side: white or black"))
}

fn optional_button(button: grpc::Button) -> Option<Button> {
    match button {
        grpc::Button::Left => Some(Button::Left),
        grpc::Button::Right => Some(Button::Right),
        grpc::Button::Unspecified => None,
    }
}

fn button(button: grpc::Button) -> Result<Button, BadInput> {
    optional_button(button)
        .ok_or_else(|| bad("the command does not say which button: left or right"))
}

#[cfg(test)]
mod tests;
