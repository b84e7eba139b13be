//! The Harbour Cup after three of four rounds.
//!
//! 1 Alpha: beat 3, drew with 2, beat 4. 2 Bravo: beat 4, drew with 1, half-point bye. 3 Charlie: lost to 1, won by forfeit against 5, lost to 5. 4
//! Delta: lost to 2, pairing-allocated bye, lost to 1. 5 Echo: zero-point bye, lost by forfeit, beat 3.

use super::rig::{build, check, list, places, words};
use tournament::{Date, Event};

const LINES: [&str; 5] = [
    "2500: 3w1 2b= 4w1",
    "2400: 4b1 1w= H",
    "2300: 1b0 5w+ 5b0",
    "2200: 2w0 U 1b0",
    "0: Z 3b- 3w1",
];

fn harbour_cup() -> tournament::Tournament {
    let mut event = Event::new("Harbour Cup 2026", 4);
    event.starts = Date::new(2026, 11, 20);
    event.tie_breaks = list("BH/C1,BH,SB,DE");
    build(event, &LINES)
}

/// Adjusted scores (16.3), by player number: 1: 2.5; 2: 2.0, because the bye in the last counted round is a draw, as awarded; 3: 1.0; 4: 1.0;
/// 5: 1.0.
///
/// BH, BH/C1 and SB, by player number:
/// 1: BH 1.0 + 2.0 + 1.0 = 4.0, least 1.0 cut = 3.0; SB 1 + ½·2 + 1 = 3.
/// 2: 1.0 + 2.5 + dummy min(2.0, ½·3) = 1.5: BH 5.0. The bye is voluntary, 1.5 ≥ the least value 1.0, so it is cut: 3.5.
///    SB 1·1 + ½·2.5 + ½·1.5 = 3.
/// 3: 2.5 + dummy min(1.0, score of 5: 1.0) + 1.0 = 4.5; a forfeit win is not voluntary, least 1.0 cut = 3.5; SB 0 + 1 + 0.
/// 4: 2.0 + dummy min(1.0, 1.5) + 2.5 = 5.5, cut 1.0 = 4.5; SB 0 + 1·1 + 0 = 1.
/// 5: dummy 1.0 (zero-point bye) + dummy 1.0 (forfeit) + 1.0 = 3.0, cut a voluntary 1.0 = 2.0; SB 1·1 = 1.
#[test]
fn the_sample_has_the_verified_values() {
    let standings = harbour_cup().standings(None);
    check(
        &standings,
        &[
            "2.5 | 3.0 4.0 3.00 0",
            "2.0 | 3.5 5.0 3.00 0",
            "1.0 | 3.5 4.5 1.00 0",
            "1.0 | 4.5 5.5 1.00 0",
            "1.0 | 2.0 3.0 1.00 0",
        ],
    );
    assert_eq!(places(&standings), [(1, 1), (2, 2), (3, 4), (4, 3), (5, 5)]);
    assert_eq!(standings.after, 3);
    assert!(
        !standings.provisional,
        "every game of the three rounds is over"
    );
}

#[test]
fn a_value_of_the_sample_is_explained() {
    assert_eq!(
        words(&harbour_cup(), 2, "BH/C1"),
        [
            "BH/C1 of Player 2: 3.5",
            "round 1: Player 4: score 1",
            "round 2: Player 1: score 2.5",
            "round 3: half-point bye: dummy capped at a draw in every round, 1.5 (cut: the lowest contribution of a \
             voluntary unplayed round (C.07 16.5))",
        ]
    );
}
