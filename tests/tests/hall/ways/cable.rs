//! A network cable between clocks and the hub that can be unplugged. While plugged in, it forwards each UDP packet.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::net::UdpSocket;
use tokio_util::sync::{CancellationToken, DropGuard};

const PACKET: usize = 2048;

pub(crate) struct Cable {
    at: SocketAddr,
    cut: Arc<AtomicBool>,
    _gone: DropGuard,
}

impl Cable {
    pub(crate) async fn to(hub: SocketAddr) -> Self {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        let at = socket.local_addr().unwrap();
        let (cut, gone) = (Arc::new(AtomicBool::new(false)), CancellationToken::new());
        let carrying = carry(socket, hub, cut.clone(), gone.clone());
        tokio::spawn(gone.clone().run_until_cancelled_owned(carrying));
        Self {
            at,
            cut,
            _gone: gone.drop_guard(),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.at
    }

    /// Unplugs the cable if `cut` is true, or else plugs it in again.
    pub(crate) fn cut(&self, cut: bool) {
        self.cut.store(cut, Ordering::SeqCst);
    }
}

async fn carry(
    socket: Arc<UdpSocket>,
    hub: SocketAddr,
    cut: Arc<AtomicBool>,
    gone: CancellationToken,
) {
    let mut ways: BTreeMap<SocketAddr, Arc<UdpSocket>> = BTreeMap::new();
    let mut packet = [0; PACKET];
    loop {
        let Ok((length, clock)) = socket.recv_from(&mut packet).await else {
            continue;
        };
        if cut.load(Ordering::SeqCst) {
            continue;
        }
        let way = match ways.entry(clock) {
            Entry::Occupied(way) => way.into_mut(),
            Entry::Vacant(place) => {
                let way = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
                way.connect(hub).await.unwrap();
                let back = back(way.clone(), socket.clone(), clock, cut.clone());
                tokio::spawn(gone.clone().run_until_cancelled_owned(back));
                place.insert(way)
            }
        };
        // Ignore errors: QUIC sends lost packets again.
        let _ = way.send(&packet[..length]).await;
    }
}

async fn back(from: Arc<UdpSocket>, to: Arc<UdpSocket>, clock: SocketAddr, cut: Arc<AtomicBool>) {
    let mut packet = [0; PACKET];
    loop {
        if let Ok(length) = from.recv(&mut packet).await
            && !cut.load(Ordering::SeqCst)
        {
            let _ = to.send_to(&packet[..length], clock).await;
        }
    }
}
