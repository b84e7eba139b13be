//! Checks the scripts in this crate's `tests/scripts/` and the clock scripts in the repository's `tests/vectors/`, with the parser and the engine
//! of this crate.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::{Path, PathBuf};

use laws::script::LawsScript;

fn scripts(folder: &str, least: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    files.sort();
    assert!(
        files.len() >= least,
        "{} scripts in {}",
        files.len(),
        folder.display()
    );
    files
}

fn failures(name: &str, text: &str) -> Vec<String> {
    match text.parse::<LawsScript>() {
        Ok(script) => script
            .run()
            .iter()
            .map(|failure| format!("{name}:{failure}"))
            .collect(),
        Err(error) => vec![format!("{name}:{error}")],
    }
}

#[test]
fn every_script_holds() {
    let mut wrong = Vec::new();
    for path in scripts("tests/scripts", 120) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        wrong.extend(failures(&name, &std::fs::read_to_string(&path).unwrap()));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_clock_script_means_the_same_here() {
    let mut wrong = Vec::new();
    for path in scripts("../../tests/vectors", 95) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        wrong.extend(failures(&name, &format!("rules casual\n{text}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_wrong_expectation_and_a_wrong_line_are_reported() {
    let head = "control 5m\nrules fide-blitz\nat 0 start\n";
    for (line, message) in [
        (
            "at 5 expect offer=white",
            "4: offer expected white, got none",
        ),
        ("at 5 expect white=296", "4: white expected 296, got 295"),
        (
            "at 5 move e5",
            "4: move e5 expected a legal move, got e5 is not legal: no pawn can move to e5",
        ),
        (
            "at 5 claim everything white",
            "4: column 12: expected one of threefold, fifty-moves, losing-chances-old, losing-chances-new, increment, normal-means, normal-means-no-arbiter, double-flag-draw, director",
        ),
        (
            "at 5 rule maybe",
            "4: column 11: expected as-found, correct, incorrect, deny, watch, fit, postpone, reject, continue, uphold or result",
        ),
        (
            "at 5 offer white now",
            "4: column 18: expected the end of the line",
        ),
        (
            "at 5 jump",
            "4: column 6: expected start, press, pause, resume, set, add, moves, refill, end, claim or expect",
        ),
    ] {
        let told = failures("x", &format!("{head}{line}"));
        assert_eq!(told, [format!("x:{message}")], "{line}");
    }
}
