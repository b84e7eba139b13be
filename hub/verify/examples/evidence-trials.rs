//! Long trials of the verifier. Every mutation must be found, and every sound export must pass. Records must be
//! verified within limits on time and memory.
//!
//! `cargo run --profile bench -p verify --example evidence-trials -- mutations 10000`, `-- sound 1000`, `-- speed 1000000`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a command line program that stops at the first unexpected error"
)]

#[path = "../tests/rig/hall.rs"]
mod rig;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use proto::evidence::{Header, Writer};
use proto::merkle::{Frontier, leaf_hash};
use rig::mutate::{Mutation, checkpoint, mutated};
use rig::{Draw, Size, export, key, played, signer};
use verify::{Known, check, kept_checkpoint};

const LIMIT_S_PER_MILLION: f64 = 60.0;
const LIMIT_MB: f64 = 200.0;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    trial: Trial,
    /// Seed of the first trial
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Subcommand)]
enum Trial {
    /// Mutate exports: each mutation must be found
    Mutations { count: u64 },
    /// Check sound exports of simulated halls: each must pass
    Sound { count: u64 },
    /// Measure the time and memory to verify this many records
    Speed { records: u64 },
    /// Verify a file of the trial `speed`, in a separate process
    #[command(hide = true)]
    Check { file: PathBuf },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let held = match arguments.trial {
        Trial::Mutations { count } => mutations(arguments.seed, count),
        Trial::Sound { count } => sound(arguments.seed, count),
        Trial::Speed { records } => speed(arguments.seed, records),
        Trial::Check { file } => timed(&file),
    };
    match held {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn mutations(seed: u64, count: u64) -> bool {
    let (mut tried, mut missed) = (0, 0);
    let mut by_kind: BTreeMap<String, u64> = BTreeMap::new();
    for seed in seed.. {
        let mut draw = Draw::new(seed);
        let size = Size::drawn(&mut draw);
        let original = export(&played(seed, size), &signer(1), |_| true);
        let kept = kept_checkpoint(checkpoint(&original).as_bytes(), &key(1));
        let known = Known {
            kept: vec![kept.expect("a signed checkpoint")],
            ..key(1).into()
        };
        for mutation in Mutation::ALL.into_iter().cycle().take(130) {
            let Some(file) = mutated(&original, mutation, &mut draw) else {
                continue;
            };
            let found = match check(Cursor::new(&file), &known) {
                Ok(findings) => findings.fault.map(|fault| fault.kind.word()),
                Err(_) => Some("not understood"),
            };
            tried += 1;
            match found {
                Some(kind) => *by_kind.entry(format!("{mutation:?}: {kind}")).or_default() += 1,
                None => {
                    missed += 1;
                    println!("SEED={seed}: {mutation:?} was not found");
                }
            }
            if tried == count {
                for (kind, count) in &by_kind {
                    println!("{count:>8}  {kind}");
                }
                println!(
                    "{tried} mutations, {missed} not found: {}",
                    word(missed == 0)
                );
                return missed == 0;
            }
        }
    }
    false
}

fn sound(seed: u64, count: u64) -> bool {
    let (mut records, mut alarms) = (0, 0);
    for seed in seed..seed.saturating_add(count) {
        let size = Size::drawn(&mut Draw::new(seed));
        let file = export(&played(seed, size), &signer(1), |_| true);
        match check(Cursor::new(&file), &key(1).into()) {
            Ok(findings) if findings.is_sound() => records += findings.records,
            other => {
                alarms += 1;
                println!("SEED={seed}: {:?}", other.map(|findings| findings.fault));
            }
        }
    }
    println!(
        "{count} sound exports, {records} records, {alarms} false alarms: {}",
        word(alarms == 0)
    );
    alarms == 0
}

fn speed(seed: u64, wanted: u64) -> bool {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    write_event(seed, wanted, file.as_file());
    // Verify in a new process, so that the memory of the simulated hall is not counted.
    let program = std::env::current_exe().expect("the path of this program");
    let mut check = Command::new(program);
    let ended = check.arg("check").arg(file.path()).status();
    ended.is_ok_and(|ended| ended.success())
}

fn timed(path: &Path) -> bool {
    let source = BufReader::new(File::open(path).expect("the file"));
    let findings = check(source, &key(1).into()).expect("an evidence file");
    let (seconds, peak) = (cpu_s(), peak_mb());
    let limit = LIMIT_S_PER_MILLION * (findings.records as f64 / 1e6).max(0.1);
    let held = findings.is_sound() && seconds <= limit && peak <= LIMIT_MB;
    println!(
        "{} records, {} clock signatures, {} moves: verified in {seconds:.1} s of processor time (at most {limit:.0}), with {peak:.0} MB \
         (at most {LIMIT_MB:.0}): {}",
        findings.records,
        findings.events,
        findings.moves,
        word(held)
    );
    if let Some(fault) = findings.fault {
        println!("{fault}");
    }
    held
}

fn write_event(seed: u64, wanted: u64, file: &File) {
    let mut out = BufWriter::new(file);
    let mut writer = Writer::new(Header {
        log_origin: rig::ORIGIN.to_owned(),
        ..Header::default()
    });
    let (mut written, mut tree) = (0, Frontier::default());
    let size = Size {
        boards: 200,
        presses: u32::try_from(wanted).expect("fewer than 2^32 records"),
    };
    rig::play(seed, size, &mut |record| {
        if written < wanted {
            let (content, openings) = rig::concealed(&record, written);
            tree.push(leaf_hash(&record));
            writer.record(content, openings);
            written += 1;
            if writer.pending() > 1 << 16 {
                out.write_all(&writer.take()).expect("space for the file");
            }
        }
    });
    writer.sign(&signer(1), tree.root(), None, Vec::new());
    out.write_all(&writer.take()).expect("space for the file");
    out.flush().expect("space for the file");
}

/// Returns the processor time of this program's only thread, in seconds.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let ns = stat
        .split_whitespace()
        .next()
        .and_then(|ns| ns.parse::<f64>().ok());
    ns.map_or(f64::INFINITY, |ns| ns / 1e9)
}

fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kb.map_or(f64::INFINITY, |kb| kb / 1024.0)
}

fn word(held: bool) -> &'static str {
    if held { "ok" } else { "MISSED" }
}
