//! The life of an agent: restarts, reboots, lost and failing journals, sleep.

use proto::wire::{Welcome, agent_frame, event_body};
use timing::{Button, Duration, Side};

use super::bench::{AGENT, Bench, at};
use super::hub::ORIGIN;
use crate::agent::entry::{Kind, WriteMode};
use crate::agent::{Input, Output, Recovered, recover};
use crate::buttons::ButtonEvent;
use crate::face_state::{JournalHealth, MessageKind};

const SECOND: i64 = 1_000_000;

/// Plays a game with one press per second; the last `unacked` presses do not reach the hub.
fn game(presses: usize, unacked: usize) -> Bench {
    let mut bench = Bench::playing("5m+2s");
    for press in 0..presses {
        bench.deaf = press >= presses - unacked;
        bench.pass(SECOND);
        bench.press(if press % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        });
    }
    bench.deaf = false;
    bench
}

#[test]
fn a_restart_restores_the_game() {
    for unacked in [0, 1, 30] {
        let before = game(30, unacked);
        let (clock, seq, head) = (
            before.core.clock().cloned(),
            before.core.seq(),
            before.core.head(),
        );
        let mut after = before.restarted([1; 16]);
        assert_eq!(after.core.clock().cloned(), clock);
        assert_eq!((after.core.seq(), after.core.head()), (seq, head));
        let hello = after.connect();
        assert!(!hello.rebooted);
        assert_eq!(after.take_events().len(), unacked);
        after.pass(SECOND);
        after.press(Button::Left);
        after.agrees_with_hub();
    }
}

#[test]
fn a_compacted_journal_restores_the_same_agent() {
    for unacked in [0, 1, 30] {
        let before = game(30, unacked);
        let whole = before.core.whole_journal();
        assert_eq!(whole.mode, WriteMode::Replace);
        let (from_long, _) = recover(before.journal.clone(), ORIGIN, &AGENT);
        let (from_short, fault) = recover(whole.entries, ORIGIN, &AGENT);
        assert_eq!(fault, None);
        assert_eq!(from_short.seat, from_long.seat);
        assert_eq!(from_short.chain.head, from_long.chain.head);
        assert_eq!(from_short.chain.last_at, from_long.chain.last_at);
        assert_eq!(from_short.unacknowledged(), unacked as u64);
        let hashes = |recovered: &Recovered| {
            let queue = recovered.chain.queue.iter();
            queue
                .rev()
                .take(unacked)
                .map(|entry| entry.hash)
                .collect::<Vec<_>>()
        };
        assert_eq!(hashes(&from_short), hashes(&from_long));
    }
}

#[test]
fn every_prefix_of_a_journal_can_be_recovered() {
    let bench = game(12, 3);
    for len in 0..=bench.journal.len() {
        let prefix = bench.journal[..len].to_vec();
        let (recovered, fault) = recover(prefix, ORIGIN, &AGENT);
        assert_eq!(fault, None, "{len}");
        assert!(recovered.chain.seq <= bench.core.seq().0);
    }
}

#[test]
fn a_broken_journal_is_used_up_to_the_break() {
    let bench = game(12, 0);
    let is_event = |at: &usize| matches!(bench.journal[*at].kind, Some(Kind::Event(_)));
    let events: Vec<usize> = (0..bench.journal.len()).filter(is_event).collect();
    let mut gap = bench.journal.clone();
    gap.remove(events[6]);
    let (recovered, fault) = recover(gap, ORIGIN, &AGENT);
    assert!(fault.is_some());
    assert_eq!(recovered.chain.seq, 6);
    let (recovered, fault) = recover(bench.journal.clone(), "flagfall.test/9", &AGENT);
    assert!(fault.is_some());
    assert_eq!(recovered.chain.seq, 0);
}

#[test]
fn the_journal_is_compacted_after_acknowledgement() {
    let mut bench = Bench::playing("5m+2s");
    let mut longest = 0;
    for _ in 0..2_000 {
        bench.pass(20_000);
        bench.press(Button::Left);
        longest = longest.max(bench.journal.len());
    }
    assert!(bench.journal.len() < 1_200, "{}", bench.journal.len());
    assert!(longest < 1_300, "{longest}");
    let mut after = bench.restarted([1; 16]);
    after.connect();
    after.agrees_with_hub();
}

#[test]
fn events_during_a_rewrite_follow_it() {
    let mut bench = game(4, 0);
    bench.input(Input::JournalFailed);
    bench.deaf = true;
    bench.pass(11 * SECOND);
    let handed_over = bench.core.seq().0;
    bench.press(Button::Left);
    assert_eq!(bench.core.face().journal, JournalHealth::Failed);
    bench.input(Input::JournalSynced { seq: handed_over });
    let face = bench.core.face();
    assert_eq!((face.journal, face.unsaved), (JournalHealth::Writing, 1));
    let pressed = bench.core.seq();
    let mut after = bench.restarted([1; 16]);
    assert_eq!(after.core.seq(), pressed);
    after.connect();
    after.agrees_with_hub();
}

#[test]
fn a_stale_rewrite_is_not_continued() {
    let mut bench = game(4, 0);
    // An earlier write is reported as failed while a rewrite is in progress.
    let whole = bench.core.whole_journal();
    bench.input(Input::JournalFailed);
    bench.deaf = true;
    bench.pass(SECOND);
    bench.press(Button::Left);
    bench.journal = whole.entries;
    bench.input(Input::JournalSynced { seq: whole.seq });
    assert_eq!(bench.core.face().journal, JournalHealth::Failed);
    bench.pass(SECOND);
    bench.press(Button::Right);
    let (_, fault) = recover(bench.journal.clone(), ORIGIN, &AGENT);
    assert_eq!(fault, None, "nothing is appended after a gap");
    bench.pass(11 * SECOND);
    let seq = bench.core.seq();
    bench.input(Input::JournalSynced { seq: seq.0 });
    assert_eq!(bench.core.face().journal, JournalHealth::Writing);
    assert_eq!(bench.restarted([1; 16]).core.seq(), seq);
}

#[test]
fn continuing_after_the_hub_with_a_failed_journal_leaves_no_gap() {
    let mut bench = Bench::started(Recovered::fresh(ORIGIN, &AGENT), [2; 16], 9 * SECOND);
    bench.hub = game(4, 0).hub;
    bench.press(Button::Left);
    bench.input(Input::JournalFailed);
    let hub = bench.core.seq().0;
    bench.press(Button::Right);
    bench.connect();
    assert!(
        bench.core.seq().0 > hub,
        "chained again after the hub's last event"
    );
    let seq = bench.core.acknowledged().0;
    bench.input(Input::JournalSynced { seq });
    bench.pass(SECOND);
    bench.press(Button::Left);
    let (recovered, fault) = recover(bench.journal.clone(), ORIGIN, &AGENT);
    assert_eq!(fault, None);
    assert_eq!(recovered.chain.seq, bench.core.seq().0);
}

#[test]
fn a_failing_journal_does_not_stop_the_game() {
    let mut bench = game(4, 0);
    bench.input(Input::JournalFailed);
    let face = bench.core.face();
    assert_eq!(face.journal, JournalHealth::Failed);
    assert_eq!(face.messages[0].kind, MessageKind::Trouble);
    assert!(face.messages[0].text.contains("call the arbiter"));
    let unwell = bench.take_frames().into_iter().any(|frame| {
        matches!(frame.frame, Some(agent_frame::Frame::Health(health)) if !health.journal_ok)
    });
    assert!(unwell);
    let length = bench.journal.len();
    bench.deaf = true;
    bench.pass(SECOND);
    bench.press(Button::Left);
    assert_eq!(
        bench.journal.len(),
        length,
        "nothing is appended to a failed journal"
    );
    assert_eq!(bench.core.face().unsaved, 1);
    bench.pass(11 * SECOND);
    let seq = bench.core.seq().0;
    bench.input(Input::JournalSynced { seq });
    let face = bench.core.face();
    assert_eq!((face.journal, face.unsaved), (JournalHealth::Writing, 0));
    let mut after = bench.restarted([1; 16]);
    after.connect();
    after.agrees_with_hub();
}

#[test]
fn a_reboot_moves_board_time_by_the_gap_that_the_hub_measured() {
    let mut after = game(5, 1).restarted([2; 16]);
    after.input(Input::LinkUp);
    let Some(agent_frame::Frame::Hello(hello)) = after.take_frames().remove(0).frame else {
        panic!("no hello");
    };
    assert!(hello.rebooted);
    let stood = after.now_us;
    let mut welcome: Welcome = match after.hub.welcome().frame {
        Some(proto::wire::hub_frame::Frame::Welcome(welcome)) => welcome,
        _ => unreachable!(),
    };
    welcome.rebase_us = 12 * SECOND;
    welcome.rebase_uncertainty_us = 40_000;
    after.hear(welcome);
    assert_eq!(after.jumped_us, 12 * SECOND);
    let sent = after.take_events();
    let last = sent.last().unwrap();
    assert_eq!(
        last.at_us,
        stood + 12 * SECOND,
        "the stamp is after the jump"
    );
    assert!(
        matches!(last.fact, Some(event_body::Fact::Rebase(rebase)) if rebase.jump_us == 12 * SECOND)
    );
    // The gap was charged to Black.
    after.now_us += 1_000;
    after.core.set_quiet_before(at(after.now_us));
    after.press(Button::Right);
    after.agrees_with_hub();
    let black = after
        .core
        .clock()
        .unwrap()
        .side(Side::Black, at(after.now_us));
    assert!(black.time < Duration::from_secs(300 - 12 + 2 * 3));
    let mut again = after.restarted([2; 16]);
    assert!(!again.connect().rebooted);
}

#[test]
fn a_reboot_without_a_hub_charges_no_time() {
    let mut after = game(5, 0).restarted([2; 16]);
    let before = after
        .core
        .clock()
        .unwrap()
        .side(Side::Black, at(after.now_us))
        .time;
    after.pass(SECOND);
    after.press(Button::Right);
    let used = before
        - after
            .core
            .clock()
            .unwrap()
            .side(Side::Black, at(after.now_us))
            .time;
    assert_eq!(
        used.as_micros(),
        SECOND - 2 * SECOND,
        "one second of thinking, two seconds of increment"
    );
    let hello = after.connect();
    assert!(
        !hello.rebooted,
        "the move during which the machine was off is complete"
    );
    after.agrees_with_hub();
}

#[test]
fn sleep_is_charged_except_one_second() {
    let mut bench = game(4, 0);
    bench.input(Input::Slept {
        gap: Duration::from_secs(31),
    });
    assert_eq!(bench.jumped_us, 30 * SECOND);
    bench.agrees_with_hub();
    bench.input(Input::Slept {
        gap: Duration::from_millis(900),
    });
    assert_eq!(bench.jumped_us, 30 * SECOND);
}

#[test]
fn a_lost_journal_continues_after_the_hub() {
    let mut old = game(20, 0);
    let mut fresh = Bench::started(Recovered::fresh(ORIGIN, &AGENT), [1; 16], old.now_us);
    fresh.hub = old.hub;
    fresh.hub.promised = (i64::MIN, 0);
    fresh.pass(SECOND);
    fresh.press(Button::Left);
    fresh.connect();
    let reasons = &fresh.hub.facts[22..];
    let presses = reasons
        .iter()
        .filter(|fact| matches!(fact.fact, Some(event_body::Fact::Press(_))));
    assert_eq!(presses.count(), 1, "{reasons:?}");
    let adopt = fresh.hub.adopt("");
    fresh.hear(adopt);
    fresh.agrees_with_hub();
    fresh.pass(SECOND);
    fresh.press(Button::Left);
    fresh.agrees_with_hub();
    let mut again = fresh.restarted([1; 16]);
    again.connect();
    again.agrees_with_hub();
    old.journal.clear();
}

#[test]
fn offline_events_keep_their_intervals() {
    let old = game(20, 0);
    let mut fresh = Bench::started(Recovered::fresh(ORIGIN, &AGENT), [1; 16], 0);
    fresh.hub = old.hub;
    fresh.hub.promised = (i64::MIN, 0);
    for _ in 0..3 {
        fresh.pass(2 * SECOND);
        fresh.press(Button::Left);
    }
    fresh.pass(SECOND);
    fresh.input(Input::LinkUp);
    let mut welcome: Welcome = match fresh.hub.welcome().frame {
        Some(proto::wire::hub_frame::Frame::Welcome(welcome)) => welcome,
        _ => unreachable!(),
    };
    welcome.rebase_us = 40 * SECOND;
    fresh.hear(welcome);
    let stamps: Vec<i64> = fresh.hub.facts[22..]
        .iter()
        .map(|fact| fact.at_us)
        .collect();
    let after = |seconds: i64| (seconds + 40) * SECOND;
    assert_eq!(
        stamps,
        [after(2), after(2), after(4), after(6)],
        "the rebase, then three presses"
    );
    assert_eq!(fresh.now_us, after(7));
}

#[test]
fn a_truncated_journal_never_counts_a_press_twice() {
    let before = game(20, 0);
    // After a power cut, the hub has three more events than the journal.
    let mut cut = before.journal.clone();
    let mut lost = 0;
    while lost < 3 {
        lost += usize::from(matches!(cut.pop().unwrap().kind, Some(Kind::Event(_))));
    }
    let (recovered, fault) = recover(cut, ORIGIN, &AGENT);
    assert_eq!(fault, None);
    assert_eq!(recovered.chain.seq, 19);
    let mut after = Bench::started(recovered, [1; 16], before.now_us);
    after.hub = before.hub;
    let held = after.hub.seq;
    after.connect();
    assert_eq!(
        after.hub.seq, held,
        "nothing is sent again under another number"
    );
    let adopt = after.hub.adopt("");
    after.hear(adopt);
    after.pass(SECOND);
    after.press(Button::Left);
    after.agrees_with_hub();
}

#[test]
fn a_diverged_journal_asks_for_the_hubs_board() {
    let mut bench = game(20, 4);
    bench.disconnect();
    // The hub has a different event at this position, because an old copy of the card was restored and then used.
    bench.hub.head = [9; 32];
    bench.connect();
    let asked = bench
        .take_frames()
        .into_iter()
        .any(|frame| matches!(frame.frame, Some(agent_frame::Frame::Diverged(_))));
    assert!(asked);
    let adopt = bench.hub.adopt("");
    bench.hear(adopt);
    bench.press(Button::Left);
    bench.agrees_with_hub();
}

#[test]
fn board_time_is_journaled_while_a_clock_runs() {
    let mut bench = Bench::playing("5m");
    bench.pass(65 * SECOND);
    let (recovered, _) = recover(bench.journal.clone(), ORIGIN, &AGENT);
    let behind = bench.now_us - recovered.reached_us();
    assert!((0..=10 * SECOND).contains(&behind), "{behind}");
    let timeline = recovered.timeline().unwrap();
    assert_eq!(timeline.boot, [1; 16]);
}

#[test]
fn an_event_is_sent_and_written_before_its_watermark() {
    let mut bench = Bench::playing("5m");
    bench.pass(SECOND);
    let outputs = bench.core.step(
        at(bench.now_us),
        Input::Button(ButtonEvent::press(Button::Left, at(bench.now_us))),
    );
    let place = |is: fn(&Output) -> bool| outputs.iter().position(is).unwrap();
    let sent = place(|output| matches!(output, Output::Send(_)));
    let kept = place(|output| matches!(output, Output::Persist(_)));
    let mark = place(|output| matches!(output, Output::Datagram(_)));
    assert!(sent < mark && kept < mark, "{outputs:?}");
}
