//! The report for a pairing program. Owns the selection of data and the records in which older and newer programs
//! expect it.

use super::export::without_notes;
use super::model::Draft;
use super::pairing_rules;
use super::totals::{Totals, next_round};
use crate::formats::trf::{Edition, Written, write};
use crate::{Event, Points, Tournament};

/// Writes an event for a program that pairs its next round. Players who miss that round have a bye in it, including
/// withdrawn and late players. Byes of later rounds are left out: a program would treat the rounds before them
/// as finished.
pub fn export_for_pairing(tournament: &Tournament) -> Written {
    // Stated points are left out, because programs refuse points that do not follow from the cells.
    let computed = tournament.clone().with_stated(None);
    let mut draft = Draft::of(&computed);
    let next = next_round(&draft);
    for player in draft.players.values_mut() {
        let bye = player.bye_in(next);
        player.byes = bye.into_iter().map(|bye| (next, bye)).collect();
    }
    draft.event.abnormal_points = tournament.abnormal_points_as_bonuses();
    draft.event.type_code = code_for_pairing(&draft.event);
    let (mut report, lost) = without_notes(&draft, &Totals::of(&computed));
    pairing_rules::byes_in_lines(&mut report, next);
    for player in &mut report.players {
        // Programs treat a score that penalties have made negative as zero.
        player.points = player.points.max(player.points.and(Some(Points::ZERO)));
    }
    write(&report, Edition::Trf26).after(lost)
}

/// Returns an encoded type (TRF 192) that pairing programs accept. They refuse unknown codes, so every system except
/// Burstein's is paired by the Dutch rules.
fn code_for_pairing(event: &Event) -> String {
    let code = event.type_code.trim();
    let mut known = event.clone();
    if !code.starts_with("FIDE_BURSTEIN") && !code.starts_with("FIDE_DUTCH") {
        known.type_code = String::new();
        known.set_baku(event.is_baku());
    }
    match known.type_code.trim() {
        "" => "FIDE_DUTCH_2025".to_owned(),
        code => code.to_owned(),
    }
}
