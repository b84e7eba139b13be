//! Lies on a board that has a separate clock for each side.

use conformance::clock::{ClockBody, Fault, StatedEvent};
use proto::wire::Button;

use super::hall::Hall;
use super::{GAIN_US, SECOND_US};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_probe_on_an_old_stamp_bounds_the_press_of_either_clock() {
    let (hall, _black) = Hall::open_pair("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start_pair().await;
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
    hall.until_running("black");
    let (white, most) = (hall.time_us("white"), 293 * SECOND_US + GAIN_US);
    assert!(white <= most, "White has {white} us of at most {most}");
    hall.noted("before_probe");
    hall.proved("before_probe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_report_of_either_clock_is_on_every_list() {
    let (hall, _black) = Hall::open_pair("5m", &[Fault::WatermarkNone]).await;
    let started = hall.start_pair().await;
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
async fn presses_of_either_clock_in_the_gap_are_added_up_and_noted() {
    const EARLY_US: i64 = 890_000;
    let (hall, black) = Hall::open_pair("5m", &[Fault::WatermarkNone]).await;
    let mut turn = hall.start_pair().await;
    for _ in 0..6 {
        hall.until_us(turn + EARLY_US + SECOND_US / 10).await;
        let early = |clock: &mut ClockBody| {
            let stamp = clock.now_us() - EARLY_US;
            clock.press_at(Button::Left, Some(stamp))
        };
        let seq = hall.clock.act(early).await.unwrap();
        hall.acked(seq).await;
        let seq = black.press(Button::Right).await.unwrap();
        black
            .until("an acknowledgement", |seen| {
                (seen.acked >= seq).then_some(())
            })
            .await
            .unwrap();
        turn = hall.clock.act(|clock| clock.now_us()).await.unwrap();
    }
    hall.noted("word_alone");
    let alone = hall.board()["word_alone"]["white_us"].as_i64().unwrap();
    assert!(alone >= 4 * SECOND_US, "the board shows {alone} us");
}
