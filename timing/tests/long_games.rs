//! Games of ten thousand moves and controls of a hundred years, under most methods: no panic, no overflow, no rounding errors.

use timing::{
    BoardClock, BoardState, Button, Command, Duration, Fact, Instant, Setup, Side, StartRule,
};

const MOVES: u32 = 10_000;

fn started(control: &str) -> BoardClock {
    let control = control
        .parse()
        .unwrap_or_else(|error| panic!("{control}: {error}"));
    let mut clock = BoardClock::new(Setup {
        control,
        start: StartRule::Arbiter,
        white: Button::Left,
    });
    drop(
        clock
            .on_command(Instant::from_micros(0), &Command::Start(None))
            .expect("a fresh game starts"),
    );
    clock
}

/// Returns the clock and the number of moves that White has completed.
fn play(control: &str, think: Duration) -> (BoardClock, u32) {
    let mut clock = started(control);
    let (mut now, mut button) = (Instant::from_micros(0), Button::Left);
    for _ in 0..2 * MOVES {
        now = now + think;
        drop(clock.on_fact(now, Fact::Pressed(button)));
        button = button.other();
    }
    let moves = clock.side(Side::White, now).moves;
    (clock, moves)
}

#[test]
fn ten_thousand_moves_under_every_method() {
    for control in [
        "36525d",
        "36525d+36525d",
        "36524d+1d cap 36525d",
        "1/36525d : 36525d",
        "1d delay 36525d",
        "36525d bronstein 36525d",
        "0s byo 4294967295x36525d",
        "0s canadian 4294967295/36525d",
        "36525d hourglass",
        "move 36525d",
        "up",
        "0.001ms overtime 4294967295/0.001ms",
        "triple 1100 gt",
    ] {
        for think in [Duration::from_secs(1), Duration::from_mins(50)] {
            let (clock, moves) = play(control, think);
            assert_eq!(moves, MOVES, "{control}: {:?}", clock.state());
        }
    }
}

#[test]
fn increments_of_a_hundred_years_saturate() {
    let (clock, _) = play("36525d+36525d", Duration::MICROSECOND);
    assert_eq!(
        clock.side(Side::White, clock.now()).time,
        Duration::MAX - Duration::MICROSECOND + Duration::MICROSECOND
    );
}

#[test]
fn a_hundred_years_are_exact() {
    let mut clock = started("36525d+0.001ms");
    let flag = Instant::from_micros(0) + Duration::LONGEST_IN_NOTATION + Duration::MICROSECOND;
    assert_eq!(clock.next_deadline(), Some(flag));
    drop(clock.pass_time(flag - Duration::MICROSECOND));
    assert_eq!(clock.state(), BoardState::Running { mover: Side::White });
    drop(clock.pass_time(flag));
    assert_eq!(clock.state(), BoardState::Flagged { side: Side::White });
}

#[test]
fn the_ends_of_time_do_not_overflow() {
    for control in [
        "5m",
        "5m byo 4294967295x0.001ms",
        "up",
        "5m overtime 1/0.001ms",
        "1s hourglass",
        "1s hourglass runs on",
    ] {
        let mut clock = started(control);
        drop(clock.pass_time(Instant::MAX));
        let _ = (
            clock.plan(Instant::MAX),
            clock.next_deadline(),
            clock.snapshot().to_bytes(),
        );
        drop(clock.on_fact(Instant::MIN, Fact::Pressed(Button::Left)));
    }
}
