//! Decides which names stay readable in an evidence file, and copies a file with fewer of them.

use std::collections::BTreeSet;
use std::io::Write;

use memchr::memmem;
use prost::Message as _;
use proto::evidence::{MAGIC, Opening, Part, Redaction, part};
use proto::names::{self, NameClass, NameError};
use verify::PartReader;

use super::EvidenceError;

/// Minimum length of a name's ASCII word that is also matched inside other words.
const MIN_INSIDE: usize = 3;

/// The words of players' names, in lower case.
#[derive(Debug, Default)]
pub(super) struct PlayerWords {
    /// Words that are matched anywhere, even inside other words.
    anywhere: BTreeSet<String>,
    /// Words of one or two ASCII characters, matched only as whole words because most texts contain them inside longer words.
    alone: BTreeSet<String>,
}

impl PlayerWords {
    pub(super) fn add(&mut self, class: NameClass, value: &[u8]) {
        if class != NameClass::Player {
            return;
        }
        let text = String::from_utf8_lossy(value).to_lowercase();
        for word in words_in(&text) {
            // A name such as 李 is written without spaces around it, so it is matched anywhere.
            let is_long = word.chars().count() >= MIN_INSIDE || !word.is_ascii();
            let known = match is_long {
                true => &mut self.anywhere,
                false => &mut self.alone,
            };
            known.insert(word.to_owned());
        }
    }

    /// Returns true if `value`, a string or an encoded message that contains strings, includes one of the words.
    fn are_in(&self, value: &[u8]) -> bool {
        let text = String::from_utf8_lossy(value).to_lowercase();
        let has = |word: &String| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        self.anywhere.iter().any(has) || words_in(&text).any(|word| self.alone.contains(word))
    }
}

fn words_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Returns the openings of a record that the redaction keeps.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_conceals_a_text_only_as_a_whole_word() {
        let mut words = PlayerWords::default();
        for name in ["Li, Bo", "李 明", "Alpha, Anna"] {
            words.add(NameClass::Player, name.as_bytes());
        }
        words.add(NameClass::Official, b"Doe, Jane");
        for text in ["Li was disturbed", "by BO", "he said 李明", "Alphas clock"] {
            assert!(words.are_in(text.as_bytes()), "{text}");
        }
        for text in ["the clock of board 7", "a line", "Jane came"] {
            assert!(!words.are_in(text.as_bytes()), "{text}");
        }
    }
}
