//! One line of a report, in fixed columns. Owns the extraction of fields, their positions, and the layout of a written
//! line; must never know what a record means.

use std::fmt::Display;
use std::str::FromStr;

use timing::text::{is_hidden, without_hidden};

use crate::Points;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
pub(super) use crate::formats::fault::Field;
use crate::formats::omission::Omission;
use crate::formats::remark::{FieldTreatment, Position, ReadingRemark, Remark};

/// The unit in which a program counted the columns of a line with non-ASCII characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// Characters, as the format requires.
    Characters,
    /// Bytes of UTF-8, which some programs count.
    Bytes,
}

/// Filler for the additional columns of a character that takes several bytes.
const FILL: char = '\u{0}';

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: usize,
    cells: Vec<char>,
}

impl Line {
    pub(super) fn new(number: usize, text: &str, columns: Columns) -> Self {
        let text = text.trim_end_matches(['\u{1a}', ' ', '\t']);
        let cells = match columns {
            Columns::Characters => text.chars().collect(),
            Columns::Bytes => text
                .chars()
                .flat_map(|char| {
                    std::iter::once(char).chain(std::iter::repeat_n(FILL, char.len_utf8() - 1))
                })
                .collect(),
        };
        Self { number, cells }
    }

    /// Returns the last column that is not blank; 0 for a blank line.
    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn tag(&self) -> String {
        self.cells.iter().take(3).collect()
    }

    /// Returns the field between two columns, both included and counted from 1.
    pub(super) fn field(&self, from: usize, to: usize) -> Field {
        let end = to.min(self.cells.len());
        let cells = self.cells.get(from - 1..end).unwrap_or_default();
        let blanks = cells.iter().take_while(|char| **char == ' ').count();
        let text: String = cells.iter().filter(|char| **char != FILL).collect();
        // Hidden characters are removed from the text but not from the line, since the writing program counted them
        // as columns.
        let text = without_hidden(&text).trim_matches(' ').to_owned();
        Field {
            column: if text.is_empty() { from } else { from + blanks },
            text,
            line: self.number,
        }
    }

    /// Returns the line without its comment, and the comment. A comment begins with the first `#` at column `from` or
    /// later.
    pub(super) fn without_comment(&self, from: usize) -> (Self, Option<Field>) {
        let mut cells = self.cells.iter().skip(from - 1);
        let Some(at) = cells.position(|char| *char == '#') else {
            return (self.clone(), None);
        };
        let at = from + at;
        let text: String = self.cells.iter().take(at - 1).collect();
        let width = text.trim_end_matches([' ', '\t']).chars().count();
        let line = Self {
            number: self.number,
            cells: self.cells.iter().take(width).copied().collect(),
        };
        (line, Some(self.from(at)))
    }

    pub(super) fn from(&self, from: usize) -> Field {
        self.field(from, usize::MAX)
    }

    /// Checks that a range of columns is blank. The fault is at the first one that is not.
    pub(super) fn blank(&self, from: usize, to: usize) -> Result<(), Fault> {
        let mut columns = from..=to.min(self.cells.len());
        match columns.find(|column| self.cells[column - 1] != ' ') {
            Some(column) => Err(self.fault_from(column, Expected::Blank)),
            None => Ok(()),
        }
    }

    pub(super) fn gaps(&self, columns: &[usize]) -> Result<(), Fault> {
        let mut columns = columns.iter();
        columns.try_for_each(|column| self.blank(*column, *column))
    }

    pub(super) fn words(&self, from: usize) -> Vec<Field> {
        let mut words: Vec<Field> = Vec::new();
        let mut inside = false;
        for (index, char) in self.cells.iter().enumerate().skip(from - 1) {
            if matches!(char, ' ' | '\t') {
                inside = false;
                continue;
            }
            if !inside {
                inside = true;
                words.push(Field {
                    text: String::new(),
                    line: self.number,
                    column: index + 1,
                });
            }
            if let (Some(word), false) = (words.last_mut(), is_hidden(*char)) {
                word.text.push(*char);
            }
        }
        words
    }

    pub(super) fn fault(&self, expected: Expected) -> Fault {
        self.fault_from(1, expected)
    }

    pub(super) fn fault_from(&self, column: usize, expected: Expected) -> Fault {
        Fault::new(self.number, column, expected, &self.from(column).text)
    }
}

impl Field {
    pub(super) fn remark(&self, treatment: FieldTreatment) -> Remark {
        let (line, column) = (self.line, self.column);
        ReadingRemark::Field {
            at: Position { line, column },
            text: self.text.clone(),
            treatment,
        }
        .into()
    }

    /// Reads a whole number from `low` to `high`. Returns `None` if the field is blank.
    pub(super) fn number<N>(&self, what: &'static str, low: N, high: N) -> Result<Option<N>, Fault>
    where
        N: FromStr + PartialOrd + Copy + Into<u32>,
    {
        if self.is_blank() {
            return Ok(None);
        }
        let number = Some(&self.text)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|text| text.parse().ok());
        number
            .filter(|number| (&low..=&high).contains(&number))
            .map(Some)
            .ok_or_else(|| self.fault(Expected::number(what, low, high)))
    }

    pub(super) fn required(&self, what: &'static str, low: u16, high: u16) -> Result<u16, Fault> {
        self.number(what, low, high)?
            .ok_or_else(|| self.fault(Expected::number(what, low, high)))
    }
}

/// A line under construction: texts at columns, with spaces between them. Text that is too long for its field is
/// shortened and reported; points that are too long are left out and reported.
#[derive(Debug, Default)]
pub(super) struct Layout {
    line: String,
    width: usize,
    cut: Vec<String>,
}

impl Layout {
    pub(super) fn new(tag: &str) -> Self {
        let mut layout = Self::default();
        layout.left(1, 3, tag);
        layout
    }

    /// Adds text to columns `from` to `to`, left-aligned. Columns count from 1, and the text must follow the previous
    /// text.
    pub(super) fn left(&mut self, from: usize, to: usize, text: &str) -> &mut Self {
        let text = self.fitted(text, to + 1 - from);
        self.put(from - 1, &text)
    }

    pub(super) fn right(&mut self, from: usize, to: usize, value: impl Display) -> &mut Self {
        let text = self.fitted(&value.to_string(), to + 1 - from);
        self.put(to - text.chars().count(), &text)
    }

    /// Adds points, right-aligned, in the form of [`written_points`]. Points that do not fit are left out, because a
    /// shortened number would be a different number.
    pub(super) fn points(&mut self, from: usize, to: usize, points: Option<Points>) -> &mut Self {
        let Some(points) = points else {
            return self;
        };
        match written_points(points, to + 1 - from) {
            Some(text) => self.right(from, to, text),
            None => {
                self.cut.push(points.to_string());
                self
            }
        }
    }

    pub(super) fn done(
        self,
        lost: &mut Vec<Omission>,
        omission: impl Fn(String) -> Omission,
    ) -> String {
        lost.extend(self.cut.into_iter().map(omission));
        self.line.trim_end().to_owned()
    }

    pub(super) fn record(self, tag: &str, lost: &mut Vec<Omission>) -> String {
        self.done(lost, |text| Omission::CutRecord {
            tag: tag.to_owned(),
            text,
        })
    }

    fn put(&mut self, columns: usize, text: &str) -> &mut Self {
        while self.width < columns {
            self.line.push(' ');
            self.width += 1;
        }
        self.width += text.chars().count();
        self.line.push_str(text);
        self
    }

    fn fitted(&mut self, text: &str, width: usize) -> String {
        let text = without_hidden(&without_control(text));
        let text = text.trim();
        if text.chars().count() > width {
            self.cut.push(text.to_owned());
        }
        let fitted: String = text.chars().take(width).collect();
        fitted.trim_end().to_owned()
    }
}

/// Returns points as written in a field of this width, without a final `.0` if only that fits; `None` if they do not
/// fit.
pub(super) fn written_points(points: Points, width: usize) -> Option<String> {
    let text = points.to_string();
    let whole = text.strip_suffix(".0").map(str::to_owned);
    let mut forms = [Some(text), whole].into_iter().flatten();
    forms.find(|text| text.len() <= width)
}

/// Replaces control characters with spaces: a line break inside a name would end the record.
pub(super) fn without_control(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_unless_a_program_counted_bytes() {
        let line = Line::new(1, "001 Müller  2500", Columns::Characters);
        assert_eq!(line.field(5, 10).text, "Müller");
        assert_eq!(line.field(13, 16).text, "2500");
        let line = Line::new(1, "001 Müller 2500", Columns::Bytes);
        assert_eq!(line.field(5, 11).text, "Müller");
        assert_eq!(line.field(13, 16).text, "2500");
    }

    #[test]
    fn field_knows_where_its_text_begins() {
        let line = Line::new(7, "001    1 x", Columns::Characters);
        assert_eq!(line.field(5, 8).column, 8);
        assert_eq!(line.field(20, 28).column, 20);
        assert_eq!(line.blank(9, 9), Ok(()));
        assert_eq!(line.blank(9, 12).unwrap_err().column, 10);
        let columns: Vec<usize> = line.words(4).iter().map(|word| word.column).collect();
        assert_eq!(columns, [8, 10]);
    }

    #[test]
    fn long_texts_are_cut_and_named() {
        let mut layout = Layout::default();
        layout.left(1, 3, "abcd").right(5, 8, "12");
        let mut lost = Vec::new();
        let cut = |text| Omission::CutPlayer { player: 1, text };
        assert_eq!(layout.done(&mut lost, cut), "abc   12");
        assert_eq!(lost, [cut("abcd".to_owned())]);
    }

    #[test]
    fn points_are_written_exactly_or_left_out_and_named() {
        let written = |text: &str| written_points(Points::parse(text).unwrap(), 4);
        for (points, form) in [
            ("2", "2.0"),
            ("99.9", "99.9"),
            ("-9.5", "-9.5"),
            ("0.25", "0.25"),
            ("100", "100"),
            ("-12", "-12"),
            ("1000", "1000"),
        ] {
            assert_eq!(written(points).as_deref(), Some(form), "{points}");
        }
        for points in ["123.4", "-12.5", "10.25", "10000"] {
            assert_eq!(written(points), None, "{points}");
        }
        let mut layout = Layout::new("299");
        layout.points(8, 11, Points::parse("123.4"));
        layout.points(14, 17, Some(Points::HALF));
        let mut lost = Vec::new();
        assert_eq!(layout.record("299", &mut lost), "299           0.5");
        let (tag, text) = ("299".to_owned(), "123.4".to_owned());
        assert_eq!(lost, [Omission::CutRecord { tag, text }]);
    }
}
