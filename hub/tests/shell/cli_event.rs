//! `flagfall event` with a report file and no hub: the report is checked, its standings are shown, and it is exported.

use crate::program::{expect, flagfall};

fn sample(name: &str) -> String {
    format!("{}/../tests/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_report_is_summarised_or_its_faults_are_named() {
    let (out, err) = expect(
        &flagfall(&["event", "check", &sample("harbour-cup.trf")]),
        0,
    );
    assert_eq!(err, "");
    assert!(
        out.starts_with("Harbour Cup 2026\n5 players, 3 of 4 rounds paired\n"),
        "{out}"
    );
    assert!(out.ends_with("tie-breaks: BH/C1, BH, SB, DE\n"), "{out}");

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.trf");
    std::fs::write(&path, "012 A cup\n001 xx\n").unwrap();
    let path = path.to_str().unwrap();
    let (out, err) = expect(&flagfall(&["event", "check", path]), 2);
    assert_eq!(out, "");
    let wanted =
        format!("flagfall: {path} is not valid:\nline 2, column 5: expected a pairing number");
    assert!(err.starts_with(&wanted), "{err}");
    let (_, err) = expect(&flagfall(&["event", "check", "/no/such/file"]), 1);
    assert!(
        err.starts_with("flagfall: cannot read /no/such/file: "),
        "{err}"
    );
}

#[test]
fn standings_can_be_explained() {
    let file = sample("harbour-cup.trf");
    let (out, _) = expect(&flagfall(&["event", "standings", &file]), 0);
    let places = [
        "PLACE  NO  NAME          POINTS  BH/C1   BH    SB  DE",
        "    1   1  Alpha, Anna      2.5    3.0  4.0  3.00   0",
        "    2   2  Bravo, Bea       2.0    3.5  5.0  3.00   0",
        "    3   4  Delta, Dan       1.0    4.5  5.5  1.00   0",
        "    4   3  Charlie, Cid     1.0    3.5  4.5  1.00   0",
        "    5   5  Echo, Eve        1.0    2.0  3.0  1.00   0",
    ];
    assert_eq!(
        out,
        format!(
            "Harbour Cup 2026: after round 3 of 4\n\n{}\n",
            places.join("\n")
        )
    );
    let (out, _) = expect(
        &flagfall(&["event", "standings", &file, "--explain", "3"]),
        0,
    );
    assert!(
        out.contains("BH/C1 of Charlie, Cid: 3.5\n  round 1: Alpha, Anna: score 2.5\n"),
        "{out}"
    );
    assert!(
        out.contains("(cut: the least significant value (C.07 14.1))"),
        "{out}"
    );
    let (out, _) = expect(
        &flagfall(&[
            "event",
            "standings",
            &file,
            "--after",
            "1",
            "--tie-breaks",
            "WIN,BPG",
        ]),
        0,
    );
    assert!(
        out.contains("after round 1 of 4\n\nPLACE  NO  NAME          POINTS  WIN  BPG\n"),
        "{out}"
    );
    let (out, _) = expect(&flagfall(&["event", "standings", &file, "--json"]), 0);
    let first: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["name"], &first["tie_breaks"]["BH"]),
        (&"Alpha, Anna".into(), &"4".into())
    );
}

#[test]
fn the_cross_table_numbers_its_lines() {
    let file = sample("harbour-cup.trf");
    let (out, _) = expect(&flagfall(&["event", "standings", &file, "--cross"]), 0);
    assert!(
        out.contains("   1      1   1  Alpha, Anna   4w1    2b½"),
        "{out}"
    );
    let shared = [
        "event",
        "standings",
        &file,
        "--tie-breaks",
        "none",
        "--cross",
    ];
    let (out, _) = expect(&flagfall(&shared), 0);
    // Three players share a place, and each has a separate line.
    for line in [
        "   1      1   1  Alpha, Anna   3w1 ",
        "   3     =3   3  Charlie, Cid  1b0 ",
        "   4     =3   4  Delta, Dan    2w0 ",
        "   5     =3   5  Echo, Eve ",
    ] {
        assert!(out.contains(line), "{out}");
    }
}

#[test]
fn invalid_standings_options_are_explained() {
    let file = sample("harbour-cup.trf");
    for (arguments, wanted) in [
        (
            ["--after", "99"],
            "flagfall: --after 99: rounds 1 to 3 are paired so far",
        ),
        (
            ["--tie-breaks", "none,BH"],
            "flagfall: --tie-breaks: `none` empties the list and cannot be combined with tie-breaks",
        ),
        (
            ["--explain", "9"],
            "flagfall: --explain 9: no player or team has this number",
        ),
        (
            ["--tie-breaks", "BH,NONSENSE"],
            "error: invalid value 'NONSENSE' for '--tie-breaks <LIST>'",
        ),
    ] {
        let asked = [&["event", "standings", &file][..], &arguments[..]].concat();
        let (_, err) = expect(&flagfall(&asked), 2);
        assert!(err.starts_with(wanted), "{err}");
    }
}

#[test]
fn a_report_is_exported_unchanged() {
    let file = sample("harbour-cup.trf");
    let (out, err) = expect(&flagfall(&["event", "export", &file]), 0);
    assert_eq!(err, "");
    assert_eq!(out, std::fs::read_to_string(&file).unwrap());
    let (out, _) = expect(&flagfall(&["event", "export", &file, "--as", "csv"]), 0);
    assert!(
        out.contains("\n1,1,GM,\"Alpha, Anna\",2500,NOR,2.5,3,4,3,0"),
        "{out}"
    );
}
