//! A large open with random results, to test operations that are slow only in a large event.

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo,
    Refusal, RoundNo, Side, TieBreak, Tournament,
};

/// Returns an open in which each round pairs players who are close in the standings. The same arguments always give the same event.
///
/// # Panics
/// Panics if a tie-break is unknown.
pub fn large_open(players: u16, rounds: u16, tie_breaks: &[&str]) -> Result<Tournament, Refusal> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let chief = Actor::chief("IA Doe");
    let mut event = Event::new("Large open", rounds);
    let list = tie_breaks.iter().map(|code| TieBreak::parse(code));
    event.tie_breaks = list.collect::<Result<_, _>>().expect("tie-breaks");
    let mut tournament = Tournament::new(event);
    for no in 1..=players {
        let mut player = Player::new(PlayerNo(no), &format!("Player {no}"));
        player.rating = Some(2700 - 2 * no);
        tournament.apply(&chief, Change::EnterPlayer(Box::new(player)))?;
    }
    for round in (1..=rounds).map(RoundNo) {
        let mut order: Vec<PlayerNo> = tournament
            .standings(None)
            .rows
            .iter()
            .map(|row| PlayerNo(row.who.number()))
            .collect();
        for neighbours in order.chunks_mut(20) {
            neighbours.shuffle(&mut random);
        }
        let mut pairings = Pairings::default();
        while order.len() % 2 == 1 || (random.random_ratio(2, 3) && order.len() > 2) {
            let bye = Bye::ALL[random.random_range(0..Bye::ALL.len())];
            pairings
                .byes
                .extend(order.pop().map(|player| (player, bye)));
        }
        for (pair, board) in order.chunks_exact(2).zip((1..).map(BoardNo)) {
            pairings.boards.push(Pairing::new(board, pair[0], pair[1]));
        }
        let boards: Vec<BoardNo> = pairings
            .boards
            .iter()
            .map(|pairing| pairing.board)
            .collect();
        tournament.apply(&chief, Change::PairRound(round, Box::new(pairings)))?;
        for board in boards {
            let result = match random.random_range(0..20) {
                0 => GameResult::forfeit(Side::White),
                1..=8 => GameResult::played(Outcome::Win),
                9..=13 => GameResult::played(Outcome::Draw),
                _ => GameResult::played(Outcome::Loss),
            };
            tournament.apply(&chief, Change::Enter(round, board, result, String::new()))?;
        }
    }
    Ok(tournament)
}
