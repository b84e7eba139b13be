//! Article 10: tie-breaks from ratings, and the tables of B.02.

use super::own::PLAYED;
use super::rig::{build, check, list, swiss, words};
use tournament::Event;
use tournament::standings::rating_tables::{probability, rating_difference};

#[test]
fn tables_match_b02() {
    let dp = [
        (100, 800),
        (99, 677),
        (88, 336),
        (75, 193),
        (63, 95),
        (50, 0),
        (49, -7),
        (37, -95),
        (1, -677),
        (0, -800),
    ];
    for (percent, difference) in dp {
        assert_eq!(rating_difference(percent), difference, "{percent} %");
    }
    let pd = [
        (0, 50),
        (3, 50),
        (4, 51),
        (91, 62),
        (92, 63),
        (344, 88),
        (345, 89),
        (391, 91),
        (392, 92),
        (735, 99),
        (736, 100),
    ];
    for (difference, percent) in pd {
        assert_eq!(probability(difference), percent, "{difference} above");
        assert_eq!(
            probability(-difference),
            100 - percent,
            "{difference} below"
        );
    }
}

/// Players 1 to 6 are rated 2200, 2150, 2100, 2000, 1900 and 1850.
///
/// ARO and TPR, with halves rounded up:
/// 1 met 2000, 2150, 2100, 1900: 8150/4 = 2037.5, rounded to 2038. 3½ points of 4 are 87.5 %, rounded to 88: +336: TPR 2374.
/// 2 met 1900, 2200, 1850, 2100: 8050/4 = 2012.5: 2013; 75 %: +193: 2206. 3 met 1850, 2000, 2200, 2150: 8200/4 = 2050; 62.5 %: 63:
/// +95: 2145. 4 met 2200, 2100, 1900, 1850: 8050/4: 2013; 37.5 %: 38: -87: 1926. 5 met 2150, 1850, 2000, 2200: 2050; 12.5 %: 13:
/// -322: 1728. 6 met 2100, 1900, 2150, 2000: 8150/4: 2038; 25 %: -193: 1845.
///
/// APRO: 1: (1926 + 2206 + 2145 + 1728)/4 = 8005/4 = 2001.25: 2001. 2: (1728 + 2374 + 1845 + 2145)/4 = 8092/4 = 2023.
/// 3: (1845 + 1926 + 2374 + 2206)/4 = 8351/4 = 2087.75: 2088. 4: (2374 + 2145 + 1728 + 1845)/4 = 2023. 5: (2206 + 1845 + 1926 +
/// 2374)/4 = 2087.75: 2088. 6: (2145 + 1728 + 2206 + 1926)/4 = 2001.25: 2001.
#[test]
fn averages_and_performances() {
    check(
        &swiss("ARO ARO/C1 ARO/M1 TPR APRO", &PLAYED).standings(None),
        &[
            "3.5 | 2038 2083 2050 2374 2001",
            "3.0 | 2013 2067 2000 2206 2023",
            "2.5 | 2050 2117 2075 2145 2088",
            "1.5 | 2013 2067 2000 1926 2023",
            "0.5 | 2050 2117 2075 1728 2088",
            "1.0 | 2038 2083 2050 1845 2001",
        ],
    );
}

/// PTP is the lowest whole rating whose expected score reaches the score (B.02 8.1.2, in per cent for each opponent).
///
/// Player 1 drew with a player rated 2000. A rating three points lower, 1997, still reaches ½, because differences of 0 to 3 are 50 %.
/// Players 3 and 4 scored nothing against a player rated 2000: 1200.
/// Player 2 scored 2½ against 1900, 2100 and 2200, so the percentages must total 250. At 2368 the differences are 468 (95 %), 268 (83 %) and
/// 168 (72 %): total 250. At 2367 they are 467 (95 %), 267 (82 %) and 167 (72 %): total 249. So the value is 2368.
/// APPO: players 1, 3 and 4 met only player 2: 2368. Player 2: (1997 + 1200 + 1200)/3 = 1465.67, rounded to 1466.
#[test]
fn perfect_performance() {
    let table = [
        "1900: 2w= Z Z",
        "2000: 1b= 3w1 4b1",
        "2100: Z 2b0 Z",
        "2200: Z Z 2w0",
    ];
    check(
        &swiss("PTP APPO", &table).standings(None),
        &[
            "0.5 | 1997 2368",
            "2.5 | 2368 1466",
            "0.0 | 1200 2368",
            "0.0 | 1200 2368",
        ],
    );
}

/// A full score requires 100 % against each opponent: 736 points above the strongest.
#[test]
fn perfect_performance_of_a_full_score() {
    let table = ["0: 2w1 3b1", "1800: 1b0 U", "2100: U 1w0"];
    check(
        &swiss("PTP/U1000", &table).standings(None),
        &["2.0 | 2836", "1.0 | 200", "1.0 | 200"],
    );
}

/// If one player is unrated, no participant has a value (C.07 10), unless the list or the event gives that player a rating.
#[test]
fn unrated_players_drop_the_rating_tie_breaks() {
    let table = ["2000: 2w1 3b1", "0: 1b0 U", "1800: U 1w0"];
    check(
        &swiss("ARO TPR PTP RTNG", &table).standings(None),
        &["2.0 | – – – –", "1.0 | – – – –", "1.0 | – – – –"],
    );
    assert_eq!(
        words(&swiss("ARO", &table), 1, "ARO")[1],
        "one of the players is unrated, and no rating is set for unrated players (C.07 10)"
    );
    check(
        &swiss("ARO/U1400", &table).standings(None),
        &["2.0 | 1600", "1.0 | 2000", "1.0 | 2000"],
    );
    let mut event = Event::new("Unrated count", 2);
    event.unrated_as = Some(1400);
    event.tie_breaks = list("ARO RTNG");
    check(
        &build(event, &table).standings(None),
        &["2.0 | 1600 2000", "1.0 | 2000 1400", "1.0 | 2000 1800"],
    );
}

/// Only games over the board count, including unrated ones. Forfeits and byes have no rating.
#[test]
fn forfeits_do_not_count_for_ratings() {
    let table = [
        "2000: 2w+ 3bW",
        "1900: 1b- 4w1",
        "1800: 4w1 1wL",
        "1700: 3b0 2b0",
    ];
    check(
        &swiss("ARO TPR", &table).standings(None),
        &[
            "2.0 | 1800 2600",
            "1.0 | 1700 2500",
            "1.0 | 1850 1850",
            "0.0 | 1850 1050",
        ],
    );
}
