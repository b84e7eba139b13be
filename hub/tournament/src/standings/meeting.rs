//! Direct encounter (C.07 6) and its form for teams (13.3).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use derive_more::Display;

use super::field::{Entry, Field, RoundKind};
use super::method::{End, Extension};
use super::parts::parts_by;
use crate::{Measure, Points, Ratio, TieBreak};

/// The score that decides a direct encounter.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Step {
    /// Match points or game points.
    #[display("{}", score_words(*_0))]
    Score(Measure),
    /// The sum of each board's points times its number.
    #[display("in the board count")]
    BoardCount,
    /// The points on one board.
    #[display("on board {_0}")]
    Board(u16),
    /// The points on boards 1 to this one.
    #[display("{}", first_boards(*_0))]
    BoardsTo(u16),
}

impl Step {
    fn points(self, entry: &Entry) -> Points {
        let weight = |place: u16| match self {
            Self::BoardCount => i64::from(place),
            Self::Board(board) => i64::from(place == board),
            Self::BoardsTo(last) => i64::from(place <= last),
            Self::Score(_) => 0,
        };
        match self {
            Self::Score(measure) => entry.scores.of(measure),
            Self::BoardCount | Self::Board(_) | Self::BoardsTo(_) => {
                let games = entry.games.iter();
                games
                    .map(|game| game.points.times(weight(game.place)))
                    .sum()
            }
        }
    }

    /// Returns true if the step applies to a group of this size: boards are compared between two teams only (13.3.2).
    const fn fits(self, tied: usize) -> bool {
        match self {
            Self::Score(_) => tied > 1,
            Self::BoardCount | Self::Board(_) | Self::BoardsTo(_) => tied == 2,
        }
    }
}

const fn score_words(measure: Measure) -> &'static str {
    match measure {
        Measure::Match => "match points",
        Measure::Game => "game points",
    }
}

fn first_boards(last: u16) -> String {
    match last {
        1 => "on board 1".to_owned(),
        last => format!("on boards 1 to {last}"),
    }
}

pub(super) fn steps(field: &Field, measure: Measure, extension: Extension) -> Vec<Step> {
    let mut steps = vec![Step::Score(measure)];
    if extension != Extension::None {
        steps.push(Step::Score(measure.other()));
    }
    if let Extension::Boards { count, end } = extension {
        let boards = u16::try_from(field.width(Measure::Game)).unwrap_or(u16::MAX);
        if count {
            steps.push(Step::BoardCount);
        }
        match end {
            Some(End::Top) => steps.extend((1..=boards).map(Step::Board)),
            Some(End::Bottom) => steps.extend((1..boards).rev().map(Step::BoardsTo)),
            None => (),
        }
    }
    steps
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) subject: usize,
    pub(super) score: Ratio,
    /// The sum if the participant won every missing game against the other tied participants.
    pub(super) most: Ratio,
    pub(super) met: usize,
}

pub(super) struct Applied {
    pub(super) step: Step,
    pub(super) table: Vec<Line>,
}

/// Returns the tied participants in order, split into parts that their encounters separate. Returns a single part if
/// the encounters separate none of them. Passes each applied step to `seen`.
///
/// A step is applied again to each subset that it leaves tied, before the next step. Once a score has separated some
/// participants, all steps are applied again to the subsets that are still tied (6.2, 13.3.3). They continue in the same
/// cycle, as in FIDE's checker: after the secondary score, the boards come before the primary score.
pub(super) fn resolve(
    field: &Field,
    tied: &[usize],
    steps: &[Step],
    tie_break: TieBreak,
    mut seen: impl FnMut(Applied),
) -> Vec<Vec<usize>> {
    let mut parts = vec![tied.to_vec()];
    let mut settled = 0;
    for step in steps.iter().cycle() {
        if settled == steps.len() {
            break;
        }
        let before = parts.len();
        parts = parts
            .iter()
            .flat_map(|part| settle(field, part, *step, tie_break, &mut seen))
            .collect();
        // Two teams separated by their boards leave no tie to examine again.
        let again = parts.len() > before && matches!(step, Step::Score(_));
        settled = if again { 1 } else { settled + 1 };
    }
    parts
}

fn settle(
    field: &Field,
    tied: &[usize],
    step: Step,
    tie_break: TieBreak,
    seen: &mut impl FnMut(Applied),
) -> Vec<Vec<usize>> {
    if !step.fits(tied.len()) {
        return vec![tied.to_vec()];
    }
    let table = table(field, tied, step, tie_break);
    let parts = once(field, &table);
    seen(Applied { step, table });
    if parts.len() == 1 {
        return parts;
    }
    let mut settled = Vec::with_capacity(parts.len());
    for part in parts {
        settled.extend(settle(field, &part, step, tie_break, seen));
    }
    settled
}

fn table(field: &Field, tied: &[usize], step: Step, tie_break: TieBreak) -> Vec<Line> {
    let as_played = tie_break.forfeits_as_played || field.is_round_robin();
    let win = match step {
        Step::Score(measure) => field.round_win(measure),
        Step::BoardCount | Step::Board(_) | Step::BoardsTo(_) => field.round_win(Measure::Game),
    };
    let line = |subject: usize| {
        let mut met: BTreeMap<usize, (Points, i64)> = BTreeMap::new();
        for entry in &field.competitors[subject].log {
            let counts = match entry.kind {
                RoundKind::Played => true,
                RoundKind::ForfeitWin | RoundKind::ForfeitLoss => as_played,
                RoundKind::Pending | RoundKind::Bye(_) => false,
            };
            let opponent = entry.opponent;
            let opponent = opponent.filter(|opponent| counts && tied.contains(opponent));
            if let Some(opponent) = opponent {
                let against = met.entry(opponent).or_default();
                against.0 += step.points(entry);
                against.1 += 1;
            }
        }
        // 6.1.2: several meetings count as their average.
        let averages = met.values();
        let averages = averages.map(|(points, games)| Ratio::new(points.hundredths(), games * 100));
        let score: Ratio = averages.sum();
        let missing = i64::try_from(tied.len() - 1 - met.len()).unwrap_or(i64::MAX);
        Line {
            subject,
            score,
            most: score + win.times(missing).into(),
            met: met.len(),
        }
    };
    tied.iter().map(|subject| line(*subject)).collect()
}

fn once(field: &Field, table: &[Line]) -> Vec<Vec<usize>> {
    let others = table.len() - 1;
    let subjects: Vec<usize> = table.iter().map(|line| line.subject).collect();
    let scores = table.iter().map(|line| (line.subject, line.score));
    let scores: BTreeMap<usize, Ratio> = scores.collect();
    // 6.2: in a round robin the missing games are still to come, so the table counts as it is.
    if field.is_round_robin() || table.iter().all(|line| line.met == others) {
        return parts_by(&subjects, |subject| scores[&subject]);
    }
    // 6.3: rank a participant who is certain to be alone in first place, whatever the results of the missing games.
    // Then do the same for the rest.
    let mut rest: Vec<&Line> = table.iter().collect();
    rest.sort_by_key(|line| (Reverse((line.score, line.most)), line.subject));
    let mut parts = Vec::new();
    while let Some((first, others)) = rest.split_first() {
        if others.is_empty() || others.iter().any(|other| other.most >= first.score) {
            break;
        }
        parts.push(vec![first.subject]);
        rest.remove(0);
    }
    let mut unranked: Vec<usize> = rest.iter().map(|line| line.subject).collect();
    unranked.sort_unstable();
    parts.push(unranked);
    parts
}
