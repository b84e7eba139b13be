//! A round in progress: starts, first presses, and commands that are pending for a silent clock.

use hall::{Action, WorkState};
use timing::{Button, Side};
use tournament::{BoardPhase, Change, GameResult, RoundNo, RoundPhase, Scope};

use crate::event_rig::enter;
use crate::rig::{Rig, start_up};
use crate::round_rig::{CONTROL, at, floor, runs};

#[test]
fn a_round_goes_from_paired_to_finished_with_its_clocks() {
    let (mut rig, mut clocks) = Rig::with_hall();
    assert_eq!(rig.round_phase(1), RoundPhase::Paired);
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Preset);
    assert_eq!(rig.start_round(1, Scope::All), [WorkState::OnItsWay; 3]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Started);
    assert!(["1", "2", "3"].iter().all(|board| runs(&rig, board)));
    rig.pass(2.0);
    clocks[0].press(&mut rig, Button::Left);
    assert_eq!(rig.round_phase(1), RoundPhase::Running);
    let (started, running) = (BoardPhase::Started, BoardPhase::Running);
    assert_eq!(rig.phases(1), [running, started, started]);
    // Only the first press of a game changes the event.
    let version = rig.version();
    clocks[0].press(&mut rig, Button::Right);
    assert_eq!(rig.version(), version);
    for (clock, board) in clocks.iter_mut().zip(["1", "2", "3"]) {
        rig.end_at_board(clock, board, "1-0");
        assert!(!runs(&rig, board));
    }
    assert_eq!(rig.round_phase(1), RoundPhase::Finished);
    rig.chief_changes(vec![Change::Confirm(RoundNo(1))]);
    assert_eq!(rig.round_phase(1), RoundPhase::Confirmed);
    rig.assert_replay_equals_live();
}

#[test]
fn a_sector_and_a_board_can_be_started_alone_and_repeatedly() {
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.start_round(1, Scope::Sector("gallery".to_owned()));
    rig.all_take(&mut clocks);
    assert_eq!(
        [1, 2, 3].map(|no| runs(&rig, &no.to_string())),
        [false, true, true]
    );
    assert_eq!(rig.phases(1)[0], BoardPhase::Preset);
    let log = rig.log.len();
    assert_eq!(rig.start_round(1, at(2)), [WorkState::Started]);
    assert_eq!(rig.log.len(), log);
    assert_eq!(rig.start_round(1, at(1)), [WorkState::OnItsWay]);
    // The event records the start immediately, without waiting for the clock.
    assert_eq!(rig.phases(1)[0], BoardPhase::Started);
    assert_eq!(rig.start_round(1, at(1)), [WorkState::OnItsWay]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Started);
    rig.assert_replay_equals_live();
}

#[test]
fn boards_that_cannot_start_are_listed_and_left_unchanged() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let all = rig.start_round(1, Scope::All);
    assert_eq!(all, [WorkState::Refused; 3], "no clock is set");
    rig.preset(1, at(1));
    rig.all_take(&mut clocks);
    rig.chief_changes(vec![enter(1, 2, GameResult::forfeit(Side::Black), "")]);
    let all = rig.start_round(1, Scope::All);
    assert_eq!(
        all,
        [WorkState::OnItsWay, WorkState::NoGame, WorkState::Refused]
    );
    rig.all_take(&mut clocks);
    assert!(!runs(&rig, "2") && !runs(&rig, "3"));
    assert_eq!(rig.phases(1)[2], BoardPhase::Paired);
    // A board that is set late can still be started.
    rig.preset(1, at(3));
    rig.all_take(&mut clocks);
    rig.start_round(1, at(3));
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1)[2], BoardPhase::Started);
    assert!(runs(&rig, "3"));
}

#[test]
fn a_start_in_the_event_starts_clocks_that_are_set_and_the_others_once_they_are_set() {
    let (mut rig, mut clocks) = Rig::with_hall();
    rig.preset(1, Scope::Sector("gallery".to_owned()));
    rig.all_take(&mut clocks);
    rig.chief_changes(vec![Change::Start(RoundNo(1), Scope::All)]);
    rig.all_take(&mut clocks);
    assert_eq!(
        [1, 2, 3].map(|no| runs(&rig, &no.to_string())),
        [false, true, true]
    );
    rig.preset(1, at(1));
    rig.all_take(&mut clocks);
    assert_eq!(rig.control("1"), CONTROL);
    assert_eq!(rig.start_round(1, at(1)), [WorkState::OnItsWay]);
    rig.all_take(&mut clocks);
    assert!(runs(&rig, "1"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_start_at_the_board_also_counts_in_the_event() {
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.ask("2", "start");
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1)[1], BoardPhase::Started);
    assert_eq!(rig.phases(1)[0], BoardPhase::Preset);
    rig.assert_replay_equals_live();
}

#[test]
fn black_starts_the_game_by_a_press_if_the_rule_says_so() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let prepared = "prepare left black-press 5m";
    rig.ask("1", prepared);
    rig.all_take(&mut clocks);
    rig.preset(1, at(1));
    rig.all_take(&mut clocks);
    let answer = rig.work(crate::round_rig::start_of(1, at(1))).unwrap();
    assert_eq!(answer.boards[0].state, WorkState::Set);
    assert!(
        answer.boards[0].words().contains("Black"),
        "{:?}",
        answer.boards
    );
    assert!(!runs(&rig, "1"));
    clocks[0].press(&mut rig, Button::Right);
    assert_eq!(rig.phases(1)[0], BoardPhase::Running);
    assert!(runs(&rig, "1"));
}

#[test]
fn the_scheduled_start_starts_the_round() {
    let at = timing::Instant::from_micros(crate::rig::START + 60_000_000);
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.hall = rig.replayed();
    let start = Box::new(start_up(Some(at)));
    rig.input(hall::Input::StartUp(start));
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.pass(61.0);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Started);
    rig.assert_replay_equals_live();
}

#[test]
fn a_forfeit_before_the_start_keeps_the_clock_from_starting() {
    let (mut rig, mut clocks) = Rig::with_preset();
    floor(&mut rig, enter(1, 1, GameResult::forfeit(Side::Black), ""));
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("0-1f"));
    let all = rig.start_round(1, Scope::All);
    assert_eq!(all[0], WorkState::NoGame);
    rig.all_take(&mut clocks);
    assert!(!runs(&rig, "1") && runs(&rig, "2"));
}

#[test]
fn a_forced_preset_counts_as_set_once_its_clock_has_adopted_it() {
    let (mut rig, mut clocks) = Rig::with_hall();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    assert_eq!(rig.preset(1, at(1)), [WorkState::Silent]);
    let pending = rig.view("1").pending[0].record.id;
    rig.request("1", Action::Force(pending)).unwrap();
    assert_eq!(rig.control("1"), CONTROL);
    assert_eq!(rig.phases(1)[0], BoardPhase::Paired);
    assert_eq!(rig.preset(1, at(1)), [WorkState::Silent]);
    clocks[0].connect(&mut rig);
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.phases(1)[0], BoardPhase::Preset);
    rig.assert_replay_equals_live();
}
