//! The archive beside the log: how much it delays an acknowledgement, and whether its cost grows with the length of the log.
//!
//! `cargo bench -p tests --bench archive` appends records to a real log on the disk, alternately with and without the archive. It prints the median
//! time until a record is durable. Then it prints the processor time that the archive needs for a record at growing lengths of the log, up to a
//! million records; `-- --records 10000000` raises that to ten million. The run fails if a limit is exceeded.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use durable_log::{
    ARCHIVE_DIR, Archive, ArchiveSettings, CHECKPOINT_EVERY, CommitHandle, Durable, Epochs, Log,
    Options, Submission,
};
use ed25519_dalek::SigningKey;
use proto::note::Signer;
use proto::tiles::Edge;
use tests::stopwatch::{self, Stopwatch};

const ROUNDS: usize = 5;
/// Limit for the median with the archive, in percent of the median without it.
const ACK_PERCENT: u64 = 125;
/// Limit for the cost of a record at any measured length of the log, in percent of its cost at the first length.
const APPEND_PERCENT: i64 = 120;
const STRETCH: u64 = 8_192;
/// Number of stretches at each length. Only the cheapest counts, because other work on the machine can only add to the cost.
const STRETCHES: u64 = 10;

/// Measures the archive's cost.
#[derive(Parser)]
struct Arguments {
    /// The number of records in the long log.
    #[arg(long, default_value_t = 1_000_000)]
    records: u64,
    /// The number of acknowledgements in each round.
    #[arg(long, default_value_t = 2_000)]
    acknowledgements: usize,
    /// Ignored: cargo passes this flag to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let mut held = true;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(median_us(&arguments, false)?);
        with.push(median_us(&arguments, true)?);
    }
    println!("acknowledgement p50 without the archive, us: {without:?}");
    println!("acknowledgement p50 with the archive, us:    {with:?}");
    let (with, without) = (middle(with), middle(without));
    held &= judged(
        &format!("acknowledgement p50 with the archive, of {without} us without"),
        (with * 100 / without.max(1)).try_into()?,
        ACK_PERCENT.try_into()?,
    );
    let costs = append_costs(arguments.records)?;
    let first = costs.first().context("a log without records")?.1;
    for (len, cost) in &costs {
        println!("a record after {len:>9} others: {cost} ns of processor time");
    }
    let most = costs.iter().map(|(_, cost)| *cost).max().unwrap_or(first);
    held &= judged(
        "costliest record, relative to the first",
        most * 100 / first.max(1),
        APPEND_PERCENT,
    );
    Ok(match held {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn judged(what: &str, percent: i64, limit: i64) -> bool {
    let held = percent <= limit;
    let word = if held { "ok" } else { "MISSED" };
    println!("{what}: {percent} % (limit {limit} %) {word}");
    held
}

fn middle(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the median time until a single record is durable, in microseconds. Each record waits for the previous one.
fn median_us(arguments: &Arguments, archived: bool) -> anyhow::Result<u64> {
    let dir = tempfile::tempdir_in(tests::tidy::root().join("target"))?;
    let options = Options {
        ballast_bytes: 0,
        ..Options::default()
    };
    let log = Log::open_with(dir.path(), options)?;
    let archive = match archived {
        true => Some(Archive::start(settings(dir.path())?, log.reader(), |_| ())?),
        false => None,
    };
    let (released, acknowledged) = channel();
    let commit = log.into_commit(
        move |steps: Vec<Durable<()>>| {
            let _ = released.send(steps.len());
        },
        |_| (),
    )?;
    let mut times = Vec::with_capacity(arguments.acknowledgements);
    for index in 0..arguments.acknowledgements {
        times.push(acknowledge(&commit, &acknowledged, payload(index as u64))?);
    }
    commit.close()?;
    drop(archive);
    Ok(middle(times))
}

fn acknowledge(
    commit: &CommitHandle<()>,
    acknowledged: &Receiver<usize>,
    record: Vec<u8>,
) -> anyhow::Result<u64> {
    let watch = Stopwatch::start();
    commit.submit(Submission {
        records: vec![record],
        effects: (),
    })?;
    acknowledged.recv_timeout(Duration::from_secs(10))?;
    Ok(watch.elapsed_us().unsigned_abs())
}

fn settings(dir: &Path) -> anyhow::Result<ArchiveSettings> {
    Ok(ArchiveSettings {
        dir: dir.join(ARCHIVE_DIR),
        mirror: None,
        signer: Signer::new("bench/log", SigningKey::from_bytes(&[7; 32]))?,
        every: CHECKPOINT_EVERY,
        epochs: Epochs::single(),
        conceal: Some(Box::new(|index, record| {
            let (content, _) = proto::names::conceal(record, index, &[9; 32]).ok()?;
            Some(proto::merkle::leaf_hash(&content))
        })),
    })
}

/// Returns pairs of a log length (10,000, 100,000 and so on, up to `records`) and the processor time, in nanoseconds, that the archive's tree needs
/// to append a record at that length. The disk is not measured, because its speed does not depend on the length of the log.
fn append_costs(records: u64) -> anyhow::Result<Vec<(u64, i64)>> {
    let mut edge = Edge::default();
    let mut costs = Vec::new();
    let mut next = 10_000;
    while next <= records {
        append(&mut edge, next)?;
        let mut least = i64::MAX;
        for stretch in 1..=STRETCHES {
            let before = stopwatch::cpu_us();
            append(&mut edge, next + stretch * STRETCH)?;
            least = least.min(stopwatch::cpu_us() - before);
        }
        costs.push((next, least * 1_000 / i64::try_from(STRETCH)?));
        next *= 10;
    }
    Ok(costs)
}

fn append(edge: &mut Edge, len: u64) -> anyhow::Result<()> {
    while edge.len() < len {
        let record = payload(edge.len());
        edge.push(&record, |_, bytes| {
            std::hint::black_box(bytes);
        })?;
        // Compute the root hash after every hundredth record, as a checkpoint would.
        if edge.len().is_multiple_of(100) {
            std::hint::black_box(edge.root());
        }
    }
    Ok(())
}

fn payload(index: u64) -> Vec<u8> {
    let mut record = vec![0x5a; 220];
    record[..8].copy_from_slice(&index.to_be_bytes());
    record
}
