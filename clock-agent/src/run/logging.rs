//! The destination of log lines: standard error, or a file while the face uses the terminal. Also prints lines for the user.

use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use log_lines::Summaries;
use timing::text::escaped;
use tracing_subscriber::EnvFilter;

use super::RunError;
use crate::cli::FaceKind;

const FILE: &str = "clock-agent.log";

fn filter(text: &str) -> Result<EnvFilter, RunError> {
    EnvFilter::try_new(text).map_err(|error| RunError::Log(format!("{error}, in {text:?}")))
}

/// Writes log lines to standard error. Floods of messages are summarised until the returned value is dropped.
pub(super) fn to_stderr(log: &str) -> Result<Option<Summaries>, RunError> {
    let coloured = io::stderr().is_terminal();
    // This has no effect if a program that embeds this library has already set up logging.
    Ok(log_lines::init_service(filter(log)?, coloured, io::stderr))
}

/// Writes log lines to standard error, or to a file in `dir` if standard error would overwrite the face.
pub(super) fn beside_face(
    log: &str,
    face: FaceKind,
    dir: &Path,
) -> Result<Option<Summaries>, RunError> {
    if face != FaceKind::Terminal || !io::stderr().is_terminal() {
        return to_stderr(log);
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join(FILE))
        .map_err(super::system("the log file in the state directory"))?;
    let file = Arc::new(file);
    let out = move || file.clone();
    Ok(log_lines::init_service(filter(log)?, false, out))
}

/// Prints a line for the user. A closed pipe is not an error.
pub(super) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{}", escaped(line));
}
