//! Tables of pairings, standings and players: import and export, the position of each error, and tables in a watched folder.

use std::sync::Arc;

use expect_test::{Expect, expect};
use timing::Side;
use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, import_file};
use tournament::formats::table::{self, entries, pairings, standings};
use tournament::formats::watch::{FileStatus, Watch};
use tournament::{Actor, BoardNo, Bye, Event, GameResult, PlayerNo, RoundNo, Tournament};

use crate::said;
use crate::trf::{HARBOUR_CUP, TEAM_CUP, harbour_cup};

fn draft(bytes: &[u8]) -> Draft {
    import_file(bytes).unwrap().draft
}

fn harbour() -> Draft {
    draft(HARBOUR_CUP)
}

#[track_caller]
fn faults(text: &str, expected: Expect) {
    let faults = pairings::read(text.as_bytes(), &harbour(), RoundNo(4)).unwrap_err();
    expected.assert_eq(&faults.to_string());
}

#[test]
fn headings_are_found_in_any_order_with_any_separator() {
    let tables = [
        "Board,White,Black,Result\n1,\"Echo, Eve\",\"Alpha, Anna\",\n2,\"Charlie, Cid\",\"Delta, Dan\",1-0\n,\"Bravo, Bea\",bye,U\n",
        "Schwarz;Ergebnis;Weiß;Brett\r\nAnna Alpha;;Eve Echo;1\r\nDelta Dan;1:0;Charlie Cid;2\r\nspielfrei;1;bravo  bea;\r\n",
        "White No.\tBlack No.\tTable\tRes.\tElo\r5\t1\t1\t*\t2500\r3\t4\t2\t1 - 0\t\r2\t0\t\t\t\r",
        "sep=;\nBd;White FIDE-ID;White;Black\n1;;5;1\n2;1500013;;Delta Dan\n;1500012;;BYE\n",
    ];
    for (index, text) in tables.iter().enumerate() {
        let table = pairings::read(text.as_bytes(), &harbour(), RoundNo(4))
            .unwrap_or_else(|faults| panic!("{text}\n{faults}"));
        let round = &table.rounds[&RoundNo(4)];
        let seats = |board: u16| {
            let seats = round.boards[&BoardNo(board)];
            (seats.white.unwrap().0, seats.black.unwrap().0)
        };
        assert_eq!((seats(1), seats(2)), ((5, 1), (3, 4)), "{text}");
        assert_eq!(round.byes[&PlayerNo(2)], Bye::PairingAllocated, "{text}");
        let won = round.boards[&BoardNo(2)].result.is_some();
        assert_eq!(won, index < 3, "{text}");
    }
}

#[test]
fn tables_round_trip() {
    for bytes in [HARBOUR_CUP, TEAM_CUP] {
        let known = draft(bytes);
        let rounds: Vec<RoundNo> = known.rounds.keys().copied().collect();
        let text = pairings::table(&known, &rounds);
        let mut read = pairings::read(text.as_bytes(), &known, RoundNo(1))
            .unwrap_or_else(|faults| panic!("{text}\n{faults}"));
        for round in read.rounds.values_mut() {
            let stated = std::mem::take(&mut round.numbered);
            assert!(stated.iter().eq(round.boards.keys()), "{text}");
        }
        assert_eq!(read.rounds, known.rounds, "{text}");
        assert_eq!(read.ignored, [""; 0]);
    }
}

#[test]
fn tables_quote_fields_only_where_needed() {
    let text = pairings::table(&harbour(), &[RoundNo(3)]);
    let expected = expect![[r#"
        Round,Board,White No,White,White FIDE ID,Black No,Black,Black FIDE ID,Result
        3,1,1,"Alpha, Anna",1500011,4,"Delta, Dan",1500014,1-0
        3,2,5,"Echo, Eve",,3,"Charlie, Cid",1500013,1-0
        3,,2,"Bravo, Bea",1500012,,bye,,H
    "#]];
    expected.assert_eq(&text.trim_start_matches('\u{feff}').replace('\r', ""));
    let row = vec!["say \"so\"".to_owned(), " x".to_owned(), String::new()];
    let text = table::write(&[row]);
    assert_eq!(text, "\u{feff}\"say \"\"so\"\"\",\" x\",\r\n");
}

#[test]
fn fields_that_a_spreadsheet_computes_are_written_as_text() {
    for (field, written) in [
        ("=HYPERLINK(1)", "\"'=HYPERLINK(1)\""),
        ("+49 30", "\"'+49 30\""),
        ("-5", "\"'-5\""),
        ("@SUM(A1)", "\"'@SUM(A1)\""),
        ("\tx", "\"'\tx\""),
        ("\rx", "\"'\rx\""),
        ("'=1", "\"''=1\""),
        ("''+1", "\"'''+1\""),
        ("'t Hart", "\"'t Hart\""),
        ("1-0", "1-0"),
        ("a=b", "a=b"),
        ("", ""),
    ] {
        let text = table::write(&[vec!["Name".to_owned(), field.to_owned()]]);
        let text = text.trim_start_matches('\u{feff}');
        assert_eq!(text, format!("Name,{written}\r\n"));
        let read = table::rows(text).unwrap();
        assert_eq!(read[0][1].text, field, "{text}");
    }
}

#[test]
fn a_fault_in_a_table_names_line_and_column() {
    faults(
        "Board,White,Black\n1,Echo Eve,Stranger Sam\n2,9,4\n",
        expect![[r#"
            line 2, column 12: expected the name of a player in the event, found `Stranger Sam`
            line 3, column 3: expected the number of a player in the event, found `9`"#]],
    );
    faults(
        "Board,White,Black\n1,5,1\n1,3,4\nx,2,\n",
        expect!["line 3, column 1: expected each board only once in round 4, found `1`"],
    );
    faults(
        "Board,White,Black,Result\n1,5,1,2-1\n2,3,4,9-0\n",
        expect![[r#"
            line 2, column 7: expected a result, for example 1-0, 1/2-1/2 or +:-, or an empty field, found `2-1`
            line 3, column 7: expected a result, for example 1-0, 1/2-1/2 or +:-, or an empty field, found `9-0`"#]],
    );
    faults(
        "Board,White,Black\n1,\"Echo, Eve,1\n2,3,4\n",
        expect![
            "line 2, column 3: expected a closing quote to match this one, found the end of the file"
        ],
    );
    faults(
        "Board,White\n1,5\n",
        expect![
            "line 1, column 1: expected a line of headings that includes Black, found `Board White`"
        ],
    );
    faults(
        "White,Black\n5,1\n1,3\n",
        expect![
            "line 3, column 1: expected each player only once in round 4, found player 1 again"
        ],
    );
    faults(
        "Round,White,Black\n5,5,1\n",
        expect!["line 2, column 1: expected a round from 1 to 4, found `5`"],
    );
    faults(
        "\n\n",
        expect![
            "line 1, column 1: expected a line of headings, for example Board, White, Black, found an empty file"
        ],
    );
    faults(
        "White,Black\n",
        expect!["line 2, column 1: expected a pairing, found the end of the file"],
    );
}

#[test]
fn a_table_of_the_next_round_is_a_difference() {
    let known = harbour();
    let text = "Board;White;Black\n1;5;1\n2;3;4\n;2;bye\n";
    let table = pairings::read(text.as_bytes(), &known, RoundNo(4)).unwrap();
    let found = difference(&known, &table.merged(&known), "round4.csv");
    let expected = expect![[r#"
        Round 4 is paired: 2 boards, 1 bye
          1: Echo, Eve – Alpha, Anna
          2: Charlie, Cid – Delta, Dan"#]];
    expected.assert_eq(&found.words());
}

#[test]
fn standings_are_exported_with_every_tie_break() {
    let mut tournament = Tournament::new(Event::new("x", 1));
    for change in harbour().changes("a file") {
        tournament.apply(&Actor::program("import"), change).unwrap();
    }
    let text = standings::table(&tournament, &tournament.standings(None));
    let expected = expect![[r#"
        Rank,No,Title,Name,Rating,Federation,Points,BH/C1,BH,SB,DE
        1,1,GM,"Alpha, Anna",2500,NOR,2.5,3,4,3,0
        2,2,IM,"Bravo, Bea",2400,SWE,2.0,3.5,5,3,0
        3,4,FM,"Delta, Dan",2200,FIN,1.0,4.5,5.5,1,0
        4,3,,"Charlie, Cid",2300,DEN,1.0,3.5,4.5,1,0
        5,5,,"Echo, Eve",,ISL,1.0,2,3,1,0
    "#]];
    expected.assert_eq(&text.trim_start_matches('\u{feff}').replace('\r', ""));
}

#[test]
fn a_watched_file_is_reported_once_when_it_has_settled() {
    let known = Arc::new(harbour());
    let mut watch = Watch::new();
    let file = harbour_cup();
    assert_eq!(
        watch.observe("notes.txt", b"x", &known),
        FileStatus::Unsupported
    );
    assert_eq!(
        watch.observe(".cup.trf", file.as_bytes(), &known),
        FileStatus::Unsupported
    );
    assert_eq!(
        watch.observe("cup.trf", &file.as_bytes()[..300], &known),
        FileStatus::Settling
    );
    assert_eq!(
        watch.observe("cup.trf", file.as_bytes(), &known),
        FileStatus::Settling
    );
    assert_eq!(
        watch.observe("cup.trf", file.as_bytes(), &known),
        FileStatus::UpToDate
    );
    assert_eq!(
        watch.observe("cup.trf", file.as_bytes(), &known),
        FileStatus::AlreadyReported
    );

    let table = b"White;Black\n5;1\n3;4\n2;bye\n";
    assert_eq!(watch.observe("r4.csv", table, &known), FileStatus::Settling);
    let FileStatus::News(news) = watch.observe("r4.csv", table, &known) else {
        panic!("the next round is news");
    };
    assert_eq!(news.difference.items.len(), 1);
    assert_eq!(
        watch.observe("r4.csv", table, &known),
        FileStatus::AlreadyReported
    );

    // The event changes while the arbiter decides. The same difference is not reported twice.
    let mut later = known.clone();
    Arc::make_mut(&mut later).event.city = "Oslo".to_owned();
    assert_eq!(
        watch.observe("r4.csv", table, &later),
        FileStatus::AlreadyReported
    );

    let broken = b"White;Black\n5;99\n";
    watch.observe("r4.csv", broken, &known);
    assert!(matches!(
        watch.observe("r4.csv", broken, &known),
        FileStatus::Refused(_)
    ));
    watch.remove("r4.csv");
    assert_eq!(watch.names().collect::<Vec<_>>(), ["cup.trf"]);
}

#[test]
fn spellings_of_a_forfeit() {
    let text = "White,Black,Result\n5,1,+ - -\n3,4,0-1F\n";
    let table = pairings::read(text.as_bytes(), &harbour(), RoundNo(4)).unwrap();
    let results: Vec<_> = table.rounds[&RoundNo(4)]
        .boards
        .values()
        .map(|seats| seats.result)
        .collect();
    let forfeit = |side| Some(GameResult::forfeit(side));
    assert_eq!(results, [forfeit(Side::White), forfeit(Side::Black)]);
}

#[test]
fn hidden_characters_of_a_table_are_removed_with_a_remark() {
    for char in crate::files::HIDDEN {
        let text = format!(
            "Board;{char}White;Black;Result\n1;{char}\"Echo, Eve\";Alpha, {char}Anna;{char}\n2;Charlie, Cid;Delta, Dan;1-0{char}\n"
        );
        let table = pairings::read(text.as_bytes(), &harbour(), RoundNo(4))
            .unwrap_or_else(|faults| panic!("{faults}"));
        let seats = table.rounds[&RoundNo(4)].boards[&BoardNo(1)];
        assert_eq!(
            (seats.white, seats.black),
            (Some(PlayerNo(5)), Some(PlayerNo(1)))
        );
        assert!(
            table.rounds[&RoundNo(4)].boards[&BoardNo(2)]
                .result
                .is_some()
        );
        let remarks = said(&table.remarks().collect::<Vec<_>>());
        let expected = [1, 2, 3].map(|line| {
            format!(
                "line {line}: the invisible character U+{:04X} is left out",
                u32::from(char)
            )
        });
        assert_eq!(remarks, expected);
    }
}

#[test]
fn a_list_of_players_is_read_without_hidden_characters_and_with_remarks() {
    let read = |bytes: &[u8]| {
        let list = entries::read(bytes).unwrap();
        let names = list.entries.into_iter().map(|entry| entry.name);
        (names.collect::<Vec<_>>(), said(&list.remarks))
    };
    let (names, remarks) = read("Name\nHo\u{200e}tel\n".as_bytes());
    assert_eq!(names, ["Hotel"]);
    let hidden = "line 2: the invisible character U+200E is left out";
    assert_eq!(remarks, [hidden]);
    let (names, remarks) = read(b"Name\nSchr\x94der\n");
    assert_eq!(names, ["Schröder"]);
    assert!(remarks[0].contains("DOS text"), "{remarks:?}");
    assert_eq!(read(b"Name\nHotel\n").1, [""; 0]);
}
