//! The standings do not depend on the order in which results were entered and corrected.

use super::rig::{chief, list};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use tournament::{
    BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo, RoundNo,
    Side, Tournament,
};

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64() >> 33).unwrap() % bound
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }

    fn result(&mut self) -> GameResult {
        match self.below(12) {
            0..=3 => GameResult::played(Outcome::Win),
            4..=6 => GameResult::played(Outcome::Draw),
            7..=8 => GameResult::played(Outcome::Loss),
            9 => GameResult::forfeit(if self.below(2) == 0 {
                Side::White
            } else {
                Side::Black
            }),
            10 => GameResult::DOUBLE_FORFEIT,
            _ => GameResult::unrated(Outcome::Win),
        }
    }
}

const TIE_BREAKS: &str = "DE BH/C1 BH AOB SB SB/C1 FB PS WIN REP STD ARO TPR PTP APRO APPO KS";

pub(crate) fn event(seed: u64) -> (Tournament, Vec<(RoundNo, BoardNo, GameResult)>) {
    let mut random = Random::new(seed);
    let players = u16::try_from(4 + random.below(20)).unwrap();
    let rounds = u16::try_from(2 + random.below(5)).unwrap();
    let mut event = Event::new("Any", rounds);
    event.tie_breaks = list(TIE_BREAKS);
    let mut tournament = Tournament::new(event);
    for no in 1..=players {
        let mut player = Player::new(PlayerNo(no), &format!("Player {no}"));
        player.rating = Some(2400 - 17 * no);
        tournament
            .apply(&chief(), Change::EnterPlayer(Box::new(player)))
            .unwrap();
    }
    let mut results = Vec::new();
    for round in (1..=rounds).map(RoundNo) {
        let mut order: Vec<u16> = (1..=players).collect();
        random.shuffle(&mut order);
        let mut pairings = Pairings::default();
        while random.below(3) == 0 && order.len() > 2 {
            let bye = Bye::ALL[random.below(4)];
            pairings.byes.push((PlayerNo(order.pop().unwrap()), bye));
        }
        for (pair, board) in order.chunks_exact(2).zip((1..).map(BoardNo)) {
            pairings
                .boards
                .push(Pairing::new(board, PlayerNo(pair[0]), PlayerNo(pair[1])));
            results.push((round, board, random.result()));
        }
        tournament
            .apply(&chief(), Change::PairRound(round, Box::new(pairings)))
            .unwrap();
    }
    (tournament, results)
}

#[test]
fn standings_do_not_depend_on_the_order_of_entries_and_corrections() {
    for seed in 1..=200 {
        let (paired, mut results) = event(seed);
        let entered = |results: &[(RoundNo, BoardNo, GameResult)], noise: &mut Random| {
            let mut tournament = paired.clone();
            let enter = |round, board, result, reason: &str| {
                Change::Enter(round, board, result, reason.to_owned())
            };
            let mut apply = |change| tournament.apply(&chief(), change).unwrap();
            for (round, board, result) in results {
                for _ in 0..noise.below(3) {
                    let wrong = noise.result();
                    apply(enter(*round, *board, wrong, "misread"));
                    if noise.below(3) == 0 {
                        apply(Change::RemoveResult(
                            *round,
                            *board,
                            "wrong board".to_owned(),
                        ));
                    }
                }
                apply(enter(*round, *board, *result, "as on the slip"));
            }
            for (round, board, result) in results {
                if noise.below(9) == 0 {
                    apply(Change::Confirm(*round));
                    apply(Change::Reopen(*round, "appeal".to_owned()));
                    apply(Change::RemoveResult(*round, *board, "appeal".to_owned()));
                    apply(enter(*round, *board, *result, "dismissed"));
                }
            }
            tournament
        };
        let straight = entered(&results, &mut Random::new(seed)).standings(None);
        for shuffle in 0..3 {
            let mut random = Random::new(seed * 1000 + shuffle);
            random.shuffle(&mut results);
            let other = entered(&results, &mut random).standings(None);
            assert_eq!(straight, other, "SEED={seed}, shuffle {shuffle}");
        }
    }
}
