//! Which clock a radio connects to next: pure, on the hub's timeline. Owns back-off and capacity; never talks to a radio.

use std::collections::BTreeMap;

use proto::ble::Advertisement;
use timing::{Duration, Hub, Instant};

/// The wait after a first failure, and the least between two links of a clock.
const FIRST: Duration = Duration::from_millis(250);
/// No wait is longer: also the longest that a clock waits that has come back.
const LONGEST: Duration = Duration::from_millis(8_000);
/// A session that has lasted for this long was no failure: longer than a clock that only accepts, or only shakes hands, can make it last.
const STEADY: Duration = Duration::from_millis(30_000);
/// A clock that was not heard for this long is not there.
const FORGET: Duration = Duration::from_millis(30_000);
/// Clocks remembered: whoever makes up addresses costs no more memory than this.
const CLOCKS: usize = 256;

/// What a radio should do about a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing.
    LeaveAlone,
    /// Open a session.
    Session,
    /// Try the newest pairing code, this one.
    Pair(u64),
}

/// The clocks that one radio has heard, by address.
#[derive(Debug, Default)]
pub(super) struct Roster {
    clocks: BTreeMap<String, Heard>,
}

#[derive(Debug)]
struct Heard {
    said: Advertisement,
    heard: Instant<Hub>,
    /// There is a link, or an attempt.
    busy: bool,
    not_before: Instant<Hub>,
    delay: Duration,
    /// The pairing code that was tried last, and how often.
    paired: (u64, u32),
}

/// Each pairing code is tried so often with each clock.
const PAIRINGS: u32 = 2;

impl Roster {
    /// A clock was heard.
    pub(super) fn heard(&mut self, address: &str, said: Advertisement, now: Instant<Hub>) {
        if let Some(clock) = self.clocks.get_mut(address) {
            clock.said = said;
            clock.heard = now;
            return;
        }
        self.clocks
            .retain(|_, clock| clock.busy || now - clock.heard < FORGET);
        if self.clocks.len() < CLOCKS {
            let clock = Heard {
                said,
                heard: now,
                busy: false,
                not_before: now,
                delay: Duration::ZERO,
                paired: (0, 0),
            };
            self.clocks.insert(address.to_owned(), clock);
        }
    }

    /// How many clocks are connected or being connected.
    pub(super) fn busy(&self) -> usize {
        let busy = |clock: &&Heard| clock.busy;
        self.clocks.values().filter(busy).count()
    }

    /// The clock to connect to now, if there is one and the radio carries fewer than `capacity`: of those that have waited long
    /// enough, the one that has waited longest.
    pub(super) fn next(
        &mut self,
        now: Instant<Hub>,
        capacity: usize,
        wish: impl Fn(&Advertisement) -> Wish,
    ) -> Option<(String, Wish)> {
        if self.busy() >= capacity {
            return None;
        }
        let (address, clock, wish) = self
            .clocks
            .iter_mut()
            .filter(|(_, clock)| {
                !clock.busy && clock.not_before <= now && now - clock.heard < FORGET
            })
            .filter_map(|(address, clock)| match wish(&clock.said) {
                Wish::LeaveAlone => None,
                Wish::Pair(code) if clock.paired.0 == code && clock.paired.1 >= PAIRINGS => None,
                wish @ (Wish::Session | Wish::Pair(_)) => Some((address, clock, wish)),
            })
            .min_by_key(|(_, clock, _)| clock.not_before)?;
        clock.busy = true;
        if let Wish::Pair(code) = wish {
            let tried = if clock.paired.0 == code {
                clock.paired.1 + 1
            } else {
                1
            };
            clock.paired = (code, tried);
        }
        Some((address.clone(), wish))
    }

    /// A link or an attempt is over; its session has lasted for `held`, zero if there was none.
    pub(super) fn ended(&mut self, address: &str, now: Instant<Hub>, held: Duration) {
        let Some(clock) = self.clocks.get_mut(address) else {
            return;
        };
        clock.busy = false;
        clock.delay = if held >= STEADY {
            FIRST
        } else {
            (clock.delay + clock.delay).clamp(FIRST, LONGEST)
        };
        clock.not_before = now + clock.delay;
    }
}

#[cfg(test)]
mod tests {
    use proto::ids::AgentId;

    use super::*;

    fn at_ms(ms: i64) -> Instant<Hub> {
        Instant::from_micros(ms * 1_000)
    }

    fn clock(number: u8) -> Advertisement {
        Advertisement::new(&AgentId([number; 32]), true, None)
    }

    fn session(_: &Advertisement) -> Wish {
        Wish::Session
    }

    #[test]
    fn a_radio_carries_no_more_than_it_may_and_takes_turns() {
        let mut roster = Roster::default();
        for number in 0..9 {
            roster.heard(&number.to_string(), clock(number), at_ms(0));
        }
        let mut connected = Vec::new();
        while let Some((address, _)) = roster.next(at_ms(1), 7, session) {
            connected.push(address);
        }
        assert_eq!((connected.len(), roster.busy()), (7, 7));
        roster.ended(&connected[0], at_ms(10_000), STEADY);
        let next = roster.next(at_ms(10_000), 7, session).map(|next| next.0);
        assert_eq!(
            next.as_deref(),
            Some("7"),
            "the one that has waited longest"
        );
    }

    /// How long the clock has to wait from `now` on until it is connected to.
    fn wait(roster: &mut Roster, now: i64) -> i64 {
        let mut later = now;
        loop {
            roster.heard("a", clock(1), at_ms(later));
            if roster.next(at_ms(later), 1, session).is_some() {
                return later - now;
            }
            later += 50;
        }
    }

    #[test]
    fn failures_wait_longer_each_time_and_a_steady_link_begins_anew() {
        let mut roster = Roster::default();
        let mut now = 0;
        let mut waits = Vec::new();
        assert_eq!(wait(&mut roster, now), 0);
        // However long a failure takes: a clock that accepts and says nothing takes fifteen seconds of the radio each time.
        for (takes, held) in [
            (0, 0),
            (15_000, 0),
            (15_000, 0),
            (29_000, 29_000),
            (0, 0),
            (15_000, 0),
            (0, 0),
        ] {
            now += takes;
            roster.ended("a", at_ms(now), Duration::from_millis(held));
            let waited = wait(&mut roster, now);
            waits.push(waited);
            now += waited;
        }
        assert_eq!(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
        now += 30_000;
        roster.ended("a", at_ms(now), STEADY);
        assert_eq!(wait(&mut roster, now), 250);
    }

    #[test]
    fn a_code_is_tried_twice_with_each_clock_and_no_more() {
        let mut roster = Roster::default();
        let pair = |code| move |_: &Advertisement| Wish::Pair(code);
        for time in [0, 20_000] {
            roster.heard("a", clock(1), at_ms(time));
            assert_eq!(
                roster.next(at_ms(time), 7, pair(1)),
                Some(("a".to_owned(), Wish::Pair(1)))
            );
            roster.ended("a", at_ms(time), Duration::ZERO);
        }
        roster.heard("a", clock(1), at_ms(40_000));
        assert_eq!(roster.next(at_ms(40_000), 7, pair(1)), None);
        assert!(roster.next(at_ms(40_000), 7, pair(2)).is_some());
    }

    #[test]
    fn who_is_gone_or_made_up_is_forgotten() {
        let mut roster = Roster::default();
        for number in 0..1_000 {
            roster.heard(&number.to_string(), clock(1), at_ms(0));
        }
        assert_eq!(roster.clocks.len(), CLOCKS);
        assert_eq!(roster.next(at_ms(31_000), 7, session), None);
        roster.heard("real", clock(2), at_ms(31_000));
        assert_eq!(roster.clocks.len(), 1);
        assert!(roster.next(at_ms(31_000), 7, session).is_some());
    }
}
