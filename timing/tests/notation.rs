//! The notation, case by case: parsing, printing, and where errors are reported.

use timing::{Duration, TimeControl};

#[track_caller]
fn prints(notation: &str, shortest: &str) {
    let control: TimeControl = notation.parse().expect(notation);
    assert_eq!(control.to_string(), shortest);
    assert_eq!(shortest.parse(), Ok(control));
}

#[track_caller]
fn fails(notation: &str, fault: &str) {
    match notation.parse::<TimeControl>() {
        Ok(control) => panic!("{notation} reads as {control}"),
        Err(error) => assert_eq!(error.to_string(), fault, "{notation}"),
    }
}

#[test]
fn every_method_prints_in_its_shortest_form() {
    prints("300s", "5m");
    prints("3m+2s", "3m+2s");
    prints("40/1h30m+30s : 30m+30s", "40/90m+30s : 30m+30s");
    prints("1/10s : *1/5s", "1/10s : 1/5s");
    prints("*40/2h", "40/2h");
    prints("zero/60s : 30m", "zero/1m : 30m");
    prints("5m delay 3000ms", "5m delay 3s");
    prints("5m bronstein 3s", "5m bronstein 3s");
    prints("1m+10s cap 1m15s", "1m+10s cap 75s");
    prints("10m byo 3x30s", "10m byo 3x30s");
    prints("0s canadian 15/5m", "0s canadian 15/5m");
    prints("60s hourglass", "1m hourglass");
    prints("move 30s", "move 30s");
    prints("up", "up");
    prints("25m overtime 10/60s", "25m overtime 10/1m");
    prints("30m grace 2m", "30m grace 2m");
    prints(
        "15m extra 60s min 10s hybrid",
        "15m extra 1m min 10s hybrid",
    );
    prints("triple 450 gt", "triple 450 gt");
    prints("5m vs 300s runs on", "5m runs on");
    prints("5m vs 4m+1s", "5m vs 4m+1s");
    prints("up vs triple 302", "up vs triple 302");
    prints("36525d", "36525d");
}

#[test]
fn durations_print_in_their_shortest_form() {
    for (text, shortest) in [
        ("0m", "0s"),
        ("1h30m", "90m"),
        ("1h30s", "1h30s"),
        ("3661s", "61m1s"),
        ("1h1m5s", "61m5s"),
        ("1d12h", "36h"),
        ("0.25s", "250ms"),
        ("500ms", "0.5s"),
        ("0.000001s", "0.001ms"),
        ("1.5h", "90m"),
        ("36524d23h59m59.999999s", "3155759999.999999s"),
        ("-1m30s", "-90s"),
    ] {
        let span: Duration = text.parse().expect(text);
        assert_eq!(span.to_string(), shortest);
        assert_eq!(shortest.parse(), Ok(span));
    }
}

#[test]
fn errors_in_numbers_name_the_column_and_the_expected_input() {
    fails("90", "column 1: 90 has no unit; 90m or 90s?");
    fails("5m+3", "column 4: 3 has no unit; 3m or 3s?");
    fails("40/90m : 30", "column 10: 30 has no unit; 30m or 30s?");
    fails("", "column 1: expected a duration such as 90m or 1h30m");
    fails("5x", "column 2: expected a unit (d, h, m, s or ms), not x");
    fails("30s1m", "column 5: expected units largest first, each once");
    fails(
        "1.5h30m",
        "column 5: expected the end of the duration: only its last number has a fraction",
    );
    fails(
        "1.0000001s",
        "column 1: expected at most six decimals of a second",
    );
    fails("36526d", "column 1: expected at most 36525 d");
    fails(
        "0s",
        "column 1: expected a main time: only byo-yomi and Canadian overtime can do without",
    );
    fails("5m+0s", "column 4: expected a duration longer than zero");
    fails("0/5m", "column 1: expected a whole number of at least 1");
    fails(
        "10m byo 0x5s",
        "column 9: expected a whole number of at least 1",
    );
    fails(
        "10m byo 3",
        "column 10: expected x and the length of a period, as in byo 3x30s",
    );
}

#[test]
fn errors_in_order_name_the_column_and_the_expected_input() {
    fails(
        "5m : 3m",
        "column 1: expected a move count or zero/: only the last period has neither",
    );
    fails(
        "zero/5m",
        "column 1: expected another period after this one: zero/ never stands on the last",
    );
    fails(
        "*5m",
        "column 2: expected a move count after *, as in *20/1h",
    );
    fails(
        "*40/5m : 5m",
        "column 1: expected a period without *: only the last repeats",
    );
    fails(
        "40/5m byo 3x5s",
        "column 7: expected nothing that follows the main time here: this period has a move count",
    );
    fails(
        "40/5m byo 3x5s : 5m",
        "column 7: expected nothing that follows the main time here: only the last period has it",
    );
}

#[test]
fn errors_in_clauses_name_the_column_and_the_expected_input() {
    fails(
        "5m+1s delay 3s",
        "column 7: expected an increment or a delay, not both",
    );
    fails(
        "5m cap 6m",
        "column 4: expected an increment before cap, as in 1m+10s cap 1m15s",
    );
    fails(
        "5m+3s cap 5m",
        "column 7: expected a cap of at least main time and increment, 5m3s",
    );
    fails(
        "5m extra 15s min 10s hybrid",
        "column 10: expected extra time of at least twice the minimum, 20s",
    );
    fails(
        "5m extra 60s min 10s",
        "column 21: expected hybrid, linear or truncated",
    );
    fails(
        "triple 365",
        "column 8: expected a duration of the ICCF table; 350 or 400?",
    );
    fails(
        "40/5m : up",
        "column 9: expected an ordinary period: up stands alone",
    );
    fails(
        "60s hourglass : 5m",
        "column 15: expected vs, runs on or the end: hourglass stands alone",
    );
    fails(
        "zero/5m : 5m vs 40/5m : 5m",
        "column 17: expected zero/ on the same periods for both sides; see period 1",
    );
    fails(
        "5m runs on vs 3m",
        "column 11: expected the end after runs on",
    );
    fails(
        "5m vs",
        "column 4: expected cap, delay, bronstein, byo, canadian, hourglass, extra, grace, overtime, \" : \", vs, runs on or the end",
    );
    fails(
        "5mé",
        "column 3: expected a space and what follows, or the end",
    );
}
