//! Results and byes as people and programs write them. Owns the accepted notations; must never decide whether a result
//! is possible.

use timing::Side;

use crate::{Bye, GameResult, Outcome};

/// The content of a result cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No result yet.
    Open,
    /// A game's result.
    Game(GameResult),
}

/// Parses a result such as `1-0`, `½:½`, `0.5 - 0.5`, `=`, `+:-`, `1-0 unrated` or `*`.
pub fn read(text: &str) -> Option<Cell> {
    let text = text.trim().to_lowercase().replace(['–', '—', '−'], "-");
    let (text, rated) = match text.strip_suffix("unrated") {
        Some(rest) => (rest.trim().to_owned(), false),
        None => (text, true),
    };
    let forfeit = |winner| Some(Cell::Game(GameResult::Forfeit { winner }));
    let played = |white, black| GameResult::Played {
        white,
        black,
        rated,
        tally: None,
    };
    let compact: String = text.chars().filter(|char| !char.is_whitespace()).collect();
    match compact.as_str() {
        "" | "*" | "-" | ":" | "adj." | "adj" => return rated.then_some(Cell::Open),
        "=" | "draw" | "remis" | "½" | "1/2" => {
            return Some(Cell::Game(played(Outcome::Draw, Outcome::Draw)));
        }
        "+:-" | "+--" | "+/-" | "+-" | "1f-0f" | "1-0f" | "1-0ff" | "1:0k" | "1-0k" => {
            return forfeit(Some(Side::White));
        }
        "-:+" | "--+" | "-/+" | "-+" | "0f-1f" | "0-1f" | "0-1ff" | "0:1k" | "0-1k" => {
            return forfeit(Some(Side::Black));
        }
        "-:-" | "---" | "-/-" | "--" | "0f-0f" | "0-0f" | "0-0ff" | "0-0k" | "0:0k" => {
            return forfeit(None);
        }
        _ => (),
    }
    let (white, black) = compact.split_once(['-', ':'])?;
    Some(Cell::Game(played(outcome(white)?, outcome(black)?)))
}

fn outcome(text: &str) -> Option<Outcome> {
    match text {
        "1" | "1.0" | "1,0" => Some(Outcome::Win),
        "½" | "1/2" | "0.5" | "0,5" | ".5" | "=" => Some(Outcome::Draw),
        "0" | "0.0" | "0,0" => Some(Outcome::Loss),
        _ => None,
    }
}

/// Formats a result in ASCII. Returns an empty string if the result is missing or the game is adjourned.
pub fn write(result: Option<GameResult>) -> String {
    match result {
        None | Some(GameResult::Adjourned) => String::new(),
        Some(result) => result.without_count().label().replace('½', "1/2"),
    }
}

/// Parses a bye from its letter in a report or from its points. An empty cell means a pairing-allocated bye.
pub fn read_bye(text: &str) -> Option<Bye> {
    match text.trim().to_lowercase().as_str() {
        "" | "u" | "1" | "+" | "1.0" | "1,0" | "bye" => Some(Bye::PairingAllocated),
        "h" | "½" | "1/2" | "0.5" | "0,5" | "=" => Some(Bye::Half),
        "f" => Some(Bye::Full),
        "z" | "0" | "-" | "0.0" | "0,0" => Some(Bye::Zero),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_round_trip() {
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let pairs = outcomes
            .into_iter()
            .flat_map(|white| outcomes.map(|black| (white, black)));
        let played = pairs.flat_map(|(white, black)| {
            [true, false].map(|rated| GameResult::Played {
                white,
                black,
                rated,
                tally: None,
            })
        });
        let forfeits = [Some(Side::White), Some(Side::Black), None];
        let forfeits = forfeits.map(|winner| GameResult::Forfeit { winner });
        for result in played.chain(forfeits) {
            let text = write(Some(result));
            assert_eq!(read(&text), Some(Cell::Game(result)), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_accepted() {
        for text in [
            "½-½",
            "½ : ½",
            "0.5-0.5",
            "1/2 - 1/2",
            "=",
            "0,5–0,5",
            "Remis",
        ] {
            assert_eq!(read(text), read("1/2-1/2"), "{text}");
        }
        for text in ["+ - -", "1-0F", "+/-"] {
            assert_eq!(read(text), read("+:-"), "{text}");
        }
        for text in ["", "*", "-"] {
            assert_eq!(read(text), Some(Cell::Open), "{text}");
        }
        for text in ["2-0", "1-", "x", "2-½", "10-0", "unrated"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
