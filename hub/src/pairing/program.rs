//! A Swiss pairing program, run like bbpPairings as `PROGRAM --dutch INPUT -p OUTPUT`, or with `--burstein`.
//!
//! Owns the process, its files and its end. The program runs in its own directory and environment, is stopped after the configured time, and cannot
//! change the event. Must never trust the program's answer, which `output` checks.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tempfile::TempDir;
use timing::Side;
use tokio::sync::Mutex;

use super::error::{PairingError, ProgramEnd};
use super::output;
use super::plain_file::{PlainFile, directory};
use super::teams;
use tournament::formats::draft::{export_for_pairing, renumbering};
use tournament::{Event, Pairings, PlayerNo, RoundNo, Tournament};

/// Maximum size of an answer, in bytes: enough for ten thousand players.
const MAX_ANSWER: u64 = 1 << 20;
/// Maximum size of a file that the program writes, in bytes. Writing more ends the program.
#[cfg(target_os = "linux")]
const MAX_WRITTEN: u64 = 64 << 20;
/// Maximum number of bytes of the error output that are kept.
const MAX_OUTPUT: usize = 1_000;
const QUESTION: &str = "input.trf";
const ANSWER: &str = "output.txt";

#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    limit: timing::Duration,
    /// Lock that allows one run at a time, since each takes a whole core.
    running: Mutex<()>,
}

impl Program {
    /// Creates a handle to the program at `path`, which must answer within `limit`.
    pub fn new(path: &Path, limit: timing::Duration) -> Self {
        // The program runs in its own directory, where a relative path would not work. A bare name is looked up in PATH.
        let bare = path.components().count() == 1;
        let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            path: if bare { path.to_owned() } else { absolute() },
            limit,
            running: Mutex::new(()),
        }
    }

    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Runs the program to pair `round` from the results of all previous rounds.
    pub(super) async fn pair(
        &self,
        tournament: &Tournament,
        round: RoundNo,
    ) -> Result<Pairings, PairingError> {
        let system = system(tournament.event())?;
        if tournament.rounds().is_empty() && tournament.event().initial_colour.is_none() {
            return Err(PairingError::FirstColour);
        }
        let players = teams::as_players(tournament, round)?;
        // Programs consider a round finished if every player in the file has a bye for it, and would pair the next round instead.
        let mut entered = players.players().values();
        if entered.all(|player| player.bye_in(round).is_some()) {
            return Err(PairingError::NoPlayers(round));
        }
        // Number the players without gaps: programs treat the missing number of a removed player as an error in the file.
        let order: Vec<PlayerNo> = players.players().keys().copied().collect();
        let asked = players.renumbered(&renumbering(players.event(), order.clone()))?;
        let input = input(&asked);
        let one_at_a_time = self.running.lock().await;
        let (path, limit) = (self.path.clone(), self.limit);
        let ran = tokio::task::spawn_blocking(move || run(&path, system, &input, limit)).await;
        drop(one_at_a_time);
        let answer = ran.map_err(|panic| PairingError::Files(io::Error::other(panic)))??;
        let read = answer.and_then(|answer| output::read(&answer, &players, &order, round));
        let pairings = read.map_err(|fault| PairingError::Answer {
            program: self.path.display().to_string(),
            round,
            fault,
        })?;
        Ok(teams::seated(tournament, round, pairings))
    }
}

/// Returns the program's option for the event's pairing system (TRF 192). An event without a system, or with `CUSTOM_SWISS`, is paired by the
/// Dutch rules.
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

/// Returns the report for the program. It includes JaVaFo's XXR and XXC records, because older programs read the number of rounds and the first
/// colour only from these.
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

/// The directory of one run, which the program may change at will.
struct RunDirectory {
    path: TempDir,
    /// The same directory, held open because the program may replace the one at `path`.
    opened: OwnedFd,
    /// The error output: an unnamed file, which never blocks the program.
    errors: File,
}

impl RunDirectory {
    fn with(question: &str) -> io::Result<Self> {
        let path = tempfile::Builder::new()
            .prefix("flagfall-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()?;
        std::fs::write(path.path().join(QUESTION), question)?;
        Ok(Self {
            opened: directory(path.path())?,
            errors: tempfile::tempfile_in(path.path())?,
            path,
        })
    }

    /// Returns the command for a run. Of the hub's environment, the program inherits only the search path, for its own helpers.
    fn command(&self, program: &Path, system: &str) -> io::Result<Command> {
        let here = self.path.path();
        let mut command = Command::new(program);
        command
            .arg(system)
            .arg(here.join(QUESTION))
            .arg("-p")
            .arg(here.join(ANSWER))
            .current_dir(here)
            .env_clear()
            .env("PATH", search_path())
            .env("HOME", here)
            .env("TMPDIR", here)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(self.errors.try_clone()?)
            // A separate process group, so that the processes that the program starts end with it.
            .process_group(0);
        Ok(command)
    }

    /// Returns the beginning of the error output in one line, without control characters.
    fn error_output(&self) -> String {
        let mut bytes = vec![0; MAX_OUTPUT];
        let read = self.errors.read_at(&mut bytes, 0).unwrap_or_default();
        bytes.truncate(read);
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.split(char::is_control).map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.join(" ")
    }

    /// Returns the answer, or a description of the fault in it; `None` if there is no answer.
    fn answer(&self) -> io::Result<Option<Result<String, String>>> {
        let opened = match PlainFile::open(&self.opened, ANSWER) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let read = match opened {
            Ok(file) => file.read(MAX_ANSWER)?,
            Err(unfit) => Err(unfit),
        };
        let text = read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Some(text.map_err(|unfit| unfit.to_string())))
    }
}

fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

/// Runs the program until it ends or its time is up. Returns its answer, or a description of the fault in it.
fn run(
    path: &Path,
    system: &str,
    input: &str,
    limit: timing::Duration,
) -> Result<Result<String, String>, PairingError> {
    let program = || path.display().to_string();
    let place = RunDirectory::with(input)?;
    let mut child = place
        .command(path, system)?
        .spawn()
        .map_err(|error| PairingError::Start {
            program: program(),
            error,
        })?;
    limit_files(&child);
    let (in_time, status) = end(&mut child, limit)?;
    let output = place.error_output();
    if !in_time {
        return Err(PairingError::TooSlow {
            program: program(),
            limit,
            output,
        });
    }
    let failed = |end: ProgramEnd, output: String| PairingError::Failed {
        program: program(),
        end,
        output,
    };
    if !status.success() {
        return Err(failed(end_of(status), output));
    }
    let answer = place.answer()?;
    answer.ok_or_else(|| failed(ProgramEnd::NoAnswer, output))
}

/// Limits the size of the files that the program and its children write, and forbids core dumps.
#[cfg(target_os = "linux")]
fn limit_files(child: &Child) {
    use rustix::process::{Resource, Rlimit, prlimit};
    for (resource, limit) in [(Resource::Fsize, MAX_WRITTEN), (Resource::Core, 0)] {
        let limit = Rlimit {
            current: Some(limit),
            maximum: Some(limit),
        };
        // The program may have ended already.
        let _ = prlimit(Some(Pid::from_child(child)), resource, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_files(_: &Child) {}

/// Waits until the program ends or its time is up, then kills its process group. Returns its exit status, and true if it ended in time.
fn end(child: &mut Child, limit: timing::Duration) -> io::Result<(bool, ExitStatus)> {
    let pid = Pid::from_child(child);
    let (ended, wait) = channel();
    std::thread::spawn(move || {
        // The process stays a zombie until the wait below, so its id cannot be reused before then.
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

fn end_of(status: ExitStatus) -> ProgramEnd {
    match status.code() {
        Some(code) => ProgramEnd::Code { code },
        None => ProgramEnd::Signal(status.signal().unwrap_or_default()),
    }
}
