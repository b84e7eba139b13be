//! A folder in which files appear, change and disappear: the hub keeps new files for an arbiter and does nothing else with them.

use std::path::Path;

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

/// Examines the folder twice, because a file may be half-written at the first examination.
fn look(folder: &Folder, event: Option<&Tournament>) -> Vec<News> {
    folder.examine(event).unwrap();
    folder.examine(event).unwrap();
    folder.news(event)
}

#[test]
fn the_next_round_appears_and_waits_until_it_is_in_the_event() {
    let (dir, folder) = folder();
    let known = event(CUP);
    std::fs::write(dir.path().join("cup.trf"), CUP).unwrap();
    assert_eq!(look(&folder, Some(&known)), []);

    std::fs::write(dir.path().join("cup.trf"), with_round_4()).unwrap();
    folder.examine(Some(&known)).unwrap();
    assert_eq!(
        folder.news(Some(&known)),
        [],
        "at the first sight it may be half of a file"
    );
    folder.examine(Some(&known)).unwrap();
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
fn a_report_opens_the_event_if_there_is_none() {
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

fn refused(news: &[News]) -> Vec<(&str, &str)> {
    let reasons = news.iter().map(|news| match &news.verdict {
        Verdict::Refused(why) => (news.file.as_str(), why.as_str()),
        verdict @ (Verdict::New { .. } | Verdict::Foreign { .. }) => panic!("{verdict:?}"),
    });
    reasons.collect()
}

fn make_pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn only_plain_files_of_known_kinds_are_read_and_an_arbiter_learns_of_the_others() {
    let (dir, folder) = folder();
    std::fs::create_dir(dir.path().join("folder.trf")).unwrap();
    std::fs::write(dir.path().join(".cup.trf"), CUP).unwrap();
    std::fs::write(dir.path().join("cup.txt"), CUP).unwrap();
    let huge = std::fs::File::create(dir.path().join("huge.trf")).unwrap();
    huge.set_len(hub::pairing::folder::MAX_BYTES + 1).unwrap();
    make_pipe(&dir.path().join("pipe.trf"));
    std::os::unix::fs::symlink("huge.trf", dir.path().join("link.trf")).unwrap();
    let news = look(&folder, None);
    let expected = [
        ("folder.trf", "it is a folder, not a plain file"),
        (
            "huge.trf",
            "it has more than 4096 KiB, which is too much for a report or a table",
        ),
        (
            "link.trf",
            "it is a symbolic link, which the hub does not follow: copy the file itself here",
        ),
        ("pipe.trf", "it is a pipe, not a plain file"),
    ];
    assert_eq!(refused(&news), expected);
    assert!(!folder.dismiss("pipe.trf", &news[2].digest), "another file");
    assert!(folder.dismiss("pipe.trf", &news[3].digest));
    assert_eq!(refused(&look(&folder, None)), expected[..3]);
    drop(dir);
    assert!(folder.examine(None).is_err(), "the folder is gone");
    let news = folder.news(None);
    assert!(
        refused(&news)[0].1.starts_with("No such file or directory"),
        "{news:?}"
    );
}

#[test]
fn a_name_that_becomes_a_link_or_a_pipe_between_two_looks_leaks_and_blocks_nothing() {
    const SECRET: &str = "-----BEGIN PRIVATE KEY-----";
    let (dir, folder) = folder();
    let key = dir.path().join("chief.pem");
    std::fs::write(&key, format!("{SECRET}\n").repeat(9)).unwrap();
    let name = dir.path().join("round.csv");
    let ended = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let swapping = {
        let (ended, spare) = (ended.clone(), dir.path().join("spare"));
        std::thread::spawn(move || {
            for turn in 0.. {
                match turn % 3 {
                    0 => std::fs::write(&spare, "White,Black\n").unwrap(),
                    1 => std::os::unix::fs::symlink(&key, &spare).unwrap(),
                    _ => make_pipe(&spare),
                }
                std::fs::rename(&spare, &name).unwrap();
                if ended.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
            }
        })
    };
    for _ in 0..2_000 {
        folder.examine(None).unwrap();
        let news = format!("{:?}", folder.news(None));
        assert!(!news.contains(SECRET), "{news}");
    }
    ended.store(true, std::sync::atomic::Ordering::Relaxed);
    swapping.join().unwrap();
}

#[test]
fn the_files_of_a_folder_are_bounded_together() {
    use hub::pairing::folder::{MAX_BYTES, MAX_FILES, MAX_TOTAL};
    let (dir, folder) = folder();
    let fit = usize::try_from(MAX_TOTAL / MAX_BYTES).unwrap();
    let junk = "001 x\n".repeat(usize::try_from(MAX_BYTES / 6).unwrap());
    for no in 0..=fit {
        std::fs::write(dir.path().join(format!("{no}.trf")), &junk).unwrap();
    }
    let news = look(&folder, None);
    let refused = refused(&news);
    let (file, why) = refused[0];
    assert_eq!(file, format!("{fit}.trf"));
    assert!(
        why.starts_with("the files of the folder have more than 16 MiB together"),
        "{why}"
    );
    for (file, why) in &refused[1..] {
        assert!(
            why.lines().count() <= 21 && why.ends_with("and 980 more"),
            "{file}: {why}"
        );
    }
    for no in 0..=MAX_FILES {
        std::fs::write(dir.path().join(format!("small {no}.csv")), "").unwrap();
    }
    let error = folder.examine(None).unwrap_err();
    assert!(
        error.to_string().starts_with("it has more than 500 files"),
        "{error}"
    );
}

#[tokio::test]
async fn a_pipe_does_not_stop_the_watcher() {
    let (dir, folder) = folder();
    make_pipe(&dir.path().join("a.trf"));
    let folder = std::sync::Arc::new(folder);
    let ending = tokio_util::sync::CancellationToken::new();
    let every = std::time::Duration::from_millis(1);
    let watching = tokio::spawn(folder.clone().watch(every, || None, ending.clone()));
    while folder.news(None).is_empty() {
        tokio::task::yield_now().await;
    }
    std::fs::write(dir.path().join("cup.trf"), CUP).unwrap();
    while folder.news(None).len() < 2 {
        tokio::task::yield_now().await;
    }
    ending.cancel();
    watching.await.unwrap();
}
