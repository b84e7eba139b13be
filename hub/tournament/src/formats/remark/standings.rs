//! Remarks on points and ranks that a file states.

use std::fmt;

use super::{Counted, Entrant, listed};
use crate::PlayerNo;
use crate::formats::trf::value::Tenths;

/// The reason why ranks here differ from a file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankRule {
    /// The players of a team event rank by their own points alone.
    OwnPoints,
    /// The file lists no tie-breaks.
    NoTieBreaks,
    /// These tie-breaks of the file apply.
    TieBreaks(Vec<String>),
}

/// Points of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamPoints {
    /// Match points.
    pub matches: Tenths,
    /// Game points.
    pub games: Tenths,
}

impl fmt::Display for RankRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OwnPoints => {
                f.write_str("in a team event, players rank by their own points alone here")
            }
            Self::NoTieBreaks => f.write_str(
                "the file lists no tie-breaks (202, 212), so participants rank by points alone here and equals share a rank",
            ),
            Self::TieBreaks(list) => write!(f, "its tie-breaks apply here: {}", listed(list)),
        }
    }
}

impl fmt::Display for TeamPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (matches, games) = (self.matches, self.games);
        write!(f, "{matches} match points and {games} game points")
    }
}

/// The end of some remarks: how long the file's numbers apply.
const UNTIL: &str =
    "the file's numbers apply until a pairing, a result or the list of tie-breaks changes";

/// A remark on points or ranks that a file states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StandingsRemark {
    /// A player's points do not follow from the results.
    UnexplainedPoints {
        /// The line of the player.
        line: usize,
        /// The player's number.
        player: u32,
        /// The points in the file.
        in_file: Tenths,
        /// The points that follow from the results.
        computed: Tenths,
        /// The computed points include those of record 299.
        with_record_299: bool,
    },
    /// The file's points of these players apply, although the results give others.
    PointsFromFile(Vec<PlayerNo>),
    /// A team's points in the file do not follow from its boards.
    TeamPoints {
        /// The team.
        team: Entrant,
        /// The points in the file.
        in_file: TeamPoints,
        /// The points that follow from boards, forfeited matches and byes.
        computed: TeamPoints,
    },
    /// Ranks in the file differ from those here.
    Ranks {
        /// The kind of entrants concerned.
        of: Counted,
        /// The number of differing ranks.
        differing: usize,
        /// The number of ranks in the file.
        all: usize,
        /// The number of the first entrant with another rank.
        first: u32,
        /// That entrant's rank in the file.
        in_file: u32,
        /// That entrant's rank here.
        here: u32,
        /// The rule for ranks here.
        rule: RankRule,
    },
}

impl fmt::Display for StandingsRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexplainedPoints {
                line,
                player,
                in_file,
                computed,
                with_record_299,
            } => {
                let record = if *with_record_299 {
                    " and record 299"
                } else {
                    ""
                };
                write!(
                    f,
                    "line {line}, column 81: player {player} has {in_file} points in the file, but the results{record} add up to {computed}"
                )
            }
            Self::PointsFromFile(players) => {
                let (word, have) = match players.len() {
                    1 => ("player", "has"),
                    _ => ("players", "have"),
                };
                write!(
                    f,
                    "{word} {} {have} different points in the file than the results give; {UNTIL}",
                    listed(players)
                )
            }
            Self::TeamPoints {
                team,
                in_file,
                computed,
            } => write!(
                f,
                "team {} {}: {in_file} in the file, but its boards, forfeited matches and byes give {computed}",
                team.number, team.name
            ),
            Self::Ranks {
                of,
                differing,
                all,
                first,
                in_file,
                here,
                rule,
            } => write!(
                f,
                "{differing} of {all} {of} have a different rank in the file than here; the first is {first}: {in_file} there, {here} here; \
                 {rule}; {UNTIL}"
            ),
        }
    }
}
