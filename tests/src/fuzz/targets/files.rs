//! Files from other programs: tournament reports, tables, the output of pairing programs, FIDE's rating lists.

use std::io::Cursor;

use hub::fide_list;
use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::table::{self, entries, pairings};
use tournament::formats::trf::Edition;
use tournament::{Change, Event, Player, PlayerNo, RoundNo, Side, Tournament};

use super::super::Fingerprint;
use crate::rig::zip_file;

fn sample(name: &str) -> Vec<u8> {
    let path = crate::tidy::root().join("tests/samples").join(name);
    std::fs::read(path).unwrap_or_default()
}

fn open() -> Tournament {
    let mut event = Event::new("Open", 3);
    event.initial_colour = Some(Side::White);
    let mut tournament = Tournament::new(event);
    for no in 1..=6 {
        let player = Player::new(PlayerNo(no), &format!("Player {no}"));
        let change = Change::EnterPlayer(Box::new(player));
        let entered = tournament.apply(&tournament::Actor::chief("Doe"), change);
        entered.expect("six players can be entered");
    }
    tournament
}

/// Reads a report as an import does, including its differences from an event.
pub(super) fn trf(input: &[u8]) -> Fingerprint {
    let read = import_file(input);
    let seen = Fingerprint::new().result(&read, |read| {
        [
            read.draft.players.len(),
            read.draft.rounds.len(),
            read.remarks.len(),
        ]
    });
    let Ok(read) = read else { return seen };
    let found = difference(&Draft::of(&open()), &read.draft, "fuzz.trf");
    seen.size(found.items.len())
}

pub(super) fn trf_seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        sample("harbour-cup.trf"),
        sample("extended-open.trf"),
        sample("team-cup.trf"),
    ];
    for edition in [Edition::Trf16, Edition::Trf26] {
        seeds.push(export(&open(), edition).text.into_bytes());
    }
    seeds
}

pub(super) fn tables(input: &[u8]) -> Fingerprint {
    let listed = entries::read(input);
    let seen = Fingerprint::new().result(&listed, |listed| [listed.entries.len()]);
    let known = Draft::of(&open());
    let paired = pairings::read(input, &known, RoundNo(1));
    let seen = seen.result(&paired, |paired| [paired.rounds.len()]);
    let text = String::from_utf8_lossy(input);
    let rows = table::rows(&text);
    if let Ok(rows) = &rows {
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|field| field.text.clone()).collect())
            .collect();
        // Tables for spreadsheets begin with a byte order mark, which is not part of the text.
        let written = table::write(&cells);
        let text = written.trim_start_matches('\u{feff}');
        assert!(table::rows(text).is_ok(), "{text:?}");
    }
    seen.result(&rows, |rows| [rows.len()])
}

pub(super) fn table_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "Name,FIDE id,Rating,Federation\n\"Alpha, Anna\",1500011,2500,NOR\nBravo,,2400,SWE\n",
        "Last name;First name;Born\nAlpha;Anna;1990\nBravo;Bea;1991\n",
        "Board,White,Black,Result\n1,1,2,1-0\n2,3,4,1/2-1/2\n,5,bye,\n",
        "Round\tBoard\tWhite\tBlack\n1\t1\tPlayer 1\tPlayer 2\n1\t2\tPlayer 3\tPlayer 4\n",
        "name\n\"a \"\"quoted\"\" name\"\n=1+1\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

pub(super) fn pairing_answers(input: &[u8]) -> Fingerprint {
    let event = open();
    let order: Vec<PlayerNo> = event.players().keys().copied().collect();
    let text = String::from_utf8_lossy(input);
    let read = hub::pairing::read_answer(&text, &event, &order, RoundNo(1));
    let seen = Fingerprint::new().result(&read, |read| [read.boards.len(), read.byes.len()]);
    let Ok(pairings) = read else { return seen };
    let seated = 2 * pairings.boards.len() + pairings.byes.len();
    assert_eq!(seated, order.len(), "each player has a game or a bye");
    seen
}

pub(super) fn pairing_answer_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "3\n1 4\n5 2\n3 6\n",
        "3\r\n4 1\r\n2 5\r\n6 3\r\n\r\n",
        "1\n1 0\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

pub(super) fn fide_list(input: &[u8]) -> Fingerprint {
    let mut players = 0;
    let mut seen = Fingerprint::new();
    for name in ["players_list_foa.txt", "standard_oct26frl.txt"] {
        let read = fide_list::read(Cursor::new(input), name, &mut |player| {
            assert!(player.fide_id > 0 && !player.name.is_empty());
            players += 1;
            Ok(())
        });
        seen = seen.result(&read, |info| {
            assert!(info.players > 0);
            [info.faults.len(), usize::from(info.single_rate.is_some())]
        });
    }
    seen.size(players)
}

pub(super) fn fide_list_seeds() -> Vec<Vec<u8>> {
    let mut text = Vec::new();
    crate::fide_list::write(&mut text, 12, 3).expect("a list in memory");
    let xml = "<playerslist><player><fideid>1500011</fideid><name>Alpha, Anna</name><country>NOR</country>\
        <sex>F</sex><title>GM</title><rating>2500</rating><rapid_rating>2400</rapid_rating>\
        <blitz_rating>0</blitz_rating><birthday>1990</birthday><flag>wi</flag></player>\
        <player><fideid>1500012</fideid><name>Bravo &amp; Co</name></player></playerslist>";
    let zip = zip_file("players_list_xml_foa.xml", xml.as_bytes());
    vec![
        text,
        xml.as_bytes().to_vec(),
        zip.expect("a file in memory"),
    ]
}
