//! The text form of commands.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{Command, Ending, GameCommand, ParseCommandError};
use crate::time_control::cursor::{Cursor, Fault};
use crate::{Button, GameResult, Setup, Side, Snapshot, StartRule, TimeControl};

const SEPARATOR: char = ';';

const VERBS: &str = "prepare, start, pause, resume, set, add, moves, refill, end, claim, flag, button, swap, control or restore";

impl FromStr for Command {
    type Err = ParseCommandError;

    fn from_str(text: &str) -> Result<Self, ParseCommandError> {
        if !text.contains(SEPARATOR) {
            return read_one(text, text, 0);
        }
        let (mut parts, mut at) = (Vec::new(), 0);
        for part in text.split(SEPARATOR) {
            parts.push(read_one(text, part, at)?);
            at += part.len() + SEPARATOR.len_utf8();
        }
        Ok(Self::Sequence(parts))
    }
}

fn read_one(text: &str, part: &str, at: usize) -> Result<Command, ParseCommandError> {
    let is_part = part.len() < text.len();
    let read = match read(&mut Cursor::new(part)) {
        Ok(Command::Prepare(_) | Command::Restore(_)) if is_part => Err(Fault::new(
            0,
            "a command that neither sets nor restores a game",
        )),
        read => read,
    };
    read.map_err(|fault| {
        let fault = Fault {
            at: at + fault.at,
            ..fault
        };
        ParseCommandError {
            column: fault.column(text),
            expected: fault.expected,
        }
    })
}

fn read(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    cursor.skip_spaces();
    let start = *cursor;
    let command = match cursor.word() {
        "prepare" => Command::Prepare(read_setup(cursor)?),
        "flag" => Command::CallFlag(side(cursor)?),
        "button" => Command::WhiteIs(button(cursor)?),
        "swap" => Command::Swap,
        "control" => Command::ChangeControl(control(cursor)?),
        "restore" => Command::Restore(Box::new(snapshot(cursor)?)),
        _ => {
            *cursor = start;
            read_game_command(cursor, VERBS, true)?.into()
        }
    };
    end(cursor)?;
    Ok(command)
}

pub(crate) fn end(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    cursor.skip_spaces();
    if cursor.is_at_end() {
        Ok(())
    } else {
        Err(cursor.fault("the end of the line"))
    }
}

/// Parses a command to the game. `verbs` lists the possible verbs for the error message. If `by_arbiter` is true, allows `end result`.
pub(crate) fn read_game_command(
    cursor: &mut Cursor<'_>,
    verbs: &str,
    by_arbiter: bool,
) -> Result<GameCommand, Fault> {
    let start = *cursor;
    Ok(match cursor.word() {
        "start" => GameCommand::Start(optional_side(cursor)?),
        "pause" => GameCommand::Pause,
        "resume" => GameCommand::Resume(optional_side(cursor)?),
        "set" => {
            let side = side(cursor)?;
            argument(cursor, "a time such as 3s or 90")?;
            GameCommand::Set {
                side,
                to: cursor.seconds(true)?,
            }
        }
        "add" => {
            let side = side(cursor)?;
            argument(cursor, "a time such as 120s or -120")?;
            GameCommand::Add {
                side,
                by: cursor.seconds(true)?,
            }
        }
        "moves" => {
            let side = side(cursor)?;
            argument(cursor, "a number of moves")?;
            GameCommand::Moves {
                side,
                to: cursor.number()?,
            }
        }
        "refill" => {
            let side = side(cursor)?;
            cursor.skip_spaces();
            let amount = if cursor.is_at_end() {
                None
            } else {
                Some(cursor.seconds(false)?)
            };
            GameCommand::Refill { side, amount }
        }
        "end" => GameCommand::End(read_ending(cursor, by_arbiter)?),
        "claim" => {
            argument(cursor, "draw")?;
            let word = *cursor;
            if cursor.word() != "draw" {
                return Err(word.fault("draw"));
            }
            GameCommand::ClaimDraw(side(cursor)?)
        }
        _ => return Err(start.fault(verbs)),
    })
}

fn read_ending(cursor: &mut Cursor<'_>, by_arbiter: bool) -> Result<Ending, Fault> {
    let what = if by_arbiter {
        "mate, resign, draw or result"
    } else {
        "mate, resign or draw"
    };
    argument(cursor, what)?;
    let start = *cursor;
    match cursor.word() {
        "mate" => Ok(Ending::Mate(side(cursor)?)),
        "resign" => Ok(Ending::Resign(side(cursor)?)),
        "draw" => Ok(Ending::Draw),
        "result" if by_arbiter => {
            const RESULTS: &str = "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0f, 0-1f, 0-0f or *";
            argument(cursor, RESULTS)?;
            let start = *cursor;
            match cursor.word() {
                "*" => Ok(Ending::Result(None)),
                word => GameResult::from_word(word)
                    .map(|result| Ending::Result(Some(result)))
                    .ok_or_else(|| start.fault(RESULTS)),
            }
        }
        _ => Err(start.fault(what)),
    }
}

/// Skips spaces before a required argument, which `what` describes for the error message.
pub(crate) fn argument(cursor: &mut Cursor<'_>, what: &str) -> Result<(), Fault> {
    cursor.skip_spaces();
    if cursor.is_at_end() {
        Err(cursor.fault(what))
    } else {
        Ok(())
    }
}

pub(crate) fn side(cursor: &mut Cursor<'_>) -> Result<Side, Fault> {
    argument(cursor, "white or black")?;
    let start = *cursor;
    Side::from_word(cursor.word()).ok_or_else(|| start.fault("white or black"))
}

fn optional_side(cursor: &mut Cursor<'_>) -> Result<Option<Side>, Fault> {
    cursor.skip_spaces();
    if cursor.is_at_end() {
        Ok(None)
    } else {
        side(cursor).map(Some)
    }
}

fn button(cursor: &mut Cursor<'_>) -> Result<Button, Fault> {
    argument(cursor, "left or right")?;
    let start = *cursor;
    Button::from_word(cursor.word()).ok_or_else(|| start.fault("left or right"))
}

/// Parses a time control that takes up the rest of the line.
pub(crate) fn control(cursor: &mut Cursor<'_>) -> Result<TimeControl, Fault> {
    argument(cursor, "a time control such as 5m+3s")?;
    let start = cursor.at();
    crate::time_control::read(cursor.line()).map_err(|fault| Fault {
        at: start + fault.at,
        expected: fault.expected,
    })
}

fn read_setup(cursor: &mut Cursor<'_>) -> Result<Setup, Fault> {
    let white = button(cursor)?;
    argument(cursor, "arbiter or black-press")?;
    let start = *cursor;
    let rule =
        StartRule::from_word(cursor.word()).ok_or_else(|| start.fault("arbiter or black-press"))?;
    Ok(Setup {
        control: control(cursor)?,
        start: rule,
        white,
    })
}

fn snapshot(cursor: &mut Cursor<'_>) -> Result<Snapshot, Fault> {
    argument(cursor, "a snapshot in hexadecimal digits")?;
    let start = *cursor;
    let bytes =
        unhex(cursor.word()).ok_or_else(|| start.fault("an even number of hexadecimal digits"))?;
    Snapshot::from_bytes(&bytes).map_err(|error| start.fault(alloc::format!("a snapshot: {error}")))
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    text.as_bytes()
        .chunks_exact(2)
        .map(|pair| Some((digit(pair[0])? << 4) | digit(pair[1])?))
        .collect()
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prepare(Setup {
                control,
                start,
                white,
            }) => write!(f, "prepare {white} {} {control}", start.as_str()),
            Self::Start(side) => write_with_side(f, "start", *side),
            Self::Pause => f.write_str("pause"),
            Self::Resume(side) => write_with_side(f, "resume", *side),
            Self::Set { side, to } => write!(f, "set {side} {to}"),
            Self::Add { side, by } => write!(f, "add {side} {by}"),
            Self::Moves { side, to } => write!(f, "moves {side} {to}"),
            Self::Refill { side, amount: None } => write!(f, "refill {side}"),
            Self::Refill {
                side,
                amount: Some(amount),
            } => write!(f, "refill {side} {amount}"),
            Self::End(ending) => write!(f, "end {ending}"),
            Self::ClaimDraw(side) => write!(f, "claim draw {side}"),
            Self::CallFlag(side) => write!(f, "flag {side}"),
            Self::WhiteIs(button) => write!(f, "button {button}"),
            Self::Swap => f.write_str("swap"),
            Self::ChangeControl(control) => write!(f, "control {control}"),
            Self::Restore(snapshot) => {
                let hex: String = snapshot
                    .to_bytes()
                    .iter()
                    .map(|byte| alloc::format!("{byte:02x}"))
                    .collect();
                write!(f, "restore {hex}")
            }
            Self::Sequence(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        write!(f, "{SEPARATOR} ")?;
                    }
                    write!(f, "{part}")?;
                }
                Ok(())
            }
        }
    }
}

fn write_with_side(f: &mut fmt::Formatter<'_>, verb: &str, side: Option<Side>) -> fmt::Result {
    match side {
        Some(side) => write!(f, "{verb} {side}"),
        None => f.write_str(verb),
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(side) => write!(f, "mate {side}"),
            Self::Resign(side) => write!(f, "resign {side}"),
            Self::Draw => f.write_str("draw"),
            Self::Result(Some(result)) => write!(f, "result {result}"),
            Self::Result(None) => f.write_str("result *"),
        }
    }
}
