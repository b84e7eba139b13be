//! A board with a clock for each side: the hub's state, with this clock's own later events applied. Owns the record of which side is served here and
//! whether the other side's clock has a signal. Never decides the instant of an event.

use proto::Side as WireSide;
use proto::wire::{DayPhase as WireDay, EventBody, SharedBoard};
use timing::{Board, BoardClock, Fact, Instant, Side};

use super::facts;
use super::seat::restored;
use crate::face_state::DayPhase;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ServedSide {
    pub(crate) side: Side,
    pub(crate) other_heard: bool,
}

pub(crate) fn side(side: WireSide) -> Option<Side> {
    match side {
        WireSide::White => Some(Side::White),
        WireSide::Black => Some(Side::Black),
        WireSide::Unspecified => None,
    }
}

pub(crate) fn day(day: WireDay) -> Option<DayPhase> {
    match day {
        WireDay::Unspecified => None,
        WireDay::Dawn => Some(DayPhase::Dawn),
        WireDay::Midday => Some(DayPhase::Midday),
        WireDay::Evening => Some(DayPhase::Evening),
        WireDay::Dusk => Some(DayPhase::Dusk),
        WireDay::Midnight => Some(DayPhase::Midnight),
        WireDay::Morning => Some(DayPhase::Morning),
    }
}

/// Returns the hub's clock with this side's later presses and stops applied; `None` if the frame contains no valid clock.
pub(crate) fn shown(
    shared: &SharedBoard,
    ours: Side,
    own: impl Iterator<Item = EventBody>,
) -> Option<BoardClock> {
    let at = Instant::from_micros(shared.at_us);
    let mut clock = restored(&shared.snapshot, Some(at)).ok()?;
    for body in own.filter(|body| body.seq > shared.seq) {
        let at = Instant::<Board>::from_micros(body.at_us).max(clock.now());
        let fact = body.fact.as_ref().and_then(facts::of_wire);
        let counts = |fact: &Fact| match fact {
            Fact::Pressed(button) => clock.side_of(*button) == ours,
            Fact::Stopped => true,
        };
        if let Some(fact) = fact.filter(counts) {
            // For display only: the hub decides the effect.
            let _ = clock.on_fact(at, fact);
        }
    }
    Some(clock)
}
