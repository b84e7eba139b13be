//! Notes for arbiters: each kind is raised once when its cause appears, and ends when the cause is gone.

use hall::{Action, AgentFrame, EventOptions, Health, NoteKind, Outcome, Thresholds};
use proto::log::record::Input as Logged;
use proto::wire::{self, event_body};
use timing::{Button, Command};

use crate::rig::{HandClock, Rig, seconds};
use crate::zero_test::exchange;

fn standing(rig: &Rig, board: &str) -> Vec<&'static str> {
    let detail = rig.view(board);
    assert_eq!(detail.view.note, None, "nothing of it is public");
    detail.notes.iter().map(|note| note.kind.as_str()).collect()
}

/// Returns how many notes of this kind the log has raised, and how many of them it has ended.
fn logged(rig: &Rig, kind: &str) -> (usize, usize) {
    let count = |over: bool| {
        rig.log
            .iter()
            .filter(|record| match &record.input {
                Some(Logged::Note(note)) => !over && note.kind == kind,
                Some(Logged::NoteOver(note)) => over && note.kind == kind,
                _ => false,
            })
            .count()
    };
    (count(false), count(true))
}

#[track_caller]
fn text(rig: &Rig, board: &str) -> String {
    rig.view(board).note.clone().unwrap()
}

fn hall(count: u8, control: &str) -> (Rig, Vec<HandClock>) {
    let mut rig = Rig::new();
    let mut clocks: Vec<HandClock> = (1..=count)
        .map(|number| rig.add_board_with_clock(number, control))
        .collect();
    for (index, clock) in clocks.iter_mut().enumerate() {
        obey(&mut rig, clock, &(index + 1).to_string(), "start");
    }
    (rig, clocks)
}

/// Sends a command and lets the clock carry it out, even if the clock was silent before.
fn obey(rig: &mut Rig, clock: &mut HandClock, board: &str, command: &str) {
    assert!(matches!(
        rig.ask(board, command),
        None | Some(Outcome::Pending)
    ));
    clock.take_orders(rig);
}

fn live(rig: &mut Rig, clocks: &mut [HandClock], span: u32) {
    for _ in 0..span {
        rig.pass(1.0);
        for clock in clocks.iter_mut() {
            clock.watermark(rig);
        }
    }
}

#[test]
fn presses_that_are_not_registered_are_noted_until_one_is() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    for _ in 0..3 {
        assert_eq!(standing(&rig, "1"), Vec::<&str>::new());
        rig.pass(60.0);
        // Black presses while White's clock runs.
        clock.press(&mut rig, Button::Right);
    }
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), ["missed_press"]);
    let said = text(&rig, "1");
    assert!(said.contains("board 1: Black pressed 3 times while White's clock was running"));
    assert!(said.contains("FIDE 12.6") && said.contains("FIDE 6.10.1"));
    rig.pass(300.0);
    assert_eq!(logged(&rig, "missed_press"), (1, 0), "it is said once");
    // A restarted hub still has the note and does not log it again.
    rig.assert_replay_equals_live();
    rig.restart();
    clock.connect(&mut rig);
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), ["missed_press"]);
    assert_eq!(logged(&rig, "missed_press"), (1, 0));
    clock.press(&mut rig, Button::Left);
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), Vec::<&str>::new());
    assert_eq!(logged(&rig, "missed_press"), (1, 1));
    rig.assert_replay_equals_live();
}

#[test]
fn a_button_pressed_twice_is_not_a_missing_press() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("3m+2s");
    for button in [Button::Left, Button::Right].repeat(6) {
        rig.pass(3.0);
        for _ in 0..4 {
            clock.press(&mut rig, button);
            rig.pass(0.3);
        }
        clock.watermark(&mut rig);
    }
    rig.pass(10.0);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn a_button_pressed_out_of_turn_throughout_the_game_is_noted() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("15m");
    for _ in 0..10 {
        rig.pass(5.0);
        clock.press(&mut rig, Button::Right);
        rig.pass(5.0);
        clock.press(&mut rig, Button::Left);
        rig.pass(5.0);
        clock.press(&mut rig, Button::Right);
    }
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), ["ignored_presses"]);
    assert!(
        text(&rig, "1")
            .contains("Black's button was pressed 10 times out of turn, the opponent's 0")
    );
    obey(&mut rig, &mut clock, "1", "end draw");
    rig.pass(10.0);
    assert_eq!(logged(&rig, "ignored_presses"), (1, 1));
}

#[test]
fn a_clock_that_runs_far_longer_than_the_hall_is_noted_and_a_long_think_is_not() {
    let (mut rig, mut clocks) = hall(5, "90m+30s");
    let mut buttons = [Button::Left; 5];
    // The player on board 1 does not finish the first move. On board 2 there is a press every twelve minutes, on the other boards every minute.
    for minute in 0..40_usize {
        for (index, clock) in clocks.iter_mut().enumerate() {
            let presses = match index {
                0 => false,
                1 => minute % 12 == 11,
                _ => true,
            };
            if presses {
                clock.press(&mut rig, buttons[index]);
                buttons[index] = buttons[index].other();
            }
        }
        live(&mut rig, &mut clocks, 60);
    }
    assert_eq!(standing(&rig, "1"), ["missed_press"]);
    assert!(text(&rig, "1").contains("White has used far longer for this move"));
    assert_eq!(logged(&rig, "missed_press"), (1, 0), "{:?}", rig.notes());
    rig.assert_replay_equals_live();
}

#[test]
fn a_silent_clock_raises_no_note_about_presses_it_may_have() {
    let (mut rig, mut clocks) = hall(5, "30m");
    clocks[0].drop_link(&mut rig);
    let mut buttons = [Button::Left; 5];
    for _ in 0..25 {
        for (index, clock) in clocks.iter_mut().enumerate().skip(1) {
            clock.press(&mut rig, buttons[index]);
            buttons[index] = buttons[index].other();
        }
        rig.pass(60.0);
    }
    assert_eq!(logged(&rig, "missed_press"), (0, 0));
}

#[test]
fn a_board_whose_control_differs_from_its_round_is_noted_and_a_section_is_not() {
    let mut rig = Rig::new();
    for board in 1..=5 {
        rig.add_board(&board.to_string(), "90m+30s");
    }
    rig.add_board("6", "90m");
    // Two boards that get no note: board 7 plays a different round, and board 8 differs only in the rule after a flag fall.
    rig.add_board("7", "5m+3s");
    let round = Action::Names {
        white: String::new(),
        black: String::new(),
        round: "blitz".to_owned(),
    };
    assert_eq!(rig.request("7", round).unwrap().outcome, Outcome::Done);
    rig.add_board("8", "90m+30s runs on");
    rig.pass(6.0);
    assert_eq!(
        logged(&rig, "other_control"),
        (0, 0),
        "one in six may be meant"
    );
    for board in 9..=12 {
        rig.add_board(&board.to_string(), "90m+30s");
    }
    rig.pass(6.0);
    assert_eq!(standing(&rig, "6"), ["other_control"]);
    assert!(text(&rig, "6").contains("no time is added for moves"));
    assert_eq!(logged(&rig, "other_control"), (1, 0));
    let right = "control 90m+30s".parse::<Command>().unwrap();
    rig.request("6", Action::Board(right)).unwrap();
    rig.pass(6.0);
    assert_eq!(logged(&rig, "other_control"), (1, 1));
    // Five boards with the same control form a section of their own.
    for board in 21..=25 {
        rig.add_board(&board.to_string(), "15m+10s");
    }
    rig.pass(6.0);
    assert_eq!(logged(&rig, "other_control"), (1, 1));
    rig.assert_replay_equals_live();
}

#[test]
fn a_round_whose_control_differs_from_the_event_is_noted_once() {
    let mut rig = Rig::new();
    rig.hall.set_options(EventOptions {
        notes: Thresholds {
            control: Some("90m+30s".parse().unwrap()),
            ..Thresholds::default()
        },
        ..EventOptions::default()
    });
    for board in 1..=6 {
        rig.add_board(&board.to_string(), "90m");
    }
    rig.pass(20.0);
    assert_eq!(logged(&rig, "other_control"), (1, 0));
    assert_eq!(standing(&rig, "1"), Vec::<&str>::new());
    for board in 1..=6 {
        let right = "control 90m+30s runs on".parse::<Command>().unwrap();
        rig.request(&board.to_string(), Action::Board(right))
            .unwrap();
    }
    rig.pass(20.0);
    assert_eq!(logged(&rig, "other_control"), (1, 1));
}

#[test]
fn a_board_that_was_not_started_is_noted_when_its_round_is_under_way() {
    let (mut rig, mut clocks) = hall(4, "90m+30s");
    rig.add_board("5", "90m+30s");
    let mut late = rig.enrol(5, Some("5"));
    late.connect(&mut rig);
    late.take_orders(&mut rig);
    live(&mut rig, &mut clocks, 290);
    assert_eq!(logged(&rig, "not_started"), (0, 0));
    live(&mut rig, &mut clocks, 30);
    assert_eq!(standing(&rig, "5"), ["not_started"]);
    assert!(text(&rig, "5").contains("FIDE 6.6"));
    assert_eq!(logged(&rig, "not_started"), (1, 0));
    obey(&mut rig, &mut late, "5", "start");
    rig.pass(6.0);
    assert_eq!(logged(&rig, "not_started"), (1, 1));
}

#[test]
fn a_spare_board_and_a_round_that_waits_are_not_noted() {
    let (mut rig, mut clocks) = hall(4, "90m+30s");
    for board in ["1", "2", "3", "4"] {
        let names = Action::Names {
            white: "A".to_owned(),
            black: "B".to_owned(),
            round: String::new(),
        };
        assert_eq!(rig.request(board, names).unwrap().outcome, Outcome::Done);
    }
    rig.add_board("spare", "90m+30s");
    live(&mut rig, &mut clocks, 400);
    assert_eq!(logged(&rig, "not_started"), (0, 0));

    let mut rig = Rig::new();
    for board in 1..=5 {
        rig.add_board(&board.to_string(), "90m+30s");
    }
    rig.pass(4_000.0);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn unattended_clocks_are_noted_and_a_pause_is_not() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    obey(&mut rig, &mut clock, "1", "pause");
    rig.pass(7_200.0);
    assert_eq!(logged(&rig, "stopped"), (0, 0));
    obey(&mut rig, &mut clock, "1", "resume");
    rig.pass(5.0);
    let frame = clock.event(clock.now(&rig), event_body::Fact::Stop(wire::Stop {}));
    clock.frame(&mut rig, frame);
    rig.pass(590.0);
    assert_eq!(logged(&rig, "stopped"), (0, 0));
    rig.pass(20.0);
    assert_eq!(standing(&rig, "1"), ["stopped"]);
    assert!(text(&rig, "1").contains("FIDE 6.11"));
    obey(&mut rig, &mut clock, "1", "end draw");
    rig.pass(6.0);
    assert_eq!(logged(&rig, "stopped"), (1, 1));
    rig.assert_replay_equals_live();
}

#[test]
fn a_flag_that_fell_waits_for_the_arbiter() {
    let (mut rig, mut clock) = Rig::running("3m");
    rig.pass(200.0);
    clock.watermark(&mut rig);
    rig.pass(630.0);
    assert_eq!(standing(&rig, "1"), ["stopped"]);
    assert!(text(&rig, "1").contains("a flag fell"));
}

#[test]
fn impossible_counters_are_noted() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    clock.press(&mut rig, Button::Left);
    rig.pass(10.0);
    assert_eq!(logged(&rig, "move_counters"), (0, 0));
    obey(&mut rig, &mut clock, "1", "moves white 14");
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), ["move_counters"]);
    assert!(text(&rig, "1").contains("14 moves for White and 0 for Black"));
    obey(&mut rig, &mut clock, "1", "moves black 13");
    rig.pass(10.0);
    assert_eq!(logged(&rig, "move_counters"), (1, 1));
}

#[test]
fn moves_that_the_clock_does_not_count_are_noted_until_they_agree() {
    let (mut rig, mut clock) = Rig::running("90m+30s");
    let write = |rig: &mut Rig, after: u32, moves: &[&str]| {
        let moves = moves.iter().map(|san| (*san).to_owned()).collect();
        let request = rig.chief("1", Action::Moves { after, moves });
        assert_eq!(rig.send(request).unwrap().unwrap().outcome, Outcome::Done);
    };
    let look = |rig: &mut Rig, clock: &mut HandClock| {
        for _ in 0..5 {
            rig.pass(2.0);
            clock.watermark(rig);
        }
    };
    // Entering a move shortly before its press raises no note.
    write(&mut rig, 0, &["e4"]);
    look(&mut rig, &mut clock);
    assert_eq!(logged(&rig, "score_differs"), (0, 0));
    // The score already has Black's reply, although White has not pressed the clock yet.
    write(&mut rig, 1, &["e5"]);
    look(&mut rig, &mut clock);
    assert!(standing(&rig, "1").contains(&"score_differs"));
    assert!(
        text(&rig, "1").contains(
            "moves written down: White 1, Black 1; counted by the clock: White 0, Black 0"
        )
    );
    clock.press(&mut rig, Button::Left);
    look(&mut rig, &mut clock);
    assert_eq!(logged(&rig, "score_differs"), (1, 1));
    // White's score now lags by five moves, too many on a board whose moves are entered as they are played.
    for _ in 0..5 {
        clock.press(&mut rig, Button::Right);
        clock.press(&mut rig, Button::Left);
    }
    look(&mut rig, &mut clock);
    assert!(standing(&rig, "1").contains(&"score_differs"));
    // A whole score sheet describes the game at one moment, so moves played later do not have to be entered.
    write(
        &mut rig,
        2,
        &["Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1"],
    );
    look(&mut rig, &mut clock);
    assert_eq!(logged(&rig, "score_differs"), (2, 2));
    for _ in 0..5 {
        clock.press(&mut rig, Button::Right);
        clock.press(&mut rig, Button::Left);
    }
    look(&mut rig, &mut clock);
    assert_eq!(logged(&rig, "score_differs"), (2, 2));
    rig.assert_replay_equals_live();
}

fn health(percent: u32) -> AgentFrame {
    AgentFrame::Health(Health {
        battery_percent: Some(percent),
        journal_ok: true,
        ..Health::default()
    })
}

#[test]
fn a_weak_battery_is_noted_until_it_is_charged() {
    let (mut rig, mut clock) = Rig::with_board("3m+2s");
    clock.frame(&mut rig, health(20));
    assert_eq!(logged(&rig, "low_battery"), (0, 0));
    clock.frame(&mut rig, health(19));
    assert_eq!(standing(&rig, "1"), ["low_battery"]);
    assert!(text(&rig, "1").contains("board 1: clock"));
    assert_eq!(rig.hall.agents()[0].alerts[0].kind, NoteKind::LowBattery);
    for percent in [21, 19, 22, 18] {
        clock.frame(&mut rig, health(percent));
    }
    assert_eq!(logged(&rig, "low_battery"), (1, 0), "not for every percent");
    rig.pass(90.0);
    clock.frame(&mut rig, health(60));
    assert_eq!(logged(&rig, "low_battery"), (1, 1));
    clock.frame(&mut rig, health(10));
    assert_eq!(logged(&rig, "low_battery"), (2, 1));
    rig.assert_replay_equals_live();
}

#[test]
fn a_link_that_comes_and_goes_is_noted_until_it_stays() {
    let (mut rig, mut clock) = Rig::with_board("3m+2s");
    for lost in 0..5 {
        rig.pass(50.0);
        assert_eq!(logged(&rig, "flapping"), (0, 0), "after {lost}");
        clock.drop_link(&mut rig);
        clock.connect(&mut rig);
    }
    rig.pass(10.0);
    assert_eq!(standing(&rig, "1"), ["flapping"]);
    assert!(text(&rig, "1").contains("reconnected 5 times within 10m"));
    rig.pass(900.0);
    assert_eq!(logged(&rig, "flapping"), (1, 1));
    rig.assert_replay_equals_live();
}

#[test]
fn a_crystal_at_the_limit_is_noted_and_a_sound_one_is_not() {
    for (ppm, noted) in [(110, true), (-110, true), (40, false)] {
        let (mut rig, mut clock) = Rig::with_board("90m+30s");
        for _ in 0..520 {
            let before = rig.now;
            exchange(&mut rig, &mut clock);
            // With a positive `ppm` the board's crystal runs fast, so the offset (hub − board) decreases.
            clock.offset -= ppm * (rig.now - before).as_micros() / 1_000_000;
        }
        rig.pass(10.0);
        let kinds = rig.hall.agents()[0].alerts.clone();
        let crystal = kinds
            .iter()
            .filter(|note| note.kind == NoteKind::Crystal)
            .count()
            == 1;
        assert_eq!(
            crystal,
            noted,
            "{ppm} ppm: {kinds:?}, {:?}",
            rig.hall.agents()
        );
    }
}

#[test]
fn thresholds_of_zero_disable_their_notes() {
    let (mut rig, mut clock) = Rig::running("3m");
    rig.hall.set_options(EventOptions {
        notes: Thresholds {
            ignored_presses: 0,
            long_think_percent: 0,
            not_started: None,
            stopped: None,
            battery_percent: 0,
            reconnects: 0,
            reconnects_within: seconds(600.0),
            other_control: false,
            control: None,
        },
        ..EventOptions::default()
    });
    for _ in 0..12 {
        rig.pass(5.0);
        clock.press(&mut rig, Button::Right);
    }
    clock.frame(&mut rig, health(1));
    for _ in 0..6 {
        clock.drop_link(&mut rig);
        clock.connect(&mut rig);
    }
    rig.pass(200.0);
    clock.watermark(&mut rig);
    rig.pass(2_000.0);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}
