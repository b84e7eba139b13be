//! The sector of a floor arbiter: the boards on which the arbiter may act. Owns its notation; the API enforces it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const MAX_NOTATION_BYTES: usize = 100;

/// Boards of the hall, by name and by range of numbers; empty for the whole hall.
///
/// The notation is the one that `flagfall ctl` uses: `1-40,A3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sector(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Name(String),
    Range(u64, u64),
}

impl Sector {
    pub fn is_whole_hall(&self) -> bool {
        self.0.is_empty()
    }

    pub fn covers(&self, board: &str) -> bool {
        self.is_whole_hall() || self.0.iter().any(|part| part.covers(board))
    }
}

impl Part {
    fn covers(&self, board: &str) -> bool {
        match self {
            Self::Name(name) => name == board,
            Self::Range(first, last) => {
                number(board).is_some_and(|no| (*first..=*last).contains(&no))
            }
        }
    }
}

/// Parses a board's number. Rejects signs and leading zeros: "07" and "7" are different boards.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl FromStr for Sector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > MAX_NOTATION_BYTES || timing::text::hidden_in(text).is_some() {
            return Err(format!(
                "a sector must be printable and at most {MAX_NOTATION_BYTES} bytes long"
            ));
        }
        let parts = text.split(',').map(|part| match part.trim() {
            "" => Err(format!(
                "sector {text:?}: a board is missing beside a comma; write 1-40,A3"
            )),
            part => part_of(part),
        });
        parts.collect::<Result<_, _>>().map(Self)
    }
}

fn part_of(part: &str) -> Result<Part, String> {
    let ends = part.split_once('-');
    let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match ends {
        None => Ok(Part::Name(part.to_owned())),
        Some((first, last)) if first <= last => Ok(Part::Range(first, last)),
        Some(_) => Err(format!(
            "sector {part:?}: write the lower number first, as in 1-40"
        )),
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for part in &self.0 {
            match part {
                Part::Name(name) => write!(f, "{comma}{name}")?,
                Part::Range(first, last) => write!(f, "{comma}{first}-{last}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

impl TryFrom<String> for Sector {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Sector> for String {
    fn from(sector: Sector) -> Self {
        sector.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_covers_its_boards_only() {
        let sector: Sector = "1-20, A3,7-7".parse().unwrap();
        for (board, covered) in [
            ("1", true),
            ("20", true),
            ("A3", true),
            ("21", false),
            ("0", false),
            ("A4", false),
            ("", false),
            ("01", false),
            ("+1", false),
        ] {
            assert_eq!(sector.covers(board), covered, "{board:?}");
        }
        assert!(Sector::default().covers("21"));
        assert_eq!(sector.to_string(), "1-20,A3,7-7");
    }

    #[test]
    fn unreadable_sectors_are_refused() {
        for text in ["1,,2", ",", "9-1", "a\nb", &"x".repeat(101)] {
            assert!(text.parse::<Sector>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn sectors_round_trip_as_json() {
        for text in ["", "1-20,A3"] {
            let sector: Sector = text.parse().unwrap();
            let json = serde_json::to_string(&sector).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<Sector>(&json).unwrap(), sector);
        }
    }
}
