//! Output: results go to standard output, and all other messages to standard error. Names and text from outside are escaped before
//! they reach a terminal, so that they cannot send it escape sequences or bidirectional controls.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;
use log_lines::Summaries;
use timing::text::{escaped, escaped_field};
use tracing_subscriber::EnvFilter;

/// The reason why a command failed, or why it stopped printing.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line, the configuration or a given file is invalid: exit code 2.
    Usage(String),
    /// The command failed: exit code 1.
    Failed(String),
    /// The command failed with this exit code, and the reason has already been printed.
    Reported(u8),
    /// The reader of streamed lines has gone: the command ends with exit code 0.
    ReaderGone,
}

pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(super) fn failed(error: impl Display) -> Self {
        Self::Failed(error.to_string())
    }

    pub(super) fn usage(error: impl Display) -> Self {
        Self::Usage(error.to_string())
    }

    pub(super) fn with_advice(self, advice: &str) -> Self {
        match self {
            Self::Failed(text) => Self::Failed(format!("{text}; {advice}")),
            Self::Usage(_) | Self::Reported(_) | Self::ReaderGone => self,
        }
    }

    pub(super) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Self::Usage(text) => (text, 2),
            Self::Failed(text) => (text, 1),
            Self::Reported(code) => return ExitCode::from(code),
            Self::ReaderGone => return ExitCode::SUCCESS,
        };
        tell!("flagfall: {text}");
        ExitCode::from(code)
    }
}

macro_rules! failed {
    ($($text:tt)+) => { $crate::cli::output::Failure::Failed(format!($($text)+)) };
}

macro_rules! usage {
    ($($text:tt)+) => { $crate::cli::output::Failure::Usage(format!($($text)+)) };
}

/// Prints a line on standard output, formatted as by `format!`.
macro_rules! say {
    ($($text:tt)+) => { $crate::cli::output::print(format_args!($($text)+)) };
}

/// Prints a message for a person on standard error, formatted as by `format!`.
macro_rules! tell {
    ($($text:tt)+) => { $crate::cli::output::to_stderr(format_args!($($text)+)) };
}

pub(in crate::cli) use {failed, say, tell, usage};

/// Returns a failure with exit code 1 unless `done` is true. The reasons must already have been printed.
pub(super) fn all_done(done: bool) -> Result<()> {
    if done {
        Ok(())
    } else {
        Err(Failure::Reported(1))
    }
}

/// Prints a line. If the reader has gone, the command continues: its changes and its exit code do not depend on the reader.
pub(super) fn print(line: impl Display) -> Result<()> {
    paint(&escaped(&line.to_string()))
}

/// Prints a line of a stream; returns [`Failure::ReaderGone`] if the reader has gone.
pub(super) fn stream(line: impl Display) -> Result<()> {
    write_line(&escaped(&line.to_string())).map_err(|error| {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ReaderGone
        } else {
            unwritten(error)
        }
    })
}

/// Prints a line that the program shows only once, such as a code. Fails if the reader has gone, because the line would be lost.
pub(super) fn print_once(line: impl Display) -> Result<()> {
    write_line(&escaped(&line.to_string())).map_err(unwritten)
}

/// Reports a failure to write the output about a change. The change has been made, so the command has not failed.
pub(super) fn after_change(printed: Result<()>) {
    if let Err(failure) = printed {
        failure.report();
    }
}

/// Returns success after a completed change, whether or not the output about it could be written.
pub(super) fn changed(printed: Result<()>) -> Result<()> {
    after_change(printed);
    Ok(())
}

/// Prints a document for other programs: byte for byte into a file or a pipe, escaped for a terminal.
pub(super) fn document(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = match out.is_terminal() {
        true => out.write_all(escaped(&text.replace("\r\n", "\n")).as_bytes()),
        false => out.write_all(text.as_bytes()),
    };
    unless_unread(written.and_then(|()| out.flush()))
}

/// Prints a QR code or other picture made by the program, without escaping its colour sequences.
pub(super) fn paint(picture: &str) -> Result<()> {
    unless_unread(write_line(picture))
}

fn write_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush())
}

fn unless_unread(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(unwritten),
    }
}

fn unwritten(error: io::Error) -> Failure {
    failed!("cannot write to standard output: {error}")
}

pub(super) fn to_stderr(line: impl Display) {
    // Standard error may be closed; the work continues.
    let _ = writeln!(io::stderr().lock(), "{}", escaped(&line.to_string()));
}

pub(super) fn to_a_person() -> bool {
    io::stdout().is_terminal()
}

/// Sets up logging to standard error for a short command. `filter` must be valid: a constant, or checked by the configuration.
pub(super) fn init_messages(filter: &str) {
    log_lines::init(EnvFilter::new(filter), coloured(), io::stderr);
}

/// Sets up logging to standard error for a server. Floods of messages are summarised until the returned value is dropped.
pub(super) fn init_service_messages(filter: &str) -> Option<Summaries> {
    log_lines::init_service(EnvFilter::new(filter), coloured(), io::stderr)
}

fn coloured() -> bool {
    io::stderr().is_terminal()
}

/// A table without ruled lines. Each column is as wide as its widest cell, and two spaces separate the columns.
pub(super) struct Table<'r, T> {
    rows: &'r [T],
    columns: Vec<(String, CellAlignment, Vec<String>)>,
}

impl<'r, T> Table<'r, T> {
    pub(super) fn of(rows: &'r [T]) -> Self {
        let columns = Vec::new();
        Self { rows, columns }
    }

    pub(super) fn left(self, head: &str, cell: impl Fn(&'r T) -> String) -> Self {
        self.column(head, CellAlignment::Left, cell)
    }

    pub(super) fn right(self, head: &str, cell: impl Fn(&'r T) -> String) -> Self {
        self.column(head, CellAlignment::Right, cell)
    }

    /// Adds a column. Line breaks and control characters in a cell are escaped, so that they cannot change the layout.
    fn column(
        mut self,
        head: &str,
        alignment: CellAlignment,
        cell: impl Fn(&'r T) -> String,
    ) -> Self {
        let cells = self.rows.iter().map(cell);
        let cells = cells.map(|cell| escaped_field(&cell));
        self.columns
            .push((head.to_owned(), alignment, cells.collect()));
        self
    }

    pub(super) fn print(
        &self,
        as_json: bool,
        object: impl Fn(&'r T) -> serde_json::Value,
    ) -> Result<()> {
        match as_json {
            true => self.rows.iter().try_for_each(|row| print(object(row))),
            false => print(self),
        }
    }
}

impl<T> Display for Table<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING);
        table.set_header(self.columns.iter().map(|(head, ..)| head));
        for (column, (_, alignment, _)) in table.column_iter_mut().zip(&self.columns) {
            column.set_padding((0, 2)).set_cell_alignment(*alignment);
        }
        for row in 0..self.rows.len() {
            table.add_row(self.columns.iter().map(|(_, _, cells)| &cells[row]));
        }
        f.write_str(&table.trim_fmt())
    }
}

pub(super) fn counted(number: impl Display, what: &str) -> String {
    match number.to_string().as_str() {
        "1" => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

pub(super) fn unless_empty(text: &str, words: impl FnOnce(&str) -> String) -> String {
    match text {
        "" => String::new(),
        text => words(text),
    }
}

pub(super) fn listed(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// Returns the word for a protobuf enum value: `new_round` for `DIFFERENCE_KIND_NEW_ROUND`.
pub(super) fn word_of(name: &str, prefix: &str) -> String {
    let word = name.trim_start_matches(prefix).to_lowercase();
    match word.as_str() {
        "unspecified" => "unknown".to_owned(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            ("1", "Zoë Müller", "GER"),
            ("12", "王皓", "CHN"),
            ("3", "a\nb\u{1b}\n", ""),
        ];
        let table = Table::of(&rows)
            .right("NO", |(no, _, _)| (*no).to_owned())
            .left("NAME", |(_, name, _)| (*name).to_owned())
            .left("", |_| String::new())
            .left("FED", |(_, _, federation)| (*federation).to_owned());
        let expected = [
            "NO  NAME                     FED",
            " 1  Zoë Müller               GER",
            "12  王皓                     CHN",
            " 3  a\\u000ab\\u001b\\u000a",
        ];
        assert_eq!(table.to_string(), expected.join("\n"));
    }
}
