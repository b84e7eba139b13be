//! Commands whose output cannot be written. Changes are still made and count as done, but a command that could not show a new code fails.

use std::fs::OpenOptions;
use std::io::pipe;
use std::path::PathBuf;

use crate::program::{Serving, command, expect, flagfall};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rigs/fake-bbp.sh");

struct Desk {
    hub: Serving,
    dir: tempfile::TempDir,
}

impl Desk {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start_with(dir.path(), &["--pairing-program", FAKE]);
        Self { hub, dir }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path: PathBuf = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs a command whose reader closes the pipe before the first line.
    #[track_caller]
    fn unread(&self, command: &str, arguments: &[&str], code: i32) {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let ran = self
            .hub
            .asked_into(writer, command, self.dir.path(), arguments);
        expect(&ran, code);
    }

    #[track_caller]
    fn said(&self, arguments: &[&str]) -> String {
        expect(&self.hub.event(self.dir.path(), arguments), 0).0
    }
}

#[test]
fn changes_and_exit_codes_do_not_depend_on_a_reader() {
    let desk = Desk::start();
    desk.unread("event", &["new", "Open", "--first-colour", "white"], 0);
    let names = desk.file("names.csv", "Name,Rating\nAlpha,1500\nBravo,1600\n");
    desk.unread("event", &["enter", "--list", &names, "--yes"], 0);
    desk.unread("event", &["enter", "Charlie", "--rating", "1800"], 0);
    desk.unread("event", &["enter", "Delta", "--rating", "1700"], 0);
    assert_eq!(desk.said(&["players"]).lines().count(), 5);
    desk.unread("event", &["renumber", "--yes"], 0);
    let first = desk.said(&["players", "--json"]);
    assert!(first.lines().next().unwrap().contains("Charlie"), "{first}");

    desk.unread("event", &["pair", "--yes"], 0);
    let paired = desk.said(&["round", "show", "1", "--json"]);
    let one = desk.file("one.csv", "Round,Board,White,Black,Result\n1,1,1,2,1-0\n");
    let two = desk.file("two.csv", "Round,Board,White,Black,Result\n1,2,3,4,0-1\n");
    desk.unread("event", &["import", &one, &two, "--yes"], 0);
    let results = desk.said(&["round", "show", "1"]);
    assert!(
        results.contains("1-0") && results.contains("0-1"),
        "{results}"
    );
    desk.unread("event", &["undo", "--yes"], 0);
    desk.unread("event", &["undo", "--yes"], 0);
    assert_eq!(desk.said(&["round", "show", "1", "--json"]), paired);

    desk.unread("ctl", &["add", "1-2", "5m"], 0);
    let boards = expect(&desk.hub.ctl(desk.dir.path(), &["list", "--json"]), 0).0;
    assert_eq!(boards.lines().count(), 2, "{boards}");
    // The boards have no clocks, so the exit code says that no clock could be set.
    desk.unread("event", &["preset", "1"], 1);
    desk.unread("event", &["report", "--check"], 1);
    // A stream of updates ends when its reader closes the pipe.
    desk.unread("event", &["watch"], 0);
    desk.unread("ctl", &["watch"], 0);
}

#[test]
fn a_change_is_made_even_if_its_report_cannot_be_written() {
    let desk = Desk::start();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let into_full = |command: &str, arguments: &[&str], code| {
        let ran = desk
            .hub
            .asked_into(full(), command, desk.dir.path(), arguments);
        let (_, said) = expect(&ran, code);
        assert!(said.contains("cannot write to standard output"), "{said}");
    };
    into_full("event", &["new", "Open"], 0);
    into_full("ctl", &["add", "1-2", "5m"], 0);
    let boards = expect(&desk.hub.ctl(desk.dir.path(), &["list", "--json"]), 0).0;
    assert_eq!(boards.lines().count(), 2, "{boards}");
    into_full("event", &["export"], 1);
    let file = desk.dir.path().join("anna.pem");
    let data = desk.dir.path().to_str().unwrap();
    let ran = command(&[
        "credential",
        "--role",
        "floor",
        "--name",
        "Anna",
        "--data-dir",
        data,
    ])
    .arg(&file)
    .stdout(full())
    .output()
    .unwrap();
    expect(&ran, 0);
    assert!(file.exists());
    let listed = expect(&desk.hub.ctl(desk.dir.path(), &["devices", "--json"]), 0).0;
    let anna = listed.lines().find(|line| line.contains("Anna")).unwrap();
    let anna: serde_json::Value = serde_json::from_str(anna).unwrap();
    into_full("ctl", &["revoke", anna["device"].as_str().unwrap()], 0);
    let listed = expect(&desk.hub.ctl(desk.dir.path(), &["devices"]), 0).0;
    assert!(listed.contains("revoked by"), "{listed}");
}

/// A code that is shown only once is lost if its reader is gone. So the command fails and says how to get a new code.
#[test]
fn a_code_that_cannot_be_shown_is_a_failure() {
    let desk = Desk::start();
    desk.unread("enrol", &[], 1);
    desk.unread("enrol", &["--arbiter", "Anna", "--role", "floor"], 1);
    expect(&desk.hub.ctl(desk.dir.path(), &["add", "1-2", "5m"]), 0);
    desk.unread("enrol", &["--sheet"], 1);
    let data = desk.dir.path().to_str().unwrap();
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    let ran = command(&["recovery", "--data-dir", data])
        .stdout(writer)
        .output()
        .unwrap();
    let (_, said) = expect(&ran, 1);
    assert!(
        said.contains(
            "the previous code is no longer valid and the new one was not shown: run this command again"
        ),
        "{said}"
    );
    let (code, _) = expect(&flagfall(&["recovery", "--data-dir", data]), 0);
    assert!(code.starts_with("recovery  "), "{code}");
}
