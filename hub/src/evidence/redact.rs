//! Decides which names of a file can be read.

use std::collections::BTreeSet;
use std::io::Write;

use memchr::memmem;
use prost::Message as _;
use proto::evidence::{MAGIC, Opening, Part, Redaction, part};
use proto::names::{self, NameClass, NameError};
use verify::PartReader;

use super::EvidenceError;

/// Fewest characters of a word by which a text can point to a player.
const SHORTEST: usize = 3;

/// The words of players' names, in lower case.
#[derive(Debug, Default)]
pub(super) struct PlayerWords(BTreeSet<String>);

impl PlayerWords {
    pub(super) fn add(&mut self, class: NameClass, value: &[u8]) {
        if class != NameClass::Player {
            return;
        }
        let text = String::from_utf8_lossy(value).to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let long = words.filter(|word| word.chars().count() >= SHORTEST);
        self.0.extend(long.map(str::to_owned));
    }

    /// Returns whether a text, or a message that contains texts, has one of the words.
    fn are_in(&self, value: &[u8]) -> bool {
        let text = String::from_utf8_lossy(value).to_lowercase();
        let has = |word: &String| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        self.0.iter().any(has)
    }
}

/// Returns the openings that remain in a record.
pub(super) fn remaining(
    content: &[u8],
    openings: Vec<Opening>,
    redaction: Redaction,
    players: &PlayerWords,
) -> Result<Vec<Opening>, NameError> {
    match redaction {
        Redaction::None => return Ok(openings),
        Redaction::Everyone => return Ok(Vec::new()),
        Redaction::Players => (),
    }
    let places = names::places(content)?;
    let class_of = |place: u32| places.get(place as usize).map(|(class, _)| *class);
    let stays = |opening: &Opening| match class_of(opening.place) {
        Some(NameClass::Official) => true,
        Some(NameClass::Text) => !players.are_in(&opening.value),
        Some(NameClass::Player) | None => false,
    };
    Ok(openings.into_iter().filter(stays).collect())
}

/// Returns the words of the players' names that can be read in a file.
pub(super) fn words_of_file(source: &[u8]) -> Result<PlayerWords, EvidenceError> {
    let mut words = PlayerWords::default();
    let (_, mut parts) = PartReader::open(source)?;
    while let Some(part) = parts.next_part()? {
        if let part::Part::Record(record) = part {
            let places = names::places(&record.content)?;
            for opening in &record.openings {
                if let Some((class, _)) = places.get(opening.place as usize) {
                    words.add(*class, &opening.value);
                }
            }
        }
    }
    Ok(words)
}

/// Copies a file and leaves out openings.
pub(super) fn copy(
    source: &[u8],
    redaction: Redaction,
    players: &PlayerWords,
    out: &mut impl Write,
) -> Result<(), EvidenceError> {
    let (mut header, mut parts) = PartReader::open(source)?;
    header.redaction = i32::from(header.redaction().max(redaction));
    out.write_all(MAGIC)?;
    put(part::Part::Header(header), out)?;
    while let Some(mut part) = parts.next_part()? {
        if let part::Part::Record(record) = &mut part {
            let openings = std::mem::take(&mut record.openings);
            record.openings = remaining(&record.content, openings, redaction, players)?;
        }
        put(part, out)?;
    }
    Ok(())
}

fn put(part: part::Part, out: &mut impl Write) -> Result<(), EvidenceError> {
    let part = Part { part: Some(part) };
    out.write_all(&part.encode_length_delimited_to_vec())?;
    Ok(())
}
