//! A running flood and its measurement: presses, commands, memory, revocation and shutdown while it runs.
//!
//! Owns a flood's tasks, which end with it. Must measure every flood in the same way.

use std::time::Duration;

use anyhow::Context as _;
use hub::identity::Role;
use proto::grpc::command_request::Command;
use proto::grpc::{ListDevicesRequest, Names, RevokeDeviceRequest};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::hall::percentile;
use super::{Flood, Hall};
use crate::stopwatch::raw_us;

const FIRST_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60);

/// A running flood, which ends when the value is dropped. It runs in a thread with the lowest priority, because a remote attacker would take no
/// processor time from the hub and the honest clocks.
#[derive(Debug)]
pub struct Flooding {
    tasks: JoinSet<()>,
    attempts: watch::Sender<u64>,
    runtime: Option<Runtime>,
}

impl Flooding {
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
            attempts: watch::Sender::default(),
            runtime: Some(runtime),
        })
    }

    /// Adds a source to the flood. The source must call `Attempts::count` once for each attempt.
    pub fn add<F>(&mut self, source: impl FnOnce(Attempts) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some(runtime) = &self.runtime {
            let source = source(Attempts(self.attempts.clone()));
            self.tasks.spawn_on(source, runtime.handle());
        }
    }

    pub fn attempts(&self) -> u64 {
        *self.attempts.borrow()
    }

    /// Waits for the first attempt. At the lowest priority, a flood may start after many presses on a busy machine.
    async fn wait_for_first_attempt(&self) -> anyhow::Result<()> {
        let mut attempts = self.attempts.subscribe();
        let first = timeout(FIRST_ATTEMPT_TIMEOUT, attempts.wait_for(|&count| count > 0));
        first.await.context("the flood made no attempts")??;
        Ok(())
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

#[derive(Clone, Debug)]
pub struct Attempts(watch::Sender<u64>);

impl Attempts {
    pub fn count(&self) {
        self.0.send_modify(|count| *count += 1);
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub presses: u64,
    pub commands: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub attempts: u64,
    /// The p99 of the time to acknowledge a press before the flood, in µs.
    pub quiet_us: i64,
    /// The p99 of the time to acknowledge a press during the flood, in µs.
    pub p99_us: i64,
    /// The time that the slowest command took during the flood, in µs.
    pub command_us: i64,
    pub revoke_us: i64,
    /// The time from SIGTERM to the end of the hub during the flood, in µs.
    pub stop_us: i64,
    /// The hub's memory before the flood, in bytes.
    pub before: u64,
    /// The hub's peak memory since its start, in bytes.
    pub peak: u64,
    /// The hub's memory after the flood, in bytes.
    pub after: u64,
}

/// Measures the effect of a flood on a hall. Stops the hub while the flood is running, and starts it again afterwards.
///
/// # Errors
/// Returns an error if the flood makes no attempt, a board goes offline, or presses are no longer acknowledged. Also returns an
/// error if a command or the revocation fails, or if the hub does not release the memory, stop or start again.
pub async fn measure_under(
    hall: &mut Hall,
    flood: &Flood,
    extent: Extent,
) -> anyhow::Result<Measured> {
    let quiet_us = percentile(&hall.presses(extent.presses).await?, 99);
    let before = hall.resident()?;
    let tablet = format!("tablet {}", rand::random::<u32>());
    drop(hall.browser(Role::Floor, &tablet).await?);

    let flooding = (flood.start)(hall).await?;
    flooding.wait_for_first_attempt().await?;
    let latencies = hall.presses(extent.presses).await;
    let latencies = latencies.context("presses during the flood")?;
    hall.check_boards_online().await?;
    let command_us = commands(hall, extent.commands).await?;
    let revoke_us = revoke(hall, &tablet).await?;
    hall.check_boards_online().await?;
    let attempts = flooding.attempts();
    drop(flooding);
    hall.wait_for_released_memory().await?;
    let (peak, after) = (hall.peak()?, hall.resident()?);

    let flooding = (flood.start)(hall).await?;
    flooding.wait_for_first_attempt().await?;
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

/// Sends commands one after another; returns the time that the slowest accepted one took, in microseconds.
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
            // The board's state changed before the command arrived, so the hub refuses the outdated view. The next command uses the new view.
            Err(status) if status.code() == tonic::Code::FailedPrecondition => (),
            Err(status) => return Err(status.into()),
        }
    }
    Ok(slowest)
}

/// Revokes the device named `name`; returns the time until the hub's response, in microseconds.
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
