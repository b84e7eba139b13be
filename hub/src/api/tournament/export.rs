//! Exports the event as a file for other programs. Owns the file's name and media type; [`tournament::formats`] owns the formats.

use proto::grpc::{ExportFormat, ExportReply, ExportRequest};
use tonic::{Result, Status};

use super::super::messages::remark;
use super::table::after;
use hall::TournamentNow;
use tournament::formats::draft::{Draft, export, export_for_rating};
use tournament::formats::omission::Omission;
use tournament::formats::pgn::games::{self, Games, PgnTarget, Selection};
use tournament::formats::table;
use tournament::formats::trf::{Edition, Written};
use tournament::{BoardNo, RoundNo, Tournament};

const PLAIN: &str = "text/plain; charset=utf-8";
/// Media type of PGN. Without the charset, Lichess would read the file as ISO 8859-1.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";
const CSV: &str = "text/csv; charset=utf-8";

pub(super) fn write(now: &TournamentNow, request: &ExportRequest) -> Result<ExportReply> {
    let tournament = &*now.tournament;
    let format = ExportFormat::try_from(request.format).map_err(|_| {
        Status::invalid_argument("this version of the hub does not know the requested format")
    })?;
    let (ending, media_type) = match format {
        ExportFormat::Unspecified | ExportFormat::Trf26 => (".trf", PLAIN),
        ExportFormat::Trf16 => ("-trf16.trf", PLAIN),
        ExportFormat::RatingReportTrf16 => ("-rating-report.trf", PLAIN),
        ExportFormat::RatingReportTrf26 => ("-rating-report-trf26.trf", PLAIN),
        ExportFormat::PairingsCsv => ("-pairings.csv", CSV),
        ExportFormat::StandingsCsv => ("-standings.csv", CSV),
        ExportFormat::Pgn => (".pgn", PGN),
    };
    let after = || after(tournament, request.after);
    let (text, lost) = text(tournament, format, || rounds(tournament, request), after)?;
    let name = file_name(&tournament.event().name) + ending;
    Ok(reply(now.version, name, media_type, text, &lost))
}

/// Returns the event in a format, and the data that the format cannot hold. PGN is written without moves. Exports of pairings and games cover
/// `rounds`. Exports of standings show the standings after the round `after`, or after all rounds so far if it is `None`.
pub(crate) fn text<E>(
    tournament: &Tournament,
    format: ExportFormat,
    rounds: impl FnOnce() -> Result<Vec<RoundNo>, E>,
    after: impl FnOnce() -> Result<Option<RoundNo>, E>,
) -> Result<(String, Vec<Omission>), E> {
    let report = |written: Written| Ok((written.text, written.lost));
    match format {
        ExportFormat::Unspecified | ExportFormat::Trf26 => {
            report(export(tournament, Edition::Trf26))
        }
        ExportFormat::Trf16 => report(export(tournament, Edition::Trf16)),
        ExportFormat::RatingReportTrf16 => report(export_for_rating(tournament, Edition::Trf16)),
        ExportFormat::RatingReportTrf26 => report(export_for_rating(tournament, Edition::Trf26)),
        ExportFormat::PairingsCsv => {
            let text = table::pairings::table(&Draft::of(tournament), &rounds()?);
            Ok((text, Vec::new()))
        }
        ExportFormat::Pgn => {
            let selection = Selection {
                rounds: &rounds()?,
                board: None,
                target: PgnTarget::Standard,
                key: "",
            };
            let games = games::write(tournament, selection, &|_, _| None);
            Ok((games.text, games.lost))
        }
        ExportFormat::StandingsCsv => {
            let standings = tournament.standings(after()?);
            Ok((table::standings::table(tournament, &standings), Vec::new()))
        }
    }
}

pub(super) fn pgn(event: &str, version: u64, games: Games) -> ExportReply {
    let name = file_name(event) + ".pgn";
    reply(version, name, PGN, games.text, &games.lost)
}

fn reply(
    version: u64,
    file_name: String,
    media_type: &str,
    text: String,
    lost: &[Omission],
) -> ExportReply {
    ExportReply {
        content: text.into_bytes(),
        file_name,
        media_type: media_type.to_owned(),
        lost: remark::texts(lost),
        version,
        typed_lost: lost.iter().map(remark::omission).collect(),
    }
}

pub(super) fn board(request: &ExportRequest) -> Result<Option<BoardNo>> {
    let no = u16::try_from(request.board)
        .map_err(|_| Status::invalid_argument(format!("there is no board {}", request.board)))?;
    Ok((no > 0).then_some(BoardNo(no)))
}

pub(super) fn rounds(tournament: &Tournament, request: &ExportRequest) -> Result<Vec<RoundNo>> {
    if request.rounds.is_empty() {
        return Ok(tournament.rounds().keys().copied().collect());
    }
    let named = request.rounds.iter().map(|no| {
        let round = after(tournament, *no)?;
        round.ok_or_else(|| Status::invalid_argument("rounds are numbered from 1"))
    });
    named.collect()
}

/// Converts a name to a file name: lower-case ASCII letters and digits, with a dash for each run of other characters between them. Returns
/// `event` if none are left.
fn file_name(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    match out.trim_end_matches('-') {
        "" => "event".to_owned(),
        out => out.to_owned(),
    }
}
