//! The clocks of the event's rounds: which board of the hall has which game, what an arbiter asks of a whole round, and what came of
//! it, board by board. The hall's board for board 7 of a round is the one called `7`.
//!
//! Every effect on a clock is an ordinary logged command, and everything the event learns from a clock an ordinary logged change: a
//! replay needs nothing of what stands here. Must never change a clock or the event otherwise.

mod anew;
pub(crate) mod controls;
mod follow;
mod preset;
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

pub(crate) use seat::Seat;

/// What is asked of the clocks of a round, or of some of them. Asking again is harmless.
#[derive(Clone, Debug)]
pub struct RoundRequest {
    /// Who asks.
    pub actor: Actor,
    /// Which round.
    pub round: RoundNo,
    /// Which of its boards.
    pub scope: Scope,
    /// Why, for the log.
    pub reason: String,
    /// Only says how the boards stand.
    pub dry_run: bool,
    /// What.
    pub work: RoundWork,
}

/// See [`RoundRequest`].
#[derive(Clone, Debug)]
pub enum RoundWork {
    /// Every clock gets control, names and number.
    Preset(Box<PresetWith>),
    /// White's clocks are started.
    Start,
}

/// With what clocks are set.
#[derive(Clone, Debug)]
pub struct PresetWith {
    /// Instead of the event's own control.
    pub control: Option<TimeControl>,
    /// A clock that was set for this round and has another control by now is set again.
    pub again: bool,
    /// Where the event names no control.
    pub fallback: TimeControl,
    /// Who starts White's clock on a board that is new in the hall.
    pub start: StartRule,
    /// The event's rule for fallen flags; `None`: the control's.
    pub after_flag: Option<timing::AfterFlag>,
}

/// How the boards of a round stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundAnswer {
    /// The event's version.
    pub version: u64,
    /// The control that clocks were asked to have, where it is the same for all.
    pub control: Option<TimeControl>,
    /// Every board that was meant, in order.
    pub boards: Vec<BoardWork>,
}

/// How one board stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardWork {
    /// Which.
    pub board: BoardNo,
    /// In a word.
    pub state: WorkState,
    /// What an arbiter needs to know beside it; may be empty.
    pub words: String,
    /// The control that its clock was asked to have.
    pub control: Option<TimeControl>,
}

/// See [`BoardWork`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkState {
    /// Nothing was asked of it yet.
    Open,
    /// Its clock has control, names and number, and waits for the start.
    Set,
    /// Its game has begun.
    Started,
    /// Its clock is there and has not answered yet.
    OnItsWay,
    /// Its clock is silent, and does it once it is heard.
    Silent,
    /// A rule is in the way.
    Refused,
    /// Its clock has another control than asked for.
    Differs,
    /// It has no clock.
    Missing,
    /// Nothing is to be played there.
    NoGame,
}

/// A state and its words.
type Stand = (WorkState, String);

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
        let stands = |(board, (state, words))| BoardWork {
            board,
            state,
            words,
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

    /// The game of the event that a board is set for.
    fn game_of(&self, board: &Board) -> Option<(RoundNo, BoardNo, &tournament::Board)> {
        let round = board.seat.round?;
        let event = self.fold.event.tournament().map(|event| &**event);
        Some((round, number(&board.id)?, game_at(event, round, &board.id)?))
    }

    /// Gives a command for the board's game of a round in somebody's name, if the rules allow it.
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

    /// How a board stands that waits for its clock.
    fn under_way(&self, board: &Board) -> Stand {
        match self.is_online(board) {
            true => (WorkState::OnItsWay, String::new()),
            false => {
                let words = "its clock is silent, and does it once it is heard";
                (WorkState::Silent, words.to_owned())
            }
        }
    }
}

/// The reason why a board's game of a round was given no command.
#[derive(Debug, thiserror::Error)]
enum NotGiven {
    /// The board is not in the hall.
    #[error(transparent)]
    NoBoard(#[from] Misfit),
    /// The rules refuse it.
    #[error("{0}")]
    Refused(Refusal),
    /// Its record does not fit the log.
    #[error(transparent)]
    NotLogged(#[from] FoldError),
}

/// A command for a game of the event, and in whose name.
#[derive(Clone, Copy, Debug)]
struct Order<'a> {
    board: &'a BoardId,
    round: RoundNo,
    actor: &'a str,
    reason: &'a str,
}

/// The boards of a round that are meant.
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

/// The hall's board for a board of a round.
pub(crate) fn hall_board(no: BoardNo) -> BoardId {
    let id = no.to_string().parse();
    // A number is one to five digits, which any board may be called.
    id.expect("a number names a board")
}

/// The number that a board of the hall is called.
fn number(id: &BoardId) -> Option<BoardNo> {
    let no = id.as_str().parse().ok().map(BoardNo)?;
    (no.to_string() == id.as_str()).then_some(no)
}

/// The game of a round that a board of the hall would have.
pub(crate) fn game_at<'a>(
    event: Option<&'a Tournament>,
    round: RoundNo,
    id: &BoardId,
) -> Option<&'a tournament::Board> {
    event?.rounds().get(&round)?.boards.get(&number(id)?)
}

/// Why nothing is to be played at a board of a round, if so.
fn no_game(event: Option<&Tournament>, round: RoundNo, game: &tournament::Board) -> Option<String> {
    if let Some(result) = game.result.filter(|_| finished(game)) {
        return Some(format!("it has its result, {}", result.label()));
    }
    if game.white.is_none() || game.black.is_none() {
        return Some("one side has nobody there".to_owned());
    }
    forfeited(event, round, game).map(|no| format!("match {no} is forfeited"))
}

/// The match of a game, if it is forfeited as a whole.
fn forfeited(
    event: Option<&Tournament>,
    round: RoundNo,
    game: &tournament::Board,
) -> Option<MatchNo> {
    let (no, _) = game.of_match?;
    let paired = event?.rounds().get(&round)?.matches.get(&no)?;
    paired.forfeit.map(|_| no)
}

/// Whether nothing more is played in a game of a round: it has its result, or its match is forfeited as a whole.
fn is_decided(event: Option<&Tournament>, round: RoundNo, game: &tournament::Board) -> bool {
    finished(game) || forfeited(event, round, game).is_some()
}

/// Whether a game has its result.
pub(crate) fn finished(game: &tournament::Board) -> bool {
    game.result.is_some_and(GameResult::is_final)
}
