//! Runs a script on a board's clock.

use alloc::vec::Vec;

use super::{Action, Failure, Script};
use crate::{BoardClock, Button, Fact, Side};

pub(super) fn run(script: &Script) -> Vec<Failure> {
    let mut clock = BoardClock::new(script.setup());
    let mut failures = Vec::new();
    for step in &script.steps {
        match &step.action {
            Action::Press(side) => {
                let _ = clock.on_fact(step.at, Fact::Pressed(button_of(*side)));
            }
            Action::Command(command) => {
                let _ = clock.pass_time(step.at);
                // A refused command changes nothing; `expect` lines check the outcome.
                let _ = clock.on_command(step.at, &(*command).into());
            }
            Action::Expect(expectations) => {
                let _ = clock.pass_time(step.at);
                for expectation in expectations {
                    let got = expectation.key.read(&clock, step.at);
                    if got != expectation.value {
                        let expected = expectation.value.clone();
                        failures.push(Failure {
                            line: step.line,
                            key: expectation.key,
                            expected,
                            got,
                        });
                    }
                }
            }
        }
    }
    failures
}

/// Returns the button of a side: scripts name players, and White's button is the left one (see [`Script::setup`]).
fn button_of(side: Side) -> Button {
    match side {
        Side::White => Button::Left,
        Side::Black => Button::Right,
    }
}
