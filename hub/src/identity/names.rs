//! The names and addresses of this machine, for the hub's certificates.

use std::collections::BTreeSet;
use std::net::IpAddr;

/// Returns the configured public name, the host's name (in full, bare, and with `.local`), `localhost`, and every address of this machine except
/// link-local ones. Names that are neither ASCII DNS names nor addresses are left out with a warning.
pub fn server_names(public_name: Option<&str>) -> Vec<String> {
    let mut names = BTreeSet::new();
    for name in public_name
        .map(str::to_owned)
        .into_iter()
        .chain(host_names())
    {
        if is_name(&name) {
            names.insert(name);
        } else {
            tracing::warn!(
                name,
                "not an ASCII DNS name: clients cannot reach the hub by this name"
            );
        }
    }
    let addresses = addresses().unwrap_or_else(|error| {
        tracing::warn!(%error, "cannot list this machine's addresses: clients must use the hub's name");
        Vec::new()
    });
    let reached = addresses.iter().filter(|address| !is_link_local(address));
    names.extend(reached.map(ToString::to_string));
    names.into_iter().collect()
}

/// Returns the names and addresses by which browsers may open the hub: the configured ones, and the machine's current
/// ones. The latter include IPv4 link-local addresses, since two devices on one cable have no others.
pub(super) fn browser_names(configured: &[String]) -> Vec<String> {
    let named = configured.iter().cloned().chain(host_names());
    let mut names: BTreeSet<String> = named.filter(|name| is_name(name)).collect();
    // Addresses are formatted from `IpAddr`, because they are compared with a certificate's addresses as text.
    let addresses = addresses().unwrap_or_default();
    let called = addresses
        .iter()
        .filter(|address| address.is_ipv4() || !is_link_local(address));
    names.extend(called.map(ToString::to_string));
    names.into_iter().collect()
}

fn host_names() -> impl Iterator<Item = String> {
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy().into_owned();
    let bare = host.split('.').next().unwrap_or(&host).to_owned();
    [format!("{bare}.local"), host, bare, "localhost".to_owned()].into_iter()
}

fn addresses() -> std::io::Result<Vec<IpAddr>> {
    let loopback = [
        IpAddr::from([127, 0, 0, 1]),
        IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
    ];
    let interfaces = if_addrs::get_if_addrs()?;
    let own = interfaces.iter().map(if_addrs::Interface::ip);
    Ok(own.chain(loopback).collect())
}

fn is_link_local(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

pub(super) fn ip_address(bytes: &[u8]) -> Option<IpAddr> {
    let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

/// Returns a host as written before a port, with an IPv6 address in brackets.
pub(crate) fn bracketed(host: &str) -> String {
    match host.contains(':') {
        true => format!("[{host}]"),
        false => host.to_owned(),
    }
}

fn is_name(name: &str) -> bool {
    is_dns_name(name) || name.parse::<IpAddr>().is_ok()
}

fn is_dns_name(name: &str) -> bool {
    name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_has_at_least_the_name_localhost() {
        let names = server_names(Some("chess.example.org"));
        for name in ["chess.example.org", "localhost", "127.0.0.1", "::1"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert!(!server_names(Some("nö.example")).contains(&"nö.example".to_owned()));
        let names = browser_names(&["chess.example.org".to_owned(), "no_name".to_owned()]);
        for name in ["chess.example.org", "localhost", "127.0.0.1", "::1"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert!(!names.contains(&"no_name".to_owned()));
    }
}
