//! Limits for peers: the rates of an agent's events and a sender's handshakes, on the hub's timeline, and the number of strangers' handshakes
//! that QUIC holds. Never drops a player's action: an agent over its limit is read more slowly, and its events wait.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use timing::{Duration, Hub, Instant};

use super::places::Sender;
use crate::connections::count_down;
use crate::lock::lock;

/// Limit for one agent: several times the presses of two players in time trouble.
pub(super) const EVENTS_PER_SECOND: i64 = 50;
/// Burst limit for one agent. After an hour without the hub, a blitz board's clock sends all its stored events without a pause.
pub(super) const EVENTS_BURST: i64 = 2_000;
pub(super) const HANDSHAKES_PER_SECOND: i64 = 20;
pub(super) const HANDSHAKES_BURST: i64 = 40;
/// Number of devices that one IPv6 network counts as, because all devices of a hall may be in the same network.
const NETWORK_DEVICES: i64 = 16;
const MAX_SENDERS: usize = 4096;
/// Maximum number of remembered addresses of enrolled clocks.
const MAX_CLOCK_ADDRESSES: usize = 16_384;
/// Maximum number of strangers' handshakes that QUIC may hold; each takes about 60 KB.
const MAX_HELD_HANDSHAKES: usize = 448;
/// Part of [`MAX_HELD_HANDSHAKES`] that is reserved for senders without a held handshake.
const HELD_FOR_NEWCOMERS: usize = 128;

const SECOND_US: i64 = 1_000_000;

/// A token bucket: fills at a steady rate up to a bound; each use takes one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    per_second: i64,
    burst: i64,
    /// Millionths of a token in the bucket.
    level: i64,
    at: Instant<Hub>,
}

impl TokenBucket {
    pub(super) fn new(now: Instant<Hub>, per_second: i64, burst: i64) -> Self {
        Self {
            per_second,
            burst,
            level: burst.saturating_mul(SECOND_US),
            at: now,
        }
    }

    /// Takes one token. If the bucket is empty, returns the time until the next token.
    pub(super) fn take(&mut self, now: Instant<Hub>) -> Result<(), Duration> {
        self.level = self.level_at(now);
        self.at = now;
        if self.level >= SECOND_US {
            self.level -= SECOND_US;
            return Ok(());
        }
        let missing = SECOND_US - self.level;
        Err(Duration::from_micros(missing / self.per_second + 1))
    }

    fn is_full(&self, now: Instant<Hub>) -> bool {
        self.level_at(now) == self.burst.saturating_mul(SECOND_US)
    }

    fn level_at(&self, now: Instant<Hub>) -> i64 {
        let passed = (now - self.at).as_micros().max(0);
        let filled = passed.saturating_mul(self.per_second);
        let full = self.burst.saturating_mul(SECOND_US);
        self.level.saturating_add(filled).min(full)
    }
}

#[derive(Debug, Default)]
pub(super) struct HandshakeRate {
    senders: BTreeMap<Sender, TokenBucket>,
}

impl HandshakeRate {
    /// Returns true if `address` may begin a handshake now. Agents on this machine, for example in a swarm or a demo, always may.
    pub(super) fn admit(&mut self, now: Instant<Hub>, address: IpAddr) -> bool {
        let sender = Sender::of(address);
        if sender == Sender::THIS_MACHINE {
            return true;
        }
        let devices = if sender.is_ipv6() { NETWORK_DEVICES } else { 1 };
        if self.senders.len() >= MAX_SENDERS && !self.senders.contains_key(&sender) {
            // A sender with a full bucket can be forgotten: a new bucket is full as well.
            self.senders.retain(|_, bucket| !bucket.is_full(now));
            if self.senders.len() >= MAX_SENDERS {
                return false;
            }
        }
        let (rate, burst) = (HANDSHAKES_PER_SECOND, HANDSHAKES_BURST);
        self.senders
            .entry(sender)
            .or_insert_with(|| TokenBucket::new(now, rate * devices, burst * devices))
            .take(now)
            .is_ok()
    }
}

/// The strangers' handshakes that QUIC still holds, unfinished or abandoned. Counting them limits the memory used by strangers who connect faster
/// than QUIC discards their handshakes.
#[derive(Debug, Default)]
pub(super) struct HeldHandshakes {
    senders: Mutex<BTreeMap<Sender, usize>>,
}

/// One handshake counted in [`HeldHandshakes`]; dropping it ends the count.
pub(super) struct HeldHandshake {
    sender: Sender,
    held: Arc<HeldHandshakes>,
}

impl HeldHandshakes {
    /// Counts a handshake of `address`. Returns `None` if the limit is reached. The last places are for senders without a counted handshake. A crowd
    /// that repeats its packets in step would otherwise keep a newcomer out until the newcomer's Retry token has expired.
    pub(super) fn hold(self: &Arc<Self>, address: IpAddr) -> Option<HeldHandshake> {
        let sender = Sender::of(address);
        let mut senders = lock(&self.senders);
        let all: usize = senders.values().sum();
        let own = senders.get(&sender).copied().unwrap_or_default();
        let most = match own {
            0 => MAX_HELD_HANDSHAKES,
            _ => MAX_HELD_HANDSHAKES - HELD_FOR_NEWCOMERS,
        };
        (all < most).then(|| {
            senders.insert(sender, own + 1);
            HeldHandshake {
                sender,
                held: Arc::clone(self),
            }
        })
    }
}

impl Drop for HeldHandshake {
    fn drop(&mut self) {
        count_down(&mut lock(&self.held.senders), self.sender);
    }
}

/// The addresses of enrolled clocks, whose handshakes come before those of strangers. Each address has its own rate limit, so that a stranger on the
/// same network cannot exhaust a clock's.
#[derive(Debug, Default)]
pub(super) struct ClockAddresses {
    rates: BTreeMap<IpAddr, TokenBucket>,
}

impl ClockAddresses {
    /// Remembers an address from which an enrolled clock has authenticated.
    pub(super) fn proved(&mut self, now: Instant<Hub>, address: IpAddr) {
        if self.rates.len() < MAX_CLOCK_ADDRESSES {
            self.rates
                .entry(address)
                .or_insert_with(|| TokenBucket::new(now, HANDSHAKES_PER_SECOND, HANDSHAKES_BURST));
        }
    }

    /// Returns true if a handshake from `address` counts as a clock's: a clock has authenticated from there, and the rate limit is not exceeded.
    pub(super) fn admit(&mut self, now: Instant<Hub>, address: IpAddr) -> bool {
        let rate = self.rates.get_mut(&address);
        rate.is_some_and(|rate| rate.take(now).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_ms(ms: i64) -> Instant<Hub> {
        Instant::from_micros(ms * 1_000)
    }

    #[test]
    fn a_burst_passes_and_then_the_rate_applies() {
        let mut bucket = TokenBucket::new(at_ms(0), EVENTS_PER_SECOND, EVENTS_BURST);
        for _ in 0..EVENTS_BURST {
            assert_eq!(bucket.take(at_ms(0)), Ok(()));
        }
        assert_eq!(bucket.take(at_ms(0)), Err(Duration::from_micros(20_001)));
        assert_eq!(bucket.take(at_ms(21)), Ok(()));
        assert!(bucket.take(at_ms(30)).is_err());
        let passed = (0..100_000)
            .filter(|ms| bucket.take(at_ms(1_000 + ms)).is_ok())
            .count();
        assert!((5_000..=5_200).contains(&passed), "{passed}");
    }

    #[test]
    fn one_address_cannot_keep_the_others_out() {
        let mut rate = HandshakeRate::default();
        let flood: IpAddr = [192, 0, 2, 66].into();
        let admitted = (0..1_000).filter(|_| rate.admit(at_ms(0), flood)).count();
        assert_eq!(admitted, 40);
        assert!(rate.admit(at_ms(0), [192, 0, 2, 7].into()));
        assert!(rate.admit(at_ms(1_000), flood));
        let own = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
        assert!((0..1_000).all(|_| rate.admit(at_ms(0), own)));
    }

    #[test]
    fn the_addresses_of_a_network_have_one_rate_and_a_clock_its_own() {
        let mut rate = HandshakeRate::default();
        let device = |n: u16| format!("2001:db8:1:2::{n:x}").parse::<IpAddr>().unwrap();
        let admitted = (0..5_000).filter(|n| rate.admit(at_ms(0), device(*n)));
        assert_eq!(admitted.count(), 640);
        let mut clocks = ClockAddresses::default();
        assert!(!clocks.admit(at_ms(0), device(1)));
        clocks.proved(at_ms(0), device(1));
        let again = (0..100).filter(|_| clocks.admit(at_ms(0), device(1)));
        assert_eq!(again.count(), 40);
        assert!(!clocks.admit(at_ms(0), device(2)));
    }

    #[test]
    fn a_newcomer_gets_a_place_beside_a_crowd_at_its_limit() {
        let held = Arc::<HeldHandshakes>::default();
        let crowd = |n: usize| IpAddr::from([192, 0, 2, u8::try_from(n % 60).unwrap()]);
        let crowded: Vec<_> = (0..4_000).filter_map(|n| held.hold(crowd(n))).collect();
        assert_eq!(crowded.len(), MAX_HELD_HANDSHAKES - HELD_FOR_NEWCOMERS);
        let newcomers = |network: u8| {
            let hosts = (0..200).map(move |host| IpAddr::from([198, 51, network, host]));
            hosts.filter_map(|host| held.hold(host)).collect::<Vec<_>>()
        };
        let new = newcomers(100);
        assert_eq!(new.len(), HELD_FOR_NEWCOMERS);
        assert!(held.hold(new_address()).is_none(), "all are held");
        drop(new);
        assert!(held.hold(new_address()).is_some());
        drop(crowded);
        assert!(lock(&held.senders).is_empty());
    }

    fn new_address() -> IpAddr {
        [203, 0, 113, 1].into()
    }

    #[test]
    fn a_flood_of_addresses_is_bounded_and_passes() {
        let mut rate = HandshakeRate::default();
        for n in 0..10_000_u32 {
            rate.admit(at_ms(0), (0x0a00_0000 + n).to_be_bytes().into());
        }
        assert_eq!(rate.senders.len(), MAX_SENDERS);
        assert!(rate.admit(at_ms(60_000), [192, 0, 2, 7].into()));
    }
}
