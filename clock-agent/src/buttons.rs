//! The buttons of the clock: where presses come from, and when each of them happened.
//!
//! Owns the stamping, debouncing and recognising of presses. Must never know whose button is whose nor what a
//! press means: that is the engine's business.
//!
//! A press is a fact the moment its first edge is seen: it is stamped before anything else is done with it and is
//! passed on at once, never held back to see what may follow.
//!
//! # For whoever reads presses
//! [`Source::wait`] returns when there may be something to read, [`Source::drain`] reads it. `drain(now)` also says
//! up to when presses are complete: every press stamped before [`Drained::complete_to`] has been handed out. Nothing
//! may be settled past that instant, because a press on its way from the kernel may be stamped before `now`:
//! a watermark carries `complete_to`, and a flag falls when `complete_to` has passed it, not when `now` has.

mod gpio;
mod keys;
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

use timing::{Board, Instant};

use crate::correcting::Key;
use gpio::GpioSource;
use keys::KeySource;
use script::ScriptSource;

/// What comes from where the buttons are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A fact for the engine.
    Button(ButtonEvent),
    /// Someone at the keyboard wants this program to end.
    Leave(Leaving),
    /// A key for an arbiter who corrects the clock.
    Arbiter(Key),
    /// Someone at the keyboard wants to hear the time.
    TellTime,
    /// The terminal has another size.
    Resized,
    /// The buttons are gone, for this reason; no press will come any more.
    Lost(String),
}

/// How far someone is with ending this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Asked for; to be confirmed.
    Asked,
    /// Not confirmed in time, or taken back.
    Withdrawn,
    /// Confirmed.
    Confirmed,
}

/// What [`Source::drain`] has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drained {
    /// In the order of their stamps.
    pub inputs: Vec<Input>,
    /// Every press stamped before this instant is among what has been drained so far.
    pub complete_to: Instant<Board>,
}

/// Reads the board's timeline, for stamping.
pub trait BoardTime: Send + Sync {
    /// The present instant.
    fn now(&self) -> Instant<Board>;
    /// The instant at which CLOCK_MONOTONIC, in which the kernel stamps edges, read `nanos`.
    fn at_monotonic(&self, nanos: u64) -> Instant<Board>;
}

/// Why there are no buttons.
#[derive(Debug, thiserror::Error)]
pub enum ButtonsError {
    /// The GPIO lines cannot be had.
    #[error(transparent)]
    Gpio(#[from] GpioError),
    /// The script cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    ScriptFile {
        /// Its path.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The script is malformed.
    #[error("{}:{fault}", path.display())]
    Script {
        /// Its path.
        path: PathBuf,
        /// Where and why.
        fault: ScriptError,
    },
    /// The thread that reads the buttons cannot be started.
    #[error("cannot start reading the buttons: {0}")]
    Thread(std::io::Error),
}

/// Where presses come from.
#[derive(Debug)]
pub struct Source(Kind);

#[derive(Debug)]
enum Kind {
    Keys(KeySource),
    Gpio(GpioSource),
    Script(ScriptSource),
    Nothing,
}

impl Source {
    /// The buttons that `spec` names, stamped by `time`. Keys are read from the terminal, which has to be in raw
    /// mode already.
    ///
    /// # Errors
    /// If they cannot be had.
    pub fn open(spec: &ButtonSpec, time: Arc<dyn BoardTime>) -> Result<Self, ButtonsError> {
        Ok(Self(match spec {
            ButtonSpec::Keys(map) => Kind::Keys(KeySource::open(*map, time)?),
            ButtonSpec::Gpio { chip, left, right } => {
                Kind::Gpio(GpioSource::open(chip, *left, *right, time)?)
            }
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

    /// Presses played from a script; the program's start is the present.
    pub fn scripted(script: Script, time: Arc<dyn BoardTime>) -> Self {
        Self(Kind::Script(ScriptSource::new(script, time)))
    }

    /// Tells that the first game has started: scripts play from there. Later calls change nothing.
    pub fn game_started(&mut self, at: Instant<Board>) {
        match &mut self.0 {
            Kind::Script(script) => script.game_started(at),
            Kind::Keys(_) | Kind::Gpio(_) | Kind::Nothing => (),
        }
    }

    /// Returns when there may be something to drain. May be dropped and called again at any time.
    pub async fn wait(&self) {
        match &self.0 {
            Kind::Keys(keys) => keys.wait().await,
            Kind::Gpio(gpio) => gpio.wait().await,
            Kind::Script(script) => script.wait().await,
            Kind::Nothing => std::future::pending().await,
        }
    }

    /// Everything that has happened up to `now`, the present instant of the timeline presses are stamped in.
    pub fn drain(&mut self, now: Instant<Board>) -> Drained {
        match &mut self.0 {
            Kind::Keys(keys) => keys.drain(now),
            Kind::Gpio(gpio) => gpio.drain(now),
            Kind::Script(script) => script.drain(now),
            Kind::Nothing => Drained {
                inputs: Vec::new(),
                complete_to: now,
            },
        }
    }
}
