//! The two clocks of a board in a hall's snapshot.

use timing::{Button, BySide, Duration, Fact, Instant};

use super::message as m;
use crate::pair::{ErrorBounds, Held, Pair, Placed, Seat, Serving};
use crate::snapshot::fields::{SnapshotError, agent_id, bad};

pub(super) fn out(pair: &Pair) -> m::Pair {
    m::Pair {
        white: pair.seats.white.as_ref().map(seat_out),
        black: pair.seats.black.as_ref().map(seat_out),
        turn_before_us: pair.turn.before.as_micros(),
        turn_after_us: pair.turn.after.as_micros(),
        events: pair.events,
        straddle: pair.straddle.clone(),
    }
}

pub(super) fn back(pair: m::Pair) -> Result<Pair, SnapshotError> {
    Ok(Pair {
        seats: BySide {
            white: pair.white.map(seat_back).transpose()?,
            black: pair.black.map(seat_back).transpose()?,
        },
        turn: ErrorBounds {
            before: Duration::from_micros(pair.turn_before_us),
            after: Duration::from_micros(pair.turn_after_us),
        },
        events: pair.events,
        straddle: pair.straddle,
    })
}

fn seat_out(seat: &Seat) -> m::Seat {
    m::Seat {
        agent: seat.agent.0.to_vec(),
        ordered: match seat.serving {
            Serving::Ordered(number) => Some(number),
            Serving::Taken => None,
        },
        passed_us: seat.passed.as_micros(),
        held: seat.held.iter().map(held_out).collect(),
    }
}

fn seat_back(seat: m::Seat) -> Result<Seat, SnapshotError> {
    Ok(Seat {
        agent: agent_id(&seat.agent)?,
        serving: seat.ordered.map_or(Serving::Taken, Serving::Ordered),
        passed: Instant::from_micros(seat.passed_us),
        held: seat
            .held
            .into_iter()
            .map(held_back)
            .collect::<Result<_, _>>()?,
    })
}

fn held_out(held: &Held) -> m::Held {
    m::Held {
        number: held.number,
        fact: match held.fact {
            Fact::Pressed(Button::Left) => 1,
            Fact::Pressed(Button::Right) => 2,
            Fact::Stopped => 3,
        },
        lo_us: held.placed.lo.as_micros(),
        est_us: held.placed.est.as_micros(),
        hi_us: held.placed.hi.as_micros(),
    }
}

fn held_back(held: m::Held) -> Result<Held, SnapshotError> {
    Ok(Held {
        number: held.number,
        fact: match held.fact {
            1 => Fact::Pressed(Button::Left),
            2 => Fact::Pressed(Button::Right),
            3 => Fact::Stopped,
            other => return Err(bad(format!("a waiting fact of kind {other}"))),
        },
        placed: Placed {
            lo: Instant::from_micros(held.lo_us),
            est: Instant::from_micros(held.est_us),
            hi: Instant::from_micros(held.hi_us),
        },
    })
}
