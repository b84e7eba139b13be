//! Where an enrolment code sends an agent.

use std::net::{IpAddr, SocketAddr};

use crate::config::Config;

/// The host for codes: the public name if it leads anywhere from this machine, else the address listened on, else this
/// machine's first address.
pub(super) async fn reached_at(config: &Config, listen: SocketAddr) -> String {
    let name = &config.public_name;
    if !listen.ip().is_unspecified() {
        return if resolves_to(name, listen.ip()).await {
            name.clone()
        } else {
            listen.ip().to_string()
        };
    }
    if resolves(name).await {
        return name.clone();
    }
    own_address().map_or_else(|| name.clone(), |address| address.to_string())
}

/// A name of this machine that resolves to its loopback address alone is of no use to others.
async fn resolves(name: &str) -> bool {
    tokio::net::lookup_host((name, 0))
        .await
        .is_ok_and(|mut found| found.any(|address| !address.ip().is_loopback()))
}

async fn resolves_to(name: &str, address: IpAddr) -> bool {
    !address.is_loopback()
        && tokio::net::lookup_host((name, 0))
            .await
            .is_ok_and(|mut found| found.any(|found| found.ip() == address))
}

/// IPv4 first: a code is also typed by hand.
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
