//! Forbidden pairs, accelerations and requested byes: in the program's file, and exported to reports and imported again.

use hub::pairing::{Numbers, RoundsToPair};
use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, export_for_pairing, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Acceleration, Bye, Change, Event, Forbidden, PlayerNo, Points, RoundNo, Tournament,
};

use crate::program::{FAKE, desk};
use crate::rig::{apply, open};

fn amend(tournament: &mut Tournament, with: impl FnOnce(&mut Event)) {
    let mut event = tournament.event().clone();
    with(&mut event);
    apply(tournament, Change::SetEvent(Box::new(event)));
}

fn forbid(rounds: (RoundNo, RoundNo), participants: &[u16]) -> Forbidden {
    Forbidden {
        rounds,
        participants: participants.to_vec(),
    }
}

#[track_caller]
fn assert_round_trip(tournament: &Tournament) {
    let written = export(tournament, Edition::Trf26);
    assert_eq!(written.lost, []);
    let file = import_file(written.text.as_bytes()).unwrap().draft;
    let known = Draft::of(tournament);
    assert_eq!(file.event.forbidden, known.event.forbidden);
    assert_eq!(file.event.accelerations, known.event.accelerations);
    assert_eq!(file.players, known.players);
    let found = difference(&known, &file, "file");
    assert!(found.is_empty(), "{}", found.words());
}

#[test]
fn the_program_gets_forbidden_pairs_and_fictitious_points() {
    let mut tournament = open("Open", 10);
    amend(&mut tournament, |event| {
        event.set_baku(true);
        event.forbidden = vec![
            forbid(Forbidden::ALL_ROUNDS, &[3, 9]),
            forbid((RoundNo(1), RoundNo(2)), &[1, 2, 4]),
        ];
    });
    let text = export_for_pairing(&tournament).text;
    for line in [
        "192 FIDE_DUTCH_2025_BAKU\r\n",
        "250       1.0   1   1    1    6\r\n",
        "250       0.5   2   2    1    6\r\n",
        "260   1   3    3    9\r\n",
        "260   1   2    1    2    4\r\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert_round_trip(&tournament);
    amend(&mut tournament, |event| {
        event.forbidden.truncate(1);
        event.type_code = "FIDE_DUTCH_2025".to_owned();
        event.accelerations = vec![Acceleration {
            points: Some(Points::whole(1)),
            match_points: None,
            rounds: (RoundNo(1), RoundNo(2)),
            participants: (1, 3),
        }];
    });
    assert_round_trip(&tournament);
    // TRF16 expresses the same rules with JaVaFo's records.
    let text = export(&tournament, Edition::Trf16).text;
    assert!(
        text.contains("XXP 3 9\r\n") && text.contains("XXA    1  1.0  1.0\r\n"),
        "{text}"
    );
    let file = import_file(text.as_bytes()).unwrap().draft.event;
    assert_eq!(file.forbidden, tournament.event().forbidden);
    assert_eq!(file.accelerations, tournament.event().accelerations);
}

#[test]
fn a_files_records_become_the_events_rules() {
    let file = "012 Open\n142 9\nXXR 9\nXXP 2 4\nXXA    1  1.0  1.0  0.5\n\
        001    1      P1                                   0                             0.0    1\n\
        001    2      P2                                   0                             0.0    2\n\
        001    4      P4                                   0                             0.0    3\n";
    let event = import_file(file.as_bytes()).unwrap().draft.event;
    assert_eq!(event.forbidden, [forbid(Forbidden::ALL_ROUNDS, &[2, 4])]);
    let runs: Vec<_> = event
        .accelerations
        .iter()
        .map(|given| {
            (
                given.points.unwrap().to_string(),
                given.rounds.1.0,
                given.participants,
            )
        })
        .collect();
    assert_eq!(
        runs,
        [("1.0".to_owned(), 2, (1, 1)), ("0.5".to_owned(), 3, (1, 1))]
    );
    assert!(
        !event
            .kept_lines
            .iter()
            .any(|line| line.contains("XXP 2") || line.contains("XXA  "))
    );
}

#[test]
fn a_bye_for_a_later_round_has_its_own_record() {
    let mut tournament = open("Open", 4);
    for (player, round, bye) in [(1, 2, Bye::Half), (2, 3, Bye::Zero), (3, 1, Bye::Full)] {
        apply(
            &mut tournament,
            Change::GrantBye(PlayerNo(player), RoundNo(round), Some(bye)),
        );
    }
    let text = export(&tournament, Edition::Trf26).text;
    assert!(
        text.contains("240 F   1    3\r\n240 H   2    1\r\n240 Z   3    2\r\n"),
        "{text}"
    );
    let lines = text.lines().filter(|line| line.starts_with("001"));
    assert_eq!(
        lines.filter(|line| line.contains("0000 - ")).count(),
        0,
        "{text}"
    );
    assert_round_trip(&tournament);
    let old = export(&tournament, Edition::Trf16).text;
    let file = import_file(old.as_bytes()).unwrap().draft;
    assert_eq!(file.players, Draft::of(&tournament).players);
    // The program gets only the bye for this round, as an entry in the player's line instead of a 240 record.
    let text = export_for_pairing(&tournament).text;
    let cells: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("0000 - "))
        .collect();
    assert!(
        cells.len() == 1 && cells[0].ends_with("  0000 - F"),
        "{text}"
    );
    assert!(!text.contains("\n240"), "{text}");
}

#[tokio::test]
async fn a_forbidden_pair_that_is_seated_is_remarked() {
    let mut tournament = open("Open", 4);
    amend(&mut tournament, |event| {
        event.forbidden = vec![forbid((RoundNo(1), RoundNo(2)), &[1, 2])];
    });
    let desk = desk(FAKE, "1m");
    // The stub ignores forbidden pairings and pairs these two players.
    let proposal = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    let expected = "2 Player 2 and 1 Player 1 are paired in round 1, but the event forbids this pairing in rounds 1 to 2";
    let said: Vec<String> = proposal.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(said, [expected]);
    amend(&mut tournament, |event| event.forbidden.clear());
    let proposal = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    assert_eq!(proposal.remarks, []);
}

#[test]
fn a_player_who_leaves_the_list_leaves_the_rules() {
    let mut tournament = open("Open", 4);
    amend(&mut tournament, |event| {
        event.forbidden = vec![
            forbid(Forbidden::ALL_ROUNDS, &[1, 2]),
            forbid(Forbidden::ALL_ROUNDS, &[1, 3, 4]),
        ];
    });
    apply(&mut tournament, Change::RemovePlayer(PlayerNo(1)));
    assert_eq!(
        tournament.event().forbidden,
        [forbid(Forbidden::ALL_ROUNDS, &[3, 4])]
    );
}

#[test]
fn rules_that_no_report_can_express_are_refused() {
    let tournament = open("Open", 2);
    let refused = |rule: Forbidden| {
        let mut event = tournament.event().clone();
        event.forbidden = vec![rule];
        let change = Change::SetEvent(Box::new(event));
        let actor = tournament::Actor::chief("Doe");
        tournament
            .clone()
            .apply(&actor, change)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(forbid((RoundNo(2), RoundNo(1)), &[1, 2])),
        "“2 to 1” is not a valid range of rounds: put the earlier round first"
    );
    assert_eq!(
        refused(forbid(Forbidden::ALL_ROUNDS, &[1])),
        "a forbidden pairing needs at least two participants"
    );
    let words = refused(forbid(Forbidden::ALL_ROUNDS, &[1, 10_000]));
    assert_eq!(
        words,
        "a participant's number must be from 1 to 9999, not 10000"
    );
}
