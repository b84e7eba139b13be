//! Code that the readers of FIDE's formats share: the error, the sink for players and faults, and the parsers of fields and file names.

use std::io;

use super::{FaultReason, LineFault, ListInfo, ListedPlayer, PlayerField};
use tournament::RateOfPlay;

/// Maximum number of faults reported one by one; further ones are only counted.
const MAX_FAULTS: usize = 20;

/// The reason why a rating list cannot be read or indexed.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// Reading or unpacking the file fails, or the disk fails.
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}: download a rating list from ratings.fide.com, as XML or TXT, and import that")]
    NotAList(String),
    #[error("line {line}: {why}: the download is incomplete or damaged, download it again")]
    Broken {
        /// Line of the file, from 1.
        line: u64,
        why: String,
    },
    /// The zip file is damaged, or uses a feature that this hub does not support.
    #[error("{0}: download the zip file again, or unpack it and import the file in it")]
    Zip(String),
    #[error("the list has more than {0} players, which this hub cannot index")]
    TooMany(usize),
}

pub(super) struct Sink<'a> {
    pub(super) take: &'a mut dyn FnMut(ListedPlayer) -> Result<(), ListError>,
    pub(super) info: ListInfo,
}

impl Sink<'_> {
    pub(super) fn player(&mut self, player: ListedPlayer) -> Result<(), ListError> {
        self.info.players += 1;
        (self.take)(player)
    }

    pub(super) fn fault(&mut self, line: u64, why: FaultReason) {
        self.info.unreadable += 1;
        if self.info.faults.len() < MAX_FAULTS {
            self.info.faults.push(LineFault { line, why });
        }
    }
}

/// Returns the rate of play in one or more file names, such as `rapid_rating_list.txt`.
pub(super) fn rate_in_name(names: &str) -> Option<RateOfPlay> {
    let names = names.to_ascii_lowercase();
    let rates = [
        ("standard", RateOfPlay::Standard),
        ("rapid", RateOfPlay::Rapid),
        ("blitz", RateOfPlay::Blitz),
    ];
    let found = rates.into_iter().find(|(word, _)| names.contains(word));
    found.map(|(_, rate)| rate)
}

/// Parses a rating; 0 or an empty field means unrated.
pub(super) fn rating(text: &str, field: PlayerField) -> Result<Option<u16>, FaultReason> {
    number(text, field, 9_999)
}

pub(super) fn year(text: &str) -> Result<Option<u16>, FaultReason> {
    // Some lists contain the whole date of birth.
    let year = text.split(['.', '/', '-']).find(|part| part.len() == 4);
    number(year.unwrap_or(text), PlayerField::BirthYear, 9_999)
}

fn number(text: &str, field: PlayerField, max: u16) -> Result<Option<u16>, FaultReason> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<u16>() {
        Ok(0) => Ok(None),
        Ok(number) if number <= max => Ok(Some(number)),
        Ok(_) | Err(_) => Err(FaultReason::field(field, text)),
    }
}

pub(super) fn fide_id(text: &str) -> Result<u32, FaultReason> {
    let id = text.parse::<u32>().ok().filter(|id| *id > 0);
    id.ok_or_else(|| FaultReason::field(PlayerField::FideId, text))
}

pub(super) fn name(text: &str) -> Result<String, FaultReason> {
    if !text.chars().any(char::is_alphanumeric) {
        return Err(FaultReason::field(PlayerField::Name, text));
    }
    Ok(text.to_owned())
}

/// Returns true if a list's flag, such as `i` or `wi`, marks the player as inactive.
pub(super) fn is_inactive(flag: &str) -> bool {
    flag.contains(['i', 'I'])
}

pub(super) fn sex(text: &str) -> Option<tournament::Sex> {
    use tournament::Sex;
    match text {
        "M" | "m" => Some(Sex::Male),
        "F" | "f" | "W" | "w" => Some(Sex::Female),
        _ => None,
    }
}
