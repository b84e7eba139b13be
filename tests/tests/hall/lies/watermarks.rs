//! Clocks whose watermarks are missing, infrequent, unsigned or useless, and presses that are stamped early in the resulting gaps. Also clocks that
//! delay their replies to probes.

use conformance::clock::{ClockBody, Fault};
use proto::wire::{Button, TimeReply};

use super::SECOND_US;
use super::hall::Hall;

/// Each press is stamped this much before the true instant, in microseconds: a little less than a heartbeat.
const EARLY_US: i64 = 890_000;
const PRESSES: i64 = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presses_just_within_the_watermarks_are_added_up_and_noted() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    presses_in_the_gap(&hall, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watermarks_for_future_events_leave_no_larger_gap() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    presses_in_the_gap(&hall, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presses_of_a_clock_that_answers_no_probe_are_added_up_and_noted() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone, Fault::ProbeSilent]).await;
    presses_in_the_gap(&hall, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presses_that_are_each_a_little_early_are_noted() {
    // A short time, but much longer than a round trip on a busy machine.
    const LITTLE_US: i64 = 300_000;
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start().await;
    // By now, enough round trips have shown the hub that the link is fast.
    hall.until_us(started + 18 * SECOND_US).await;
    for _ in 0..14 {
        let early = |clock: &mut ClockBody| {
            let stamp = clock.now_us() - LITTLE_US;
            clock.press_at(Button::Left, Some(stamp))
        };
        let turn = hall.clock.act(|clock| clock.now_us()).await.unwrap();
        hall.until_us(turn + 2 * LITTLE_US).await;
        let seq = hall.clock.act(early).await.unwrap();
        hall.acked(seq).await;
        hall.press(Button::Right).await;
    }
    hall.noted("one_sided");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delayed_probe_replies_are_noted() {
    const HELD_US: i64 = 250_000;
    let hall = Hall::open("5m", &[Fault::ProbeSilent]).await;
    let mut answered = 0;
    // The hub sends a probe each second.
    for _ in 0..18 {
        let (nonce, came_us) = loop {
            let newest = |clock: &mut ClockBody| (clock.newest_probe(), clock.now_us());
            let (nonce, now_us) = hall.clock.act(newest).await.unwrap();
            if nonce != answered {
                break (nonce, now_us);
            }
            hall.until_us(now_us + 1_000).await;
        };
        answered = nonce;
        hall.until_us(came_us + HELD_US).await;
        let reply = move |clock: &mut ClockBody| {
            let reply = TimeReply {
                nonce,
                received_us: came_us,
                sent_us: came_us,
            };
            clock.datagram(&reply.into());
        };
        hall.clock.act(reply).await.unwrap();
    }
    hall.noted("slow_link");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsigned_watermarks_of_a_signing_clock_are_noted() {
    let hall = Hall::open("5m", &[Fault::WatermarkUnsigned]).await;
    hall.start().await;
    hall.noted("unsigned_watermarks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connected_clock_without_watermarks_is_noted() {
    let hall = Hall::open("5m", &[Fault::WatermarkNone]).await;
    hall.start().await;
    hall.noted("no_watermarks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_with_few_watermarks_is_noted() {
    let hall = Hall::open("5m", &[Fault::WatermarkSeldom]).await;
    hall.start().await;
    hall.noted("slow_watermarks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_without_extra_watermarks_in_time_trouble_is_noted() {
    let hall = Hall::open("25s", &[Fault::WatermarkCalm]).await;
    hall.start().await;
    hall.noted("slow_watermarks");
}

/// Stamps each of White's presses early, just after the clock's newest watermark. Each watermark also covers `ahead` events that do not exist yet.
async fn presses_in_the_gap(hall: &Hall, ahead: u64) {
    let mut thought_us = 0;
    let mut turn = hall.start().await;
    for _ in 0..PRESSES {
        let promise = move |clock: &mut ClockBody| {
            let (now, seq) = (clock.now_us(), clock.seq());
            clock.watermark(now, seq + ahead);
            now
        };
        let promised = hall.clock.act(promise).await.unwrap();
        hall.until_us(promised + EARLY_US + SECOND_US / 100).await;
        let early = |clock: &mut ClockBody| {
            let now = clock.now_us();
            (clock.press_at(Button::Left, Some(now - EARLY_US)), now)
        };
        let (seq, now) = hall.clock.act(early).await.unwrap();
        hall.acked(seq).await;
        thought_us += now - turn;
        hall.press(Button::Right).await;
        turn = hall.clock.act(|clock| clock.now_us()).await.unwrap();
    }
    let board = hall.board();
    assert_eq!(board["black"]["moves"].as_i64(), Some(PRESSES), "{board}");
    let gained = hall.time_us("white") - (300 * SECOND_US - thought_us);
    assert!(gained <= PRESSES * SECOND_US, "{gained} us");
    let alone = board["word_alone"]["white_us"].as_i64().unwrap();
    assert!(
        alone >= PRESSES * EARLY_US * 9 / 10,
        "the board shows {alone} us of {gained} us"
    );
    hall.noted("word_alone");
}
