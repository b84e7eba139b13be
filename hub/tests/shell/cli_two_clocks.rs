//! A board whose players sit in two halls: two real clocks over real sockets, one for each side. An arbiter operates the board
//! from the command line.

use std::time::Duration;

use clock_agent::swarm::{Pace, Players};
use hall::BoardDetail;
use hall::view::Running;

use crate::hall::{TestHub, clocks, ctl, within};
use crate::program::expect;

async fn until(hub: &TestHub, what: &str, wanted: impl Fn(&BoardDetail) -> bool) {
    let mut changes = hub.server.live().subscribe(None);
    let look = async {
        while !wanted(&hub.board("1")) {
            let _ = tokio::time::timeout(Duration::from_millis(100), changes.next()).await;
        }
    };
    within(look, what).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clocks_play_one_game_and_each_presses_for_its_own_side() {
    let hub = TestHub::start().await;
    hub.add_board("1", "5m").await;
    let (players, keys) = clocks(&hub, &["", ""], Players::Endless(Pace::Blitz)).await;
    for (key, side) in keys.iter().zip(["white", "black"]) {
        expect(&ctl(&hub, &["assign", "1", key, "--side", side]).await, 0);
    }
    until(&hub, "both clocks", |detail| detail.view.online).await;
    // The hub refuses to start the game until each side has a clock that serves it.
    let started = async { while !ctl(&hub, &["start", "1"]).await.status.success() {} };
    within(started, "the game to start").await;
    // The simulated players at both clocks press for both sides; a press for the opponent's side has no effect.
    until(&hub, "two moves each", |detail| {
        detail.view.white.moves >= 2 && detail.view.black.moves >= 2
    })
    .await;
    expect(&ctl(&hub, &["pause", "1"]).await, 0);
    let detail = hub.board("1");
    let (white, black) = (&detail.view.white, &detail.view.black);
    assert!(detail.view.paused);
    assert_eq!(detail.view.running, Running::None);
    assert!(
        white.moves.abs_diff(black.moves) <= 1,
        "{white:?} {black:?}"
    );
    assert!(white.us < 300_000_000 && black.us < 300_000_000);

    let (out, _) = expect(&ctl(&hub, &["show", "1"]).await, 0);
    for key in &keys {
        assert!(out.contains(&key[..8]), "{out}");
    }
    players.stop().await;
    until(&hub, "no clock", |detail| !detail.view.online).await;
    // A paused board can resume without its clocks. Pausing the running board needs them, because only they know the latest presses.
    expect(&ctl(&hub, &["resume", "1"]).await, 0);
    let paused = ctl(&hub, &["pause", "1"]).await;
    let out = String::from_utf8_lossy(&paused.stdout);
    assert!(out.contains("pending"), "{out}");
}
