//! The details of the event's refusals, for programs that word them in their reader's language. Owns the kind of each.

use proto::refusal::{RefusalDetail, RefusalDetailKind as Kind};
use tournament::{Conflict, Impossible, Invalid, RoundNo};

use crate::to_proto;

pub(super) fn invalid(why: &Invalid) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    let kind = kind_of_invalid(why, &mut detail);
    detail.set_kind(kind);
    detail
}

pub(super) fn conflict(why: &Conflict) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    let kind = kind_of_conflict(why, &mut detail);
    detail.set_kind(kind);
    detail
}

pub(super) fn impossible(why: &Impossible) -> RefusalDetail {
    let mut detail = RefusalDetail::default();
    let to = &mut detail;
    let kind = match why {
        Impossible::CountInChess => Kind::CountInChess,
        Impossible::WinWithoutLoss => Kind::WinWithoutLoss,
        Impossible::NoPoints => Kind::NoPoints,
        Impossible::NoDiscs => Kind::NoDiscs,
        Impossible::DiscSum => Kind::DiscSum,
        Impossible::HigherCountWins => Kind::HigherCountWins,
        Impossible::SideEmpty(board, side) => {
            to.board = board.0.into();
            to.set_side(to_proto::side(*side));
            Kind::SideEmpty
        }
    };
    detail.set_kind(kind);
    detail
}

fn limits(to: &mut RefusalDetail, most: u16, given: u16) {
    (to.most, to.number) = (most.into(), given.into());
}

fn in_round(to: &mut RefusalDetail, round: RoundNo, number: u16) {
    (to.round, to.number) = (round.0.into(), number.into());
}

fn kind_of_invalid(why: &Invalid, to: &mut RefusalDetail) -> Kind {
    match why {
        Invalid::Rounds { most, given } => {
            limits(to, *most, *given);
            Kind::Rounds
        }
        Invalid::MatchBoards { most, given } => {
            limits(to, *most, *given);
            Kind::MatchBoards
        }
        Invalid::Cycles { most, given } => {
            limits(to, *most, *given);
            Kind::Cycles
        }
        Invalid::ResultPoints { most, given } => {
            (to.most_points, to.points) = (most.hundredths(), given.hundredths());
            Kind::ResultPoints
        }
        Invalid::RoundRange(first, last) => {
            limits(to, last.0, first.0);
            Kind::RoundRange
        }
        Invalid::ParticipantNo { most, given } => {
            limits(to, *most, *given);
            Kind::ParticipantNumber
        }
        Invalid::ParticipantRange(first, last) => {
            limits(to, *last, *first);
            Kind::ParticipantRange
        }
        Invalid::LoneForbidden => Kind::LoneForbidden,
        Invalid::TooManyRules(most) => {
            to.most = (*most).into();
            Kind::TooManyRules
        }
        Invalid::AbnormalPoints(points) => {
            to.points = points.hundredths();
            Kind::AbnormalPoints
        }
        Invalid::Player { most } => {
            to.most = (*most).into();
            Kind::Player
        }
        Invalid::Title(title) => {
            to.names.push(title.clone());
            Kind::Title
        }
        Invalid::Rating { most, given } => {
            limits(to, *most, *given);
            Kind::Rating
        }
        Invalid::FideId(id) => {
            to.names.push(id.to_string());
            Kind::FideId
        }
        Invalid::RoundZero => Kind::RoundZero,
        Invalid::Team { most } => {
            to.most = (*most).into();
            Kind::Team
        }
        Invalid::Place { most, given } => {
            limits(to, *most, *given);
            Kind::Place
        }
        Invalid::StatedPoints(points) => {
            to.points = points.hundredths();
            Kind::StatedPoints
        }
        Invalid::Round { rounds, given } => {
            limits(to, *rounds, given.0);
            Kind::Round
        }
        Invalid::Federation(text) => {
            to.names.push(text.clone());
            Kind::Federation
        }
        Invalid::ControlCharacter(text) => {
            to.names.push(text.clone());
            Kind::ControlCharacter
        }
        Invalid::BoardZero => Kind::BoardZero,
        Invalid::SamePlayer => Kind::SamePlayer,
        Invalid::EmptyBoard => Kind::EmptyBoard,
        Invalid::BoardWithoutMatch(board) => {
            to.board = board.0.into();
            Kind::BoardWithoutMatch
        }
        Invalid::LonePlayer(board) => {
            to.board = board.0.into();
            Kind::LonePlayer
        }
        Invalid::BoardTwice(board) => {
            to.board = board.0.into();
            Kind::BoardTwice
        }
        Invalid::OrderTwice(player) => {
            to.number = player.0.into();
            Kind::OrderTwice
        }
        Invalid::OrderMissing(player) => {
            to.number = player.0.into();
            Kind::OrderMissing
        }
        Invalid::OrderNotDrawn => Kind::OrderNotDrawn,
        Invalid::TableRound { last, given } => {
            limits(to, *last, given.0);
            Kind::TableRound
        }
    }
}

fn kind_of_conflict(why: &Conflict, to: &mut RefusalDetail) -> Kind {
    match why {
        Conflict::RoundPaired(round) => {
            to.round = round.0.into();
            Kind::RoundPaired
        }
        Conflict::ByeAfterEnd(player, round) => {
            in_round(to, *round, player.0);
            Kind::ByeAfterEnd
        }
        Conflict::ContestFixed => Kind::ContestFixed,
        Conflict::PlayerPaired(player) => {
            to.number = player.0.into();
            Kind::PlayerPaired
        }
        Conflict::PlayerInRound(player, round) => {
            in_round(to, *round, player.0);
            Kind::PlayerInRound
        }
        Conflict::PlayerInTeam(player) => {
            to.number = player.0.into();
            Kind::PlayerInTeam
        }
        Conflict::TeamPaired(team, round) => {
            in_round(to, *round, team.0);
            Kind::TeamPaired
        }
        Conflict::NotRoundRobin => Kind::NotRoundRobin,
        Conflict::AlreadyBegun(board) => {
            to.board = board.0.into();
            Kind::AlreadyBegun
        }
        Conflict::HasResult(board) => {
            to.board = board.0.into();
            Kind::HasResult
        }
        Conflict::RoundOpen { round, open } => {
            to.round = round.0.into();
            to.board = open.map_or(0, |board| board.0.into());
            Kind::RoundOpen
        }
        Conflict::NotConfirmed(round) => {
            to.round = round.0.into();
            Kind::NotConfirmed
        }
        Conflict::RoundSkipped(round) => {
            to.round = round.0.into();
            Kind::RoundSkipped
        }
        Conflict::BoardTwice(round, board) => {
            (to.round, to.board) = (round.0.into(), board.0.into());
            Kind::RoundBoardTwice
        }
        Conflict::TeamTwice(team, round) => {
            in_round(to, *round, team.0);
            Kind::TeamTwice
        }
        Conflict::MatchTwice(round, no) => {
            in_round(to, *round, no.0);
            Kind::MatchTwice
        }
        Conflict::PlayerTwice(player, round) => {
            in_round(to, *round, player.0);
            Kind::PlayerTwice
        }
        Conflict::OtherTeam {
            player,
            team,
            board,
            teams,
        } => {
            (to.number, to.board) = (player.0.into(), board.0.into());
            to.names = teams.iter().chain(team).cloned().collect();
            Kind::OtherTeam
        }
        Conflict::SameTeam {
            players,
            team,
            board,
            teams,
        } => {
            limits(to, players[1].0, players[0].0);
            to.board = board.0.into();
            to.names = teams.iter().chain([team]).cloned().collect();
            Kind::SameTeam
        }
        Conflict::RoundBegun(round) => {
            to.round = round.0.into();
            Kind::RoundBegun
        }
        Conflict::LaterRoundPaired(round) => {
            to.round = round.0.into();
            Kind::LaterRoundPaired
        }
        Conflict::GameStays(board) => {
            to.board = board.0.into();
            Kind::GameStays
        }
        Conflict::ResultStands(board) => {
            to.board = board.0.into();
            Kind::ResultStands
        }
        Conflict::GameBegun(board) => {
            to.board = board.0.into();
            Kind::GameBegun
        }
        Conflict::NoBoardLeft(round) => {
            to.round = round.0.into();
            Kind::NoBoardLeft
        }
        Conflict::SectorControls(one, other) => {
            to.names = vec![one.clone(), other.clone()];
            Kind::SectorControls
        }
    }
}
