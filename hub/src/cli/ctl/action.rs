//! Converts the command line to requests to the hub.

use proto::event;
use proto::grpc::{self, Board, CommandRequest, command_request::Command};
use proto::ids::CommandId;
use timing::Duration;

use super::args::{AfterFlag, Button, Common, Game, Odds, OddsTo, SetUp, Side, Starter};
use super::offence;
use crate::cli::control::notation;
use crate::cli::output::{Failure, Result, failed, usage};
use crate::identity::random;
use hall::to_proto;

use Boards::{Existing, New, One};

pub(super) enum Boards {
    New(String),
    Existing(String),
    One(String),
    None,
}

pub(super) struct BoardRequests {
    pub(super) boards: Boards,
    send: Send,
    offence: Option<event::Offence>,
}

enum Send {
    Same(Box<Command>),
    Restore(Press),
    /// Forces or withdraws the board's pending commands.
    Pending {
        force: bool,
    },
}

enum Press {
    Event(u64),
    Move(u32, proto::Side),
}

pub(super) fn assign(board: String, agent: String, side: Option<Side>) -> BoardRequests {
    let side = optional_side(side);
    let assign = grpc::Assign { agent, side };
    same(One(board), Command::Assign(assign))
}

pub(super) fn zero_test(boards: &str) -> BoardRequests {
    let test = Command::ZeroTest(grpc::ZeroTest {});
    same(Existing(boards.to_owned()), test)
}

pub(super) fn same(boards: Boards, command: Command) -> BoardRequests {
    requests_for(boards, Send::Same(Box::new(command)))
}

fn requests_for(boards: Boards, send: Send) -> BoardRequests {
    BoardRequests {
        boards,
        send,
        offence: None,
    }
}

/// Defines a function that converts subcommands according to a table. A row names a subcommand with its arguments, the boards, and the hub's command
/// with its fields. In a row without a command, the expression is the [`BoardRequests`] itself.
macro_rules! requests {
    ($name:ident($source:ident) {
        $($variant:ident { $($argument:tt)* } => $to:expr $(, $command:ident { $($field:ident: $value:expr),* })?;)+
    }) => {
        pub(super) fn $name(subcommand: $source) -> Result<BoardRequests> {
            Ok(match subcommand {
                $($source::$variant { $($argument)* } => row!($to $(, $command { $($field: $value),* })?),)+
            })
        }
    };
}

macro_rules! row {
    ($requests:expr) => {
        $requests
    };
    ($boards:expr, $command:ident { $($field:ident: $value:expr),* }) => {
        same($boards, Command::$command(grpc::$command { $($field: $value),* }))
    };
}

requests! {
    set_up(SetUp) {
        Add { boards, control, start, white, after_flag } => New(boards), AddBoard {
            control: control.as_deref().map(control_text).transpose()?.unwrap_or_default(),
            start: start.map(starter).unwrap_or_default(),
            white: white.map_or(0, button),
            draw_odds: control.as_deref().map_or(0, odds_of_preset),
            after_flag: flag_rule(after_flag)
        };
        Remove { boards } => Existing(boards), RemoveBoard {};
        Names { board, white: w, black: b, round: r } => One(board), Names { white: w, black: b, round: r };
        Assign { board, agent, side } => assign(board, if agent == "none" { String::new() } else { agent }, side);
        Control { boards, control, start, white, after_flag } => Existing(boards), Prepare {
            control: control_text(&control)?,
            start: starter(start),
            white: white.map_or(0, button),
            draw_odds: odds_of_preset(&control),
            after_flag: flag_rule(after_flag)
        };
        ChangeControl { boards, control, after_flag } =>
            Existing(boards), ChangeControl { control: control_text(&control)?, after_flag: flag_rule(after_flag) };
        Odds { boards, odds: Odds::Draw, side } => Existing(boards), DrawOdds { side: odds_to(side) };
        Button { boards, white } => Existing(boards), WhiteButton { white: button(white) };
        Swap { boards } => Existing(boards), SwapButtons {};
        Identify { boards } => Existing(boards), Identify {};
        Message { boards, text: shown } => Existing(boards), Show { text: shown };
        Revoke { agent: key } => Boards::None, RevokeAgent { agent: key };
    }
}

requests! {
    game(Game) {
        Start { boards, side } => Existing(boards), Start { side: optional_side(side) };
        Pause { boards } => Existing(boards), Pause {};
        Resume { boards, side } => Existing(boards), Resume { side: optional_side(side) };
        Set { boards, side, time } =>
            Existing(boards), SetTime { side: wire_side(side), to_us: duration(&time)?.as_micros() };
        AddTime { boards, side, time, offence } => add_time(boards, side, &time, offence)?;
        Moves { boards, side, moves: to } => Existing(boards), SetMoves { side: wire_side(side), moves: to };
        Restore { board, press } => requests_for(One(board), Send::Restore(press_of(&press)?));
        Flag { boards, side } => Existing(boards), CallFlag { side: wire_side(side) };
        Result { boards, result, offence } => enter_result(boards, result, offence)?;
        End { boards, ending } => Existing(boards), EndGame { ending: ending.join(" ") };
        Claim { boards, side } => Existing(boards), ClaimDraw { side: wire_side(side) };
        Refill { boards, side, amount } => Existing(boards), Refill {
            side: wire_side(side), amount_us: amount.as_deref().map(duration).transpose()?.map(Duration::as_micros)
        };
        Force { boards } => requests_for(Existing(boards), Send::Pending { force: true });
        Withdraw { boards } => requests_for(Existing(boards), Send::Pending { force: false });
    }
}

fn odds_to(side: OddsTo) -> i32 {
    match side {
        OddsTo::White => proto::Side::White,
        OddsTo::Black => proto::Side::Black,
        OddsTo::None => proto::Side::Unspecified,
    }
    .into()
}

fn add_time(
    boards: String,
    side: Side,
    time: &str,
    named: Option<offence::Named>,
) -> Result<BoardRequests> {
    let by_us = signed(time)?.as_micros();
    let add = grpc::AddTime {
        side: wire_side(side),
        by_us,
    };
    Ok(BoardRequests {
        offence: named.map(|named| offence::with_time(named, side, by_us)),
        ..same(Existing(boards), Command::AddTime(add))
    })
}

fn enter_result(
    boards: String,
    result: String,
    named: Option<offence::Named>,
) -> Result<BoardRequests> {
    let result = known_result(result)?;
    let offence = named.map(|named| offence::with_result(named, &result));
    let ending = format!("result {result}");
    let end = Command::EndGame(grpc::EndGame { ending });
    Ok(BoardRequests {
        offence: offence.transpose()?,
        ..same(Existing(boards), end)
    })
}

pub(super) fn requests(
    wanted: &BoardRequests,
    name: &str,
    board: Option<&Board>,
    common: &Common,
) -> Result<Vec<CommandRequest>> {
    let commands = match &wanted.send {
        Send::Same(command) => vec![(**command).clone()],
        Send::Restore(press) => vec![Command::Restore(grpc::Restore {
            before_event_seq: event_of(press, name, board)?,
        })],
        Send::Pending { force } => pending_of(name, board, *force)?,
    };
    let seen_seq = common.seen.or(board.map(|board| board.seq)).unwrap_or(0);
    let requests = commands.into_iter().map(|command| {
        Ok(CommandRequest {
            id: id(common)?,
            board: name.to_owned(),
            seen_seq,
            reason: common.reason.clone(),
            offence: wanted.offence,
            command: Some(command),
        })
    });
    requests.collect()
}

fn id(common: &Common) -> Result<Vec<u8>> {
    let id = match &common.id {
        None => random().map_err(Failure::failed)?,
        Some(id) => {
            let parsed = id.parse::<CommandId>();
            let wrong = |error| usage!("--id {id:?}: {error}; give 32 hexadecimal digits");
            parsed.map_err(wrong)?.0
        }
    };
    Ok(id.to_vec())
}

fn pending_of(name: &str, board: Option<&Board>, force: bool) -> Result<Vec<Command>> {
    let pending = board.map_or(&[][..], |board| &board.pending);
    if pending.is_empty() {
        return Err(failed!("nothing is pending on board {name}"));
    }
    let commands = pending.iter().map(|pending| {
        let command_id = pending.id.clone();
        match force {
            true => Command::Force(grpc::Force { command_id }),
            false => Command::Withdraw(grpc::Withdraw { command_id }),
        }
    });
    Ok(commands.collect())
}

fn press_of(text: &str) -> Result<Press> {
    let moved = |number: &str, side| Some(Press::Move(number.parse().ok()?, side));
    let press = match text.to_ascii_lowercase().as_str() {
        text if text.ends_with('w') => moved(&text[..text.len() - 1], proto::Side::White),
        text if text.ends_with('b') => moved(&text[..text.len() - 1], proto::Side::Black),
        text => text.parse().ok().map(Press::Event),
    };
    press.ok_or_else(|| {
        usage!("{text:?} is not a press: write 31w or 31b for the press that completed move 31, or its event number")
    })
}

fn event_of(press: &Press, name: &str, board: Option<&Board>) -> Result<u64> {
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
            failed!("board {name} has no such press among its last {}; `flagfall ctl log {name}` shows all presses with their event numbers",
                presses.len())
        })
}

fn optional_side(side: Option<Side>) -> i32 {
    side.map_or(0, wire_side)
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

fn odds_of_preset(control: &str) -> i32 {
    let preset = timing::presets::Preset::named(control);
    to_proto::side(preset.and_then(|preset| preset.draw_odds)).into()
}

fn flag_rule(wanted: AfterFlag) -> i32 {
    match (wanted.freeze, wanted.runs_on) {
        (true, _) => grpc::AfterFlag::Freezes,
        (false, true) => grpc::AfterFlag::RunsOn,
        (false, false) => grpc::AfterFlag::Unspecified,
    }
    .into()
}

fn control_text(text: &str) -> Result<String> {
    notation(text).map_err(|error| usage!("time control {text:?}: {error}"))
}

fn known_result(text: String) -> Result<String> {
    if text == "*" || timing::GameResult::from_word(&text).is_some() {
        return Ok(text);
    }
    Err(usage!(
        "result {text:?}: expected 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0f, 0-1f, 0-0f, or * to remove it"
    ))
}

fn duration(text: &str) -> Result<Duration> {
    text.parse()
        .map_err(|error| usage!("time {text:?}: {error}"))
}

fn signed(text: &str) -> Result<Duration> {
    match text.strip_prefix('-') {
        Some(taken) => duration(taken).map(|taken| -taken),
        None => duration(text.strip_prefix('+').unwrap_or(text)),
    }
}
