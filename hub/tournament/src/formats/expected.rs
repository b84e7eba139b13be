//! The text that a file should have where it cannot be read: a kind with its data, so that programs can word it in
//! other languages. Owns the English words; must never decide what a file may contain.

use derive_more::Display;

use super::remark::Counted;
use super::wording::listed;
use crate::{BoardNo, PlayerNo, RoundNo};

/// The text that a file should have at a place.
#[derive(Clone, Debug, Display, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Expected {
    // Fields.
    #[display("{what} from {low} to {high}")]
    Number {
        what: &'static str,
        low: u32,
        high: u32,
    },
    #[display("one of {}", _0.join(", "))]
    OneOf(&'static [&'static str]),
    /// With an example.
    #[display("points such as {_0}")]
    Points(&'static str),
    /// With an example.
    #[display("a date such as {_0}")]
    Date(&'static str),
    /// With an example.
    #[display("a date of birth such as {_0}")]
    Birth(&'static str),
    #[display("a title such as GM or WFM")]
    Title,
    #[display("a federation code of three letters, as in NOR")]
    Federation,
    /// The expected part of a time control.
    #[display("{_0}")]
    TimeControl(&'static str),
    #[display("text without control characters")]
    PlainText,
    #[display("a name")]
    PlayerName,
    #[display("the name of a team")]
    TeamName,
    #[display("a national number")]
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
    #[display("a code and points such as PAB=0.5")]
    CodeWithPoints,
    #[display("points for the previous code")]
    PointsOfCode,
    #[display("a sequence of W and B for at most {_0} boards")]
    Colours(usize),
    #[display("the code of a federation and a ranking method, such as NOR FIDON")]
    RankingMethod,
    #[display("a first number that does not come after the last")]
    RangeInOrder,
    #[display("a value")]
    Value,

    // Lines and records.
    #[display("a blank between two fields")]
    Blank,
    #[display("no more text on this line")]
    NoMoreText,
    #[display("the end of the line, since an event has at most {_0} rounds")]
    RoundLimit(u16),
    #[display("at most {_0} players in a team")]
    TeamSize(usize),
    #[display("the tag of a record, such as 001 or XXR, and a blank")]
    Tag,
    #[display("only one record {_0}; the file has another before")]
    SingleRecord(String),
    #[display("a player's line, 001")]
    PlayerLine,
    #[display("0000, because a bye has no opponent")]
    NoOpponent,
    #[display("w or b, because a game was played")]
    Colour,

    // Agreement of the lines of a report.
    #[display("a starting number that no other player has")]
    FreeNumber,
    #[display("a team number that no other team has")]
    FreeTeamNumber,
    #[display("an opponent in round {_0}")]
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
    #[display("a player of only one team")]
    OneTeam,
    #[display("the number of {of} in the file, {actual}")]
    Count { of: Counted, actual: usize },
    #[display("at most {_0} teams")]
    TeamLimit(usize),
    #[display("two players with teams, as in every game of a team event")]
    PlayersWithTeams,
    #[display("an opponent of another team")]
    OtherTeam,
    #[display("an opponent of team {opponent}, whom team {team} meets")]
    OpponentOfTeam { team: u16, opponent: u16 },
    #[display("team {team} to meet only team {opponent} in round {round}")]
    OneMatch {
        team: u16,
        opponent: u16,
        round: RoundNo,
    },

    // Files and tables.
    #[display("a file of at most {_0} bytes")]
    FileSize(usize),
    #[display("{_0} throughout, as the byte-order mark announces")]
    Encoding(&'static str),
    #[display("a separator or the end of the line after the closing quote")]
    Separator,
    #[display("quotes around the whole field, with those inside it doubled")]
    QuotedField,
    #[display("a closing quote for this one")]
    ClosingQuote,
    /// With an example.
    #[display("a line of headers such as {_0}")]
    Headers(&'static str),
    #[display("a line of headers that includes {_0}")]
    Header(&'static str),
    #[display("each column only once")]
    ColumnOnce,
    #[display("{_0} fields as in the first line (put a name with a comma in quotes)")]
    Fields(usize),
    #[display("one player per line")]
    PlayerPerLine,
    #[display("a name or a FIDE ID")]
    NameOrFideId,
    /// With the other line.
    #[display("a FIDE ID only once: line {_0} has it too")]
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
    #[display("a result such as 1-0, 1/2-1/2 or +:-, or an empty field")]
    Result,
    #[display("the number of a player of the event")]
    KnownNumber,
    #[display("the FIDE ID of a player of the event")]
    KnownFideId,
    #[display("the name of a player of the event")]
    KnownName,
    #[display("a name that only one player has: use numbers for namesakes")]
    UniqueName,
    /// A row that keeps the matches of a paired round complete.
    #[display(
        "{row}; to pair round {round} again, name every board of its matches, or change single boards with \
         `flagfall event round reseat`"
    )]
    CompleteMatches { row: MatchRow, round: RoundNo },
}

impl Expected {
    /// Returns the expectation of a number in a range.
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
    #[display("a board of the round ({})", listed(_0))]
    BoardOfRound(Vec<BoardNo>),
    #[display("players of {} and {}, who meet at board {board}", teams[0], teams[1])]
    PlayersOfTeams { teams: [String; 2], board: BoardNo },
    #[display("board {board} in the table too, since player {player} leaves it")]
    LeftBoard { player: PlayerNo, board: BoardNo },
}
