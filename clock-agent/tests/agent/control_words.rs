//! The words for a time control, tested with the cases that all displays share: `tests/control-words.txt` in the workspace.

use clock_agent::face::control_words;

const CASES: &str = include_str!("../../../tests/control-words.txt");

#[test]
fn every_shared_case_passes() {
    let mut cases = 0;
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let Some((notation, words)) = line.split_once('\t') else {
            panic!("two fields, separated by a tab: {line:?}");
        };
        assert_eq!(control_words(notation), words, "{notation}");
        cases += 1;
    }
    assert!(cases >= 25, "the file is there and is read");
}

#[test]
fn no_control_gives_no_words() {
    assert_eq!(control_words(""), "");
}
