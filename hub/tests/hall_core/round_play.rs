//! A round in play: starts, first presses, flags, and one result for a game wherever it is entered.

use hub::hall::{Action, Outcome, WorkState};
use hub::tournament::{
    Actor, BoardNo, BoardPhase, Change, GameResult, Outcome as Score, RoundNo, RoundPhase, Scope,
};
use timing::{Button, Side};

use crate::event_rig::enter;
use crate::rig::{Rig, start_up};
use crate::round_rig::{CONTROL, preset_of, with};

const WON: GameResult = GameResult::played(Score::Win);
const DRAWN: GameResult = GameResult::played(Score::Draw);
const LOST: GameResult = GameResult::played(Score::Loss);

fn at(board: u16) -> Scope {
    Scope::Board(BoardNo(board))
}

fn runs(rig: &Rig, board: &str) -> bool {
    rig.view(board).view.running != hub::view::Running::None
}

/// Correct a result, or take it back, in the event.
fn floor(rig: &mut Rig, change: Change) -> Outcome {
    let request = rig.wish(Actor::floor("Ann"), vec![change]);
    rig.change(request).unwrap().outcome
}

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
    // One first press is enough.
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
fn a_sector_and_a_board_are_started_alone_and_starting_again_is_harmless() {
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
    assert_eq!(rig.start_round(1, at(1)), [WorkState::OnItsWay]);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Started);
    rig.assert_replay_equals_live();
}

#[test]
fn what_cannot_be_started_is_listed_and_stays_as_it_was() {
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
    // The one that is set late starts late.
    rig.preset(1, at(3));
    rig.all_take(&mut clocks);
    rig.start_round(1, at(3));
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1)[2], BoardPhase::Started);
    assert!(runs(&rig, "3"));
}

#[test]
fn a_start_in_the_event_starts_the_clocks_that_are_set_and_the_others_once_they_are() {
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
fn a_start_at_the_board_is_the_events() {
    let (mut rig, mut clocks) = Rig::with_preset();
    rig.ask("2", "start");
    rig.all_take(&mut clocks);
    assert_eq!(rig.phases(1)[1], BoardPhase::Started);
    assert_eq!(rig.phases(1)[0], BoardPhase::Preset);
    rig.assert_replay_equals_live();
}

#[test]
fn black_starts_by_a_press_where_that_is_the_rule() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let prepared = "prepare left black-press 5m";
    rig.ask("1", prepared);
    rig.all_take(&mut clocks);
    rig.preset(1, at(1));
    rig.all_take(&mut clocks);
    let answer = rig.work(crate::round_rig::start_of(1, at(1))).unwrap();
    assert_eq!(answer.boards[0].state, WorkState::Set);
    assert!(
        answer.boards[0].words.contains("Black"),
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
    rig.input(hub::hall::Input::StartUp(start));
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.pass(61.0);
    rig.all_take(&mut clocks);
    assert_eq!(rig.round_phase(1), RoundPhase::Started);
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_at_the_board_is_the_events_at_once_with_its_arbiter_and_reason() {
    let (mut rig, mut clocks) = Rig::with_started();
    let mut asked = rig.chief("1", Action::Board("end result 1-0".parse().unwrap()));
    asked.reason = "resigned".to_owned();
    assert!(rig.send(asked).is_none());
    // The decision stands, the clock is about to follow.
    assert_eq!(rig.game(1, 1).result, Some(WON));
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    let version = rig.version();
    // A correction needs a reason, here as there.
    let bare = rig.ask("1", "end result 0-1").unwrap();
    assert_eq!(
        bare,
        Outcome::Refused("a result that stands is changed with a reason".to_owned())
    );
    assert_eq!((rig.game(1, 1).result, rig.version()), (Some(WON), version));
    let mut correct = rig.chief("1", Action::Board("end result 0-1".parse().unwrap()));
    correct.reason = "slip misread".to_owned();
    rig.send(correct);
    clocks[0].take_orders(&mut rig);
    assert_eq!(rig.shown("1").as_deref(), Some("0-1"));
    let game = rig.game(1, 1);
    assert_eq!(game.result, Some(LOST));
    assert_eq!(game.corrections[0].reason, "slip misread");
    assert_eq!(game.corrections[0].by, Actor::chief("chief"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_in_the_event_stops_the_clock_and_is_shown_on_it() {
    let (mut rig, mut clocks) = Rig::with_started();
    assert_eq!(floor(&mut rig, enter(1, 2, DRAWN, "")), Outcome::Done);
    clocks[1].take_orders(&mut rig);
    assert!(!runs(&rig, "2") && runs(&rig, "1"));
    assert_eq!(rig.shown("2").as_deref(), Some("1/2-1/2"));
    let log = rig.log.len();
    rig.pass(10.0);
    rig.all_take(&mut clocks);
    let quiet = rig.log[log..].iter().all(|record| record.board.is_empty());
    assert!(quiet, "nothing goes round in circles");
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_that_is_taken_back_lets_the_game_go_on() {
    let (mut rig, mut clocks) = Rig::with_started();
    floor(&mut rig, enter(1, 2, DRAWN, ""));
    rig.all_take(&mut clocks);
    let back = Change::TakeBack(RoundNo(1), BoardNo(2), "wrong board".to_owned());
    assert_eq!(floor(&mut rig, back), Outcome::Done);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("2"), None);
    assert_eq!(rig.phases(1)[1], BoardPhase::Running);
    rig.ask("2", "resume");
    rig.all_take(&mut clocks);
    assert!(runs(&rig, "2"));
    // And from the board.
    rig.end_at_board(&mut clocks[1], "2", "1-0");
    let mut lift = rig.chief("2", Action::Board("end result *".parse().unwrap()));
    lift.reason = "no result".to_owned();
    rig.send(lift);
    rig.all_take(&mut clocks);
    assert_eq!((rig.game(1, 2).result, rig.shown("2")), (None, None));
    rig.assert_replay_equals_live();
}

#[test]
fn a_silent_clock_follows_the_newest_decision_when_it_is_heard() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    floor(&mut rig, enter(1, 1, WON, ""));
    let back = Change::TakeBack(RoundNo(1), BoardNo(1), "wrong board".to_owned());
    floor(&mut rig, back);
    floor(&mut rig, enter(1, 1, DRAWN, ""));
    assert_eq!(rig.shown("1"), None);
    // What shows the event's result is not withdrawn from under it.
    let pending = rig.view("1").pending[0].id;
    let answer = rig.request("1", Action::Withdraw(pending)).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(why) if why.contains("result of the event")));
    rig.restart();
    for clock in &mut clocks {
        clock.connect(&mut rig);
    }
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    assert_eq!(rig.game(1, 1).result, Some(DRAWN));
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_that_is_taken_back_before_a_silent_clock_had_it_does_not_come_back() {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    floor(&mut rig, enter(1, 1, WON, ""));
    let back = Change::TakeBack(RoundNo(1), BoardNo(1), "wrong board".to_owned());
    floor(&mut rig, back);
    clocks[0].connect(&mut rig);
    rig.all_take(&mut clocks);
    let game = rig.game(1, 1);
    assert_eq!(
        (rig.shown("1"), game.result, game.proposed),
        (None, None, None)
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_flag_that_is_called_is_proposed_and_an_arbiter_decides() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let short = with(preset_of(1, at(1)), |with| with.control = "1m".parse().ok());
    rig.work(short).unwrap();
    rig.all_take(&mut clocks);
    rig.start_round(1, at(1));
    rig.all_take(&mut clocks);
    rig.pass(61.0);
    clocks[0].watermark(&mut rig);
    assert_eq!(
        rig.game(1, 1).proposed,
        None,
        "a flag that falls is no result"
    );
    rig.ask("1", "flag white");
    rig.all_take(&mut clocks);
    let (proposed, why) = rig.game(1, 1).proposed.expect("a proposal");
    assert_eq!(proposed, LOST);
    assert!(why.contains("White's flag"), "{why}");
    assert_eq!(rig.game(1, 1).result, None);
    // The opponent could not win by any sequence of moves (FIDE 6.9).
    assert_eq!(floor(&mut rig, enter(1, 1, DRAWN, "")), Outcome::Done);
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_that_its_rules_end_on_the_clock_is_proposed() {
    let (mut rig, mut clocks) = Rig::with_hall();
    let double = "1m extra 5m min 10s hybrid";
    let asked = with(preset_of(1, at(1)), |with| {
        with.control = double.parse().ok()
    });
    rig.work(asked).unwrap();
    rig.all_take(&mut clocks);
    rig.start_round(1, at(1));
    rig.all_take(&mut clocks);
    // Both use up their main time: double flag.
    for button in [Button::Left, Button::Right] {
        assert_eq!(rig.game(1, 1).proposed, None);
        rig.pass(61.0);
        clocks[0].press(&mut rig, button);
    }
    assert_eq!(rig.shown("1").as_deref(), Some("1/2-1/2"));
    let (proposed, _) = rig.game(1, 1).proposed.expect("a proposal");
    assert_eq!(proposed, DRAWN);
    assert_eq!(rig.game(1, 1).result, None);
    assert_eq!(floor(&mut rig, enter(1, 1, DRAWN, "")), Outcome::Done);
    let log = rig.log.len();
    rig.all_take(&mut clocks);
    assert_eq!(rig.log.len(), log, "the clock shows it already");
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
fn an_adjourned_game_stops_its_clock_and_keeps_its_board() {
    let (mut rig, mut clocks) = Rig::with_started();
    floor(&mut rig, enter(1, 1, GameResult::Adjourned, ""));
    rig.all_take(&mut clocks);
    assert!(!runs(&rig, "1"));
    assert_eq!(rig.shown("1"), None);
    rig.chief_changes(vec![crate::event_rig::paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    assert_eq!(rig.preset_board(2, 1).state, WorkState::Refused);
    floor(&mut rig, enter(1, 1, WON, ""));
    rig.all_take(&mut clocks);
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    assert_eq!(rig.preset_board(2, 1).state, WorkState::OnItsWay);
}

#[test]
fn what_the_event_refuses_is_refused_at_the_board_in_the_same_words() {
    let (mut rig, mut clocks) = Rig::with_started();
    for (clock, board) in clocks.iter_mut().zip(["1", "2", "3"]) {
        rig.end_at_board(clock, board, "1-0");
    }
    rig.chief_changes(vec![Change::Confirm(RoundNo(1))]);
    let mut late = rig.chief("1", Action::Board("end result 0-1".parse().unwrap()));
    late.reason = "appeal".to_owned();
    let answer = rig.send(late).unwrap().unwrap();
    let words = "round 1 is confirmed; the chief arbiter may reopen it";
    assert_eq!(answer.outcome, Outcome::Refused(words.to_owned()));
    assert_eq!(rig.shown("1").as_deref(), Some("1-0"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_spare_clock_in_mid_game_goes_on_for_the_same_round() {
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
fn a_game_that_is_not_the_events_does_not_touch_it() {
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
