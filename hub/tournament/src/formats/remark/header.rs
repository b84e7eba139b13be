//! Remarks on the tournament section of a file: announced numbers, dates, tie-breaks.

use std::fmt;

use super::Counted;
use crate::formats::trf::value::Date;

/// A remark on the tournament section of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderRemark {
    /// The announced number of players or teams is wrong.
    AnnouncedCount {
        /// The line of the announcement.
        line: usize,
        /// The kind of entrants concerned.
        of: Counted,
        /// The announced number.
        announced: u32,
        /// The number in the file.
        found: usize,
    },
    /// The type is that of a team event, but the file has no teams.
    NoTeams {
        /// The line of the type.
        line: usize,
        /// The type.
        code: String,
    },
    /// Fewer rounds are announced than the players' lines have.
    AnnouncedRounds {
        /// The line of the announcement.
        line: usize,
        /// The announced number.
        announced: u32,
        /// The number that applies.
        found: usize,
    },
    /// Records 142 and XXR announce different numbers of rounds.
    TwoRoundCounts {
        /// The line of record XXR.
        line: usize,
        /// The number of record 142, which applies.
        trf: u32,
        /// The number of record XXR.
        extension: u32,
    },
    /// The event ends before it starts.
    EndBeforeStart {
        /// The line of the end.
        line: usize,
        /// The start.
        start: Date,
        /// The end.
        end: Date,
    },
    /// The file does not give the number of rounds; this many are counted.
    RoundsCounted(u16),
    /// A tie-break that is not understood is left out.
    TieBreakLeftOut {
        /// The tie-break.
        code: String,
        /// The error in it, in English.
        error: String,
    },
}

impl fmt::Display for HeaderRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnnouncedCount {
                line,
                of,
                announced,
                found,
            } => write!(
                f,
                "line {line}, column 5: {announced} {of} are announced, but {found} are in the file"
            ),
            Self::NoTeams { line, code } => write!(
                f,
                "line {line}, column 5: {code} is the type of a team event, but the file has no teams (310, 013)"
            ),
            Self::AnnouncedRounds {
                line,
                announced,
                found,
            } => write!(
                f,
                "line {line}, column 5: {announced} rounds are announced, but the players' lines have {found}, which applies"
            ),
            Self::TwoRoundCounts {
                line,
                trf,
                extension,
            } => write!(
                f,
                "line {line}, column 5: record 142 announces {trf} rounds and XXR {extension}: 142 applies"
            ),
            Self::EndBeforeStart { line, start, end } => write!(
                f,
                "line {line}, column 5: the event ends on {end}, before its start on {start}"
            ),
            Self::RoundsCounted(rounds) => write!(
                f,
                "the file does not give the number of rounds (142, XXR): {rounds} are counted"
            ),
            Self::TieBreakLeftOut { code, error } => {
                write!(f, "the tie-break `{code}` is left out: {error}")
            }
        }
    }
}
