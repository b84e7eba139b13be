//! Notes on a number: what its addends do not show. Owns their data and English text; programs with words of their own
//! use the data.

use std::fmt;

use crate::{Measure, Points, Ratio};

/// A note on a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The addends are each board's points times its number.
    BoardCount,
    /// The points on each board, from board 1.
    Boards(Vec<Points>),
    /// The lowest score of an opponent who counts.
    Limit(Ratio),
    /// An unrated player takes part, and the tie-break sets no rating for them (C.07 10).
    Unrated,
    /// The average of the opponents' ratings.
    AverageRating,
    /// A tournament performance rating (B.02 8.1.1).
    Performance {
        /// The average rating of the opponents.
        average: i64,
        /// The percentage of the points.
        percent: i64,
        /// The rating difference for this percentage.
        difference: i64,
    },
    /// A perfect tournament performance: the lowest rating with this expected score (B.02 8.1.2).
    Perfect(Ratio),
    /// The secondary score plus Buchholz divided by a factor.
    Strength {
        /// The secondary score's measure.
        measure: Measure,
        /// The secondary score.
        points: Points,
        /// The divisor of Buchholz.
        divisor: i64,
    },
    /// An average over so many rounds.
    Average(i64),
    /// The ranking by a direct encounter.
    Meeting {
        /// The ranking of the tied participants.
        rule: MeetingRule,
        /// The ranking of those still tied.
        then: MeetingThen,
    },
}

/// The ranking of tied participants by their direct encounter (C.07 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeetingRule {
    /// No other team is tied with this one.
    AloneTeam,
    /// No other player is tied with this one.
    AlonePlayer,
    /// All have met (6.2).
    AllMet,
    /// All will meet (6.2).
    AllWillMeet,
    /// Not all have met (6.3).
    NotAllMet,
}

/// The ranking of teams that a direct encounter leaves tied (C.07 13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeetingThen {
    /// By the next tie-break.
    Nothing,
    /// By the other score.
    OtherScore,
    /// By the other score, then by the boards of two teams.
    Boards,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoardCount => f.write_str("each board's points times its number"),
            Self::Boards(points) => {
                let boards = (1..).zip(points);
                let each: Vec<String> = boards
                    .map(|(board, points)| format!("board {board}: {points}"))
                    .collect();
                f.write_str(&each.join(", "))
            }
            Self::Limit(limit) => write!(f, "only opponents with at least {limit} points count"),
            Self::Unrated => f.write_str(
                "an unrated player takes part, and no rating is set for unrated players (C.07 10)",
            ),
            Self::AverageRating => {
                f.write_str("average of the opponents' ratings, rounded with halves up")
            }
            Self::Performance {
                average,
                percent,
                difference,
            } => write!(
                f,
                "average rating {average}, {percent} % of the points give {difference:+} (B.02 8.1.1)"
            ),
            Self::Perfect(score) => write!(
                f,
                "the lowest rating whose expected score is {score} (B.02 8.1.2)"
            ),
            Self::Strength {
                measure,
                points,
                divisor,
            } => write!(
                f,
                "{} {points} plus Buchholz divided by {divisor}",
                measure.as_str()
            ),
            Self::Average(rounds) => write!(f, "average over {rounds} rounds"),
            Self::Meeting { rule, then } => write!(f, "{rule}{then}"),
        }
    }
}

impl fmt::Display for MeetingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AloneTeam => "no other team is tied with this one",
            Self::AlonePlayer => "no other player is tied with this one",
            Self::AllMet => {
                "all have met: the separate standings rank them, and the article is applied again to those still tied (C.07 6.2)"
            }
            Self::AllWillMeet => {
                "all will meet: the separate standings rank them on the games played so far, and the article is applied again to those still tied (C.07 6.2)"
            }
            Self::NotAllMet => {
                "not all have met: only a participant who is first alone, whatever the missing games bring, is ranked (C.07 6.3)"
            }
        })
    }
}

impl fmt::Display for MeetingThen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "",
            Self::OtherScore => "; if a tie remains, the other score decides (C.07 13.3)",
            Self::Boards => {
                "; if a tie remains, the other score decides, then the boards if two teams are still tied (C.07 13.3)"
            }
        })
    }
}
