//! The next round on boards whose clocks fell silent in the previous one. Once the event has a result for the previous game, the hub orders the new
//! game, and the clock accepts it when it reconnects.

use hall::{Action, WorkState};
use timing::{Button, StartRule};
use tournament::{BoardPhase, Change, Match, MatchNo, Pairings, RoundNo, Scope, Side, TeamNo};

use crate::event_rig::{enter, paired};
use crate::rig::{HandClock, Rig};
use crate::round_between::{forfeited, league, seat};
use crate::round_rig::{CONTROL, LOST, WON, at, preset_of, runs, with};

/// Returns a hall in which the clock of board 1 fell silent during a game. All games of round 1 are decided, the round is confirmed, and round 2 is
/// paired.
fn decided_without_its_clock() -> (Rig, Vec<HandClock>) {
    let (mut rig, mut clocks) = Rig::with_started();
    clocks[0].press(&mut rig, Button::Left);
    rig.pass(5.0);
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    rig.chief_changes((1..=3).map(|no| enter(1, no, WON, "")).collect());
    for clock in &mut clocks[1..] {
        clock.take_orders(&mut rig);
    }
    rig.chief_changes(vec![
        Change::Confirm(RoundNo(1)),
        paired(2, &[(4, 2), (5, 3), (6, 1)]),
    ]);
    assert!(runs(&rig, "1"), "as far as the hub knows");
    (rig, clocks)
}

fn reconnect(rig: &mut Rig, clock: &mut HandClock) {
    clock.connect(rig);
    for _ in 0..4 {
        clock.take_orders(rig);
    }
}

/// Returns the first word of each command that is pending for a board's clock.
fn waiting(rig: &Rig, board: &str) -> Vec<String> {
    let detail = rig.view(board);
    let words = detail.pending.iter();
    let words = words.map(|pending| pending.record.text());
    let words = words.filter_map(|text| text.split(' ').next().map(str::to_owned));
    words.collect()
}

#[test]
fn a_silent_clock_of_a_decided_game_is_ordered_to_set_the_next_one() {
    let (mut rig, mut clocks) = decided_without_its_clock();
    assert_eq!(
        rig.preset(2, Scope::All),
        [WorkState::Silent, WorkState::OnItsWay, WorkState::OnItsWay]
    );
    assert_eq!(waiting(&rig, "1"), ["end", "prepare"]);
    assert_eq!(rig.preset(2, at(1)), [WorkState::Silent]);
    assert_eq!(waiting(&rig, "1"), ["end", "prepare"]);
    rig.restart();
    reconnect(&mut rig, &mut clocks[0]);
    assert_eq!(rig.view("1").view.white.name, "Player, 4");
    assert_eq!(rig.control("1"), CONTROL);
    assert_eq!(rig.phases(2)[0], BoardPhase::Preset);
    assert_eq!(rig.game(1, 1).result, Some(WON));
    rig.assert_replay_equals_live();
}

#[test]
fn the_start_of_the_next_round_follows_a_pending_preset() {
    let (mut rig, mut clocks) = decided_without_its_clock();
    rig.preset(2, at(1));
    assert_eq!(rig.start_round(2, at(1)), [WorkState::Silent]);
    assert_eq!(waiting(&rig, "1"), ["end", "prepare", "start"]);
    assert_eq!(rig.start_round(2, at(1)), [WorkState::Silent]);
    assert_eq!(waiting(&rig, "1"), ["end", "prepare", "start"]);
    reconnect(&mut rig, &mut clocks[0]);
    assert!(runs(&rig, "1"));
    assert_eq!(rig.view("1").view.white.name, "Player, 4");
    assert_eq!(rig.phases(2)[0], BoardPhase::Started);
    rig.assert_replay_equals_live();
}

/// If the game begins with Black's press, which starts White's clock, the arbiter's start must leave the clock stopped until that press.
#[test]
fn black_starts_a_game_that_waits_for_its_clock() {
    let mut rig = Rig::with_timed_round();
    let request = with(preset_of(1, at(1)), |with| {
        with.start = StartRule::BlackPress
    });
    rig.work(request).unwrap();
    let mut clock = rig.enrol(1, Some("1"));
    clock.connect(&mut rig);
    clock.take_orders(&mut rig);
    clock.drop_link(&mut rig);
    rig.pass(5.0);
    rig.chief_changes(vec![
        enter(1, 1, WON, ""),
        enter(1, 2, WON, ""),
        enter(1, 3, WON, ""),
    ]);
    rig.chief_changes(vec![paired(2, &[(4, 2), (5, 3), (6, 1)])]);
    assert_eq!(rig.preset(2, at(1)), [WorkState::Silent]);
    assert_eq!(rig.start_round(2, at(1)), [WorkState::Set]);
    reconnect(&mut rig, &mut clock);
    assert!(!runs(&rig, "1"));
    clock.press(&mut rig, Button::Right);
    assert!(runs(&rig, "1"));
}

#[test]
fn a_correction_of_the_previous_game_does_not_end_the_next_one() {
    let (mut rig, mut clocks) = decided_without_its_clock();
    rig.preset(2, at(1));
    let reopen = Change::Reopen(RoundNo(1), "the slip was misread".to_owned());
    rig.chief_changes(vec![reopen, enter(1, 1, LOST, "the slip was misread")]);
    reconnect(&mut rig, &mut clocks[0]);
    assert_eq!(rig.shown("1"), None);
    assert_eq!(rig.phases(2)[0], BoardPhase::Preset);
    assert_eq!(rig.game(1, 1).result, Some(LOST));
    assert_eq!(rig.game(2, 1).result, None);
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_that_replaces_the_silent_one_gets_the_next_game() {
    let (mut rig, _clocks) = decided_without_its_clock();
    assert_eq!(rig.preset(2, at(1)), [WorkState::Silent]);
    let mut spare = rig.enrol(9, None);
    spare.connect(&mut rig);
    let key = spare.id.to_string();
    rig.request("1", Action::Assign(key)).unwrap();
    for _ in 0..4 {
        spare.take_orders(&mut rig);
    }
    rig.preset(2, at(1));
    for _ in 0..4 {
        spare.take_orders(&mut rig);
    }
    assert_eq!(rig.preset(2, at(1)), [WorkState::Set]);
    assert_eq!(rig.view("1").view.white.name, "Player, 4");
    assert_eq!(rig.phases(2)[0], BoardPhase::Preset);
    rig.assert_replay_equals_live();
}

/// The boards of a forfeited match have no results. Their clocks, silent or not, are nevertheless free for the next round.
#[test]
fn the_clocks_of_a_forfeited_match_are_set_for_the_next_round() {
    let mut rig = Rig::new();
    rig.chief_changes(league());
    let mut clocks = [1, 2].map(|number| rig.add_board_with_clock(number, "5m"));
    rig.preset(1, Scope::All);
    rig.all_take(&mut clocks);
    rig.start_round(1, Scope::All);
    rig.all_take(&mut clocks);
    clocks[0].press(&mut rig, Button::Left);
    rig.pass(5.0);
    clocks[0].drop_link(&mut rig);
    rig.pass(5.0);
    rig.chief_changes(vec![forfeited(Some(Some(Side::White)))]);
    clocks[1].take_orders(&mut rig);
    let mut pairings = Pairings {
        boards: vec![seat(1, 3, 1, 1), seat(2, 2, 4, 2)],
        ..Pairings::default()
    };
    let met = Match {
        white: TeamNo(2),
        black: TeamNo(1),
        forfeit: None,
    };
    pairings.matches.push((MatchNo(1), met));
    let next = Change::PairRound(RoundNo(2), Box::new(pairings));
    rig.chief_changes(vec![next]);
    assert_eq!(
        rig.preset(2, Scope::All),
        [WorkState::Silent, WorkState::OnItsWay]
    );
    reconnect(&mut rig, &mut clocks[0]);
    for _ in 0..4 {
        clocks[1].take_orders(&mut rig);
    }
    assert_eq!(rig.phases(2), [BoardPhase::Preset; 2]);
    assert_eq!(rig.view("1").view.white.name, "Player, 3");
    rig.assert_replay_equals_live();
}
