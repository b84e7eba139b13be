//! The fold: computes the state of an event from its changes.
//!
//! Owns the state and the rules that accept or refuse each change. Must never modify the event when it refuses a
//! change.

mod bounds;
mod pairing;
mod published;
mod results;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    Actor, ActorKind, Board, BoardNo, Bye, Change, Conflict, Contest, Event, Forbidden, Player,
    PlayerNo, Refusal, Round, RoundNo, StatedStandings, Team, TeamNo,
};

pub use crate::numbers::MAX_ROUNDS;
pub(crate) use bounds::MAX_FIDE_ID;
pub use bounds::{
    MAX_BOARDS, MAX_CYCLES, MAX_PLAYER_NO, MAX_POINTS, MAX_RATING, MAX_TEAM_NO,
    check_abnormal_points,
};
pub use published::Publication;

/// The paired rounds of an event, by number.
pub type Rounds = BTreeMap<RoundNo, Arc<Round>>;

/// One event with its players, teams and rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    // Shared between copies: every result creates a copy, which differs in one round.
    event: Arc<Event>,
    players: Arc<BTreeMap<PlayerNo, Player>>,
    teams: Arc<BTreeMap<TeamNo, Team>>,
    rounds: Rounds,
    pub(super) stated: Option<Arc<StatedStandings>>,
}

impl Tournament {
    /// Returns an event without players.
    #[must_use]
    pub fn new(event: Event) -> Self {
        Self::restored(event, BTreeMap::new(), BTreeMap::new(), BTreeMap::new())
    }

    /// Restores an event from stored or received data, which is not checked.
    pub fn restored(
        event: Event,
        players: BTreeMap<PlayerNo, Player>,
        teams: BTreeMap<TeamNo, Team>,
        rounds: Rounds,
    ) -> Self {
        Self {
            event: Arc::new(event),
            players: Arc::new(players),
            teams: Arc::new(teams),
            rounds,
            stated: None,
        }
    }

    /// Returns the event's own data.
    #[must_use]
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Returns the players, by number.
    #[must_use]
    pub fn players(&self) -> &BTreeMap<PlayerNo, Player> {
        &self.players
    }

    /// Returns the teams, by number.
    #[must_use]
    pub fn teams(&self) -> &BTreeMap<TeamNo, Team> {
        &self.teams
    }

    /// Returns the paired rounds, by number.
    #[must_use]
    pub const fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Returns the last paired round.
    #[must_use]
    pub fn last_round(&self) -> Option<RoundNo> {
        self.rounds.keys().next_back().copied()
    }

    /// Returns the round being played: the first with a game without a result, otherwise the last paired round. An
    /// adjourned game counts as having a result. Later rounds may be paired in advance.
    #[must_use]
    pub fn current_round(&self) -> Option<RoundNo> {
        let open = |round: &Round| round.boards.values().any(|board| board.result.is_none());
        let played = self.rounds.iter().find(|(_, round)| open(round));
        played.map(|(no, _)| *no).or(self.last_round())
    }

    /// Returns a player's team, if any.
    #[must_use]
    pub fn team_of(&self, player: PlayerNo) -> Option<TeamNo> {
        let mut teams = self.teams.values();
        let team = teams.find(|team| team.players.contains(&player))?;
        Some(team.no)
    }

    /// Returns a player's bye in a round: the one in the round's pairing, else the one of [`Player::bye_in`]. A player
    /// left out of a paired round has at least a zero-point bye. Returns `None` for a paired player, and for a player
    /// without a bye in a round that is not paired.
    #[must_use]
    pub fn bye_of(&self, player: PlayerNo, round: RoundNo) -> Option<Bye> {
        let entered = self.players.get(&player);
        let granted = entered.and_then(|entered| entered.bye_in(round));
        let Some(paired) = self.rounds.get(&round) else {
            return granted;
        };
        match paired.byes.get(&player) {
            Some(bye) => Some(*bye),
            None if paired.board_of(player).is_some() => None,
            None => Some(granted.unwrap_or(Bye::Zero)),
        }
    }

    /// Returns the bye assigned to a player for a round: the one in the round's pairing, else the one
    /// of [`Player::bye_in`]. Returns `None` for a paired player, and for one with neither an opponent nor a bye.
    #[must_use]
    pub fn assigned_bye(&self, player: PlayerNo, round: RoundNo) -> Option<Bye> {
        let paired = self.rounds.get(&round);
        if paired.is_some_and(|paired| paired.board_of(player).is_some()) {
            return None;
        }
        let of_round = paired.and_then(|paired| paired.byes.get(&player).copied());
        of_round.or_else(|| self.players.get(&player)?.bye_in(round))
    }

    /// Applies one change, if the actor may make it and it does not contradict the event.
    ///
    /// # Errors
    /// Returns the reason for the refusal; the event is then unchanged.
    pub fn apply(&mut self, actor: &Actor, change: Change) -> Result<(), Refusal> {
        check_permission(actor, &change)?;
        let outdates_stated = self.outdates_stated(&change);
        self.make(actor, change)?;
        if outdates_stated {
            self.outdate_stated();
        }
        Ok(())
    }

    fn make(&mut self, actor: &Actor, change: Change) -> Result<(), Refusal> {
        match change {
            Change::SetEvent(event) => self.set_event(*event),
            Change::EnterPlayer(player) => self.enter_player(*player),
            Change::RemovePlayer(player) => self.remove_player(player),
            Change::Renumber(renumbering) => {
                self.numbers_may_change()?;
                *self = self.renumbered(&renumbering)?;
                Ok(())
            }
            Change::Withdraw(player, last) => {
                self.player_mut(player)?.leaves = Some(last);
                Ok(())
            }
            Change::ReturnPlayer(player) => {
                self.player_mut(player)?.leaves = None;
                Ok(())
            }
            Change::GrantBye(player, round, bye) => self.grant_bye(player, round, bye),
            Change::EnterTeam(team) => self.enter_team(*team),
            Change::RemoveTeam(team) => self.remove_team(team),
            Change::PairRound(round, pairings) => self.pair_round(round, &pairings),
            Change::Unpair(round) => self.unpair(round),
            Change::Reseat(round, seats) => self.reseat(round, &seats),
            Change::RemoveBoards(round, boards) => self.remove_boards(round, &boards),
            Change::Preset(round, board) => self.preset(round, board),
            Change::Start(round, scope) => self.start(round, &scope),
            Change::FirstPress(round, board) => self.first_press(round, board),
            Change::Propose(round, board, result, why) => self.propose(round, board, result, why),
            Change::Enter(round, board, result, reason) => {
                self.enter_result(actor, round, board, Some(result), reason)
            }
            Change::RemoveResult(round, board, reason) => {
                self.enter_result(actor, round, board, None, reason)
            }
            Change::ForfeitMatch(round, paired, forfeit) => {
                self.forfeit_match(round, paired, forfeit)
            }
            Change::StateStandings(stated) => self.state_standings(stated.map(|stated| *stated)),
            Change::Confirm(round) => self.confirm(actor, round),
            Change::Reopen(round, reason) => self.reopen(round, &reason),
        }
    }

    fn set_event(&mut self, event: Event) -> Result<(), Refusal> {
        bounds::check_event(&event)?;
        let last = self.last_round().map_or(0, |round| round.0);
        if event.rounds < last {
            return Err(Conflict::RoundPaired(RoundNo(last)).into());
        }
        for player in self.players.values() {
            if let Some((round, _)) = player.byes.range(RoundNo(event.rounds).next()..).next() {
                return Err(Conflict::ByeAfterEnd(player.no, *round).into());
            }
        }
        let teams = |event: &Event| matches!(event.contest, Contest::Teams { .. });
        if last > 0 && teams(&event) != teams(&self.event) {
            return Err(Conflict::ContestFixed.into());
        }
        self.event = Arc::new(event);
        Ok(())
    }

    fn state_standings(&mut self, stated: Option<StatedStandings>) -> Result<(), Refusal> {
        if let Some(stated) = &stated {
            bounds::check_stated(stated)?;
        }
        self.stated = stated.map(Arc::new);
        Ok(())
    }

    fn enter_player(&mut self, player: Player) -> Result<(), Refusal> {
        bounds::check_player(&player, self.event.rounds)?;
        Arc::make_mut(&mut self.players).insert(player.no, player);
        Ok(())
    }

    fn remove_player(&mut self, player: PlayerNo) -> Result<(), Refusal> {
        self.player_mut(player)?;
        let paired = |round: &Arc<Round>| {
            round.board_of(player).is_some() || round.byes.contains_key(&player)
        };
        if self.rounds.values().any(paired) {
            return Err(Conflict::PlayerPaired(player).into());
        }
        Arc::make_mut(&mut self.players).remove(&player);
        if self.event.contest == Contest::Individual {
            self.forget_forbidden(player.0);
        }
        for team in Arc::make_mut(&mut self.teams).values_mut() {
            team.players.retain(|member| *member != player);
        }
        Ok(())
    }

    fn grant_bye(
        &mut self,
        player: PlayerNo,
        round: RoundNo,
        bye: Option<Bye>,
    ) -> Result<(), Refusal> {
        self.player_mut(player)?;
        bounds::check_round(round, self.event.rounds)?;
        if let Some(paired) = self.rounds.get_mut(&round).map(Arc::make_mut) {
            if paired.confirmed.is_some() {
                return Err(Refusal::Confirmed(round));
            }
            if paired.board_of(player).is_some() {
                return Err(Conflict::PlayerInRound(player, round).into());
            }
            match bye {
                Some(bye) => paired.byes.insert(player, bye),
                None => paired.byes.remove(&player),
            };
        }
        let byes = &mut self.player_mut(player)?.byes;
        match bye {
            Some(bye) => byes.insert(round, bye),
            None => byes.remove(&round),
        };
        Ok(())
    }

    fn enter_team(&mut self, team: Team) -> Result<(), Refusal> {
        bounds::check_team(&team)?;
        for (place, player) in team.players.iter().enumerate() {
            if !self.players.contains_key(player) {
                return Err(Refusal::NoPlayer(*player));
            }
            let twice = team.players[..place].contains(player);
            if twice || self.team_of(*player).is_some_and(|other| other != team.no) {
                return Err(Conflict::PlayerInTeam(*player).into());
            }
        }
        Arc::make_mut(&mut self.teams).insert(team.no, team);
        Ok(())
    }

    fn remove_team(&mut self, team: TeamNo) -> Result<(), Refusal> {
        if !self.teams.contains_key(&team) {
            return Err(Refusal::NoTeam(team));
        }
        let paired = self.rounds.iter().find(|(_, round)| {
            let mut matches = round.matches.values();
            matches.any(|paired| paired.has(team)) || round.team_byes.contains_key(&team)
        });
        if let Some((round, _)) = paired {
            return Err(Conflict::TeamPaired(team, *round).into());
        }
        Arc::make_mut(&mut self.teams).remove(&team);
        self.forget_forbidden(team.0);
        Ok(())
    }

    fn forget_forbidden(&mut self, participant: u16) {
        let named = |rule: &Forbidden| rule.participants.contains(&participant);
        if self.event.forbidden.iter().any(named) {
            let rules = &mut Arc::make_mut(&mut self.event).forbidden;
            for rule in rules.iter_mut() {
                rule.participants.retain(|no| *no != participant);
            }
            rules.retain(|rule| rule.participants.len() > 1);
        }
    }

    fn player_mut(&mut self, player: PlayerNo) -> Result<&mut Player, Refusal> {
        Arc::make_mut(&mut self.players)
            .get_mut(&player)
            .ok_or(Refusal::NoPlayer(player))
    }

    fn open_round(&mut self, round: RoundNo) -> Result<&mut Round, Refusal> {
        let paired = self.rounds.get_mut(&round).ok_or(Refusal::NoRound(round))?;
        if paired.confirmed.is_some() {
            return Err(Refusal::Confirmed(round));
        }
        Ok(Arc::make_mut(paired))
    }

    fn open_board(&mut self, round: RoundNo, board: BoardNo) -> Result<&mut Board, Refusal> {
        let boards = &mut self.open_round(round)?.boards;
        boards.get_mut(&board).ok_or(Refusal::NoBoard(round, board))
    }
}

const fn check_permission(actor: &Actor, change: &Change) -> Result<(), Refusal> {
    match (required_role(change), actor.kind) {
        (_, ActorKind::ChiefArbiter | ActorKind::Program)
        | (Role::Arbiter, ActorKind::FloorArbiter)
        | (Role::Anyone, ActorKind::FloorArbiter | ActorKind::Clock) => Ok(()),
        (Role::Chief, ActorKind::FloorArbiter | ActorKind::Clock) => Err(Refusal::ChiefOnly),
        (Role::Arbiter, ActorKind::Clock) => Err(Refusal::ArbiterOnly),
    }
}

enum Role {
    Chief,
    Arbiter,
    Anyone,
}

const fn required_role(change: &Change) -> Role {
    match change {
        Change::SetEvent(_)
        | Change::EnterPlayer(_)
        | Change::RemovePlayer(_)
        | Change::Renumber(_)
        | Change::EnterTeam(_)
        | Change::RemoveTeam(_)
        | Change::PairRound(..)
        | Change::Unpair(_)
        | Change::Reseat(..)
        | Change::RemoveBoards(..)
        | Change::ForfeitMatch(..)
        | Change::StateStandings(_)
        | Change::Confirm(_)
        | Change::Reopen(..) => Role::Chief,
        Change::Withdraw(..)
        | Change::ReturnPlayer(_)
        | Change::GrantBye(..)
        | Change::Start(..)
        | Change::Enter(..)
        | Change::RemoveResult(..) => Role::Arbiter,
        Change::Preset(..) | Change::FirstPress(..) | Change::Propose(..) => Role::Anyone,
    }
}
