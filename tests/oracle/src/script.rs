//! Plays one generated game on the naive clock, records the actions and the clock's displays as a script, and runs the script on the engine.
//!
//! Owns the script's text. Must not adjust the text to fit the engine's results.

use std::fmt::Write as _;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::clock::{Act, Naive, Outcome};
use super::control::{Control, Length, Seconds, SideControl, Tail};
use super::draw::{self, Drawn};
use super::hand::{Hand, Phase};

pub struct Played {
    pub seed: u64,
    pub game: u64,
    /// The script, with the naive clock's display after every action.
    pub script: String,
    pub ticks: i64,
}

#[derive(Debug)]
pub struct Disagreement {
    pub seed: u64,
    pub game: u64,
    pub differences: Vec<String>,
    pub script: String,
}

const SIDES: [&str; 2] = ["white", "black"];

/// Plays game number `game` of the run with `seed`; the same two numbers always give the same game.
pub fn play(seed: u64, game: u64) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(game);
    let drawn = draw::drawn(&mut rng);
    let mut clock = Naive::new(&drawn.control);
    let mut script = format!("control {}\n", drawn.control);
    let mut now = 0;
    expect(&mut script, &drawn, &clock, now);
    for _ in 0..drawn.acts {
        let wait = draw::next_wait(&mut rng, &drawn, &clock);
        if now + wait > drawn.ticks {
            break;
        }
        for _ in 0..wait {
            clock.tick(drawn.unit);
        }
        now += wait;
        if wait > 0 && rng.random_range(0..2) == 0 {
            expect(&mut script, &drawn, &clock, now);
        }
        let act = draw::next_act(&mut rng, &drawn, &clock);
        clock.act(act);
        write_act(&mut script, now * drawn.unit, act);
        expect(&mut script, &drawn, &clock, now);
        if clock.outcome.is_some() && rng.random_range(0..3) == 0 {
            break;
        }
    }
    Played {
        seed,
        game,
        script,
        ticks: now,
    }
}

/// Plays one game and runs its script on the engine. Returns the number of ticks played.
///
/// # Errors
/// Returns the engine's differences, with the script.
pub fn check(seed: u64, game: u64) -> Result<i64, Disagreement> {
    let Played { script, ticks, .. } = play(seed, game);
    let differences = run_engine(&script);
    if differences.is_empty() {
        return Ok(ticks);
    }
    Err(Disagreement {
        seed,
        game,
        differences,
        script,
    })
}

fn write_act(script: &mut String, micros: i64, act: Act) {
    let words = match act {
        Act::Start(side) => format!("start {}", SIDES[side]),
        Act::Press(side) => format!("press {}", SIDES[side]),
        Act::Pause => "pause".to_owned(),
        Act::Resume(None) => "resume".to_owned(),
        Act::Resume(Some(side)) => format!("resume {}", SIDES[side]),
        Act::Set(side, to) => format!("set {} {}s", SIDES[side], Seconds(to)),
        Act::Add(side, by) => format!("add {} {}s", SIDES[side], Seconds(by)),
        Act::Moves(side, to) => format!("moves {} {to}", SIDES[side]),
        Act::Refill(side, None) => format!("refill {}", SIDES[side]),
        Act::Refill(side, Some(amount)) => format!("refill {} {}", SIDES[side], Length(amount)),
        Act::Mate(side) => format!("end mate {}", SIDES[side]),
        Act::Resign(side) => format!("end resign {}", SIDES[side]),
        Act::Draw => "end draw".to_owned(),
        Act::Claim(side) => format!("claim draw {}", SIDES[side]),
    };
    writeln!(script, "at {} {words}", Seconds(micros)).expect("a String takes everything");
}

fn expect(script: &mut String, drawn: &Drawn, clock: &Naive, now: i64) {
    write!(script, "at {} expect", Seconds(now * drawn.unit)).expect("a String takes everything");
    for (key, value) in shown(clock, &drawn.control) {
        write!(script, " {key}={value}").expect("a String takes everything");
    }
    script.push('\n');
}

/// Returns everything that the naive clock shows, each value with its `expect` key.
pub(super) fn shown(clock: &Naive, control: &Control) -> Vec<(&'static str, String)> {
    let named = |side: Option<usize>| side.map_or("none", |side| SIDES[side]).to_owned();
    let outcome = match clock.outcome {
        None => "*",
        Some(Outcome::White) => "1-0",
        Some(Outcome::Black) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
    };
    let mut shown = vec![
        ("running", named(clock.running())),
        ("first_flag", named(clock.first_flag)),
        ("result", outcome.to_owned()),
    ];
    for (side, keys) in KEYS.iter().enumerate() {
        hand(&mut shown, keys, &clock.hands[side], &control.sides[side]);
    }
    shown
}

const KEYS: [[&str; 8]; 2] = [
    [
        "white",
        "white.phase",
        "white.moves",
        "white.period",
        "white.byo",
        "white.stones",
        "white.bank",
        "white.points",
    ],
    [
        "black",
        "black.phase",
        "black.moves",
        "black.period",
        "black.byo",
        "black.stones",
        "black.bank",
        "black.points",
    ],
];

fn hand(
    shown: &mut Vec<(&'static str, String)>,
    keys: &[&'static str; 8],
    hand: &Hand,
    control: &SideControl,
) {
    let phase = match hand.phase {
        Phase::Main => "main",
        Phase::Byo => "byo",
        Phase::Canadian => "canadian",
        Phase::Extra => "extra",
        Phase::Grace => "grace",
        Phase::Overtime => "overtime",
        Phase::Flagged => "flagged",
    };
    shown.push((keys[0], Seconds(hand.time).to_string()));
    shown.push((keys[1], phase.to_owned()));
    shown.push((keys[2], hand.moves.to_string()));
    shown.push((keys[3], (hand.period + 1).to_string()));
    match control {
        SideControl::Triple(..) => shown.push((keys[6], Seconds(hand.bank).to_string())),
        SideControl::Move(_) | SideControl::Up | SideControl::Hourglass(_) => {}
        SideControl::Periods(periods) => match periods[periods.len() - 1].tail {
            Tail::Byo(..) => shown.push((keys[4], hand.byo.to_string())),
            Tail::Canadian(..) => shown.push((keys[5], hand.stones.to_string())),
            Tail::Overtime(..) => shown.push((keys[7], hand.points().to_string())),
            Tail::None
            | Tail::Cap(_)
            | Tail::Delay(_)
            | Tail::Bronstein(_)
            | Tail::Extra(..)
            | Tail::Grace(_) => {}
        },
    }
}

fn run_engine(script: &str) -> Vec<String> {
    match script.parse::<timing::script::Script>() {
        Err(error) => vec![format!("the engine cannot read it: {error}")],
        Ok(parsed) => parsed.run().iter().map(ToString::to_string).collect(),
    }
}
