//! Converts the state of a round's clocks to messages.

use hall::{BoardReason, BoardWork, RoundStatus, WorkState};
use proto::grpc as wire;
use proto::grpc::BoardReasonKind as Kind;

use super::table::{by_kind, renamed};
use super::text;

pub(crate) fn reply(answer: RoundStatus) -> wire::RoundReply {
    wire::RoundReply {
        version: answer.version,
        control: text(answer.control),
        boards: answer.boards.into_iter().map(board).collect(),
    }
}

fn board(board: BoardWork) -> wire::RoundBoard {
    wire::RoundBoard {
        board: board.board.0.into(),
        state: state(board.state).into(),
        words: board.words(),
        control: text(board.control),
        reason: board.reason.as_ref().map(reason),
    }
}

by_kind! {
    fn reason(BoardReason) -> wire::BoardReason {
        Refused(refusal) => Refused { refusal: refusal };
        HasResult(result) => HasResult { result: result };
        SideEmpty => SideEmpty;
        MatchForfeited(paired) => MatchForfeited { number: paired };
        ClockSilent => ClockSilent;
        NotInHall(_) => NotInHall;
        ChiefAddsBoard(_) => ChiefAddsBoard;
        FormerGame(round) => FormerGame { number: round };
        OtherControl { has, .. } => OtherControl { control: has };
        GameEnded(result) => GameEnded { result: result };
        InPlay => InPlay;
        SideWithoutClock => SideWithoutClock;
        NoClock => NoClock;
        BlackStarts => BlackStarts;
        NotSet => NotSet;
    }
}

fn state(state: WorkState) -> wire::BoardWork {
    renamed!(state, WorkState => wire::BoardWork {
        Open, Set, Started, OnItsWay, Silent, Refused, Differs, Missing, NoGame
    })
}
