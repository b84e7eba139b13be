//! Games decided by a count: Scrabble and Othello.

use super::rig::{check, chief, list};
use tournament::{
    BoardNo, Change, Event, Game, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo,
    Refusal, RoundNo, Tally, Tournament,
};

fn event(game: Game, tie_breaks: &str) -> Tournament {
    let mut event = Event::new("Counts", 2);
    event.game = game;
    event.tie_breaks = list(tie_breaks);
    let mut tournament = Tournament::new(event);
    for no in 1..=4 {
        let player = Player::new(PlayerNo(no), &format!("Player {no}"));
        tournament
            .apply(&chief(), Change::EnterPlayer(Box::new(player)))
            .unwrap();
    }
    for (round, pairs) in [(1, [(1, 2), (3, 4)]), (2, [(4, 1), (2, 3)])] {
        let boards = pairs.iter().zip(1..);
        let pairings = Pairings {
            boards: boards
                .map(|((white, black), board)| {
                    Pairing::new(BoardNo(board), PlayerNo(*white), PlayerNo(*black))
                })
                .collect(),
            ..Pairings::default()
        };
        tournament
            .apply(
                &chief(),
                Change::PairRound(RoundNo(round), Box::new(pairings)),
            )
            .unwrap();
    }
    tournament
}

fn enter(
    tournament: &mut Tournament,
    round: u16,
    board: u16,
    white: i32,
    black: i32,
) -> Result<(), Refusal> {
    let result = GameResult::counted(Tally { white, black });
    tournament.apply(
        &chief(),
        Change::Enter(RoundNo(round), BoardNo(board), result, String::new()),
    )
}

/// Spreads of players 1 to 4 over both rounds: +25 − 110, −25 − 1, 0 + 1, 0 + 110.
#[test]
fn spread_separates_equal_scores() {
    let mut tournament = event(Game::Scrabble, "SPREAD TALLY");
    for (round, board, white, black) in [
        (1, 1, 402, 377),
        (1, 2, 350, 350),
        (2, 1, 410, 300),
        (2, 2, 390, 391),
    ] {
        enter(&mut tournament, round, board, white, black).unwrap();
    }
    check(
        &tournament.standings(None),
        &[
            "1.0 | -85 702",
            "0.0 | -26 767",
            "1.5 | 1 741",
            "1.5 | 110 760",
        ],
    );
}

/// Discs add up to 64, the side with more discs wins, and a result without a count is refused.
#[test]
fn othello_discs_are_summed() {
    let mut tournament = event(Game::Othello, "TALLY");
    enter(&mut tournament, 1, 1, 40, 24).unwrap();
    enter(&mut tournament, 1, 2, 32, 32).unwrap();
    check(
        &tournament.standings(None),
        &["1.0 | 40", "0.0 | 24", "0.5 | 32", "0.5 | 32"],
    );
    assert!(matches!(
        enter(&mut tournament, 2, 1, 40, 23),
        Err(Refusal::Impossible(_))
    ));
    assert!(matches!(
        enter(&mut tournament, 2, 1, -1, 65),
        Err(Refusal::Impossible(_))
    ));
    let bare = Change::Enter(
        RoundNo(2),
        BoardNo(1),
        GameResult::played(Outcome::Win),
        String::new(),
    );
    assert!(matches!(
        tournament.apply(&chief(), bare),
        Err(Refusal::Impossible(_))
    ));
    let against_the_count = GameResult::Played {
        white: Outcome::Win,
        black: Outcome::Loss,
        rated: true,
        tally: Some(Tally {
            white: 20,
            black: 44,
        }),
    };
    let change = Change::Enter(RoundNo(2), BoardNo(1), against_the_count, String::new());
    assert!(matches!(
        tournament.apply(&chief(), change),
        Err(Refusal::Impossible(_))
    ));
}
