//! Recorded contacts: presses, bounces and stops.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use clock_agent::buttons::{ButtonEvent, Edge, HOLD, TwoButtons};
use expect_test::{Expect, expect};
use timing::{Board, Button, Fact, Instant};

fn at(us: i64) -> Instant<Board> {
    Instant::from_micros(us)
}

/// Plays a recording and compares the resulting events. `L+` and `L-` close and open the left contact, `R+` and `R-` the right one. `.` only lets
/// time pass. Each has a time in milliseconds.
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
fn a_bouncing_contact_is_one_press() {
    // A worn microswitch: the contact closes five times within six milliseconds, and bounces again on release.
    check(
        "L+@100 L-@100.3 L+@100.5 L-@101.9 L+@102 L-@104 L+@104.1 L-@105.9 L+@106 \
         L-@180 L+@180.2 L-@181 L+@186 L-@186.4 .@300",
        expect!["left 100"],
    );
}

#[test]
fn fast_presses_count_separately() {
    check("L+@0 L-@40 L+@70 L-@110", expect!["left 0, left 70"]);
}

#[test]
fn fast_presses_of_both_players_count() {
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
fn a_hold_of_both_buttons_is_a_stop() {
    check("L+@0 R+@80 .@1079.999", expect!["left 0, right 80"]);
    check("L+@0 R+@80 .@1080", expect!["left 0, right 80, stop 1080"]);
}

#[test]
fn a_late_check_does_not_delay_the_stop() {
    check("L+@0 R+@80 .@3000", expect!["left 0, right 80, stop 1080"]);
    check(
        "L+@0 R+@80 L-@2500 R-@2510",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn an_early_release_is_not_a_stop() {
    check("L+@0 R+@80 R-@1050 .@2000", expect!["left 0, right 80"]);
}

#[test]
fn chatter_does_not_break_a_hold() {
    check(
        "L+@0 R+@80 R-@600 R+@604 L-@1070 L+@1075 .@1200",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn opening_at_the_last_moment_counts_as_held() {
    check(
        "L+@0 R+@80 R-@1070 .@1200",
        expect!["left 0, right 80, stop 1080"],
    );
}

#[test]
fn each_hold_is_one_stop() {
    check(
        "L+@0 R+@80 .@1080 .@2500 .@9000 L-@9100 .@9500 L+@10000 .@11000",
        expect!["left 0, right 80, stop 1080, left 10000, stop 11000"],
    );
}

#[test]
fn a_lost_opening_does_not_lose_the_next_press() {
    check("L+@0 L+@500", expect!["left 0, left 500"]);
}

#[test]
fn a_button_held_at_the_start_was_not_pressed() {
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
