//! A folder in which files come, change and go: new ones wait for an arbiter, and nothing else happens.

use hub::pairing::{Folder, News, Verdict};
use tempfile::TempDir;
use tournament::{Actor, Event, Tournament};

const CUP: &str = include_str!("../../../tests/samples/harbour-cup.trf");

fn event(text: &str) -> Tournament {
    let file = tournament::formats::draft::import_file(text.as_bytes()).unwrap();
    let mut tournament = Tournament::new(Event::new("before", 1));
    for change in file.draft.changes("a file") {
        tournament.apply(&Actor::program("a file"), change).unwrap();
    }
    tournament
}

/// Returns the cup with its round 4 paired.
fn with_round_4() -> String {
    CUP.replace("     2 b =     4 w 1", "     2 b =     4 w 1     5 b")
        .replace("     5 w +     5 b 0", "     5 w +     5 b 0     4 w")
        .replace("  0000 - U     1 b 0", "  0000 - U     1 b 0     3 b")
        .replace("     3 b -     3 w 1", "     3 b -     3 w 1     1 w")
        .replace("     1 w =  0000 - H", "     1 w =  0000 - H  0000 - U")
        .replace("1991/02/02  2.0", "1991/02/02  3.0")
}

fn folder() -> (TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::new(dir.path());
    (dir, folder)
}

/// Looks twice: a file may be half written at the first look.
fn look(folder: &Folder, event: Option<&Tournament>) -> Vec<News> {
    folder.look(event).unwrap();
    folder.look(event).unwrap();
    folder.news(event)
}

#[test]
fn the_next_round_appears_and_waits_until_it_is_in_the_event() {
    let (dir, folder) = folder();
    let known = event(CUP);
    std::fs::write(dir.path().join("cup.trf"), CUP).unwrap();
    assert_eq!(look(&folder, Some(&known)), []);

    std::fs::write(dir.path().join("cup.trf"), with_round_4()).unwrap();
    folder.look(Some(&known)).unwrap();
    assert_eq!(
        folder.news(Some(&known)),
        [],
        "at the first sight it may be half of a file"
    );
    folder.look(Some(&known)).unwrap();
    let news = folder.news(Some(&known));
    let [round] = news.as_slice() else {
        panic!("{news:?}")
    };
    let words = "Round 4 is paired: 2 boards, 1 bye\n  1: Echo, Eve – Alpha, Anna\n  2: Charlie, Cid – Delta, Dan";
    let expected = Verdict::New {
        words: vec![words.to_owned()],
        remarks: Vec::new(),
    };
    assert_eq!(round.verdict, expected);
    assert_eq!(folder.news(Some(&known)), news, "it waits");
    let content = folder.content("cup.trf", &round.digest).unwrap();
    assert_eq!(content, with_round_4().as_bytes());
    assert_eq!(
        folder.news(Some(&event(&with_round_4()))),
        [],
        "it was taken"
    );
}

#[test]
fn what_is_confirmed_is_what_was_shown() {
    let (dir, folder) = folder();
    let known = event(CUP);
    std::fs::write(dir.path().join("cup.trf"), with_round_4()).unwrap();
    let digest = look(&folder, Some(&known)).remove(0).digest;
    std::fs::write(
        dir.path().join("cup.trf"),
        with_round_4().replace("2500", "2501"),
    )
    .unwrap();
    look(&folder, Some(&known));
    assert_eq!(folder.content("cup.trf", &digest), None);
    assert_eq!(folder.content("../cup.trf", &digest), None);
}

#[test]
fn before_there_is_an_event_a_report_brings_it() {
    let (dir, folder) = folder();
    std::fs::write(dir.path().join("cup.trf"), CUP).unwrap();
    let news = look(&folder, None);
    let Verdict::New { words, .. } = &news[0].verdict else {
        panic!("{news:?}")
    };
    assert!(words[0].contains("Harbour Cup 2026"), "{words:?}");
    assert!(
        words
            .iter()
            .any(|line| line == "New player 1: Alpha, Anna, GM, 2500, NOR"),
        "{words:?}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_said_to_be_so_until_it_is_gone() {
    let (dir, folder) = folder();
    let path = dir.path().join("half.trf");
    std::fs::write(&path, &CUP[..CUP.len() / 2]).unwrap();
    let news = look(&folder, None);
    let Verdict::Refused(why) = &news[0].verdict else {
        panic!("{news:?}")
    };
    assert!(why.starts_with("line "), "{why}");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(look(&folder, None), []);
}

#[test]
fn only_plain_files_of_known_kinds_are_looked_at() {
    let (dir, folder) = folder();
    std::fs::create_dir(dir.path().join("folder.trf")).unwrap();
    std::fs::write(dir.path().join(".cup.trf"), CUP).unwrap();
    std::fs::write(dir.path().join("cup.txt"), CUP).unwrap();
    let huge = std::fs::File::create(dir.path().join("huge.trf")).unwrap();
    huge.set_len(hub::pairing::folder::MOST_BYTES + 1).unwrap();
    // A pipe without a writer would block its reader.
    let pipe = dir.path().join("pipe.trf");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    assert_eq!(look(&folder, None), []);
    drop(dir);
    assert!(folder.look(None).is_err(), "the folder is gone");
}
