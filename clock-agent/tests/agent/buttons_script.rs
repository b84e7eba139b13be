//! Button scripts: the format, its errors, and exact stamps.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use clock_agent::buttons::{BoardTime, ButtonEvent, Buttons, Input, Origin, Script};
use timing::{Board, Button, Duration, Fact, Instant};

#[test]
fn a_script_is_parsed() {
    let script: Script =
        "# warming up\n\nfrom program\n at 5.25 press left # quick\nat 9 press right\nat 1m stop\n"
            .parse()
            .unwrap();
    assert_eq!(script.origin, Origin::Program);
    let acts = [
        (Duration::from_millis(5_250), Fact::Pressed(Button::Left)),
        (Duration::from_secs(9), Fact::Pressed(Button::Right)),
        (Duration::from_secs(60), Fact::Stopped),
    ];
    assert_eq!(script.facts, acts);
    assert_eq!("".parse(), Ok(Script::default()));
}

#[test]
fn errors_name_line_and_column() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Script>().unwrap_err().to_string(), expected);
    }
    check("press left", "1:1: \"press\"; expected at or from");
    check("\n  at", "2:5: expected a time");
    check(
        "at soon press left",
        "1:4: \"soon\" is not a time; expected seconds such as 5.25, or 1m5.25s",
    );
    check(
        "at -1 stop",
        "1:4: \"-1\" is not a time; expected seconds such as 5.25, or 1m5.25s",
    );
    check(
        "at 1. stop",
        "1:4: \"1.\" is not a time; expected seconds such as 5.25, or 1m5.25s",
    );
    check("at 5", "1:5: expected press or stop");
    check("at 5 hit left", "1:6: \"hit\"; expected press or stop");
    check("at 5 press", "1:11: expected left or right");
    check(
        "at 5 press white",
        "1:12: \"white\"; expected left or right",
    );
    check(
        "at 5 stop now",
        "1:11: \"now\"; expected the end of the line",
    );
    check("at 5 stop\n at 4.9 stop", "2:5: times must not decrease");
    check("at 5 stop\nfrom game", "2:1: from must come first");
    check("from here", "1:6: \"here\"; expected game or program");
    check("from", "1:5: expected game or program");
}

#[test]
fn late_presses_keep_the_scripts_stamps() {
    let time = Arc::new(SetTime::default());
    let script = "at 1 press left\nat 1.000001 press right\nat 2 stop"
        .parse()
        .unwrap();
    let mut source = Buttons::scripted(script, time.clone());
    time.set(50_000_000);
    assert_eq!(events(&mut source, &time), [], "no game has started yet");
    source.game_started(Instant::from_micros(60_000_000));
    source.game_started(Instant::from_micros(70_000_000));
    time.set(61_000_000);
    assert_eq!(
        events(&mut source, &time),
        [event(Fact::Pressed(Button::Left), 61_000_000)]
    );
    time.set(99_000_000);
    assert_eq!(
        events(&mut source, &time),
        [
            event(Fact::Pressed(Button::Right), 61_000_001),
            event(Fact::Stopped, 62_000_000)
        ]
    );
    assert_eq!(events(&mut source, &time), []);
}

#[test]
fn a_script_can_count_from_the_programs_start() {
    let time = Arc::new(SetTime::default());
    time.set(7_000_000);
    let mut source = Buttons::scripted("from program\nat 1 stop".parse().unwrap(), time.clone());
    time.set(8_000_000);
    assert_eq!(
        events(&mut source, &time),
        [event(Fact::Stopped, 8_000_000)]
    );
}

fn event(fact: Fact, us: i64) -> ButtonEvent {
    ButtonEvent {
        fact,
        at: Instant::from_micros(us),
    }
}

fn events(source: &mut Buttons, time: &SetTime) -> Vec<ButtonEvent> {
    let drained = source.drain(time.now());
    assert_eq!(drained.complete_to, time.now());
    let events = drained.inputs.into_iter().map(|input| match input {
        Input::Button(event) => event,
        Input::Quit(_)
        | Input::Arbiter(_)
        | Input::Correct { .. }
        | Input::TellTime
        | Input::Resized
        | Input::Lost(_) => {
            panic!("{input:?}")
        }
    });
    events.collect()
}

#[derive(Default)]
struct SetTime(AtomicI64);

impl SetTime {
    fn set(&self, us: i64) {
        self.0.store(us, Ordering::SeqCst);
    }
}

impl BoardTime for SetTime {
    fn now(&self) -> Instant<Board> {
        Instant::from_micros(self.0.load(Ordering::SeqCst))
    }

    fn at_monotonic(&self, nanos: u64) -> Instant<Board> {
        Instant::from_micros(i64::try_from(nanos / 1000).unwrap())
    }
}
