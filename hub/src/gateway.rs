//! The far end of a gateway: its radios find the clocks of a corner that the hub's do not reach, and it carries their values to the hub
//! over QUIC.
//!
//! Owns the connection to the hub and the streams on it. What is in a value only the clock and the hub can tell: this module has no
//! key of either, keeps nothing, and decides nothing about a game. When it dies, its clocks go on by themselves.

mod badge;
mod dial;
mod enrol;
mod program;
mod stream;
mod turns;
mod uplink;

use std::time::Duration;

use quinn::Connection;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::links::BleSettings;
use crate::links::ble;
use crate::time_source::TimeSource;

pub use badge::{Badge, new_key};
pub use dial::DialError;
pub use enrol::{EnrolError, enrol};
pub use program::{Options, ProgramError, run};
pub use uplink::Uplink;

/// Clocks hear of the end within this.
const PARTING: Duration = Duration::from_secs(2);

/// A connection to the hub at `hub` (`host:port`) with the gateway's certificate, for `protocol` (see [`proto::quic`]).
///
/// # Errors
/// [`DialError`].
pub async fn dial(badge: &Badge, hub: &str, protocol: &[u8]) -> Result<Connection, DialError> {
    let tls = badge.tls(protocol);
    let tls = tls.map_err(|error| {
        DialError::Refused(format!(
            "certificate or key: {error}; enrol this gateway again"
        ))
    })?;
    dial::connect(hub, tls).await
}

/// A gateway that runs.
pub struct Gateway {
    uplink: Uplink,
    ending: CancellationToken,
    tasks: TaskTracker,
}

impl Gateway {
    /// Starts a gateway with this badge for the hub that it names; with `radios` it serves those of this machine, without it whoever asks
    /// its [`Uplink`]. Inside a tokio runtime.
    pub fn start(badge: Badge, radios: Option<BleSettings>) -> Self {
        let ending = CancellationToken::new();
        let tasks = TaskTracker::new();
        let uplink = Uplink::start(badge, ending.clone(), &tasks);
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
        Self {
            uplink,
            ending,
            tasks,
        }
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
