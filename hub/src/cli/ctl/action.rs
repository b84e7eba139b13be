//! Converts the command line to requests to the hub.

use std::path::PathBuf;

use proto::event;
use proto::grpc::{self, Board, CommandRequest, ReadLogRequest, command_request::Command};
use proto::ids::CommandId;
use timing::Duration;

use super::args::{
    AfterFlag, Button, ClocksAtBoards, Common, Game, Inspect, Odds, OddsTo, SetUp, Side, Starter,
    What,
};
use super::devices::is_one;
use super::floor::{self, Plan};
use super::offence;
use crate::cli::control::notation;
use crate::cli::output::Failure;
use crate::identity::random;
use hall::to_proto;

pub(super) enum Boards {
    New(String),
    Existing(String),
    One(String),
    None,
}

/// The requests to send to each board.
pub(super) struct BoardRequests {
    pub(super) boards: Boards,
    send: Send,
    offence: Option<event::Offence>,
}

enum Send {
    Same(Box<Command>),
    /// Restore the board to just before this press.
    Restore(Press),
    /// Carry out or withdraw the board's pending command.
    Pending {
        force: bool,
    },
}

enum Press {
    Event(u64),
    Move(u32, proto::Side),
}

pub(super) enum Task {
    List(Option<String>),
    Show(String),
    Agents,
    Devices,
    Floor(Plan),
    RevokeDevice(String),
    ZeroTest {
        boards: String,
        html: Option<PathBuf>,
    },
    Watch(Option<String>),
    Log(ReadLogRequest),
    Replace {
        board: String,
        clock: String,
        side: Option<Side>,
    },
    Evidence(String),
    Acknowledge {
        boards: Option<String>,
        clock: Option<String>,
    },
    Send(BoardRequests),
}

pub(super) fn task(what: What) -> Result<Task, Failure> {
    Ok(match what {
        What::Inspect(look) => match look {
            Inspect::List { boards } => Task::List(boards),
            Inspect::Show { board } => Task::Show(board),
            Inspect::Agents => Task::Agents,
            Inspect::Devices => Task::Devices,
            Inspect::Floor { set: None } => Task::Floor(Plan::Show),
            Inspect::Floor { set: Some(file) } => Task::Floor(floor::read(&file)?),
            Inspect::ZeroTest { boards, html } => Task::ZeroTest {
                boards: match boards.as_slice() {
                    [] => "all".to_owned(),
                    boards => boards.join(","),
                },
                html,
            },
            Inspect::Watch { boards } => Task::Watch(boards),
            Inspect::Log { board, from, games } => {
                let (game, round) = games.wanted();
                Task::Log(ReadLogRequest {
                    board: board.unwrap_or_default(),
                    from_index: from,
                    round,
                    game,
                })
            }
        },
        What::SetUp(SetUp::Revoke { agent }) if is_one(&agent) => Task::RevokeDevice(agent),
        What::SetUp(act) => Task::Send(set_up(act)?),
        What::Agents(ClocksAtBoards::Replace { board, clock, side }) => {
            Task::Replace { board, clock, side }
        }
        What::Agents(ClocksAtBoards::Acknowledge { boards, clock }) => {
            Task::Acknowledge { boards, clock }
        }
        What::Agents(ClocksAtBoards::Evidence { board }) => {
            Task::Evidence(board.unwrap_or_default())
        }
        What::Game(act) => Task::Send(game(act)?),
    })
}

pub(super) fn assign(board: String, agent: String, side: Option<Side>) -> BoardRequests {
    let side = side.map_or(0, wire_side);
    same(
        Boards::One(board),
        Command::Assign(grpc::Assign { agent, side }),
    )
}

fn same(boards: Boards, command: Command) -> BoardRequests {
    BoardRequests {
        boards,
        send: Send::Same(Box::new(command)),
        offence: None,
    }
}

fn set_up(act: SetUp) -> Result<BoardRequests, Failure> {
    let (boards, command) = match act {
        SetUp::Add {
            boards,
            control,
            start,
            white,
            after_flag,
        } => return add(boards, control.as_deref(), start, white, after_flag),
        SetUp::Names {
            board,
            white,
            black,
            round,
        } => {
            let names = Command::Names(names(white, black, round));
            return Ok(same(Boards::One(board), names));
        }
        SetUp::Assign { board, agent, side } => {
            let agent = Some(agent).filter(|agent| agent != "none");
            return Ok(assign(board, agent.unwrap_or_default(), side));
        }
        SetUp::Revoke { agent } => {
            let revoke = grpc::RevokeAgent { agent };
            return Ok(same(Boards::None, Command::RevokeAgent(revoke)));
        }
        SetUp::Control {
            boards,
            control,
            start,
            white,
            after_flag: wanted,
        } => (boards, prepare(&control, start, white, wanted)?),
        SetUp::ChangeControl {
            boards,
            control,
            after_flag: wanted,
        } => {
            let control = control_text(&control)?;
            let after_flag = after_flag(wanted);
            let change = grpc::ChangeControl {
                control,
                after_flag,
            };
            (boards, Command::ChangeControl(change))
        }
        SetUp::Odds {
            boards,
            odds: Odds::Draw,
            side,
        } => {
            let side = odds_to(side);
            (boards, Command::DrawOdds(grpc::DrawOdds { side }))
        }
        SetUp::Button { boards, white } => {
            let white = button(white);
            (boards, Command::WhiteButton(grpc::WhiteButton { white }))
        }
        SetUp::Remove { boards } => (boards, Command::RemoveBoard(grpc::RemoveBoard {})),
        SetUp::Swap { boards } => (boards, Command::SwapButtons(grpc::SwapButtons {})),
        SetUp::Identify { boards } => (boards, Command::Identify(grpc::Identify {})),
        SetUp::Message { boards, text } => (boards, Command::Show(grpc::Show { text })),
    };
    Ok(same(Boards::Existing(boards), command))
}

fn names(white: String, black: String, round: String) -> grpc::Names {
    grpc::Names {
        white,
        black,
        round,
    }
}

fn add(
    boards: String,
    control: Option<&str>,
    start: Option<Starter>,
    white: Option<Button>,
    wanted: AfterFlag,
) -> Result<BoardRequests, Failure> {
    let add = grpc::AddBoard {
        control: control.map(control_text).transpose()?.unwrap_or_default(),
        start: start.map(starter).unwrap_or_default(),
        white: white.map_or(0, button),
        draw_odds: control.map_or(0, odds_of_preset),
        after_flag: after_flag(wanted),
    };
    Ok(same(Boards::New(boards), Command::AddBoard(add)))
}

fn prepare(
    control: &str,
    start: Starter,
    white: Option<Button>,
    wanted: AfterFlag,
) -> Result<Command, Failure> {
    Ok(Command::Prepare(grpc::Prepare {
        control: control_text(control)?,
        start: starter(start),
        white: white.map_or(0, button),
        draw_odds: odds_of_preset(control),
        after_flag: after_flag(wanted),
    }))
}

fn odds_to(side: OddsTo) -> i32 {
    match side {
        OddsTo::White => proto::Side::White,
        OddsTo::Black => proto::Side::Black,
        OddsTo::None => proto::Side::Unspecified,
    }
    .into()
}

fn game(act: Game) -> Result<BoardRequests, Failure> {
    let (boards, command) = match act {
        Game::Restore { board, press } => {
            return Ok(BoardRequests {
                boards: Boards::One(board),
                send: Send::Restore(press_of(&press)?),
                offence: None,
            });
        }
        Game::Force { boards } => return Ok(pending(boards, true)),
        Game::Withdraw { boards } => return Ok(pending(boards, false)),
        Game::Start { boards, side } => {
            let side = side.map_or(0, wire_side);
            (boards, Command::Start(grpc::Start { side }))
        }
        Game::Pause { boards } => (boards, Command::Pause(grpc::Pause {})),
        Game::Resume { boards, side } => {
            let side = side.map_or(0, wire_side);
            (boards, Command::Resume(grpc::Resume { side }))
        }
        Game::Set { boards, side, time } => {
            let (side, to_us) = (wire_side(side), duration(&time)?.as_micros());
            (boards, Command::SetTime(grpc::SetTime { side, to_us }))
        }
        Game::AddTime {
            boards,
            side,
            time,
            offence: named,
        } => return add_time(boards, side, &time, named),
        Game::Moves {
            boards,
            side,
            moves,
        } => {
            let side = wire_side(side);
            (boards, Command::SetMoves(grpc::SetMoves { side, moves }))
        }
        Game::Flag { boards, side } => {
            let side = wire_side(side);
            (boards, Command::CallFlag(grpc::CallFlag { side }))
        }
        Game::Claim { boards, side } => {
            let side = wire_side(side);
            (boards, Command::ClaimDraw(grpc::ClaimDraw { side }))
        }
        Game::Result {
            boards,
            result,
            offence: named,
        } => return enter_result(boards, result, named),
        Game::End { boards, ending } => {
            let ending = ending.join(" ");
            (boards, Command::EndGame(grpc::EndGame { ending }))
        }
        Game::Refill {
            boards,
            side,
            amount,
        } => {
            let amount = amount.as_deref().map(duration).transpose()?;
            let refill = grpc::Refill {
                side: wire_side(side),
                amount_us: amount.map(Duration::as_micros),
            };
            (boards, Command::Refill(refill))
        }
    };
    Ok(same(Boards::Existing(boards), command))
}

fn add_time(
    boards: String,
    side: Side,
    time: &str,
    named: Option<offence::Named>,
) -> Result<BoardRequests, Failure> {
    let by_us = signed(time)?.as_micros();
    let add = grpc::AddTime {
        side: wire_side(side),
        by_us,
    };
    Ok(BoardRequests {
        offence: named.map(|named| offence::with_time(named, side, by_us)),
        ..same(Boards::Existing(boards), Command::AddTime(add))
    })
}

fn enter_result(
    boards: String,
    result: String,
    named: Option<offence::Named>,
) -> Result<BoardRequests, Failure> {
    let result = known_result(result)?;
    let offence = named.map(|named| offence::with_result(named, &result));
    let ending = format!("result {result}");
    let end = Command::EndGame(grpc::EndGame { ending });
    Ok(BoardRequests {
        offence: offence.transpose()?,
        ..same(Boards::Existing(boards), end)
    })
}

fn pending(boards: String, force: bool) -> BoardRequests {
    BoardRequests {
        boards: Boards::Existing(boards),
        send: Send::Pending { force },
        offence: None,
    }
}

pub(super) fn requests(
    wanted: &BoardRequests,
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
                offence: wanted.offence,
                command: Some(command),
            })
        })
        .collect()
}

pub(super) fn id(common: &Common) -> Result<Vec<u8>, Failure> {
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
        text if text.ends_with('w') => moved(&text[..text.len() - 1], proto::Side::White),
        text if text.ends_with('b') => moved(&text[..text.len() - 1], proto::Side::Black),
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

fn wire_side(side: Side) -> i32 {
    match side {
        Side::White => proto::Side::White.into(),
        Side::Black => proto::Side::Black.into(),
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

/// Returns the side with draw odds under a control that is named as a preset.
fn odds_of_preset(control: &str) -> i32 {
    let preset = timing::presets::Preset::named(control);
    to_proto::side(preset.and_then(|preset| preset.draw_odds)).into()
}

fn after_flag(wanted: AfterFlag) -> i32 {
    match (wanted.freeze, wanted.runs_on) {
        (true, _) => grpc::AfterFlag::Freezes,
        (false, true) => grpc::AfterFlag::RunsOn,
        (false, false) => grpc::AfterFlag::Unspecified,
    }
    .into()
}

fn control_text(text: &str) -> Result<String, Failure> {
    notation(text).map_err(|error| Failure::Usage(format!("time control {text:?}: {error}")))
}

/// Checks that the text is a result or `*`.
fn known_result(text: String) -> Result<String, Failure> {
    if text == "*" || timing::GameResult::from_word(&text).is_some() {
        return Ok(text);
    }
    Err(Failure::Usage(format!(
        "result {text:?}: expected 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0f, 0-1f, 0-0f, or * to take it back"
    )))
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
