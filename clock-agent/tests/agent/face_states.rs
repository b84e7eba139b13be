//! The text of the face in different states; `face_pictures.rs` checks the digits.

use crate::board::{self, NOW, drawn, face, message, mins, running, side, state, view};
use clock_agent::face::Face;
use clock_agent::face_state::{FaceState, FaceView, HubLink, JournalHealth, Message, MessageKind};
use expect_test::{Expect, expect};
use timing::{Allotment, BoardState, Button, Duration, FlagView, GameResult, Side, SideView};

/// Compares the rows of text, each with its number. Skips empty rows and the rows of large digits.
#[track_caller]
fn check_face(face: &Face, state: &FaceState, view: Option<&FaceView>, expected: Expect) {
    let mut text = String::new();
    for (row, line) in drawn(face, state, view, (80, 24)).iter().enumerate() {
        if !line.trim().is_empty() && !line.contains('█') {
            text.push_str(&format!("{row:2} {}\n", line.trim_end()));
        }
    }
    expected.assert_eq(&text);
}

#[track_caller]
fn check(state: &FaceState, view: &FaceView, expected: Expect) {
    check_face(&face(), state, Some(view), expected);
}

/// Compares the row under the clocks. `white` is the side whose clock is running; Black is in main time.
#[track_caller]
fn check_phase(white: SideView, expected: Expect) {
    let view = running(Side::White, white, side(mins(5, 0), 33));
    let drawn = drawn(&face(), &state(), Some(&view), (80, 24));
    expected.assert_eq(drawn[18].trim_end());
}

fn paused(next: Side) -> FaceView {
    let state = BoardState::Paused { next, since: NOW };
    view(state, side(mins(31, 18), 32), side(mins(29, 2), 32))
}

#[test]
fn every_phase_is_shown_beside_the_moves() {
    let white = side(mins(0, 28), 34);
    check_phase(
        white,
        expect![" 34 moves                                                              33 moves"],
    );
    check_phase(
        SideView { period: 2, ..white },
        expect![" 34 moves   period 2                                                   33 moves"],
    );
    let byo = SideView {
        allotment: Allotment::Byo,
        byo_left: Some(3),
        ..white
    };
    check_phase(
        byo,
        expect![" 34 moves   byo-yomi 3 left                                            33 moves"],
    );
    let canadian = SideView {
        allotment: Allotment::Canadian,
        stones: Some(12),
        ..white
    };
    check_phase(
        canadian,
        expect![" 34 moves   12 stones left                                             33 moves"],
    );
    let extra = SideView {
        allotment: Allotment::Extra,
        ..white
    };
    check_phase(
        extra,
        expect![" 34 moves   extra time                                                 33 moves"],
    );
    let grace = SideView {
        allotment: Allotment::Grace,
        ..white
    };
    check_phase(
        grace,
        expect![" 34 moves   grace time                                                 33 moves"],
    );
}

#[test]
fn points_delay_and_bank_are_shown_beside_the_moves() {
    let white = side(mins(0, 28), 34);
    let overtime = SideView {
        allotment: Allotment::Overtime,
        time: Duration::from_secs(-61),
        points: Some(-20),
        ..white
    };
    check_phase(
        overtime,
        expect![" 34 moves   overtime, -20 points                                       33 moves"],
    );
    let delay = SideView {
        delay_left: Some(Duration::from_millis(2_100)),
        ..white
    };
    check_phase(
        delay,
        expect![" 34 moves   delay 3                                                    33 moves"],
    );
    let bank = SideView {
        bank: Some(Duration::from_secs(350 * 86_400 + 4 * 3_600 + 59)),
        ..white
    };
    check_phase(
        bank,
        expect![" 34 moves   bank 350 d 4 h                                             33 moves"],
    );
}

#[test]
fn the_right_clocks_phase_is_right_aligned() {
    let black = SideView {
        allotment: Allotment::Byo,
        byo_left: Some(1),
        ..side(mins(0, 28), 1)
    };
    let view = running(Side::Black, side(mins(2, 0), 2), black);
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  2 moves                                               1 move   byo-yomi 1 left
    "#]],
    );
}

#[test]
fn the_waiting_sides_delay_is_hidden() {
    let black = SideView {
        delay_left: Some(Duration::from_secs(3)),
        ..side(mins(5, 0), 3)
    };
    let view = running(Side::White, side(mins(5, 0), 3), black);
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  3 moves                                                                3 moves
    "#]],
    );
}

#[test]
fn both_players_stop() {
    let stopped = BoardState::Stopped {
        next: Side::Black,
        since: NOW,
    };
    let view = view(stopped, side(mins(31, 18), 32), side(mins(29, 2), 32));
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                ► runs next                   32 moves
        20                              STOPPED BY THE PLAYERS
        22                          Stop again to call an arbiter.
    "#]],
    );
}

#[test]
fn arrow_and_phase_share_the_row() {
    let mut view = paused(Side::White);
    view.sides.white.allotment = Allotment::Byo;
    view.sides.white.byo_left = Some(3);
    check(
        &state(),
        &view,
        expect![[r#"
             0  Board 17   Round 5                                        hub ✓   battery 82 %
             2  ○ Okonkwo                                                          Lindqvist ●
            18  ► runs next  32 moves  byo-yomi 3 left                                32 moves
            20                              PAUSED BY THE ARBITER
        "#]],
    );
}

#[test]
fn white_is_shown_on_the_side_of_its_button() {
    let mut view = paused(Side::White);
    view.white_button = Button::Right;
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ● Lindqvist                                                          Okonkwo ○
        18  32 moves                                ► runs next                   32 moves
        20                              PAUSED BY THE ARBITER
    "#]],
    );
}

#[test]
fn a_flag_stays_while_play_continues() {
    let white = SideView {
        flag: FlagView::Fallen,
        allotment: Allotment::Flagged,
        ..side(Duration::ZERO, 39)
    };
    let mut view = running(Side::Black, white, side(mins(4, 36), 39));
    view.first_flag = Some(Side::White);
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  ► FLAG                39 moves                                        39 moves
    "#]],
    );
    view.sides.white.flag = FlagView::Called;
    view.sides.black.flag = FlagView::Fallen;
    view.state = BoardState::Paused {
        next: Side::White,
        since: NOW,
    };
    view.running = None;
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  ► FLAG CALLED, runs next  39 moves                                    39 moves
        20                              PAUSED BY THE ARBITER
    "#]],
    );
}

#[test]
fn a_flag_is_red_only_on_a_colour_terminal() {
    let white = SideView {
        flag: FlagView::Fallen,
        ..side(Duration::ZERO, 39)
    };
    let mut view = view(
        BoardState::Flagged { side: Side::White },
        white,
        side(mins(4, 36), 39),
    );
    view.first_flag = Some(Side::White);
    for (coloured, expected) in [
        (true, ratatui::style::Color::Red),
        (false, ratatui::style::Color::Reset),
    ] {
        let face = Face::new(clock_agent::face::Charset::Unicode, coloured);
        let cells = board::cells(&face, &state(), Some(&view), (80, 24));
        assert_eq!(cells[(3, 18)].fg, expected);
        let red = cells
            .content()
            .iter()
            .filter(|cell| cell.fg == ratatui::style::Color::Red);
        assert_eq!(
            red.count(),
            if coloured {
                "► FLAG".chars().count()
            } else {
                0
            }
        );
    }
}

#[test]
fn a_result_is_written_as_on_the_score_sheet() {
    let mut view = view(
        BoardState::Over,
        side(mins(31, 18), 32),
        side(mins(29, 2), 32),
    );
    view.result = Some(GameResult::Draw);
    check(
        &state(),
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
        20                              The game is over. ½–½
    "#]],
    );
}

#[test]
fn a_message_is_one_line_while_a_clock_runs() {
    let mut state = state();
    state.messages = vec![message(
        "The round ends at 19:00. Any game not finished by then will go on in the small hall.",
    )];
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    check(
        &state,
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
        21  The round ends at 19:00. Any game not finished by then will go on in the smal…
    "#]],
    );
}

#[test]
fn a_long_message_is_wrapped_while_paused() {
    let mut state = state();
    state.messages = vec![
        message(
            "The lights will be back in a moment. Please stay at your boards and keep quiet, the clocks are stopped in the whole hall.",
        ),
        message("Lunch is served on the first floor."),
    ];
    check(
        &state,
        &paused(Side::White),
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  ► runs next           32 moves                                        32 moves
        20                              PAUSED BY THE ARBITER
        21     The lights will be back in a moment. Please stay at your boards and keep
        22                 quiet, the clocks are stopped in the whole hall.
        23                       Lunch is served on the first floor.
    "#]],
    );
    state.messages.remove(0);
    check(
        &state,
        &paused(Side::White),
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  ► runs next           32 moves                                        32 moves
        20                              PAUSED BY THE ARBITER
        22                       Lunch is served on the first floor.
    "#]],
    );
}

#[test]
fn identification_takes_only_the_top_line() {
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    let mut identified = state();
    identified.identify_until = Some(NOW + Duration::from_secs(10));
    check(
        &identified,
        &view,
        expect![[r#"
         0                                    THIS CLOCK
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
    "#]],
    );
    let cells = board::cells(&face(), &identified, Some(&view), (80, 24));
    assert!((0..80).all(|x| cells[(x, 0)].modifier == ratatui::style::Modifier::REVERSED));
    let mut after = identified;
    after.identify_until = Some(NOW);
    assert_eq!(
        drawn(&face(), &after, Some(&view), (80, 24)),
        drawn(&face(), &state(), Some(&view), (80, 24))
    );
}

#[test]
fn a_failed_journal_takes_the_top_line() {
    let mut state = state();
    state.journal = JournalHealth::Failed;
    state.messages = vec![message("Cannot write: call the arbiter")];
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    check(
        &state,
        &view,
        expect![[r#"
         0                          Cannot write: call the arbiter
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
    "#]],
    );
}

#[test]
fn an_unsaved_event_is_shown() {
    let mut state = state();
    state.unsaved = 2;
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    let mut face = face();
    face.note(&state, NOW);
    check_face(
        &face,
        &state,
        Some(&view),
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
    "#]],
    );
    let mut face = board::face();
    face.note(&state, NOW - Duration::from_millis(500));
    check_face(
        &face,
        &state,
        Some(&view),
        expect![[r#"
         0  Board 17   Round 5                            unsaved 2   hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
    "#]],
    );
}

#[test]
fn a_clock_without_a_board_says_so() {
    let mut state = state();
    (state.board, state.round) = (String::new(), String::new());
    state.names = timing::BySide::default();
    state.battery_percent = None;
    state.hub = HubLink::Away {
        since: NOW - Duration::from_secs(3),
    };
    check_face(
        &face(),
        &state,
        None,
        expect![[r#"
             0                                                                   hub away 0:03
             2  ○                                                                            ●
            20                           This clock has no board yet.
        "#]],
    );
    state.messages = vec![Message {
        kind: MessageKind::Link,
        text: "Looking for the hub.".into(),
    }];
    check_face(
        &face(),
        &state,
        None,
        expect![[r#"
         0                                                                   hub away 0:03
         2  ○                                                                            ●
        20                               Looking for the hub.
    "#]],
    );
}

#[test]
fn the_question_before_quitting_is_in_the_lower_third() {
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    let mut face = face();
    face.show_quit_prompt(true);
    check_face(
        &face,
        &state(),
        Some(&view),
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Okonkwo                                                          Lindqvist ●
        18  32 moves                                                              32 moves
        21                Leave this clock?   y: leave   any other key: stay
    "#]],
    );
    face.show_quit_prompt(false);
    assert_eq!(
        drawn(&face, &state(), Some(&view), (80, 24)),
        drawn(&board::face(), &state(), Some(&view), (80, 24))
    );
}

#[test]
fn long_names_are_shortened() {
    let mut state = state();
    state.names.white = "Wickramasinghe-Featherstonehaugh, Maximilian".into();
    state.names.black = "Николаевский-Преображенский, Константин".into();
    let view = running(Side::White, side(mins(31, 18), 32), side(mins(29, 2), 32));
    check(
        &state,
        &view,
        expect![[r#"
         0  Board 17   Round 5                                        hub ✓   battery 82 %
         2  ○ Wickramasinghe-Featherstonehaugh, M…  Николаевский-Преображенский, Конста… ●
        18  32 moves                                                              32 moves
    "#]],
    );
}
