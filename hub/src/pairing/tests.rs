//! Proposals: what is asked before a program is, and what its answer may be.

use expect_test::expect;

use super::*;
use crate::tournament::{Bye, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo};
use timing::Side;

fn swiss(players: u16) -> Tournament {
    let mut event = Event::new("Open", 5);
    event.initial_colour = Some(Side::White);
    let mut tournament = Tournament::new(event);
    for no in 1..=players {
        let player = Player::new(PlayerNo(no), &format!("P{no}"));
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    tournament
}

#[track_caller]
fn apply(tournament: &mut Tournament, change: Change) {
    tournament
        .apply(&Actor::chief("Doe"), change)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
}

/// Round 1: 1–3 won by White, 4–2 drawn; 5 has the bye of the pairing.
fn after_one_round() -> Tournament {
    let mut tournament = swiss(5);
    let pairings = Pairings {
        boards: vec![
            Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(3)),
            Pairing::new(BoardNo(2), PlayerNo(4), PlayerNo(2)),
        ],
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    apply(
        &mut tournament,
        Change::PairRound(RoundNo(1), Box::new(pairings)),
    );
    for (board, outcome) in [(1, Outcome::Win), (2, Outcome::Draw)] {
        let result = GameResult::played(outcome);
        let change = Change::Enter(RoundNo(1), BoardNo(board), result, String::new());
        apply(&mut tournament, change);
    }
    tournament
}

#[track_caller]
fn answer(text: &str, expected: expect_test::Expect) {
    let mut tournament = after_one_round();
    let bye = Change::GrantBye(PlayerNo(3), RoundNo(2), Some(Bye::Half));
    apply(&mut tournament, bye);
    let said = match output::read(text, &tournament, RoundNo(2)) {
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
fn an_answer_seats_everybody_who_plays_once() {
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
    answer("2\n1 5\n", expect!["it announces 2 pairs and has 1"]);
    answer("1\n1 5\n2 4\n", expect!["it announces 1 pairs and has 2"]);
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

async fn refused(tournament: &Tournament, wanted: Wanted) -> String {
    let desk = PairingDesk::default();
    desk.propose(tournament, wanted)
        .await
        .unwrap_err()
        .to_string()
}

#[tokio::test]
async fn a_round_is_paired_when_its_time_has_come() {
    let ready = after_one_round();
    let words = refused(&ready, Wanted::Next).await;
    assert!(
        words.starts_with("no pairing program is configured"),
        "{words}"
    );
    let words = refused(&ready, Wanted::AllThatAreLeft).await;
    assert_eq!(words, "a Swiss is paired round by round");
    let mut open = ready.clone();
    let adjourned = Change::Enter(
        RoundNo(1),
        BoardNo(2),
        GameResult::Adjourned,
        "it goes on".to_owned(),
    );
    apply(&mut open, adjourned);
    let words = refused(&open, Wanted::Next).await;
    assert!(
        words.starts_with("board 2 of round 1 has no final result yet"),
        "{words}"
    );
    let mut over = ready.clone();
    let mut event = over.event().clone();
    event.rounds = 1;
    apply(&mut over, Change::SetEvent(Box::new(event)));
    assert_eq!(
        refused(&over, Wanted::Next).await,
        "all 1 rounds are paired"
    );
}

#[tokio::test]
async fn a_round_robin_pairs_itself() {
    let mut tournament = swiss(4);
    let mut event = tournament.event().clone();
    event.system = System::RoundRobin { cycles: 1 };
    event.rounds = 3;
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let desk = PairingDesk::default();
    let next = desk.propose(&tournament, Wanted::Next).await.unwrap();
    expect![[r#"
        Round 1 is paired: 2 boards
          1: P1 – P4
          2: P2 – P3"#]]
    .assert_eq(&next.words);
    let all = desk
        .propose(&tournament, Wanted::AllThatAreLeft)
        .await
        .unwrap();
    assert_eq!((all.changes.len(), all.by.as_str()), (3, "Berger's table"));
    assert_eq!(all.remarks, [""; 0]);
    assert!(tournament.rounds().is_empty(), "a proposal changes nothing");
}

#[test]
fn what_no_swiss_allows_is_remarked() {
    let pairings = Pairings {
        boards: vec![Pairing::new(BoardNo(1), PlayerNo(3), PlayerNo(1))],
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    let known = Draft::of(&after_one_round());
    assert_eq!(
        oddities(&known, &known, RoundNo(2), &pairings),
        [
            "3 P3 and 1 P1 have played each other in round 1",
            "5 P5 had the bye of the pairing in round 1 already"
        ]
    );
}
