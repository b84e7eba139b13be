//! Remarks on the tournament section of a file: stated counts, dates, type and tie-breaks.

use derive_more::Display;

use super::entrant::Counted;
use crate::formats::trf::value::Date;

/// A remark on the tournament section of a file.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum HeaderRemark {
    #[display(
        "line {line}, column 5: the file gives the number of {of} as {announced} but lists {found}"
    )]
    AnnouncedCount {
        line: usize,
        of: Counted,
        announced: u32,
        found: usize,
    },
    #[display(
        "line {line}, column 5: {code} is a team event type, but the file has no teams (310, 013)"
    )]
    NoTeams { line: usize, code: String },
    #[display(
        "line {line}, column 5: the file gives the number of rounds as {announced}, but the players' lines have {found}; the lines take precedence"
    )]
    AnnouncedRounds {
        line: usize,
        announced: u16,
        found: usize,
    },
    #[display(
        "line {line}, column 5: record 142 gives {trf} rounds and XXR {extension}; record 142 applies"
    )]
    TwoRoundCounts {
        line: usize,
        trf: u16,
        extension: u16,
    },
    #[display("line {line}, column 5: the event ends on {end}, before its start on {start}")]
    EndBeforeStart { line: usize, start: Date, end: Date },
    #[display("the file does not give the number of rounds (142, XXR); rounds counted: {_0}")]
    RoundsCounted(u16),
    #[display("the tie-break `{code}` is left out: {error}")]
    TieBreakLeftOut { code: String, error: String },
}
