//! `flagfall event` with a running hub: an event is opened, played, corrected, confirmed, paired again and exported.

use std::path::Path;

use serde_json::Value;

use crate::program::{Serving, expect, flagfall};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rigs/fake-bbp.sh");

/// A report with four players; round 1 of 3 is paired, but not played.
const CLUB: &str = "012 Club Open\n062 4\n142 3\n152 W\n202 BH,SB\n\
001    1 m    Alpha, Anna                       2100                             0.0    1     3 w  \n\
001    2 w    Bravo, Bea                        2000                             0.0    2     4 b  \n\
001    3 m    Charlie, Cid                      1900                             0.0    3     1 b  \n\
001    4 m    Delta, Dan                        1800                             0.0    4     2 w  \n";

struct Event {
    hub: Serving,
    dir: tempfile::TempDir,
}

impl Event {
    fn start(settings: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start_with(dir.path(), settings);
        Self { hub, dir }
    }

    fn opened(settings: &[&str]) -> Self {
        let event = Self::start(settings);
        let file = event.file("club.trf", CLUB);
        event.done(&["open", &file]);
        event
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs `flagfall event`, which must exit with `code`; returns standard output and standard error.
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

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let out = self.done(&[arguments, &["--json"]].concat());
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

#[test]
fn an_event_is_opened_played_and_confirmed() {
    let event = Event::start(&[]);
    let said = event.not_done(&["standings"]);
    assert!(said.contains("the hub has no event yet"), "{said}");
    let file = event.file("club.trf", CLUB);
    let out = event.done(&["open", &file]);
    assert!(out.starts_with("New event: Club Open, 3 rounds\n"), "{out}");
    assert!(out.ends_with("club.trf: imported\n"), "{out}");
    let said = event.not_done(&["open", &file]);
    assert!(
        said.contains("the hub already has an event, Club Open"),
        "{said}"
    );

    let out = event.done(&["status"]);
    assert!(
        out.starts_with("Club Open\n4 players, Swiss, 1 of 3 rounds paired\n"),
        "{out}"
    );
    let out = event.done(&["round", "show"]);
    let board = "    1   1  Alpha, Anna   3  Charlie, Cid  paired\n";
    assert!(out.contains(board), "{out}");

    let said = event.not_done(&["round", "confirm"]);
    assert!(
        said.contains("round 1 is not finished: board 1 has no result"),
        "{said}"
    );
    let out = event.done(&["result", "1", "1-0"]);
    assert_eq!(out, "round 1, board 1, Alpha, Anna – Charlie, Cid: 1-0\n");
    event.done(&["result", "2", "-:+"]);
    let out = event.done(&["status"]);
    assert!(out.contains("round 1 waits for the chief arbiter"), "{out}");
    event.done(&["round", "confirm"]);
    let status = &event.json(&["status"])[0];
    assert_eq!(status["paired"][0]["state"], "confirmed");
    assert_eq!(status["paired"][0]["open"], 0);
}

#[test]
fn a_result_is_corrected_with_a_reason() {
    let event = Event::opened(&[]);
    event.done(&["result", "1", "1-0"]);
    let said = event.not_done(&["result", "1", "0-1"]);
    assert!(
        said.contains("give a reason for changing the result"),
        "{said}"
    );
    let out = event.done(&["result", "1", "0-1", "--reason", "misread"]);
    assert!(out.ends_with(": 0-1 (was 1-0)\n"), "{out}");
    let places = event.json(&["standings"]);
    assert_eq!(places[0]["name"], "Charlie, Cid");
    event.done(&["result", "1", "none", "--reason", "they play on"]);
    assert_eq!(event.json(&["round", "show"])[0]["result"], Value::Null);
    event.run(&["result", "1", "2-0"], 2);
    let said = event.not_done(&["result", "9", "1-0"]);
    assert!(said.contains("round 1 has no board 9"), "{said}");
    event.done(&["result", "1", "1/2"]);
    event.done(&["result", "2", "1/2"]);
    event.done(&["round", "confirm", "1"]);
    let said = event.not_done(&["result", "2", "1-0", "--reason", "late"]);
    assert!(said.contains("round 1 is confirmed"), "{said}");
    event.done(&["round", "reopen", "1", "--reason", "a protest"]);
    event.done(&["result", "2", "1-0", "--reason", "the protest is upheld"]);
}

#[test]
fn a_round_is_paired_by_the_program() {
    let event = Event::opened(&["--pairing-program", FAKE]);
    let said = event.not_done(&["pair", "--yes"]);
    assert!(
        said.contains("board 1 of round 1 has no final result yet"),
        "{said}"
    );
    event.done(&["result", "1", "1-0"]);
    event.done(&["result", "2", "0-1"]);
    event.done(&["bye", "4", "2", "half"]);
    event.done(&["enter", "Foxtrot, Fay", "--rating", "1700"]);
    let before = event.json(&["status"])[0]["version"].clone();
    let (out, err) = event.run(&["pair"], 1);
    assert!(
        out.starts_with("Round 2 is paired: 2 boards, 1 bye\n"),
        "{out}"
    );
    assert!(err.contains("confirm with --yes"), "{err}");
    event.done(&["pair", "--dry-run"]);
    assert_eq!(
        event.json(&["status"])[0]["version"],
        before,
        "nothing was changed"
    );
    event.done(&["pair", "--yes"]);
    assert_eq!(event.json(&["status"])[0]["paired"][1]["boards"], 2);

    event.done(&["withdraw", "2", "--after", "1", "--reason", "ill"]);
    event.done(&["return", "2"]);
    event.done(&["round", "unpair", "2"]);
    let out = event.done(&["export"]);
    let copy = event.file("copy.trf", &out);
    let (out, _) = expect(&flagfall(&["event", "check", &copy]), 0);
    assert!(
        out.starts_with("Club Open\n5 players, 1 of 3 rounds paired\n"),
        "{out}"
    );
    let out = event.done(&["export", "--as", "pairings", "--round", "1"]);
    assert!(
        out.contains("1,1,1,\"Alpha, Anna\",,3,\"Charlie, Cid\",,1-0"),
        "{out}"
    );
    let (out, _) = event.run(&["import", &copy], 0);
    assert_eq!(out, "copy.trf has nothing new\n");
}

#[test]
fn a_missing_program_is_reported_and_changes_nothing() {
    let event = Event::opened(&["--pairing-program", "/no/such/program"]);
    event.done(&["result", "1", "1-0"]);
    event.done(&["result", "2", "0-1"]);
    let said = event.not_done(&["pair", "--yes"]);
    assert!(
        said.contains(
            "nothing is paired: cannot start the pairing program /no/such/program: No such file"
        ),
        "{said}"
    );
    assert_eq!(
        event.json(&["status"])[0]["paired"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_round_robin_needs_no_program() {
    let event = Event::start(&[]);
    event.done(&[
        "new",
        "Club Championship",
        "--system",
        "round-robin",
        "--rounds",
        "3",
        "--tie-breaks",
        "SB",
    ]);
    for name in ["Alpha", "Bravo", "Charlie", "Delta"] {
        event.done(&["enter", name]);
    }
    event.done(&["pair", "--all", "--yes"]);
    assert_eq!(
        event.json(&["status"])[0]["paired"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    event.done(&["set", "--sector", "stage=1-1", "--city", "Bergen"]);
    event.run(&["set"], 2);
    assert!(event.done(&["standings"]).contains("SB"));
    event.done(&["set", "--tie-breaks", "none"]);
    assert!(!event.done(&["standings"]).contains("SB"));
    for wrong in [
        &["enter", "Echo", "--rating", "10000"][..],
        &["enter", "Echo", "--no", "0"],
        &["bye", "1", "0", "half"],
        &["set", "--rounds", "201"],
    ] {
        event.run(wrong, 2);
    }
    let said = event.not_done(&["enter", "Echo", "--federation", "NORW"]);
    assert!(said.contains("at most three letters"), "{said}");
}

#[test]
fn a_late_arrival_gets_one_more_board() {
    let event = Event::opened(&[]);
    event.done(&["enter", "Echo, Eve", "--from", "1"]);
    event.done(&["enter", "Foxtrot, Fay"]);
    event.done(&["result", "1", "1-0"]);
    let out = event.done(&["round", "reseat", "1", "3", "5", "6"]);
    assert_eq!(out, "round 1, board 3: Echo, Eve – Foxtrot, Fay\n");
    let boards = event.json(&["round", "show", "1"]);
    assert_eq!((boards.len(), &boards[2]["white"]), (3, &5.into()));
}

#[test]
fn a_sector_has_its_own_boards_and_control() {
    let event = Event::opened(&[]);
    event.run(&["set", "--sector-control", "stage=3m+2s"], 2);
    event.done(&[
        "set",
        "--sector",
        "stage=1",
        "--sector-control",
        "stage=3m+2s",
    ]);
    let said = event.not_done(&["set", "--sector-control", "stage=soon"]);
    assert!(said.contains("of sector stage cannot be read"), "{said}");
    event.done(&["set", "--sector", "stage=1-2"]);
    let said = event.done(&["status"]);
    assert!(said.contains("\nstage: boards 1 to 2, 3m+2s\n"), "{said}");
    event.done(&["set", "--sector", "stage=2"]);
    let boards = event.json(&["preset", "1", "--dry-run"]);
    let own = boards[0]["control"].as_str().unwrap();
    assert!(own != "3m+2s" && !own.is_empty(), "{own}");
    assert_eq!(boards[1]["control"], "3m+2s");
    event.done(&["set", "--sector-control", "stage=fide-rapid-25-10"]);
    let boards = event.json(&["preset", "1", "--dry-run"]);
    assert_eq!(boards[1]["control"], "25m+10s");
    let named = event.json(&["preset", "1", "--dry-run", "--control", "fide-90-30"]);
    assert_eq!(named[0]["control"], "90m+30s runs on");
    let said = event.not_done(&["preset", "1", "--control", "fide-none"]);
    assert!(said.contains("fide-none"), "{said}");
    event.done(&["set", "--sector-control", "stage="]);
    let boards = event.json(&["preset", "1", "--dry-run"]);
    assert_eq!(boards[0]["control"], boards[1]["control"]);
}

#[test]
fn the_event_and_a_round_have_a_rule_set() {
    let event = Event::opened(&[]);
    event.done(&["set", "--rules", "uscf", "--round-rules", "2=fide-blitz"]);
    let said = event.done(&["status"]);
    assert!(said.contains("\nrule set: US Chess (uscf)\n"), "{said}");
    let of_round = "\nrule set of round 2: FIDE, blitz chess (fide-blitz)\n";
    assert!(said.contains(of_round), "{said}");
    for wrong in [
        &["--rules", "chess960"][..],
        &["--round-rules", "0=uscf"],
        &["--round-rules", "200=uscf"],
        &["--round-rules", "uscf"],
    ] {
        event.run(&[&["set"][..], wrong].concat(), 2);
    }
    event.done(&["set", "--rules", "none", "--round-rules", "2="]);
    let status = &event.json(&["status"])[0];
    assert_eq!(
        (&status["rules"], &status["round_rules"]),
        (&"".into(), &serde_json::json!([]))
    );
}

#[test]
fn two_players_swap_seats_or_a_seat_and_a_bye() {
    let event = Event::opened(&[]);
    let seats = || -> Vec<[u64; 2]> {
        let boards = event.json(&["round", "show", "1"]);
        let boards = boards.iter().filter(|board| board["board"].is_u64());
        boards
            .map(|board| ["white", "black"].map(|side| board[side].as_u64().unwrap()))
            .collect()
    };
    let before = seats();
    let [[a, b], [c, d]] = before[..] else {
        panic!("two boards: {before:?}");
    };
    event.done(&["round", "swap", "1", &b.to_string(), &c.to_string()]);
    assert_eq!(seats(), [[a, c], [b, d]]);
    let all = [1, a, b, 2, c, d].map(|no| no.to_string());
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    event.done(&[&["round", "reseat", "1"][..], &all].concat());
    assert_eq!(seats(), before);
    event.run(&["round", "reseat", "1", "1", "2", "3", "2"], 2);
    event.run(&["round", "swap", "1", "77", "78"], 2);
    event.done(&["enter", "Echo, Eve", "--from", "1"]);
    event.done(&["bye", "5", "1", "half"]);
    event.done(&["round", "swap", "1", &d.to_string(), "5"]);
    assert_eq!(seats(), [[a, b], [c, 5]]);
    let said = event.done(&["round", "show", "1"]);
    assert!(said.contains("(half-point bye)"), "{said}");
}

/// When rounds are paired in advance, a command without a round number applies to the round in play.
#[test]
fn the_round_defaults_to_the_one_in_play() {
    let event = Event::start(&[]);
    let robin = ["--system", "round-robin", "--rounds", "3"];
    event.done(&[&["new", "Club Championship"][..], &robin].concat());
    for name in ["Alpha", "Bravo", "Charlie", "Delta"] {
        event.done(&["enter", name]);
    }
    event.done(&["pair", "--all", "--yes"]);
    let out = event.done(&["result", "2", "1-0"]);
    assert!(out.starts_with("round 1, board 2, "), "{out}");
    event.done(&["result", "1", "1/2"]);
    let out = event.done(&["result", "1", "0-1"]);
    assert!(out.starts_with("round 2, board 1, "), "{out}");
    let out = event.done(&["withdraw", "4"]);
    assert!(out.ends_with("withdrawn after round 2\n"), "{out}");
    event.done(&["return", "4"]);
    event.done(&["result", "2", "0-1"]);
    let out = event.done(&["round", "show"]);
    assert!(out.starts_with("round 3: paired\n"), "{out}");
    let out = event.done(&["status"]);
    for no in ["1", "2"] {
        let waits = format!("round {no} waits for the chief arbiter");
        assert!(out.contains(&waits), "{out}");
    }
    assert_eq!(event.done(&["round", "confirm"]), "round 1: confirmed\n");
    assert_eq!(event.done(&["round", "confirm"]), "round 2: confirmed\n");
    let said = event.not_done(&["round", "confirm"]);
    assert!(said.contains("round 3 is not finished"), "{said}");
}

/// In a swap, a bye that was granted before the pairing goes to the player who gives up the seat, and goes back when the swap is undone.
#[test]
fn a_swap_with_a_bye_can_be_undone() {
    let event = Event::opened(&[]);
    event.done(&["round", "unpair", "1"]);
    event.done(&["enter", "Echo, Eve"]);
    for (bye, word) in [("pairing", ""), ("half", ""), ("none", "0")] {
        event.done(&["bye", "5", "1", bye]);
        match word {
            "0" => event.done(&["withdraw", "5", "--after", word]),
            _ => String::new(),
        };
        let table = event.file("round1.csv", "Round,Board,White,Black\n1,1,1,3\n1,2,2,4\n");
        event.done(&["import", &table, "--yes"]);
        let before = event.done(&["round", "show", "1"]);
        let (_, without) = before.split_once("without a game: Echo, Eve ").unwrap();
        assert!(without.contains(" bye)"), "{before}");
        assert_eq!(event.json(&["status"])[0]["paired"][0]["byes"], 1);
        event.done(&["round", "swap", "1", "5", "1"]);
        let swapped = event.done(&["round", "show", "1"]);
        let gets = format!("without a game: Alpha, Anna {without}");
        assert!(swapped.ends_with(&gets), "{swapped}");
        event.done(&["round", "swap", "1", "5", "1"]);
        assert_eq!(event.done(&["round", "show", "1"]), before);
        event.done(&["round", "unpair", "1"]);
    }
}

#[test]
fn questionable_commands_print_a_warning() {
    let event = Event::opened(&[]);
    event.done(&["result", "1", "1-0"]);
    event.done(&["result", "2", "1-0"]);
    let table = event.file("round2.csv", "Round,Board,White,Black\n2,1,2,1\n2,2,3,4\n");
    event.done(&["import", &table, "--yes"]);
    let said = |arguments: &[&str]| event.run(arguments, 0).1;

    let again = said(&["round", "swap", "2", "2", "3"]);
    let wanted = "please check: 3 Charlie, Cid and 1 Alpha, Anna played each other in round 1";
    assert!(again.contains(wanted), "{again}");
    assert_eq!(said(&["round", "swap", "2", "2", "3"]), "");
    let away = said(&["withdraw", "4", "--after", "1"]);
    let wanted =
        "please check: 4 Delta, Dan withdraws after round 1 but has a game on board 2 in round 2";
    assert_eq!(away.trim_end(), wanted);
    let seated = said(&["round", "swap", "2", "4", "1"]);
    let wanted = "4 Delta, Dan is paired in round 2 but withdrew after round 1";
    assert!(seated.contains(wanted), "{seated}");

    event.done(&["enter", "Echo, Eve", "--from", "2"]);
    event.done(&["enter", "Foxtrot, Fay", "--from", "2"]);
    assert_eq!(said(&["bye", "5", "2", "pairing"]), "");
    let two = said(&["bye", "6", "2", "pairing"]);
    let wanted = "round 2: 2 players have the pairing-allocated bye, which only one can have: 5 Echo, Eve, 6 Foxtrot, Fay";
    assert!(two.contains(wanted), "{two}");
    assert_eq!(said(&["bye", "6", "2", "half"]), "");
}

#[test]
fn a_file_is_shown_before_it_is_imported() {
    let event = Event::opened(&[]);
    let table = event.file(
        "round1.csv",
        "Board,White,Black,Result\n1,1,3,1-0\n2,4,2,0-1\n",
    );
    let (out, err) = event.run(&["import", &table], 1);
    assert!(
        out.contains("Round 1, board 1, Alpha, Anna – Charlie, Cid: 1-0\n"),
        "{out}"
    );
    assert!(
        err.contains("nothing was changed: there is no terminal"),
        "{err}"
    );
    let shown = event.json(&["import", &table, "--dry-run"]);
    assert_eq!(shown[0]["items"][0]["kind"], "new_result");
    event.done(&["import", &table, "--yes"]);
    assert_eq!(event.json(&["standings"])[0]["points"], "1.0");

    let broken = event.file("broken.trf", "012 A cup\n001 xx\n");
    let (_, err) = event.run(&["import", &broken, "--yes"], 2);
    assert!(
        err.contains("broken.trf is not imported: line 2, column 5: expected"),
        "{err}"
    );
    event.run(&["import", "/no/such/file"], 1);
}

#[test]
fn news_from_the_watched_folder_is_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let watched = folder.path().to_str().unwrap();
    let event = Event::opened(&["--watch-folder", watched, "--watch-every", "20ms"]);
    assert_eq!(
        event.done(&["import", "--watched"]),
        format!("{watched}: nothing new\n")
    );
    let played = CLUB.replace("3 w  ", "3 w 1").replace("1 b  ", "1 b 0");
    write_at_once(folder.path(), "club.trf", &played);
    // The hub checks the folder at its own intervals, and `status` shows the outcome.
    let news = loop {
        let status = event.json(&["status"]).remove(0);
        if status["news"]
            .as_array()
            .is_some_and(|news| !news.is_empty())
        {
            break status["news"][0].clone();
        }
    };
    assert_eq!(news["file"], "club.trf");
    let out = event.done(&["status"]);
    assert!(
        out.ends_with("club.trf is new: `flagfall event import --watched` imports it\n"),
        "{out}"
    );
    let out = event.done(&["import", "--watched", "--yes"]);
    assert!(
        out.contains("Round 1, board 1, Alpha, Anna – Charlie, Cid: 1-0\n"),
        "{out}"
    );
    assert_eq!(
        event.json(&["status"])[0]["news"].as_array().unwrap().len(),
        0
    );
}

/// Writes a file atomically, as careful programs do: a complete temporary file is renamed to `name`.
fn write_at_once(folder: &Path, name: &str, text: &str) {
    let hidden = folder.join(format!(".{name}.new"));
    std::fs::write(&hidden, text).unwrap();
    std::fs::rename(hidden, folder.join(name)).unwrap();
}

#[test]
fn a_floor_arbiter_enters_results_but_cannot_confirm() {
    let event = Event::opened(&[]);
    let dir = event.dir.path().to_str().unwrap();
    let key = event.dir.path().join("floor.pem");
    let key = key.to_str().unwrap();
    let made = [
        "credential",
        "--role",
        "floor",
        "--name",
        "Ann",
        key,
        "--data-dir",
        dir,
    ];
    expect(&flagfall(&made), 0);
    event.done(&["result", "1", "1-0", "--key", key]);
    event.done(&["result", "2", "1-0", "--key", key]);
    let said = event.not_done(&["round", "confirm", "--key", key]);
    assert!(
        said.contains("this needs the role chief; Ann has the role floor"),
        "{said}"
    );
    let said = event.not_done(&["pair", "--yes", "--key", key]);
    assert!(said.contains("not allowed"), "{said}");
    event.done(&["status", "--key", key]);
}
