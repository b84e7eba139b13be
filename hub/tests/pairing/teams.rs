//! A team Swiss, paired by a program that knows only individual players.

use expect_test::expect;
use hub::pairing::{Numbers, RoundsToPair};
use tournament::formats::draft::{export, import_file};
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Contest, GameResult, Match, MatchNo, Outcome, Pairings, PlayerNo,
    RoundNo, Side, Team, TeamNo, Tournament,
};

use crate::program::{FAKE, desk};
use crate::rig::{apply, open};

/// Returns an event whose teams have two boards and one reserve: players 1 to 3, 4 to 6, and so on.
fn cup(teams: u16) -> Tournament {
    let mut tournament = open("Cup", teams * 3);
    let mut event = tournament.event().clone();
    event.contest = Contest::Teams { boards: 2 };
    event.type_code = "CUSTOM_SWISS".to_owned();
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    for no in 1..=teams {
        let team = Team {
            no: TeamNo(no),
            name: format!("Team {no}"),
            short_name: String::new(),
            federation: String::new(),
            players: (no * 3 - 2..=no * 3).map(PlayerNo).collect(),
        };
        apply(&mut tournament, Change::EnterTeam(Box::new(team)));
    }
    tournament
}

async fn pair(tournament: &mut Tournament) -> Pairings {
    let proposal = desk(FAKE, "1m")
        .propose(tournament, RoundsToPair::Next, Numbers::ByRank)
        .await
        .unwrap();
    let words = proposal.words;
    let mut announced = None;
    for change in proposal.changes {
        if let Change::PairRound(_, pairings) = &change {
            announced = Some((**pairings).clone());
        }
        apply(tournament, change);
    }
    let announced = announced.unwrap();
    for (team, bye) in &announced.team_byes {
        let kind = match bye {
            Bye::PairingAllocated => "pairing-allocated bye",
            Bye::Zero => "absent",
            Bye::Full | Bye::Half => panic!("{bye:?}"),
        };
        let line = format!("team {team} Team {team}: {kind}");
        assert!(words.contains(&line), "{words}");
    }
    announced
}

/// Returns the numbers of the board, of White and of Black for each game in a round.
fn seats(tournament: &Tournament, round: u16) -> Vec<(u16, u16, u16)> {
    let no = |player: Option<PlayerNo>| player.map_or(0, |player| player.0);
    let boards = tournament.rounds()[&RoundNo(round)].boards.iter();
    boards
        .map(|(board, at)| (board.0, no(at.white), no(at.black)))
        .collect()
}

fn enter(tournament: &mut Tournament, round: u16, results: &[GameResult]) {
    for (result, board) in results.iter().zip((1..).map(BoardNo)) {
        apply(
            tournament,
            Change::Enter(RoundNo(round), board, *result, String::new()),
        );
    }
}

#[tokio::test]
async fn a_team_swiss_is_paired_and_seated_by_board_order() {
    let mut tournament = cup(5);
    apply(
        &mut tournament,
        Change::GrantBye(PlayerNo(1), RoundNo(1), Some(Bye::Zero)),
    );
    let first = pair(&mut tournament).await;
    let pairs: Vec<_> = first
        .matches
        .iter()
        .map(|(_, of)| (of.white.0, of.black.0))
        .collect();
    assert_eq!(pairs, [(2, 1), (4, 3)]);
    assert_eq!(first.team_byes, [(TeamNo(5), Bye::PairingAllocated)]);
    // The first-named team has White on its first board. The next player in order replaces a player who has a bye.
    assert_eq!(
        seats(&tournament, 1),
        [(1, 4, 2), (2, 3, 5), (3, 10, 7), (4, 8, 11)]
    );
    let (win, loss, draw) = (Outcome::Win, Outcome::Loss, Outcome::Draw);
    let results = [win, loss, draw, draw].map(GameResult::played);
    enter(&mut tournament, 1, &results);
    let scores: Vec<String> = tournament
        .standings(None)
        .rows
        .iter()
        .map(|row| format!("{} {}", row.who.number(), row.score))
        .collect();
    assert_eq!(scores, ["2 2.0", "5 2.0", "3 1.0", "4 1.0", "1 0.0"]);
    let second = pair(&mut tournament).await;
    let pairs: Vec<_> = second
        .matches
        .iter()
        .map(|(_, of)| (of.white.0, of.black.0))
        .collect();
    assert_eq!(pairs, [(1, 3), (4, 2)], "no rematch");
    import_file(export(&tournament, Edition::Trf26).text.as_bytes()).unwrap();
}

#[tokio::test]
async fn a_match_is_a_game_in_the_file() {
    let mut tournament = cup(6);
    pair(&mut tournament).await;
    enter(
        &mut tournament,
        1,
        &[
            GameResult::played(Outcome::Win),
            GameResult::played(Outcome::Loss),
        ],
    );
    apply(
        &mut tournament,
        Change::ForfeitMatch(RoundNo(1), MatchNo(2), Some(Some(Side::Black))),
    );
    for board in [5, 6] {
        let change = Change::Enter(
            RoundNo(1),
            BoardNo(board),
            GameResult::DOUBLE_FORFEIT,
            String::new(),
        );
        apply(&mut tournament, change);
    }
    let games = tournament.teams_as_players();
    let shown: Vec<String> = games.rounds()[&RoundNo(1)]
        .boards
        .values()
        .map(|board| {
            let no = |player: Option<PlayerNo>| player.map_or(0, |player| player.0);
            let result = board
                .result
                .map_or_else(|| "open".to_owned(), GameResult::label);
            format!("{}-{} {result}", no(board.white), no(board.black))
        })
        .collect();
    expect![[r#"
        [
            "2-1 1-0",
            "4-3 -:+",
            "6-5 -:-",
        ]
    "#]]
    .assert_debug_eq(&shown);
    assert_eq!(games.event().scoring, tournament.event().match_scoring);
}

#[tokio::test]
async fn a_team_without_players_is_not_paired() {
    let mut tournament = cup(3);
    for player in [4, 5, 6] {
        apply(
            &mut tournament,
            Change::Withdraw(PlayerNo(player), RoundNo(0)),
        );
    }
    let first = pair(&mut tournament).await;
    let pair = Match {
        white: TeamNo(3),
        black: TeamNo(1),
        forfeit: None,
    };
    assert_eq!(first.matches, [(MatchNo(1), pair)]);
    assert_eq!(first.team_byes, [(TeamNo(2), Bye::Zero)]);
}

#[tokio::test]
async fn an_unsupported_system_is_refused() {
    let mut tournament = cup(4);
    let mut event = tournament.event().clone();
    event.type_code = "FIDE_TEAM_SWISS".to_owned();
    apply(&mut tournament, Change::SetEvent(Box::new(event)));
    let error = desk(FAKE, "1m")
        .propose(&tournament, RoundsToPair::Next, Numbers::ByRank)
        .await;
    let words = error.unwrap_err().to_string();
    assert!(
        words.starts_with("FIDE_TEAM_SWISS is not a system"),
        "{words}"
    );
}

#[test]
fn a_team_that_was_paired_stays() {
    let mut tournament = cup(2);
    let chief = Actor::chief("Doe");
    let gone = Change::RemoveTeam(TeamNo(2));
    tournament.clone().apply(&chief, gone.clone()).unwrap();
    let pairings = tournament.seated_matches(RoundNo(1), &[(TeamNo(1), TeamNo(2))], 2);
    apply(
        &mut tournament,
        Change::PairRound(RoundNo(1), Box::new(pairings)),
    );
    let refused = tournament.apply(&chief, gone).unwrap_err().to_string();
    assert_eq!(refused, "team 2 is paired in round 1 and cannot be removed");
    let refused = tournament
        .apply(&chief, Change::RemoveTeam(TeamNo(9)))
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "there is no team 9");
}
