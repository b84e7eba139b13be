//! The destination of log lines: standard error, or a file while the face uses the terminal.

mod fields;

use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use timing::text::{escaped, escaped_line};
use tracing_subscriber::EnvFilter;

use super::RunError;
use crate::cli::FaceKind;
use fields::EscapedFields;

/// Name of the file in the state directory.
const FILE: &str = "clock-agent.log";

fn filter(text: &str) -> Result<EnvFilter, RunError> {
    EnvFilter::try_new(text).map_err(|error| RunError::Log(format!("{error}, in {text:?}")))
}

/// Sends log lines to standard error.
pub(super) fn to_stderr(log: &str) -> Result<(), RunError> {
    let lines = tracing_subscriber::fmt()
        .fmt_fields(EscapedFields)
        .with_env_filter(filter(log)?)
        .with_ansi(io::stderr().is_terminal())
        // A closed standard error must not end the clock through a panic.
        .log_internal_errors(false)
        .with_writer(|| LogLines {
            out: io::stderr(),
            coloured: io::stderr().is_terminal(),
        });
    // A program that embeds this library may have installed its own subscriber.
    let _ = lines.try_init();
    Ok(())
}

/// Sends log lines to standard error, or to a file in `dir` if standard error would overwrite the face.
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
        .fmt_fields(EscapedFields)
        .with_env_filter(filter(log)?)
        .with_ansi(false)
        // For the same reason, and in case of a full disk.
        .log_internal_errors(false)
        .with_writer(move || LogLines {
            out: file.clone(),
            coloured: false,
        });
    let _ = lines.try_init();
    Ok(())
}

/// A writer that makes each message one line: foreign names and texts lose their escape sequences and direction controls.
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

/// Prints a line for the user. A closed pipe is not an error.
pub(super) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{}", escaped(line));
}
