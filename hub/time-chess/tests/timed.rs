//! The clock of a Time Chess game: the press advances the day, and a forfeited turn is charged like any other.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use time_chess::shakmaty::Color;
use time_chess::{
    Attempt, Outcome, Phase, Position, Press, Reason, Refusal, TimedGame, TimedRefusal, TurnResult,
};
use timing::{Board, Button, Duration, GameResult, Instant, Side};

const CONTROLS: [&str; 6] = [
    "3m+2s",
    "5m",
    "2m delay 3s",
    "2m bronstein 3s",
    "1m byo 3x10s",
    "5m hourglass",
];

fn second(seconds: i64) -> Instant<Board> {
    Instant::from_micros(seconds * 1_000_000)
}

fn attempt(text: &str) -> Attempt {
    text.parse().unwrap()
}

fn timed(fen: &str, control: &str) -> TimedGame<Board> {
    let start: Position = fen.parse().unwrap();
    let mut game = TimedGame::new(start, control.parse().unwrap());
    let _ = game.start(second(0)).unwrap();
    game
}

fn press(game: &mut TimedGame<Board>, at: i64, side: Side) -> Press<Board> {
    let button = match side {
        Side::White => Button::Left,
        Side::Black => Button::Right,
    };
    game.on_press(second(at), side, button)
}

const BLOCKED: &str = "4k3/p7/8/3p4/3P4/8/P7/R3K3 b - - 0 9 evening";

#[test]
fn the_clock_starts_with_black_at_dawn() {
    let game = timed(&Position::default().to_string(), "3m+2s");
    assert_eq!(game.clocks().running(), Some(Side::Black));
    assert_eq!(
        game.remaining(Side::Black, second(5)),
        Duration::from_secs(177)
    );
    assert_eq!(
        game.remaining(Side::White, second(5)),
        Duration::from_secs(182)
    );
}

#[test]
fn the_press_advances_the_day() {
    let mut game = timed(&Position::default().to_string(), "3m+2s");
    let _ = game.play(second(4), attempt("e7e5")).unwrap();
    assert_eq!(game.game().phase(), Phase::Dawn);
    assert_eq!(game.clocks().running(), Some(Side::Black));
    let pressed = press(&mut game, 6, Side::Black);
    assert!(
        matches!(pressed, Press::Advanced(Phase::Midday, _)),
        "{pressed:?}"
    );
    assert_eq!(game.clocks().running(), Some(Side::White));
    assert_eq!(
        game.remaining(Side::Black, second(9)),
        Duration::from_secs(178)
    );
}

#[test]
fn a_forfeited_turn_is_charged_like_a_played_one() {
    for control in CONTROLS {
        let (mut forfeited, mut played) = (timed(BLOCKED, control), timed(BLOCKED, control));
        let (turn, _) = forfeited.play(second(7), attempt("d5d4")).unwrap();
        assert!(matches!(turn.result, TurnResult::Forfeited(_)));
        let (turn, _) = played.play(second(7), attempt("a7a6")).unwrap();
        assert!(matches!(turn.result, TurnResult::Played(_)));
        let pressed = press(&mut forfeited, 9, Side::Black);
        assert!(
            matches!(pressed, Press::Advanced(Phase::Dusk, _)),
            "{control}"
        );
        assert_eq!(pressed, press(&mut played, 9, Side::Black), "{control}");
        assert_eq!(forfeited.clocks(), played.clocks(), "{control}");
        let before = timed(BLOCKED, control).remaining(Side::Black, second(0));
        let after = forfeited.remaining(Side::Black, second(9));
        assert!(after < before, "{control}: {before} before, {after} after");
    }
}

#[test]
fn a_press_without_a_move_changes_neither_clock_nor_day() {
    let mut game = timed(BLOCKED, "3m+2s");
    let pressed = press(&mut game, 5, Side::Black);
    assert!(matches!(pressed, Press::WithoutMove(_)), "{pressed:?}");
    assert_eq!(game.clocks().running(), Some(Side::Black));
    assert_eq!(game.game().phase(), Phase::Evening);
    assert_eq!(
        game.remaining(Side::Black, second(8)),
        Duration::from_secs(174)
    );
}

#[test]
fn the_opponent_cannot_press_the_movers_turn_away() {
    let mut game = timed(BLOCKED, "3m+2s");
    let _ = game.play(second(2), attempt("a7a6")).unwrap();
    let pressed = press(&mut game, 3, Side::White);
    assert!(matches!(pressed, Press::Ignored(_)), "{pressed:?}");
    assert_eq!(game.game().phase(), Phase::Evening);
    let pressed = press(&mut game, 4, Side::Black);
    assert!(
        matches!(pressed, Press::Advanced(Phase::Dusk, _)),
        "{pressed:?}"
    );
}

#[test]
fn no_move_is_made_while_the_clocks_stand() {
    let mut game = TimedGame::<Board>::new(Position::default(), "3m".parse().unwrap());
    let refused = game.play(second(1), attempt("e7e5"));
    assert_eq!(refused.unwrap_err(), TimedRefusal::Stopped);
}

#[test]
fn a_refused_move_keeps_the_clock_running() {
    let mut game = timed(BLOCKED, "3m");
    let refused = game.play(second(1), attempt("a7a3")).unwrap_err();
    assert_eq!(
        refused,
        TimedRefusal::Game(Refusal::NotPossible(attempt("a7a3")))
    );
    assert_eq!(
        game.remaining(Side::Black, second(10)),
        Duration::from_secs(170)
    );
}

#[test]
fn checkmate_stops_the_clocks_without_a_press() {
    let mut game = timed("2r3k1/8/8/8/8/8/r7/7K b - - 0 9 dawn", "3m");
    let _ = game.play(second(10), attempt("c8c1")).unwrap();
    assert_eq!(game.clocks().result(), Some(GameResult::BlackWins));
    assert_eq!(
        game.remaining(Side::Black, second(60)),
        Duration::from_secs(170)
    );
    assert_eq!(
        game.game().outcome(),
        Some(Outcome::win(Color::Black, Reason::Checkmate))
    );
}

#[test]
fn a_flag_decides_only_when_it_is_called() {
    let mut game = timed(BLOCKED, "3m");
    assert_eq!(
        game.call_flag(second(179), Side::Black),
        Err(TimedRefusal::NoFlag)
    );
    assert_eq!(game.game().outcome(), None);
    assert_eq!(
        game.call_flag(second(180), Side::White),
        Err(TimedRefusal::NoFlag)
    );
    let outcome = Outcome::win(Color::White, Reason::FlagFall);
    assert_eq!(game.call_flag(second(180), Side::Black), Ok(outcome));
    assert_eq!(game.clocks().result(), Some(GameResult::WhiteWins));
    assert_eq!(game.game().outcome(), Some(outcome));
}

#[test]
fn a_flag_against_a_bare_king_is_a_draw() {
    let mut game = timed("4k3/p7/8/8/8/8/8/4K3 b - - 0 9 evening", "1m");
    let drawn = Outcome::draw(Reason::FlagFall);
    assert_eq!(game.call_flag(second(60), Side::Black), Ok(drawn));
    assert_eq!(game.clocks().result(), Some(GameResult::Draw));
}

#[test]
fn the_last_piece_counts_as_captured_before_the_press() {
    let mut game = timed("4k3/8/8/8/8/8/4r3/4R1K1 b - - 0 9 evening", "1m");
    let _ = game.play(second(30), attempt("e2e1")).unwrap();
    let drawn = Outcome::draw(Reason::FlagFall);
    assert_eq!(game.call_flag(second(60), Side::Black), Ok(drawn));
}

#[test]
fn a_resignation_ends_game_and_clocks() {
    let mut game = timed(BLOCKED, "3m");
    let resigned = Outcome::win(Color::White, Reason::Resignation);
    let _ = game.conclude(second(3), resigned).unwrap();
    assert_eq!(game.clocks().result(), Some(GameResult::WhiteWins));
    let again = game.conclude(second(4), resigned).unwrap_err();
    assert_eq!(again, TimedRefusal::Game(Refusal::GameOver(resigned)));
}
