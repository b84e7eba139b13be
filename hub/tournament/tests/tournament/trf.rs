//! Tournament reports (TRF): import, export, and exports that equal the imported file byte for byte.

use expect_test::{Expect, expect};
use tournament::formats::trf::value::Letter;
use tournament::formats::trf::{Edition, Read, Report, read, write};
use tournament::{Bye, Points, Side};

use crate::said;

pub(crate) const HARBOUR_CUP: &[u8] = include_bytes!("../../../../tests/samples/harbour-cup.trf");
pub(crate) const TEAM_CUP: &[u8] = include_bytes!("../../../../tests/samples/team-cup.trf");
pub(crate) const EXTENDED_OPEN: &[u8] =
    include_bytes!("../../../../tests/samples/extended-open.trf");

pub(crate) fn harbour_cup() -> String {
    String::from_utf8(HARBOUR_CUP.to_vec())
        .unwrap()
        .replace('\r', "")
}

#[track_caller]
fn good(bytes: &[u8]) -> Read {
    read(bytes).unwrap_or_else(|faults| panic!("{faults}"))
}

#[track_caller]
fn faults(text: &str, expected: Expect) {
    expected.assert_eq(&read(text.as_bytes()).unwrap_err().to_string());
}

#[track_caller]
fn with(from: &str, to: &str) -> String {
    let text = harbour_cup();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn samples_round_trip_byte_for_byte() {
    for bytes in [HARBOUR_CUP, TEAM_CUP] {
        let read = good(bytes);
        let written = write(&read.report, Edition::Trf26);
        assert_eq!(written.lost, []);
        assert_eq!(written.text, String::from_utf8_lossy(bytes));
        assert_eq!(read.remarks, []);
    }
}

#[test]
fn written_reports_read_back_unchanged() {
    for bytes in [HARBOUR_CUP, TEAM_CUP, EXTENDED_OPEN] {
        let report = good(bytes).report;
        let text = write(&report, Edition::Trf26).text;
        assert_eq!(good(text.as_bytes()).report, report);
    }
}

#[test]
fn the_harbour_cup_is_read() {
    let report = good(HARBOUR_CUP).report;
    assert_eq!(report.header.name.as_deref(), Some("Harbour Cup 2026"));
    assert_eq!(report.rounds(), Some(4));
    assert_eq!(report.rounds_reported(), 3);
    let second = report.player(2).unwrap();
    assert_eq!(
        (second.name.as_str(), second.rating),
        ("Bravo, Bea", Some(2400))
    );
    assert_eq!(second.points, Some(Points::from_hundredths(200)));
    assert_eq!(second.cells[0].opponent, Some(4));
    assert_eq!(second.cells[0].colour, Some(Side::Black));
    assert_eq!(second.cells[2].letter, Some(Letter::Bye(Bye::Half)));
    assert_eq!(report.header.time_control.as_deref(), Some("5400+30"));
    assert_eq!(report.edition(), Edition::Trf26);
}

#[test]
fn any_line_end_byte_order_mark_and_encoding_is_read() {
    let report = good(HARBOUR_CUP).report;
    let text = harbour_cup();
    for end in ["\r", "\n", "\r\n", "\n\n"] {
        let same = good(text.replace('\n', end).as_bytes()).report;
        assert_eq!(same.players, report.players, "{end:?}");
        assert_eq!(same.header, report.header, "{end:?}");
    }
    let marked = [b"\xef\xbb\xbf", HARBOUR_CUP].concat();
    assert_eq!(good(&marked).report, report);
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(good(&wide).report, report);
    let latin: Vec<u8> = text
        .replace("Bergen", "Bodø")
        .chars()
        .map(|char| u8::try_from(u32::from(char)).unwrap())
        .collect();
    let read = good(&latin);
    assert_eq!(read.report.header.city.as_deref(), Some("Bodø"));
}

#[test]
fn columns_counted_in_bytes_are_read_with_a_remark() {
    // Each ø takes two bytes, so a program that counts columns in bytes pads the name with two fewer spaces.
    let text = with("Bravo, Bea  ", "Brøvø, Bea");
    let read = good(text.as_bytes());
    assert_eq!(read.report.player(2).unwrap().name, "Brøvø, Bea");
    assert_eq!(read.report.player(2).unwrap().rating, Some(2400));
    assert_eq!(read.remarks.len(), 1);
}

#[test]
fn a_team_report_is_read() {
    let report = good(TEAM_CUP).report;
    assert_eq!(report.teams.len(), 4);
    let finland = &report.teams[3];
    assert_eq!((finland.name.as_str(), finland.rank), ("Finland", Some(3)));
    assert_eq!(finland.players, [7, 8, 9]);
    assert_eq!(report.old_teams[3].players, [7, 8, 9]);
    assert_eq!(report.rules.orders[0].players, [Some(9), None]);
    let byes = report.rules.team_byes.clone().unwrap();
    assert_eq!(byes.teams, [None, None, Some(3)]);
    assert_eq!(report.rules.forfeited[0].winner, Some(Side::Black));
    assert_eq!(
        report.rules.abnormal[0].points,
        Some(Points::from_hundredths(-50))
    );
    assert_eq!(report.rules.prohibited[0].participants, [1, 4, 3]);
    assert_eq!(report.rules.accelerations[1].participants, (3, 4));
    assert_eq!(report.national[1].player.rating, Some(2410));
    assert_eq!(report.header.round_dates[2], None);
    let third = report.player(3).unwrap().cells[1];
    assert_eq!(
        (third.opponent, third.letter),
        (None, Some(Letter::ForfeitWin))
    );
}

#[test]
fn the_extensions_of_pairing_programs_are_read() {
    let report = good(EXTENDED_OPEN).report;
    assert_eq!(report.rounds(), Some(7));
    let extensions = &report.extensions;
    assert_eq!(extensions.initial_colour, Some(Side::Black));
    assert!(extensions.by_rank);
    assert_eq!(extensions.prohibited, [vec![1, 2, 3]]);
    assert_eq!(extensions.absent, [6]);
    let first = (
        1,
        vec![
            Some(Points::from_hundredths(100)),
            Some(Points::from_hundredths(100)),
            Some(Points::from_hundredths(50)),
        ],
    );
    assert_eq!(extensions.accelerations[0], first);
    assert_eq!(
        extensions.points[2],
        ("PAB".to_owned(), Points::from_hundredths(100))
    );
    let bbp: Vec<(char, Points)> = extensions.bbp_points.clone().into_iter().collect();
    assert_eq!(
        bbp,
        [
            ('D', Points::from_hundredths(100)),
            ('W', Points::from_hundredths(300))
        ]
    );
    let titles: Vec<&str> = report
        .players
        .iter()
        .map(|player| player.title.as_str())
        .collect();
    assert_eq!(titles, ["GM", "", "WFM", "", "", ""]);
    let paired = report.player(1).unwrap().cells[0];
    assert_eq!((paired.opponent, paired.letter), (Some(4), None));
}

#[test]
fn lines_of_other_programs_keep_their_places() {
    let mut report = good(TEAM_CUP).report;
    report.header.city = None;
    report.players.pop();
    let text = write(&report, Edition::Trf26).text;
    let line = |wanted: &str| {
        let found = text.lines().position(|line| line.starts_with(wanted));
        found.unwrap_or_else(|| panic!("{wanted} in\n{text}"))
    };
    assert_eq!(line("###"), 0);
    assert_eq!(line("992"), line("362") + 1);
    assert_eq!(line("132"), line("992") + 1);
    assert_eq!(line("NOR    1"), line("001    8") + 2);
    assert_eq!(line("802"), line("330") + 1);
}

#[test]
fn trf16_lists_what_it_cannot_express() {
    let report = good(HARBOUR_CUP).report;
    let written = write(&report, Edition::Trf16);
    let older: Vec<&str> = written
        .text
        .lines()
        .filter(|line| line.starts_with("XX"))
        .collect();
    assert_eq!(older, ["XXR 4", "XXC white1", "XXS W=1.0 D=0.5"]);
    let named = expect![[r#"
        record 182, not part of TRF16: written as a comment that only Flagfall reads
        record 192, not part of TRF16: written as a comment that only Flagfall reads
        record 202, not part of TRF16: written as a comment that only Flagfall reads
        record 222, not part of TRF16: written as a comment that only Flagfall reads"#]];
    named.assert_eq(&said(&written.lost).join("\n"));
    let again: Report = good(written.text.as_bytes()).report;
    assert_eq!(again.players, report.players);
    assert_eq!(again.rounds(), report.rounds());
    assert_eq!(again.header.tie_breaks, report.header.tie_breaks);
    // A program that skips comments must find only data that TRF16 allows.
    let comment = |line: &&str| line.starts_with("###");
    let plain: Vec<&str> = written.text.lines().filter(|line| !comment(line)).collect();
    let plain = good(plain.join("\n").as_bytes()).report;
    assert_eq!(plain.players, report.players);
    assert_eq!(plain.edition(), Edition::Trf16);
}

#[test]
fn a_fault_names_line_column_and_expectation() {
    faults(
        &with("2400 SWE", "24x0 SWE"),
        expect!["line 20, column 49: expected a rating from 0 to 9999, found `24x0`"],
    );
    faults(
        &with("162  W 1.0    D 0.5", "162  W 1.0    D   x"),
        expect!["line 14, column 19: expected points, for example 0.5, found `x`"],
    );
    faults(
        &with("     3 w 1     2 b =", "     3 w X     2 b ="),
        expect![
            "line 19, column 99: expected one of 1, =, 0, +, -, W, D, L, H, F, U, Z, found `X`"
        ],
    );
    faults(
        &with("001    5 m    Echo", "0 1    5 m    Echo"),
        expect![
            "line 23, column 1: expected a record's tag, for example 001 or XXR, and a space, found `0 1    5 m    Echo, Eve                 …`"
        ],
    );
}

#[test]
fn contradicting_lines_are_named_together() {
    faults(
        &with("     2 w 0  0000 - U", "     2 w +  0000 - U"),
        expect![[r#"
            line 20, column 99: expected a result that matches player 4's in round 1, found `1` against `+` (line 22)
            line 22, column 99: expected a result that matches player 2's in round 1, found `+` against `1` (line 20)"#]],
    );
}

#[test]
fn a_truncated_file_is_refused() {
    let text = harbour_cup();
    let short = text.lines().take(22).collect::<Vec<_>>().join("\n");
    faults(
        &short,
        expect![[r#"
            line 6, column 5: expected the number of players in the file, 4, found 5
            line 21, column 102: expected an opponent in round 2 who is in the file, found 5
            line 21, column 112: expected an opponent in round 3 who is in the file, found 5"#]],
    );
    faults(
        "",
        expect![
            "line 1, column 1: expected at least one player (record 001), found none in the whole file"
        ],
    );
    faults(
        "012 Cup\n",
        expect![
            "line 1, column 1: expected at least one player (record 001), found none in the whole file"
        ],
    );
}

#[test]
fn oddities_are_read_with_remarks() {
    let text = with("  2.5    1     3 w 1", "  3.5    1     3 w 1");
    let read = good(text.as_bytes());
    let remarks = expect![
        "line 19, column 81: player 1 has 3.5 points in the file, but the results add up to 2.5"
    ];
    remarks.assert_eq(&said(&read.remarks).join("\n"));
}

#[test]
fn overlong_lines_are_refused() {
    let cells = "  0000 - Z".repeat(70_000);
    let text = format!("001    1      Alpha{}{cells}\n", " ".repeat(70));
    let faults = read(text.as_bytes()).unwrap_err();
    let words = "column 2092: expected the end of the line, since an event has at most 200 rounds";
    assert!(faults.to_string().contains(words), "{faults}");
    let numbers = "    1".repeat(70_000);
    for tag in [
        "300   1   1   2 ",
        "310   1 Team",
        "013 Team",
        "320",
        "XXA    1 ",
        "352 W",
    ] {
        let text = format!("{}{tag}{numbers}\n", harbour_cup());
        assert!(read(text.as_bytes()).is_err(), "{tag}");
    }
}
