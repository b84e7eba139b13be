//! Who plays in a demonstration: invented people, and the time controls they play under.

/// Surnames and given names are drawn apart, so that nobody who exists is meant.
const SURNAMES: [&str; 32] = [
    "Abelló",
    "Adeyemi",
    "Bakker",
    "Brandvik",
    "Castellan",
    "Dervishi",
    "Dumont",
    "Eklund",
    "Farkaš",
    "Fontaine",
    "Grigoryan",
    "Halvorsen",
    "Ibarra",
    "Jelínek",
    "Kaplan",
    "Kowalczyk",
    "Lindqvist",
    "Moreau",
    "Nakagawa",
    "Novotná",
    "Okonkwo",
    "Pereira",
    "Quispe",
    "Rautio",
    "Sandhu",
    "Szabó",
    "Tamm",
    "Ueda",
    "Varga",
    "Wieczorek",
    "Yıldız",
    "Zanetti",
];
const GIVEN: [&str; 24] = [
    "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira",
    "Leif", "Mara", "Nils", "Oona", "Pavel", "Rosa", "Samir", "Tove", "Umi", "Viktor", "Wanda",
    "Yusuf", "Zoë",
];
/// Short, so that there is something to see; one of every kind that people know.
const CONTROLS: [&str; 8] = [
    "3m+2s",
    "3m",
    "5m",
    "2m+1s",
    "3m delay 2s",
    "3m bronstein 2s",
    "1m byo 3x10s",
    "10/1m30s : 1m+1s",
];

/// The pairing of a board's nth game.
pub(super) struct Pairing {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) control: &'static str,
}

pub(super) fn pairing(seed: u64, board: usize, game: u64) -> Pairing {
    let mut draw = Draw::new(seed, board, game);
    let white = draw.below(SURNAMES.len());
    // Another surname than White's.
    let black = (white + 1 + draw.below(SURNAMES.len() - 1)) % SURNAMES.len();
    Pairing {
        white: format!("{}, {}", SURNAMES[white], GIVEN[draw.below(GIVEN.len())]),
        black: format!("{}, {}", SURNAMES[black], GIVEN[draw.below(GIVEN.len())]),
        // Neighbouring boards differ.
        control: CONTROLS[(board + draw.below(3)) % CONTROLS.len()],
    }
}

/// A result for a game that its players have stopped.
pub(super) fn result(seed: u64, board: usize, game: u64) -> &'static str {
    let mut draw = Draw::new(seed ^ 0x7265_7375, board, game);
    ["1-0", "0-1", "1/2-1/2", "1-0", "0-1"][draw.below(5)]
}

/// A small generator (SplitMix64): a demonstration with the same seed looks the same.
struct Draw(u64);

impl Draw {
    fn new(seed: u64, board: usize, game: u64) -> Self {
        let board = u64::try_from(board).unwrap_or(u64::MAX);
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (board << 32) ^ game)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        // Less than `bound`, which came from a usize.
        usize::try_from((z ^ (z >> 31)) % bound).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_plays_against_a_namesake_and_every_control_reads() {
        for board in 0..200 {
            let pairing = pairing(7, board, 3);
            let surname = |name: &str| name.split(',').next().unwrap_or("").to_owned();
            assert_ne!(surname(&pairing.white), surname(&pairing.black));
        }
        for control in CONTROLS {
            control.parse::<timing::TimeControl>().unwrap();
        }
    }
}
