//! Clocks whose storage card is full: no press is lost or counted twice, and no press counts as acknowledged before the hub has stored it.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::swarm::{Counts, Journals, Pace, Players, Swarm, SwarmConfig};
use tests::rig::{Addresses, Arbiter, Evidence, HubProcess, SmallDisk, program, same_clock};

const READY_WITHIN: Duration = Duration::from_secs(30);
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

async fn until(swarm: &Swarm, what: &str, holds: impl Fn(Counts) -> bool) {
    let reached = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while !holds(swarm.counts()) {
            look.tick().await;
        }
    };
    within(what, reached).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_card_loses_no_press_and_is_rewritten_once_there_is_space() {
    let mut hall = hall(2).await;
    let mount = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(mount.path(), "8m").unwrap();
    let journals = disk.path().join("clocks");
    std::fs::create_dir(&journals).unwrap();
    let swarm = hall.swarm(Players::Endless(Pace::Bullet), &journals).await;
    within("connected", swarm.connected()).await;
    until(&swarm, "presses", |counts| counts.acknowledged >= 10).await;
    let video = disk.fill().unwrap();

    // Each journal can still fill the last page that it has allocated, but no new one. Presses still reach the hub.
    let so_far = swarm.counts().acknowledged;
    until(&swarm, "presses on a full card", |counts| {
        counts.acknowledged >= so_far + 80
    })
    .await;
    hall.hub.kill().unwrap();
    until(&swarm, "presses that are not kept", |counts| {
        counts.unacknowledged >= 6
    })
    .await;
    let evidence = Evidence::of(hall.dir.path()).unwrap();
    assert_eq!(evidence.notes.get("journal_failed"), Some(&2));
    let reports = within("reports", swarm.reports()).await;
    for report in &reports {
        // The hub must have stored every event that a clock considers acknowledged.
        for seq in 1..=report.acked {
            let times = evidence.events.get(&(report.agent.0.to_vec(), seq));
            assert_eq!(times, Some(&1), "event {seq} of board {}", report.board);
        }
    }

    // Once there is space again, each clock rewrites its whole journal to a new file. The hub is still down.
    let old: Vec<_> = files(&journals);
    std::fs::remove_file(video).unwrap();
    within("journals rewritten", async {
        let mut look = tokio::time::interval(Duration::from_millis(100));
        loop {
            let new = files(&journals);
            if old
                .iter()
                .all(|(path, node)| new.iter().any(|(at, now)| at == path && now != node))
            {
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

/// Returns every journal in `dir` with its inode number, which changes when the journal is rewritten.
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
