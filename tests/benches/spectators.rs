//! Spectators beside a hall of blitz boards: what a large audience costs the boards, whether it follows the hub itself or its edges.
//!
//! `cargo bench -p tests --bench spectators` plays 500 boards. 2,000 spectators follow the hub's feed; then 20,000 spectators follow the feeds of
//! two edges. It measures the p99 of the boards' press latencies and the hub's processor time, in alternating turns with and without spectators.
//! It fails if spectators at the hub raise the p99, or spectators at the edges raise the hub's processor time, by over 10 %. It also fails if a
//! spectator loses the feed or receives no event during a turn.
//!
//! A board's page follows that board; the hall's page follows all boards. At this pace, a gigabit line carries about 400 spectators of the hall's
//! page, so most spectators here follow one board. Spectators and edges run only while a processor is idle, because real ones run on other
//! machines.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::io::Write as _;
use std::net::SocketAddr;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Parser;
use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use tests::rig::{Arbiter, HubProcess, Usage, connect_from, program};
use tests::stopwatch::Stopwatch;
use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Measures what spectators cost a hall of blitz boards.
#[derive(Parser)]
struct Arguments {
    /// The number of boards in play, each with its clock.
    #[arg(long, default_value_t = 500)]
    boards: usize,
    /// The number of spectators at the hub.
    #[arg(long, default_value_t = 2_000)]
    near: usize,
    /// The number of spectators at the two edges together.
    #[arg(long, default_value_t = 20_000)]
    far: usize,
    /// The length of each turn in seconds. A feed sends an event at least every ten seconds.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// The number of turns with spectators, and also the number of turns without.
    #[arg(long, default_value_t = 4)]
    turns: usize,
    /// Run as the spectators' process: follow the feed at this address until standard input ends.
    #[arg(long, hide = true)]
    follow: Option<SocketAddr>,
    /// Ignored: cargo passes this flag to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// One in this many of the spectators at the hub follows all boards; the others follow one board each.
const WHOLE_NEAR: usize = 40;
const WHOLE_FAR: usize = 1_000;
/// The judged value with spectators may be at most this multiple of the value without.
const LIMIT: f64 = 1.1;

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.follow.is_some() {
        give_way()?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    match arguments.follow {
        Some(at) => runtime.block_on(follow(at, arguments.near, arguments.boards, arguments.far)),
        None => runtime.block_on(measure(&arguments)),
    }
}

async fn measure(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // Not under /tmp, which may be in memory.
    let dir = tempfile::tempdir_in(tests::tidy::root().join("target"))?;
    let flagfall = program("flagfall").map_err(anyhow::Error::msg)?;
    let mut hub = HubProcess::start(&flagfall, dir.path(), None, &["--log-level", "warn"])?;
    let at = hub.ready(Duration::from_secs(20));
    let at = at.map_err(anyhow::Error::msg)?;
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await?;
    let config = SwarmConfig {
        hub: at.listen.to_string(),
        identities: arbiter.furnish(arguments.boards, "3m+2s").await?,
        players: Players::Endless(Pace::Blitz),
        seed: 1,
        journals: Journals::Memory,
        record: true,
        endpoints: 8,
    };
    let swarm = Swarm::start(config).await?;
    tokio::time::timeout(Duration::from_secs(60), swarm.connected())
        .await
        .context("the clocks did not connect")?;
    // Let the first games start.
    presses(&swarm, Duration::from_secs(3)).await;
    println!("{} boards in play", arguments.boards);
    let hall = (&swarm, &hub);
    let near = Place::Hub(at.http);
    let mut held = compare(arguments, hall, near, Bar::Latency).await?;
    let far = Place::Edges(&flagfall, at.http);
    held &= compare(arguments, hall, far, Bar::Work).await?;
    swarm.stop().await;
    hub.stop().context("SIGTERM did not end the hub")?;
    Ok(if held {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bar {
    Latency,
    /// The hub's processor time. In a hall the edges run on other machines; here they share the hub's processors and would raise the p99 themselves.
    Work,
}

#[derive(Clone, Copy)]
enum Place<'a> {
    Hub(SocketAddr),
    /// The `flagfall` program, which runs two edges, and the address of their hub.
    Edges(&'a std::path::Path, SocketAddr),
}

impl Place<'_> {
    /// Starts the edges, if any. Returns them with each crowd's address, its size, and n, where one spectator in n follows all boards.
    #[expect(
        clippy::type_complexity,
        reason = "a pair of lists, taken apart at once"
    )]
    fn open(
        self,
        arguments: &Arguments,
    ) -> anyhow::Result<(Vec<HubProcess>, Vec<(SocketAddr, usize, usize)>)> {
        match self {
            Self::Hub(at) => Ok((Vec::new(), vec![(at, arguments.near, WHOLE_NEAR)])),
            Self::Edges(flagfall, hub) => {
                let mut edges = vec![edge(flagfall, hub)?, edge(flagfall, hub)?];
                let addresses = edges.iter_mut().map(edge_address);
                let crowds = addresses.map(|at| Ok((at?, arguments.far / 2, WHOLE_FAR)));
                let crowds = crowds.collect::<anyhow::Result<_>>()?;
                Ok((edges, crowds))
            }
        }
    }
}

async fn compare(
    arguments: &Arguments,
    (swarm, hub): (&Swarm, &HubProcess),
    place: Place<'_>,
    bar: Bar,
) -> anyhow::Result<bool> {
    let turn = Duration::from_secs(arguments.seconds);
    let (mut quiet, mut beside) = (Vec::new(), Vec::new());
    let (mut changes, mut silent, mut lost) = (0, 0, 0);
    let [mut quiet_us, mut beside_us] = [0, 0];
    for _ in 0..arguments.turns {
        let before = Usage::of(hub.pid())?.cpu_us;
        quiet.extend(presses(swarm, turn).await);
        quiet_us += Usage::of(hub.pid())?.cpu_us - before;
        let (edges, crowds) = place.open(arguments)?;
        let crowds = crowds.into_iter();
        let mut crowds: Vec<_> = crowds
            .map(|crowd| Crowd::gather(arguments.boards, crowd))
            .collect::<Result<_, _>>()?;
        // Wait until all have connected, so that the measurement covers steady spectators and not the rush to connect.
        for crowd in &mut crowds {
            crowd.wait_until_complete()?;
        }
        let before = Usage::of(hub.pid())?.cpu_us;
        swarm.take_samples();
        beside.extend(presses(swarm, turn).await);
        beside_us += Usage::of(hub.pid())?.cpu_us - before;
        for crowd in crowds {
            let heard = crowd.leave()?;
            changes += heard[0];
            silent += heard[1];
            lost += heard[2];
        }
        for mut edge in edges {
            edge.kill();
        }
        // Give the hub time to clean up after the spectators that have left.
        presses(swarm, Duration::from_secs(2)).await;
    }
    let (number, what) = match place {
        Place::Hub(_) => (arguments.near, "spectators at the hub"),
        Place::Edges(..) => (arguments.far, "spectators at two edges"),
    };
    println!(
        "{number} {what}: {changes} events heard, {silent} of {} heard none, {lost} lost",
        number * arguments.turns,
    );
    let seconds = (arguments.seconds * arguments.turns as u64) as f64;
    let cores = [quiet_us, beside_us].map(|us| us as f64 / 1e6 / seconds);
    let p99 = [p99(&mut quiet), p99(&mut beside)].map(|us| us as f64 / 1e3);
    let latency = "press -> durable acknowledgement, p99, ms";
    let held = judged(latency, p99, bar == Bar::Latency)
        & judged("hub's processor, cores", cores, bar == Bar::Work);
    Ok(held && silent == 0 && lost == 0)
}

/// Prints a measurement without and with spectators. Returns false if it is the judged one and exceeds the limit.
fn judged(what: &str, [without, with]: [f64; 2], is_bar: bool) -> bool {
    let ratio = with / without;
    let held = !is_bar || ratio <= LIMIT;
    let judged = match (is_bar, held) {
        (false, _) => String::new(),
        (true, true) => format!(" (limit {LIMIT}) ok"),
        (true, false) => format!(" (limit {LIMIT}) MISSED"),
    };
    println!("{what}: {without:.2} without, {with:.2} with: ratio {ratio:.2}{judged}");
    held
}

/// Returns the latencies, µs, of the clocks' events acknowledged during `window`, except resent ones.
async fn presses(swarm: &Swarm, window: Duration) -> Vec<i64> {
    let (watch, mut taken) = (Stopwatch::start(), Vec::new());
    let mut look = tokio::time::interval(Duration::from_millis(10));
    swarm.take_samples();
    while watch.elapsed() < window {
        look.tick().await;
        let samples = swarm.take_samples().into_iter();
        taken.extend(samples.filter(|one| !one.resent).map(|one| one.latency_us));
    }
    taken
}

fn p99(latencies: &mut [i64]) -> i64 {
    latencies.sort_unstable();
    let index = latencies.len() * 99 / 100;
    latencies.get(index).copied().unwrap_or(i64::MAX)
}

/// Gives idle priority to this thread and to every thread or process that it starts, so that any other process takes precedence.
fn give_way() -> anyhow::Result<()> {
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle)
        .map_err(|error| anyhow::anyhow!("{error:?}"))
}

/// Starts an edge from a thread with idle priority, so that the edge inherits that priority.
fn edge(flagfall: &std::path::Path, hub: SocketAddr) -> anyhow::Result<HubProcess> {
    let flagfall = flagfall.to_owned();
    let started = std::thread::spawn(move || start_edge(&flagfall, hub));
    let edge = started.join();
    edge.map_err(|_| anyhow::anyhow!("the edge was not started"))?
}

fn start_edge(flagfall: &std::path::Path, hub: SocketAddr) -> anyhow::Result<HubProcess> {
    give_way()?;
    let mut command = Command::new(flagfall);
    command
        .args(["edge", "--http", "127.0.0.1:0", "--log", "warn"])
        .args(["--from", &format!("http://{hub}")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(HubProcess::spawn(&mut command)?)
}

/// Reads an edge's address from its first line: `page  http://ADDRESS/  from …`.
fn edge_address(edge: &mut HubProcess) -> anyhow::Result<SocketAddr> {
    let line = edge
        .line(Duration::from_secs(20))
        .map_err(anyhow::Error::msg)?;
    let address = line
        .split_once("http://")
        .and_then(|(_, rest)| rest.split('/').next());
    Ok(address.with_context(|| line.clone())?.parse()?)
}

struct Crowd {
    program: Child,
    out: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
}

impl Crowd {
    fn gather(
        boards: usize,
        (at, number, whole): (SocketAddr, usize, usize),
    ) -> anyhow::Result<Self> {
        let mut program = Command::new(std::env::current_exe()?)
            .args(["--follow", &at.to_string(), "--boards", &boards.to_string()])
            .args(["--near", &number.to_string(), "--far", &whole.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = program.stdout.take().context("no output")?;
        let out = std::io::BufRead::lines(std::io::BufReader::new(out));
        Ok(Self { program, out })
    }

    fn wait_until_complete(&mut self) -> anyhow::Result<()> {
        let line = self.out.next().context("the spectators ended")??;
        ensure!(line == "complete", "{line}");
        Ok(())
    }

    /// Ends the process. Returns three numbers: the events received, the spectators that received none, and the spectators that lost the feed.
    fn leave(mut self) -> anyhow::Result<[u64; 3]> {
        drop(self.program.stdin.take());
        let line = self.out.next().context("the spectators ended")??;
        self.program.wait()?;
        let numbers: Vec<u64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        numbers.try_into().map_err(|_| anyhow::anyhow!("{line}"))
    }
}

async fn follow(
    at: SocketAddr,
    number: usize,
    boards: usize,
    whole: usize,
) -> anyhow::Result<ExitCode> {
    let lost = Arc::new(AtomicU64::new(0));
    let mut heard = Vec::new();
    let opened = tokio::sync::Semaphore::new(0);
    let opened = Arc::new(opened);
    for n in 0..number {
        // The kernel queues only a few hundred new connections, so at most 200 are opened at the same time.
        if n >= 200 {
            opened.acquire().await?.forget();
        }
        let changes = Arc::new(AtomicU64::new(0));
        heard.push(changes.clone());
        let (lost, opened) = (lost.clone(), opened.clone());
        let board = (n % whole != 0).then_some(n % boards + 1);
        tokio::spawn(async move {
            if one(at, n, board, &changes, &opened).await.is_err() {
                lost.fetch_add(1, Ordering::Relaxed);
                opened.add_permits(1);
            }
        });
    }
    drop(opened.acquire_many(u32::try_from(number.min(200))?).await?);
    let mut out = std::io::stdout();
    writeln!(out, "complete")?;
    out.flush()?;
    let before: Vec<u64> = heard
        .iter()
        .map(|one| one.load(Ordering::Relaxed))
        .collect();
    // Reading standard input blocks, so a separate thread does it.
    let ended =
        tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
    ended.await??;
    let (mut changes, mut silent) = (0, 0);
    for (one, before) in heard.iter().zip(before) {
        let now = one.load(Ordering::Relaxed);
        changes += now - before;
        silent += u64::from(now == before);
    }
    writeln!(out, "{changes} {silent} {}", lost.load(Ordering::Relaxed))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs one spectator, which follows the feed. Always ends with an error, because the stream must not end by itself.
async fn one(
    at: SocketAddr,
    n: usize,
    board: Option<usize>,
    changes: &AtomicU64,
    opened: &tokio::sync::Semaphore,
) -> anyhow::Result<()> {
    let host = u8::try_from(2 + n % 250)?;
    let mut stream = connect_from(host, at).await?;
    let part = board.map_or_else(String::new, |board| format!("?board={board}"));
    let request = format!(
        "GET /live/events{part} HTTP/1.0\r\nHost: hall\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let (mut buffer, mut kept, mut is_open) = (vec![0; 4096], 0, false);
    loop {
        let length = stream.read(&mut buffer[kept..]).await?;
        ensure!(length > 0, "the stream ended");
        let end = kept + length;
        let found = count(&buffer[..end], EVENT);
        changes.fetch_add(found, Ordering::Relaxed);
        ensure!(count(&buffer[..end], RESYNC) == 0, "changes were missed");
        if !is_open {
            is_open = true;
            ensure!(
                buffer.starts_with(b"HTTP/1.0 200") || buffer.starts_with(b"HTTP/1.1 200"),
                "refused"
            );
            opened.add_permits(1);
        }
        // The buffer may end in the middle of `EVENT`, so its last bytes are kept.
        kept = end.min(EVENT.len() - 1);
        buffer.copy_within(end - kept..end, 0);
    }
}

const EVENT: &[u8] = b"event: ";
/// The name of the event that tells the page to read the hall again, with the space before it. No other event of this hall contains these bytes.
const RESYNC: &[u8] = b" resync";

fn count(bytes: &[u8], what: &[u8]) -> u64 {
    let parts = bytes.windows(what.len());
    parts.filter(|part| *part == what).count() as u64
}
