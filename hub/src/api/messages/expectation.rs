//! Converts the faults of a file to messages. Each message names the kind of content that the reader expected, with its data.

use proto::refusal::{self, ExpectationKind as Kind};
use tournament::formats::expected::{Expected, MatchRow};
use tournament::formats::fault::{Fault, Faults};

use super::remark::found;
use super::table::by_kind;
use crate::fide_list::ListError;
use crate::fide_list::store::{ImportError, MAX_FILE_BYTES};

pub(in crate::api) fn with_faults(refusal: &mut refusal::Refusal, faults: &Faults) {
    let listed = faults.listed();
    refusal.faults = listed.iter().map(file_fault).collect();
    refusal.more_faults = u32::try_from(faults.count() - listed.len()).unwrap_or(u32::MAX);
}

/// Returns the fault that prevents the import of FIDE's list; `None` if the file is not the cause.
pub(in crate::api) fn unreadable_list(error: &ImportError) -> Option<refusal::FileFault> {
    use super::table::Field as _;
    let mut line = 0;
    let expected = match error {
        ImportError::List(ListError::NotAList(_)) => Kind::RatingList.field(),
        ImportError::List(ListError::Broken { line: at, .. }) => {
            line = u32::try_from(*at).unwrap_or(u32::MAX);
            Kind::CompleteFile.field()
        }
        ImportError::List(ListError::Io(_) | ListError::Zip(_)) => Kind::CompleteFile.field(),
        ImportError::List(ListError::TooMany(most)) => refusal::Expectation {
            number: most.field(),
            ..Kind::ListSize.field()
        },
        ImportError::TooLarge => refusal::Expectation {
            number: u32::try_from(MAX_FILE_BYTES).unwrap_or(u32::MAX),
            ..Kind::FileSize.field()
        },
        ImportError::FarFewer { players, current } => refusal::Expectation {
            number: u32::try_from(*players).unwrap_or(u32::MAX),
            other: u32::try_from(*current).unwrap_or(u32::MAX),
            ..Kind::FullList.field()
        },
        ImportError::Busy | ImportError::OutOfOrder { .. } | ImportError::Disk(_) => return None,
    };
    Some(refusal::FileFault {
        line,
        expected: Some(expected),
        ..refusal::FileFault::default()
    })
}

fn file_fault(fault: &Fault) -> refusal::FileFault {
    use super::table::Field as _;
    refusal::FileFault {
        line: fault.line.field(),
        column: fault.column.field(),
        expected: Some(expectation(&fault.expected)),
        found: found(fault),
    }
}

by_kind! {
    pub(in crate::api) fn expectation(Expected) -> refusal::Expectation {
        Number { what: _, low, high } => Number { number: low, other: high };
        OneOf(codes) => OneOf { texts: codes };
        Points(example) => Points { text: example };
        Date(example) => Date { text: example };
        Birth(example) => Birth { text: example };
        Title => Title;
        Federation => Federation;
        TimeControl(_) => TimeControl;
        PlainText => PlainText;
        PlayerName => PlayerName;
        TeamName => TeamName;
        NationalNumber => NationalNumber;
        FideId => FideId;
        Rating => Rating;
        Participant => Participant;
        TwoParticipants => TwoParticipants;
        CodeList => CodeList;
        CodeOnce => CodeOnce;
        CodeWithPoints => CodeWithPoints;
        PointsOfCode => PointsOfCode;
        Colours(boards) => Colours { number: boards };
        RankingMethod => RankingMethod;
        RangeInOrder => RangeInOrder;
        Value => Value;
        Blank => Blank;
        NoMoreText => NoMoreText;
        RoundLimit(rounds) => RoundLimit { number: rounds };
        TeamSize(players) => TeamSize { number: players };
        Tag => Tag;
        SingleRecord(tag) => SingleRecord { text: tag };
        PlayerLine => PlayerLine;
        NoOpponent => NoOpponent;
        Colour => Colour;
        FreeNumber => FreeNumber;
        FreeTeamNumber => FreeTeamNumber;
        Opponent(round) => Opponent { round: round };
        OpponentInFile(round) => OpponentInFile { round: round };
        OpponentWhoMet { player, round } => OpponentWhoMet { number: player, round: round };
        OppositeColour { player, round } => OppositeColour { number: player, round: round };
        MatchingResult { player, round } => MatchingResult { number: player, round: round };
        PlayerInFile => PlayerInFile;
        ParticipantInFile => ParticipantInFile;
        OneTeam => OneTeam;
        Count { of, actual } => Count { teams: of, number: actual };
        TeamLimit(teams) => TeamLimit { number: teams };
        PlayersWithTeams => PlayersWithTeams;
        OtherTeam => OtherTeam;
        OpponentOfTeam { team, opponent } => OpponentOfTeam { number: team, other: opponent };
        OneMatch { team, opponent, round } => OneMatch { number: team, other: opponent, round: round };
        FileSize(bytes) => FileSize { number: bytes };
        Encoding(name) => Encoding { text: name };
        Separator => Separator;
        QuotedField => QuotedField;
        ClosingQuote => ClosingQuote;
        Headers(example) => Headers { text: example };
        Header(name) => Header { text: name };
        ColumnOnce => ColumnOnce;
        Fields(fields) => Fields { number: fields };
        PlayerPerLine => PlayerPerLine;
        NameOrFideId => NameOrFideId;
        FideIdOnce(line) => FideIdOnce { number: line };
        Pairing => Pairing;
        PlayersOrBye => PlayersOrBye;
        PlayerOnce(round) => PlayerOnce { round: round };
        BoardOnce(round) => BoardOnce { round: round };
        Bye => Bye;
        Result => Result;
        KnownNumber => KnownNumber;
        KnownFideId => KnownFideId;
        KnownName => KnownName;
        UniqueName => UniqueName;
        CompleteMatches { row, round } => [match_row(row)] { round: round };
    }
}

by_kind! {
    fn match_row(MatchRow) -> refusal::Expectation {
        BoardNumber => BoardNumber;
        BoardOfRound(boards) => BoardOfRound { texts: boards };
        PlayersOfTeams { teams, board } => PlayersOfTeams { texts: teams[..], number: board };
        LeftBoard { player, board } => LeftBoard { number: board, other: player };
    }
}
