//! The strict script parser. Anything that does not fit the format is an error that names the line and column.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::key::{KEYS, Key};
use super::{Action, Expectation, Script, ScriptError, Step};
use crate::command::text;
use crate::time_control::cursor::{Cursor, Fault};
use crate::{GameCommand, TimeControl};

type Instant = crate::Instant<crate::Board>;

const VERBS: &str = "start, press, pause, resume, set, add, moves, refill, end, claim or expect";

pub(super) fn read(text: &str) -> Result<Script, ScriptError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, without_comment(line)));
    let mut lines = lines.by_ref().filter(|(_, line)| !line.trim().is_empty());
    let Some((number, line)) = lines.next() else {
        let line = text.lines().count().max(1);
        return Err(ScriptError {
            line,
            column: 1,
            expected: "expected a line such as control 5m+3s".into(),
        });
    };
    let located = |number: usize, line: &str, fault: Fault| ScriptError {
        line: number,
        column: fault.column(line),
        expected: fault.expected,
    };
    let control = read_control(line).map_err(|fault| located(number, line, fault))?;
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in lines {
        let earliest = steps.last().map_or(Instant::from_micros(0), |step| step.at);
        let (at, action) =
            read_step(line, &control, earliest).map_err(|fault| located(number, line, fault))?;
        steps.push(Step {
            line: number,
            at,
            action,
        });
    }
    Ok(Script { control, steps })
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}

fn keyword(cursor: &mut Cursor<'_>, keyword: &str, what: &str) -> Result<(), Fault> {
    cursor.skip_spaces();
    let start = *cursor;
    if cursor.word() == keyword {
        Ok(())
    } else {
        Err(start.fault(what))
    }
}

fn read_control(line: &str) -> Result<TimeControl, Fault> {
    let mut cursor = Cursor::new(line);
    keyword(&mut cursor, "control", "a line such as control 5m+3s")?;
    text::control(&mut cursor)
}

fn read_step(
    line: &str,
    control: &TimeControl,
    earliest: Instant,
) -> Result<(Instant, Action), Fault> {
    let mut cursor = Cursor::new(line);
    keyword(&mut cursor, "at", "a line such as at 5 press white")?;
    text::argument(&mut cursor, "a time such as 5.25 or 1h30m")?;
    let start = cursor;
    let at = Instant::from_micros(0) + cursor.seconds(false)?;
    if at < earliest {
        let earliest = earliest - Instant::from_micros(0);
        return Err(start.fault(alloc::format!(
            "a time of at least {earliest}: time does not run back"
        )));
    }
    text::argument(&mut cursor, VERBS)?;
    let verb = cursor;
    let action = match cursor.word() {
        "press" => Action::Press(text::side(&mut cursor)?),
        "expect" => Action::Expect(read_expectations(&mut cursor, control)?),
        _ => {
            cursor = verb;
            let command = text::read_game_command(&mut cursor, VERBS, false)?;
            if let Some(missing) = missing_in(command, control) {
                return Err(verb.fault(missing));
            }
            Action::Command(command)
        }
    };
    text::end(&mut cursor)?;
    Ok((at, action))
}

/// If the command has no use under `control`, returns the error's description of the expected input; otherwise `None`.
fn missing_in(command: GameCommand, control: &TimeControl) -> Option<&'static str> {
    match command {
        GameCommand::Refill { .. } if !control.has_triple_block() => {
            Some("a verb this control has; only Triple Block has refill")
        }
        GameCommand::ClaimDraw(_) if !control.has_double_flag() => {
            Some("a verb this control has; only the double flag has claim draw")
        }
        GameCommand::Start(_)
        | GameCommand::Pause
        | GameCommand::Resume(_)
        | GameCommand::Set { .. }
        | GameCommand::Add { .. }
        | GameCommand::Moves { .. }
        | GameCommand::Refill { .. }
        | GameCommand::End(_)
        | GameCommand::ClaimDraw(_) => None,
    }
}

fn read_expectations(
    cursor: &mut Cursor<'_>,
    control: &TimeControl,
) -> Result<Vec<Expectation>, Fault> {
    text::argument(cursor, "KEY=VALUE")?;
    let mut expectations = Vec::new();
    while !cursor.is_at_end() {
        let start = *cursor;
        let word = cursor.word();
        let Some((name, value)) = word.split_once('=') else {
            return Err(start.fault("KEY=VALUE"));
        };
        let key = Key::from_word(name).ok_or_else(|| start.fault(KEYS))?;
        if let Some(missing) = key.missing_in(control) {
            return Err(start.fault(missing));
        }
        if let Some(wanted) = key.wants(value) {
            return Err(Fault::new(start.at() + name.len() + 1, wanted));
        }
        expectations.push(Expectation {
            key,
            value: value.to_string(),
        });
        cursor.skip_spaces();
    }
    Ok(expectations)
}
