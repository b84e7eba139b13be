//! Clocks that ignore orders, invent them or report them late.

use std::time::Duration;

use conformance::clock::{ClockBody, Fault, StatedEvent};
use proto::wire::OrderTaken;
use proto::wire::event_body::Fact;
use tests::rig::until;

use super::SECOND_US;
use super::hall::{Hall, SEEN_WITHIN};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_a_connected_clock_ignores_can_be_forced_after_three_seconds() {
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + SECOND_US).await;
    hall.clock
        .act(|clock| clock.set_faults(&[Fault::OrderIgnored]))
        .await
        .unwrap();
    // The clock is connected but does not answer, so the command stays pending.
    let asked = hall.cli.run(&["ctl", "pause", "1"]).unwrap();
    let waits = until(SEEN_WITHIN, "a pending command", || {
        let pending = hall.board()["pending"].as_array().map(Vec::len);
        pending.filter(|count| *count == 1)
    });
    waits.unwrap_or_else(|why| panic!("{why}: {asked:?}"));
    hall.noted("order_ignored");
    let forced = until(Duration::from_secs(15), "force", || {
        let said = hall.cli.run(&["ctl", "force", "1"]).ok()?;
        (said.code == Some(0)).then_some(())
    });
    forced.unwrap_or_else(|why| {
        panic!("{why}: {:?}", hall.cli.run(&["ctl", "force", "1"]));
    });
    assert_eq!(hall.board()["state"], "paused");
    assert_eq!(hall.board()["online"], true);
    hall.cli.done(&["ctl", "assign", "1", "none"]).unwrap();
    assert_eq!(
        hall.board()["state"],
        "paused",
        "a pause outlives its clock"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removing_a_clock_that_ignores_a_pause_keeps_the_pause() {
    let hall = Hall::open("5m", &[]).await;
    hall.start().await;
    hall.ignored_pause().await;
    hall.cli.done(&["ctl", "assign", "1", "none"]).unwrap();
    assert_eq!(hall.board()["state"], "paused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_the_hub_never_gave_changes_nothing() {
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + SECOND_US).await;
    let seq = hall
        .clock
        .act(|clock| {
            let invented = OrderTaken { order: 99 };
            clock.send_event(StatedEvent::of(Fact::OrderTaken(invented)))
        })
        .await
        .unwrap();
    hall.acked(seq).await;
    assert_eq!(hall.board()["running"], "white");
    hall.noted("unknown_order");
    hall.proved("unknown_order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delays_of_late_orders_are_added_up() {
    let hall = Hall::open("5m", &[]).await;
    let started = hall.start().await;
    hall.until_us(started + SECOND_US).await;
    // Report each order as late as possible, but early enough to avoid a note that the clock ignores it.
    for _ in 0..2 {
        let (number, came_us) = hall.ignored_pause().await;
        hall.until_us(came_us + SECOND_US * 7 / 10).await;
        let late = move |clock: &mut ClockBody| {
            clock.set_faults(&[Fault::DivergedSilent]);
            let taken = OrderTaken { order: number };
            clock.send_event(StatedEvent::of(Fact::OrderTaken(taken)))
        };
        let seq = hall.clock.act(late).await.unwrap();
        hall.acked(seq).await;
        hall.order(&["ctl", "resume", "1"]).await;
    }
    let alone = hall.board()["word_alone"]["black_us"].as_i64().unwrap();
    assert!(alone >= 14 * SECOND_US / 10, "{alone} us");
    hall.remarked("unchecked_time");
}
