//! Article 16: unplayed rounds in a Swiss, category by category.
//!
//! In the workings below, a number before a colon is a player: "2: …" calculates player 2's value. "4's 1" is the 1 that player 4 contributes.

use super::rig::{build, check, list, swiss, words};
use tournament::{Date, Event};

/// Half-point byes: 1 in round 1 (16.2.3: followed by play, so it counts as awarded), 2 in round 3 (16.2.5: in the last round, so it counts as a
/// draw, which equals the award). Zero-point bye: 3 in round 3 (16.2.5: a draw for the opponents, so 3's adjusted score is ½ higher).
///
/// Scores: 1: ½ + 1 + 1 = 2.5; 2: 1 + 0 + ½ = 1.5; 3: 0 + 1 + 0 = 1; 4: 1 + 0 + 0 = 1 (round 1 pairing-allocated).
/// Adjusted: 2.5, 1.5, 1.5, 1.
///
/// 1: dummy min(2.5, 3·½) = 1.5, 2's 1.5, 4's 1: BH 4.0. Cut-1: the dummy's 1.5 is voluntary and not lower than the lowest
/// value, 1, so it is cut: 2.5. SB: 0.75 + 1.5 + 1 = 3.25; Cut-1: the higher of the voluntary 0.75 and the least significant product (4's, 1) is
/// cut: 2.25.
/// 2: 3's adjusted 1.5, 1's 2.5, dummy 1.5: 5.5, Cut-1 1.5 = 4.0. SB 1.5 + 0 + 0.75 = 2.25; Cut-1: the voluntary product is 0.75.
/// Two products have the lowest score, 1.5, and the lower of them is the same 0.75, which is cut: 1.5.
/// 3: 2's 1.5, 4's 1, dummy min(1, 1.5) = 1: 3.5, Cut-1: the voluntary 1 is cut: 2.5. SB 0 + 1 + 0 = 1; Cut-1: the voluntary product is
/// 0. Two products have the lowest score, 1, and the lower of them is the same 0, which is cut: 1.
/// 4: dummy 1 (not voluntary), 3's 1.5, 1's 2.5: 5.0, Cut-1 1 = 4.0. SB 1·1 + 0 + 0 = 1; Cut-1 removes the 1: 0.
#[test]
fn requested_byes_before_play_and_at_the_end() {
    let table = [
        "0: H 2w1 4b1",
        "0: 3w1 1b0 H",
        "0: 2b0 4w1 Z",
        "0: U 3b0 1w0",
    ];
    check(
        &swiss("BH BH/C1 SB SB/C1", &table).standings(None),
        &[
            "2.5 | 4.0 2.5 3.25 2.25",
            "1.5 | 5.5 4.0 2.25 1.50",
            "1.0 | 3.5 2.5 1.00 1.00",
            "1.0 | 5.0 4.0 1.00 0.00",
        ],
    );
}

/// A withdrawal after round 1 of 4: rounds 2 to 4 of player 2 are zero-point byes with no play after them. For 1, who beat 2, player 2 therefore
/// has 0 + 3·½ = 1.5. 2's own Buchholz: 1's 3 + three dummies of min(0, 2) = 0: 3.
/// A forfeit loss between zero-point byes does not change how they count, because it is also a voluntary unplayed round (16.1.2). The forfeit loss
/// counts as awarded, and the byes before it remain draws (3: zero-point byes in rounds 2 and 4, lost by forfeit in round 3: 1 + 2·½ = 2).
#[test]
fn a_withdrawal_counts_as_draws_for_the_opponents() {
    let table = [
        "0: 2w1 4b= 3w+ 4w=",
        "0: 1b0 Z Z Z",
        "0: 4w1 Z 1b- Z",
        "0: 3b0 1w= U 1b=",
    ];
    // Scores: 1: 3, 2: 0, 3: 1, 4: 2; adjusted: 3, 1.5, 2, 2.
    // 1: 1.5 + 2 + dummy min(3, 3's 2) = 2 + 2 = 7.5. 2: 3 + 0 + 0 + 0.
    // 3: 2 + dummy min(1, 2) = 1 + dummy min(1, 1's 3) = 1 + 1 = 5. 4: 2 + 3 + dummy min(2, 2) = 2 + 3 = 10.
    check(
        &swiss("BH", &table).standings(None),
        &["3.0 | 7.5", "0.0 | 3.0", "1.0 | 5.0", "2.0 | 10.0"],
    );
}

/// The caps (16.4.1, 16.4.2). 1 has 3 points: from a forfeit against 2, a pairing-allocated bye and a game. 2 has no points.
/// Forfeit: the dummy has 2's adjusted score, 0 + ½ for the bye in the last round, not 3. Bye: 3·½ = 1.5, not 3. Game: 3's 1.
/// In an event that began before March 2026, both dummies have the player's own score.
#[test]
fn a_dummy_is_capped_from_march_2026() {
    let table = ["0: 2w+ U 3b1", "0: 1b- 3w0 Z", "0: H 2b= 1w0"];
    let standing = |month| {
        let mut event = Event::new("Caps", 3);
        event.starts = Date::new(2026, month, 28);
        event.tie_breaks = list("BH SB");
        build(event, &table)
    };
    // 2's game against 3 was decided 0-½. Scores: 3, 0, 1; adjusted: 3, 0.5, 1.
    // 1: 0.5 + 1.5 + 1 = 3; SB the same, all won. 2: min(0, 3) + 1 + 0 = 1; SB 0. 3: dummy min(1, 1.5) = 1 + 0.5 + 3 = 4.5;
    // SB ½·1 + ½·0.5 + 0 = 0.75.
    check(
        &standing(3).standings(None),
        &["3.0 | 3.0 3.00", "0.0 | 1.0 0.00", "1.0 | 4.5 0.75"],
    );
    // 1: 3 + 3 + 1 = 7. The others' dummies were already below their caps.
    check(
        &standing(2).standings(None),
        &["3.0 | 7.0 7.00", "0.0 | 1.0 0.00", "1.0 | 4.5 0.75"],
    );
    assert_eq!(
        words(&standing(3), 1, "BH"),
        [
            "BH of Player 1: 3.0",
            "round 1: Player 2, won by forfeit: dummy capped at the scheduled opponent's score 0.5, including 0.5 for unplayed \
             rounds that count as draws (C.07 16.3.2)",
            "round 2: pairing-allocated bye: dummy capped at a draw in every round, 1.5",
            "round 3: Player 3: score 1",
        ]
    );
}

/// 16.5 with more than one cut: once the voluntary rounds are cut, the least significant values follow as usual.
///
/// Scores: 3, 2, 1.5, 1.5, 3, 1. The voluntary rounds are 5's forfeit loss and 6's bye. Both play after them, so adjusted scores are the same.
/// 5: dummy min(3, 3) = 3 for the forfeit, 2, 1.5, 1.5: BH 8. Cut-1: the forfeit's 3 ≥ 1.5 is cut: 5. Cut-2: 1.5 as well: 3.5.
/// Median-1: the forfeit, then the highest, 2: 3.
/// 6: 2, 1.5, dummy min(1, 2) = 1, 3: 7.5. Cut-1: the dummy's 1: 6.5. Cut-2: then 1.5: 5. Median-1: 1 and 3: 3.5.
#[test]
fn the_cut_exception_covers_voluntary_rounds_only() {
    let table = [
        "0: 5w+ 3b1 2w0 6b1",
        "0: 6w1 5b0 1b1 3w0",
        "0: 4b= 1w0 5w0 2b1",
        "0: 3w= 6b0 U 5b0",
        "0: 1b- 2w1 3b1 4w1",
        "0: 2b0 4w1 Z 1w0",
    ];
    let standings = swiss("BH BH/C1 BH/C2 BH/M1", &table).standings(None);
    assert_eq!(super::rig::line(&standings, 5), "3.0 | 8.0 5.0 3.5 3.0");
    assert_eq!(super::rig::line(&standings, 6), "1.0 | 7.5 6.5 5.0 3.5");
}

/// Sonneborn-Berger compares contributions, not scores (16.5.2). A forfeit loss contributes nothing, so the least significant product of a game is
/// the higher of the two and is cut.
///
/// Scores: 2, 3, 1.5, 1; the last byes of 2 and 3 are draws for their opponents: adjusted 2, 3.5, 2, 1.
/// 1: half-point bye, dummy min(2, 4·½) = 2, product 1; lost by forfeit, dummy min(2, 3.5) = 2, product 0; drew with 3, 2·½ = 1;
/// beat 4, 1·1 = 1: SB 3. Cut-1: the lowest voluntary product is 0, the least significant one is 1 (4 has the lowest score), so 1 is cut: 2.
/// Cut-2: three opposing scores of 2 are left. The lowest product among them is the forfeit's 0, which is also voluntary and is cut: 2.
#[test]
fn sonneborn_berger_cuts_the_higher_of_two_products() {
    let table = [
        "0: H 2b- 3w= 4w1",
        "0: 3w1 1w+ 4b1 Z",
        "0: 2b0 4w1 1b= Z",
        "0: U 3b0 2w0 1b0",
    ];
    let standings = swiss("SB SB/C1 SB/C2", &table).standings(None);
    assert_eq!(super::rig::line(&standings, 1), "2.0 | 3.00 2.00 2.00");
}

/// A late arrival: the missed rounds are zero-point byes followed by play, so they count as awarded. The player's own dummies have the player's
/// score. A full-point bye equals a win and is not voluntary.
#[test]
fn late_arrivals_and_full_point_byes() {
    let table = ["0: Z Z 2w1", "0: 3w1 F 1b0", "0: 2b0 U F"];
    // Scores: 1, 2, 2. 1: dummies min(1, 1.5) = 1 twice, 2's 2: 4. 2: 2 + min(2, 1.5) = 1.5 + 1 = 4.5. 3: 2 + 1.5 + 1.5 = 5.
    // Cut-1: 1 loses a voluntary 1: 3; 2 its least, 1: 3.5; 3 its lowest, 1.5: 3.5.
    check(
        &swiss("BH BH/C1", &table).standings(None),
        &["1.0 | 4.0 3.0", "2.0 | 4.5 3.5", "2.0 | 5.0 3.5"],
    );
}

#[test]
fn forfeits_may_be_declared_played() {
    let table = ["0: 2w+ U 3b1", "0: 1b- 3w0 Z", "0: H 2b= 1w0"];
    // Player 1: the forfeit win counts player 2's adjusted 0.5 instead of a dummy's score, and the bye remains a bye: 0.5 + 1.5 + 1.
    // Player 2: 3 from player 1, 1 from player 3, and 0.
    check(
        &swiss("BH/P", &table).standings(None),
        &["3.0 | 3.0", "0.0 | 4.0", "1.0 | 4.5"],
    );
}

/// The explanation shows the adjustment: the 1.5 that 2 contributes for 1 comes entirely from the rounds after 2's withdrawal.
#[test]
fn adjusted_scores_are_explained() {
    let table = ["0: 2w1 3b= 3w= 3b1", "0: 1b0 Z Z Z", "0: U 1w= 1b= 1w0"];
    assert_eq!(
        words(&swiss("BH", &table), 1, "BH")[1],
        "round 1: Player 2: score 1.5, including 1.5 for unplayed rounds that count as draws (C.07 16.3.2)"
    );
}
