//! The question before a change. Owns asking a person; a program passes `--yes`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::super::output::{Result, failed};

/// The user's consent to the changes that were shown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Consent {
    /// Apply without asking
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(super) yes: bool,
    /// Only show the changes
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl Consent {
    /// Returns true if the shown changes may be made, false for a dry run. Fails if the user declines, or if there is no terminal to ask on.
    pub(super) fn to(self, what: &str) -> Result<bool> {
        if self.yes || self.dry_run {
            return Ok(self.yes);
        }
        if !io::stdin().is_terminal() {
            return Err(failed!("nothing was changed: confirm it with --yes"));
        }
        let said = ask(&format!("{what}? [y/N] "));
        match said.map(|said| said.to_lowercase()).as_deref() {
            Some("y" | "yes") => Ok(true),
            Some(_) | None => Err(failed!("nothing was changed")),
        }
    }
}

/// Asks on the terminal; returns the line that was typed, if it can be read.
pub(super) fn ask(question: &str) -> Option<String> {
    let mut to = io::stderr().lock();
    // A question that cannot be shown gets no answer.
    let _ = write!(to, "{}", timing::text::escaped(question)).and_then(|()| to.flush());
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned())
}
