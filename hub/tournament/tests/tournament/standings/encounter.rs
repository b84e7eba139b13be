//! Article 6, direct encounter.

use super::rig::{build, check, list, places, swiss, words};
use tournament::{Event, RoundNo, System};

/// Scores: 2, 2, 1, 1. Players 1 and 2 have met, and player 1 won (6.2). Players 3 and 4 drew with each other and stay tied.
#[test]
fn all_have_met() {
    let table = [
        "0: 2w1 3b= 4w=",
        "0: 1b0 4w1 3w1",
        "0: 4b= 1w= 2b0",
        "0: 3w= 2b0 1b=",
    ];
    let standings = swiss("DE", &table).standings(None);
    check(&standings, &["2.0 | 1", "2.0 | 2", "1.0 | 0", "1.0 | 0"]);
    assert_eq!(places(&standings), [(1, 1), (2, 2), (3, 3), (3, 4)]);
}

/// Only player 1 has 2 points, so there is no separate table to show.
#[test]
fn a_player_with_no_tied_opponent() {
    let tournament = swiss("DE", &["0: 2w1", "0: 1b0"]);
    assert_eq!(
        words(&tournament, 1, "DE"),
        ["DE of Player 1: 0", "no other player is tied with this one"]
    );
}

/// A round robin of five. Players 1 to 4 have 2 points. Player 5 has 1. An arbiter decided the game between 2 and 5 as 0-0.
///
/// Among the four: 1 beat 2, drew with 3, lost to 4: 1½. 2 beat 3 and 4, lost to 1: 2. 3 drew with 1, beat 4, lost to 2: 1½. 4 beat 1: 1. So 2 is
/// first and 4 last. Players 1 and 3 are still tied, so the article is applied to them again. They drew, so they stay tied (6.2).
#[test]
fn the_article_is_applied_again_to_those_still_tied() {
    let table = [
        "0: Z 2w1 3b= 4w0 5b=",
        "0: 5w0 1b0 Z 3w1 4b1",
        "0: 4w1 5b= 1w= 2b0 Z",
        "0: 3b0 Z 5w1 1b1 2w0",
        "0: 2b0 3w= 4b0 Z 1w=",
    ];
    let standings = build(round_robin(5, 1), &table).standings(None);
    check(
        &standings,
        &["2.0 | 2", "2.0 | 1", "2.0 | 2", "2.0 | 4", "1.0 | 0"],
    );
    assert_eq!(places(&standings), [(1, 2), (2, 1), (2, 3), (4, 4), (5, 5)]);
}

/// Not all have met (6.3). Players 1, 2 and 3 have 2 points: 1 beat 2 and 3, who have not met. Whatever their result would be, 1 has 2 and they
/// have at most 1, so 1 is first. Players 2 and 3 remain, and have no encounter.
#[test]
fn a_lead_that_missing_games_cannot_change_ranks_first() {
    let table = [
        "0: 2w1 3b1 4w0",
        "0: 1b0 4w1 5b1",
        "0: 4b1 1w0 6b1",
        "0: 3w0 2b0 1b1",
        "0: 6w= H 2w0",
        "0: 5b= H 3w0",
    ];
    let standings = swiss("DE", &table).standings(None);
    check(
        &standings,
        &[
            "2.0 | 1", "2.0 | 2", "2.0 | 2", "1.0 | 0", "1.0 | 0", "1.0 | 0",
        ],
    );
    // 1, 2 and 3 against each other: 2, 0, 0. 4, 5 and 6: 5 and 6 drew, and 4 met neither, so no lead is safe.
    assert_eq!(
        places(&standings),
        [(1, 1), (2, 2), (2, 3), (4, 4), (4, 5), (4, 6)]
    );
    assert_eq!(
        words(&swiss("DE", &table), 2, "DE"),
        [
            "DE of Player 2: 2",
            "Player 1 has 2 against 2 of those tied",
            "Player 2 has 0 against 1 of those tied, at most 1 if all missing games are won",
            "Player 3 has 0 against 1 of those tied, at most 1 if all missing games are won",
            "not all tied participants have met: a participant is ranked only if certain to finish first among them, whatever the missing results would have been (C.07 6.3)",
        ]
    );
}

/// A lead that missing games could make up decides nothing. All have 1 point. 1 beat 2, and neither met 3 or 4, who drew with each other. So 1 has
/// 1, but 2 could still reach 2, and 3 and 4 up to 2½.
#[test]
fn a_lead_that_missing_games_can_change_ranks_no_one() {
    let table = ["0: 2w1 Z", "0: 1b0 U", "0: 4w= H", "0: 3b= H"];
    let tournament = swiss("DE", &table);
    let standings = tournament.standings(Some(RoundNo(2)));
    check(&standings, &["1.0 | 0", "1.0 | 0", "1.0 | 0", "1.0 | 0"]);
    assert!(standings.rows.iter().all(|row| row.rank == 1 && row.shared));
}

/// Forfeits do not count as encounters in a Swiss (6.1.1) unless the regulations say so.
#[test]
fn forfeits_count_as_encounters_only_if_declared() {
    let table = ["0: 2w+ 3b0", "0: 1b- 4w1", "0: 4b0 1w1", "0: 3w1 2b0"];
    let order = |code| places(&swiss(code, &table).standings(None));
    // All have 1 point. Played: 3 beat 1, 2 beat 4, 4 beat 3. So 1 has 0 of 1, and each could still have 2 or 3: no order.
    assert_eq!(order("DE"), [(1, 1), (1, 2), (1, 3), (1, 4)]);
    // With the forfeit, 1 has met 2 and 3, which is still not every player, so no lead is safe.
    assert_eq!(order("DE/P"), [(1, 1), (1, 2), (1, 3), (1, 4)]);
    let two = ["0: Z 2w+", "0: F 1b-"];
    assert_eq!(places(&swiss("DE", &two).standings(None)), [(1, 1), (1, 2)]);
    assert_eq!(
        places(&swiss("DE/P", &two).standings(None)),
        [(1, 1), (2, 2)]
    );
}

/// Two games against each other count as their average (6.1.2). In the first table all have 2 points. The averages form a cycle: 1 beats 2,
/// 2 beats 3 and 3 beats 1, each by ¾ to ¼. All three therefore have 1 point in the direct encounter. In the second table only 1 and 2 are tied on
/// points, and 1 scored ¾ against 2.
#[test]
fn two_meetings_count_as_their_average() {
    let table = [
        "0: 2w1 3b= Z 2b= 3w0 Z",
        "0: 1b0 Z 3w= 1w= Z 3b1",
        "0: Z 1w= 2b= Z 1b1 2w0",
    ];
    let standings = build(round_robin(6, 2), &table).standings(None);
    assert_eq!(places(&standings), [(1, 1), (1, 2), (1, 3)]);
    let table = [
        "0: 2w1 3b0 Z 2b= 3w= Z",
        "0: 1b0 Z 3w1 1w= Z 3b=",
        "0: Z 1w= 2b0 Z 1b= 2w=",
    ];
    let second = build(round_robin(6, 2), &table);
    assert_eq!(places(&second.standings(None)), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(
        words(&second, 1, "DE")[1],
        "Player 1 has 0.75 against 1 of those tied"
    );
}

fn round_robin(rounds: u16, cycles: u8) -> Event {
    let mut event = Event::new("Round robin", rounds);
    event.system = System::RoundRobin { cycles };
    event.tie_breaks = list("DE");
    event
}
