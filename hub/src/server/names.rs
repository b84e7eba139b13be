//! The address in an enrolment code.

use std::net::{IpAddr, SocketAddr};

use crate::config::Config;

/// Returns the host and the port for codes. The host is the public name if that resolves to more than loopback here, else the listening
/// address, else this machine's first address.
pub(super) async fn reached_at(config: &Config, listen: SocketAddr) -> (String, u16) {
    (host(config, listen).await, listen.port())
}

async fn host(config: &Config, listen: SocketAddr) -> String {
    let name = &config.public_name;
    let at = listen.ip();
    if !at.is_unspecified() {
        let is_there = !at.is_loopback() && resolves(name, |found| found == at).await;
        return if is_there {
            name.clone()
        } else {
            at.to_string()
        };
    }
    // The loopback address alone is useless to other machines.
    if resolves(name, |found| !found.is_loopback()).await {
        return name.clone();
    }
    own_address().map_or_else(|| name.clone(), |address| address.to_string())
}

/// Returns true if one of the name's addresses is accepted.
async fn resolves(name: &str, accepts: impl Fn(IpAddr) -> bool) -> bool {
    tokio::net::lookup_host((name, 0))
        .await
        .is_ok_and(|mut found| found.any(|address| accepts(address.ip())))
}

/// Returns this machine's first address. Prefers IPv4, because a code is also typed by hand.
fn own_address() -> Option<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().ok()?;
    let usable = || {
        interfaces
            .iter()
            .filter(|interface| !interface.is_loopback() && !interface.is_link_local())
            .map(if_addrs::Interface::ip)
    };
    usable().find(IpAddr::is_ipv4).or_else(|| usable().next())
}
