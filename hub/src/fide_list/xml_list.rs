//! The lists in XML form, read as a stream: `<playerslist>` contains one `<player>` for each player. Owns the names of the elements.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use super::read::{self, ListError, Sink, rate_in_name};
use super::{FaultReason, ListedPlayer, PlayerField};
use tournament::RateOfPlay;

/// Maximum number of bytes without a `<`, which protects memory from files that are not lists.
const MAX_TEXT_BYTES: usize = 64 * 1024;

const ELEMENTS: [&str; 11] = [
    "fideid",
    "name",
    "country",
    "sex",
    "title",
    "w_title",
    "rating",
    "rapid_rating",
    "blitz_rating",
    "birthday",
    "flag",
];

/// The text of a player's elements, in the order of [`ELEMENTS`].
#[derive(Debug, Default)]
struct Fields([String; ELEMENTS.len()]);

pub(super) fn read(
    source: impl BufRead,
    names: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ListError> {
    let mut reader = Reader::from_reader(Counted::new(source));
    let mut buffer = Vec::new();
    let mut fields = Fields::default();
    let (mut depth, mut element, mut began) = (0_usize, String::new(), 0);
    let mut all_rates = false;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let line = reader.get_ref().line;
        let event = event.map_err(|error| syntax_error(line, &error, depth == 0))?;
        match event {
            Event::Start(tag) => {
                element = tag.name().as_ref().to_owned();
                match depth {
                    0 if element != "playerslist" => {
                        let why = format!("the file begins with <{element}>, not <playerslist>");
                        return Err(ListError::NotAList(why));
                    }
                    1 => began = line,
                    _ => (),
                }
                depth += 1;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                element.clear();
                if depth == 1 {
                    all_rates |= ["rapid_rating", "blitz_rating"]
                        .iter()
                        .any(|name| !fields.get(name).is_empty());
                    match fields.player(rate_of(names, all_rates)) {
                        Ok(player) => sink.player(player)?,
                        Err(why) => sink.fault(began, why),
                    }
                    fields.clear();
                }
            }
            Event::Text(text) => fields.add(&element, &text),
            Event::CData(text) => fields.add(&element, &text),
            Event::GeneralRef(entity) => match character(&entity) {
                Some(letter) => fields.add(&element, letter.encode_utf8(&mut [0; 4])),
                None => fields.add(&element, "?"),
            },
            Event::Eof if depth == 0 => break,
            Event::Eof => {
                let why = "the file ends before </playerslist>".to_owned();
                return Err(ListError::Broken { line, why });
            }
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => (),
        }
    }
    sink.info.single_rate = (!all_rates).then(|| rate_of(names, all_rates));
    Ok(())
}

/// Returns the rate of play of `<rating>`: standard in a list of all rates, otherwise the one in the file's name. A name without a rate means
/// standard.
fn rate_of(names: &str, all_rates: bool) -> RateOfPlay {
    match all_rates {
        true => RateOfPlay::Standard,
        false => rate_in_name(names).unwrap_or(RateOfPlay::Standard),
    }
}

fn syntax_error(line: u64, error: &quick_xml::Error, at_start: bool) -> ListError {
    if let quick_xml::Error::Io(error) = error {
        return ListError::Io(io::Error::new(error.kind(), error.to_string()));
    }
    match at_start {
        true => ListError::NotAList(format!("line {line}: {error}")),
        false => ListError::Broken {
            line,
            why: error.to_string(),
        },
    }
}

fn character(entity: &BytesRef<'_>) -> Option<char> {
    match entity.resolve_char_ref() {
        Ok(Some(letter)) => Some(letter),
        Ok(None) => match &**entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        },
        Err(_) => None,
    }
}

impl Fields {
    fn add(&mut self, element: &str, text: &str) {
        let known = ELEMENTS.iter().zip(&mut self.0);
        for (_, field) in known.filter(|(name, _)| **name == element) {
            field.push_str(text);
        }
    }

    fn get(&self, element: &str) -> &str {
        let mut known = ELEMENTS.iter().zip(&self.0);
        let found = known.find(|(name, _)| **name == element);
        found.map_or("", |(_, text)| text.trim())
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(String::clear);
    }

    fn player(&self, rate: RateOfPlay) -> Result<ListedPlayer, FaultReason> {
        let title = match self.get("title") {
            "" => self.get("w_title"),
            title => title,
        };
        let mut player = ListedPlayer {
            fide_id: read::fide_id(self.get("fideid"))?,
            name: read::name(self.get("name"))?,
            federation: self.get("country").to_owned(),
            sex: read::sex(self.get("sex")),
            title: title.to_ascii_uppercase(),
            standard: None,
            rapid: read::rating(self.get("rapid_rating"), PlayerField::RapidRating)?,
            blitz: read::rating(self.get("blitz_rating"), PlayerField::BlitzRating)?,
            born: read::year(self.get("birthday"))?,
            inactive: read::is_inactive(self.get("flag")),
        };
        let rating = read::rating(self.get("rating"), PlayerField::Rating)?;
        match rate {
            RateOfPlay::Standard => player.standard = rating,
            RateOfPlay::Rapid => player.rapid = rating,
            RateOfPlay::Blitz => player.blitz = rating,
        }
        Ok(player)
    }
}

/// A reader that counts lines, and fails after more than [`MAX_TEXT_BYTES`] bytes without a `<`.
struct Counted<R> {
    source: R,
    /// The line being read, from 1.
    line: u64,
    since_tag: usize,
}

impl<R> Counted<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            line: 1,
            since_tag: 0,
        }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since_tag > MAX_TEXT_BYTES {
            let line = self.line;
            let why = format!("line {line}: a text of more than {MAX_TEXT_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(buffer) = self.source.fill_buf() {
            let consumed = buffer.get(..count).unwrap_or(buffer);
            let lines = memchr::memchr_iter(b'\n', consumed).count();
            self.line += u64::try_from(lines).unwrap_or(u64::MAX);
            self.since_tag = match memchr::memrchr(b'<', consumed) {
                Some(at) => consumed.len() - at,
                None => self.since_tag + consumed.len(),
            };
        }
        self.source.consume(count);
    }
}
