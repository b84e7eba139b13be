//! `flagfall event` and imports that must not lose data: files from a different event, one-row tables, undone imports, events that are set aside.

use serde_json::Value;

use crate::program::{Serving, expect};

/// A report with six players; round 1 of 3 is paired, but not played.
const CLUB: &str = "012 Club Open\n062 6\n142 3\n152 W\n202 BH,SB\n\
001    1 m    Alpha, Anna                       2100                             0.0    1     4 w  \n\
001    2 w    Bravo, Bea                        2000                             0.0    2     5 b  \n\
001    3 m    Charlie, Cid                      1900                             0.0    3     6 w  \n\
001    4 m    Delta, Dan                        1800                             0.0    4     1 b  \n\
001    5 m    Echo, Eve                         1700                             0.0    5     2 w  \n\
001    6 m    Foxtrot, Fay                      1600                             0.0    6     3 b  \n";

struct Event {
    hub: Serving,
    dir: tempfile::TempDir,
}

impl Event {
    fn opened() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start_with(dir.path(), &[]);
        let event = Self { hub, dir };
        let file = event.file("club.trf", CLUB);
        event.done(&["open", &file]);
        event
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        expect(&self.hub.event(self.dir.path(), arguments), code)
    }

    #[track_caller]
    fn done(&self, arguments: &[&str]) -> String {
        self.run(arguments, 0).0
    }

    #[track_caller]
    fn not_done(&self, arguments: &[&str]) -> String {
        self.run(arguments, 1).1
    }

    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let out = self.done(&[arguments, &["--json"]].concat());
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn boards(&self) -> usize {
        let lines = self.json(&["round", "show", "1"]);
        lines.iter().filter(|line| line["board"].is_u64()).count()
    }
}

#[test]
fn another_events_file_is_refused_and_opened_beside_this_one() {
    let event = Event::opened();
    let other = CLUB
        .replace("Club Open", "Winter Open")
        .replace("Charlie, Cid", "Smith, Jo   ");
    let file = event.file("winter.trf", &other);
    let said = event.not_done(&["import", &file, "--yes"]);
    let differs = "winter.trf is not imported: the file is about a different event: the event is “Club Open” here and “Winter Open” in the file; \
                   player 3 is Charlie, Cid here and Smith, Jo in the file.";
    assert!(said.contains(differs), "{said}");
    assert!(said.contains("--set-aside 'Club Open'"), "{said}");

    let said = event.not_done(&["open", &file]);
    assert!(said.contains("add --set-aside 'Club Open'"), "{said}");
    let said = event.not_done(&["open", &file, "--set-aside", "club open"]);
    assert!(said.contains("type exactly that name"), "{said}");
    event.done(&["open", &file, "--set-aside", "Club Open"]);
    let list = event.done(&["list"]);
    assert!(
        list.contains("Club Open") && list.contains("set aside"),
        "{list}"
    );
    let kept = event.done(&["export", "--event", "1"]);
    assert!(kept.starts_with("012 Club Open"), "{kept}");
    event.done(&["switch", "1", "--set-aside", "Winter Open"]);
    let events = event.json(&["list"]);
    assert_eq!(
        (&events[0]["present"], &events[1]["present"]),
        (&true.into(), &false.into())
    );
    let said = event.not_done(&["switch", "7", "--set-aside", "Club Open"]);
    assert!(said.contains("the hub has no event 7"), "{said}");
}

#[test]
fn an_empty_event_replaces_this_one_until_it_is_undone() {
    let event = Event::opened();
    let said = event.not_done(&["new", "Spring Open"]);
    assert!(said.contains("add --set-aside 'Club Open'"), "{said}");
    let said = event.not_done(&["new", "Spring Open", "--set-aside", "Club"]);
    assert!(said.contains("type exactly that name"), "{said}");
    let said = event.done(&[
        "new",
        "Spring Open",
        "--rounds",
        "7",
        "--set-aside",
        "Club Open",
    ]);
    assert!(said.contains("Spring Open: a new event"), "{said}");
    let events = event.json(&["list"]);
    let named = |at: usize| (events[at]["name"].clone(), events[at]["players"].clone());
    assert_eq!(named(0), ("Club Open".into(), 6.into()));
    assert_eq!(named(1), ("Spring Open".into(), 0.into()));
    assert_eq!(events[1]["present"], true);
    event.done(&["enter", "Lund, Eva"]);
    event.done(&["switch", "1", "--set-aside", "Spring Open"]);
    assert_eq!(event.json(&["list"])[0]["present"], true);

    event.done(&["new", "Third Open", "--set-aside", "Club Open"]);
    event.done(&["undo", "--yes"]);
    let status = event.done(&["status"]);
    assert!(status.contains("Club Open"), "{status}");
}

#[test]
fn a_one_row_table_removes_a_pairing_only_with_the_exact_count() {
    let event = Event::opened();
    let table = event.file("board1.csv", "Round,Board,White,Black\n1,1,1,5\n");
    let (out, err) = event.run(&["import", &table, "--yes"], 1);
    assert!(out.contains("Round 1: 1 pairing removed:\n"), "{out}");
    assert!(
        err.contains("removes 1 pairing; to allow this, add `--remove-pairings 1`"),
        "{err}"
    );
    event.not_done(&["import", &table, "--yes", "--remove-pairings", "2"]);
    assert_eq!(event.boards(), 3);
    event.done(&["import", &table, "--yes", "--remove-pairings", "1"]);
    assert_eq!(event.boards(), 2);

    let status = event.done(&["status"]);
    assert!(status.contains("board1.csv was imported by"), "{status}");
    let (out, err) = event.run(&["undo"], 1);
    assert!(out.starts_with("The import of board1.csv by "), "{out}");
    assert!(err.contains("confirm with --yes"), "{err}");
    event.done(&["undo", "--dry-run"]);
    assert_eq!(event.boards(), 2, "nothing was changed");
    assert_eq!(
        event.done(&["undo", "--yes"]),
        format!("{out}board1.csv: undone\n")
    );
    assert_eq!(event.boards(), 3);
}

#[test]
fn an_undo_is_refused_with_the_change_that_depends_on_it() {
    let event = Event::opened();
    event.done(&["round", "unpair", "1"]);
    let table = event.file(
        "round1.csv",
        "Round,Board,White,Black\n1,1,1,4\n1,2,5,2\n1,3,3,6\n",
    );
    event.done(&["import", &table, "--yes"]);
    event.done(&["result", "2", "1-0"]);
    let said = event.not_done(&["undo", "--yes"]);
    assert!(said.contains("“round 1, board 2: 1-0”, by"), "{said}");
    event.done(&["result", "2", "none", "--reason", "wrong board"]);
    event.done(&["undo", "--yes"]);
    assert_eq!(
        event.json(&["status"])[0]["paired"],
        Value::Array(Vec::new())
    );
}
