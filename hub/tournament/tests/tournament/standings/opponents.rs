//! Articles 8, 9.1 and 14, where every game was played. Final scores: 1: 3.5, 2: 3.0, 3: 2.5, 4: 1.5, 5: 0.5, 6: 1.0.

use super::own::PLAYED;
use super::rig::{check, swiss, words};

/// The opponents' scores, in the order in which they were met:
/// 1: 1.5 3.0 2.5 0.5 = 7.5. 2: 0.5 3.5 1.0 2.5 = 7.5. 3: 1.0 1.5 3.5 3.0 = 9.0. 4: 3.5 2.5 0.5 1.0 = 7.5.
/// 5: 3.0 1.0 1.5 3.5 = 9.0. 6: 2.5 0.5 3.0 1.5 = 7.5.
/// Cut-1 removes the lowest score, Cut-2 the two lowest, Median-1 the lowest and the highest, and Median-2 all of them.
#[test]
fn buchholz_and_its_cuts() {
    check(
        &swiss("BH BH/C1 BH/C2 BH/M1 BH/M2", &PLAYED).standings(None),
        &[
            "3.5 | 7.5 7.0 5.5 4.0 0.0",
            "3.0 | 7.5 7.0 6.0 3.5 0.0",
            "2.5 | 9.0 8.0 6.5 4.5 0.0",
            "1.5 | 7.5 7.0 6.0 3.5 0.0",
            "0.5 | 9.0 8.0 6.5 4.5 0.0",
            "1.0 | 7.5 7.0 5.5 4.0 0.0",
        ],
    );
}

/// AOB: 1 met 4, 2, 3, 5 with 7.5 + 7.5 + 9 + 9 = 33, so 8.25; 3 met 6, 4, 1, 2 with 30, so 7.50; 5 met 2, 6, 4, 1: 30.
///
/// FB counts every game of round 4 as a draw, so the scores become 3.0, 3.0, 2.5, 1.0, 1.0, 1.5. 1: 1 + 3 + 2.5 + 1 = 7.5; 2: 1 + 3 + 1.5 + 2.5 =
/// 8.0; 3: 1.5 + 1 + 3 + 3 = 8.5; 4: 3 + 2.5 + 1 + 1.5 = 8.0; 5: 3 + 1.5 + 1 + 3 = 8.5; 6: 2.5 + 1 + 3 + 1 = 7.5. AOB/F: 1: 8 + 8 + 8.5 + 8.5 = 33,
/// a quarter of which is 8.25; 3: 7.5 + 8 + 7.5 + 8 = 31, so 7.75.
#[test]
fn average_and_fore_buchholz() {
    check(
        &swiss("AOB FB AOB/F", &PLAYED).standings(None),
        &[
            "3.5 | 8.25 7.5 8.25",
            "3.0 | 8.25 8.0 8.00",
            "2.5 | 7.50 8.5 7.75",
            "1.5 | 8.25 8.0 8.00",
            "0.5 | 7.50 8.5 7.75",
            "1.0 | 8.25 7.5 8.25",
        ],
    );
}

/// Fore Buchholz changes only the event's final round, so after round 3 of 4 it equals Buchholz.
#[test]
fn fore_buchholz_before_the_final_round_is_buchholz() {
    let mut table = PLAYED.map(str::to_owned);
    for line in &mut table {
        let cut = line.rfind(' ').unwrap();
        line.truncate(cut);
        line.push_str(" Z");
    }
    let lines: Vec<&str> = table.iter().map(String::as_str).collect();
    let tournament = swiss("FB", &lines);
    let after = |code: &str, round: u16| {
        let mut event = tournament.event().clone();
        event.tie_breaks = super::rig::list(code);
        let mut other = tournament.clone();
        other
            .apply(
                &super::rig::chief(),
                tournament::Change::SetEvent(Box::new(event)),
            )
            .unwrap();
        let standings = other.standings(Some(tournament::RoundNo(round)));
        standings
            .rows
            .iter()
            .map(|row| row.values.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(after("FB", 3), after("BH", 3));
}

/// The products: 1: 1.5·1 + 3·½ + 2.5·1 + 0.5·1 = 6. 2: 0.5 + 1.75 + 1 + 1.25 = 4.5. 3: 1 + 1.5 + 0 + 1.5 = 4.
/// 4: 0 + 0 + 0.25 + 1 = 1.25. 5: 1.5·½ = 0.75. 6: 0.5.
///
/// Cut-1 removes the product with the lowest-scoring opponent, whatever its value (14.1.1 d): 1: 5's 0.5; 2: 5's 0.5; 3: 6's 1;
/// 4: 5's 0.25; 5: 6's 0; 6: 5's 0.5.
#[test]
fn sonneborn_berger_and_its_cut() {
    check(
        &swiss("SB SB/C1", &PLAYED).standings(None),
        &[
            "3.5 | 6.00 5.50",
            "3.0 | 4.50 4.00",
            "2.5 | 4.00 3.00",
            "1.5 | 1.25 1.00",
            "0.5 | 0.75 0.75",
            "1.0 | 0.50 0.00",
        ],
    );
}

#[test]
fn products_and_cuts_are_explained() {
    assert_eq!(
        words(&swiss("SB/C1", &PLAYED), 4, "SB/C1"),
        [
            "SB/C1 of Player 4: 1.00",
            "round 1: Player 1: score 3.5 × 0 = 0",
            "round 2: Player 3: score 2.5 × 0 = 0",
            "round 3: Player 5: score 0.5 × 0.5 = 0.25 (cut: the least significant value (C.07 14.1))",
            "round 4: Player 6: score 1 × 1 = 1",
        ]
    );
}
