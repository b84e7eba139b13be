//! Plays a game of Time Chess between two random players. Prints, for each phase, the boards as White, Black and the
//! spectators see them.
//!
//! `cargo run -p time-chess --example random_game -- SEED CONTROL`, for example `7 3m+2s`. Time is simulated, so a
//! game runs instantly.
#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use time_chess::shakmaty::{Board, Color, File, Rank, Square};
use time_chess::{Annotated, Position, Press, TimedGame, View, Viewer, color_of, side_of};
use timing::{Button, Instant, Side};

/// Upper bound of the random part of the time used for a move, in microseconds.
const MAX_THOUGHT: u64 = 9_000_000;
/// Minimum time used for a move, in microseconds.
const MIN_THOUGHT: i64 = 500_000;

type Timed = TimedGame<timing::Board>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let control = arguments.next().unwrap_or_else(|| "3m+2s".to_owned());
    let mut game = Timed::new(Position::default(), control.parse()?);
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut now = Instant::from_micros(0);
    let _ = game.start(now)?;
    while game.game().outcome().is_none() {
        now = turn(&mut game, now, &mut random)?;
    }
    if let Some(outcome) = game.game().outcome() {
        println!("{outcome}\n");
    }
    let mut pgn = Annotated::new(game.game().clone());
    pgn.set_tag("Event", "Two random players")?;
    pgn.set_tag("TimeControl", &control)?;
    println!("{pgn}");
    Ok(())
}

/// Prints the phase and plays its turn. Returns the instant at which the turn ends.
fn turn(
    game: &mut Timed,
    now: Instant<timing::Board>,
    random: &mut SplitMix64,
) -> Result<Instant<timing::Board>, Box<dyn Error>> {
    let mover = game.game().position().mover();
    let side = side_of(mover);
    println!("{}", heading(game, now));
    println!("{}", boards(game));
    let thought = i64::try_from(random.next_u64() % MAX_THOUGHT)?;
    let pressed = Instant::from_micros(now.as_micros() + MIN_THOUGHT + thought);
    if game.remaining(side, pressed).as_micros() <= 0 {
        let deadline = game.clocks().next_deadline().unwrap_or(pressed);
        if game.call_flag(deadline, side).is_ok() {
            println!("The flag of {mover} has fallen and is called.");
            return Ok(deadline);
        }
    }
    let attempts = game.game().view(Viewer::Player(mover)).attempts;
    let place = random.next_u64() % attempts.len() as u64;
    let _ = game.play(pressed, attempts[usize::try_from(place)?])?;
    for (name, viewer) in [
        ("White", Viewer::Player(Color::White)),
        ("Black", Viewer::Player(Color::Black)),
        ("spectators", Viewer::Spectator),
    ] {
        if let Some(turn) = game.game().view(viewer).turns.last() {
            print!("{name}: {turn}   ");
        }
    }
    println!("\n");
    let button = match side {
        Side::White => Button::Left,
        Side::Black => Button::Right,
    };
    if game.game().outcome().is_none() {
        match game.on_press(pressed, side, button) {
            Press::Advanced(..) => (),
            Press::WithoutMove(_) | Press::Ignored(_) => {
                println!("The press of {} was ignored.", color_of(side));
            }
        }
    }
    Ok(pressed)
}

fn heading(game: &Timed, now: Instant<timing::Board>) -> String {
    let phase = game.game().phase();
    let blind = phase.blind().map_or_else(
        || "everyone sees".to_owned(),
        |blind| format!("{blind} is blind"),
    );
    let seconds = |side| game.remaining(side, now).as_micros() / 1_000_000;
    format!(
        "{} {phase}: {} moves, {blind}; White {} s, Black {} s",
        game.game().position().fullmoves(),
        phase.mover(),
        seconds(Side::White),
        seconds(Side::Black)
    )
}

/// Returns the three boards side by side. `?` marks a square where a piece may be hidden from the viewer.
fn boards(game: &Timed) -> String {
    let views = [
        game.game().view(Viewer::Player(Color::White)),
        game.game().view(Viewer::Player(Color::Black)),
        game.game().view(Viewer::Spectator),
    ];
    let mut text = "   White             Black             spectators\n".to_owned();
    for rank in Rank::ALL.iter().rev() {
        for view in &views {
            text += &format!("   {}", row(view, *rank));
        }
        text.push('\n');
    }
    text
}

fn row(view: &View, rank: Rank) -> String {
    let sees = |side| view.outcome.is_some() || view.viewer.sees(side, view.phase);
    let empty = if sees(Color::White) && sees(Color::Black) {
        '.'
    } else {
        '?'
    };
    let letter = |board: &Board, file| {
        let square = Square::from_coords(file, rank);
        board.piece_at(square).map_or(empty, |piece| piece.char())
    };
    let letters = File::ALL.map(|file| letter(&view.board, file).to_string());
    letters.join(" ")
}
