//! Pairing numbers in FIDE's initial order (C.04.2), proposed to an arbiter. Owns the words; the order is the event's.

use tournament::formats::draft::renumbering;
use tournament::numbering::NUMBERS_FIXED_BY;
use tournament::{PlayerNo, Refusal, Renumbering, System, Tournament};

/// The most players a sentence names.
const MOST_NAMED: usize = 12;

/// The numbers by FIDE's initial order, where those of the players differ and may still change.
pub fn better(tournament: &Tournament) -> Option<Renumbering> {
    let order = tournament.better_numbering()?;
    Some(renumbering(tournament.event(), order))
}

/// Numbers in an order that an arbiter gives, or in FIDE's.
///
/// # Errors
/// Why the numbers do not change, or what is wrong with the order.
pub fn asked(tournament: &Tournament, order: &[PlayerNo]) -> Result<Renumbering, Refusal> {
    tournament.numbers_may_change()?;
    let order = match order {
        [] if tournament.event().system != System::Swiss => {
            let words = "the numbers of a round robin are drawn by lot: name every player in the order drawn";
            return Err(Refusal::Invalid(words.to_owned()));
        }
        [] => tournament.initial_order(),
        order => order.to_vec(),
    };
    let new = renumbering(tournament.event(), order);
    tournament.renumbered(&new).map(|_| new)
}

/// The event with other numbers, if there are any.
pub(super) fn with(
    tournament: &Tournament,
    new: Option<&Renumbering>,
) -> Result<Tournament, Refusal> {
    match new {
        Some(new) => tournament.renumbered(new),
        None => Ok(tournament.clone()),
    }
}

/// What an arbiter should know of numbers that are not in FIDE's order.
pub fn remark(tournament: &Tournament) -> Option<String> {
    tournament.better_numbering().map(|_| {
        format!(
            "the pairing numbers are not the places by rating, title and name (FIDE C.04.2): `flagfall event renumber` puts them in order, until round {NUMBERS_FIXED_BY} is paired"
        )
    })
}

/// Who gets which number.
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
        return "Every player keeps the number there is".to_owned();
    }
    let count = moved.len();
    let mut lines = vec![match count {
        1 => "1 player gets another number:".to_owned(),
        count => format!("{count} players get other numbers:"),
    }];
    lines.extend(moved.into_iter().take(MOST_NAMED));
    if count > MOST_NAMED {
        lines.push(format!("  and {} more", count - MOST_NAMED));
    }
    lines.join("\n")
}
