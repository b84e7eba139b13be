//! Tests of parsing a pairing program's answer, of the remarks on it, and of byes in the request. The tests in `tests/pairing` run a
//! separate program and watch a folder.

use std::path::Path;

use expect_test::expect;
use timing::Duration;

use super::*;
use tournament::formats::draft::import_file;
use tournament::{Bye, Pairing, Pairings, PlayerNo};

/// Round 1: 1–3 won by White, 4–2 drawn; 5 has the pairing-allocated bye.
const OPEN: &str = "012 Open\n142 5\n152 W\n\
001    1      P1                                   0                             1.0    1     3 w 1\n\
001    2      P2                                   0                             0.5    3     4 b =\n\
001    3      P3                                   0                             0.0    5     1 b 0\n\
001    4      P4                                   0                             0.5    4     2 w =\n\
001    5      P5                                   0                             1.0    2  0000 - U\n";

fn after_one_round() -> Tournament {
    let draft = import_file(OPEN.as_bytes()).unwrap().draft;
    let mut tournament = Tournament::new(draft.event.clone());
    for change in draft.changes("a file") {
        tournament.apply(&Actor::program("a file"), change).unwrap();
    }
    tournament
}

#[track_caller]
fn answer(text: &str, expected: expect_test::Expect) {
    let mut tournament = after_one_round();
    let bye = Change::GrantBye(PlayerNo(3), RoundNo(2), Some(Bye::Half));
    tournament.apply(&Actor::chief("Doe"), bye).unwrap();
    let order: Vec<PlayerNo> = tournament.players().keys().copied().collect();
    let said = match output::read(text, &tournament, &order, RoundNo(2)) {
        Err(fault) => fault,
        Ok(pairings) => {
            let boards = pairings.boards.iter().map(|pairing| {
                let no = |player: Option<PlayerNo>| player.map_or(0, |player| player.0);
                format!(
                    "{}: {}-{}",
                    pairing.board,
                    no(pairing.white),
                    no(pairing.black)
                )
            });
            let byes = pairings.byes.iter();
            let byes = byes.map(|(player, bye)| format!("{player} {}", bye.as_str()));
            boards.chain(byes).collect::<Vec<_>>().join(", ")
        }
    };
    expected.assert_eq(&said);
}

#[test]
fn answer_must_seat_every_player_of_the_round_once() {
    answer("2\n5 1\n2 4\n", expect!["1: 5-1, 2: 2-4, 3 half"]);
    answer(
        "2\r\n5 1\r\n\r\n2  4\r\n",
        expect!["1: 5-1, 2: 2-4, 3 half"],
    );
    answer(
        "3\n5 1\n2 0\n4 0\n",
        expect!["players 2, 4 all have no opponent"],
    );
    answer("", expect!["it is empty"]);
    answer("2\n1 5\n", expect!["it states 2 pairs but lists 1"]);
    answer("1\n1 5\n2 4\n", expect!["it states 1 pairs but lists 2"]);
    answer("1\n1 5\n", expect!["player 2, P2, is missing"]);
    answer("2\n1 5\n5 4\n", expect!["player 5 is paired twice"]);
    answer("2\n1 5\n2 9\n", expect!["there is no player 9"]);
    answer(
        "2\n1 5\n2 3\n",
        expect!["player 3, P3, does not play this round"],
    );
    answer(
        "2\n1 5\n0 2\n",
        expect!["`0 2` is not two players' numbers"],
    );
    answer(
        "2\n1 5\n2 4 1\n",
        expect!["`2 4 1` is not two players' numbers"],
    );
    answer(
        "2\n1 5\n2 -4\n",
        expect!["`2 -4` is not two players' numbers"],
    );
    answer(
        "Exception in thread main\n",
        expect!["it begins with `Exception in thread main`, not with the number of pairs"],
    );
}

#[test]
fn pairings_that_no_swiss_allows_get_remarks() {
    let pairings = Pairings {
        boards: vec![Pairing::new(BoardNo(1), PlayerNo(3), PlayerNo(1))],
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    let known = Draft::of(&after_one_round());
    let odd = pairing_remarks(&known, &known, RoundNo(2), &pairings);
    let said: Vec<String> = odd.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "3 P3 and 1 P1 played each other in round 1",
            "5 P5 already had the pairing-allocated bye in round 1"
        ]
    );
}

#[tokio::test]
async fn a_round_without_players_is_not_given_to_the_program() {
    let mut tournament = after_one_round();
    for no in 1..=5 {
        let bye = Change::GrantBye(PlayerNo(no), RoundNo(2), Some(Bye::Zero));
        tournament.apply(&Actor::chief("Doe"), bye).unwrap();
    }
    let desk = PairingDesk {
        program: Some(Program::new(
            Path::new("/no/program"),
            Duration::from_secs(1),
        )),
        folder: None,
    };
    let proposed = desk.propose(&tournament, RoundsToPair::Next, Numbers::Unchanged);
    let refused = proposed.await.unwrap_err();
    assert!(
        matches!(refused, PairingError::NoPlayers(RoundNo(2))),
        "{refused}"
    );
}

#[test]
fn teams_get_the_byes_that_their_file_requests() {
    let text = "012 Teams\n142 3\n152 W\n192 CUSTOM_SWISS\n\
        001    1      P1                                   0                             0.0    1\n\
        001    2      P2                                   0                             0.0    1\n\
        001    3      P3                                   0                             0.0    1\n\
        310   1 Ash                                                           1     1\n\
        310   2 Birch                                                         2     2\n\
        310   3 Cedar                                                         3     3\n\
        240 H   1    3\n240 Z   2    1\n";
    let draft = import_file(text.as_bytes()).unwrap().draft;
    let mut tournament = Tournament::new(draft.event.clone());
    for change in draft.changes("a file") {
        tournament.apply(&Actor::program("a file"), change).unwrap();
    }
    let players = teams::as_players(&tournament, RoundNo(1)).unwrap();
    let byes = players.players().values();
    let byes: Vec<Option<Bye>> = byes.map(|player| player.bye_in(RoundNo(1))).collect();
    assert_eq!(byes, [None, None, Some(Bye::Half)]);
}
