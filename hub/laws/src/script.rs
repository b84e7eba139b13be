//! Parses and runs scripts of games with moves, claims and rulings. Their format extends the clock scripts of `timing`
//! by the verbs of the Laws.
//!
//! Every step that is not about moves or rulings goes to `timing`'s own parser, so that a clock script means the same
//! here. `tests/scripts/README.md` describes the format.

use timing::{Board, Instant};
use timing::{BoardClock, Button, Effect, Fact, GameCommand, Setup, Side, StartRule, TimeControl};

use crate::proceedings::{ProcedureStep, Proceedings, Refusal, Request, Situation};
use crate::{MoveError, RuleSet, Scoresheet};

mod expect;
mod read;

/// A parsed script.
#[derive(Clone, Debug)]
pub struct LawsScript {
    control: TimeControl,
    rules: &'static RuleSet,
    start: Scoresheet,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    at: Instant<Board>,
    verb: Verb,
}

#[derive(Clone, Debug)]
enum Verb {
    Press(Side),
    Command(GameCommand),
    /// Moves in SAN or UCI, in order.
    Moves(Vec<String>),
    Request(Box<Request>),
    Expect {
        clock: Vec<timing::script::Expectation>,
        laws: Vec<(expect::LawsKey, String)>,
    },
}

/// A syntax error in a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub struct LawsScriptError {
    /// Number of the line, from 1.
    pub line: usize,
    /// The fault in the line.
    pub why: String,
}

/// A value that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {key} expected {expected}, got {got}")]
pub struct LawsFailure {
    /// Number of the line, from 1.
    pub line: usize,
    /// The key of the value: as in the `expect` line, or `move` with the move's text, or `unchanged`.
    pub key: String,
    /// The value that was expected.
    pub expected: String,
    /// The actual value.
    pub got: String,
}

impl std::str::FromStr for LawsScript {
    type Err = LawsScriptError;

    fn from_str(text: &str) -> Result<Self, LawsScriptError> {
        read::read(text)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Play {
    clock: BoardClock,
    score: Scoresheet,
    proceedings: Proceedings,
    refused: Option<Refusal>,
    steps: Vec<ProcedureStep>,
}

impl LawsScript {
    /// Runs the script on a new game. Returns every failure, in the order of the lines.
    pub fn run(&self) -> Vec<LawsFailure> {
        let mut play = Play {
            clock: BoardClock::new(Setup {
                control: self.control.clone(),
                start: StartRule::Arbiter,
                white: Button::Left,
            }),
            score: self.start.clone(),
            proceedings: Proceedings::new(self.rules),
            refused: None,
            steps: Vec::new(),
        };
        let mut failures = Vec::new();
        for line in &self.lines {
            play.run_line(line, &mut failures);
        }
        failures
    }
}

impl Play {
    fn run_line(&mut self, line: &Line, failures: &mut Vec<LawsFailure>) {
        let now = line.at;
        match &line.verb {
            Verb::Press(side) => self.press(now, *side),
            Verb::Command(command) => {
                let _ = self.clock.pass_time(now);
                // A refused command changes nothing; the `expect` lines check the result.
                let _ = self.clock.on_command(now, &(*command).into());
            }
            Verb::Moves(moves) => {
                for text in moves {
                    if let Err(error) = self.play_move(now, text) {
                        let (key, got) = (format!("move {text}"), error.to_string());
                        compare(line, &key, "a legal move", got, failures);
                    }
                }
            }
            Verb::Request(request) => self.request(line, request, failures),
            Verb::Expect { clock, laws } => {
                let _ = self.clock.pass_time(now);
                for wanted in clock {
                    let got = wanted.key.read(&self.clock, now);
                    compare(line, &wanted.key.to_string(), &wanted.value, got, failures);
                }
                for (key, value) in laws {
                    compare(line, &key.to_string(), value, key.read(self, now), failures);
                }
            }
        }
    }

    fn press(&mut self, now: Instant<Board>, side: Side) {
        let button = self.clock.button_of(side);
        let effects = self.clock.on_fact(now, Fact::Pressed(button));
        let completed = effects
            .iter()
            .any(|effect| matches!(effect, Effect::MoveCompleted { .. }));
        if completed {
            self.proceedings.on_press(side);
        }
    }

    /// Writes one move down. A move that breaks the duty of FIDE 9.5.3 is refused; it is not an error in the script.
    fn play_move(&mut self, now: Instant<Board>, text: &str) -> Result<(), MoveError> {
        let _ = self.clock.pass_time(now);
        self.refused = None;
        let side = self.score.turn();
        let next = self.score.read_without_playing(text)?;
        if let Err(refusal) = self.proceedings.on_move(side, &next.san) {
            self.refused = Some(refusal);
            return Ok(());
        }
        self.score.play(text)?;
        let step = self.proceedings.on_board(self.situation(now));
        self.apply(now, step.into_iter().collect());
        Ok(())
    }

    fn situation(&self, now: Instant<Board>) -> Situation<'_> {
        Situation {
            clock: &self.clock,
            now,
            score: Some(&self.score),
        }
    }

    fn request(&mut self, line: &Line, request: &Request, failures: &mut Vec<LawsFailure>) {
        let _ = self.clock.pass_time(line.at);
        let before = self.clone();
        let mut proceedings = self.proceedings.clone();
        let judged = proceedings.on_request(self.situation(line.at), request);
        match judged {
            Ok(steps) => {
                self.refused = None;
                self.proceedings = proceedings;
                self.apply(line.at, steps);
            }
            Err(refusal) => {
                self.refused = Some(refusal);
                let unchanged = proceedings == before.proceedings && self.clock == before.clock;
                compare(line, "unchanged", "true", unchanged.to_string(), failures);
            }
        }
    }

    fn apply(&mut self, now: Instant<Board>, steps: Vec<ProcedureStep>) {
        for command in steps.iter().flat_map(|step| &step.commands) {
            // Cannot fail: a request's commands were tried on a copy of the clock, and the board ends only a game in progress.
            let _ = self.clock.on_command(now, command);
        }
        if !steps.is_empty() {
            self.steps = steps;
        }
    }
}

fn compare(line: &Line, key: &str, expected: &str, got: String, failures: &mut Vec<LawsFailure>) {
    if expected != got {
        failures.push(LawsFailure {
            line: line.number,
            key: key.to_owned(),
            expected: expected.to_owned(),
            got,
        });
    }
}
