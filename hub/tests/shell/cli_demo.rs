//! `flagfall demo`: it plays, it ends, and what it leaves can be read.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::program::{command, expect, flagfall};

#[test]
fn a_demonstration_plays_and_says_where_its_log_lies() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("demo");
    let dir = dir.to_str().unwrap();
    let arguments = [
        "demo",
        "--boards",
        "3",
        "--for",
        "12s",
        "--http",
        "127.0.0.1:0",
        "--data-dir",
        dir,
    ];
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(
        first.starts_with("3 boards play at http://127.0.0.1:"),
        "{first}"
    );
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        rest.iter()
            .any(|line| line.contains(&format!("lies in {dir}"))),
        "{rest:?}"
    );

    let app = rest
        .iter()
        .find(|line| line.trim().starts_with("https://127.0.0.1:"));
    let (_, secret) = app.and_then(|app| app.split_once("/#")).unwrap();
    assert_eq!(secret.len(), 65, "{rest:?}");
    for page in ["/authority", "/event"] {
        assert!(rest.iter().any(|line| line.contains(page)), "{rest:?}");
    }

    let (out, _) = expect(&flagfall(&["replay", dir, "--json"]), 0);
    let last: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let boards = last["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 3);
    let moves: i64 = boards
        .iter()
        .map(|board| board["white"]["moves"].as_i64().unwrap())
        .sum();
    assert!(moves > 0, "nobody has moved: {last}");

    let (_, err) = expect(&flagfall(&["demo", "--data-dir", dir]), 1);
    assert!(err.contains("not empty"), "{err}");
}
