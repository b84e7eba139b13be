//! The log lines of Flagfall's programs: each message is one escaped line of limited length, and services limit and sum up floods of messages.
//!
//! Owns the format of the lines. The programs choose the filter and the destination. Text from outside must never end a line, colour it or change its
//! direction.

mod fields;
mod floods;

use std::io::{self, Write};

use timing::text::escaped_line;
use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use fields::EscapedFields;
use floods::Floods;

pub use floods::Summaries;

/// Maximum length of a log line, in bytes, without the note about the bytes left out. Without a limit, a stranger could cause lines of any length,
/// for example by requesting a long path.
const MAX_LINE: usize = 2_048;

/// Sets up logging for a short-lived command. Has no effect if logging is already set up.
pub fn init<W: Write + 'static>(
    filter: EnvFilter,
    coloured: bool,
    out: impl Fn() -> W + Send + Sync + 'static,
) {
    // Ignore the error if logging is already set up, as after an earlier test in the same process.
    let _ = lines(filter, coloured, out).try_init();
}

/// Sets up logging for a service. Floods of messages are summed up until the returned guard is dropped. Returns `None` if logging is already set up,
/// or if the thread for the summaries cannot be started.
pub fn init_service<W: Write + 'static>(
    filter: EnvFilter,
    coloured: bool,
    out: impl Fn() -> W + Send + Sync + 'static,
) -> Option<Summaries> {
    let floods = Floods::default();
    let lines = lines(filter, coloured, out).with(floods.clone());
    lines.try_init().ok()?;
    floods.sum_up_regularly()
}

fn lines<W: Write + 'static>(
    filter: EnvFilter,
    coloured: bool,
    out: impl Fn() -> W + Send + Sync + 'static,
) -> impl Subscriber + Send + Sync {
    let lines = tracing_subscriber::fmt::layer()
        // A closed standard error or a full disk must not end the program, as a panic while logging would.
        .log_internal_errors(false)
        .fmt_fields(EscapedFields)
        .with_ansi(coloured)
        .with_writer(move || LogLines {
            out: out(),
            coloured,
        });
    tracing_subscriber::registry().with(filter).with(lines)
}

/// A writer that makes each message one line of limited length.
struct LogLines<W> {
    out: W,
    coloured: bool,
}

impl<W: Write> Write for LogLines<W> {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        let line = escaped_line(&String::from_utf8_lossy(message), self.coloured);
        self.out.write_all(cut(line).as_bytes())?;
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn cut(line: String) -> String {
    if line.len() <= MAX_LINE {
        return line;
    }
    let end = line.floor_char_boundary(MAX_LINE);
    format!("{} … and {} bytes more\n", &line[..end], line.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_and_says_so() {
        assert_eq!(cut("short\n".to_owned()), "short\n");
        let line = format!("{}\n", "é".repeat(1_500));
        let expected = format!("{} … and 953 bytes more\n", "é".repeat(1_024));
        assert_eq!(cut(line), expected);
    }
}
