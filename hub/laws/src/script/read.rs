//! The strict reader of scripts: everything outside the format is an error with its line.

use timing::script::{Action, Script};
use timing::{Board, BySide, Duration, GameResult, Instant, Side};

use super::expect::LawsKey;
use super::{LawsScript, LawsScriptError, Line, Verb};
use crate::proceedings::{Decision, FlagOrder, OffenceKind, Request};
use crate::{ClaimKind, FlagCaller, RuleSet, Scoresheet};

/// The words of one line after the verb.
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
                control = Some(
                    rest.parse::<timing::TimeControl>()
                        .map_err(|error| failed(error.to_string()))?,
                );
            }
            "rules" if lines.is_empty() => {
                let found = RuleSet::find(rest);
                rules = Some(found.ok_or_else(|| failed(format!("no rule set {rest}")))?);
            }
            "position" if lines.is_empty() => {
                start = Scoresheet::from_fen(rest).map_err(|error| failed(error.to_string()))?;
            }
            "at" => {
                let control: &timing::TimeControl = control
                    .as_ref()
                    .ok_or_else(|| failed("expected control first".into()))?;
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
    let at = Instant::from_micros(0) + seconds(time)?;
    let mut rest = rest.iter();
    let request = match *verb {
        "move" => {
            let moves: Vec<String> = rest.map(|word| (*word).to_owned()).collect();
            if moves.is_empty() {
                return Err("expected a move such as Nf3".to_owned());
            }
            return Ok((at, Verb::Moves(moves)));
        }
        "expect" => return Ok((at, expectations(rest, time, control)?)),
        "claim" if words.get(3) != Some(&"draw") => claim(&mut rest)?,
        "rule" => Request::Decide(decision(&mut rest)?),
        "withdraw" => Request::Withdraw {
            by: side(&mut rest)?,
        },
        "offer" => Request::OfferDraw {
            by: side(&mut rest)?,
        },
        "accept" => Request::Accept {
            by: side(&mut rest)?,
        },
        "decline" => Request::Decline {
            by: side(&mut rest)?,
        },
        "touch" => Request::Touch {
            by: side(&mut rest)?,
        },
        "extension" => Request::AgreeExtension,
        "illegal" => illegal(&mut rest)?,
        "flag" => flag(&mut rest)?,
        "setting" => setting(&mut rest)?,
        "reversed" => Request::ReversedColours,
        "scorekeeping" => Request::ScorekeepingStopped,
        "absent" => absent(&mut rest)?,
        "adjourn" => Request::Adjourn,
        "unseal" => Request::OpenSealedMove,
        "appeal" => Request::Appeal,
        "rescue" => rescue(&mut rest)?,
        "othello" => othello(&mut rest)?,
        _ => return Ok((at, clock_line(line, control)?)),
    };
    match rest.next() {
        None => Ok((at, Verb::Request(Box::new(request)))),
        Some(more) => Err(format!("expected the end of the line, not {more}")),
    }
}

/// Reads a line of a clock script with `timing`'s reader.
fn clock_line(line: &str, control: &str) -> Result<Verb, String> {
    let script: Script = format!("control {control}\n{line}").parse().map_err(
        |error: timing::script::ScriptError| format!("column {}: {}", error.column, error.expected),
    )?;
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

fn word<'a>(words: &mut Words<'a>, what: &str) -> Result<&'a str, String> {
    words
        .next()
        .copied()
        .ok_or_else(|| format!("expected {what}"))
}

fn side(words: &mut Words<'_>) -> Result<Side, String> {
    let text = word(words, "white or black")?;
    Side::from_word(text).ok_or_else(|| format!("expected white or black, not {text}"))
}

/// Reads bare seconds or a duration with a unit.
fn seconds(text: &str) -> Result<Duration, String> {
    let with_unit = if text.ends_with(|last: char| last.is_ascii_digit()) {
        format!("{text}s")
    } else {
        text.to_owned()
    };
    with_unit
        .parse()
        .map_err(|error| format!("{text}: {error}"))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number, not {text}"))
}

fn claim(words: &mut Words<'_>) -> Result<Request, String> {
    let kind = word(words, "a kind of claim")?;
    let kind = ClaimKind::from_word(kind).ok_or_else(|| {
        let kinds = ClaimKind::ALL.map(ClaimKind::as_str).join(", ");
        format!("expected draw or one of {kinds}, not {kind}")
    })?;
    let by = side(words)?;
    let (mut written, mut delay_clock) = (None, false);
    while let Some(more) = words.next() {
        match *more {
            "writing" => written = Some(word(words, "a move")?.to_owned()),
            "delay-clock" => delay_clock = true,
            other => return Err(format!("expected writing or delay-clock, not {other}")),
        }
    }
    Ok(Request::Claim {
        kind,
        by,
        written,
        delay_clock,
    })
}

fn decision(words: &mut Words<'_>) -> Result<Decision, String> {
    let optional = |words: &mut Words<'_>| words.next().map(|text| seconds(text)).transpose();
    Ok(match word(words, "a decision")? {
        "as-found" => Decision::AsFound,
        "correct" => Decision::Correct,
        "incorrect" => Decision::Incorrect {
            penalty: optional(words)?.unwrap_or(Duration::ZERO),
        },
        "deny" => Decision::Deny,
        "watch" => Decision::Watch,
        "fit" => Decision::Fit(optional(words)?),
        "postpone" => Decision::Postpone {
            award: words.next().is_some_and(|word| *word == "award"),
        },
        "reject" => Decision::Reject,
        "continue" => Decision::Continue,
        "uphold" => Decision::Uphold,
        "result" => {
            let text = word(words, "a result")?;
            let result = GameResult::from_word(text);
            Decision::Result(result.ok_or_else(|| format!("{text} is no result"))?)
        }
        other => return Err(format!("{other} is no decision")),
    })
}

fn illegal(words: &mut Words<'_>) -> Result<Request, String> {
    let by = side(words)?;
    let kind = match words.next() {
        None => OffenceKind::IllegalMove,
        Some(text) => OffenceKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == *text)
            .ok_or_else(|| format!("{text} is no kind of illegal move"))?,
    };
    Ok(Request::IllegalMove { by, kind })
}

fn flag(words: &mut Words<'_>) -> Result<Request, String> {
    let fallen = side(words)?;
    if word(words, "by")? != "by" {
        return Err("expected by and the caller".to_owned());
    }
    let caller = match word(words, "arbiter, opponent or clock")? {
        "arbiter" => FlagCaller::Arbiter,
        "opponent" => FlagCaller::Opponent,
        "clock" => FlagCaller::Clock,
        other => return Err(format!("expected arbiter, opponent or clock, not {other}")),
    };
    let order = match words.next() {
        None => FlagOrder::Known,
        Some(&"order-unknown") => FlagOrder::Unknown,
        Some(other) => return Err(format!("expected order-unknown, not {other}")),
    };
    Ok(Request::CallFlag {
        side: fallen,
        caller,
        order,
    })
}

fn setting(words: &mut Words<'_>) -> Result<Request, String> {
    let times = BySide {
        white: seconds(word(words, "White's time")?)?,
        black: seconds(word(words, "Black's time")?)?,
    };
    let (mut moves, mut schedule_suffers) = (None, false);
    while let Some(more) = words.next() {
        match *more {
            "moves" => {
                moves = Some(BySide {
                    white: number(word(words, "White's moves")?)?,
                    black: number(word(words, "Black's moves")?)?,
                });
            }
            "schedule" => schedule_suffers = true,
            other => return Err(format!("expected moves or schedule, not {other}")),
        }
    }
    Ok(Request::WrongSetting {
        times,
        moves,
        schedule_suffers,
    })
}

fn absent(words: &mut Words<'_>) -> Result<Request, String> {
    let sides = match word(words, "white, black or both")? {
        "white" => (true, false),
        "black" => (false, true),
        "both" => (true, true),
        other => return Err(format!("expected white, black or both, not {other}")),
    };
    Ok(Request::Absent {
        sides: BySide {
            white: sides.0,
            black: sides.1,
        },
        elapsed: seconds(word(words, "the time since the start")?)?,
        default_time: seconds(word(words, "the default time")?)?,
    })
}

fn rescue(words: &mut Words<'_>) -> Result<Request, String> {
    let side = side(words)?;
    let (mut amount, mut substituted, mut after_end_date) = (None, false, false);
    for more in words.by_ref() {
        match *more {
            "substituted" => substituted = true,
            "after-end-date" => after_end_date = true,
            text => amount = Some(seconds(text)?),
        }
    }
    Ok(Request::CaptainsRescue {
        side,
        amount,
        substituted,
        after_end_date,
    })
}

fn othello(words: &mut Words<'_>) -> Result<Request, String> {
    let discs = BySide {
        white: number(word(words, "White's discs")?)?,
        black: number(word(words, "Black's discs")?)?,
    };
    let graced = match words.next() {
        None => None,
        Some(&"grace") => Some(side(words)?),
        Some(other) => return Err(format!("expected grace, not {other}")),
    };
    Ok(Request::Othello { graced, discs })
}
