//! Adopts the places and points that a file states, if the event has the results on which they are based.

use super::event::merged;
use super::item::{Difference, DifferenceKind};
use super::rounds::same_result;
use crate::formats::draft::{Draft, DraftRound};
use crate::formats::wording::plural;
use crate::{Bye, Change, Contest, Participant, RoundNo, StatedStandings};

/// Maximum length of the file's name, in bytes.
const MAX_NAME: usize = 100;

pub(super) fn stated(known: &Draft, file: &Draft, source: &str, difference: &mut Difference) {
    let Some(given) = &file.stated else {
        return;
    };
    // An existing event's list of tie-breaks takes precedence. A file that opens the event sets the list itself.
    let own_list = !known.players.is_empty() && !known.event.tie_breaks.is_empty();
    let same = || scores_alike(known, file) && has_same_results(known, file);
    if own_list || known.stated == file.stated || !same() {
        return;
    }
    let name: String = source.chars().filter(|char| !char.is_control()).collect();
    let stated = StatedStandings {
        file: name[..name.floor_char_boundary(MAX_NAME)].to_owned(),
        ..given.clone()
    };
    let of_teams = matches!(file.event.contest, Contest::Teams { .. });
    let is_team = |who: &&Participant| matches!(who, Participant::Team(_));
    let teams = given.rows.keys().filter(is_team).count();
    let whose = match of_teams && teams > 0 {
        true => plural(teams, "team", "teams"),
        false => plural(given.rows.len(), "player", "players"),
    };
    let words = format!(
        "Standings: places of {whose} as stated in the file, until a pairing, a result or the list of tie-breaks changes"
    );
    let change = Change::StateStandings(Some(Box::new(stated)));
    difference.add(DifferenceKind::Event, words, vec![change]);
}

/// Returns true if the event, once the file is applied, scores games and breaks ties as the file does.
fn scores_alike(known: &Draft, file: &Draft) -> bool {
    let (ours, theirs) = (merged(known, file), &file.event);
    (ours.scoring, ours.match_scoring) == (theirs.scoring, theirs.match_scoring)
        && ours.team_bye_points == theirs.team_bye_points
        && ours.abnormal_points == theirs.abnormal_points
        && ours.tie_breaks == theirs.tie_breaks
}

/// Returns true if the file has every result and bye that the event will have once the file is applied.
fn has_same_results(known: &Draft, file: &Draft) -> bool {
    let same = |(no, round): (&RoundNo, &DraftRound)| {
        let in_file = file.rounds.get(no);
        in_file.is_some_and(|in_file| round_has_same_results(known, *no, round, in_file))
    };
    known.rounds.iter().all(same)
}

fn round_has_same_results(
    known: &Draft,
    no: RoundNo,
    round: &DraftRound,
    in_file: &DraftRound,
) -> bool {
    let results = round.boards.iter().all(|(board, seats)| {
        let Some(result) = seats.result else {
            return true;
        };
        let there = in_file.board_with(seats.pair());
        let said = there.and_then(|(_, there)| there.result);
        let corrected = known.corrected.contains(&(no, *board));
        said.is_some_and(|said| same_result(Some(result), said) || !corrected)
    });
    let byes = round.byes.iter().all(|(player, bye)| {
        *bye == Bye::Zero
            || in_file.byes.contains_key(player)
            || in_file.board_of(*player).is_some()
    });
    let mut team_byes = round.team_byes.iter();
    results && byes && team_byes.all(|(team, bye)| in_file.team_byes.get(team) == Some(bye))
}
