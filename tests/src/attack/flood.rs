//! A flood as it runs, and its measurement: presses, commands, memory, revocation and shutdown while it lasts.
//!
//! Owns the tasks of a flood, which end with it. Must measure the same for every flood.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, ensure};
use hub::identity::Role;
use proto::grpc::command_request::Command;
use proto::grpc::{ListDevicesRequest, Names, RevokeDeviceRequest};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::hall::percentile;
use super::{Flood, Hall};
use crate::stopwatch::raw_us;

/// A running flood, which ends when the value is dropped. It has a thread of the lowest priority: a remote machine would take no
/// processor time from the hub and the honest clocks.
#[derive(Debug)]
pub struct Flooding {
    tasks: JoinSet<()>,
    sent: Arc<AtomicU64>,
    runtime: Option<Runtime>,
}

impl Flooding {
    /// Starts a flood without a source.
    ///
    /// # Errors
    /// Returns an error if its thread cannot be started.
    pub fn new() -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .thread_name("flood")
            .on_thread_start(|| {
                let _ = rustix::process::nice(19);
            })
            .build()?;
        Ok(Self {
            tasks: JoinSet::new(),
            sent: Arc::default(),
            runtime: Some(runtime),
        })
    }

    /// Runs one more source of the flood; each call of its counter is one attempt.
    pub fn add<F>(&mut self, source: impl FnOnce(Attempts) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some(runtime) = &self.runtime {
            let source = source(Attempts(self.sent.clone()));
            self.tasks.spawn_on(source, runtime.handle());
        }
    }

    /// Returns the number of attempts so far.
    pub fn attempts(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

impl Drop for Flooding {
    fn drop(&mut self) {
        self.tasks.abort_all();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Counts the attempts of a flood.
#[derive(Clone, Debug)]
pub struct Attempts(Arc<AtomicU64>);

impl Attempts {
    /// Counts one attempt.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The size of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Under {
    /// The number of acknowledged presses to await.
    pub presses: u64,
    /// The commands to send.
    pub commands: usize,
}

/// The figures of a flood.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The attempts of the flood during the measurement.
    pub attempts: u64,
    /// p99 of the presses before the flood, µs.
    pub quiet_us: i64,
    /// p99 of the presses during the flood, µs.
    pub p99_us: i64,
    /// The slowest command during the flood, µs.
    pub command_us: i64,
    /// The time to revoke a device during the flood, µs.
    pub revoke_us: i64,
    /// The time from SIGTERM to the end of the hub during the flood, µs.
    pub stop_us: i64,
    /// The hub's memory before the flood, bytes.
    pub before: u64,
    /// The hub's peak memory, bytes.
    pub peak: u64,
    /// The hub's memory after the flood, bytes.
    pub after: u64,
}

/// Measures a flood on a hall. The hub is stopped while the flood lasts, and started again afterwards.
///
/// # Errors
/// Returns an error if a board is offline, a press is lost for a time, a command fails, or the memory is kept.
pub async fn under(hall: &mut Hall, flood: &Flood, extent: Under) -> anyhow::Result<Measured> {
    let quiet_us = percentile(&hall.presses(extent.presses).await?, 99);
    let before = hall.resident()?;
    let tablet = format!("tablet {}", rand::random::<u32>());
    drop(hall.browser(Role::Floor, &tablet).await?);

    let flooding = (flood.start)(hall).await?;
    let latencies = hall.presses(extent.presses).await;
    let latencies = latencies.context("presses during the flood")?;
    hall.boards_online().await?;
    let command_us = commands(hall, extent.commands).await?;
    let revoke_us = revoke(hall, &tablet).await?;
    hall.boards_online().await?;
    let attempts = flooding.attempts();
    ensure!(attempts > 0, "the flood did not flow");
    drop(flooding);
    hall.memory_given_back().await?;
    let (peak, after) = (hall.peak()?, hall.resident()?);

    let flooding = (flood.start)(hall).await?;
    hall.presses(1).await?;
    let stop_us = hall.stop_hub()?;
    drop(flooding);
    hall.start_again().await?;
    Ok(Measured {
        attempts,
        quiet_us,
        p99_us: percentile(&latencies, 99),
        command_us,
        revoke_us,
        stop_us,
        before,
        peak,
        after,
    })
}

/// Sends commands one after the other; returns the slowest one's time.
async fn commands(hall: &mut Hall, count: usize) -> anyhow::Result<i64> {
    let mut slowest = 0;
    for nth in 0..count {
        let seq = hall.arbiter.board("1").await?.seq;
        let names = Names {
            white: format!("Player {nth}"),
            ..Names::default()
        };
        let started = raw_us();
        let sent = hall.arbiter.send("1", seq, Command::Names(names)).await;
        let taken = raw_us() - started;
        match sent {
            Ok(_) => slowest = slowest.max(taken),
            // A press came first; the next attempt names it.
            Err(status) if status.code() == tonic::Code::FailedPrecondition => (),
            Err(status) => return Err(status.into()),
        }
    }
    Ok(slowest)
}

/// Revokes the device of this arbiter; returns the time until the hub's answer.
async fn revoke(hall: &mut Hall, name: &str) -> anyhow::Result<i64> {
    let client = hall.arbiter.client();
    let devices = client.list_devices(ListDevicesRequest {}).await?;
    let devices = devices.into_inner().devices;
    let device = devices.iter().find(|device| device.name == name);
    let request = RevokeDeviceRequest {
        device: device.context("no such device")?.device.clone(),
        reason: "stolen".to_owned(),
    };
    let started = raw_us();
    client.revoke_device(request).await?;
    Ok(raw_us() - started)
}
