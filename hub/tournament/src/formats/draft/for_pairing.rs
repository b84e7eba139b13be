//! The report that a pairing program reads. Owns what programs are told, and in which records those of every age look for it.

use super::export::{Totals, next_round, without_notes};
use super::{Draft, pairing_rules};
use crate::formats::trf::value::Tenths;
use crate::formats::trf::{Edition, Written, write};
use crate::{Event, Tournament};

/// Writes an event for a program that is to pair its next round. Players who miss that round have a bye in it, those who have
/// withdrawn or have not come yet included. Byes of later rounds are left out: a program takes a round in which a player
/// has something for one that is over.
pub fn export_for_pairing(tournament: &Tournament) -> Written {
    // A program refuses points that do not follow from the cells.
    let computed = tournament.clone().with_stated(None);
    let mut draft = Draft::of(&computed);
    let next = next_round(&draft);
    for player in draft.players.values_mut() {
        let bye = player.bye_in(next);
        player.byes = bye.into_iter().map(|bye| (next, bye)).collect();
    }
    draft.event.abnormal_points = tournament.abnormal_points_as_bonuses();
    draft.event.type_code = code_for_pairing(&draft.event);
    let (mut report, mut lost) = without_notes(&draft, &Totals::of(&computed));
    pairing_rules::byes_in_lines(&mut report);
    for player in &mut report.players {
        // Programs hold a score that penalties take below zero for zero.
        player.points = player.points.max(player.points.and(Some(Tenths(0))));
    }
    let written = write(&report, Edition::Trf26);
    lost.extend(written.lost);
    Written { lost, ..written }
}

/// The code of the system (TRF 192) as pairing programs know it. They refuse those that they do not know, and an event of
/// another system, or without one, is paired by the Dutch rules.
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
