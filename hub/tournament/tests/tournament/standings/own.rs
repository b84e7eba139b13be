//! Article 7: tie-breaks from a participant's own results.

use super::rig::{build, check, list, places, swiss};
use tournament::{Event, Points, Scoring};

/// An event that several tests use: six players and four rounds, with every game played.
///
/// Scores after each round, by player number: 1: 1, 1½, 2½, 3½; 2: 1, 1½, 2½, 3; 3: 1, 2, 2, 2½; 4: 0, 0, ½, 1½; 5: 0, 0, ½, ½; 6: 0, 1, 1, 1.
pub(crate) const PLAYED: [&str; 6] = [
    "2200: 4w1 2b= 3b1 5w1",
    "2150: 5b1 1w= 6w1 3b=",
    "2100: 6w1 4b1 1w0 2w=",
    "2000: 1b0 3w0 5b= 6b1",
    "1900: 2w0 6b0 4w= 1b0",
    "1850: 3b0 5w1 2b0 4w0",
];

#[test]
fn wins_and_games_with_black() {
    check(
        &swiss("WIN WON BPG BWG", &PLAYED).standings(None),
        &[
            "3.5 | 3 3 2 1",
            "3.0 | 2 2 2 1",
            "2.5 | 2 2 1 1",
            "1.5 | 1 1 3 1",
            "0.5 | 0 0 2 0",
            "1.0 | 1 1 2 0",
        ],
    );
}

/// PS is the sum of the scores after each round. Cut-1 leaves out the score after round 1 (14.1.1 c), and Cut-2 those after the first two rounds.
#[test]
fn progressive_scores() {
    check(
        &swiss("PS PS/C1 PS/C2", &PLAYED).standings(None),
        &[
            "3.5 | 8.5 7.5 6.0",
            "3.0 | 8.0 7.0 5.5",
            "2.5 | 7.5 6.5 4.5",
            "1.5 | 2.0 2.0 2.0",
            "0.5 | 1.0 1.0 1.0",
            "1.0 | 3.0 3.0 2.0",
        ],
    );
}

/// Forfeits, byes of each kind, and an unrated game.
///
/// Player 1 won by forfeit, had a half-point bye, and won an unrated game against player 2. Player 2 lost by forfeit, had a full-point bye, and
/// lost the unrated game. Player 3 had the pairing-allocated bye, a double forfeit and a zero-point bye. Player 4 had a zero-point bye, a double
/// forfeit and a half-point bye.
///
/// The expected values, by player number:
/// WIN counts the rounds with as many points as a win: 1: forfeit and game; 2: the full-point bye; 3: the pairing-allocated bye.
/// WON counts only wins over the board, including the unrated game.
/// REP counts all rounds except half-point byes, zero-point byes and forfeit losses: 1: 3 - 1; 2: 3 - 1; 3: 3 - 2; 4: 3 - 3.
/// STD compares an unplayed round's points with half a point: 1: 1 + ½ + 1; 2: 0 + 1 + 0; 3: 1 + 0 + 0; 4: 0 + 0 + ½.
#[test]
fn unplayed_rounds_in_the_own_record() {
    let table = ["0: 2w+ H 2bW", "0: 1b- F 1wL", "0: U 4w- Z", "0: Z 3b- H"];
    check(
        &swiss("WIN WON BPG BWG REP STD", &table).standings(None),
        &[
            "2.5 | 2 1 1 1 2 2.5",
            "1.0 | 1 0 0 0 2 1.0",
            "1.0 | 1 0 0 0 1 1.0",
            "0.5 | 0 0 0 0 0 0.5",
        ],
    );
}

/// With 3 points for a win and 1 for a draw, STD still counts 1 and ½, and WIN counts the rounds with 3 points. A pairing-allocated bye that is
/// worth a draw is not a win, and counts half a standard point.
#[test]
fn standard_points_ignore_the_scoring() {
    let mut event = Event::new("3-1-0", 2);
    event.scoring = Scoring::of(Points::whole(3), Points::ONE, Points::ZERO);
    event.scoring.pairing_bye = Points::ONE;
    event.tie_breaks = list("STD WIN PS");
    let standings = build(event, &["0: 2w1 3b=", "0: 1b0 U", "0: U 1w="]).standings(None);
    check(
        &standings,
        &["4.0 | 1.5 1 7.0", "1.0 | 0.5 0 1.0", "2.0 | 1.0 0 3.0"],
    );
}

/// With an arbiter's ½-0, the player has more points than the opponent; with 0-0 both have the same (7.7).
#[test]
fn standard_points_compare_with_the_opponent_over_the_board() {
    let table = ["0: 2w= 2b0", "0: 1b0 1w0"];
    check(
        &swiss("STD", &table).standings(None),
        &["0.5 | 1.5", "0.0 | 0.5"],
    );
}

/// Articles 7.8 and 10.6: the order is ascending by pairing number and descending by rating, or the reverse.
#[test]
fn pairing_number_and_rating_both_ways() {
    let table = ["1900: 2w=", "2000: 1b=", "1950: U"];
    assert_eq!(
        places(&swiss("TPN", &table).standings(None)),
        [(1, 3), (2, 1), (3, 2)]
    );
    assert_eq!(
        places(&swiss("TPN/R", &table).standings(None)),
        [(1, 3), (2, 2), (3, 1)]
    );
    assert_eq!(
        places(&swiss("RTNG", &table).standings(None)),
        [(1, 3), (2, 2), (3, 1)]
    );
    assert_eq!(
        places(&swiss("RTNG/R", &table).standings(None)),
        [(1, 3), (2, 1), (3, 2)]
    );
}

/// If all tie-breaks are exhausted, the tie remains: the place is shared, and the next place is skipped.
#[test]
fn an_unbroken_tie_shares_its_place() {
    let standings = swiss("WIN", &["0: 2w=", "0: 1b=", "0: 4w0", "0: 3b1"]).standings(None);
    assert_eq!(places(&standings), [(1, 4), (2, 1), (2, 2), (4, 3)]);
    assert!(standings.rows[1].shared && standings.rows[2].shared && !standings.rows[3].shared);
}
