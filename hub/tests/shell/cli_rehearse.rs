//! `flagfall rehearse`, `rule` and `presets`: outputs and exit codes.

use std::io::Write;
use std::process::Stdio;

use crate::program::{command, expect, flagfall, text};

fn script(dir: &tempfile::TempDir, name: &str, lines: &str) -> String {
    let path = dir.path().join(name);
    std::fs::write(&path, lines).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_vector_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".txt"))
        .collect();
    assert!(files.len() > 30);
    let arguments: Vec<&str> = std::iter::once("rehearse")
        .chain(files.iter().map(String::as_str))
        .collect();
    let (out, err) = expect(&flagfall(&arguments), 0);
    assert_eq!((out.as_str(), err.as_str()), ("", ""));
}

#[test]
fn scripts_with_moves_and_rulings_run_beside_clock_scripts() {
    let dir = tempfile::tempdir().unwrap();
    let lines = "control 5m\nrules fide-blitz\nat 0 start\nat 1 move f3 e5 g4 Qh4#\n";
    let mate = script(
        &dir,
        "mate.txt",
        &format!("{lines}at 1 expect result=0-1\n"),
    );
    let wrong = script(
        &dir,
        "wrong.txt",
        &format!("{lines}at 1 expect result=1-0\n"),
    );
    let bad = script(&dir, "bad.txt", "control 5m\nrules fide-blitzz\n");
    let clock = script(&dir, "clock.txt", "control 5m\nat 0 start\n");
    let (out, err) = expect(&flagfall(&["rehearse", &mate, &clock]), 0);
    assert_eq!((out.as_str(), err.as_str()), ("", ""));
    let (out, _) = expect(&flagfall(&["rehearse", &wrong]), 1);
    assert_eq!(out, format!("{wrong}:5: result expected 1-0, got 0-1\n"));
    let (_, err) = expect(&flagfall(&["rehearse", &bad]), 2);
    assert_eq!(err, format!("{bad}:2: no rule set fide-blitzz\n"));
}

#[test]
fn a_rule_is_found_by_its_number_with_its_effect_in_each_rule_set() {
    let (out, _) = expect(&flagfall(&["rule", "7.5.5"]), 0);
    assert!(out.starts_with("7.5.5  The first illegal move"), "{out}");
    assert!(
        out.contains("    FIDE, standard chess: illegal move: +2m for the opponent"),
        "{out}"
    );
    let (all, _) = expect(&flagfall(&["rule", "7"]), 0);
    let numbers: Vec<&str> = all
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert_eq!(
        numbers,
        ["7.3", "7.5.1", "7.5.2", "7.5.3", "7.5.4", "7.5.5"]
    );
    let (one, _) = expect(&flagfall(&["rule", "triple", "block", "--json"]), 0);
    let first: serde_json::Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    assert!(
        first["number"]
            .as_str()
            .is_some_and(|number| number.starts_with("Triple Block")),
        "{first}"
    );
    let (_, err) = expect(&flagfall(&["rule", "77"]), 1);
    assert!(err.contains("no article matches \"77\""), "{err}");
}

#[test]
fn failures_are_listed_by_file_and_malformed_files_take_precedence() {
    let dir = tempfile::tempdir().unwrap();
    let good = script(
        &dir,
        "good.txt",
        "control 5m\nat 0 start\nat 5 press white\nat 5 expect white=295\n",
    );
    let wrong = script(
        &dir,
        "wrong.txt",
        "control 5m\nat 0 start\nat 5 expect white=1 running=black black=300\n",
    );
    let bad = script(&dir, "bad.txt", "control 5m\nat 5 start\nat 4 pause\n");
    let unread = script(&dir, "unread.txt", "");
    std::fs::write(&unread, b"control 5m\nat \xff start\n").unwrap();

    expect(&flagfall(&["rehearse", &good]), 0);
    let (out, _) = expect(&flagfall(&["rehearse", &wrong, &good]), 1);
    assert_eq!(
        out,
        format!(
            "{wrong}:3: white expected 1, got 295\n{wrong}:3: running expected black, got white\n"
        )
    );
    let (out, err) = expect(&flagfall(&["rehearse", &bad, &wrong]), 2);
    assert_eq!(out.lines().count(), 2, "every file is gone through");
    assert!(err.starts_with(&format!("{bad}:3:4: ")), "{err}");
    let (_, err) = expect(&flagfall(&["rehearse", &unread]), 2);
    assert_eq!(err, format!("{unread}:2:4: expected text in UTF-8\n"));
    expect(&flagfall(&["rehearse", "/no/such/file"]), 2);
    expect(&flagfall(&["rehearse"]), 2);
    let (_, err) = expect(&flagfall(&["rehearse", "--control", "90"]), 2);
    assert!(err.contains("column 1"), "{err}");
}

#[test]
fn a_control_is_shown_and_tried_out() {
    let mut child = command(&["rehearse", "--control", "2/1m : 30s+1s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    keyboard
        .write_all(b"at 0 start\nat 5.5 press white\n")
        .unwrap();
    drop(keyboard);
    let output = child.wait_with_output().unwrap();
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    for said in [
        "at the start",
        "White thinks 1:00: flag",
        "after 2 moves each, no time used",
        "White 0:54.5 (main, 1 move)",
    ] {
        assert!(out.contains(said), "{said} in {out}");
    }
}

#[test]
fn presets_are_listed_and_usable() {
    let (out, _) = expect(&flagfall(&["presets", "--json"]), 0);
    assert!(out.lines().count() > 20);
    for line in out.lines() {
        let preset: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(!preset["source"].as_str().unwrap().is_empty(), "{line}");
        let shown = flagfall(&["rehearse", "--control", preset["name"].as_str().unwrap()]);
        let (out, _) = expect(&shown, 0);
        assert!(
            out.starts_with(preset["control"].as_str().unwrap()),
            "{out}"
        );
    }
    let (out, _) = expect(&flagfall(&["presets", "blitz"]), 0);
    assert!(out.contains("3m+2s"), "{out}");
    expect(&flagfall(&["presets", "no such preset"]), 1);
}

#[test]
fn untrusted_text_cannot_control_the_terminal() {
    // The file name stands for any untrusted text in a message.
    let (_, err) = expect(&flagfall(&["rehearse", "no\u{202e}such\u{1b}[2Jfile"]), 2);
    assert!(err.contains("no\\u202esuch\\u001b[2Jfile"), "{err}");
    assert!(!err.contains(['\u{202e}', '\u{1b}']), "{err:?}");
}
