//! Counts every sequence of attempts from known positions, and compares the totals with those of a brute-force referee.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod mailbox;

use mailbox::{Counts, Mailbox};
use time_chess::{Phase, Position, TurnResult};

/// Positions, each with its castling rights and the depth to which attempts are counted.
const POSITIONS: [(&str, &str, u32); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "KQkq", 3),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
        "KQkq",
        2,
    ),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N", "-", 3),
];

const RULES: [&str; 6] = [
    "4k3/p3p3/8/3P4/8/8/7P/4K3 b - - 0 9 evening",
    "4k2r/p3p3/8/3P1p2/6P1/8/4P2P/R3K3 w Qk - 0 9 midday",
    "7k/8/8/6Q1/8/p7/7P/K7 w - - 0 9 midday",
    "7k/R7/8/8/8/7p/8/2R3K1 w - - 0 9 dusk",
    "8/8/8/3k4/7p/3K3P/P7/8 b - - 0 9 evening",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 9 midnight",
];

#[test]
fn counts_agree_from_three_positions_in_every_phase() {
    for (board, rights, depth) in POSITIONS {
        for phase in Phase::ALL {
            let side = phase.mover().char();
            let fen = format!("{board} {side} {rights} - 0 1 {phase}");
            for depth in 1..=depth {
                agree(&fen, depth);
            }
        }
    }
}

#[test]
fn counts_agree_where_single_rules_decide() {
    for fen in RULES {
        for depth in 1..=3 {
            agree(fen, depth);
        }
    }
}

#[test]
fn the_walk_meets_every_kind_of_turn() {
    let (board, rights, depth) = POSITIONS[1];
    let counts = Mailbox::read(&format!("{board} b {rights} - 0 1 evening")).count(depth);
    assert!(counts.forfeits > 0 && counts.captures > 0 && counts.interrupted > 0);
    assert_eq!(Mailbox::read(RULES[3]).count(1).ends, 1);
    let start: Position = Position::default();
    assert_eq!(count(&start, 1).leaves, 20);
}

#[track_caller]
fn agree(fen: &str, depth: u32) {
    let ours = count(&fen.parse().unwrap(), depth);
    let theirs = Mailbox::read(fen).count(depth);
    assert_eq!(ours, theirs, "{fen}, depth {depth}");
}

fn count(position: &Position, depth: u32) -> Counts {
    let mut counts = Counts::default();
    if position.outcome().is_some() {
        counts.ends = 1;
        return counts;
    }
    if depth == 0 {
        counts.leaves = 1;
        return counts;
    }
    for attempt in position.attempts() {
        let turn = position.resolve(attempt).unwrap();
        match turn.result {
            TurnResult::Forfeited(_) => counts.forfeits += 1,
            TurnResult::Played(m) => {
                counts.captures += u64::from(m.is_capture());
                counts.interrupted += u64::from(turn.is_interrupted());
            }
        }
        let below = count(&position.after(turn.result), depth - 1);
        counts.leaves += below.leaves;
        counts.forfeits += below.forfeits;
        counts.captures += below.captures;
        counts.interrupted += below.interrupted;
        counts.ends += below.ends;
    }
    counts
}
