//! The event as a file in another program's format. Owns the file's name and type; [`tournament::formats`] owns the formats.

use proto::grpc::{ExportFormat, ExportReply, ExportRequest};
use tonic::Status;

use super::super::messages::remark;
use super::table::after;
use hall::TournamentNow;
use tournament::formats::draft::{Draft, export, export_for_rating};
use tournament::formats::omission::Omission;
use tournament::formats::pgn::games;
use tournament::formats::table;
use tournament::formats::trf::{Edition, Written};
use tournament::{RoundNo, Tournament};

pub(super) fn write(now: &TournamentNow, request: &ExportRequest) -> Result<ExportReply, Status> {
    let tournament = &*now.tournament;
    let format = ExportFormat::try_from(request.format)
        .map_err(|_| Status::invalid_argument("a format this version does not know"))?;
    let name = file_name(&tournament.event().name);
    let report = |written: Written, what: &str| {
        let name = format!("{name}{what}.trf");
        (
            written.text,
            name,
            "text/plain; charset=utf-8",
            written.lost,
        )
    };
    let (text, file_name, media_type, lost): (_, _, _, Vec<Omission>) = match format {
        ExportFormat::Unspecified | ExportFormat::Trf26 => {
            report(export(tournament, Edition::Trf26), "")
        }
        ExportFormat::Trf16 => report(export(tournament, Edition::Trf16), "-trf16"),
        ExportFormat::RatingReportTrf16 => report(
            export_for_rating(tournament, Edition::Trf16),
            "-rating-report",
        ),
        ExportFormat::RatingReportTrf26 => report(
            export_for_rating(tournament, Edition::Trf26),
            "-rating-report-trf26",
        ),
        ExportFormat::PairingsCsv => {
            let text =
                table::pairings::table(&Draft::of(tournament), &rounds(tournament, request)?);
            let name = format!("{name}-pairings.csv");
            (text, name, "text/csv; charset=utf-8", Vec::new())
        }
        ExportFormat::Pgn => {
            let games = games::write(tournament, &rounds(tournament, request)?);
            let name = format!("{name}.pgn");
            (games.text, name, "application/x-chess-pgn", games.lost)
        }
        ExportFormat::StandingsCsv => {
            let standings = tournament.standings(after(tournament, request.after)?);
            let text = table::standings::table(tournament, &standings);
            let name = format!("{name}-standings.csv");
            (text, name, "text/csv; charset=utf-8", Vec::new())
        }
    };
    Ok(ExportReply {
        content: text.into_bytes(),
        file_name,
        media_type: media_type.to_owned(),
        lost: remark::texts(&lost),
        version: now.version,
        typed_lost: lost.iter().map(remark::omission).collect(),
    })
}

/// Returns the rounds of a table: the named ones, or all.
fn rounds(tournament: &Tournament, request: &ExportRequest) -> Result<Vec<RoundNo>, Status> {
    if request.rounds.is_empty() {
        return Ok(tournament.rounds().keys().copied().collect());
    }
    let named = request.rounds.iter();
    named
        .map(|no| {
            let round = after(tournament, *no)?;
            round.ok_or_else(|| Status::invalid_argument("rounds count from 1"))
        })
        .collect()
}

/// Returns the letters and digits of a name, with all else as single dashes; `event` if none are left.
fn file_name(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() {
        "event".to_owned()
    } else {
        out.to_owned()
    }
}
