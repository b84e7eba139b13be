//! The clock of a board: first adoption, a spare clock during a game, reboots, lost journals, copies, and clocks that the hub refuses.

use hall::view::Running;
use hall::{Action, AgentFrame, OriginText, Outcome};
use proto::ids::EventSeq;
use proto::wire::{self, GoodbyeReason, event_body};
use timing::Button;

use crate::rig::Rig;
use crate::seen::assert_stays_until_seen;

#[test]
fn a_clock_takes_over_its_board_when_it_first_connects() {
    let mut rig = Rig::new();
    rig.add_board("1", "5m");
    let mut clock = rig.enrol(1, Some("1"));
    // The clock adopts the settings that were made before it connected.
    assert_eq!(rig.ask("1", "set white 4m"), Some(Outcome::Done));
    clock.connect(&mut rig);
    assert_eq!(clock.ordered(&mut rig), ["adopt 1"]);
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1"), (240_000_000, 300_000_000));
    assert!(!clock.acks.last().unwrap().board_digest.is_empty());
    assert_eq!(rig.ask("1", "set white 3m"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1").0, 180_000_000);
    rig.assert_replay_equals_live();
}

#[test]
fn a_start_ordered_before_the_clock_connects_follows_its_adoption() {
    let mut rig = Rig::new();
    rig.add_board("1", "5m");
    let mut clock = rig.enrol(1, Some("1"));
    assert_eq!(rig.ask("1", "start"), Some(Outcome::Pending));
    clock.connect(&mut rig);
    assert_eq!(clock.ordered(&mut rig), ["adopt 1", "start"]);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::White);
    rig.assert_replay_equals_live();
}

#[test]
fn a_spare_clock_continues_the_game() {
    let (mut rig, mut broken) = Rig::running("5m");
    rig.pass(10.0);
    broken.press(&mut rig, Button::Left);
    rig.pass(5.0);
    broken.drop_link(&mut rig);
    let mut spare = rig.enrol(2, None);
    // The spare is a different machine, so its timeline differs.
    spare.offset = 123_456_789;
    let answer = rig.request("1", Action::Assign("0202".to_owned())).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    rig.pass(20.0);
    spare.connect(&mut rig);
    assert_eq!(spare.ordered(&mut rig), ["adopt 1"]);
    spare.take_orders(&mut rig);
    assert_eq!(rig.view("1").agent, Some(spare.id));
    assert_eq!(rig.view("1").view.running, Running::Black);
    let (white, black) = rig.times("1");
    assert_eq!(white, 290_000_000);
    assert!((295_000_000..=295_001_000).contains(&black), "{black}");
    // The player is not charged for a working crystal's possible drift: half a millisecond in five seconds. The twenty seconds between the old
    // clock's failure and the spare's start are charged once the interval of the spare's offset proves them.
    spare.answer_probe(&mut rig);
    assert_eq!(spare.ordered(&mut rig).len(), 1);
    assert!(spare.ordered(&mut rig)[0].starts_with("add black -"));
    spare.take_orders(&mut rig);
    let charged = rig.times("1").1;
    assert!((274_960_000..=275_010_000).contains(&charged), "{charged}");
    // The old clock's press arrives too late to count on the board, and is kept for review.
    broken.connect(&mut rig);
    assert_eq!(broken.ordered(&mut rig), ["adopt "]);
    broken.press(&mut rig, Button::Right);
    assert!(rig.notes().contains(&"late_press".to_owned()));
    broken.take_orders(&mut rig);
    spare.press(&mut rig, Button::Right);
    assert_eq!(rig.view("1").view.running, Running::White);
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_in_play_cannot_be_given_to_another_board() {
    let (mut rig, _clock) = Rig::running("5m");
    rig.add_board("2", "5m");
    let answer = rig.request("2", Action::Assign("0101".to_owned())).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(why) if why.text().contains("board 1")));
}

#[test]
fn a_rebooted_clock_is_charged_what_the_hub_proves() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(10.0);
    clock.watermark(&mut rig);
    clock.drop_link(&mut rig);
    rig.pass(30.0);
    // Board time stood still for thirty seconds while the machine was off.
    clock.offset += 30_000_000;
    let mut hello = clock.hello(&rig);
    hello.rebooted = true;
    hello.boot = vec![2; 16];
    clock.connect_with(&mut rig, hello);
    let welcome = clock.welcome.clone().unwrap();
    assert_eq!(welcome.rebase_us, 30_000_000);
    clock.offset -= welcome.rebase_us;
    let fact = event_body::Fact::Rebase(wire::Rebase {
        jump_us: welcome.rebase_us,
        uncertainty_us: welcome.rebase_uncertainty_us,
        uncharged: false,
    });
    let frame = clock.event(clock.now(&rig), fact);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.times("1").0, 260_000_000);
    assert_eq!(rig.notes(), ["rebase"]);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.view("1").view.white.us, 259_000_000);
    assert_stays_until_seen(&mut rig, "rebase");
}

#[test]
fn a_clock_that_rebooted_while_nothing_ran_is_charged_nothing() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    rig.pass(10.0);
    clock.drop_link(&mut rig);
    rig.pass(30.0);
    clock.offset += 30_000_000;
    let mut hello = clock.hello(&rig);
    hello.rebooted = true;
    clock.connect_with(&mut rig, hello);
    assert_eq!(clock.welcome.unwrap().rebase_us, 0);
}

#[test]
fn a_clock_never_goes_back_before_its_promise() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    rig.pass(10.0);
    clock.watermark(&mut rig);
    clock.drop_link(&mut rig);
    // The clock's last heartbeat on disk was eight seconds older than its last watermark.
    rig.pass(1.0);
    clock.offset += 9_000_000;
    let mut hello = clock.hello(&rig);
    hello.rebooted = true;
    clock.connect_with(&mut rig, hello);
    assert_eq!(clock.welcome.unwrap().rebase_us, 8_000_000);
}

#[test]
fn a_clock_that_lost_its_journal_adopts_the_hubs_board() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(10.0);
    clock.press(&mut rig, Button::Left);
    clock.drop_link(&mut rig);
    rig.pass(5.0);
    let mut hello = clock.hello(&rig);
    hello.log_origin = OriginText::default();
    hello.next_seq = EventSeq(1);
    hello.head = None;
    hello.orders_taken = 0;
    let (seq, head) = (clock.seq, clock.head);
    clock.connect_with(&mut rig, hello);
    let welcome = clock.welcome.clone().unwrap();
    assert_eq!(welcome.acked_seq, seq);
    assert_eq!(welcome.acked_head, head);
    assert_eq!(rig.notes(), ["journal_lost"]);
    assert_eq!(clock.ordered(&mut rig), ["adopt 1"]);
    // The clock now reports that it has diverged, but the adoption has already been ordered.
    clock.frame(&mut rig, AgentFrame::Diverged { seq: EventSeq(seq) });
    assert_eq!(clock.ordered(&mut rig).len(), 1);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::Black);
    assert_eq!(rig.times("1").0, 290_000_000);
    assert_stays_until_seen(&mut rig, "journal_lost");
}

#[test]
fn a_clock_that_disagrees_adopts_the_hubs_board() {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.press(&mut rig, Button::Left);
    let seq = EventSeq(clock.seq);
    clock.frame(&mut rig, AgentFrame::Diverged { seq });
    assert_eq!(rig.notes(), ["diverged"]);
    assert_eq!(clock.ordered(&mut rig), ["adopt 1"]);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::Black);
    rig.assert_replay_equals_live();
    assert_stays_until_seen(&mut rig, "diverged");
}

#[test]
fn a_second_live_link_of_one_identity_is_refused_and_noted() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let mut copy = clock.clone();
    copy.connect(&mut rig);
    assert_eq!(
        copy.closed.as_ref().unwrap().0,
        GoodbyeReason::AlreadyConnected
    );
    assert_eq!(rig.notes(), ["second_link"]);
    clock.watermark(&mut rig);
    assert!(rig.view("1").view.online);
    // Once the first copy is silent, the second takes its place.
    rig.pass(4.0);
    let mut again = clock.clone();
    again.connect(&mut rig);
    assert!(again.closed.is_none() && again.welcome.is_some());
    // The end of the old link does not close the new one.
    clock.drop_link(&mut rig);
    again.watermark(&mut rig);
    assert!(rig.view("1").view.online);
}

#[test]
fn a_clock_that_is_not_enrolled_is_told_so() {
    let (mut rig, clock) = Rig::with_board("5m");
    let mut stranger = clock.clone();
    stranger.id = proto::ids::AgentId([66; 32]);
    stranger.connect(&mut rig);
    assert_eq!(stranger.closed.unwrap().0, GoodbyeReason::NotEnrolled);
}

#[test]
fn a_revoked_clock_stays_revoked() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let request = rig.chief("1", Action::RevokeAgent("01".to_owned()));
    rig.asked(request);
    clock.hear(&mut rig);
    assert_eq!(clock.closed.as_ref().unwrap().0, GoodbyeReason::Revoked);
    clock.connect(&mut rig);
    assert_eq!(clock.closed.as_ref().unwrap().0, GoodbyeReason::Revoked);
    assert_eq!(rig.view("1").agent, None);
    rig.assert_replay_equals_live();
}

#[test]
fn a_clock_with_a_different_major_version_is_told_so_and_noted() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.drop_link(&mut rig);
    let mut hello = clock.hello(&rig);
    hello.major = 2;
    clock.connect_with(&mut rig, hello);
    let (reason, text) = clock.closed.clone().unwrap();
    assert_eq!(reason, GoodbyeReason::Version);
    assert!(text.contains("the clock 2.0"), "{text}");
    assert_eq!(rig.notes(), ["version"]);
}

#[test]
fn a_journal_of_a_different_log_is_noted_and_never_applied() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.drop_link(&mut rig);
    let mut hello = clock.hello(&rig);
    hello.log_origin = "flagfall.example/last-year".parse().unwrap();
    clock.connect_with(&mut rig, hello);
    let welcome = clock.welcome.clone().unwrap();
    assert_eq!(welcome.log_origin, "flagfall.example/hall");
    assert_eq!(rig.notes(), ["other_log"]);
    let records = rig.news();
    clock.head = [5; 32];
    clock.press(&mut rig, Button::Left);
    assert_eq!(clock.closed.as_ref().unwrap().0, GoodbyeReason::BadChain);
    assert_eq!(rig.news(), records + 1, "the note alone");
}

#[test]
fn a_fork_is_found_at_the_hello_and_the_clock_continues_after_the_log() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let (seq, head) = (clock.seq, clock.head);
    clock.drop_link(&mut rig);
    clock.head = [3; 32];
    clock.connect(&mut rig);
    assert_eq!(rig.notes(), ["fork"]);
    assert!(clock.closed.is_none(), "a crash may have done it");
    let welcome = clock.welcome.clone().unwrap();
    assert_eq!(
        (welcome.acked_seq, welcome.acked_head),
        (seq, head.to_vec())
    );
    clock.head = head;
    clock.take_orders(&mut rig);
    clock.press(&mut rig, Button::Left);
    assert_eq!(clock.acks.last().unwrap().seq, clock.seq);
    assert_stays_until_seen(&mut rig, "fork");
}

#[test]
fn a_refused_order_leaves_hub_and_clock_in_the_same_state() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(1.0);
    let pause = rig.chief("1", Action::Board("pause".parse().unwrap()));
    assert!(rig.send(pause).is_none());
    let again = rig.chief("1", Action::Board("pause".parse().unwrap()));
    assert!(rig.send(again).is_none());
    let mut twin = timing::BoardClock::from_snapshot(
        &timing::Snapshot::from_bytes(&rig.hall.clock_bytes("1").unwrap()).unwrap(),
    )
    .unwrap();
    let at = clock.now(&rig);
    clock.take_orders(&mut rig);
    let _ = twin.on_command(at, &"pause".parse().unwrap()).unwrap();
    twin.on_command(at, &"pause".parse().unwrap()).unwrap_err();
    let _ = twin.pass_time(at);
    assert_eq!(
        rig.hall.clock_bytes("1").unwrap(),
        twin.snapshot().to_bytes()
    );
    rig.assert_replay_equals_live();
}
