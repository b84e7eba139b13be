//! Finds this device's hub on the local network (DNS-SD over multicast DNS) when its address has changed. Owns the search; the TLS
//! handshake decides whether a hub that was found is the right one.

use std::net::IpAddr;
use std::time::Duration;

use mdns_sd::{ResolvedService, ScopedIp, ServiceDaemon, ServiceEvent};
use proto::ids::unhex;
use proto::quic::SERVICE_TYPE;

use crate::hub_client::Address;

/// The TXT key whose value is the fingerprint of a hub's authority, in hexadecimal digits.
const AUTHORITY: &str = "authority";
/// Maximum wait for one event of the search.
const WAIT: Duration = Duration::from_millis(50);
/// Number of empty waits that ends a search: two seconds in all. On a quiet network, a failed connection and a search stay within the time limit
/// of a session request.
const MAX_WAITS: u32 = 40;
/// Maximum number of events that one search reads, so that a network full of announcements does not delay a call.
const MAX_ANSWERS: usize = 64;

/// Returns the addresses of the first hub found that announces `authority`; empty if there is none or the search fails.
pub fn hubs_of(authority: [u8; 16]) -> Vec<Address> {
    search(authority).unwrap_or_default()
}

fn search(authority: [u8; 16]) -> mdns_sd::Result<Vec<Address>> {
    let daemon = ServiceDaemon::new()?;
    let answers = daemon.browse(SERVICE_TYPE)?;
    let mut found = Vec::new();
    let (mut waits, mut heard) = (0, 0);
    while waits < MAX_WAITS && heard < MAX_ANSWERS {
        match answers.recv_timeout(WAIT) {
            Ok(ServiceEvent::ServiceResolved(service)) if announces(&service, authority) => {
                found = addresses(&service);
                break;
            }
            Ok(_) => heard += 1,
            Err(_) if answers.is_disconnected() => break,
            Err(_) => waits += 1,
        }
    }
    // Ignore an error: the search is over either way.
    let _ = daemon.shutdown();
    Ok(found)
}

fn announces(service: &ResolvedService, authority: [u8; 16]) -> bool {
    let text = service.get_property_val_str(AUTHORITY);
    text.and_then(|text| unhex(text).ok())
        .is_some_and(|announced| announced == authority)
}

/// Returns the service's addresses, IPv4 first. Skips link-local IPv6 addresses, which need the name of a network interface.
fn addresses(service: &ResolvedService) -> Vec<Address> {
    let hosts = service.get_addresses().iter().map(ScopedIp::to_ip_addr);
    let mut hosts: Vec<IpAddr> = hosts
        .filter(|host| !matches!(host, IpAddr::V6(v6) if v6.is_unicast_link_local()))
        .collect();
    hosts.sort();
    let port = service.get_port();
    let address = |host: IpAddr| Address {
        host: host.to_string(),
        port,
    };
    hosts.into_iter().map(address).collect()
}
