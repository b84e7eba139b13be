//! Draws the face into a buffer of cells.
//!
//! Owns the placement of texts within the parts of the layout, and how they are shortened. Must never keep state between two draws: the same state at
//! the same instant yields the same picture.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use timing::{Board, BoardState, Button, Instant, Side};

use super::Face;
use super::field::{Pixels, font};
use super::layout::Layout;
use super::screen::Charset;
use super::words;
use crate::correcting::DialogView;
use crate::face_state::{FaceState, FaceView, JournalHealth};

/// Width in columns that is reserved for a sign ("runs next", "FLAG") before the moves.
const SIGN_WIDTH: usize = 22;

pub(crate) struct Drawing<'a> {
    pub(crate) face: &'a Face,
    pub(crate) state: &'a FaceState,
    pub(crate) view: Option<&'a FaceView>,
    pub(crate) now: Instant<Board>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Left,
    Centre,
    Right,
}

impl Drawing<'_> {
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let area = area.intersection(buffer.area);
        for position in area.positions() {
            buffer[position].reset();
        }
        let layout = Layout::of(area);
        self.status(buffer, area, layout.status);
        self.names(buffer, layout.names);
        if let Some(view) = self.view {
            for button in [Button::Left, Button::Right] {
                let side = side_of(view, button);
                let field = match button {
                    Button::Left => layout.left,
                    Button::Right => layout.right,
                };
                self.field(buffer, field, view, side);
                let under = Rect {
                    x: field.x,
                    width: field.width,
                    ..layout.moves
                };
                self.moves(buffer, under, view, side, button);
            }
        }
        self.lower(buffer, layout.lower);
    }

    /// Draws the status line: board and round on the left; unsaved events, hub and battery on the right. Identification or a failed journal takes the
    /// whole line.
    fn status(&self, buffer: &mut Buffer, area: Rect, part: Rect) {
        if part.is_empty() {
            return;
        }
        let whole_line = if self.state.identifying(self.now) {
            Some("THIS CLOCK")
        } else if self.state.journal == JournalHealth::Failed {
            Some(words::JOURNAL_FAILED)
        } else {
            None
        };
        if let Some(text) = whole_line {
            let line = Rect {
                x: area.x,
                width: area.width,
                ..part
            };
            buffer.set_style(line, Style::new().add_modifier(Modifier::REVERSED));
            self.write(buffer, line, At::Centre, text, Style::new());
            return;
        }
        let playing = self
            .view
            .is_some_and(|view| matches!(view.state, BoardState::Running { .. }));
        let unsaved = self.face.unsaved_shown(self.now);
        let corners = words::corner(self.state, playing, unsaved, self.now);
        let places = words::place(self.state);
        let room = |place: &String, corner: &String| {
            self.width(place) + self.width(corner) + 2 <= usize::from(part.width)
        };
        // Shorten the left (first the round, then the board) before the right, which reports problems.
        let pick = corners
            .iter()
            .flat_map(|corner| places.iter().map(move |place| (place, corner)))
            .find(|(place, corner)| room(place, corner));
        match pick {
            Some((place, corner)) => {
                self.write(buffer, part, At::Left, place, Style::new());
                self.write(buffer, part, At::Right, corner, Style::new());
            }
            None => {
                let corner = corners.last().map_or("", String::as_str);
                self.write(buffer, part, At::Right, corner, Style::new());
            }
        }
    }

    fn names(&self, buffer: &mut Buffer, part: Rect) {
        let white_button = self.view.map_or(Button::Left, |view| view.white_button);
        for side in Side::BOTH {
            let name = self.state.names[side].as_str();
            let sign = match (side, self.face.charset) {
                (Side::White, Charset::Unicode) => "○",
                (Side::Black, Charset::Unicode) => "●",
                (Side::White, Charset::Ascii) => "O",
                (Side::Black, Charset::Ascii) => "@",
            };
            let width = usize::from(part.width / 2).saturating_sub(3);
            let name = self.shortened(name, width);
            let left = (side == Side::White) == (white_button == Button::Left);
            let (at, text) = match (left, name.as_str()) {
                (true, "") => (At::Left, sign.to_owned()),
                (false, "") => (At::Right, sign.to_owned()),
                (true, name) => (At::Left, format!("{sign} {name}")),
                (false, name) => (At::Right, format!("{name} {sign}")),
            };
            self.write(buffer, part, at, &text, Style::new());
        }
    }

    /// Draws the digits of one side; while its clock runs, they are dark on a lit field.
    fn field(&self, buffer: &mut Buffer, field: Rect, view: &FaceView, side: Side) {
        if field.is_empty() {
            return;
        }
        let running = view.running == Some(side);
        let text = words::digits(&view.sides[side]);
        let quarters = self.face.charset == Charset::Unicode;
        if let Some((font, scale)) = font(&text, field, quarters) {
            let points = Pixels::of(field, scale, running, font, &text.whole());
            points.write(buffer, field, self.face.charset);
            return;
        }
        let mut style = Style::new().add_modifier(Modifier::BOLD);
        if running {
            style = style.add_modifier(Modifier::REVERSED);
            buffer.set_style(field, style);
        }
        let middle = row(field, (field.height - 1) / 2);
        self.write(buffer, middle, At::Centre, &text.whole(), style);
    }

    fn moves(&self, buffer: &mut Buffer, part: Rect, view: &FaceView, side: Side, button: Button) {
        let arrow = match self.face.charset {
            Charset::Unicode => "►",
            Charset::Ascii => ">",
        };
        let room = usize::from(part.width);
        let fits = |(sign, body): &(String, String)| {
            let apart = if sign.is_empty() || body.is_empty() {
                0
            } else {
                2
            };
            self.width(sign) + apart + self.width(body) <= room
        };
        let Some((sign, body)) = words::under_clock(view, side, arrow).into_iter().find(fits)
        else {
            return;
        };
        let fallen = words::flag(view, side).is_some();
        let style = match fallen && self.face.coloured {
            true => Style::new().fg(Color::Red),
            false => Style::new(),
        };
        self.write(buffer, part, At::Left, &sign, style);
        let before = match sign.as_str() {
            "" => 0,
            sign => (room - self.width(&body)).min(SIGN_WIDTH.max(self.width(sign) + 2)),
        };
        match button {
            Button::Left => {
                let after_sign = Rect {
                    x: part.x + cells(before),
                    width: part.width - cells(before),
                    ..part
                };
                self.write(buffer, after_sign, At::Left, &body, Style::new());
            }
            Button::Right => self.write(buffer, part, At::Right, &body, Style::new()),
        }
    }

    fn lower(&self, buffer: &mut Buffer, part: Rect) {
        if part.is_empty() {
            return;
        }
        if self.face.asking_to_quit {
            let row = row(part, (part.height - 1) / 2);
            buffer.set_style(row, Style::new().add_modifier(Modifier::REVERSED));
            let question = match part.width {
                ..60 => "Leave this clock? y: yes",
                60.. => "Leave this clock?   y: leave   any other key: stay",
            };
            self.write(buffer, row, At::Centre, question, Style::new());
            return;
        }
        if let Some(view) = &self.face.correcting {
            self.correcting(buffer, part, view);
            return;
        }
        let face_message = words::face_message(self.state, self.view, self.now);
        let single = face_message.text.is_empty() && face_message.quiet;
        if single || part.height == 1 {
            let text = [face_message.headline.as_str()]
                .into_iter()
                .chain(face_message.text.iter().map(String::as_str))
                .find(|text| !text.is_empty())
                .unwrap_or_default();
            let width = usize::from(part.width.saturating_sub(2));
            let text = self.shortened(text, width);
            self.write(
                buffer,
                row(part, (part.height - 1) / 2),
                At::Centre,
                &text,
                Style::new(),
            );
            return;
        }
        let width = usize::from(part.width.saturating_sub(4)).max(1);
        let mut first = 0;
        for (line, at) in self
            .wrapped(&face_message.headline, width)
            .iter()
            .zip(0..part.height)
        {
            self.write(buffer, row(part, at), At::Centre, line, Style::new());
            first = at + 1;
        }
        let lines: Vec<_> = face_message
            .text
            .iter()
            .flat_map(|text| self.wrapped(text, width))
            .collect();
        // Leave an empty row between headline and text, if there is room.
        let room = usize::from(part.height - first);
        if lines.len() < room && first > 0 {
            first += 1;
        }
        let room = usize::from(part.height - first);
        for (place, (line, at)) in lines.iter().zip(first..part.height).enumerate() {
            let cut = place + 1 == room && lines.len() > room;
            let line = if cut {
                self.shortened(&format!("{line} {}", lines[place + 1]), width)
            } else {
                line.clone()
            };
            self.write(buffer, row(part, at), At::Centre, &line, Style::new());
        }
    }

    /// Draws the correction dialog: a headline in reverse video, and as many of the last lines as fit. The last line is the most important: it is the
    /// error, if there is one.
    fn correcting(&self, buffer: &mut Buffer, part: Rect, view: &DialogView) {
        let headline = row(part, 0);
        buffer.set_style(headline, Style::new().add_modifier(Modifier::REVERSED));
        self.write(buffer, headline, At::Centre, &view.headline, Style::new());
        let room = usize::from(part.height - 1);
        let over = view.lines.len().saturating_sub(room);
        let kept = view.lines.iter().skip(over);
        for (line, at) in kept.zip(1..part.height) {
            let width = usize::from(part.width.saturating_sub(2));
            let line = self.shortened(line, width);
            self.write(buffer, row(part, at), At::Centre, &line, Style::new());
        }
    }

    fn write(&self, buffer: &mut Buffer, part: Rect, at: At, text: &str, style: Style) {
        if part.is_empty() {
            return;
        }
        let text = self.face.charset.text(text);
        let width = self.width(&text).min(usize::from(part.width));
        let before = match at {
            At::Left => 0,
            At::Centre => (usize::from(part.width) - width) / 2,
            At::Right => usize::from(part.width) - width,
        };
        buffer.set_stringn(part.x + cells(before), part.y, text, width, style);
    }

    fn width(&self, text: &str) -> usize {
        Line::raw(self.face.charset.text(text)).width()
    }

    /// Returns `text`, shortened with an ellipsis if it does not fit into `width` columns.
    fn shortened(&self, text: &str, width: usize) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut kept = text.to_owned();
        while !kept.is_empty() && self.width(kept.trim_end()) + self.width("…") > width {
            kept.pop();
        }
        format!("{}…", kept.trim_end())
    }

    /// Splits `text` between words into lines of at most `width` columns. Shortens words that are longer.
    fn wrapped(&self, text: &str, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let word = self.shortened(word, width);
            match lines.last_mut() {
                Some(line) if self.width(line) + 1 + self.width(&word) <= width => {
                    line.push(' ');
                    line.push_str(&word);
                }
                Some(_) | None => lines.push(word),
            }
        }
        lines
    }
}

/// Returns the side that presses `button`. The face shows that side's time on the same half of the display.
fn side_of(view: &FaceView, button: Button) -> Side {
    if button == view.white_button {
        Side::White
    } else {
        Side::Black
    }
}

fn row(part: Rect, at: u16) -> Rect {
    Rect {
        y: part.y + at,
        height: 1,
        ..part
    }
}

/// Converts a number of columns. The conversion cannot fail, because the number is at most the width of the face.
fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
