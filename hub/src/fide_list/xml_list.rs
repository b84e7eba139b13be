//! The lists in XML form, read as a stream: `<playerslist>` with one `<player>` each. Owns the names of the elements.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use super::read::{self, ListError, Sink, rate_in_name};
use super::{FaultReason, ListedPlayer, PlayerField};
use tournament::RateOfPlay;

/// The longest text of an element, in bytes. The limit protects memory from files that are not lists.
const MAX_TEXT_BYTES: usize = 64 * 1024;

#[derive(Debug, Default)]
struct Fields {
    id: String,
    name: String,
    federation: String,
    sex: String,
    title: String,
    womens_title: String,
    rating: String,
    rapid: String,
    blitz: String,
    born: String,
    flag: String,
}

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
        let event = event.map_err(|error| broken(line, &error, depth == 0))?;
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
                    all_rates |= !fields.rapid.is_empty() || !fields.blitz.is_empty();
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
    sink.info.only = match all_rates {
        true => None,
        false => Some(rate_in_name(names).unwrap_or(RateOfPlay::Standard)),
    };
    Ok(())
}

/// Returns the rate of `<rating>`: standard in a list of all rates, otherwise the one in the file's name.
fn rate_of(names: &str, all_rates: bool) -> RateOfPlay {
    match all_rates {
        true => RateOfPlay::Standard,
        false => rate_in_name(names).unwrap_or(RateOfPlay::Standard),
    }
}

fn broken(line: u64, error: &quick_xml::Error, at_start: bool) -> ListError {
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

/// Returns the character for `&amp;` or `&#233;`.
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
        let field = match element {
            "fideid" => &mut self.id,
            "name" => &mut self.name,
            "country" => &mut self.federation,
            "sex" => &mut self.sex,
            "title" => &mut self.title,
            "w_title" => &mut self.womens_title,
            "rating" => &mut self.rating,
            "rapid_rating" => &mut self.rapid,
            "blitz_rating" => &mut self.blitz,
            "birthday" => &mut self.born,
            "flag" => &mut self.flag,
            _ => return,
        };
        field.push_str(text);
    }

    fn clear(&mut self) {
        let fields = [
            &mut self.id,
            &mut self.name,
            &mut self.federation,
            &mut self.sex,
            &mut self.title,
            &mut self.womens_title,
            &mut self.rating,
            &mut self.rapid,
            &mut self.blitz,
            &mut self.born,
            &mut self.flag,
        ];
        fields.into_iter().for_each(String::clear);
    }

    fn player(&self, rate: RateOfPlay) -> Result<ListedPlayer, FaultReason> {
        let title = match self.title.trim() {
            "" => self.womens_title.trim(),
            title => title,
        };
        let mut player = ListedPlayer {
            fide_id: read::fide_id(self.id.trim())?,
            name: read::name(self.name.trim())?,
            federation: self.federation.trim().to_owned(),
            sex: read::sex(self.sex.trim()),
            title: title.to_ascii_uppercase(),
            standard: None,
            rapid: read::rating(self.rapid.trim(), PlayerField::RapidRating)?,
            blitz: read::rating(self.blitz.trim(), PlayerField::BlitzRating)?,
            born: read::year(self.born.trim())?,
            inactive: read::is_inactive(&self.flag),
        };
        let rating = read::rating(self.rating.trim(), PlayerField::Rating)?;
        match rate {
            RateOfPlay::Standard => player.standard = rating,
            RateOfPlay::Rapid => player.rapid = rating,
            RateOfPlay::Blitz => player.blitz = rating,
        }
        Ok(player)
    }
}

/// A source that counts its lines and fails at a text without an end.
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
            let why = format!(
                "line {}: a text of more than {MAX_TEXT_BYTES} bytes",
                self.line
            );
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
