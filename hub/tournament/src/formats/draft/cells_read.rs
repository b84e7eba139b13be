//! The meaning of a report's cells: numbers, seats and results.

use timing::Side;

use super::model::Seats;
use crate::formats::trf::report::{Cell, Report};
use crate::formats::trf::value::Letter;
use crate::{GameResult, PlayerNo};

/// Converts a round or a count from a file to 16 bits. The limits of a report ensure that it fits.
pub(super) fn number(number: impl TryInto<u16>) -> u16 {
    number.try_into().unwrap_or(u16::MAX)
}

/// Returns true if a round is paired. A round with nothing but byes is not paired: they were granted in advance.
pub(super) fn is_paired(report: &Report, index: usize) -> bool {
    let round = number(index + 1);
    let players = report.players.iter();
    let mut cells = players.filter_map(|player| player.cells.get(index));
    let is_bye = |cell: &Cell| cell.letter.and_then(Letter::bye).is_some();
    let mut forfeited = report.rules.forfeited.iter();
    cells.any(|cell| !cell.is_blank() && (cell.opponent.is_some() || !is_bye(cell)))
        || forfeited.any(|forfeit| forfeit.round == round)
}

pub(super) fn rounds_paired(report: &Report) -> usize {
    let mut rounds = (0..report.rounds_reported()).rev();
    let last = rounds.find(|round| is_paired(report, *round));
    last.map_or(0, |last| last + 1)
}

pub(super) fn seats(no: PlayerNo, ours: Cell, other: PlayerNo, theirs: Option<Cell>) -> Seats {
    let theirs = theirs.and_then(|cell| cell.letter);
    match ours.colour {
        Some(Side::Black) => Seats {
            white: Some(other),
            black: Some(no),
            of_match: None,
            result: result(theirs, ours.letter),
        },
        // Without colours, the player whose line comes first is shown as White.
        Some(Side::White) | None => Seats {
            white: Some(no),
            black: Some(other),
            of_match: None,
            result: result(ours.letter, theirs),
        },
    }
}

pub(super) fn result(white: Option<Letter>, black: Option<Letter>) -> Option<GameResult> {
    let (white, black) = (white?, black?);
    if white.is_forfeit() || black.is_forfeit() {
        let winner = match (white, black) {
            (Letter::ForfeitWin, _) => Some(Side::White),
            (_, Letter::ForfeitWin) => Some(Side::Black),
            (_, _) => None,
        };
        return Some(GameResult::Forfeit { winner });
    }
    Some(GameResult::Played {
        white: white.outcome()?,
        black: black.outcome()?,
        rated: matches!(white, Letter::Game(_)),
        tally: None,
    })
}
