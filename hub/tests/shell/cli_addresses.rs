//! Checks that programs on the hub's machine find the hub from its data directory alone, whatever ports it uses.

use std::path::Path;

use crate::program::{Serving, expect, flagfall};

/// Runs a command whose only setting is the data directory; returns standard output and standard error.
fn with_dir_alone(dir: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let all = [arguments, &["--data-dir", dir.to_str().unwrap()]].concat();
    expect(&flagfall(&all), code)
}

#[test]
fn every_client_finds_a_hub_by_its_data_directory_alone() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    with_dir_alone(dir.path(), &["ctl", "add", "1-3", "5m"], 0);
    let (out, _) = with_dir_alone(dir.path(), &["ctl", "list", "--json"], 0);
    assert_eq!(out.lines().count(), 3);
    let (out, _) = with_dir_alone(dir.path(), &["enrol", "--board", "1"], 0);
    let port = hub.listen.rsplit(':').next().unwrap();
    assert!(out.contains(&format!(":{port}#")), "{out}");
    with_dir_alone(dir.path(), &["event", "new", "Open"], 0);
    let (out, _) = with_dir_alone(dir.path(), &["event", "status"], 0);
    assert!(out.starts_with("Open"), "{out}");
    let (_, err) = with_dir_alone(dir.path(), &["fide", "search", "Berg"], 1);
    assert!(!err.contains("cannot reach"), "{err}");
    assert_eq!(hub.stop(), Some(0));
}

#[test]
fn a_hub_that_ended_in_order_and_one_that_was_killed_are_both_said_not_to_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let start = format!("flagfall serve --data-dir {path}");
    let hub = Serving::start(dir.path());
    let listen = hub.listen.clone();
    hub.kill();
    let (_, err) = with_dir_alone(dir.path(), &["ctl", "list"], 1);
    for said in [&listen, "no longer running", &start] {
        assert!(err.contains(said), "{said}: {err}");
    }
    // The next hub overwrites the addresses that the dead hub left behind.
    let hub = Serving::start(dir.path());
    with_dir_alone(dir.path(), &["ctl", "list"], 0);
    assert_eq!(hub.stop(), Some(0));
    assert!(!dir.path().join("addresses").exists());
    let key = dir.path().join("chief.pem");
    let (_, err) = expect(
        &crate::program::command(&[
            "ctl",
            "list",
            "--data-dir",
            path,
            "--key",
            key.to_str().unwrap(),
        ])
        // No hub listens at this address.
        .env("FLAGFALL_LISTEN", "127.0.0.1:1")
        .output()
        .unwrap(),
        1,
    );
    for said in ["no hub is running on", &start] {
        assert!(err.contains(said), "{said}: {err}");
    }
}

#[test]
fn another_hub_at_the_address_of_a_dead_one_is_not_mistaken_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let listen = hub.listen.clone();
    hub.kill();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = Serving::start_at(elsewhere.path(), &listen);
    let (_, err) = with_dir_alone(dir.path(), &["ctl", "add", "1", "5m"], 1);
    assert!(
        err.contains(&listen) && err.contains("no longer running"),
        "{err}"
    );
    let (out, _) = with_dir_alone(elsewhere.path(), &["ctl", "list", "--json"], 0);
    assert_eq!(out, "", "the other hub was changed");
    drop(other);
}

#[test]
fn an_unreadable_address_file_is_named_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    std::fs::write(dir.path().join("addresses"), "{\"listen\":").unwrap();
    let (_, err) = with_dir_alone(dir.path(), &["ctl", "list"], 1);
    assert!(
        err.contains(dir.path().to_str().unwrap()) && err.contains("--hub"),
        "{err}"
    );
    expect(&hub.ctl(dir.path(), &["list"]), 0);
    assert_eq!(hub.stop(), Some(0));
}
