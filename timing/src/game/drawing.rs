//! The display of a game until the next press.

use super::{Game, State};
use crate::phase::Phase;
use crate::player_clock::{Flag, PlayerClock};
use crate::time_control::TimeControl;
use crate::{Effects, Instant, Plan, Segment, Side, Timeline};

impl<T: Timeline> Game<T> {
    pub(crate) fn clock_at(&self, side: Side, now: Instant<T>) -> PlayerClock {
        let mut ahead = self.state;
        ahead.settle(&self.control, now, &mut Effects::default());
        ahead.clocks[side]
    }

    /// Returns the display of both clocks from `now` until the next press.
    pub fn plan(&self, now: Instant<T>) -> Plan<T> {
        let mut ahead = self.state;
        ahead.settle(&self.control, now, &mut Effects::default());
        let mut segments = alloc::vec![ahead.segment(&self.control)];
        while segments.len() < Plan::<T>::MAX_SEGMENTS
            && let Some(at) = ahead.next_bend(&self.control)
        {
            ahead.settle(&self.control, at, &mut Effects::default());
            segments.push(ahead.segment(&self.control));
        }
        Plan { segments }
    }
}

impl<T: Timeline> State<T> {
    fn segment(&self, control: &TimeControl) -> Segment<T> {
        let (mut white_rate, mut black_rate) = (0, 0);
        if let Phase::Running { mover } = self.phase {
            let rate = self.clocks[mover].rate(control.side(mover));
            let gain =
                self.clocks[mover.other()].gain_rate(&self.clocks[mover], control.side(mover));
            (white_rate, black_rate) = match mover {
                Side::White => (rate, gain),
                Side::Black => (gain, rate),
            };
        }
        Segment {
            from: self.settled,
            white: self.clocks.white.time,
            black: self.clocks.black.time,
            white_rate,
            black_rate,
            white_phase: self.clocks.white.allotment(),
            black_phase: self.clocks.black.allotment(),
        }
    }

    /// Returns the next instant at which, without a press, the rate or the kind of time changes, or the time jumps.
    fn next_bend(&self, control: &TimeControl) -> Option<Instant<T>> {
        let Phase::Running { mover } = self.phase else {
            return None;
        };
        let clock = &self.clocks[mover];
        if clock.flag == Flag::Down {
            return None;
        }
        let free = clock.free(control.side(mover));
        if free.is_positive() {
            return Some(self.settled + free);
        }
        clock
            .runs_out_after(control.side(mover))
            .map(|span| self.settled + span)
    }
}
