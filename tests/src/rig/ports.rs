//! Ports for hubs that restart at the same address. They lie below the ports that the system assigns to clients and to `bind` with port 0. No such
//! assignment can therefore take a hub's port while the hub is down.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::atomic::{AtomicU16, Ordering};

use super::hub_process::Addresses;

const FIRST: u16 = 10_000;
/// The number of ports in the range of one process.
const EACH: u16 = 200;
/// The number of ranges for processes that nextest runs at the same time. All other processes share as many further ranges.
const PLACES: u16 = 20;

static NEXT: AtomicU16 = AtomicU16::new(0);

pub(super) fn addresses() -> Addresses {
    Addresses {
        listen: free(),
        http: free(),
    }
}

fn free() -> SocketAddr {
    loop {
        let port = first() + NEXT.fetch_add(1, Ordering::Relaxed) % EACH;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        if TcpListener::bind(address).is_ok() && UdpSocket::bind(address).is_ok() {
            return address;
        }
    }
}

fn first() -> u16 {
    let slot = std::env::var("NEXTEST_TEST_GLOBAL_SLOT");
    let place = match slot.ok().and_then(|slot| slot.parse::<u16>().ok()) {
        Some(slot) => slot % PLACES,
        None => PLACES + u16::try_from(std::process::id() % u32::from(PLACES)).unwrap_or(0),
    };
    FIRST + place * EACH
}
