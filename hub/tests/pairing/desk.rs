//! The checks that precede a pairing, and rounds that need no program.

use expect_test::expect;
use hub::pairing::{Numbers, PairingDesk, RoundsToPair};
use tournament::{
    BoardNo, Bye, Change, GameResult, Outcome, Pairing, Pairings, PlayerNo, RoundNo, System,
    Tournament,
};

use crate::rig::{apply, open};

async fn refused(tournament: &Tournament, wanted: RoundsToPair) -> String {
    let desk = PairingDesk::default();
    desk.propose(tournament, wanted, Numbers::ByRank)
        .await
        .unwrap_err()
        .to_string()
}

#[tokio::test]
async fn a_round_is_paired_when_its_time_has_come() {
    let mut ready = open("Open", 5);
    let pairings = Pairings {
        boards: vec![
            Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(3)),
            Pairing::new(BoardNo(2), PlayerNo(4), PlayerNo(2)),
        ],
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    apply(
        &mut ready,
        Change::PairRound(RoundNo(1), Box::new(pairings)),
    );
    for (board, outcome) in [(1, Outcome::Win), (2, Outcome::Draw)] {
        let result = GameResult::played(outcome);
        let change = Change::Enter(RoundNo(1), BoardNo(board), result, String::new());
        apply(&mut ready, change);
    }
    let words = refused(&ready, RoundsToPair::Next).await;
    for part in [
        "no pairing program is configured: install bbpPairings",
        "set pairing_program = \"/path/to/bbpPairings\"",
        "import its file",
    ] {
        assert!(words.contains(part), "{words}");
    }
    let words = refused(&ready, RoundsToPair::AllRemaining).await;
    assert_eq!(words, "a Swiss is paired one round at a time");
    let mut open = ready.clone();
    let adjourned = Change::Enter(
        RoundNo(1),
        BoardNo(2),
        GameResult::Adjourned,
        "it goes on".to_owned(),
    );
    apply(&mut open, adjourned);
    let words = refused(&open, RoundsToPair::Next).await;
    assert!(
        words.starts_with("board 2 of round 1 has no final result yet"),
        "{words}"
    );
    let mut over = ready.clone();
    let mut event = over.event().clone();
    event.rounds = 1;
    apply(&mut over, Change::SetEvent(Box::new(event)));
    assert_eq!(
        refused(&over, RoundsToPair::Next).await,
        "every round is paired: the event has 1; `flagfall event set --rounds NUMBER` changes that"
    );
}

#[tokio::test]
async fn a_round_robin_pairs_itself() {
    let mut tournament = open("Club", 4);
    let mut event = tournament.event().clone();
    event.system = System::RoundRobin { cycles: 1 };
    event.rounds = 3;
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let desk = PairingDesk::default();
    let next = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    expect![[r#"
        Round 1 is paired: 2 boards
          1: Player 1 – Player 4
          2: Player 2 – Player 3"#]]
    .assert_eq(&next.words);
    let all = desk
        .propose(&tournament, RoundsToPair::AllRemaining, Numbers::ByRank)
        .await
        .unwrap();
    assert_eq!((all.changes.len(), all.by.as_str()), (3, "Berger's table"));
    assert_eq!(all.remarks, []);
    assert!(tournament.rounds().is_empty(), "a proposal changes nothing");
}
