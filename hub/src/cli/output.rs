//! Output: results to standard output, and a failure's one line to standard error. Foreign names and texts never reach a terminal with
//! escape sequences or controls of the writing direction.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;
use timing::text::{escaped, escaped_line};

/// The reason why the program failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line or the configuration is invalid: code 2.
    Usage(String),
    /// The command failed: code 1.
    Failed(String),
    /// The command failed, and the reason is already printed: this code.
    Said(u8),
    /// The reader of the output has gone, which is no failure.
    ReaderGone,
}

impl Failure {
    pub(super) fn failed(error: impl Display) -> Self {
        Self::Failed(error.to_string())
    }

    pub(super) fn usage(error: impl Display) -> Self {
        Self::Usage(error.to_string())
    }

    pub(super) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Self::Usage(text) => (text, 2),
            Self::Failed(text) => (text, 1),
            Self::Said(code) => return ExitCode::from(code),
            Self::ReaderGone => return ExitCode::SUCCESS,
        };
        tell(format_args!("flagfall: {text}"));
        ExitCode::from(code)
    }
}

/// Returns code 1 unless everything was done; the failures are already printed.
pub(super) fn all_done(done: bool) -> Result<(), Failure> {
    if done { Ok(()) } else { Err(Failure::Said(1)) }
}

pub(super) fn print(line: impl Display) -> Result<(), Failure> {
    paint(&escaped(&line.to_string()))
}

/// Prints a document for other programs: byte for byte into a file or a pipe, escaped for a terminal.
pub(super) fn document(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = match out.is_terminal() {
        true => out.write_all(escaped(&text.replace("\r\n", "\n")).as_bytes()),
        false => out.write_all(text.as_bytes()),
    };
    written.and_then(|()| out.flush()).map_err(unwritten)
}

/// Prints a picture that the program made, with its colours.
pub(super) fn paint(picture: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{picture}")
        .and_then(|()| out.flush())
        .map_err(unwritten)
}

fn unwritten(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::ReaderGone
    } else {
        Failure::Failed(format!("cannot write to standard output: {error}"))
    }
}

/// Prints a message for a person on standard error.
pub(super) fn tell(line: impl Display) {
    // Standard error may be closed; the work continues.
    let _ = writeln!(io::stderr().lock(), "{}", escaped(&line.to_string()));
}

pub(super) fn to_a_person() -> bool {
    io::stdout().is_terminal()
}

/// Sets up log messages on standard error. `filter` is a constant, or the configuration has checked it.
pub(super) fn init_messages(filter: &str) {
    let filter = tracing_subscriber::EnvFilter::new(filter);
    // A second call in one process (tests) changes nothing.
    let _ = tracing_subscriber::fmt()
        // A closed standard error must not end the hub, as a panic about it would.
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(|| LogLines)
        .with_ansi(io::stderr().is_terminal())
        .try_init();
}

/// Standard error for log messages, each escaped to one line.
struct LogLines;

impl Write for LogLines {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let mut out = io::stderr().lock();
        let line = escaped_line(&String::from_utf8_lossy(message), out.is_terminal());
        out.write_all(line.as_bytes())?;
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A table without rules: columns as wide as their widest cell, two spaces apart.
pub(super) struct Table(comfy_table::Table);

impl Table {
    /// Creates a table. `right` selects the right-aligned columns; others are left-aligned.
    pub(super) fn new(head: &[&str], right: &[bool]) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING).set_header(head);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if right.get(index) == Some(&true) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Adds a row. A line break or a control in a cell is escaped, so that it cannot change the layout.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        let cells = cells
            .iter()
            .map(|cell| escaped_line(cell, false).replace('\n', "\\u000a"));
        self.0.add_row(cells.collect::<Vec<_>>());
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.trim_fmt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["NO", "NAME", "", "FED"], &[true]);
        for (no, name, federation) in [
            ("1", "Zoë Müller", "GER"),
            ("12", "王皓", "CHN"),
            ("3", "a\nb\u{1b}\n", ""),
        ] {
            let cells = [no, name, "", federation];
            table.row(cells.map(str::to_owned).to_vec());
        }
        let expected = [
            "NO  NAME                     FED",
            " 1  Zoë Müller               GER",
            "12  王皓                     CHN",
            " 3  a\\u000ab\\u001b\\u000a",
        ];
        assert_eq!(table.to_string(), expected.join("\n"));
    }
}
