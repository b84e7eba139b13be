//! The standings of a large open: 500 players, 11 rounds, ten tie-breaks, from the results.
//!
//! `cargo bench -p tests --bench standings` prints the bar with its value and limit, and fails if it is missed.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;

use hub::tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo,
    Refusal, RoundNo, Side, TieBreak, Tournament,
};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tests::stopwatch::Stopwatch;

const PLAYERS: u16 = 500;
const ROUNDS: u16 = 11;
const LIMIT_MS: i64 = 50;
/// Ten of them, the costly ones among them: direct encounter, averages of averages, performances.
const TIE_BREAKS: [&str; 10] = [
    "DE", "BH/C1", "BH", "AOB", "SB", "FB/M1", "PS", "TPR", "APPO", "STD",
];

fn main() -> ExitCode {
    let tournament = match large_open() {
        Ok(tournament) => tournament,
        Err(refusal) => {
            println!("the event was refused: {refusal}");
            return ExitCode::FAILURE;
        }
    };
    let mut taken: Vec<i64> = (0..50)
        .map(|_| {
            let watch = Stopwatch::start();
            let standings = tournament.standings(None);
            let elapsed = watch.elapsed_us();
            assert_eq!(standings.rows.len(), usize::from(PLAYERS));
            elapsed
        })
        .collect();
    taken.sort_unstable();
    let median = taken[taken.len() / 2];
    let held = median <= LIMIT_MS * 1_000;
    let verdict = if held { "ok" } else { "MISSED" };
    println!(
        "standings of {PLAYERS} players after {ROUNDS} rounds, ten tie-breaks, p50: {}.{:03} ms, limit {LIMIT_MS} ms: {verdict}",
        median / 1_000,
        median % 1_000
    );
    if held {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The open, its rounds paired among neighbours of the standings, with forfeits, byes and withdrawals.
fn large_open() -> Result<Tournament, Refusal> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let chief = Actor::chief("IA Doe");
    let mut event = Event::new("Large open", ROUNDS);
    let list = TIE_BREAKS.iter().map(|code| TieBreak::parse(code));
    event.tie_breaks = list.collect::<Result<_, _>>().map_err(Refusal::Invalid)?;
    let mut tournament = Tournament::new(event);
    for no in 1..=PLAYERS {
        let mut player = Player::new(PlayerNo(no), &format!("Player {no}"));
        player.rating = Some(2700 - 2 * no);
        tournament.apply(&chief, Change::EnterPlayer(Box::new(player)))?;
    }
    for round in (1..=ROUNDS).map(RoundNo) {
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
