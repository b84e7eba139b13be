//! The clocks of the event's rounds: the game of each board, an arbiter's requests for a whole round, and their results
//! board by board. Board 7 of a round is the hall's board `7`.
//!
//! Every effect on a clock is an ordinary logged command. Everything the event learns from a clock is an ordinary
//! logged change, so a replay does not need this module. Must never change a clock or the event in any other way.

pub(crate) mod controls;
mod follow;
mod preset;
mod reason;
mod restart;
mod results;
mod seat;
mod start;

use timing::{Hub, Instant, StartRule, TimeControl};

use super::Hall;
use super::board::Board;
use super::command_record::{CommandKind, CommandRecord};
use super::effect::{Denied, Step};
use super::fold::{FoldError, Misfit};
use super::input::BoardId;
use super::refusal::{Refusal, Why};
use tournament::{
    self, Actor, ActorKind, BoardNo, GameResult, MatchNo, Refusal as EventRefusal, RoundNo, Scope,
    Tournament,
};

pub use reason::BoardReason;
pub(crate) use seat::Seat;

/// A request for the clocks of a round, or of some of its boards. Repeating it is harmless.
#[derive(Clone, Debug)]
pub struct RoundRequest {
    /// The sender.
    pub actor: Actor,
    /// The round.
    pub round: RoundNo,
    /// The boards of the round.
    pub scope: Scope,
    /// The reason, for the log.
    pub reason: String,
    /// Reports how the boards stand without changing anything.
    pub dry_run: bool,
    /// The work to do.
    pub work: RoundWork,
}

/// The work of a [`RoundRequest`].
#[derive(Clone, Debug)]
pub enum RoundWork {
    /// Sets every clock's control, names and number.
    Preset(Box<PresetWith>),
    /// Starts White's clocks.
    Start,
}

/// The settings for [`RoundWork::Preset`].
#[derive(Clone, Debug)]
pub struct PresetWith {
    /// Replaces the event's own control.
    pub control: Option<TimeControl>,
    /// Sets a clock again if it was set for this round and its control has changed.
    pub again: bool,
    /// The control for an event that names none.
    pub fallback: TimeControl,
    /// The rule for starting White's clock on a board that is new in the hall.
    pub start: StartRule,
    /// The event's rule for fallen flags; `None` means the control's own rule.
    pub after_flag: Option<timing::AfterFlag>,
}

/// The state of the boards of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundAnswer {
    /// The event's version.
    pub version: u64,
    /// The requested control, if it is the same for all boards.
    pub control: Option<TimeControl>,
    /// The boards in scope, in order.
    pub boards: Vec<BoardWork>,
}

/// The state of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardWork {
    /// The board.
    pub board: BoardNo,
    /// The state, as one word.
    pub state: WorkState,
    /// The reason for the state, if the arbiter needs one.
    pub reason: Option<BoardReason>,
    /// The control that was requested for its clock.
    pub control: Option<TimeControl>,
}

impl BoardWork {
    /// Returns the reason in English; empty if there is none.
    pub fn words(&self) -> String {
        let reason = self.reason.as_ref();
        reason.map(ToString::to_string).unwrap_or_default()
    }
}

/// The state of a [`BoardWork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkState {
    /// Nothing was requested yet.
    Open,
    /// The clock has its control, names and number, and waits for the start.
    Set,
    /// The game has begun.
    Started,
    /// The clock is connected and has not answered yet.
    OnItsWay,
    /// The clock has no signal and will act when it is heard again.
    Silent,
    /// A rule prevents it.
    Refused,
    /// The clock has a different control from the requested one.
    Differs,
    /// The board has no clock.
    Missing,
    /// No game is due on the board.
    NoGame,
}

type Stand = (WorkState, Option<BoardReason>);

impl Hall {
    pub(crate) fn on_round_request(
        &mut self,
        now: Instant<Hub>,
        request: &RoundRequest,
        step: &mut Step,
    ) -> Result<RoundAnswer, Denied> {
        if request.actor.kind == ActorKind::Clock {
            let why = EventRefusal::ArbiterOnly;
            return Err(Denied::Forbidden(why.into()));
        }
        let event = self.fold.event.tournament().cloned();
        let event = event.ok_or_else(|| Denied::NotFound(Why::NoEvent.into()))?;
        let boards = boards_of(&event, request.round, &request.scope)?;
        let (controls, boards) = match &request.work {
            RoundWork::Preset(with) => {
                let controls = controls::Controls::of(event.event(), with)?;
                let boards = self.preset(now, request, with, &controls, &boards, step);
                (Some(controls), boards)
            }
            RoundWork::Start => (None, self.start(now, request, &boards, step)?),
        };
        let stands = |(board, (state, reason))| BoardWork {
            board,
            state,
            reason,
            control: controls.as_ref().map(|controls| controls.at(board).clone()),
        };
        let boards: Vec<BoardWork> = boards.into_iter().map(stands).collect();
        let first = boards.first().and_then(|board| board.control.clone());
        Ok(RoundAnswer {
            version: self.fold.event.version,
            control: first.filter(|first| {
                let mut others = boards.iter();
                others.all(|board| board.control.as_ref() == Some(first))
            }),
            boards,
        })
    }

    /// Returns the event's game for which a board is set.
    fn game_of(&self, board: &Board) -> Option<(RoundNo, BoardNo, &tournament::Board)> {
        let round = board.seat.round?;
        let event = self.fold.event.tournament().map(|event| &**event);
        Some((round, number(&board.id)?, game_at(event, round, &board.id)?))
    }

    /// Gives a command for the board's game of a round in the actor's name, if the rules allow it.
    fn give(
        &mut self,
        now: Instant<Hub>,
        order: Order<'_>,
        command: timing::Command,
        step: &mut Step,
    ) -> Result<(), NotGiven> {
        let board = self.fold.board(order.board)?;
        match self.judge_command(board, board.changes.seq, command) {
            Ok(kind) => self.give_kind(now, order, kind, step),
            Err(why) => Err(NotGiven::Refused(why)),
        }
    }

    fn give_kind(
        &mut self,
        now: Instant<Hub>,
        order: Order<'_>,
        kind: CommandKind,
        step: &mut Step,
    ) -> Result<(), NotGiven> {
        let record = CommandRecord {
            round: Some(order.round),
            ..self.own_command(order.board, order.actor, order.reason, kind)
        };
        Ok(self.log_command(now, Some(order.board.clone()), record, step)?)
    }

    /// Returns the state of a board that waits for its clock.
    fn under_way(&self, board: &Board) -> Stand {
        match self.is_online(board) {
            true => (WorkState::OnItsWay, None),
            false => (WorkState::Silent, Some(BoardReason::ClockSilent)),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum NotGiven {
    #[error(transparent)]
    NoBoard(#[from] Misfit),
    #[error("{0}")]
    Refused(Refusal),
    /// The record does not fit the log.
    #[error(transparent)]
    NotLogged(#[from] FoldError),
}

/// The target, actor and reason of a command for a game of the event.
#[derive(Clone, Copy, Debug)]
struct Order<'a> {
    board: &'a BoardId,
    round: RoundNo,
    actor: &'a str,
    reason: &'a str,
}

/// Returns the boards of a round that are in scope.
fn boards_of(event: &Tournament, round: RoundNo, scope: &Scope) -> Result<Vec<BoardNo>, Denied> {
    let paired = event
        .rounds()
        .get(&round)
        .ok_or_else(|| Denied::NotFound(EventRefusal::NoRound(round).into()))?;
    if paired.confirmed.is_some() {
        return Err(Denied::Unfit(EventRefusal::Confirmed(round).into()));
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

/// Returns the hall's board for a board of a round.
pub(crate) fn hall_board(no: BoardNo) -> BoardId {
    let id = no.to_string().parse();
    // A number has one to five digits and is always a valid board name.
    id.expect("a number names a board")
}

/// Returns a hall board's number, if its name is one.
fn number(id: &BoardId) -> Option<BoardNo> {
    let no = id.as_str().parse().ok().map(BoardNo)?;
    (no.to_string() == id.as_str()).then_some(no)
}

/// Returns the game of a round for a board of the hall.
pub(crate) fn game_at<'a>(
    event: Option<&'a Tournament>,
    round: RoundNo,
    id: &BoardId,
) -> Option<&'a tournament::Board> {
    event?.rounds().get(&round)?.boards.get(&number(id)?)
}

/// Returns the reason why no game is due at a board of a round.
fn no_game(
    event: Option<&Tournament>,
    round: RoundNo,
    game: &tournament::Board,
) -> Option<BoardReason> {
    if let Some(result) = game.result.filter(|_| finished(game)) {
        return Some(BoardReason::HasResult(result));
    }
    if game.white.is_none() || game.black.is_none() {
        return Some(BoardReason::SideEmpty);
    }
    forfeited(event, round, game).map(BoardReason::MatchForfeited)
}

/// Returns the match of a game, if the match is forfeited.
fn forfeited(
    event: Option<&Tournament>,
    round: RoundNo,
    game: &tournament::Board,
) -> Option<MatchNo> {
    let (no, _) = game.of_match?;
    let paired = event?.rounds().get(&round)?.matches.get(&no)?;
    paired.forfeit.map(|_| no)
}

/// Returns true if a game of a round is decided: it has its result, or its match is forfeited.
fn is_decided(event: Option<&Tournament>, round: RoundNo, game: &tournament::Board) -> bool {
    finished(game) || forfeited(event, round, game).is_some()
}

/// Returns true if a game has its final result.
pub(crate) fn finished(game: &tournament::Board) -> bool {
    game.result.is_some_and(GameResult::is_final)
}
