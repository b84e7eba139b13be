//! Rate limits for work that every newcomer causes before it has proved anything, such as a TLS handshake.
//!
//! Each address has its own rate, and all addresses share a common one. An address waits only behind its own newcomers, and behind a few
//! newcomers from every other address. A client that reconnects endlessly therefore gets no more turns than any other address, and costs the
//! machine no more than the rate allows. Simultaneous newcomers start in groups, and leave processor time for the clocks in between.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::network_of;
use crate::lock::lock;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// The time for which a turn counts against the limits.
    pub(crate) count_for: Duration,
    pub(crate) per_address: usize,
    pub(crate) all: usize,
}

/// A rate limiter that gives turns to the newcomers on one port. Clones share its state.
#[derive(Clone)]
pub(crate) struct Turns {
    rate: Rate,
    all: Arc<Semaphore>,
    addresses: Arc<Mutex<BTreeMap<IpAddr, Arc<Semaphore>>>>,
}

impl Turns {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            all: Arc::new(Semaphore::new(rate.all)),
            addresses: Arc::default(),
        }
    }

    /// Waits for a turn for `address`. Dropping the future gives up its position in the queue.
    pub(crate) async fn wait(&self, address: IpAddr) {
        let address = network_of(address);
        let own = lock(&self.addresses)
            .entry(address)
            .or_insert_with(|| Arc::new(Semaphore::new(self.rate.per_address)))
            .clone();
        // The address's own permit comes first: an address then never has more newcomers in the common queue than it has turns.
        if let Ok(own) = own.acquire_owned().await
            && let Ok(all) = self.all.clone().acquire_owned().await
        {
            tokio::spawn(self.clone().count(address, own, all));
        }
    }

    /// Releases a turn after [`Rate::count_for`], and forgets an address whose turns are all free.
    async fn count(self, address: IpAddr, own: OwnedSemaphorePermit, all: OwnedSemaphorePermit) {
        sleep(self.rate.count_for).await;
        drop((own, all));
        let mut addresses = lock(&self.addresses);
        // A waiting newcomer also holds a reference to the semaphore.
        let is_unused = |own: &Arc<Semaphore>| Arc::strong_count(own) == 1;
        if addresses.get(&address).is_some_and(is_unused) {
            addresses.remove(&address);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use tokio::task::unconstrained;

    use super::*;

    const NEVER_OVER: Duration = Duration::from_secs(3_600);

    const PER_ADDRESS: usize = 32;
    const ALL: usize = 128;

    fn turns(count_for: Duration) -> Turns {
        Turns::new(Rate {
            count_for,
            per_address: PER_ADDRESS,
            all: ALL,
        })
    }

    fn has_one(turns: &Turns, last: u8) -> bool {
        let turn = turns.wait([192, 0, 2, last].into());
        unconstrained(turn).now_or_never().is_some()
    }

    #[tokio::test]
    async fn an_address_waits_behind_itself_and_not_behind_another() {
        let turns = turns(NEVER_OVER);
        let flood = (0..1_000).filter(|_| has_one(&turns, 66));
        assert_eq!(flood.count(), PER_ADDRESS);
        let other = (0..PER_ADDRESS).filter(|_| has_one(&turns, 7));
        assert_eq!(other.count(), PER_ADDRESS);
    }

    #[tokio::test]
    async fn many_addresses_share_one_rate() {
        let turns = turns(NEVER_OVER);
        let flood = (0..u8::MAX).flat_map(|last| [last; 100]);
        let began = flood.filter(|last| has_one(&turns, *last));
        assert_eq!(began.count(), ALL);
    }

    #[tokio::test]
    async fn a_newcomer_waits_behind_a_few_of_each_other_address() {
        let turns = turns(NEVER_OVER);
        let mut flood: Vec<_> = (0..16_000)
            .map(|number| {
                Box::pin(unconstrained(
                    turns.wait([198, 51, 100, number as u8 % 16].into()),
                ))
            })
            .collect();
        let began = flood
            .iter_mut()
            .filter_map(|newcomer| newcomer.now_or_never());
        assert_eq!(began.count(), ALL);
        let mut newcomer = Box::pin(unconstrained(turns.wait([192, 0, 2, 7].into())));
        assert!((&mut newcomer).now_or_never().is_none());
        // Of the 16,000 newcomers in the queue, 512 are ahead of this one, and 128 of those have begun.
        turns.all.add_permits(16 * PER_ADDRESS - ALL + 1);
        assert!(newcomer.now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_turn_is_released_and_an_address_without_counted_turns_is_forgotten() {
        let turns = turns(Duration::ZERO);
        for last in 0..200 {
            for _ in 0..2 * PER_ADDRESS {
                turns.wait([192, 0, 2, last].into()).await;
            }
        }
        let all = u32::try_from(ALL).unwrap();
        drop(turns.all.acquire_many(all).await.unwrap());
        // Removing the address is the last step of ending a turn.
        while !lock(&turns.addresses).is_empty() {
            tokio::task::yield_now().await;
        }
    }
}
