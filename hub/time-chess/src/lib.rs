#![doc = include_str!("../README.md")]

mod attempt;
mod fen;
mod game;
mod moves;
mod outcome;
mod pgn;
mod phase;
mod position;
mod san;
mod timed;
mod turn;
mod view;

pub use attempt::{Attempt, BadAttempt};
pub use fen::{FenError, FenProblem};
pub use game::Game;
pub use outcome::{Outcome, Reason};
pub use pgn::{Annotated, BadComment, Note, PgnError, TurnProblem, VARIANT};
pub use phase::{Phase, UnknownPhase};
pub use position::{ImpossiblePosition, Position};
pub use shakmaty;
pub use timed::{Press, TimedGame, TimedRefusal, color_of, side_of};
pub use turn::{Forfeit, Refusal, Turn, TurnResult};
pub use view::{SeenTurn, View, Viewer};
