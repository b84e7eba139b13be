//! The clock's buttons: the sources of presses, and the time of each press.
//!
//! Owns the sources and the stamps; [`TwoButtons`] debounces contacts. Must never know a button's side or the meaning of a press: that is the
//! engine's job.
//!
//! A press counts from its first edge: it is stamped before any other processing and passed on without delay.
//!
//! # Reading presses
//! [`Buttons::wait`] returns when there may be something to read, and [`Buttons::drain`] reads it. `drain(now)` also reports how far presses are
//! complete: every press stamped before [`ButtonInputs::complete_to`] has been returned. Let time pass only up to that instant, because a press on
//! its way from the kernel may be stamped before `now`. A flag therefore falls once `complete_to` has reached its deadline.

mod gpio;
mod keys;
mod lines;
mod script;
mod spec;

pub use clock_core::buttons::{BOUNCE, ButtonEvent, Edge, HOLD, TwoButtons};
pub use gpio::GpioError;
pub use keys::{KeyMap, KeyReader};
pub use script::{Origin, Script};
pub use spec::{ButtonSpec, SpecError};
pub use timing::script::ScriptError;

use std::path::PathBuf;
use std::sync::Arc;

use timing::{Board, Command, Instant};

use crate::correcting::Key;
use gpio::GpioSource;
use keys::KeySource;
use lines::LineSource;
use script::ScriptSource;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A press or a stop, for the timing engine.
    Button(ButtonEvent),
    Quit(QuitStep),
    /// A key for the correction dialog.
    Arbiter(Key),
    /// An arbiter's correction, given as text with the PIN.
    Correct {
        pin: String,
        command: Command,
    },
    /// A request to speak the time of both clocks.
    TellTime,
    Resized,
    /// The source of presses has failed for good; the string is the error message.
    Lost(String),
}

/// A step in quitting this program from the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuitStep {
    /// A key to quit was pressed; the face asks for confirmation.
    Asked,
    /// The request was cancelled, or not confirmed in time.
    Withdrawn,
    Confirmed,
}

/// The result of [`Buttons::drain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButtonInputs {
    /// Inputs in the order of their stamps.
    pub inputs: Vec<Input>,
    /// Board time up to which presses are complete: every press stamped earlier has been drained.
    pub complete_to: Instant<Board>,
}

/// A source of board time for timestamps.
pub trait BoardTime: Send + Sync {
    fn now(&self) -> Instant<Board>;
    /// Converts `nanos`, a reading of CLOCK_MONOTONIC in nanoseconds, to board time. The kernel stamps edges with this clock.
    fn at_monotonic(&self, nanos: u64) -> Instant<Board>;
}

#[derive(Debug, thiserror::Error)]
pub enum ButtonsError {
    #[error(transparent)]
    Gpio(#[from] GpioError),
    #[error("cannot read {}: {error}", path.display())]
    ScriptFile {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{}:{fault}", path.display())]
    Script { path: PathBuf, fault: ScriptError },
    #[error("cannot start reading the buttons: {0}")]
    Thread(std::io::Error),
}

/// An open source of presses.
#[derive(Debug)]
pub struct Buttons(Kind);

#[derive(Debug)]
enum Kind {
    Keys(KeySource),
    Gpio(GpioSource),
    Lines(LineSource),
    Script(ScriptSource),
    Nothing,
}

impl Buttons {
    /// Opens the buttons that `spec` selects. Keys require a terminal in raw mode.
    pub fn open(spec: &ButtonSpec, time: Arc<dyn BoardTime>) -> Result<Self, ButtonsError> {
        Ok(Self(match spec {
            ButtonSpec::Keys(map) => Kind::Keys(KeySource::open(*map, time)?),
            ButtonSpec::Gpio { chip, left, right } => {
                Kind::Gpio(GpioSource::open(chip, *left, *right, time)?)
            }
            ButtonSpec::Lines => Kind::Lines(LineSource::open(time)?),
            ButtonSpec::Script(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    let path = path.clone();
                    ButtonsError::ScriptFile { path, error }
                })?;
                let script = text.parse().map_err(|fault| {
                    let path = path.clone();
                    ButtonsError::Script { path, fault }
                })?;
                return Ok(Self::scripted(script, time));
            }
            ButtonSpec::Nothing => Kind::Nothing,
        }))
    }

    /// Creates a source that plays a script. The current instant counts as the program's start.
    pub fn scripted(script: Script, time: Arc<dyn BoardTime>) -> Self {
        Self(Kind::Script(ScriptSource::new(script, time)))
    }

    /// Tells a script that the first game has started at `at`. The times of a script with [`Origin::Game`] count from there. Later calls have no
    /// effect.
    pub fn game_started(&mut self, at: Instant<Board>) {
        match &mut self.0 {
            Kind::Script(script) => script.game_started(at),
            Kind::Keys(_) | Kind::Gpio(_) | Kind::Lines(_) | Kind::Nothing => (),
        }
    }

    /// Waits until there may be something to drain. Cancel-safe.
    pub async fn wait(&self) {
        match &self.0 {
            Kind::Keys(keys) => keys.wait().await,
            Kind::Gpio(gpio) => gpio.wait().await,
            Kind::Lines(lines) => lines.wait().await,
            Kind::Script(script) => script.wait().await,
            Kind::Nothing => std::future::pending().await,
        }
    }

    /// Returns the inputs that have arrived by `now`, the current board time.
    pub fn drain(&mut self, now: Instant<Board>) -> ButtonInputs {
        match &mut self.0 {
            Kind::Keys(keys) => keys.drain(now),
            Kind::Gpio(gpio) => gpio.drain(now),
            Kind::Lines(lines) => lines.drain(now),
            Kind::Script(script) => script.drain(now),
            Kind::Nothing => ButtonInputs {
                inputs: Vec::new(),
                complete_to: now,
            },
        }
    }
}
