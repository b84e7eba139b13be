//! Carries out the requests for the clocks of a round.

use super::{
    BoardReason, BoardWork, RoundRequest, RoundStatus, RoundWork, WorkState, controls, game_at,
    number,
};
use crate::Hall;
use crate::board::Board;
use crate::board_id::BoardId;
use crate::command_record::{CommandKind, CommandRecord};
use crate::effect::OpenStep;
use crate::fold::{FoldError, RecordConflict};
use crate::outcome::Denied;
use crate::refusal::{Refusal, Why};
use tournament::{ActorKind, BoardNo, Refusal as EventRefusal, RoundNo, Scope, Tournament};

pub(super) type Stand = (WorkState, Option<BoardReason>);

impl Hall {
    pub(crate) fn on_round_request(
        &mut self,
        request: &RoundRequest,
        step: &mut OpenStep,
    ) -> Result<RoundStatus, Denied> {
        if request.actor.kind == ActorKind::Clock {
            let why = EventRefusal::ArbiterOnly;
            return Err(Denied::Forbidden(why.into()));
        }
        let event = self.fold.event.tournament.as_ref().cloned();
        let event = event.ok_or_else(|| Denied::NotFound(Why::NoEvent.into()))?;
        let boards = boards_of(&event, request.round, &request.scope)?;
        let (controls, boards) = match &request.work {
            RoundWork::Preset(with) => {
                let controls = controls::Controls::of(event.event(), with)?;
                let boards = self.preset(request, with, &controls, &boards, step);
                (Some(controls), boards)
            }
            RoundWork::Start => (None, self.start(request, &boards, step)?),
        };
        let stands = |(board, (state, reason))| BoardWork {
            board,
            state,
            reason,
            control: controls
                .as_ref()
                .map(|controls| controls.at(board).control.clone()),
        };
        let boards: Vec<BoardWork> = boards.into_iter().map(stands).collect();
        let first = boards.first().and_then(|board| board.control.clone());
        Ok(RoundStatus {
            version: self.fold.event.version,
            control: first.filter(|first| {
                let mut others = boards.iter();
                others.all(|board| board.control.as_ref() == Some(first))
            }),
            boards,
        })
    }

    pub(super) fn game_of(&self, board: &Board) -> Option<(RoundNo, BoardNo, &tournament::Board)> {
        let round = board.seat.round?;
        let event = self.fold.event.tournament.as_deref();
        Some((round, number(&board.id)?, game_at(event, round, &board.id)?))
    }

    pub(super) fn give(
        &mut self,
        order: Order<'_>,
        command: timing::Command,
        step: &mut OpenStep,
    ) -> Result<(), NotGiven> {
        let board = self.fold.board(order.board)?;
        match self.judge_command(board, board.changes.seq, command) {
            Ok(kind) => self.give_kind(order, kind, step),
            Err(why) => Err(NotGiven::Refused(why)),
        }
    }

    pub(super) fn give_kind(
        &mut self,
        order: Order<'_>,
        kind: CommandKind,
        step: &mut OpenStep,
    ) -> Result<(), NotGiven> {
        let sets_a_game = matches!(
            kind,
            CommandKind::AddBoard(_) | CommandKind::Board(timing::Command::Prepare(_))
        );
        let record = CommandRecord {
            round: Some(order.round),
            draw_odds: order.draw_odds.filter(|_| sets_a_game),
            ..self.own_command(order.board, order.actor, order.reason, kind)
        };
        Ok(self.log_command(Some(order.board.clone()), record, step)?)
    }

    pub(super) fn under_way(&self, board: &Board) -> Stand {
        match self.is_online(board) {
            true => (WorkState::OnItsWay, None),
            false => (WorkState::Silent, Some(BoardReason::ClockSilent)),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum NotGiven {
    #[error(transparent)]
    NoBoard(#[from] RecordConflict),
    #[error("{0}")]
    Refused(Refusal),
    #[error(transparent)]
    NotLogged(#[from] FoldError),
}

impl From<NotGiven> for BoardReason {
    fn from(why: NotGiven) -> Self {
        Self::Refused(match why {
            NotGiven::Refused(refusal) => refusal,
            NotGiven::NoBoard(_) | NotGiven::NotLogged(_) => Why::TextOnly(why.to_string()).into(),
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) board: &'a BoardId,
    pub(super) round: RoundNo,
    pub(super) actor: &'a str,
    pub(super) reason: &'a str,
    /// The side with draw odds, if the command sets a game.
    pub(super) draw_odds: Option<timing::Side>,
}

pub(super) fn boards_of(
    event: &Tournament,
    round: RoundNo,
    scope: &Scope,
) -> Result<Vec<BoardNo>, Denied> {
    let paired = event
        .rounds()
        .get(&round)
        .ok_or_else(|| Denied::NotFound(EventRefusal::NoRound(round).into()))?;
    if paired.confirmed.is_some() {
        return Err(Denied::NotPossible(EventRefusal::Confirmed(round).into()));
    }
    let all = || paired.boards.keys().copied();
    match scope {
        Scope::All => Ok(all().collect()),
        Scope::Board(board) if paired.boards.contains_key(board) => Ok(vec![*board]),
        Scope::Board(board) => Err(Denied::NotFound(
            EventRefusal::NoBoard(round, *board).into(),
        )),
        Scope::Sector(name) => match event.event().sectors.get(name) {
            Some(sector) => Ok(all().filter(|no| sector.has(*no)).collect()),
            None => Err(Denied::NotFound(
                EventRefusal::NoSector(name.clone()).into(),
            )),
        },
    }
}
