//! The text expected where a file cannot be read. Each kind carries its data, so that programs can express it in other
//! languages. Owns the English text; must never decide what a file may contain.

use derive_more::Display;

use super::remark::Counted;
use super::wording::listed;
use crate::{BoardNo, PlayerNo, RoundNo};

/// The text expected at a place in a file.
#[derive(Clone, Debug, Display, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Expected {
    #[display("{what} from {low} to {high}")]
    Number {
        what: &'static str,
        low: u32,
        high: u32,
    },
    #[display("one of {}", _0.join(", "))]
    OneOf(&'static [&'static str]),
    #[display("points, for example {_0}")]
    Points(&'static str),
    #[display("a date, for example {_0}")]
    Date(&'static str),
    #[display("a date of birth, for example {_0}")]
    Birth(&'static str),
    #[display("a title, for example GM or WFM")]
    Title,
    #[display("a federation's three-letter code, for example NOR")]
    Federation,
    #[display("{_0}")]
    TimeControl(&'static str),
    #[display("text without tabs or control characters")]
    PlainText,
    #[display("a player's name")]
    PlayerName,
    #[display("a team's name")]
    TeamName,
    #[display("a player's number in the national federation")]
    NationalNumber,
    #[display("a FIDE ID")]
    FideId,
    #[display("a rating")]
    Rating,
    #[display("the number of a player or a team")]
    Participant,
    #[display("at least two players or teams")]
    TwoParticipants,
    #[display("codes separated by commas")]
    CodeList,
    #[display("each code only once")]
    CodeOnce,
    #[display("a code and its points, for example PAB=0.5")]
    CodeWithPoints,
    #[display("points for the preceding code")]
    PointsOfCode,
    #[display("the letters W and B for at most {_0} boards")]
    Colours(usize),
    #[display("a federation's code and a ranking method, for example NOR FIDON")]
    RankingMethod,
    #[display("a range whose first number is not above the last")]
    RangeInOrder,
    #[display("a value")]
    Value,

    #[display("a space between two fields")]
    Blank,
    #[display("the end of the line")]
    NoMoreText,
    #[display("the end of the line, since an event has at most {_0} rounds")]
    RoundLimit(u16),
    #[display("at most {_0} players in a team")]
    TeamSize(usize),
    #[display("a record's tag, for example 001 or XXR, and a space")]
    Tag,
    #[display("only one record {_0} in the file")]
    SingleRecord(String),
    #[display("at least one player (record 001)")]
    PlayerLine,
    #[display("0000, since a bye has no opponent")]
    NoOpponent,
    #[display("w or b, since a game was played")]
    Colour,

    #[display("a pairing number that no other player has")]
    FreeNumber,
    #[display("a team number that no other team has")]
    FreeTeamNumber,
    #[display("an opponent in round {_0}, not the player")]
    Opponent(RoundNo),
    #[display("an opponent in round {_0} who is in the file")]
    OpponentInFile(RoundNo),
    #[display("an opponent in round {round} who met player {player}")]
    OpponentWhoMet { player: PlayerNo, round: RoundNo },
    #[display("the colour opposite to player {player}'s in round {round}")]
    OppositeColour { player: PlayerNo, round: RoundNo },
    #[display("a result that matches player {player}'s in round {round}")]
    MatchingResult { player: PlayerNo, round: RoundNo },
    #[display("a player in the file")]
    PlayerInFile,
    #[display("a player or a team in the file")]
    ParticipantInFile,
    #[display("a player in only one team")]
    OneTeam,
    #[display("the number of {of} in the file, {actual}")]
    Count { of: Counted, actual: usize },
    #[display("at most {_0} teams")]
    TeamLimit(usize),
    #[display("two players who both have a team")]
    PlayersWithTeams,
    #[display("an opponent from another team")]
    OtherTeam,
    #[display("an opponent from team {opponent}, which team {team} meets")]
    OpponentOfTeam { team: u16, opponent: u16 },
    #[display("only one match for team {team} in round {round}, against team {opponent}")]
    OneMatch {
        team: u16,
        opponent: u16,
        round: RoundNo,
    },

    #[display("a file of at most {_0} bytes")]
    FileSize(usize),
    #[display("{_0} throughout, as declared at the start of the file")]
    Encoding(&'static str),
    #[display("a separator or the end of the line after the closing quote")]
    Separator,
    #[display("quotes around the whole field, with those inside it doubled")]
    QuotedField,
    #[display("a closing quote to match this one")]
    ClosingQuote,
    #[display("a line of headings, for example {_0}")]
    Headers(&'static str),
    #[display("a line of headings that includes {_0}")]
    Header(&'static str),
    #[display("each column only once")]
    ColumnOnce,
    #[display("at most {_0} fields, as in the first line (a name with a comma needs quotes)")]
    Fields(usize),
    #[display("one player per line")]
    PlayerPerLine,
    #[display("a name or a FIDE ID")]
    NameOrFideId,
    #[display("each FIDE ID only once (line {_0} has it too)")]
    FideIdOnce(usize),
    #[display("a pairing")]
    Pairing,
    #[display("two players, or one player and a bye")]
    PlayersOrBye,
    #[display("each player only once in round {_0}")]
    PlayerOnce(RoundNo),
    #[display("each board only once in round {_0}")]
    BoardOnce(RoundNo),
    #[display("U, H, F or Z, or the points of the bye")]
    Bye,
    #[display("a result, for example 1-0, 1/2-1/2 or +:-, or an empty field")]
    Result,
    #[display("the number of a player in the event")]
    KnownNumber,
    #[display("the FIDE ID of a player in the event")]
    KnownFideId,
    #[display("the name of a player in the event")]
    KnownName,
    #[display("a name that only one player has (use numbers for namesakes)")]
    UniqueName,
    #[display(
        "{row}; to pair round {round} again, list every board of its matches, or change single boards with \
         `flagfall event round reseat`"
    )]
    CompleteMatches { row: MatchRow, round: RoundNo },
}

impl Expected {
    pub(super) fn number(what: &'static str, low: impl Into<u32>, high: impl Into<u32>) -> Self {
        Self::Number {
            what,
            low: low.into(),
            high: high.into(),
        }
    }
}

/// A row of a table that keeps the matches of a round complete.
#[derive(Clone, Debug, Display, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum MatchRow {
    #[display("the number of the board for these players")]
    BoardNumber,
    #[display("a board in this round ({})", listed(_0))]
    BoardOfRound(Vec<BoardNo>),
    #[display("players of {} and {}, who meet at board {board}", teams[0], teams[1])]
    PlayersOfTeams { teams: [String; 2], board: BoardNo },
    #[display("a row for board {board} too, since player {player} leaves it")]
    LeftBoard { player: PlayerNo, board: BoardNo },
}
