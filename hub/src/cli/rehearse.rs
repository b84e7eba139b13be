//! `flagfall rehearse`: runs scripts through the hall's clock engine, or shows a time control and lets the user try it.

mod keyboard;
mod outline;

use std::path::{Path, PathBuf};

use laws::script::LawsScript;
use timing::script::Script;

use super::control;
use super::output::{Failure, Result, print, say, tell, usage};
use crate::api::messages::remark::texts;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall rehearse tests/vectors/*.txt
  flagfall rehearse hub/laws/tests/scripts/*.txt
  flagfall rehearse --control \"40/1h30m+30s : 30m+30s\"
  flagfall rehearse --control fide-blitz-3-2

Each file is one game: a line `control …`, then lines `at TIME …` (see tests/vectors/README.md). With a line `rules …` it may contain
moves, claims and rulings (see hub/laws/tests/scripts/README.md).
Exit codes: 0 every expectation was met, 1 one was not, 2 a script cannot be read.")]
pub(super) struct Args {
    /// Scripts to check
    #[arg(required_unless_present = "control", conflicts_with = "control")]
    files: Vec<PathBuf>,
    /// Show the clock's display under a time control or preset, then try it with lines from the keyboard
    #[arg(long)]
    control: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(text) = &args.control {
        let control =
            control::parse(text).map_err(|error| usage!("--control {text:?}: {error}"))?;
        say!("{control}\n")?;
        print(outline::table(&control))?;
        return keyboard::play(control);
    }
    let mut worst = 0;
    for file in &args.files {
        worst = worst.max(check(file)?);
    }
    match worst {
        0 => Ok(()),
        code => Err(Failure::Reported(code)),
    }
}

fn check(file: &Path) -> Result<u8> {
    let name = file.display();
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            tell!("{name}: cannot be read: {error}");
            return Ok(2);
        }
    };
    let failures = match text(&bytes).and_then(failures) {
        Ok(failures) => failures,
        Err(what) => {
            tell!("{name}:{what}");
            return Ok(2);
        }
    };
    for failure in &failures {
        say!("{name}:{failure}")?;
    }
    Ok(u8::from(!failures.is_empty()))
}

/// Runs a script and returns the failed expectations. A line `rules …` marks a script that may also have moves, claims and rulings.
fn failures(text: &str) -> Result<Vec<String>, String> {
    let rules = |line: &str| line.split_whitespace().next() == Some("rules");
    if text.lines().any(rules) {
        let script = text.parse::<LawsScript>();
        return Ok(texts(&script.map_err(|error| error.to_string())?.run()));
    }
    let script = text.parse::<Script>();
    Ok(texts(&script.map_err(|error| error.to_string())?.run()))
}

/// Decodes a script as UTF-8. The error gives the line and column of the first invalid byte.
fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        // Cannot fail: the bytes before the invalid one are valid UTF-8.
        let before = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("{line}:{column}: expected text in UTF-8")
    })
}
