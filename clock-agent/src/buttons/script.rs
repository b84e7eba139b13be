//! Scripted presses at given times, for rehearsals, demonstrations and tests.
//!
//! ```text
//! # Comments start with a hash.
//! from game            # times count from the start of the first game (default); or: from program
//! at 5.25 press left   # seconds, or a duration with units: 1m5.25s
//! at 9 press right
//! at 1m stop
//! ```
//!
//! Owns this format. A scripted press is stamped at exactly its scripted time, however late the program wakes up, so that a replayed game is
//! identical to the microsecond. Must never know the rules.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use timing::script::ScriptError;
use timing::{Board, Button, Duration, Fact, Instant};

use super::{BoardTime, ButtonEvent, ButtonInputs, Input};

/// The instant from which a script's times count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Game,
    Program,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub origin: Origin,
    /// Presses and stops, each with its time since the origin, in order of time.
    pub facts: Vec<(Duration, Fact)>,
}

impl FromStr for Script {
    type Err = ScriptError;
    fn from_str(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        let mut begun = false;
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default();
            let mut words = Words::new(content);
            let fault = |(column, expected): Fault| ScriptError {
                line,
                column,
                expected,
            };
            match words.next() {
                None => continue,
                Some((_, "at")) => {
                    let (time, fact) = stamped(&mut words).map_err(fault)?;
                    let last = script.facts.last().map(|&(last, _)| last);
                    if last.is_some_and(|last| time < last) {
                        return Err(fault((
                            content.find("at").unwrap_or_default() + 4,
                            "times must not decrease".into(),
                        )));
                    }
                    script.facts.push((time, fact));
                }
                Some((column, "from")) if begun => {
                    return Err(fault((column, "from must come first".into())));
                }
                Some((_, "from")) => {
                    script.origin = match words.expect("game or program").map_err(fault)? {
                        (_, "game") => Origin::Game,
                        (_, "program") => Origin::Program,
                        (column, other) => {
                            return Err(fault((
                                column,
                                format!("{other:?}; expected game or program"),
                            )));
                        }
                    };
                }
                Some((column, other)) => {
                    return Err(fault((column, format!("{other:?}; expected at or from"))));
                }
            }
            words.end().map_err(fault)?;
            begun = true;
        }
        Ok(script)
    }
}

/// A syntax error in a line: its column and its description.
type Fault = (usize, String);

fn stamped(words: &mut Words<'_>) -> Result<(Duration, Fact), Fault> {
    let (column, word) = words.expect("a time")?;
    let time = time(word).map_err(|expected| (column, expected))?;
    let (column, verb) = words.expect("press or stop")?;
    let fact = match verb {
        "stop" => Fact::Stopped,
        "press" => {
            let (column, button) = words.expect("left or right")?;
            let button = Button::from_word(button)
                .ok_or_else(|| (column, format!("{button:?}; expected left or right")))?;
            Fact::Pressed(button)
        }
        other => return Err((column, format!("{other:?}; expected press or stop"))),
    };
    Ok((time, fact))
}

/// Parses seconds without a unit, or a duration with units.
fn time(word: &str) -> Result<Duration, String> {
    let bare = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let with_unit = if bare {
        format!("{word}s")
    } else {
        word.to_owned()
    };
    with_unit
        .parse()
        .map_err(|_| format!("{word:?} is not a time; expected seconds such as 5.25, or 1m5.25s"))
}

struct Words<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.line[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let word = self.line[start..].split_whitespace().next()?;
        self.at = start + word.len();
        Some((self.column(start), word))
    }

    fn expect(&mut self, what: &str) -> Result<(usize, &'a str), Fault> {
        let end = self.column(self.line.trim_end().len());
        self.next().ok_or_else(|| (end, format!("expected {what}")))
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.next() {
            None => Ok(()),
            Some((column, word)) => {
                Err((column, format!("{word:?}; expected the end of the line")))
            }
        }
    }

    fn column(&self, byte: usize) -> usize {
        self.line[..byte].chars().count() + 1
    }
}

pub(crate) struct ScriptSource {
    script: Script,
    time: Arc<dyn BoardTime>,
    begun: Option<Instant<Board>>,
    done: usize,
}

impl fmt::Debug for ScriptSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.script.facts.len() - self.done;
        write!(f, "ScriptSource({left} acts left, begun {:?})", self.begun)
    }
}

impl ScriptSource {
    pub(crate) fn new(script: Script, time: Arc<dyn BoardTime>) -> Self {
        let begun = match script.origin {
            Origin::Game => None,
            Origin::Program => Some(time.now()),
        };
        Self {
            script,
            time,
            begun,
            done: 0,
        }
    }

    pub(crate) fn game_started(&mut self, at: Instant<Board>) {
        self.begun.get_or_insert(at);
    }

    fn next(&self) -> Option<ButtonEvent> {
        let &(after, fact) = self.script.facts.get(self.done)?;
        let at = self.begun? + after;
        Some(ButtonEvent { fact, at })
    }

    pub(crate) async fn wait(&self) {
        let Some(next) = self.next() else {
            return std::future::pending().await;
        };
        let left = (next.at - self.time.now()).or_zero().as_micros();
        tokio::time::sleep(std::time::Duration::from_micros(left.unsigned_abs())).await;
    }

    pub(crate) fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        let mut inputs = Vec::new();
        while let Some(event) = self.next().filter(|event| event.at <= now) {
            inputs.push(Input::Button(event));
            self.done += 1;
        }
        ButtonInputs {
            inputs,
            complete_to: now,
        }
    }
}
