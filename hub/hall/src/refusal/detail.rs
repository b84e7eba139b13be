//! The details of the event's refusals, for programs that translate them. Defines the kind of each.

use proto::refusal::{RefusalDetail, RefusalDetailKind as Kind};
use tournament::{BoardNo, Conflict, Invalid, InvalidResult, Points, RoundNo};

use crate::to_proto;

pub(super) fn invalid(why: &Invalid) -> RefusalDetail {
    match why {
        Invalid::Rounds { most, given } => limits(Kind::Rounds, *most, *given),
        Invalid::MatchBoards { most, given } => limits(Kind::MatchBoards, *most, *given),
        Invalid::Cycles { most, given } => limits(Kind::Cycles, *most, *given),
        Invalid::ResultPoints { most, given } => RefusalDetail {
            points_limit: most.hundredths(),
            ..points(Kind::ResultPoints, *given)
        },
        Invalid::RoundRange(first, last) => limits(Kind::RoundRange, last.0, first.0),
        Invalid::ParticipantNo { most, given } => limits(Kind::ParticipantNumber, *most, *given),
        Invalid::ParticipantRange(first, last) => limits(Kind::ParticipantRange, *last, *first),
        Invalid::LoneForbidden => plain(Kind::LoneForbidden),
        Invalid::TooManyRules(most) => limits(Kind::TooManyRules, *most, 0),
        Invalid::AbnormalPoints(given) => points(Kind::AbnormalPoints, *given),
        Invalid::Player { most } => limits(Kind::Player, *most, 0),
        Invalid::Title(text) => names(Kind::Title, [text]),
        Invalid::Rating { most, given } => limits(Kind::Rating, *most, *given),
        Invalid::FideId(id) => names(Kind::FideId, [&id.to_string()]),
        Invalid::RoundZero => plain(Kind::RoundZero),
        Invalid::Team { most } => limits(Kind::Team, *most, 0),
        Invalid::Place { most, given } => limits(Kind::Place, *most, *given),
        Invalid::StatedPoints(given) => points(Kind::StatedPoints, *given),
        Invalid::Round { rounds, given } => limits(Kind::Round, *rounds, given.0),
        Invalid::Federation(text) => names(Kind::Federation, [text]),
        Invalid::ControlCharacter(text) => names(Kind::ControlCharacter, [text]),
        Invalid::BoardZero => plain(Kind::BoardZero),
        Invalid::SamePlayer => plain(Kind::SamePlayer),
        Invalid::EmptyBoard => plain(Kind::EmptyBoard),
        Invalid::BoardWithoutMatch(no) => board(Kind::BoardWithoutMatch, *no),
        Invalid::LonePlayer(no) => board(Kind::LonePlayer, *no),
        Invalid::BoardTwice(no) => board(Kind::BoardTwice, *no),
        Invalid::OrderTwice(player) => number(Kind::OrderTwice, player.0),
        Invalid::OrderMissing(player) => number(Kind::OrderMissing, player.0),
        Invalid::OrderNotDrawn => plain(Kind::OrderNotDrawn),
        Invalid::TableRound { last, given } => limits(Kind::TableRound, *last, given.0),
    }
}

pub(super) fn conflict(why: &Conflict) -> RefusalDetail {
    match why {
        Conflict::RoundPaired(no) => round(Kind::RoundPaired, *no),
        Conflict::ByeAfterEnd(player, no) => in_round(Kind::ByeAfterEnd, *no, player.0),
        Conflict::ContestFixed => plain(Kind::ContestFixed),
        Conflict::PlayerPaired(player) => number(Kind::PlayerPaired, player.0),
        Conflict::PlayerInRound(player, no) => in_round(Kind::PlayerInRound, *no, player.0),
        Conflict::PlayerInTeam(player) => number(Kind::PlayerInTeam, player.0),
        Conflict::TeamPaired(team, no) => in_round(Kind::TeamPaired, *no, team.0),
        Conflict::NotRoundRobin => plain(Kind::NotRoundRobin),
        Conflict::TableRepeats { names: pair, round } => RefusalDetail {
            round: round.0.into(),
            ..names(Kind::TableRepeats, pair)
        },
        Conflict::AlreadyBegun(no) => board(Kind::AlreadyBegun, *no),
        Conflict::HasResult(no) => board(Kind::HasResult, *no),
        Conflict::RoundOpen { round: no, open } => RefusalDetail {
            board: open.map_or(0, |board| board.0.into()),
            ..round(Kind::RoundOpen, *no)
        },
        Conflict::NotConfirmed(no) => round(Kind::NotConfirmed, *no),
        Conflict::RoundSkipped(no) => round(Kind::RoundSkipped, *no),
        Conflict::BoardTwice(no, twice) => RefusalDetail {
            board: twice.0.into(),
            ..round(Kind::RoundBoardTwice, *no)
        },
        Conflict::TeamTwice(team, no) => in_round(Kind::TeamTwice, *no, team.0),
        Conflict::MatchTwice(no, paired) => in_round(Kind::MatchTwice, *no, paired.0),
        Conflict::PlayerTwice(player, no) => in_round(Kind::PlayerTwice, *no, player.0),
        Conflict::OtherTeam {
            player,
            team,
            board,
            teams,
        } => RefusalDetail {
            number: player.0.into(),
            board: board.0.into(),
            ..names(Kind::OtherTeam, teams.iter().chain(team))
        },
        Conflict::SameTeam {
            players: [one, other],
            team,
            board,
            teams,
        } => RefusalDetail {
            board: board.0.into(),
            names: teams.iter().chain([team]).cloned().collect(),
            ..limits(Kind::SameTeam, other.0, one.0)
        },
        Conflict::RoundBegun(no) => round(Kind::RoundBegun, *no),
        Conflict::LaterRoundPaired(no) => round(Kind::LaterRoundPaired, *no),
        Conflict::GameStays(no) => board(Kind::GameStays, *no),
        Conflict::ResultStands(no) => board(Kind::ResultStands, *no),
        Conflict::GameBegun(no) => board(Kind::GameBegun, *no),
        Conflict::NoBoardLeft(no) => round(Kind::NoBoardLeft, *no),
        Conflict::SectorControls(one, other) => names(Kind::SectorControls, [one, other]),
    }
}

pub(super) fn impossible(why: &InvalidResult) -> RefusalDetail {
    match why {
        InvalidResult::CountInChess => plain(Kind::CountInChess),
        InvalidResult::WinWithoutLoss => plain(Kind::WinWithoutLoss),
        InvalidResult::NoPoints => plain(Kind::NoPoints),
        InvalidResult::NoDiscs => plain(Kind::NoDiscs),
        InvalidResult::DiscSum => plain(Kind::DiscSum),
        InvalidResult::HigherCountWins => plain(Kind::HigherCountWins),
        InvalidResult::SideEmpty(no, side) => RefusalDetail {
            side: to_proto::side(*side).into(),
            ..board(Kind::SideEmpty, *no)
        },
    }
}

fn plain(kind: Kind) -> RefusalDetail {
    RefusalDetail {
        kind: kind.into(),
        ..RefusalDetail::default()
    }
}

fn limits(kind: Kind, limit: u16, given: u16) -> RefusalDetail {
    RefusalDetail {
        limit: limit.into(),
        ..number(kind, given)
    }
}

fn number(kind: Kind, number: u16) -> RefusalDetail {
    RefusalDetail {
        number: number.into(),
        ..plain(kind)
    }
}

fn points(kind: Kind, points: Points) -> RefusalDetail {
    RefusalDetail {
        points: points.hundredths(),
        ..plain(kind)
    }
}

fn names<'a>(kind: Kind, names: impl IntoIterator<Item = &'a String>) -> RefusalDetail {
    RefusalDetail {
        names: names.into_iter().cloned().collect(),
        ..plain(kind)
    }
}

fn board(kind: Kind, board: BoardNo) -> RefusalDetail {
    RefusalDetail {
        board: board.0.into(),
        ..plain(kind)
    }
}

fn round(kind: Kind, round: RoundNo) -> RefusalDetail {
    in_round(kind, round, 0)
}

fn in_round(kind: Kind, round: RoundNo, given: u16) -> RefusalDetail {
    RefusalDetail {
        round: round.0.into(),
        ..number(kind, given)
    }
}
