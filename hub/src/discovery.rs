//! Announces the hub on the local network (mDNS, DNS-SD), so that agents and apps find it without a typed address. The announcement proves
//! nothing; the authority's fingerprint does. Owns the announcement. A failed announcement must never prevent the hub from starting.

use std::net::SocketAddr;

use mdns_sd::{ServiceDaemon, ServiceInfo};
use proto::quic::SERVICE_TYPE;

use crate::identity::Identity;

pub struct Announcement {
    daemon: ServiceDaemon,
    name: String,
}

impl Announcement {
    /// Announces the hub that listens on `listen`. Returns `None` if the network does not allow it (this is logged) or if the hub listens
    /// on loopback only.
    pub fn make(event_name: &str, listen: SocketAddr, identity: &Identity) -> Option<Self> {
        if listen.ip().is_loopback() {
            return None;
        }
        let made = announce(event_name, listen, identity);
        made.inspect_err(|error| {
            tracing::warn!(%error, "the hub cannot announce itself (mDNS): agents need its address");
        })
        .ok()
    }

    pub fn withdraw(self) {
        // Best effort: no program relies on the withdrawal.
        let _ = self.daemon.unregister(&self.name);
        let _ = self.daemon.shutdown();
    }
}

fn announce(
    event_name: &str,
    listen: SocketAddr,
    identity: &Identity,
) -> Result<Announcement, mdns_sd::Error> {
    let authority = proto::ids::hex(&identity.authority().fingerprint());
    // The authority's fingerprint distinguishes two hubs on one network.
    let instance = format!("flagfall {}", &authority[..8]);
    let host = format!("flagfall-{}.local.", &authority[..8]);
    let major = proto::MAJOR.to_string();
    // Clocks that were offline when the authority changed still search for the former authority.
    let former = identity.former().map(|former| former.authority());
    let former = former.map_or_else(String::new, |former| proto::ids::hex(&former.fingerprint()));
    let properties = [
        ("authority", authority.as_str()),
        ("former", former.as_str()),
        ("version", major.as_str()),
        ("event", event_name),
    ];
    let address = match listen.ip() {
        any if any.is_unspecified() => String::new(),
        address => address.to_string(),
    };
    let (address, port) = (address.as_str(), listen.port());
    let made = ServiceInfo::new(
        SERVICE_TYPE,
        &instance,
        &host,
        address,
        port,
        &properties[..],
    );
    let mut service = made?;
    if address.is_empty() {
        service = service.enable_addr_auto();
    }
    let name = service.get_fullname().to_owned();
    let daemon = ServiceDaemon::new()?;
    daemon.register(service)?;
    Ok(Announcement { daemon, name })
}
