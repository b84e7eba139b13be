//! Determines the address in an enrolment code.

use std::net::{IpAddr, SocketAddr};

use crate::config::Config;

/// Returns the host and the port for codes. The host is the public name if that resolves to the listening address, or for a wildcard to any address;
/// loopback addresses do not count. Otherwise it is the listening address; for a wildcard, this machine's first address, or the name if there is
/// none.
pub(super) async fn reached_at(config: &Config, listen: SocketAddr) -> (String, u16) {
    (host(config, listen).await, listen.port())
}

async fn host(config: &Config, listen: SocketAddr) -> String {
    let name = &config.public_name;
    let at = listen.ip();
    if !at.is_unspecified() {
        let is_there = !at.is_loopback() && resolves(name, |found| found == at).await;
        return match is_there {
            true => name.clone(),
            false => at.to_string(),
        };
    }
    // Other machines cannot use a loopback address.
    if resolves(name, |found| !found.is_loopback()).await {
        return name.clone();
    }
    own_address().map_or_else(|| name.clone(), |address| address.to_string())
}

async fn resolves(name: &str, accepts: impl Fn(IpAddr) -> bool) -> bool {
    tokio::net::lookup_host((name, 0))
        .await
        .is_ok_and(|mut found| found.any(|address| accepts(address.ip())))
}

/// Returns this machine's first address that is neither loopback nor link-local. Prefers IPv4, because a code may be typed by hand.
fn own_address() -> Option<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().ok()?;
    let usable = |one: &&if_addrs::Interface| !one.is_loopback() && !one.is_link_local();
    let mut usable = interfaces
        .iter()
        .filter(usable)
        .map(if_addrs::Interface::ip);
    let first_ipv4 = usable.clone().find(IpAddr::is_ipv4);
    first_ipv4.or_else(|| usable.next())
}
