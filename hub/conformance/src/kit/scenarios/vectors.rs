//! Scripted games with real frames. A game of several hours takes seconds: before each step, the clock adopts the
//! board's state shortly before that step. The step then happens in real time, and both boards are compared.

use std::path::Path;

use proto::wire::Button as WireButton;
use timing::script::{Action, Script, Step};
use timing::{BoardClock, Button, Duration, Fact, Instant, Side};

use super::play::press;
use super::{adopt_clock, compare, compared_command};
use crate::kit::{Kit, KitError};
use crate::operator::Operator;
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time between the adoption of a board and the step, in microseconds.
const LEAD_US: i64 = 120_000;
/// A command that every game in progress refuses, so that only time passes.
const NOTHING: &str = "start";

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    let files = kit.options.vectors.clone();
    if files.is_empty() {
        kit.report
            .say("--    vectors: not played; name them with --vectors FILE…");
        return Ok(true);
    }
    let person = kit.operator.as_ref().is_some_and(Operator::is_person);
    if !kit.compares || person {
        let why =
            "they need a clock that reports its digest, and a program that presses its buttons";
        kit.report.say(&format!("--    vectors: not played: {why}"));
        return Ok(true);
    }
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| failed(file, &error))?;
        let script = text.parse::<Script>();
        let script = script.map_err(|error| failed(file, &error))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !game(kit, &script, &name).await {
            return Ok(false);
        }
    }
    kit.report
        .say(&format!("      {} vectors were played", files.len()));
    Ok(true)
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> KitError {
    KitError::Vector {
        path: path.to_owned(),
        what: error.to_string(),
    }
}

async fn game(kit: &mut Kit, script: &Script, name: &str) -> bool {
    let mut clock = BoardClock::new(script.setup());
    for step in &script.steps {
        if !segment(kit, &clock, step, name).await {
            return false;
        }
        advance(&mut clock, step);
    }
    true
}

fn advance(clock: &mut BoardClock, step: &Step) {
    match &step.action {
        Action::Press(side) => {
            let _ = clock.on_fact(step.at, Fact::Pressed(button(*side)));
        }
        Action::Command(command) => {
            let _ = clock.pass_time(step.at);
            // A refused command changes nothing. Scripts may contain such commands.
            let _ = clock.on_command(step.at, &(*command).into());
        }
        Action::Expect(_) => {
            let _ = clock.pass_time(step.at);
        }
    }
}

/// Plays one step on the clock under test, starting from the board's state shortly before that step.
async fn segment(kit: &mut Kit, clock: &BoardClock, step: &Step, name: &str) -> bool {
    let started = clock.now() != Instant::MIN;
    let expects = matches!(step.action, Action::Expect(_));
    if expects && (!started || clock.now() == step.at) {
        // No time has passed since the last comparison, if there was one.
        return true;
    }
    let lead = Duration::from_micros(LEAD_US);
    let mut before = clock.clone();
    if started && before.now() < step.at - lead {
        let _ = before.pass_time(step.at - lead);
    }
    if !adopt_clock(kit, &before).await {
        return false;
    }
    let Some(adopted) = kit.ledger.events.last().map(|kept| kept.body.at_us) else {
        return false;
    };
    // The adopted board's time starts at the stamp with which the clock confirmed the order.
    let left = match started {
        true => (step.at - before.now()).or_zero().as_micros(),
        false => 0,
    };
    let at_us = adopted + left;
    let what = format!("after line {} of {name}", step.line);
    match &step.action {
        Action::Press(side) => {
            let button = match button(*side) {
                Button::Left => WireButton::Left,
                Button::Right => WireButton::Right,
            };
            if press(kit, button, Some(at_us)).await.is_none() {
                let expected = format!("a press {what}");
                kit.report.check(Rule::P3, false, expected, "none");
                return false;
            }
            compare(kit, Rule::P3, &what).await
        }
        Action::Command(text) => {
            wait_until(kit, at_us).await;
            let text = timing::Command::from(*text).to_string();
            compared_command(kit, &text, Rule::O4, &what).await
        }
        Action::Expect(_) => {
            wait_until(kit, at_us).await;
            compared_command(kit, NOTHING, Rule::O5, &what).await
        }
    }
}

fn button(side: Side) -> Button {
    match side {
        Side::White => Button::Left,
        Side::Black => Button::Right,
    }
}

async fn wait_until(kit: &mut Kit, at_us: i64) {
    let is_there = |kit: &Kit| {
        let exchange = kit.ledger.exchange;
        exchange.is_some_and(|exchange| exchange.at_least(raw_us()) >= at_us)
    };
    // Without an exchange, the step happens a little late, but on both boards.
    kit.wait_until(2 * LEAD_US / 1_000, is_there).await;
}
