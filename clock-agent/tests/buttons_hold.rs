//! Recorded contacts: what is a press, what is bouncing, what is a stop.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use clock_agent::buttons::{ButtonEvent, Edge, HOLD, TwoButtons};
use expect_test::{Expect, expect};
use timing::{Board, Button, Fact, Instant};

fn at(us: i64) -> Instant<Board> {
    Instant::from_micros(us)
}

/// A recording: `L+` and `L-` are the left contact closing and opening, `.` is a look without a change, each at
/// milliseconds. Prints what came of it.
#[track_caller]
fn check(recording: &str, expected: Expect) {
    let mut buttons = TwoButtons::default();
    let mut told = Vec::new();
    for item in recording.split_whitespace() {
        let (what, ms) = item.split_once('@').unwrap();
        let ms: f64 = ms.parse().unwrap();
        let when = at((ms * 1000.0) as i64);
        let edge = |c: &str| {
            if c.ends_with('+') {
                Edge::Down
            } else {
                Edge::Up
            }
        };
        told.extend(match what {
            "L+" | "L-" => buttons.on_edge(Button::Left, edge(what), when),
            "R+" | "R-" => buttons.on_edge(Button::Right, edge(what), when),
            "." => buttons.on_time(when),
            other => panic!("{other}"),
        });
    }
    let told: Vec<_> = told.into_iter().map(words).collect();
    expected.assert_eq(&told.join(", "));
}

fn words(event: ButtonEvent) -> String {
    let ms = event.at.as_micros() as f64 / 1000.0;
    match event.fact {
        Fact::Pressed(button) => format!("{button} {ms}"),
        Fact::Stopped => format!("stop {ms}"),
    }
}

#[test]
fn the_first_edge_is_the_press() {
    check("L+@1.25", expect!["left 1.25"]);
}

#[test]
fn a_bouncing_contact_is_one_press_stamped_at_its_first_edge() {
    // As a worn micro switch does it: five closings in six milliseconds, three more when let go.
    check(
        "L+@100 L-@100.3 L+@100.5 L-@101.9 L+@102 L-@104 L+@104.1 L-@105.9 L+@106 \
         L-@180 L+@180.2 L-@181 L+@186 L-@186.4 .@300",
        expect!["left 100"],
    );
}

#[test]
fn two_presses_of_a_fast_finger_are_two() {
    check("L+@0 L-@40 L+@70 L-@110", expect!["left 0, left 70"]);
}

#[test]
fn both_players_press_as_fast_as_they_like() {
    check(
        "L+@0 L-@60 R+@90 R-@140 L+@170 L-@230 R+@240",
        expect!["left 0, right 90, left 170, right 240"],
    );
}

#[test]
fn a_press_counts_at_once_while_the_other_button_is_held() {
    check(
        "L+@0 R+@30 R-@90 R+@400 R-@470 .@5000",
        expect!["left 0, right 30, right 400"],
    );
}

#[test]
fn both_held_for_a_second_is_a_stop_stamped_when_it_is_complete() {
    check("L+@0 R+@80 .@1079.999", expect!["left 0, right 80"]);
    check("L+@0 R+@80 .@1080", expect!["left 0, right 80, stop 1080"]);
}

#[test]
fn a_late_look_stamps_the_stop_no_later() {
    check("L+@0 R+@80 .@3000", expect!["left 0, right 80, stop 1080"]);
    check(
        "L+@0 R+@80 L-@2500 R-@2510",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn letting_go_a_moment_too_early_is_no_stop() {
    check("L+@0 R+@80 R-@1050 .@2000", expect!["left 0, right 80"]);
}

#[test]
fn a_contact_that_chatters_while_held_does_not_break_the_hold() {
    check(
        "L+@0 R+@80 R-@600 R+@604 L-@1070 L+@1075 .@1200",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn opening_in_the_last_moment_counts_as_held_until_it_is_known_to_be_let_go() {
    check(
        "L+@0 R+@80 R-@1070 .@1200",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn held_on_is_one_stop_and_held_again_another() {
    check(
        "L+@0 R+@80 .@1080 .@2500 .@9000 L-@9100 .@9500 L+@10000 .@11000",
        expect!["left 0, right 80, stop 1080, left 10000, stop 11000"],
    );
}

#[test]
fn a_lost_opening_does_not_swallow_the_next_press() {
    check("L+@0 L+@500", expect!["left 0, left 500"]);
}

#[test]
fn a_button_held_before_anyone_looked_was_not_pressed() {
    let mut buttons = TwoButtons::found(&[Button::Left], at(0));
    assert_eq!(buttons.on_edge(Button::Left, Edge::Up, at(100_000)), []);
    assert_eq!(buttons.next_deadline(), None);
    let pressed = buttons.on_edge(Button::Left, Edge::Down, at(200_000));
    assert_eq!(pressed.len(), 1);
}

#[test]
fn the_deadline_is_the_instant_of_the_stop() {
    let mut buttons = TwoButtons::default();
    let _ = buttons.on_edge(Button::Left, Edge::Down, at(5));
    assert_eq!(buttons.next_deadline(), None);
    let _ = buttons.on_edge(Button::Right, Edge::Down, at(7));
    assert_eq!(buttons.next_deadline(), Some(at(7) + HOLD));
    let stop = ButtonEvent::stop(at(7) + HOLD);
    assert_eq!(buttons.on_time(at(7) + HOLD), [stop]);
    assert_eq!(buttons.next_deadline(), None);
}
