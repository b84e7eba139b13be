//! The face on terminals of different sizes, and on ASCII terminals.

use crate::board::{NOW, drawn, face, message, mins, running, side, state, text, view};
use clock_agent::face::{Charset, Face};
use clock_agent::face_state::{FaceState, FaceView, HubLink};
use expect_test::{Expect, expect};
use timing::{BoardState, Duration, FlagView, Side};

#[track_caller]
fn check(size: (u16, u16), state: &FaceState, view: &FaceView, expected: Expect) {
    expected.assert_eq(&text(&face(), state, Some(view), size));
}

fn paused() -> (FaceState, FaceView) {
    let paused = BoardState::Paused {
        next: Side::White,
        since: NOW,
    };
    let mut state = state();
    state.messages = vec![message("Please wait.")];
    (
        state,
        view(paused, side(mins(31, 18), 32), side(mins(29, 2), 32)),
    )
}

#[test]
fn forty_by_twelve() {
    let view = running(
        Side::Black,
        side(mins(41, 3), 30),
        side(Duration::from_millis(8_400), 30),
    );
    check(
        (40, 12),
        &state(),
        &view,
        expect![[r#"
            │Board 17   Round 5  hub ✓   battery 82 %│
            │○ Okonkwo                    Lindqvist ●│
            │                     ███████████████████│
            │ █ █   █   ███ ███      ███   █   ███ █ │
            │ █ █   █ █ █ █   █    █ █ █ █ █ █ ███ █ │
            │ ███   █   █ █ ███    █ ███ █ █   ███   │
            │   █   █ █ █ █   █    █ █ █ █ █ █ █████ │
            │   █   █   ███ ███      ███   █   █ ███ │
            │                     ███████████████████│
            │30 moves                        30 moves│
            │                                        │
            │                                        │
        "#]],
    );
    let (state, view) = paused();
    check(
        (40, 12),
        &state,
        &view,
        expect![[r#"
            │Board 17   Round 5  hub ✓   battery 82 %│
            │○ Okonkwo                    Lindqvist ●│
            │                                        │
            │ ███   █     █ ███    ███ ███   ███ ███ │
            │   █   █ █   █ █ █      █ █ █ █ █ █   █ │
            │ ███   █     █ ███    ███ ███   █ █ ███ │
            │   █   █ █   █ █ █    █     █ █ █ █ █   │
            │ ███   █     █ ███    ███ ███   ███ ███ │
            │                                        │
            │►          32 moves             32 moves│
            │         PAUSED BY THE ARBITER          │
            │              Please wait.              │
        "#]],
    );
}

#[test]
fn hours_on_forty_by_twelve_use_quarter_cells() {
    let view = running(Side::Black, side(mins(93, 3), 30), side(mins(62, 33), 30));
    let mut state = state();
    state.hub = HubLink::Away {
        since: NOW - Duration::from_secs(130),
    };
    check(
        (40, 12),
        &state,
        &view,
        expect![[r#"
            │Board 17    hub away 2:10   battery 82 %│
            │○ Okonkwo                    Lindqvist ●│
            │                     ███████████████████│
            │  █  ▀▜▌▀▜▌ ▐▛█▝▀█   ██ ██ ▖▐▄▖▐█▙▄ ▙▄ █│
            │  █▗▖ ▐▌ ▐▌▄▐▌█  █   ██ ▛▜ ▌▐█▌▐▀██ ██ █│
            │  █▗▖▀▜▌▀▜▌▄▐▌█▝▀█   ██ ▛▜ ▌▐ ▄▟▀▙▄ ▙▄ █│
            │  █   ▐▌ ▐▌ ▐▌█  █   ██ ██ ▌▐ █████ ██ █│
            │  ▀  ▀▀▘▀▀▘ ▝▀▀▝▀▀   ██▄██▄▄▟▄▄▟█▙▄▄▙▄▄█│
            │                     ███████████████████│
            │30 moves                        30 moves│
            │                                        │
            │                                        │
        "#]],
    );
}

#[test]
fn a_narrow_tall_terminal() {
    let view = running(Side::White, side(mins(41, 3), 30), side(mins(2, 55), 30));
    check(
        (60, 18),
        &state(),
        &view,
        expect![[r#"
            │ Board 17   Round 5                    hub ✓   battery 82 % │
            │ ○ Okonkwo                                      Lindqvist ● │
            │                                                            │
            │ ████████████████████████████                               │
            │ ███ ██ ████ ███    █    ████        ████   ████ ████       │
            │ ███ ██ ████ ███ ██ ████ ████           █   █    █          │
            │ ███ ██ ████ █ █ ██ ████ ████           █ █ █    █          │
            │ ███    ████ ███ ██ █    ████        ████   ████ ████       │
            │ ██████ ████ █ █ ██ ████ ████        █    █    █    █       │
            │ ██████ ████ ███ ██ ████ ████        █         █    █       │
            │ ██████ ████ ███    █    ████        ████   ████ ████       │
            │ ████████████████████████████                               │
            │                                                            │
            │ 30 moves                                          30 moves │
            │                                                            │
            │                                                            │
            │                                                            │
            │                                                            │
        "#]],
    );
}

#[test]
fn a_large_terminal_has_larger_digits() {
    let (state, view) = paused();
    check(
        (132, 43),
        &state,
        &view,
        expect![[r#"
            │ Board 17   Round 5                                                                                            hub ✓   battery 82 % │
            │                                                                                                                                    │
            │ ○ Okonkwo                                                                                                              Lindqvist ● │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ███████████  ███████████     │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ███████████  ███████████     │
            │            ████         ████               ████  ████   ████                 ████  ████   ████        ████   ████         ████     │
            │            ████         ████               ████  ████   ████                 ████  ████   ████        ████   ████         ████     │
            │            ████         ████               ████  ████   ████                 ████  ████   ████        ████   ████         ████     │
            │            ████         ████  ████         ████  ████   ████                 ████  ████   ████  ████  ████   ████         ████     │
            │            ████         ████  ████         ████  ████   ████                 ████  ████   ████  ████  ████   ████         ████     │
            │            ████         ████               ████  ████   ████                 ████  ████   ████        ████   ████         ████     │
            │            ████         ████               ████  ████   ████                 ████  ████   ████        ████   ████         ████     │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ████   ████  ███████████     │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ████   ████  ███████████     │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │            ████         ████  ████         ████  ████   ████          ████                ████  ████  ████   ████  ████            │
            │            ████         ████  ████         ████  ████   ████          ████                ████  ████  ████   ████  ████            │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │            ████         ████               ████  ████   ████          ████                ████        ████   ████  ████            │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ███████████  ███████████     │
            │     ███████████         ████               ████  ███████████          ███████████  ███████████        ███████████  ███████████     │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │                                                                                                                                    │
            │ ► runs next           32 moves                                                                                            32 moves │
            │                                                                                                                                    │
            │                                                       PAUSED BY THE ARBITER                                                        │
            │                                                                                                                                    │
            │                                                            Please wait.                                                            │
            │                                                                                                                                    │
        "#]],
    );
}

#[test]
fn a_tiny_terminal_keeps_the_times() {
    let view = running(Side::White, side(mins(41, 3), 30), side(mins(2, 55), 30));
    check(
        (20, 6),
        &state(),
        &view,
        expect![[r#"
            │Board 17       hub ✓│
            │                    │
            │  41:03      2:55   │
            │                    │
            │30 moves    30 moves│
            │                    │
        "#]],
    );
    check(
        (16, 1),
        &state(),
        &view,
        expect![[r#"
            │ 41:03    2:55  │
        "#]],
    );
}

#[test]
fn long_times_have_smaller_digits() {
    let days = |days: i64| side(Duration::from_days(days), 12);
    let view = running(Side::Black, days(50), days(3));
    check(
        (80, 24),
        &state(),
        &view,
        expect![[r#"
            │ Board 17   Round 5                                        hub ✓   battery 82 % │
            │                                                                                │
            │ ○ Okonkwo                                                          Lindqvist ● │
            │                                                                                │
            │                                         ██████████████████████████████████████ │
            │                                         ▛▀▀▀▀▜▀▀▀▀▀██▛▀▀▀▀▜▀▀▀▀▀██▛▀▀▀▀▜▀▀▀▀▀█ │
            │                                         ████ ▐███▌ ██▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │     █▝▀▀█▐▛▀█▐▛▀█  █▀▜▌█▀▜▌ ▐▛▀█▐▛▀█    ████ ▐███▌ ██▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │     █   █▐▌ █▐▌ █  █ ▐▌█ ▐▌ ▐▌ █▐▌ █    ████ ▐███▌ ▛▀▌ ██ ▐ ▐█▌ ▛▀▌ ██ ▐ ▐█▌ █ │
            │     █   █▐▌ █▐▌ █▝▘█ ▐▌█ ▐▌▀▐▌ █▐▌ █    ████ ▐███▌ ██▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │     █▐▛▀▀▐▌ █▐▌ █  █ ▐▌█ ▐▌ ▐▌ █▐▌ █    ████ ▐ ▗▄▄▄██▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │     █▐▌  ▐▌ █▐▌ █▝▘█ ▐▌█ ▐▌▀▐▌ █▐▌ █    ████ ▐ ▐███▛▀▌ ██ ▐ ▐█▌ ▛▀▌ ██ ▐ ▐█▌ █ │
            │     █▐▌  ▐▌ █▐▌ █  █ ▐▌█ ▐▌ ▐▌ █▐▌ █    ████ ▐ ▐█████▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │     ▀▝▀▀▀▝▀▀▀▝▀▀▀  ▀▀▀▘▀▀▀▘ ▝▀▀▀▝▀▀▀    ████ ▐ ▐█████▌ ██ ▐ ▐█▌ ██▌ ██ ▐ ▐█▌ █ │
            │                                         ████ ▐ ▝▀▀▀██▌ ▀▀ ▐ ▝▀▘ ██▌ ▀▀ ▐ ▝▀▘ █ │
            │                                         ██████████████████████████████████████ │
            │                                         ██████████████████████████████████████ │
            │                                                                                │
            │ 12 moves                                                              12 moves │
            │                                                                                │
            │                                                                                │
            │                                                                                │
            │                                                                                │
            │                                                                                │
        "#]],
    );
}

#[test]
fn a_terminal_without_utf_8() {
    let face = Face::new(Charset::Ascii, false);
    let mut white = side(Duration::ZERO, 39);
    white.flag = FlagView::Fallen;
    let mut view = running(Side::Black, white, side(mins(4, 36), 39));
    view.first_flag = Some(Side::White);
    let mut state = state();
    state.names.black = "Jørgensen".into();
    expect![[r#"
        │ Board 17   Round 5                                       hub ok   battery 82 % │
        │                                                                                │
        │ O Okonkwo                                                          J?rgensen @ │
        │                                                                                │
        │                                         ###################################### │
        │       #######    ####### #######        ######  ###  ####       #       ###### │
        │       ##   ##    ##   ## ##   ##        ######  ###  #########  #  ########### │
        │       ##   ##    ##   ## ##   ##        ######  ###  #########  #  ########### │
        │       ##   ## ## ##   ## ##   ##        ######  ###  #  ######  #  ########### │
        │       ##   ##    ##   ## ##   ##        ######  ###  #########  #  ########### │
        │       ##   ##    ##   ## ##   ##        ######       ####       #       ###### │
        │       ##   ##    ##   ## ##   ##        ###########  #########  #  ###  ###### │
        │       ##   ## ## ##   ## ##   ##        ###########  #  ######  #  ###  ###### │
        │       ##   ##    ##   ## ##   ##        ###########  #########  #  ###  ###### │
        │       ##   ##    ##   ## ##   ##        ###########  #########  #  ###  ###### │
        │       #######    ####### #######        ###########  ####       #       ###### │
        │                                         ###################################### │
        │                                                                                │
        │ > FLAG                39 moves                                        39 moves │
        │                                                                                │
        │                                                                                │
        │                                                                                │
        │                                                                                │
        │                                                                                │
    "#]]
    .assert_eq(&text(&face, &state, Some(&view), (80, 24)));
}

#[test]
fn no_size_and_no_state_panics() {
    let (state, paused) = paused();
    let huge = running(
        Side::White,
        side(Duration::MAX, u32::MAX),
        side(Duration::from_micros(i64::MIN), 0),
    );
    for charset in [Charset::Unicode, Charset::Ascii] {
        let face = Face::new(charset, true);
        for height in [0, 1, 2, 3, 5, 8, 11, 12, 13, 24, 25, 60] {
            for width in [0, 1, 2, 3, 9, 20, 39, 47, 48, 79, 300] {
                for view in [None, Some(&paused), Some(&huge)] {
                    let lines = drawn(&face, &state, view, (width, height));
                    let ascii = lines.iter().all(|line| line.is_ascii());
                    assert!(charset == Charset::Unicode || ascii, "{width} x {height}");
                }
            }
        }
    }
}
