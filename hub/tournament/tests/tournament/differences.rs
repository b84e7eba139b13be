//! Changes that a file may make. The hub's own entries, an arbiter's corrections, and data that the file does not mention must stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::{Expect, expect};
use tournament::formats::difference::{Difference, DifferenceKind, difference};
use tournament::formats::draft::{Draft, DraftRound, Seats, export, import_file};
use tournament::formats::table::pairings;
use tournament::formats::trf::Edition;
use tournament::formats::watch::{FileStatus, Watch, digest};
use tournament::{
    Actor, BoardNo, Bye, Change, GameResult, InvalidResult, Outcome, Player, PlayerNo, Points,
    Refusal, RoundNo, Scope, Scoring, TeamNo, Tournament,
};

use crate::files::{folded, imported};
use crate::said;
use crate::trf::{HARBOUR_CUP, TEAM_CUP, harbour_cup};

fn chief() -> Actor {
    Actor::chief("Doe")
}

#[track_caller]
fn apply(tournament: &mut Tournament, change: Change) {
    let words = format!("{change:?}");
    assert_eq!(tournament.apply(&chief(), change), Ok(()), "{words}");
}

#[track_caller]
fn apply_all(tournament: &mut Tournament, found: &Difference) {
    for change in found.changes() {
        apply(tournament, change);
    }
}

fn harbour() -> Tournament {
    folded(&imported(HARBOUR_CUP).draft)
}

fn seats(white: u16, black: u16) -> Seats {
    Seats {
        white: Some(PlayerNo(white)),
        black: Some(PlayerNo(black)),
        of_match: None,
        result: None,
    }
}

fn round(boards: &[(u16, u16)], bye: Option<u16>) -> DraftRound {
    let boards = boards.iter().zip(1..);
    DraftRound {
        boards: boards
            .map(|((white, black), no)| (BoardNo(no), seats(*white, *black)))
            .collect(),
        byes: bye
            .into_iter()
            .map(|no| (PlayerNo(no), Bye::PairingAllocated))
            .collect(),
        ..DraftRound::default()
    }
}

fn with_round_4(fourth: DraftRound) -> Draft {
    let mut draft = imported(HARBOUR_CUP).draft;
    draft.rounds.insert(RoundNo(4), fourth);
    draft
}

#[test]
fn files_never_overturn_a_corrected_result() {
    let mut known = harbour();
    let file = imported(HARBOUR_CUP).draft;
    let upset = GameResult::played(Outcome::Loss);
    let appeal = Change::Enter(RoundNo(2), BoardNo(1), upset, "appeal upheld".to_owned());
    apply(&mut known, appeal);
    let found = difference(&Draft::of(&known), &file, "round2.trf");
    assert_eq!(found.words(), "");
    let remark = "Round 2, board 1, Bravo, Bea – Alpha, Anna: the file still has ½-½; the arbiter's correction stays: 0-1";
    assert_eq!(said(&found.remarks), [remark]);

    apply(&mut known, Change::Confirm(RoundNo(2)));
    let found = difference(&Draft::of(&known), &file, "round2.trf");
    assert!(
        found.is_empty(),
        "nor does it become news when the round is confirmed"
    );

    let mut known = harbour();
    let again = Change::RemoveResult(RoundNo(3), BoardNo(1), "they play on".to_owned());
    apply(&mut known, again);
    let found = difference(&Draft::of(&known), &file, "round3.trf");
    assert_eq!(found.words(), "");
    assert!(
        found.remarks[0]
            .to_string()
            .contains("the arbiter's correction stays: no result"),
        "{:?}",
        said(&found.remarks)
    );
}

#[test]
fn an_uncorrected_result_follows_the_file() {
    let mut known = harbour();
    let mut file = imported(HARBOUR_CUP).draft;
    let boards = &mut file.rounds.get_mut(&RoundNo(2)).unwrap().boards;
    boards.get_mut(&BoardNo(1)).unwrap().result = Some(GameResult::played(Outcome::Win));
    let found = difference(&Draft::of(&known), &file, "later.trf");
    assert_eq!(found.items[0].kind, DifferenceKind::ChangedResult);
    for change in found.changes() {
        assert_eq!(known.apply_imported(&chief(), change), Ok(()));
    }
    assert!(difference(&Draft::of(&known), &file, "later.trf").is_empty());

    // An imported change is not an arbiter's correction, so the file may change the result again.
    let first = imported(HARBOUR_CUP).draft;
    let found = difference(&Draft::of(&known), &first, "last.trf");
    let kinds: Vec<DifferenceKind> = found.items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [DifferenceKind::ChangedResult]);
    let upset = GameResult::played(Outcome::Loss);
    let appeal = Change::Enter(RoundNo(2), BoardNo(1), upset, "appeal upheld".to_owned());
    apply(&mut known, appeal);
    assert!(difference(&Draft::of(&known), &first, "last.trf").is_empty());
}

#[test]
fn extra_points_get_a_remark_on_import_and_need_a_reason_by_hand() {
    let both = GameResult::Played {
        white: Outcome::Win,
        black: Outcome::Win,
        rated: true,
        tally: None,
    };
    let text = String::from_utf8_lossy(HARBOUR_CUP)
        .replace("     2 w 0  0000 - U", "     2 w 1  0000 - U");
    let file = imported(text.as_bytes()).draft;
    let (board, _) = file.rounds[&RoundNo(1)]
        .board_with((Some(PlayerNo(4)), Some(PlayerNo(2))))
        .or_else(|| file.rounds[&RoundNo(1)].board_with((Some(PlayerNo(2)), Some(PlayerNo(4)))))
        .unwrap();
    let remark = |found: &Difference| {
        said(&found.remarks)
            .into_iter()
            .find(|one| one.contains("1-1"))
    };

    let opened = folded(&file);
    assert_eq!(
        opened.rounds()[&RoundNo(1)].boards[&board].result,
        Some(both)
    );
    let again = export(&opened, Edition::Trf26).text;
    let again = import_file(again.as_bytes()).unwrap().draft;
    assert_eq!(again.rounds[&RoundNo(1)].boards[&board].result, Some(both));

    let mut known = harbour();
    let found = difference(&Draft::of(&known), &file, "penalty.trf");
    let expected =
        "1-1 adds up to more points than one game awards; an arbiter must decide (FIDE 12.9.6)";
    assert!(remark(&found).unwrap().ends_with(expected));
    let enter = |reason: &str| Change::Enter(RoundNo(1), board, both, reason.to_owned());
    assert!(matches!(
        known.apply(&chief(), enter(" ")),
        Err(Refusal::Impossible(InvalidResult::WinWithoutLoss))
    ));
    apply_all(&mut known, &found);
    assert!(difference(&Draft::of(&known), &file, "penalty.trf").is_empty());
    let mut known = harbour();
    apply(&mut known, enter("half of a penalty (12.9.6)"));
}

#[test]
fn settled_contents_are_never_news_again() {
    let known = Arc::new(Draft::of(&harbour()));
    let mut watch = Watch::new();
    let table = b"White;Black\n5;1\n3;4\n2;bye\n";
    watch.observe("r4.csv", table, &known);
    assert!(matches!(
        watch.observe("r4.csv", table, &known),
        FileStatus::News(_)
    ));
    assert_eq!(watch.pending(&known).len(), 1);
    watch.settle(digest(table));
    assert_eq!(watch.pending(&known), []);

    let mut later = Draft::clone(&known);
    later.event.city = "Oslo".to_owned();
    let later = Arc::new(later);
    assert_eq!(
        watch.observe("r4.csv", table, &later),
        FileStatus::AlreadyReported
    );
    assert_eq!(watch.pending(&later), []);
    watch.observe("copy of r4.csv", table, &later);
    assert_eq!(
        watch.observe("copy of r4.csv", table, &later),
        FileStatus::AlreadyReported
    );
    assert_eq!(watch.pending(&later), [], "nor under another name");

    let other = b"White;Black\n3;1\n5;4\n2;bye\n";
    watch.observe("r4.csv", other, &later);
    assert!(matches!(
        watch.observe("r4.csv", other, &later),
        FileStatus::News(_)
    ));
}

#[test]
fn a_table_of_the_previous_round_is_recognised() {
    let known = Arc::new(Draft::of(&harbour()));
    let mut watch = Watch::new();
    let table = b"White;Black;Result\n1;4;1-0\n5;3;1-0\n";
    watch.observe("round.csv", table, &known);
    assert_eq!(
        watch.observe("round.csv", table, &known),
        FileStatus::UpToDate
    );
    let said = b"Round;White;Black\n4;1;4\n4;5;3\n";
    watch.observe("round.csv", said, &known);
    let FileStatus::News(news) = watch.observe("round.csv", said, &known) else {
        panic!("a table that names its round is about that");
    };
    assert_eq!(news.difference.items[0].kind, DifferenceKind::NewRound);
}

#[test]
fn missing_records_change_nothing() {
    let mut known = Draft::of(&harbour());
    known.event.scoring = Scoring::of(Points::whole(3), Points::ONE, Points::ZERO);
    known.event.kept_lines = vec!["record XXP 1 2".to_owned()];
    let bare: String = harbour_cup()
        .lines()
        .filter(|line| ["012", "001"].iter().any(|tag| line.starts_with(tag)))
        .map(|line| {
            format!(
                "{}\n",
                line.replace("2400 SWE     1500012 1991/02/02", "   0")
            )
        })
        .map(|line| {
            line.replace(
                "   0  2.0    2",
                "   0                             2.0    2",
            )
        })
        .collect();
    let file = imported(bare.as_bytes()).draft;
    assert_eq!(file.players[&PlayerNo(2)].rating, None);
    assert!(file.event.tie_breaks.is_empty() && file.event.rounds == 3);
    let found = difference(&known, &file, "bare.trf");
    assert_eq!(found.words(), "");
    let remarks = [
        "the file has 3 rounds and the event 4; the event keeps its number of rounds (change it with `flagfall event set --rounds`)",
        "the event keeps its points per result; the file has the usual points, or none",
    ];
    assert_eq!(said(&found.remarks), remarks);

    let other = format!("202 BH\n222 3600\n022 Oslo\n162  W 2.0    D 1.0\n{bare}");
    let found = difference(&known, &imported(other.as_bytes()).draft, "other.trf");
    let words = expect![
        "The event: city Bergen → Oslo, encoded time control 5400+30 → 3600, tie-breaks BH/C1,BH,SB,DE → BH, different points for results"
    ];
    words.assert_eq(&found.words());
}

#[test]
fn kept_records_follow_the_file_without_losses() {
    let mut known = Draft::of(&harbour());
    known.event.kept_lines = ["order 012,001", "record XXP 1 2", "record 172 NOR HBFN"]
        .map(str::to_owned)
        .to_vec();
    let mut file = known.clone();
    file.event.kept_lines = ["order 012,001", "record XXP 3 4"]
        .map(str::to_owned)
        .to_vec();
    let found = difference(&known, &file, "a file");
    let Ok([Change::SetEvent(event)]) = <[Change; 1]>::try_from(found.changes()) else {
        panic!("{found:?}");
    };
    let expected = ["order 012,001", "record XXP 3 4", "record 172 NOR HBFN"];
    assert_eq!(event.kept_lines, expected);
    known.event = *event;
    assert!(difference(&known, &file, "a file").is_empty());
}

#[test]
fn players_missing_from_a_file_stay() {
    let mut tournament = harbour();
    for no in [8, 9] {
        let late = Player::new(PlayerNo(no), &format!("Late, No {no}"));
        apply(&mut tournament, Change::EnterPlayer(Box::new(late)));
    }
    apply(&mut tournament, Change::Withdraw(PlayerNo(9), RoundNo(3)));
    let known = Draft::of(&tournament);
    let mut file = imported(HARBOUR_CUP).draft;
    file.players.remove(&PlayerNo(3));
    let found = difference(&known, &file, "a file");
    assert_eq!(found.words(), "");
    let remark = "2 players are in the event but not in the file: 3 Charlie, Cid; 8 Late, No 8";
    assert_eq!(said(&found.remarks), [remark]);
}

#[test]
fn byes_missing_from_a_file_stay() {
    let known = Draft::of(&harbour());
    let mut file = known.clone();
    file.rounds.get_mut(&RoundNo(3)).unwrap().byes = BTreeMap::new();
    assert_eq!(difference(&known, &file, "a file").words(), "");
}

#[test]
fn odd_pairings_get_remarks() {
    let mut known = harbour();
    apply(&mut known, Change::Withdraw(PlayerNo(5), RoundNo(3)));
    let bye = Change::GrantBye(PlayerNo(3), RoundNo(4), Some(Bye::Half));
    apply(&mut known, bye);
    let file = with_round_4(round(&[(1, 5), (3, 2)], Some(4)));
    let found = difference(&Draft::of(&known), &file, "round4.trf");
    let remarks = [
        "5 Echo, Eve is paired in round 4 but withdrew after round 3",
        "3 Charlie, Cid is paired in round 4 but has a bye in that round: half-point bye",
        "4 Delta, Dan already had the pairing-allocated bye in round 2",
    ];
    assert_eq!(said(&found.remarks), remarks);

    let file = with_round_4(round(&[(3, 1), (2, 4)], None));
    let found = difference(&Draft::of(&harbour()), &file, "round4.trf");
    let remarks = [
        "3 Charlie, Cid and 1 Alpha, Anna played each other in round 1",
        "2 Bravo, Bea and 4 Delta, Dan played each other in round 1",
    ];
    assert_eq!(said(&found.remarks), remarks);
}

#[test]
fn players_left_over_in_a_partial_round_are_named() {
    let mut tournament = harbour();
    let bye = Change::GrantBye(PlayerNo(2), RoundNo(4), Some(Bye::Half));
    apply(&mut tournament, bye);
    let known = Draft::of(&tournament);
    let table = pairings::read(b"Board,White,Black\n1,5,1\n", &known, RoundNo(4)).unwrap();
    let found = difference(&known, &table.merged(&known), "half.csv");
    let words = expect![[r#"
        Round 4 is paired: 1 board
          1: Echo, Eve – Alpha, Anna
          2 players have no opponent and no bye: Charlie, Cid; Delta, Dan"#]];
    words.assert_eq(&found.words());
}

#[test]
fn late_boards_are_added_to_a_round_in_progress() {
    let mut draft = with_round_4(round(&[(5, 1)], Some(2)));
    let fourth = draft.rounds.get_mut(&RoundNo(4)).unwrap();
    fourth.byes.insert(PlayerNo(3), Bye::Half);
    let mut known = folded(&draft);
    apply(&mut known, Change::Start(RoundNo(4), Scope::All));
    let won = GameResult::played(Outcome::Win);
    let enter = Change::Enter(RoundNo(4), BoardNo(1), won, String::new());
    apply(&mut known, enter);

    // The file numbers its boards differently, but the hall's numbers stay.
    let file = with_round_4(round(&[(3, 4), (5, 1)], Some(2)));
    let found = difference(&Draft::of(&known), &file, "late.trf");
    let words = expect![[r#"
        Round 4: 1 board added:
          2: Charlie, Cid – Delta, Dan"#]];
    words.assert_eq(&found.words());
    let remark = "3 Charlie, Cid is paired in round 4 but has a bye in that round: half-point bye";
    assert_eq!(said(&found.remarks), [remark]);
    apply_all(&mut known, &found);
    let now = &known.rounds()[&RoundNo(4)];
    assert_eq!(now.boards[&BoardNo(1)].result, Some(won));
    assert_eq!(now.boards[&BoardNo(2)].white, Some(PlayerNo(3)));
    assert_eq!(known.bye_of(PlayerNo(3), RoundNo(4)), None);
    assert_eq!(
        difference(&Draft::of(&known), &file, "late.trf").words(),
        ""
    );
}

#[test]
fn a_table_of_one_board_changes_only_that_board() {
    let mut draft = with_round_4(round(&[(5, 1), (3, 4)], Some(2)));
    for (no, name) in [(6, "Foxtrot, Fay"), (7, "Golf, Gus")] {
        draft
            .players
            .insert(PlayerNo(no), Player::new(PlayerNo(no), name));
    }
    let mut known = folded(&draft);
    let board = |no| Change::Start(RoundNo(4), Scope::Board(BoardNo(no)));
    apply(&mut known, board(1));
    let won = GameResult::played(Outcome::Win);
    apply(
        &mut known,
        Change::Enter(RoundNo(4), BoardNo(1), won, String::new()),
    );
    let mut take = |text: &str, words: Expect| {
        let draft = Draft::of(&known);
        let table = pairings::read(text.as_bytes(), &draft, RoundNo(4)).unwrap();
        let merged = table.merged(&draft);
        let found = difference(&draft, &merged, "late.csv");
        words.assert_eq(&found.words());
        apply_all(&mut known, &found);
        let again = difference(&Draft::of(&known), &merged, "late.csv");
        assert_eq!(again.words(), "", "the whole difference was applied");
        let boards = known.rounds()[&RoundNo(4)].boards.iter();
        let seated = boards.map(|(no, at)| (no.0, at.white.unwrap().0, at.black.unwrap().0));
        seated.collect::<Vec<_>>()
    };
    let seated = take(
        "White,Black\n6,2\n",
        expect![[r#"
            Round 4: 1 board added:
              3: Foxtrot, Fay – Bravo, Bea
              1 player has no opponent and no bye: Golf, Gus"#]],
    );
    assert_eq!(seated, [(1, 5, 1), (2, 3, 4), (3, 6, 2)]);
    let seated = take(
        "Board,White,Black\n3,6,7\n",
        expect![[r#"
            Round 4 is paired differently:
              3: Foxtrot, Fay – Golf, Gus
              1 player has no opponent and no bye: Bravo, Bea"#]],
    );
    assert_eq!(seated, [(1, 5, 1), (2, 3, 4), (3, 6, 7)]);
    let seated = take(
        "Board,White,Black,Result\n2,3,7,\n3,6,4,1-0\n",
        expect![[r#"
            Round 4 is paired differently:
              2: Charlie, Cid – Golf, Gus
              3: Foxtrot, Fay – Delta, Dan
              1 player has no opponent and no bye: Bravo, Bea"#]],
    );
    assert_eq!(seated, [(1, 5, 1), (2, 3, 7), (3, 6, 4)]);
    let result = |no| known.rounds()[&RoundNo(4)].boards[&BoardNo(no)].result;
    assert_eq!([1, 3].map(result), [Some(won); 2]);
    // The table takes a player from a board that it does not name. That board would be removed, although it has a result.
    let draft = Draft::of(&known);
    let table = pairings::read(b"Board,White,Black\n2,3,6\n", &draft, RoundNo(4)).unwrap();
    let found = difference(&draft, &table.merged(&draft), "half.csv");
    let refused = found
        .changes()
        .into_iter()
        .find_map(|change| known.clone().apply(&chief(), change).err());
    assert_eq!(found.removed_pairings, 1);
    let why = "board 3 has a result: remove it first";
    assert_eq!(refused.unwrap().to_string(), why);
}

#[test]
fn a_late_match_is_added_to_its_round() {
    let mut file = imported(TEAM_CUP).draft;
    file.rounds.retain(|no, _| *no == RoundNo(1));
    let mut early = file.clone();
    let first = early.rounds.get_mut(&RoundNo(1)).unwrap();
    let (late, _) = first.matches.pop_last().unwrap();
    first
        .boards
        .retain(|_, seats| seats.of_match.is_none_or(|(no, _)| no != late));
    let mut known = folded(&early);
    apply(&mut known, Change::Start(RoundNo(1), Scope::All));
    let found = difference(&Draft::of(&known), &file, "late.trf");
    let kinds: Vec<DifferenceKind> = found.items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [DifferenceKind::ChangedRound], "{}", found.words());
    apply_all(&mut known, &found);
    assert_eq!(Draft::of(&known).rounds, file.rounds);
}

#[test]
fn names_shortened_by_a_report_are_not_a_difference() {
    let mut draft = imported(TEAM_CUP).draft;
    let long = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine";
    draft.players.get_mut(&PlayerNo(1)).unwrap().name = long.to_owned();
    let team = draft.teams.get_mut(&TeamNo(1)).unwrap();
    team.name = "The Association of the Players of Norway".to_owned();
    let known = folded(&draft);
    let written = export(&known, Edition::Trf26);
    assert!(!written.text.contains("Blaine"), "{}", written.text);
    let mut file = import_file(written.text.as_bytes()).unwrap().draft;
    let found = difference(&Draft::of(&known), &file, "own.trf");
    assert_eq!(found.words(), "");

    let player = file.players.get_mut(&PlayerNo(1)).unwrap();
    player.rating = Some(2501);
    let found = difference(&Draft::of(&known), &file, "own.trf");
    let Ok([Change::EnterPlayer(changed)]) = <[Change; 1]>::try_from(found.changes()) else {
        panic!("{found:?}");
    };
    assert_eq!((changed.name.as_str(), changed.rating), (long, Some(2501)));
}
