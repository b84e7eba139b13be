//! Time Chess on the hall's boards: a player's action is recorded before it takes effect, the press advances the day, and the log alone reproduces
//! the game.

use hall::replay::{ClockCheck, RecordIndex, game};
use hall::view::Running;
use hall::{
    Action, HubEffect, Outcome, PlayerAct, PlayerRefusal, PlayerRequest, PressRule, RequestDigest,
};
use laws::RuleSet;
use proto::refusal::RefusalCode;
use time_chess::shakmaty::Color;
use time_chess::{Phase, SeenTurn, Viewer};
use timing::{Button, Side};
use tournament::{Change, Scope};

use crate::event_rig::player;
use crate::rig::{HandClock, Rig, id};

fn rules() -> &'static RuleSet {
    RuleSet::find("time-chess").unwrap()
}

#[track_caller]
fn done(rig: &mut Rig, action: Action) {
    assert_eq!(rig.request("1", action).unwrap().outcome, Outcome::Done);
}

#[track_caller]
fn refusal(rig: &mut Rig, action: Action) -> RefusalCode {
    let answer = rig.request("1", action).unwrap();
    let Outcome::Refused(why) = answer.outcome else {
        panic!("{:?}", answer.outcome);
    };
    why.code()
}

fn asked(rig: &mut Rig, side: Side, act: PlayerAct) -> (Result<(), PlayerRefusal>, Vec<HubEffect>) {
    let request = PlayerRequest {
        id: rig.command_id(),
        player: format!("{side:?}"),
        board: id("1"),
        side,
        act,
        digest: RequestDigest::OWN,
    };
    let (answer, effects) = rig.asked(request);
    (answer.expect("an answer at once").unwrap(), effects)
}

fn act(rig: &mut Rig, side: Side, act: PlayerAct) -> Result<(), PlayerRefusal> {
    asked(rig, side, act).0
}

fn plays(rig: &mut Rig, side: Side, attempt: &str) -> Result<(), PlayerRefusal> {
    act(rig, side, PlayerAct::Move(attempt.parse().unwrap()))
}

fn phase(rig: &Rig) -> Phase {
    rig.view("1").time_chess.as_ref().unwrap().game.phase()
}

/// Returns a board with a clock, on which Black's time is running at dawn.
fn on_a_clock() -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::with_board("5m");
    done(&mut rig, Action::Rules(rules()));
    assert_eq!(rig.ask("1", "start"), None);
    assert_eq!(clock.ordered(&mut rig), ["start black"]);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::Black);
    (rig, clock)
}

/// Returns a board for which the hub itself is the clock, on which Black's time is running at dawn.
fn on_the_hub(rule: PressRule, control: &str) -> Rig {
    let mut rig = Rig::new();
    rig.add_board("1", control);
    done(&mut rig, Action::Rules(rules()));
    done(&mut rig, Action::PressRule(rule));
    assert_eq!(rig.ask("1", "start"), Some(Outcome::Done));
    rig
}

#[test]
fn each_press_that_completes_a_turn_advances_the_day() {
    let (mut rig, mut clock) = on_a_clock();
    let turns = [
        (Side::Black, "e7e5", Phase::Dawn),
        (Side::White, "e2e4", Phase::Midday),
        // Black does not see the pawn on e4, so the turn is forfeited and its time is charged.
        (Side::Black, "e5e4", Phase::Evening),
        (Side::White, "d2d4", Phase::Dusk),
        (Side::Black, "d7d6", Phase::Midnight),
        (Side::White, "d4e5", Phase::Morning),
    ];
    for (side, attempt, day) in turns {
        assert_eq!(phase(&rig), day);
        assert_eq!(plays(&mut rig, side, attempt), Ok(()), "{attempt}");
        assert_eq!(phase(&rig), day, "the sight changes with the press");
        let again = plays(&mut rig, side, attempt);
        assert_eq!(again, Err(time_chess::Refusal::AlreadyMoved.into()));
        rig.pass(2.0);
        let button = match side {
            Side::White => Button::Left,
            Side::Black => Button::Right,
        };
        clock.press(&mut rig, button);
        assert_eq!(phase(&rig), day.next());
    }
    assert_eq!(rig.times("1"), (294_000_000, 294_000_000));
    let game = &rig.view("1").time_chess.clone().unwrap().game;
    assert_eq!(game.turns().len(), 6);
    assert!(matches!(
        game.view(Viewer::Player(Color::Black)).turns[2],
        SeenTurn::Forfeited { attempt: Some(_) }
    ));
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_by_the_rules_of_its_event_is_checked_and_replayed_from_its_records() {
    let (mut rig, clocks) = Rig::with_hall();
    names_rules(&mut rig);
    let _ = check_and_replay(rig, clocks);
}

#[test]
fn undoing_the_newest_import_needs_no_further_records() {
    let (mut rig, clocks) = Rig::with_hall();
    rig.chief_changes(vec![player(7)]);
    let without = rig.log.len() - 1;
    rig.imports("players.csv", vec![player(8)]);
    names_rules(&mut rig);
    assert_eq!(rig.undoes(0), Ok(()));
    let needed = check_and_replay(rig, clocks);
    assert!(!needed.contains(&(without as u64)), "{needed:?}");
}

#[test]
fn a_game_is_checked_and_replayed_by_rules_that_were_named_since_an_undone_import() {
    let (mut rig, clocks) = Rig::with_hall();
    let oldest = rig.imports("players.csv", vec![player(7)]);
    rig.chief_changes(vec![player(8)]);
    rig.imports("more-players.csv", vec![player(9)]);
    names_rules(&mut rig);
    assert_eq!(rig.undoes(oldest), Ok(()));
    let _ = check_and_replay(rig, clocks);
}

fn names_rules(rig: &mut Rig) {
    let mut event = rig.event_now().unwrap().event().clone();
    event.rules = "time-chess".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
}

/// Plays a game of round 1, and reads it again from the records that it needs. Returns their indexes.
fn check_and_replay(mut rig: Rig, mut clocks: Vec<HandClock>) -> Vec<u64> {
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    rig.start_round(1, Scope::All);
    rig.all_take(&mut clocks);
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    rig.pass(2.0);
    clocks[0].press(&mut rig, Button::Right);
    assert_eq!(plays(&mut rig, Side::White, "e2e4"), Ok(()));
    let (mut check, mut index) = (ClockCheck::new(), RecordIndex::default());
    for (at, record) in rig.log.iter().enumerate() {
        check.apply(at as u64, record.clone()).unwrap();
        index.add(at as u64, record);
    }
    let place = index.find(&id("1"), 0, 1).unwrap();
    let needed = index.needed(&id("1"), place);
    let records = needed.iter();
    let records: Vec<_> = records
        .map(|at| (*at, rig.log[*at as usize].clone()))
        .collect();
    assert!(records.len() < rig.log.len());
    let timeline = game(&records, &id("1"), place.game).unwrap();
    let turns = timeline.turns.unwrap();
    assert_eq!(turns.game.turns().len(), 2);
    assert_eq!(turns.presses, [(Side::Black, 1)]);
    assert_eq!(timeline.days.last().unwrap().phase, "midday");
    needed
}

#[test]
fn a_press_without_a_move_is_noted_and_leaves_the_day_as_it_is() {
    let (mut rig, mut clock) = on_a_clock();
    clock.press(&mut rig, Button::Right);
    assert_eq!(phase(&rig), Phase::Dawn);
    assert_eq!(rig.notes(), ["press_without_move"]);
    let view = rig.view("1");
    assert!(
        view.note
            .as_ref()
            .unwrap()
            .contains("Black pressed without moving")
    );
    // It is Black's turn in the game, but White's clock is running, so neither player can move.
    assert_eq!(view.view.running, Running::White);
    for (side, attempt) in [(Side::Black, "e7e5"), (Side::White, "e2e4")] {
        let answer = plays(&mut rig, side, attempt);
        assert_eq!(answer, Err(PlayerRefusal::NotRunning));
    }
    clock.press(&mut rig, Button::Left);
    assert_eq!(phase(&rig), Phase::Dawn);
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    clock.press(&mut rig, Button::Right);
    assert_eq!(phase(&rig), Phase::Midday);
    assert_eq!(rig.notes(), ["press_without_move"]);
    rig.assert_replay_equals_live();
}

#[test]
fn only_the_side_whose_clock_runs_may_act() {
    let (mut rig, mut clock) = on_a_clock();
    let records = rig.log.len();
    assert_eq!(
        plays(&mut rig, Side::White, "e2e4"),
        Err(PlayerRefusal::NotRunning)
    );
    let impossible = plays(&mut rig, Side::Black, "e7e4");
    assert!(matches!(impossible, Err(PlayerRefusal::Game(_))));
    assert_eq!(
        act(&mut rig, Side::Black, PlayerAct::Press),
        Err(PlayerRefusal::PressTheClock)
    );
    assert_eq!(
        act(&mut rig, Side::Black, PlayerAct::AcceptDraw),
        Err(PlayerRefusal::NoOffer)
    );
    assert_eq!(rig.log.len(), records, "a refusal leaves no record");
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    assert_eq!(rig.log.len(), records + 1);
    clock.press(&mut rig, Button::Right);
    let rapid = RuleSet::find("fide-rapid").unwrap();
    assert_eq!(
        refusal(&mut rig, Action::Rules(rapid)),
        RefusalCode::BoardInPlay
    );
    assert_eq!(
        refusal(&mut rig, Action::PressRule(PressRule::Page)),
        RefusalCode::ServedByClock
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_repeated_action_counts_once() {
    let mut rig = on_the_hub(PressRule::Page, "5m");
    let request = PlayerRequest {
        id: rig.command_id(),
        player: "Bo".to_owned(),
        board: id("1"),
        side: Side::Black,
        act: PlayerAct::Move("e7e5".parse().unwrap()),
        digest: RequestDigest(7),
    };
    for _ in 0..2 {
        assert_eq!(rig.answered(request.clone()).unwrap().unwrap(), Ok(()));
    }
    let game = rig.view("1").time_chess.clone().unwrap();
    assert_eq!(game.game.turns().len(), 1);
}

#[test]
fn if_the_move_completes_the_turn_the_hub_keeps_the_clock() {
    let mut rig = on_the_hub(PressRule::Move, "1m+1s");
    assert!(rig.view("1").view.online);
    rig.pass(10.0);
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    assert_eq!(phase(&rig), Phase::Midday);
    rig.pass(5.0);
    assert_eq!(plays(&mut rig, Side::White, "e2e4"), Ok(()));
    assert_eq!(rig.times("1"), (57_000_000, 52_000_000));
    // The hub is the clock, so it can confirm the flag fall itself.
    rig.pass(52.0);
    assert_eq!(rig.view("1").view.black.flag, hall::view::Flag::Fallen);
    let late = plays(&mut rig, Side::Black, "e5e4");
    assert_eq!(late, Err(PlayerRefusal::NotRunning));
    assert_eq!(rig.ask("1", "flag black"), Some(Outcome::Done));
    assert_eq!(rig.ask("1", "end result 1-0"), Some(Outcome::Done));
    let game = rig.view("1").time_chess.clone().unwrap();
    assert_eq!(game.game.outcome().unwrap().to_string(), "1-0 flag fall");
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_on_the_page_follows_the_move() {
    let mut rig = on_the_hub(PressRule::Page, "5m");
    let early = act(&mut rig, Side::Black, PlayerAct::Press);
    assert_eq!(early, Err(time_chess::Refusal::NotMoved.into()));
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    rig.pass(3.0);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert_eq!(act(&mut rig, Side::Black, PlayerAct::Press), Ok(()));
    assert_eq!(rig.view("1").view.running, Running::White);
    assert_eq!(phase(&rig), Phase::Midday);
    // Once a clock is assigned to the board, only a press on that clock completes a turn.
    assert_eq!(rig.ask("1", "pause"), Some(Outcome::Done));
    let mut clock = rig.enrol(1, Some("1"));
    clock.connect(&mut rig);
    clock.take_orders(&mut rig);
    assert_eq!(
        rig.view("1").time_chess.as_ref().unwrap().press,
        PressRule::Clock
    );
    rig.assert_replay_equals_live();
}

#[test]
fn resignation_and_agreement_end_the_clocks_and_an_arbiter_may_reopen_the_game() {
    let mut rig = on_the_hub(PressRule::Move, "5m");
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    assert_eq!(act(&mut rig, Side::Black, PlayerAct::OfferDraw), Ok(()));
    assert_eq!(
        act(&mut rig, Side::Black, PlayerAct::OfferDraw),
        Err(PlayerRefusal::OfferStands)
    );
    // A move declines the offer.
    assert_eq!(plays(&mut rig, Side::White, "e2e4"), Ok(()));
    assert_eq!(
        act(&mut rig, Side::White, PlayerAct::AcceptDraw),
        Err(PlayerRefusal::NoOffer)
    );
    assert_eq!(act(&mut rig, Side::White, PlayerAct::OfferDraw), Ok(()));
    assert_eq!(act(&mut rig, Side::Black, PlayerAct::AcceptDraw), Ok(()));
    let view = rig.view("1");
    assert_eq!(view.view.result.as_deref(), Some("1/2-1/2"));
    let game = view.time_chess.clone().unwrap().game.clone();
    assert_eq!(game.outcome().unwrap().to_string(), "1/2-1/2 agreement");
    assert_eq!(rig.ask("1", "end result *"), Some(Outcome::Done));
    let game = rig.view("1").time_chess.clone().unwrap();
    assert_eq!(game.game.outcome(), None);
    assert_eq!(act(&mut rig, Side::White, PlayerAct::Resign), Ok(()));
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_restored_board_has_the_game_of_that_moment() {
    let (mut rig, mut clock) = on_a_clock();
    for (side, attempt, button) in [
        (Side::Black, "e7e5", Button::Right),
        (Side::White, "e2e4", Button::Left),
        (Side::Black, "d7d5", Button::Right),
    ] {
        assert_eq!(plays(&mut rig, side, attempt), Ok(()));
        rig.pass(1.0);
        clock.press(&mut rig, button);
    }
    let second = rig.hall.presses("1")[1].event_seq;
    let restore = rig.chief("1", Action::RestoreBefore(second));
    assert!(rig.send(restore).is_none());
    clock.take_orders(&mut rig);
    let game = rig.view("1").time_chess.clone().unwrap();
    assert_eq!(game.game.phase(), Phase::Midday);
    assert!(
        game.game.is_moved(),
        "White's move waits for its press again"
    );
    assert_eq!(game.game.turns().len(), 2);
    rig.assert_replay_equals_live();
}

#[test]
fn a_hidden_move_changes_nothing_that_the_public_sees() {
    let mut rig = on_the_hub(PressRule::Page, "5m");
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    assert_eq!(act(&mut rig, Side::Black, PlayerAct::Press), Ok(()));
    let before = rig.view("1").published.clone();
    rig.pass(2.0);
    // At midday Black is blind, so spectators do not see White's move either.
    assert_eq!(plays(&mut rig, Side::White, "e2e4"), Ok(()));
    let view = rig.view("1");
    assert_eq!(view.published, before);
    let public = before.time_chess.clone().unwrap();
    assert_eq!(public.phase, "midday");
    assert_eq!(public.pieces, "rnbqkbnr/pppp1ppp/8/4p3/8/8/8/8");
    assert!(
        view.for_viewers(view.published.clone())
            .time_chess
            .is_none()
    );
}

#[test]
fn an_outage_of_the_hub_costs_no_player_time() {
    let mut rig = on_the_hub(PressRule::Move, "5m");
    rig.pass(10.0);
    assert_eq!(plays(&mut rig, Side::Black, "e7e5"), Ok(()));
    rig.now = rig.now + crate::rig::seconds(120.0);
    rig.restart();
    let view = rig.view("1");
    assert!(view.view.paused);
    assert_eq!(rig.times("1"), (300_000_000, 290_000_000));
    assert_eq!(phase(&rig), Phase::Midday);
    assert_eq!(rig.ask("1", "resume"), Some(Outcome::Done));
    assert_eq!(plays(&mut rig, Side::White, "e2e4"), Ok(()));
    rig.assert_replay_equals_live();
}
