//! Owns the choice of the route to the hub: QUIC, Bluetooth LE, or automatic. A change of route loses nothing, because the session resends
//! unacknowledged events on the next link.

use std::sync::Arc;
use std::time::Duration;

use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};
use tokio::sync::{Mutex, mpsc};
use tokio::time::sleep;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ble::peripheral::Peripheral;
use super::ble::{BleConnector, BleLink, Radio};
use super::quic::{QuicConnector, QuicLink};
use super::{ConnectError, Connector, Link, LinkEnd};

/// Time during which only QUIC is attempted, before the clock starts to advertise.
const HEAD_START: Duration = Duration::from_secs(3);
/// Delay between two QUIC attempts while no link is open.
const QUIC_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Time during which a clock that was refused over QUIC keeps advertising before it reports the refusal.
const REFUSED_DELAY: Duration = Duration::from_secs(30);
/// Delay before the next attempt over Bluetooth LE after a failure.
const RADIO_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Delay between two QUIC attempts while a Bluetooth LE link is in use.
const UPGRADE_INTERVAL: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub enum HubRoute<R = Peripheral> {
    Quic(QuicConnector),
    Ble(Box<BleConnector<R>>),
    /// QUIC if available, otherwise Bluetooth LE.
    Auto(Box<Auto<R>>),
}

#[derive(Debug)]
pub struct Auto<R = Peripheral> {
    quic: Arc<Mutex<QuicConnector>>,
    ble: BleConnector<R>,
    /// Channel for a QUIC link opened while a Bluetooth LE link was in use.
    better: (mpsc::Sender<QuicLink>, mpsc::Receiver<QuicLink>),
}

impl<R> HubRoute<R> {
    pub fn auto(quic: QuicConnector, ble: BleConnector<R>) -> Self {
        Self::Auto(Box::new(Auto {
            quic: Arc::new(Mutex::new(quic)),
            ble,
            better: mpsc::channel(1),
        }))
    }
}

#[derive(Debug)]
pub enum AutoLink {
    Quic(Box<QuicLink>),
    Ble(Box<BleLink>),
    /// A Bluetooth LE link that is kept until QUIC is available.
    Interim(Box<InterimLink>),
}

#[derive(Debug)]
pub struct InterimLink {
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
                    // A refusal normally needs a person to act. But the peer that refused may not be the hub, so keep advertising for a while before
                    // giving up.
                    Err(refused @ ConnectError::Refused(_)) => {
                        tracing::warn!(%refused, "refused over QUIC; still advertising over Bluetooth LE");
                        sleep(REFUSED_DELAY).await;
                        return Err(refused);
                    }
                    Ok(link) => return Ok(link),
                    Err(ConnectError::Away(why)) => tracing::debug!(why, "no QUIC"),
                }
                sleep(QUIC_RETRY_DELAY).await;
            }
        };
        let by_ble = async {
            sleep(HEAD_START).await;
            let mut said = String::new();
            loop {
                // Retry after any error, so that the QUIC attempts continue.
                let why = match self.ble.connect().await {
                    Ok(link) => return link,
                    Err(error) => error.to_string(),
                };
                if why != said {
                    tracing::warn!(why, "no link over Bluetooth LE: retrying");
                    said = why;
                }
                sleep(RADIO_RETRY_DELAY).await;
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

    /// Returns `ble` as a link that ends once QUIC is available, and starts attempting QUIC in the background.
    fn interim(&self, ble: BleLink) -> InterimLink {
        let (quic, better) = (self.quic.clone(), self.better.0.clone());
        let (found, looking) = (CancellationToken::new(), CancellationToken::new());
        let (tell, ended) = (found.clone(), looking.clone());
        let look = async move {
            loop {
                sleep(UPGRADE_INTERVAL).await;
                let attempt = quic.lock().await.connect().await;
                if let Ok(link) = attempt {
                    // The channel cannot be full: only this task sends while the link exists.
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
        InterimLink {
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
                    Err(LinkEnd::Lost("the hub is reachable over QUIC again".to_owned()))
                }
            },
        }
    }

    async fn close(self, code: GoodbyeReason, reason: &str) {
        match self {
            Self::Quic(link) => link.close(code, reason).await,
            Self::Ble(link) => link.close(code, reason).await,
            Self::Interim(link) => link.ble.close(code, reason).await,
        }
    }
}
