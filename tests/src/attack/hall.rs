//! The hall under attack: a real hub, honest clocks that press all the time, and the checks after each attack.
//!
//! Owns the processes and the honest clocks. Must never excuse an offline board or a lost press.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clock_agent::enrol::enrol;
use clock_agent::identity::{Identity, Keys};
use clock_agent::swarm::{Counts, Journals, Pace, Players, Sample, Swarm, SwarmConfig};
use hub::identity::{AUTHORITY_FILE, Credentials, Role};
use proto::enrolment::EnrolmentCode;
use proto::grpc::CreateEnrolmentCodeRequest;
use proto::wire::Event;

use super::{Badge, Browser};
use crate::rig::{Addresses, Arbiter, Cli, Evidence, HubProcess, Usage, program, same_clock};
use crate::stopwatch::{Stopwatch, raw_us};

const READY: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(60);
/// The time control of every board, long enough that no flag falls.
const CONTROL: &str = "90m+1s";
/// The number of bytes by which the hub's memory after an attack may exceed that of the quiet hall, because allocators return pages late.
const KEPT_MEMORY: u64 = 64 << 20;
/// The p99 of press latencies under attack must stay below this on any machine. In a quiet hall, a test build takes 15 ms or less for a press.
const P99_US: i64 = 3_000_000;

pub struct Hall {
    pub dir: tempfile::TempDir,
    pub hub: HubProcess,
    /// The addresses at which the hub listens; a restart keeps them.
    pub at: Addresses,
    pub arbiter: Arbiter,
    /// The clocks of the honest boards, which are numbered from 1.
    pub honest: Vec<Identity>,
    swarm: Swarm,
    settings: Vec<String>,
    memory: u64,
}

impl Hall {
    pub async fn open(boards: usize, settings: &[&str]) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        let settings: Vec<String> = settings.iter().map(|&word| word.to_owned()).collect();
        let mut hub = start(&dir, None, &settings)?;
        let at = ready(&mut hub)?;
        let mut arbiter = Arbiter::connect(at.listen, dir.path()).await?;
        let clocks = arbiter.furnish(boards, CONTROL).await?;
        let swarm = Swarm::start(SwarmConfig {
            hub: at.listen.to_string(),
            identities: clocks.clone(),
            players: Players::Endless(Pace::Bullet),
            seed: 1,
            journals: Journals::Memory,
            record: true,
            endpoints: 1,
        })
        .await?;
        tokio::time::timeout(PATIENCE, swarm.connected()).await?;
        let mut hall = Self {
            memory: 0,
            dir,
            hub,
            at,
            arbiter,
            honest: clocks,
            swarm,
            settings,
        };
        hall.presses(boards as u64).await?;
        hall.memory = hall.resident()?;
        Ok(hall)
    }

    /// Returns the hub's current memory use in bytes.
    pub fn resident(&self) -> anyhow::Result<u64> {
        Ok(Usage::of(self.hub.pid())?.resident_bytes)
    }

    /// Returns the hub's peak memory use in bytes.
    pub fn peak(&self) -> anyhow::Result<u64> {
        Ok(Usage::of(self.hub.pid())?.peak_bytes)
    }

    /// Discards the latencies so far, and waits until at least `count` more events of honest clocks are acknowledged. Nearly all of them are presses.
    /// Returns their latencies in microseconds, sorted.
    ///
    /// # Errors
    /// Returns an error if they are not acknowledged within a minute.
    pub async fn presses(&self, count: u64) -> anyhow::Result<Vec<i64>> {
        drop(self.swarm.take_samples());
        let before = self.swarm.counts().acknowledged;
        self.until("presses", |counts| counts.acknowledged >= before + count)
            .await?;
        let samples = self.swarm.take_samples();
        let mut latencies: Vec<i64> = samples.iter().map(|sample| sample.latency_us).collect();
        latencies.sort_unstable();
        Ok(latencies)
    }

    /// Returns one sample for each event of an honest clock that was acknowledged since samples were last taken.
    pub fn samples(&self) -> Vec<Sample> {
        self.swarm.take_samples()
    }

    async fn until(&self, what: &str, holds: impl Fn(Counts) -> bool) -> anyhow::Result<()> {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        let looking = async {
            while !holds(self.swarm.counts()) {
                look.tick().await;
            }
        };
        let came = tokio::time::timeout(PATIENCE, looking).await;
        came.with_context(|| format!("waited for {what}: {:?}", self.swarm.counts()))
    }

    /// Checks after an attack that the honest boards are unharmed and that the hub has released its memory.
    pub async fn check_unharmed(&mut self) -> anyhow::Result<()> {
        let boards = self.honest.len();
        let during = self.swarm.take_samples();
        let resent = during.iter().filter(|sample| sample.resent).count();
        ensure!(resent == 0, "{resent} presses were resent");
        let latencies = self.presses(2 * boards as u64).await?;
        let p99 = percentile(&latencies, 99);
        ensure!(p99 < P99_US, "p99 of the presses is {p99} µs");
        let counts = self.swarm.counts();
        ensure!(counts.connected == boards, "{counts:?}");
        self.check_boards_online().await?;
        self.wait_for_released_memory().await
    }

    pub async fn check_boards_online(&mut self) -> anyhow::Result<()> {
        let known: Vec<String> = (1..=self.honest.len()).map(|no| no.to_string()).collect();
        let boards = self.arbiter.hall().await?.boards;
        let offline: Vec<&str> = boards
            .iter()
            .filter(|board| known.contains(&board.board) && !board.online)
            .map(|board| board.board.as_str())
            .collect();
        ensure!(offline.is_empty(), "boards {offline:?} are offline");
        Ok(())
    }

    /// Waits until the hub's memory is at most `KEPT_MEMORY` above that of the quiet hall.
    pub async fn wait_for_released_memory(&self) -> anyhow::Result<()> {
        let most = self.memory + KEPT_MEMORY;
        let watch = Stopwatch::start();
        let mut look = tokio::time::interval(Duration::from_millis(100));
        loop {
            let now = self.resident()?;
            if now <= most {
                return Ok(());
            }
            let before = self.memory >> 20;
            ensure!(
                watch.elapsed() < PATIENCE,
                "the hub keeps {} MB; before the attack it had {before} MB",
                now >> 20
            );
            look.tick().await;
        }
    }

    /// Returns the hub's authority as PEM, as an attacker has it after copying a backup of the data directory.
    pub fn authority_pem(&self) -> anyhow::Result<String> {
        Ok(std::fs::read_to_string(
            self.dir.path().join(AUTHORITY_FILE),
        )?)
    }

    pub fn arbiter_badge(&self, role: Role, name: &str) -> anyhow::Result<Badge> {
        Ok(Badge::of(&self.key_file(role, name)?))
    }

    pub async fn floor_arbiter(&self, name: &str) -> anyhow::Result<Arbiter> {
        Arbiter::connect_as(self.at.listen, &self.key_file(Role::Floor, name)?).await
    }

    fn key_file(&self, role: Role, name: &str) -> anyhow::Result<Credentials> {
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join("key.pem");
        let made = Command::new(flagfall()?)
            .args(["credential", "--role", role.as_str(), "--name", name])
            .arg(&file)
            .arg("--data-dir")
            .arg(self.dir.path())
            .output()?;
        let said = String::from_utf8_lossy(&made.stderr);
        ensure!(made.status.success(), "flagfall credential: {said}");
        Ok(Credentials::load(&file)?)
    }

    pub async fn clock_code(&mut self, board: &str) -> anyhow::Result<String> {
        let request = CreateEnrolmentCodeRequest {
            board: board.to_owned(),
            ..CreateEnrolmentCodeRequest::default()
        };
        let code = self.arbiter.client().create_enrolment_code(request).await?;
        Ok(code.into_inner().uri)
    }

    /// Enrols a clock that serves no board, and returns its identity for tests to use as that of a stolen clock.
    pub async fn stolen_clock(&mut self) -> anyhow::Result<Identity> {
        let code: EnrolmentCode = self.clock_code("").await?.parse()?;
        let keys = Keys::generate()?;
        let enrolment = enrol(&keys, &code, "stolen", |_| ()).await?;
        Ok(Identity { keys, enrolment })
    }

    /// Returns the newest event from board 1's clock, as an eavesdropper on its link would have it.
    ///
    /// # Errors
    /// Returns an error if the clock has no event yet.
    pub async fn overheard(&self) -> anyhow::Result<Event> {
        let reports = self.swarm.reports().await;
        let newest = reports.first().and_then(|report| report.events.last());
        newest.cloned().context("no event")
    }

    pub fn arbiter_code(&self, role: Role, name: &str) -> anyhow::Result<String> {
        let cli = Cli::new(&flagfall()?, self.at.listen, self.dir.path());
        let words = ["enrol", "--arbiter", name, "--role", role.as_str()];
        let made = cli.json(&words).map_err(anyhow::Error::msg)?;
        let code = made.first().and_then(|code| code["uri"].as_str());
        Ok(code.context("no code")?.to_owned())
    }

    pub async fn browser(&self, role: Role, name: &str) -> anyhow::Result<Browser> {
        let code = self.arbiter_code(role, name)?;
        let mut browser = Browser::new(self.at.listen)?;
        let answer = browser.enrol(&code).await?;
        ensure!(answer.status == 200, "not enrolled: {}", answer.text());
        Ok(browser)
    }

    /// Sends SIGTERM to the hub; returns the time until the process has ended, in microseconds.
    pub fn stop_hub(&mut self) -> anyhow::Result<i64> {
        let started = raw_us();
        let status = self.hub.stop().context("the hub did not end")?;
        ensure!(status.success(), "{status}: {}", self.hub.said());
        Ok(raw_us() - started)
    }

    pub async fn start_again(&mut self) -> anyhow::Result<()> {
        self.hub = start(&self.dir, Some(self.at), &self.settings)?;
        ready(&mut self.hub)?;
        self.arbiter = Arbiter::connect(self.at.listen, self.dir.path()).await?;
        tokio::time::timeout(PATIENCE, self.swarm.connected()).await?;
        // The first presses after the restart arrive over new links.
        self.presses(self.honest.len() as u64).await?;
        self.memory = self.resident()?;
        Ok(())
    }

    /// Ends the games and the hub. Checks that the log holds each event of each honest clock once, and that the hub's clocks equal those of the
    /// agents.
    pub async fn close(mut self) -> anyhow::Result<()> {
        let drained = tokio::time::timeout(PATIENCE, self.swarm.drain()).await;
        drained.context("presses stayed unacknowledged")?;
        let reports = self.swarm.stop().await;
        self.hub.stop().context("the hub did not end")?;
        let evidence = Evidence::of(self.dir.path())?;
        let doubled = evidence.doubled();
        ensure!(doubled.is_empty(), "{doubled:?}");
        for report in reports {
            for seq in 1..=report.seq {
                let times = evidence.events.get(&(report.agent.0.to_vec(), seq));
                ensure!(
                    times == Some(&1),
                    "event {seq} of board {} is in the log {times:?} times",
                    report.board
                );
            }
            let hubs = evidence.hall.clock_bytes(&report.board);
            let (hubs, clock) = hubs.zip(report.clock.as_ref()).context("no clock")?;
            same_clock(&hubs, clock)
                .map_err(|what| anyhow::anyhow!("board {}: {what}", report.board))?;
        }
        Ok(())
    }
}

/// Returns a percentile of sorted latencies; 0 if there are none.
pub(super) fn percentile(sorted: &[i64], percent: usize) -> i64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(0)
}

fn flagfall() -> anyhow::Result<PathBuf> {
    program("flagfall").map_err(anyhow::Error::msg)
}

fn start(
    dir: &tempfile::TempDir,
    at: Option<Addresses>,
    settings: &[String],
) -> anyhow::Result<HubProcess> {
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    Ok(HubProcess::start(&flagfall()?, dir.path(), at, &settings)?)
}

fn ready(hub: &mut HubProcess) -> anyhow::Result<Addresses> {
    hub.ready(READY).map_err(anyhow::Error::msg)
}
