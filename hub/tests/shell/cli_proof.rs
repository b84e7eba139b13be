//! Checkpoints, proofs and the archive's mirror, as arbiters and an appeals committee use them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{Serving, expect, flagfall};

#[test]
fn a_record_is_proved_on_a_machine_without_the_hub() {
    let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mirror = out.path().join("stick");
    fs::create_dir(&mirror).unwrap();
    let hub = Serving::start_with(dir.path(), &["--mirror", mirror.to_str().unwrap()]);
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    let kept = out.path().join("kept.txt");
    let kept = kept.to_str().unwrap();
    expect(&ctl(&["checkpoint", "--file", kept]), 0);
    let first = fs::read_to_string(kept).unwrap();
    expect(&ctl(&["add", "1-3", "5m"]), 0);
    expect(&ctl(&["result", "2", "1-0"]), 0);

    let (lines, _) = expect(&ctl(&["log", "2", "--json"]), 0);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let record = last["index"].as_u64();
    let record = record.unwrap().to_string();
    let file = out.path().join("proof.txt");
    let file = file.to_str().unwrap();
    expect(&ctl(&["proof", &record, "-o", file]), 0);
    let none = ctl(&["proof", "100000", "-o", file]);
    let (_, err) = expect(&none, 1);
    assert!(err.contains("there is none at index 100000"), "{err}");

    // The current log continues from the saved checkpoint.
    let (shown, _) = expect(&ctl(&["checkpoint", "--file", kept, "--json"]), 0);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let key = shown["key"].as_str().unwrap();
    assert_ne!(fs::read_to_string(kept).unwrap(), first);
    assert_eq!(hub.stop(), Some(0));

    // The hub is not running during the following checks.
    let check = |file: &str, key: &str| flagfall(&["proof", "check", file, "--key", key]);
    for key in [key, kept] {
        let (text, _) = expect(&check(file, key), 0);
        assert!(
            text.contains("board    2") && text.contains("1-0"),
            "{text}"
        );
        assert!(text.contains("sound"), "{text}");
    }
    let proof = fs::read_to_string(file).unwrap();
    let forged = out.path().join("forged.txt");
    let forged = forged.to_str().unwrap();
    fs::write(forged, proof.replace(&format!("index {record}"), "index 0")).unwrap();
    let (_, err) = expect(&check(forged, key), 1);
    assert!(err.contains("the proof is not valid"), "{err}");
    fs::write(forged, "index 0").unwrap();
    expect(&check(forged, key), 2);
    let other = key.replace('+', "-");
    expect(&check(file, &other), 2);

    same_archive(&dir.path().join("archive"), &mirror);
}

fn same_archive(archive: &Path, mirror: &Path) {
    let read = |dir: &Path| fs::read_to_string(dir.join("checkpoint")).unwrap();
    assert_eq!(read(archive), read(mirror));
    let size: u64 = read(archive).lines().nth(1).unwrap().parse().unwrap();
    let bundle = |dir: &Path| fs::read(dir.join(format!("tile/entries/000.p/{size}"))).unwrap();
    assert_eq!(bundle(archive), bundle(mirror));
}

#[test]
fn a_hub_that_rewrote_its_log_is_reported() {
    let (dir, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kept = copy.path().join("kept.txt");
    let kept = kept.to_str().unwrap();
    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["add", "1-3", "5m"]), 0);
    assert_eq!(hub.stop(), Some(0));
    let earlier = copy.path().join("earlier");
    copy_dir(dir.path(), &earlier);

    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["result", "2", "1-0"]), 0);
    expect(&hub.ctl(dir.path(), &["checkpoint", "--file", kept]), 0);
    assert_eq!(hub.stop(), Some(0));
    let evidence = fs::read_to_string(kept).unwrap();

    // The hub's owner goes back to an earlier copy of the data, which has the same keys, and enters a different result.
    let hub = Serving::start(&earlier);
    let (_, err) = expect(&hub.ctl(&earlier, &["checkpoint", "--file", kept]), 1);
    assert!(err.contains("does not continue"), "{err}");
    for _ in 0..5 {
        expect(&hub.ctl(&earlier, &["set", "2", "white", "4m"]), 0);
    }
    expect(&hub.ctl(&earlier, &["result", "2", "0-1"]), 0);
    let (_, err) = expect(&hub.ctl(&earlier, &["checkpoint", "--file", kept]), 1);
    assert!(err.contains("Records were changed or lost"), "{err}");
    assert_eq!(fs::read_to_string(kept).unwrap(), evidence);
    assert_eq!(hub.stop(), Some(0));
}

#[test]
fn an_unwritable_mirror_raises_a_note_and_stops_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("no-such-disk");
    let hub = Serving::start_with(dir.path(), &["--mirror", missing.to_str().unwrap()]);
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["add", "1", "5m"]), 0);
    // Wait until the log has a note about the missing mirror.
    let mut log = String::new();
    for _ in 0..200 {
        log = expect(&ctl(&["log"]), 0).0;
        if log.contains("no-such-disk") {
            break;
        }
    }
    assert!(log.contains("does not exist: connect the disk"), "{log}");
    assert!(!missing.exists());
    expect(&ctl(&["checkpoint"]), 0);
    assert_eq!(hub.stop(), Some(0));
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_dir(&path, &target);
        } else if path.is_file() {
            fs::copy(&path, &target).unwrap();
        }
    }
}
