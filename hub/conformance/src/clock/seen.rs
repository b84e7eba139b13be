//! Records a scripted clock's observations of its hub. Judges nothing.

use std::fmt;

use proto::wire::{Arbiters, GoodbyeReason, Labels, Order, Welcome};

/// The end of a link, or a failed attempt to open one, with the reason that the other end stated, if any.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed {
    /// The reason in the other end's goodbye, if it sent one.
    pub goodbye: Option<GoodbyeReason>,
    /// The goodbye's text, the reason that QUIC reports, or a description of this end's reason or error.
    pub text: String,
    /// The application's close code from the other end, if it sent one.
    pub code: Option<u64>,
}

impl Closed {
    /// Returns true if the other end gave this reason for ending the link, in its goodbye or its close code.
    pub fn says(&self, reason: GoodbyeReason) -> bool {
        self.goodbye == Some(reason) || self.goodbye.is_none() && self.code == Some(reason as u64)
    }
}

/// A scripted clock's observations: the frames from its hub and the states of its links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Number of links that were opened.
    pub links: u32,
    pub welcome: Option<Welcome>,
    /// True while the clock has a link on which the hub has welcomed it.
    pub connected: bool,
    /// Number of the newest acknowledged event.
    pub acked: u64,
    /// Every order received, in the order of arrival, including repetitions.
    pub orders: Vec<Order>,
    /// The numbers of the orders that the clock has confirmed, in the order of confirmation.
    pub taken: Vec<u64>,
    pub probes: u64,
    pub labels: Option<Labels>,
    pub arbiters: Option<Arbiters>,
    pub zero_tests: Vec<u64>,
    /// The ends of links and the failed attempts to open one, oldest first.
    pub closed: Vec<Closed>,
    /// True if an acknowledgement's digest did not match the clock's own board.
    pub differed: bool,
    /// True from the clock's report of a different digest until the hub's next order to adopt a board.
    pub diverged: bool,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} links, connected {}, acknowledged {}, orders {:?}, taken {:?}, probes {}, closed {:?}",
            self.links,
            self.connected,
            self.acked,
            self.orders
                .iter()
                .map(|order| order.number)
                .collect::<Vec<_>>(),
            self.taken,
            self.probes,
            self.closed
        )
    }
}
