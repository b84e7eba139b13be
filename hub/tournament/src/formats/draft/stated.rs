//! Restores the places and points that a file stated to a report's columns.

use super::model::Draft;
use super::totals::{next_round, results_of};
use crate::formats::trf::report::{Player, Report};
use crate::formats::trf::scoring::writable;
use crate::formats::trf::value::Letter;
use crate::{Bye, Participant, PlayerNo, Points, TeamNo};

pub(super) mod take;

pub(super) fn restore(draft: &Draft, report: &mut Report) {
    let Some(stated) = &draft.stated else {
        return;
    };
    for player in &mut report.players {
        let who = Participant::Player(PlayerNo(player.number));
        if let Some(row) = stated.rows.get(&who) {
            player.rank = row.rank.or(player.rank);
            player.points = row.points.and_then(writable).or(player.points);
            if counts_ahead(draft, player, row.points) {
                let next = next_round(draft).0;
                let byes = report.rules.byes.iter_mut();
                let asked = byes.filter(|byes| byes.round == next);
                asked.for_each(|byes| byes.who.retain(|who| *who != player.number));
            }
        }
    }
    report.rules.byes.retain(|byes| !byes.who.is_empty());
    for team in &mut report.teams {
        if let Some(row) = stated.rows.get(&Participant::Team(TeamNo(team.number))) {
            team.rank = row.rank.or(team.rank);
            team.match_points = row.match_points.and_then(writable).or(team.match_points);
            team.game_points = row.points.and_then(writable).or(team.game_points);
        }
    }
}

/// Writes the bye of the next round into the line of a player whose stated points already include it, since programs
/// add up the line. Returns true if the player has such a bye.
fn counts_ahead(draft: &Draft, player: &mut Player, stated: Option<Points>) -> bool {
    let no = PlayerNo(player.number);
    let ahead = |stated| bye_ahead(draft, no, stated, results_of(draft, no));
    let Some(bye) = stated.and_then(ahead) else {
        return false;
    };
    let cell = player.cell_mut(usize::from(next_round(draft).0) - 1);
    cell.letter = Some(Letter::Bye(bye));
    true
}

/// Returns the player's bye in the next round, if its points are exactly the difference between the stated points and
/// `own`.
fn bye_ahead(draft: &Draft, no: PlayerNo, stated: Points, own: Points) -> Option<Bye> {
    let player = draft.players.get(&no)?;
    let asked = player.byes.get(&next_round(draft)).copied();
    asked.filter(|bye| stated != own && bye.points(&draft.event.scoring) == stated - own)
}
