//! What this machine is called: the names and addresses under which the hub's certificates let it be reached.

use std::collections::BTreeSet;
use std::net::IpAddr;

/// The configured public name if there is one, the host's name (bare and `.local`), `localhost`, and every address of this
/// machine but link-local ones. What is no DNS name in ASCII is left out, with a warning.
pub fn server_names(public_name: Option<&str>) -> Vec<String> {
    let mut names = BTreeSet::new();
    for name in public_name.map(str::to_owned).into_iter().chain(called()) {
        if is_name(&name) {
            names.insert(name);
        } else {
            tracing::warn!(
                name,
                "not a DNS name in ASCII: clients cannot call the hub by it"
            );
        }
    }
    match addresses() {
        Ok(addresses) => names.extend(
            addresses
                .iter()
                .filter(|address| !is_link_local(address))
                .map(ToString::to_string),
        ),
        Err(error) => {
            tracing::warn!(%error, "cannot list this machine's addresses: clients must call the hub by name");
        }
    }
    names.into_iter().collect()
}

/// The names and addresses by which browsers may call the hub: those that are `configured`, and the machine's present ones.
/// An IPv4 link-local address is one of them: two devices on one cable have no other.
pub(super) fn browser_names(configured: &[String]) -> Vec<String> {
    let named = configured.iter().cloned().chain(called());
    let mut names: BTreeSet<String> = named.filter(|name| is_name(name)).collect();
    // An address in a certificate has one spelling.
    let addresses = addresses().unwrap_or_default();
    let called = addresses
        .iter()
        .filter(|address| address.is_ipv4() || !is_link_local(address));
    names.extend(called.map(ToString::to_string));
    names.into_iter().collect()
}

/// The host's name, bare and `.local`, and `localhost`.
fn called() -> impl Iterator<Item = String> {
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
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
    fn a_machine_is_at_least_localhost() {
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
