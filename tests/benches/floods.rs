//! A hall of blitz boards while strangers flood it: how each flood affects presses, commands, links and memory.
//!
//! `cargo bench -p tests --bench floods` measures each flood. It prints the p99 of press → durable acknowledgement as a multiple of the quiet
//! hall's. It also prints the number of boards without a clock, the p99 of an arbiter's command, and the hub's memory before, at its peak, and
//! after. It fails if a bar is missed. `-- --seconds N` measures each flood for N seconds; `-- --only NAME` runs the floods whose names contain NAME.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use proto::grpc::command_request::Command;
use proto::grpc::{AddBoard, Names};
use tests::floods::{Attack, Flood};
use tests::large_open::large_open;
use tests::rig::{Addresses, Arbiter, Cli, HubProcess, Usage, page_json, program};
use tests::stopwatch::Stopwatch;
use tournament::formats::draft::export;
use tournament::formats::trf::Edition;

/// The board to which the measured commands are sent. It has no clock.
const SPARE: &str = "spare";
/// Playing time that is not measured, before the quiet measurement and while a flood builds up.
const SETTLES: Duration = Duration::from_secs(3);
const MEMORY_WITHIN: Duration = Duration::from_secs(90);
const COMMAND_LIMIT_US: i64 = 100_000;
/// Memory that the hub may still hold after a flood, in addition to 110 % of its memory before the flood.
const KEPT_BYTES: u64 = 16 << 20;

/// Floods a hall with strangers' connections and measures the damage.
#[derive(Parser)]
struct Arguments {
    /// The number of boards in play, each with its clock. With only a few, the p99 would be computed from a handful of presses.
    #[arg(long, default_value_t = 200)]
    boards: usize,
    /// The number of seconds for which each flood is measured.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Run only the floods whose names contain this string.
    #[arg(long)]
    only: Option<String>,
    /// Ignored: cargo passes this flag to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

struct Hall {
    hub: HubProcess,
    at: Addresses,
    arbiter: Arbiter,
    swarm: Swarm,
    dir: tempfile::TempDir,
    boards: usize,
}

struct Measured {
    presses: usize,
    p99_us: i64,
    command_p99_us: i64,
    offline: usize,
    /// The longest wait for the standings on the public page. Informative only; no bar judges it.
    page_us: i64,
    peak_bytes: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let window = Duration::from_secs(arguments.seconds);
    let mut hall = Hall::open(arguments.boards).await?;
    hall.measure(SETTLES).await?;
    let quiet = hall.measure(window).await?;
    println!("{}", line("quiet", &quiet, None, 0, (0, 0)));
    let mut held = quiet.offline == 0;
    let chosen = |flood: &Flood| {
        let only = arguments.only.as_deref().unwrap_or_default();
        flood.name().contains(only)
    };
    for flood in Flood::ALL.into_iter().filter(chosen) {
        let before = hall.resident()?;
        let attack = Attack::start(flood, hall.at, hall.dir.path())?;
        hall.measure(SETTLES).await?;
        let done = attack.done();
        let measured = hall.measure(window).await?;
        let rate = (attack.done() - done) / arguments.seconds.max(1);
        attack.stop()?;
        let after = hall
            .memory_released(before + before / 10 + KEPT_BYTES)
            .await?;
        println!(
            "{}",
            line(flood.name(), &measured, Some(&quiet), rate, (before, after))
        );
        held &= measured.misses(&quiet).is_empty() && after <= before + before / 10 + KEPT_BYTES;
    }
    let watch = Stopwatch::start();
    hall.hub.stop().context("SIGTERM did not end the hub")?;
    println!("the hub stopped after {} ms", watch.elapsed().as_millis());
    Ok(if held {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Hall {
    async fn open(boards: usize) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir_in(tests::tidy::root().join("target"))?;
        let flagfall = program("flagfall").map_err(anyhow::Error::msg)?;
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &["--log-level", "info"])?;
        let at = hub
            .ready(Duration::from_secs(30))
            .map_err(anyhow::Error::msg)?;
        let open = large_open(200, 9, &["DE", "BH/C1", "BH", "AOB", "SB", "TPR"])?;
        let report = dir.path().join("open.trf");
        std::fs::write(&report, export(&open, Edition::Trf26).text)?;
        let cli = Cli::new(&flagfall, at.listen, dir.path());
        let report = report.to_string_lossy();
        let imported = cli.done(&["event", "import", &report, "--yes"]);
        imported.map_err(anyhow::Error::msg)?;
        let mut arbiter = Arbiter::connect(at.listen, dir.path()).await?;
        let identities = arbiter.furnish(boards, "3m+2s").await?;
        let spare = AddBoard {
            control: "3m+2s".to_owned(),
            ..AddBoard::default()
        };
        arbiter.send(SPARE, 0, Command::AddBoard(spare)).await?;
        let swarm = Swarm::start(SwarmConfig {
            hub: at.listen.to_string(),
            identities,
            players: Players::Endless(Pace::Blitz),
            seed: 1,
            journals: Journals::Memory,
            record: true,
            endpoints: 4,
        })
        .await?;
        tokio::time::timeout(Duration::from_secs(60), swarm.connected())
            .await
            .context("the clocks did not connect")?;
        Ok(Self {
            hub,
            at,
            arbiter,
            swarm,
            dir,
            boards,
        })
    }

    fn resident(&self) -> anyhow::Result<u64> {
        Ok(Usage::of(self.hub.pid())?.resident_bytes)
    }

    async fn measure(&mut self, window: Duration) -> anyhow::Result<Measured> {
        self.swarm.take_samples();
        let page = tokio::task::spawn_blocking({
            let http = self.at.http;
            move || worst_page(http, window)
        });
        let (watch, mut commands) = (Stopwatch::start(), Vec::new());
        let (mut offline, mut peak_bytes) = (0, 0);
        let mut look = tokio::time::interval(Duration::from_millis(100));
        while watch.elapsed() < window {
            look.tick().await;
            peak_bytes = peak_bytes.max(self.resident()?);
            let seen = self.arbiter.board(SPARE).await?.seq;
            let asked = Stopwatch::start();
            let names = Names {
                white: format!("Player {}", commands.len()),
                ..Names::default()
            };
            self.arbiter
                .send(SPARE, seen, Command::Names(names))
                .await?;
            commands.push(asked.elapsed_us());
            let hall = self.arbiter.hall().await?;
            let connected = hall.boards.iter().filter(|board| board.online).count();
            offline = offline.max(self.boards - connected.min(self.boards));
        }
        let samples = self.swarm.take_samples();
        let fresh = samples.iter().filter(|sample| !sample.resent);
        let mut latencies: Vec<i64> = fresh.map(|sample| sample.latency_us).collect();
        latencies.sort_unstable();
        commands.sort_unstable();
        Ok(Measured {
            presses: latencies.len(),
            p99_us: p99(&latencies),
            command_p99_us: p99(&commands),
            offline,
            page_us: page.await?,
            peak_bytes,
        })
    }

    async fn memory_released(&mut self, limit: u64) -> anyhow::Result<u64> {
        let watch = Stopwatch::start();
        while self.resident()? > limit && watch.elapsed() < MEMORY_WITHIN {
            self.measure(Duration::from_secs(1)).await?;
        }
        self.resident()
    }
}

/// Returns the longest wait for the standings on the public page during `window`, in microseconds.
fn worst_page(http: std::net::SocketAddr, window: Duration) -> i64 {
    let (watch, mut worst) = (Stopwatch::start(), 0);
    while watch.elapsed() < window {
        let asked = Stopwatch::start();
        // A failed request counts as a wait for the whole window.
        let came = page_json(http, "/live/event/standings.json").is_ok();
        let took = if came {
            asked.elapsed_us()
        } else {
            i64::try_from(window.as_micros()).unwrap_or(i64::MAX)
        };
        worst = worst.max(took);
        std::thread::park_timeout(Duration::from_millis(100));
    }
    worst
}

fn p99(sorted: &[i64]) -> i64 {
    let index = (sorted.len() * 99 / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or(i64::MAX)
}

impl Measured {
    fn misses(&self, quiet: &Self) -> Vec<&'static str> {
        let slow = self.p99_us >= 2 * quiet.p99_us;
        let bars = [
            (slow, "presses"),
            (self.presses * 4 < quiet.presses * 3, "fewer presses"),
            (self.offline > 0, "boards"),
            (self.command_p99_us > COMMAND_LIMIT_US, "commands"),
        ];
        bars.into_iter()
            .filter_map(|(missed, name)| missed.then_some(name))
            .collect()
    }
}

fn line(
    name: &str,
    measured: &Measured,
    quiet: Option<&Measured>,
    rate: u64,
    (before, after): (u64, u64),
) -> String {
    let ms = |us: i64| format!("{:.1} ms", us as f64 / 1e3);
    let mb = |bytes: u64| bytes as f64 / 1e6;
    let against = quiet.map_or_else(String::new, |quiet| {
        let ratio = measured.p99_us as f64 / quiet.p99_us.max(1) as f64;
        let misses = measured.misses(quiet);
        let verdict = match misses.is_empty() {
            true => "ok".to_owned(),
            false => format!("MISSED: {}", misses.join(", ")),
        };
        format!(
            ", x {ratio:.2}, {rate} a second, memory {:.0} -> {:.0} -> {:.0} MB: {verdict}",
            mb(before),
            mb(measured.peak_bytes),
            mb(after)
        )
    });
    format!(
        "{name:<18} {:>5} presses, p99 {:>9}, offline {}, command p99 {:>9}, page at most {:>10}{against}",
        measured.presses,
        ms(measured.p99_us),
        measured.offline,
        ms(measured.command_p99_us),
        ms(measured.page_us),
    )
}
