//! Places and points that a file states but that do not follow from its results: how long they apply, and their unchanged export.

use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, export_for_pairing, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, GameResult, Outcome, Participant, PlaceSource, PlayerNo, Points,
    Refusal, RoundNo, TieBreak, Tournament,
};

use crate::files::{folded, imported};
use crate::odd_files::{lines, player};
use crate::said;

const FROM_FILE: &str = "places as stated in a file, until a pairing, a result or the list of \
                         tie-breaks changes";

/// Returns a file with six players after two of four rounds, without a list of tie-breaks. Its stated places separate tied players, but not by
/// pairing number.
fn small_open() -> String {
    [
        "012 Small Open".to_owned(),
        "142 4".to_owned(),
        player(1, "1.5", 2, &["   4 w 1", "   2 b ="]),
        player(2, "1.5", 1, &["   5 b 1", "   1 w ="]),
        player(3, "1.0", 4, &["   6 w 1", "   5 b 0"]),
        player(4, "1.0", 3, &["   1 b 0", "   6 w 1"]),
        player(5, "1.0", 5, &["   2 w 0", "   3 w 1"]),
        player(6, "0.0", 6, &["   3 b 0", "   4 b 0"]),
    ]
    .join("\r\n")
}

fn opened(text: &str) -> Tournament {
    folded(&imported(text.as_bytes()).draft)
}

fn places(event: &Tournament) -> Vec<(usize, u16)> {
    let rows = event.standings(None).rows;
    let rows = rows.iter().map(|row| (row.rank, row.who.number()));
    rows.collect()
}

const STATED: [(usize, u16); 6] = [(1, 2), (2, 1), (3, 4), (4, 3), (5, 5), (6, 6)];
const COMPUTED: [(usize, u16); 6] = [(1, 1), (1, 2), (3, 3), (3, 4), (3, 5), (6, 6)];

#[track_caller]
fn apply(event: &Tournament, change: Change) -> Tournament {
    let mut event = event.clone();
    assert_eq!(event.apply(&Actor::chief("Doe"), change), Ok(()));
    event
}

#[track_caller]
fn exports_unchanged(text: &str) {
    let event = opened(text);
    for edition in [Edition::Trf26, Edition::Trf16] {
        let written = export(&event, edition).text;
        assert_eq!(lines(&written, "001"), lines(text, "001"), "{written}");
        let again = imported(written.as_bytes()).draft;
        assert_eq!(again.stated, Draft::of(&event).stated, "{written}");
        assert_eq!(export(&folded(&again), edition).text, written);
        let known = difference(&Draft::of(&event), &again, "again.trf");
        assert_eq!(known.words(), "", "{written}");
    }
}

#[test]
fn points_of_a_round_of_byes_are_exported_unchanged() {
    // The last round has no games, so the standings do not count it yet, but the file does.
    let byes = [
        "012 Club".to_owned(),
        player(1, "1.0", 2, &["   2 b 0", "0000 - +"]),
        player(2, "1.5", 1, &["   1 w 1", "0000 - ="]),
    ];
    let read = imported(byes.join("\r\n").as_bytes());
    let remarks = said(&read.remarks).join("\n");
    assert!(!remarks.contains("points in the file"), "{remarks}");
    let written = export(&folded(&read.draft), Edition::Trf26).text;
    let lines = lines(&written, "001");
    let points: Vec<&str> = lines.iter().map(|line| line[80..84].trim()).collect();
    assert_eq!(points, ["1.0", "1.5"], "{written}");
}

#[test]
fn stated_places_are_kept_and_exported() {
    let text = small_open();
    let event = opened(&text);
    assert_eq!(places(&event), STATED);
    let standings = event.standings(None);
    assert!(standings.rows.iter().all(|row| !row.shared));
    assert_eq!(standings.source, PlaceSource::File("a file".to_owned()));
    assert_eq!(standings.source.words().as_deref(), Some(FROM_FILE));
    let earlier = event.standings(Some(RoundNo(1)));
    assert_eq!(earlier.source, PlaceSource::Computed);
    assert_eq!(earlier.rows.iter().filter(|row| row.rank == 1).count(), 3);
    exports_unchanged(&text);
    let remarks = said(&imported(text.as_bytes()).remarks).join("\n");
    let until =
        "the file's numbers apply until a pairing, a result or the list of tie-breaks changes";
    assert!(
        remarks.contains("3 of 6 players have a different rank"),
        "{remarks}"
    );
    assert!(remarks.contains(until), "{remarks}");
}

#[test]
fn a_rank_of_zero_means_no_rank() {
    let text = small_open();
    let zero = text.replacen(&player(6, "0.0", 6, &[]), &player(6, "0.0", 0, &[]), 1);
    assert_ne!(zero, text);
    let read = imported(zero.as_bytes());
    let remarks = said(&read.remarks).join("\n");
    assert!(
        remarks.contains("3 of 5 players have a different rank"),
        "{remarks}"
    );
    // The other stated places stay, and the player without a stated place gets the computed place.
    assert_eq!(places(&folded(&read.draft)), STATED);
    let ranks = |line: &str| match line.starts_with("001") {
        true => format!("{}{:>4}{}", &line[..85], 0, &line[89..]),
        false => line.to_owned(),
    };
    let zeros: Vec<String> = text.lines().map(ranks).collect();
    let read = imported(zeros.join("\r\n").as_bytes());
    let event = folded(&read.draft);
    assert_eq!(event.standings(None).source, PlaceSource::Computed);
    assert_eq!(places(&event), COMPUTED);
}

#[test]
fn places_that_follow_from_results_are_not_stored() {
    let text = export(&opened(&small_open()), Edition::Trf26).text;
    let ranks = [
        (2, "   1"),
        (1, "   1"),
        (4, "   3"),
        (3, "   3"),
        (5, "   3"),
        (6, "   6"),
    ];
    let mut computed = text;
    for (no, rank) in ranks {
        let line = lines(&computed, &format!("001 {no:>4}"))[0].clone();
        let other = format!("{}{rank}{}", &line[..85], &line[89..]);
        computed = computed.replace(&line, &other);
    }
    let event = opened(&computed);
    assert_eq!(event.stated(), None, "{computed}");
    assert_eq!(event.standings(None).source, PlaceSource::Computed);
}

#[test]
fn changes_that_move_places_end_stated_ones() {
    let event = opened(&small_open());
    let drawn = GameResult::played(Outcome::Draw);
    let (two, one) = (RoundNo(2), BoardNo(1));
    let standing = event.rounds()[&two].boards[&one].result.unwrap();
    let corrected = Change::Enter(two, BoardNo(2), drawn, "slip misread".to_owned());
    let mut listed = event.event().clone();
    listed.tie_breaks = vec![TieBreak::parse("BH").unwrap()];
    let other_points = Change::SetEvent(Box::new({
        let mut event = event.event().clone();
        event.scoring.loss = Points::HALF;
        event
    }));
    let ending = [
        corrected,
        Change::RemoveResult(two, one, "still playing".to_owned()),
        Change::PairRound(RoundNo(3), Box::default()),
        Change::GrantBye(PlayerNo(7), two, Some(Bye::Half)),
        Change::SetEvent(Box::new(listed)),
        other_points,
    ];
    let late = tournament::Player::new(PlayerNo(7), "Late, Lea");
    let with_late = apply(&event, Change::EnterPlayer(Box::new(late)));
    for change in ending {
        let words = format!("{change:?}");
        let after = apply(&with_late, change);
        let source = after.standings(None).source;
        assert_eq!(
            source,
            PlaceSource::SinceFile("a file".to_owned()),
            "{words}"
        );
        assert!(source.words().unwrap().contains("changed since a file"));
        assert_eq!(Draft::of(&after).stated, None, "{words}");
        let computed = {
            let mut computed = after.clone();
            let none = Change::StateStandings(None);
            computed.apply(&Actor::chief("Doe"), none).unwrap();
            computed
        };
        assert_eq!(places(&after), places(&computed), "{words}");
    }
    let mut moved = event.event().clone();
    moved.city = "Elsewhere".to_owned();
    let staying = [
        Change::SetEvent(Box::new(moved)),
        Change::Enter(two, one, standing, String::new()),
        Change::GrantBye(PlayerNo(6), RoundNo(3), Some(Bye::Half)),
        Change::Confirm(two),
    ];
    for change in staying {
        let words = format!("{change:?}");
        assert_eq!(places(&apply(&event, change)), STATED, "{words}");
    }
}

#[test]
fn an_arbiter_can_return_to_computed_places() {
    let mut event = opened(&small_open());
    let computed = Change::StateStandings(None);
    let refused = event.apply(&Actor::floor("Roe"), computed.clone());
    assert_eq!(refused, Err(Refusal::ChiefOnly));
    let event = apply(&event, computed);
    assert_eq!(places(&event), COMPUTED);
    assert_eq!(event.standings(None).source, PlaceSource::Computed);
}

#[test]
fn a_list_of_tie_breaks_in_the_file_keeps_its_places() {
    let text = small_open().replace("142 4", "142 4\r\n202 WIN");
    let event = opened(&text);
    assert_eq!(places(&event), STATED);
    exports_unchanged(&text);
}

#[test]
fn renumbering_moves_stated_places() {
    let event = opened(&small_open());
    let order = [6, 5, 4, 3, 2, 1].map(PlayerNo).to_vec();
    let renumbering = tournament::Renumbering {
        order,
        kept_lines: event.event().kept_lines.clone(),
    };
    let event = apply(&event, Change::Renumber(Box::new(renumbering)));
    let expected = STATED.map(|(rank, no)| (rank, 7 - no));
    assert_eq!(places(&event), expected);
}

#[test]
fn stated_points_last_as_long_as_stated_places() {
    // The fifth player has no empty cell that could explain half a point.
    let text = small_open()
        .replace("1.0    5", "1.5    3")
        .replace("1.0    3", "1.0    5");
    let event = opened(&text);
    let row = event
        .standings(None)
        .row(Participant::Player(PlayerNo(5)))
        .unwrap()
        .clone();
    assert_eq!((row.rank, row.score), (3, Points::from_hundredths(150)));
    let lines_of_table = event.cross_table(&event.standings(None));
    let line = lines_of_table
        .iter()
        .find(|line| line.player == PlayerNo(5));
    assert_eq!(line.unwrap().points, row.score);
    exports_unchanged(&text);
    let remarks = said(&imported(text.as_bytes()).remarks).join("\n");
    assert!(
        remarks.contains("player 5 has points in the file that differ from the results"),
        "{remarks}"
    );
    // A pairing program would refuse points that do not follow from the cells.
    let for_pairing = lines(&export_for_pairing(&event).text, "001    5")[0].clone();
    assert_eq!(for_pairing[80..84].trim(), "1.0");
    let drawn = GameResult::played(Outcome::Draw);
    let change = Change::Enter(RoundNo(2), BoardNo(1), drawn, "slip misread".to_owned());
    let change = match event.rounds()[&RoundNo(2)].boards[&BoardNo(1)].result {
        Some(result) if result == drawn => {
            Change::RemoveResult(RoundNo(2), BoardNo(1), "x".to_owned())
        }
        _ => change,
    };
    let after = apply(&event, change).standings(None);
    assert_eq!(
        after.row(Participant::Player(PlayerNo(5))).unwrap().score,
        Points::ONE
    );
}

#[test]
fn stated_points_give_places_where_none_are_stated() {
    let text = small_open().replace("1.0    5", "2.0     ");
    let blank = ["1.5    2", "1.5    1", "1.0    4", "1.0    3", "0.0    6"];
    let text = blank.iter().fold(text, |text, with| {
        text.replace(with, &format!("{}     ", &with[..3]))
    });
    let event = opened(&text);
    let expected = [(1, 5), (2, 1), (2, 2), (4, 3), (4, 4), (6, 6)];
    assert_eq!(places(&event), expected);
    let written = export(&event, Edition::Trf26).text;
    let again = imported(written.as_bytes()).draft;
    assert_eq!(again.stated, Draft::of(&event).stated);
}

#[test]
fn a_bye_without_a_letter_follows_from_the_stated_points() {
    let absent = " ".repeat(10);
    let text = small_open()
        .replace("   4 w 1     2 b =", &format!("{absent}   2 b ="))
        .replace("   1 b 0     6 w 1", &format!("{absent}   6 w 1"));
    let read = import_file(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
    let round = &read.draft.rounds[&RoundNo(1)];
    // The stated points leave one point for player 1's round without an entry, and none for player 4's.
    assert_eq!(round.byes.get(&PlayerNo(1)), Some(&Bye::Full));
    assert_eq!(round.byes.get(&PlayerNo(4)), None);
    let remarks = said(&read.remarks).join("\n");
    let said = "player 1, round 1: the file counts the points of a bye but has no letter for it; entered: full-point bye";
    assert!(remarks.contains(said), "{remarks}");
    let halves = text.replace("1.5    2   ", "1.0    2   ");
    let half = imported(halves.as_bytes()).draft;
    assert_eq!(
        half.rounds[&RoundNo(1)].byes.get(&PlayerNo(1)),
        Some(&Bye::Half)
    );
    // The bye now belongs to the event, so it is exported for a pairing program.
    let event = folded(&half);
    let line = lines(&export_for_pairing(&event).text, "001    1")[0].clone();
    assert!(line.contains("0000 - H     2 b ="), "{line}");
    assert_eq!(line[80..84].trim(), "1.0");
}

#[test]
fn a_bye_counted_ahead_stays_in_the_players_line() {
    let text = small_open().replace(
        "0.0    6     3 b 0     4 b 0",
        "0.5    6     3 b 0     4 b 0  0000 - H",
    );
    exports_unchanged(&text);
    let written = export(&opened(&text), Edition::Trf26).text;
    assert_eq!(lines(&written, "240"), [""; 0]);
}

/// Other programs count a round as played if it has a pairing-allocated bye. Record 240 for the round's other byes would then contradict the
/// stated points.
#[test]
fn byes_beside_a_pairing_allocated_one_stay_in_the_lines() {
    let text = [
        "012 Club".to_owned(),
        "142 3".to_owned(),
        player(1, "2.0", 1, &["   2 w 1", "0000 - U"]),
        player(2, "0.5", 3, &["   1 b 0", "0000 - H"]),
        player(3, "1.0", 2, &["0000 - U", "0000 - Z"]),
    ];
    let text = text.join("\r\n");
    exports_unchanged(&text);
    let written = export(&opened(&text), Edition::Trf26).text;
    assert_eq!(lines(&written, "240"), [""; 0]);
}

/// A program takes the last round in the players' lines as the round to pair if some players have no entry in it.
#[test]
fn only_byes_of_the_next_round_are_in_the_lines_of_trf16() {
    let file = [
        "012 Club".to_owned(),
        "142 4".to_owned(),
        player(1, "1.0", 1, &["   2 w 1"]),
        player(2, "0.0", 2, &["   1 b 0"]),
        "240 H   2    2".to_owned(),
        "240 Z   4    1".to_owned(),
    ];
    let event = folded(&imported(file.join("\r\n").as_bytes()).draft);
    let written = export(&event, Edition::Trf16).text;
    let cells: Vec<String> = lines(&written, "001")
        .iter()
        .map(|line| line[91..].to_owned())
        .collect();
    assert_eq!(cells, ["   2 w 1", "   1 b 0  0000 - H"], "{written}");
    let again = folded(&imported(written.as_bytes()).draft);
    assert_eq!(again.players(), event.players(), "{written}");
}

#[test]
fn stated_places_yield_to_own_tie_breaks_and_newer_results() {
    let text = small_open();
    let computed = apply(&opened(&text), Change::StateStandings(None));
    let file = imported(text.as_bytes()).draft;
    let taken = difference(&Draft::of(&computed), &file, "open.trf");
    let words = "Standings: places of 6 players as stated in the file, until a pairing, a result or the \
                 list of tie-breaks changes";
    assert_eq!(taken.words(), words);
    let mut event = computed.clone();
    for change in taken.changes() {
        event.apply(&Actor::program("import"), change).unwrap();
    }
    assert_eq!(places(&event), STATED);
    assert_eq!(
        event.standings(None).source,
        PlaceSource::File("open.trf".to_owned())
    );
    let mut listed = computed.event().clone();
    listed.tie_breaks = vec![TieBreak::parse("BH").unwrap()];
    let listed = apply(&computed, Change::SetEvent(Box::new(listed)));
    assert_eq!(
        difference(&Draft::of(&listed), &file, "open.trf").words(),
        ""
    );
    // An arbiter has since corrected a result that the file still contains.
    let two = RoundNo(2);
    let boards = &computed.rounds()[&two].boards;
    let (board, _) = boards
        .iter()
        .find(|(_, board)| board.white == Some(PlayerNo(1)) || board.black == Some(PlayerNo(1)))
        .unwrap();
    let won = GameResult::played(Outcome::Win);
    let newer = apply(
        &computed,
        Change::Enter(two, *board, won, "slip misread".to_owned()),
    );
    assert_eq!(
        difference(&Draft::of(&newer), &file, "open.trf").words(),
        ""
    );
}

#[test]
fn a_trf16_of_the_hub_has_no_differences() {
    let foreign = [
        "012 Small Open".to_owned(),
        "### of another program".to_owned(),
        "142 4".to_owned(),
        "202 BH".to_owned(),
        "XXS WW=1.0".to_owned(),
        player(1, "1.0", 1, &["   2 w 1"]),
        player(2, "0.0", 2, &["   1 b 0"]),
    ];
    let event = opened(&foreign.join("\r\n"));
    let written = export(&event, Edition::Trf16).text;
    let again = imported(written.as_bytes()).draft;
    let known = Draft::of(&event);
    assert_ne!(again.event.kept_lines, known.event.kept_lines);
    assert_eq!(difference(&known, &again, "again.trf").words(), "");
}

/// Returns a file with four teams of one player each. Teams 1 and 3 are tied, and the file ranks team 3 first. Team 4 has a match point that does
/// not follow from its results.
fn small_teams() -> String {
    let team = |no: u32, matches: &str, games: &str, rank: u32, player: u32| {
        format!(
            "310 {no:>3} {:<32} {:<5} {:>6} {matches:>6} {games:>6} {rank:>3}  {player:>4}",
            format!("Team {no}"),
            "",
            "2000"
        )
    };
    [
        "012 Small Team Cup".to_owned(),
        "092 Team".to_owned(),
        "142 3".to_owned(),
        "192 FIDE_TEAM_MP_GP".to_owned(),
        player(1, "1.0", 2, &["   2 w 1"]),
        player(2, "0.0", 3, &["   1 b 0"]),
        player(3, "1.0", 1, &["   4 w 1"]),
        player(4, "0.0", 4, &["   3 b 0"]),
        team(1, "2.0", "1.0", 2, 1),
        team(2, "0.0", "0.0", 4, 2),
        team(3, "2.0", "1.0", 1, 3),
        team(4, "1.0", "0.0", 3, 4),
    ]
    .join("\r\n")
}

#[test]
fn stated_places_of_teams_and_players_are_kept() {
    let text = small_teams();
    let read = imported(text.as_bytes());
    let remarks = said(&read.remarks).join("\n");
    assert!(
        remarks.contains("teams have a different rank in the file"),
        "{remarks}"
    );
    assert!(
        remarks.contains("team 4 Team 4: 1.0 match points"),
        "{remarks}"
    );
    let event = folded(&read.draft);
    assert_eq!(places(&event), [(1, 3), (2, 1), (3, 4), (4, 2)]);
    let fourth = event.standings(None).rows[2].clone();
    assert_eq!(fourth.score, Points::ONE);
    exports_unchanged(&text);
    let written = export(&event, Edition::Trf26).text;
    let columns = |line: &String| line[46..71].to_owned();
    let teams = |text: &str| lines(text, "310").iter().map(columns).collect::<Vec<_>>();
    assert_eq!(teams(&written), teams(&text));
}
