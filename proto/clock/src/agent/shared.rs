//! A board whose other side has a clock elsewhere: what the hub says of it, with this clock's own later facts on top.
//! Owns which side is ours and what is known of the other; never decides when anything happened.

use proto::wire::{EventBody, Shared, Side as WireSide};
use timing::{Board, BoardClock, Fact, Instant, Side};

use super::facts;
use super::seat::restored;

/// One side of a board, served here.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ours {
    pub(crate) side: Side,
    /// The hub hears the other side's clock.
    pub(crate) other_heard: bool,
}

/// The side of the wire, if it is one.
pub(crate) fn side(side: WireSide) -> Option<Side> {
    match side {
        WireSide::White => Some(Side::White),
        WireSide::Black => Some(Side::Black),
        WireSide::Unspecified => None,
    }
}

/// The clock as the hub has it, with the presses of this side that the hub had not yet taken in. `None` if it holds no clock.
pub(crate) fn shown(
    shared: &Shared,
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
            // Only to look at: what it did is the hub's to say.
            let _ = clock.on_fact(at, fact);
        }
    }
    Some(clock)
}
