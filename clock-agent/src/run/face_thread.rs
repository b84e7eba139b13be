//! Draws the face and rings the bell on a separate thread, so that a slow terminal does not delay presses. Owns the terminal while the thread runs.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use timing::{Board, Instant};

use super::RunError;
use super::bell::Bell;
use crate::buttons::ButtonSpec;
use crate::cli::FaceKind;
use crate::correcting::DialogView;
use crate::face::{Charset, Face, PlainFace, Screen};
use crate::face_state::FaceState;
use crate::time_source::TimeSource;

const MAX_REDRAW_INTERVAL: Duration = Duration::from_secs(5);

pub(super) enum ToFace {
    State(Box<FaceState>),
    Asking(bool),
    Correcting(Option<DialogView>),
    Redraw,
    End,
}

pub(super) struct FaceThread {
    sender: Sender<ToFace>,
    thread: Option<JoinHandle<()>>,
}

pub(super) fn chosen(asked: Option<FaceKind>) -> FaceKind {
    match asked {
        Some(face) => face,
        None if io::stdout().is_terminal() => FaceKind::Terminal,
        None => FaceKind::Plain,
    }
}

/// Shows the number of a clock that waits for admission, in large digits on a terminal.
pub(super) fn show_waiting(face: FaceKind, number: &str) {
    let line = format!("Waiting for the arbiter: {number}");
    match face {
        FaceKind::None => tracing::info!(number, "waiting for the arbiter to admit this clock"),
        FaceKind::Plain => super::logging::say(&line),
        FaceKind::Terminal => {
            super::logging::say(&line);
            for row in crate::face::large(number, Charset::from_env()) {
                super::logging::say(&row);
            }
        }
    }
}

impl FaceThread {
    /// Takes over the terminal, if the face or the buttons need it, and starts to draw.
    pub(super) fn start(
        kind: FaceKind,
        buttons: &ButtonSpec,
        state: FaceState,
        time: Arc<TimeSource>,
    ) -> Result<Self, RunError> {
        let (sender, told) = channel();
        let keys = matches!(buttons, ButtonSpec::Keys(_)) && io::stdin().is_terminal();
        let drawer = match kind {
            FaceKind::Terminal => {
                let face = Face::new(Charset::from_env(), coloured());
                let screen = Screen::take().map_err(RunError::Terminal)?;
                Drawer::Screen(Box::new(face), Box::new(screen))
            }
            FaceKind::Plain => Drawer::Lines(Box::default(), line_end(keys)),
            FaceKind::None => Drawer::Nothing,
        };
        let raw = match kind {
            // The screen sets raw mode itself.
            FaceKind::Terminal => None,
            FaceKind::Plain | FaceKind::None => RawKeys::take(keys)?,
        };
        let thread = std::thread::Builder::new()
            .name("face".to_owned())
            .spawn(move || {
                run(drawer, &told, state, &time);
                drop(raw);
            })
            .map_err(super::system("the face's thread"))?;
        Ok(Self {
            sender,
            thread: Some(thread),
        })
    }

    pub(super) fn sender(&self) -> Sender<ToFace> {
        self.sender.clone()
    }

    /// Draws one last time and restores the terminal.
    pub(super) fn end(&mut self) {
        // Sending fails only if the thread has ended, and then it has restored the terminal.
        let _ = self.sender.send(ToFace::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for FaceThread {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns true if the face may use colour, according to no-color.org.
fn coloured() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the line ending. In raw mode, a line feed does not return to the first column.
fn line_end(raw: bool) -> &'static str {
    if raw { "\r\n" } else { "\n" }
}

/// A guard that keeps the keyboard in raw mode.
struct RawKeys;

impl RawKeys {
    fn take(wanted: bool) -> Result<Option<Self>, RunError> {
        if !wanted {
            return Ok(None);
        }
        crossterm::terminal::enable_raw_mode().map_err(RunError::Terminal)?;
        Ok(Some(Self))
    }
}

impl Drop for RawKeys {
    fn drop(&mut self) {
        // The terminal may be gone.
        let _ = crossterm::terminal::disable_raw_mode();
    }
}

fn ring() {
    let mut out = io::stdout();
    if out.is_terminal() {
        // Ignore a terminal that is gone.
        let _ = out.write_all(b"\x07").and_then(|()| out.flush());
    }
}

enum Drawer {
    Screen(Box<Face>, Box<Screen>),
    /// Plain lines, each followed by this line ending.
    Lines(Box<PlainFace>, &'static str),
    Nothing,
}

impl Drawer {
    fn ask(&mut self, asking: bool) -> io::Result<()> {
        match self {
            Self::Screen(face, _) => face.show_quit_prompt(asking),
            Self::Lines(_, end) if asking => {
                write!(io::stdout(), "Quit? y: yes{end}")?;
            }
            Self::Lines(..) | Self::Nothing => {}
        }
        Ok(())
    }

    fn correct(&mut self, view: Option<DialogView>) -> io::Result<()> {
        match (self, view) {
            (Self::Screen(face, _), view) => face.correct(view),
            (Self::Lines(_, end), Some(view)) => {
                let mut out = io::stdout().lock();
                for line in std::iter::once(&view.headline).chain(&view.lines) {
                    write!(out, "{line}{end}")?;
                }
                out.flush()?;
            }
            (Self::Lines(..), None) | (Self::Nothing, _) => {}
        }
        Ok(())
    }

    fn note(&mut self, state: &FaceState, now: Instant<Board>) {
        match self {
            Self::Screen(face, _) => face.note(state, now),
            Self::Lines(..) | Self::Nothing => {}
        }
    }

    /// Draws the face. Returns the instant by which it must be redrawn; `None` if only an event can change it.
    fn draw(
        &mut self,
        state: &FaceState,
        now: Instant<Board>,
    ) -> io::Result<Option<Instant<Board>>> {
        match self {
            Self::Screen(face, screen) => {
                screen.draw(face, state, now)?;
                Ok(face.next_redraw(state, now))
            }
            Self::Lines(face, end) => {
                let mut out = io::stdout().lock();
                for line in face.changes(state, now) {
                    write!(out, "{line}{end}")?;
                }
                out.flush()?;
                Ok(face.next_check(state))
            }
            Self::Nothing => Ok(None),
        }
    }
}

fn run(mut drawer: Drawer, told: &Receiver<ToFace>, mut state: FaceState, time: &TimeSource) {
    let mut bell = Bell::default();
    bell.on_state(&state);
    loop {
        let now = time.now();
        if bell.rings(state.sound, state.at(now).as_ref()) {
            ring();
        }
        let next = match drawer.draw(&state, now) {
            Ok(next) => next,
            Err(error) => {
                // The players lose the display, but their clocks keep running.
                tracing::error!(%error, "cannot draw the face");
                return;
            }
        };
        let wait = next.map_or(MAX_REDRAW_INTERVAL, |next| {
            let wait = (next - time.now()).or_zero().as_micros().unsigned_abs();
            Duration::from_micros(wait).min(MAX_REDRAW_INTERVAL)
        });
        let mut news = match told.recv_timeout(wait) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        while let Some(what) = news {
            match what {
                ToFace::State(new) => {
                    state = *new;
                    bell.on_state(&state);
                    drawer.note(&state, time.now());
                }
                ToFace::Asking(asking) => {
                    if let Err(error) = drawer.ask(asking) {
                        tracing::error!(%error, "cannot draw the face");
                    }
                }
                ToFace::Correcting(view) => {
                    if let Err(error) = drawer.correct(view) {
                        tracing::error!(%error, "cannot draw the face");
                    }
                }
                ToFace::Redraw => {}
                ToFace::End => {
                    // Show the final state; an error no longer matters.
                    let _ = drawer.draw(&state, time.now());
                    return;
                }
            }
            news = told.try_recv().ok();
        }
    }
}
