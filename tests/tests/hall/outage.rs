//! Twenty seconds of real time without a hub: the games go on at the clocks, and the hub then computes exactly the same clocks.

use std::time::Duration;

use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use tests::rig::{Arbiter, Evidence, HubProcess, program, same_clock};
use tests::stopwatch::Stopwatch;

const READY_WITHIN: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn twenty_seconds_without_a_hub_change_no_clock() {
    let dir = tempfile::tempdir().unwrap();
    let program = program("flagfall").unwrap();
    let mut hub = HubProcess::start(&program, dir.path(), None, &[]).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    let clocks = arbiter.furnish(12, "3m+2s").await.unwrap();
    let journals = tempfile::tempdir().unwrap();
    let swarm = Swarm::start(SwarmConfig {
        hub: at.listen.to_string(),
        identities: clocks,
        players: Players::Endless(Pace::Blitz),
        seed: 1,
        journals: Journals::Files(journals.path().to_owned()),
        record: true,
        endpoints: 1,
    })
    .await
    .unwrap();
    tokio::time::timeout(READY_WITHIN, swarm.connected())
        .await
        .unwrap();
    pressed(&swarm, 24).await;

    hub.kill().unwrap();
    let (away, before) = (Stopwatch::start(), swarm.counts());
    let mut look = tokio::time::interval(Duration::from_millis(100));
    while away.elapsed() < Duration::from_secs(20) {
        look.tick().await;
    }
    let without = swarm.counts().events - before.events;
    assert!(
        without >= 24,
        "only {without} presses in twenty seconds without a hub: the games did not go on"
    );

    let mut hub = HubProcess::start(&program, dir.path(), Some(at), &[]).unwrap();
    hub.ready(READY_WITHIN).unwrap();
    tokio::time::timeout(Duration::from_secs(60), swarm.drain())
        .await
        .unwrap();
    let reports = swarm.stop().await;
    hub.stop().unwrap();
    let evidence = Evidence::of(dir.path()).unwrap();
    assert_eq!(evidence.doubled(), Vec::<String>::new());
    for report in reports {
        let hubs = evidence.hall.clock_bytes(&report.board).unwrap();
        same_clock(&hubs, &report.clock.unwrap())
            .unwrap_or_else(|what| panic!("board {}: {what}", report.board));
    }
}

async fn pressed(swarm: &Swarm, wanted: u64) {
    let come = async {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while swarm.counts().acknowledged < wanted {
            look.tick().await;
        }
    };
    let came = tokio::time::timeout(Duration::from_secs(60), come).await;
    assert!(
        came.is_ok(),
        "waited a minute for presses: {:?}",
        swarm.counts()
    );
}
