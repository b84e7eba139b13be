//! What people and machines get wrong, through the real programs: each mistake is refused in words, and nothing else notices.
//!
//! A full disk, a failing one, killed and cut-off logs are tried where the log is, in `hub/tests/`.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig};
use proto::frame::encode_prefixed;
use proto::grpc::command_request::Command as Ask;
use proto::grpc::{AddTime, Names, Outcome, SetTime, Side};
use proto::wire::{AgentFrame, GoodbyeReason, Hello, agent_frame::Frame};
use tests::rig::{Addresses, Arbiter, HubProcess, Stranger, program};

const READY_WITHIN: Duration = Duration::from_secs(20);

/// A hub with boards and enrolled clocks, in a directory of its own.
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

fn flagfall() -> std::path::PathBuf {
    program("flagfall").unwrap()
}

/// `flagfall serve` that cannot start: its output, when it has ended by itself.
fn refused(dir: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(flagfall());
    command.args(["serve", "--metrics", "off", "--mdns", "false"]);
    for (name, free) in [("--listen", "127.0.0.1:0"), ("--http", "127.0.0.1:0")] {
        if !more.contains(&name) {
            command.args([name, free]);
        }
    }
    command
        .arg("--data-dir")
        .arg(dir)
        .args(more)
        .output()
        .unwrap()
}

#[track_caller]
fn says(output: &Output, code: i32, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "{word:?} is not in: {said}");
    }
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hub.toml");
    std::fs::write(
        &file,
        "event_name = \"Open\"\nlisten_adress = \"127.0.0.1:0\"\nrund = 3\n",
    )
    .unwrap();
    let output = refused(dir.path(), &["--config", file.to_str().unwrap()]);
    says(&output, 2, &["hub.toml:2:1", "listen_adress"]);
    std::fs::write(&file, "rund = 3\n").unwrap();
    let output = refused(dir.path(), &["--config", file.to_str().unwrap()]);
    says(&output, 2, &["hub.toml:1:1", "rund", "round"]);
}

#[test]
fn a_malformed_control_is_refused_with_its_column() {
    let dir = tempfile::tempdir().unwrap();
    says(
        &refused(dir.path(), &["--control", "40/90m+30"]),
        2,
        &["--control", "column 8"],
    );
    says(
        &refused(dir.path(), &["--control", "90"]),
        2,
        &["column 1", "90m or 90s"],
    );
    assert!(
        !dir.path().join("format").exists(),
        "a hub that does not understand its settings has touched the disk"
    );
}

#[test]
fn a_port_in_use_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let http = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = http.local_addr().unwrap().to_string();
    says(
        &refused(dir.path(), &["--http", &address]),
        1,
        &[&address, "in use"],
    );
    let clocks = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = clocks.local_addr().unwrap().to_string();
    says(
        &refused(dir.path(), &["--listen", &address]),
        1,
        &[&address, "in use"],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_directory_in_use_is_refused_and_its_hub_does_not_notice() {
    let mut hall = hall(1).await;
    let pid = format!("pid {}", hall.hub.pid());
    let output = refused(hall.dir.path(), &[]);
    says(&output, 1, &["in use by another hub", &pid, "--data-dir"]);
    assert_eq!(hall.arbiter.hall().await.unwrap().boards.len(), 1);
}

#[test]
fn a_data_directory_of_a_newer_version_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut hub = HubProcess::start(&flagfall(), dir.path(), None, &[]).unwrap();
    hub.ready(READY_WITHIN).unwrap();
    hub.stop().unwrap();
    std::fs::write(
        dir.path().join("format"),
        "flagfall data directory, format 99\n",
    )
    .unwrap();
    let listed = |dir: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = listed(dir.path());
    says(
        &refused(dir.path(), &[]),
        1,
        &["format 99", "nothing was changed"],
    );
    assert_eq!(listed(dir.path()), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_closes_its_own_connection_and_no_other() {
    let mut hall = hall(3).await;
    let authority = hall.clocks[0].enrolment.authority_der.clone();
    // Board 1 has an honest clock whose players press; boards 2 and 3 have clocks that have gone mad.
    let swarm = Swarm::start(SwarmConfig {
        hub: hall.at.listen.to_string(),
        identities: vec![hall.clocks[0].clone()],
        players: Players::Endless(Pace::Blitz),
        seed: 1,
        journals: Journals::Memory,
        record: true,
        endpoints: 1,
    })
    .await
    .unwrap();
    swarm.connected().await;
    let hello = encode_prefixed(&AgentFrame {
        frame: Some(Frame::Hello(hello(proto::MAJOR))),
    })
    .unwrap();
    let after_hello = |rest: &[u8]| [hello.as_slice(), rest].concat();
    let wrong: [(&str, Vec<u8>); 6] = [
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
            "a frame of an unknown kind",
            after_hello(&[0, 3, 0xfa, 0x07, 0]),
        ),
        (
            "an event as long as an order",
            after_hello(&[&[0x0f, 0xff][..], &[7; 4095]].concat()),
        ),
        ("a second hello", after_hello(&hello)),
    ];
    for (index, (what, bytes)) in wrong.iter().enumerate() {
        let clock = &hall.clocks[1 + index % 2];
        let mut stranger = Stranger::connect(hall.at.listen, clock, &authority)
            .await
            .unwrap();
        stranger.say(bytes).await;
        let ended = stranger
            .ended()
            .await
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let reason = ended.goodbye.map(|goodbye| goodbye.reason());
        assert!(
            reason == Some(GoodbyeReason::BadFrame)
                || ended
                    .why
                    .contains(&format!("{}", GoodbyeReason::BadFrame as i32)),
            "{what}: {reason:?}, {}",
            ended.why
        );
    }
    // The honest clock has lost neither its link nor a press.
    let before = swarm.counts().acknowledged;
    let more = async {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while swarm.counts().acknowledged < before + 3 {
            look.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), more)
        .await
        .unwrap();
    assert!(
        swarm.take_samples().iter().all(|sample| !sample.resent),
        "the honest clock's link was lost"
    );
    assert!(hall.arbiter.board("1").await.unwrap().online);
    swarm.stop().await;
}

fn hello(major: u32) -> Hello {
    Hello {
        major,
        firmware: "a test".to_owned(),
        next_seq: 1,
        boot: vec![1; 16],
        ..Hello::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_major_version_is_closed_politely() {
    let hall = hall(1).await;
    let clock = &hall.clocks[0];
    let mut stranger = Stranger::connect(hall.at.listen, clock, &clock.enrolment.authority_der)
        .await
        .unwrap();
    let frame = AgentFrame {
        frame: Some(Frame::Hello(hello(proto::MAJOR + 41))),
    };
    stranger.say(&encode_prefixed(&frame).unwrap()).await;
    let goodbye = stranger
        .ended()
        .await
        .unwrap()
        .goodbye
        .expect("no reason given");
    assert_eq!(goodbye.reason(), GoodbyeReason::Version);
    assert!(
        goodbye.text.contains(&(proto::MAJOR + 41).to_string()),
        "{}",
        goodbye.text
    );
    assert!(
        hall.hub.said().contains(&goodbye.text),
        "the hub does not log {:?}: {}",
        goodbye.text,
        hall.hub.said()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_of_another_hub_is_refused_with_a_reason_at_both_ends() {
    let (ours, theirs) = tokio::join!(hall(1), hall(1));
    let foreign = &theirs.clocks[0];
    // It would trust our hub; our hub does not know its certificate.
    let authority = &ours.clocks[0].enrolment.authority_der;
    let why = match Stranger::connect(ours.at.listen, foreign, authority).await {
        Err(refusal) => format!("{refusal:#}"),
        // TLS 1.3 lets a client begin before its certificate has been judged.
        Ok(stranger) => stranger.ended().await.unwrap().why,
    };
    assert!(
        why.contains("another hub"),
        "the clock is not told why: {why}"
    );
    assert!(
        ours.hub.said().contains("another hub"),
        "the hub does not log why: {}",
        ours.hub.said()
    );
    // And an honest clock of another hub does not trust ours.
    let untrusting =
        Stranger::connect(ours.at.listen, foreign, &foreign.enrolment.authority_der).await;
    assert!(
        untrusting.is_err(),
        "a clock has spoken to a hub that is not its own"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_command_has_one_effect_and_the_same_answer() {
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
    assert_eq!(first.outcome(), Outcome::Done);
    let seq = hall.arbiter.board("1").await.unwrap().seq;
    // The same id again, even with other words in it: the first answer, and nothing happens.
    let again = hall
        .arbiter
        .send_as(&id, "1", seen, names("Somebody, Else"))
        .await
        .unwrap();
    assert_eq!(
        (again.outcome(), &again.refusal),
        (first.outcome(), &first.refusal)
    );
    let board = hall.arbiter.board("1").await.unwrap();
    assert_eq!(board.white.unwrap().name, "Bogoljubow, Efim");
    assert_eq!(board.seq, seq, "a repeated command has changed the board");
    // Also after the hub has been killed.
    hall.hub.kill().unwrap();
    let mut hub = HubProcess::start(&flagfall(), hall.dir.path(), Some(hall.at), &[]).unwrap();
    hub.ready(READY_WITHIN).unwrap();
    let mut arbiter = Arbiter::connect(hall.at.listen, hall.dir.path())
        .await
        .unwrap();
    let again = arbiter
        .send_as(&id, "1", seen, names("Somebody, Else"))
        .await
        .unwrap();
    assert_eq!(again.outcome(), Outcome::Done);
    assert_eq!(
        arbiter.board("1").await.unwrap().white.unwrap().name,
        "Bogoljubow, Efim"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_command_is_refused_with_what_changed() {
    let mut hall = hall(1).await;
    // The board's own clock is away; the hub may still correct a clock that does not run.
    let seen = hall.arbiter.board("1").await.unwrap().seq;
    let add = Ask::AddTime(AddTime {
        side: Side::White.into(),
        by_us: 120_000_000,
    });
    let set = Ask::SetTime(SetTime {
        side: Side::White.into(),
        to_us: 60_000_000,
    });
    let done = hall.arbiter.send("1", seen, add).await.unwrap();
    assert_eq!(done.outcome(), Outcome::Done, "{}", done.refusal);
    let before = hall.arbiter.board("1").await.unwrap();
    let words = match hall.arbiter.send("1", seen, set).await {
        Ok(reply) => {
            assert_eq!(reply.outcome(), Outcome::Refused);
            reply.refusal
        }
        Err(status) => {
            assert_eq!(status.code(), tonic::Code::FailedPrecondition, "{status}");
            status.message().to_owned()
        }
    };
    assert!(
        words.contains("White"),
        "it does not say what changed: {words}"
    );
    let after = hall.arbiter.board("1").await.unwrap();
    assert_eq!(after.white, before.white);
}
