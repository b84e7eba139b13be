//! Passes the progress and results of games from the clocks to the event, and changes from the event to the clocks.
//! Compares both states before any action, so that there are no loops. If the hub stops in between, its next start
//! completes the work.

use proto::log::Names;
use timing::{BoardState, Effect, Effects, Fact, Side};

use super::{hall_board, results};
use crate::Hall;
use crate::agent_frame::EventFact;
use crate::board_id::BoardId;
use crate::command_record::CommandKind;
use crate::effect::OpenStep;
use crate::entry::{Entry, Logged};
use crate::from_proto::MAX_NAME;
use tournament::{Actor, BoardPhase, Change, MatchNo, PlayerNo, ProposalReason, RoundNo, Scope};

impl Hall {
    pub(crate) fn on_tournament_changed(
        &mut self,
        changes: &[Change],
        logged: &Logged,
        step: &mut OpenStep,
    ) {
        let Entry::Event(entry) = &logged.entry else {
            return;
        };
        for change in changes {
            match change {
                Change::Start(round, scope) => {
                    self.on_start(*round, scope, &entry.actor, step);
                }
                Change::Enter(round, no, _, reason) | Change::RemoveResult(round, no, reason) => {
                    let lift = matches!(change, Change::RemoveResult(..));
                    let id = hall_board(*no);
                    if self.is_seated(&id, *round) {
                        self.agree(&id, &entry.actor.name, reason, lift, step);
                    }
                }
                Change::ForfeitMatch(round, paired, Some(_)) => {
                    self.stop_match(*round, *paired, &entry.actor.name, step);
                }
                Change::Reseat(_, seats) => {
                    for pairing in &seats.boards {
                        let id = hall_board(pairing.board);
                        self.follow_seats(&id, &entry.actor.name, step);
                    }
                }
                Change::SetEvent(_)
                | Change::EnterPlayer(_)
                | Change::RemovePlayer(_)
                | Change::Withdraw(..)
                | Change::ReturnPlayer(_)
                | Change::GrantBye(..)
                | Change::Renumber(_)
                | Change::EnterTeam(_)
                | Change::RemoveTeam(_)
                | Change::PairRound(..)
                | Change::Unpair(_)
                | Change::RemoveBoards(..)
                | Change::Preset(..)
                | Change::FirstPress(..)
                | Change::Propose(..)
                | Change::ForfeitMatch(_, _, None)
                | Change::StateStandings(_)
                | Change::Confirm(_)
                | Change::Reopen(..) => (),
            }
        }
    }

    /// Updates the clocks after the event was replaced or an import was undone, and removes results from them that the
    /// event no longer has.
    pub(crate) fn on_tournament_replaced(
        &mut self,
        lifted: &[BoardId],
        logged: &Logged,
        step: &mut OpenStep,
    ) {
        let Entry::Event(entry) = &logged.entry else {
            return;
        };
        for id in self.seated() {
            self.follow_seats(&id, &entry.actor.name, step);
            let lift = lifted.contains(&id);
            let reason = "to match the event";
            self.agree(&id, &entry.actor.name, reason, lift, step);
        }
    }

    fn seated(&self) -> Vec<BoardId> {
        let seated = self.fold.boards.values();
        let seated = seated.filter(|board| board.seat.any_round().is_some());
        seated.map(|board| board.id.clone()).collect()
    }

    fn stop_match(&mut self, round: RoundNo, paired: MatchNo, actor: &str, step: &mut OpenStep) {
        let event = self.fold.event.tournament.as_ref().cloned();
        let Some(of_round) = event.as_ref().and_then(|event| event.rounds().get(&round)) else {
            return;
        };
        let boards = of_round.boards.iter();
        for (no, _) in boards.filter(|(_, game)| game.of_match.is_some_and(|(no, _)| no == paired))
        {
            let id = hall_board(*no);
            if self.is_seated(&id, round) {
                self.agree(&id, actor, "", false, step);
            }
        }
    }

    /// Returns true if a board's game has no result because the result was removed.
    fn was_taken_back(&self, id: &BoardId) -> bool {
        let board = self.fold.boards.get(id);
        let game = board.and_then(|board| self.game_of(board));
        game.is_some_and(|(_, _, game)| {
            let last = game.corrections.last();
            game.result.is_none() && last.is_some_and(|correction| correction.to.is_none())
        })
    }

    fn is_seated(&self, id: &BoardId, round: RoundNo) -> bool {
        let board = self.fold.boards.get(id);
        board.is_some_and(|board| board.seat.round == Some(round))
    }

    /// Follows up after a command for a board's game was answered, or a clock adopted the board or one side of it.
    pub(crate) fn on_followed(&mut self, id: &BoardId, answered: bool, step: &mut OpenStep) {
        self.follow_seats(id, "hub", step);
        // If the event's result was removed while the command to show it was pending, this also removes it from the
        // clock.
        self.agree(id, "hub", "to match the event", answered, step);
    }

    /// Updates the players of a board. If its clock has begun a game between different players, the board is set again.
    fn follow_seats(&mut self, id: &BoardId, actor: &str, step: &mut OpenStep) {
        let board = self.fold.boards.get(id);
        match board.and_then(|board| board.seat.restart_round) {
            Some(round) => self.set_again(id, round, actor, step),
            None => self.follow_game(id, step),
        }
    }

    /// Sets the players' names for a board's game, and informs the event once the clock is set.
    fn follow_game(&mut self, id: &BoardId, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let Some((round, no, game)) = self.game_of(board) else {
            return;
        };
        if board.clock().state() != BoardState::Ready {
            return;
        }
        let phase = game.phase;
        let names = Names {
            white: self.player_name(game.white),
            black: self.player_name(game.black),
            round: round.to_string(),
        };
        let taken = board.is_taken();
        if names != board.names {
            let names = CommandKind::Names(names);
            // The fold always accepts names.
            let _ = self.hub_command(id, &format!("round {round}"), names, step);
        }
        if taken && phase == BoardPhase::Paired {
            self.tell_event(id, "its clock is set", Change::Preset(round, no), step);
        }
    }

    fn player_name(&self, no: Option<PlayerNo>) -> String {
        let event = self.fold.event.tournament.as_ref();
        let player = event.and_then(|event| event.players().get(&no?));
        let name = player.map_or("", |player| &*player.name);
        name[..name.floor_char_boundary(MAX_NAME)].to_owned()
    }

    /// Informs the event of the effects on a board's clock. `followed` is true if the record answered a command for the
    /// board's game.
    pub(crate) fn report_effects(
        &mut self,
        id: &BoardId,
        effects: &Effects,
        followed: bool,
        logged: &Logged,
        step: &mut OpenStep,
    ) {
        let seated = self.fold.boards.get(id);
        if seated.is_none_or(|board| board.seat.round.is_none()) {
            return;
        }
        for effect in effects.iter() {
            match *effect {
                Effect::Started { .. } => self.on_clock_started(id, logged, step),
                Effect::MoveCompleted { .. } => self.on_first_press(id, step),
                Effect::FlagCalled { side } => self.on_flag_called(id, side, step),
                Effect::Ended {
                    result: Some(result),
                } if !followed => {
                    let why = ProposalReason::Rules;
                    self.propose(id, results::of_clock(result), why, step);
                }
                Effect::Ended { .. }
                | Effect::PressIgnored { .. }
                | Effect::FlagFell { .. }
                | Effect::Stopped
                | Effect::PeriodEntered { .. }
                | Effect::AllotmentEntered { .. }
                | Effect::Paused
                | Effect::Resumed { .. }
                | Effect::Edited { .. }
                | Effect::Prepared
                | Effect::Restored
                | Effect::ButtonsChanged { .. }
                | Effect::ControlChanged => (),
            }
        }
    }

    fn on_clock_started(&mut self, id: &BoardId, logged: &Logged, step: &mut OpenStep) {
        let pressed = matches!(&logged.entry, Entry::AgentEvent { event, .. }
            if matches!(event.fact, EventFact::Players(Fact::Pressed(_))));
        if pressed {
            self.on_first_press(id, step);
            return;
        }
        let board = self.fold.boards.get(id);
        let Some((round, no, game)) = board.and_then(|board| self.game_of(board)) else {
            return;
        };
        if game.reached < BoardPhase::Started {
            let change = Change::Start(round, Scope::Board(no));
            let actor = Actor::program("hub");
            self.tell_event_as(id, &actor, "its clock was started", change, step);
        }
        // If a board of a forfeited match is started, even by the schedule, it is stopped again.
        self.agree(id, "hub", "", false, step);
    }

    fn on_first_press(&mut self, id: &BoardId, step: &mut OpenStep) {
        let board = self.fold.boards.get(id);
        let Some((round, no, game)) = board.and_then(|board| self.game_of(board)) else {
            return;
        };
        if game.reached < BoardPhase::Running {
            let change = Change::FirstPress(round, no);
            self.tell_event(id, "the first press", change, step);
        }
    }

    fn on_flag_called(&mut self, id: &BoardId, side: Side, step: &mut OpenStep) {
        let result = results::of_clock(timing::GameResult::win(side.other()));
        self.propose(id, result, ProposalReason::FlagCalled(side), step);
    }

    pub(super) fn tell_event(
        &mut self,
        id: &BoardId,
        reason: &str,
        change: Change,
        step: &mut OpenStep,
    ) {
        let actor = Actor::clock(id.as_str());
        self.tell_event_as(id, &actor, reason, change, step);
    }

    pub(super) fn tell_event_as(
        &mut self,
        id: &BoardId,
        actor: &Actor,
        reason: &str,
        change: Change,
        step: &mut OpenStep,
    ) {
        if let Err(why) = self.change_tournament(actor, reason, &[change], step) {
            let notice = crate::note::event_not_told(id, reason, why.text());
            self.note(step, notice);
        }
    }

    /// Completes work that the hub had not finished when it stopped.
    pub(crate) fn follow_all(&mut self, step: &mut OpenStep) {
        for id in self.seated() {
            self.follow_seats(&id, "hub", step);
            let lifted = self.was_taken_back(&id);
            self.agree(&id, "hub", "to match the event", lifted, step);
            let Some(board) = self.fold.boards.get(&id) else {
                continue;
            };
            let Some((_, _, game)) = self.game_of(board) else {
                continue;
            };
            let (result, started) = (board.clock().result(), board.opening.started.is_some());
            let silent = game.result.is_none()
                && game.proposed.is_none()
                && !lifted
                && !board.is_being_ended();
            if started && Side::BOTH.into_iter().any(|side| moves(board, side) > 0) {
                self.on_first_press(&id, step);
            }
            if let Some(result) = result.filter(|_| silent) {
                let why = ProposalReason::Clock;
                self.propose(&id, results::of_clock(result), why, step);
            }
        }
    }
}

fn moves(board: &crate::board::Board, side: Side) -> u32 {
    board.clock().side(side, board.clock().now()).moves
}
