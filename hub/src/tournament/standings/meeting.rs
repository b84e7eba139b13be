//! Direct encounter (C.07 6) and its form for teams (13.3).

use std::collections::BTreeMap;

use super::super::points::{Points, Ratio};
use super::super::tie_break::{Measure, TieBreak};
use super::field::{Field, Kind};
use super::parts_by;

/// The scores that are asked, one after the other.
pub(super) fn steps(measure: Measure, extended: bool) -> Vec<Measure> {
    if extended {
        vec![measure, measure.other()]
    } else {
        vec![measure]
    }
}

/// One line of the separate standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) subject: usize,
    /// The sum of the scores against the others.
    pub(super) score: Ratio,
    /// What it would be with every missing game won.
    pub(super) most: Ratio,
    /// How many of the others he has met.
    pub(super) met: usize,
}

/// Those who are tied, in the order the encounters give them; one part if they separate nobody.
pub(super) fn resolve(
    field: &Field,
    tied: &[usize],
    steps: &[Measure],
    tie_break: TieBreak,
) -> Vec<Vec<usize>> {
    if tied.len() < 2 {
        return vec![tied.to_vec()];
    }
    for measure in steps {
        let parts = once(field, &table(field, tied, *measure, tie_break));
        if parts.len() > 1 {
            // 6.2, 13.3.3: the article is applied anew to each subset that is still tied.
            let deeper = parts
                .iter()
                .flat_map(|part| resolve(field, part, steps, tie_break));
            return deeper.collect();
        }
    }
    vec![tied.to_vec()]
}

/// The separate standings of those who are tied.
pub(super) fn table(
    field: &Field,
    tied: &[usize],
    measure: Measure,
    tie_break: TieBreak,
) -> Vec<Line> {
    let as_played = tie_break.forfeits_as_played || field.is_round_robin();
    let line = |subject: usize| {
        let mut met: BTreeMap<usize, (Points, i64)> = BTreeMap::new();
        for entry in &field.competitors[subject].log {
            let counts = match entry.kind {
                Kind::Played => true,
                Kind::ForfeitWin | Kind::ForfeitLoss => as_played,
                Kind::Pending | Kind::Bye(_) => false,
            };
            if let Some(opponent) = entry
                .opponent
                .filter(|opponent| counts && tied.contains(opponent))
            {
                let against = met.entry(opponent).or_default();
                against.0 += entry.scores.of(measure);
                against.1 += 1;
            }
        }
        // 6.1.2: several meetings count as their average.
        let score: Ratio = met
            .values()
            .map(|(points, games)| Ratio::new(points.hundredths(), games * 100))
            .sum();
        let missing = i64::try_from(tied.len() - 1 - met.len()).unwrap_or(i64::MAX);
        Line {
            subject,
            score,
            most: score + field.round_win(measure).times(missing).into(),
            met: met.len(),
        }
    };
    tied.iter().map(|subject| line(*subject)).collect()
}

/// One application of the article to a table.
fn once(field: &Field, table: &[Line]) -> Vec<Vec<usize>> {
    let others = table.len() - 1;
    let subjects: Vec<usize> = table.iter().map(|line| line.subject).collect();
    let scores: BTreeMap<usize, Ratio> = table
        .iter()
        .map(|line| (line.subject, line.score))
        .collect();
    // 6.2; in a round robin the missing games are those not played yet, and the table is read as it stands.
    if field.is_round_robin() || table.iter().all(|line| line.met == others) {
        return parts_by(&subjects, |subject| scores[&subject]);
    }
    // 6.3: whoever is alone at the top whatever the missing games bring, then the next.
    let mut rest: Vec<&Line> = table.iter().collect();
    rest.sort_by(|left, right| {
        let by_score = right
            .score
            .cmp(&left.score)
            .then(right.most.cmp(&left.most));
        by_score.then(left.subject.cmp(&right.subject))
    });
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
