//! The strict script parser. Anything that does not fit the format is an error that names the line.

use timing::script::{Action, Script, ScriptError};
use timing::{Board, GameResult, Instant, TimeControl};

use super::expect::LawsKey;
use super::{LawsScript, LawsScriptError, Line, Verb};
use crate::proceedings::{ParseRequestError, Request, read_span};
use crate::{RuleSet, Scoresheet};

type Words<'a> = std::slice::Iter<'a, &'a str>;

pub(super) fn read(text: &str) -> Result<LawsScript, LawsScriptError> {
    let (mut control, mut rules, mut start) = (None, None, Scoresheet::new());
    let mut lines: Vec<Line> = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let number = index + 1;
        let line = raw.split(" #").next().unwrap_or("").trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let failed = |why: String| LawsScriptError { line: number, why };
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        match head {
            "control" if lines.is_empty() => {
                let read = rest.parse::<TimeControl>();
                control = Some(read.map_err(|error| failed(error.to_string()))?);
            }
            "rules" if lines.is_empty() => {
                let found = RuleSet::find(rest);
                rules = Some(found.ok_or_else(|| failed(format!("no rule set {rest}")))?);
            }
            "position" if lines.is_empty() => {
                start = Scoresheet::from_fen(rest).map_err(|error| failed(error.to_string()))?;
            }
            "at" => {
                let control = control.as_ref();
                let control = control.ok_or_else(|| failed("expected control first".into()))?;
                let (at, verb) = step(line, &control.to_string()).map_err(failed)?;
                let earliest = lines.last().map_or(Instant::from_micros(0), |line| line.at);
                if at < earliest {
                    return Err(failed("time does not run back".to_owned()));
                }
                lines.push(Line { number, at, verb });
            }
            _ => {
                return Err(failed(
                    "expected control, rules, position, then lines such as at 5 press white".into(),
                ));
            }
        }
    }
    let missing = |why: &str| LawsScriptError {
        line: 1,
        why: why.to_owned(),
    };
    Ok(LawsScript {
        control: control.ok_or_else(|| missing("expected a line such as control 5m+3s"))?,
        rules: rules.ok_or_else(|| missing("expected a line such as rules fide-standard"))?,
        start,
        lines,
    })
}

fn step(line: &str, control: &str) -> Result<(Instant<Board>, Verb), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, time, verb, rest @ ..] = &words[..] else {
        return Err("expected a line such as at 5 press white".to_owned());
    };
    let span = read_span(time);
    let at = Instant::from_micros(0) + span.map_err(|error| format!("{time}: {error}"))?;
    match *verb {
        "move" if rest.is_empty() => Err("expected a move such as Nf3".to_owned()),
        "move" => {
            let moves = rest.iter().map(|word| (*word).to_owned());
            Ok((at, Verb::Moves(moves.collect())))
        }
        "expect" => Ok((at, expectations(rest.iter(), time, control)?)),
        // `claim draw`, the claim of a draw under the double flag, is also valid in plain clock scripts.
        "claim" if rest.first() == Some(&"draw") => Ok((at, clock_line(line, control)?)),
        verb if Request::VERBS.split(", ").any(|known| known == verb) => {
            let request = line
                .split_once(time)
                .map_or("", |(_, request)| request.trim_start());
            let before = line[..line.len() - request.len()].chars().count();
            let request = request.parse().map_err(|error: ParseRequestError| {
                let ParseRequestError { column, expected } = error;
                format!("column {}: expected {expected}", before + column)
            })?;
            Ok((at, Verb::Request(Box::new(request))))
        }
        _ => Ok((at, clock_line(line, control)?)),
    }
}

fn clock_line(line: &str, control: &str) -> Result<Verb, String> {
    let failed = |error: ScriptError| format!("column {}: {}", error.column, error.expected);
    let text = format!("control {control}\n{line}");
    let script: Script = text.parse().map_err(failed)?;
    match script.steps.into_iter().next().map(|step| step.action) {
        Some(Action::Press(side)) => Ok(Verb::Press(side)),
        Some(Action::Command(command)) => Ok(Verb::Command(command)),
        Some(Action::Expect(clock)) => Ok(Verb::Expect {
            clock,
            laws: Vec::new(),
        }),
        None => Err("expected a step".to_owned()),
    }
}

fn expectations(words: Words<'_>, time: &str, control: &str) -> Result<Verb, String> {
    let (mut laws, mut of_clock) = (Vec::new(), Vec::new());
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("expected KEY=VALUE, not {word}"))?;
        match LawsKey::from_word(key) {
            Some(LawsKey::Result) if value != "*" && GameResult::from_word(value).is_none() => {
                return Err(format!(
                    "expected * or a result such as 1-0 or 0-1f, not {value}"
                ));
            }
            Some(key) => laws.push((key, value.to_owned())),
            None => of_clock.push(*word),
        }
    }
    let clock = if of_clock.is_empty() {
        Vec::new()
    } else {
        let line = format!("at {time} expect {}", of_clock.join(" "));
        let Verb::Expect { clock, .. } = clock_line(&line, control)? else {
            return Err("expected keys of the clock".to_owned());
        };
        clock
    };
    if clock.is_empty() && laws.is_empty() {
        return Err("expected KEY=VALUE".to_owned());
    }
    Ok(Verb::Expect { clock, laws })
}
