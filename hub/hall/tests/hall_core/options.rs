//! Settings in addition to the time control: draw odds, the scheduled start, the default time, sound.

use hall::view::{BoardState, Side as ViewSide};
use hall::{Action, EventOptions, Hall, HubEffect, Outcome, Sound};
use proto::wire::{self, Labels, hub_frame};
use timing::{Button, Duration, Instant, Side, StartRule};

use crate::rig::{HandClock, Rig, START, seconds};

fn labels(clock: &HandClock) -> Labels {
    clock
        .frames
        .iter()
        .rev()
        .find_map(|frame| match &frame.frame {
            Some(hub_frame::Frame::Labels(labels)) => Some(labels.clone()),
            _ => None,
        })
        .unwrap()
}

fn prepare(rig: &mut Rig, clock: &mut HandClock, control: &str, draw_odds: Option<Side>) {
    let action = Action::Prepare {
        control: control.parse().unwrap(),
        start: StartRule::Arbiter,
        white: None,
        draw_odds,
    };
    let request = rig.chief("1", action);
    assert!(
        rig.send(request).is_none(),
        "the clock has not taken it yet"
    );
    clock.take_orders(rig);
    clock.hear(rig);
}

fn awaiting(default: Duration) -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::with_board("90m");
    rig.hall.set_options(EventOptions {
        default_time: Some(default),
        ..EventOptions::default()
    });
    clock.answer_probe(&mut rig);
    assert_eq!(rig.ask("1", "start"), None);
    clock.take_orders(&mut rig);
    (rig, clock)
}

fn late_notes(rig: &Rig) -> usize {
    let notes = rig.notes();
    notes.iter().filter(|kind| *kind == "default_time").count()
}

#[test]
fn draw_odds_belong_to_a_game_and_never_change_a_result() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let odds = Action::DrawOdds(Some(Side::Black));
    assert_eq!(rig.request("1", odds).unwrap().outcome, Outcome::Done);
    clock.hear(&mut rig);
    assert_eq!(labels(&clock).draw_odds(), proto::Side::Black);
    assert_eq!(rig.view("1").view.draw_odds, Some(ViewSide::Black));

    // A new game has only the draw odds with which it was prepared, and has them as soon as it is set.
    prepare(&mut rig, &mut clock, "3m", None);
    assert_eq!(rig.view("1").view.draw_odds, None);
    assert_eq!(labels(&clock).draw_odds(), proto::Side::Unspecified);
    prepare(&mut rig, &mut clock, "5m vs 4m", Some(Side::Black));
    assert_eq!(rig.view("1").view.draw_odds, Some(ViewSide::Black));
    assert_eq!(labels(&clock).draw_odds(), proto::Side::Black);

    assert_eq!(rig.ask("1", "start"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.ask("1", "end draw"), None);
    clock.take_orders(&mut rig);
    let view = rig.view("1").view.clone();
    assert_eq!(view.result.as_deref(), Some("1/2-1/2"));
    assert_eq!(view.draw_odds, Some(ViewSide::Black));
    // The hub does not decide the game: only an arbiter's command enters the result.
    assert_eq!(rig.ask("1", "end result 0-1"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.result.as_deref(), Some("0-1"));
    rig.assert_replay_equals_live();
    rig.restart();
    assert_eq!(rig.view("1").view.draw_odds, Some(ViewSide::Black));
}

#[test]
fn draw_odds_survive_a_hub_that_stops_while_the_clock_is_being_set() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let action = Action::Prepare {
        control: "5m vs 4m".parse().unwrap(),
        start: StartRule::Arbiter,
        white: None,
        draw_odds: Some(Side::White),
    };
    let request = rig.chief("1", action);
    assert!(rig.send(request).is_none());
    clock.drop_link(&mut rig);
    rig.assert_replay_equals_live();
    rig.restart();
    assert_eq!(rig.view("1").view.draw_odds, None);
    clock.connect(&mut rig);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.draw_odds, Some(ViewSide::White));
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_is_added_with_its_draw_odds_and_a_stale_change_of_them_is_refused() {
    let (mut rig, mut clock) = Rig::running("5m");
    let late = rig.chief("1", Action::DrawOdds(Some(Side::Black)));
    assert_eq!(rig.ask("1", "pause"), None);
    clock.take_orders(&mut rig);
    let answer = rig.send(late).unwrap().unwrap();
    assert!(
        matches!(answer.outcome, Outcome::Refused(why) if why.text().contains("pause by chief"))
    );
    let timing::Command::Prepare(setup) = "prepare left arbiter 5m vs 4m".parse().unwrap() else {
        unreachable!()
    };
    let add = Action::AddBoard(setup, Some(Side::Black));
    assert_eq!(rig.request("2", add).unwrap().outcome, Outcome::Done);
    assert_eq!(rig.view("2").view.draw_odds, Some(ViewSide::Black));
    rig.assert_replay_equals_live();
}

#[test]
fn a_scheduled_start_is_sent_in_each_clocks_own_time_and_withdrawn_once_it_has_passed() {
    let start = Instant::from_micros(START) + seconds(60.0);
    let mut rig = Rig::scheduled(Some(start));
    rig.add_board("1", "5m");
    let mut clock = rig.enrol(1, Some("1"));
    clock.connect(&mut rig);
    clock.take_orders(&mut rig);
    assert_eq!(
        labels(&clock).starts_at_us,
        None,
        "the board's time is not known yet"
    );
    clock.answer_probe(&mut rig);
    let told = labels(&clock).starts_at_us.unwrap();
    let exact = start.as_micros() - clock.offset;
    assert!((told - exact).abs() < 10_000, "{told} against {exact}");
    // The estimate has improved only slightly, so the hub does not send the start again.
    rig.pass(5.0);
    clock.answer_probe(&mut rig);
    let again = clock
        .frames
        .iter()
        .any(|frame| matches!(frame.frame, Some(hub_frame::Frame::Labels(_))));
    assert!(!again);
    let effects = rig.pass(60.0);
    let events: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            HubEffect::PublishEvent { event } => Some(event.starts_at_us),
            _ => None,
        })
        .collect();
    assert_eq!(events, [None]);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.state, BoardState::Running);
}

#[test]
fn pages_are_sent_a_scheduled_start_until_it_has_passed() {
    let told = |start: f64| {
        let mut hall = Hall::new();
        let now = Instant::from_micros(START);
        let start_up = crate::rig::start_up(Some(now + seconds(start)));
        let step = hall.on_input(now, hall::Input::StartUp(Box::new(start_up)));
        let events: Vec<_> = step
            .effects
            .iter()
            .filter_map(|effect| match effect {
                HubEffect::PublishEvent { event } => Some(event.starts_at_us),
                _ => None,
            })
            .collect();
        events.last().copied().unwrap()
    };
    assert_eq!(told(252.0), Some(START + 252_000_000));
    assert_eq!(told(0.0), None);
    assert_eq!(told(-600.0), None);
}

#[test]
fn a_player_who_has_not_moved_by_the_default_time_is_noted_once_and_loses_nothing() {
    let (mut rig, mut clock) = awaiting(Duration::from_secs(1_800));
    rig.pass(1_799.0);
    clock.watermark(&mut rig);
    assert_eq!(late_notes(&rig), 0);
    rig.pass(1.5);
    assert_eq!(
        late_notes(&rig),
        0,
        "the clock has not said so yet: a press may be on its way"
    );
    clock.watermark(&mut rig);
    rig.pass(1.0);
    assert_eq!(late_notes(&rig), 1);
    let detail = rig.view("1");
    let note = detail.note.clone().unwrap();
    for part in ["board 1", "White", "30m", "FIDE 6.7"] {
        assert!(note.contains(part), "{note}");
    }
    assert_eq!(detail.view.note, None, "it is the arbiter's affair");
    assert_eq!(
        (detail.view.state, detail.view.result.clone()),
        (BoardState::Running, None)
    );
    rig.assert_replay_equals_live();
    // A restarted hub still has the note and does not log it again.
    rig.restart();
    rig.hall.set_options(EventOptions {
        default_time: Some(Duration::from_secs(1_800)),
        ..EventOptions::default()
    });
    clock.connect(&mut rig);
    clock.answer_probe(&mut rig);
    rig.pass(2.0);
    clock.watermark(&mut rig);
    rig.pass(2.0);
    assert!(rig.view("1").note.is_some());
    assert_eq!(late_notes(&rig), 1);
    // White's first move ends the note, and no further note follows within a minute.
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.view("1").note, None);
    rig.pass(60.0);
    assert_eq!(late_notes(&rig), 1);
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_in_transit_is_not_an_absence() {
    let (mut rig, mut clock) = awaiting(Duration::from_secs(60));
    rig.pass(59.0);
    let press = clock.press_frame(clock.now(&rig), Button::Left);
    let reply = clock.press_frame(clock.now(&rig) + seconds(0.5), Button::Right);
    rig.pass(10.0);
    assert_eq!(late_notes(&rig), 0, "the clock is silent");
    clock.frame(&mut rig, press);
    clock.frame(&mut rig, reply);
    clock.watermark(&mut rig);
    rig.pass(5.0);
    assert_eq!(late_notes(&rig), 0);
}

#[test]
fn black_is_awaited_after_whites_first_move_and_zero_means_immediately() {
    let (mut rig, mut clock) = awaiting(Duration::from_secs(60));
    rig.pass(30.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(31.0);
    clock.watermark(&mut rig);
    rig.pass(1.0);
    let note = rig.view("1").note.clone().unwrap();
    assert!(note.contains("Black has not completed a move"), "{note}");

    let (mut rig, mut clock) = awaiting(Duration::ZERO);
    rig.pass(0.1);
    clock.watermark(&mut rig);
    rig.pass(1.0);
    let note = rig.view("1").note.clone().unwrap();
    assert!(note.contains("zero") && note.contains("White"), "{note}");
}

#[test]
fn without_a_default_time_no_player_is_awaited() {
    let (mut rig, mut clock) = Rig::running("90m");
    clock.answer_probe(&mut rig);
    rig.pass(3_600.0);
    clock.watermark(&mut rig);
    rig.pass(2.0);
    assert_eq!(late_notes(&rig), 0);
}

#[test]
fn clocks_are_told_when_to_make_a_sound() {
    for (sound, word) in [
        (Sound::Off, wire::Sound::Unspecified),
        (Sound::Flag, wire::Sound::Flag),
        (Sound::All, wire::Sound::All),
    ] {
        let mut rig = Rig::new();
        rig.hall.set_options(EventOptions {
            sound,
            ..EventOptions::default()
        });
        rig.add_board("1", "5m");
        let mut clock = rig.enrol(1, Some("1"));
        clock.connect(&mut rig);
        clock.take_orders(&mut rig);
        assert_eq!(labels(&clock).sound(), word);
    }
}
