//! The lists in text form: fixed columns, named by the first line. Owns the search for the columns, which differ
//! between files and have changed over the years.

use std::io::{BufRead, Read as _};

use encoding_rs::WINDOWS_1252;

use super::read::{self, ListError, Sink, rate_in_name};
use super::{FaultReason, ListedPlayer, Month, PlayerField};
use tournament::RateOfPlay;

/// Maximum length of a line; the lines of FIDE's lists have fewer than 200 bytes.
const MAX_LINE_BYTES: usize = 4_096;

/// A column: a range of characters of a line, counted from 0, with an exclusive end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    from: usize,
    to: usize,
}

#[derive(Debug, Default)]
struct Columns {
    id: Option<Column>,
    name: Option<Column>,
    federation: Option<Column>,
    sex: Option<Column>,
    title: Option<Column>,
    womens_title: Option<Column>,
    ratings: [Option<Column>; 3],
    born: Option<Column>,
    flag: Option<Column>,
    month: Option<Month>,
    only: Option<RateOfPlay>,
}

pub(super) fn read(
    mut source: impl BufRead,
    names: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ListError> {
    let mut bytes = Vec::new();
    let mut number = 0;
    let mut columns: Option<Columns> = None;
    // Length, in characters, of the shortest line so far that ends in spaces. A list with such lines pads every line to the same length.
    let mut filled: Option<usize> = None;
    loop {
        bytes.clear();
        let read = (&mut source)
            .take(MAX_LINE_BYTES as u64)
            .read_until(b'\n', &mut bytes)?;
        if read == 0 {
            break;
        }
        number += 1;
        let whole = bytes.last() == Some(&b'\n');
        if !whole && bytes.len() >= MAX_LINE_BYTES {
            let why = format!("a line of more than {MAX_LINE_BYTES} bytes");
            return Err(match columns {
                None => ListError::NotAList(why),
                Some(_) => ListError::Broken { line: number, why },
            });
        }
        let line = match std::str::from_utf8(&bytes) {
            Ok(line) => line.into(),
            Err(_) => WINDOWS_1252.decode_without_bom_handling(&bytes).0,
        };
        let length = line.trim_end_matches(['\r', '\n']).chars().count();
        let is_filled = line.trim_end_matches(['\r', '\n']).ends_with(' ');
        let line = line.trim_end();
        let Some(known) = &columns else {
            if !line.is_empty() {
                let found = Columns::of(line, names)?;
                sink.info.month = found.month.or(sink.info.month);
                sink.info.single_rate = found.only;
                columns = Some(found);
            }
            continue;
        };
        if line.is_empty() {
            continue;
        }
        let read = known.player(line);
        let is_cut = || length < filled.unwrap_or(known.shortest()) || known.has_half_a_year(line);
        if !whole && (read.is_err() || is_cut()) {
            let why = "the file ends in the middle of a player".to_owned();
            return Err(ListError::Broken { line: number, why });
        }
        if is_filled {
            filled = Some(filled.map_or(length, |filled| filled.min(length)));
        }
        match read {
            Ok(player) => sink.player(player)?,
            Err(why) => sink.fault(number, why),
        }
    }
    match columns {
        Some(_) => Ok(()),
        None => Err(ListError::NotAList("the file is empty".to_owned())),
    }
}

impl Columns {
    fn of(line: &str, names: &str) -> Result<Self, ListError> {
        let mut columns = Self::default();
        let headings = headings(line);
        for (index, (from, heading)) in headings.iter().enumerate() {
            let to = headings.get(index + 1).map_or(usize::MAX, |(to, _)| *to);
            let column = Some(Column { from: *from, to });
            match heading.to_ascii_lowercase().as_str() {
                "id number" => columns.id = column,
                "name" => columns.name = column,
                "fed" => columns.federation = column,
                "sex" => columns.sex = column,
                "tit" | "titl" | "title" => columns.title = column,
                "wtit" => columns.womens_title = column,
                "srtng" => columns.ratings[0] = column,
                "rrtng" => columns.ratings[1] = column,
                "brtng" => columns.ratings[2] = column,
                "b-day" | "born" => columns.born = column,
                "flag" => columns.flag = column,
                // A list for one rate of play has the month as the heading of its ratings: OCT26.
                month if month.len() == 5 && Month::in_text(month).is_some() => {
                    let rate = rate_in_name(names).unwrap_or(RateOfPlay::Standard);
                    columns.month = Month::in_text(month);
                    columns.only = Some(rate);
                    columns.ratings[rate_index(rate)] = column;
                }
                _ => (),
            }
        }
        let missing = [
            ("ID Number", columns.id.is_none()),
            ("Name", columns.name.is_none()),
            ("Fed", columns.federation.is_none()),
            ("SRtng", columns.ratings.iter().all(Option::is_none)),
        ];
        match missing.iter().find(|(_, missing)| *missing) {
            Some((heading, _)) => Err(ListError::NotAList(format!(
                "the first line has no column {heading:?}"
            ))),
            None => Ok(columns),
        }
    }

    /// Returns the minimum length of a complete line, in characters, even if an editor has removed trailing spaces. Every
    /// line has the ratings and the year of birth.
    fn shortest(&self) -> usize {
        let ratings = self.ratings.iter().flatten();
        let ratings = ratings.map(|column| column.from + 1);
        let born = self.born.map(|column| column.from + 1);
        ratings.chain(born).max().unwrap_or(0)
    }

    /// Returns true if a line ends in the middle of a four-digit year of birth; 0 means no year.
    fn has_half_a_year(&self, line: &str) -> bool {
        let born = self.born.map_or("", |column| cell(line, column));
        (1..4).contains(&born.len()) && born != "0"
    }

    fn player(&self, line: &str) -> Result<ListedPlayer, FaultReason> {
        let cell = |column: Option<Column>| column.map_or("", |column| cell(line, column));
        let [standard, rapid, blitz] = self.ratings.map(cell);
        let title = match cell(self.title) {
            "" => cell(self.womens_title),
            title => title,
        };
        Ok(ListedPlayer {
            fide_id: read::fide_id(cell(self.id))?,
            name: read::name(cell(self.name))?,
            federation: cell(self.federation).to_owned(),
            sex: read::sex(cell(self.sex)),
            title: title.to_ascii_uppercase(),
            standard: read::rating(standard, PlayerField::StandardRating)?,
            rapid: read::rating(rapid, PlayerField::RapidRating)?,
            blitz: read::rating(blitz, PlayerField::BlitzRating)?,
            born: read::year(cell(self.born))?,
            inactive: read::is_inactive(cell(self.flag)),
        })
    }
}

fn rate_index(rate: RateOfPlay) -> usize {
    match rate {
        RateOfPlay::Standard => 0,
        RateOfPlay::Rapid => 1,
        RateOfPlay::Blitz => 2,
    }
}

/// Returns the headings with the columns at which they begin; `ID Number` is one heading.
fn headings(line: &str) -> Vec<(usize, String)> {
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut before = ' ';
    for (at, letter) in line.chars().enumerate() {
        match headings.last_mut() {
            _ if letter == ' ' => (),
            Some((_, heading)) if before != ' ' => heading.push(letter),
            Some((_, heading)) if heading.eq_ignore_ascii_case("id") => {
                heading.push(' ');
                heading.push(letter);
            }
            Some(_) | None => headings.push((at, letter.to_string())),
        }
        before = letter;
    }
    headings
}

fn cell(line: &str, column: Column) -> &str {
    if line.is_ascii() {
        let to = column.to.min(line.len());
        return line.get(column.from..to).unwrap_or_default().trim();
    }
    let byte = |nth: usize| {
        let mut starts = line.char_indices().map(|(at, _)| at);
        starts.nth(nth).unwrap_or(line.len())
    };
    line.get(byte(column.from)..byte(column.to))
        .unwrap_or_default()
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_words_except_id_number() {
        let found = headings("ID Number      Name   Fed OCT26");
        let words: Vec<(usize, &str)> = found
            .iter()
            .map(|(at, word)| (*at, word.as_str()))
            .collect();
        assert_eq!(
            words,
            [(0, "ID Number"), (15, "Name"), (22, "Fed"), (26, "OCT26")]
        );
    }
}
