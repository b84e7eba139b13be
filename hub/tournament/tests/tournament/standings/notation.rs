//! Tie-breaks, scores and dates as text.

use tournament::{Code, Date, Measure, Points, Ratio, Regulations, TieBreak};

#[test]
fn tie_breaks_are_read_and_written() {
    let same = [
        "BH",
        "BH/C1",
        "BH/M2",
        "BH:GP/C1",
        "SB/C1",
        "KS/L40",
        "KS/L+0.5",
        "KS/L-1.0",
        "DE/P",
        "AOB/F",
        "TPN/R",
        "ARO/C1/U1400",
        "SSSC/K3",
        "MPVGP",
        "EMGSB",
    ];
    for text in same {
        assert_eq!(TieBreak::parse(text).unwrap().to_string(), text);
    }
    // Also accepted: the regulations' spelling, lower case, former names, and a limit in half points.
    for (text, canonical) in [
        ("BH-C1", "BH/C1"),
        ("bh/c1", "BH/C1"),
        ("GE", "REP"),
        ("SNO", "TPN"),
        ("KS/L+1", "KS/L+0.5"),
        ("KS/L2", "KS/L+1.0"),
    ] {
        assert_eq!(TieBreak::parse(text).unwrap().to_string(), canonical);
    }
    for code in Code::ALL {
        assert_eq!(TieBreak::parse(code.as_str()).unwrap(), TieBreak::new(code));
    }
    assert_eq!(
        TieBreak::parse("BH:GP").unwrap().measure,
        Some(Measure::Game)
    );
}

#[test]
fn an_unknown_tie_break_lists_the_alternatives() {
    for (text, fault) in [
        (
            "XYZ",
            "no tie-break has the code \"XYZ\": use a code of C.07, such as BH or SB",
        ),
        (
            "BH/Q",
            "the modifier \"Q\" is not known: use C1, M1, P, F, R, L50, U1400 or K3",
        ),
        (
            "BH/C",
            "the modifier \"C\" is not known: use C1, M1, P, F, R, L50, U1400 or K3",
        ),
        (
            "BH/",
            "the modifier \"\" is not known: use C1, M1, P, F, R, L50, U1400 or K3",
        ),
        (
            "KS/L101",
            "the modifier \"L101\" is not known: use C1, M1, P, F, R, L50, U1400 or K3",
        ),
        ("BH:XP", "the score of a tie-break is MP or GP, not \"XP\""),
        (
            "",
            "no tie-break has the code \"\": use a code of C.07, such as BH or SB",
        ),
    ] {
        assert_eq!(TieBreak::parse(text).unwrap_err(), fault);
    }
}

#[test]
fn scores_are_exact() {
    for (text, hundredths) in [
        ("2", 200),
        ("2.5", 250),
        (".5", 50),
        ("½", 50),
        ("3½", 350),
        ("0.25", 25),
        ("-1.5", -150),
    ] {
        assert_eq!(
            Points::parse(text).unwrap().hundredths(),
            hundredths,
            "{text}"
        );
    }
    for text in ["", "-", "1.", "1.234", "1,5", "1234567", "a", "½½", "+1"] {
        assert_eq!(Points::parse(text), None, "{text}");
    }
    let texts =
        [250, 300, 25, -150, 5].map(|hundredths| Points::from_hundredths(hundredths).to_string());
    assert_eq!(texts, ["2.5", "3.0", "0.25", "-1.5", "0.05"]);
}

#[test]
fn fractions_round_only_on_request_halves_up() {
    assert_eq!(Ratio::new(2, -4), Ratio::new(-1, 2));
    assert_eq!(
        [(5, 2), (-5, 2), (7, 3), (8, 3)].map(|(over, under)| Ratio::new(over, under).rounded()),
        [3, -2, 2, 3]
    );
    assert_eq!(Ratio::new(1, 3).decimal(), "0.3333");
    assert_eq!(Ratio::new(-7, 4).to_string(), "-1.75");
    assert!(Ratio::new(1, 3) < Ratio::new(34, 100));
    assert_eq!(Ratio::new(5, 0), Ratio::ZERO);
    // Fractions whose intermediate products exceed 64 bits are compared and subtracted exactly.
    let (large, larger) = (Ratio::new(i64::MAX, 3), Ratio::new(i64::MAX, 2));
    assert!(large < larger);
    assert_eq!(larger - larger, Ratio::ZERO);
}

#[test]
fn dates_are_days_of_the_calendar() {
    for (text, day) in [
        ("2026/11/20", (2026, 11, 20)),
        ("2024-02-29", (2024, 2, 29)),
        ("26/03/01", (2026, 3, 1)),
    ] {
        assert_eq!(Date::parse(text), Date::new(day.0, day.1, day.2), "{text}");
        assert!(Date::parse(text).is_some());
    }
    for text in [
        "2026/02/29",
        "2026/13/01",
        "2026/00/10",
        "2026/11",
        "2026/11/20/1",
        "",
        "a/b/c",
        "2026/+1/01",
    ] {
        assert_eq!(Date::parse(text), None, "{text}");
    }
    assert_eq!(
        Regulations::on(Date::new(2026, 2, 28)),
        Regulations::August2024
    );
    assert_eq!(
        Regulations::on(Date::new(2026, 3, 1)),
        Regulations::March2026
    );
    assert_eq!(Regulations::on(None), Regulations::March2026);
}
