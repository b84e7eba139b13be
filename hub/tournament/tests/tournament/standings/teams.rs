//! Teams: articles 11 to 13, on two boards.
//!
//! Four teams of two play three rounds; the first-named team has White on board 1. Game points of the matches: round 1: A-B 1½-½, C-D 1-1; round 2:
//! A-C 2-0, B-D 1½-½; round 3: D-A 1-1, B-C 0-2.
//! Match points (2, 1, 0): A 2 + 2 + 1 = 5, B 0 + 2 + 0 = 2, C 1 + 0 + 2 = 3, D 1 + 0 + 1 = 2.
//! Game points: A 4½, B 2, C 3, D 2½.

use super::rig::{check, chief, line, list, places, words};
use tournament::{
    BoardNo, Bye, Change, Contest, Event, GameResult, Match, MatchNo, Outcome, Pairing, Pairings,
    Player, PlayerNo, Reseating, RoundNo, Side, Team, TeamNo, Tournament,
};

/// Returns an event with teams of two players: 1 and 2 in A, 3 and 4 in B, and so on.
fn event(teams: u16, rounds: u16, tie_breaks: &str) -> Tournament {
    let mut event = Event::new("Teams", rounds);
    event.contest = Contest::Teams { boards: 2 };
    event.tie_breaks = list(tie_breaks);
    let mut tournament = Tournament::new(event);
    let mut apply = |change| tournament.apply(&chief(), change).unwrap();
    for no in 1..=2 * teams {
        apply(Change::EnterPlayer(Box::new(Player::new(
            PlayerNo(no),
            &format!("Player {no}"),
        ))));
    }
    for (no, name) in (1..=teams).zip(["A", "B", "C", "D", "E"]) {
        apply(Change::EnterTeam(Box::new(Team {
            no: TeamNo(no),
            name: name.to_owned(),
            short_name: String::new(),
            federation: String::new(),
            players: vec![PlayerNo(2 * no - 1), PlayerNo(2 * no)],
        })));
    }
    tournament
}

/// Plays a round. Each element of `matches` names two teams and the first team's results on boards 1 and 2 (`1`, `=`, `0`, `+`, `-`).
fn play(
    tournament: &mut Tournament,
    round: u16,
    matches: &[(u16, u16, &str)],
    byes: &[(u16, Bye)],
) {
    let mut pairings = Pairings::default();
    let mut results = Vec::new();
    for ((white, black, marks), no) in matches.iter().zip(1..) {
        let paired = Match {
            white: TeamNo(*white),
            black: TeamNo(*black),
            forfeit: None,
        };
        pairings.matches.push((MatchNo(no), paired));
        let seats = [
            (2 * white - 1, 2 * black - 1, Side::White),
            (2 * black, 2 * white, Side::Black),
        ];
        for ((seat, mark), place) in seats.iter().zip(marks.chars()).zip(1..) {
            let board = BoardNo(2 * (no - 1) + place);
            let mut pairing = Pairing::new(board, PlayerNo(seat.0), PlayerNo(seat.1));
            pairing.of_match = Some((MatchNo(no), place));
            pairings.boards.push(pairing);
            let own = |outcome: Outcome| match seat.2 {
                Side::White => GameResult::played(outcome),
                Side::Black => GameResult::played(outcome.opposite()),
            };
            results.push((
                board,
                match mark {
                    '1' => own(Outcome::Win),
                    '=' => own(Outcome::Draw),
                    '0' => own(Outcome::Loss),
                    '+' => GameResult::forfeit(seat.2),
                    _ => GameResult::forfeit(seat.2.other()),
                },
            ));
        }
    }
    pairings.team_byes = byes
        .iter()
        .map(|(team, bye)| (TeamNo(*team), *bye))
        .collect();
    let round = RoundNo(round);
    tournament
        .apply(&chief(), Change::PairRound(round, Box::new(pairings)))
        .unwrap();
    for (board, result) in results {
        tournament
            .apply(&chief(), Change::Enter(round, board, result, String::new()))
            .unwrap();
    }
}

fn four(tie_breaks: &str) -> Tournament {
    let mut tournament = event(4, 3, tie_breaks);
    play(&mut tournament, 1, &[(1, 2, "1="), (3, 4, "10")], &[]);
    play(&mut tournament, 2, &[(1, 3, "11"), (2, 4, "1=")], &[]);
    play(&mut tournament, 3, &[(4, 1, "10"), (2, 3, "00")], &[]);
    tournament
}

/// The primary score is match points, unless the list begins with game points. MPvGP is the secondary score.
#[test]
fn match_points_and_game_points() {
    check(
        &four("MPTS GPTS MPVGP").standings(None),
        &[
            "5.0 | 5.0 4.5 4.5",
            "2.0 | 2.0 2.0 2.0",
            "3.0 | 3.0 3.0 3.0",
            "2.0 | 2.0 2.5 2.5",
        ],
    );
    check(
        &four("GPTS MPVGP").standings(None),
        &[
            "4.5 | 4.5 5.0",
            "2.0 | 2.0 2.0",
            "3.0 | 3.0 3.0",
            "2.5 | 2.5 2.0",
        ],
    );
    let standings = four("GPTS").standings(None);
    assert_eq!(
        standings.rows[0]
            .second_score
            .map(|points| points.to_string()),
        Some("5.0".to_owned())
    );
}

/// Buchholz in match points: each team met the three others, so its value is the total of 12 less its own 5, 2, 3 or 2. In game points it is 12
/// less 4½, 2, 3 or 2½.
/// Cut-1 subtracts 2 from each of these values in match points. In game points it subtracts 2 from A's, 2½ from B's, 2 from C's and 2 from D's.
/// SB in match points: A 2·2 + 3·2 + 2·1 = 12; B 2·2 = 4; C 2·1 + 5·0 + 2·2 = 6; D 3·1 + 5·1 = 8.
#[test]
fn buchholz_and_sonneborn_berger_in_both_scores() {
    check(
        &four("BH BH/C1 BH:GP BH:GP/C1 SB SB:GP").standings(None),
        &[
            "5.0 | 7.0 5.0 7.5 5.5 12.00 11.50",
            "2.0 | 10.0 8.0 10.0 7.5 4.00 6.00",
            "3.0 | 9.0 7.0 9.0 7.0 6.00 6.50",
            "2.0 | 10.0 8.0 9.5 7.5 8.00 8.50",
        ],
    );
    // In game points: A: 2·1½ + 3·2 + 2½·1 = 11.5; B: 4½·½ + 2½·1½ + 3·0 = 6; C: 2½·1 + 4½·0 + 2·2 = 6.5;
    // D: 3·1 + 2·½ + 4½·1 = 8.5.
}

/// Article 13.2: each opponent's score in the first kind of points is multiplied by the team's own points against that opponent in the second kind.
///
/// Team A met B, C and D, with match points 2, 3, 2 and game points 2, 3, 2½. A scored match points 2, 2, 1 and game points 1½, 2, 1 against them.
/// MM 4 + 6 + 2 = 12; MG 3 + 6 + 2 = 11; GM 4 + 6 + 2.5 = 12.5; GG 3 + 6 + 2.5 = 11.5. ESB combines the primary with the secondary score: MG.
/// Team B met A, D and C, with 5, 2, 3 and 4½, 2½, 3. B scored 0, 2, 0 and ½, 1½, 0 against them: MM 4; MG 2.5 + 3 = 5.5; GM 5; GG 2.25 + 3.75 = 6.
#[test]
fn extended_sonneborn_berger() {
    let standings = four("EMMSB EMGSB EGMSB EGGSB ESB").standings(None);
    assert_eq!(line(&standings, 1), "5.0 | 12.00 11.00 12.50 11.50 11.00");
    assert_eq!(line(&standings, 2), "2.0 | 4.00 5.50 5.00 6.00 5.50");
}

/// Board points: A 1 + 1 + 0 = 2 on board 1 (lost there to D), ½ + 1 + 1 = 2½ on board 2. B 0 + 1 + 0 = 1 and ½ + ½ + 0 = 1.
/// C 1 + 0 + 1 = 2 and 0 + 0 + 1 = 1. D 0 + 0 + 1 = 1 and 1 + ½ + 0 = 1½.
/// BC: A 2 + 5 = 7, B 1 + 2 = 3, C 2 + 2 = 4, D 1 + 3 = 4; the lower count is better.
#[test]
fn board_count() {
    check(
        &four("BC").standings(None),
        &["5.0 | 7.0", "2.0 | 3.0", "3.0 | 4.0", "2.0 | 4.0"],
    );
    // B and D have 2 match points: B's count of 3 is better than D's 4.
    assert_eq!(
        places(&four("BC").standings(None)),
        [(1, 1), (2, 3), (3, 2), (4, 4)]
    );
}

/// B and D have 2 match points. Top boards: 1 and 1, then 1 and 1½: D. Bottom board elimination: without board 2 they have 1 and 1, and no board is
/// left to eliminate.
#[test]
fn top_boards_and_bottom_boards() {
    check(
        &four("TBR BBE").standings(None),
        &["5.0 | 0 0", "2.0 | 2 0", "3.0 | 0 0", "2.0 | 1 0"],
    );
    assert_eq!(
        words(&four("TBR"), 4, "TBR"),
        ["TBR of D: 1", "board 1: 1.0, board 2: 1.5"]
    );
    assert_eq!(
        places(&four("BBE").standings(None)),
        [(1, 1), (2, 3), (3, 2), (3, 4)]
    );
}

/// SSSC for A: game points 4½ plus Buchholz 7 divided by 3. The divisor is the highest possible match score in 3 rounds, 6, over the highest game
/// score in a match, 2. So 4.5 + 2.33; with K2 the divisor is 2.
#[test]
fn score_and_schedule_strength() {
    let standings = four("SSSC SSSC/K2").standings(None);
    assert_eq!(line(&standings, 1), "5.0 | 6.83 8.00");
    assert_eq!(
        words(&four("SSSC"), 1, "SSSC").last().unwrap(),
        "GP 4.5 plus Buchholz divided by 3"
    );
}

/// B and D are tied on match points. They have met, and B won.
#[test]
fn extended_direct_encounter() {
    assert_eq!(
        places(&four("EDE").standings(None)),
        [(1, 1), (2, 3), (3, 2), (4, 4)]
    );
    // Three teams each beat the next one. All have 2 match points, so game points decide.
    let mut tournament = event(3, 3, "EDE");
    play(&mut tournament, 1, &[(1, 2, "11")], &[(3, Bye::Zero)]);
    play(&mut tournament, 2, &[(2, 3, "1=")], &[(1, Bye::Zero)]);
    play(&mut tournament, 3, &[(3, 1, "1=")], &[(2, Bye::Zero)]);
    // Match points are 2 each. Game points among them: A 2 + ½ = 2½, B 0 + 1½ = 1½, C ½ + 1½ = 2.
    assert_eq!(
        places(&tournament.standings(None)),
        [(1, 1), (2, 3), (3, 2)]
    );
    let mut event = tournament.event().clone();
    event.tie_breaks = list("DE");
    tournament
        .apply(&chief(), Change::SetEvent(Box::new(event)))
        .unwrap();
    assert_eq!(
        places(&tournament.standings(None)),
        [(1, 1), (1, 2), (1, 3)]
    );
}

/// Tie-breaks from own results count matches with match points, and games with game points. A won 2 matches, and its players 1 + 2 + 1 = 4 games.
#[test]
fn own_records_of_teams() {
    let standings = four("WON WON:GP WIN STD STD:GP BPG BPG:GP PS PS:GP").standings(None);
    // Team A had White on board 1 in rounds 1 and 2, so Black once; one of its players has Black in each match. Progressive scores are 2, 4, 5 in
    // match points and 1½, 3½, 4½ in game points. Standard points are 1 + 1 + ½ for the matches and 1½ + 2 + 1 for the games.
    assert_eq!(line(&standings, 1), "5.0 | 2 4 2 2.5 4.5 1 3 11.0 9.5");
}

/// A pairing-allocated bye counts as a match won on every board (C.07 12), unless the event says otherwise. A match counts as forfeited only if no
/// game of it was played.
#[test]
fn byes_and_forfeits_of_teams() {
    let mut tournament = event(3, 2, "GPTS BC REP:MP REP");
    play(
        &mut tournament,
        1,
        &[(1, 2, "++")],
        &[(3, Bye::PairingAllocated)],
    );
    play(&mut tournament, 2, &[(3, 1, "+1")], &[(2, Bye::Half)]);
    // A won one match by forfeit and lost one 0-2: GPTS 2, BC 1 + 2 = 3, REP 2 matches and 3 games, because one game of round 2 was forfeited.
    // B had a forfeit loss and a half-point bye: GPTS 2·½ = 1, BC 1·½ + 2·½, REP 0.
    // C scored 2 for the bye and won 2-0: GPTS 4, BC 6, REP 2 matches and 4 games.
    check(
        &tournament.standings(None),
        &[
            "2.0 | 2.0 3.0 2 3",
            "1.0 | 1.0 1.5 0 0",
            "4.0 | 4.0 6.0 2 4",
        ],
    );
    let mut event = tournament.event().clone();
    event.team_bye_points = tournament::Points::parse("1");
    tournament
        .apply(&chief(), Change::SetEvent(Box::new(event)))
        .unwrap();
    assert_eq!(line(&tournament.standings(None), 3), "3.0 | 3.0 6.0 2 4");
}

#[test]
fn a_match_is_forfeited_and_restored() {
    let mut tournament = four("GPTS");
    let before = tournament.standings(None);
    let forfeit = |winner| Change::ForfeitMatch(RoundNo(3), MatchNo(1), winner);
    tournament
        .apply(&chief(), forfeit(Some(Some(Side::Black))))
        .unwrap();
    // A wins the match against D by forfeit, and D loses it: match points 6 and 1. The games already played keep their points.
    let standings = tournament.standings(None);
    assert_eq!(
        standings.rows[0]
            .second_score
            .map(|points| points.to_string()),
        Some("6.0".to_owned())
    );
    tournament.apply(&chief(), forfeit(None)).unwrap();
    assert_eq!(tournament.standings(None), before);
}

/// Returns an event with one round, A against B and C against D, without results. A (1, 2) and B (3, 4) are on boards 1
/// and 2, C (5, 6) and D (7, 8) on boards 3 and 4.
fn two_matches() -> Tournament {
    let mut tournament = event(4, 1, "");
    let mut pairings = Pairings::default();
    for (no, white, black) in [(1, 1, 2), (2, 3, 4)] {
        let paired = Match {
            white: TeamNo(white),
            black: TeamNo(black),
            forfeit: None,
        };
        pairings.matches.push((MatchNo(no), paired));
    }
    for (board, white, black) in [(1, 1, 3), (2, 4, 2), (3, 5, 7), (4, 8, 6)] {
        pairings.boards.push(at_match(board, white, black));
    }
    let change = Change::PairRound(RoundNo(1), Box::new(pairings));
    tournament.apply(&chief(), change).unwrap();
    tournament
}

fn at_match(board: u16, white: u16, black: u16) -> Pairing {
    Pairing {
        of_match: Some((MatchNo(board.div_ceil(2)), (board + 1) % 2 + 1)),
        ..Pairing::new(BoardNo(board), PlayerNo(white), PlayerNo(black))
    }
}

#[test]
fn a_player_plays_only_for_their_own_team() {
    let seat = |boards: &[(u16, u16, u16)]| {
        let mut tournament = two_matches();
        let boards = boards
            .iter()
            .map(|(board, white, black)| at_match(*board, *white, *black));
        let seats = Reseating {
            boards: boards.collect(),
            restart: false,
        };
        let before = tournament.clone();
        let done = tournament.apply(&chief(), Change::Reseat(RoundNo(1), seats));
        assert!(done.is_ok() || tournament == before);
        done.map_err(|refusal| refusal.to_string())
    };
    let refused = |boards: &[(u16, u16, u16)]| seat(boards).unwrap_err();
    // Refused: a swap of players between two matches, a swap between the two teams of a match, and a player of another match on one board.
    assert_eq!(
        refused(&[(1, 8, 3), (4, 1, 6)]),
        "on board 1, A plays B, but player 8 is in D"
    );
    assert_eq!(
        refused(&[(1, 4, 3), (2, 1, 2)]),
        "on board 1, A plays B, but players 4 and 3 are both in B"
    );
    assert_eq!(
        refused(&[(3, 5, 7), (1, 6, 3)]),
        "on board 1, A plays B, but player 6 is in C"
    );
    assert_eq!(seat(&[(1, 2, 3), (2, 4, 1)]), Ok(()));
    assert_eq!(seat(&[(1, 3, 1)]), Ok(()));
    let mut tournament = two_matches();
    let stranger = Player::new(PlayerNo(9), "Player 9");
    let enters = Change::EnterPlayer(Box::new(stranger));
    tournament.apply(&chief(), enters).unwrap();
    let seats = Change::Reseat(RoundNo(1), at_match(1, 9, 3).into());
    let refusal = tournament.apply(&chief(), seats).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "on board 1, A plays B, but player 9 is not in a team"
    );
}
