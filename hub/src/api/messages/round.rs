//! Converts the state of a round's clocks to messages.

use hall::{BoardReason, BoardWork, RoundAnswer, WorkState, to_proto};
use proto::grpc as wire;
use proto::grpc::BoardReasonKind as Kind;

pub(crate) fn reply(answer: RoundAnswer) -> wire::RoundReply {
    wire::RoundReply {
        version: answer.version,
        control: answer
            .control
            .map(|control| control.to_string())
            .unwrap_or_default(),
        boards: answer.boards.into_iter().map(board).collect(),
    }
}

fn board(board: BoardWork) -> wire::RoundBoard {
    wire::RoundBoard {
        board: board.board.0.into(),
        state: state(board.state).into(),
        words: board.words(),
        control: board
            .control
            .map(|control| control.to_string())
            .unwrap_or_default(),
        reason: board.reason.map(reason),
    }
}

fn reason(reason: BoardReason) -> wire::BoardReason {
    let mut to = wire::BoardReason::default();
    let kind = match reason {
        BoardReason::Refused(refusal) => {
            to.refusal = Some(refusal.to_wire());
            Kind::Refused
        }
        BoardReason::HasResult(result) => {
            to.result = Some(to_proto::tournament::result(result));
            Kind::HasResult
        }
        BoardReason::SideEmpty => Kind::SideEmpty,
        BoardReason::MatchForfeited(paired) => {
            to.number = paired.0.into();
            Kind::MatchForfeited
        }
        BoardReason::ClockSilent => Kind::ClockSilent,
        BoardReason::NotInHall(_) => Kind::NotInHall,
        BoardReason::ChiefAddsBoard(_) => Kind::ChiefAddsBoard,
        BoardReason::FormerGame(round) => {
            to.number = round.0.into();
            Kind::FormerGame
        }
        BoardReason::OtherControl { has, .. } => {
            to.control = has.to_string();
            Kind::OtherControl
        }
        BoardReason::GameEnded(result) => {
            to.result = result.map(to_proto::tournament::result);
            Kind::GameEnded
        }
        BoardReason::InPlay => Kind::InPlay,
        BoardReason::SideWithoutClock => Kind::SideWithoutClock,
        BoardReason::NoClock => Kind::NoClock,
        BoardReason::BlackStarts => Kind::BlackStarts,
        BoardReason::NotSet => Kind::NotSet,
    };
    to.set_kind(kind);
    to
}

fn state(state: WorkState) -> wire::BoardWork {
    match state {
        WorkState::Open => wire::BoardWork::Open,
        WorkState::Set => wire::BoardWork::Set,
        WorkState::Started => wire::BoardWork::Started,
        WorkState::OnItsWay => wire::BoardWork::OnItsWay,
        WorkState::Silent => wire::BoardWork::Silent,
        WorkState::Refused => wire::BoardWork::Refused,
        WorkState::Differs => wire::BoardWork::Differs,
        WorkState::Missing => wire::BoardWork::Missing,
        WorkState::NoGame => wire::BoardWork::NoGame,
    }
}
