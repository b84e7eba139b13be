//! The board's clock as both hub and clock must compute it: the effect of each event in a chain. The rules of time are
//! in `timing`.

use proto::wire::{event_body::Fact, order};
use sha2::{Digest as _, Sha256};
use timing::Fact as Touch;
use timing::{Board, BoardClock, BoardState, Button, ClockStep, Command, Instant, Snapshot};

/// Applies one event to `clock`. `order` is the content of the order that the event confirms.
pub(crate) fn apply(
    clock: &mut Option<BoardClock>,
    at: Instant<Board>,
    fact: &Fact,
    order: Option<&order::What>,
) {
    let step = match fact {
        Fact::Press(press) => match press.button() {
            proto::wire::Button::Left => ClockStep::fact(at, Touch::Pressed(Button::Left)),
            proto::wire::Button::Right => ClockStep::fact(at, Touch::Pressed(Button::Right)),
            proto::wire::Button::Unspecified => return,
        },
        Fact::Stop(_) => ClockStep::fact(at, Touch::Stopped),
        Fact::Rebase(_) => ClockStep::TimePassed(at),
        Fact::Correction(correction) => command(at, &correction.command),
        Fact::ZeroTested(_) => return,
        Fact::OrderTaken(_) => match order {
            Some(order::What::Command(text)) => command(at, text),
            Some(order::What::Adopt(adopt)) => return adopted(clock, at, &adopt.snapshot),
            Some(order::What::ServeSide(serve)) => return adopted(clock, at, &serve.snapshot),
            None => return,
        },
    };
    if let Some(clock) = clock {
        // A refused command has no effect at either end, except that time passes.
        let _ = clock.apply(&step);
    }
}

fn command(at: Instant<Board>, text: &str) -> ClockStep {
    match text.parse::<Command>() {
        Ok(command) => ClockStep::command(at, command),
        Err(_) => ClockStep::TimePassed(at),
    }
}

fn adopted(clock: &mut Option<BoardClock>, at: Instant<Board>, snapshot: &[u8]) {
    let restored = Snapshot::from_bytes(snapshot)
        .ok()
        .and_then(|snapshot| BoardClock::from_snapshot(&snapshot.moved_to(at)).ok());
    // Without a valid snapshot, the clock has no board.
    *clock = restored;
}

/// Returns the remaining time of the player whose clock runs, in microseconds; `None` if no clock runs.
pub(crate) fn movers_time(clock: Option<&BoardClock>, at: Instant<Board>) -> Option<i64> {
    let clock = clock?;
    match clock.state() {
        BoardState::Running { mover } => {
            let view = clock.side(mover, at.max(clock.now()));
            Some(view.time.as_micros())
        }
        BoardState::Ready
        | BoardState::Paused { .. }
        | BoardState::Stopped { .. }
        | BoardState::Flagged { .. }
        | BoardState::Over => None,
    }
}

pub(crate) fn digest(clock: &BoardClock) -> [u8; 8] {
    let hash: [u8; 32] = Sha256::digest(clock.snapshot().to_bytes()).into();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    first
}
