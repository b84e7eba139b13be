//! The keys of a hall: renewed certificates, a new authority, a new key for the log, two machines with one identity, and the enrolment of two hundred
//! clocks. Runs the real programs, and checks what clocks and arbiters see.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clock_agent::enrol::enrol_over;
use clock_agent::identity::{Enrolment, Identity, Keys};
use clock_agent::links::quic::Dialer;
use hub::identity::{AUTHORITY_FILE, Authority, FORMER_AUTHORITY_FILE};
use proto::enrolment::EnrolmentCode;
use serde_json::Value;
use tests::rig::{Addresses, Arbiter, Cli, HubProcess, program, until};
use tests::stopwatch::Stopwatch;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const PATIENCE: Duration = Duration::from_secs(60);
const DAY_S: u64 = 24 * 60 * 60;

struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    at: Addresses,
    clocks: Vec<Identity>,
}

impl Hall {
    async fn open(boards: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &[]).unwrap();
        let at = hub.ready(PATIENCE).unwrap();
        let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
        let clocks = arbiter.furnish(boards, "90m").await.unwrap();
        Self {
            dir,
            hub,
            at,
            clocks,
        }
    }

    fn restart(&mut self, meanwhile: impl FnOnce(&Path)) {
        self.hub.stop().unwrap();
        meanwhile(self.dir.path());
        let flagfall = program("flagfall").unwrap();
        self.hub = HubProcess::start(&flagfall, self.dir.path(), Some(self.at), &[]).unwrap();
        self.hub.ready(PATIENCE).unwrap();
    }

    fn cli(&self) -> Cli {
        Cli::new(
            &program("flagfall").unwrap(),
            self.at.listen,
            self.dir.path(),
        )
    }

    /// Returns clock `number` (counted from 0) as `ctl agents` lists it.
    fn agent(&self, number: usize) -> Option<Value> {
        let key = self.clocks[number].keys.agent_id().to_string();
        let agents = self.cli().json(&["ctl", "agents"]).ok()?;
        agents
            .into_iter()
            .find(|agent| agent["key"] == key.as_str())
    }

    #[track_caller]
    fn wait_for(&self, what: &str, number: usize, holds: impl Fn(&Value) -> bool) {
        until(PATIENCE, what, || self.agent(number).filter(&holds))
            .unwrap_or_else(|what| panic!("{what}: {:?}", self.agent(number)));
    }

    fn clock(&self, state: &Path) -> HubProcess {
        let mut command = Command::new(program("clock-agent").unwrap());
        command.args(["run", "--buttons", "none", "--face", "none", "--hub"]);
        command.arg(self.at.listen.to_string()).arg("--state");
        command
            .arg(state)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        HubProcess::spawn(&mut command).unwrap()
    }

    fn authority(&self) -> Authority {
        let pem = std::fs::read_to_string(self.dir.path().join(AUTHORITY_FILE)).unwrap();
        Authority::from_pem(&pem).unwrap()
    }
}

fn saved(identity: &Identity) -> tempfile::TempDir {
    let state = tempfile::tempdir().unwrap();
    identity.save(state.path()).unwrap();
    state
}

#[track_caller]
fn stored(
    what: &str,
    clock: &HubProcess,
    state: &Path,
    holds: impl Fn(&Enrolment) -> bool,
) -> Enrolment {
    until(PATIENCE, what, || {
        Enrolment::load(state).ok()?.filter(&holds)
    })
    .unwrap_or_else(|what| panic!("{what}; the clock said: {}", clock.said()))
}

fn is_online(agent: &Value) -> bool {
    agent["online"] == true
}

fn now_s() -> u64 {
    let output = Command::new("date").arg("+%s").output().unwrap();
    String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_near_its_end_is_renewed_over_the_clocks_own_link() {
    let hall = Hall::open(2).await;
    let agent = hall.clocks[0].keys.agent_id();
    let near = hall
        .authority()
        .issue_agent_until(&agent, Some(now_s() + 20 * DAY_S))
        .unwrap();
    let mut identity = hall.clocks[0].clone();
    identity.enrolment.certificate_der = near.certificate.to_vec();
    let state = saved(&identity);

    let clock = hall.clock(state.path());
    let renewed = stored("a new certificate", &clock, state.path(), |now| {
        now.certificate_der != identity.enrolment.certificate_der
    });
    assert_eq!(renewed.authority_der, identity.enrolment.authority_der);
    hall.wait_for("the clock online", 0, is_online);
    drop(clock);
    hall.wait_for("the clock offline", 0, |agent| !is_online(agent));

    // The hub accepts the renewed certificate and does not renew it again.
    let clock = hall.clock(state.path());
    hall.wait_for("the clock online again", 0, is_online);
    drop(clock);
    let again = Enrolment::load(state.path()).unwrap().unwrap();
    assert_eq!(again.certificate_der, renewed.certificate_der);

    // The hub refuses an expired certificate, and the clock's message names the date.
    let agent = hall.clocks[1].keys.agent_id();
    let ended = hall
        .authority()
        .issue_agent_until(&agent, Some(now_s() - DAY_S))
        .unwrap();
    let mut identity = hall.clocks[1].clone();
    identity.enrolment.certificate_der = ended.certificate.to_vec();
    let state = saved(&identity);
    let clock = hall.clock(state.path());
    until(PATIENCE, "the refusal", || {
        clock
            .said()
            .contains("this clock's certificate expired on")
            .then_some(())
    })
    .unwrap_or_else(|what| panic!("{what}: {}", clock.said()));
    assert!(!is_online(&hall.agent(1).unwrap()));
}

fn roll(dir: &Path) -> String {
    let output = Command::new(program("flagfall").unwrap())
        .arg("roll-authority")
        .arg("--data-dir")
        .arg(dir)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_authority_changes_and_no_clock_enrols_again() {
    let mut hall = Hall::open(3).await;
    let states: Vec<_> = hall.clocks.iter().map(saved).collect();
    let former = hall.authority().certificate().to_vec();
    let present = hall.clock(states[0].path());
    hall.wait_for("the first clock online", 0, is_online);

    let mut running = Command::new(program("flagfall").unwrap());
    running.arg("roll-authority").arg("--data-dir");
    let refused = running.arg(hall.dir.path()).output().unwrap();
    assert_eq!(refused.status.code(), Some(1), "the hub is running");

    hall.restart(|dir| {
        let said = roll(dir);
        assert!(said.contains("current   "), "{said}");
    });
    let current = hall.authority().certificate().to_vec();
    assert_ne!(current, former);
    let took_it = |now: &Enrolment| now.authority_der == current;
    stored("the new authority", &present, states[0].path(), took_it);
    hall.wait_for("the first clock online after the change", 0, is_online);

    // A clock that was offline during the change returns while the hub still knows the former authority.
    let late = hall.clock(states[1].path());
    stored("the new authority", &late, states[1].path(), took_it);

    hall.restart(|dir| {
        // Let the time during which the hub accepts the former authority run out.
        let path = dir.join(FORMER_AUTHORITY_FILE);
        let mut kept: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        kept["until_us"] = 0.into();
        std::fs::write(&path, kept.to_string()).unwrap();
    });
    hall.wait_for("the first clock online after the end", 0, is_online);
    hall.wait_for("the second clock online after the end", 1, is_online);
    assert!(!hall.dir.path().join(FORMER_AUTHORITY_FILE).exists());
    let absent = hall.clock(states[2].path());
    until(PATIENCE, "the refusal", || {
        absent.said().contains("enrol again").then_some(())
    })
    .unwrap_or_else(|what| panic!("{what}: {}", absent.said()));
    assert!(!is_online(&hall.agent(2).unwrap()));

    hall.hub.stop().unwrap();
    let replay = Command::new(program("flagfall").unwrap())
        .arg("replay")
        .arg(hall.dir.path())
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&replay.stdout);
    let named = lines.matches("with the new authority").count();
    assert_eq!(named, 1, "the log names it: {lines}");
}

fn announced(hall: &Hall, said: &[&str]) -> String {
    let said = hall.cli().json(said).unwrap();
    said[0]["key"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stored_checkpoints_stay_valid_when_the_logs_key_changes() {
    let mut hall = Hall::open(1).await;
    let state = saved(&hall.clocks[0]);
    let files = tempfile::tempdir().unwrap();
    let path = |name: &str| files.path().join(name).to_string_lossy().into_owned();
    let clock = hall.clock(state.path());
    let kept_by_clock = |holds: &str| {
        let files = std::fs::read_dir(state.path()).unwrap();
        let mut names = files.map(|file| file.unwrap().path());
        let kept = names.find(|path| path.extension().is_some_and(|end| end == "checkpoint"));
        let text = std::fs::read_to_string(kept?).ok()?;
        text.starts_with(holds).then_some(())
    };
    let checkpoint = ["ctl", "checkpoint"];
    let former = announced(&hall, &checkpoint);
    until(PATIENCE, "the clock keeps a checkpoint", || {
        kept_by_clock(&former)
    })
    .unwrap();
    let kept = path("kept.txt");
    let keep = ["ctl", "checkpoint", "--file", kept.as_str()];
    hall.cli().done(&keep).unwrap();

    hall.restart(|dir| {
        let rolled = Command::new(program("flagfall").unwrap())
            .args(["roll-log-key", "--data-dir"])
            .arg(dir)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&rolled.stdout);
        assert!(said.contains(&former), "{said}");
    });
    let current = announced(&hall, &checkpoint);
    assert_ne!(current, former);
    // The restart adds a record, so the clock receives a newer checkpoint, signed with the new key.
    until(PATIENCE, "the clock takes the new key", || {
        kept_by_clock(&current)
    })
    .unwrap_or_else(|what| panic!("{what}: {}", clock.said()));
    assert!(
        !clock.said().contains("does not continue"),
        "{}",
        clock.said()
    );
    hall.cli().done(&keep).unwrap();

    let file = path("all.evidence");
    hall.cli().done(&["export", "-o", &file]).unwrap();
    let verified = |key: &str, kept: &[&str]| {
        let mut verify = Command::new(program("flagfall-verify").unwrap());
        let done = verify.args([&file, "--key", key]).args(kept).output();
        done.unwrap().status.code()
    };
    let kept = ["--kept", kept.as_str()];
    assert_eq!(verified(&former, &kept), Some(0), "the announced key");
    assert_eq!(verified(&current, &kept), Some(0), "the new key");
    let other = tempfile::tempdir().unwrap();
    let name = former.split('+').next().unwrap();
    let other = hub::identity::log_signer(other.path(), name).unwrap();
    let other = other.verifier().to_string();
    assert_eq!(verified(&other, &[]), Some(1), "another key");
}

/// Copies a state directory, as copying the clock's SD card would.
fn copied(state: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let status = Command::new("cp")
        .arg("-a")
        .arg(format!("{}/.", state.display()))
        .arg(copy.path())
        .status()
        .unwrap();
    assert!(status.success());
    copy
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copied_card_gets_no_link_and_the_arbiter_learns_of_it() {
    let hall = Hall::open(1).await;
    let state = saved(&hall.clocks[0]);
    // Run the clock once, so that the copied card is that of a clock in use.
    let first = hall.clock(state.path());
    hall.wait_for("the clock online", 0, is_online);
    drop(first);
    hall.wait_for("the clock offline", 0, |agent| !is_online(agent));
    let copy = copied(state.path());

    let clock = hall.clock(state.path());
    hall.wait_for("the clock online again", 0, is_online);
    let intruder = hall.clock(copy.path());
    hall.wait_for("a note about the second link", 0, |agent| {
        agent["alerts"].to_string().contains("second_link")
    });
    until(PATIENCE, "the refusal on the copy", || {
        intruder.said().contains("connected twice").then_some(())
    })
    .unwrap_or_else(|what| panic!("{what}: {}", intruder.said()));
    assert!(is_online(&hall.agent(0).unwrap()));
    assert!(
        !clock.said().contains("connected twice"),
        "the clock itself keeps its link: {}",
        clock.said()
    );
}

fn printed_code(command: &mut std::process::Child) -> EnrolmentCode {
    let mut line = String::new();
    let mut out = BufReader::new(command.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    // Drain the rest of the output: the command prints a line for each clock, and would block on a full pipe.
    std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
    let said: Value = serde_json::from_str(&line).unwrap();
    said["uri"].as_str().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clocks_enrol_with_one_command() {
    const CLOCKS: usize = 200;
    let hall = Hall::open(0).await;
    hall.cli().done(&["ctl", "add", "1-200", "90m"]).unwrap();
    let mut command = Command::new(program("flagfall").unwrap());
    command.args(["enrol", "--clocks", "200", "--boards", "1-200"]);
    command.args(["--admit-all", "--json", "--hub"]);
    command.arg(hall.at.listen.to_string()).arg("--data-dir");
    command.arg(hall.dir.path()).stdin(Stdio::null());
    let started = Stopwatch::start();
    let mut command = command.stdout(Stdio::piped()).spawn().unwrap();
    let code = printed_code(&mut command);

    let dialer = Arc::new(Dialer::open().unwrap());
    // Stay below the hub's limit of 64 simultaneous enrolments from one address. A clock that waits for admission no longer counts.
    let places = Arc::new(Semaphore::new(32));
    let mut clocks = JoinSet::new();
    for number in 0..CLOCKS {
        let (dialer, places, code) = (dialer.clone(), places.clone(), code.clone());
        clocks.spawn(async move {
            let mut place = Some(places.acquire_owned().await.unwrap());
            let keys = Keys::generate().unwrap();
            let name = format!("clock {number}");
            let show = |_: &str| drop(place.take());
            enrol_over(&dialer, &keys, &code, &name, show)
                .await
                .unwrap()
        });
    }
    let mut boards = BTreeSet::new();
    while let Some(enrolled) = clocks.join_next().await {
        boards.insert(enrolled.unwrap().board);
    }
    let took = started.elapsed();
    let ended = tokio::task::spawn_blocking(move || command.wait()).await;
    assert!(ended.unwrap().unwrap().success());
    assert_eq!(boards.len(), CLOCKS, "each clock has a board of its own");
    assert_eq!(hall.cli().json(&["ctl", "agents"]).unwrap().len(), CLOCKS);
    println!("{CLOCKS} clocks enrolled with one command and no typing at a clock: {took:.1?}");
}
