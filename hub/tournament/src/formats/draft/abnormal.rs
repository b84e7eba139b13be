//! Abnormal points (record 299). Owns their conversion to the form that a report can hold; must never add points up.

use super::model::Draft;
use super::pairing_rules;
use crate::AbnormalPoints;
use crate::formats::trf::report::Report;
use crate::formats::trf::scoring::writable;

/// Writes the event's abnormal points. An event from an older log may have the records only as kept lines.
pub(super) fn write(draft: &Draft, report: &mut Report) {
    if draft.event.abnormal_points.is_empty() {
        return;
    }
    let given = draft.event.abnormal_points.iter();
    let records = given.filter_map(|given| {
        let known = given.participants.iter().copied();
        let known = known.filter(|no| pairing_rules::is_known(draft, *no));
        let participants: Vec<u16> = known.collect();
        // Without a number the record would apply to everyone.
        if participants.is_empty() && !given.participants.is_empty() {
            return None;
        }
        Some(AbnormalPoints {
            match_points: given.match_points.and_then(writable),
            points: given.points.and_then(writable),
            participants,
            ..*given
        })
    });
    report.rules.abnormal = records.collect();
}
