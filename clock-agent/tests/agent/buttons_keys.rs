//! Tests of the interpretation of the terminal's keys.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use clock_agent::buttons::{KeyMap, KeyReader};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use expect_test::{Expect, expect};
use timing::Instant;

/// Types keys at times in milliseconds: `f@10`, `left@20`, `^c@30`; `f*@40` is a repeat, `f-@50` a release, and `.@60` only lets time pass.
#[track_caller]
fn check(keys: &str, expected: Expect) {
    let mut reader = KeyReader::new(KeyMap::default());
    let mut told = String::new();
    for item in keys.split_whitespace() {
        let (key, ms) = item.rsplit_once('@').unwrap();
        let at = Instant::from_micros(ms.parse::<i64>().unwrap() * 1000);
        let inputs = match key {
            "." => reader.on_time(at),
            key => reader.on_key(event(key), at),
        };
        for input in inputs {
            told.push_str(&format!("{input:?}\n"));
        }
    }
    expected.assert_eq(&told);
}

fn event(key: &str) -> KeyEvent {
    let (key, kind) = match (key.strip_suffix('*'), key.strip_suffix('-')) {
        (Some(key), _) => (key, KeyEventKind::Repeat),
        (_, Some(key)) => (key, KeyEventKind::Release),
        (None, None) => (key, KeyEventKind::Press),
    };
    let (key, modifiers) = match key.strip_prefix('^') {
        Some(key) => (key, KeyModifiers::CONTROL),
        None => (key, KeyModifiers::NONE),
    };
    let code = match key {
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "esc" => KeyCode::Esc,
        letter => KeyCode::Char(letter.chars().next().unwrap()),
    };
    KeyEvent::new_with_kind(code, modifiers, kind)
}

#[test]
fn buttons_and_stop() {
    check(
        "f@0 j@300 left@600 right@900 s@1200 F@1500 x@1800 esc@2000",
        expect![[r#"
        Button(ButtonEvent { fact: Pressed(Left), at: board@0us })
        Button(ButtonEvent { fact: Pressed(Right), at: board@300000us })
        Button(ButtonEvent { fact: Pressed(Left), at: board@600000us })
        Button(ButtonEvent { fact: Pressed(Right), at: board@900000us })
        Button(ButtonEvent { fact: Stopped, at: board@1200000us })
        Button(ButtonEvent { fact: Pressed(Left), at: board@1500000us })
        Arbiter(Leave)
    "#]],
    );
}

#[test]
fn a_key_held_down_is_one_press() {
    check(
        "f@0 f@90 f@120 f@150 j@500 j*@800 j*@830 j-@900",
        expect![[r#"
        Button(ButtonEvent { fact: Pressed(Left), at: board@0us })
        Button(ButtonEvent { fact: Pressed(Right), at: board@500000us })
    "#]],
    );
}

#[test]
fn a_second_finger_on_the_same_key_is_a_second_press() {
    check(
        "f@0 f@250",
        expect![[r#"
        Button(ButtonEvent { fact: Pressed(Left), at: board@0us })
        Button(ButtonEvent { fact: Pressed(Left), at: board@250000us })
    "#]],
    );
}

#[test]
fn released_keys_press_again_at_once() {
    check(
        "f@0 f-@40 f@80",
        expect![[r#"
        Button(ButtonEvent { fact: Pressed(Left), at: board@0us })
        Button(ButtonEvent { fact: Pressed(Left), at: board@80000us })
    "#]],
    );
}

#[test]
fn quitting_requires_confirmation() {
    check(
        "q@0 y@500",
        expect![[r#"
        Quit(Asked)
        Quit(Confirmed)
    "#]],
    );
    check(
        "^c@0 y@500",
        expect![[r#"
        Quit(Asked)
        Quit(Confirmed)
    "#]],
    );
}

#[test]
fn other_keys_cancel_quitting() {
    check(
        "q@0 q@300 ^c@600 esc@900 y@1200",
        expect![[r#"
        Quit(Asked)
        Arbiter(Leave)
        Quit(Withdrawn)
    "#]],
    );
    check(
        "y@0 ^y@100 c@200 ^q@300",
        expect![[r#"
        Arbiter(Open)
    "#]],
    );
}

#[test]
fn an_old_question_is_cancelled() {
    check(
        "q@0 .@9999 .@10000 y@10500",
        expect![[r#"
        Quit(Asked)
        Quit(Withdrawn)
    "#]],
    );
}

#[test]
fn a_button_counts_during_the_question() {
    check(
        "q@0 f@700",
        expect![[r#"
        Quit(Asked)
        Button(ButtonEvent { fact: Pressed(Left), at: board@700000us })
        Quit(Withdrawn)
    "#]],
    );
}

#[test]
fn a_key_requests_the_time() {
    check(
        "t@10 t*@40 T@500 ^t@900",
        expect![[r#"
            TellTime
            TellTime
        "#]],
    );
    let map = KeyMap::new('t', 'j', 's').unwrap();
    let inputs = KeyReader::new(map).on_key(event("t"), Instant::from_micros(0));
    assert!(
        format!("{inputs:?}").contains("Pressed(Left)"),
        "{inputs:?}"
    );
    assert_eq!(inputs.len(), 1);
}
