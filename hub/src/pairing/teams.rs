//! A Swiss of teams, paired by a program for players, in whose file each team is one player. Owns the conversion in
//! both directions.

use tournament::{Contest, Pairings, PlayerNo, RoundNo, TeamNo, Tournament};

pub(super) fn as_players(tournament: &Tournament) -> Tournament {
    match tournament.event().contest {
        Contest::Individual => tournament.clone(),
        Contest::Teams { .. } => tournament.teams_as_players(),
    }
}

/// Returns the pairings of players, or the matches of the teams they stand for, with line-ups.
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
