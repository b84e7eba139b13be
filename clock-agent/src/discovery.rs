//! Discovery of hubs on the local network (DNS-SD over multicast DNS). Owns the search; TLS decides whether a discovered hub is this clock's hub.

use std::time::Duration;

use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent};
use proto::ids::unhex;
use proto::quic::SERVICE_TYPE;

use crate::links::HubAddress;

/// TXT key for the fingerprint of a hub's authority, in hexadecimal digits.
const AUTHORITY: &str = "authority";
/// TXT key for the fingerprint of the previous authority, while that is still valid.
const FORMER: &str = "former";

/// Returns the addresses of a hub whose present or former authority is `authority`, then those of hubs that name no authority. Omits other hubs. The
/// search ends at the first matching hub, after `wait` without an event, or after 64 events.
pub async fn find(authority: [u8; 16], wait: Duration) -> Vec<HubAddress> {
    let search = tokio::task::spawn_blocking(move || search(authority, wait));
    match search.await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::debug!(%error, "cannot search for the hub on the local network");
            Vec::new()
        }
        // The runtime shut down, or the search panicked.
        Err(_) => Vec::new(),
    }
}

fn search(authority: [u8; 16], wait: Duration) -> mdns_sd::Result<Vec<HubAddress>> {
    let daemon = ServiceDaemon::new()?;
    let events = daemon.browse(SERVICE_TYPE)?;
    let (mut ours, mut unnamed) = (Vec::new(), Vec::new());
    // Each event restarts the wait, so limit the number of events. A hub with our authority ends the search.
    let mut rounds = 0;
    while ours.is_empty() && rounds < 64 {
        rounds += 1;
        match events.recv_timeout(wait) {
            Ok(ServiceEvent::ServiceResolved(service)) => {
                match [AUTHORITY, FORMER].map(|key| announced(&service, key)) {
                    shown if shown.contains(&Some(authority)) => ours.extend(addresses(&service)),
                    [Some(_), _] => {}
                    [None, _] => unnamed.extend(addresses(&service)),
                }
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    // Ignore an error: the daemon's thread ends on its own.
    let _ = daemon.shutdown();
    ours.append(&mut unnamed);
    Ok(ours)
}

fn announced(service: &ResolvedService, key: &str) -> Option<[u8; 16]> {
    let text = service.get_property_val_str(key)?;
    unhex(text).ok()?.try_into().ok()
}

/// Returns the addresses of a hub, IPv4 first. Omits link-local IPv6 addresses, which are useless without their interface.
fn addresses(service: &ResolvedService) -> Vec<HubAddress> {
    let mut hosts: Vec<std::net::IpAddr> = service
        .get_addresses()
        .iter()
        .map(mdns_sd::ScopedIp::to_ip_addr)
        .filter(|address| match address {
            std::net::IpAddr::V4(_) => true,
            std::net::IpAddr::V6(v6) => !v6.is_unicast_link_local(),
        })
        .collect();
    hosts.sort();
    let port = service.get_port();
    hosts
        .into_iter()
        .map(|host| HubAddress {
            host: host.to_string(),
            port,
        })
        .collect()
}
