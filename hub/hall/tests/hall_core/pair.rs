//! Boards on which each side has its own clock, in two places. The hub keeps the time, each press counts from the instant at which it was made, and a
//! silent clock costs neither player any time.

use hall::view::{BoardState, Flag, Running};
use hall::{Action, AgentFrame, Denied, Enrolment, HubEffect, OriginText, Outcome};
use proto::ids::EventSeq;
use proto::refusal::RefusalCode;
use proto::wire::{self, event_body, hub_frame};
use timing::{Board, Button, Instant, Side};

use crate::rig::{HandClock, Rig, id, seconds};

const WHITE: Button = Button::Left;
const BLACK: Button = Button::Right;

/// Returns a board with a connected clock for each side, whose offsets are known to half a millisecond.
fn pair(control: &str) -> (Rig, HandClock, HandClock) {
    let mut rig = Rig::new();
    rig.add_board("1", control);
    let mut white = rig.enrol(1, None);
    let mut black = rig.enrol(2, None);
    black.offset -= 777_000_000;
    for (clock, side, key) in [
        (&mut white, Side::White, "0101"),
        (&mut black, Side::Black, "0202"),
    ] {
        let assign = Action::AssignSide(side, key.to_owned());
        assert_eq!(rig.request("1", assign).unwrap().outcome, Outcome::Done);
        clock.connect(&mut rig);
    }
    synchronise(&mut rig, &mut [&mut white, &mut black]);
    white.take_orders(&mut rig);
    black.take_orders(&mut rig);
    (rig, white, black)
}

fn running(control: &str) -> (Rig, HandClock, HandClock) {
    let (mut rig, white, black) = pair(control);
    assert_eq!(rig.ask("1", "start"), Some(Outcome::Done));
    assert_eq!(rig.view("1").view.running, Running::White);
    (rig, white, black)
}

/// Lets a quarter of a second pass and answers every probe from the hub within a millisecond.
pub(crate) fn synchronise(rig: &mut Rig, clocks: &mut [&mut HandClock]) {
    for _ in 0..250 {
        rig.pass(0.000_5);
        let mut replies = Vec::new();
        for (number, clock) in clocks.iter_mut().enumerate() {
            clock.hear(rig);
            let stamp = clock.now(rig);
            for frame in std::mem::take(&mut clock.frames) {
                if let Some(hub_frame::Frame::TimeProbe(probe)) = frame.frame {
                    let reply = AgentFrame::TimeReply {
                        nonce: probe.nonce,
                        received: stamp,
                        sent: stamp,
                    };
                    replies.push((number, reply));
                }
            }
        }
        rig.pass(0.000_5);
        for (number, reply) in replies {
            clocks[number].frame(rig, reply);
        }
    }
}

fn told(clock: &HandClock) -> Option<&wire::SharedBoard> {
    clock
        .frames
        .iter()
        .rev()
        .find_map(|frame| match &frame.frame {
            Some(hub_frame::Frame::SharedBoard(shared)) => Some(shared),
            _ => None,
        })
}

#[track_caller]
fn near(us: i64, expected_s: f64) {
    let expected = (expected_s * 1e6) as i64;
    assert!(
        (us - expected).abs() <= 3_000,
        "{us} is not near {expected}"
    );
}

fn white_left(rig: &Rig) -> i64 {
    rig.view("1").view.white.us
}

#[test]
fn a_game_starts_once_both_sides_have_a_clock() {
    let mut rig = Rig::new();
    rig.add_board("1", "5m");
    let mut white = rig.enrol(1, None);
    let mut black = rig.enrol(2, None);
    let assign = |side, key: &str| Action::AssignSide(side, key.to_owned());
    rig.request("1", assign(Side::White, "0101")).unwrap();
    white.connect(&mut rig);
    assert_eq!(white.ordered(&mut rig), ["serve White of 1"]);
    synchronise(&mut rig, &mut [&mut white]);
    white.take_orders(&mut rig);
    let refused = rig.ask("1", "start").unwrap();
    assert!(
        matches!(refused, Outcome::Refused(why) if why.text().contains("a clock for each side"))
    );
    let both = rig.request("1", assign(Side::Black, "0101")).unwrap();
    assert!(matches!(both.outcome, Outcome::Refused(why) if why.text().contains("serves White")));
    rig.request("1", assign(Side::Black, "0202")).unwrap();
    let refused = rig.ask("1", "start").unwrap();
    assert!(
        matches!(refused, Outcome::Refused(_)),
        "it does not know yet"
    );
    black.connect(&mut rig);
    synchronise(&mut rig, &mut [&mut white, &mut black]);
    black.take_orders(&mut rig);
    assert_eq!(rig.ask("1", "start"), Some(Outcome::Done));
    let detail = rig.view("1");
    assert!(detail.view.online && detail.agent.is_none());
    let clocks = detail.clocks.unwrap();
    assert_eq!(clocks.white.agent, Some(white.id));
    assert_eq!(clocks.black.agent, Some(black.id));
    assert!(clocks.white.uncertainty.unwrap() < seconds(0.001));
    black.drop_link(&mut rig);
    let detail = rig.view("1");
    assert!(!detail.view.online);
    let links = detail.view.clocks.unwrap();
    assert_eq!((links.white, links.black), (true, false));
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_that_enrols_for_the_other_side_of_its_board_is_refused_and_unchanged() {
    let (mut rig, white, _black) = pair("5m");
    let enrolment = Enrolment {
        agent: white.id,
        exchange_key: vec![9; 32],
        name: "renamed".to_owned(),
        certificate_serial: vec![9],
        certificate: Vec::new(),
        board: Some(id("1")),
        side: Some(Side::Black),
        admitted_by: String::new(),
    };
    let before = rig.log.len();
    let denied = rig.answered(enrolment).unwrap().unwrap_err();
    assert_eq!(rig.log.len(), before);
    rig.assert_replay_equals_live();
    assert!(
        matches!(&denied, Denied::NotPossible(why) if why.code() == RefusalCode::ClockOtherSide),
        "{denied:?}"
    );
}

#[test]
fn each_clock_presses_only_for_its_own_side() {
    let (mut rig, mut white, mut black) = running("5m+2s");
    rig.pass(10.0);
    // A press on the opponent's button of White's clock does not count.
    white.press(&mut rig, BLACK);
    assert_eq!(rig.view("1").view.running, Running::White);
    white.press(&mut rig, WHITE);
    near(white_left(&rig), 300.0 + 2.0 - 10.0 + 2.0);
    assert_eq!(rig.view("1").view.running, Running::Black);
    rig.pass(7.0);
    white.press(&mut rig, BLACK);
    white.press(&mut rig, WHITE);
    rig.pass(0.1);
    black.press(&mut rig, BLACK);
    near(rig.view("1").view.black.us, 300.0 + 2.0 - 7.1 + 2.0);
    assert_eq!(rig.view("1").presses.len(), 2);
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_in_transit_saves_the_player_whatever_the_other_clock_reports() {
    let (mut rig, mut white, mut black) = running("3s");
    rig.pass(2.9);
    let press = white.press_frame(white.now(&rig), WHITE);
    rig.pass(2.0);
    black.watermark(&mut rig);
    assert_eq!(rig.view("1").view.white.flag, Flag::Expected);
    // White's watermark covers the press but arrives first, so the hub waits for the press.
    white.watermark(&mut rig);
    assert_eq!(rig.view("1").view.white.flag, Flag::Expected);
    white.frame(&mut rig, press);
    assert_eq!(rig.view("1").view.white.flag, Flag::None);
    near(white_left(&rig), 0.1);
    // Black's turn began two seconds ago, so Black's time is not used up.
    assert_eq!(rig.view("1").view.running, Running::Black);
    rig.assert_replay_equals_live();
}

#[test]
fn only_a_report_of_the_side_to_move_confirms_a_flag_and_an_outage_flags_no_player() {
    let (mut rig, mut white, mut black) = running("3s");
    white.drop_link(&mut rig);
    rig.pass(600.0);
    black.watermark(&mut rig);
    let detail = rig.view("1");
    assert_eq!(detail.view.white.flag, Flag::Expected);
    assert_eq!(detail.view.state, BoardState::Running);
    assert_eq!(detail.clocks.unwrap().white.agent, Some(white.id));
    white.connect(&mut rig);
    synchronise(&mut rig, &mut [&mut white]);
    white.watermark(&mut rig);
    assert_eq!(rig.view("1").view.white.flag, Flag::Fallen);
    rig.assert_replay_equals_live();
}

#[test]
fn a_reply_that_overtakes_the_press_it_answers_waits_for_that_press() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    let first = white.press_frame(white.now(&rig), WHITE);
    rig.pass(0.8);
    // Black has seen the move and replies to it, but White's link is slow.
    black.press(&mut rig, BLACK);
    assert_eq!(rig.view("1").view.running, Running::White);
    black.watermark(&mut rig);
    rig.pass(1.0);
    white.frame(&mut rig, first);
    let detail = rig.view("1");
    assert_eq!(detail.view.running, Running::White);
    near(detail.view.white.us, 289.0);
    near(detail.view.black.us, 300.0 - 0.8);
    assert_eq!(detail.presses.len(), 2);
    // The log has both presses with their bounds.
    let placed: Vec<_> = rig
        .log
        .iter()
        .filter_map(|record| match &record.input {
            Some(proto::log::record::Input::AgentEvent(event)) => event.placed,
            _ => None,
        })
        .collect();
    assert_eq!(placed.len(), 2);
    assert!(
        placed
            .iter()
            .all(|one| one.lo_us <= one.est_us && one.est_us <= one.hi_us)
    );
    rig.assert_replay_equals_live();
}

#[test]
fn moves_made_without_a_hub_all_count_when_one_clock_is_heard_before_the_other() {
    let (mut rig, mut white, mut black) = running("2500ms");
    let mut made: (Vec<AgentFrame>, Vec<AgentFrame>) = Default::default();
    for (white_thinks, black_thinks) in [(1.0, 1.0), (1.0, 1.0), (0.2, 0.1)] {
        rig.pass(white_thinks);
        made.0.push(white.press_frame(white.now(&rig), WHITE));
        rig.pass(black_thinks);
        made.1.push(black.press_frame(black.now(&rig), BLACK));
    }
    rig.pass(0.1);
    for press in made.0 {
        white.frame(&mut rig, press);
    }
    // White's clock has now reported time past the instant at which White's flag would fall if the waiting presses did not count. Those presses were
    // made before that instant, so no flag has fallen.
    white.watermark(&mut rig);
    for press in made.1 {
        black.frame(&mut rig, press);
    }
    let detail = rig.view("1");
    assert_eq!((detail.view.white.moves, detail.view.black.moves), (3, 3));
    assert_eq!(detail.view.white.flag, Flag::None);
    near(detail.view.black.us, 0.4);
    assert_eq!(detail.view.running, Running::White);
    let late = rig.notes().iter().any(|kind| kind == "late_press");
    assert!(!late, "no press came late");
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_out_of_turn_has_no_effect_once_the_other_clock_has_reported() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(5.0);
    black.press(&mut rig, BLACK);
    rig.pass(1.0);
    white.watermark(&mut rig);
    rig.pass(1.0);
    // Black's early press does not count as the reply to White's later press.
    white.press(&mut rig, WHITE);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert_eq!(rig.view("1").view.black.moves, 0);
    rig.assert_replay_equals_live();
}

#[test]
fn a_command_takes_effect_in_the_hubs_time() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    white.watermark(&mut rig);
    black.watermark(&mut rig);
    let before = white.press_frame(white.now(&rig), WHITE);
    rig.pass(0.1);
    assert_eq!(rig.ask("1", "pause"), None, "it waits for White's word");
    rig.pass(0.1);
    white.frame(&mut rig, before);
    // White pressed before the pause, so the hub waits for Black's clock to report.
    assert_eq!(rig.view("1").view.running, Running::Black);
    black.press(&mut rig, BLACK);
    let detail = rig.view("1");
    assert_eq!(detail.view.state, BoardState::Paused, "{detail:?}");
    assert_eq!(detail.view.black.moves, 0, "Black pressed after the pause");
    near(detail.view.white.us, 290.0);
    near(detail.view.black.us, 300.0 - 0.1);
    assert!(detail.pending.is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_command_that_a_silent_clock_holds_up_can_be_forced_or_withdrawn() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    white.drop_link(&mut rig);
    rig.pass(4.0);
    assert_eq!(rig.ask("1", "pause"), Some(Outcome::Pending));
    let first = rig.view("1").pending[0].record.id;
    let gone = rig.request("1", Action::Withdraw(first)).unwrap();
    assert_eq!(gone.outcome, Outcome::Done);
    assert_eq!(rig.ask("1", "pause"), Some(Outcome::Pending));
    let second = rig.view("1").pending[0].record.id;
    rig.pass(1.0);
    let forced = rig.request("1", Action::Force(second)).unwrap();
    assert_eq!(forced.outcome, Outcome::Done);
    let detail = rig.view("1");
    assert_eq!(detail.view.state, BoardState::Paused);
    near(detail.view.white.us, 300.0 - 14.0);
    // A press that White made earlier goes to review.
    let press = white.press_frame(white.now(&rig) - seconds(3.0), WHITE);
    white.connect(&mut rig);
    synchronise(&mut rig, &mut [&mut white, &mut black]);
    white.frame(&mut rig, press);
    assert!(
        rig.notes().contains(&"late_press".to_owned()),
        "{:?}",
        rig.notes()
    );
    assert_eq!(rig.view("1").view.white.moves, 0);
    rig.assert_replay_equals_live();
}

/// Returns a board after White's press, which was made `late` seconds after the flag fall.
fn at_the_flag(late: f64) -> (Rig, HandClock) {
    let (mut rig, mut white, _) = running("3s");
    let begun = rig.now;
    rig.pass(3.5);
    let at = Instant::<Board>::from_micros(begun.as_micros() - white.offset) + seconds(3.0 + late);
    let press = white.press_frame(at, WHITE);
    white.frame(&mut rig, press);
    (rig, white)
}

#[test]
fn a_press_that_may_have_been_in_time_counts_and_the_arbiter_is_told() {
    let (rig, _) = at_the_flag(0.000_3);
    assert_eq!(rig.view("1").view.white.flag, Flag::None);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert_eq!(rig.notes(), ["straddle"]);
    assert!(
        rig.view("1")
            .note
            .as_ref()
            .unwrap()
            .contains("decided in favour of the player")
    );
    rig.assert_replay_equals_live();

    let (rig, _) = at_the_flag(-0.000_3);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert_eq!(rig.notes(), ["straddle"]);

    let (rig, _) = at_the_flag(0.005);
    assert_eq!(rig.view("1").view.white.flag, Flag::Fallen);
    assert!(rig.notes().is_empty());

    let (rig, _) = at_the_flag(-0.005);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert!(rig.notes().is_empty());
}

#[test]
fn a_clock_cannot_press_before_its_own_watermark() {
    let (mut rig, mut white, _) = running("5m");
    rig.pass(10.0);
    white.watermark(&mut rig);
    rig.pass(0.5);
    // The clock stamps a press three seconds before its own watermark.
    let press = white.press_frame(white.now(&rig) - seconds(3.5), WHITE);
    white.frame(&mut rig, press);
    near(white_left(&rig), 290.0);
    assert!(rig.notes().contains(&"broken_promise".to_owned()));
    rig.assert_replay_equals_live();
}

#[test]
fn a_side_clocks_press_stamped_before_the_probe_that_it_echoes_is_noted() {
    for (early, noted) in [(0.05, false), (3.0, true)] {
        let (mut rig, mut white, _) = running("5m");
        rig.pass(10.0);
        white.echo = white.answer_probe(&mut rig);
        let press = white.press_frame(white.now(&rig) - seconds(early), WHITE);
        white.frame(&mut rig, press);
        // The probe may be up to a second old, so at most a second can be gained.
        assert!(white_left(&rig) <= 291_000_000, "{}", white_left(&rig));
        let notes = rig.notes();
        assert_eq!(
            notes.contains(&"before_probe".to_owned()),
            noted,
            "{notes:?}"
        );
        rig.assert_replay_equals_live();
    }
}

#[test]
fn a_press_is_never_placed_after_its_arrival() {
    let (mut rig, mut white, _) = running("5m");
    rig.pass(10.0);
    let press = white.press_frame(white.now(&rig) + seconds(30.0), WHITE);
    white.frame(&mut rig, press);
    near(white_left(&rig), 290.0);
    rig.assert_replay_equals_live();
}

#[test]
fn after_a_restart_of_the_hub_presses_wait_until_the_offset_is_known_again() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    let press = white.press_frame(white.now(&rig), WHITE);
    rig.restart();
    rig.pass(5.0);
    white.connect(&mut rig);
    black.connect(&mut rig);
    white.acks.clear();
    white.frame(&mut rig, press);
    assert!(white.acks.is_empty(), "not placed, so not acknowledged");
    assert_eq!(rig.view("1").view.running, Running::White);
    synchronise(&mut rig, &mut [&mut white, &mut black]);
    assert_eq!(white.acks.last().map(|ack| ack.seq), Some(white.seq));
    near(white_left(&rig), 290.0);
    rig.assert_replay_equals_live();
}

#[test]
fn the_side_not_on_move_can_stop_the_clocks_but_not_take_a_press_back() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    let press = white.press_frame(white.now(&rig), WHITE);
    rig.pass(1.0);
    let stop = black.event(black.now(&rig), event_body::Fact::Stop(wire::Stop {}));
    black.frame(&mut rig, stop);
    // White's press is still in transit, so nothing is decided.
    assert_eq!(rig.view("1").view.running, Running::White);
    white.frame(&mut rig, press);
    let detail = rig.view("1");
    assert_eq!(detail.view.state, BoardState::Stopped);
    assert_eq!(detail.view.white.moves, 1);
    near(detail.view.black.us, 299.0);
    rig.assert_replay_equals_live();
}

#[test]
fn a_side_gets_a_different_clock_during_the_game() {
    let (mut rig, mut white, mut black) = running("5m");
    rig.pass(10.0);
    let late = white.press_frame(white.now(&rig), WHITE);
    let mut spare = rig.enrol(3, None);
    let assign = Action::AssignSide(Side::White, "0303".to_owned());
    assert_eq!(rig.request("1", assign).unwrap().outcome, Outcome::Done);
    // The replaced clock's press is kept for review.
    white.frame(&mut rig, late);
    assert_eq!(rig.view("1").view.running, Running::White);
    assert_eq!(rig.notes(), ["late_press"]);
    rig.pass(20.0);
    spare.connect(&mut rig);
    synchronise(&mut rig, &mut [&mut spare, &mut black]);
    spare.take_orders(&mut rig);
    spare.press(&mut rig, WHITE);
    near(white_left(&rig), 300.0 - 30.25);
    rig.assert_replay_equals_live();
    // The whole board then returns to one clock.
    rig.request("1", Action::Assign("0303".to_owned())).unwrap();
    spare.take_orders(&mut rig);
    assert_eq!(rig.view("1").agent, Some(spare.id));
    assert!(rig.view("1").clocks.is_none());
    spare.press(&mut rig, BLACK);
    assert_eq!(rig.view("1").view.running, Running::White);
    rig.assert_replay_equals_live();
}

#[test]
fn both_clocks_are_sent_the_state_of_the_board() {
    let (mut rig, mut white, mut black) = running("5m");
    black.hear(&mut rig);
    rig.pass(3.0);
    white.press(&mut rig, WHITE);
    black.hear(&mut rig);
    let shared = told(&black).expect("Black's face is told of White's press");
    assert!(shared.other_heard);
    let at = Instant::<Board>::from_micros(shared.at_us);
    let off = (at - black.now(&rig)).as_micros().abs();
    assert!(off <= 1_000, "the press lies {off} us from where it was");
    let snapshot = timing::Snapshot::from_bytes(&shared.snapshot).unwrap();
    let clock = timing::BoardClock::from_snapshot(&snapshot).unwrap();
    assert_eq!(clock.running(), Some(Side::Black));
    // Each clock learns which of its own events are included in the state.
    assert_eq!(told(&white).unwrap().seq, white.seq);
    black.frames.clear();
    white.drop_link(&mut rig);
    rig.pass(0.01);
    black.hear(&mut rig);
    assert!(!told(&black).unwrap().other_heard);
}

#[test]
fn a_clock_that_lost_its_journal_still_serves_its_side() {
    let (mut rig, mut white, _black) = running("5m");
    rig.pass(2.0);
    white.drop_link(&mut rig);
    // White's clock returns without a journal and continues from the hub's log.
    let mut hello = white.hello(&rig);
    (hello.next_seq, hello.head, hello.orders_taken) = (EventSeq(1), None, 0);
    hello.log_origin = OriginText::default();
    white.connect_with(&mut rig, hello);
    let effects = white.take_orders(&mut rig);
    drop::<Vec<HubEffect>>(effects);
    synchronise(&mut rig, &mut [&mut white]);
    let clocks = rig.view("1").clocks.unwrap();
    assert_eq!(clocks.white.agent, Some(white.id));
    white.press(&mut rig, WHITE);
    assert_eq!(rig.view("1").view.running, Running::Black);
    rig.assert_replay_equals_live();
}

#[test]
fn early_stamps_of_a_side_clock_are_noted_as_unchecked_time() {
    let (mut rig, mut white, mut black) = running("5m");
    for _ in 0..4 {
        rig.pass(2.0);
        let frame = white.press_frame(white.now(&rig) - seconds(0.25), WHITE);
        white.frame(&mut rig, frame);
        white.watermark(&mut rig);
        black.watermark(&mut rig);
        rig.pass(2.0);
        black.press(&mut rig, BLACK);
        white.watermark(&mut rig);
        black.watermark(&mut rig);
    }
    assert_eq!(rig.view("1").view.white.moves, 4);
    let shown = rig.view("1").unverified_time;
    let white_us = shown.white.as_micros();
    assert!((1_000_000..1_020_000).contains(&white_us), "{shown:?}");
    assert!(shown.black.as_micros() < 20_000, "{shown:?}");
    assert_eq!(rig.notes(), ["unchecked_time"]);
    rig.assert_replay_equals_live();
}
