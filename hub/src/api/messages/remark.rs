//! Converts remarks about files and pairings, and omissions from exported files, to messages with a kind and its data.

use proto::grpc as wire;
use proto::grpc::RemarkKind as Kind;

use super::table::by_kind;
use tournament::formats::fault::{Fault, Found, shortened};
use tournament::formats::omission::{Award, NoGame, Omission};
use tournament::formats::remark::{
    ByeConflict, Counted, Entrant, EventRemark, FieldTreatment, GamesRemark, HeaderRemark,
    PairingRemark, RankRule, ReadingRemark, Remark, StandingsRemark,
};

/// Maximum number of missing players that a remark names. The remark also gives their total number.
const MAX_NAMED: usize = 5;

pub(crate) fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

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

by_kind! {
    fn pairing(PairingRemark) -> wire::Remark {
        PairedAfterWithdrawal { player, round, last } =>
            PairedAfterWithdrawal { entrants: player, round: round, here: last };
        PairedBeforeArrival { player, round, enters } =>
            PairedBeforeArrival { entrants: player, round: round, here: enters };
        PairedDespiteBye { player, round, bye } => PairedDespiteBye { entrants: player, round: round, bye: bye };
        ForbiddenPair { pair, round, forbidden } => ForbiddenPair { entrants: pair, round: round, numbers: forbidden };
        MetBefore { pair, round } => MetBefore { entrants: pair, round: round };
        SecondBye { entrant, round } => SecondBye { entrants: entrant, round: round };
        WithdrawnButPaired { player, last, board, round } =>
            WithdrawnButPaired { entrants: player, here: last, board: board, round: round };
        SharedBye { round, players } => SharedBye { entrants: players, round: round };
        NumbersOutOfOrder { fixed_by } => NumbersOutOfOrder { round: fixed_by };
    }
}

by_kind! {
    fn event(EventRemark) -> wire::Remark {
        FewerRounds { in_file, here } => FewerRounds { in_file: in_file, here: here };
        PointsKept => PointsKept;
        MissingPlayers(players) =>
            MissingPlayers { entrants: players[..players.len().min(MAX_NAMED)], count: players.len() };
        CorrectedResult { round, board, pair, in_file, here } =>
            CorrectedResult { round: round, board: board, entrants: pair, result_in_file: in_file, result_here: here };
        PointsAdded { round, board, pair, in_file } =>
            PointsAdded { round: round, board: board, entrants: pair, result_in_file: in_file };
        BoardKept { line, round, in_file, here, more } =>
            BoardKept { line: line, round: round, in_file: in_file, here: here, count: more };
    }
}

by_kind! {
    fn reading(ReadingRemark) -> wire::Remark {
        DosCodePage => DosCodePage;
        HiddenCharacter { line, character } =>
            HiddenCharacter { line: line, text: format!("U+{:04X}", u32::from(*character)) };
        MoreHiddenCharacters(lines) => MoreHiddenCharacters { count: lines };
        ColumnsInBytes => ColumnsInBytes;
        UnknownColumn(heading) => UnknownColumn { text: shortened(heading) };
        RepeatedRecord { line, tag } => RepeatedRecord { line: line, other_text: tag };
        CommentLeftOut(fault) => CommentLeftOut {
            line: fault.line, column: fault.column, text: fault, expected: fault
        };
        RecordLeftOut { tag, fault } =>
            RecordLeftOut { line: fault.line, column: fault.column, text: fault, expected: fault, other_text: tag };
        RecordKept { tag, fault } =>
            RecordKept { line: fault.line, column: fault.column, text: fault, expected: fault, other_text: tag };
        NotARecord { line, text } => NotARecord { line: line, text: shortened(text) };
        OutdatedTeams { line } => OutdatedTeams { line: line };
        Field { at, text, treatment } =>
            [treated(treatment)] { line: at.line, column: at.column, text: shortened(text) };
    }
}

by_kind! {
    fn treated(FieldTreatment) -> wire::Remark {
        ReadAsDate(date) => ReadAsDate { other_text: date };
        NoDate => NoDate;
        Comment => Comment;
        NoFederation => NoFederation;
        NoFideId => NoFideId;
        ReadAsNoResult => ReadAsNoResult;
        ColourWithoutOpponent => ColourWithoutOpponent;
        ReadAsBye(bye) => ReadAsBye { bye: bye };
        DatesInOrder(round) => DatesInOrder { round: round };
    }
}

by_kind! {
    fn header(HeaderRemark) -> wire::Remark {
        AnnouncedCount { line, of, announced, found } =>
            AnnouncedCount { line: line, teams: of, in_file: announced, here: found };
        NoTeams { line, code } => NoTeams { line: line, text: shortened(code) };
        AnnouncedRounds { line, announced, found } => AnnouncedRounds { line: line, in_file: announced, here: found };
        TwoRoundCounts { line, trf, extension } => TwoRoundCounts { line: line, in_file: extension, here: trf };
        EndBeforeStart { line, start, end } => EndBeforeStart { line: line, text: end, other_text: start };
        RoundsCounted(rounds) => RoundsCounted { here: rounds };
        TieBreakLeftOut { code, error: _ } => TieBreakLeftOut { text: shortened(code) };
    }
}

by_kind! {
    fn games(GamesRemark) -> wire::Remark {
        ForfeitsAsByes { round, bye, lines } => ForfeitsAsByes { round: round, bye: bye, numbers: lines };
        PlayerWithoutTeam { line, round } => PlayerWithoutTeam { line: line, round: round };
        ForfeitsWithoutMatch { round, team, players } =>
            ForfeitsWithoutMatch { round: round, count: team, entrants: players };
        JoinsTeam { player, team, round } =>
            JoinsTeam { entrants: Entrant::numbered(*player), count: team, round: round };
        ByeWithoutLetter { at, player, bye, round } => ByeWithoutLetter {
            line: at.line, column: at.column, entrants: Entrant::numbered(*player), bye: bye, round: round
        };
        ByeLeftOut { at, who, of, bye, round, conflict } => [conflicting(conflict)] {
            line: at.line, column: at.column, entrants: Entrant::numbered(*who), teams: of, bye: bye, round: round
        };
    }
}

by_kind! {
    fn conflicting(ByeConflict) -> wire::Remark {
        Paired => ByeOfPaired;
        OtherBye(bye) => ByeBesideOther { other_bye: bye };
        NoSuchRound(rounds) => ByeAfterLastRound { here: rounds };
    }
}

by_kind! {
    fn standings(StandingsRemark) -> wire::Remark {
        UnexplainedPoints { line, player, in_file, computed, with_record_299: true } => UnexplainedPoints299 {
            line: line, entrants: Entrant::numbered(*player), points_in_file: in_file, points_here: computed
        };
        UnexplainedPoints { line, player, in_file, computed, with_record_299: false } => UnexplainedPoints {
            line: line, entrants: Entrant::numbered(*player), points_in_file: in_file, points_here: computed
        };
        PointsFromFile(players) => PointsFromFile { entrants: players };
        TeamPoints { team, in_file, computed } =>
            TeamPoints { entrants: team, teams: Counted::Teams, points_in_file: in_file, points_here: computed };
        Ranks { of, differing, all, first, in_file, here, rule } => [ranked(rule)] {
            entrants: Entrant::numbered(*first), teams: of, in_file: in_file, here: here, numbers: vec![*differing, *all]
        };
    }
}

by_kind! {
    fn ranked(RankRule) -> wire::Remark {
        OwnPoints => RanksByOwnPoints;
        NoTieBreaks => RanksWithoutTieBreaks;
        TieBreaks(list) => RanksByTieBreaks { texts: list };
    }
}

by_kind! {
    pub(crate) fn omission(Omission) -> wire::Remark {
        KeptRecords(faults) =>
            LostRecords { count: faults.count(), text: faults.listed().first().map(found).unwrap_or_default() };
        Birth { player, text } => LostBirth { entrants: Entrant::numbered(player.0), text: shortened(text) };
        CutRecord { tag, text } => CutRecord { other_text: tag, text: shortened(text) };
        CutPlayer { player, text } => CutPlayer { entrants: Entrant::numbered(*player), text: shortened(text) };
        CutTeam { team, text } => CutTeam { other_text: team, text: shortened(text) };
        OnlyInComment(tag) => OnlyInComment { other_text: tag };
        Decimals(points) => LostDecimals { points_here: points };
        Points { award: Award::FullBye, points, in_file } =>
            PointsOfFullBye { points_in_file: in_file, points_here: points };
        Points { award: Award::HalfBye, points, in_file } =>
            PointsOfHalfBye { points_in_file: in_file, points_here: points };
        Points { award: Award::ForfeitLoss, points, in_file } =>
            PointsOfForfeitLoss { points_in_file: in_file, points_here: points };
        Moves => LostMoves;
        Byes(round) => LostByes { round: round };
        Game { round, board, why: NoGame::OnePlayer } => GameOfOnePlayer { round: round, board: board };
        Game { round, board, why: NoGame::Forfeit } => GameForfeited { round: round, board: board };
        Game { round, board, why: NoGame::TwoResults } => GameWithTwoResults { round: round, board: board };
    }
}

/// Returns the file's text at a fault; empty if the fault only describes it.
pub(super) fn found(fault: &Fault) -> String {
    match &fault.found {
        Found::Text(text) => shortened(text),
        Found::Described(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use proto::refusal::ExpectationKind;
    use tournament::formats::expected::Expected;

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
    fn remarks_about_unreadable_records_have_position_and_text() {
        let tag = || "250".to_owned();
        let fault = Fault::new(14, 19, Expected::Value, "first");
        let kept = remark(&ReadingRemark::RecordKept { tag: tag(), fault }.into());
        assert_eq!((kept.line, kept.column), (14, 19));
        assert_eq!(
            (kept.text.as_str(), kept.other_text.as_str()),
            ("first", "250")
        );
        // A description in English must not be sent as if it were the file's text.
        let fault = Fault::because(14, 19, Expected::TeamSize(6), "7 players");
        let kept = remark(&ReadingRemark::RecordKept { tag: tag(), fault }.into());
        assert_eq!(kept.text, "");
        let expected = kept.expected.unwrap();
        assert_eq!(
            (expected.kind(), expected.number),
            (ExpectationKind::TeamSize, 6)
        );
    }
}
