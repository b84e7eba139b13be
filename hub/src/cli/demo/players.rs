//! A demonstration's invented players, their sectors, and the results of their games.

use std::collections::BTreeMap;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use tournament::{BoardNo, Outcome, Player, PlayerNo, Sector};

/// Surnames, combined with [`GIVEN`] names so that no real person is meant.
const SURNAMES: [&str; 32] = [
    "Abelló", "Adeyemi", "Bakker", "Brandt", "Castell", "Derviš", "Dumont", "Eklund", "Farkaš",
    "Fontes", "Grigor", "Halvor", "Ibarra", "Jelínek", "Kaplan", "Kowal", "Lindén", "Moreau",
    "Nakano", "Novotná", "Okonkwo", "Pereira", "Quispe", "Rautio", "Sandhu", "Szabó", "Tamm",
    "Ueda", "Varga", "Wójcik", "Yıldız", "Zanetti",
];
const GIVEN: [&str; 24] = [
    "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira",
    "Leif", "Mara", "Nils", "Oona", "Pavel", "Rosa", "Samir", "Tove", "Umi", "Viktor", "Wanda",
    "Yusuf", "Zoë",
];
/// Time controls, one per sector. All are short, to show activity, and together they cover the usual kinds.
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
pub(super) const CONTROL: &str = CONTROLS[0];
const TOP_RATING: usize = 2480;
const RATING_SPREAD: usize = 1200;

/// Returns player `no` of `count`, numbered by rating. The names of up to 4,000 players are all different.
pub(super) fn player(no: u16, count: usize) -> Player {
    let at = usize::from(no).saturating_sub(1);
    let people = SURNAMES.len() * GIVEN.len();
    // Surnames vary first, so that 16 boards with 32 players have each surname once.
    let (surname, rest) = (at % SURNAMES.len(), at / SURNAMES.len());
    let given = |name: usize| GIVEN[(name + surname * 7) % GIVEN.len()];
    let mut name = format!("{}, {}", SURNAMES[surname], given(rest));
    if at >= people {
        name += &format!(" {}", given(rest + at / people));
    }
    let mut player = Player::new(PlayerNo(no), &name);
    player.rating = u16::try_from(TOP_RATING - at * RATING_SPREAD / count.max(1)).ok();
    player
}

pub(super) fn sectors(boards: u16) -> BTreeMap<String, Sector> {
    let count = u16::try_from(CONTROLS.len()).unwrap_or(1).min(boards);
    let sector = |(at, control): (u16, &&str)| {
        let first = |sector: u16| u32::from(boards) * u32::from(sector) / u32::from(count) + 1;
        let board = |no: u32| BoardNo(u16::try_from(no).unwrap_or(boards));
        let sector = Sector {
            from: board(first(at)),
            to: board(first(at + 1) - 1),
            control: (*control).to_owned(),
        };
        (
            char::from(b'A' + u8::try_from(at).unwrap_or(0)).to_string(),
            sector,
        )
    };
    (0..count).zip(&CONTROLS).map(sector).collect()
}

/// Returns a random result for a game that the players have stopped, or for a game of round 1.
pub(super) fn result(seed: u64, board: u16, round: u16) -> Outcome {
    let (board, round) = (u64::from(board), u64::from(round));
    // Seeded by the demonstration, so that the same seed gives the same results.
    let seed = (seed ^ 0x7265_7375).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (board << 32) ^ round;
    let outcomes = [Outcome::Win, Outcome::Loss, Outcome::Draw];
    outcomes[below(&mut SplitMix64::seed_from_u64(seed), 5) % outcomes.len()]
}

/// Draws a number below `bound`, or returns 0 if `bound` is 0.
pub(super) fn below(random: &mut SplitMix64, bound: usize) -> usize {
    let bound = u64::try_from(bound.max(1)).unwrap_or(1);
    // Cannot fail: the number is less than `bound`, a usize.
    usize::try_from(random.next_u64() % bound).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_players_of_the_largest_demonstration_have_the_same_name_and_the_strongest_comes_first()
     {
        let players: Vec<_> = (1..=4000).map(|no| player(no, 4000)).collect();
        let names: BTreeSet<_> = players.iter().map(|player| &player.name).collect();
        assert_eq!(names.len(), players.len());
        assert!(players.is_sorted_by_key(|player| std::cmp::Reverse(player.rating)));
    }

    #[test]
    fn every_board_is_in_one_sector_whose_control_reads() {
        for boards in [1, 2, 7, 8, 12, 1000] {
            let sectors = sectors(boards);
            for board in 1..=boards {
                let of_board = sectors.values().filter(|sector| sector.has(BoardNo(board)));
                assert_eq!(of_board.count(), 1, "board {board} of {boards}");
            }
            for sector in sectors.values() {
                sector.control.parse::<timing::TimeControl>().unwrap();
            }
        }
    }
}
