//! Remarks on points and ranks that a file states.

use derive_more::Display;

use super::entrant::{Counted, Entrant};
use crate::formats::wording::listed;
use crate::{PlayerNo, Points};

/// The rule by which the event ranks participants, named where a file states different ranks.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum RankRule {
    #[display("in a team event, players are ranked here by their own points only")]
    OwnPoints,
    #[display(
        "the file lists no tie-breaks (202, 212): participants on equal points share a rank here"
    )]
    NoTieBreaks,
    #[display("the file's tie-breaks apply here: {}", listed(_0))]
    TieBreaks(Vec<String>),
}

/// A team's match points and game points.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{matches} match points and {games} game points")]
pub struct TeamPoints {
    /// Match points.
    pub matches: Points,
    /// Game points.
    pub games: Points,
}

const UNTIL: &str =
    "the file's numbers apply until a pairing, a result or the list of tie-breaks changes";

/// A remark on points or ranks that a file states.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum StandingsRemark {
    #[display(
        "line {line}, column 81: player {player} has {in_file} points in the file, but the results{} add up to {computed}",
        if *with_record_299 { " and record 299" } else { "" }
    )]
    UnexplainedPoints {
        line: usize,
        player: u16,
        in_file: Points,
        computed: Points,
        with_record_299: bool,
    },
    #[display(
        "{} points in the file that differ from the results; {UNTIL}",
        have(_0)
    )]
    PointsFromFile(Vec<PlayerNo>),
    #[display(
        "team {} {}: {in_file} in the file, but its boards, forfeited matches and byes give {computed}",
        team.number,
        team.name
    )]
    TeamPoints {
        team: Entrant,
        in_file: TeamPoints,
        computed: TeamPoints,
    },
    #[display(
        "{differing} of {all} {of} {} a different rank in the file; the first is number {first}: {in_file} in the file, {here} here; \
         {rule}; {UNTIL}",
        if *differing == 1 { "has" } else { "have" }
    )]
    Ranks {
        of: Counted,
        differing: usize,
        all: usize,
        first: u16,
        in_file: u16,
        here: u16,
        rule: RankRule,
    },
}

fn have(players: &[PlayerNo]) -> String {
    match players {
        [player] => format!("player {player} has"),
        players => format!("players {} have", listed(players)),
    }
}
