//! A file of FIDE's, read player by player: in a zip or not, XML or text. Owns telling them apart and the bounds; what a line means
//! is `text_list`'s and `xml_list`'s.

use std::io::{self, BufRead, BufReader, Read, Seek};

use super::{LineFault, ListInfo, ListedPlayer, Month, text_list, xml_list, zip_file};
use tournament::RateOfPlay;

/// Faults that are kept; the others are counted.
const FAULTS_KEPT: usize = 20;
/// Bytes read at a time.
const BUFFER: usize = 256 * 1024;

/// Why a file is not imported. The list that was there before stays.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The disk, or the file ends where it should not.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("{0}: download a rating list from ratings.fide.com, as XML or TXT, and import that")]
    NotAList(String),
    /// It begins as a list and is damaged.
    #[error("line {line}: {why}: the download is incomplete or damaged, download it again")]
    Broken {
        /// Line of the file, from 1.
        line: u64,
        /// What is wrong there.
        why: String,
    },
    /// The zip file is damaged, or of a kind FIDE does not use.
    #[error("{0}: download the zip file again, or unpack it and import the file in it")]
    Zip(String),
    /// More players than the index has room for.
    #[error("the list has more than {0} players: this hub cannot index it")]
    TooMany(usize),
}

/// Where players and faults go while a file is read.
pub(super) struct Sink<'a> {
    take: &'a mut dyn FnMut(ListedPlayer) -> Result<(), ListError>,
    pub(super) info: ListInfo,
}

impl Sink<'_> {
    pub(super) fn player(&mut self, player: ListedPlayer) -> Result<(), ListError> {
        self.info.players += 1;
        (self.take)(player)
    }

    pub(super) fn fault(&mut self, line: u64, why: impl Into<String>) {
        self.info.unreadable += 1;
        if self.info.faults.len() < FAULTS_KEPT {
            let why = why.into();
            self.info.faults.push(LineFault { line, why });
        }
    }
}

/// Reads a list and gives each player to `take`, in the order of the file. Returns what the file says of itself.
///
/// # Errors
/// Every [`ListError`], also of `take`.
pub fn read(
    mut source: impl Read + Seek,
    file_name: &str,
    take: &mut dyn FnMut(ListedPlayer) -> Result<(), ListError>,
) -> Result<ListInfo, ListError> {
    let mut sink = Sink {
        take,
        info: ListInfo {
            file_name: file_name.to_owned(),
            month: Month::in_text(file_name),
            ..ListInfo::default()
        },
    };
    let names = if zip_file::is_zip(&mut source)? {
        let entry = zip_file::open(source)?;
        sink.info.dated.clone_from(&entry.dated);
        sink.info.month = sink.info.month.or_else(|| Month::in_text(&entry.name));
        let names = format!("{file_name} {}", entry.name);
        list(BufReader::with_capacity(BUFFER, entry), &names, &mut sink)?;
        names
    } else {
        list(
            BufReader::with_capacity(BUFFER, source),
            file_name,
            &mut sink,
        )?;
        file_name.to_owned()
    };
    let info = sink.info;
    if info.players == 0 || info.unreadable > info.players {
        let faults = info.faults.first();
        let first = faults.map_or(String::new(), |fault| {
            format!(", the first in line {}: {}", fault.line, fault.why)
        });
        return Err(ListError::NotAList(format!(
            "{names} has {} readable players and {} lines that are none{first}",
            info.players, info.unreadable
        )));
    }
    Ok(info)
}

fn list(mut source: impl BufRead, names: &str, sink: &mut Sink<'_>) -> Result<(), ListError> {
    let start = source.fill_buf()?;
    let mark = start.starts_with(b"\xef\xbb\xbf");
    if mark {
        source.consume(3);
    }
    let start = source.fill_buf()?;
    match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => xml_list::read(source, names, sink),
        Some(_) => text_list::read(source, names, sink),
        None => Err(ListError::NotAList("the file is empty".to_owned())),
    }
}

/// The rate of play whose ratings a list of one kind has, by the names of its files: `rapid_rating_list.txt`.
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

/// A rating as the list writes it: 0 and nothing are none.
pub(super) fn rating(text: &str, what: &str) -> Result<Option<u16>, String> {
    number(text, what, 9_999)
}

/// A year of birth.
pub(super) fn year(text: &str) -> Result<Option<u16>, String> {
    // Some lists write the whole date.
    let year = text.split(['.', '/', '-']).find(|part| part.len() == 4);
    number(year.unwrap_or(text), "a year of birth", 9_999)
}

fn number(text: &str, what: &str, most: u16) -> Result<Option<u16>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<u16>() {
        Ok(0) => Ok(None),
        Ok(number) if number <= most => Ok(Some(number)),
        Ok(_) | Err(_) => Err(format!("expected {what}, found {text:?}")),
    }
}

/// A FIDE number.
pub(super) fn fide_id(text: &str) -> Result<u32, String> {
    let id = text.parse::<u32>().ok().filter(|id| *id > 0);
    id.ok_or_else(|| format!("expected a FIDE number, found {text:?}"))
}

/// A name, which has at least one letter.
pub(super) fn name(text: &str) -> Result<String, String> {
    if !text.chars().any(char::is_alphanumeric) {
        return Err("the player has no name".to_owned());
    }
    Ok(text.to_owned())
}

/// Whether a list's flag says that a player is inactive: `i`, `wi`.
pub(super) fn is_inactive(flag: &str) -> bool {
    flag.contains(['i', 'I'])
}

/// A player's sex.
pub(super) fn sex(text: &str) -> Option<tournament::Sex> {
    use tournament::Sex;
    match text {
        "M" | "m" => Some(Sex::Male),
        "F" | "f" | "W" | "w" => Some(Sex::Female),
        _ => None,
    }
}
