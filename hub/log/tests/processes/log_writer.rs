//! The writer process of these tests: the test binary, started again, which appends to a log and reports the acknowledgements. Also checks the
//! log that the writer leaves.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use durable_log::{
    ARCHIVE_DIR, Archive, ArchiveReport, ArchiveSettings, Epochs, Log, NoteCheck, Options,
    Submission,
};
use ed25519_dalek::SigningKey;
use proto::checkpoint::Checkpoint;
use proto::note::Signer;
use proto::tiles::Edge;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};

/// Environment variable for the data directory of a child process. Without it, tests that serve as such a process do nothing.
pub(crate) const DIR: &str = "LOG_WRITER_DIR";
/// Environment variable for the number of records after which the writer closes the log and ends.
pub(crate) const RECORDS: &str = "LOG_WRITER_RECORDS";
pub(crate) const MIRROR: &str = "LOG_WRITER_MIRROR";
/// Environment variable that, if set, makes the writer omit the file's own sync after sled's flush.
pub(crate) const UNSYNCED: &str = "LOG_WRITER_UNSYNCED";

/// Maximum number of submissions that are not released yet.
const IN_FLIGHT: usize = 48;
/// The maximum in a quiet stretch of the log, so that most of its commits contain one record.
const IN_FLIGHT_QUIET: usize = 2;

/// Returns the payload of record `index`. It depends only on the index, so that a reader can verify it.
pub(crate) fn payload(index: u64) -> Vec<u8> {
    let mut random = Random::new(index);
    let len = 20 + random.below(300);
    let mut bytes = format!("record {index} ").into_bytes();
    bytes.extend((0..len).map(|_| random.next() as u8));
    bytes
}

/// Returns a command that runs only the test `name` of this test binary, with `DIR` set.
pub(crate) fn command(name: &str, dir: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--nocapture"]).env(DIR, dir);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WriterOutput {
    pub(crate) opened: Option<u64>,
    pub(crate) acked: u64,
}

pub(crate) fn listen(out: ChildStdout) -> WriterOutput {
    let mut output = WriterOutput::default();
    for line in BufReader::new(out).lines() {
        let line = line.unwrap();
        if let Some(len) = line.strip_prefix("OPENED ") {
            output.opened = Some(len.parse().unwrap());
        } else if let Some(len) = line.strip_prefix("ACK ") {
            // A last line without a number does not count.
            output.acked = len
                .parse()
                .map_or(output.acked, |len| output.acked.max(len));
        }
    }
    output
}

/// Runs the writer: opens the log, appends at its end, and prints `ACK n` when n records are durable.
pub(crate) fn write() {
    let Some(dir) = std::env::var_os(DIR) else {
        return; // does nothing unless started as a writer
    };
    let limit: u64 = std::env::var(RECORDS).map_or(u64::MAX, |records| records.parse().unwrap());
    let mut options = Options {
        ballast_bytes: 0,
        is_signed: Some(is_signed()),
        ..Options::default()
    };
    if std::env::var_os(UNSYNCED).is_some() {
        options.sync = Box::new(|_| Ok(()));
    }
    let log = Log::open_with(Path::new(&dir), options).unwrap();
    let first = log.len();
    let mirror = std::env::var_os(MIRROR).map(PathBuf::from);
    let _archive = archive(Path::new(&dir), mirror, &log, |_| ());
    say(&format!("OPENED {first}\n"));
    let (took, may_go_on) = sync_channel(IN_FLIGHT);
    let release = move |durable: Vec<durable_log::Durable<()>>| {
        let len = durable.last().unwrap().log_len();
        say(&format!("ACK {len}\n"));
        durable
            .iter()
            .for_each(|_| took.send(()).unwrap_or_default());
    };
    let handle = log.into_commit(release, |error| panic!("{error}")).unwrap();
    let (mut next, mut in_flight) = (first, 0);
    while next - first < limit {
        let most = match is_quiet(next) {
            true => IN_FLIGHT_QUIET,
            false => IN_FLIGHT,
        };
        while in_flight >= most {
            may_go_on.recv().unwrap();
            in_flight -= 1;
        }
        let end = next + step_len(next);
        let records = (next..end).map(payload).collect();
        next = end;
        in_flight += 1;
        handle
            .submit(Submission {
                records,
                effects: (),
            })
            .unwrap();
    }
    drop(may_go_on);
    handle.close().unwrap();
}

fn is_quiet(record: u64) -> bool {
    (record / 256).is_multiple_of(2)
}

/// Returns the number of records in the submission that begins with record `first`: one in a quiet stretch, as for most presses, else one to three,
/// and occasionally as many as for the setup of a whole event.
fn step_len(first: u64) -> u64 {
    let mut random = Random::new(first);
    if is_quiet(first) {
        1
    } else if random.below(200) == 0 {
        2000
    } else {
        1 + random.below(3)
    }
}

/// Prints a line with a single `write`, so that it appears either completely or not at all.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).unwrap();
    out.flush().unwrap();
}

pub(crate) fn is_signed() -> NoteCheck {
    let signer = signer();
    Box::new(move |note| Checkpoint::open(note, signer.verifier()).is_ok())
}

fn signer() -> Signer {
    Signer::new("test/log", SigningKey::from_bytes(&[7; 32])).unwrap()
}

fn archive(
    dir: &Path,
    mirror: Option<PathBuf>,
    log: &Log,
    report: impl FnMut(ArchiveReport) + Send + 'static,
) -> Archive {
    let settings = ArchiveSettings {
        dir: dir.join(ARCHIVE_DIR),
        mirror,
        signer: signer(),
        every: Duration::from_millis(1),
        conceal: None,
        epochs: Epochs::single(),
    };
    Archive::start(settings, log.reader(), report).unwrap()
}

/// Checks that the log in `dir` contains every acknowledged record and nothing that was never written. The archive and the copy in `mirror` must
/// match the log.
pub(crate) fn check(dir: &Path, mirror: Option<&Path>, acked: u64) -> Result<u64, String> {
    let log = check_records(dir, mirror, acked)?;
    check_archive(&dir.join(ARCHIVE_DIR), &log)?;
    if let Some(mirror) = mirror {
        check_archive(mirror, &log).map_err(|error| format!("mirror: {error}"))?;
    }
    check_archive_continues(dir, mirror, &log)?;
    Ok(log.len())
}

/// Makes the same checks as [`check`] on the log of [`write`], and checks that the log does not end within a step, which is recorded as a whole or
/// not at all.
pub(crate) fn check_steps(dir: &Path, mirror: Option<&Path>, acked: u64) -> Result<u64, String> {
    let len = check(dir, mirror, acked)?;
    let mut steps = std::iter::successors(Some(0), |first| Some(first + step_len(*first)));
    match steps.find(|first| *first >= len) == Some(len) {
        true => Ok(len),
        false => Err(format!("the log ends within a step, after {len} records")),
    }
}

/// Makes the same checks as [`check`], but leaves out the archive, because a small disk may not have room for it.
pub(crate) fn check_records(dir: &Path, mirror: Option<&Path>, acked: u64) -> Result<Log, String> {
    let options = Options {
        ballast_bytes: 0,
        mirrors: mirror.map(Path::to_path_buf).into_iter().collect(),
        is_signed: Some(is_signed()),
        ..Options::default()
    };
    let log = Log::open_with(dir, options).map_err(|error| error.to_string())?;
    if log.len() < acked {
        return Err(format!(
            "{acked} records were acknowledged, {} are there",
            log.len()
        ));
    }
    let mut expected = 0;
    for record in log.read(0) {
        let (index, bytes) = record.map_err(|error| error.to_string())?;
        if index != expected || bytes != payload(index) {
            return Err(format!("record {index} is not what was written"));
        }
        expected += 1;
    }
    if expected != log.len() {
        return Err(format!("{} records, {expected} read", log.len()));
    }
    Ok(log)
}

/// Checks a copy of the archive as the crash left it: its checkpoint covers only durable records and complete tiles.
fn check_archive(at: &Path, log: &Log) -> Result<(), String> {
    if let Ok(note) = std::fs::read_to_string(at.join("checkpoint")) {
        let opened = Checkpoint::open(&note, signer().verifier());
        let checkpoint = opened.map_err(|error| format!("checkpoint: {error}"))?;
        let mut edge = Edge::default();
        let mut tiles = Vec::new();
        for record in log.read(0).take(checkpoint.size as usize) {
            let (_, bytes) = record.map_err(|error| error.to_string())?;
            let pushed = edge.push(&bytes, |tile, bytes| tiles.push((tile, bytes)));
            pushed.map_err(|error| error.to_string())?;
        }
        if (edge.len(), edge.root()) != (checkpoint.size, checkpoint.root) {
            return Err(format!(
                "the checkpoint of {} records is not that of the log, which has {}",
                checkpoint.size,
                log.len()
            ));
        }
        tiles.extend(edge.partial());
        for (tile, bytes) in tiles {
            if std::fs::read(at.join(tile.path())).ok() != Some(bytes) {
                return Err(format!("{} is torn", tile.path()));
            }
        }
    }
    Ok(())
}

fn check_archive_continues(dir: &Path, mirror: Option<&Path>, log: &Log) -> Result<(), String> {
    let mirror = mirror.map(Path::to_path_buf);
    let archive = archive(dir, mirror, log, |report| panic!("{report:?}"));
    if let Some(last) = log.len().checked_sub(1) {
        let proved = archive.handle().inclusion(last, Duration::from_secs(60));
        proved.map_err(|error| error.to_string())?;
    }
    archive.close();
    Ok(())
}

pub(crate) fn repetitions(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

pub(crate) struct Random(SplitMix64);

impl Random {
    /// Creates a generator with the seed in `SEED` or the default. Prints the seed, so that a failure can be repeated; only the timing
    /// may differ.
    #[expect(
        clippy::print_stdout,
        reason = "the harness shows it when a test fails"
    )]
    pub(crate) fn seeded() -> Random {
        let seed = repetitions("SEED", 1);
        println!("SEED={seed}");
        Random::new(seed)
    }

    pub(crate) fn new(seed: u64) -> Random {
        Random(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
