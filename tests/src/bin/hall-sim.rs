//! Plays simulated halls and reports whether the promises held.
//!
//! `cargo run --profile bench -p tests --bin hall-sim -- --seeds 1000` plays a thousand halls of twenty boards for five minutes each, every hall
//! twice. It also plays the known halls, matches between two halls and games over Bluetooth LE, and places a million presses from boards with two
//! agents. It prints the games, the faults, the speed, and each bar with its value and limit. For a failed hall it prints the seed, the parameters,
//! and the command that repeats the run.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use sim::{
    Bar, BleGames, LinkKind, Matches, Options, Outcome, SECOND, Tally, bars, ble_bars, ble_figures,
    doubts, honest_bars, lie_bars, match_bars, play_ble, play_matches, simulate, sync_bars,
    synchronise, tell_lies,
};
use tests::stopwatch::{Stopwatch, cpu_us};

/// Plays simulated halls: real cores, virtual time, one seed each.
#[derive(Parser)]
struct Arguments {
    /// The number of halls.
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// The seed of the first hall; a random one is chosen and printed if omitted.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of boards in each hall.
    #[arg(long, default_value_t = 20)]
    boards: usize,
    /// The length of each hall, in minutes of virtual time.
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// The number of halls played in parallel.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Play each hall only once; differences between two runs of the same hall then go unnoticed.
    #[arg(long)]
    once: bool,
    /// The number of presses to place on the hub's timeline, by boards with two agents. They are not part of the simulated halls.
    #[arg(long, default_value_t = 1_000_000)]
    presses: u64,
    /// The number of presses to place, in addition to `--presses`, through the real cores, in matches between two halls with faults.
    #[arg(long, default_value_t = 100_000)]
    match_presses: u64,
    /// Run only the Bluetooth LE checks: timing precision at each connection interval (fixed sessions), and games on the clock firmware.
    #[arg(long)]
    ble: bool,
    /// The number of halls with four games on the clock firmware over Bluetooth LE; the games are the same in every run.
    #[arg(long, default_value_t = 3)]
    ble_halls: u64,
    /// Play only `--seeds` honest halls without faults, in which no note may cast doubt on a clock.
    #[arg(long)]
    honest: bool,
    /// Play only games against lying clocks until this many lies have been told, and print what each kind gains.
    #[arg(long)]
    lies: Option<u64>,
    /// Play only a calm hall of 100 blitz boards on one core, to measure speed.
    #[arg(long)]
    speed: bool,
    /// Print each fault and its consequences to standard error.
    #[arg(long)]
    tell: bool,
}

/// The halls that once failed. Runs of several halls play them again, except with `--honest`.
const KNOWN: &str = include_str!("../../seeds.txt");

/// The minimum speed on one core, in virtual seconds per real second.
const SPEED: f64 = 300.0;

#[derive(Default)]
struct Sum {
    tally: Tally,
    /// The number of halls in which no fault occurred. Such halls prove little.
    without_fault: u64,
    /// The halls in which a note cast doubt on a clock: the kinds of those notes, by the hall's seed.
    doubted: BTreeMap<u64, Vec<&'static str>>,
    failures: Vec<(Outcome, bool, Options)>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.speed {
        return speed();
    }
    if let Some(lies) = arguments.lies {
        return over_lies(&arguments, lies);
    }
    if arguments.ble {
        return verdict(over_ble(arguments.ble_halls).into_iter(), true);
    }
    let options = Options {
        boards: arguments.boards,
        minutes: arguments.minutes,
        calm: false,
        honest: arguments.honest,
        tell: arguments.tell,
    };
    let first = arguments
        .seed
        .unwrap_or_else(|| u64::from(rand::random::<u32>()));
    let mut halls: Vec<(u64, Options)> = (first..first + arguments.seeds)
        .map(|seed| (seed, options))
        .collect();
    // A run with a single seed investigates that hall, so the known halls are left out.
    if arguments.seeds > 1 && !arguments.honest {
        halls.extend(known_halls());
    }
    println!(
        "{} halls of {} boards for {} minutes, from seed {first}{}",
        halls.len(),
        options.boards,
        options.minutes,
        if arguments.once { "" } else { ", each twice" }
    );
    let watch = Stopwatch::start();
    let sum = play(&halls, &arguments);
    let seconds = watch.elapsed().as_secs_f64();
    let runs = if arguments.once { 1.0 } else { 2.0 };
    report(&sum.tally, seconds, runs, arguments.jobs);
    println!("halls without any fault: {}", sum.without_fault);
    for (outcome, again, options) in &sum.failures {
        complain(outcome, *again, options);
    }
    if arguments.honest {
        report_honest(&sum);
        let bars = honest_bars(&sum.tally, sum.failures.len() as u64);
        return verdict(bars.into_iter(), sum.failures.is_empty());
    }
    let sessions = synchronise(first, arguments.presses, arguments.jobs);
    let watch = Stopwatch::start();
    let matches = play_matches(first, arguments.match_presses, arguments.jobs);
    report_matches(&matches, watch.elapsed().as_secs_f64());
    let halls = bars(&sum.tally, sum.failures.len() as u64);
    let bars = halls
        .into_iter()
        .chain(sync_bars(&sessions))
        .chain(match_bars(&matches))
        .chain(over_ble(arguments.ble_halls));
    verdict(bars, sum.failures.is_empty())
}

fn report_honest(sum: &Sum) {
    for (of, games) in &sum.tally.linked {
        let remarks = sum.tally.remarks.get(of).copied().unwrap_or(0);
        let (link, slow) = of;
        let buttons = if *slow { ", buttons of 25 ms" } else { "" };
        println!(
            "notes about a slow network, {}{buttons}: {remarks} in {games} games",
            link.name()
        );
    }
    for (seed, kinds) in &sum.doubted {
        println!("SEED={seed}: {}", kinds.join(", "));
    }
}

fn over_lies(arguments: &Arguments, lies: u64) -> ExitCode {
    let first = arguments
        .seed
        .unwrap_or_else(|| u64::from(rand::random::<u32>()));
    println!("{lies} lies, from seed {first}");
    let told = tell_lies(first, lies, arguments.jobs);
    for (lie, kind) in &told.kinds {
        let games: Vec<String> = kind
            .game_us
            .iter()
            .map(|(link, us)| format!("{} {}", link.name(), us / 1_000))
            .collect();
        let notes: Vec<String> = kind
            .notes
            .iter()
            .map(|(note, n)| format!("{note} {n}"))
            .chain(remarks(&kind.remarks))
            .collect();
        println!(
            "{}: {} lies in {} games, {} events moved, {} games noted or remarked on, {} doubted; before that at most {} ms a move, {} ms \
             a game; after it at most {} ms; {}",
            lie.name(),
            kind.lies,
            kind.games,
            kind.moved,
            kind.noted,
            kind.doubted,
            kind.move_us / 1_000,
            games.join(", "),
            kind.noted_us / 1_000,
            notes.join(", ")
        );
    }
    for failure in &told.failures {
        println!("  {failure}");
    }
    verdict(lie_bars(&told).into_iter(), told.failures.is_empty())
}

fn remarks(remarks: &BTreeMap<LinkKind, u64>) -> impl Iterator<Item = String> {
    let words =
        |(link, n): (&LinkKind, &u64)| format!("notes about a slow network, {} {n}", link.name());
    remarks.iter().map(words)
}

/// Prints each bar. Fails unless `ok` is true and every bar holds.
fn verdict(bars: impl Iterator<Item = Bar>, mut ok: bool) -> ExitCode {
    for bar in bars {
        let verdict = if bar.ok { "ok" } else { "MISSED" };
        println!(
            "{verdict:>6}  {}: {} (limit {})",
            bar.name, bar.value, bar.limit
        );
        ok &= bar.ok;
    }
    if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

const BLE_SEED: u64 = 1;

fn over_ble(halls: u64) -> Vec<Bar> {
    let mut bars = ble_figures();
    if halls > 0 {
        let games = play_ble(BLE_SEED, halls);
        report_ble(&games);
        bars.extend(ble_bars(&games));
    }
    bars
}

fn report_ble(games: &BleGames) {
    println!(
        "{} games of a firmware over Bluetooth LE: {} presses, {} values, {} empty connection events, {} connections cut, {} power cuts, {} wrong codes",
        games.games,
        games.presses,
        games.values,
        games.events_lost,
        games.cuts,
        games.power_cuts,
        games.wrong_codes
    );
    for failure in &games.failures {
        println!("  {failure}");
    }
}

/// Parses the list of known halls; each line has a seed, boards, minutes, and the defect.
fn known_halls() -> impl Iterator<Item = (u64, Options)> {
    KNOWN.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let seed = words.next()?.parse().ok()?;
        let options = Options {
            boards: words.next()?.parse().ok()?,
            minutes: words.next()?.parse().ok()?,
            calm: false,
            honest: false,
            tell: false,
        };
        Some((seed, options))
    })
}

fn play(halls: &[(u64, Options)], arguments: &Arguments) -> Sum {
    let next = AtomicU64::new(0);
    let sum = Mutex::new(Sum::default());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((seed, options)) =
                        halls.get(usize::try_from(index).unwrap_or(usize::MAX))
                    else {
                        return;
                    };
                    let outcome = simulate(*seed, options);
                    let again = arguments.once || simulate(*seed, options).trace == outcome.trace;
                    // A panic in a hall ends the program, so a poisoned lock never holds a half-updated sum.
                    let mut sum = sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    if outcome.failure.is_some() || !again {
                        sum.failures.push((outcome, again, *options));
                    } else {
                        sum.without_fault += u64::from(outcome.tally.faults.is_empty());
                        sum.tally.add(&outcome.tally);
                        let doubts = doubts(&outcome.tally);
                        if !doubts.is_empty() {
                            sum.doubted.insert(outcome.seed, doubts);
                        }
                    }
                }
            });
        }
    });
    let mut sum = sum
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    sum.failures.sort_by_key(|(outcome, ..)| outcome.seed);
    sum
}

fn complain(outcome: &Outcome, again: bool, options: &Options) {
    println!("\nSEED={} failed", outcome.seed);
    if !again {
        println!("  the second run of the same seed gave a different result");
    }
    if let Some(failure) = &outcome.failure {
        println!("  {failure}");
    }
    println!("  {:?}", outcome.mix);
    println!(
        "  to repeat: cargo run --profile bench -p tests --bin hall-sim -- --seed {} --seeds 1 --boards {} --minutes {}\n",
        outcome.seed, options.boards, options.minutes
    );
}

fn report(tally: &Tally, seconds: f64, runs: f64, jobs: usize) {
    let virtual_s = tally.virtual_ns as f64 / SECOND as f64;
    println!(
        "{} halls, {} games, {} presses ({} with less than 0.1 s left), {} flags, {} events and {} records durable, {} acknowledgements",
        tally.halls,
        tally.games,
        tally.presses,
        tally.close_calls,
        tally.flags,
        tally.events,
        tally.records,
        tally.acknowledged
    );
    println!(
        "{:.0} minutes of play in {seconds:.1} s: {:.0} times real time with {jobs} in parallel",
        virtual_s * runs / 60.0,
        virtual_s * runs / seconds
    );
    println!(
        "jumps of board time: {}, at most {:.3} s given to a player",
        tally.given,
        tally.given_us as f64 / 1e6
    );
    for (title, counts) in [
        ("faults", &tally.faults),
        ("notes", &tally.notices),
        ("commands", &tally.commands),
    ] {
        let words: Vec<String> = counts
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        println!("{title}: {}", words.join(", "));
    }
}

fn report_matches(matches: &Matches, seconds: f64) {
    let tally = &matches.tally;
    let faults: Vec<String> = tally
        .faults
        .iter()
        .map(|(kind, n)| format!("{kind} {n}"))
        .collect();
    println!(
        "{} matches between two halls: {} games, {} compared to the end, {} presses, {} near a deadline; {}; {:.0} presses a second",
        tally.halls,
        tally.games,
        matches.games,
        tally.presses,
        matches.straddles,
        faults.join(", "),
        tally.intervals as f64 / seconds.max(0.001)
    );
    for failure in &matches.failures {
        println!("  {failure}");
    }
}

fn speed() -> ExitCode {
    let options = Options {
        boards: 100,
        minutes: 5.0,
        calm: true,
        honest: false,
        tell: false,
    };
    let used = cpu_us();
    let outcome = simulate(1, &options);
    let seconds = (cpu_us() - used) as f64 / 1e6;
    report(&outcome.tally, seconds, 1.0, 1);
    if let Some(failure) = &outcome.failure {
        println!("{failure}");
    }
    let times = outcome.tally.virtual_ns as f64 / SECOND as f64 / seconds;
    let ok = times >= SPEED && outcome.failure.is_none();
    let verdict = if ok { "ok" } else { "MISSED" };
    println!(
        "{verdict:>6}  100 blitz boards on one core: {times:.0} times real time (limit ≥ {SPEED})"
    );
    if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
