//! The clocks of the event's rounds: each board's game, an arbiter's requests for a whole round, and their outcome for
//! each board. Board 7 of a round is the hall's board `7`.
//!
//! Every effect on a clock is an ordinary logged command. Everything that the event learns from a clock is an ordinary
//! logged change, so a replay does not need this module. Must never change a clock or the event in any other way.

pub(crate) mod controls;
mod follow;
mod preset;
mod reason;
mod requests;
mod restart;
mod results;
mod seat;
mod start;

use timing::{Side, StartRule, TimeControl};

use super::board_id::BoardId;
use tournament::{Actor, BoardNo, GameResult, MatchNo, RoundNo, Scope, Tournament};

pub use reason::BoardReason;
pub(crate) use seat::Seat;

/// A request for the clocks of a round, or of some of its boards. Repeating the request is harmless.
#[derive(Clone, Debug)]
pub struct RoundRequest {
    pub actor: Actor,
    pub round: RoundNo,
    pub scope: Scope,
    /// The reason for the request, for the log.
    pub reason: String,
    /// True to report the state of the boards without changing anything.
    pub dry_run: bool,
    pub work: RoundWork,
}

#[derive(Clone, Debug)]
pub enum RoundWork {
    /// Sets the clocks for their games.
    Preset(Box<PresetWith>),
    /// Starts every board that waits for an arbiter's start.
    Start,
}

/// The settings for [`RoundWork::Preset`].
#[derive(Clone, Debug)]
pub struct PresetWith {
    /// The control that replaces the event's own; `None` keeps the event's.
    pub control: Option<TimeControl>,
    /// The side with draw odds in games with `control`, or with `fallback` if `control` is `None`.
    pub draw_odds: Option<Side>,
    /// True to set a clock again if it was set for this round with a different control.
    pub again: bool,
    /// The control for an event that names none.
    pub fallback: TimeControl,
    /// The rule for starting White's clock on a board that is new in the hall.
    pub start: StartRule,
    /// The event's rule for fallen flags; `None` means the control's own rule.
    pub after_flag: Option<timing::AfterFlag>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundStatus {
    pub version: u64,
    /// The time control of the boards in scope; `None` if they differ, if there are none, or for a start.
    pub control: Option<TimeControl>,
    /// The boards in scope, in order.
    pub boards: Vec<BoardWork>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardWork {
    pub board: BoardNo,
    pub state: WorkState,
    pub reason: Option<BoardReason>,
    /// The control that was requested for the board's clock; `None` for a start.
    pub control: Option<TimeControl>,
}

impl BoardWork {
    /// Returns the reason in English; empty if there is none.
    pub fn words(&self) -> String {
        let reason = self.reason.as_ref();
        reason.map(ToString::to_string).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkState {
    /// The action is possible, but has not been requested yet.
    Open,
    /// The clock is set for the game.
    Set,
    /// The game has begun.
    Started,
    /// The clock is connected but has not answered yet.
    OnItsWay,
    /// The clock has no signal and will act when it reconnects.
    Silent,
    /// The action is refused.
    Refused,
    /// The clock has a different control from the requested one.
    Differs,
    /// The board is not in the hall, or a clock is missing.
    Missing,
    /// No game is due on the board.
    NoGame,
}

pub(crate) fn hall_board(no: BoardNo) -> BoardId {
    let id = no.to_string().parse();
    // A number has one to five digits and is always a valid board name.
    id.expect("a number names a board")
}

/// Returns a hall board's number, if the board's name is a number.
fn number(id: &BoardId) -> Option<BoardNo> {
    let no = id.as_str().parse().ok().map(BoardNo)?;
    (no.to_string() == id.as_str()).then_some(no)
}

pub(crate) fn game_at<'a>(
    event: Option<&'a Tournament>,
    round: RoundNo,
    id: &BoardId,
) -> Option<&'a tournament::Board> {
    event?.rounds().get(&round)?.boards.get(&number(id)?)
}

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

/// Returns the number of a game's match, if that match is forfeited.
fn forfeited(
    event: Option<&Tournament>,
    round: RoundNo,
    game: &tournament::Board,
) -> Option<MatchNo> {
    let (no, _) = game.of_match?;
    let paired = event?.rounds().get(&round)?.matches.get(&no)?;
    paired.forfeit.map(|_| no)
}

fn is_decided(event: Option<&Tournament>, round: RoundNo, game: &tournament::Board) -> bool {
    finished(game) || forfeited(event, round, game).is_some()
}

pub(crate) fn finished(game: &tournament::Board) -> bool {
    game.result.is_some_and(GameResult::is_final)
}
