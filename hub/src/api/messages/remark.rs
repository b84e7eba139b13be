//! Converts remarks on files and pairings, and the data that a file cannot hold, to messages with a kind and its data.

use proto::grpc as wire;
use proto::grpc::RemarkKind as Kind;

use hall::to_proto;
use tournament::formats::fault::{Fault, Found, shortened};
use tournament::formats::omission::{Award, NoGame, Omission};
use tournament::formats::remark::{
    Counted, Entrant, EventRemark, FieldTreatment, GamesRemark, HeaderRemark, PairingRemark,
    RankRule, ReadingRemark, Remark, StandingsRemark, TeamPoints,
};
use tournament::{Bye, RoundNo};

/// Maximum number of missing players that are named; a remark counts the others.
const MAX_NAMED: usize = 5;

/// Returns the English texts of remarks or omissions.
pub(crate) fn texts<T: ToString>(remarks: &[T]) -> Vec<String> {
    remarks.iter().map(ToString::to_string).collect()
}

/// Converts remarks.
pub(crate) fn all(remarks: &[Remark]) -> Vec<wire::Remark> {
    remarks.iter().map(remark).collect()
}

fn remark(remark: &Remark) -> wire::Remark {
    match remark {
        Remark::Pairing(remark) => pairing(remark),
        Remark::Event(remark) => event(remark),
        Remark::Reading(remark) => reading(remark),
        Remark::Header(remark) => header(remark),
        Remark::Games(remark) => games(remark),
        Remark::Standings(remark) => standings(remark),
    }
}

fn pairing(remark: &PairingRemark) -> wire::Remark {
    match remark {
        PairingRemark::PairedAfterWithdrawal {
            player,
            round,
            last,
        } => wire::Remark {
            here: last.0.into(),
            ..seated(Kind::PairedAfterWithdrawal, player, *round)
        },
        PairingRemark::PairedBeforeArrival {
            player,
            round,
            enters,
        } => wire::Remark {
            here: enters.0.into(),
            ..seated(Kind::PairedBeforeArrival, player, *round)
        },
        PairingRemark::PairedDespiteBye { player, round, bye } => wire::Remark {
            bye: bye_of(*bye),
            ..seated(Kind::PairedDespiteBye, player, *round)
        },
        PairingRemark::ForbiddenPair {
            pair,
            round,
            forbidden,
        } => wire::Remark {
            entrants: entrants(pair),
            numbers: forbidden
                .iter()
                .flat_map(|(first, last)| [u32::from(first.0), u32::from(last.0)])
                .collect(),
            ..in_round(Kind::ForbiddenPair, *round)
        },
        PairingRemark::MetBefore { pair, round } => wire::Remark {
            entrants: entrants(pair),
            ..in_round(Kind::MetBefore, *round)
        },
        PairingRemark::SecondBye { entrant, round } => seated(Kind::SecondBye, entrant, *round),
        PairingRemark::WithdrawnButPaired {
            player,
            last,
            board,
            round,
        } => wire::Remark {
            board: board.0.into(),
            here: last.0.into(),
            ..seated(Kind::WithdrawnButPaired, player, *round)
        },
        PairingRemark::SharedBye { round, players } => wire::Remark {
            entrants: entrants(players),
            ..in_round(Kind::SharedBye, *round)
        },
        PairingRemark::NumbersOutOfOrder { fixed_by } => {
            in_round(Kind::NumbersOutOfOrder, *fixed_by)
        }
    }
}

fn event(remark: &EventRemark) -> wire::Remark {
    match remark {
        EventRemark::FewerRounds { in_file, here } => wire::Remark {
            in_file: (*in_file).into(),
            here: (*here).into(),
            ..only(Kind::FewerRounds)
        },
        EventRemark::PointsKept => only(Kind::PointsKept),
        EventRemark::MissingPlayers(players) => wire::Remark {
            entrants: players.iter().take(MAX_NAMED).map(entrant).collect(),
            count: number(players.len()),
            ..only(Kind::MissingPlayers)
        },
        EventRemark::CorrectedResult {
            round,
            board,
            pair,
            in_file,
            here,
        } => wire::Remark {
            board: board.0.into(),
            entrants: pair
                .iter()
                .map(|seat| seat.as_ref().map(entrant).unwrap_or_default())
                .collect(),
            result_in_file: Some(to_proto::tournament::result(*in_file)),
            result_here: here.map(to_proto::tournament::result),
            ..in_round(Kind::CorrectedResult, *round)
        },
        EventRemark::BoardKept {
            line,
            round,
            in_file,
            here,
            more,
        } => wire::Remark {
            line: number(*line),
            in_file: in_file.0.into(),
            here: here.0.into(),
            count: number(*more),
            ..in_round(Kind::BoardKept, *round)
        },
    }
}

fn reading(remark: &ReadingRemark) -> wire::Remark {
    match remark {
        ReadingRemark::DosCodePage => only(Kind::DosCodePage),
        ReadingRemark::HiddenCharacter { line, character } => wire::Remark {
            text: format!("U+{:04X}", u32::from(*character)),
            ..on_line(Kind::HiddenCharacter, *line)
        },
        ReadingRemark::MoreHiddenCharacters(lines) => wire::Remark {
            count: number(*lines),
            ..only(Kind::MoreHiddenCharacters)
        },
        ReadingRemark::ColumnsInBytes => only(Kind::ColumnsInBytes),
        ReadingRemark::UnknownColumn(heading) => quoting(Kind::UnknownColumn, heading),
        ReadingRemark::RepeatedRecord { line, tag } => wire::Remark {
            other_text: tag.clone(),
            ..on_line(Kind::RepeatedRecord, *line)
        },
        ReadingRemark::CommentLeftOut(fault) => unreadable(Kind::CommentLeftOut, "", fault),
        ReadingRemark::RecordLeftOut { tag, fault } => unreadable(Kind::RecordLeftOut, tag, fault),
        ReadingRemark::RecordKept { tag, fault } => unreadable(Kind::RecordKept, tag, fault),
        ReadingRemark::NotARecord { line, text } => wire::Remark {
            line: number(*line),
            ..quoting(Kind::NotARecord, text)
        },
        ReadingRemark::OutdatedTeams { line } => on_line(Kind::OutdatedTeams, *line),
        ReadingRemark::Field {
            at,
            text,
            treatment,
        } => wire::Remark {
            line: number(at.line),
            column: number(at.column),
            text: shortened(text),
            ..treated(treatment)
        },
    }
}

fn treated(treatment: &FieldTreatment) -> wire::Remark {
    match treatment {
        FieldTreatment::ReadAsDate(date) => wire::Remark {
            other_text: date.to_string(),
            ..only(Kind::ReadAsDate)
        },
        FieldTreatment::NoDate => only(Kind::NoDate),
        FieldTreatment::Comment => only(Kind::Comment),
        FieldTreatment::NoFederation => only(Kind::NoFederation),
        FieldTreatment::NoFideId => only(Kind::NoFideId),
        FieldTreatment::ReadAsNoResult => only(Kind::ReadAsNoResult),
        FieldTreatment::ColourWithoutOpponent => only(Kind::ColourWithoutOpponent),
        FieldTreatment::ReadAsBye(bye) => wire::Remark {
            bye: bye_of(*bye),
            ..only(Kind::ReadAsBye)
        },
        FieldTreatment::DatesInOrder(round) => in_round(Kind::DatesInOrder, *round),
    }
}

fn header(remark: &HeaderRemark) -> wire::Remark {
    match remark {
        HeaderRemark::AnnouncedCount {
            line,
            of,
            announced,
            found,
        } => wire::Remark {
            teams: *of == Counted::Teams,
            ..counts(Kind::AnnouncedCount, *line, *announced, number(*found))
        },
        HeaderRemark::NoTeams { line, code } => wire::Remark {
            line: number(*line),
            ..quoting(Kind::NoTeams, code)
        },
        HeaderRemark::AnnouncedRounds {
            line,
            announced,
            found,
        } => counts(Kind::AnnouncedRounds, *line, *announced, number(*found)),
        HeaderRemark::TwoRoundCounts {
            line,
            trf,
            extension,
        } => counts(Kind::TwoRoundCounts, *line, *extension, *trf),
        HeaderRemark::EndBeforeStart { line, start, end } => wire::Remark {
            text: end.to_string(),
            other_text: start.to_string(),
            ..on_line(Kind::EndBeforeStart, *line)
        },
        HeaderRemark::RoundsCounted(rounds) => wire::Remark {
            here: (*rounds).into(),
            ..only(Kind::RoundsCounted)
        },
        HeaderRemark::TieBreakLeftOut { code, error: _ } => quoting(Kind::TieBreakLeftOut, code),
    }
}

fn games(remark: &GamesRemark) -> wire::Remark {
    match remark {
        GamesRemark::ForfeitsAsByes { round, bye, lines } => wire::Remark {
            bye: bye_of(*bye),
            numbers: lines.iter().map(|line| number(*line)).collect(),
            ..in_round(Kind::ForfeitsAsByes, *round)
        },
        GamesRemark::PlayerWithoutTeam { line, round } => wire::Remark {
            line: number(*line),
            ..in_round(Kind::PlayerWithoutTeam, *round)
        },
        GamesRemark::ForfeitsWithoutMatch {
            round,
            team,
            players,
        } => wire::Remark {
            entrants: players.iter().map(|no| numbered(*no)).collect(),
            count: team.map_or(0, |team| team.0.into()),
            ..in_round(Kind::ForfeitsWithoutMatch, *round)
        },
        GamesRemark::JoinsTeam {
            player,
            team,
            round,
        } => wire::Remark {
            entrants: vec![numbered(*player)],
            count: (*team).into(),
            round: (*round).into(),
            ..only(Kind::JoinsTeam)
        },
        GamesRemark::ByeWithoutLetter {
            at,
            player,
            bye,
            round,
        } => wire::Remark {
            line: number(at.line),
            column: number(at.column),
            entrants: vec![numbered(*player)],
            bye: bye_of(*bye),
            ..in_round(Kind::ByeWithoutLetter, *round)
        },
    }
}

fn standings(remark: &StandingsRemark) -> wire::Remark {
    match remark {
        StandingsRemark::UnexplainedPoints {
            line,
            player,
            in_file,
            computed,
            with_record_299,
        } => wire::Remark {
            entrants: vec![numbered(*player)],
            points_in_file: vec![in_file.hundredths()],
            points_here: vec![computed.hundredths()],
            ..on_line(
                match with_record_299 {
                    true => Kind::UnexplainedPoints299,
                    false => Kind::UnexplainedPoints,
                },
                *line,
            )
        },
        StandingsRemark::PointsFromFile(players) => wire::Remark {
            entrants: players.iter().map(|no| numbered(no.0)).collect(),
            ..only(Kind::PointsFromFile)
        },
        StandingsRemark::TeamPoints {
            team,
            in_file,
            computed,
        } => wire::Remark {
            entrants: vec![entrant(team)],
            teams: true,
            points_in_file: team_points(in_file),
            points_here: team_points(computed),
            ..only(Kind::TeamPoints)
        },
        StandingsRemark::Ranks {
            of,
            differing,
            all,
            first,
            in_file,
            here,
            rule,
        } => wire::Remark {
            entrants: vec![numbered(*first)],
            teams: *of == Counted::Teams,
            in_file: (*in_file).into(),
            here: (*here).into(),
            numbers: vec![number(*differing), number(*all)],
            ..ranked(rule)
        },
    }
}

fn ranked(rule: &RankRule) -> wire::Remark {
    match rule {
        RankRule::OwnPoints => only(Kind::RanksByOwnPoints),
        RankRule::NoTieBreaks => only(Kind::RanksWithoutTieBreaks),
        RankRule::TieBreaks(list) => wire::Remark {
            texts: list.clone(),
            ..only(Kind::RanksByTieBreaks)
        },
    }
}

/// Converts an omission.
pub(crate) fn omission(omission: &Omission) -> wire::Remark {
    match omission {
        Omission::KeptRecords(faults) => wire::Remark {
            count: number(faults.count()),
            text: faults.listed().first().map(found).unwrap_or_default(),
            ..only(Kind::LostRecords)
        },
        Omission::Birth { player, text } => wire::Remark {
            entrants: vec![numbered(player.0)],
            ..quoting(Kind::LostBirth, text)
        },
        Omission::CutRecord { tag, text } => wire::Remark {
            other_text: tag.clone(),
            ..quoting(Kind::CutRecord, text)
        },
        Omission::CutPlayer { player, text } => wire::Remark {
            entrants: vec![numbered(*player)],
            ..quoting(Kind::CutPlayer, text)
        },
        Omission::CutTeam { team, text } => wire::Remark {
            other_text: team.clone(),
            ..quoting(Kind::CutTeam, text)
        },
        Omission::OnlyInComment(tag) => wire::Remark {
            other_text: tag.clone(),
            ..only(Kind::OnlyInComment)
        },
        Omission::Decimals(points) => wire::Remark {
            points_here: vec![points.hundredths()],
            ..only(Kind::LostDecimals)
        },
        Omission::Points {
            award,
            points,
            in_file,
        } => wire::Remark {
            points_in_file: vec![in_file.hundredths()],
            points_here: vec![points.hundredths()],
            ..only(match award {
                Award::FullBye => Kind::PointsOfFullBye,
                Award::HalfBye => Kind::PointsOfHalfBye,
                Award::ForfeitLoss => Kind::PointsOfForfeitLoss,
            })
        },
        Omission::Moves => only(Kind::LostMoves),
        Omission::Byes(round) => in_round(Kind::LostByes, *round),
        Omission::Game { round, board, why } => wire::Remark {
            board: board.0.into(),
            ..in_round(no_game(*why), *round)
        },
    }
}

fn no_game(why: NoGame) -> Kind {
    match why {
        NoGame::OnePlayer => Kind::GameOfOnePlayer,
        NoGame::Forfeit => Kind::GameForfeited,
        NoGame::TwoResults => Kind::GameWithTwoResults,
    }
}

fn only(kind: Kind) -> wire::Remark {
    wire::Remark {
        kind: kind.into(),
        ..wire::Remark::default()
    }
}

fn in_round(kind: Kind, round: RoundNo) -> wire::Remark {
    wire::Remark {
        round: round.0.into(),
        ..only(kind)
    }
}

fn on_line(kind: Kind, line: usize) -> wire::Remark {
    wire::Remark {
        line: number(line),
        ..only(kind)
    }
}

fn quoting(kind: Kind, text: &str) -> wire::Remark {
    wire::Remark {
        text: shortened(text),
        ..only(kind)
    }
}

fn seated(kind: Kind, player: &Entrant, round: RoundNo) -> wire::Remark {
    wire::Remark {
        entrants: vec![entrant(player)],
        ..in_round(kind, round)
    }
}

fn counts(
    kind: Kind,
    line: usize,
    in_file: impl Into<u32>,
    here: impl Into<u32>,
) -> wire::Remark {
    wire::Remark {
        in_file: in_file.into(),
        here: here.into(),
        ..on_line(kind, line)
    }
}

fn unreadable(kind: Kind, tag: &str, fault: &Fault) -> wire::Remark {
    wire::Remark {
        line: number(fault.line),
        column: number(fault.column),
        text: found(fault),
        other_text: tag.to_owned(),
        ..only(kind)
    }
}

/// Returns the text of the file at a fault; empty if there is none.
fn found(fault: &Fault) -> String {
    match &fault.found {
        Found::Text(text) => shortened(text),
        Found::Described(_) => String::new(),
    }
}

fn entrant(entrant: &Entrant) -> wire::Entrant {
    wire::Entrant {
        number: entrant.number,
        name: entrant.name.clone(),
    }
}

fn entrants(all: &[Entrant]) -> Vec<wire::Entrant> {
    all.iter().map(entrant).collect()
}

fn numbered(number: impl Into<u32>) -> wire::Entrant {
    entrant(&Entrant::numbered(number))
}

fn bye_of(bye: Bye) -> i32 {
    to_proto::tournament::bye(Some(bye)).into()
}

fn team_points(points: &TeamPoints) -> Vec<i64> {
    vec![points.matches.hundredths(), points.games.hundredths()]
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_and_texts_are_shortened() {
        let players = (1..=7_u32).map(|no| Entrant::named(no, "Player"));
        let missing = EventRemark::MissingPlayers(players.collect());
        let column = ReadingRemark::UnknownColumn("x".repeat(90));
        let [missing, column] = [remark(&missing.into()), remark(&column.into())];
        assert_eq!(missing.kind(), Kind::MissingPlayers);
        assert_eq!((missing.entrants.len(), missing.count), (5, 7));
        assert_eq!(column.text.chars().count(), 41);
    }

    #[test]
    fn unreadable_records_have_their_place_and_the_text_of_the_file() {
        let tag = || "250".to_owned();
        let fault = Fault::new(14, 19, "a round", "first");
        let kept = remark(&ReadingRemark::RecordKept { tag: tag(), fault }.into());
        assert_eq!((kept.line, kept.column), (14, 19));
        assert_eq!(
            (kept.text.as_str(), kept.other_text.as_str()),
            ("first", "250")
        );
        // A description in English does not leave the hub as text of the file.
        let fault = Fault::because(14, 19, "a round", "7 players");
        let kept = remark(&ReadingRemark::RecordKept { tag: tag(), fault }.into());
        assert_eq!(kept.text, "");
    }
}
