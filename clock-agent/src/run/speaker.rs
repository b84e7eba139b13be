//! Speaks the time on a thread of its own, through a program of the system. Owns the program: nobody waits for it, and a clock
//! without one goes on in silence.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use timing::{Board, Instant};

use super::RunError;
use crate::face_state::FaceState;
use crate::speech::{Listener, Speech};
use crate::time_source::TimeSource;

/// What is looked for where none is named.
const PROGRAMS: [&str; 2] = ["spd-say", "espeak-ng"];

/// While no time runs towards a round one, it is looked at the clock this often all the same.
const AT_LEAST: Duration = Duration::from_secs(5);

/// What the speaker is told.
pub(super) enum ToSpeaker {
    State(Box<FaceState>),
    TellTime,
    End,
}

/// The running speaker.
pub(super) struct SpeakerThread {
    sender: Sender<ToSpeaker>,
    thread: Option<JoinHandle<()>>,
}

/// The program to speak with: the one that was named, or the first of the usual ones that is there.
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
            "the time cannot be spoken: neither {} is installed; install one, or name another with --speak-with",
            PROGRAMS.join(" nor ")
        );
    }
    found
}

impl SpeakerThread {
    /// Begins to speak with `program`.
    pub(super) fn start(
        listener: Listener,
        program: PathBuf,
        state: FaceState,
        time: Arc<TimeSource>,
    ) -> Result<Self, RunError> {
        let (sender, told) = channel();
        let mouth = Mouth {
            program,
            speaking: None,
            failed: false,
        };
        let thread = std::thread::Builder::new()
            .name("speaker".to_owned())
            .spawn(move || run(Speech::new(listener), mouth, &told, state, &time))
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
        // A speaker that is gone is silent already.
        let _ = self.sender.send(ToSpeaker::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(
    mut speech: Speech,
    mut mouth: Mouth,
    told: &Receiver<ToSpeaker>,
    mut state: FaceState,
    time: &TimeSource,
) {
    loop {
        let now = time.now();
        if let Some(phrase) = speech.news(state.at(now).as_ref()) {
            mouth.say(&phrase);
        }
        let next = Speech::next_look(&state, now);
        match told.recv_timeout(until(next, time.now())) {
            Ok(ToSpeaker::State(new)) => state = *new,
            Ok(ToSpeaker::TellTime) => mouth.say(&Speech::asked(state.at(time.now()).as_ref())),
            Ok(ToSpeaker::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn until(next: Option<Instant<Board>>, now: Instant<Board>) -> Duration {
    next.map_or(AT_LEAST, |next| {
        let wait = (next - now).or_zero().as_micros().unsigned_abs();
        Duration::from_micros(wait).min(AT_LEAST)
    })
}

/// The program at work.
struct Mouth {
    program: PathBuf,
    speaking: Option<Child>,
    /// That it does not start is said once.
    failed: bool,
}

impl Mouth {
    /// Says it now: what is still being said is older, and cut off.
    fn say(&mut self, phrase: &str) {
        self.hush();
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
                tracing::error!(program = %self.program.display(), %error, "the time cannot be spoken");
            }
            Err(_) => {}
        }
    }

    fn hush(&mut self) {
        if let Some(mut child) = self.speaking.take() {
            // One that has ended by itself cannot be ended; either way it is waited for, which then takes no time.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Mouth {
    fn drop(&mut self) {
        self.hush();
    }
}
