//! Tables as text: fields separated by comma, semicolon or tab, in quotes where needed (RFC 4180). Owns lexing and
//! writing; must never know what a column means.
//!
//! A spreadsheet treats a field that begins with `=`, `+`, `-` or `@` as a formula, even if it is a player's name. Such
//! a field is written with a leading apostrophe, which spreadsheets take as a mark for text. Reading removes the
//! apostrophe.
//!
//! Quoting is strict, so that a missing quote cannot swallow half a file. Common CSV libraries accept any quoting and
//! do not report the column of an error.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::expected::Expected;
use super::fault::{Fault, Field};
use super::wording::joined;

pub mod entries;
pub mod pairings;
pub mod result_text;
pub mod standings;

pub(super) struct Columns<C> {
    places: BTreeMap<C, usize>,
    pub(super) ignored: Vec<String>,
}

impl<C: Copy + Ord> Columns<C> {
    /// Finds the columns of a heading line. `known` lists each column's headings, separated by spaces, in lower case
    /// and without any characters other than letters and digits.
    pub(super) fn find(heading_line: &[Field], known: &[(C, &str)]) -> Result<Self, Fault> {
        let (mut places, mut ignored) = (BTreeMap::new(), Vec::new());
        for (index, field) in heading_line.iter().enumerate() {
            let letters = field.text.chars().filter(|char| char.is_alphanumeric());
            let heading: String = letters.flat_map(char::to_lowercase).collect();
            let is_named = |headings: &str| headings.split(' ').any(|one| one == heading);
            match known.iter().find(|(_, headings)| is_named(headings)) {
                Some((column, _)) => {
                    if places.insert(*column, index).is_some() {
                        return Err(field.fault(Expected::ColumnOnce));
                    }
                }
                None if field.is_blank() => (),
                None => ignored.push(field.text.clone()),
            }
        }
        Ok(Self { places, ignored })
    }

    pub(super) fn has_any(&self, columns: &[C]) -> bool {
        let mut columns = columns.iter();
        columns.any(|column| self.places.contains_key(column))
    }

    /// Returns a row's cell in a column, or `None` if the cell is blank or missing.
    pub(super) fn cell<'r>(&self, row: &'r [Field], column: C) -> Option<&'r Field> {
        let field = row.get(*self.places.get(&column)?)?;
        Some(field).filter(|field| !field.is_blank())
    }
}

pub(super) fn start(row: &[Field]) -> (usize, usize) {
    let first = row.first();
    first.map_or((1, 1), |field| (field.line, field.column))
}

/// Reads the rows of a table, except blank rows.
///
/// # Errors
/// Returns a fault for the first misplaced or missing quote.
pub fn rows(text: &str) -> Result<Vec<Vec<Field>>, Fault> {
    let (separator, text, skipped) = separator(text);
    let mut lexer = Lexer {
        rest: text.chars().peekable(),
        separator,
        line: 1 + skipped,
        column: 1,
    };
    let mut rows = Vec::new();
    while lexer.rest.peek().is_some() {
        let row = lexer.row()?;
        if row.iter().any(|field| !field.is_blank()) {
            rows.push(row);
        }
    }
    Ok(rows)
}

const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// Returns the separator, the text to read, and the number of lines skipped. A first line such as `sep=;` names the
/// separator and is skipped. If there is no such line, the separator is the character of [`SEPARATORS`] that occurs
/// most often, outside quotes, in the first line that is not blank.
fn separator(text: &str) -> (char, &str, usize) {
    let first = text.lines().next().unwrap_or_default();
    let stated = first.strip_prefix("sep=");
    let stated = stated.and_then(|rest| rest.chars().next());
    if let Some(stated) = stated.filter(|stated| SEPARATORS.contains(stated)) {
        let rest = &text[first.len()..];
        let rest = rest.strip_prefix('\r').unwrap_or(rest);
        return (stated, rest.strip_prefix('\n').unwrap_or(rest), 1);
    }
    let mut lines = text.split(['\r', '\n']);
    let first = lines.find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let count = |wanted: char| {
        let mut quoted = false;
        let outside = |char: &char| {
            quoted ^= *char == '"';
            !quoted && *char == wanted
        };
        first.chars().filter(outside).count()
    };
    let best = SEPARATORS.into_iter().rev().max_by_key(|one| count(*one));
    (best.unwrap_or(','), text, 0)
}

struct Lexer<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    separator: char,
    line: usize,
    column: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let char = self.rest.next()?;
        let ends = char == '\n' || (char == '\r' && self.rest.peek() != Some(&'\n'));
        if ends {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(char)
    }

    fn row(&mut self) -> Result<Vec<Field>, Fault> {
        let mut row = Vec::new();
        loop {
            row.push(self.field()?);
            match self.next() {
                Some('\r') => {
                    if self.rest.peek() == Some(&'\n') {
                        self.next();
                    }
                    return Ok(row);
                }
                Some(char) if char == self.separator => (),
                Some(_) | None => return Ok(row),
            }
        }
    }

    /// Reads a field, and stops before the separator or line break that ends it.
    fn field(&mut self) -> Result<Field, Fault> {
        while self.rest.peek() == Some(&' ') {
            self.next();
        }
        let (line, column) = (self.line, self.column);
        let mut text = String::new();
        if self.rest.peek() == Some(&'"') {
            self.next();
            self.quoted(&mut text, line, column)?;
            while self.rest.peek() == Some(&' ') {
                self.next();
            }
            if let Some(char) = self.rest.peek().copied().filter(|char| !self.ends(*char)) {
                let expected = Expected::Separator;
                let found = char.to_string();
                return Err(Fault::new(self.line, self.column, expected, &found));
            }
        }
        while let Some(char) = self.rest.peek().copied().filter(|char| !self.ends(*char)) {
            if char == '"' {
                let expected = Expected::QuotedField;
                return Err(Fault::new(self.line, self.column, expected, "\""));
            }
            text.push(char);
            self.next();
        }
        Ok(Field {
            text: without_mark(text.trim()).to_owned(),
            line,
            column,
        })
    }

    fn quoted(&mut self, text: &mut String, line: usize, column: usize) -> Result<(), Fault> {
        loop {
            match self.next() {
                Some('"') if self.rest.peek() == Some(&'"') => {
                    self.next();
                    text.push('"');
                }
                Some('"') => return Ok(()),
                Some(char) => text.push(char),
                None => {
                    let (expected, found) = (Expected::ClosingQuote, "the end of the file");
                    return Err(Fault::because(line, column, expected, found));
                }
            }
        }
    }

    fn ends(&self, char: char) -> bool {
        char == self.separator || matches!(char, '\r' | '\n')
    }
}

/// Writes rows as comma-separated text with CR LF line endings. The byte-order mark at the start tells spreadsheets that
/// the text is UTF-8.
pub fn write(rows: &[Vec<String>]) -> String {
    let mut text = String::from('\u{feff}');
    for row in rows {
        text += &joined(row.iter().map(|field| quoted(&marked(field))), ",");
        text += "\r\n";
    }
    text
}

fn quoted(field: &str) -> String {
    let special = field.contains([',', ';', '\t', '"', '\r', '\n']);
    match special || field.trim() != field || field.starts_with(MARK) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// The mark before text that a spreadsheet would treat as a formula.
const MARK: char = '\'';

/// Returns true if a spreadsheet would treat this field as a formula if its marks were removed.
fn is_formula(field: &str) -> bool {
    let text = field.trim_start_matches(MARK);
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// Puts the mark before a field that needs it, even if the field already begins with marks: reading removes only one.
fn marked(field: &str) -> Cow<'_, str> {
    match is_formula(field) {
        true => Cow::Owned(format!("{MARK}{field}")),
        false => Cow::Borrowed(field),
    }
}

fn without_mark(field: &str) -> &str {
    match field.strip_prefix(MARK) {
        Some(text) if is_formula(text) => text,
        Some(_) | None => field,
    }
}
