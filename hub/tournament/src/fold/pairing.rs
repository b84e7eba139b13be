//! The pairings of rounds: announced, withdrawn and amended.

use std::collections::{BTreeMap, BTreeSet};

use super::{Tournament, bounds};
use crate::{
    Board, BoardNo, BoardPhase, Contest, Correction, Pairing, Pairings, PlayerNo, Refusal,
    Reseating, Round, RoundNo, TeamNo,
};

impl Tournament {
    pub(super) fn pair_round(
        &mut self,
        round: RoundNo,
        pairings: &Pairings,
    ) -> Result<(), Refusal> {
        bounds::check_round(round, self.event.rounds)?;
        if round.0 > self.last_round().map_or(0, |last| last.0) + 1 {
            return Err(Refusal::Conflict(format!(
                "round {round} cannot be paired before the round that precedes it"
            )));
        }
        let mut draft = self.rounds.get(&round).cloned().unwrap_or_default();
        if draft.confirmed.is_some() {
            return Err(Refusal::Confirmed(round));
        }
        self.add_teams(round, &mut draft, pairings)?;
        let mut seated: BTreeSet<PlayerNo> = draft.byes.keys().copied().collect();
        for board in draft.boards.values() {
            seated.extend(board.white.into_iter().chain(board.black));
        }
        for pairing in &pairings.boards {
            self.check_pairing(&draft, round, pairing)?;
            for player in pairing.white.into_iter().chain(pairing.black) {
                if !seated.insert(player) {
                    return Err(twice(player, round));
                }
            }
            if draft.boards.contains_key(&pairing.board) {
                return Err(Refusal::Conflict(format!(
                    "round {round} has two boards {}",
                    pairing.board
                )));
            }
            draft.boards.insert(pairing.board, seat(pairing));
        }
        for (player, bye) in &pairings.byes {
            if !self.players.contains_key(player) {
                return Err(Refusal::NoPlayer(*player));
            }
            if !seated.insert(*player) {
                return Err(twice(*player, round));
            }
            draft.byes.insert(*player, *bye);
        }
        self.rounds.insert(round, draft);
        Ok(())
    }

    /// Adds the matches and the teams' byes to the draft of a round.
    fn add_teams(
        &self,
        round: RoundNo,
        draft: &mut Round,
        pairings: &Pairings,
    ) -> Result<(), Refusal> {
        let mut busy: BTreeSet<TeamNo> = draft.team_byes.keys().copied().collect();
        busy.extend(
            draft
                .matches
                .values()
                .flat_map(|paired| [paired.white, paired.black]),
        );
        for (no, paired) in &pairings.matches {
            for team in [paired.white, paired.black] {
                if !self.teams.contains_key(&team) {
                    return Err(Refusal::NoTeam(team));
                }
                if !busy.insert(team) {
                    return Err(Refusal::Conflict(format!(
                        "team {team} is in round {round} twice"
                    )));
                }
            }
            if draft.matches.insert(*no, *paired).is_some() {
                return Err(Refusal::Conflict(format!(
                    "round {round} has two matches {no}"
                )));
            }
        }
        for (team, bye) in &pairings.team_byes {
            if !self.teams.contains_key(team) {
                return Err(Refusal::NoTeam(*team));
            }
            if !busy.insert(*team) {
                return Err(Refusal::Conflict(format!(
                    "team {team} is in round {round} twice"
                )));
            }
            draft.team_byes.insert(*team, *bye);
        }
        Ok(())
    }

    /// Checks that these players can sit at that board.
    fn check_pairing(
        &self,
        draft: &Round,
        round: RoundNo,
        pairing: &Pairing,
    ) -> Result<(), Refusal> {
        if pairing.board.0 == 0 {
            return Err(Refusal::Invalid("boards count from 1".to_owned()));
        }
        for player in pairing.white.into_iter().chain(pairing.black) {
            if !self.players.contains_key(&player) {
                return Err(Refusal::NoPlayer(player));
            }
        }
        if pairing.white.is_some() && pairing.white == pairing.black {
            return Err(Refusal::Invalid(
                "a player cannot play against themselves".to_owned(),
            ));
        }
        let teams = matches!(self.event.contest, Contest::Teams { .. });
        match pairing.of_match {
            Some((paired, _)) if !draft.matches.contains_key(&paired) => {
                Err(Refusal::NoMatch(round, paired))
            }
            Some(_) if pairing.white.is_none() && pairing.black.is_none() => Err(Refusal::Invalid(
                "a board needs at least one player".to_owned(),
            )),
            Some(_) => Ok(()),
            None if teams => Err(Refusal::Invalid(format!(
                "board {} belongs to no match",
                pairing.board
            ))),
            None if pairing.white.is_none() || pairing.black.is_none() => Err(Refusal::Invalid(
                format!("board {} has only one player", pairing.board),
            )),
            None => Ok(()),
        }
    }

    /// Checks that the players at a board of a match are from its two teams, one from each.
    fn check_teams(&self, draft: &Round, pairing: &Pairing) -> Result<(), Refusal> {
        let paired = pairing.of_match.and_then(|(no, _)| draft.matches.get(&no));
        let Some(paired) = paired else {
            return Ok(());
        };
        let board = pairing.board;
        let name = |no: TeamNo| {
            let team = self.teams.get(&no);
            team.map_or_else(|| format!("team {no}"), |team| team.name.clone())
        };
        let of_match = || format!("{} against {}", name(paired.white), name(paired.black));
        for player in pairing.white.into_iter().chain(pairing.black) {
            let team = self.team_of(player);
            if team.is_none_or(|team| ![paired.white, paired.black].contains(&team)) {
                let of = team.map_or_else(|| "no team".to_owned(), name);
                return Err(Refusal::Conflict(format!(
                    "player {player} is in {of}, but board {board} plays {}",
                    of_match()
                )));
            }
        }
        if let (Some(white), Some(black)) = (pairing.white, pairing.black)
            && let Some(team) = self.team_of(white)
            && self.team_of(black) == Some(team)
        {
            return Err(Refusal::Conflict(format!(
                "players {white} and {black} are both in {}, but board {board} plays {}",
                name(team),
                of_match()
            )));
        }
        Ok(())
    }

    pub(super) fn unpair(&mut self, round: RoundNo) -> Result<(), Refusal> {
        let paired = self.open_round(round)?;
        let begun = paired
            .boards
            .values()
            .any(|board| board.phase > BoardPhase::Preset || board.result.is_some());
        if begun {
            return Err(Refusal::Conflict(format!("round {round} has begun")));
        }
        if self.last_round() != Some(round) {
            return Err(Refusal::Conflict(format!(
                "a round after {round} is paired"
            )));
        }
        self.rounds.remove(&round);
        Ok(())
    }

    pub(super) fn reseat(&mut self, round: RoundNo, seats: &Reseating) -> Result<(), Refusal> {
        let mut draft = self.open_round(round)?.clone();
        let mut kept: BTreeMap<BoardNo, Vec<Correction>> = BTreeMap::new();
        // Empty all the boards before filling any, so that two players can change places.
        for Pairing { board, .. } in &seats.boards {
            let before = draft.boards.remove(board);
            if let Some(before) = &before {
                may_leave(*board, before, seats.restart)?;
            }
            let corrections = before.map_or_else(Vec::new, |before| before.corrections);
            if kept.insert(*board, corrections).is_some() {
                return Err(Refusal::Invalid(format!("board {board} is named twice")));
            }
        }
        for pairing in &seats.boards {
            self.check_pairing(&draft, round, pairing)?;
            self.check_teams(&draft, pairing)?;
            let mut seated = seat(pairing);
            seated.corrections = kept.remove(&pairing.board).unwrap_or_default();
            for player in pairing.white.into_iter().chain(pairing.black) {
                if draft.board_of(player).is_some() {
                    return Err(twice(player, round));
                }
                draft.byes.remove(&player);
            }
            draft.boards.insert(pairing.board, seated);
        }
        for pairing in &seats.boards {
            for player in pairing.white.into_iter().chain(pairing.black) {
                self.takes_part(player, round)?;
            }
        }
        self.rounds.insert(round, draft);
        Ok(())
    }

    /// Removes boards from a round. Their players then have neither an opponent nor a bye.
    pub(super) fn remove_boards(
        &mut self,
        round: RoundNo,
        boards: &[BoardNo],
    ) -> Result<(), Refusal> {
        let mut draft = self.open_round(round)?.clone();
        for board in boards {
            let before = draft.boards.remove(board);
            let before = before.ok_or(Refusal::NoBoard(round, *board))?;
            let why = match (before.reached > BoardPhase::Preset, before.result) {
                (true, _) => "has begun: its game stays in the round",
                (false, Some(_)) => "has a result: remove it first",
                (false, None) => continue,
            };
            return Err(Refusal::Conflict(format!("board {board} {why}")));
        }
        if draft.boards.is_empty() {
            return Err(Refusal::Conflict(format!(
                "round {round} would have no board left: withdraw the round instead"
            )));
        }
        self.rounds.insert(round, draft);
        Ok(())
    }

    /// Removes a seated player's bye in a round and, if needed, moves the player's entry to that round.
    fn takes_part(&mut self, player: PlayerNo, round: RoundNo) -> Result<(), Refusal> {
        let known = self.players.get(&player);
        if known.is_some_and(|known| known.enters > round || known.byes.contains_key(&round)) {
            let player = self.player_mut(player)?;
            player.enters = player.enters.min(round);
            player.byes.remove(&round);
        }
        Ok(())
    }
}

/// Checks that the players of a board may leave it for others.
fn may_leave(board: BoardNo, before: &Board, restart: bool) -> Result<(), Refusal> {
    let why = match (before.reached > BoardPhase::Preset, before.result) {
        (true, _) if !restart => {
            "has begun: to seat others there, confirm that its game is set aside and its clock set again"
        }
        (_, Some(_)) => "has a result: remove it first",
        (_, None) => return Ok(()),
    };
    Err(Refusal::Conflict(format!("board {board} {why}")))
}

/// Returns a fresh board for a pairing.
const fn seat(pairing: &Pairing) -> Board {
    let mut board = Board::new(PlayerNo(0), PlayerNo(0));
    board.white = pairing.white;
    board.black = pairing.black;
    board.of_match = pairing.of_match;
    board
}

fn twice(player: PlayerNo, round: RoundNo) -> Refusal {
    Refusal::Conflict(format!("player {player} is in round {round} twice"))
}
