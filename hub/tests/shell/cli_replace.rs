//! `flagfall ctl replace` and `ctl evidence`: a spare takes over a running board, both when the old clock is silent and when it is alive.
//! A clock that breaks the promise in a watermark is proved to have done so.

use hall::view::Running;
use hall::{Action, Outcome};
use proto::chain::sign_watermark;
use proto::wire::{Button, Watermark};

use crate::agent::{Identity, Session};
use crate::hall::{TestHub, ctl, still_clocks, within};
use crate::program::expect;

async fn served_by(hub: &TestHub, key: &str) {
    let mut changes = hub.server.live().subscribe(None);
    let served = async {
        loop {
            let detail = hub.board("1");
            let taken = detail.agent.is_some_and(|agent| agent.to_string() == key);
            if taken && detail.view.online {
                return;
            }
            let _ =
                tokio::time::timeout(std::time::Duration::from_millis(100), changes.next()).await;
        }
    };
    within(served, "the spare to serve the board").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_clock_and_a_living_one_are_replaced_with_one_command() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m+30s").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut old = Session::open(&hub, &identity).await;
    old.take_order().await;
    let start = hub.act("1", Action::Board("start".parse().unwrap()));
    let (answer, _) = tokio::join!(start, old.take_order());
    assert_eq!(answer.outcome, Outcome::Done);
    let press = old.press(Button::Left).await;
    old.acknowledged(press).await;
    drop(old);

    let (out, err) = expect(&ctl(&hub, &["replace", "1", "nobody"]).await, 1);
    assert!(format!("{out}{err}").contains("no clock has the name or the key nobody"));
    let (first, keys) = still_clocks(&hub, &[""]).await;
    expect(&ctl(&hub, &["replace", "1", &keys[0][..12]]).await, 0);
    served_by(&hub, &keys[0]).await;
    assert_eq!(hub.board("1").view.running, Running::Black);
    assert_eq!(hub.board("1").view.white.moves, 1);

    // The first spare is alive when a second spare replaces it.
    let (second, others) = still_clocks(&hub, &[""]).await;
    expect(&ctl(&hub, &["replace", "1", &others[0]]).await, 0);
    served_by(&hub, &others[0]).await;
    assert_eq!(hub.board("1").view.running, Running::Black);
    let old_key = identity.agent().to_string();
    let (out, err) = expect(&ctl(&hub, &["replace", "1", &old_key]).await, 1);
    assert!(format!("{out}{err}").contains("is not connected"));
    first.stop().await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_promise_is_proved_and_stays_until_an_arbiter_has_seen_it() {
    let hub = TestHub::start().await;
    hub.add_board("1", "90m+30s").await;
    let identity = Identity::enrol(&hub, "1").await;
    let mut session = Session::open(&hub, &identity).await;
    session.take_order().await;
    let start = hub.act("1", Action::Board("start".parse().unwrap()));
    let (_, _) = tokio::join!(start, session.take_order());
    let (out, _) = expect(&ctl(&hub, &["evidence"]).await, 0);
    assert!(out.contains("no clock has contradicted"), "{out}");

    // The clock's watermark promises that no earlier press is outstanding. Then the clock sends a press stamped one second after the start.
    let (at_us, seq) = (session.at_us + 5_000_000, 2);
    let signature = sign_watermark(at_us, seq, &identity.key);
    session
        .send(Watermark {
            at_us,
            seq,
            signature,
        })
        .await;
    let press = session.press(Button::Left).await;
    session.acknowledged(press).await;
    // 90 minutes plus the increments before and after the move, minus the time used up to the watermark.
    let white = hub.board("1").view.white.us;
    assert_eq!(white, 90 * 60_000_000 + 30_000_000 - 5_000_000 + 30_000_000);
    let (out, _) = expect(&ctl(&hub, &["evidence"]).await, 0);
    assert!(out.contains("both signatures are the clock's"), "{out}");
    assert!(!out.contains("NOT VALID"), "{out}");
    let (out, _) = expect(&ctl(&hub, &["evidence", "--json"]).await, 0);
    let proof: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(proof["holds"], true);
    acknowledged_once(&hub).await;
}

/// Checks that `list`, `show` and `agents` report the note, and that `acknowledge` records the arbiter who has seen it.
async fn acknowledged_once(hub: &TestHub) {
    let kind = "broken_promise";
    let (list, _) = expect(&ctl(hub, &["list"]).await, 0);
    assert!(list.contains("already reported everything"), "{list}");
    let (show, _) = expect(&ctl(hub, &["show", "1"]).await, 0);
    assert!(show.contains("`flagfall ctl acknowledge 1`"), "{show}");
    let (agents, _) = expect(&ctl(hub, &["agents"]).await, 0);
    assert!(agents.contains("broken promise"), "{agents}");
    let reason = ["acknowledge", "1", "--reason", "clock replaced", "--json"];
    let (seen, _) = expect(&ctl(hub, &reason).await, 0);
    let seen: Vec<serde_json::Value> = seen
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        seen.iter()
            .any(|one| one["kind"] == kind && one["count"] == 1),
        "{seen:?}"
    );
    let (agents, _) = expect(&ctl(hub, &["agents"]).await, 0);
    assert!(!agents.contains("broken promise"), "{agents}");
    assert!(
        hub.board("1").notes.is_empty(),
        "{:?}",
        hub.board("1").notes
    );
    let (log, _) = expect(&ctl(hub, &["log", "1"]).await, 0);
    assert!(log.contains("note (broken_promise) seen by"), "{log}");
    assert!(log.contains(": clock replaced"), "{log}");
    let (again, _) = expect(&ctl(hub, &["acknowledge", "all"]).await, 0);
    assert!(
        again.contains("no note there needs to be acknowledged"),
        "{again}"
    );
}
