//! Unusual files, such as real programs write them: imported with remarks on their peculiarities, and exported without losing data. Damaged lines are
//! refused.

use expect_test::{Expect, expect};
use tournament::formats::difference::Counts;
use tournament::formats::draft::{Draft, Totals, export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, GameResult, Outcome, PlayerNo, RoundNo, TeamNo, TieBreak,
    Tournament,
};

use crate::files::{folded, imported};
use crate::said;
use crate::trf::harbour_cup;

/// Returns a player's line. Each cell has eight columns and follows two spaces.
pub(crate) fn player(no: u32, points: &str, rank: u32, cells: &[&str]) -> String {
    let cells = cells.join("  ");
    let name = format!("Player, No {no}");
    let line = format!(
        "001 {no:>4} m    {name:<33} 2000 NOR {:>11} {:<10} {points:>4} {rank:>4}  {cells}",
        "", ""
    );
    line.trim_end().to_owned()
}

pub(crate) fn lines(text: &str, tag: &str) -> Vec<String> {
    let found = text.lines().filter(|line| line.starts_with(tag));
    found.map(|line| line.trim_end().to_owned()).collect()
}

#[track_caller]
fn round_trip(text: &str) -> Tournament {
    let event = folded(&imported(text.as_bytes()).draft);
    let known = Draft::of(&event);
    for edition in [Edition::Trf26, Edition::Trf16] {
        let written = export(&event, edition).text;
        let again = imported(written.as_bytes()).draft;
        assert_eq!(again.rounds, known.rounds, "{written}");
        assert_eq!(again.players, known.players, "{written}");
        assert_eq!(again.teams, known.teams, "{written}");
        let after = folded(&again);
        assert_eq!(Totals::of(&after), Totals::of(&event), "{written}");
        assert_eq!(export(&after, edition).text, written);
        assert_eq!(lines(&written, "001"), lines(text, "001"), "{written}");
    }
    event
}

#[track_caller]
fn assert_remarks(from: &str, to: &str, expected: Expect) {
    let text = harbour_cup();
    assert!(text.contains(from), "{from}");
    let text = text.replacen(from, to, 1);
    let read = import_file(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
    expected.assert_eq(&said(&read.remarks).join("\n"));
    assert_eq!(read.draft.players.len(), 5);
    assert_eq!(read.draft.rounds.len(), 3);
    let written = export(&folded(&read.draft), Edition::Trf26).text;
    let again = imported(written.as_bytes());
    assert_eq!(again.draft, Draft::of(&folded(&read.draft)), "{written}");
}

#[test]
fn dates_are_read_in_the_forms_of_other_programs() {
    assert_remarks(
        "042 2026/11/20",
        "042 Nov 20, 2026",
        expect!["line 4, column 5: `Nov 20, 2026` is read as 2026/11/20"],
    );
    assert_remarks(
        "042 2026/11/20",
        "042 20/11/2026",
        expect!["line 4, column 5: `20/11/2026` is read as 2026/11/20"],
    );
    assert_remarks(
        "042 2026/11/20",
        "042 26/11/20",
        expect!["line 4, column 5: `26/11/20` is read as 2026/11/20"],
    );
    assert_remarks(
        "042 2026/11/20",
        "042 next Friday",
        expect![
            "line 4, column 5: `next Friday` is not a date in the form 2026/11/20 and is left out"
        ],
    );
    assert_remarks(
        "1990/01/01  2.5",
        "01-01-1990  2.5",
        expect!["line 19, column 70: `01-01-1990` is read as 1990/01/01"],
    );
    assert_remarks(
        "052 2026/11/21",
        "052 2026/11/19",
        expect!["line 5, column 5: the event ends on 2026/11/19, before its start on 2026/11/20"],
    );
}

#[test]
fn lines_that_are_not_records_are_kept() {
    let ruler = "         1         2         3\n12345678901234567890\n0123456789012345\nDDD SSSS sTTT NNNN\n001    1";
    assert_remarks("001    1", ruler, expect![""]);
    assert_remarks("012", "# written by hand\n#\n012", expect![""]);
    assert_remarks(
        "012",
        "Standings after round 3\n012",
        expect![
            "line 1, column 1: `Standings after round 3` is not a record; exports keep the line unchanged"
        ],
    );
    let text = harbour_cup().replacen("001    1", ruler, 1);
    let written = export(&folded(&imported(text.as_bytes()).draft), Edition::Trf26).text;
    assert_eq!(written.replace('\r', ""), text);
}

#[test]
fn damaged_lines_are_not_taken_for_free_text() {
    for (from, to) in [
        ("001    1 m GM", " 001    1 m GM"),
        ("001    1 m GM", "0 1    1 m GM"),
        ("162  W", "\t162  W"),
        ("162  W", "162W"),
    ] {
        let text = harbour_cup().replacen(from, to, 1);
        assert!(import_file(text.as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn a_title_one_column_to_the_right_is_read() {
    let line = player(1, "0.0", 1, &[]);
    let shifted = |title: &str| {
        let line = format!("{}  {title} {}{}", &line[..10], &line[14..46], &line[47..]);
        import_file(format!("012 Club\r\n{line}").as_bytes())
    };
    let read = shifted("gm").unwrap_or_else(|faults| panic!("{faults}"));
    let known = &read.draft.players[&PlayerNo(1)];
    assert_eq!(
        (known.title.as_str(), known.name.as_str()),
        ("GM", "Player, No 1")
    );
    assert!(shifted("no").is_err());
}

#[test]
fn unreadable_optional_records_do_not_prevent_an_import() {
    assert_remarks("152 W", "152 W\n172 FIDON", expect![""]);
    assert_remarks(
        "152 W",
        "152 W\n172 A B C",
        expect![
            "record 172 cannot be read and is left out: line 14, column 5: expected a federation's code and a ranking method, for example NOR FIDON, found `A B C`"
        ],
    );
    assert_remarks(
        "222 5400+30",
        "222 90 minutes",
        expect![
            "record 222 cannot be read and is left out: line 18, column 7: expected a number of seconds, found ` minutes`"
        ],
    );
    assert_remarks("152 W", "152 W\n299 H  1.0   0.5", expect![""]);
    assert_remarks(
        "152 W",
        "152 W\n250  2.5   1    1",
        expect![
            "record 250 cannot be read; exports keep it unchanged: line 14, column 19: expected a round from 1 to 200, found nothing"
        ],
    );
    assert_remarks(
        "152 W",
        "152 W\n152 W",
        expect!["line 14, column 1: record 152 is repeated and counts only once"],
    );
    assert_remarks(
        "142 4",
        "142 2",
        expect![
            "line 12, column 5: the file gives the number of rounds as 2, but the players' lines have 3; the lines take precedence"
        ],
    );
    assert_remarks(
        "062 5",
        "062 4",
        expect!["line 6, column 5: the file gives the number of players as 4 but lists 5"],
    );
}

#[test]
fn round_dates_outside_their_columns_are_taken_in_order() {
    let columns = format!("132{}26/11/20  26/11/20  26/11/21", " ".repeat(88));
    assert_remarks(
        &columns,
        "132 26/11/20 20.11.2026 2026/11/21",
        expect![
            "line 11, column 5: `26/11/20` is not in a date column: the dates on this line are assigned in order, starting with round 1"
        ],
    );
    let three = "132 2026/11/20\n132 2026/11/20\n132 2026/11/21";
    let text = harbour_cup().replacen(&columns, three, 1);
    let (one, other) = (
        imported(text.as_bytes()).draft,
        imported(harbour_cup().as_bytes()).draft,
    );
    assert_eq!(one.event.round_dates, other.event.round_dates);
    assert_remarks(
        &columns,
        "132 first week",
        expect![
            "record 132 cannot be read and is left out: line 11, column 5: expected a date, for example 26/11/20, found `first`"
        ],
    );
}

#[test]
fn players_lines_of_older_programs_are_read() {
    assert_remarks(
        "0000 - H",
        "0000 - =",
        expect!["line 20, column 119: `=` without an opponent counts as a half-point bye, H"],
    );
    assert_remarks(
        "0000 - H",
        "0000 b H",
        expect!["line 20, column 117: `b` is left out because there is no opponent"],
    );
    assert_remarks("0000 - U", "       U", expect![""]);
    assert_remarks(
        "2500 NOR ",
        "2500 ??? ",
        expect!["line 19, column 54: `???` is not a federation code and is left out"],
    );
    assert_remarks(
        "     3 w 1     2 b =     4 w 1",
        "     3 w 1     2 b =     4 w 1     # withdrawn",
        expect!["line 19, column 125: `# withdrawn` is treated as a comment and left out"],
    );
}

fn forfeits() -> String {
    [
        "012 Forfeits".to_owned(),
        "142 3".to_owned(),
        "192 FIDE_DUTCH_2025".to_owned(),
        "092 Swiss".to_owned(),
        player(1, "2.0", 1, &["   2 - +", "   3 w 1"]),
        player(2, "0.0", 5, &["   1 - -", "0000 - -"]),
        player(3, "1.0", 3, &["   4 b 1", "   1 b 0"]),
        player(4, "1.0", 3, &["   3 w 0", "0000 - +"]),
        player(5, "0.0", 5, &["   6 - -", "   6 w -"]),
        player(6, "1.0", 3, &["   5 - -", "   5 b +"]),
    ]
    .join("\n")
}

#[test]
fn forfeits_are_exported_with_the_colours_and_opponents_of_the_file() {
    let text = forfeits().replace("    3  ", "    2  ");
    let mut event = round_trip(&text);
    assert_eq!(event.rounds()[&RoundNo(2)].byes[&PlayerNo(4)], Bye::Full);
    let boards = &event.rounds()[&RoundNo(1)].boards;
    let (board, _) = boards
        .iter()
        .find(|(_, board)| board.white == Some(PlayerNo(1)))
        .unwrap();
    let board: BoardNo = *board;
    // A game that is played after all is exported with colours.
    let played = GameResult::played(Outcome::Draw);
    let change = Change::Enter(RoundNo(1), board, played, "played late".to_owned());
    event.apply(&Actor::chief("Doe"), change).unwrap();
    let written = export(&event, Edition::Trf26).text;
    let first = &lines(&written, "001")[0];
    assert!(first.contains("     2 w =     3 w 1"), "{first}");
}

#[test]
fn ranks_that_do_not_follow_from_points_get_a_remark() {
    let remarks = said(&imported(forfeits().as_bytes()).remarks);
    expect![[r#"
        round 2: forfeits without an opponent count as full-point byes (line 8)
        round 2: forfeits without an opponent count as zero-point byes (line 6)
        3 of 6 players have a different rank in the file; the first is number 3: 3 in the file, 2 here; the file lists no tie-breaks (202, 212): participants on equal points share a rank here; the file's numbers apply until a pairing, a result or the list of tie-breaks changes"#]]
    .assert_eq(&remarks.join("\n"));
    let listed = forfeits().replace("142 3", "142 3\n202 BH");
    let remarks = said(&imported(listed.as_bytes()).remarks).join("\n");
    assert!(
        remarks.contains("the file's tie-breaks apply here: BH"),
        "{remarks}"
    );
}

/// Returns a report with four teams of two players and a reserve. It has a completely forfeited match, a board won without an opponent, and a bye.
fn team_forfeits(third_game_points: &str) -> String {
    let team = |no: u32, name: &str, matches: &str, games: &str, rank: u32, players: [u32; 3]| {
        let [one, two, three] = players;
        format!(
            "310 {no:>3} {name:<32} {:<5} {:>6} {matches:>6} {games:>6} {rank:>3}  {one:>4} {two:>4} {three:>4}",
            "", "2000"
        )
    };
    [
        "012 Team forfeits".to_owned(),
        "092 Team".to_owned(),
        "142 2".to_owned(),
        "192 FIDE_TEAM_MP_GP".to_owned(),
        "362 TW 3.0   TD 1.0   TL 0.0".to_owned(),
        player(1, "2.0", 1, &["0000 - +", "   4 w 1"]),
        player(2, "1.5", 4, &["0000 - +", "   5 b ="]),
        player(3, "0.0", 8, &["0000 - -", "0000 - Z"]),
        player(4, "0.0", 8, &["0000 - -", "   1 b 0"]),
        player(5, "0.5", 7, &["0000 - -", "   2 w ="]),
        player(6, "0.0", 8, &["0000 - -", "0000 - -"]),
        player(7, "2.0", 1, &["  10 w 1", "0000 - U"]),
        player(8, "2.0", 1, &["0000 - +", "0000 - U"]),
        player(9, "1.0", 5, &["0000 - Z", "0000 - U"]),
        player(10, "0.0", 8, &["   7 b 0"]),
        player(11, "0.0", 8, &["0000 - -"]),
        player(12, "1.0", 5, &["0000 - Z", "0000 - +"]),
        team(1, "Ash", "6.0", "3.5", 1, [1, 2, 3]),
        team(2, "Birch", "0.0", "0.5", 3, [4, 5, 6]),
        team(3, "Cedar", "6.0", third_game_points, 1, [7, 8, 9]),
        team(4, "Dogwood", "0.0", "0.0", 3, [10, 11, 12]),
        "320  3.0  2.0 000 003".to_owned(),
        "330 +-   1   1   2".to_owned(),
    ]
    .join("\n")
}

#[test]
fn forfeits_of_team_players_stay_in_their_lines_and_their_points() {
    let text = team_forfeits("4.0");
    let event = round_trip(&text);
    let totals = Totals::of(&event);
    let points: Vec<String> = totals
        .teams
        .values()
        .map(|(matches, games, rank)| format!("{matches} {games} {rank}"))
        .collect();
    assert_eq!(points, ["6.0 3.5 1", "0.0 0.5 3", "6.0 4.0 1", "0.0 0.0 3"]);
    let remarks = said(&imported(text.as_bytes()).remarks);
    expect![
        "round 2: team 4 has no match, so forfeit wins count only in the players' own scores: 12"
    ]
    .assert_eq(&remarks.join("\n"));
}

#[test]
fn what_trf16_cannot_hold_is_named_and_comes_back_from_comments() {
    let event = folded(&imported(team_forfeits("4.0").as_bytes()).draft);
    let written = export(&event, Edition::Trf16);
    let lost = said(&written.lost);
    let tags: Vec<&str> = lost
        .iter()
        .filter_map(|lost| lost.strip_prefix("record ")?.get(..3))
        .collect();
    assert_eq!(tags, ["192", "362", "310", "300", "320", "330"]);
    let damaged = written.text.replace("record 320  3.0", "record 320  x.0");
    let read = imported(damaged.as_bytes());
    let remark = "a record in a comment cannot be read and is left out: line ";
    assert!(
        said(&read.remarks)
            .iter()
            .any(|said| said.starts_with(remark)),
        "{:?}",
        said(&read.remarks)
    );
    // Flagfall's own comments do not override teams that a different program has changed since.
    let mut changed: Vec<String> = written.text.lines().map(str::to_owned).collect();
    let dogwood = changed
        .iter_mut()
        .find(|line| line.starts_with("013 Dogwood"))
        .unwrap();
    dogwood.truncate(dogwood.len() - 5);
    let read = imported(changed.join("\n").as_bytes());
    let remark = "the team comments are left out because the 013 records list different teams";
    assert!(
        said(&read.remarks)
            .iter()
            .any(|said| said.ends_with(remark)),
        "{:?}",
        said(&read.remarks)
    );
    let last = read.draft.teams.values().next_back().unwrap();
    assert_eq!(last.players, [PlayerNo(10), PlayerNo(11)]);
}

#[test]
fn points_of_teams_that_do_not_follow_from_their_boards_get_a_remark() {
    let remarks = said(&imported(team_forfeits("5.5").as_bytes()).remarks);
    let of_team: Vec<String> = remarks
        .into_iter()
        .filter(|remark| remark.starts_with("team "))
        .collect();
    assert_eq!(
        of_team,
        [
            "team 3 Cedar: 6.0 match points and 5.5 game points in the file, but its boards, forfeited matches and byes give 6.0 match points and 4.0 game points"
        ]
    );
}

#[test]
fn a_substitute_named_only_in_record_300_joins_the_team() {
    let text = team_forfeits("4.0")
        .replace("   10   11   12", "   10   11")
        .replace("330 +-", "300   1   4   3   10   12\n330 +-");
    let read = imported(text.as_bytes());
    let remark = "player 12 is not listed in any team but plays for team 4 in round 1 (300); the player will be added to that team";
    assert!(
        said(&read.remarks).iter().any(|said| said == remark),
        "{:?}",
        said(&read.remarks)
    );
    let last = read.draft.teams.values().next_back().unwrap();
    assert_eq!(last.players, [10, 11, 12].map(PlayerNo));
}

/// Some programs write no record 320: a team's bye then appears only in the lines of its players.
#[test]
fn a_teams_bye_follows_from_its_players_lines() {
    let team = |no: u32, matches: &str, games: &str, rank: u32, one: u32| {
        let name = format!("Team {no}");
        let two = one + 1;
        format!(
            "310 {no:>3} {name:<32} {:<5}   2000 {matches:>6} {games:>6} {rank:>3}  {one:>4} {two:>4}",
            ""
        )
    };
    let text = [
        "012 Three teams".to_owned(),
        "142 1".to_owned(),
        "192 FIDE_TEAM_MP_GP".to_owned(),
        player(1, "1.0", 1, &["   3 w 1"]),
        player(2, "0.5", 4, &["   4 b ="]),
        player(3, "0.0", 6, &["   1 b 0"]),
        player(4, "0.5", 4, &["   2 w ="]),
        player(5, "1.0", 1, &["0000 - U"]),
        player(6, "1.0", 1, &["0000 - U"]),
        team(1, "2.0", "1.5", 1, 1),
        team(2, "0.0", "0.5", 3, 3),
        team(3, "1.0", "2.0", 2, 5),
    ]
    .join("\n");
    let read = imported(text.as_bytes());
    let remarks = said(&read.remarks).join("\n");
    assert!(!remarks.contains("team 3"), "{remarks}");
    let bye = &read.draft.rounds[&RoundNo(1)].team_byes;
    assert_eq!(bye.get(&TeamNo(3)), Some(&Bye::PairingAllocated));
    let event = round_trip(&text);
    assert_eq!(Counts::of_event(&event).byes, 1);
    let written = export(&event, Edition::Trf26).text;
    assert_eq!(lines(&written, "320"), ["320  1.0  2.0 003"]);
    assert_eq!(lines(&written, "310"), lines(&text, "310"));
}

/// A team's bye in record 240 or 320 that contradicts another bye or a match in the round is left out, but must not disappear silently.
#[test]
fn byes_of_teams_that_contradict_the_file_are_named() {
    let team = |no: u32, points: &str, one: u32| {
        let name = format!("Team {no}");
        format!(
            "310 {no:>3} {name:<32} {:<5}   2000 {points:>6}    1.0   1  {one:>4}",
            ""
        )
    };
    let text = [
        "012 Three teams".to_owned(),
        "142 3".to_owned(),
        "192 FIDE_TEAM_MP_GP".to_owned(),
        player(1, "1.0", 1, &["   2 w 1"]),
        player(2, "0.0", 3, &["   1 b 0"]),
        player(3, "0.0", 2, &["0000 - -"]),
        team(1, "2.0", 1),
        team(2, "0.0", 2),
        team(3, "1.0", 3),
        "240 H   1    3".to_owned(),
        "240 F   1    1    2".to_owned(),
        "240 Z   2    3".to_owned(),
        "320  1.0  0.5 003".to_owned(),
    ]
    .join("\n");
    let read = imported(text.as_bytes());
    let remarks = said(&read.remarks);
    let byes: Vec<&str> = remarks
        .iter()
        .filter(|remark| remark.contains("is left out"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        byes,
        [
            "line 10, column 11: the half-point bye of team 3 in round 1 is left out: the file also has a different bye: pairing-allocated bye",
            "line 11, column 11: the full-point bye of team 1 in round 1 is left out: the file also has a game or a match in that round",
            "line 11, column 16: the full-point bye of team 2 in round 1 is left out: the file also has a game or a match in that round",
        ]
    );
    let written = export(&folded(&read.draft), Edition::Trf26).text;
    assert_eq!(lines(&written, "240"), ["240 Z   2    3"]);
    assert_eq!(lines(&written, "320"), ["320  1.0  0.5 003"]);
    let text = text.replace("320  1.0  0.5 003", "320  1.0  0.5 002");
    let remarks = said(&imported(text.as_bytes()).remarks);
    let named = "line 13, column 15: the pairing-allocated bye of team 2 in round 1 is left out: the file also has a game or a match in that round";
    assert!(remarks.iter().any(|remark| remark == named), "{remarks:?}");
}

/// FIDE's checker takes a bye in a played round from record 240 if the player's line has none.
#[test]
fn byes_of_players_are_kept_or_named() {
    let text = [
        "012 Open".to_owned(),
        "142 4".to_owned(),
        player(1, "2.0", 1, &["   2 w 1", "   3 b 1"]),
        player(2, "0.0", 4, &["   1 b 0", "   4 w 0"]),
        player(3, "0.5", 3, &["        ", "   1 w 0"]),
        player(4, "1.5", 2, &["0000 - H", "   2 b 1"]),
        "240 H   1    3    4".to_owned(),
        "240 Z   1    1".to_owned(),
        "240 F   1    3    4".to_owned(),
        "240 Z   3    2    3".to_owned(),
        "240 H   3    3".to_owned(),
        "240 H   5    2".to_owned(),
    ]
    .join("\n");
    let read = imported(text.as_bytes());
    let remarks = said(&read.remarks).join("\n");
    expect![[r#"
        line 8, column 11: the zero-point bye of player 1 in round 1 is left out: the file also has a game or a match in that round
        line 9, column 11: the full-point bye of player 3 in round 1 is left out: the file also has a different bye: half-point bye
        line 9, column 16: the full-point bye of player 4 in round 1 is left out: the file also has a different bye: half-point bye
        line 11, column 11: the half-point bye of player 3 in round 3 is left out: the file also has a different bye: zero-point bye
        line 12, column 11: the half-point bye of player 2 in round 5 is left out: the event has only 4 rounds"#]]
    .assert_eq(&remarks);
    let event = folded(&read.draft);
    let written = export(&event, Edition::Trf26).text;
    assert_eq!(lines(&written, "240"), ["240 Z   3    2    3"]);
    let again = folded(&imported(written.as_bytes()).draft);
    for event in [&event, &again] {
        let byes = &event.rounds()[&RoundNo(1)].byes;
        assert_eq!(byes.get(&PlayerNo(3)), Some(&Bye::Half));
    }
    let granted = |no: u16| {
        event.players()[&PlayerNo(no)]
            .byes
            .get(&RoundNo(3))
            .copied()
    };
    assert_eq!([2, 3].map(granted), [Some(Bye::Zero); 2]);
    let points = Totals::of(&event).players[&PlayerNo(3)].0;
    assert_eq!(points.to_string(), "0.5");
}

/// No order of the boards agrees with the order of the players in both teams. The boards are numbered from 1 without gaps.
#[test]
fn boards_of_a_match_have_no_gaps() {
    let text = [
        "012 League".to_owned(),
        "092 Team League".to_owned(),
        "142 1".to_owned(),
        format!("013 {:<32}   1    2    3", "Ash"),
        format!("013 {:<32}   4    5    6", "Birch"),
        player(1, "1.0", 1, &["   5 b 1"]),
        player(2, "0.0", 4, &["   6 b 0"]),
        player(3, "0.5", 3, &["   4 w ="]),
        player(4, "0.5", 3, &["   3 b ="]),
        player(5, "0.0", 4, &["   1 w 0"]),
        player(6, "1.0", 1, &["   2 w 1"]),
    ]
    .join("\n");
    let event = round_trip(&text);
    let round = &event.rounds()[&RoundNo(1)];
    let seats = round.boards.values().map(|board| {
        let place = board.of_match.map(|(_, place)| place);
        (place, board.white.map(|player| player.0))
    });
    let seats: Vec<_> = seats.collect();
    assert_eq!(
        seats,
        [(Some(1), Some(5)), (Some(2), Some(3)), (Some(3), Some(6))]
    );
    let list = ["MPTS", "BC"].map(|code| TieBreak::parse(code).unwrap());
    let standings = event
        .with_tie_breaks(list.to_vec())
        .unwrap()
        .standings(None);
    let counts = standings.rows.iter().map(|row| {
        let count = row.values[1].map(|count| count.to_string());
        (row.who.number(), count.unwrap_or_default())
    });
    let counts: Vec<(u16, String)> = counts.collect();
    assert_eq!(counts, [(1, "2".to_owned()), (2, "4".to_owned())]);
}
