//! Record 299: bonuses, penalties and results with abnormal points belong to the event, count in its points, and are exported again.

use tournament::formats::difference::difference;
use tournament::formats::draft::{Draft, export, export_for_pairing, import_file, renumbering};
use tournament::formats::trf::Edition;
use tournament::{
    AbnormalPoints, Acceleration, Actor, Change, Participant, PlayerNo, Points, ResultKind,
    RoundNo, Tournament,
};

use crate::files::{folded, imported};
use crate::said;

/// Four players and two played rounds. Player 3 has a bonus in round 1, player 1 has a penalty in round 2, and a draw gives player 2 only 0.8 points.
const LEAGUE: &str = "\
012 League
142 3
299           2.0    1    3
299          -0.5    2    1
299 D         0.8         2
001    1      One                               2400                             1.0    3     2 w 1     3 b =
001    2      Two                               2300                             0.8    4     1 b 0     4 w =
001    3      Three                             2200                             2.5    1     4 w 0     1 w =
001    4      Four                              2100                             1.5    2     3 b 1     2 b =
";

/// A match on two boards. Every forfeit loss gives half a game point, and team 1 loses one match point and one game point as a penalty.
const MATCH: &str = "\
012 Match
142 1
192 FIDE_TEAM_TYPEA_MP_GP
362 TW  2.0   TD  1.0   TL  0.0
299    -1.0  -1.0    1    1
299 -         0.5
001    1      One                               2400                             1.0    1     3 - +
001    2      Two                               2300                             1.0    1     4 - +
001    3      Three                             2200                             0.0    3     1 - -
001    4      Four                              2100                             0.0    3     2 - -
310   1 North                            NOR     2350    1.0    1.0   1     1    2
310   2 South                            SOU     2150    0.0    0.5   2     3    4
";

fn points(tournament: &Tournament) -> Vec<(u16, String, usize)> {
    let standings = tournament.standings(None);
    let mut rows: Vec<_> = standings
        .rows
        .iter()
        .map(|row| (row.who.number(), row.score.to_string(), row.rank))
        .collect();
    rows.sort_unstable();
    rows
}

fn has(no: u16, points: &str, rank: usize) -> (u16, String, usize) {
    (no, points.to_owned(), rank)
}

fn apply(tournament: &mut Tournament, change: Change) {
    tournament.apply(&Actor::chief("Doe"), change).unwrap();
}

#[track_caller]
fn assert_round_trip(tournament: &Tournament) -> String {
    let written = export(tournament, Edition::Trf26);
    assert_eq!(written.lost, []);
    let again = imported(written.text.as_bytes());
    assert_eq!(again.remarks, [], "{}", written.text);
    let known = Draft::of(tournament);
    assert_eq!(again.draft.event, known.event);
    assert!(difference(&known, &again.draft, "file").is_empty());
    assert_eq!(points(&folded(&again.draft)), points(tournament));
    assert_eq!(
        export(&folded(&again.draft), Edition::Trf26).text,
        written.text
    );
    written.text
}

#[test]
fn a_players_bonuses_and_penalties_count() {
    let read = imported(LEAGUE.as_bytes());
    assert_eq!(read.remarks, []);
    let kept = read.draft.event.kept_lines.concat();
    assert!(!kept.contains("record"), "{kept}");
    let tournament = folded(&read.draft);
    let all = [
        has(1, "1.0", 3),
        has(2, "0.8", 4),
        has(3, "2.5", 1),
        has(4, "1.5", 2),
    ];
    assert_eq!(points(&tournament), all);
    let text = assert_round_trip(&tournament);
    for line in [
        "299           2.0  001    3\r\n",
        "299          -0.5  002    1\r\n",
        "299 D         0.8  000    2\r\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_teams_bonuses_and_penalties_count() {
    let read = imported(MATCH.as_bytes());
    assert_eq!(read.remarks, []);
    let tournament = folded(&read.draft);
    assert_eq!(points(&tournament), [has(1, "1.0", 1), has(2, "0.0", 2)]);
    let standings = tournament.standings(None);
    let games: Vec<_> = standings
        .rows
        .iter()
        .map(|row| row.second_score.unwrap().to_string())
        .collect();
    assert_eq!(games, ["1.0", "0.5"]);
    // The team's players keep their own scores.
    let text = assert_round_trip(&tournament);
    let one = text.lines().find(|line| line.starts_with("001    1"));
    assert_eq!(one.unwrap().get(80..84), Some(" 1.0"));
    // Programs that pair teams as if they were players receive match points.
    let stand_in = tournament.teams_as_players();
    assert_eq!(points(&stand_in), [has(1, "1.0", 1), has(2, "0.0", 2)]);
}

#[test]
fn zeros_mean_everyone_and_unreadable_records_are_kept() {
    let file = LEAGUE.replacen(
        "299           2.0    1    3",
        "299           2.0    1 0000",
        1,
    );
    let given = imported(file.as_bytes()).draft.event.abnormal_points;
    assert_eq!(given[0].participants, [0_u16; 0]);
    // The first record has an invalid result; the second gives no points.
    for line in ["299 X         2.0    1    3", "299                000"] {
        let file = LEAGUE.replacen("299           2.0    1    3", line, 1);
        let read = imported(file.as_bytes());
        assert_eq!(read.draft.event.abnormal_points.len(), 2);
        let text = export(&folded(&read.draft), Edition::Trf26).text;
        assert!(text.contains(&format!("{line}\r\n")), "{text}");
    }
}

#[test]
fn renumbering_moves_abnormal_points() {
    let mut tournament = folded(&imported(LEAGUE.as_bytes()).draft);
    let mut event = tournament.event().clone();
    let of_no_player = AbnormalPoints {
        participants: vec![9],
        ..event.abnormal_points[0].clone()
    };
    event.abnormal_points.push(of_no_player);
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let order = [4, 3, 2, 1].map(PlayerNo).to_vec();
    let change = renumbering(tournament.event(), order);
    apply(&mut tournament, Change::Renumber(Box::new(change)));
    let all = [
        has(1, "1.5", 2),
        has(2, "2.5", 1),
        has(3, "0.8", 4),
        has(4, "1.0", 3),
    ];
    assert_eq!(points(&tournament), all);
    assert_eq!(tournament.event().abnormal_points.len(), 3);
}

#[test]
fn a_later_file_adds_abnormal_points() {
    let without: Vec<&str> = LEAGUE
        .lines()
        .filter(|line| !line.starts_with("299"))
        .collect();
    let known = imported(without.join("\n").as_bytes()).draft;
    let file = imported(LEAGUE.as_bytes()).draft;
    let found = difference(&known, &file, "file");
    assert!(
        found.words().contains("bonuses, penalties"),
        "{}",
        found.words()
    );
    let mut tournament = folded(&known);
    for change in found.changes() {
        apply(&mut tournament, change);
    }
    assert_eq!(points(&tournament), points(&folded(&file)));
    // A file without the record does not remove the abnormal points.
    assert!(difference(&Draft::of(&tournament), &known, "file").is_empty());
}

#[test]
fn pairing_programs_get_bonuses_of_single_rounds() {
    let mut tournament = folded(&imported(LEAGUE.as_bytes()).draft);
    let mut event = tournament.event().clone();
    event.abnormal_points.push(AbnormalPoints {
        replaces: Some(ResultKind::Loss),
        match_points: None,
        points: Some(-Points::whole(3)),
        round: Some(RoundNo(1)),
        participants: vec![2],
    });
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let lowest = tournament.standings(None);
    let lowest = lowest.row(Participant::Player(PlayerNo(2))).unwrap();
    assert_eq!(lowest.score, Points::from_hundredths(-220));
    let text = export_for_pairing(&tournament).text;
    let records: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("299"))
        .collect();
    assert_eq!(
        records,
        [
            "299          -3.0  001    2",
            "299           2.0  001    3",
            "299          -0.5  002    1",
            "299           0.3  002    2",
        ]
    );
    let lines = text.lines().filter(|line| line.starts_with("001"));
    let scores: Vec<_> = lines.map(|line| line[80..84].trim().to_owned()).collect();
    assert_eq!(scores, ["1.0", "0.0", "2.5", "1.5"]);
}

/// The points of the first record, 123.4, could come from an older log. Written as `123.`, they would be read as 123 points.
#[test]
fn points_too_wide_for_their_columns_are_left_out_and_named() {
    let mut tournament = folded(&imported(LEAGUE.as_bytes()).draft);
    let mut event = tournament.event().clone();
    let points = |text: &str| Points::parse(text);
    event.abnormal_points[0].points = points("123.4");
    event.abnormal_points[1].points = points("-12");
    event.accelerations = vec![Acceleration {
        match_points: None,
        points: points("100.5"),
        rounds: (RoundNo(1), RoundNo(2)),
        participants: (1, 2),
    }];
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    for edition in [Edition::Trf26, Edition::Trf16] {
        let written = export(&tournament, edition);
        let lost = said(&written.lost);
        for named in ["record 299: `123.4`", "player 3: `123.9`"] {
            assert!(lost.iter().any(|lost| lost == named), "{lost:?}");
        }
        let accelerated = |lost: &&String| lost.ends_with(": `100.5`");
        assert!(lost.iter().any(|lost| accelerated(&lost)), "{lost:?}");
        assert!(!written.text.contains("123"), "{}", written.text);
        assert!(!written.text.contains("100."), "{}", written.text);
        assert!(written.text.contains("299           -12  002    1\r\n"));
    }
}

#[test]
fn points_that_differ_from_the_file_get_a_remark() {
    let file = LEAGUE.replacen("2.5    1", "0.5    1", 1);
    let remarks = said(&import_file(file.as_bytes()).unwrap().remarks);
    assert_eq!(
        remarks[0],
        "line 8, column 81: player 3 has 0.5 points in the file, but the results and record 299 add up to 2.5"
    );
}
