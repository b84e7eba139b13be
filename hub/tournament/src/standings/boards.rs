//! Tie-breaks from the boards of teams (C.07 12).

use super::field::Field;
use super::method::End;
use super::note::Note;
use super::own::rounds;
use super::parts::parts_by;
use super::term::{Basis, Term, TermSum, UNIT, ten_thousandths};
use crate::{Measure, Points};

fn on_boards(field: &Field, subject: usize) -> Vec<Points> {
    let boards = usize::try_from(field.width(Measure::Game)).unwrap_or(0);
    let mut points = vec![Points::ZERO; boards];
    for (_, entry) in rounds(field, subject) {
        for game in &entry.games {
            let place = usize::from(game.place).checked_sub(1);
            if let Some(of_board) = place.and_then(|place| points.get_mut(place)) {
                *of_board += game.points;
            }
        }
    }
    points
}

/// Computes 12.1: the sum of each board's number times its points, where lower is better.
pub(super) fn count(field: &Field, subject: usize) -> TermSum {
    let boards = (1_i64..).zip(on_boards(field, subject));
    let terms = boards.map(|(board, points)| {
        let score = ten_thousandths(points);
        Term {
            factor: board * UNIT,
            value: score * board,
            ..Term::plain(0, Basis::Own, score)
        }
    });
    TermSum {
        note: Some(Note::BoardCount),
        ..TermSum::sum(terms.collect())
    }
}

pub(super) fn note(field: &Field, subject: usize) -> Option<Note> {
    let points = on_boards(field, subject);
    (!points.is_empty()).then_some(Note::Boards(points))
}

/// Ranks by 12.2 or 12.3. 12.2 compares the points on the top board, then on each next one. 12.3 compares the
/// points on all boards but the last, then on all but the last two, down to the first board.
pub(super) fn resolve(field: &Field, tied: &[usize], end: End) -> Vec<Vec<usize>> {
    parts_by(tied, |subject| {
        let points = on_boards(field, subject);
        match end {
            End::Top => points,
            End::Bottom => {
                let kept = (1..points.len()).rev();
                kept.map(|kept| points[..kept].iter().copied().sum())
                    .collect()
            }
        }
    })
}
