//! A Swiss of teams by a program that pairs players: each team stands in the file as one player. Owns the way there and back.

use tournament::{Contest, Pairings, PlayerNo, RoundNo, TeamNo, Tournament};

/// The event as a program for players reads it.
pub(super) fn as_players(tournament: &Tournament) -> Tournament {
    match tournament.event().contest {
        Contest::Individual => tournament.clone(),
        Contest::Teams { .. } => tournament.teams_as_players(),
    }
}

/// The pairings of players, or of the teams that stand for them with their line-ups.
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
