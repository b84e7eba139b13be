//! The face before the game (countdown and draw odds), and after a draw.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use crate::board;
use clock_agent::face::{Charset, Face, PlainFace};
use clock_agent::face_state::FaceState;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use timing::{BoardClock, BoardState, Button, Command, Duration, Setup, Side, StartRule};

fn waiting() -> FaceState {
    FaceState {
        clock: Some(BoardClock::new(Setup {
            control: "5m".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        })),
        draw_odds: Some(Side::Black),
        day: None,
        starts_at: Some(board::NOW + Duration::from_millis(299_500)),
        ..board::state()
    }
}

fn drawn(face: &Face, state: &FaceState, after: Duration) -> String {
    let area = Rect::new(0, 0, 80, 24);
    let mut buffer = Buffer::empty(area);
    face.draw(&mut buffer, area, state, board::NOW + after);
    buffer
        .content()
        .iter()
        .map(ratatui::buffer::Cell::symbol)
        .collect()
}

#[test]
fn the_face_counts_down_and_shows_draw_odds() {
    let face = Face::new(Charset::Unicode, false);
    let state = waiting();
    let text = drawn(&face, &state, Duration::ZERO);
    assert!(text.contains("The game starts in 5:00."), "{text}");
    assert!(text.contains("A draw counts as a win for Black."), "{text}");
    let next = face.next_redraw(&state, board::NOW).unwrap();
    assert_eq!(next - board::NOW, Duration::from_millis(500));
    let text = drawn(&face, &state, next - board::NOW);
    assert!(text.contains("The game starts in 4:59."), "{text}");
    let text = drawn(&face, &state, Duration::from_secs(300));
    assert!(!text.contains("starts"), "{text}");
}

#[test]
fn a_running_game_hides_countdown_and_draw_odds() {
    let face = Face::new(Charset::Unicode, false);
    let mut state = waiting();
    let clock = state.clock.as_mut().unwrap();
    let _ = clock.on_command(board::NOW, &Command::Start(None)).unwrap();
    assert!(matches!(clock.state(), BoardState::Running { .. }));
    let text = drawn(&face, &state, Duration::ZERO);
    assert!(!text.contains("starts") && !text.contains("draw"), "{text}");
}

#[test]
fn the_plain_face_reports_them_once() {
    let mut face = PlainFace::new();
    let mut state = waiting();
    let lines = face.changes(&state, board::NOW);
    assert!(
        lines.iter().any(|line| line == "The game starts in 5:00."),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line == "A draw counts as a win for Black."),
        "{lines:?}"
    );
    assert_eq!(
        face.changes(&state, board::NOW + Duration::from_secs(3)),
        Vec::<String>::new()
    );
    state.starts_at = None;
    let lines = face.changes(&state, board::NOW + Duration::from_secs(4));
    assert_eq!(lines, ["A draw counts as a win for Black."]);
}

#[test]
fn a_draw_is_shown_with_its_draw_odds() {
    let mut state = waiting();
    let clock = state.clock.as_mut().unwrap();
    let _ = clock.on_command(board::NOW, &Command::Start(None)).unwrap();
    let draw = "end draw".parse().unwrap();
    let _ = clock.on_command(board::NOW, &draw).unwrap();
    let face = Face::new(Charset::Unicode, false);
    let text = drawn(&face, &state, Duration::ZERO);
    assert!(text.contains("½–½ Black has draw odds"), "{text}");
    let lines = PlainFace::new().changes(&state, board::NOW);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("The game is over: ½–½, Black has draw odds.")),
        "{lines:?}"
    );
}
