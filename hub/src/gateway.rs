//! The gateway program: its radios find clocks that the hub's radios cannot reach, and it carries
//! values between them and the hub over QUIC.
//!
//! Owns the connection to the hub and the streams on it. Only the clock and the hub can read the frames in the values. The gateway has the key of
//! neither, stores no value, and decides nothing about a game. If the gateway fails, its clocks continue on their own.

mod badge;
mod dial;
mod enrol;
mod program;
mod stream;
mod turns;
mod uplink;

use std::time::Duration;

use proto::quic::server_name_of;
use quinn::Connection;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::links::BleSettings;
use crate::links::ble;
use crate::time_source::TimeSource;

pub use badge::{Badge, UsedCode, new_key};
pub use dial::DialError;
pub use enrol::{EnrolError, enrol};
pub use program::{Options, ProgramError, run};
pub use uplink::Uplink;

const GOODBYES_WITHIN: Duration = Duration::from_secs(2);

/// Connects to the hub at `hub` (`host:port`) with the gateway's certificate, for `protocol` (see [`proto::quic`]).
pub async fn dial(badge: &Badge, hub: &str, protocol: &[u8]) -> Result<Connection, DialError> {
    let tls = badge.tls(protocol);
    let tls = tls.map_err(|error| {
        DialError::Refused(format!(
            "certificate or key: {error}; enrol this gateway again"
        ))
    })?;
    dial::connect(hub, &server_name_of(&badge.fingerprint()), tls).await
}

fn message_of(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub struct Gateway {
    uplink: Uplink,
    ending: CancellationToken,
    tasks: TaskTracker,
}

impl Gateway {
    /// Starts a gateway for the hub that the badge names. With `radios`, the gateway serves this machine's radios, otherwise the callers of
    /// its [`Uplink`]. Must be called inside a tokio runtime.
    pub fn start(badge: Badge, radios: Option<BleSettings>) -> Self {
        let ending = CancellationToken::new();
        let tasks = TaskTracker::new();
        let uplink = Uplink::start(badge, ending.clone(), &tasks);
        if let Some(settings) = radios {
            let radios = ble::Radios {
                host: uplink.clone(),
                settings,
                // Measures durations only; no instant leaves this machine.
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

    pub fn uplink(&self) -> &Uplink {
        &self.uplink
    }

    /// Disconnects the clocks and the hub.
    pub async fn stop(self) {
        self.ending.cancel();
        self.tasks.close();
        // An unresponsive radio is abandoned.
        let _ = tokio::time::timeout(GOODBYES_WITHIN, self.tasks.wait()).await;
    }
}
