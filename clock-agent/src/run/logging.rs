//! Where log lines go: to standard error, or to a file while the face has the terminal.

use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use timing::text::{escaped, escaped_line};
use tracing_subscriber::EnvFilter;

use super::RunError;
use crate::cli::FaceKind;

/// The file in the state directory.
const FILE: &str = "clock-agent.log";

fn filter(text: &str) -> Result<EnvFilter, RunError> {
    EnvFilter::try_new(text).map_err(|error| RunError::Log(format!("{error}, in {text:?}")))
}

/// Log lines to standard error.
pub(super) fn to_stderr(log: &str) -> Result<(), RunError> {
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(log)?)
        .with_ansi(io::stderr().is_terminal())
        // A standard error that is gone must not end the clock, as a panic about it would.
        .log_internal_errors(false)
        .with_writer(|| LogLines {
            out: io::stderr(),
            coloured: io::stderr().is_terminal(),
        });
    // A library that embeds this program may have set its own.
    let _ = lines.try_init();
    Ok(())
}

/// Log lines to standard error, unless they would be written into the face: then to a file in `dir`.
pub(super) fn beside_face(log: &str, face: FaceKind, dir: &Path) -> Result<(), RunError> {
    if face != FaceKind::Terminal || !io::stderr().is_terminal() {
        return to_stderr(log);
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join(FILE))
        .map_err(super::system("the log file in the state directory"))?;
    let file = Arc::new(file);
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(log)?)
        .with_ansi(false)
        // As above; a full disk, too.
        .log_internal_errors(false)
        .with_writer(move || LogLines {
            out: file.clone(),
            coloured: false,
        });
    let _ = lines.try_init();
    Ok(())
}

/// Where messages go, each of which is one line whatever is in it: names and texts of others come without escape sequences and
/// controls of the direction of writing.
struct LogLines<W> {
    out: W,
    coloured: bool,
}

impl<W: Write> Write for LogLines<W> {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let line = escaped_line(&String::from_utf8_lossy(message), self.coloured);
        self.out.write_all(line.as_bytes())?;
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A line for whoever started the program. A closed pipe is no failure.
pub(super) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{}", escaped(line));
}
