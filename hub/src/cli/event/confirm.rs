//! The question before a change. Owns asking a person; a program passes `--yes`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::super::output::Failure;

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
    /// Returns true if the shown changes may be made; `Ok(false)` for a dry run.
    ///
    /// # Errors
    /// The user declined, or no terminal is there to ask.
    pub(super) fn to(self, what: &str) -> Result<bool, Failure> {
        if self.yes || self.dry_run {
            return Ok(self.yes);
        }
        if !io::stdin().is_terminal() {
            return Err(Failure::Failed(
                "nothing was changed: confirm it with --yes".to_owned(),
            ));
        }
        let mut to = io::stderr().lock();
        // A question that cannot be shown gets no answer, which means no.
        let _ = write!(to, "{}? [y/N] ", timing::text::escaped(what)).and_then(|()| to.flush());
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        let said = line.trim().to_lowercase();
        match read {
            Ok(_) if said == "y" || said == "yes" => Ok(true),
            Ok(_) | Err(_) => Err(Failure::Failed("nothing was changed".to_owned())),
        }
    }
}
