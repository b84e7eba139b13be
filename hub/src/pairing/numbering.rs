//! New pairing numbers in FIDE's initial order (C.04.2) or in an arbiter's order. Owns the sentences about them; the event owns FIDE's order.

use tournament::formats::draft::renumbering;
use tournament::formats::remark::PairingRemark;
use tournament::numbering::NUMBERS_FIXED_BY;
use tournament::{Invalid, PlayerNo, Refusal, Renumbering, System, Tournament};

const MAX_NAMED: usize = 12;

/// Returns the numbers of an individual Swiss by FIDE's initial order, if they differ from the players' numbers and may still change.
pub fn better(tournament: &Tournament) -> Option<Renumbering> {
    let order = tournament.better_numbering()?;
    Some(renumbering(tournament.event(), order))
}

/// Returns the numbers in the arbiter's `order`, or in FIDE's initial order if `order` is empty.
///
/// # Errors
/// Returns the reason why the numbers cannot change, or why the order is invalid or, in a round robin, missing.
pub fn requested(tournament: &Tournament, order: &[PlayerNo]) -> Result<Renumbering, Refusal> {
    tournament.numbers_may_change()?;
    let order = match order {
        [] if tournament.event().system != System::Swiss => {
            return Err(Invalid::OrderNotDrawn.into());
        }
        [] => tournament.initial_order(),
        order => order.to_vec(),
    };
    let new = renumbering(tournament.event(), order);
    tournament.renumbered(&new).map(|_| new)
}

pub(super) fn with(
    tournament: &Tournament,
    new: Option<&Renumbering>,
) -> Result<Tournament, Refusal> {
    match new {
        Some(new) => tournament.renumbered(new),
        None => Ok(tournament.clone()),
    }
}

/// Returns a remark if the numbers of an individual Swiss are not in FIDE's initial order and may still change.
pub fn remark(tournament: &Tournament) -> Option<PairingRemark> {
    tournament
        .better_numbering()
        .map(|_| PairingRemark::NumbersOutOfOrder {
            fixed_by: NUMBERS_FIXED_BY,
        })
}

/// Describes the new numbers: the players whose numbers change, one a line, at most twelve of them.
pub fn words(tournament: &Tournament, new: &Renumbering) -> String {
    let numbered = (1..).map(PlayerNo).zip(&new.order);
    let moved: Vec<String> = numbered
        .filter(|(no, before)| no != *before)
        .map(|(no, before)| {
            let player = tournament.players().get(before);
            let name = player.map_or("", |player| player.name.as_str());
            format!("  {before} becomes {no}: {name}")
        })
        .collect();
    if moved.is_empty() {
        return "Every player keeps the current number".to_owned();
    }
    let count = moved.len();
    let mut lines = vec![match count {
        1 => "1 player gets a new number:".to_owned(),
        count => format!("{count} players get new numbers:"),
    }];
    lines.extend(moved.into_iter().take(MAX_NAMED));
    if count > MAX_NAMED {
        lines.push(format!("  and {} more", count - MAX_NAMED));
    }
    lines.join("\n")
}
