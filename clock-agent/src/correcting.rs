//! The conversation with an arbiter who corrects the clock at the clock (FIDE 6.10.2): PIN, times, moves, pause.
//!
//! Owns what a key means while it is under way and what the face shows of it. Must never make a key from a PIN itself (that
//! takes a second), never change a clock, and never read one that it is not given. Buttons stay buttons all the while.

mod sheet;

use ed25519_dalek::SigningKey;
use proto::pin::{self, PinError};
use timing::{Board, BoardClock, Duration, Instant};

use crate::core::{CorrectionRequest, Pins};
use sheet::Sheet;

/// Nobody has touched a key for this long: whoever had the PIN has gone.
const IDLE: Duration = Duration::from_secs(60);

/// A key, as this conversation knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Begins it.
    Open,
    /// `0` to `9`.
    Digit(char),
    /// Takes the last digit back.
    Erase,
    /// To the next field.
    Next,
    /// To the field before.
    Previous,
    /// Stops the clocks, or starts them again.
    Pause,
    /// Does it.
    Enter,
    /// Leaves everything as it is.
    Leave,
}

/// What the conversation wants done.
#[derive(Debug)]
pub enum Wish {
    /// The key of this PIN is to be made, with this salt, off the task that carries presses; then [`Dialog::on_key_made`].
    MakeKey {
        /// As typed.
        pin: String,
        /// The hub's.
        salt: Vec<u8>,
    },
    /// A PIN was tried.
    Tried {
        /// Whether it was an arbiter's.
        right: bool,
    },
    /// The clock is to be corrected.
    Correct(CorrectionRequest),
}

/// What it has to know of the clock.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Now.
    pub now: Instant<Board>,
    /// Who may correct.
    pub pins: &'a Pins,
    /// The clock, if this agent keeps one.
    pub clock: Option<&'a BoardClock>,
}

/// What the face shows of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// In reverse.
    pub headline: String,
    /// Below it.
    pub lines: Vec<String>,
}

/// The conversation.
#[derive(Debug, Default)]
pub struct Dialog {
    state: State,
    touched: Option<Instant<Board>>,
    said: Option<String>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Closed,
    Pin(String),
    /// The key is being made.
    Making,
    Open(Sheet),
}

impl Dialog {
    /// Whether it is under way.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed)
    }

    /// When it ends by itself, if no key comes.
    pub fn ends_at(&self) -> Option<Instant<Board>> {
        self.touched.filter(|_| self.is_open()).map(|at| at + IDLE)
    }

    /// Takes a key.
    pub fn on_key(&mut self, key: Key, seen: Seen<'_>) -> Option<Wish> {
        let open = self.is_open();
        if !open && key != Key::Open {
            return None;
        }
        self.touched = Some(seen.now);
        self.said = None;
        if key == Key::Leave {
            self.close();
            return None;
        }
        match &mut self.state {
            State::Closed => {
                self.state = State::Pin(String::new());
                self.said = why_not(seen);
                None
            }
            State::Pin(_) => self.on_pin_key(key, seen),
            State::Making => None,
            State::Open(sheet) => match sheet.on_key(key, seen) {
                Ok(commands) if commands.is_empty() => None,
                Ok(commands) => {
                    self.said = Some("Done".to_owned());
                    Some(Wish::Correct(sheet.correcting(commands)))
                }
                Err(why) => {
                    self.said = Some(why);
                    None
                }
            },
        }
    }

    fn on_pin_key(&mut self, key: Key, seen: Seen<'_>) -> Option<Wish> {
        let State::Pin(typed) = &mut self.state else {
            return None;
        };
        match key {
            Key::Digit(digit) if typed.len() < *pin::DIGITS.end() => typed.push(digit),
            Key::Erase => drop(typed.pop()),
            Key::Enter => {
                self.said = why_not(seen);
                if self.said.is_some() {
                    typed.clear();
                    return None;
                }
                if !pin::DIGITS.contains(&typed.len()) {
                    self.said = Some(PinError::Digits.to_string());
                    return None;
                }
                let pin = std::mem::take(typed);
                self.state = State::Making;
                return Some(Wish::MakeKey {
                    pin,
                    salt: seen.pins.salt().to_vec(),
                });
            }
            Key::Digit(_) | Key::Open | Key::Next | Key::Previous | Key::Pause | Key::Leave => {}
        }
        None
    }

    /// The key that was asked for has been made. It counts as a try even if nobody waits for it any more.
    pub fn on_key_made(
        &mut self,
        made: Result<Box<SigningKey>, PinError>,
        seen: Seen<'_>,
    ) -> Option<Wish> {
        let waited = matches!(self.state, State::Making);
        let key = match made {
            Ok(key) => key,
            Err(error) => {
                if waited {
                    self.state = State::Pin(String::new());
                    self.said = Some(error.to_string());
                }
                return None;
            }
        };
        let arbiter = seen.pins.arbiter(&pin::public(&key)).map(str::to_owned);
        let right = arbiter.is_some();
        if waited {
            self.touched = Some(seen.now);
            match arbiter {
                Some(arbiter) => self.state = State::Open(Sheet::new(arbiter, key)),
                None => {
                    self.state = State::Pin(String::new());
                    self.said = Some("Wrong PIN".to_owned());
                }
            }
        }
        Some(Wish::Tried { right })
    }

    /// Takes the passing of time; says whether the face has changed.
    pub fn on_time(&mut self, now: Instant<Board>) -> bool {
        let over = self.ends_at().is_some_and(|end| end <= now);
        if over {
            self.close();
        }
        over
    }

    /// What the face shows; `None` while it is closed.
    pub fn view(&self, seen: Seen<'_>) -> Option<View> {
        let (headline, mut lines) = match &self.state {
            State::Closed => return None,
            State::Pin(typed) => (
                format!("Arbiter's PIN: {:_<8}", "*".repeat(typed.len())),
                vec!["Enter: go on   Esc: leave".to_owned()],
            ),
            State::Making => (
                "Arbiter's PIN: is looked at".to_owned(),
                vec!["Esc: leave".to_owned()],
            ),
            State::Open(sheet) => sheet.view(seen),
        };
        lines.extend(self.said.clone());
        Some(View { headline, lines })
    }

    fn close(&mut self) {
        self.state = State::Closed;
        self.touched = None;
        self.said = None;
    }
}

/// Why no PIN can be tried now.
fn why_not(seen: Seen<'_>) -> Option<String> {
    if !seen.pins.any() {
        return Some("Nobody may correct at this clock: the hub has no arbiter's PIN".to_owned());
    }
    let until = seen.pins.locked_until(seen.now)?;
    let seconds = (until - seen.now)
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
