//! Draws the cards of one board and of the hall. Owns their layout.

use shakmaty::{Board, Color, Role, Square};

use super::super::plain::state;
use super::super::words::Language;
use super::canvas::{Area, Canvas, Colour, PictureError, Type};
use crate::clock_text::in_hand;
use crate::live::Snapshot;
use hall::view::{BoardState, BoardView, EventView, Running, SideView};

/// The size of link previews (Open Graph), in pixels.
pub(super) const SIZE: (usize, usize) = (1200, 630);

/// Background of the light theme in `tokens.css`. Most other colours here are also from that theme.
const GROUND: Colour = [0xf1, 0xef, 0xea];
const SURFACE: Colour = [0xfc, 0xfb, 0xf8];
const LINE: Colour = [0xd8, 0xd4, 0xcb];
const INK: Colour = [0x1c, 0x1d, 0x1f];
const INK_2: Colour = [0x47, 0x48, 0x4a];
const RUN: Colour = [0x2a, 0x2e, 0x33];
const WHITE: Colour = [0xff, 0xff, 0xff];
const LIGHT_SQUARE: Colour = [0xe7, 0xe4, 0xdd];
const DARK_SQUARE: Colour = [0xb3, 0xad, 0xa0];
const MOVED_LIGHT: Colour = [0xe3, 0xd5, 0xa4];
const MOVED_DARK: Colour = [0xc2, 0xaf, 0x78];

const MARGIN: usize = 48;
const SQUARE: usize = 66;
const MAX_BOARDS: usize = 6;

pub(super) fn of_board(
    language: Language,
    event: &EventView,
    board: &BoardView,
) -> Result<Vec<u8>, PictureError> {
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, GROUND)?;
    let position = position(board);
    let left = match position {
        Some((pieces, moved)) => {
            diagram(&mut canvas, pieces, moved);
            MARGIN + 8 * SQUARE + MARGIN
        }
        None => MARGIN,
    };
    let room = SIZE.0 - MARGIN - left;
    canvas.text((left, 92), room, type_of(34, true, INK), &event.name);
    let name = language.say("more_title", &[("board", &board.board)]);
    let place = [round(language, event), Some(name)];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    canvas.text((left, 138), room, type_of(26, false, INK_2), &place);
    let has_diagram = position.is_some();
    for (side, mark, running) in [
        (&board.white, '○', Running::White),
        (&board.black, '●', Running::Black),
    ] {
        let area = face_area(running, has_diagram, left, room);
        face(&mut canvas, side, mark, board.running == running, area);
    }
    let end = end_of(language, board, String::new);
    canvas.text((left, 566), room, type_of(40, true, INK), &end);
    canvas.png()
}

pub(super) fn of_hall(language: Language, hall: &Snapshot) -> Result<Vec<u8>, PictureError> {
    let mut canvas = Canvas::new(SIZE.0, SIZE.1, GROUND)?;
    let room = SIZE.0 - 2 * MARGIN;
    let name = match hall.event.name.as_str() {
        "" => language.word("pub_live_boards"),
        name => name,
    };
    canvas.text((MARGIN, 104), room, type_of(52, true, INK), name);
    let boards = format!("{}: {}", language.word("boards"), hall.boards.len());
    let round = round(language, &hall.event);
    let place = [round, hall.event.place.clone(), Some(boards)];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    canvas.text((MARGIN, 152), room, type_of(28, false, INK_2), &place);
    for (n, board) in hall.boards.iter().take(MAX_BOARDS).enumerate() {
        let board = board.at(hall.hub_us);
        line(&mut canvas, language, &board, 190 + n * 66);
    }
    canvas.png()
}

fn line(canvas: &mut Canvas, language: Language, board: &BoardView, top: usize) {
    let (width, height) = (SIZE.0 - 2 * MARGIN, 58);
    let area = Area {
        x: MARGIN,
        y: top,
        width,
        height,
    };
    draw_frame(canvas, area, LINE, SURFACE);
    let (base, names) = (top + 39, type_of(26, true, INK));
    let number = type_of(26, false, INK_2);
    canvas.text((MARGIN + 20, base), 90, number, &board.board);
    canvas.text((MARGIN + 120, base), 350, names, &board.white.name);
    canvas.text((MARGIN + 490, base), 350, names, &board.black.name);
    let end = end_of(language, board, || {
        let times = [&board.white, &board.black].map(|side| in_hand(side.us, side.phase));
        times.join(" – ")
    });
    canvas.text_ending((SIZE.0 - MARGIN - 20, base), type_of(26, false, INK), &end);
}

fn draw_frame(canvas: &mut Canvas, area: Area, frame: Colour, ground: Colour) {
    canvas.fill(area, frame);
    let inner = Area {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width - 2,
        height: area.height - 2,
    };
    canvas.fill(inner, ground);
}

/// Returns the area of a player's clock. Beside a diagram, Black's is above, as on the board; without a diagram, White's is on the left.
fn face_area(side: Running, has_diagram: bool, left: usize, room: usize) -> Area {
    let is_black = side == Running::Black;
    match has_diagram {
        true => Area {
            x: left,
            y: if is_black { 176 } else { 342 },
            width: room,
            height: 150,
        },
        false => {
            let width = (room - MARGIN / 2) / 2;
            let x = left + if is_black { width + MARGIN / 2 } else { 0 };
            Area {
                x,
                y: 190,
                width,
                height: 300,
            }
        }
    }
}

fn face(canvas: &mut Canvas, side: &SideView, mark: char, running: bool, area: Area) {
    let (frame, ground, ink) = match running {
        true => (RUN, RUN, WHITE),
        false => (LINE, SURFACE, INK),
    };
    let (left, height) = (area.x + 24, area.height);
    draw_frame(canvas, area, frame, ground);
    let name = match side.name.as_str() {
        "" => "–",
        name => name,
    };
    let (room, name) = (area.width - 48, format!("{mark} {name}"));
    canvas.text((left, area.y + 52), room, type_of(32, true, ink), &name);
    let time = in_hand(side.us, side.phase);
    let style = type_of(if height > 200 { 128 } else { 72 }, true, ink);
    canvas.text((left, area.y + height - height / 6), room, style, &time);
}

/// Returns the pieces that spectators see, as the first field of a FEN, and the newest move in UCI, which is empty in Time Chess.
fn position(board: &BoardView) -> Option<(&str, &str)> {
    match (&board.written, &board.time_chess) {
        (Some(written), _) => Some((written.fen.split(' ').next()?, &*written.uci)),
        (None, of_day) => Some((&*of_day.as_ref()?.pieces, "")),
    }
}

fn diagram(canvas: &mut Canvas, pieces: &str, moved: &str) {
    let Ok(board) = Board::from_ascii_board_fen(pieces.as_bytes()) else {
        return;
    };
    let ends = [moved.get(0..2), moved.get(2..4)];
    for square in Square::ALL {
        let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
        let area = Area {
            x: MARGIN + file * SQUARE,
            y: MARGIN + 3 + (7 - rank) * SQUARE,
            width: SQUARE,
            height: SQUARE,
        };
        let moved = ends.contains(&Some(square.to_string().as_str()));
        let colour = match (square.is_light(), moved) {
            (true, false) => LIGHT_SQUARE,
            (true, true) => MOVED_LIGHT,
            (false, false) => DARK_SQUARE,
            (false, true) => MOVED_DARK,
        };
        canvas.fill(area, colour);
        if let Some(piece) = board.piece_at(square) {
            let (outline, body) = glyphs(piece.role);
            let style = |colour| Type {
                px: 62.0,
                bold: false,
                colour,
            };
            if piece.color == Color::White {
                canvas.glyph_in(area, style(WHITE), body);
                canvas.glyph_in(area, style(INK), outline);
            } else {
                canvas.glyph_in(area, style(INK), body);
            }
        }
    }
}

/// Returns the glyphs of a piece: its outline and its filled shape.
fn glyphs(role: Role) -> (char, char) {
    match role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    }
}

pub(super) fn round(language: Language, event: &EventView) -> Option<String> {
    let round = event.round?.to_string();
    Some(match event.rounds {
        Some(all) => language.say("round_of", &[("n", &round), ("all", &all.to_string())]),
        None => language.say("round_no", &[("n", &round)]),
    })
}

/// Returns a board's result or state, or the text of `running` while its clocks run.
fn end_of(language: Language, board: &BoardView, running: impl FnOnce() -> String) -> String {
    match &board.result {
        Some(result) => result.replace("1/2", "½").replace('-', "–"),
        None if board.state == BoardState::Running => running(),
        None => state(language, board).to_owned(),
    }
}

fn type_of(px: u8, bold: bool, colour: Colour) -> Type {
    Type {
        px: f32::from(px),
        bold,
        colour,
    }
}
