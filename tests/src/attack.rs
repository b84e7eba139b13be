//! Attacks on a real hub: the hall under attack with honest clocks that press all the time, and an attacker's equipment.
//!
//! Owns the three questions after each attack: was it accepted, are the honest boards unharmed, is the memory given
//! back? Must not use the hub's internals: an attacker has only sockets, files and stolen keys.

mod browser;
mod certificates;
mod flood;
mod floods;
mod forger;
mod hall;
mod http;
mod quic;

pub use browser::{Browser, Called};
pub use certificates::{Badge, Holder, badge, expired_agent, expired_arbiter, foreign_authority};
pub use flood::{Flooding, Measured, Under, under};
pub use floods::{FLOODS, Flood};
pub use forger::{Forger, hello, press};
pub use hall::Hall;
pub use http::{Answer, head, request, tls, tls_from};
pub use quic::{dial, dial_from, ended};

/// One attack and its required end.
pub struct Attack<T> {
    /// The name.
    pub name: &'static str,
    /// The attacker's means: keys, codes, a place in the network.
    pub holds: &'static str,
    /// The required end.
    pub must: &'static str,
    /// Carries it out.
    pub run: T,
}
