//! Converts FIDE's rating list, and the findings about a rating report, to messages.

use proto::grpc::RatingFindingCode as Kind;
use proto::{event as event_wire, grpc as wire};

use super::table::{by_kind, renamed};
use super::text;
use crate::fide_list::store::Status;
use crate::fide_list::{FaultReason, ListInfo, ListedPlayer, PlayerField};
use tournament::formats::rating_report::{Finding, Problem};
use tournament::{RateOfPlay, Sex};

pub(crate) fn rate(rate: Option<RateOfPlay>) -> wire::RateOfPlay {
    rate.map_or(
        wire::RateOfPlay::Unspecified,
        |rate| renamed!(rate, RateOfPlay => wire::RateOfPlay { Standard, Rapid, Blitz }),
    )
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
        month: text(info.month),
        dated: info.file_date.clone(),
        only: rate(info.single_rate).into(),
        players: info.players,
        unreadable: info.unreadable,
        faults: faults.collect(),
        imported_unix_us: info.imported_unix_us,
    }
}

fn reason(why: &FaultReason) -> wire::FideListFault {
    let FaultReason::Field { field, found } = why else {
        return wire::FideListFault::default();
    };
    let kind = renamed!(field, PlayerField => wire::FideListFaultKind {
        FideId, Name, Rating, StandardRating, RapidRating, BlitzRating, BirthYear
    });
    wire::FideListFault {
        kind: kind.into(),
        found: found.clone(),
        ..wire::FideListFault::default()
    }
}

pub(crate) fn finding(finding: &Finding) -> wire::RatingFinding {
    wire::RatingFinding {
        remark: finding.remark,
        text: finding.problem.to_string(),
        remedy: finding.remedy(),
        ..about(&finding.problem)
    }
}

by_kind! {
    fn about(Problem) -> wire::RatingFinding {
        NotChess => NotChess;
        NoCity => NoCity;
        NoFederation(found) => NoFederation { name: found };
        NoStart => NoStart;
        NoEnd => NoEnd;
        EndBeforeStart => EndBeforeStart;
        NoChiefArbiter => NoChiefArbiter;
        NoArbiterId(name) => NoArbiterId { name: name };
        NoDeputyId(name) => NoDeputyId { name: name };
        NoTimeControl => NoTimeControl;
        UnreadableTimeControl(found) => UnreadableTimeControl { name: found };
        TooFast { players, rating, minutes } => TooFast { count: players, limit: rating, minutes: minutes };
        FewMoves(moves) => FewMoves { count: moves, limit: 30 };
        SeveralRates => SeveralRates;
        ManyRoundsADay(day, rounds) => ManyRoundsADay { name: day, count: rounds, limit: 2 };
        NoRoundDate(round) => NoRoundDate { round: round };
        RoundDateOutside(round, day) => RoundDateOutside { round: round, name: day };
        RoundDateOrder(round, day) => RoundDateOrder { round: round, name: day };
        RoundNotPaired(round) => RoundNotPaired { round: round };
        NoResult(round, board) => NoResult { round: round, board: board };
        RoundNotConfirmed(round) => RoundNotConfirmed { round: round };
        NoPlayers => NoPlayers;
        NoFideId(no, name) => NoFideId { player: no, name: name };
        SameFideId(first, id, no) => SameFideId { player: no, name: id, count: first };
        NoSex(no, name) => NoSex { player: no, name: name };
        NoBirth(no, name) => NoBirth { player: no, name: name };
        BadBirth(no, found) => BadBirth { player: no, name: found };
        NoPlayerFederation(no, name) => NoPlayerFederation { player: no, name: name };
        UnknownTitle(no, title) => UnknownTitle { player: no, name: title };
        LongName(no, name) => LongName { player: no, name: name, limit: 33 };
        NameOrder(no, name) => NameOrder { player: no, name: name };
    }
}
