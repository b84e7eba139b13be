//! Requests to the hall and their answers. An answer is an effect, sent only once the records of its step are durable.

use std::sync::Arc;

use proto::ids::CommandId;
use proto::log::ChiefRecovered;

use super::anomaly::NotesSeen;
use super::arbiter_view::{AgentInfo, BoardDetail};
use super::floor::{FloorAnswer, FloorRequest};
use super::held::{DecideHeld, DecisionOutcome, HoldRevocation, Limited, LogCall};
use super::outcome::Outcome;
use super::refusal::Refusal;
use super::request::{Enrolment, Request};
use super::round::{RoundRequest, RoundStatus};
use super::rulings::BoardProceedings;
use super::tournament::{TournamentAnswer, TournamentRequest};
use super::zero_test::Certificate;
use crate::time_chess::{PlayerRefusal, PlayerRequest};
use crate::view::PressLine;

/// The id of a caller that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplyId(pub u64);

/// A kind of request, and the type of its answer.
pub trait Ask: Into<HallRequest> {
    type Answer;

    /// Returns the answer in a reply; `None` if the reply answers a different kind of request.
    fn answer(reply: Reply) -> Option<Self::Answer>;
}

/// A request for the outcome of a command; the answer is `None` if its id is unknown or forgotten.
#[derive(Clone, Copy, Debug)]
pub struct AskOutcome(pub CommandId);

/// A request for every agent ever enrolled.
#[derive(Clone, Copy, Debug)]
pub struct AskAgents;

/// A request for the completed moves of a board's game, oldest first.
#[derive(Clone, Debug)]
pub struct AskPresses(pub String);

/// The answer to a command.
#[derive(Clone, Debug)]
pub struct Answer {
    pub id: CommandId,
    pub outcome: Outcome,
    /// The board after the command; `None` if the command concerns no board, or the board does not exist.
    pub board: Option<Arc<BoardDetail>>,
    /// After a clock test: the certificate of each clock of the board.
    pub certificates: Vec<Arc<Certificate>>,
}

/// A request for the rule set, the moves and the claims of a board's game. The answer is `None` if the board does not exist or has no rule set.
#[derive(Clone, Debug)]
pub struct AskProceedings(pub String);

macro_rules! requests {
    ($($(#[$doc:meta])* $kind:ident($request:ty) => $answer:ty;)*) => {
        /// A request that the hall answers.
        #[derive(Clone, Debug)]
        pub enum HallRequest {
            $($(#[$doc])* $kind(Box<$request>),)*
            /// An arbiter's command that waits for a second arbiter if it exceeds a limit. Answered as
            /// [`HallRequest::Command`].
            LimitedCommand(Box<Limited<Request>>),
            /// Changes to the event that wait for a second arbiter if they exceed a limit. Answered as
            /// [`HallRequest::Tournament`].
            LimitedTournament(Box<Limited<TournamentRequest>>),
        }

        /// The hall's answer to the [`HallRequest`] of the same name.
        #[derive(Clone, Debug)]
        pub enum Reply {
            $($(#[$doc])* $kind($answer),)*
        }

        $(
            impl From<$request> for HallRequest {
                fn from(request: $request) -> Self {
                    Self::$kind(Box::new(request))
                }
            }

            impl Ask for $request {
                type Answer = $answer;

                fn answer(reply: Reply) -> Option<$answer> {
                    let Reply::$kind(answer) = reply else { return None };
                    Some(answer)
                }
            }
        )*
    };
}

impl<R: Ask> Ask for Limited<R>
where
    Limited<R>: Into<HallRequest>,
{
    type Answer = R::Answer;

    fn answer(reply: Reply) -> Option<R::Answer> {
        R::answer(reply)
    }
}

impl From<Limited<Request>> for HallRequest {
    fn from(request: Limited<Request>) -> Self {
        Self::LimitedCommand(Box::new(request))
    }
}

impl From<Limited<TournamentRequest>> for HallRequest {
    fn from(request: Limited<TournamentRequest>) -> Self {
        Self::LimitedTournament(Box::new(request))
    }
}

requests! {
    /// An arbiter's command. If it must wait for a clock that is not connected, or that does not answer within 1.5
    /// seconds, the answer is that it is pending. A clock test is answered when it ends.
    Command(Request) => Answer;
    /// Changes to the event, which apply together or not at all.
    Tournament(TournamentRequest) => TournamentAnswer;
    /// A request to set or start the clocks of a round, or to report their state.
    Round(RoundRequest) => RoundStatus;
    /// Changes to the floor plan, which apply together or not at all.
    Floor(FloorRequest) => FloorAnswer;
    NotesSeen(NotesSeen) => ();
    /// A Time Chess player's action. A refusal must not reveal anything that the player may not see.
    Player(PlayerRequest) => Result<(), PlayerRefusal>;
    Enrol(Enrolment) => ();
    /// A revocation that waits for a second arbiter; the refusal in the answer says so.
    HoldRevocation(HoldRevocation) => Refusal;
    DecideHeld(DecideHeld) => DecisionOutcome;
    /// A call to be logged because it causes no other record.
    LogCall(LogCall) => ();
    /// The use of the recovery code; answered once it is in the log.
    Recover(ChiefRecovered) => ();
    Outcome(AskOutcome) => Option<Answer>;
    Agents(AskAgents) => Vec<AgentInfo>;
    Presses(AskPresses) => Vec<PressLine>;
    Proceedings(AskProceedings) => Option<Box<BoardProceedings>>;
}
