//! `flagfall event export`: a report written anew. Owns the choice of the format; the formats are [`crate::formats`]'s.

use super::super::output::{Failure, print, tell};
use super::{read, tournament};
use crate::formats::draft::export;
use crate::formats::table;
use crate::formats::trf::Edition;

/// Writes a report anew, to standard output.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The report; - for standard input
    file: String,
    /// As what
    #[arg(long = "as", value_enum, default_value = "trf26")]
    wanted: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// FIDE's report of 2026
    Trf26,
    /// FIDE's report of 2016, with the extensions of JaVaFo
    Trf16,
    /// The standings as a table
    Csv,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let tournament = tournament(&args.file, &read(&args.file)?)?;
    let edition = match args.wanted {
        Format::Csv => {
            let standings = tournament.standings(None);
            let text = table::standings::table(&tournament, &standings);
            return print(text.trim_end());
        }
        Format::Trf26 => Edition::Trf26,
        Format::Trf16 => Edition::Trf16,
    };
    let written = export(&tournament, edition);
    for lost in &written.lost {
        tell(format_args!("{}: {lost}", args.file));
    }
    // Its lines end with CR LF; the last one's LF is the one that is printed.
    print(written.text.strip_suffix('\n').unwrap_or(&written.text))
}
