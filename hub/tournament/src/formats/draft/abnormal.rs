//! Abnormal points (record 299). Owns their translation in both directions; must never add points up.

use super::cells_read::number;
use super::{Draft, pairing_rules};
use crate::formats::trf::report::{Abnormal, Report};
use crate::formats::trf::scoring::writable;
use crate::formats::trf::value::Letter;
use crate::{AbnormalPoints, Bye, Outcome, ResultKind, RoundNo};

pub(super) fn read(report: &Report) -> Vec<AbnormalPoints> {
    let records = report.rules.abnormal.iter();
    let given = records.map(|record| AbnormalPoints {
        replaces: record.kind.and_then(kind),
        match_points: record.match_points,
        points: record.points,
        round: record.round.map(|round| RoundNo(number(round))),
        participants: record.who.iter().map(|who| number(*who)).collect(),
    });
    given.collect()
}

/// Writes the event's abnormal points. An event from an older log may have the records only as kept lines.
pub(super) fn write(draft: &Draft, report: &mut Report) {
    if draft.event.abnormal_points.is_empty() {
        return;
    }
    let given = draft.event.abnormal_points.iter();
    let records = given.filter_map(|given| {
        let known = given.participants.iter();
        let known = known.filter(|no| pairing_rules::is_known(draft, **no));
        let who: Vec<u32> = known.map(|no| u32::from(*no)).collect();
        // Without a number the record would apply to everyone.
        if who.is_empty() && !given.participants.is_empty() {
            return None;
        }
        Some(Abnormal {
            kind: given.replaces.map(letter),
            match_points: given.match_points.and_then(writable),
            points: given.points.and_then(writable),
            round: given.round.map(|round| round.0.into()),
            who,
        })
    });
    report.rules.abnormal = records.collect();
}

/// Returns the result kind of a letter. The record has no kind for a pairing-allocated bye.
const fn kind(letter: Letter) -> Option<ResultKind> {
    match letter {
        Letter::Game(outcome) | Letter::Unrated(outcome) => Some(ResultKind::of_outcome(outcome)),
        Letter::ForfeitWin => Some(ResultKind::ForfeitWin),
        Letter::ForfeitLoss => Some(ResultKind::ForfeitLoss),
        Letter::Bye(bye) => ResultKind::of_bye(bye),
    }
}

const fn letter(kind: ResultKind) -> Letter {
    match kind {
        ResultKind::Win => Letter::Game(Outcome::Win),
        ResultKind::Draw => Letter::Game(Outcome::Draw),
        ResultKind::Loss => Letter::Game(Outcome::Loss),
        ResultKind::ForfeitWin => Letter::ForfeitWin,
        ResultKind::ForfeitLoss => Letter::ForfeitLoss,
        ResultKind::FullBye => Letter::Bye(Bye::Full),
        ResultKind::HalfBye => Letter::Bye(Bye::Half),
        ResultKind::ZeroBye => Letter::Bye(Bye::Zero),
    }
}
