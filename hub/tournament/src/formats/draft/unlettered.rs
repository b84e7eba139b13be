//! Byes that a file counts in a player's points but leaves as empty cells, in rounds that were played. Owns the choice
//! of their letters; must never assign a letter unless the stated points then agree.

use super::cells_read::{is_paired, number};
use crate::formats::remark::{GamesRemark, Position, Remark};
use crate::formats::trf::report::Report;
use crate::formats::trf::scoring::of_games;
use crate::formats::trf::unexplained_points;
use crate::formats::trf::value::Letter;
use crate::{Bye, Points, RoundNo, Scoring};

/// Assigns the letter of a bye to each empty cell whose points the file counts, and returns a remark for each.
/// Half-point byes are tried first, since full-point byes are rare.
pub(super) fn give_letters(report: &mut Report) -> Vec<Remark> {
    if report.team_count() > 0 {
        return Vec::new();
    }
    let rounds = 0..report.rounds_reported();
    let paired: Vec<usize> = rounds.filter(|round| is_paired(report, *round)).collect();
    let scoring = of_games(report);
    let mut remarks = Vec::new();
    for (no, missing) in unexplained_points(report) {
        let mut players = report.players.iter_mut();
        let Some(player) = players.find(|player| player.number == no) else {
            continue;
        };
        let is_empty =
            |round: &&usize| player.cells.get(**round).is_none_or(|cell| cell.is_blank());
        let empty: Vec<usize> = paired.iter().filter(is_empty).copied().collect();
        let Some(byes) = byes(missing, empty.len(), &scoring) else {
            continue;
        };
        for (round, bye) in empty.into_iter().zip(byes) {
            let cell = player.cell_mut(round);
            cell.letter = Some(Letter::Bye(bye));
            cell.colour = None;
            let (line, column) = (player.line.0, 92 + 10 * round);
            let remark = GamesRemark::ByeWithoutLetter {
                at: Position { line, column },
                player: player.number,
                bye,
                round: RoundNo(number(round + 1)),
            };
            remarks.push(remark.into());
        }
    }
    remarks
}

/// Returns the byes that add up to these points in at most this many rounds, with as few full-point byes as possible.
fn byes(missing: Points, rounds: usize, scoring: &Scoring) -> Option<Vec<Bye>> {
    let half = scoring.half_bye.hundredths();
    if missing <= Points::ZERO || half <= 0 {
        return None;
    }
    (0..=rounds).find_map(|fulls| {
        let of_fulls = scoring.full_bye.times(i64::try_from(fulls).ok()?);
        let rest = (missing - of_fulls).hundredths();
        let halves = usize::try_from(rest / half).ok()?;
        let fits = rest >= 0 && rest % half == 0 && fulls + halves <= rounds;
        let byes = [vec![Bye::Half; halves], vec![Bye::Full; fulls]];
        fits.then(|| byes.concat())
    })
}
