//! Which way to the hub a clock takes: QUIC, Bluetooth LE, or whichever there is. Owns the choice; what a way carries, and what
//! is sent again on the next one, is the session's.

use std::sync::Arc;
use std::time::Duration;

use proto::wire::{AgentFrame, HubFrame};
use tokio::sync::{Mutex, mpsc};
use tokio::time::sleep;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ble::peripheral::Peripheral;
use super::ble::{BleConnector, BleLink, Radio};
use super::quic::{QuicConnector, QuicLink};
use super::{ConnectError, Connector, Link, LinkEnd};

/// QUIC is tried by itself for this long before the clock goes on the air.
const HEAD_START: Duration = Duration::from_secs(3);
/// Between two attempts over QUIC while the clock is on the air.
const AGAIN: Duration = Duration::from_secs(5);
/// A clock that was refused over QUIC is on the air for this long before it shows that somebody has to do something.
const ON_AIR: Duration = Duration::from_secs(30);
/// Between two attempts over Bluetooth LE: a radio that is not there, or a handshake that came to nothing.
const RADIO_AGAIN: Duration = Duration::from_secs(1);
/// Between two attempts over QUIC while the game goes on over Bluetooth LE.
const BETTER: Duration = Duration::from_secs(15);

/// A way to the hub.
#[derive(Debug)]
pub enum HubRoute<R = Peripheral> {
    /// QUIC alone.
    Quic(QuicConnector),
    /// Bluetooth LE alone.
    Ble(Box<BleConnector<R>>),
    /// QUIC where it can be had, else Bluetooth LE.
    Auto(Box<Auto<R>>),
}

/// Both ways.
#[derive(Debug)]
pub struct Auto<R = Peripheral> {
    quic: Arc<Mutex<QuicConnector>>,
    ble: BleConnector<R>,
    /// A link over QUIC that was opened while the game went on over Bluetooth LE.
    better: (mpsc::Sender<QuicLink>, mpsc::Receiver<QuicLink>),
}

impl<R> HubRoute<R> {
    /// QUIC where it can be had, else Bluetooth LE.
    pub fn auto(quic: QuicConnector, ble: BleConnector<R>) -> Self {
        Self::Auto(Box::new(Auto {
            quic: Arc::new(Mutex::new(quic)),
            ble,
            better: mpsc::channel(1),
        }))
    }
}

/// A link, whichever way.
#[derive(Debug)]
pub enum AutoLink {
    /// Over QUIC.
    Quic(Box<QuicLink>),
    /// Over Bluetooth LE.
    Ble(Box<BleLink>),
    /// Over Bluetooth LE until QUIC can be had.
    Interim(Box<Interim>),
}

/// A link over Bluetooth LE that ends once there is one over QUIC.
#[derive(Debug)]
pub struct Interim {
    ble: BleLink,
    found: CancellationToken,
    _looking: DropGuard,
}

impl<R: Radio> Connector for HubRoute<R> {
    type Link = AutoLink;

    async fn connect(&mut self) -> Result<AutoLink, ConnectError> {
        match self {
            Self::Quic(quic) => quic.connect().await.map(Box::new).map(AutoLink::Quic),
            Self::Ble(ble) => ble.connect().await.map(Box::new).map(AutoLink::Ble),
            Self::Auto(auto) => auto.connect().await,
        }
    }
}

impl<R: Radio> Auto<R> {
    async fn connect(&mut self) -> Result<AutoLink, ConnectError> {
        if let Ok(link) = self.better.1.try_recv() {
            self.ble.off();
            return Ok(AutoLink::Quic(Box::new(link)));
        }
        let quic = self.quic.clone();
        let by_quic = async {
            loop {
                let attempt = quic.lock().await.connect().await;
                match attempt {
                    // Somebody has to do something. But whoever answers at the hub's address need not be the hub, so he does not
                    // keep this clock off the air at once.
                    Err(refused @ ConnectError::Refused(_)) => {
                        tracing::warn!(%refused, "over QUIC; the hub may still come over Bluetooth LE");
                        sleep(ON_AIR).await;
                        return Err(refused);
                    }
                    Ok(link) => return Ok(link),
                    Err(ConnectError::Away(why)) => tracing::debug!(why, "no QUIC"),
                }
                sleep(AGAIN).await;
            }
        };
        let by_ble = async {
            sleep(HEAD_START).await;
            let mut said = String::new();
            loop {
                // A clock without a radio goes on looking for QUIC, however long that takes.
                let why = match self.ble.connect().await {
                    Ok(link) => return link,
                    Err(error) => error.to_string(),
                };
                if why != said {
                    tracing::warn!(why, "no link over Bluetooth LE: tried again");
                    said = why;
                }
                sleep(RADIO_AGAIN).await;
            }
        };
        let found = tokio::select! {
            biased;
            link = by_quic => Ok(link?),
            link = by_ble => Err(link),
        };
        Ok(match found {
            Ok(quic) => {
                self.ble.off();
                AutoLink::Quic(Box::new(quic))
            }
            Err(ble) => AutoLink::Interim(Box::new(self.interim(ble))),
        })
    }

    /// Looks for QUIC while `ble` carries the game.
    fn interim(&self, ble: BleLink) -> Interim {
        let (quic, better) = (self.quic.clone(), self.better.0.clone());
        let (found, looking) = (CancellationToken::new(), CancellationToken::new());
        let (tell, ended) = (found.clone(), looking.clone());
        let look = async move {
            loop {
                sleep(BETTER).await;
                let attempt = quic.lock().await.connect().await;
                if let Ok(link) = attempt {
                    // Nobody else fills the place while this link is there.
                    let _ = better.try_send(link);
                    return tell.cancel();
                }
            }
        };
        tokio::spawn(async move {
            tokio::select! {
                () = look => {}
                () = ended.cancelled() => {}
            }
        });
        Interim {
            ble,
            found,
            _looking: looking.drop_guard(),
        }
    }
}

impl Link for AutoLink {
    fn send(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        match self {
            Self::Quic(link) => link.send(frame),
            Self::Ble(link) => link.send(frame),
            Self::Interim(link) => link.ble.send(frame),
        }
    }

    fn datagram(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        match self {
            Self::Quic(link) => link.datagram(frame),
            Self::Ble(link) => link.datagram(frame),
            Self::Interim(link) => link.ble.datagram(frame),
        }
    }

    async fn next(&mut self) -> Result<HubFrame, LinkEnd> {
        match self {
            Self::Quic(link) => link.next().await,
            Self::Ble(link) => link.next().await,
            Self::Interim(link) => tokio::select! {
                frame = link.ble.next() => frame,
                () = link.found.cancelled() => {
                    Err(LinkEnd::Lost("the hub is reached over QUIC again".to_owned()))
                }
            },
        }
    }

    async fn close(self, reason: &str) {
        match self {
            Self::Quic(link) => link.close(reason).await,
            Self::Ble(link) => link.close(reason).await,
            Self::Interim(link) => link.ble.close(reason).await,
        }
    }
}
