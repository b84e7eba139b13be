//! Bonuses, penalties and results with abnormal points in the standings and their explanations.

use tournament::fold::check_abnormal_points;
use tournament::{AbnormalPoints, Change, Event, Points, ResultKind, RoundNo, Tournament};

use super::rig::{build, check, chief, list, words};

fn given(replaces: Option<ResultKind>, points: Points, round: u16, who: &[u16]) -> AbnormalPoints {
    AbnormalPoints {
        replaces,
        match_points: None,
        points: Some(points),
        round: (round > 0).then_some(RoundNo(round)),
        participants: who.to_vec(),
    }
}

fn event(abnormal_points: Vec<AbnormalPoints>) -> Tournament {
    let mut event = Event::new("Hand-worked", 2);
    event.tie_breaks = list("BH,SB,PS");
    event.abnormal_points = abnormal_points;
    build(
        event,
        &["0: 2w1 3b=", "0: 1b0 4w=", "0: 4w1 1w=", "0: 3b0 2b="],
    )
}

/// By results, players 1 and 3 have 1.5, and players 2 and 4 have 0.5. With a bonus of 1 in round 2, player 2 has 1.5. An opponent's Buchholz and
/// Sonneborn-Berger use that score (player 1: 1.5 + 1.5 and 1.5 × 1 + 1.5 × ½). The player's own Sonneborn-Berger uses the results (player 2: 1.5 ×
/// 0 + 0.5 × ½).
#[test]
fn a_bonus_counts_in_the_score_and_for_opponents() {
    let tournament = event(vec![given(None, Points::ONE, 2, &[2])]);
    check(
        &tournament.standings(None),
        &[
            "1.5 | 3.0 2.25 2.5",
            "1.5 | 2.0 0.25 1.5",
            "1.5 | 2.0 1.25 2.5",
            "0.5 | 3.0 0.75 0.5",
        ],
    );
    check(
        &tournament.standings(Some(RoundNo(1))),
        &["1.0 | 0.0 0.00 1.0", "0.0 | 1.0 0.00 0.0"],
    );
    assert_eq!(
        words(&tournament, 2, "PTS"),
        [
            "PTS of Player 2: 1.5",
            "round 1: Player 1: 0",
            "round 2: Player 4: 0.5",
            "round 2: bonus or penalty 1",
        ]
    );
    let standings = tournament.standings(None);
    let lines = tournament.cross_table(&standings);
    let of_table: Vec<_> = lines
        .iter()
        .map(|line| (line.player.0, line.points))
        .collect();
    let of_standings: Vec<_> = standings
        .rows
        .iter()
        .map(|row| (row.who.number(), row.score))
        .collect();
    assert_eq!(of_table, of_standings);
}

/// A draw counts 0.8 for all players, but nothing for player 4 in round 2, because the narrower rule applies. The rule's points replace those of the
/// result even in a product with an opponent's score (player 2: 1.8 × 0 + 0 × 0.8).
#[test]
fn abnormal_points_replace_those_of_a_result() {
    let draw = Some(ResultKind::Draw);
    let tournament = event(vec![
        given(draw, Points::ZERO, 2, &[4]),
        given(draw, Points::from_hundredths(80), 0, &[]),
    ]);
    check(
        &tournament.standings(None),
        &[
            "1.8 | 2.6 2.24 2.8",
            "0.8 | 1.8 0.00 0.8",
            "1.8 | 1.8 1.44 2.8",
            "0.0 | 2.6 0.00 0.0",
        ],
    );
}

/// A penalty without a round counts once in each round, so scores may be below zero.
#[test]
fn a_penalty_without_a_round_applies_to_every_round() {
    let tournament = event(vec![given(None, -Points::ONE, 0, &[4])]);
    let standings = tournament.standings(None);
    let last = standings.rows.last().unwrap();
    assert_eq!(
        (last.who.number(), last.score),
        (4, Points::from_hundredths(-150))
    );
}

/// The fold accepts some points that are too wide, because older logs may contain them.
#[test]
fn points_too_wide_for_a_report_are_refused() {
    let points = |hundredths| given(None, Points::from_hundredths(hundredths), 0, &[]);
    let set = |hundredths| {
        let mut tournament = event(Vec::new());
        let mut with = tournament.event().clone();
        with.abnormal_points = vec![points(hundredths)];
        tournament.apply(&chief(), Change::SetEvent(Box::new(with)))
    };
    for hundredths in [-9_900, -990, 9_990, 99_900] {
        assert_eq!(check_abnormal_points(&points(hundredths)), Ok(()));
        assert_eq!(set(hundredths), Ok(()));
    }
    for hundredths in [-1_250, 12_340] {
        assert!(check_abnormal_points(&points(hundredths)).is_err());
        assert_eq!(set(hundredths), Ok(()));
    }
    for hundredths in [25, 100_000, -10_000] {
        let refused = set(hundredths).unwrap_err();
        assert_eq!(
            check_abnormal_points(&points(hundredths)),
            Err(refused.clone())
        );
        let words = refused.to_string();
        assert!(
            words.contains("abnormal points must be from -9.9 to 99.9"),
            "{words}"
        );
    }
}
