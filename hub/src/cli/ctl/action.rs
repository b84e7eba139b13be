//! From the command line to requests of the hub.

use proto::grpc::{self, Board, CommandRequest, command_request::Command};
use proto::ids::CommandId;
use timing::Duration;

use super::args::{Button, Common, Side, Starter, What};
use crate::cli::control::notation;
use crate::cli::output::Failure;
use crate::identity::random;

/// Which boards a request is for.
pub(super) enum Boards {
    New(String),
    Existing(String),
    One(String),
    None,
}

/// What is to be sent to each of them.
pub(super) struct Wanted {
    pub(super) boards: Boards,
    send: Send,
}

enum Send {
    Same(Box<Command>),
    /// The board before this press.
    Restore(Press),
    /// What is pending on the board, carried out or taken back.
    Pending {
        force: bool,
    },
}

enum Press {
    Event(u64),
    Move(u32, grpc::Side),
}

/// What `what` asks for; `None` when it only looks.
pub(super) fn wanted(what: &What) -> Result<Option<Wanted>, Failure> {
    let same = |boards: Boards, command: Command| {
        Ok(Some(Wanted {
            boards,
            send: Send::Same(Box::new(command)),
        }))
    };
    let existing = |boards: &String| Boards::Existing(boards.clone());
    let one = |board: &String| Boards::One(board.clone());
    match what {
        What::List { .. }
        | What::Show { .. }
        | What::Agents
        | What::Watch { .. }
        | What::Log { .. } => Ok(None),
        What::Add {
            boards,
            control,
            start,
            white,
        } => same(
            Boards::New(boards.clone()),
            Command::AddBoard(grpc::AddBoard {
                control: control
                    .as_deref()
                    .map(control_text)
                    .transpose()?
                    .unwrap_or_default(),
                start: start.map(starter).unwrap_or_default(),
                white: white.map_or(0, button),
            }),
        ),
        What::Control {
            boards,
            control,
            start,
            white,
        } => same(
            existing(boards),
            Command::Prepare(grpc::Prepare {
                control: control_text(control)?,
                start: starter(*start),
                white: white.map_or(0, button),
            }),
        ),
        What::ChangeControl { boards, control } => same(
            existing(boards),
            Command::ChangeControl(grpc::ChangeControl {
                control: control_text(control)?,
            }),
        ),
        What::Names {
            board,
            white,
            black,
            round,
        } => same(
            one(board),
            Command::Names(grpc::Names {
                white: white.clone(),
                black: black.clone(),
                round: round.clone(),
            }),
        ),
        What::Assign { board, agent } => {
            let agent = if agent == "none" {
                String::new()
            } else {
                agent.clone()
            };
            same(one(board), Command::Assign(grpc::Assign { agent }))
        }
        What::Revoke { agent } => {
            let agent = agent.clone();
            same(
                Boards::None,
                Command::RevokeAgent(grpc::RevokeAgent { agent }),
            )
        }
        What::Restore { board, press } => Ok(Some(Wanted {
            boards: one(board),
            send: Send::Restore(press_of(press)?),
        })),
        What::Force { boards } => pending(boards, true),
        What::Withdraw { boards } => pending(boards, false),
        What::Remove { boards }
        | What::Button { boards, .. }
        | What::Swap { boards }
        | What::Start { boards, .. }
        | What::Pause { boards }
        | What::Resume { boards, .. }
        | What::Set { boards, .. }
        | What::AddTime { boards, .. }
        | What::Moves { boards, .. }
        | What::Flag { boards, .. }
        | What::Result { boards, .. }
        | What::End { boards, .. }
        | What::Claim { boards, .. }
        | What::Refill { boards, .. }
        | What::Identify { boards }
        | What::Message { boards, .. } => match simple(what)? {
            Some(command) => same(existing(boards), command),
            None => Ok(None),
        },
    }
}

/// The commands that say the same to every board they are sent to.
fn simple(what: &What) -> Result<Option<Command>, Failure> {
    Ok(Some(match what {
        What::Remove { .. } => Command::RemoveBoard(grpc::RemoveBoard {}),
        What::Button { white, .. } => Command::WhiteButton(grpc::WhiteButton {
            white: button(*white),
        }),
        What::Swap { .. } => Command::SwapButtons(grpc::SwapButtons {}),
        What::Start { side: s, .. } => Command::Start(grpc::Start {
            side: s.map_or(0, side),
        }),
        What::Pause { .. } => Command::Pause(grpc::Pause {}),
        What::Resume { side: s, .. } => Command::Resume(grpc::Resume {
            side: s.map_or(0, side),
        }),
        What::Set { side: s, time, .. } => Command::SetTime(grpc::SetTime {
            side: side(*s),
            to_us: duration(time)?.as_micros(),
        }),
        What::AddTime { side: s, time, .. } => Command::AddTime(grpc::AddTime {
            side: side(*s),
            by_us: signed(time)?.as_micros(),
        }),
        What::Moves { side: s, moves, .. } => Command::SetMoves(grpc::SetMoves {
            side: side(*s),
            moves: *moves,
        }),
        What::Flag { side: s, .. } => Command::CallFlag(grpc::CallFlag { side: side(*s) }),
        What::Result { result, .. } => Command::EndGame(grpc::EndGame {
            ending: format!("result {result}"),
        }),
        What::End { ending, .. } => Command::EndGame(grpc::EndGame {
            ending: ending.join(" "),
        }),
        What::Claim { side: s, .. } => Command::ClaimDraw(grpc::ClaimDraw { side: side(*s) }),
        What::Refill {
            side: s, amount, ..
        } => Command::Refill(grpc::Refill {
            side: side(*s),
            amount_us: amount
                .as_deref()
                .map(duration)
                .transpose()?
                .map(Duration::as_micros),
        }),
        What::Identify { .. } => Command::Identify(grpc::Identify {}),
        What::Message { text, .. } => Command::Show(grpc::Show { text: text.clone() }),
        What::List { .. }
        | What::Show { .. }
        | What::Add { .. }
        | What::Names { .. }
        | What::Assign { .. }
        | What::Control { .. }
        | What::ChangeControl { .. }
        | What::Restore { .. }
        | What::Force { .. }
        | What::Withdraw { .. }
        | What::Agents
        | What::Revoke { .. }
        | What::Watch { .. }
        | What::Log { .. } => return Ok(None),
    }))
}

fn pending(boards: &str, force: bool) -> Result<Option<Wanted>, Failure> {
    Ok(Some(Wanted {
        boards: Boards::Existing(boards.to_owned()),
        send: Send::Pending { force },
    }))
}

/// The requests for one board.
pub(super) fn requests(
    wanted: &Wanted,
    name: &str,
    board: Option<&Board>,
    common: &Common,
) -> Result<Vec<CommandRequest>, Failure> {
    let commands = match &wanted.send {
        Send::Same(command) => vec![(**command).clone()],
        Send::Restore(press) => vec![Command::Restore(grpc::Restore {
            before_event_seq: event_of(press, name, board)?,
        })],
        Send::Pending { force } => pending_of(name, board, *force)?,
    };
    let seen_seq = common.seen.or(board.map(|board| board.seq)).unwrap_or(0);
    commands
        .into_iter()
        .map(|command| {
            Ok(CommandRequest {
                id: id(common)?,
                board: name.to_owned(),
                seen_seq,
                reason: common.reason.clone(),
                command: Some(command),
            })
        })
        .collect()
}

fn id(common: &Common) -> Result<Vec<u8>, Failure> {
    match &common.id {
        None => random::<16>()
            .map(|id| id.to_vec())
            .map_err(Failure::failed),
        Some(id) => id
            .parse::<CommandId>()
            .map(|id| id.0.to_vec())
            .map_err(|error| {
                Failure::Usage(format!(
                    "--id {id:?}: {error}; it has 32 hexadecimal digits"
                ))
            }),
    }
}

fn pending_of(name: &str, board: Option<&Board>, force: bool) -> Result<Vec<Command>, Failure> {
    let pending = board.map_or(&[][..], |board| &board.pending);
    if pending.is_empty() {
        return Err(Failure::Failed(format!(
            "nothing is pending on board {name}"
        )));
    }
    Ok(pending
        .iter()
        .map(|pending| {
            let command_id = pending.id.clone();
            if force {
                Command::Force(grpc::Force { command_id })
            } else {
                Command::Withdraw(grpc::Withdraw { command_id })
            }
        })
        .collect())
}

fn press_of(text: &str) -> Result<Press, Failure> {
    let moved = |number: &str, side| Some(Press::Move(number.parse().ok()?, side));
    let press = match text.to_ascii_lowercase().as_str() {
        text if text.ends_with('w') => moved(&text[..text.len() - 1], grpc::Side::White),
        text if text.ends_with('b') => moved(&text[..text.len() - 1], grpc::Side::Black),
        text => text.parse().ok().map(Press::Event),
    };
    press.ok_or_else(|| {
        Failure::Usage(format!(
            "{text:?} names no press: write 31w or 31b for the press that completed move 31, or its event number"
        ))
    })
}

fn event_of(press: &Press, name: &str, board: Option<&Board>) -> Result<u64, Failure> {
    let (number, side) = match press {
        Press::Event(event) => return Ok(*event),
        Press::Move(number, side) => (*number, *side),
    };
    let presses = board.map_or(&[][..], |board| &board.presses);
    presses
        .iter()
        .rev()
        .find(|press| press.r#move == number && press.side() == side)
        .map(|press| press.event_seq)
        .ok_or_else(|| {
            Failure::Failed(format!(
                "board {name} has no such press among its last {}; `flagfall ctl log {name}` shows them all with their event numbers",
                presses.len()
            ))
        })
}

fn side(side: Side) -> i32 {
    match side {
        Side::White => grpc::Side::White.into(),
        Side::Black => grpc::Side::Black.into(),
    }
}

fn button(button: Button) -> i32 {
    match button {
        Button::Left => grpc::Button::Left.into(),
        Button::Right => grpc::Button::Right.into(),
    }
}

fn starter(starter: Starter) -> String {
    let rule = match starter {
        Starter::Arbiter => timing::StartRule::Arbiter,
        Starter::BlackPress => timing::StartRule::BlackPress,
    };
    rule.as_str().to_owned()
}

fn control_text(text: &str) -> Result<String, Failure> {
    notation(text).map_err(|error| Failure::Usage(format!("time control {text:?}: {error}")))
}

fn duration(text: &str) -> Result<Duration, Failure> {
    text.parse()
        .map_err(|error| Failure::Usage(format!("time {text:?}: {error}")))
}

fn signed(text: &str) -> Result<Duration, Failure> {
    match text.strip_prefix('-') {
        Some(taken) => duration(taken).map(|taken| -taken),
        None => duration(text.strip_prefix('+').unwrap_or(text)),
    }
}
