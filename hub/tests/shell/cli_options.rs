//! Draw odds and the effect of a flag fall, as set on the command line.

use serde_json::Value;

use crate::program::{Serving, expect, flagfall};

fn board(out: &str) -> Value {
    serde_json::from_str(out.trim()).unwrap()
}

#[test]
fn armageddon_by_a_preset_or_by_hand_and_a_draw_stays_a_draw() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    let seen = |name: &str| board(&expect(&ctl(&["show", name, "--json"]), 0).0);
    expect(&ctl(&["add", "1", "fide-armageddon"]), 0);
    expect(&ctl(&["add", "2-3", "5m"]), 0);
    assert_eq!(seen("1")["draw_odds"], "black");
    assert_eq!(seen("2")["draw_odds"], Value::Null);

    expect(&ctl(&["control", "2", "fide-armageddon-3-2"]), 0);
    assert_eq!(seen("2")["draw_odds"], "black");
    expect(&ctl(&["odds", "2", "draw", "white"]), 0);
    assert_eq!(seen("2")["draw_odds"], "white");
    expect(&ctl(&["odds", "2", "draw", "none"]), 0);
    assert_eq!(seen("2")["draw_odds"], Value::Null);
    expect(&ctl(&["control", "1", "5m"]), 0);
    assert_eq!(
        seen("1")["draw_odds"],
        Value::Null,
        "a new game, without odds"
    );
    expect(&ctl(&["odds", "1", "lose", "black"]), 2);

    expect(&ctl(&["odds", "3", "draw", "black"]), 0);
    let (out, _) = expect(&ctl(&["list", "3"]), 0);
    assert!(out.contains("5m, draw odds to Black"), "{out}");
    expect(&ctl(&["result", "3", "1/2-1/2"]), 0);
    assert_eq!(seen("3")["result"], "1/2-1/2");
    let (out, _) = expect(&ctl(&["list", "3"]), 0);
    assert!(out.contains("1/2-1/2 (draw, Black has draw odds)"), "{out}");
    // The repeated command is not carried out again, so it does not set its draw odds a second time.
    let id = "00112233445566778899aabbccddeeff";
    expect(&ctl(&["control", "1", "fide-armageddon", "--id", id]), 0);
    expect(&ctl(&["odds", "1", "draw", "none"]), 0);
    expect(&ctl(&["control", "1", "fide-armageddon", "--id", id]), 0);
    assert_eq!(seen("1")["draw_odds"], Value::Null);
    assert_eq!(hub.stop(), Some(0));

    let path = dir.path().to_str().unwrap();
    let (out, _) = expect(&flagfall(&["replay", path, "--records", "--board", "3"]), 0);
    assert!(out.contains("draw odds to Black"), "{out}");
}

#[test]
fn the_control_the_event_or_the_arbiter_decides_what_a_fallen_flag_does() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start_with(dir.path(), &["--after-flag", "freezes"]);
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    let control = |name: &str| {
        let (out, _) = expect(&ctl(&["show", name, "--json"]), 0);
        board(&out)["control"].as_str().unwrap().to_owned()
    };
    expect(&ctl(&["add", "1", "90m+30s runs on"]), 0);
    assert_eq!(control("1"), "90m+30s", "the event has its own rule");
    expect(&ctl(&["control", "1", "90m+30s", "--runs-on"]), 0);
    assert_eq!(control("1"), "90m+30s runs on");
    expect(&ctl(&["control", "1", "40/2h : 30m runs on"]), 0);
    assert_eq!(control("1"), "40/2h : 30m");
    expect(&ctl(&["add", "2", "5m", "--runs-on"]), 0);
    assert_eq!(control("2"), "5m runs on");
    expect(&ctl(&["control", "1", "5m", "--runs-on", "--freeze"]), 2);
    assert_eq!(hub.stop(), Some(0));

    let hub = Serving::start(dir.path());
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["control", "1", "90m+30s runs on"]), 0);
    let (out, _) = expect(&ctl(&["show", "1", "--json"]), 0);
    assert_eq!(board(&out)["control"], "90m+30s runs on");
    expect(&ctl(&["control", "1", "90m+30s runs on", "--freeze"]), 0);
    let (out, _) = expect(&ctl(&["show", "1", "--json"]), 0);
    assert_eq!(board(&out)["control"], "90m+30s");
    assert_eq!(hub.stop(), Some(0));
}

#[test]
fn draw_odds_of_the_events_preset_apply_to_new_boards() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start_with(dir.path(), &["--control", "fide-armageddon"]);
    let ctl = |arguments: &[&str]| hub.ctl(dir.path(), arguments);
    expect(&ctl(&["add", "1"]), 0);
    expect(&ctl(&["add", "2", "5m"]), 0);
    let (out, _) = expect(&ctl(&["list", "--json"]), 0);
    let odds: Vec<Value> = out
        .lines()
        .map(|line| board(line)["draw_odds"].clone())
        .collect();
    assert_eq!(odds, [Value::from("black"), Value::Null]);
    assert_eq!(hub.stop(), Some(0));
}
