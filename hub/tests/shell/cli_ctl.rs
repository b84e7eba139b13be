//! `flagfall ctl`, `enrol` and `credential` against a hub in a separate process, and `replay` of its log.

use std::process::Output;

use serde_json::Value;

use crate::program::{Serving, command, expect, flagfall};

#[test]
fn an_arbiter_sets_up_a_hall_from_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start_with(dir.path(), &["--time-zone", "Asia/Kolkata"]);
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    let (out, _) = expect(&ctl(&["list"]), 0);
    assert!(out.contains("no boards yet"), "{out}");
    let (out, _) = expect(&ctl(&["add", "1-3,A1", "fide-blitz-3-2"]), 0);
    assert_eq!(
        out,
        "board 1: done\nboard 2: done\nboard 3: done\nboard A1: done\n"
    );
    expect(
        &ctl(&["names", "1", "Berg, Anna", "Cruz, Ben", "--round", "2"]),
        0,
    );
    expect(&ctl(&["set", "1", "white", "1m30s"]), 0);
    expect(
        &ctl(&["add-time", "1", "black", "-30s", "--reason", "late"]),
        0,
    );
    stale_is_refused_with_the_time(&ctl);
    expect(&ctl(&["moves", "1", "white", "41"]), 0);
    expect(&ctl(&["swap", "2"]), 0);
    expect(
        &ctl(&[
            "control",
            "3",
            "40/90m+30s : 30m+30s",
            "--start",
            "black-press",
        ]),
        0,
    );

    let (out, _) = expect(&ctl(&["list", "1,3", "--json"]), 0);
    let boards: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(boards[0]["white"]["name"], "Berg, Anna");
    assert_eq!(boards[0]["white"]["us"], 90_000_000);
    assert_eq!(boards[0]["black"]["us"], 152_000_000);
    assert_eq!(boards[0]["white"]["moves"], 41);
    assert_eq!(boards[1]["control"], "40/90m+30s : 30m+30s");
    let (out, _) = expect(&ctl(&["show", "2"]), 0);
    assert!(out.contains("White: right"), "{out}");
    let (out, _) = expect(&ctl(&["list"]), 0);
    assert!(out.contains("Cruz, Ben") && out.contains("ready"), "{out}");
    expect(&ctl(&["add", "10"]), 0);
    let (out, _) = expect(&ctl(&["list", "--json"]), 0);
    let names = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["board"].clone());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["1", "2", "3", "10", "A1"],
        "by number"
    );
    expect(&ctl(&["remove", "10"]), 0);

    leave_and_replay(hub, &dir);
}

fn stale_is_refused_with_the_time(ctl: &impl Fn(&[&str]) -> Output) {
    let stale = ["moves", "1", "white", "40", "--seen", "0"];
    let (out, _) = expect(&ctl(&stale), 1);
    let (_, changed) = out.split_once("has changed since you looked: ").unwrap();
    let (time, rest) = changed.rsplit_once(" at ").unwrap().1.split_at(8);
    assert!(changed.contains("add black -30s by chief at "), "{out}");
    assert!(rest.starts_with(". Check it, then decide"), "{out}");
    let (out, _) = expect(&ctl(&[&stale[..], &["--json"]].concat()), 1);
    let refused: Value = serde_json::from_str(&out).unwrap();
    let newest = refused["changes"].as_array().unwrap().last().unwrap();
    assert_eq!(newest["kind"], "CHANGE_KIND_TIME_ADDED");
    let at = newest["at"].as_str().unwrap();
    assert!(at.contains(time) && at.ends_with("+05:30"), "{at}");
}

/// Ends the day: enters a result, removes a board, and reads the log both while the hub is running and after it has stopped.
fn leave_and_replay(hub: Serving, dir: &tempfile::TempDir) {
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    let (out, _) = expect(&ctl(&["log", "1"]), 0);
    assert!(out.lines().count() >= 5 && out.contains("late"), "{out}");
    let first = out.lines().next().unwrap();
    assert!(first.contains("+05:30"), "times are the hall's: {first}");
    expect(&ctl(&["result", "2", "1-0f"]), 0);
    let (out, _) = expect(&ctl(&["list", "2"]), 0);
    assert!(out.contains("1-0f"), "{out}");
    expect(&ctl(&["remove", "A1"]), 0);
    let (out, _) = expect(&ctl(&["list", "all", "--json"]), 0);
    assert_eq!(out.lines().count(), 3);
    one_game_of_a_board(&ctl);
    assert_eq!(hub.stop(), Some(0));

    let path = dir.path().to_str().unwrap();
    let records = ["replay", path, "--records", "--board"];
    let (out, _) = expect(&flagfall(&[&records[..], &["1"]].concat()), 0);
    assert!(
        out.contains("Berg, Anna") && out.contains("0:01:30.000000"),
        "{out}"
    );
    let zone = ["--time-zone", "Asia/Kolkata"];
    let (out, _) = expect(&flagfall(&[&["replay", path], &zone[..]].concat()), 0);
    assert!(out.lines().next().unwrap().contains("+05:30"), "{out}");
    let (out, _) = expect(&flagfall(&["replay", path, "--json"]), 0);
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(last["boards"][0]["white"]["us"], 90_000_000);
    expect(&flagfall(&["replay", path, "--board", "77"]), 1);
    replay_says_what_changed(path);
}

/// Sets the clock of board 2 again after a result, and reads each of the board's games separately.
fn one_game_of_a_board(ctl: &impl Fn(&[&str]) -> Output) {
    expect(&ctl(&["control", "2", "7m"]), 0);
    let texts = |arguments: &[&str]| -> Vec<(u64, String)> {
        let (out, _) = expect(&ctl(&[&["log", "2", "--json"], arguments].concat()), 0);
        let lines = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|line| {
                let text = line["text"].as_str().unwrap().to_owned();
                (line["game"].as_u64().unwrap(), text)
            })
            .collect()
    };
    let (all, first, second) = (texts(&[]), texts(&["--game", "1"]), texts(&["--game", "2"]));
    assert_eq!([first.clone(), second.clone()].concat(), all);
    assert!(
        first
            .iter()
            .any(|(game, text)| *game == 1 && text.contains("1-0f")),
        "{first:?}"
    );
    assert!(
        second[0].1.starts_with("prepare") && second[0].0 == 2,
        "{second:?}"
    );
    assert!(texts(&["--round", "9"]).is_empty());
    // If no board is given, `--game 2` selects the second game of every board. The clock of board 3 was also set twice.
    let (out, _) = expect(&ctl(&["log", "--game", "2"]), 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert!(
        lines[0].contains("40/90m+30s") && lines[1].ends_with("a new game"),
        "{out}"
    );
    expect(&ctl(&["log", "2", "--game", "0"]), 2);
}

fn replay_says_what_changed(path: &str) {
    let records = ["replay", path, "--records", "--board"];
    let (out, _) = expect(&flagfall(&[&records[..], &["1"]].concat()), 0);
    assert!(out.contains("White's moves 0 → 41"), "{out}");
    let (out, _) = expect(
        &flagfall(&[&records[..], &["2", "--game", "2", "--json"]].concat()),
        0,
    );
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["changed"]["new_game"]["round"], 0);
    assert_eq!(lines[0]["changed"]["before"]["result"], "1-0f");
    assert_eq!(lines[0]["changed"]["after"]["white"]["us"], 420_000_000);
    assert!(
        lines[..lines.len() - 1]
            .iter()
            .all(|line| line["game"] == 2)
    );
}

#[test]
fn failures_are_explained_and_have_an_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["add", "1-2", "5m"]), 0);
    let (_, err) = expect(&ctl(&["add", "2-4", "5m"]), 1);
    assert!(err.contains("already has 2"), "{err}");
    let (_, err) = expect(&ctl(&["pause", "1-5"]), 1);
    assert!(err.contains("3, 4 and 5"), "{err}");
    let (out, _) = expect(&ctl(&["start", "1"]), 1);
    assert!(out.starts_with("board 1: refused"), "{out}");
    let (_, err) = expect(&ctl(&["control", "1", "40/90x"]), 2);
    assert!(err.contains("column 6"), "{err}");
    let (_, err) = expect(&ctl(&["set", "1", "white", "soon"]), 2);
    assert!(err.contains("soon"), "{err}");
    let (_, err) = expect(&ctl(&["result", "1", "2-0"]), 2);
    assert!(err.contains("\"2-0\": expected 1-0"), "{err}");
    let (_, err) = expect(&ctl(&["restore", "1", "x31"]), 2);
    assert!(err.contains("31w"), "{err}");
    let (_, err) = expect(&ctl(&["force", "1"]), 1);
    assert!(err.contains("nothing is pending"), "{err}");

    // A command that is sent twice with the same id is applied once and succeeds both times. A command based on an outdated view is refused.
    let id = "0123456789abcdef0123456789abcdef";
    for _ in 0..2 {
        expect(&ctl(&["add-time", "1", "white", "1m", "--id", id]), 0);
    }
    let (out, _) = expect(&ctl(&["list", "1", "--json"]), 0);
    let board: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(board["white"]["us"], 360_000_000);
    expect(&ctl(&["set", "1", "white", "2m", "--seen", "1"]), 0);
    let (out, _) = expect(
        &ctl(&["set", "1", "white", "1m", "--seen", "1", "--json"]),
        1,
    );
    let line: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&line["outcome"], &line["code"]),
        (&"refused".into(), &"FailedPrecondition".into())
    );

    let (_, err) = expect(
        &flagfall(&[
            "ctl",
            "--hub",
            "127.0.0.1:1",
            "--data-dir",
            dir.path().to_str().unwrap(),
            "list",
        ]),
        1,
    );
    assert!(err.contains("cannot reach the hub at 127.0.0.1:1"), "{err}");
    let (_, err) = expect(&flagfall(&["ctl", "--key", "/no/such.pem", "list"]), 1);
    assert!(
        err.contains("/no/such.pem") && err.contains("--key"),
        "{err}"
    );
}

#[test]
fn a_code_is_printed_and_other_arbiters_get_their_own_keys() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["add", "12", "5m"]), 0);
    let data = dir.path().to_str().unwrap();
    let enrol = |more: &[&str]| {
        flagfall(
            &[
                &["enrol", "--hub", hub.listen.as_str(), "--data-dir", data],
                more,
            ]
            .concat(),
        )
    };
    let (out, _) = expect(&enrol(&["--board", "12"]), 0);
    let code: proto::enrolment::EnrolmentCode = out.trim().parse().unwrap();
    assert_eq!(format!("127.0.0.1:{}", code.port), hub.listen);
    let (_, err) = expect(&enrol(&["--board", "13"]), 1);
    assert!(err.contains("13"), "{err}");

    let key = dir.path().join("anna.pem");
    let key = key.to_str().unwrap();
    // A file name without a folder means a file in the current folder.
    let made = [
        "credential",
        "--role",
        "floor",
        "--name",
        "Anna",
        "anna.pem",
        "--data-dir",
        data,
    ];
    let made = command(&made).current_dir(dir.path()).output().unwrap();
    expect(&made, 0);
    let again = flagfall(&[
        "credential",
        "--role",
        "floor",
        "--name",
        "Anna",
        key,
        "--data-dir",
        data,
    ]);
    expect(&again, 1);
    let anna = |arguments: &[&str]| {
        flagfall(
            &[
                &["ctl", "--hub", hub.listen.as_str(), "--key", key],
                arguments,
            ]
            .concat(),
        )
    };
    expect(&anna(&["names", "12", "A", "B"]), 0);
    let (out, _) = expect(&anna(&["add", "13", "5m"]), 1);
    assert!(
        out.contains("not allowed") && out.contains("chief"),
        "{out}"
    );
    let (out, _) = expect(&hub.ctl(dir.path(), &["log", "12"]), 0);
    assert!(out.contains("Anna"), "{out}");
}

#[test]
fn an_illegal_move_is_counted_wherever_it_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["add", "1", "90m+30s"]), 0);
    // The offence counts against the opponent of the side that gains time.
    expect(
        &ctl(&["add-time", "1", "black", "2m", "--offence", "illegal-move"]),
        0,
    );
    let (out, _) = expect(&ctl(&["show", "1"]), 0);
    assert!(out.contains("offence White: 1 illegal move\n"), "{out}");
    expect(
        &ctl(&["result", "1", "0-1", "--offence", "illegal-move"]),
        0,
    );
    let (out, _) = expect(&ctl(&["show", "1", "--json"]), 0);
    let board: Value = serde_json::from_str(&out).unwrap();
    let expected = serde_json::json!([{ "kind": "illegal-move", "side": "white", "count": 2 }]);
    assert_eq!(board["offences"], expected);
    let (out, _) = expect(&ctl(&["log", "1"]), 0);
    assert!(
        out.contains("add black 2m, for an illegal move of White by"),
        "{out}"
    );
    let (_, err) = expect(
        &ctl(&["result", "1", "1/2-1/2", "--offence", "illegal-move"]),
        2,
    );
    assert!(err.contains("whose illegal move it was"), "{err}");
    let (_, err) = expect(
        &ctl(&["add-time", "1", "black", "2m", "--offence", "late"]),
        2,
    );
    assert!(err.contains("illegal-move"), "{err}");
}

#[test]
fn no_name_that_is_typed_has_a_hidden_character() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["add", "1", "5m"]), 0);
    for char in ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}', '\u{1b}'] {
        let name = format!("Berg{char}, Anna");
        let code = format!("U+{:04X}", u32::from(char));
        for arguments in [
            vec!["names", "1", name.as_str(), "Cruz, Ben"],
            vec!["names", "1", "Cruz, Ben", name.as_str()],
            vec!["pause", "1", "--reason", name.as_str()],
            vec!["message", "1", name.as_str()],
            vec!["add", name.as_str(), "5m"],
        ] {
            let output = ctl(&arguments);
            assert!(!output.status.success(), "{arguments:?}");
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).unwrap();
            assert!(!said.contains(char), "{said:?}");
            let of_boards = arguments[0] == "add";
            assert!(of_boards || said.contains(&code), "{said}");
        }
    }
    // Names in right-to-left scripts are valid.
    expect(&ctl(&["names", "1", "קירל, נועה", "صلاح, محمد"]), 0);
    let (out, _) = expect(&ctl(&["show", "1"]), 0);
    assert!(
        out.contains("קירל, נועה") && out.contains("صلاح, محمد"),
        "{out}"
    );
}
