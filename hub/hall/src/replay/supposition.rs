//! The suppositions of a replay: an action left out or added, a different time control, or different rules.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use timing::{Command, Duration, RulesVersion, Side, TimeControl};

/// The differences from the actual game that a replay supposes; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Supposition {
    /// Arbiters' actions to omit, each identified by the index of the record that requested or executed it.
    pub without: Vec<u64>,
    pub add: Vec<Added>,
    /// The time control to use from the beginning, instead of the actual one. The game's later changes of control are
    /// then omitted.
    pub control: Option<TimeControl>,
    /// The version of the timing rules to apply; `None` keeps the version of the actual game.
    pub rules: Option<RulesVersion>,
}

/// A hypothetical action at the beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub command: Command,
    /// The move whose turn begins with the action.
    pub before: MoveName,
}

/// A move of a game, written `23w` or `23b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveName {
    /// The number of the move, from 1.
    pub number: u32,
    pub side: Side,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum BadSupposition {
    #[error("{0:?} is not a move: write 17w or 17b")]
    Move(String),
    #[error("{0:?} is not an action: write \"black +2m before 23w\"")]
    Action(String),
    #[error("{written:?}: {why}")]
    Command { written: String, why: String },
}

impl FromStr for MoveName {
    type Err = BadSupposition;

    fn from_str(text: &str) -> Result<Self, BadSupposition> {
        let bad = || BadSupposition::Move(text.to_owned());
        let text = text.trim();
        let (number, side) = match text.strip_suffix(['w', 'W']) {
            Some(number) => (number, Side::White),
            None => (text.strip_suffix(['b', 'B']).ok_or_else(bad)?, Side::Black),
        };
        let number: u32 = number.parse().map_err(|_| bad())?;
        (number > 0)
            .then_some(Self { number, side })
            .ok_or_else(bad)
    }
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::White => 'w',
            Side::Black => 'b',
        };
        write!(f, "{}{side}", self.number)
    }
}

impl FromStr for Added {
    type Err = BadSupposition;

    /// Parses `black +2m before 23w`. A clock command may replace the first part: `set black 5m before 23w`.
    fn from_str(text: &str) -> Result<Self, BadSupposition> {
        let (action, before) = text
            .rsplit_once(" before ")
            .ok_or_else(|| BadSupposition::Action(text.to_owned()))?;
        let before = before.parse()?;
        let command = match short_form(action.trim()) {
            Some(command) => command,
            None => action.parse().map_err(|why: timing::ParseCommandError| {
                BadSupposition::Command {
                    written: action.to_owned(),
                    why: why.to_string(),
                }
            })?,
        };
        Ok(Self { command, before })
    }
}

/// Parses `black +2m` or `white -30s`.
fn short_form(action: &str) -> Option<Command> {
    let (side, by) = action.split_once(' ')?;
    let side = match side {
        "white" => Side::White,
        "black" => Side::Black,
        _ => return None,
    };
    let by = by.trim();
    let by: Duration = by.strip_prefix('+').unwrap_or(by).parse().ok()?;
    Some(Command::Add { side, by })
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Command::Add { side, by } = &self.command else {
            return write!(f, "{} before {}", self.command, self.before);
        };
        let sign = if *by < Duration::ZERO { "" } else { "+" };
        write!(f, "{} {sign}{by} before {}", side_word(*side), self.before)
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

impl Supposition {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Supposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(
            self.control
                .iter()
                .map(|control| format!("control {control}")),
        );
        parts.extend(self.rules.map(|rules| format!("rules {}", rules.number())));
        parts.extend(
            self.without
                .iter()
                .map(|record| format!("without record {record}")),
        );
        parts.extend(self.add.iter().map(ToString::to_string));
        f.write_str(&parts.join("; "))
    }
}

impl Serialize for Supposition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_parsed_and_formatted() {
        for (text, written) in [
            ("black +2m before 23w", "black +2m before 23w"),
            ("white -30s before 7b", "white -30s before 7b"),
            ("white 90s before 1w", "white +90s before 1w"),
            ("pause before 12b", "pause before 12b"),
        ] {
            let added: Added = text.parse().unwrap();
            assert_eq!(added.to_string(), written);
        }
        for bad in [
            "black +2m",
            "black +2m before 23",
            "red +2m before 23w",
            "before 3w",
        ] {
            assert!(bad.parse::<Added>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_move_name_has_a_number_and_a_side() {
        let name: MoveName = "17b".parse().unwrap();
        assert_eq!((name.number, name.side), (17, Side::Black));
        for bad in ["17", "w", "0w", "-1b", ""] {
            assert!(bad.parse::<MoveName>().is_err(), "{bad}");
        }
    }
}
