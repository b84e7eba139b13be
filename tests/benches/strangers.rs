//! Strangers at the clocks' port: memory during half-open handshakes, enrolment times beside silent devices, and log growth while codes are guessed.
//!
//! `cargo bench -p tests --bench strangers` prints the figures, and fails if one exceeds its limit. `-- --addresses N` changes the number of
//! attacking devices.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use clock_agent::identity::Keys;
use clock_agent::swarm::{Journals, Pace, Players, Sample, Swarm, SwarmConfig};
use proto::enrolment::EnrolmentCode;
use proto::grpc::CreateEnrolmentCodeRequest;
use proto::wire::enrol_answer::Answer;
use tests::rig::{Addresses, Arbiter, Device, HubProcess, Usage, enrol_request, program};
use tests::stopwatch::Stopwatch;
use tokio::task::JoinSet;

/// Attacks the clocks' port as devices without a certificate could, and measures the damage.
#[derive(Parser)]
struct Arguments {
    /// The number of source addresses of the attack.
    #[arg(long, default_value_t = 240)]
    addresses: u8,
    /// Ignored: cargo passes this flag to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

const KNOCKS: usize = 40;
const WAVES: usize = 3;
const BOARDS: usize = 50;
const MEGABYTE: f64 = (1 << 20) as f64;

struct Rig {
    hub: HubProcess,
    at: Addresses,
    arbiter: Arbiter,
    swarm: Swarm,
    held: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let dir = tempfile::tempdir()?;
    let mut rig = Rig::open(dir.path()).await?;
    rig.quiet().await?;
    rig.half_handshakes(arguments.addresses).await?;
    rig.silent_devices(arguments.addresses).await?;
    rig.guesses(arguments.addresses).await?;
    rig.swarm.stop().await;
    rig.hub.stop().context("SIGTERM did not end the hub")?;
    Ok(match rig.held {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

impl Rig {
    async fn open(dir: &std::path::Path) -> anyhow::Result<Self> {
        let program = program("flagfall").map_err(anyhow::Error::msg)?;
        let mut hub = HubProcess::start(&program, dir, None, &[])?;
        let at = hub.ready(Duration::from_secs(20));
        let at = at.map_err(anyhow::Error::msg)?;
        let mut arbiter = Arbiter::connect(at.listen, dir).await?;
        let identities = arbiter.furnish(BOARDS, "3m+2s").await?;
        let config = SwarmConfig {
            hub: at.listen.to_string(),
            identities,
            players: Players::Endless(Pace::Blitz),
            seed: 1,
            journals: Journals::Memory,
            record: true,
            endpoints: 1,
        };
        let swarm = Swarm::start(config).await?;
        tokio::time::timeout(Duration::from_secs(60), swarm.connected())
            .await
            .context("the clocks did not connect")?;
        Ok(Self {
            hub,
            at,
            arbiter,
            swarm,
            held: true,
        })
    }

    async fn quiet(&mut self) -> anyhow::Result<()> {
        self.swarm.take_samples();
        let mut samples = self.presses(Duration::from_secs(10)).await;
        println!(
            "quiet: press acknowledged p99 {:.1} ms",
            p99_ms(&mut samples)
        );
        println!("quiet: {:.1} MB", self.resident_mb()?);
        Ok(())
    }

    async fn half_handshakes(&mut self, addresses: u8) -> anyhow::Result<()> {
        let before = self.resident_mb()?;
        for wave in 1..=WAVES {
            self.swarm.take_samples();
            let mut begun = Vec::new();
            for host in 1..=addresses {
                let device = Device::deaf_at(Ipv4Addr::new(127, 0, 1, host))?;
                for _ in 0..KNOCKS {
                    begun.push(device.knock(self.at.listen)?);
                }
            }
            // The hub drops an unfinished handshake after five seconds.
            let mut samples = self.presses(Duration::from_secs(6)).await;
            let (now, number) = (self.resident_mb()?, begun.len());
            println!(
                "wave {wave} of {number} half-open handshakes: {now:.1} MB, press acknowledged p99 {:.1} ms",
                p99_ms(&mut samples)
            );
        }
        let peak = Usage::of(self.hub.pid())?.peak_bytes as f64 / MEGABYTE;
        self.bar(
            "half-open handshakes: peak memory above quiet, MB",
            peak - before,
            40.0,
        );
        self.presses(Duration::from_secs(10)).await;
        let kept = self.resident_mb()? - before;
        self.bar(
            "half-open handshakes: memory kept after 10 s, MB",
            kept,
            20.0,
        );
        Ok(())
    }

    async fn silent_devices(&mut self, addresses: u8) -> anyhow::Result<()> {
        let (_crowd, opened) = silent_crowd(self.at.listen, addresses)?;
        let mut look = tokio::time::interval(Duration::from_millis(10));
        while opened.load(Ordering::SeqCst) < 256 {
            look.tick().await;
        }
        // Ten enrolments a second stay below the handshake rate allowed for one address.
        let mut turn = tokio::time::interval(Duration::from_millis(100));
        let clock = Device::at(Ipv4Addr::new(127, 0, 9, 1))?;
        let mut taken_ms = Vec::new();
        for _ in 0..20 {
            turn.tick().await;
            let token = self.code().await?.token;
            let request = enrol_request(&Keys::generate()?, &token, "honest");
            let watch = Stopwatch::start();
            while !matches!(
                clock.ask(self.at.listen, &request).await,
                Ok(Answer::Enrolled(_))
            ) {
                look.tick().await;
            }
            taken_ms.push(watch.elapsed().as_secs_f64() * 1e3);
        }
        taken_ms.sort_by(f64::total_cmp);
        println!(
            "enrolment beside silent devices: median {:.0} ms",
            taken_ms[10]
        );
        self.bar(
            "enrolment beside silent devices: longest, ms",
            taken_ms[19],
            2_000.0,
        );
        Ok(())
    }

    async fn guesses(&mut self, addresses: u8) -> anyhow::Result<()> {
        let (before, watch) = (self.hub.said().len(), Stopwatch::start());
        let mut guessing = JoinSet::new();
        let keys = Arc::new(Keys::generate()?);
        for host in 1..=addresses {
            let (device, keys) = (Device::at(Ipv4Addr::new(127, 0, 3, host))?, keys.clone());
            let hub = self.at.listen;
            guessing.spawn(async move {
                let request = enrol_request(&keys, &[host; 16], "");
                let mut answered = 0;
                for _ in 0..20 {
                    answered += usize::from(device.ask(hub, &request).await.is_ok());
                }
                answered
            });
        }
        let answered: usize = guessing.join_all().await.into_iter().sum();
        // The hub writes a summary to its log every ten seconds.
        self.presses(Duration::from_secs(11)).await;
        let secs = watch.elapsed().as_secs_f64();
        let bytes = (self.hub.said().len() - before) as f64;
        println!("{answered} guessed codes in {secs:.0} s: {bytes} bytes of log");
        self.bar("guessed codes: log, bytes a second", bytes / secs, 10_000.0);
        Ok(())
    }

    async fn presses(&self, window: Duration) -> Vec<Sample> {
        let watch = Stopwatch::start();
        let mut look = tokio::time::interval(Duration::from_millis(50));
        let mut samples = Vec::new();
        while watch.elapsed() < window {
            look.tick().await;
            samples.extend(self.swarm.take_samples());
        }
        samples
    }

    async fn code(&mut self) -> anyhow::Result<EnrolmentCode> {
        let request = CreateEnrolmentCodeRequest::default();
        let code = self.arbiter.client().create_enrolment_code(request).await?;
        Ok(code.into_inner().uri.parse()?)
    }

    fn resident_mb(&self) -> anyhow::Result<f64> {
        Ok(Usage::of(self.hub.pid())?.resident_bytes as f64 / MEGABYTE)
    }

    fn bar(&mut self, what: &str, value: f64, limit: f64) {
        let held = value <= limit;
        self.held &= held;
        let verdict = if held { "ok" } else { "MISSED" };
        println!("{what:55} {value:10.1}  limit {limit:8.0}  {verdict}");
    }
}

fn silent_crowd(hub: SocketAddr, addresses: u8) -> anyhow::Result<(JoinSet<()>, Arc<AtomicUsize>)> {
    let opened = Arc::new(AtomicUsize::new(0));
    let mut crowd = JoinSet::new();
    for host in 1..=addresses {
        let device = Device::at(Ipv4Addr::new(127, 0, 2, host))?;
        for _ in 0..2 {
            let (device, opened) = (device.clone(), opened.clone());
            crowd.spawn(async move {
                let mut again = tokio::time::interval(Duration::from_millis(500));
                loop {
                    again.tick().await;
                    if let Ok(connection) = device.connect(hub).await {
                        opened.fetch_add(1, Ordering::SeqCst);
                        connection.closed().await;
                    }
                }
            });
        }
    }
    Ok((crowd, opened))
}

fn p99_ms(samples: &mut [Sample]) -> f64 {
    samples.sort_by_key(|sample| sample.latency_us);
    let at = samples.len() * 99 / 100;
    samples
        .get(at)
        .map_or(f64::NAN, |sample| sample.latency_us as f64 / 1e3)
}
