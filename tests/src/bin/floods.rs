//! Runs each flood against a hub in turn and judges the measurements: presses compared with a quiet hall, commands, memory, revocation, shutdown.
//!
//! Run it on a quiet machine: `cargo run --profile bench -p tests --bin floods`.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;

use anyhow::ensure;
use clap::Parser;
use tests::attack::{Extent, FLOODS, Flood, Hall, Measured, measure_under};

/// The p99 of presses under a flood may be at most this multiple of the quiet hall's.
const MAX_RATIO: i64 = 2;
const COMMAND_US: i64 = 100_000;
const REVOKE_US: i64 = 1_000_000;
const STOP_US: i64 = 1_000_000;

/// Floods a hub and judges the measurements.
#[derive(Parser)]
struct Arguments {
    /// Run only the floods whose names contain this string.
    #[arg(long, default_value = "")]
    only: String,
    /// The number of honest boards. With only a few, the p99 would be computed from a handful of presses.
    #[arg(long, default_value_t = 200)]
    boards: usize,
    /// The number of presses to wait for in each flood.
    #[arg(long, default_value_t = 2_000)]
    presses: u64,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let chosen = FLOODS
        .iter()
        .filter(|flood| flood.name.contains(&arguments.only));
    let chosen: Vec<&Flood> = chosen.collect();
    ensure!(
        !chosen.is_empty(),
        "no flood has a name that contains this text"
    );
    let extent = Extent {
        presses: arguments.presses,
        commands: 20,
    };
    let mut hall = Hall::open(arguments.boards, &[]).await?;
    let mut missed = 0;
    for flood in chosen {
        match measure_under(&mut hall, flood, extent).await {
            Ok(seen) => missed += judged(flood, &seen),
            Err(error) => {
                missed += 1;
                println!("{}\n    MISSED: {error:#}", flood.name);
                hall = Hall::open(arguments.boards, &[]).await?;
            }
        }
    }
    hall.close().await?;
    println!("each press is in the log once; {missed} limits missed");
    Ok(if missed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn judged(flood: &Flood, seen: &Measured) -> usize {
    let most_us = seen.quiet_us * MAX_RATIO;
    let bars = [
        ("p99 of presses", seen.p99_us, most_us),
        ("slowest command", seen.command_us, COMMAND_US),
        ("revocation", seen.revoke_us, REVOKE_US),
        ("shutdown", seen.stop_us, STOP_US),
    ];
    println!("{} ({} attempts)", flood.name, seen.attempts);
    let mut missed = 0;
    for (what, us, most) in bars {
        let kept = us <= most;
        missed += usize::from(!kept);
        let verdict = if kept { "ok" } else { "MISSED" };
        println!(
            "    {what:<16} {:>9.1} ms, at most {:>8.1} ms  {verdict}",
            us as f64 / 1_000.0,
            most as f64 / 1_000.0
        );
    }
    let mb = |bytes: u64| bytes >> 20;
    println!(
        "    quiet p99 {:.1} ms; memory {} MB before, {} MB at its peak, {} MB after",
        seen.quiet_us as f64 / 1_000.0,
        mb(seen.before),
        mb(seen.peak),
        mb(seen.after)
    );
    missed
}
