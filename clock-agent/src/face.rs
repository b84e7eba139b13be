//! The clock's face: two large times, with the running one in reverse video, and few words.
//!
//! Owns the display that players and arbiters see on the clock. Must never decide anything about time (it draws the result of [`FaceState::at`]),
//! read a system clock, blink, or move a digit.

mod clock_text;
mod control_words;
mod digits;
mod draw;
mod field;
mod layout;
mod plain;
mod redraw;
mod screen;
mod words;

pub use clock_text::{ClockText, clock_text, overtime_text};
pub use control_words::control_words;
pub use plain::PlainFace;
pub use screen::{Charset, Screen};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use timing::{Board, Duration, Instant};

use crate::correcting::DialogView;
use crate::face_state::{FaceState, FaceView};

/// Delay before the face reports an unsaved event. A healthy journal saves within a few milliseconds; without the delay, the warning would flash at
/// each press.
const UNSAVED_SHOWN_AFTER: Duration = Duration::from_millis(500);

/// The face on a terminal of any size from 1 × 1; designed for 80 × 24.
#[derive(Clone, Debug)]
pub struct Face {
    charset: Charset,
    coloured: bool,
    asking_to_quit: bool,
    correcting: Option<DialogView>,
    unsaved_since: Option<Instant<Board>>,
}

/// Returns `digits` in headline size, one string per row; `digits` unchanged if they do not fit.
pub fn large(digits: &str, charset: Charset) -> Vec<String> {
    /// Maximum width and height of the digits, in cells.
    const ROOM: (u16, u16) = (36, 9);
    let Some(font) = digits::Font::largest(&[digits], ROOM.0, ROOM.1) else {
        return vec![digits.to_owned()];
    };
    let lit = match charset {
        Charset::Unicode => '█',
        Charset::Ascii => '#',
    };
    let line = |row: Vec<bool>| -> String {
        let row = row.into_iter();
        row.map(|point| if point { lit } else { ' ' }).collect()
    };
    font.draw(digits).into_iter().map(line).collect()
}

impl Face {
    /// Creates a face for a terminal with this `charset`. If `coloured` is true, the sign of a fallen flag is red.
    pub fn new(charset: Charset, coloured: bool) -> Self {
        Self {
            charset,
            coloured,
            asking_to_quit: false,
            correcting: None,
            unsaved_since: None,
        }
    }

    pub fn show_quit_prompt(&mut self, asking: bool) {
        self.asking_to_quit = asking;
    }

    /// Shows the correction dialog below the clocks, or hides it if `view` is `None`.
    pub fn correct(&mut self, view: Option<DialogView>) {
        self.correcting = view;
    }

    /// Takes note of a changed state. Call this once after each change, before drawing.
    pub fn note(&mut self, state: &FaceState, now: Instant<Board>) {
        self.unsaved_since = match state.unsaved {
            0 => None,
            _ => self.unsaved_since.or(Some(now)),
        };
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect, state: &FaceState, now: Instant<Board>) {
        self.draw_view(buffer, area, state, state.at(now).as_ref(), now);
    }

    /// Draws a face for an evaluated view; `view` is `None` while there is no clock to show.
    pub fn draw_view(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        state: &FaceState,
        view: Option<&FaceView>,
        now: Instant<Board>,
    ) {
        draw::Drawing {
            face: self,
            state,
            view,
            now,
        }
        .draw(buffer, area);
    }

    /// Returns the next instant at which the face changes without any event; `None` if only an event can change it.
    pub fn next_redraw(&self, state: &FaceState, now: Instant<Board>) -> Option<Instant<Board>> {
        let sign = self
            .unsaved_since
            .map(|since| since + UNSAVED_SHOWN_AFTER)
            .filter(|&at| at > now);
        redraw::next_change(state, now)
            .into_iter()
            .chain(sign)
            .min()
    }

    fn unsaved_shown(&self, now: Instant<Board>) -> bool {
        self.unsaved_since
            .is_some_and(|since| now >= since + UNSAVED_SHOWN_AFTER)
    }
}
