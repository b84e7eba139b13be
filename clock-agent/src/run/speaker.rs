//! Speaks the time on its own thread, with an installed speech program. Owns that program's process. The clock never waits for the program, and stays
//! silent without one.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use timing::{Board, Instant};

use super::RunError;
use crate::face_state::FaceState;
use crate::speech::{Announcer, Listener};
use crate::time_source::TimeSource;

/// The default speech programs, in order of preference.
const PROGRAMS: [&str; 2] = ["spd-say", "espeak-ng"];

const MAX_CHECK_INTERVAL: Duration = Duration::from_secs(5);

pub(super) enum ToSpeaker {
    State(Box<FaceState>),
    TellTime,
    End,
}

pub(super) struct SpeakerThread {
    sender: Sender<ToSpeaker>,
    thread: Option<JoinHandle<()>>,
}

/// Returns the speech program: the named program, or else the first installed default; `None` if no default is found.
pub(super) fn program(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    let found = PROGRAMS.into_iter().find_map(|program| {
        std::env::split_paths(&path)
            .map(|dir| dir.join(program))
            .find(|file| file.is_file())
    });
    if found.is_none() {
        tracing::error!(
            "cannot speak the time: neither {} is installed; install one, or name a different program with --speak-with",
            PROGRAMS.join(" nor ")
        );
    }
    found
}

impl SpeakerThread {
    pub(super) fn start(
        listener: Listener,
        program: PathBuf,
        state: FaceState,
        time: Arc<TimeSource>,
    ) -> Result<Self, RunError> {
        let (sender, told) = channel();
        let program = SpeechProgram {
            program,
            speaking: None,
            failed: false,
        };
        let thread = std::thread::Builder::new()
            .name("speaker".to_owned())
            .spawn(move || run(Announcer::new(listener), program, &told, state, &time))
            .map_err(super::system("the speaker's thread"))?;
        Ok(Self {
            sender,
            thread: Some(thread),
        })
    }

    pub(super) fn sender(&self) -> Sender<ToSpeaker> {
        self.sender.clone()
    }
}

impl Drop for SpeakerThread {
    fn drop(&mut self) {
        // Sending fails only if the thread has already ended.
        let _ = self.sender.send(ToSpeaker::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(
    mut speech: Announcer,
    mut program: SpeechProgram,
    told: &Receiver<ToSpeaker>,
    mut state: FaceState,
    time: &TimeSource,
) {
    loop {
        let now = time.now();
        if let Some(phrase) = speech.due(state.at(now).as_ref()) {
            program.say(&phrase);
        }
        let next = Announcer::next_check(&state, now);
        match told.recv_timeout(until(next, time.now())) {
            Ok(ToSpeaker::State(new)) => state = *new,
            Ok(ToSpeaker::TellTime) => {
                program.say(&Announcer::both_times(state.at(time.now()).as_ref()))
            }
            Ok(ToSpeaker::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn until(next: Option<Instant<Board>>, now: Instant<Board>) -> Duration {
    next.map_or(MAX_CHECK_INTERVAL, |next| {
        let wait = (next - now).or_zero().as_micros().unsigned_abs();
        Duration::from_micros(wait).min(MAX_CHECK_INTERVAL)
    })
}

struct SpeechProgram {
    program: PathBuf,
    speaking: Option<Child>,
    /// True after a failed start, so that the failure is logged only once.
    failed: bool,
}

impl SpeechProgram {
    fn say(&mut self, phrase: &str) {
        self.stop();
        let started = Command::new(&self.program)
            .arg(phrase)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(child) => self.speaking = Some(child),
            Err(error) if !self.failed => {
                self.failed = true;
                tracing::error!(program = %self.program.display(), %error, "cannot speak the time");
            }
            Err(_) => {}
        }
    }

    fn stop(&mut self) {
        if let Some(mut child) = self.speaking.take() {
            // Killing a finished process has no effect; waiting for it takes no time.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for SpeechProgram {
    fn drop(&mut self) {
        self.stop();
    }
}
