//! The question before something is changed. Owns asking a person; a program that cannot be asked says `--yes`.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::super::output::Failure;

/// What becomes of what was shown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Consent {
    /// Take it without asking
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(super) yes: bool,
    /// Only show it
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl Consent {
    /// Whether what was shown is to be done: `Ok(false)` for a dry run.
    ///
    /// # Errors
    /// When it was declined, or nobody can be asked.
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
        // A question that cannot be shown is answered by nobody, and that is no yes.
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
