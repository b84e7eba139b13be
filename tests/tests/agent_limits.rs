//! What a clock bears: an outage of ten thousand presses, a card without space. No press is lost, none counts twice, and nothing is
//! said to be safe that is not.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::swarm::{
    Counts, Journals, Pace, Players, Scripted, ScriptedPress, Swarm, SwarmConfig,
};
use prost::Message as _;
use proto::wire::{Event, EventBody, event_body};
use tests::rig::{Addresses, Arbiter, Evidence, HubProcess, SmallDisk, program, same_clock};
use timing::Button;

const READY_WITHIN: Duration = Duration::from_secs(30);
/// Ten thousand events and more have to arrive within it.
const PATIENCE: Duration = Duration::from_secs(120);

struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    at: Addresses,
    clocks: Vec<Identity>,
}

async fn hall(boards: usize) -> Hall {
    let dir = tempfile::tempdir().unwrap();
    let mut hub = HubProcess::start(&program("flagfall").unwrap(), dir.path(), None, &[]).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    let clocks = arbiter.furnish(boards, "90m").await.unwrap();
    Hall {
        dir,
        hub,
        at,
        clocks,
    }
}

impl Hall {
    fn restart(&mut self) {
        let program = program("flagfall").unwrap();
        self.hub = HubProcess::start(&program, self.dir.path(), Some(self.at), &[]).unwrap();
        self.hub.ready(READY_WITHIN).unwrap();
    }

    async fn swarm(&self, players: Players, journals: &Path) -> Swarm {
        let config = SwarmConfig {
            hub: self.at.listen.to_string(),
            identities: self.clocks.clone(),
            players,
            seed: 3,
            journals: Journals::Files(journals.to_owned()),
            record: true,
            endpoints: 1,
        };
        Swarm::start(config).await.unwrap()
    }

    /// Stops the hub and looks at what it has.
    fn evidence(&mut self) -> Evidence {
        self.hub.stop().unwrap();
        let evidence = Evidence::of(self.dir.path()).unwrap();
        assert_eq!(evidence.doubled(), Vec::<String>::new());
        evidence
    }
}

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    let Ok(value) = tokio::time::timeout(PATIENCE, future).await else {
        panic!("{what}: not within {PATIENCE:?}");
    };
    value
}

/// Waits until the swarm has come so far.
async fn until(swarm: &Swarm, what: &str, holds: impl Fn(Counts) -> bool) {
    let reached = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while !holds(swarm.counts()) {
            look.tick().await;
        }
    };
    within(what, reached).await;
}

fn is_press(event: &Event) -> bool {
    let body = EventBody::decode(event.body.as_slice()).unwrap();
    matches!(body.fact, Some(event_body::Fact::Press(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_presses_without_a_hub_all_arrive_and_each_once() {
    const PRESSES: usize = 10_500;
    // The clock has its board by then, and the hub is gone.
    const FROM_US: i64 = 12_000_000;
    let mut hall = hall(1).await;
    let journals = tempfile::tempdir().unwrap();
    let presses = (0..PRESSES).map(|press| ScriptedPress {
        board: 0,
        at_us: FROM_US + i64::try_from(press).unwrap() * 200,
        what: Scripted::Press(match press % 2 {
            0 => Button::Right,
            _ => Button::Left,
        }),
    });
    let players = Players::Script(presses.collect());
    let swarm = hall.swarm(players, journals.path()).await;
    within("connected", swarm.connected()).await;
    until(&swarm, "its board", |counts| counts.acknowledged >= 1).await;
    hall.hub.kill().unwrap();
    let all = u64::try_from(PRESSES).unwrap();
    until(&swarm, "the presses", |counts| counts.events > all).await;
    let before = swarm.stop().await.remove(0);
    assert!(
        before.seq - before.acked >= 10_000,
        "{} of {} events were acknowledged before the hub was gone",
        before.acked,
        before.seq
    );
    let pressed = before.events.iter().filter(|event| is_press(event));
    assert_eq!(pressed.count(), PRESSES);

    // Another life of the clock finds all of it in its journal, and then the hub.
    hall.restart();
    let swarm = hall.swarm(Players::Still, journals.path()).await;
    within("connected again", swarm.connected()).await;
    within("drained", swarm.drain()).await;
    let after = swarm.stop().await.remove(0);
    assert!(after.seq >= before.seq);
    assert_eq!(after.acked, after.seq);
    let evidence = hall.evidence();
    for seq in 1..=after.seq {
        let times = evidence.events.get(&(after.agent.0.to_vec(), seq));
        assert_eq!(times, Some(&1), "event {seq}");
    }
    let hubs = evidence.hall.clock_bytes(&after.board).unwrap();
    same_clock(&hubs, &after.clock.unwrap()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_without_space_costs_no_press_and_is_written_again_when_there_is_some() {
    let mut hall = hall(2).await;
    let mount = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(mount.path(), "8m").unwrap();
    let journals = disk.path().join("clocks");
    std::fs::create_dir(&journals).unwrap();
    let swarm = hall.swarm(Players::Endless(Pace::Blitz), &journals).await;
    within("connected", swarm.connected()).await;
    until(&swarm, "presses", |counts| counts.acknowledged >= 10).await;
    let video = disk.fill().unwrap();

    // A page of each journal was begun already; soon there is no byte left. Presses reach the hub all the same.
    let so_far = swarm.counts().acknowledged;
    until(&swarm, "presses on a full card", |counts| {
        counts.acknowledged >= so_far + 80
    })
    .await;
    hall.hub.kill().unwrap();
    until(&swarm, "presses that nobody keeps", |counts| {
        counts.unacknowledged >= 6
    })
    .await;
    let evidence = Evidence::of(hall.dir.path()).unwrap();
    assert_eq!(evidence.notes.get("journal_failed"), Some(&2));
    let reports = within("reports", swarm.reports()).await;
    for report in &reports {
        // What a clock takes for acknowledged the hub has, durably.
        for seq in 1..=report.acked {
            let times = evidence.events.get(&(report.agent.0.to_vec(), seq));
            assert_eq!(times, Some(&1), "event {seq} of board {}", report.board);
        }
    }

    // There is space again: each journal is written whole, in a new file, while the hub is still away.
    let old: Vec<_> = files(&journals);
    std::fs::remove_file(video).unwrap();
    within("journals written anew", async {
        let mut look = tokio::time::interval(Duration::from_millis(100));
        loop {
            let new = files(&journals);
            if old.iter().all(|(path, node)| {
                new.iter().any(|(at, now)| at == path && now != node)
            }) {
                break;
            }
            look.tick().await;
        }
    })
    .await;
    hall.restart();
    within("drained", swarm.drain()).await;
    let reports = swarm.stop().await;
    let evidence = hall.evidence();
    for report in reports {
        let hubs = evidence.hall.clock_bytes(&report.board).unwrap();
        same_clock(&hubs, &report.clock.unwrap())
            .unwrap_or_else(|what| panic!("board {}: {what}", report.board));
    }
}

/// Every journal below `dir`, and its inode.
fn files(dir: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for clock in std::fs::read_dir(dir).unwrap() {
        for file in std::fs::read_dir(clock.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "journal") {
                let node = std::fs::metadata(&path).unwrap().ino();
                found.push((path, node));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}
