//! Tests of FIDE's rating list: its file formats, searches in it, and uploads, complete or cut off.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{Cursor, Write as _};

use flate2::Crc;
use flate2::write::DeflateEncoder;
use hub::fide_list::index::{Builder, Index, Query};
use hub::fide_list::store::ImportError;
use hub::fide_list::{FideListStore, ListError, ListInfo, ListedPlayer, read};
use tournament::{RateOfPlay, Sex};

const COMBINED: &str = "\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
990000001      Karlsten, Magne                                              NOR M   GM                           2830  0   10 2818  0   10 2886  0   10 1990      \r
990000002      Karlsten, Mona                                               DEN F   WIM  WIM                     2210  0   20 0     0   20 2100  0   20 1999  w   \r
990000003      Karl, Zed                                                    GER M                                1500  0   40 0     0   0  0     0   0  2010  wi  \r
990000004      Mueller, Joerg                                               GER M   FM        FA,NI               2301  0   20 2290  0   20 0     0   0  1980      \r
990000005      De La Torre, Ana Maria                                       ESP F        WCM                     0     0   0  1700  0   40 0     0   0  0         \r
x90000006      Nobody, At All                                               ESP F                                0     0   0  1700  0   40 0     0   0  0         \r
990000007                                                                   ESP F                                0     0   0  1700  0   40 0     0   0  0         \r
990000008      Magne                                                        ISL M                                9999x 0   0  1700  0   40 0     0   0  0         \r
";

fn players_of(bytes: &[u8], name: &str) -> Result<(Vec<ListedPlayer>, ListInfo), ListError> {
    let mut players = Vec::new();
    let info = read(Cursor::new(bytes), name, &mut |player| {
        players.push(player);
        Ok(())
    })?;
    Ok((players, info))
}

fn xml(body: &str) -> String {
    format!("<playerslist>\n{body}</playerslist>\n")
}

fn xml_player(id: u32, name: &str, rest: &str) -> String {
    format!(
        "<player>\n<fideid>{id}</fideid>\n<name>{name}</name>\n<country>NOR</country>\n<sex>F</sex>\n{rest}</player>\n"
    )
}

fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(content);
    let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    let packed = encoder.finish().unwrap();
    let size = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let name_length = u16::try_from(name.len()).unwrap().to_le_bytes();
    // 9 October 2026, 12:00, in MS-DOS format.
    let dated = [0, 0x60, 0x49, 0x5d];
    let mut about = vec![20, 0, 0, 0, 8, 0];
    about.extend(dated);
    about.extend(crc.sum().to_le_bytes());
    about.extend(size(packed.len()));
    about.extend(size(content.len()));
    about.extend(name_length);
    about.extend([0, 0]);
    let mut file = b"PK\x03\x04".to_vec();
    file.extend(&about);
    file.extend(name.as_bytes());
    file.extend(&packed);
    let directory = file.len();
    file.extend(b"PK\x01\x02\x14\x00");
    file.extend(&about);
    file.extend([0; 14]);
    file.extend(name.as_bytes());
    let length = file.len() - directory;
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(size(length));
    file.extend(size(directory));
    file.extend([0, 0]);
    file
}

fn index(players: &[ListedPlayer]) -> Index<Vec<u8>> {
    let mut builder = Builder::new(Cursor::new(Vec::new()));
    for player in players {
        builder.push(player).unwrap();
    }
    let mut out = Cursor::new(Vec::new());
    builder.finish(&mut out, &ListInfo::default()).unwrap();
    let bytes = out.into_inner();
    let length = u64::try_from(bytes.len()).unwrap();
    Index::open(bytes, length).unwrap()
}

#[track_caller]
fn finds(index: &Index<Vec<u8>>, text: &str, federation: &str, expected: &[u32]) {
    let query = Query::new(text, federation).unwrap();
    let found = index.search(&query, 20).unwrap();
    let ids: Vec<u32> = found
        .iter()
        .map(|player| player.fide_id - 990_000_000)
        .collect();
    assert_eq!(ids, expected, "{text} {federation}");
}

#[test]
fn the_columns_of_a_text_are_those_of_its_first_line() {
    let (players, info) = players_of(COMBINED.as_bytes(), "players_list_foa.txt").unwrap();
    assert_eq!(players.len(), 5);
    let first = &players[0];
    assert_eq!(
        (first.fide_id, first.name.as_str()),
        (990_000_001, "Karlsten, Magne")
    );
    assert_eq!(
        (first.standard, first.rapid, first.blitz),
        (Some(2830), Some(2818), Some(2886))
    );
    assert_eq!(
        (first.sex, first.born, first.inactive),
        (Some(Sex::Male), Some(1990), false)
    );
    assert_eq!(first.federation, "NOR");
    assert!(players[2].inactive);
    // A title too long for its column shifts the rest of its line by one character.
    assert_eq!(
        (players[3].standard, players[3].born),
        (Some(2301), Some(1980))
    );
    assert_eq!(
        (
            players[4].title.as_str(),
            players[4].born,
            players[4].standard
        ),
        ("WCM", None, None)
    );
    assert_eq!(
        (info.players, info.unreadable, info.single_rate),
        (5, 3, None)
    );
    let faults: Vec<(u64, String)> = info
        .faults
        .iter()
        .map(|fault| (fault.line, fault.why.to_string()))
        .collect();
    let expected = [
        (7, "expected a FIDE ID, found \"x90000006\""),
        (8, "the player has no name"),
        (9, "expected a standard rating, found \"9999x\""),
    ];
    assert_eq!(faults, expected.map(|(line, why)| (line, why.to_owned())));
}

#[test]
fn a_list_of_one_rate_of_play_says_its_month_and_has_its_ratings_alone() {
    let text = "\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag
990000001      Karlsten, Magne                                              NOR M   GM                           2818  0   10 1990      
";
    for (name, rate) in [
        ("standard_rating_list.txt", RateOfPlay::Standard),
        ("rapid_rating_list.txt", RateOfPlay::Rapid),
        ("blitz_oct26frl.txt", RateOfPlay::Blitz),
    ] {
        let (players, info) = players_of(text.as_bytes(), name).unwrap();
        assert_eq!(info.single_rate, Some(rate), "{name}");
        assert_eq!(
            info.month.map(|month| month.to_string()).as_deref(),
            Some("2026-10")
        );
        for other in [RateOfPlay::Standard, RateOfPlay::Rapid, RateOfPlay::Blitz] {
            assert_eq!(
                players[0].rating(other),
                (other == rate).then_some(2818),
                "{name}"
            );
        }
    }
}

#[test]
fn xml_is_read_with_its_entities_and_its_faults_by_line() {
    let body = xml_player(
        990_000_001,
        "O&apos;Neill &amp; S&#246;n, Ann",
        "<title></title><w_title>WFM</w_title><rating>2001</rating><rapid_rating>0</rapid_rating><blitz_rating>1999</blitz_rating><birthday>2001</birthday><flag>wi</flag>",
    ) + &xml_player(990_000_002, "Other, Ole", "<rating></rating>")
        + &xml_player(0, "No Number", "")
        + &xml_player(990_000_003, "Later, Lea", "<rating>many</rating>");
    let (players, info) = players_of(xml(&body).as_bytes(), "players_list_xml_foa.xml").unwrap();
    assert_eq!(players.len(), 2);
    let player = &players[0];
    assert_eq!(player.name, "O'Neill & Sön, Ann");
    assert_eq!(
        (
            player.title.as_str(),
            player.standard,
            player.rapid,
            player.blitz
        ),
        ("WFM", Some(2001), None, Some(1999))
    );
    assert_eq!(
        (player.sex, player.born, player.inactive),
        (Some(Sex::Female), Some(2001), true)
    );
    let lines: Vec<u64> = info.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [14, 20]);
}

#[test]
fn a_zip_is_unpacked_held_to_its_checksum_and_dated() {
    let packed = zip("players_list_foa.txt", COMBINED.as_bytes());
    let (players, info) = players_of(&packed, "players_list.zip").unwrap();
    assert_eq!((players.len(), info.file_date.as_str()), (5, "2026-10-09"));
    let mut wrong = packed.clone();
    // Find the entry in the zip's central directory: the checksum is at offset 16 of the entry.
    let directory = packed
        .windows(4)
        .rposition(|bytes| bytes == b"PK\x01\x02")
        .unwrap();
    wrong[directory + 16] ^= 1;
    let error = players_of(&wrong, "players_list.zip").unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
    for cut in [packed.len() / 3, packed.len() - 10, 30] {
        assert!(
            players_of(&packed[..cut], "players_list.zip").is_err(),
            "{cut}"
        );
    }
    let other = players_of(&zip("readme.pdf", b"%PDF"), "x.zip").unwrap_err();
    assert!(other.to_string().contains("readme.pdf"), "{other}");
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    let empty = players_of(&empty, "x.zip").unwrap_err().to_string();
    assert!(empty.starts_with("the zip file is empty: "), "{empty}");
}

/// If a line that is cut off within a number were accepted, the player would get a wrong rating or birth year.
#[test]
fn a_text_truncated_in_its_last_line_is_refused() {
    let lines: Vec<&str> = COMBINED.lines().take(6).collect();
    let filled = lines.join("\r\n");
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    let mut trimmed = trimmed.join("\n");
    trimmed.truncate(trimmed.len() - 1);
    trimmed.push_str("1987");
    for whole in [&filled, &trimmed] {
        let last = whole.rfind('\n').unwrap() + 1;
        assert_eq!(players_of(whole.as_bytes(), "x").unwrap().0.len(), 5);
        assert_eq!(
            players_of(&whole.as_bytes()[..last], "x").unwrap().0.len(),
            4
        );
        for end in last + 1..whole.len() {
            let cut = players_of(&whole.as_bytes()[..end], "x");
            let why = cut
                .map(|(players, _)| players.len())
                .unwrap_err()
                .to_string();
            let expected = "line 6: the file ends in the middle of a player";
            assert!(why.starts_with(expected), "{end}: {why}");
        }
    }
}

#[test]
fn a_much_shorter_list_needs_force() {
    let directory = tempfile::tempdir().unwrap();
    let store = FideListStore::open(directory.path());
    let info = upload(&store, "players_list.txt", COMBINED.as_bytes()).unwrap();
    let of_lines = |count: usize| {
        let lines = COMBINED.split_inclusive('\n').take(1 + count);
        lines.collect::<String>()
    };
    let why = upload(&store, "cut.txt", of_lines(2).as_bytes()).unwrap_err();
    let words = why.to_string();
    assert!(
        words.contains("has 2 players and the hub's list has 5"),
        "{words}"
    );
    assert!(words.contains("--force"), "{words}");
    assert_eq!(store.status().list.as_ref(), Some(&info), "the list stays");
    assert!(!store.status().importing);
    upload(&store, "most.txt", of_lines(3).as_bytes()).unwrap();
    store.upload([8; 16], 0, of_lines(1).as_bytes()).unwrap();
    let forced = store.import_upload([8; 16], "one.txt", 1, true).unwrap();
    assert_eq!(store.status().list.as_ref(), Some(&forced));
    assert_eq!(forced.players, 1);
}

#[test]
fn a_file_that_is_not_a_list_is_refused_with_the_reason() {
    let why = |bytes: &[u8]| players_of(bytes, "file").unwrap_err().to_string();
    assert!(why(b"").contains("empty"));
    assert!(why(b"<html><body>Not found</body></html>").contains("<html>"));
    assert!(why(b"Not found\n").contains("\"ID Number\""));
    assert!(why(&[0; 9_000]).contains("more than 4096 bytes"));
    let cut = xml(&xml_player(1, "A, B", ""));
    let cut = &cut[..cut.len() - 30];
    assert!(
        matches!(
            players_of(cut.as_bytes(), "x"),
            Err(ListError::Broken { .. })
        ),
        "{cut}"
    );
    let lines = COMBINED.rfind("990000005").unwrap();
    let cut = &COMBINED[..lines + 9];
    let error = players_of(cut.as_bytes(), "x").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("line 6: the file ends in the middle"),
        "{error}"
    );
    let endless = format!("<playerslist><player><name>{}", "a".repeat(200_000));
    assert!(why(endless.as_bytes()).contains("more than 65536 bytes"));
}

#[test]
fn players_are_found_by_word_prefixes_best_first() {
    let (players, _) = players_of(COMBINED.as_bytes(), "x").unwrap();
    let index = index(&players);
    finds(&index, "karl", "", &[3, 1, 2]);
    finds(&index, "KARLSTEN m", "", &[1, 2]);
    finds(&index, "mag kar", "", &[1]);
    finds(&index, "karl", "den", &[2]);
    finds(&index, "k", "NOR", &[1]);
    finds(&index, "m", "", &[1, 4, 2, 5]);
    finds(&index, "Müller", "", &[4]);
    finds(&index, "jorg müller", "", &[]);
    finds(&index, "Jörg MÜLLER", "GER", &[4]);
    finds(&index, "torre, maría", "", &[5]);
    finds(&index, "99000000", "", &[1, 4, 2, 5, 3]);
    finds(&index, "990000004", "", &[4]);
    finds(&index, "990000006", "", &[]);
    finds(&index, "0990000004", "", &[4]);
    finds(&index, "9900000040", "", &[]);
    finds(&index, "arlsten", "", &[]);
    finds(&index, "nor", "", &[]);
    assert!(Query::new(" , ", "NOR").is_none());
    let limited = index.search(&Query::new("99", "").unwrap(), 2).unwrap();
    assert_eq!(limited.len(), 2);
    for player in &players {
        assert_eq!(index.by_id(player.fide_id).unwrap().as_ref(), Some(player));
    }
    assert_eq!(index.by_id(1).unwrap(), None);
    assert_eq!(index.by_id(999_999_999).unwrap(), None);
}

#[test]
fn a_surname_comes_before_a_given_name_and_a_higher_rating() {
    let listed = |id: u32, name: &str, rating: u16| ListedPlayer {
        fide_id: 990_000_000 + id,
        name: name.to_owned(),
        standard: Some(rating),
        ..ListedPlayer::default()
    };
    let players = [
        listed(1, "Otto, Frank", 2_400),
        listed(2, "Frank, Otto", 1_500),
    ];
    let index = index(&players);
    finds(&index, "frank", "", &[2, 1]);
    finds(&index, "otto", "", &[1, 2]);
}

#[test]
fn a_full_birth_date_is_reduced_to_its_year() {
    let born = |date: &str| {
        let list = xml_player(
            990_000_001,
            "Lund, Eva",
            &format!("<birthday>{date}</birthday>"),
        );
        let (players, _) = players_of(xml(&list).as_bytes(), "x.xml").unwrap();
        players[0].born
    };
    for date in ["1985", "1985/04/03", "1985-04-03", "03.04.1985"] {
        assert_eq!(born(date), Some(1985), "{date}");
    }
    assert_eq!(born("0"), None);
}

#[test]
fn every_block_is_searched_and_the_limit_takes_the_highest_rated() {
    let player = |id: u32| ListedPlayer {
        fide_id: id,
        name: format!("Common{}, Name{}", id % 7, id % 5),
        federation: "NOR".to_owned(),
        standard: Some(u16::try_from(1_000 + id % 1_500).unwrap()),
        ..ListedPlayer::default()
    };
    let players: Vec<ListedPlayer> = (1..=5_000).map(player).collect();
    let index = index(&players);
    for (text, federation) in [
        ("common3", ""),
        ("name2 comm", "NOR"),
        ("c", "NOR"),
        ("co", ""),
    ] {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let fits = |player: &&ListedPlayer| {
            let name = player.name.to_lowercase();
            words
                .iter()
                .all(|word| name.split(", ").any(|part| part.starts_with(word.as_str())))
        };
        let mut expected: Vec<&ListedPlayer> = players.iter().filter(fits).collect();
        expected.sort_by_key(|player| (std::cmp::Reverse(player.standard), player.fide_id));
        let expected: Vec<u32> = expected
            .iter()
            .map(|player| player.fide_id)
            .take(30)
            .collect();
        let query = Query::new(text, federation).unwrap();
        let found = index.search(&query, 30).unwrap();
        let found: Vec<u32> = found.iter().map(|player| player.fide_id).collect();
        assert_eq!(found, expected, "{text}");
    }
    for id in [1, 1_024, 1_025, 5_000] {
        assert_eq!(index.by_id(id).unwrap().unwrap().name, player(id).name);
    }
}

fn upload(store: &FideListStore, name: &str, content: &[u8]) -> Result<ListInfo, ImportError> {
    let id = [7; 16];
    let mut offset = 0;
    for piece in content.chunks(1_000) {
        store.upload(id, offset, piece)?;
        // Send the same chunk again, as a client does after a lost response.
        if offset > 0 {
            store.upload(id, offset, piece)?;
        }
        offset += u64::try_from(piece.len()).unwrap();
    }
    store.import_upload(id, name, 1, false)
}

#[test]
fn an_interrupted_download_keeps_the_previous_list() {
    let directory = tempfile::tempdir().unwrap();
    let store = FideListStore::open(directory.path());
    assert_eq!(store.status().list, None);
    let info = upload(&store, "players_list_oct26.txt", COMBINED.as_bytes()).unwrap();
    assert_eq!(store.status().list.as_ref(), Some(&info));
    let packed = zip("players_list_foa.txt", COMBINED.as_bytes());
    let cut = &packed[..packed.len() - 40];
    assert!(upload(&store, "players_list.zip", cut).is_err());
    assert_eq!(store.status().list.as_ref(), Some(&info));
    let left: Vec<String> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["fide-list.index"], "nothing else stays");
    // The same must hold if the hub restarts and finds the remains of an interrupted import.
    drop(store);
    std::fs::write(directory.path().join("fide-list.index.new"), b"half").unwrap();
    let store = FideListStore::open(directory.path());
    assert_eq!(store.status().list.as_ref(), Some(&info));
    assert_eq!(
        store
            .index()
            .unwrap()
            .by_id(990_000_004)
            .unwrap()
            .unwrap()
            .name,
        "Mueller, Joerg"
    );
    assert!(!directory.path().join("fide-list.index.new").exists());
    drop(store);
    let index = directory.path().join("fide-list.index");
    let whole = std::fs::read(&index).unwrap();
    std::fs::write(&index, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(
        FideListStore::open(directory.path()).status().list,
        None,
        "a damaged index is none"
    );
}

#[test]
fn chunks_arrive_in_order_or_the_upload_restarts() {
    let directory = tempfile::tempdir().unwrap();
    let store = FideListStore::open(directory.path());
    store.upload([1; 16], 0, b"abc").unwrap();
    let gap = store.upload([1; 16], 4, b"e").unwrap_err();
    assert!(
        matches!(gap, ImportError::OutOfOrder { received: 3 }),
        "{gap}"
    );
    let other = store.upload([2; 16], 3, b"d").unwrap_err();
    assert!(matches!(other, ImportError::OutOfOrder { .. }), "{other}");
    store.upload([2; 16], 0, b"x").unwrap();
    assert!(
        store.upload([1; 16], 3, b"d").is_err(),
        "another upload has begun"
    );
    assert!(store.import_upload([1; 16], "x", 1, false).is_err());
}
