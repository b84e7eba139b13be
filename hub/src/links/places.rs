//! Places for peers that have not proved their identity, shared fairly between their addresses. Owns the counts and the order in which places are
//! withdrawn; the holder of a place ends its own connection.
//!
//! A newcomer does not wait long for a peer that sends nothing. It gets a place of the sender with the most places, or the oldest place once that is
//! stale. A device that answers within a round trip therefore gets in, however many silent connections a stranger opens.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use timing::{Duration, Hub, Instant};
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use crate::connections::{count_down, network_of};
use crate::lock::lock;

/// The unit in which peers are counted: an IPv4 address or an IPv6 /64, because one device can use every address of its /64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Sender(IpAddr);

impl Sender {
    /// The hub's own machine, on which a swarm or a demonstration may run. Its places are not limited. The rest of 127.0.0.0/8 counts like
    /// network addresses, as tests require.
    pub(super) const THIS_MACHINE: Self = Self(IpAddr::V4(Ipv4Addr::LOCALHOST));

    pub(super) fn of(address: IpAddr) -> Self {
        match network_of(address) {
            IpAddr::V6(Ipv6Addr::LOCALHOST) => Self::THIS_MACHINE,
            network @ (IpAddr::V4(_) | IpAddr::V6(_)) => Self(network),
        }
    }

    pub(super) fn is_ipv6(self) -> bool {
        self.0.is_ipv6()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Total number of places, excluding those of this machine.
    pub(super) total: usize,
    /// Maximum number of places of one sender.
    pub(super) share: usize,
    /// Age from which the oldest place without priority gives way to any newcomer.
    pub(super) stale: Duration,
}

#[derive(Clone)]
pub(super) struct Places {
    bounds: Bounds,
    held: Arc<Mutex<Held>>,
}

#[derive(Default)]
struct Held {
    /// The occupied places by number, oldest first.
    places: BTreeMap<u64, Taken>,
    senders: BTreeMap<Sender, usize>,
    taken: u64,
}

struct Taken {
    sender: Sender,
    since: Instant<Hub>,
    /// True for a peer with priority, whose place is never withdrawn for a different sender.
    clock: bool,
    withdrawn: CancellationToken,
}

/// A place, released on drop.
pub(super) struct Place {
    number: u64,
    held: Arc<Mutex<Held>>,
    withdrawn: CancellationToken,
}

impl Places {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            held: Arc::default(),
        }
    }

    /// Takes a place for a peer at `address`, if necessary by withdrawing another. `clock` is true for a peer with priority: it shows an open code,
    /// or its address is a clock's. Returns `None` if the sender's share is used up or all places are taken, and no place may be withdrawn.
    pub(super) fn take(&self, now: Instant<Hub>, address: IpAddr, clock: bool) -> Option<Place> {
        let sender = Sender::of(address);
        let mut held = lock(&self.held);
        if sender == Sender::THIS_MACHINE {
            return Some(held.add(now, sender, clock, &self.held));
        }
        let strangers = held.places.len() - held.count(Sender::THIS_MACHINE);
        if held.count(sender) >= self.bounds.share {
            let oldest = held.oldest(|taken| taken.sender == sender);
            let stale = oldest.filter(|number| held.is_stale(*number, now, self.bounds))?;
            held.withdraw(stale);
        } else if strangers >= self.bounds.total {
            let number = held.gives_way(now, sender, clock, self.bounds)?;
            held.withdraw(number);
        }
        Some(held.add(now, sender, clock, &self.held))
    }

    pub(super) fn len(&self) -> usize {
        lock(&self.held).places.len()
    }
}

impl Held {
    fn count(&self, sender: Sender) -> usize {
        self.senders.get(&sender).copied().unwrap_or_default()
    }

    fn oldest(&self, of: impl Fn(&Taken) -> bool) -> Option<u64> {
        let mut places = self.places.iter();
        places.find(|(_, taken)| of(taken)).map(|(at, _)| *at)
    }

    fn is_stale(&self, number: u64, now: Instant<Hub>, bounds: Bounds) -> bool {
        let place = self.places.get(&number);
        place.is_some_and(|taken| now - taken.since >= bounds.stale)
    }

    /// Returns the place to withdraw for a newcomer when all are taken; `None` if the newcomer must wait.
    fn gives_way(
        &self,
        now: Instant<Hub>,
        newcomer: Sender,
        clock: bool,
        bounds: Bounds,
    ) -> Option<u64> {
        let strangers = |taken: &Taken| taken.sender != Sender::THIS_MACHINE && !taken.clock;
        let crowds = self.senders.iter();
        let crowds = crowds.filter(|(sender, _)| **sender != Sender::THIS_MACHINE);
        if let Some((largest, count)) = crowds.max_by_key(|(_, count)| **count)
            && *count > self.count(newcomer) + 1
            && let Some(place) = self.oldest(|taken| taken.sender == *largest && strangers(taken))
        {
            return Some(place);
        }
        let oldest = self.oldest(strangers)?;
        (clock || self.is_stale(oldest, now, bounds)).then_some(oldest)
    }

    fn add(
        &mut self,
        now: Instant<Hub>,
        sender: Sender,
        clock: bool,
        held: &Arc<Mutex<Self>>,
    ) -> Place {
        self.taken += 1;
        *self.senders.entry(sender).or_default() += 1;
        let withdrawn = CancellationToken::new();
        let taken = Taken {
            sender,
            since: now,
            clock,
            withdrawn: withdrawn.clone(),
        };
        self.places.insert(self.taken, taken);
        Place {
            number: self.taken,
            held: held.clone(),
            withdrawn,
        }
    }

    fn withdraw(&mut self, number: u64) {
        if let Some(taken) = self.remove(number) {
            taken.withdrawn.cancel();
        }
    }

    fn remove(&mut self, number: u64) -> Option<Taken> {
        let taken = self.places.remove(&number)?;
        count_down(&mut self.senders, taken.sender);
        Some(taken)
    }
}

impl Place {
    pub(super) fn withdrawn(&self) -> WaitForCancellationFuture<'_> {
        self.withdrawn.cancelled()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.held).remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        total: 8,
        share: 4,
        stale: Duration::from_secs(2),
    };

    fn at(ms: i64) -> Instant<Hub> {
        Instant::from_micros(ms * 1_000)
    }

    fn host(n: u8) -> IpAddr {
        [192, 0, 2, n].into()
    }

    fn is_withdrawn(place: &Place) -> bool {
        place.withdrawn.is_cancelled()
    }

    #[test]
    fn a_sender_at_its_share_loses_its_own_oldest_place() {
        let places = Places::new(BOUNDS);
        let held: Vec<_> = (0..10)
            .map(|_| places.take(at(0), host(66), false))
            .collect();
        assert_eq!(held.iter().flatten().count(), 4);
        let next = places.take(at(2_000), host(66), false);
        assert!(next.is_some() && is_withdrawn(held[0].as_ref().unwrap()));
        assert_eq!(places.len(), 4);
        drop((held, next));
        assert_eq!(places.len(), 0);
        assert!(lock(&places.held).senders.is_empty());
    }

    #[test]
    fn a_newcomer_gets_the_place_of_the_sender_with_the_most() {
        let places = Places::new(BOUNDS);
        let mut held = Vec::new();
        for (host_number, count) in [(1, 1), (2, 4), (3, 3)] {
            for _ in 0..count {
                held.push(places.take(at(0), host(host_number), false).unwrap());
            }
        }
        let newcomer = places.take(at(1), host(4), false).unwrap();
        let withdrawn: Vec<_> = held.iter().map(is_withdrawn).collect();
        assert_eq!(withdrawn.iter().position(|gone| *gone), Some(1));
        assert!(!is_withdrawn(&newcomer));
        assert_eq!(places.len(), 8);
    }

    #[test]
    fn peers_wait_until_a_place_is_stale_and_clocks_do_not() {
        let places = Places::new(BOUNDS);
        let held: Vec<_> = (0..8)
            .map(|n| places.take(at(0), host(n), false).unwrap())
            .collect();
        assert!(places.take(at(1_999), host(99), false).is_none());
        let clock = places.take(at(1_999), host(100), true);
        assert!(clock.is_some() && is_withdrawn(&held[0]));
        let patient = places.take(at(2_000), host(99), false);
        assert!(patient.is_some() && is_withdrawn(&held[1]));
        assert!(!is_withdrawn(clock.as_ref().unwrap()));
        // Withdrawn places have already been subtracted, so dropping them must not subtract them again.
        drop(held);
        assert_eq!(places.len(), 2);
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_and_this_machine_is_unlimited() {
        let places = Places::new(BOUNDS);
        let of = |text: &str| places.take(at(0), text.parse().unwrap(), false);
        let network: Vec<_> = (0..8).map(|n| of(&format!("2001:db8:1:2::{n}"))).collect();
        assert_eq!(network.iter().flatten().count(), 4);
        assert!(of("2001:db8:1:3::1").is_some(), "another network");
        let mapped = Sender::of("::ffff:192.0.2.7".parse().unwrap());
        assert_eq!(mapped, Sender::of(host(7)));
        drop(network);
        let own: Vec<_> = (0..20).map(|_| of("127.0.0.1")).collect();
        assert!(own.iter().all(Option::is_some));
        let others: Vec<_> = (0..9).map(|n| of(&format!("192.0.2.{n}"))).collect();
        assert_eq!(others.iter().flatten().count(), 8);
        assert!(of("::1").is_some());
        assert!(!own.iter().flatten().any(is_withdrawn));
    }
}
