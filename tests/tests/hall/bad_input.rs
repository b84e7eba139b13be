//! Faults of disks, machines and strangers during play: each is reported clearly, and no press is lost.
//!
//! Settings, ports, directories, certificates and stale commands are tested in `hub/tests/shell/`; the log by itself is tested in `hub/log/tests/`.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::PathBuf;
use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::swarm::{Counts, Journals, Pace, Players, Swarm, SwarmConfig};
use proto::frame::encode_prefixed;
use proto::grpc::command_request::Command as Ask;
use proto::grpc::{Names, Outcome};
use proto::wire::{AgentFrame, GoodbyeReason, Hello, agent_frame::Frame};
use tests::rig::{
    Addresses, Arbiter, Evidence, HubProcess, SmallDisk, Stranger, program, same_clock,
};

const READY_WITHIN: Duration = Duration::from_secs(20);

struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    at: Addresses,
    arbiter: Arbiter,
    clocks: Vec<Identity>,
}

async fn hall(boards: usize) -> Hall {
    let dir = tempfile::tempdir().unwrap();
    let mut hub = HubProcess::start(&flagfall(), dir.path(), None, &[]).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    let clocks = arbiter.furnish(boards, "5m+3s").await.unwrap();
    Hall {
        dir,
        hub,
        at,
        arbiter,
        clocks,
    }
}

fn flagfall() -> PathBuf {
    program("flagfall").unwrap()
}

async fn play(at: Addresses, clocks: &[Identity]) -> Swarm {
    let config = SwarmConfig {
        hub: at.listen.to_string(),
        identities: clocks.to_vec(),
        players: Players::Endless(Pace::Blitz),
        seed: 1,
        journals: Journals::Memory,
        record: true,
        endpoints: 1,
    };
    let swarm = Swarm::start(config).await.unwrap();
    tokio::time::timeout(READY_WITHIN, swarm.connected())
        .await
        .unwrap();
    swarm
}

async fn until(swarm: &Swarm, what: &str, holds: impl Fn(Counts) -> bool) {
    let look = async {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while !holds(swarm.counts()) {
            look.tick().await;
        }
    };
    let came = tokio::time::timeout(Duration::from_secs(60), look).await;
    assert!(
        came.is_ok(),
        "waited a minute for {what}: {:?}",
        swarm.counts()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn faulty_clocks_do_not_disturb_an_honest_one_in_play() {
    let mut hall = hall(3).await;
    let authority = hall.clocks[0].enrolment.authority_der.clone();
    let honest = play(hall.at, &hall.clocks[..1]).await;
    let hello = Hello {
        major: proto::MAJOR,
        firmware: "a test".to_owned(),
        next_seq: 1,
        boot: vec![1; 16],
        ..Hello::default()
    };
    let hello = encode_prefixed(&AgentFrame {
        frame: Some(Frame::Hello(hello)),
    })
    .unwrap();
    let after_hello = |rest: &[u8]| [hello.as_slice(), rest].concat();
    let wrong: [(&str, Vec<u8>); 5] = [
        ("noise", (0..=255).rev().collect()),
        (
            "a frame longer than any may be, announced",
            vec![0xff, 0xff, 1, 2, 3],
        ),
        (
            "noise after an honest hello",
            after_hello(&[0, 9, 0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 0, 0]),
        ),
        (
            "an event as long as an order",
            after_hello(&[&[0x0f, 0xff][..], &[7; 4095]].concat()),
        ),
        ("a second hello", after_hello(&hello)),
    ];
    for (index, (what, bytes)) in wrong.iter().enumerate() {
        let mad = &hall.clocks[1 + index % 2];
        let mut stranger = Stranger::connect(hall.at.listen, mad, &authority)
            .await
            .unwrap();
        stranger.say(bytes).await;
        let ended = stranger
            .ended()
            .await
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let reason = ended.goodbye.as_ref().map(|goodbye| goodbye.reason());
        assert_eq!(reason, Some(GoodbyeReason::BadFrame), "{what}: {ended:?}");
    }
    let before = honest.counts().acknowledged;
    until(&honest, "three more presses", |counts| {
        counts.acknowledged >= before + 3
    })
    .await;
    assert!(
        honest.take_samples().iter().all(|sample| !sample.resent),
        "the honest clock has lost its link"
    );
    assert!(hall.arbiter.board("1").await.unwrap().online);
    honest.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_repeated_after_a_crash_has_one_effect_and_the_same_answer() {
    let mut hall = hall(1).await;
    let names = |white: &str| {
        Ask::Names(Names {
            white: white.to_owned(),
            black: "Grünfeld, Ernst".to_owned(),
            round: String::new(),
        })
    };
    let seen = hall.arbiter.board("1").await.unwrap().seq;
    let id = [7; 16];
    let first = hall
        .arbiter
        .send_as(&id, "1", seen, names("Bogoljubow, Efim"))
        .await
        .unwrap();
    assert_eq!(first.outcome(), Outcome::Done, "{}", first.refusal);
    let seq = hall.arbiter.board("1").await.unwrap().seq;
    hall.hub.kill().unwrap();
    let mut hub = HubProcess::start(&flagfall(), hall.dir.path(), Some(hall.at), &[]).unwrap();
    hub.ready(READY_WITHIN).unwrap();
    let mut arbiter = Arbiter::connect(hall.at.listen, hall.dir.path())
        .await
        .unwrap();
    // The same id with different content must be refused and must change nothing.
    let other = arbiter.send_as(&id, "1", seen, names("Somebody, Else"));
    let refused = other.await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument, "{refused}");
    let again = arbiter
        .send_as(&id, "1", seen, names("Bogoljubow, Efim"))
        .await
        .unwrap();
    assert_eq!(
        (again.outcome(), again.refusal),
        (first.outcome(), first.refusal)
    );
    let board = arbiter.board("1").await.unwrap();
    assert_eq!(
        (board.white.unwrap().name.as_str(), board.seq),
        ("Bogoljubow, Efim", seq)
    );
}

/// Renames the players of board 1 until a call fails for a reason other than a stale view. Returns the error.
async fn rename_until_refused(arbiter: &mut Arbiter) -> String {
    loop {
        let seen = match arbiter.board("1").await {
            Ok(board) => board.seq,
            Err(error) => return error.to_string(),
        };
        let names = Names {
            white: "W".repeat(60),
            black: "B".repeat(60),
            round: String::new(),
        };
        match tokio::time::timeout(READY_WITHIN, arbiter.send("1", seen, Ask::Names(names))).await {
            Ok(Ok(_)) => (),
            Ok(Err(status)) if status.code() == tonic::Code::FailedPrecondition => (),
            Ok(Err(status)) => return status.to_string(),
            Err(late) => return late.to_string(),
        }
    }
}

fn hub_on(disk: &SmallDisk, at: Option<Addresses>) -> (HubProcess, Addresses) {
    let mut command = disk.enter();
    command.arg(flagfall());
    let mut hub = HubProcess::serve(&mut command, &disk.inside().join("data"), at, &[]).unwrap();
    let at = hub.ready(READY_WITHIN).unwrap();
    (hub, at)
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_the_hub_stops_acknowledging_says_so_and_loses_nothing() {
    let mount = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(mount.path(), "96m").unwrap();
    let data = disk.path().join("data");
    let (mut hub, at) = hub_on(&disk, None);
    let mut arbiter = Arbiter::connect(at.listen, &data).await.unwrap();
    let clocks = arbiter.furnish(20, "5m+3s").await.unwrap();
    let swarm = play(at, &clocks).await;
    until(&swarm, "presses", |counts| counts.acknowledged >= 60).await;

    // A video fills the disk. Then renamed players use up the space that the log has reserved.
    let video = disk.fill().unwrap();
    let refusal = rename_until_refused(&mut arbiter).await;
    assert!(
        refusal.contains("disk is full"),
        "the arbiter is not told why: {refusal}"
    );
    until(&swarm, "unacknowledged presses", |counts| {
        counts.unacknowledged >= 40
    })
    .await;
    let said = hub.said();
    assert!(
        said.contains("disk is full"),
        "the hub does not say so: {said}"
    );

    // The log holds everything that was acknowledged, although the players have kept playing.
    hub.kill();
    let evidence = Evidence::of(&data).unwrap();
    for sample in swarm.take_samples() {
        let key = (clocks[sample.agent].keys.agent_id().0.to_vec(), sample.seq);
        assert!(
            evidence.events.contains_key(&key),
            "event {} of board {} is lost",
            sample.seq,
            sample.agent + 1
        );
    }

    // With space on the disk again and the hub restarted, every event arrives exactly once.
    std::fs::remove_file(&video).unwrap();
    let (mut hub, _) = hub_on(&disk, Some(at));
    tokio::time::timeout(Duration::from_secs(60), swarm.drain())
        .await
        .unwrap();
    let reports = swarm.stop().await;
    hub.stop().unwrap();
    let evidence = Evidence::of(&data).unwrap();
    assert_eq!(evidence.doubled(), Vec::<String>::new());
    for report in reports {
        let hubs = evidence.hall.clock_bytes(&report.board).unwrap();
        same_clock(&hubs, &report.clock.unwrap())
            .unwrap_or_else(|what| panic!("board {}: {what}", report.board));
    }
}
