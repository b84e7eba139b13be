//! Pairs rounds, and withdraws or amends their pairings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Tournament, bounds};
use crate::{
    Board, BoardNo, BoardPhase, Conflict, Contest, Correction, Invalid, Match, Pairing, Pairings,
    PlayerNo, Refusal, Reseating, Round, RoundNo, TeamNo,
};

impl Tournament {
    pub(super) fn pair_round(
        &mut self,
        round: RoundNo,
        pairings: &Pairings,
    ) -> Result<(), Refusal> {
        bounds::check_round(round, self.event.rounds)?;
        if round.0 > self.last_round().map_or(0, |last| last.0) + 1 {
            return Err(Conflict::RoundSkipped(round).into());
        }
        let paired = self.rounds.get(&round);
        let mut draft = paired.map_or_else(Round::default, |paired| Round::clone(paired));
        if draft.confirmed.is_some() {
            return Err(Refusal::Confirmed(round));
        }
        self.add_teams(round, &mut draft, pairings)?;
        let mut seated: BTreeSet<PlayerNo> = draft.byes.keys().copied().collect();
        for board in draft.boards.values() {
            seated.extend([board.white, board.black].into_iter().flatten());
        }
        for pairing in &pairings.boards {
            self.check_pairing(&draft, round, pairing)?;
            for player in pairing.players() {
                if !seated.insert(player) {
                    return Err(twice(player, round));
                }
            }
            if draft.boards.contains_key(&pairing.board) {
                return Err(Conflict::BoardTwice(round, pairing.board).into());
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
        self.rounds.insert(round, Arc::new(draft));
        Ok(())
    }

    fn add_teams(
        &self,
        round: RoundNo,
        draft: &mut Round,
        pairings: &Pairings,
    ) -> Result<(), Refusal> {
        let mut busy: BTreeSet<TeamNo> = draft.team_byes.keys().copied().collect();
        busy.extend(draft.matches.values().flat_map(Match::teams));
        let mut check = |team: TeamNo| match self.teams.contains_key(&team) {
            false => Err(Refusal::NoTeam(team)),
            true if !busy.insert(team) => Err(Conflict::TeamTwice(team, round).into()),
            true => Ok(()),
        };
        for (no, paired) in &pairings.matches {
            paired.teams().into_iter().try_for_each(&mut check)?;
            if draft.matches.insert(*no, *paired).is_some() {
                return Err(Conflict::MatchTwice(round, *no).into());
            }
        }
        for (team, bye) in &pairings.team_byes {
            check(*team)?;
            draft.team_byes.insert(*team, *bye);
        }
        Ok(())
    }

    fn check_pairing(
        &self,
        draft: &Round,
        round: RoundNo,
        pairing: &Pairing,
    ) -> Result<(), Refusal> {
        if pairing.board.0 == 0 {
            return Err(Invalid::BoardZero.into());
        }
        for player in pairing.players() {
            if !self.players.contains_key(&player) {
                return Err(Refusal::NoPlayer(player));
            }
        }
        if pairing.white.is_some() && pairing.white == pairing.black {
            return Err(Invalid::SamePlayer.into());
        }
        let teams = matches!(self.event.contest, Contest::Teams { .. });
        match pairing.of_match {
            Some((paired, _)) if !draft.matches.contains_key(&paired) => {
                Err(Refusal::NoMatch(round, paired))
            }
            Some(_) if pairing.players().count() == 0 => Err(Invalid::EmptyBoard.into()),
            Some(_) => Ok(()),
            None if teams => Err(Invalid::BoardWithoutMatch(pairing.board).into()),
            None if pairing.players().count() < 2 => Err(Invalid::LonePlayer(pairing.board).into()),
            None => Ok(()),
        }
    }

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
        let teams = || paired.teams().map(name);
        for player in pairing.players() {
            let team = self.team_of(player);
            if !team.is_some_and(|team| paired.has(team)) {
                let (team, teams) = (team.map(name), teams());
                let conflict = Conflict::OtherTeam {
                    player,
                    team,
                    board,
                    teams,
                };
                return Err(conflict.into());
            }
        }
        if let (Some(white), Some(black)) = (pairing.white, pairing.black)
            && let Some(team) = self.team_of(white)
            && self.team_of(black) == Some(team)
        {
            return Err(Conflict::SameTeam {
                players: [white, black],
                team: name(team),
                board,
                teams: teams(),
            }
            .into());
        }
        Ok(())
    }

    pub(super) fn unpair(&mut self, round: RoundNo) -> Result<(), Refusal> {
        let paired = self.open_round(round)?;
        let begun = |board: &Board| board.phase > BoardPhase::Preset || board.result.is_some();
        if paired.boards.values().any(begun) {
            return Err(Conflict::RoundBegun(round).into());
        }
        if self.last_round() != Some(round) {
            return Err(Conflict::LaterRoundPaired(round).into());
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
                check_replaceable(*board, before, seats.restart)?;
            }
            let corrections = before.map_or_else(Vec::new, |before| before.corrections);
            if kept.insert(*board, corrections).is_some() {
                return Err(Invalid::BoardTwice(*board).into());
            }
        }
        for pairing in &seats.boards {
            self.check_pairing(&draft, round, pairing)?;
            self.check_teams(&draft, pairing)?;
            let mut seated = seat(pairing);
            seated.corrections = kept.remove(&pairing.board).unwrap_or_default();
            for player in pairing.players() {
                if draft.board_of(player).is_some() {
                    return Err(twice(player, round));
                }
                draft.byes.remove(&player);
            }
            draft.boards.insert(pairing.board, seated);
        }
        for pairing in &seats.boards {
            for player in pairing.players() {
                self.end_absence(player, round)?;
            }
        }
        self.rounds.insert(round, Arc::new(draft));
        Ok(())
    }

    /// Removes boards from a round. Their players then have neither an opponent nor a recorded bye.
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
                (true, _) => Conflict::GameStays(*board),
                (false, Some(_)) => Conflict::ResultStands(*board),
                (false, None) => continue,
            };
            return Err(why.into());
        }
        if draft.boards.is_empty() {
            return Err(Conflict::NoBoardLeft(round).into());
        }
        self.rounds.insert(round, Arc::new(draft));
        Ok(())
    }

    /// Removes a seated player's bye in a round. If the player was expected to enter in a later round, moves the entry
    /// to this round.
    fn end_absence(&mut self, player: PlayerNo, round: RoundNo) -> Result<(), Refusal> {
        let known = self.players.get(&player);
        if known.is_some_and(|known| known.enters > round || known.byes.contains_key(&round)) {
            let player = self.player_mut(player)?;
            player.enters = player.enters.min(round);
            player.byes.remove(&round);
        }
        Ok(())
    }
}

fn check_replaceable(board: BoardNo, before: &Board, restart: bool) -> Result<(), Refusal> {
    match (before.reached > BoardPhase::Preset, before.result) {
        (true, _) if !restart => Err(Conflict::GameBegun(board).into()),
        (_, Some(_)) => Err(Conflict::ResultStands(board).into()),
        (_, None) => Ok(()),
    }
}

fn seat(pairing: &Pairing) -> Board {
    Board {
        white: pairing.white,
        black: pairing.black,
        of_match: pairing.of_match,
        ..Board::new(PlayerNo(0), PlayerNo(0))
    }
}

fn twice(player: PlayerNo, round: RoundNo) -> Refusal {
    Conflict::PlayerTwice(player, round).into()
}
