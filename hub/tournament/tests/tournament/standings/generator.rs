//! A file from FIDE's own tournament generator (version 1.11.65), imported and ranked: a half-point bye, forfeits and pairing-allocated byes in
//! four rounds. The expected numbers are those of FIDE's own checker for this file.

use super::rig::{check, chief, list, places};
use tournament::formats::draft::import_file;
use tournament::{Actor, Change, Event, Tournament};

const FILE: &str = "\
012 tournamentgenerator ver.1.11.65 
022 rating=2600, step=14.0, sigma=20.0, zpb=0.03, hpb=0.03, forfeited=0.08
032 FID
042 2026/11/21
052 2026/11/21
062 7
072 7
092 Tournament
102 Python, ver 3.13
122 
142 4
152 W
162  W 1.0    D 0.5    L 0.0    A 0.0    P 1.0    X 0.5
192 FIDE_DUTCH
212 PTS
001    1 u    Player    1                       2601            2586             2.5    1  0000 - H     4 w +     2 w =     6 w =
001    2 u    Player    2                       2590            2572             2.5    2     5 w +     6 w =     1 b =     7 b =
001    3 u    Player    3                       2584            2558             2.0    3     6 b 0  0000 - U     4 w =     5 b =
001    4 u    Player    4                       2530            2544             2.0    4     7 w =     1 b -     3 b =  0000 - U
001    5 u    Player    6                       2529            2516             1.5    6     2 b -     7 b 0  0000 - U     3 w =
001    6 u    Player    5                       2502            2530             3.0    5     3 w 1     2 b =     7 w 1     1 b =
001    7 u    Player    7                       2497            2502             2.0    7     4 b =     5 w 1     6 b 0     2 w =
";

#[test]
fn generated_files_match_the_checkers_tie_breaks() {
    let imported = import_file(FILE.as_bytes()).unwrap();
    let mut tournament = Tournament::new(Event::new("", 1));
    for change in imported.draft.changes("the generator's file") {
        tournament.apply(&Actor::program("import"), change).unwrap();
    }
    let mut event = tournament.event().clone();
    event.tie_breaks = list("BH/C1 BH AOB SB FB PS ARO TPR PTP");
    tournament
        .apply(&chief(), Change::SetEvent(Box::new(event)))
        .unwrap();
    let standings = tournament.standings(None);
    check(
        &standings,
        &[
            "2.5 | 7.5 9.5 9.00 5.75 9.5 6.5 2546 2546 2544",
            "2.5 | 7.5 9.0 9.17 5.25 9.0 7.0 2533 2533 2533",
            "2.0 | 7.0 8.5 8.00 3.75 8.5 4.5 2520 2395 2396",
            "2.0 | 6.0 8.0 8.75 4.00 8.0 4.0 2541 2541 2538",
            "1.5 | 5.5 7.0 8.75 2.50 7.0 2.5 2541 2348 2344",
            "3.0 | 7.0 9.0 9.00 6.50 9.0 8.0 2568 2761 2764",
            "2.0 | 7.5 9.0 8.25 3.75 9.0 5.5 2538 2538 2537",
        ],
    );
    assert_eq!(
        places(&standings),
        [(1, 6), (2, 1), (3, 2), (4, 7), (5, 3), (6, 4), (7, 5)]
    );
    assert!(!standings.provisional);
}
