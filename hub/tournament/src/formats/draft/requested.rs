//! The byes in records 240 and 320. Writes those of record 240 into empty cells of paired rounds, and remarks on byes
//! that the event cannot hold. Must never replace a player's cell that has an entry.

use super::cells_read::{number, rounds_paired};
use super::model::Draft;
use crate::formats::remark::{ByeConflict, Counted, GamesRemark, Position, Remark};
use crate::formats::trf::report::Report;
use crate::formats::trf::value::Letter;
use crate::{Bye, PlayerNo, RoundNo, TeamNo};

/// Writes the byes of record 240 into the empty cells of paired rounds, as FIDE's checker reads them.
pub(super) fn fill_cells(report: &mut Report) {
    if report.team_count() > 0 {
        return;
    }
    let paired = rounds_paired(report);
    for byes in &report.rules.byes {
        let index = usize::from(byes.round).saturating_sub(1);
        for player in &mut report.players {
            if index >= paired || !byes.who.contains(&player.number) {
                continue;
            }
            let cell = player.cell_mut(index);
            if cell.is_blank() {
                cell.letter = Some(Letter::Bye(byes.kind));
            }
        }
    }
}

pub(super) fn left_out(report: &Report, draft: &Draft) -> Vec<Remark> {
    let of_teams = report.team_count() > 0;
    let mut remarks = Vec::new();
    let mut check = |line: usize, column: usize, who: u16, bye: Bye, round: RoundNo| {
        let (of, conflict) = match of_teams {
            true => (Counted::Teams, of_team(draft, TeamNo(who), bye, round)),
            false => (
                Counted::Players,
                of_player(draft, PlayerNo(who), bye, round),
            ),
        };
        remarks.extend(conflict.map(|conflict| {
            Remark::from(GamesRemark::ByeLeftOut {
                at: Position { line, column },
                who,
                of,
                bye,
                round,
                conflict,
            })
        }));
    };
    for byes in &report.rules.byes {
        for (index, who) in byes.who.iter().enumerate() {
            let column = 11 + 5 * index;
            check(byes.line.0, column, *who, byes.kind, RoundNo(byes.round));
        }
    }
    // If the record has no line number, its byes were derived from the players' lines.
    let line = report.rules.team_byes.as_ref();
    let line = line.map_or(0, |byes| byes.line.0);
    for (index, team) in report.rules.teams_with_byes().filter(|_| line > 0) {
        let (column, round) = (15 + 4 * index, RoundNo(number(index + 1)));
        check(line, column, team, Bye::PairingAllocated, round);
    }
    remarks
}

fn of_player(draft: &Draft, who: PlayerNo, bye: Bye, round: RoundNo) -> Option<ByeConflict> {
    let held = match draft.rounds.get(&round) {
        Some(paired) => paired.byes.get(&who),
        None if round.0 > draft.event.rounds => {
            return Some(ByeConflict::NoSuchRound(draft.event.rounds));
        }
        None => draft.players.get(&who)?.byes.get(&round),
    };
    conflict(held, bye)
}

/// Returns the reason why the event does not have this bye for a team. Records of unpaired rounds are kept as they are.
fn of_team(draft: &Draft, who: TeamNo, bye: Bye, round: RoundNo) -> Option<ByeConflict> {
    let paired = draft.rounds.get(&round)?;
    conflict(paired.team_byes.get(&who), bye)
}

fn conflict(held: Option<&Bye>, bye: Bye) -> Option<ByeConflict> {
    match held {
        Some(held) if *held == bye => None,
        Some(held) => Some(ByeConflict::OtherBye(*held)),
        None => Some(ByeConflict::Paired),
    }
}
