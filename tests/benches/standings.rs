//! A large open with 500 players and 11 rounds: its standings with ten tie-breaks, and the import of its report.
//!
//! `cargo bench -p tests --bench standings` prints each bar with its value and limit, and fails if a limit is
//! exceeded.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tests::stopwatch::Stopwatch;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo,
    Refusal, RoundNo, Side, TieBreak, Tournament,
};

const PLAYERS: u16 = 500;
const ROUNDS: u16 = 11;
const LIMIT_MS: i64 = 50;
const IMPORT_LIMIT_MS: i64 = 1_000;
/// Ten tie-breaks, including the expensive ones: direct encounter, averages of averages, performances.
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
    let standings = bar("standings, ten tie-breaks", 50, LIMIT_MS, || {
        tournament.standings(None).rows.len() == usize::from(PLAYERS)
    });
    let report = export(&tournament, Edition::Trf26).text;
    let known = Draft::of(&tournament);
    let import = bar("import of its report", 10, IMPORT_LIMIT_MS, || {
        import_file(report.as_bytes()).is_ok_and(|read| read.draft == known)
    });
    if standings && import {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints the median of some runs, each of which reports success; returns true if all succeeded within the limit.
fn bar(what: &str, runs: usize, limit_ms: i64, run: impl Fn() -> bool) -> bool {
    let mut taken = Vec::new();
    let mut right = true;
    for _ in 0..runs {
        let watch = Stopwatch::start();
        right &= run();
        taken.push(watch.elapsed_us());
    }
    taken.sort_unstable();
    let median = taken[taken.len() / 2];
    let held = right && median <= limit_ms * 1_000;
    let verdict = match (right, held) {
        (true, true) => "ok",
        (true, false) => "MISSED",
        (false, _) => "WRONG",
    };
    println!(
        "{PLAYERS} players, {ROUNDS} rounds: {what}, p50: {}.{:03} ms, limit {limit_ms} ms: {verdict}",
        median / 1_000,
        median % 1_000
    );
    held
}

/// Creates the open. Neighbours in the standings are paired; there are forfeits, byes and withdrawals.
fn large_open() -> Result<Tournament, Refusal> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let chief = Actor::chief("IA Doe");
    let mut event = Event::new("Large open", ROUNDS);
    let list = TIE_BREAKS.iter().map(|code| TieBreak::parse(code));
    event.tie_breaks = list.collect::<Result<_, _>>().expect("tie-breaks");
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
