//! The position of errors in malformed scripts, and the messages of scripts that fail.

use timing::script::Script;

#[track_caller]
fn malformed(lines: &[&str], fault: &str) {
    let text = lines.join("\n");
    match text.parse::<Script>() {
        Ok(_) => panic!("reads:\n{text}"),
        Err(error) => assert_eq!(error.to_string(), fault, "{text}"),
    }
}

#[test]
fn every_error_has_a_line_and_a_column() {
    malformed(&[], "1:1: expected a line such as control 5m+3s");
    malformed(
        &["# nothing", ""],
        "1:1: expected a line such as control 5m+3s",
    );
    malformed(
        &["at 0 start"],
        "1:1: expected a line such as control 5m+3s",
    );
    malformed(&["control"], "1:8: expected a time control such as 5m+3s");
    malformed(
        &["# a game", "control 90"],
        "2:9: 90 has no unit; 90m or 90s?",
    );
    malformed(
        &["control 5m", "control 5m"],
        "2:1: expected a line such as at 5 press white",
    );
    malformed(
        &["control 5m", "at"],
        "2:3: expected a time such as 5.25 or 1h30m",
    );
    malformed(
        &["control 5m", "at -1 start"],
        "2:4: expected a time without a sign",
    );
    malformed(
        &["control 5m", "at 1.0000001 start"],
        "2:4: expected at most six decimals",
    );
    malformed(
        &["control 5m", "at 5 start", "at 4.999999 pause"],
        "3:4: expected a time of at least 5s: time does not run back",
    );
}

#[test]
fn verbs_and_their_words_are_checked() {
    let verbs =
        "expected start, press, pause, resume, set, add, moves, refill, end, claim or expect";
    malformed(&["control 5m", "at 5 "], &format!("2:6: {verbs}"));
    malformed(&["control 5m", "at 5 jump"], &format!("2:6: {verbs}"));
    malformed(&["control 5m", "at 5 flag white"], &format!("2:6: {verbs}"));
    malformed(
        &["control 5m", "at 5 press"],
        "2:11: expected white or black",
    );
    malformed(
        &["control 5m", "at 5 press red"],
        "2:12: expected white or black",
    );
    malformed(
        &["control 5m", "at 5 press white now"],
        "2:18: expected the end of the line",
    );
    malformed(
        &["control 5m", "at 5 set white"],
        "2:15: expected a time such as 3s or 90",
    );
    malformed(
        &["control 5m", "at 5 set white 3x"],
        "2:17: expected a unit (d, h, m, s or ms), not x",
    );
    malformed(
        &["control 5m", "at 5 moves white -1"],
        "2:18: expected a whole number",
    );
    malformed(
        &["control 5m", "at 5 end result 1-0"],
        "2:10: expected mate, resign or draw",
    );
    malformed(
        &["control 5m", "at 5 refill white"],
        "2:6: expected a verb this control has; only Triple Block has refill",
    );
    malformed(
        &["control 5m", "at 5 claim draw white"],
        "2:6: expected a verb this control has; only the double flag has claim draw",
    );
}

#[test]
fn keys_and_values_are_checked() {
    let keys = "expected white, black, running, first_flag, result, or white. or black. and phase, moves, period, byo, stones, bank or points";
    malformed(&["control 5m", "at 5 expect"], "2:12: expected KEY=VALUE");
    malformed(
        &["control 5m", "at 5 expect white"],
        "2:13: expected KEY=VALUE",
    );
    malformed(&["control 5m", "at 5 expect =5"], &format!("2:13: {keys}"));
    malformed(
        &["control 5m", "at 5 expect white=5 colour=5"],
        &format!("2:21: {keys}"),
    );
    malformed(
        &["control 5m", "at 5 expect white.time=5"],
        &format!("2:13: {keys}"),
    );
    let seconds = "expected seconds with up to six decimals and no trailing zeros";
    for value in ["", "5.50", "05", "-0", "1m", "5."] {
        malformed(
            &["control 5m", &format!("at 5 expect white={value}")],
            &format!("2:19: {seconds}"),
        );
    }
    malformed(
        &["control 5m", "at 5 expect running="],
        "2:21: expected white, black or none",
    );
    malformed(
        &["control 5m", "at 5 expect result=1"],
        "2:20: expected *, 1-0, 0-1 or 1/2-1/2",
    );
    malformed(
        &["control 5m", "at 5 expect white.moves=x"],
        "2:25: expected a whole number",
    );
    malformed(
        &["control 5m", "at 5 expect white.phase=fallen"],
        "2:25: expected main, byo, canadian, extra, grace, overtime or flagged",
    );
    malformed(
        &[
            "control 5m vs 5m byo 1x5s",
            "at 5 expect black.byo=1 white.byo=1",
        ],
        "2:25: expected a key this control has; this side has no byo-yomi",
    );
}

#[test]
fn every_wrong_value_is_reported_with_its_line() {
    let script: Script = "control 5m # rapid\n\n\tat 0 start\nat 5 expect white=290 white.moves=0 running=black\nat 6 expect black=1"
        .parse()
        .expect("well formed");
    let told: Vec<String> = script.run().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "4: white expected 290, got 295",
            "4: running expected black, got white",
            "5: black expected 1, got 300"
        ]
    );
}
