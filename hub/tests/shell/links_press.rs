//! The purpose of a link: a press arrives, becomes durable, is acknowledged, and is never lost.

use hall::{Action, Outcome};
use proto::wire::{Button, Watermark, order};
use timing::Command;

use crate::agent::{Identity, Session, hello};
use crate::hall::{TestHub, within};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_enrols_connects_and_presses_and_the_press_survives_a_restart() {
    let hub = TestHub::start().await;
    hub.add_board("7", "5m+3s").await;
    let identity = Identity::enrol(&hub, "7").await;
    assert_eq!(identity.enrolled.board, "7");
    let mut session = Session::open(&hub, &identity).await;
    let adopt = session.take_order().await;
    assert!(
        matches!(adopt.what, Some(order::What::Adopt(_))),
        "{adopt:?}"
    );
    session.acknowledged(1).await;

    let start = hub.act("7", Action::Board(Command::Start(None)));
    let (answer, order) = tokio::join!(start, session.take_order());
    assert_eq!(order.what, Some(order::What::Command("start".to_owned())));
    assert_eq!(answer.outcome, Outcome::Done);

    let press = session.press(Button::Left).await;
    session.acknowledged(press).await;
    let white = hub.board("7").view.white.clone();
    // The increments before and after the move were added, and one second was used.
    assert_eq!((white.moves, white.us), (1, 305_000_000));

    let hub = hub.restart().await;
    let white = hub.board("7").view.white.clone();
    assert_eq!((white.moves, white.us), (1, 305_000_000));
    let mut session = Session::unwelcomed(hub.server.addresses().listen, &identity).await;
    session.send(hello()).await;
    assert_eq!(session.welcome().await.acked_seq, press);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_above_its_rate_limit_is_slowed_down_and_loses_nothing() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    let before = std::time::Duration::from_micros(hub_us(&hub));
    let mut last = 0;
    // The hub accepts the first 2,000 events as a burst, and the rest at 50 per second.
    for _ in 0..2_060 {
        last = session.press(Button::Left).await;
    }
    session.acknowledged(last).await;
    let took = std::time::Duration::from_micros(hub_us(&hub)) - before;
    assert!(took >= std::time::Duration::from_secs(1), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watermark_in_a_datagram_confirms_a_flag() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5s").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    let start = hub.act("1", Action::Board(Command::Start(None)));
    let (_, _) = tokio::join!(start, session.take_order());
    let started = session.at_us;
    let seen = async {
        let mut changes = hub.server.live().subscribe(None);
        loop {
            // A datagram may be lost, so the watermark is sent repeatedly.
            session.send_datagram(Watermark {
                at_us: started + 5_000_000,
                seq: 2,
                signature: Vec::new(),
            });
            if hub.board("1").view.white.flag == hall::view::Flag::Fallen {
                return;
            }
            let _ =
                tokio::time::timeout(std::time::Duration::from_millis(100), changes.next()).await;
        }
    };
    within(seen, "the flag").await;
}

fn hub_us(hub: &TestHub) -> u64 {
    u64::try_from(hub.server.live().hub_us()).unwrap()
}
