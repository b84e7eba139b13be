//! Team events from files: the primary score in records 202 and 212, and direct encounters decided by boards. The expected numbers are
//! those of FIDE's own checker (TieBreakServer 1.9.57) for these files.

use super::rig::{chief, list, places, words};
use tournament::formats::draft::{export, import_file};
use tournament::formats::trf::Edition;
use tournament::{Actor, Change, Event, Participant, TeamNo, Tournament};

/// Returns a file with teams of equal size, each player on one board. For each match of a round, `rounds` contains both teams and the first team's
/// results on the boards.
fn file(records: &str, boards: usize, teams: usize, rounds: &[&[(usize, usize, &str)]]) -> String {
    let number = |team: usize, board: usize| (team - 1) * boards + board;
    let colours: String = "WBWB".chars().cycle().take(boards).collect();
    let mut text = format!(
        "012 Teams\n042 2026/04/01\n092 Team: Swiss-System\n142 {}\n152 W\n162  W 1.0    D 0.5    L 0.0\n\
         352 {colours}\n362 TW 2.0   TD 1.0   TL 0.0\n{records}",
        rounds.len()
    );
    for team in 1..=teams {
        for board in 1..=boards {
            let mut points = 0.0;
            let mut cells = String::new();
            for round in rounds {
                let found = round.iter().find_map(|(white, black, marks)| {
                    let mark = marks.chars().nth(board - 1)?;
                    let turned = match mark {
                        '1' => '0',
                        '0' => '1',
                        other => other,
                    };
                    match team {
                        _ if team == *white => Some((*black, mark, board % 2 == 1)),
                        _ if team == *black => Some((*white, turned, board % 2 == 0)),
                        _ => None,
                    }
                });
                let (opponent, mark, white) = found.unwrap();
                points += match mark {
                    '1' => 1.0,
                    '=' => 0.5,
                    _ => 0.0,
                };
                let colour = if white { 'w' } else { 'b' };
                cells += &format!("  {:4} {colour} {mark}", number(opponent, board));
            }
            let no = number(team, board);
            text += &format!(
                "001 {no:4} {:4} {:<33} {:4} NOR {:22} {points:4.1}    1{cells}\n",
                "",
                format!("Player {no}"),
                2400 - no,
                ""
            );
        }
    }
    for team in 1..=teams {
        let players = (1..=boards).map(|board| format!("{:5}", number(team, board)));
        text += &format!(
            "310 {team:3} {:<32} NOR     2400    0.0    0.0   1 {}\n",
            format!("Team {team}"),
            players.collect::<String>()
        );
    }
    text
}

fn event_of(text: &str) -> Tournament {
    let imported = import_file(text.as_bytes()).unwrap();
    let mut tournament = Tournament::new(Event::new("", 1));
    for change in imported.draft.changes("a team file") {
        tournament.apply(&Actor::program("import"), change).unwrap();
    }
    tournament
}

/// Returns a file of four teams with match points 4, 3, 2, 3 and game points 3, 3½, 2½, 3.
fn four(records: &str) -> String {
    let rounds: [&[_]; 3] = [
        &[(1, 2, "1="), (3, 4, "==")],
        &[(1, 3, "1="), (2, 4, "11")],
        &[(1, 4, "00"), (2, 3, "==")],
    ];
    file(records, 2, 4, &rounds)
}

fn order(tournament: &Tournament) -> Vec<u16> {
    let rows = tournament.standings(None).rows;
    rows.iter().map(|row| row.who.number()).collect()
}

/// Record 202 lists only tie-breaks, so match points remain the primary score. MPvGP then means game points. A score at the start of the record is
/// a tie-break too.
#[test]
fn record_202_breaks_ties_after_match_points() {
    for (list, wanted) in [
        ("MPvGP,EMGSB", [1, 2, 4, 3]),
        ("GPTS,MPvGP", [1, 2, 4, 3]),
        ("EDE,GPTS", [1, 2, 4, 3]),
        ("BH,GPTS", [1, 2, 4, 3]),
        ("PTS:GP", [1, 2, 4, 3]),
    ] {
        let tournament = event_of(&four(&format!("202 {list}\n")));
        assert_eq!(order(&tournament), wanted, "202 {list}");
        let points = tournament.standings(None).rows[0].score;
        assert_eq!(points.to_string(), "4.0", "202 {list}: match points");
        let again = event_of(&export(&tournament, Edition::Trf26).text);
        assert_eq!(again.event().tie_breaks, tournament.event().tie_breaks);
    }
}

/// Record 212 lists every criterion of the standings, including the scores. A score at its start is the primary score, and MPvGP is the secondary
/// score.
#[test]
fn record_212_names_the_primary_score() {
    for (list, wanted, points) in [
        ("GPTS,MPvGP", [2, 1, 4, 3], "3.5"),
        ("PTS:GP,EDE", [2, 4, 1, 3], "3.5"),
        ("MPTS,GPTS", [1, 2, 4, 3], "4.0"),
        ("PTS,GPTS", [1, 2, 4, 3], "4.0"),
        ("MPvGP,EMGSB", [1, 2, 4, 3], "4.0"),
    ] {
        let tournament = event_of(&four(&format!("202 BH\n212 {list}\n")));
        assert_eq!(order(&tournament), wanted, "212 {list}");
        let first = tournament.standings(None).rows[0].score;
        assert_eq!(first.to_string(), points, "212 {list}");
        let again = event_of(&export(&tournament, Edition::Trf26).text);
        assert_eq!(again.event().tie_breaks, tournament.event().tie_breaks);
    }
}

/// Returns the ranks of teams 1 and 2 by direct encounter, or two zeros if they remain tied.
fn encounter(tournament: &Tournament, code: &str) -> [i64; 2] {
    let mut tournament = tournament.clone();
    let mut event = tournament.event().clone();
    event.tie_breaks = list(code);
    let change = Change::SetEvent(Box::new(event));
    tournament.apply(&chief(), change).unwrap();
    let standings = tournament.standings(None);
    [1, 2].map(|team| {
        let row = standings.row(Participant::Team(TeamNo(team))).unwrap();
        row.values[0].unwrap().rounded()
    })
}

/// Two teams drew their match 2-2. Team 1 won on boards 1 and 4. The top board favours team 1. Without the last board, team 2 leads. The board counts
/// are 5 each.
#[test]
fn boards_decide_between_two_teams() {
    let tournament = event_of(&file("", 4, 2, &[&[(1, 2, "1001")]]));
    for (code, wanted) in [
        ("EDE", [0, 0]),
        ("EDEC", [0, 0]),
        ("EDET", [1, 2]),
        ("EDEB", [2, 1]),
        ("EDEBT", [1, 2]),
        ("EDEBB", [2, 1]),
    ] {
        assert_eq!(encounter(&tournament, code), wanted, "{code}");
    }
}

/// Team 1 won on board 1, team 2 on board 2, and the others were drawn, so the board counts in their match are 4½ and
/// 5½. FIDE's checker ranks the higher count first.
#[test]
fn the_board_count_of_a_match_comes_before_its_boards() {
    let tournament = event_of(&file("", 4, 2, &[&[(1, 2, "10==")]]));
    for (code, wanted) in [
        ("EDET", [1, 2]),
        ("EDEC", [2, 1]),
        ("EDEBT", [2, 1]),
        ("EDEBB", [2, 1]),
    ] {
        assert_eq!(encounter(&tournament, code), wanted, "{code}");
    }
}

/// Four teams drew every match and have equal game points. Boards are compared only between exactly two teams (13.3.2), so no team is separated.
#[test]
fn boards_decide_only_between_two_teams() {
    let rounds: [&[_]; 3] = [
        &[(1, 2, "10"), (3, 4, "10")],
        &[(1, 3, "10"), (2, 4, "10")],
        &[(1, 4, "10"), (2, 3, "10")],
    ];
    let mut tournament = event_of(&file("202 EDET\n", 2, 4, &rounds));
    assert_eq!(
        places(&tournament.standings(None)),
        [(1, 1), (1, 2), (1, 3), (1, 4)]
    );
    // The top boards of the whole event separate all teams: they have 3, 2, 1 and 0 points on board 1.
    let mut event = tournament.event().clone();
    event.tie_breaks = list("TBR EDET");
    let change = Change::SetEvent(Box::new(event));
    tournament.apply(&chief(), change).unwrap();
    assert_eq!(
        places(&tournament.standings(None)),
        [(1, 1), (2, 2), (3, 3), (4, 4)]
    );
}

#[test]
fn an_explanation_shows_each_step_applied_to_the_tied() {
    let tournament = event_of(&file("202 EDEB\n", 4, 2, &[&[(1, 2, "1001")]]));
    assert_eq!(
        words(&tournament, 1, "EDEB"),
        [
            "EDEB of Team 1: 2",
            "Team 1 has 1 match points against 1 of those tied",
            "Team 2 has 1 match points against 1 of those tied",
            "Team 1 has 2 game points against 1 of those tied",
            "Team 2 has 2 game points against 1 of those tied",
            "Team 1 has 1 on boards 1 to 3 against 1 of those tied",
            "Team 2 has 2 on boards 1 to 3 against 1 of those tied",
            "all tied participants have met: their separate standings decide, and the rule is applied again to those still tied (C.07 6.2); \
             the other score breaks remaining ties, then the board results if only two teams are still tied (C.07 13.3)",
        ]
    );
}
