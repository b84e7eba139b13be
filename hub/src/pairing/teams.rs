//! Pairs a team Swiss with a program for individual players, in whose input each team is one player. Owns the conversion in both directions.

use tournament::formats::draft::requested_by_teams;
use tournament::{
    Actor, Change, Contest, Pairings, PlayerNo, Refusal, RoundNo, TeamNo, Tournament,
};

/// Returns `tournament` unchanged or, for a team event, an event in which each team is a player. The players get the byes that the teams requested
/// for `round`.
///
/// # Errors
/// Returns the reason why a requested bye cannot be granted.
pub(super) fn as_players(tournament: &Tournament, round: RoundNo) -> Result<Tournament, Refusal> {
    let Contest::Teams { .. } = tournament.event().contest else {
        return Ok(tournament.clone());
    };
    let mut players = tournament.teams_as_players();
    for (team, bye) in requested_by_teams(tournament.event(), round) {
        let player = PlayerNo(team.0);
        if players.players().contains_key(&player) {
            let grant = Change::GrantBye(player, round, Some(bye));
            players.apply(&Actor::program("file"), grant)?;
        }
    }
    Ok(players)
}

/// Returns `pairings` unchanged or, for a team event, the matches of the paired teams with their line-ups.
pub(super) fn seated(tournament: &Tournament, round: RoundNo, pairings: Pairings) -> Pairings {
    let Contest::Teams { boards } = tournament.event().contest else {
        return pairings;
    };
    let team = |player: PlayerNo| TeamNo(player.0);
    let pairs = pairings.boards.iter();
    let pairs: Vec<(TeamNo, TeamNo)> = pairs
        .filter_map(|pairing| Some((team(pairing.white?), team(pairing.black?))))
        .collect();
    let mut seated = tournament.seated_matches(round, &pairs, boards);
    let byes = pairings.byes.into_iter();
    seated.team_byes = byes.map(|(player, bye)| (team(player), bye)).collect();
    seated
}
