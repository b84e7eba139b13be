//! Real sessions over real sockets: enrolment, outages, restarts, refusals.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test"
)]

#[path = "support/hub.rs"]
mod support;

use std::time::Duration;

use clock_agent::buttons::ButtonEvent;
use clock_agent::enrol::{EnrolError, enrol};
use clock_agent::identity::{Identity, Keys};
use clock_agent::links::quic::{Dialer, HubLocation, QuicConnector};
use clock_agent::links::{ConnectError, Connector, Link};
use clock_agent::swarm::{AgentReport, Journals, Pace, Players, ScriptedPress, Swarm, SwarmConfig};
use proto::wire::GoodbyeReason;
use support::{FakeHub, PATIENCE};
use timing::{Button, Instant};

fn config(hub: &FakeHub, identities: &[Identity], players: Players) -> SwarmConfig {
    SwarmConfig {
        hub: hub.address.to_string(),
        identities: identities.to_vec(),
        players,
        seed: 7,
        journals: Journals::Memory,
        record: true,
        endpoints: 1,
    }
}

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    let Ok(value) = tokio::time::timeout(PATIENCE, future).await else {
        panic!("{what}: not within {PATIENCE:?}");
    };
    value
}

#[track_caller]
fn agree(hub: &FakeHub, reports: &[AgentReport]) {
    for report in reports {
        assert_eq!(report.acked, report.seq);
        hub.agent(&report.agent, |agent| {
            assert_eq!((agent.seq, agent.head), (report.seq, report.head));
            let snapshot = |clock: &Option<timing::BoardClock>| {
                clock.as_ref().map(|clock| clock.snapshot().to_bytes())
            };
            assert_eq!(snapshot(&agent.clock), snapshot(&report.clock));
        });
    }
}

/// Returns alternating presses of the two players on each board, every `every_us` microseconds from `from_us`.
fn script(boards: usize, presses: i64, from_us: i64, every_us: i64) -> Vec<ScriptedPress> {
    (0..boards)
        .flat_map(|board| {
            (0..presses).map(move |press| {
                let button = if press % 2 == 0 {
                    Button::Left
                } else {
                    Button::Right
                };
                let at_us = from_us + press * every_us + board as i64;
                let event = ButtonEvent::press(button, Instant::from_micros(at_us));
                ScriptedPress { board, event }
            })
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn scripted_presses_keep_their_stamps() {
    let hub = FakeHub::start("5m+3s").await;
    let identities = hub.enrolled(3).await;
    let presses = script(3, 20, 1_500_000, 50_000);
    let swarm = Swarm::start(config(&hub, &identities, Players::Script(presses)))
        .await
        .unwrap();
    within("connected", swarm.connected()).await;
    within("drained", swarm.drain()).await;
    let samples = swarm.take_samples();
    assert_eq!(samples.len(), 3 * (20 + 2));
    let reports = swarm.stop().await;
    agree(&hub, &reports);
    for (board, report) in reports.iter().enumerate() {
        assert_eq!(report.events.len(), 22);
        let stamps = hub.agent(&report.agent, |agent| {
            let presses = agent
                .facts
                .iter()
                .filter(|fact| matches!(fact.fact, Some(proto::wire::event_body::Fact::Press(_))));
            presses.map(|fact| fact.at_us).collect::<Vec<_>>()
        });
        let expected: Vec<i64> = (0..20)
            .map(|press| 1_500_000 + press * 50_000 + board as i64)
            .collect();
        assert_eq!(stamps, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_hub_misses_nothing_and_counts_nothing_twice() {
    let mut hub = FakeHub::start("5m+3s").await;
    let identities = hub.enrolled(4).await;
    let presses = script(4, 60, 1_000_000, 50_000);
    let swarm = Swarm::start(config(&hub, &identities, Players::Script(presses)))
        .await
        .unwrap();
    within("connected", swarm.connected()).await;
    hub.kill().await;
    within("an outage in which presses are made", async {
        while swarm.counts().unacknowledged < 40 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    hub.listen().await;
    within("drained", swarm.drain()).await;
    let resent = swarm
        .take_samples()
        .iter()
        .filter(|sample| sample.resent)
        .count();
    assert!(resent >= 40, "{resent}");
    let reports = swarm.stop().await;
    agree(&hub, &reports);
    for report in &reports {
        hub.agent(&report.agent, |agent| assert!(agent.links >= 2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn simulated_players_play_and_both_ends_agree() {
    let hub = FakeHub::start("10s+1s").await;
    let identities = hub.enrolled(8).await;
    let swarm = Swarm::start(config(&hub, &identities, Players::Pace(Pace::Blitz)))
        .await
        .unwrap();
    within("some play", async {
        while swarm.counts().events < 8 * 4 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    within("drained", swarm.drain()).await;
    let counts = swarm.counts();
    assert_eq!((counts.connected, counts.unacknowledged), (8, 0));
    // While the players are held, they do not press, so the reports are final.
    let reports = within("reports", swarm.reports()).await;
    agree(&hub, &reports);
    let again = swarm.stop().await;
    assert_eq!(
        again.iter().map(|report| report.seq).collect::<Vec<_>>(),
        reports.iter().map(|report| report.seq).collect::<Vec<_>>()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_on_disk_keeps_presses_across_a_restart() {
    let mut hub = FakeHub::start("5m").await;
    let identities = hub.enrolled(2).await;
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::Files(dir.path().to_owned());
    let mut first = config(
        &hub,
        &identities,
        Players::Script(script(2, 10, 800_000, 20_000)),
    );
    first.journals = journals.clone();
    let swarm = Swarm::start(first).await.unwrap();
    within("connected", swarm.connected()).await;
    hub.hall.lock().unwrap().silent = true;
    within("unacknowledged presses", async {
        while swarm.counts().events < 2 * 12 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let before = swarm.stop().await;
    hub.kill().await;
    // The hub has never acknowledged these presses. The agents return and resend them.
    hub.hall.lock().unwrap().silent = false;
    hub.listen().await;
    let mut second = config(&hub, &identities, Players::Still);
    second.journals = journals;
    let swarm = Swarm::start(second).await.unwrap();
    within("connected", swarm.connected()).await;
    within("drained", swarm.drain()).await;
    let after = swarm.stop().await;
    agree(&hub, &after);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((before.seq, before.head), (after.seq, after.head));
        let clock = |report: &AgentReport| report.clock.as_ref().unwrap().snapshot().to_bytes();
        assert_eq!(clock(before), clock(after));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_offline_presses_survive_a_restart() {
    const PRESSES: i64 = 10_500;
    let mut hub = FakeHub::start("90m").await;
    let identities = hub.enrolled(1).await;
    let dir = tempfile::tempdir().unwrap();
    let journals = Journals::Files(dir.path().to_owned());
    // By the first press the clock has its board, and the hub is gone.
    let presses = script(1, PRESSES, 3_000_000, 100);
    let mut first = config(&hub, &identities, Players::Script(presses));
    first.journals = journals.clone();
    let swarm = Swarm::start(first).await.unwrap();
    within("connected", swarm.connected()).await;
    within("its board", async {
        while swarm.counts().acknowledged < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    hub.kill().await;
    within("the presses", async {
        while swarm.counts().events < PRESSES as u64 + 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let before = swarm.stop().await.remove(0);
    assert!(before.seq - before.acked >= 10_000, "{}", before.acked);

    hub.listen().await;
    let mut second = config(&hub, &identities, Players::Still);
    second.journals = journals;
    let swarm = Swarm::start(second).await.unwrap();
    within("connected again", swarm.connected()).await;
    within("drained", swarm.drain()).await;
    let after = swarm.stop().await;
    assert_eq!((after[0].seq, after[0].head), (before.seq, before.head));
    // The test's hub refuses gaps in the chain and events out of order.
    agree(&hub, &after);
    hub.agent(&after[0].agent, |agent| {
        let presses = agent
            .facts
            .iter()
            .filter(|fact| matches!(fact.fact, Some(proto::wire::event_body::Fact::Press(_))));
        assert_eq!(presses.count(), PRESSES as usize);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_closes_with_the_reason_of_its_goodbye() {
    let hub = FakeHub::start("5m").await;
    let identities = hub.enrolled(1).await;
    let still = || config(&hub, &identities, Players::Still);
    let swarm = Swarm::start(still()).await.unwrap();
    within("connected", swarm.connected()).await;
    swarm.stop().await;
    hub.until(|hall| hall.ends.len() == 1).await;
    hub.hall.lock().unwrap().major += 1;
    let swarm = Swarm::start(still()).await.unwrap();
    hub.until(|hall| hall.ends.len() == 2).await;
    swarm.stop().await;
    let ends = [(GoodbyeReason::Unspecified, 0), (GoodbyeReason::Version, 1)];
    assert_eq!(hub.hall.lock().unwrap().ends, ends);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_log_gets_its_own_journal() {
    let hub = FakeHub::start("5m").await;
    let identities = hub.enrolled(1).await;
    {
        let mut hall = hub.hall.lock().unwrap();
        hall.origin = "flagfall.test/2".to_owned();
        hall.agents.clear();
    }
    let agent = identities[0].keys.agent_id();
    let dir = tempfile::tempdir().unwrap();
    let mut with_files = config(
        &hub,
        &identities,
        Players::Script(script(1, 5, 1_000_000, 9_000)),
    );
    with_files.journals = Journals::Files(dir.path().to_owned());
    let swarm = Swarm::start(with_files).await.unwrap();
    within("connected", swarm.connected()).await;
    within("drained", swarm.drain()).await;
    agree(&hub, &swarm.stop().await);
    let journals = std::fs::read_dir(dir.path().join(agent.short())).unwrap();
    let journals = journals.filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.extension().is_some_and(|end| end == "journal")
    });
    assert_eq!(journals.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_enrols_once() {
    let hub = FakeHub::start("5m").await;
    let keys = Keys::generate().unwrap();
    let code = hub.code();
    let enrolment = enrol(&keys, &code, "clock", |_| ()).await.unwrap();
    assert_eq!(enrolment.log_origin, "flagfall.test/1");
    assert_eq!(enrolment.hub, hub.address.to_string());
    let again = enrol(&keys, &code, "clock", |_| ()).await;
    assert!(
        matches!(&again, Err(EnrolError::Refused(why)) if why.contains("used")),
        "{again:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_codes_secret_goes_only_to_its_hub() {
    let (hub, other) = (FakeHub::start("5m").await, FakeHub::start("5m").await);
    let mut code = hub.code();
    code.port = other.address.port();
    let error = enrol(&Keys::generate().unwrap(), &code, "clock", |_| ())
        .await
        .unwrap_err();
    assert!(matches!(error, EnrolError::OtherHub(_)), "{error}");
    // The code is still unused.
    code.port = hub.address.port();
    enrol(&Keys::generate().unwrap(), &code, "clock", |_| ())
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_hub_is_refused_with_advice() {
    let (hub, other) = (FakeHub::start("5m").await, FakeHub::start("5m").await);
    let identity = hub.enrolled(1).await.remove(0);
    let mut connector = QuicConnector::new(
        &identity,
        Dialer::open().unwrap(),
        HubLocation::At(other.address.to_string().parse().unwrap()),
        Box::new(|_| ()),
    )
    .unwrap();
    let error = within("an answer", connector.connect()).await.unwrap_err();
    let ConnectError::Refused(text) = error else {
        panic!("{error}");
    };
    for word in [
        "is not the one this clock is enrolled with",
        "enrol again",
        &other.address.to_string(),
    ] {
        assert!(text.contains(word), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_hubs_certificate_is_refused_with_advice() {
    let (hub, other) = (FakeHub::start("5m").await, FakeHub::start("5m").await);
    let mut identity = hub.enrolled(1).await.remove(0);
    let stranger = other.enrolled(1).await.remove(0);
    identity.keys = stranger.keys;
    identity.enrolment.certificate_der = stranger.enrolment.certificate_der;
    let mut connector = QuicConnector::new(
        &identity,
        Dialer::open().unwrap(),
        HubLocation::At(hub.address.to_string().parse().unwrap()),
        Box::new(|_| ()),
    )
    .unwrap();
    // In TLS 1.3, the client can finish before the server has checked its certificate.
    let text = match within("an answer", connector.connect()).await {
        Err(error) => error.to_string(),
        Ok(mut link) => within("the end", link.next())
            .await
            .unwrap_err()
            .to_string(),
    };
    assert!(text.contains("rejected this clock's certificate"), "{text}");
    assert!(text.contains("clock-agent enrol CODE"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_hub_counts_as_away() {
    let mut hub = FakeHub::start("5m").await;
    let identity = hub.enrolled(1).await.remove(0);
    hub.kill().await;
    let mut connector = QuicConnector::new(
        &identity,
        Dialer::open().unwrap(),
        HubLocation::At(hub.address.to_string().parse().unwrap()),
        Box::new(|_| ()),
    )
    .unwrap();
    let error = tokio::time::timeout(Duration::from_secs(20), connector.connect())
        .await
        .expect("an attempt ends")
        .unwrap_err();
    assert!(matches!(error, ConnectError::Away(_)), "{error}");
}
