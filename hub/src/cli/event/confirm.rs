//! Asks the user to confirm a change; a script passes `--yes` instead.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::super::output::{Result, failed};

/// Flags that skip the confirmation prompt, or the change itself.
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
    /// Returns true if the changes shown may be made, false for a dry run. Without either flag, asks the user; fails if the user
    /// does not confirm, or if standard input is not a terminal.
    pub(super) fn to(self, what: &str) -> Result<bool> {
        if self.yes || self.dry_run {
            return Ok(self.yes);
        }
        if !io::stdin().is_terminal() {
            return Err(failed!(
                "nothing was changed: there is no terminal to ask on; confirm with --yes"
            ));
        }
        let said = ask(&format!("{what}? [y/N] "));
        match said.map(|said| said.to_lowercase()).as_deref() {
            Some("y" | "yes") => Ok(true),
            Some(_) | None => Err(failed!("nothing was changed")),
        }
    }
}

/// Asks on the terminal. Returns the typed line, or `None` if the question cannot be shown or the answer cannot be read.
pub(super) fn ask(question: &str) -> Option<String> {
    let mut to = io::stderr().lock();
    let shown = write!(to, "{}", timing::text::escaped(question)).and_then(|()| to.flush());
    shown.ok()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned())
}
