//! Applies the lines of standard input to a clock, as if they were lines of a script.

use std::io::{self, BufRead, IsTerminal};

use timing::script::{Action, Script, Step};
use timing::{
    Board, BoardClock, BoardState, Button, Fact, Instant, Setup, Side, StartRule, TimeControl,
};

use super::outline::time_description;
use crate::api::messages::text;
use crate::cli::output::{Failure, Result, failed, print, tell};

const HOW: &str = "\nType lines such as `at 0 start`, `at 5m press white`, `at 6m pause`, `at 6m add black 2m`, `at 7m expect white=5100`;
an empty line or Ctrl-D ends.";

/// Reads lines until the end of input, or until an empty line on a terminal. Reports and ignores an invalid line. If the input is a file or a
/// pipe, an invalid line or a failed expectation also sets the exit code.
pub(super) fn play(control: TimeControl) -> Result<()> {
    let person = io::stdin().is_terminal();
    if person {
        tell!("{HOW}");
    }
    let mut rehearsal = Rehearsal::new(&control);
    let mut worst = 0;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| failed!("cannot read lines: {error}"))?;
        if person && line.trim().is_empty() {
            break;
        }
        match rehearsal.line(&line) {
            Ok(shown) => {
                for text in shown.lines {
                    print(text)?;
                }
                worst = worst.max(u8::from(shown.expectation_failed));
            }
            Err(what) => {
                tell!("{what}");
                worst = 2;
            }
        }
    }
    // A person at the keyboard has already seen the error and continued, so the program succeeds.
    match worst {
        0 => Ok(()),
        _ if person => Ok(()),
        code => Err(Failure::Reported(code)),
    }
}

struct Rehearsal {
    /// All valid lines so far, as a script.
    text: String,
    lines: usize,
    steps: usize,
    clock: BoardClock,
}

#[derive(Debug, Default)]
struct Shown {
    lines: Vec<String>,
    expectation_failed: bool,
}

impl Rehearsal {
    fn new(control: &TimeControl) -> Self {
        Self {
            text: format!("control {control}\n"),
            lines: 0,
            steps: 0,
            clock: BoardClock::new(Setup {
                control: control.clone(),
                start: StartRule::Arbiter,
                white: Button::Left,
            }),
        }
    }

    fn line(&mut self, line: &str) -> Result<Shown, String> {
        self.lines += 1;
        let text = format!("{}{line}\n", self.text);
        let script: Script = text.parse().map_err(|error: timing::script::ScriptError| {
            format!(
                "line {}, column {}: {}",
                self.lines, error.column, error.expected
            )
        })?;
        self.text = text;
        let mut shown = Shown::default();
        for step in &script.steps[self.steps..] {
            self.step(step, &mut shown);
        }
        self.steps = script.steps.len();
        Ok(shown)
    }

    fn step(&mut self, step: &Step, shown: &mut Shown) {
        match &step.action {
            Action::Press(side) => {
                let button = match side {
                    Side::White => Button::Left,
                    Side::Black => Button::Right,
                };
                let _ = self.clock.on_fact(step.at, Fact::Pressed(button));
            }
            Action::Command(command) => {
                let _ = self.clock.pass_time(step.at);
                if let Err(rejection) = self.clock.on_command(step.at, &(*command).into()) {
                    shown.lines.push(format!("refused: {rejection}"));
                }
            }
            Action::Expect(expectations) => {
                let _ = self.clock.pass_time(step.at);
                for expectation in expectations {
                    let got = expectation.key.read(&self.clock, step.at);
                    if got != expectation.value {
                        shown.expectation_failed = true;
                        shown.lines.push(format!(
                            "{} expected {}, got {got}",
                            expectation.key, expectation.value
                        ));
                    }
                }
            }
        }
        shown.lines.push(standing(&self.clock, step.at));
    }
}

fn standing(clock: &BoardClock, now: Instant<Board>) -> String {
    let side = |side: Side, title: &str| {
        let view = clock.side(side, now);
        format!(
            "{title} {} ({}, {} {})",
            clock_text(view.time),
            time_description(&view),
            view.moves,
            if view.moves == 1 { "move" } else { "moves" }
        )
    };
    let state = match clock.state() {
        BoardState::Ready => "ready",
        BoardState::Running { mover: Side::White } => "White's clock runs",
        BoardState::Running { mover: Side::Black } => "Black's clock runs",
        BoardState::Paused { .. } => "paused",
        BoardState::Stopped { .. } => "stopped",
        BoardState::Flagged { .. } => "flag down",
        BoardState::Over => "over",
    };
    let result = text(clock.result().map(|result| format!("  {result}")));
    format!(
        "at {:<12} {}  {}  {state}{result}",
        (now - Instant::from_micros(0)).to_string(),
        side(Side::White, "White"),
        side(Side::Black, "Black"),
    )
}

/// Formats a time in hand exactly: `1:30:00`, `4:05.25`, `-0:30`.
pub(super) fn clock_text(time: timing::Duration) -> String {
    let us = time.as_micros();
    let sign = if us < 0 { "-" } else { "" };
    let us = us.unsigned_abs();
    let (seconds, rest) = (us / 1_000_000, us % 1_000_000);
    let fraction = match rest {
        0 => String::new(),
        rest => format!(".{}", format!("{rest:06}").trim_end_matches('0')),
    };
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours >= 100 {
        format!(
            "{sign}{} d {}:{minutes:02}:{seconds:02}{fraction}",
            hours / 24,
            hours % 24
        )
    } else if hours > 0 {
        format!("{sign}{hours}:{minutes:02}:{seconds:02}{fraction}")
    } else {
        format!("{sign}{minutes}:{seconds:02}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_lines_are_carried_out_and_invalid_lines_are_ignored() {
        let mut rehearsal = Rehearsal::new(&"5m".parse().unwrap());
        let shown = rehearsal.line("at 0 start").unwrap();
        assert!(shown.lines[0].contains("White's clock runs"), "{shown:?}");
        assert_eq!(
            rehearsal.line("at 5 pres white").unwrap_err(),
            "line 2, column 6: expected start, press, pause, resume, set, add, moves, refill, end, claim or expect"
        );
        let shown = rehearsal.line("at 5 press white").unwrap();
        assert!(
            shown.lines[0].contains("White 4:55 (main, 1 move)"),
            "{shown:?}"
        );
        let shown = rehearsal.line("at 6 expect white=1 black=299").unwrap();
        assert!(shown.expectation_failed);
        assert_eq!(shown.lines[0], "white expected 1, got 295");
        let shown = rehearsal.line("at 6 set white -1s").unwrap();
        assert!(shown.lines[0].starts_with("refused: "), "{shown:?}");
        assert!(rehearsal.line("").unwrap().lines.is_empty());
    }

    #[test]
    fn everything_on_the_display_is_described() {
        let mut rehearsal = Rehearsal::new(&"triple 450 vs 1m byo 3x30s".parse().unwrap());
        let shown = rehearsal.line("at 1d start").unwrap();
        assert!(
            shown.lines[0].contains("White 50 d 0:00:00 (main, bank: 75 d 0:00:00, 0 moves)"),
            "{shown:?}"
        );
        let black = "Black 1:00 (main, byo-yomi periods left: 3, 0 moves)";
        assert!(shown.lines[0].contains(black), "{shown:?}");
    }

    #[test]
    fn times_are_exact() {
        for (us, text) in [
            (5_430_000_000, "1:30:30"),
            (245_250_000, "4:05.25"),
            (1, "0:00.000001"),
            (-30_000_000, "-0:30"),
            (50 * 86_400_000_000, "50 d 0:00:00"),
        ] {
            assert_eq!(clock_text(timing::Duration::from_micros(us)), text);
        }
    }
}
