//! A program with the same command line as bbpPairings, both when it works and when it fails.

use std::path::Path;

use expect_test::{Expect, expect};
use hub::pairing::{Numbers, PairingDesk, Program, RoundsToPair};
use timing::{Duration, Side};
use tournament::{Bye, Change, GameResult, Outcome, PlayerNo, RoundNo};

use crate::rig::{apply, open};

pub(crate) const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rigs/fake-bbp.sh");

pub(crate) fn desk(program: &str, limit: &str) -> PairingDesk {
    let limit: Duration = limit.parse().unwrap();
    PairingDesk {
        program: Some(Program::new(Path::new(program), limit)),
        folder: None,
    }
}

#[tokio::test]
async fn a_swiss_is_paired_round_by_round() {
    let mut tournament = open("Open", 6);
    apply(
        &mut tournament,
        Change::GrantBye(PlayerNo(2), RoundNo(1), Some(Bye::Half)),
    );
    let desk = desk(FAKE, "1m");
    let first = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    expect![[r#"
        Round 1 is paired: 2 boards, 2 byes
          1: Player 3 – Player 1
          2: Player 4 – Player 5"#]]
    .assert_eq(&first.words);
    assert_eq!(first.by, "fake-bbp.sh");
    for change in first.changes {
        apply(&mut tournament, change);
    }
    assert_eq!(
        tournament.bye_of(PlayerNo(6), RoundNo(1)),
        Some(Bye::PairingAllocated)
    );
    assert_eq!(tournament.bye_of(PlayerNo(2), RoundNo(1)), Some(Bye::Half));
    let boards: Vec<_> = tournament.rounds()[&RoundNo(1)]
        .boards
        .keys()
        .copied()
        .collect();
    for board in boards {
        let result = GameResult::played(Outcome::Win);
        apply(
            &mut tournament,
            Change::Enter(RoundNo(1), board, result, String::new()),
        );
    }
    // The program must know about a withdrawn player, so that it does not pair that player.
    apply(&mut tournament, Change::Withdraw(PlayerNo(6), RoundNo(1)));
    let second = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    expect![[r#"
        Round 2 is paired: 2 boards, 2 byes
          1: Player 1 – Player 2
          2: Player 3 – Player 4"#]]
    .assert_eq(&second.words);
}

#[tokio::test]
async fn a_bye_of_a_later_round_does_not_hold_up_this_one() {
    let mut tournament = open("Open", 6);
    for (player, round, bye) in [(2, 2, Bye::Half), (4, 3, Bye::Full), (6, 1, Bye::Zero)] {
        let change = Change::GrantBye(PlayerNo(player), RoundNo(round), Some(bye));
        apply(&mut tournament, change);
    }
    let proposal = desk(FAKE, "1m")
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    for change in proposal.changes {
        apply(&mut tournament, change);
    }
    let given = [2, 4, 6].map(|no| tournament.bye_of(PlayerNo(no), RoundNo(1)));
    assert_eq!(given, [None, None, Some(Bye::Zero)]);
    let later = |no: u16, round: u16| tournament.players()[&PlayerNo(no)].bye_in(RoundNo(round));
    assert_eq!(
        (later(2, 2), later(4, 3)),
        (Some(Bye::Half), Some(Bye::Full)),
        "the requests stay"
    );
}

#[tokio::test]
async fn a_gap_in_the_numbers_does_not_block_the_pairing() {
    let mut tournament = open("Open", 5);
    apply(&mut tournament, Change::RemovePlayer(PlayerNo(2)));
    let proposal = desk(FAKE, "1m")
        .propose(&tournament, RoundsToPair::Next, Numbers::Unchanged)
        .await
        .unwrap();
    expect![[r#"
        Round 1 is paired: 2 boards
          1: Player 3 – Player 1
          2: Player 5 – Player 4"#]]
    .assert_eq(&proposal.words);
}

async fn failure(program: &str, name: &str, limit: &str, expected: Expect) {
    let tournament = open(name, 4);
    let error = desk(program, limit)
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap_err();
    expected.assert_eq(&error.to_string().replace(FAKE, "FAKE"));
}

#[tokio::test]
async fn a_missing_program_is_reported() {
    failure(
        "/no/such/program",
        "Open",
        "1m",
        expect!["cannot start the pairing program /no/such/program: No such file or directory (os error 2)"],
    )
    .await;
}

#[tokio::test]
async fn the_output_of_a_failing_program_is_shown() {
    failure(
        FAKE,
        "No pairing exists",
        "1m",
        expect!["the pairing program FAKE failed: it ended with code 1 (no valid pairing exists); its output: Error while pairing input.trf: No valid pairing exists"],
    )
    .await;
    failure(
        FAKE,
        "Falls over",
        "1m",
        expect!["the pairing program FAKE failed: it was ended by signal 11"],
    )
    .await;
    failure(
        FAKE,
        "Says nothing",
        "1m",
        expect!["the pairing program FAKE failed: it ended without an error but wrote no answer"],
    )
    .await;
}

#[tokio::test]
async fn a_program_that_does_not_end_is_ended_with_its_process_group() {
    failure(
        FAKE,
        "Never ends",
        "500ms",
        expect!["the pairing program FAKE did not end within 0.5s and was stopped; its output: still thinking"],
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_is_not_a_pairing_is_refused() {
    failure(
        FAKE,
        "Talks nonsense",
        "1m",
        expect!["the pairing program FAKE returned an invalid pairing for round 1: it begins with `Hello`, not with the number of pairs"],
    )
    .await;
    failure(
        FAKE,
        "Forgets one",
        "1m",
        expect!["the pairing program FAKE returned an invalid pairing for round 1: player 3, Player 3, is missing"],
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_is_not_a_regular_file_is_refused() {
    for (name, fault) in [
        ("Answers by a pipe", "it is a pipe, not a plain file"),
        (
            "Answers by a link",
            "it is a symbolic link, which the hub does not follow: copy the file itself here",
        ),
        (
            "Answers at length",
            "it has more than 1024 KiB, which is too much for a report or a table",
        ),
    ] {
        let error = said(name, "1m").await;
        let expected =
            format!("the pairing program FAKE returned an invalid pairing for round 1: {fault}");
        assert_eq!(error, expected);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_grows_without_end_ends_the_program() {
    let error = said("Never stops writing", "1m").await;
    assert!(error.ends_with("it was ended by signal 25"), "{error}");
}

#[tokio::test]
async fn the_program_inherits_nothing_of_the_hub() {
    let secret = tempfile::NamedTempFile::with_prefix("chief-").unwrap();
    let error = said("Shows its surroundings", "1m").await;
    let (_, shown) = error.split_once("its output: ").unwrap();
    for own in ["HOME", "TMPDIR", "PATH"] {
        assert!(shown.contains(own), "{shown}");
    }
    for (name, _) in std::env::vars() {
        let allowed = [
            "HOME", "TMPDIR", "PATH", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_",
        ];
        let inherited =
            shown.split(' ').any(|word| word == name) && !allowed.contains(&name.as_str());
        assert!(!inherited, "{name} in {shown}");
    }
    assert!(!shown.contains(secret.path().to_str().unwrap()), "{shown}");
}

#[tokio::test]
async fn processes_that_the_program_started_end_with_it() {
    let error = said("Starts others", "500ms").await;
    let (_, process) = error.split_once("started ").unwrap();
    let stat = std::path::PathBuf::from(format!("/proc/{process}/stat"));
    // A process that has ended remains a zombie until its parent collects it.
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn its_output_cannot_control_an_arbiters_terminal() {
    let error = said("Controls the terminal", "1m").await;
    assert!(error.ends_with("its output: one [2J two"), "{error:?}");
}

/// Returns the error from the stub pairing program. The event's name selects how the stub fails.
async fn said(name: &str, limit: &str) -> String {
    let failed = desk(FAKE, limit)
        .propose(&open(name, 4), RoundsToPair::Next, Numbers::ByRank)
        .await;
    failed.unwrap_err().to_string().replace(FAKE, "FAKE")
}

#[tokio::test]
async fn data_that_the_program_needs_is_requested_first() {
    let desk = desk(FAKE, "1m");
    let mut tournament = open("Open", 4);
    let mut event = tournament.event().clone();
    event.initial_colour = None;
    apply(&mut tournament, Change::SetEvent(Box::new(event.clone())));
    let error = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the first player's colour is not drawn yet")
    );
    event.initial_colour = Some(Side::Black);
    event.type_code = "FIDE_DUBOV".to_owned();
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let error = desk
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap_err();
    assert!(error.to_string().starts_with("FIDE_DUBOV is not a system"));
}
