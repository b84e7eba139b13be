//! Arbitrary input: parsing it as a control, script, command or snapshot gives a value or an error, but never a panic.

use crate::{cases, generate};
use proptest::prelude::*;
use timing::script::Script;
use timing::{
    BoardClock, Button, Command, Duration, Fact, Instant, Setup, Side, Snapshot, StartRule,
    TimeControl,
};

/// Calls the clock's functions with extreme values, at instants up to the end of time.
fn exercise(clock: &mut BoardClock) {
    let moments = [
        clock.now(),
        clock.now() + Duration::from_secs(7),
        clock.now() + Duration::from_days(40_000),
        Instant::MAX,
    ];
    for now in moments {
        let _ = (
            clock.plan(now),
            clock.next_deadline(),
            clock.state(),
            clock.snapshot().to_bytes(),
        );
        for side in [Side::White, Side::Black] {
            let _ = clock.side(side, now);
            for button in [Button::Left, Button::Right] {
                let _ = clock.on_fact(now, Fact::Pressed(button));
            }
            let _ = clock.on_command(
                now,
                &Command::Add {
                    side,
                    by: Duration::MAX,
                },
            );
            let _ = clock.on_command(
                now,
                &Command::Add {
                    side,
                    by: -Duration::MAX,
                },
            );
            let _ = clock.on_command(
                now,
                &Command::Set {
                    side,
                    to: Duration::MAX,
                },
            );
            let _ = clock.on_command(now, &Command::Moves { side, to: u32::MAX });
            let _ = clock.on_command(now, &Command::Refill { side, amount: None });
            let _ = clock.on_command(now, &Command::Resume(Some(side)));
        }
    }
}

/// Generates fragments of the notation and of scripts in random order, which get further in the parser than random characters.
fn pieces() -> impl Strategy<Value = String> {
    let words = [
        "control ",
        "at ",
        "expect ",
        "white",
        "black",
        "=",
        ".",
        "phase",
        "main",
        "\n",
        " ",
        "  ",
        "5",
        "0",
        "36525d",
        "1h30m",
        "3s",
        "0.0000001s",
        "4294967296",
        "99999999999999999999999999",
        "/",
        "+",
        "*",
        "zero/",
        " : ",
        " vs ",
        " runs on",
        " byo ",
        "3x",
        " canadian ",
        " extra ",
        " min ",
        "hybrid",
        " grace ",
        " overtime ",
        " cap ",
        " delay ",
        " bronstein ",
        " hourglass",
        "up",
        "move ",
        "triple ",
        "450",
        " gt",
        "press ",
        "start",
        "pause",
        "resume ",
        "set ",
        "add ",
        "-",
        "moves ",
        "refill ",
        "end mate ",
        "claim draw ",
        "#",
        "é",
        "\u{7f}",
        "1e9",
        "byo",
    ];
    prop::collection::vec(proptest::sample::select(words.to_vec()), 0..24)
        .prop_map(|words| words.concat())
}

fn texts() -> impl Strategy<Value = String> {
    let script = (generate::notation(), pieces())
        .prop_map(|(notation, rest)| format!("control {notation}\nat 0 start\nat 1 {rest}"));
    prop_oneof![pieces(), "\\PC*", script]
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn texts_never_panic(text in texts()) {
        if let Ok(control) = text.parse::<TimeControl>() {
            exercise(&mut BoardClock::new(Setup { control, start: StartRule::BlackPress, white: Button::Right }));
        }
        if let Err(error) = text.parse::<TimeControl>() {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{error} in {text:?}");
        }
        match text.parse::<Script>() {
            Ok(script) => drop(script.run()),
            Err(error) => prop_assert!(error.line >= 1 && error.column >= 1 && !error.expected.is_empty()),
        }
        let _ = (text.parse::<Command>(), text.parse::<Duration>());
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = Snapshot::from_bytes(&bytes);
    }

    /// A snapshot with some changed bytes is refused, or it is valid and in the canonical form.
    #[test]
    fn damaged_snapshots_never_panic(
        control in generate::control(), game in generate::game(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut clock = BoardClock::new(Setup { control, start: StartRule::Arbiter, white: Button::Left });
        let mut now = generate::START;
        for (gap, input) in &game {
            now = now + *gap;
            let _ = match input {
                generate::Input::Fact(fact) => Ok(clock.on_fact(now, *fact)),
                generate::Input::TimePassed => Ok(clock.pass_time(now)),
                generate::Input::Command(command) => clock.on_command(now, command),
            };
        }
        let mut bytes = clock.snapshot().to_bytes();
        for (index, byte) in damage {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        if let Ok(snapshot) = Snapshot::from_bytes(&bytes) {
            prop_assert_eq!(snapshot.to_bytes(), bytes);
            exercise(&mut BoardClock::from_snapshot(&snapshot).unwrap());
        }
    }
}
