//! Runs generated games on the engine and on a naive ticking clock, and prints the shortest games in which they differ.
//!
//! `cargo run --profile bench -p tests --bin oracle -- --games 100000`; `--seed S --game K` replays one game.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context as _;
use clap::Parser;
use oracle::Disagreement;

/// Compares a naive, ticking clock with the engine in generated games.
#[derive(Parser)]
struct Arguments {
    /// The number of games to play.
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// The seed of the run; a random one is chosen and printed if omitted.
    #[arg(long)]
    seed: Option<u64>,
    /// Play only this game of the run, and print its script.
    #[arg(long)]
    game: Option<u64>,
    /// First check the naive clock against the scripts in this folder.
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Save the scripts of the 50 shortest disagreements in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(rand::random);
    if let Some(game) = arguments.game {
        print!("{}", oracle::play(seed, game).script);
        return Ok(report(
            &oracle::check(seed, game)
                .err()
                .into_iter()
                .collect::<Vec<_>>(),
        ));
    }
    if let Some(folder) = &arguments.vectors {
        hold_to_vectors(folder)?;
    }
    println!("SEED={seed}: {} games", arguments.games);
    let next = AtomicU64::new(0);
    let ticks = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= arguments.games {
                        break;
                    }
                    match oracle::check(seed, game) {
                        Ok(played) => {
                            ticks.fetch_add(played.unsigned_abs(), Ordering::Relaxed);
                        }
                        Err(different) => found
                            .lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner)
                            .push(different),
                    }
                }
            });
        }
    });
    let mut found = found
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|one: &Disagreement| one.script.len());
    let agreed = arguments.games - found.len() as u64;
    println!(
        "{agreed} games agree, {} differ, {} ticks",
        found.len(),
        ticks.load(Ordering::Relaxed)
    );
    if let Some(folder) = &arguments.keep {
        keep(folder, &found)?;
    }
    Ok(report(&found))
}

/// Prints the five shortest disagreements; `found` is sorted by length. The run fails if there is any disagreement.
fn report(found: &[Disagreement]) -> ExitCode {
    for one in found.iter().take(5) {
        println!(
            "\nSEED={} game {}: engine and oracle differ",
            one.seed, one.game
        );
        for line in one.differences.iter().take(8) {
            println!("  {line}");
        }
        println!("{}", one.script);
    }
    if found.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn keep(folder: &PathBuf, found: &[Disagreement]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for one in found.iter().take(50) {
        let path = folder.join(format!("seed-{}-game-{}.txt", one.seed, one.game));
        let mut text = one.script.clone();
        for line in &one.differences {
            text.push_str(&format!("# {line}\n"));
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Checks the oracle against the contract in the vectors. An oracle that fails this check proves nothing.
fn hold_to_vectors(folder: &PathBuf) -> anyhow::Result<()> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot list {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    paths.sort();
    anyhow::ensure!(
        !paths.is_empty(),
        "{} contains no scripts",
        folder.display()
    );
    let mut ticks = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let verdict = oracle::run_naive(&text)
            .map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))?;
        anyhow::ensure!(
            verdict.wrong.is_empty(),
            "{}: {}",
            path.display(),
            verdict.wrong.join("; ")
        );
        ticks += verdict.ticks;
    }
    println!(
        "the naive clock agrees with {} scripts, {ticks} ticks",
        paths.len()
    );
    Ok(())
}
