//! The address in an enrolment code.

use std::net::{IpAddr, SocketAddr};

use crate::config::Config;

/// Returns the host for codes. It is the public name if that resolves to more than loopback here, else the listening address, else this
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

/// Returns true if the name resolves to more than the loopback address, which alone is useless to other machines.
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
