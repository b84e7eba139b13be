//! The dialog in which an arbiter makes corrections at the clock (FIDE 6.10.2): PIN, times, moves, pause.
//!
//! Owns the meaning of keys in the dialog and the dialog's display. Must never derive a key from a PIN itself (that takes a second), change a clock,
//! or read a system clock. Buttons keep working throughout.

mod sheet;

use ed25519_dalek::SigningKey;
use proto::pin::{self, PinError};
use timing::{Board, BoardClock, Duration, Instant};

use crate::core::{CorrectionRequest, Pins};
use sheet::Sheet;

/// Time without a key after which the dialog closes, because the arbiter has probably left.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Open,
    /// `0` to `9`.
    Digit(char),
    /// Deletes the last digit.
    Erase,
    /// Selects the next field.
    Next,
    Previous,
    /// Stops the clocks, or starts them again.
    Pause,
    Enter,
    /// Closes the dialog and discards digits that have not been applied.
    Leave,
}

/// A request from the dialog to its caller.
#[derive(Debug)]
pub enum DialogRequest {
    /// Derive the key from this PIN outside the task that handles presses, then pass the result to [`Dialog::on_key_derived`].
    DeriveKey {
        pin: String,
        /// The salt for deriving the key, from the hub.
        salt: Vec<u8>,
    },
    PinAttempted {
        /// True if the PIN belongs to a permitted arbiter.
        correct: bool,
    },
    Correct(CorrectionRequest),
}

/// The part of the agent's state that the dialog needs.
#[derive(Clone, Copy, Debug)]
pub struct DialogContext<'a> {
    pub now: Instant<Board>,
    /// The arbiters who may make corrections, and the PIN attempts so far.
    pub pins: &'a Pins,
    /// The board's clock; `None` without a board, or if the board can be corrected only at the hub.
    pub clock: Option<&'a BoardClock>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogView {
    /// The headline, shown in reverse video.
    pub headline: String,
    pub lines: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Dialog {
    state: State,
    /// True while a key is being derived, also after the dialog has been closed. PINs are checked one at a time, so that the delay after wrong PINs
    /// applies to each of them.
    deriving: bool,
    last_key_at: Option<Instant<Board>>,
    notice: Option<String>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Closed,
    Pin(String),
    DerivingKey,
    Open(Sheet),
}

impl Dialog {
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed)
    }

    /// Returns the instant at which the dialog closes if no key is pressed; `None` while it is closed.
    pub fn ends_at(&self) -> Option<Instant<Board>> {
        self.last_key_at
            .filter(|_| self.is_open())
            .map(|at| at + IDLE_TIMEOUT)
    }

    pub fn on_key(&mut self, key: Key, context: DialogContext<'_>) -> Option<DialogRequest> {
        let open = self.is_open();
        if !open && key != Key::Open {
            return None;
        }
        self.last_key_at = Some(context.now);
        self.notice = None;
        if key == Key::Leave {
            self.close();
            return None;
        }
        match &mut self.state {
            State::Closed if self.deriving => {
                self.state = State::DerivingKey;
                None
            }
            State::Closed => {
                self.state = State::Pin(String::new());
                self.notice = why_not(context);
                None
            }
            State::Pin(_) => self.on_pin_key(key, context),
            State::DerivingKey => None,
            State::Open(sheet) => match sheet.on_key(key, context) {
                Ok(commands) if commands.is_empty() => None,
                Ok(commands) => {
                    self.notice = Some("Done".to_owned());
                    Some(DialogRequest::Correct(sheet.request(commands)))
                }
                Err(why) => {
                    self.notice = Some(why);
                    None
                }
            },
        }
    }

    fn on_pin_key(&mut self, key: Key, context: DialogContext<'_>) -> Option<DialogRequest> {
        let State::Pin(typed) = &mut self.state else {
            return None;
        };
        match key {
            Key::Digit(digit) if typed.len() < *pin::DIGITS.end() => typed.push(digit),
            Key::Erase => drop(typed.pop()),
            Key::Enter => {
                self.notice = why_not(context);
                if self.notice.is_some() {
                    typed.clear();
                    return None;
                }
                if !pin::DIGITS.contains(&typed.len()) {
                    self.notice = Some(PinError::Digits.to_string());
                    return None;
                }
                let pin = std::mem::take(typed);
                self.state = State::DerivingKey;
                self.deriving = true;
                return Some(DialogRequest::DeriveKey {
                    pin,
                    salt: context.pins.salt().to_vec(),
                });
            }
            Key::Digit(_) | Key::Open | Key::Next | Key::Previous | Key::Pause | Key::Leave => {}
        }
        None
    }

    /// Handles the result of deriving a key. A key counts as a PIN attempt even if the dialog has been closed in the meantime. It is ignored during a
    /// delay after wrong PINs, and if the hub no longer has a PIN.
    pub fn on_key_derived(
        &mut self,
        derived: Result<Box<SigningKey>, PinError>,
        context: DialogContext<'_>,
    ) -> Option<DialogRequest> {
        self.deriving = false;
        let waited = matches!(self.state, State::DerivingKey);
        let refusal = why_not(context);
        if refusal.is_some() {
            if waited {
                self.state = State::Pin(String::new());
                self.notice = refusal;
            }
            return None;
        }
        let key = match derived {
            Ok(key) => key,
            Err(error) => {
                if waited {
                    self.state = State::Pin(String::new());
                    self.notice = Some(error.to_string());
                }
                return None;
            }
        };
        let arbiter = context.pins.arbiter(&pin::public(&key)).map(str::to_owned);
        let correct = arbiter.is_some();
        if waited {
            self.last_key_at = Some(context.now);
            match arbiter {
                Some(arbiter) => self.state = State::Open(Sheet::new(arbiter, key)),
                None => {
                    self.state = State::Pin(String::new());
                    self.notice = Some("Wrong PIN".to_owned());
                }
            }
        }
        Some(DialogRequest::PinAttempted { correct })
    }

    /// Closes the dialog if no key was pressed for too long. Returns true if it closed the dialog.
    pub fn on_time(&mut self, now: Instant<Board>) -> bool {
        let over = self.ends_at().is_some_and(|end| end <= now);
        if over {
            self.close();
        }
        over
    }

    /// Returns the text to display; `None` while the dialog is closed.
    pub fn view(&self, context: DialogContext<'_>) -> Option<DialogView> {
        let (headline, mut lines) = match &self.state {
            State::Closed => return None,
            State::Pin(typed) => (
                format!("Arbiter's PIN: {:_<8}", "*".repeat(typed.len())),
                vec!["Enter: continue   Esc: cancel".to_owned()],
            ),
            State::DerivingKey => (
                "Arbiter's PIN: checking…".to_owned(),
                vec!["Esc: cancel".to_owned()],
            ),
            State::Open(sheet) => sheet.view(context),
        };
        lines.extend(self.notice.clone());
        Some(DialogView { headline, lines })
    }

    fn close(&mut self) {
        self.state = State::Closed;
        self.last_key_at = None;
        self.notice = None;
    }
}

fn why_not(context: DialogContext<'_>) -> Option<String> {
    if !context.pins.any() {
        return Some("Corrections are off: the hub has no arbiter's PIN".to_owned());
    }
    let until = context.pins.locked_until(context.now)?;
    let seconds = (until - context.now)
        .as_micros()
        .unsigned_abs()
        .div_ceil(1_000_000);
    Some(format!(
        "Too many wrong PINs: wait {}:{:02}",
        seconds / 60,
        seconds % 60
    ))
}

#[cfg(test)]
mod tests;
