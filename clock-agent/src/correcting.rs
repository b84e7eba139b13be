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

/// A key of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Opens the dialog.
    Open,
    /// `0` to `9`.
    Digit(char),
    /// Deletes the last digit.
    Erase,
    /// Selects the next field.
    Next,
    /// Selects the previous field.
    Previous,
    /// Stops the clocks, or starts them again.
    Pause,
    /// Confirms the input.
    Enter,
    /// Closes the dialog without a change.
    Leave,
}

/// A request from the dialog to its caller.
#[derive(Debug)]
pub enum DialogRequest {
    /// Derive the key from this PIN outside the task that handles presses, then pass the key to [`Dialog::on_key_made`].
    MakeKey {
        /// The PIN as typed.
        pin: String,
        /// The salt for deriving the key, from the hub.
        salt: Vec<u8>,
    },
    /// Record a PIN attempt.
    PinAttempted {
        /// True if the PIN belongs to a permitted arbiter.
        right: bool,
    },
    /// Correct the clock.
    Correct(CorrectionRequest),
}

/// The part of the agent's state that the dialog needs.
#[derive(Clone, Copy, Debug)]
pub struct DialogContext<'a> {
    /// The current instant.
    pub now: Instant<Board>,
    /// The arbiters who may make corrections, and the PIN attempts so far.
    pub pins: &'a Pins,
    /// The board's clock; `None` if the board can be corrected only at the hub.
    pub clock: Option<&'a BoardClock>,
}

/// The text that the dialog displays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogView {
    /// The headline, shown in reverse video.
    pub headline: String,
    /// The lines below the headline.
    pub lines: Vec<String>,
}

/// The dialog for an arbiter's corrections: PIN entry, then the form.
#[derive(Debug, Default)]
pub struct Dialog {
    state: State,
    touched: Option<Instant<Board>>,
    notice: Option<String>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Closed,
    Pin(String),
    /// The PIN's key is being derived.
    Making,
    Open(Sheet),
}

impl Dialog {
    /// Returns true if the dialog is open.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed)
    }

    /// Returns the instant at which the dialog closes if no key is pressed.
    pub fn ends_at(&self) -> Option<Instant<Board>> {
        self.touched
            .filter(|_| self.is_open())
            .map(|at| at + IDLE_TIMEOUT)
    }

    /// Handles a key. Returns a request for the caller to carry out, if there is one.
    pub fn on_key(&mut self, key: Key, context: DialogContext<'_>) -> Option<DialogRequest> {
        let open = self.is_open();
        if !open && key != Key::Open {
            return None;
        }
        self.touched = Some(context.now);
        self.notice = None;
        if key == Key::Leave {
            self.close();
            return None;
        }
        match &mut self.state {
            State::Closed => {
                self.state = State::Pin(String::new());
                self.notice = why_not(context);
                None
            }
            State::Pin(_) => self.on_pin_key(key, context),
            State::Making => None,
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
                self.state = State::Making;
                return Some(DialogRequest::MakeKey {
                    pin,
                    salt: context.pins.salt().to_vec(),
                });
            }
            Key::Digit(_) | Key::Open | Key::Next | Key::Previous | Key::Pause | Key::Leave => {}
        }
        None
    }

    /// Handles a derived key, which counts as a PIN attempt even if the dialog has been closed in the meantime.
    pub fn on_key_made(
        &mut self,
        made: Result<Box<SigningKey>, PinError>,
        context: DialogContext<'_>,
    ) -> Option<DialogRequest> {
        let waited = matches!(self.state, State::Making);
        let key = match made {
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
        let right = arbiter.is_some();
        if waited {
            self.touched = Some(context.now);
            match arbiter {
                Some(arbiter) => self.state = State::Open(Sheet::new(arbiter, key)),
                None => {
                    self.state = State::Pin(String::new());
                    self.notice = Some("Wrong PIN".to_owned());
                }
            }
        }
        Some(DialogRequest::PinAttempted { right })
    }

    /// Closes the dialog if no key was pressed for too long. Returns true if it did.
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
            State::Making => (
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
        self.touched = None;
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
