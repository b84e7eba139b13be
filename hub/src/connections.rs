//! Limits for the TCP connections of a port: their number and rate, in total and per address, and the time that each may spend idle or stalled.
//!
//! Decides which connection gets a slot, which gives one up, and when an idle or stalled connection is cut. Used by the public
//! pages and by the arbiters' port. Must never inspect the content of a request.

mod guarded;
mod requests;
mod slots;
mod turns;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::time::Duration;

use tokio::net::TcpListener;

pub(crate) use guarded::Guarded;
pub(crate) use requests::{Requests, TrackRequests};
pub(crate) use slots::{Limits, Slot, SlotPool, network_of};
pub(crate) use turns::{Rate, Turns};

/// Time limit for the head of a connection's first request, from the moment the connection is accepted.
pub(crate) const FIRST_REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// Time for which a connection may stay open between two requests, unless an arbiter has signed in over it.
const IDLE_FOR: Duration = Duration::from_secs(60);
const ARBITER_IDLE_FOR: Duration = Duration::from_secs(600);
/// Time for which a connection to the arbiters' port may stay open without an arbiter's sign-in.
const STRANGER_FOR: Duration = Duration::from_secs(300);
/// Time for which a client may leave part of a response unread.
const STALLED_FOR: Duration = Duration::from_secs(30);
/// Interval between the checks of a connection. Every limit is a whole number of checks.
const CHECK_EVERY: Duration = Duration::from_secs(5);

const fn checks(limit: Duration) -> u32 {
    // At most 120, the number of checks in [`ARBITER_IDLE_FOR`].
    (limit.as_secs() / CHECK_EVERY.as_secs()) as u32
}

pub(crate) fn count_down<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

/// Moves a listener to the caller's runtime, which then handles its events.
///
/// # Errors
/// Returns an error if the system cannot register the socket.
pub(crate) fn moved_here(listener: TcpListener) -> io::Result<TcpListener> {
    TcpListener::from_std(listener.into_std()?)
}
