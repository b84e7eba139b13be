//! Corrections of arbiters' mistakes: a result on the wrong board, a late arrival, a player at the wrong board.

use super::life::{ONE, enter, paired, phase, refused};
use super::rig::chief;
use tournament::{
    Actor, BoardNo, BoardPhase, Bye, Change, GameResult, Outcome, Pairing, Pairings, Player,
    PlayerNo, Reseating, RoundNo, RoundPhase, Scope, Tournament,
};

const BEGUN: &str = "the game on board 1 has begun: to seat different players, confirm that this game is set aside and the clock is set again";

#[test]
fn removing_a_result_restores_the_boards_phase() {
    let back = || Change::RemoveResult(ONE, BoardNo(1), "wrong board".to_owned());
    let at = |tournament: &Tournament| tournament.rounds()[&ONE].boards[&BoardNo(1)].phase;
    let mut tournament = paired();
    let (win, seat) = (
        GameResult::played(Outcome::Win),
        Pairing::new(BoardNo(1), PlayerNo(2), PlayerNo(1)),
    );
    let clock = Actor::clock("1");
    for (change, reached, round) in [
        (None, BoardPhase::Paired, RoundPhase::Paired),
        (
            Some(Change::Preset(ONE, BoardNo(1))),
            BoardPhase::Preset,
            RoundPhase::Paired,
        ),
        (
            Some(Change::Start(ONE, Scope::All)),
            BoardPhase::Started,
            RoundPhase::Started,
        ),
        (
            Some(Change::FirstPress(ONE, BoardNo(1))),
            BoardPhase::Running,
            RoundPhase::Running,
        ),
    ] {
        if let Some(change) = change {
            tournament.apply(&chief(), change).unwrap();
        }
        tournament.apply(&chief(), enter(1, win, "")).unwrap();
        assert_eq!(at(&tournament), BoardPhase::Finished);
        let why = match reached > BoardPhase::Preset {
            true => BEGUN,
            false => "board 1 has a result: remove it first",
        };
        let refusal = refused(&mut tournament, &chief(), Change::Reseat(ONE, seat.into()));
        assert_eq!(refusal.to_string(), why);
        tournament.apply(&chief(), back()).unwrap();
        assert_eq!((at(&tournament), phase(&tournament)), (reached, round));
        let mut before = tournament.clone();
        let begun = reached > BoardPhase::Preset;
        assert_eq!(before.apply(&chief(), Change::Unpair(ONE)).is_err(), begun);
        let reseated = tournament
            .clone()
            .apply(&chief(), Change::Reseat(ONE, seat.into()));
        assert_eq!(reseated.is_err(), begun);
    }
    // A press that arrives after the entry of a result counts once that result is removed.
    let mut late = paired();
    late.apply(&chief(), enter(1, win, "")).unwrap();
    late.apply(&clock, Change::FirstPress(ONE, BoardNo(1)))
        .unwrap();
    assert_eq!(at(&late), BoardPhase::Finished);
    late.apply(&chief(), back()).unwrap();
    assert_eq!(at(&late), BoardPhase::Running);
}

/// One change swaps two players. It sets a begun game aside only if the request says so, and never a game with a result.
#[test]
fn two_players_change_places_in_one_change() {
    let seats = |boards: &[(u16, u16, u16)], restart| {
        let boards = boards
            .iter()
            .map(|(no, white, black)| {
                Pairing::new(BoardNo(*no), PlayerNo(*white), PlayerNo(*black))
            })
            .collect();
        Change::Reseat(ONE, Reseating { boards, restart })
    };
    let mut tournament = paired();
    let (first, second) = {
        let at = |no| tournament.rounds()[&ONE].boards[&BoardNo(no)].clone();
        (at(1), at(2))
    };
    let [a, b, c, d] =
        [first.white, first.black, second.white, second.black].map(|no| no.unwrap().0);
    for (change, why) in [
        (
            seats(&[(1, a, c)], false),
            format!("player {c} occurs twice in round 1"),
        ),
        (
            seats(&[(1, a, c), (1, b, d)], false),
            "board 1 is named twice".to_owned(),
        ),
        (
            seats(&[(1, a, c), (2, c, d)], false),
            format!("player {c} occurs twice in round 1"),
        ),
    ] {
        assert_eq!(refused(&mut tournament, &chief(), change).to_string(), why);
    }
    tournament
        .apply(&chief(), seats(&[(1, a, c), (2, b, d)], false))
        .unwrap();
    let start = Change::Start(ONE, Scope::Board(BoardNo(1)));
    tournament.apply(&chief(), start).unwrap();
    let back = || seats(&[(1, a, b), (2, c, d)], true);
    let refusal = refused(
        &mut tournament,
        &chief(),
        seats(&[(1, a, b), (2, c, d)], false),
    );
    assert_eq!(refusal.to_string(), BEGUN);
    tournament
        .apply(&chief(), enter(1, GameResult::played(Outcome::Win), ""))
        .unwrap();
    let refusal = refused(&mut tournament, &chief(), back());
    assert_eq!(refusal.to_string(), "board 1 has a result: remove it first");
    let lift = Change::RemoveResult(ONE, BoardNo(1), "the wrong players".to_owned());
    tournament.apply(&chief(), lift).unwrap();
    tournament.apply(&chief(), back()).unwrap();
    let boards = &tournament.rounds()[&ONE].boards;
    assert_eq!(boards[&BoardNo(1)].phase, BoardPhase::Paired);
    assert_eq!(boards[&BoardNo(1)].black, first.black);
    assert_eq!(boards[&BoardNo(2)].white, second.white);
}

#[test]
fn corrections_stay_with_a_reseated_board() {
    let mut tournament = paired();
    let win = GameResult::played(Outcome::Win);
    tournament.apply(&chief(), enter(1, win, "")).unwrap();
    let back = Change::RemoveResult(ONE, BoardNo(1), "wrong board".to_owned());
    tournament.apply(&chief(), back).unwrap();
    let seat = Pairing::new(BoardNo(1), PlayerNo(2), PlayerNo(1));
    tournament
        .apply(&chief(), Change::Reseat(ONE, seat.into()))
        .unwrap();
    let board = &tournament.rounds()[&ONE].boards[&BoardNo(1)];
    assert_eq!(board.corrections[0].reason, "wrong board");
}

#[test]
fn a_late_arrival_plays_the_player_with_the_bye() {
    let mut tournament = paired();
    for (no, enters) in [(5, 1), (6, 2)] {
        let mut player = Player::new(PlayerNo(no), "Late");
        player.enters = RoundNo(enters);
        tournament
            .apply(&chief(), Change::EnterPlayer(Box::new(player)))
            .unwrap();
    }
    let bye = Pairings {
        byes: vec![(PlayerNo(5), Bye::PairingAllocated)],
        ..Pairings::default()
    };
    for change in [
        Change::PairRound(ONE, Box::new(bye)),
        Change::GrantBye(PlayerNo(6), ONE, Some(Bye::Half)),
        Change::Start(ONE, Scope::All),
    ] {
        tournament.apply(&chief(), change).unwrap();
    }
    let seat = |board, black| Pairing::new(BoardNo(board), PlayerNo(5), PlayerNo(black));
    for (pairing, why) in [
        (seat(3, 1), "player 1 occurs twice in round 1"),
        (seat(0, 6), "boards are numbered from 1"),
        (seat(3, 9), "there is no player 9"),
        (seat(1, 6), BEGUN),
    ] {
        let refusal = refused(
            &mut tournament,
            &chief(),
            Change::Reseat(ONE, pairing.into()),
        );
        assert_eq!(refusal.to_string(), why);
    }
    tournament
        .apply(&chief(), Change::Reseat(ONE, seat(3, 6).into()))
        .unwrap();
    let round = &tournament.rounds()[&ONE];
    assert_eq!(
        (round.boards[&BoardNo(3)].phase, round.byes.len()),
        (BoardPhase::Paired, 0)
    );
    let late = &tournament.players()[&PlayerNo(6)];
    assert_eq!((late.enters, late.byes.len()), (ONE, 0));
    assert_eq!(tournament.bye_of(PlayerNo(5), ONE), None);
    assert_eq!(tournament.bye_of(PlayerNo(6), ONE), None);
}
