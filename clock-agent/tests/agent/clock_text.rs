//! The digits, tested with the cases that all displays share: `tests/clock-text.txt` in the workspace.

use clock_agent::face::{clock_text, overtime_text};
use timing::Duration;

const CASES: &str = include_str!("../../../tests/clock-text.txt");

#[test]
fn every_shared_case_passes() {
    let mut cases = 0;
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split('\t').collect();
        let [micros, big, small] = fields[..] else {
            panic!("three fields, separated by tabs: {line:?}");
        };
        let text = clock_text(Duration::from_micros(micros.parse().unwrap()));
        assert_eq!(
            (text.big.as_str(), text.small.as_str()),
            (big, small),
            "{micros} us"
        );
        cases += 1;
    }
    assert!(cases >= 40, "the file is there and is read");
}

#[test]
fn digits_round_up_by_less_than_a_second() {
    for us in (1..20_000_000_i64).step_by(33_333) {
        let text = clock_text(Duration::from_micros(us)).whole();
        let (minutes, seconds) = text.split_once(':').unwrap();
        let shown = minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap();
        let over = shown - us as f64 / 1e6;
        assert!((0.0..1.0).contains(&over), "{us} us is shown as {text}");
    }
}

#[test]
fn overtime_counts_up_from_zero() {
    let text = |us: i64| overtime_text(Duration::from_micros(us)).whole();
    assert_eq!(text(0), "+0:00");
    assert_eq!(text(-1), "+0:00.1");
    assert_eq!(text(-1_000_000), "+0:01.0");
    assert_eq!(text(-41_300_000), "+0:42");
    assert_eq!(text(-3_600_000_000), "+1:00:00");
}

#[test]
fn the_largest_times_do_not_overflow() {
    for us in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
        let _ = clock_text(Duration::from_micros(us));
        let _ = overtime_text(Duration::from_micros(us));
    }
}
