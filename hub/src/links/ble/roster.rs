//! The queue of clocks for a radio, on the hub's timeline and without I/O. Owns back-off, capacity, and the places in the queue.

use std::collections::BTreeMap;

use proto::ble::Advertisement;
use timing::{Duration, Hub, Instant};

use super::{DetectedClock, WantedClocks};

/// The wait after a first failure, and the minimum wait between two links of a clock.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The maximum wait after repeated failures.
const MAX_WAIT: Duration = Duration::from_millis(8_000);
/// Minimum length of a successful session. A device that only accepts connections, or only completes the handshake, cannot keep a session open that
/// long.
const STEADY: Duration = Duration::from_millis(30_000);
const GONE_AFTER: Duration = Duration::from_millis(30_000);
/// Maximum number of clocks in a roster, which bounds the memory that fake addresses can use.
const MAX_CLOCKS: usize = 256;
/// Maximum number of addresses for one enrolled clock: any device can copy its advertised tag.
const MAX_ADDRESSES: usize = 4;
/// Maximum number of attempts with one code at one clock.
const MAX_PAIRING_ATTEMPTS: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextAction {
    LeaveAlone,
    Session,
    Pair(u64),
}

impl NextAction {
    fn of(advertisement: &Advertisement, wanted: &WantedClocks) -> Self {
        match wanted.pairing {
            Some(number) if !advertisement.enrolled => Self::Pair(number),
            Some(_) | None
                if advertisement.enrolled && wanted.tags.contains(&advertisement.tag) =>
            {
                Self::Session
            }
            Some(_) | None => Self::LeaveAlone,
        }
    }
}

/// The clocks that one radio has heard and may connect to, by address.
#[derive(Debug, Default)]
pub(super) struct Roster {
    clocks: BTreeMap<String, Candidate>,
    /// True if the newest attempt was an enrolment.
    paired: bool,
}

#[derive(Debug)]
struct Candidate {
    advertisement: Advertisement,
    heard: Instant<Hub>,
    /// True while there is a link or an attempt.
    busy: bool,
    not_before: Instant<Hub>,
    delay: Duration,
    /// True if this address has held a session of at least [`STEADY`], which a fake address cannot.
    steady: bool,
    /// The last time at which a session with the clock was wanted.
    wanted: Option<Instant<Hub>>,
    /// The end of the clock's last link or attempt.
    ended: Option<Instant<Hub>>,
    /// The last pairing code that was attempted, and the number of attempts.
    paired: (u64, u32),
}

/// The priority of a clock's place; the clock with the lowest priority is evicted first. The criteria in order of weight: enrolled and wanted, has
/// held a long session, is heard now, has the shorter wait after a failure.
type PlacePriority = (bool, bool, bool, std::cmp::Reverse<Duration>);

impl Candidate {
    fn new(advertisement: Advertisement, now: Instant<Hub>, wish: NextAction) -> Self {
        Self {
            advertisement,
            heard: now,
            busy: false,
            not_before: now,
            delay: Duration::ZERO,
            steady: false,
            wanted: (wish == NextAction::Session).then_some(now),
            ended: None,
            paired: (0, 0),
        }
    }

    fn is_recent(at: Option<Instant<Hub>>, now: Instant<Hub>) -> bool {
        at.is_some_and(|at| now - at < GONE_AFTER)
    }

    fn is_there(&self, now: Instant<Hub>) -> bool {
        self.busy || now - self.heard < GONE_AFTER || Self::is_recent(self.ended, now)
    }

    fn priority(&self, now: Instant<Hub>) -> PlacePriority {
        let enrolled = Self::is_recent(self.wanted, now);
        let heard = self.heard == now;
        let failed = std::cmp::Reverse(self.delay);
        (enrolled, self.steady, heard, failed)
    }

    fn waits(&self, now: Instant<Hub>) -> bool {
        !self.busy && self.not_before <= now && now - self.heard < GONE_AFTER
    }
}

/// Returns true if both advertisements claim the same clock; the battery may differ.
fn is_same(one: &Advertisement, other: &Advertisement) -> bool {
    (one.enrolled, one.tag) == (other.enrolled, other.tag)
}

impl Roster {
    /// Updates the roster with the clocks heard and wanted now. Adds only clocks that are wanted for a session or an enrolment.
    pub(super) fn look(
        &mut self,
        now: Instant<Hub>,
        heard: &[DetectedClock],
        wanted: &WantedClocks,
    ) {
        let mut new = Vec::new();
        // BlueZ also reports clocks that it no longer hears, without a signal strength.
        for clock in heard.iter().filter(|clock| clock.rssi.is_some()) {
            let wish = NextAction::of(&clock.advertisement, wanted);
            match self.clocks.get_mut(&clock.address) {
                Some(known)
                    if known.busy || is_same(&known.advertisement, &clock.advertisement) =>
                {
                    known.advertisement = clock.advertisement;
                    known.heard = now;
                    if wish == NextAction::Session {
                        known.wanted = Some(now);
                    }
                    continue;
                }
                // A clock that now claims a different identity loses its place.
                Some(_) => drop(self.clocks.remove(&clock.address)),
                None => {}
            }
            if wish != NextAction::LeaveAlone {
                new.push((clock, wish));
            }
        }
        self.clocks.retain(|_, clock| clock.is_there(now));
        for (clock, wish) in new {
            self.admit(
                &clock.address,
                Candidate::new(clock.advertisement, now, wish),
                now,
            );
        }
    }

    /// Gives `clock` a place, if necessary by evicting a clock with a lower priority that is not busy. Drops `clock` if no clock can be evicted.
    fn admit(&mut self, address: &str, clock: Candidate, now: Instant<Hub>) {
        let same = |other: &&Candidate| is_same(&other.advertisement, &clock.advertisement);
        let crowded =
            clock.wanted.is_some() && self.clocks.values().filter(same).count() >= MAX_ADDRESSES;
        if crowded || self.clocks.len() >= MAX_CLOCKS {
            let places = self.clocks.iter();
            let least = places
                .filter(|(_, other)| !other.busy && (!crowded || same(other)))
                .map(|(address, other)| (other.priority(now), address))
                .min();
            let Some((priority, gives_way)) = least else {
                return;
            };
            if priority >= clock.priority(now) {
                return;
            }
            let gives_way = gives_way.clone();
            self.clocks.remove(&gives_way);
        }
        self.clocks.insert(address.to_owned(), clock);
    }

    pub(super) fn busy(&self) -> usize {
        let busy = |clock: &&Candidate| clock.busy;
        self.clocks.values().filter(busy).count()
    }

    /// Returns the next clock to connect to, unless the radio already carries `capacity` clocks. For an unenrolled clock, also returns the number
    /// of the code to try.
    ///
    /// Among clocks whose wait is over, the one that has waited longest comes first, with two exceptions. Enrolled clocks without a failure since a
    /// long session precede other enrolled ones, such as fake addresses. Unenrolled clocks that have failed at most once precede other unenrolled
    /// ones.
    ///
    /// An enrolled clock precedes all unenrolled ones, unless it has failed twice in a row or since a long session: it then alternates with them.
    pub(super) fn next(
        &mut self,
        now: Instant<Hub>,
        capacity: usize,
        wanted: &WantedClocks,
    ) -> Option<(String, Option<u64>)> {
        if self.busy() >= capacity {
            return None;
        }
        let (mut session, mut pairing) = (None, None);
        for (address, clock) in self.clocks.iter().filter(|(_, clock)| clock.waits(now)) {
            let fails = clock.delay > FIRST_WAIT;
            let (last, best) = match NextAction::of(&clock.advertisement, wanted) {
                NextAction::LeaveAlone => continue,
                NextAction::Pair(code)
                    if clock.paired.0 == code && clock.paired.1 >= MAX_PAIRING_ATTEMPTS =>
                {
                    continue;
                }
                NextAction::Pair(_) => (fails, &mut pairing),
                NextAction::Session => (fails || !clock.steady, &mut session),
            };
            let turn = (last, clock.not_before, address, fails);
            if best.as_ref().is_none_or(|best| turn < *best) {
                *best = Some(turn);
            }
        }
        let chosen = match (session, pairing) {
            (Some(session), Some(pairing)) if session.3 && !self.paired => pairing,
            (Some(session), _) => session,
            (None, pairing) => pairing?,
        };
        let address = chosen.2.clone();
        let clock = self.clocks.get_mut(&address)?;
        clock.busy = true;
        let code = match NextAction::of(&clock.advertisement, wanted) {
            NextAction::Pair(code) => Some(code),
            NextAction::Session | NextAction::LeaveAlone => None,
        };
        if let Some(code) = code {
            let tried = if clock.paired.0 == code {
                clock.paired.1 + 1
            } else {
                1
            };
            clock.paired = (code, tried);
        }
        self.paired = code.is_some();
        Some((address, code))
    }

    /// Records that a link or an attempt has ended. `held` is the time for which the connection was served; zero if serving failed.
    pub(super) fn ended(&mut self, address: &str, now: Instant<Hub>, held: Duration) {
        let Some(clock) = self.clocks.get_mut(address) else {
            return;
        };
        clock.busy = false;
        clock.ended = Some(now);
        clock.delay = if held >= STEADY {
            clock.steady = true;
            FIRST_WAIT
        } else {
            (clock.delay + clock.delay).clamp(FIRST_WAIT, MAX_WAIT)
        };
        clock.not_before = now + clock.delay;
    }
}

#[cfg(test)]
mod tests;
