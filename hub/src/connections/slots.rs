//! Slots for connections: a total limit, a limit for each address, and the choice of the connection to cut when a newcomer needs room.
//!
//! When all slots are taken, a newcomer displaces an idle connection of the address that holds the most. It displaces a busy one only if that
//! address still keeps at least as many slots as the newcomer's address. One client can therefore fill every slot only while no one else needs one.
//! Reads no clock.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::count_down;
use crate::lock::lock;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) all: usize,
    /// Slots for clients that have not proved an arbiter's identity.
    pub(crate) strangers: usize,
    /// Slots for each address. The hub's own machine is exempt, because a proxy may run there.
    pub(crate) per_address: usize,
    /// Slots for each arbiter's device or key file that no stranger can take.
    pub(crate) per_arbiter: usize,
}

/// A pool of slots, shared by its clones.
#[derive(Clone)]
pub(crate) struct SlotPool(Arc<Mutex<Table>>);

/// A connection's slot, released on drop.
pub(crate) struct Slot {
    table: Arc<Mutex<Table>>,
    address: Address,
    id: u64,
    cut: CancellationToken,
}

/// The unit by which slots are counted: an IPv4 address, or the /64 network of an IPv6 address. One machine can use
/// every address of such a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Address(IpAddr);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// No request is in progress. A lower number means that the connection has been idle for longer.
    Idle(u64),
    Busy,
    /// An arbiter's connection, which is never cut for a newcomer.
    Arbiter,
}

struct Held {
    standing: Standing,
    requests: usize,
    /// The device or key file against which the connection is counted.
    arbiter: Option<Arc<str>>,
    cut: CancellationToken,
}

#[derive(Default)]
struct Peer {
    held: BTreeMap<u64, Held>,
    /// Strangers' connections: first the idle ones, longest idle first, then the busy ones, oldest first.
    strangers: BTreeSet<(Standing, u64)>,
}

struct Table {
    limits: Limits,
    peers: BTreeMap<Address, Peer>,
    /// Number of strangers' connections from each address, smallest number first.
    sizes: BTreeSet<(usize, Address)>,
    /// Number of arbiters' connections, by device or key file.
    arbiters: BTreeMap<Arc<str>, usize>,
    all: usize,
    strangers: usize,
    next: u64,
}

impl Limits {
    /// Returns limits for clients without a proven identity. One address may take every slot that no other address needs.
    pub(crate) const fn shared(all: usize) -> Self {
        Self {
            all,
            strangers: all,
            per_address: all,
            per_arbiter: all,
        }
    }
}

impl SlotPool {
    pub(crate) fn new(limits: Limits) -> Self {
        Self(Arc::new(Mutex::new(Table {
            limits,
            peers: BTreeMap::new(),
            sizes: BTreeSet::new(),
            arbiters: BTreeMap::new(),
            all: 0,
            strangers: 0,
            next: 0,
        })))
    }

    /// Takes a slot for a new connection, which has no request yet. Returns `None` if no slot is free and no connection can make room.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Slot> {
        let address = Address::of(address);
        let mut table = lock(&self.0);
        table.make_room(address)?;
        let (id, cut) = (table.next, CancellationToken::new());
        table.add(address, cut.clone());
        Some(Slot {
            table: self.0.clone(),
            address,
            id,
            cut,
        })
    }

    #[cfg(test)]
    fn used(&self) -> usize {
        lock(&self.0).all
    }
}

impl Slot {
    /// Returns a token that is cancelled when this slot is given to another connection.
    pub(crate) fn cut(&self) -> &CancellationToken {
        &self.cut
    }

    pub(crate) fn begin(&self) {
        self.change(|held, _| {
            held.requests += 1;
            match held.standing {
                Standing::Idle(_) => Standing::Busy,
                other @ (Standing::Busy | Standing::Arbiter) => other,
            }
        });
    }

    pub(crate) fn end(&self) {
        self.change(|held, next| {
            held.requests = held.requests.saturating_sub(1);
            match held.standing {
                Standing::Busy if held.requests == 0 => Standing::Idle(next),
                other @ (Standing::Idle(_) | Standing::Busy | Standing::Arbiter) => other,
            }
        });
    }

    /// Marks the connection as belonging to an arbiter's device or key file, so that no stranger displaces it. Has no effect once the
    /// device or key file has used up its share.
    pub(crate) fn trust(&self, arbiter: &str) {
        lock(&self.table).trust(self.address, self.id, arbiter);
    }

    pub(crate) fn is_trusted(&self) -> bool {
        let table = lock(&self.table);
        let held = table.peers.get(&self.address);
        let held = held.and_then(|peer| peer.held.get(&self.id));
        held.is_some_and(|held| held.standing == Standing::Arbiter)
    }

    fn change(&self, to: impl FnOnce(&mut Held, u64) -> Standing) {
        lock(&self.table).change(self.address, self.id, to);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.table).remove(self.address, self.id);
    }
}

/// Returns an IPv4 address or the IPv6 loopback address itself, and the /64 network of any other IPv6 address.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        v4 @ IpAddr::V4(_) => v4,
        // Keep the loopback address, which the mask would clear.
        IpAddr::V6(v6) if v6.is_loopback() => IpAddr::V6(v6),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)),
    }
}

impl Address {
    fn of(address: IpAddr) -> Self {
        Self(network_of(address))
    }
}

impl Table {
    /// Cuts a connection if necessary to give `address` one more slot. Returns `None` if there is no room.
    fn make_room(&mut self, address: Address) -> Option<()> {
        let peer = self.peers.get(&address);
        let (held, own) = peer.map_or((0, 0), |peer| (peer.held.len(), peer.strangers.len()));
        if held >= self.limits.per_address && !address.0.is_loopback() {
            return self.cut(address, false);
        }
        if self.all < self.limits.all && self.strangers < self.limits.strangers {
            return Some(());
        }
        let &(most, largest) = self.sizes.last()?;
        if most > own {
            // Cut a busy connection only if the newcomer's address, with its new slot, still has fewer slots than the largest address had.
            return self.cut(largest, most > own + 1);
        }
        self.cut(address, false)
    }

    /// Cuts the stranger's connection of `address` that has been idle longest. If none is idle and `busy` is true, cuts the newest one.
    fn cut(&mut self, address: Address, busy: bool) -> Option<()> {
        let peer = self.peers.get(&address)?;
        let found = match peer.strangers.first()? {
            idle @ (Standing::Idle(_), _) => Some(idle),
            (Standing::Busy | Standing::Arbiter, _) => peer.strangers.last().filter(|_| busy),
        };
        let (_, id) = *found?;
        peer.held.get(&id)?.cut.cancel();
        self.remove(address, id);
        Some(())
    }

    fn add(&mut self, address: Address, cut: CancellationToken) {
        let (id, standing) = (self.next, Standing::Idle(self.next));
        self.next += 1;
        self.all += 1;
        let held = Held {
            standing,
            requests: 0,
            arbiter: None,
            cut,
        };
        let peer = self.peers.entry(address).or_default();
        peer.held.insert(id, held);
        self.list(address, id, standing, true);
    }

    fn remove(&mut self, address: Address, id: u64) {
        // A connection that was cut has already released its slot.
        let Some(standing) = self.standing(address, id) else {
            return;
        };
        self.list(address, id, standing, false);
        self.all -= 1;
        if let Some(peer) = self.peers.get_mut(&address) {
            let held = peer.held.remove(&id);
            let arbiter = held.and_then(|held| held.arbiter);
            if peer.held.is_empty() {
                self.peers.remove(&address);
            }
            if let Some(arbiter) = arbiter {
                count_down(&mut self.arbiters, arbiter);
            }
        }
    }

    fn trust(&mut self, address: Address, id: u64, arbiter: &str) {
        let peer = self.peers.get_mut(&address);
        let Some(held) = peer.and_then(|peer| peer.held.get_mut(&id)) else {
            return;
        };
        let count = self.arbiters.get(arbiter).copied().unwrap_or_default();
        if held.arbiter.is_some() || count >= self.limits.per_arbiter {
            return;
        }
        let name: Arc<str> = arbiter.into();
        held.arbiter = Some(name.clone());
        self.arbiters.insert(name, count + 1);
        self.change(address, id, |_, _| Standing::Arbiter);
    }

    fn change(&mut self, address: Address, id: u64, to: impl FnOnce(&mut Held, u64) -> Standing) {
        let next = self.next;
        let peer = self.peers.get_mut(&address);
        let Some(held) = peer.and_then(|peer| peer.held.get_mut(&id)) else {
            return;
        };
        let before = held.standing;
        let after = to(held, next);
        held.standing = after;
        if before != after {
            self.next += 1;
            self.list(address, id, before, false);
            self.list(address, id, after, true);
        }
    }

    fn standing(&self, address: Address, id: u64) -> Option<Standing> {
        Some(self.peers.get(&address)?.held.get(&id)?.standing)
    }

    /// Adds a stranger's connection to its address's list, or removes it if `listed` is false, and updates the address's number of strangers.
    fn list(&mut self, address: Address, id: u64, standing: Standing, listed: bool) {
        let peer = self.peers.get_mut(&address);
        let Some(peer) = peer.filter(|_| standing != Standing::Arbiter) else {
            return;
        };
        let before = peer.strangers.len();
        match listed {
            true => peer.strangers.insert((standing, id)),
            false => peer.strangers.remove(&(standing, id)),
        };
        let after = peer.strangers.len();
        self.sizes.remove(&(before, address));
        if after > 0 {
            self.sizes.insert((after, address));
        }
        self.strangers = self.strangers + after - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(all: usize, strangers: usize, per_address: usize) -> SlotPool {
        SlotPool::new(Limits {
            all,
            strangers,
            per_address,
            per_arbiter: 2,
        })
    }

    fn host(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    fn take(slots: &SlotPool, last: u8) -> Slot {
        slots.take(host(last)).unwrap()
    }

    fn busy(slots: &SlotPool, last: u8) -> Slot {
        let slot = take(slots, last);
        slot.begin();
        slot
    }

    #[test]
    fn a_full_table_takes_a_slot_from_the_address_that_holds_the_most() {
        let slots = slots(4, 4, 4);
        let greedy: Vec<_> = (0..4).map(|_| take(&slots, 66)).collect();
        let guest = take(&slots, 7);
        let cut = |slot: &Slot| slot.cut().is_cancelled();
        assert_eq!(
            greedy.iter().map(cut).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        assert!(!cut(&guest));
        assert_eq!(slots.used(), 4);
        drop((greedy, guest));
        assert_eq!(slots.used(), 0);
        assert!(lock(&slots.0).sizes.is_empty());
    }

    #[test]
    fn an_idle_connection_goes_before_a_busy_one_and_the_longest_idle_first() {
        let slots = slots(3, 3, 3);
        let (first, second, third) = (take(&slots, 1), take(&slots, 1), busy(&slots, 1));
        // The first connection has been used more recently, so the second has been idle for longer.
        first.begin();
        first.end();
        let guest = take(&slots, 2);
        assert!(second.cut().is_cancelled());
        assert!(!first.cut().is_cancelled() && !third.cut().is_cancelled());
        drop(guest);
    }

    #[test]
    fn busy_slots_are_shared_evenly() {
        let slots = slots(4, 4, 4);
        let greedy: Vec<_> = (0..4).map(|_| busy(&slots, 66)).collect();
        let guests = [busy(&slots, 7), busy(&slots, 7)];
        let cut = greedy.iter().filter(|one| one.cut().is_cancelled());
        assert_eq!(cut.count(), 2);
        assert!(slots.take(host(7)).is_none(), "two slots each");
        assert!(slots.take(host(66)).is_none(), "two slots each");
        assert!(guests.iter().all(|guest| !guest.cut().is_cancelled()));
    }

    #[test]
    fn strangers_never_displace_an_arbiter() {
        let slots = slots(8, 2, 8);
        let arbiter = busy(&slots, 1);
        arbiter.trust("d-1");
        assert!(arbiter.is_trusted());
        let strangers = [take(&slots, 2), take(&slots, 2)];
        let newest = take(&slots, 3);
        assert!(strangers[0].cut().is_cancelled());
        assert!(!arbiter.cut().is_cancelled());
        arbiter.end();
        assert!(arbiter.is_trusted());
        drop(newest);
    }

    #[test]
    fn one_arbiter_cannot_keep_the_others_out() {
        let slots = slots(6, 4, 6);
        // A stolen device signs in on every connection that it gets, from many addresses.
        let stolen: Vec<_> = (1..=6)
            .map_while(|last| slots.take(host(last)))
            .inspect(|slot| slot.trust("d-stolen"))
            .collect();
        let trusted = stolen.iter().filter(|slot| slot.is_trusted());
        assert_eq!((stolen.len(), trusted.count()), (6, 2));
        let chief = take(&slots, 7);
        chief.trust("d-chief");
        assert!(chief.is_trusted());
        drop(stolen);
        assert_eq!(lock(&slots.0).arbiters.len(), 1);
        drop(chief);
        assert!(lock(&slots.0).arbiters.is_empty());
        assert_eq!(slots.used(), 0);
    }

    #[test]
    fn each_address_has_its_own_limit_except_this_machine() {
        let slots = slots(100, 100, 2);
        let held = [busy(&slots, 1), busy(&slots, 1)];
        assert!(slots.take(host(1)).is_none());
        held[0].end();
        assert!(slots.take(host(1)).is_some(), "the idle one makes room");
        let here: Vec<_> = (0..5)
            .map_while(|_| slots.take([127, 0, 0, 1].into()))
            .collect();
        assert_eq!(here.len(), 5);
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let slots = slots(100, 100, 1);
        let [one, neighbour, other] = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]
            .map(|text| text.parse::<IpAddr>().unwrap());
        let held = slots.take(one).unwrap();
        held.begin();
        assert!(slots.take(neighbour).is_none());
        assert!(slots.take(other).is_some());
        let mapped: IpAddr = "::ffff:192.0.2.1".parse().unwrap();
        assert_eq!(Address::of(mapped), Address::of(host(1)));
    }
}
