//! Which clock a radio connects to next: pure, on the hub's timeline. Owns back-off, capacity, and who has a place among those that
//! wait; never talks to a radio.

use std::collections::BTreeMap;

use proto::ble::Advertisement;
use timing::{Duration, Hub, Instant};

use super::{Heard, Wanted};

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
/// Of one enrolled clock so many addresses: its tag is in the air for everybody to repeat.
const ADDRESSES: usize = 4;
/// Each pairing code is tried so often with each clock.
const PAIRINGS: u32 = 2;

/// What a radio should do about a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// Nothing.
    LeaveAlone,
    /// Open a session.
    Session,
    /// Try the newest pairing code, this one.
    Pair(u64),
}

impl Wish {
    fn of(said: &Advertisement, wanted: &Wanted) -> Self {
        match wanted.pairing {
            Some(number) if !said.enrolled => Self::Pair(number),
            Some(_) | None if said.enrolled && wanted.tags.contains(&said.tag) => Self::Session,
            Some(_) | None => Self::LeaveAlone,
        }
    }
}

/// The clocks that one radio has heard and may connect to, by address.
#[derive(Debug, Default)]
pub(super) struct Roster {
    clocks: BTreeMap<String, Candidate>,
    /// The newest attempt was an enrolment's.
    paired: bool,
}

#[derive(Debug)]
struct Candidate {
    said: Advertisement,
    heard: Instant<Hub>,
    /// There is a link, or an attempt.
    busy: bool,
    not_before: Instant<Hub>,
    delay: Duration,
    /// It has held a session for long: whoever makes up an address cannot.
    steady: bool,
    /// When a session with it was wanted last, and when it was last busy.
    wanted: Option<Instant<Hub>>,
    ended: Option<Instant<Hub>>,
    /// The pairing code that was tried last, and how often.
    paired: (u64, u32),
}

/// How much a place is worth: the least goes first. A clock that is enrolled here before one that is not, one that has held a session
/// before one that has not, one that is heard now before one that was, and one that was not tried before one that has failed.
type Worth = (bool, bool, bool, std::cmp::Reverse<Duration>);

impl Candidate {
    fn new(said: Advertisement, now: Instant<Hub>, wish: Wish) -> Self {
        Self {
            said,
            heard: now,
            busy: false,
            not_before: now,
            delay: Duration::ZERO,
            steady: false,
            wanted: (wish == Wish::Session).then_some(now),
            ended: None,
            paired: (0, 0),
        }
    }

    fn is_recent(at: Option<Instant<Hub>>, now: Instant<Hub>) -> bool {
        at.is_some_and(|at| now - at < FORGET)
    }

    /// Whether there is any use in remembering it.
    fn is_there(&self, now: Instant<Hub>) -> bool {
        self.busy || now - self.heard < FORGET || Self::is_recent(self.ended, now)
    }

    fn worth(&self, now: Instant<Hub>) -> Worth {
        let enrolled = Self::is_recent(self.wanted, now);
        let heard = self.heard == now;
        let failed = std::cmp::Reverse(self.delay);
        (enrolled, self.steady, heard, failed)
    }

    /// Whether its turn has come.
    fn waits(&self, now: Instant<Hub>) -> bool {
        !self.busy && self.not_before <= now && now - self.heard < FORGET
    }
}

/// Whether both say to be the same clock; its battery may be another.
fn is_same(one: &Advertisement, other: &Advertisement) -> bool {
    (one.enrolled, one.tag) == (other.enrolled, other.tag)
}

impl Roster {
    /// These clocks are heard now, and these are wanted. Who is neither enrolled here nor to be is not remembered.
    pub(super) fn look(&mut self, now: Instant<Hub>, heard: &[Heard], wanted: &Wanted) {
        let mut new = Vec::new();
        // BlueZ knows of others, too, that were heard once.
        for clock in heard.iter().filter(|clock| clock.rssi.is_some()) {
            let wish = Wish::of(&clock.said, wanted);
            match self.clocks.get_mut(&clock.address) {
                Some(known) if known.busy || is_same(&known.said, &clock.said) => {
                    known.said = clock.said;
                    known.heard = now;
                    if wish == Wish::Session {
                        known.wanted = Some(now);
                    }
                    continue;
                }
                // Who says to be another has no place yet.
                Some(_) => drop(self.clocks.remove(&clock.address)),
                None => {}
            }
            if wish != Wish::LeaveAlone {
                new.push((clock, wish));
            }
        }
        self.clocks.retain(|_, clock| clock.is_there(now));
        for (clock, wish) in new {
            self.admit(&clock.address, Candidate::new(clock.said, now, wish), now);
        }
    }

    /// Gives `clock` a place, if need be that of one that is worth less. One that is busy keeps its own.
    fn admit(&mut self, address: &str, clock: Candidate, now: Instant<Hub>) {
        let same = |other: &&Candidate| is_same(&other.said, &clock.said);
        let crowded =
            clock.wanted.is_some() && self.clocks.values().filter(same).count() >= ADDRESSES;
        if crowded || self.clocks.len() >= CLOCKS {
            let places = self.clocks.iter();
            let least = places
                .filter(|(_, other)| !other.busy && (!crowded || same(other)))
                .map(|(address, other)| (other.worth(now), address))
                .min();
            let Some((worth, gives_way)) = least else {
                return;
            };
            if worth >= clock.worth(now) {
                return;
            }
            let gives_way = gives_way.clone();
            self.clocks.remove(&gives_way);
        }
        self.clocks.insert(address.to_owned(), clock);
    }

    /// How many clocks are connected or being connected.
    pub(super) fn busy(&self) -> usize {
        let busy = |clock: &&Candidate| clock.busy;
        self.clocks.values().filter(busy).count()
    }

    /// The clock to connect to now, if there is one and the radio carries fewer than `capacity`, and the number of the code to try with
    /// it, if it is to be enrolled. Of those that have waited long enough, the one that has waited longest, after those that have held a
    /// session and not failed twice since: whoever makes up addresses has not, and each comes after all that are there. An enrolled clock
    /// that has not failed twice in a row goes before all that are not enrolled, and others in turns with them.
    pub(super) fn next(
        &mut self,
        now: Instant<Hub>,
        capacity: usize,
        wanted: &Wanted,
    ) -> Option<(String, Option<u64>)> {
        if self.busy() >= capacity {
            return None;
        }
        let (mut session, mut pairing) = (None, None);
        for (address, clock) in self.clocks.iter().filter(|(_, clock)| clock.waits(now)) {
            let fails = clock.delay > FIRST;
            let (last, best) = match Wish::of(&clock.said, wanted) {
                Wish::LeaveAlone => continue,
                Wish::Pair(code) if clock.paired.0 == code && clock.paired.1 >= PAIRINGS => {
                    continue;
                }
                Wish::Pair(_) => (fails, &mut pairing),
                Wish::Session => (fails || !clock.steady, &mut session),
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
        let code = match Wish::of(&clock.said, wanted) {
            Wish::Pair(code) => Some(code),
            Wish::Session | Wish::LeaveAlone => None,
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

    /// A link or an attempt is over; its session has lasted for `held`, zero if there was none.
    pub(super) fn ended(&mut self, address: &str, now: Instant<Hub>, held: Duration) {
        let Some(clock) = self.clocks.get_mut(address) else {
            return;
        };
        clock.busy = false;
        clock.ended = Some(now);
        clock.delay = if held >= STEADY {
            clock.steady = true;
            FIRST
        } else {
            (clock.delay + clock.delay).clamp(FIRST, LONGEST)
        };
        clock.not_before = now + clock.delay;
    }
}

#[cfg(test)]
mod tests;
