//! Rate limits of peers: events of an agent, handshakes of an address. Owns the counting, on the hub's timeline. Never drops a player's
//! action: an agent over its limit is read more slowly, and its events wait.

use std::collections::BTreeMap;
use std::net::IpAddr;

use timing::{Duration, Hub, Instant};

/// Sustained events per second of one agent: several times the presses of two players in time trouble.
pub(super) const EVENTS_PER_SECOND: i64 = 50;
/// Burst of events: those that a blitz board's clock stored while its hub was away for an hour come without a pause.
pub(super) const EVENTS_BURST: i64 = 2_000;
pub(super) const HANDSHAKES_PER_SECOND: i64 = 20;
pub(super) const HANDSHAKES_BURST: i64 = 40;
/// Maximum number of remembered addresses.
const ADDRESSES: usize = 4096;

const SECOND_US: i64 = 1_000_000;

/// A token bucket: fills at a steady rate up to a bound; each use takes one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    per_second: i64,
    burst: i64,
    /// Contents in millionths of a token.
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

    /// Takes one token.
    pub(super) fn take(&mut self, now: Instant<Hub>) -> Result<(), Duration> {
        let passed = (now - self.at).as_micros().max(0);
        self.at = now;
        self.level = self
            .level
            .saturating_add(passed.saturating_mul(self.per_second))
            .min(self.burst.saturating_mul(SECOND_US));
        if self.level >= SECOND_US {
            self.level -= SECOND_US;
            return Ok(());
        }
        let missing = SECOND_US - self.level;
        Err(Duration::from_micros(missing / self.per_second + 1))
    }

    fn is_full(&self, now: Instant<Hub>) -> bool {
        let passed = (now - self.at).as_micros().max(0);
        self.level
            .saturating_add(passed.saturating_mul(self.per_second))
            >= self.burst.saturating_mul(SECOND_US)
    }
}

/// The rate limit of each address's handshakes.
#[derive(Debug, Default)]
pub(super) struct HandshakeRate {
    addresses: BTreeMap<IpAddr, TokenBucket>,
}

impl HandshakeRate {
    /// Returns true if `address` may begin a handshake now. Agents of this machine always may (a swarm, a demo).
    pub(super) fn admit(&mut self, now: Instant<Hub>, address: IpAddr) -> bool {
        if address.is_loopback() {
            return true;
        }
        if self.addresses.len() >= ADDRESSES && !self.addresses.contains_key(&address) {
            // A full bucket holds no information.
            self.addresses.retain(|_, bucket| !bucket.is_full(now));
            if self.addresses.len() >= ADDRESSES {
                return false;
            }
        }
        self.addresses
            .entry(address)
            .or_insert_with(|| TokenBucket::new(now, HANDSHAKES_PER_SECOND, HANDSHAKES_BURST))
            .take(now)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_ms(ms: i64) -> Instant<Hub> {
        Instant::from_micros(ms * 1_000)
    }

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
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
    fn a_flood_of_addresses_does_not_grow_without_bound_and_passes() {
        let mut rate = HandshakeRate::default();
        for n in 0..10_000_u32 {
            rate.admit(at_ms(0), (0x0a00_0000 + n).to_be_bytes().into());
        }
        assert_eq!(rate.addresses.len(), ADDRESSES);
        assert!(rate.admit(at_ms(60_000), [192, 0, 2, 7].into()));
    }
}
