//! Text that people write: time controls, commands, scripts, settings. Also the bytes of a clock's snapshot.

use std::cell::RefCell;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use hall::BoardId;
use hub::config::Config;
use tempfile::NamedTempFile;
use timing::script::Script;
use timing::{
    Board, BoardClock, Button, Command, Duration, Fact, Instant, Setup, Side, Snapshot, StartRule,
    TimeControl,
};
use tournament::formats::{pgn, trf};

use super::super::Fingerprint;

/// Parses `text`. A parsed value must print as a string that parses to the same value.
fn parsed<T>(seen: Fingerprint, text: &str) -> Fingerprint
where
    T: FromStr + Display + PartialEq + Debug,
    T::Err: Display + Debug,
{
    let value = text.parse::<T>();
    if let Ok(value) = &value {
        let printed = value.to_string();
        assert_eq!(printed.parse::<T>().as_ref().ok(), Some(value), "{printed}");
    }
    seen.result(&value, |value| [value.to_string().len()])
}

pub(super) fn controls(input: &[u8]) -> Fingerprint {
    let text = String::from_utf8_lossy(input);
    let seen = parsed::<TimeControl>(Fingerprint::new(), &text);
    let seen = parsed::<Duration>(seen, &text);
    let seen = parsed::<Command>(seen, &text);
    let seen = parsed::<BoardId>(seen, &text);
    let preset = timing::presets::control_of(&text);
    let seen = seen.result(&preset, |control| [control.to_string().len()]);
    // Flagfall's own notation must be able to express every control that the parsers of foreign notations read.
    [pgn::read, pgn::read_as_lichess, trf::control::read]
        .into_iter()
        .fold(seen, |seen, read| {
            let read = read(&text);
            if let Ok(control) = &read {
                let printed = control.to_string();
                assert_eq!(printed.parse().as_ref(), Ok(control), "{printed}");
            }
            seen.result(&read, |control| [control.to_string().len()])
        })
}

pub(super) fn control_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "5m",
        "90m+30s",
        "40/1h30m+30s : 30m+30s",
        "3s extra 60s min 10s hybrid",
        "25m delay 5s",
        "1h bronstein 3s",
        "40/5400+30:1800+30",
        "300+3",
        "*60",
        "?",
        "5400+30",
        "fide-armageddon",
        "1h2m3.000004s",
        "add white 2m",
        "set black 61",
        "end 1-0 checkmate",
        "A-12",
    ];
    let mut seeds: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).into();
    let presets = timing::presets::PRESETS.iter();
    seeds.extend(presets.map(|preset| preset.name.as_bytes().to_vec()));
    // The vectors contain every timing method, so their controls become seeds.
    seeds.extend(script_seeds().into_iter().filter_map(|script| {
        let script = String::from_utf8(script).ok()?;
        let control = script
            .lines()
            .find_map(|line| line.strip_prefix("control "))?;
        Some(control.as_bytes().to_vec())
    }));
    seeds
}

/// Parses the input as a game script, which it runs, and as a button script for a clock.
pub(super) fn scripts(input: &[u8]) -> Fingerprint {
    let text = String::from_utf8_lossy(input);
    let script = text.parse::<Script>();
    let buttons = text.parse::<clock_agent::buttons::Script>();
    let seen = Fingerprint::new()
        .result(&script, |script| [script.run().len()])
        .result(&buttons, |script| [script.facts.len()]);
    if let Ok(script) = buttons {
        let sorted = script.facts.is_sorted_by_key(|(at, _)| *at);
        assert!(sorted, "the times of a script decrease");
        let first = script.facts.first();
        let from_0 = first.is_none_or(|(at, _)| *at >= Duration::ZERO);
        assert!(from_0, "a time before 0");
    }
    seen
}

pub(super) fn script_seeds() -> Vec<Vec<u8>> {
    let folder = crate::tidy::root().join("tests/vectors");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    paths.sort();
    let games = paths.iter().filter_map(|path| std::fs::read(path).ok());
    let mut seeds: Vec<Vec<u8>> = games.filter(|game| game.len() < 1_500).collect();
    seeds.push(
        b"# warm-up\nfrom program\nat 5.25 press left\nat 9 press right\nat 1m stop\n".to_vec(),
    );
    seeds
}

thread_local! {
    static SETTINGS: RefCell<Option<NamedTempFile>> = RefCell::default();
}

pub(super) fn config(input: &[u8]) -> Fingerprint {
    let text = String::from_utf8_lossy(input);
    let variables: Vec<(String, String)> = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| {
            let key = format!("FLAGFALL_{}", key.trim().to_uppercase());
            (key, value.trim().to_owned())
        })
        .collect();
    let seen = Config::load(None, variables.into_iter(), &[]);
    let seen = Fingerprint::new().result(&seen, |_| [1]);
    SETTINGS.with_borrow_mut(|settings| {
        let file = match settings {
            Some(file) => file,
            None => settings.insert(NamedTempFile::new().expect("a temporary file")),
        };
        std::fs::write(file.path(), input).expect("a temporary file");
        let loaded = Config::load(Some(file.path()), std::iter::empty(), &[]);
        seen.result(&loaded, |_| [1])
    })
}

pub(super) fn config_seeds() -> Vec<Vec<u8>> {
    let all = Config::documented();
    let without_marks: String = all
        .lines()
        .filter(|line| line.contains(" = "))
        .map(|line| line.trim_start_matches('#').trim_start().to_owned() + "\n")
        .collect();
    let mut seeds: Vec<Vec<u8>> = without_marks
        .as_bytes()
        .chunks(1_200)
        .map(<[u8]>::to_vec)
        .collect();
    seeds.extend(without_marks.lines().map(|line| line.as_bytes().to_vec()));
    seeds
}

/// Reads a snapshot, which must encode to the same bytes. A clock restored from it must run without a panic.
pub(super) fn snapshots(input: &[u8]) -> Fingerprint {
    let snapshot = Snapshot::from_bytes(input);
    let seen = Fingerprint::new().result(&snapshot, |_| [1]);
    let Ok(snapshot) = snapshot else { return seen };
    assert_eq!(snapshot.to_bytes(), input, "a clock has one form");
    let restored = BoardClock::from_snapshot(&snapshot);
    let seen = seen.result(&restored, |_| [1]);
    let Ok(mut clock) = restored else { return seen };
    let mut now = clock.now();
    let mut effects = 0;
    for button in [Button::Left, Button::Right, Button::Left] {
        now = now + Duration::from_millis(700);
        effects += clock.on_fact(now, Fact::Pressed(button)).iter().count();
    }
    let [left, right] = Side::BOTH.map(|side| clock.side(side, now));
    let state = format!("{:?} {left:?} {right:?}", clock.state());
    seen.size(effects).error(&state)
}

pub(super) fn snapshot_seeds() -> Vec<Vec<u8>> {
    let controls = [
        "40/1h30m+30s : 30m+30s",
        "3s extra 60s min 10s hybrid",
        "10s byo 3x10s",
        "3m+2s",
    ];
    let mut seeds = Vec::new();
    for control in controls.iter().filter_map(|text| text.parse().ok()) {
        let mut clock = BoardClock::new(Setup {
            control,
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        seeds.push(clock.snapshot().to_bytes());
        let start: Instant<Board> = Instant::from_micros(1_000_000);
        let started = clock.on_command(start, &Command::Start(Some(Side::White)));
        if started.is_ok() {
            seeds.push(clock.snapshot().to_bytes());
            let pressed =
                clock.on_fact(start + Duration::from_secs(2), Fact::Pressed(Button::Left));
            if !pressed.is_empty() {
                seeds.push(clock.snapshot().to_bytes());
            }
        }
    }
    seeds
}
