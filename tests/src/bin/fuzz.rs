//! Fuzzes every decoder: mutates real inputs and reports panics, hangs and memory growth.
//!
//! `cargo run --profile bench -p tests --bin fuzz -- --executions 10000000` runs every target; `--target frames --seed S` repeats one target
//! with the seed of an earlier run.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use tests::fuzz::{self, Budget, Crash, Fuzzed, TARGETS, Target};
use tests::rig::Usage;
use tests::stopwatch::Stopwatch;

/// The process may grow by at most this much memory during a run, in bytes.
const MAX_GROWTH: u64 = 256 << 20;
const MAX_KEPT: usize = 150;
const MAX_KEPT_BYTES: usize = 12_000;

/// Fuzzes every decoder with mutated inputs.
#[derive(Parser)]
struct Arguments {
    /// Fuzz only these targets.
    #[arg(long)]
    target: Vec<String>,
    /// The number of executions, divided equally among the targets.
    #[arg(long, conflicts_with = "seconds")]
    executions: Option<u64>,
    /// The number of seconds for each target.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// The seed of the run; a random one is chosen and printed if omitted.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of targets that run at the same time; by default, the number of processors.
    #[arg(long)]
    jobs: Option<usize>,
    /// Add the shortest inputs that lead to new kinds of results to the corpora.
    #[arg(long)]
    grow: bool,
}

struct Outcome {
    target: &'static Target,
    result: Result<Fuzzed, Crash>,
    seconds: f64,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let targets = chosen(&arguments.target)?;
    let budget = match arguments.executions {
        Some(all) => Budget::Executions(all.div_ceil(targets.len() as u64)),
        None => Budget::Time(Duration::from_secs(arguments.seconds)),
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(jobs).max(1);
    println!("SEED={seed}: {} targets, {budget:?} each", targets.len());
    let before = resident()?;
    let outcomes = run(&targets, seed, budget, jobs)?;
    let grown = resident()?.saturating_sub(before);
    if arguments.grow {
        grow(&outcomes)?;
    }
    let executions: u64 = outcomes
        .iter()
        .filter_map(|outcome| outcome.result.as_ref().ok())
        .map(|fuzzed| fuzzed.executions)
        .sum();
    let crashes = outcomes.iter().filter(|outcome| outcome.result.is_err());
    let crashes = crashes.count();
    let sound = crashes == 0 && grown <= MAX_GROWTH;
    println!(
        "{executions} executions, {crashes} crashes, {} MB more memory than before: {}",
        grown >> 20,
        if sound { "ok" } else { "FAILED" }
    );
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    let known = || -> String {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        names.join(", ")
    };
    let find = |name: &String| {
        let found = TARGETS.iter().find(|target| target.name == name);
        found.with_context(|| format!("no target is called {name}; the targets are: {}", known()))
    };
    names.iter().map(find).collect()
}

fn resident() -> anyhow::Result<u64> {
    let own = i32::try_from(std::process::id())?;
    Ok(Usage::of(own)?.resident_bytes)
}

fn run(
    targets: &[&'static Target],
    seed: u64,
    budget: Budget,
    jobs: usize,
) -> anyhow::Result<Vec<Outcome>> {
    let corpora: Vec<_> = targets
        .iter()
        .map(|target| fuzz::load(target.name))
        .collect::<Result<_, _>>()?;
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let place = targets.iter().position(|other| other.name == target.name);
                    let corpus = place.and_then(|place| corpora.get(place));
                    let corpus = corpus.map_or(&[][..], Vec::as_slice);
                    let watch = Stopwatch::start();
                    let result = fuzz::fuzz(target, corpus, seed, budget);
                    let outcome = Outcome {
                        target,
                        result,
                        seconds: watch.elapsed().as_secs_f64(),
                    };
                    print(&outcome);
                    let mut outcomes = outcomes
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    outcomes.push(outcome);
                }
            });
        }
    });
    Ok(outcomes
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn print(outcome: &Outcome) {
    match &outcome.result {
        Ok(fuzzed) => println!(
            "{:<16} {:>10} executions {:>6} kinds of results, slowest {:>7} µs, {:>6.0}/s",
            outcome.target.name,
            fuzzed.executions,
            fuzzed.answers,
            fuzzed.slowest_us,
            fuzzed.executions as f64 / outcome.seconds.max(0.001)
        ),
        Err(crash) => println!("FAILED: {crash}"),
    }
}

/// Adds the shortest of the newly found inputs to each corpus, as long as there is room.
fn grow(outcomes: &[Outcome]) -> anyhow::Result<()> {
    for outcome in outcomes {
        let Ok(fuzzed) = &outcome.result else {
            continue;
        };
        let mut kept = fuzz::load(outcome.target.name)?;
        let mut found = fuzzed.found.clone();
        found.sort_by_key(Vec::len);
        let mut bytes: usize = kept.iter().map(|input| fuzz::escaped(input).len()).sum();
        for input in found {
            bytes += fuzz::escaped(&input).len();
            if kept.len() >= MAX_KEPT || bytes > MAX_KEPT_BYTES {
                break;
            }
            kept.push(input);
        }
        fuzz::save(outcome.target.name, kept)?;
    }
    Ok(())
}
