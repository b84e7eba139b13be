//! Where words go: results to standard output, and a failure's one line to standard error. Names and texts of others never reach a
//! terminal with an escape sequence or a control of the direction of writing in them.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use timing::text::{escaped, escaped_line};

/// Why the program did not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line or the configuration cannot be understood: code 2.
    Usage(String),
    /// It could not be done: code 1.
    Failed(String),
    /// It was not done, and what went wrong has been said already: this code.
    Said(u8),
    /// Whoever read the output has gone, which is no failure.
    NobodyReads,
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
            Self::NobodyReads => return ExitCode::SUCCESS,
        };
        tell(format_args!("flagfall: {text}"));
        ExitCode::from(code)
    }
}

/// Prints a line of the result.
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

/// Prints a picture of the program's own, colours and all.
pub(super) fn paint(picture: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{picture}")
        .and_then(|()| out.flush())
        .map_err(unwritten)
}

fn unwritten(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::NobodyReads
    } else {
        Failure::Failed(format!("cannot write to standard output: {error}"))
    }
}

/// Tells a person something on the way.
pub(super) fn tell(line: impl Display) {
    // Nobody may be listening; the work goes on.
    let _ = writeln!(io::stderr().lock(), "{}", escaped(&line.to_string()));
}

/// Whether a person reads the result.
pub(super) fn to_a_person() -> bool {
    io::stdout().is_terminal()
}

/// Sets up the program's own messages, on standard error. `filter` is one that the configuration has checked, or a constant.
pub(super) fn init_messages(filter: &str) {
    let filter = tracing_subscriber::EnvFilter::new(filter);
    // A second call in one process (tests) changes nothing.
    let _ = tracing_subscriber::fmt()
        // A standard error that is gone must not end the hub, as a panic about it would.
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(|| LogLines)
        .with_ansi(io::stderr().is_terminal())
        .try_init();
}

/// Standard error for messages, each of which is one line whatever is in it.
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

/// A table for people: columns as wide as their widest cell.
pub(super) struct Table {
    right: &'static [bool],
    rows: Vec<Vec<String>>,
}

impl Table {
    /// `right` says which columns are set flush right; others are flush left.
    pub(super) fn new(head: &[&str], right: &'static [bool]) -> Self {
        Self {
            right,
            rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()],
        }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (at, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                if self.right.get(column) == Some(&true) {
                    line += &format!("{cell:>width$}  ");
                } else {
                    line += &format!("{cell:<width$}  ");
                }
            }
            f.write_str(line.trim_end())?;
            if at + 1 < self.rows.len() {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}
