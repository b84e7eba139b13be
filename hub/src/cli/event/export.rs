//! `flagfall event export`: writes the event in other programs' formats. Owns the choice of format; [`tournament::formats`] owns the formats.

use proto::grpc::{ExportFormat, ExportRequest, PgnReader};

use super::super::output::{Failure, Result, document, tell, usage};
use super::hub::Hub;
use crate::api::exported;
use tournament::{RoundNo, Tournament};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event export > open.trf
  flagfall event export --as pairings --round 3 > round3.csv
  flagfall event export --as pgn --round 3 > round3.pgn
  flagfall event export --event 1 > first.trf       export an event that is set aside; see `flagfall event list`
  flagfall event export old.trf --as trf26 > new.trf")]
pub(super) struct Args {
    /// A report to read instead of the hub's event; - for standard input
    pub(super) file: Option<String>,
    /// The format to write
    #[arg(long = "as", value_enum, default_value = "trf26")]
    wanted: Format,
    /// Only the pairings or games of this round [default: all rounds]
    #[arg(long, value_name = "ROUND")]
    round: Option<u16>,
    /// With --as pgn: only this board of each round
    #[arg(long, value_name = "BOARD", conflicts_with = "file")]
    board: Option<u16>,
    /// With --as pgn: write clock times in tenths of a second, as Lichess reads them
    #[arg(long, conflicts_with = "file")]
    lichess: bool,
    /// The number of the event to export, as in `flagfall event list` [default: the current event]
    #[arg(long, value_name = "NUMBER", conflicts_with = "file")]
    event: Option<u32>,
}

pub(super) async fn from_hub(hub: &mut Hub, args: &Args) -> Result<()> {
    // Only the hub has the moves and clock times of games, and the events that are set aside.
    if args.event.is_none() && args.wanted != Format::Pgn {
        let now = hub.now().await?;
        return write(args, &now.tournament, "the event");
    }
    let request = ExportRequest {
        format: ExportFormat::from(args.wanted).into(),
        rounds: args.round.map(u32::from).into_iter().collect(),
        event: args.event.unwrap_or_default(),
        board: args.board.map_or(0, u32::from),
        reader: match args.lichess {
            true => PgnReader::Lichess.into(),
            false => PgnReader::Unspecified.into(),
        },
        ..ExportRequest::default()
    };
    let source = match args.event {
        Some(event) => format!("event {event}"),
        None => "the event".to_owned(),
    };
    let reply = hub.client.export(request).await?.into_inner();
    for lost in &reply.lost {
        tell!("{source}: {}{lost}", left_out(args.wanted));
    }
    let text = String::from_utf8(reply.content).map_err(Failure::failed)?;
    document(&text)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// FIDE's tournament report file, 2026 version
    Trf26,
    /// FIDE's tournament report file, 2016 version, with JaVaFo's extensions
    Trf16,
    /// The standings as a table
    #[value(alias = "standings")]
    Csv,
    /// The pairings as a table, with results
    Pairings,
    /// The games as PGN, with the moves that were entered and the clock times after them
    Pgn,
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Trf26 => Self::Trf26,
            Format::Trf16 => Self::Trf16,
            Format::Csv => Self::StandingsCsv,
            Format::Pairings => Self::PairingsCsv,
            Format::Pgn => Self::Pgn,
        }
    }
}

/// Writes the event to standard output. `source` names the event in warnings about data that the format cannot express.
pub(super) fn write(args: &Args, tournament: &Tournament, source: &str) -> Result<()> {
    let rounds = || rounds(args, tournament);
    let (text, lost) = exported(tournament, args.wanted.into(), rounds, || Ok(None))?;
    for lost in &lost {
        tell!("{source}: {}{lost}", left_out(args.wanted));
    }
    document(&text)
}

const fn left_out(format: Format) -> &'static str {
    match format {
        Format::Pgn => "left out: ",
        Format::Trf26 | Format::Trf16 | Format::Csv | Format::Pairings => "",
    }
}

fn rounds(args: &Args, tournament: &Tournament) -> Result<Vec<RoundNo>> {
    let all = tournament.rounds().keys().copied();
    match args.round.map(RoundNo) {
        None => Ok(all.collect()),
        Some(round) if tournament.rounds().contains_key(&round) => Ok(vec![round]),
        Some(round) => Err(usage!(
            "--round {round}: this round is not paired; rounds paired so far: {}",
            all.count()
        )),
    }
}
