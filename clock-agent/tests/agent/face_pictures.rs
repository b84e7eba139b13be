//! The face compared with its reference pictures, cell by cell. The files `face/*.txt` are the specification.

use crate::board::{self, drawn, face, message, mins, running, side, state, view};
use clock_agent::face_state::{FaceState, FaceView, HubLink};
use timing::{BoardState, Duration, FlagView, Side};

#[track_caller]
fn check(picture: &str, state: &FaceState, view: &FaceView) {
    let drawn = drawn(&face(), state, Some(view), (80, 24));
    for (row, (expected, got)) in picture.lines().zip(&drawn).enumerate() {
        assert_eq!(got, expected, "row {row} of\n{}", drawn.join("\n"));
    }
    assert_eq!(picture.lines().count(), drawn.len());
}

#[test]
fn ready() {
    let time = Duration::from_secs(5430);
    let view = view(BoardState::Ready, side(time, 0), side(time, 0));
    check(include_str!("face/ready.txt"), &state(), &view);
}

#[test]
fn the_running_half_is_reversed() {
    let view = running(Side::Black, side(mins(41, 3), 30), side(mins(37, 55), 30));
    check(include_str!("face/running.txt"), &state(), &view);
}

#[test]
fn short_time_has_larger_digits_and_tenths() {
    let white = side(Duration::from_millis(8_400), 39);
    let view = running(Side::White, white, side(mins(4, 36), 39));
    check(include_str!("face/short.txt"), &state(), &view);
}

#[test]
fn a_pause_shows_an_arrow_and_no_reversed_half() {
    let paused = BoardState::Paused {
        next: Side::White,
        since: board::NOW,
    };
    let view = view(paused, side(mins(31, 18), 32), side(mins(29, 2), 32));
    let mut state = state();
    state.messages = vec![message("Please wait.")];
    check(include_str!("face/paused.txt"), &state, &view);
}

#[test]
fn the_flag_is_shown_under_the_first_side_to_fall() {
    let mut white = side(Duration::ZERO, 39);
    white.flag = FlagView::Fallen;
    let flagged = BoardState::Flagged { side: Side::White };
    let mut view = view(flagged, white, side(mins(4, 36), 39));
    view.first_flag = Some(Side::White);
    check(include_str!("face/flag.txt"), &state(), &view);
}

#[test]
fn hub_and_battery_change_only_the_corner() {
    let view = running(Side::White, side(mins(22, 41), 33), side(mins(26, 18), 33));
    let mut state = state();
    state.hub = HubLink::Away {
        since: board::NOW - Duration::from_secs(130),
    };
    state.battery_percent = Some(8);
    check(include_str!("face/hub-away.txt"), &state, &view);
}
