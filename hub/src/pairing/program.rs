//! A Swiss pairing program, run: `PROGRAM --dutch INPUT -p OUTPUT`, as bbpPairings has it.
//!
//! Owns the process, its files and its end: whatever it does, it is gone after the configured time and has changed nothing. Must
//! never trust its answer: that is `output`'s to check.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use timing::Side;
use tokio::sync::Mutex;

use super::error::PairingError;
use super::output;
use super::teams;
use super::work_dir::WorkDir;
use tournament::formats::draft::{export_for_pairing, renumbering};
use tournament::{Event, Pairings, PlayerNo, RoundNo, Tournament};

/// An answer is at most this long, bytes: ten thousand players fit.
const ANSWER: u64 = 1 << 20;
/// What a program says is kept up to this length, bytes.
const SAID: u64 = 2_000;
/// Once a program has ended, its last words are there at once.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(1);

/// A program that pairs.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    limit: timing::Duration,
    /// One run at a time: it takes a whole core.
    running: Mutex<()>,
}

impl Program {
    /// The program at `path`, which has to answer within `limit`.
    pub fn new(path: &Path, limit: timing::Duration) -> Self {
        // It runs in a directory of its own, so that a path from here would lead elsewhere; a bare name is searched in PATH.
        let bare = path.components().count() == 1;
        let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            path: if bare { path.to_owned() } else { absolute() },
            limit,
            running: Mutex::new(()),
        }
    }

    /// Its name without the way there.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Lets it pair a round from all results before it.
    ///
    /// # Errors
    /// Whatever goes wrong, with what the program said.
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
        // Programs take a number that is missing, of a player taken off the list, for a fault of the file.
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

/// The option for the event's system (TRF 192); an event that names none is paired by the Dutch rules.
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

/// The report the program reads. Older ones know the number of rounds and the first colour by the records of JaVaFo alone.
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

/// Runs the program to its end, or to the end of its time; gives back its answer.
fn run(
    path: &Path,
    system: &str,
    input: &str,
    limit: timing::Duration,
) -> Result<String, PairingError> {
    let program = || path.display().to_string();
    let dir = WorkDir::new()?;
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
        // What it starts itself ends with it.
        .process_group(0)
        .spawn()
        .map_err(|error| PairingError::Start {
            program: program(),
            error,
        })?;
    let said = child.stderr.take().map(listen);
    let (in_time, status) = end(&mut child, limit)?;
    let said = said.and_then(|said| said.recv_timeout(LAST_WORDS).ok());
    let said = said.unwrap_or_default();
    if !in_time {
        return Err(PairingError::TooSlow {
            program: program(),
            limit,
            said,
        });
    }
    if !status.success() {
        return Err(PairingError::Failed {
            program: program(),
            how: meaning(status),
            said,
        });
    }
    match File::open(&answer) {
        Ok(file) => Ok(text(file, ANSWER)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(PairingError::Failed {
            program: program(),
            how: "it ended well and wrote no answer".to_owned(),
            said,
        }),
        Err(error) => Err(error.into()),
    }
}

/// Waits for the end of the program, at most for its time, and ends whoever is left of its process group; whether it came in time.
fn end(child: &mut Child, limit: timing::Duration) -> io::Result<(bool, ExitStatus)> {
    let pid = Pid::from_child(child);
    let (ended, wait) = channel();
    std::thread::spawn(move || {
        // It stays a zombie until it is waited for below, so that its number is nobody else's meanwhile.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
        // Whoever waited has lost patience: then nobody listens.
        let _ = ended.send(());
    });
    let limit = std::time::Duration::from_micros(limit.as_micros().max(0).unsigned_abs());
    let in_time = wait.recv_timeout(limit).is_ok();
    // There may be nobody left of the group.
    let _ = kill_process_group(pid, Signal::KILL);
    Ok((in_time, child.wait()?))
}

/// Listens to the end; a program that says very much must not be held up by that.
fn listen(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, said) = channel();
    std::thread::spawn(move || {
        let words = text(&mut from, SAID).unwrap_or_default();
        // Nobody may wait for them any more.
        let _ = tell.send(words);
        let _ = io::copy(&mut from, &mut io::sink());
    });
    said
}

/// The beginning of what can be read, whatever its bytes are.
fn text(from: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// An exit code as bbpPairings documents it.
fn meaning(status: ExitStatus) -> String {
    let Some(code) = status.code() else {
        let signal = status.signal().unwrap_or_default();
        return format!("it was ended by signal {signal}");
    };
    let meaning = match code {
        1 => "no valid pairing exists",
        2 => "an error of the program itself",
        3 => "the request was not understood",
        4 => "the event is too large for it",
        5 => "a file could not be read or written",
        _ => return format!("it ended with code {code}"),
    };
    format!("it ended with code {code} ({meaning})")
}
