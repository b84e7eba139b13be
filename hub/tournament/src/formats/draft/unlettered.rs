//! Byes that a file counts in a player's points without a letter: empty cells of rounds that were played. Owns the
//! letters they get; must never assign one unless the stated points then agree.

use super::cells_read::{is_paired, number};
use crate::formats::remark::{GamesRemark, Position, Remark};
use crate::formats::trf::report::{PointCode, Report};
use crate::formats::trf::unexplained_points;
use crate::formats::trf::value::{Letter, Tenths};
use crate::{Bye, RoundNo};

/// Assigns the letter of a bye to each empty cell whose points the file counts, and returns a remark for each.
/// Half-point byes are tried first, since full-point byes are rare.
pub(super) fn give_letters(report: &mut Report) -> Vec<Remark> {
    let of_players = report.teams.is_empty() && report.old_teams.is_empty();
    if !of_players {
        return Vec::new();
    }
    let paired: Vec<usize> = (0..report.rounds_reported())
        .filter(|round| is_paired(report, *round))
        .collect();
    let worth = |code: PointCode, usual: i32| {
        let given = report.header.points_for(code);
        given.map_or(usual, |value| value.0)
    };
    let (full, half) = (worth(PointCode::Win, 10), worth(PointCode::Draw, 5));
    let mut remarks = Vec::new();
    let unexplained = unexplained_points(report);
    for (player, Tenths(missing)) in unexplained {
        let Some(player) = report
            .players
            .iter_mut()
            .find(|known| known.number == player)
        else {
            continue;
        };
        let is_empty =
            |round: &&usize| player.cells.get(**round).is_none_or(|cell| cell.is_blank());
        let empty: Vec<usize> = paired.iter().filter(is_empty).copied().collect();
        let Some(byes) = byes(missing, empty.len(), full, half) else {
            continue;
        };
        for (round, bye) in empty.into_iter().zip(byes) {
            if player.cells.len() <= round {
                player.cells.resize(round + 1, Default::default());
            }
            if let Some(cell) = player.cells.get_mut(round) {
                cell.letter = Some(Letter::Bye(bye));
                cell.colour = None;
            }
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

/// Returns the byes that add up to so many tenths of a point in at most so many rounds, with as few full-point byes as
/// possible.
fn byes(missing: i32, rounds: usize, full: i32, half: i32) -> Option<Vec<Bye>> {
    if missing <= 0 || half <= 0 {
        return None;
    }
    (0..=rounds).find_map(|fulls| {
        let rest = missing - full * i32::try_from(fulls).ok()?;
        let halves = usize::try_from(rest / half).ok()?;
        let fits = rest >= 0 && rest % half == 0 && fulls + halves <= rounds;
        fits.then(|| {
            let halves = std::iter::repeat_n(Bye::Half, halves);
            halves
                .chain(std::iter::repeat_n(Bye::Full, fulls))
                .collect()
        })
    })
}
