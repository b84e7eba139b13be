//! A Swiss pairing program, run as `PROGRAM --dutch INPUT -p OUTPUT` like bbpPairings.
//!
//! Owns the process, its files and its end. Whatever the program does, it is stopped after the configured time and has
//! changed nothing. Must never trust its answer, which `output` checks.

use std::fs::{File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use timing::Side;
use tokio::sync::Mutex;

use super::error::{PairingError, ProgramEnd};
use super::output;
use super::teams;
use tournament::formats::draft::{export_for_pairing, renumbering};
use tournament::{Event, Pairings, PlayerNo, RoundNo, Tournament};

/// The longest answer that is read, in bytes: enough for ten thousand players.
const MAX_ANSWER: u64 = 1 << 20;
/// The error output that is kept, in bytes.
const MAX_OUTPUT: u64 = 1_000;
/// The time to wait for the rest of the error output after the program has ended.
const OUTPUT_WAIT: std::time::Duration = std::time::Duration::from_secs(1);

/// A pairing program.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    limit: timing::Duration,
    /// Allows one run at a time, since each takes a whole core.
    running: Mutex<()>,
}

impl Program {
    /// Creates the program at `path`, which must answer within `limit`.
    pub fn new(path: &Path, limit: timing::Duration) -> Self {
        // It runs in its own directory, where a relative path would not work. A bare name is searched in PATH.
        let bare = path.components().count() == 1;
        let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            path: if bare { path.to_owned() } else { absolute() },
            limit,
            running: Mutex::new(()),
        }
    }

    /// Returns its file name.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Runs the program to pair a round from all previous results.
    pub(super) async fn pair(
        &self,
        tournament: &Tournament,
        round: RoundNo,
    ) -> Result<Pairings, PairingError> {
        let system = system(tournament.event())?;
        if tournament.rounds().is_empty() && tournament.event().initial_colour.is_none() {
            return Err(PairingError::FirstColour);
        }
        let players = teams::as_players(tournament);
        // Programs treat a missing number, of a removed player, as an error in the file.
        let order: Vec<PlayerNo> = players.players().keys().copied().collect();
        let asked = players.renumbered(&renumbering(players.event(), order.clone()))?;
        let input = input(&asked);
        let one_at_a_time = self.running.lock().await;
        let (path, limit) = (self.path.clone(), self.limit);
        let ran = tokio::task::spawn_blocking(move || run(&path, system, &input, limit)).await;
        drop(one_at_a_time);
        let answer = ran.map_err(|panic| PairingError::Files(io::Error::other(panic)))??;
        let read = output::read(&answer, &players, &order, round);
        let pairings = read.map_err(|fault| PairingError::Answer {
            program: self.path.display().to_string(),
            round,
            fault,
        })?;
        Ok(teams::seated(tournament, round, pairings))
    }
}

/// Returns the option for the event's system (TRF 192). An event without one is paired by the Dutch rules.
fn system(event: &Event) -> Result<&'static str, PairingError> {
    let code = event.type_code.trim();
    if code.is_empty() || code.starts_with("FIDE_DUTCH") || code == "CUSTOM_SWISS" {
        Ok("--dutch")
    } else if code.starts_with("FIDE_BURSTEIN") {
        Ok("--burstein")
    } else {
        Err(PairingError::System(code.to_owned()))
    }
}

/// Returns the report for the program. Older programs read the number of rounds and the first colour only from JaVaFo's
/// records.
fn input(tournament: &Tournament) -> String {
    let mut text = export_for_pairing(tournament).text;
    let has = |text: &str, tag: &str| text.lines().any(|line| line.starts_with(tag));
    if !has(&text, "XXR") {
        text += &format!("XXR {}\r\n", tournament.event().rounds);
    }
    if let Some(colour) = tournament.event().initial_colour
        && !has(&text, "XXC")
    {
        text += match colour {
            Side::White => "XXC white1\r\n",
            Side::Black => "XXC black1\r\n",
        };
    }
    text
}

/// Runs the program until it ends or its time is up, and returns its answer.
fn run(
    path: &Path,
    system: &str,
    input: &str,
    limit: timing::Duration,
) -> Result<String, PairingError> {
    let program = || path.display().to_string();
    let dir = tempfile::Builder::new()
        .prefix("flagfall-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()?;
    let (question, answer) = (dir.path().join("input.trf"), dir.path().join("output.txt"));
    std::fs::write(&question, input)?;
    let mut child = Command::new(path)
        .arg(system)
        .arg(&question)
        .arg("-p")
        .arg(&answer)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // A separate process group, so that processes it starts end with it.
        .process_group(0)
        .spawn()
        .map_err(|error| PairingError::Start {
            program: program(),
            error,
        })?;
    let output = child.stderr.take().map(collect_output);
    let (in_time, status) = end(&mut child, limit)?;
    let output = output.and_then(|output| output.recv_timeout(OUTPUT_WAIT).ok());
    let output = output.unwrap_or_default();
    if !in_time {
        return Err(PairingError::TooSlow {
            program: program(),
            limit,
            output,
        });
    }
    if !status.success() {
        return Err(PairingError::Failed {
            program: program(),
            end: end_of(status),
            output,
        });
    }
    match File::open(&answer) {
        Ok(file) => Ok(text(file, MAX_ANSWER)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(PairingError::Failed {
            program: program(),
            end: ProgramEnd::NoAnswer,
            output,
        }),
        Err(error) => Err(error.into()),
    }
}

/// Waits for the end of the program within its time, then kills the rest of its process group. Returns whether it ended
/// in time.
fn end(child: &mut Child, limit: timing::Duration) -> io::Result<(bool, ExitStatus)> {
    let pid = Pid::from_child(child);
    let (ended, wait) = channel();
    std::thread::spawn(move || {
        // The process stays a zombie until the wait below, so its id cannot be reused meanwhile.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
        // The receiver may have timed out.
        let _ = ended.send(());
    });
    let limit = std::time::Duration::from_micros(limit.as_micros().max(0).unsigned_abs());
    let in_time = wait.recv_timeout(limit).is_ok();
    // The group may be empty already.
    let _ = kill_process_group(pid, Signal::KILL);
    Ok((in_time, child.wait()?))
}

/// Collects the error output. Reads it to the end, so that a verbose program does not block.
fn collect_output(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, output) = channel();
    std::thread::spawn(move || {
        let words = text(&mut from, MAX_OUTPUT).unwrap_or_default();
        // The receiver may have timed out.
        let _ = tell.send(words);
        let _ = io::copy(&mut from, &mut io::sink());
    });
    output
}

/// Reads at most `max` bytes as text, whatever the bytes are.
fn text(from: impl Read, max: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(max).read_to_end(&mut bytes)?;
    let mut text = String::from_utf8_lossy(&bytes).trim().to_owned();
    // Replacement characters are longer than the bytes that they replace.
    text.truncate(text.floor_char_boundary(bytes.len()));
    Ok(text)
}

fn end_of(status: ExitStatus) -> ProgramEnd {
    match status.code() {
        Some(code) => ProgramEnd::Code { code },
        None => ProgramEnd::Signal(status.signal().unwrap_or_default()),
    }
}
