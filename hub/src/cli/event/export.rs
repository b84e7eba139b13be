//! `flagfall event export`: the event in other programs' formats. Owns the choice; [`tournament::formats`] owns the formats.

use proto::grpc::{ExportFormat, ExportRequest};

use super::super::output::{Failure, document, tell};
use super::hub::Hub;
use tournament::formats::draft::{Draft, export};
use tournament::formats::pgn::games;
use tournament::formats::table;
use tournament::formats::trf::Edition;
use tournament::{RoundNo, Tournament};

/// Writes the event, to standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event export > open.trf
  flagfall event export --as pairings --round 3 > round3.csv
  flagfall event export --event 1 > first.trf       an event that is set aside, by its number in `flagfall event list`
  flagfall event export old.trf --as trf26 > new.trf")]
pub(super) struct Args {
    /// A report instead of the hub's event; - for standard input
    pub(super) file: Option<String>,
    /// The format
    #[arg(long = "as", value_enum, default_value = "trf26")]
    wanted: Format,
    /// Only this round's pairings [default: those of all rounds]
    #[arg(long, value_name = "ROUND")]
    round: Option<u16>,
    /// One of the hub's events, by its number [default: the current one]
    #[arg(long, value_name = "NUMBER", conflicts_with = "file")]
    event: Option<u32>,
}

/// Writes the hub's current event, or one that is set aside.
pub(super) async fn from_hub(hub: &mut Hub, args: &Args) -> Result<(), Failure> {
    let Some(event) = args.event else {
        let now = hub.now().await?;
        return write(args, &now.tournament, "the event");
    };
    let request = ExportRequest {
        format: match args.wanted {
            Format::Trf26 => ExportFormat::Trf26,
            Format::Trf16 => ExportFormat::Trf16,
            Format::Csv => ExportFormat::StandingsCsv,
            Format::Pairings => ExportFormat::PairingsCsv,
            Format::Pgn => ExportFormat::Pgn,
        }
        .into(),
        rounds: args.round.map(u32::from).into_iter().collect(),
        event,
        ..ExportRequest::default()
    };
    let reply = hub.client.export(request).await?.into_inner();
    for lost in &reply.lost {
        tell(format_args!("event {event}: {lost}"));
    }
    let text = String::from_utf8(reply.content).map_err(Failure::failed)?;
    document(&text)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// FIDE's report of 2026
    Trf26,
    /// FIDE's report of 2016, with the extensions of JaVaFo
    Trf16,
    /// The standings as a table
    #[value(alias = "standings")]
    Csv,
    /// The pairings as a table, with results
    Pairings,
    /// The games as PGN, with their results and without moves
    Pgn,
}

/// Writes the event. `source` names its origin, for warnings about what the format cannot express.
pub(super) fn write(args: &Args, tournament: &Tournament, source: &str) -> Result<(), Failure> {
    let edition = match args.wanted {
        Format::Csv => {
            let standings = tournament.standings(None);
            let text = table::standings::table(tournament, &standings);
            return document(&text);
        }
        Format::Pairings => {
            let text = table::pairings::table(&Draft::of(tournament), &rounds(args, tournament)?);
            return document(&text);
        }
        Format::Pgn => {
            let games = games::write(tournament, &rounds(args, tournament)?);
            for lost in &games.lost {
                tell(format_args!("{source}: left out: {lost}"));
            }
            return document(&games.text);
        }
        Format::Trf26 => Edition::Trf26,
        Format::Trf16 => Edition::Trf16,
    };
    let written = export(tournament, edition);
    for lost in &written.lost {
        tell(format_args!("{source}: {lost}"));
    }
    document(&written.text)
}

fn rounds(args: &Args, tournament: &Tournament) -> Result<Vec<RoundNo>, Failure> {
    let all = tournament.rounds().keys().copied();
    match args.round.map(RoundNo) {
        None => Ok(all.collect()),
        Some(round) if tournament.rounds().contains_key(&round) => Ok(vec![round]),
        Some(round) => Err(Failure::Usage(format!(
            "--round {round}: {} rounds are paired",
            all.count()
        ))),
    }
}
