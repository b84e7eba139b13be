//! `flagfall convert`: converts time controls between Flagfall's and other notations.

use clap::ValueEnum as _;
use timing::TimeControl;

use super::control;
use super::output::{Failure, Result, all_done, print, say, tell};
use tournament::formats::{ReadError, Written, pgn, trf};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall convert '40/90m+30s : 30m+30s'          print it for Flagfall, PGN, Lichess and TRF26
  flagfall convert fide-90-30                      the same for a preset
  flagfall convert --from trf '40/6000+30:900+30'
  flagfall convert --from pgn 180+2

If a notation cannot express part of the control, that part is named on standard error and the exit code is 1. A text that cannot be read
gives exit code 2.")]
pub(super) struct Args {
    /// The notation of TEXT
    #[arg(long, value_enum, default_value = "flagfall")]
    from: Notation,
    /// The target notation [default: all]
    #[arg(long, value_enum)]
    to: Option<Notation>,
    /// The time control to convert
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Notation {
    /// Flagfall's notation, or the name of a preset
    Flagfall,
    /// PGN's TimeControl tag
    Pgn,
    /// PGN's tag as Lichess reads it
    Lichess,
    /// TRF26's record 222
    Trf,
}

impl Notation {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }

    fn write(self, control: &TimeControl) -> Written {
        match self {
            Self::Flagfall => Written {
                text: Some(control.to_string()),
                lost: Vec::new(),
            },
            Self::Pgn => pgn::write(control),
            Self::Lichess => pgn::write_for_lichess(control),
            Self::Trf => trf::control::write(control),
        }
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    let control = read(args.from, &args.text).map_err(Failure::Usage)?;
    let wanted = match &args.to {
        Some(one) => std::slice::from_ref(one),
        None => Notation::value_variants(),
    };
    let mut all_said = true;
    for notation in wanted {
        let written = notation.write(&control);
        let text = written.text.as_deref().unwrap_or("(cannot be expressed)");
        match args.to {
            Some(_) => print(text)?,
            None => say!("{:<9} {text}", notation.name())?,
        }
        for lost in &written.lost {
            tell!("{}: {lost}", notation.name());
        }
        all_said &= written.lost.is_empty();
    }
    all_done(all_said)
}

fn read(from: Notation, text: &str) -> Result<TimeControl, String> {
    let named = |error: ReadError| format!("{text:?}: {error}");
    match from {
        Notation::Flagfall => control::parse(text),
        Notation::Pgn => pgn::read(text).map_err(named),
        Notation::Lichess => pgn::read_as_lichess(text).map_err(named),
        Notation::Trf => trf::control::read(text).map_err(named),
    }
}
