//! Lying clocks against a real hub: arbiters see notes about their lies, the log records the notes, and most lies gain at most about one heartbeat.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod hall;
mod orders;
mod two_clocks;
mod watermarks;

use conformance::clock::{ClockBody, Fault, StatedEvent};
use proto::wire::Button;

use hall::{ARBITER, Hall};

const SECOND_US: i64 = 1_000_000;
/// Maximum gain from most lies, in microseconds: a heartbeat of one second, and the delay of a frame on a slow machine.
const GAIN_US: i64 = 1_500_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_honest_clock_gains_nothing_and_is_not_noted() {
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + 3 * SECOND_US).await;
    hall.press(Button::Left).await;
    hall.press(Button::Right).await;
    hall.order(&["ctl", "pause", "1"]).await;
    hall.order(&["ctl", "resume", "1"]).await;
    let stopped = hall.clock.act(ClockBody::stop).await.unwrap();
    hall.acked(stopped).await;
    let taught = |clock: &mut ClockBody| clock.correct(ARBITER.0, ARBITER.1, "set white 4m");
    let corrected = hall.clock.act(taught).await.unwrap().unwrap();
    hall.acked(corrected).await;
    assert_eq!(hall.time_us("white"), 240 * SECOND_US);
    assert!(!hall.clock.seen().differed, "both ends compute the same");
    hall.not_noted();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_stamped_before_it_was_ordered_gives_no_time_back() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone, Fault::StaleProbe]).await;
    let started = hall.start().await;
    hall.until_us(started + 6 * SECOND_US).await;
    hall.clock
        .act(|clock| clock.shift_orders(-5 * SECOND_US))
        .await
        .unwrap();
    hall.order(&["ctl", "pause", "1"]).await;
    let most = 294 * SECOND_US + GAIN_US;
    hall.acked(hall.clock.act(|clock| clock.seq()).await.unwrap())
        .await;
    let white = hall.time_us("white");
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("before_order");
    hall.proved("before_order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_back_dated_stop_does_not_cancel_an_expected_flag() {
    let hall = Hall::open("4s", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    hall.until_us(started + 8 * SECOND_US).await;
    let stop = move |clock: &mut ClockBody| {
        clock.send_event(StatedEvent::stop().at(started + 2 * SECOND_US))
    };
    let seq = hall.clock.act(stop).await.unwrap();
    hall.acked(seq).await;
    let board = hall.board();
    assert_eq!(board["white"]["us"], 0, "{board}");
    assert_ne!(board["white"]["flag"], "none", "{board}");
    hall.noted("before_probe");
    hall.proved("before_probe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_probe_on_an_old_stamp_bounds_the_press() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    hall.until_us(started + 7 * SECOND_US).await;
    let seq = hall
        .clock
        .act(move |clock| {
            let mut old = StatedEvent::press(Button::Left).at(started + SECOND_US / 2);
            old.probe = Some(clock.newest_probe());
            clock.send_event(old)
        })
        .await
        .unwrap();
    hall.acked(seq).await;
    let (white, most) = (hall.time_us("white"), 293 * SECOND_US + GAIN_US);
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("before_probe");
    hall.proved("before_probe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_jump_that_the_hub_did_not_give_is_not_charged() {
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + 2 * SECOND_US).await;
    let seq = hall
        .clock
        .act(|clock| clock.jump(600 * SECOND_US, 0))
        .await
        .unwrap();
    hall.acked(seq).await;
    let board = hall.board();
    assert_eq!(board["white"]["flag"], "none", "{board}");
    let white = hall.time_us("white");
    assert!(white >= 270 * SECOND_US, "White has {white} us");
    hall.noted("unproven_jump");
    hall.proved("unproven_jump");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_promise_is_on_every_list_and_proved() {
    let hall = Hall::open("5m", &[Fault::StaleProbe]).await;
    let started = hall.start().await;
    hall.until_us(started + 5 * SECOND_US).await;
    // The newest watermarks may still be on their way, but one from the last three seconds must have arrived.
    let seq = hall
        .clock
        .act(|clock| {
            let early = clock.now_us() - 3 * SECOND_US;
            clock.send_event(StatedEvent::press(Button::Left).at(early))
        })
        .await
        .unwrap();
    hall.acked(seq).await;
    let (white, most) = (hall.time_us("white"), 295 * SECOND_US + GAIN_US);
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("broken_promise");
    hall.cli
        .done(&[
            "ctl",
            "acknowledge",
            "1",
            "--reason",
            "the clock is replaced",
        ])
        .unwrap();
    hall.not_noted();
    let proofs = hall.cli.done(&["ctl", "evidence", "1"]).unwrap();
    assert!(proofs.contains("promised"), "{proofs}");
    hall.proved("broken_promise");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_report_is_on_every_list() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    let probe = hall.clock.act(|clock| clock.newest_probe()).await.unwrap();
    hall.until_us(started + 6 * SECOND_US).await;
    let seq = hall
        .clock
        .act(move |clock| {
            let mut late = StatedEvent::press(Button::Left).at(started + SECOND_US);
            late.probe = Some(probe);
            clock.send_event(late)
        })
        .await
        .unwrap();
    hall.acked(seq).await;
    hall.noted("late_report");
    hall.proved("late_report");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stamp_in_the_future_is_on_every_list_and_gains_nothing() {
    let hall = Hall::open("5m", &[]).await;
    hall.start().await;
    hall.press(Button::Left).await;
    let seq = hall
        .clock
        .act(|clock| {
            let ahead = clock.now_us() + 5 * SECOND_US;
            clock.send_event(StatedEvent::press(Button::Right).at(ahead))
        })
        .await
        .unwrap();
    hall.acked(seq).await;
    hall.noted("from_the_future");
    let (black, least) = (hall.time_us("black"), 300 * SECOND_US - GAIN_US);
    assert!(black >= least, "Black has {black} us of at least {least}");
    hall.proved("from_the_future");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_correction_is_on_every_list_and_changes_nothing() {
    let hall = Hall::open("5m", &[Fault::CorrectionProof]).await;
    hall.start().await;
    hall.clock
        .until("the arbiters", |seen| seen.arbiters.clone())
        .await
        .unwrap();
    let forge = |clock: &mut ClockBody| clock.correct(ARBITER.0, ARBITER.1, "set white 9m");
    let seq = hall.clock.act(forge).await.unwrap().unwrap();
    hall.acked(seq).await;
    assert!(hall.time_us("white") <= 300 * SECOND_US);
    hall.noted("forged_correction");
    hall.proved("forged_correction");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_back_dated_correction_counts_no_earlier_than_its_probe() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    hall.clock
        .until("the arbiters", |seen| seen.arbiters.clone())
        .await
        .unwrap();
    hall.until_us(started + 12 * SECOND_US).await;
    let early = |clock: &mut ClockBody| {
        clock.move_time(-10 * SECOND_US);
        let seq = clock.correct(ARBITER.0, ARBITER.1, "pause");
        clock.move_time(10 * SECOND_US);
        seq
    };
    let seq = hall.clock.act(early).await.unwrap().unwrap();
    hall.acked(seq).await;
    // The hub sends a probe each second, and the correction proves that one of the two newest had arrived.
    let (white, most) = (hall.time_us("white"), 292 * SECOND_US);
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("before_probe");
    hall.proved("before_probe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_signature_failures_are_on_every_list() {
    let hall = Hall::open("5m", &[]).await;
    hall.start().await;
    hall.clock
        .act(|clock| {
            clock.set_faults(&[Fault::EventSignature]);
            clock.press(Button::Left);
        })
        .await
        .unwrap();
    hall.clock
        .until("five links that the hub closes", |seen| {
            (seen
                .closed
                .iter()
                .filter(|end| end.goodbye.is_some())
                .count()
                >= 5)
                .then_some(())
        })
        .await
        .unwrap();
    hall.noted("bad_signature");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_and_a_press_that_are_both_back_dated_gain_nothing() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    hall.until_us(started + 7 * SECOND_US).await;
    let both = move |clock: &mut ClockBody| {
        let old = |event: StatedEvent| StatedEvent {
            probe: Some(clock.newest_probe()),
            ..event
        };
        let stop = old(StatedEvent::stop().at(started + SECOND_US));
        let press = old(StatedEvent::press(Button::Left).at(started + SECOND_US));
        clock.send_event(stop);
        clock.send_event(press)
    };
    let seq = hall.clock.act(both).await.unwrap();
    hall.acked(seq).await;
    let (white, most) = (hall.time_us("white"), 293 * SECOND_US + GAIN_US);
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("before_probe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_back_dated_stop_without_a_fresh_probe_is_a_late_report() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone, Fault::StaleProbe]).await;
    let started = hall.start().await;
    hall.until_us(started + 6 * SECOND_US).await;
    let stop =
        move |clock: &mut ClockBody| clock.send_event(StatedEvent::stop().at(started + SECOND_US));
    let seq = hall.clock.act(stop).await.unwrap();
    hall.acked(seq).await;
    hall.noted("late_report");
    hall.proved("late_report");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_that_the_hub_measured_is_charged_and_on_every_list() {
    const OUTAGE_US: i64 = 3 * SECOND_US;
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + 2 * SECOND_US).await;
    // The clock's own timeline does not advance while the machine is off.
    let off = |clock: &mut ClockBody| {
        clock.stay_away();
        clock.reboot();
        clock.now_us()
    };
    let off_us = hall.clock.act(off).await.unwrap();
    hall.until_us(off_us + OUTAGE_US).await;
    let links = hall.clock.seen().links;
    let on = |clock: &mut ClockBody| {
        clock.move_time(-OUTAGE_US);
        clock.come_back();
    };
    hall.clock.act(on).await.unwrap();
    hall.clock
        .until("another link", |seen| {
            (seen.links > links && seen.connected).then_some(())
        })
        .await
        .unwrap();
    hall.noted("rebase");
    hall.press(Button::Left).await;
    let now_us = hall.clock.act(|clock| clock.now_us()).await.unwrap();
    let true_us = 300 * SECOND_US - (now_us - started);
    let white = hall.time_us("white");
    assert!(
        (true_us - GAIN_US..=true_us + GAIN_US).contains(&white),
        "White has {white} us, not {true_us} us"
    );
    hall.proved("rebase");
}
