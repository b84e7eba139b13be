//! Faces for the tests: the board of the reference pictures, which each test may modify.

use clock_agent::face::{Charset, Face};
use clock_agent::face_state::{FaceState, FaceView, HubLink, JournalHealth, Message, MessageKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use timing::{
    Allotment, Board, BoardState, Button, BySide, Duration, FlagView, Instant, Side, SideView,
};

pub(crate) const NOW: Instant<Board> = Instant::from_micros(1_000_000_000);

pub(crate) fn state() -> FaceState {
    FaceState {
        board: "17".into(),
        round: "5".into(),
        names: BySide {
            white: "Okonkwo".into(),
            black: "Lindqvist".into(),
        },
        draw_odds: None,
        day: None,
        starts_at: None,
        sound: Default::default(),
        elsewhere: None,
        clock: None,
        unsaved: 0,
        unacknowledged: 0,
        hub: HubLink::Connected,
        battery_percent: Some(82),
        journal: JournalHealth::Writing,
        messages: Vec::new(),
        identify_until: None,
    }
}

pub(crate) fn message(text: &str) -> Message {
    Message {
        kind: MessageKind::Hub,
        text: text.into(),
    }
}

/// Returns a side in its first period's main time.
pub(crate) fn side(time: Duration, moves: u32) -> SideView {
    SideView {
        time,
        allotment: Allotment::Main,
        moves,
        period: 1,
        byo_left: None,
        stones: None,
        bank: None,
        points: None,
        delay_left: None,
        flag: FlagView::None,
    }
}

/// Returns a view with both sides on one clock; White's button is the left one.
pub(crate) fn view(state: BoardState, white: SideView, black: SideView) -> FaceView {
    FaceView {
        white_button: Button::Left,
        sides: BySide { white, black },
        state,
        running: state.running(),
        first_flag: None,
        result: None,
        control: "90m+30s".into(),
        unknown: None,
    }
}

pub(crate) fn running(mover: Side, white: SideView, black: SideView) -> FaceView {
    view(BoardState::Running { mover }, white, black)
}

pub(crate) fn mins(minutes: i64, seconds: i64) -> Duration {
    Duration::from_secs(minutes * 60 + seconds)
}

/// Returns the face as drawn on a terminal of this size, including trailing spaces.
pub(crate) fn drawn(
    face: &Face,
    state: &FaceState,
    view: Option<&FaceView>,
    (width, height): (u16, u16),
) -> Vec<String> {
    let buffer = cells(face, state, view, (width, height));
    (0..height)
        .map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect())
        .collect()
}

pub(crate) fn cells(
    face: &Face,
    state: &FaceState,
    view: Option<&FaceView>,
    (width, height): (u16, u16),
) -> ratatui::buffer::Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            let area = frame.area();
            face.draw_view(frame.buffer_mut(), area, state, view, NOW);
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

pub(crate) fn face() -> Face {
    Face::new(Charset::Unicode, true)
}

/// Returns the face as one string, with a bar at each end of a row, so that margins are visible.
pub(crate) fn text(
    face: &Face,
    state: &FaceState,
    view: Option<&FaceView>,
    size: (u16, u16),
) -> String {
    let mut text = String::new();
    for line in drawn(face, state, view, size) {
        text.push('│');
        text.push_str(&line);
        text.push_str("│\n");
    }
    text
}
