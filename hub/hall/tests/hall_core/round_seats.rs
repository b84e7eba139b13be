//! Changing the players at a board, even after its game has begun: the clock abandons that game and is set again.

use hall::{Action, WorkState};
use timing::Button;
use tournament::{
    Actor, BoardNo, BoardPhase, Change, Pairing, PlayerNo, Reseating, RoundNo, Scope,
};

use crate::event_rig::enter;
use crate::rig::{HandClock, Rig};
use crate::round_rig::{CONTROL, WON, at, runs};

fn swapped(restart: bool) -> Change {
    let boards = vec![
        Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(5)),
        Pairing::new(BoardNo(2), PlayerNo(2), PlayerNo(4)),
    ];
    Change::Reseat(RoundNo(1), Reseating { boards, restart })
}

/// Lets the clocks carry out their orders, and then the orders that result from those.
fn settle(rig: &mut Rig, clocks: &mut [HandClock]) {
    for _ in 0..3 {
        rig.all_take(clocks);
    }
}

fn blacks(rig: &Rig) -> [String; 2] {
    ["1", "2"].map(|board| rig.view(board).view.black.name.clone())
}

#[test]
fn two_players_swap_places_in_one_change_and_the_clocks_show_their_names() {
    let (mut rig, mut clocks) = Rig::with_preset();
    let one = Pairing::new(BoardNo(1), PlayerNo(1), PlayerNo(5));
    let request = rig.request_for(
        Actor::chief("Chief"),
        vec![Change::Reseat(RoundNo(1), one.into())],
    );
    assert_eq!(rig.refused(request), "player 5 occurs twice in round 1");
    rig.chief_changes(vec![swapped(false)]);
    settle(&mut rig, &mut clocks);
    assert_eq!(blacks(&rig), ["Player, 5", "Player, 4"]);
    assert_eq!(rig.phases(1), [BoardPhase::Preset; 3]);
    rig.assert_replay_equals_live();
}

/// The wrong players sit at two boards: one game has moves, the other has only been started.
#[test]
fn games_of_the_wrong_players_are_abandoned_at_an_arbiters_request() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].press(&mut rig, Button::Left);
    rig.pass(7.0);
    for clock in &mut clocks {
        clock.watermark(&mut rig);
    }
    let request = rig.request_for(Actor::chief("Chief"), vec![swapped(false)]);
    let why = rig.refused(request);
    assert!(
        why.contains("the game on board 1 has begun: to seat different players, confirm"),
        "{why}"
    );
    assert!(
        runs(&rig, "1") && runs(&rig, "2"),
        "a refusal stops nothing"
    );
    rig.chief_changes(vec![swapped(true)]);
    assert_eq!(rig.preset_board(1, 1).state, WorkState::OnItsWay);
    settle(&mut rig, &mut clocks);
    let (preset, started) = (BoardPhase::Preset, BoardPhase::Started);
    assert_eq!(rig.phases(1), [preset, preset, started]);
    assert_eq!(blacks(&rig), ["Player, 5", "Player, 4"]);
    for board in ["1", "2"] {
        let view = &rig.view(board).view;
        assert_eq!((view.white.moves, view.black.moves), (0, 0));
        assert!(!runs(&rig, board));
        assert_eq!(rig.control(board), CONTROL);
    }
    assert!(runs(&rig, "3"));
    rig.start_round(1, Scope::All);
    rig.all_take(&mut clocks);
    clocks[0].press(&mut rig, Button::Left);
    assert_eq!(rig.phases(1)[0], BoardPhase::Running);
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_whose_result_was_removed_is_played_again_by_other_players() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[1].press(&mut rig, Button::Left);
    rig.chief_changes(vec![enter(1, 2, WON, "")]);
    rig.all_take(&mut clocks);
    let seats = || Reseating {
        boards: vec![Pairing::new(BoardNo(2), PlayerNo(5), PlayerNo(2))],
        restart: true,
    };
    let request = rig.request_for(
        Actor::chief("Chief"),
        vec![Change::Reseat(RoundNo(1), seats())],
    );
    assert_eq!(
        rig.refused(request),
        "board 2 has a result: remove it first"
    );
    let back = Change::RemoveResult(RoundNo(1), BoardNo(2), "wrong colours".to_owned());
    rig.chief_changes(vec![back, Change::Reseat(RoundNo(1), seats())]);
    settle(&mut rig, &mut clocks);
    assert_eq!(rig.phases(1)[1], BoardPhase::Preset);
    assert_eq!(rig.view("2").view.white.name, "Player, 5");
    assert_eq!(rig.shown("2"), None);
    assert_eq!(rig.game(1, 2).corrections[0].reason, "wrong colours");
    rig.assert_replay_equals_live();
}

/// A silent clock may be in the middle of the old game. Its events do not affect the new one.
#[test]
fn a_silent_clock_leaves_the_old_game_when_it_reconnects() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[1].drop_link(&mut rig);
    let at = clocks[1].now(&rig);
    let press = clocks[1].press_frame(at, Button::Left);
    rig.pass(5.0);
    rig.chief_changes(vec![swapped(true)]);
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    clocks[1].frame(&mut rig, press);
    assert_eq!(
        rig.phases(1)[1],
        BoardPhase::Paired,
        "the press was the old game's"
    );
    settle(&mut rig, &mut clocks);
    assert_eq!(rig.phases(1)[..2], [BoardPhase::Preset; 2]);
    assert_eq!(blacks(&rig), ["Player, 5", "Player, 4"]);
    rig.assert_replay_equals_live();
}

#[test]
fn the_clock_reaches_the_new_game_wherever_the_hub_stops() {
    let (mut rig, mut clocks) = Rig::with_started();
    let before = rig.log.len();
    rig.chief_changes(vec![swapped(true)]);
    let clock = &mut clocks[0];
    let mut places: Vec<_> = (before + 1..=rig.log.len())
        .map(|len| (len, clock.clone()))
        .collect();
    for _ in 0..3 {
        clock.take_orders(&mut rig);
        places.push((rig.log.len(), clock.clone()));
    }
    for (len, mut clock) in places {
        let mut other = Rig::new();
        other.now = rig.now;
        other.log = rig.log[..len].to_vec();
        other.restart();
        clock.connect(&mut other);
        for _ in 0..3 {
            clock.take_orders(&mut other);
        }
        let name = other.view("1").view.black.name.clone();
        assert_eq!(name, "Player, 5", "{len} of {}", rig.log.len());
        assert!(!runs(&other, "1"), "{len} of {}", rig.log.len());
        assert_eq!(other.phases(1)[0], BoardPhase::Preset);
        other.assert_replay_equals_live();
    }
}

#[test]
fn a_result_entered_while_a_board_is_set_again_belongs_to_the_new_game() {
    let (mut rig, mut clocks) = Rig::with_started();
    rig.chief_changes(vec![swapped(true)]);
    let command = "end result 0-1f".parse().unwrap();
    let asked = rig.chief("1", Action::Board(command));
    assert!(rig.send(asked).is_none(), "its clock is still to answer");
    settle(&mut rig, &mut clocks);
    assert_eq!(rig.phases(1)[0], BoardPhase::Finished);
    assert_eq!(rig.shown("1").as_deref(), Some("0-1f"));
    assert_eq!(rig.preset(1, at(2)), [WorkState::Set]);
    rig.assert_replay_equals_live();
}
