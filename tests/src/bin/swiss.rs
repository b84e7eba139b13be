//! Plays random Swiss tournaments through the hub's pairing desk with a real pairing program, which also checks every export.
//!
//! `cargo run --profile bench -p tests --bin swiss -- --program PATH` (or `BBP_PAIRINGS=PATH`) uses bbpPairings, or any program with the same
//! command line. Players enter late, withdraw, return, and request byes for the next round and later ones. Some events have acceleration, some forbid
//! pairings. The exit code is 1 if a pairing breaks a rule, the program refuses to pair, or its checker complains.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Parser;
use hub::pairing::{Numbers, PairingDesk, Program, RoundsToPair};
use tests::stopwatch::Stopwatch;
use tests::swiss::{Checker, Open};
use tournament::{Change, RoundNo};

/// Plays random Swiss tournaments through the hub's pairing desk with a real pairing program.
#[derive(Parser)]
struct Arguments {
    /// The pairing program [default: the value of BBP_PAIRINGS]
    #[arg(long)]
    program: Option<PathBuf>,
    /// The number of events.
    #[arg(long, default_value_t = 6)]
    events: u64,
    /// The number of rounds in each event.
    #[arg(long, default_value_t = 9)]
    rounds: u16,
    /// The seed of the run; a random one is chosen and printed if omitted.
    #[arg(long)]
    seed: Option<u64>,
    /// Save the last export of every event in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

#[derive(Default)]
struct Figures {
    rounds: usize,
    boards: usize,
    byes: usize,
    checked: usize,
    longest: Duration,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let named = std::env::var_os("BBP_PAIRINGS").map(PathBuf::from);
    let Some(program) = arguments.program.clone().or(named) else {
        bail!("no pairing program: name bbpPairings with --program, or in BBP_PAIRINGS");
    };
    let seed = arguments.seed.unwrap_or_else(rand::random);
    println!(
        "SEED={seed}: {} events of {} rounds",
        arguments.events, arguments.rounds
    );
    let mut figures = Figures::default();
    let mut wrong = 0;
    for number in 0..arguments.events {
        let mut open = Open::new(seed, number, arguments.rounds)?;
        let played = play(&program, &mut open, &mut figures).await;
        if let Some(folder) = &arguments.keep {
            std::fs::write(folder.join(format!("open-{number}.trf")), open.export())?;
        }
        match played {
            Ok(()) => println!("event {number}: {}", open.summary()),
            Err(error) => {
                wrong += 1;
                println!("event {number}: {} WRONG: {error:#}", open.summary());
            }
        }
    }
    println!(
        "{} rounds, {} boards, {} byes, {} exports checked; the longest pairing took {} ms; {wrong} events wrong",
        figures.rounds,
        figures.boards,
        figures.byes,
        figures.checked,
        figures.longest.as_millis()
    );
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn play(
    program: &std::path::Path,
    open: &mut Open,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let limit = "2m".parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    let desk = PairingDesk {
        program: Some(Program::new(program, limit)),
        folder: None,
    };
    let checker = Checker::new(program)?;
    for round in (1..=open.rounds()).map(RoundNo) {
        open.between_rounds(round)?;
        let began = Stopwatch::start();
        let proposal = desk
            .propose(open.event(), RoundsToPair::Next, Numbers::ByRank)
            .await;
        let proposal = proposal.with_context(|| format!("round {round} is not paired"))?;
        figures.longest = figures.longest.max(began.elapsed());
        let renumbered = |change: &Change| matches!(change, Change::Renumber(_));
        ensure!(
            round == RoundNo(1) || !proposal.changes.iter().any(renumbered),
            "round {round}: the numbers change by themselves"
        );
        open.announce(round, proposal.changes)?;
        figures.rounds += 1;
        figures.boards += open.boards(round);
        figures.byes += open.byes(round);
        open.play(round)?;
        let complaints = checker.check(&open.export(), open.numbered_since())?;
        figures.checked += 1;
        ensure!(
            complaints.is_empty(),
            "the checker complains of round {round}:\n{complaints}"
        );
    }
    Ok(())
}
