//! Limits on connections: in all, per address, and for callers without a certificate. Only counts.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::lock::lock;

/// Maximum number of connections: every arbiter and display of a large hall.
const CONNECTIONS: usize = 1024;
/// Maximum number of connections per address, so that no single machine takes all seats. The hub's own machine is exempt.
const PER_ADDRESS: usize = 64;
/// Maximum number of connections without a certificate: arbiters' browsers and apps, and any other visitor of the port.
const STRANGERS: usize = 512;

#[derive(Clone)]
pub(super) struct Seats {
    all: Arc<Semaphore>,
    strangers: Arc<Semaphore>,
    taken: Arc<Mutex<BTreeMap<IpAddr, usize>>>,
}

/// A connection's place, released when it is dropped.
pub(super) struct Seat {
    address: IpAddr,
    taken: Arc<Mutex<BTreeMap<IpAddr, usize>>>,
    _place: OwnedSemaphorePermit,
}

impl Seats {
    pub(super) fn new() -> Self {
        Self {
            all: Arc::new(Semaphore::new(CONNECTIONS)),
            strangers: Arc::new(Semaphore::new(STRANGERS)),
            taken: Arc::default(),
        }
    }

    /// Waits until there is room for one more; returns `None` if the limit is closed.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// Seats a connection of `address`, unless the address has reached its limit.
    pub(super) fn seat(&self, place: OwnedSemaphorePermit, address: IpAddr) -> Option<Seat> {
        let mut taken = lock(&self.taken);
        let count = taken.entry(address).or_default();
        if *count >= PER_ADDRESS && !address.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Seat {
            address,
            taken: self.taken.clone(),
            _place: place,
        })
    }

    /// Returns a place for a caller without a certificate, if one is left.
    pub(super) fn stranger(&self) -> Option<OwnedSemaphorePermit> {
        self.strangers.clone().try_acquire_owned().ok()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(count) = taken.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_address_takes_all_seats_and_what_is_left_is_given_out_again() {
        let seats = Seats::new();
        let greedy: IpAddr = [192, 0, 2, 66].into();
        let mut held = Vec::new();
        while let Some(seat) = seats.seat(seats.place().await.unwrap(), greedy) {
            held.push(seat);
        }
        assert_eq!(held.len(), PER_ADDRESS);
        let other = [192, 0, 2, 7].into();
        assert!(seats.seat(seats.place().await.unwrap(), other).is_some());
        held.pop();
        assert!(seats.seat(seats.place().await.unwrap(), greedy).is_some());
        drop(held);
        assert!(seats.taken.lock().unwrap().is_empty());
        assert_eq!(seats.all.available_permits(), CONNECTIONS);
    }
}
