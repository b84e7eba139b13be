//! The form with the four fields of a correction: both times and both move counters. Owns the typed digits and the resulting commands.

use ed25519_dalek::SigningKey;
use timing::{BoardState, Command, Duration, Side};

use super::{DialogContext, Key};
use crate::core::CorrectionRequest;
use crate::face::clock_text;

/// Number of digits in `h:mm:ss`.
const TIME_DIGITS: usize = 5;
const MOVE_DIGITS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Time,
    Moves,
}

const FIELDS: [(Side, Kind); 4] = [
    (Side::White, Kind::Time),
    (Side::Black, Kind::Time),
    (Side::White, Kind::Moves),
    (Side::Black, Kind::Moves),
];

#[derive(Debug)]
pub(super) struct Sheet {
    arbiter: String,
    key: Box<SigningKey>,
    field: usize,
    /// Typed digits per field; an empty string leaves the value unchanged.
    typed: [String; FIELDS.len()],
}

impl Sheet {
    pub(super) fn new(arbiter: String, key: Box<SigningKey>) -> Self {
        Self {
            arbiter,
            key,
            field: 0,
            typed: Default::default(),
        }
    }

    pub(super) fn request(&self, commands: Vec<Command>) -> CorrectionRequest {
        CorrectionRequest {
            arbiter: self.arbiter.clone(),
            key: self.key.clone(),
            commands,
        }
    }

    pub(super) fn on_key(
        &mut self,
        key: Key,
        context: DialogContext<'_>,
    ) -> Result<Vec<Command>, String> {
        let most = match FIELDS[self.field].1 {
            Kind::Time => TIME_DIGITS,
            Kind::Moves => MOVE_DIGITS,
        };
        let typed = &mut self.typed[self.field];
        match key {
            Key::Digit(digit) if typed.len() < most => typed.push(digit),
            Key::Erase => drop(typed.pop()),
            Key::Next => self.field = (self.field + 1) % FIELDS.len(),
            Key::Previous => self.field = (self.field + FIELDS.len() - 1) % FIELDS.len(),
            Key::Pause => {
                let command = match state(context)? {
                    BoardState::Running { .. } => Command::Pause,
                    BoardState::Ready
                    | BoardState::Paused { .. }
                    | BoardState::Stopped { .. }
                    | BoardState::Flagged { .. }
                    | BoardState::Over => Command::Resume(None),
                };
                return possible(vec![command], context);
            }
            Key::Enter => {
                let commands = possible(self.commands()?, context)?;
                self.typed = Default::default();
                return Ok(commands);
            }
            Key::Digit(_) | Key::Open | Key::Leave => {}
        }
        Ok(Vec::new())
    }

    fn commands(&self) -> Result<Vec<Command>, String> {
        let typed = FIELDS.iter().zip(&self.typed);
        typed
            .filter(|(_, digits)| !digits.is_empty())
            .map(|((side, kind), digits)| {
                let side = *side;
                Ok(match kind {
                    Kind::Time => {
                        let to = time(digits).ok_or("Minutes and seconds must be at most 59")?;
                        Command::Set { side, to }
                    }
                    Kind::Moves => {
                        // Parsing cannot fail: the field holds one to three digits.
                        let to = digits.parse().map_err(|_| "Not a number of moves")?;
                        Command::Moves { side, to }
                    }
                })
            })
            .collect()
    }

    pub(super) fn view(&self, context: DialogContext<'_>) -> (String, Vec<String>) {
        let fields = FIELDS.iter().zip(&self.typed).enumerate();
        let fields: Vec<_> = fields
            .map(|(at, ((side, kind), digits))| {
                let side = *side;
                let word = match side {
                    Side::White => "White",
                    Side::Black => "Black",
                };
                let value = match kind {
                    Kind::Time if digits.is_empty() => {
                        context.clock.map_or_else(String::new, |clock| {
                            clock_text(clock.side(side, context.now).time).whole()
                        })
                    }
                    Kind::Time => masked(digits),
                    Kind::Moves if digits.is_empty() => {
                        context.clock.map_or_else(String::new, |clock| {
                            clock.side(side, context.now).moves.to_string()
                        })
                    }
                    Kind::Moves => digits.clone(),
                };
                let unit = match kind {
                    Kind::Time => "",
                    Kind::Moves => " moves",
                };
                let changed = if digits.is_empty() { "" } else { "*" };
                match at == self.field {
                    true => format!("[{word} {value}{unit}{changed}]"),
                    false => format!(" {word} {value}{unit}{changed} "),
                }
            })
            .collect();
        let lines = vec![
            fields.join(" ").trim_end().to_owned(),
            "Tab: next   p: pause, resume   Enter: apply   Esc: close".to_owned(),
        ];
        (format!("CORRECTION by {}", self.arbiter), lines)
    }
}

fn state(context: DialogContext<'_>) -> Result<BoardState, String> {
    let clock = context.clock.ok_or("This board is corrected at the hub")?;
    Ok(clock.state())
}

/// Returns `commands` if the clock would now accept them all, in order.
fn possible(commands: Vec<Command>, context: DialogContext<'_>) -> Result<Vec<Command>, String> {
    let mut tried = context
        .clock
        .ok_or("This board is corrected at the hub")?
        .clone();
    for command in &commands {
        // Only a rejection matters; the effects on this copy do not.
        let _ = tried
            .on_command(context.now, command)
            .map_err(|rule| rule.to_string())?;
    }
    Ok(commands)
}

/// Parses a time. The digits fill `h:mm:ss` from the right, so `530` is five and a half minutes.
fn time(digits: &str) -> Option<Duration> {
    let number: i64 = digits.parse().ok()?;
    let (hours, minutes, seconds) = (number / 10_000, number / 100 % 100, number % 100);
    let whole = minutes < 60 && seconds < 60;
    whole.then(|| Duration::from_secs(hours * 3600 + minutes * 60 + seconds))
}

fn masked(digits: &str) -> String {
    let all = format!("{digits:0>TIME_DIGITS$}");
    format!("{}:{}:{}", &all[..1], &all[1..3], &all[3..])
}
