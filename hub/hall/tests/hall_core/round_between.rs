//! Situations between rounds and during a round: unfinished games, changed players, spare clocks, byes, forfeits.

use hall::{Action, HubEffect, WorkState};
use timing::{Button, Side};
use tournament::{
    Actor, BoardNo, BoardPhase, Change, Contest, Event, GameResult, Match, MatchNo, Pairing,
    Pairings, Player, PlayerNo, RoundNo, Scope, Team, TeamNo,
};

use crate::event_rig::{enter, paired, player};
use crate::rig::Rig;
use crate::round_rig::{WON, floor, preset_of, runs};

#[test]
fn a_game_of_the_previous_round_without_a_result_is_never_erased() {
    let (mut rig, mut clocks) = Rig::with_started();
    rig.chief_changes(vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    rig.end_at_board(&mut clocks[0], "1", "1-0");
    let stands = rig.preset(2, Scope::All);
    assert_eq!(
        stands,
        [WorkState::OnItsWay, WorkState::Refused, WorkState::Refused]
    );
    let second = rig.preset_board(2, 2);
    assert_eq!(
        second.words(),
        "its game of round 1 has no result yet: enter that first"
    );
    rig.all_take(&mut clocks);
    assert_eq!(rig.view("1").view.white.name, "Player, 4");
    assert_eq!(rig.view("2").view.white.name, "Player, 2");
    // A result frees the board, whether it is entered in the event or at the clock.
    rig.chief_changes(vec![enter(1, 2, WON, "")]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.preset_board(2, 2).state, WorkState::OnItsWay);
    rig.all_take(&mut clocks);
    assert_eq!(rig.view("2").view.white.name, "Player, 5");
    assert_eq!(rig.phases(2)[..2], [BoardPhase::Preset; 2]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_outside_the_event_is_not_erased_either() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.ask("1", "start");
    clocks[0].take_orders(&mut rig);
    let board = rig.preset_board(1, 1);
    assert_eq!(board.state, WorkState::Refused);
    assert_eq!(
        board.words(),
        "a game is in progress on the board: enter its result first"
    );
}

#[test]
fn a_removed_round_leaves_the_clocks_and_can_be_set_again() {
    let (mut rig, mut clocks) = Rig::with_preset();
    let request = rig.request_for(Actor::chief("Chief"), vec![Change::Unpair(RoundNo(1))]);
    let (_, told) = rig.asked(request);
    let mut boards = told.iter().flat_map(|effect| match effect {
        HubEffect::Publish { boards } => boards.as_slice(),
        _ => &[],
    });
    assert!(
        boards.any(|board| board.view.board.as_str() == "1" && board.round.is_none()),
        "everybody is told that board 1 has no game of the event: {told:?}"
    );
    rig.chief_changes(vec![paired(1, &[(6, 1), (5, 2), (4, 3)])]);
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    assert_eq!(
        rig.phases(1),
        [BoardPhase::Paired; 3],
        "no arbiter has asked for it"
    );
    assert_eq!(rig.view("1").view.white.name, "Player, 1");
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    assert_eq!(rig.view("1").view.white.name, "Player, 6");
    rig.assert_replay_equals_live();
}

#[test]
fn new_players_at_a_board_that_is_set_are_named_on_its_clock() {
    let (mut rig, _) = Rig::with_preset();
    rig.chief_changes(vec![Change::EnterPlayer(Box::new(Player::new(
        PlayerNo(7),
        "Late, Lea",
    )))]);
    let seats = Pairing::new(BoardNo(2), PlayerNo(2), PlayerNo(7));
    rig.chief_changes(vec![Change::Reseat(RoundNo(1), seats.into())]);
    assert_eq!(rig.view("2").view.black.name, "Late, Lea");
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_with_a_wrong_result_returns_to_its_setting_and_can_get_new_players() {
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.chief_changes(vec![enter(1, 2, WON, "")]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("2").as_deref(), Some("1-0"));
    let back = Change::RemoveResult(RoundNo(1), BoardNo(2), "wrong board".to_owned());
    rig.chief_changes(vec![back]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("2"), None);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    let seats = Pairing::new(BoardNo(2), PlayerNo(5), PlayerNo(2));
    rig.chief_changes(vec![Change::Reseat(RoundNo(1), seats.into())]);
    assert_eq!(rig.view("2").view.white.name, "Player, 5");
    rig.start_round(1, Scope::All);
    rig.all_take(&mut clocks);
    assert!(runs(&rig, "2"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_decided_board_and_a_bye_need_no_clock() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.chief_changes(vec![enter(1, 1, GameResult::forfeit(Side::White), "")]);
    let answer = rig.work(preset_of(1, Scope::All)).unwrap();
    assert_eq!(answer.boards[0].state, WorkState::NoGame);
    assert_eq!(answer.boards[0].words(), "its result is +:-");
    rig.all_take(&mut clocks);
    assert_eq!(rig.control("1"), "5m");
    // Players 5 and 6 are not paired in round 2, so the round has two boards instead of three.
    rig.chief_changes((2..=3).map(|no| enter(1, no, WON, "")).collect());
    rig.all_take(&mut clocks);
    rig.chief_changes(vec![paired(2, &[(4, 2), (1, 3)])]);
    assert_eq!(rig.preset(2, Scope::All).len(), 2);
}

#[test]
fn a_spare_clock_continues_a_game_of_the_same_round() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].press(&mut rig, Button::Left);
    clocks[0].drop_link(&mut rig);
    let mut spare = rig.enrol(9, None);
    spare.connect(&mut rig);
    let key = spare.id.to_string();
    rig.request("1", Action::Assign(key)).unwrap();
    spare.take_orders(&mut rig);
    assert_eq!(rig.preset_board(1, 1).state, WorkState::Started);
    floor(&mut rig, enter(1, 1, WON, ""));
    spare.take_orders(&mut rig);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    assert_eq!(rig.phases(1)[0], BoardPhase::Finished);
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_outside_the_event_does_not_change_the_event() {
    let (mut rig, mut clocks) = Rig::with_started();
    for (clock, board) in clocks.iter_mut().zip(["1", "2", "3"]) {
        rig.end_at_board(clock, board, "1-0");
    }
    let before = rig.event_now();
    rig.ask("1", "prepare left arbiter 3m");
    rig.all_take(&mut clocks);
    rig.ask("1", "start");
    rig.all_take(&mut clocks);
    clocks[0].press(&mut rig, Button::Left);
    rig.end_at_board(&mut clocks[0], "1", "0-1");
    assert_eq!(rig.shown("1").as_deref(), Some("0-1"));
    assert_eq!(rig.event_now(), before);
    rig.assert_replay_equals_live();
}

pub(crate) fn seat(board: u16, white: u16, black: u16, place: u16) -> Pairing {
    Pairing {
        of_match: Some((MatchNo(1), place)),
        ..Pairing::new(BoardNo(board), PlayerNo(white), PlayerNo(black))
    }
}

/// Returns the changes that set up two teams of two players, with round 1 paired on boards 1 and 2.
pub(crate) fn league() -> Vec<Change> {
    let mut event = Event::new("League", 2);
    event.contest = Contest::Teams { boards: 2 };
    let mut changes = vec![Change::SetEvent(Box::new(event))];
    changes.extend((1..=4).map(player));
    for (no, players) in [(1, [1, 2]), (2, [3, 4])] {
        let team = Team {
            no: TeamNo(no),
            name: format!("Team {no}"),
            short_name: String::new(),
            federation: String::new(),
            players: players.map(PlayerNo).to_vec(),
        };
        changes.push(Change::EnterTeam(Box::new(team)));
    }
    let met = Match {
        white: TeamNo(1),
        black: TeamNo(2),
        forfeit: None,
    };
    let mut pairings = Pairings {
        boards: vec![seat(1, 1, 3, 1), seat(2, 4, 2, 2)],
        ..Pairings::default()
    };
    pairings.matches.push((MatchNo(1), met));
    changes.push(Change::PairRound(RoundNo(1), Box::new(pairings)));
    changes
}

pub(crate) fn forfeited(winner: Option<Option<Side>>) -> Change {
    Change::ForfeitMatch(RoundNo(1), MatchNo(1), winner)
}

#[test]
fn the_boards_of_a_forfeited_match_are_left_alone() {
    let mut rig = Rig::new();
    let mut changes = league();
    changes.push(forfeited(Some(Some(Side::White))));
    rig.chief_changes(changes);
    assert_eq!(rig.preset(1, Scope::All), [WorkState::NoGame; 2]);
    assert_eq!(rig.start_round(1, Scope::All), [WorkState::NoGame; 2]);
    assert_eq!(rig.hall.board_count(), 0);
}

/// Forfeiting a match during play stops the clocks of its boards, even a silent clock or a clock that is started by hand afterwards.
#[test]
fn a_match_that_is_forfeited_during_the_round_stops_its_clocks() {
    let mut rig = Rig::new();
    rig.chief_changes(league());
    let mut clocks = [1, 2].map(|number| rig.add_board_with_clock(number, "5m"));
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    rig.start_round(1, Scope::Board(BoardNo(1)));
    rig.all_take(&mut clocks);
    clocks[0].press(&mut rig, Button::Left);
    rig.pass(5.0);
    clocks[0].drop_link(&mut rig);
    rig.chief_changes(vec![forfeited(Some(Some(Side::White)))]);
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.all_take(&mut clocks);
    assert!(!runs(&rig, "1"), "the clock that was silent");
    rig.ask("2", "start");
    for _ in 0..2 {
        rig.all_take(&mut clocks);
    }
    assert!(!runs(&rig, "2"), "the one that was started by hand");
    rig.chief_changes(vec![forfeited(None)]);
    assert!(!runs(&rig, "1"), "an arbiter resumes it");
    rig.ask("1", "resume");
    rig.all_take(&mut clocks);
    assert!(runs(&rig, "1"));
    rig.assert_replay_equals_live();
}
