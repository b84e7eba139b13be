//! Checks that this crate agrees with python-chess on a seeded sample of positions and games. `tests/agreement/generate.py` generates further
//! lines, which `examples/agreement.rs` checks.

#[path = "agreement/check.rs"]
mod check;

const SAMPLE: &str = include_str!("agreement/sample.txt");

#[test]
fn the_sample_agrees_with_python_chess() {
    let found: Vec<String> = SAMPLE.lines().flat_map(check::differences).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    let kinds = |kind| SAMPLE.lines().filter(|line| line.starts_with(kind)).count();
    assert_eq!((kinds("position"), kinds("game")), (300, 30));
}

#[test]
fn a_difference_is_reported() {
    let line = SAMPLE.lines().next().unwrap_or_default();
    assert_eq!(check::differences(line), Vec::<String>::new());
    for wrong in [
        line.replacen("position", "game", 1),
        line.replace("\t-", "\tw"),
        line.replacen(' ', " Qa9 ", 8),
    ] {
        assert!(!check::differences(&wrong).is_empty(), "{wrong}");
    }
}
