//! Notes on numbers in the standings. Owns their data and English text; other programs build their own text from the data.

use derive_more::Display;

use crate::{Measure, Points, Ratio};

/// A note that explains a number in the standings if its addends alone do not.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Note {
    /// Each addend is a board's points multiplied by the board number.
    #[display("the points on each board multiplied by the board number")]
    BoardCount,
    /// The points on each board, from board 1.
    #[display("{}", by_board(_0))]
    Boards(Vec<Points>),
    /// Only opponents with at least this score count (C.07 9.2).
    #[display("only opponents with at least {_0} points count")]
    Limit(Ratio),
    /// A player is unrated, and neither the tie-break nor the event sets a rating for unrated players (C.07 10).
    #[display("one of the players is unrated, and no rating is set for unrated players (C.07 10)")]
    Unrated,
    /// The number is the average of the opponents' ratings.
    #[display("average of the opponents' ratings, rounded to the nearest whole number, 0.5 up")]
    AverageRating,
    /// A tournament performance rating (B.02 8.1.1).
    #[display(
        "average rating {average}; a score of {percent} % corresponds to a rating difference of {difference:+} (B.02 8.1.1)"
    )]
    Performance {
        /// The average rating of the opponents.
        average: i64,
        /// The score against these opponents, as a percentage of the maximum.
        percent: i64,
        /// The rating difference for this percentage.
        difference: i64,
    },
    /// A perfect tournament performance: the lowest rating with at least this expected score (B.02 8.1.2).
    #[display("the lowest rating that gives an expected score of at least {_0} (B.02 8.1.2)")]
    Perfect(Ratio),
    /// Score and schedule strength combination: the secondary score plus Buchholz divided by `divisor`.
    #[display("{} {points} plus Buchholz divided by {divisor}", measure.as_str())]
    Strength {
        /// The measure of the secondary score: match points or game points.
        measure: Measure,
        /// The secondary score.
        points: Points,
        /// The number by which Buchholz is divided.
        divisor: i64,
    },
    /// The number is an average over the opponents met in this many rounds.
    #[display("average over {_0} {}", if *_0 == 1 { "round" } else { "rounds" })]
    Average(i64),
    /// The rules by which a direct encounter ranks the tied participants.
    #[display("{rule}{then}")]
    DirectEncounter {
        /// The rule of article 6 that applies to the tied participants.
        rule: EncounterRule,
        /// The rule that ranks those who are still tied afterwards.
        then: RemainingTieRule,
    },
}

/// The ranking of tied participants by their direct encounter (C.07 6).
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of a variant says what it is")]
pub enum EncounterRule {
    #[display("no other team is tied with this one")]
    AloneTeam,
    #[display("no other player is tied with this one")]
    AlonePlayer,
    #[display(
        "all tied participants have met: their separate standings decide, and the rule is applied again to those still tied (C.07 6.2)"
    )]
    AllMet,
    #[display(
        "all tied participants will meet: their separate standings so far decide, and the rule is applied again to those still tied (C.07 6.2)"
    )]
    AllWillMeet,
    #[display(
        "not all tied participants have met: a participant is ranked only if certain to finish first among them, whatever the missing results would have been (C.07 6.3)"
    )]
    NotAllMet,
}

/// The ranking of participants that a direct encounter leaves tied (C.07 13.3).
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum RemainingTieRule {
    /// By the next tie-break.
    #[display("")]
    Nothing,
    /// By the other score.
    #[display("; the other score breaks remaining ties (C.07 13.3)")]
    OtherScore,
    /// By the other score, then by the boards of two teams.
    #[display(
        "; the other score breaks remaining ties, then the board results if only two teams are still tied (C.07 13.3)"
    )]
    Boards,
}

fn by_board(points: &[Points]) -> String {
    let boards = (1..).zip(points);
    let each = boards.map(|(board, points)| format!("board {board}: {points}"));
    each.collect::<Vec<String>>().join(", ")
}
