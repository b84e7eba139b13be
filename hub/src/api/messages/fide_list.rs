//! Converts FIDE's rating list, and the findings about a rating report, to messages.

use proto::event as event_wire;
use proto::grpc as wire;
use proto::grpc::RatingFindingCode as Code;

use crate::fide_list::store::Status;
use crate::fide_list::{FaultReason, ListInfo, ListedPlayer, PlayerField};
use tournament::formats::rating_report::{Finding, Problem};
use tournament::{PlayerNo, RateOfPlay, RoundNo, Sex};

pub(crate) fn rate(rate: Option<RateOfPlay>) -> wire::RateOfPlay {
    match rate {
        None => wire::RateOfPlay::Unspecified,
        Some(RateOfPlay::Standard) => wire::RateOfPlay::Standard,
        Some(RateOfPlay::Rapid) => wire::RateOfPlay::Rapid,
        Some(RateOfPlay::Blitz) => wire::RateOfPlay::Blitz,
    }
}

pub(crate) fn player(player: &ListedPlayer) -> wire::FidePlayer {
    let sex = match player.sex {
        None => event_wire::Sex::Unspecified,
        Some(Sex::Male) => event_wire::Sex::Male,
        Some(Sex::Female) => event_wire::Sex::Female,
    };
    wire::FidePlayer {
        fide_id: player.fide_id.into(),
        name: player.name.clone(),
        federation: player.federation.clone(),
        sex: sex.into(),
        title: player.title.clone(),
        standard: player.standard.map(u32::from),
        rapid: player.rapid.map(u32::from),
        blitz: player.blitz.map(u32::from),
        birth_year: player.born.unwrap_or(0).into(),
        inactive: player.inactive,
    }
}

pub(crate) fn status(status: &Status) -> wire::FideListStatus {
    wire::FideListStatus {
        list: status.list.as_ref().map(list),
        importing: status.importing,
    }
}

fn list(info: &ListInfo) -> wire::FideList {
    let faults = info.faults.iter().map(|fault| wire::FideListFault {
        line: fault.line,
        text: fault.why.to_string(),
        ..reason(&fault.why)
    });
    wire::FideList {
        file_name: info.file_name.clone(),
        month: info
            .month
            .map(|month| month.to_string())
            .unwrap_or_default(),
        dated: info.dated.clone(),
        only: rate(info.only).into(),
        players: info.players,
        unreadable: info.unreadable,
        faults: faults.collect(),
        imported_unix_us: info.imported_unix_us,
    }
}

fn reason(why: &FaultReason) -> wire::FideListFault {
    use wire::FideListFaultKind as Kind;
    let (kind, found) = match why {
        FaultReason::Text(_) => return wire::FideListFault::default(),
        FaultReason::Field { field, found } => match field {
            PlayerField::FideId => (Kind::FideId, found),
            PlayerField::Name => (Kind::Name, found),
            PlayerField::Rating => (Kind::Rating, found),
            PlayerField::StandardRating => (Kind::StandardRating, found),
            PlayerField::RapidRating => (Kind::RapidRating, found),
            PlayerField::BlitzRating => (Kind::BlitzRating, found),
            PlayerField::BirthYear => (Kind::BirthYear, found),
        },
    };
    wire::FideListFault {
        kind: kind.into(),
        found: found.clone(),
        ..wire::FideListFault::default()
    }
}

pub(crate) fn finding(finding: &Finding) -> wire::RatingFinding {
    let about = about(&finding.problem);
    wire::RatingFinding {
        remark: finding.remark,
        text: finding.problem.to_string(),
        remedy: finding.remedy(),
        ..about
    }
}

fn only(code: Code) -> wire::RatingFinding {
    wire::RatingFinding {
        code: code.into(),
        ..wire::RatingFinding::default()
    }
}

fn named(code: Code, name: &str) -> wire::RatingFinding {
    wire::RatingFinding {
        name: name.to_owned(),
        ..only(code)
    }
}

fn of_round(code: Code, round: &RoundNo) -> wire::RatingFinding {
    wire::RatingFinding {
        round: round.0.into(),
        ..only(code)
    }
}

fn of_player(code: Code, player: &PlayerNo, name: &str) -> wire::RatingFinding {
    wire::RatingFinding {
        player: player.0.into(),
        ..named(code, name)
    }
}

fn about(problem: &Problem) -> wire::RatingFinding {
    match problem {
        Problem::NotChess => only(Code::NotChess),
        Problem::NoCity => only(Code::NoCity),
        Problem::NoFederation(found) => named(Code::NoFederation, found),
        Problem::NoStart => only(Code::NoStart),
        Problem::NoEnd => only(Code::NoEnd),
        Problem::EndBeforeStart => only(Code::EndBeforeStart),
        Problem::NoChiefArbiter => only(Code::NoChiefArbiter),
        Problem::NoArbiterId(name) => named(Code::NoArbiterId, name),
        Problem::NoDeputyId(name) => named(Code::NoDeputyId, name),
        Problem::NoTimeControl => only(Code::NoTimeControl),
        Problem::UnreadableTimeControl(found) => named(Code::UnreadableTimeControl, found),
        Problem::TooFast {
            players,
            rating,
            minutes,
        } => wire::RatingFinding {
            count: (*players).into(),
            limit: (*rating).into(),
            minutes: (*minutes).into(),
            ..only(Code::TooFast)
        },
        Problem::FewMoves(moves) => wire::RatingFinding {
            count: *moves,
            limit: 30,
            ..only(Code::FewMoves)
        },
        Problem::SeveralRates => only(Code::SeveralRates),
        Problem::ManyRoundsADay(day, rounds) => wire::RatingFinding {
            count: (*rounds).into(),
            limit: 2,
            ..named(Code::ManyRoundsADay, &day.to_string())
        },
        Problem::NoRoundDate(no) => of_round(Code::NoRoundDate, no),
        Problem::RoundDateOutside(no, day) => wire::RatingFinding {
            name: day.to_string(),
            ..of_round(Code::RoundDateOutside, no)
        },
        Problem::RoundDateOrder(no, day) => wire::RatingFinding {
            name: day.to_string(),
            ..of_round(Code::RoundDateOrder, no)
        },
        Problem::RoundNotPaired(no) => of_round(Code::RoundNotPaired, no),
        Problem::NoResult(no, board) => wire::RatingFinding {
            board: board.0.into(),
            ..of_round(Code::NoResult, no)
        },
        Problem::RoundNotConfirmed(no) => of_round(Code::RoundNotConfirmed, no),
        Problem::NoPlayers => only(Code::NoPlayers),
        Problem::NoFideId(no, name) => of_player(Code::NoFideId, no, name),
        Problem::SameFideId(first, id, no) => wire::RatingFinding {
            count: first.0.into(),
            ..of_player(Code::SameFideId, no, id)
        },
        Problem::NoSex(no, name) => of_player(Code::NoSex, no, name),
        Problem::NoBirth(no, name) => of_player(Code::NoBirth, no, name),
        Problem::BadBirth(no, found) => of_player(Code::BadBirth, no, found),
        Problem::NoPlayerFederation(no, name) => of_player(Code::NoPlayerFederation, no, name),
        Problem::UnknownTitle(no, title) => of_player(Code::UnknownTitle, no, title),
        Problem::LongName(no, name) => wire::RatingFinding {
            limit: 33,
            ..of_player(Code::LongName, no, name)
        },
        Problem::NameOrder(no, name) => of_player(Code::NameOrder, no, name),
    }
}
