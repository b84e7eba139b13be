//! The details of the event's refusals, for programs that word them in their reader's language. Owns the kind of each.

use proto::refusal::{RefusalDetail, RefusalDetailKind as Kind};
use tournament::{Conflict, Impossible, Invalid, RoundNo};

use crate::to_proto;

pub(super) fn invalid(why: &Invalid) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    detail.set_kind(kind_of_invalid(why));
    add_invalid(why, &mut detail);
    detail
}

pub(super) fn conflict(why: &Conflict) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    detail.set_kind(kind_of_conflict(why));
    add_conflict(why, &mut detail);
    detail
}

pub(super) fn impossible(why: &Impossible) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    let kind = match why {
        Impossible::CountInChess => Kind::CountInChess,
        Impossible::WinWithoutLoss => Kind::WinWithoutLoss,
        Impossible::NoPoints => Kind::NoPoints,
        Impossible::NoDiscs => Kind::NoDiscs,
        Impossible::DiscSum => Kind::DiscSum,
        Impossible::HigherCountWins => Kind::HigherCountWins,
        Impossible::SideEmpty(board, side) => {
            detail.board = board.0.into();
            detail.set_side(to_proto::side(*side));
            Kind::SideEmpty
        }
    };
    detail.set_kind(kind);
    detail
}

fn kind_of_invalid(why: &Invalid) -> Kind {
    match why {
        Invalid::Rounds { .. } => Kind::Rounds,
        Invalid::MatchBoards { .. } => Kind::MatchBoards,
        Invalid::Cycles { .. } => Kind::Cycles,
        Invalid::ResultPoints { .. } => Kind::ResultPoints,
        Invalid::RoundRange(..) => Kind::RoundRange,
        Invalid::ParticipantNo { .. } => Kind::ParticipantNumber,
        Invalid::ParticipantRange(..) => Kind::ParticipantRange,
        Invalid::LoneForbidden => Kind::LoneForbidden,
        Invalid::TooManyRules(_) => Kind::TooManyRules,
        Invalid::AbnormalPoints(_) => Kind::AbnormalPoints,
        Invalid::Player { .. } => Kind::Player,
        Invalid::Title(_) => Kind::Title,
        Invalid::Rating { .. } => Kind::Rating,
        Invalid::FideId(_) => Kind::FideId,
        Invalid::RoundZero => Kind::RoundZero,
        Invalid::Team { .. } => Kind::Team,
        Invalid::Place { .. } => Kind::Place,
        Invalid::StatedPoints(_) => Kind::StatedPoints,
        Invalid::Round { .. } => Kind::Round,
        Invalid::Federation(_) => Kind::Federation,
        Invalid::ControlCharacter(_) => Kind::ControlCharacter,
        Invalid::BoardZero => Kind::BoardZero,
        Invalid::SamePlayer => Kind::SamePlayer,
        Invalid::EmptyBoard => Kind::EmptyBoard,
        Invalid::BoardWithoutMatch(_) => Kind::BoardWithoutMatch,
        Invalid::LonePlayer(_) => Kind::LonePlayer,
        Invalid::BoardTwice(_) => Kind::BoardTwice,
        Invalid::OrderTwice(_) => Kind::OrderTwice,
        Invalid::OrderMissing(_) => Kind::OrderMissing,
        Invalid::OrderNotDrawn => Kind::OrderNotDrawn,
        Invalid::TableRound { .. } => Kind::TableRound,
    }
}

fn add_invalid(why: &Invalid, to: &mut RefusalDetail) {
    match why {
        Invalid::Rounds { most, given }
        | Invalid::MatchBoards { most, given }
        | Invalid::Cycles { most, given }
        | Invalid::ParticipantNo { most, given }
        | Invalid::Rating { most, given }
        | Invalid::Place { most, given } => limits(to, *most, *given),
        Invalid::Round {
            rounds: most,
            given,
        }
        | Invalid::TableRound { last: most, given } => limits(to, *most, given.0),
        Invalid::RoundRange(first, last) => limits(to, last.0, first.0),
        Invalid::ParticipantRange(first, last) => limits(to, *last, *first),
        Invalid::TooManyRules(most) | Invalid::Player { most } | Invalid::Team { most } => {
            to.most = (*most).into();
        }
        Invalid::ResultPoints { most, given } => {
            (to.most_points, to.points) = (most.hundredths(), given.hundredths());
        }
        Invalid::AbnormalPoints(points) | Invalid::StatedPoints(points) => {
            to.points = points.hundredths();
        }
        Invalid::Title(text) | Invalid::Federation(text) | Invalid::ControlCharacter(text) => {
            to.names.push(text.clone());
        }
        Invalid::FideId(id) => to.names.push(id.to_string()),
        Invalid::BoardWithoutMatch(board)
        | Invalid::LonePlayer(board)
        | Invalid::BoardTwice(board) => to.board = board.0.into(),
        Invalid::OrderTwice(player) | Invalid::OrderMissing(player) => {
            to.number = player.0.into();
        }
        Invalid::LoneForbidden
        | Invalid::RoundZero
        | Invalid::BoardZero
        | Invalid::SamePlayer
        | Invalid::EmptyBoard
        | Invalid::OrderNotDrawn => (),
    }
}

fn kind_of_conflict(why: &Conflict) -> Kind {
    match why {
        Conflict::RoundPaired(_) => Kind::RoundPaired,
        Conflict::ByeAfterEnd(..) => Kind::ByeAfterEnd,
        Conflict::ContestFixed => Kind::ContestFixed,
        Conflict::PlayerPaired(_) => Kind::PlayerPaired,
        Conflict::PlayerInRound(..) => Kind::PlayerInRound,
        Conflict::PlayerInTeam(_) => Kind::PlayerInTeam,
        Conflict::TeamPaired(..) => Kind::TeamPaired,
        Conflict::NotRoundRobin => Kind::NotRoundRobin,
        Conflict::AlreadyBegun(_) => Kind::AlreadyBegun,
        Conflict::HasResult(_) => Kind::HasResult,
        Conflict::RoundOpen { .. } => Kind::RoundOpen,
        Conflict::NotConfirmed(_) => Kind::NotConfirmed,
        Conflict::RoundSkipped(_) => Kind::RoundSkipped,
        Conflict::BoardTwice(..) => Kind::RoundBoardTwice,
        Conflict::TeamTwice(..) => Kind::TeamTwice,
        Conflict::MatchTwice(..) => Kind::MatchTwice,
        Conflict::PlayerTwice(..) => Kind::PlayerTwice,
        Conflict::OtherTeam { .. } => Kind::OtherTeam,
        Conflict::SameTeam { .. } => Kind::SameTeam,
        Conflict::RoundBegun(_) => Kind::RoundBegun,
        Conflict::LaterRoundPaired(_) => Kind::LaterRoundPaired,
        Conflict::GameStays(_) => Kind::GameStays,
        Conflict::ResultStands(_) => Kind::ResultStands,
        Conflict::GameBegun(_) => Kind::GameBegun,
        Conflict::NoBoardLeft(_) => Kind::NoBoardLeft,
        Conflict::SectorControls(..) => Kind::SectorControls,
    }
}

fn add_conflict(why: &Conflict, to: &mut RefusalDetail) {
    match why {
        Conflict::RoundPaired(round)
        | Conflict::NotConfirmed(round)
        | Conflict::RoundSkipped(round)
        | Conflict::RoundBegun(round)
        | Conflict::LaterRoundPaired(round)
        | Conflict::NoBoardLeft(round) => to.round = round.0.into(),
        Conflict::ByeAfterEnd(player, round)
        | Conflict::PlayerInRound(player, round)
        | Conflict::PlayerTwice(player, round) => in_round(to, *round, player.0),
        Conflict::TeamPaired(team, round) | Conflict::TeamTwice(team, round) => {
            in_round(to, *round, team.0);
        }
        Conflict::MatchTwice(round, paired) => in_round(to, *round, paired.0),
        Conflict::PlayerPaired(player) | Conflict::PlayerInTeam(player) => {
            to.number = player.0.into();
        }
        Conflict::AlreadyBegun(board)
        | Conflict::HasResult(board)
        | Conflict::GameStays(board)
        | Conflict::ResultStands(board)
        | Conflict::GameBegun(board) => to.board = board.0.into(),
        Conflict::RoundOpen { round, open } => {
            to.round = round.0.into();
            to.board = open.map_or(0, |board| board.0.into());
        }
        Conflict::BoardTwice(round, board) => {
            (to.round, to.board) = (round.0.into(), board.0.into());
        }
        Conflict::OtherTeam {
            player,
            team,
            board,
            teams,
        } => {
            (to.number, to.board) = (player.0.into(), board.0.into());
            to.names = teams.iter().chain(team).cloned().collect();
        }
        Conflict::SameTeam {
            players: [one, other],
            team,
            board,
            teams,
        } => {
            limits(to, other.0, one.0);
            to.board = board.0.into();
            to.names = teams.iter().chain([team]).cloned().collect();
        }
        Conflict::SectorControls(one, other) => to.names = vec![one.clone(), other.clone()],
        Conflict::ContestFixed | Conflict::NotRoundRobin => (),
    }
}

fn limits(to: &mut RefusalDetail, most: u16, given: u16) {
    (to.most, to.number) = (most.into(), given.into());
}

fn in_round(to: &mut RefusalDetail, round: RoundNo, number: u16) {
    (to.round, to.number) = (round.0.into(), number.into());
}
