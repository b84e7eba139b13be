//! Finding the hub in the local network (DNS-SD over multicast DNS). Owns the search; whether what it finds is the hub of
//! this clock is decided by TLS.

use std::time::Duration;

use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent};
use proto::ids::unhex;
use proto::quic::SERVICE_TYPE;

use crate::links::HubAddress;

/// TXT key under which a hub announces the fingerprint of its authority, in hexadecimal digits.
const AUTHORITY: &str = "authority";

/// Hubs that announce themselves within `wait`: those that name `authority` first, those that name another one left out.
pub async fn find(authority: [u8; 16], wait: Duration) -> Vec<HubAddress> {
    let search = tokio::task::spawn_blocking(move || search(authority, wait));
    match search.await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::debug!(%error, "cannot look round for the hub");
            Vec::new()
        }
        // The search was abandoned with the runtime.
        Err(_) => Vec::new(),
    }
}

fn search(authority: [u8; 16], wait: Duration) -> mdns_sd::Result<Vec<HubAddress>> {
    let daemon = ServiceDaemon::new()?;
    let events = daemon.browse(SERVICE_TYPE)?;
    let (mut ours, mut unnamed) = (Vec::new(), Vec::new());
    // Each answer ends a wait; a hub that names our authority ends the search.
    let mut rounds = 0;
    while ours.is_empty() && rounds < 64 {
        rounds += 1;
        match events.recv_timeout(wait) {
            Ok(ServiceEvent::ServiceResolved(service)) => match announced(&service) {
                Some(shown) if shown == authority => ours.extend(addresses(&service)),
                Some(_) => {}
                None => unnamed.extend(addresses(&service)),
            },
            Ok(_) => {}
            Err(_) => break,
        }
    }
    // The daemon's thread ends by itself; there is nothing to wait for.
    let _ = daemon.shutdown();
    ours.append(&mut unnamed);
    Ok(ours)
}

fn announced(service: &ResolvedService) -> Option<[u8; 16]> {
    let text = service.get_property_val_str(AUTHORITY)?;
    unhex(text).ok()?.try_into().ok()
}

/// IPv4 first: a link-local IPv6 address is of no use without its interface.
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
