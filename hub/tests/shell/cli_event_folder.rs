//! `flagfall event import` with a folder into which pairing programs write: files that the hub offers or no longer offers, and an
//! incomplete round.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Serving, expect};

/// A report with four players; round 1 of 3 is paired, but not played.
const CLUB: &str = "012 Club Open\n062 4\n142 3\n152 W\n202 BH,SB\n\
001    1 m    Alpha, Anna                       2100                             0.0    1     3 w  \n\
001    2 w    Bravo, Bea                        2000                             0.0    2     4 b  \n\
001    3 m    Charlie, Cid                      1900                             0.0    3     1 b  \n\
001    4 m    Delta, Dan                        1800                             0.0    4     2 w  \n";

struct Hall {
    hub: Serving,
    dir: TempDir,
    folder: TempDir,
}

impl Hall {
    fn opened() -> Self {
        let (dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let watched = folder.path().to_str().unwrap();
        let settings = ["--watch-folder", watched, "--watch-every", "20ms"];
        let hub = Serving::start_with(dir.path(), &settings);
        let hall = Self { hub, dir, folder };
        let file = hall.dir.path().join("club.trf");
        std::fs::write(&file, CLUB).unwrap();
        hall.run(&["open", file.to_str().unwrap()], 0);
        hall
    }

    fn restarted(self) -> Self {
        let Self { hub, dir, folder } = self;
        assert_eq!(hub.stop(), Some(0));
        let watched = folder.path().to_str().unwrap();
        let settings = ["--watch-folder", watched, "--watch-every", "20ms"];
        let hub = Serving::start_with(dir.path(), &settings);
        Self { hub, dir, folder }
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        expect(&self.hub.event(self.dir.path(), arguments), code)
    }

    /// Writes a file in the folder atomically, as careful programs do: a complete temporary file is renamed to `name`.
    fn write(&self, name: &str, text: &str) {
        let hidden = self.folder.path().join(format!(".{name}.new"));
        std::fs::write(&hidden, text).unwrap();
        std::fs::rename(hidden, self.folder.path().join(name)).unwrap();
    }

    fn path(&self, name: &str) -> String {
        let path: &Path = &self.folder.path().join(name);
        path.to_str().unwrap().to_owned()
    }

    #[track_caller]
    fn news(&self) -> Vec<String> {
        let (out, _) = self.run(&["status", "--json"], 0);
        let status: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
        let news = status["news"].as_array().unwrap().iter();
        news.map(|news| news["file"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Waits until exactly these files are offered. The hub checks the folder at its own intervals.
    #[track_caller]
    fn wait_for(&self, names: &[&str]) {
        while self.news() != names {}
    }
}

#[test]
fn one_file_that_is_refused_holds_up_no_other() {
    let hall = Hall::opened();
    hall.run(&["result", "1", "1-0"], 0);
    hall.write("a.csv", "Board,White,Black\n1,2,3\n2,1,4\n");
    hall.write("b.csv", "Board,White,Black,Result\n1,1,3,\n2,4,2,0-1\n");
    hall.write("c.trf", "012 A cup\n001 xx\n");
    hall.wait_for(&["a.csv", "b.csv", "c.trf"]);
    let (out, err) = hall.run(&["import", "--watched", "--yes"], 1);
    assert!(out.contains("Delta, Dan – Bravo, Bea: 0-1\n"), "{out}");
    assert!(
        err.contains("a.csv is not imported") && err.contains("round 1 has begun"),
        "{err}"
    );
    assert!(err.contains("c.trf is not imported:\nline 2"), "{err}");
    assert_eq!(hall.news(), ["a.csv", "c.trf"]);

    let (_, err) = hall.run(&["import", "--watched", "b.csv"], 1);
    assert!(err.contains("b.csv is not a new file of"), "{err}");
    hall.run(&["import", "--watched", "c.trf"], 2);
    let (out, _) = hall.run(&["import", "--dismiss", "a.csv"], 0);
    assert_eq!(out, "a.csv: dismissed\n");
    assert_eq!(hall.news(), ["c.trf"]);
    hall.run(&["import", "--dismiss", "a.csv", "--yes"], 2);
}

#[test]
fn an_imported_file_is_not_offered_again_after_a_correction() {
    let hall = Hall::opened();
    let table = "Board,White,Black,Result\n1,1,3,1-0\n2,4,2,1/2\n";
    hall.write("round1.csv", table);
    hall.wait_for(&["round1.csv"]);
    // An arbiter imports the file by hand, although the hub also offers it.
    hall.run(&["import", &hall.path("round1.csv"), "--yes"], 0);
    assert_eq!(hall.news(), [""; 0]);
    hall.run(&["round", "confirm", "1"], 0);
    hall.run(&["round", "reopen", "1", "--reason", "a protest"], 0);
    hall.run(&["result", "2", "0-1", "--reason", "appeal upheld"], 0);
    assert_eq!(hall.news(), [""; 0]);

    // A file with different bytes but the same table: it still contradicts the corrected board, and says nothing new about the others.
    hall.write("again.csv", &format!("{table}\n"));
    let (out, err) = hall.run(&["import", &hall.path("again.csv"), "--yes"], 0);
    assert_eq!(out, "again.csv has nothing new\n");
    assert!(
        err.contains("the file still has ½-½; the arbiter's correction stays: 0-1"),
        "{err}"
    );
    let (out, _) = hall.run(&["round", "show"], 0);
    assert!(out.contains("0-1"), "{out}");
}

#[test]
fn decisions_about_files_survive_a_restart() {
    let hall = Hall::opened();
    hall.write(
        "round1.csv",
        "Board,White,Black,Result\n1,1,3,1-0\n2,4,2,1/2\n",
    );
    hall.wait_for(&["round1.csv"]);
    hall.run(&["import", "--watched", "--yes"], 0);
    hall.run(&["result", "2", "none", "--reason", "they play on"], 0);
    hall.write("no.csv", "Board,White,Black\n3,1,2\n");
    hall.wait_for(&["no.csv"]);
    hall.run(&["import", "--dismiss", "no.csv"], 0);
    hall.write("other.csv", "Round,White,Black\n2,1,2\n2,3,4\n");
    hall.wait_for(&["other.csv"]);
    let hall = hall.restarted();
    // The hub checks all three files together, so once it offers the last one, it has also judged the others.
    while !hall.news().iter().any(|name| name == "other.csv") {}
    assert_eq!(hall.news(), ["other.csv"]);
    let (_, err) = hall.run(&["import", "--watched", "round1.csv"], 1);
    assert!(err.contains("round1.csv is not a new file of"), "{err}");
}

#[test]
fn an_incomplete_round_is_detected() {
    let hall = Hall::opened();
    hall.run(&["result", "1", "1-0"], 0);
    hall.run(&["result", "2", "1-0"], 0);
    let file = hall.dir.path().join("half.csv");
    std::fs::write(&file, "Board,White,Black\n1,3,1\n").unwrap();
    let (out, _) = hall.run(&["import", file.to_str().unwrap(), "--yes"], 0);
    let left = "2 players have no opponent and no bye: Bravo, Bea; Delta, Dan\n";
    assert!(out.contains(left), "{out}");
    hall.run(&["bye", "4", "2", "half"], 0);
    let (out, _) = hall.run(&["round", "show"], 0);
    let without =
        "\nwithout a game: Bravo, Bea (no opponent and no bye); Delta, Dan (half-point bye)\n";
    assert!(out.ends_with(without), "{out}");
    let (out, _) = hall.run(&["round", "show", "--json"], 0);
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(last["without_a_game"].as_array().unwrap().len(), 2);
}

#[test]
fn another_events_file_in_the_folder_is_refused_with_the_differences() {
    let hall = Hall::opened();
    hall.write("winter.trf", &CLUB.replace("Club Open", "Winter Open"));
    hall.wait_for(&["winter.trf"]);
    let (out, _) = hall.run(&["status"], 0);
    let wanted = "winter.trf is a different event's file: `flagfall event import --watched` shows the differences\n";
    assert!(out.contains(wanted), "{out}");
    let (_, err) = hall.run(&["import", "--watched", "--yes"], 2);
    assert!(
        err.contains("the event is “Club Open” here and “Winter Open” in the file"),
        "{err}"
    );
    let (out, _) = hall.run(&["status"], 0);
    assert!(out.starts_with("Club Open\n"), "{out}");
}
