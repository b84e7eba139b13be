//! The far end of a gateway: its radios find the clocks of a corner that the hub's do not reach, and it carries their values to the hub
//! over QUIC.
//!
//! Owns the connection to the hub and the streams on it. What is in a value only the clock and the hub can tell: this module has no
//! key of either, keeps nothing, and decides nothing about a game. When it dies, its clocks go on by themselves.

mod program;
mod stream;
mod uplink;

use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::links::quic::{Dialer, Finder, OnReached, Whereabouts};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::links::BleSettings;
use crate::links::ble;
use crate::time_source::TimeSource;

pub use program::{Options, ProgramError, run};
pub use uplink::Uplink;

/// Clocks hear of the end within this.
const PARTING: Duration = Duration::from_secs(2);

/// Why a gateway does not start.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// No socket.
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
    /// Certificate or key.
    #[error("certificate or key: {0}; enrol this gateway again")]
    Tls(#[from] rustls::Error),
}

/// A gateway that runs.
pub struct Gateway {
    uplink: Uplink,
    ending: CancellationToken,
    tasks: TaskTracker,
}

impl Gateway {
    /// Starts a gateway that is enrolled as `identity` and finds its hub as `whereabouts` says; with `radios` it serves those of this
    /// machine, without it whoever asks its [`Uplink`]. Inside a tokio runtime.
    ///
    /// # Errors
    /// [`GatewayError`].
    pub fn start(
        identity: &Identity,
        whereabouts: Whereabouts,
        on_reached: OnReached,
        radios: Option<BleSettings>,
    ) -> Result<Self, GatewayError> {
        let dialer = Dialer::open().map_err(GatewayError::Socket)?;
        let protocol = proto::quic::ALPN_GATEWAY;
        let finder = Finder::new(identity, protocol, dialer, whereabouts, on_reached)?;
        let ending = CancellationToken::new();
        let tasks = TaskTracker::new();
        let uplink = Uplink::start(finder, ending.clone(), &tasks);
        if let Some(settings) = radios {
            let radios = ble::Radios {
                office: uplink.clone(),
                settings,
                // How long something took: nothing here is told to anybody.
                time: TimeSource::resume(None).0,
                ending: ending.clone(),
                tasks: tasks.clone(),
            };
            tasks.spawn(ble::run(radios));
        }
        Ok(Self {
            uplink,
            ending,
            tasks,
        })
    }

    /// The way to the hub.
    pub fn uplink(&self) -> &Uplink {
        &self.uplink
    }

    /// Hangs up on every clock, and then on the hub.
    pub async fn stop(self) {
        self.ending.cancel();
        self.tasks.close();
        // A radio that does not answer is left where it is.
        let _ = tokio::time::timeout(PARTING, self.tasks.wait()).await;
    }
}
