//! Attacks on a real hub: the hall under attack, with honest clocks that press all the time, and the attackers' tools.
//!
//! Owns the three questions after each attack: was the attack refused, are the honest boards unharmed, and has the hub released the memory? Must
//! not use the hub's internals: an attacker has only sockets, files and stolen keys.

mod browser;
mod certificates;
mod flood;
mod floods;
mod forger;
mod hall;
mod http;
mod quic;
mod radio;

pub use browser::{Browser, Called};
pub use certificates::{Badge, Holder, badge, expired_agent, expired_arbiter, foreign_authority};
pub use flood::{Extent, Flooding, Measured, measure_under};
pub use floods::{FLOODS, Flood};
pub use forger::{Forger, hello, press};
pub use hall::Hall;
pub use http::{Answer, head, request, tls, tls_from};
pub use quic::{dial, dial_from, ended};
pub use radio::answers_until_disconnect;

pub struct Attack<T> {
    pub name: &'static str,
    /// The attacker's means, such as keys, codes, or access to the network.
    pub holds: &'static str,
    pub must: &'static str,
    pub run: T,
}
