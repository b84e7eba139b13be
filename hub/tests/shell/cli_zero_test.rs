//! `flagfall ctl zero-test`: real clocks at a real hub, a certificate for each board, and an exit code for scripts.

use hall::Outcome;
use serde_json::Value;

use crate::hall::{TestHub, ctl, still_clocks};
use crate::program::expect;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_board_presses_and_gets_a_certificate() {
    let hub = TestHub::start().await;
    for board in ["1", "2", "3"] {
        hub.add_board(board, "90m+30s").await;
    }
    let (clocks, _) = still_clocks(&hub, &["1", "2", "3"]).await;
    let (out, _) = expect(&ctl(&hub, &["zero-test"]).await, 0);
    assert_eq!(out.matches("CLOCK TEST CERTIFICATE").count(), 3, "{out}");
    assert_eq!(out.matches("Arbiter's signature").count(), 3, "{out}");
    assert!(out.contains("board 3: passed"), "{out}");
    let (out, _) = expect(&ctl(&hub, &["zero-test", "2", "1", "--json"]).await, 0);
    let pages: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(pages.len(), 2);
    for page in &pages {
        assert_eq!(page["passed"], true);
        assert_eq!(page["error_us"], 0);
        assert!(page["firmware"].as_str().unwrap().contains("clock-agent"));
        assert!(
            page["hub_version"]
                .as_str()
                .unwrap()
                .starts_with("flagfall ")
        );
        assert!(page["lo_us"].as_i64() <= page["est_us"].as_i64());
    }
    let (out, _) = expect(&ctl(&hub, &["log", "1"]).await, 0);
    assert!(out.contains("test of clock"), "{out}");
    let (out, _) = expect(&ctl(&hub, &["agents", "--json"]).await, 0);
    let agent: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(agent["journal_ok"], true);
    assert_eq!(agent["alerts"].as_array().unwrap().len(), 0);
    assert!(agent["offset_lo_us"].as_i64() <= agent["offset_hi_us"].as_i64());
    clocks.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_board_fails_and_a_game_is_not_disturbed() {
    let hub = TestHub::start().await;
    for board in ["1", "2"] {
        hub.add_board(board, "90m+30s").await;
    }
    let (clocks, _) = still_clocks(&hub, &["1"]).await;
    let file = hub.dir.path().join("certificates.html");
    let html = file.to_str().unwrap();
    let (out, _) = expect(&ctl(&hub, &["zero-test", "1,2", "--html", html]).await, 1);
    assert!(out.contains("board 1: passed"), "{out}");
    assert!(
        out.contains("board 2: FAILED: no clock serves board 2"),
        "{out}"
    );
    let page = std::fs::read_to_string(&file).unwrap();
    assert_eq!(page.matches("<section>").count(), 2);

    let start = hall::Action::Board("start".parse().unwrap());
    assert_eq!(hub.act("1", start).await.outcome, Outcome::Done);
    let (out, _) = expect(&ctl(&hub, &["zero-test", "1"]).await, 1);
    assert!(out.contains("a game is in progress on board 1"), "{out}");
    clocks.stop().await;
}
