//! Links between clocks and a real hub process: QUIC, and Bluetooth LE through a gateway. The clocks and the gateway are real except
//! for their radios, whose connections the test simulates.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod air;
mod cable;
mod hall;
mod hostile;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clock_agent::enrol::enrol_over_ble;
use clock_agent::identity::{Enrolment, Identity, Keys};
use clock_agent::links::HubRoute;
use clock_agent::links::ble::peripheral::{AdvertisedClock, RadioError};
use clock_agent::links::ble::{BleConnector, Radio, Values};
use clock_agent::links::quic::{HubLocation, QuicConnector};
use clock_agent::swarm::Swarm;
use hub::gateway::{enrol, new_key};
use proto::grpc::{CreateEnrolmentCodeRequest, ListAgentsRequest, RevokeDeviceRequest};
use serde_json::Value;
use tests::rig::{Cli, HubProcess, program, until};
use tokio::sync::mpsc;

use air::{Air, honest};
use cable::Cable;
use hall::{Hall, Reach, clocks, played, within};

const PATIENCE: Duration = Duration::from_secs(120);
/// Bytes in a value at the minimum MTU of 23.
const NARROW: usize = 20;
/// Bytes in a value at a common MTU of 185.
const USUAL: usize = 182;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_moves_from_quic_to_bluetooth_and_back_without_a_lost_or_doubled_press() {
    let mut hall = Hall::open(2).await;
    let far = hall.badge("far corner").await;
    let gateway = hall.gateway(&far).await;
    let air = Air::default();
    let _radio = air.listen(gateway.uplink().clone(), USUAL, honest());
    let cable = Cable::to(hall.at.listen).await;
    let swarm = clocks(&hall.clocks, Reach::Auto, cable.address(), &air).await;
    played(&swarm, 10).await;
    hall.all_speak("QUIC", |agent| agent.link.starts_with("127.0.0.1:"))
        .await;

    cable.cut(true);
    hall.all_speak("Bluetooth LE", |agent| {
        agent.online && agent.link.starts_with("gateway far corner, air0 ")
    })
    .await;
    played(&swarm, 20).await;

    cable.cut(false);
    hall.all_speak("QUIC again", |agent| {
        agent.online && agent.link.starts_with("127.0.0.1:")
    })
    .await;
    played(&swarm, 20).await;
    hall.check(vec![swarm]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_hub_at_the_known_address_does_not_prevent_bluetooth() {
    let mut hall = Hall::open(1).await;
    let stranger = Hall::open(1).await;
    let far = hall.badge("far corner").await;
    let gateway = hall.gateway(&far).await;
    let air = Air::default();
    let _radio = air.listen(gateway.uplink().clone(), USUAL, honest());
    let swarm = clocks(&hall.clocks, Reach::Auto, stranger.at.listen, &air).await;
    played(&swarm, 30).await;
    hall.check(vec![swarm]).await;
}

struct NoRadio(Arc<AtomicUsize>);

impl Radio for NoRadio {
    async fn next(&mut self, _: &AdvertisedClock) -> Result<Values, RadioError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(RadioError::Off)
    }

    fn off(&mut self) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_without_a_radio_keeps_trying_quic() {
    let hall = Hall::open(1).await;
    let cable = Cable::to(hall.at.listen).await;
    cable.cut(true);
    let asked = Arc::new(AtomicUsize::new(0));
    let config = hall::swarm_config(&hall.clocks, cable.address());
    let swarm = Swarm::start_with(config, |identity, dialer, hub| {
        let hub = HubLocation::At(hub.clone());
        let quic = QuicConnector::new(identity, dialer, hub, Box::new(|_| ()))?;
        let radio = NoRadio(asked.clone());
        let ble = BleConnector::new(identity, radio, || None, hall::key(identity));
        Ok(HubRoute::auto(quic, ble))
    });
    let swarm = swarm.await.unwrap();
    let without = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while asked.load(Ordering::SeqCst) < 3 {
            look.tick().await;
        }
    };
    within("a radio that is not there", without).await;
    cable.cut(false);
    within("QUIC", swarm.connected()).await;
    played(&swarm, 30).await;
    hall.check(vec![swarm]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_of_a_far_corner_enrol_and_play_through_a_gateway() {
    let mut hall = Hall::open(3).await;
    let far = hall.badge("far corner").await;
    let gateway = hall.gateway(&far).await;
    let air = Air::default();
    let radio = air.listen(gateway.uplink().clone(), NARROW, honest());

    // Board 3 gets a new clock, which reaches the hub only through the gateway.
    let fresh = enrolled_through_the_air(&mut hall, &air, "3").await;
    assert_eq!(fresh.enrolment.board, "3");
    hall.clocks[2] = fresh;
    let swarm = clocks(&hall.clocks, Reach::Ble, hall.at.listen, &air).await;
    played(&swarm, 20).await;
    // The former clock of board 3 has no board, and has never connected.
    hall.all_speak("the gateway, with a proven offset", |agent| {
        let half = agent.offset_uncertainty_us;
        agent.board.is_empty()
            || (agent.link.starts_with("gateway far corner, air0 ")
                && half.is_some_and(|half| half > 0))
    })
    .await;
    let mut devices = hall.devices().await;
    devices.retain(|device| device.device.starts_with("g-"));
    let listed: Vec<_> = devices
        .iter()
        .map(|d| (&*d.name, &*d.role, d.signed_in))
        .collect();
    assert_eq!(listed, [("far corner", "gateway", true)]);

    // If a gateway fails, only its links are lost: the games go on through its replacement.
    drop(radio);
    gateway.stop().await;
    hall.all_speak("silence", |agent| agent.link.is_empty())
        .await;
    let gateway = hall.gateway(&far).await;
    let radio = air.listen(gateway.uplink().clone(), USUAL, honest());
    within("connected again", swarm.connected()).await;
    played(&swarm, 20).await;

    // The gateway reconnects after the hub has restarted.
    hall.hub.kill().unwrap();
    within("the hub is missed", gateway.uplink().until(false)).await;
    hall.start_again().await;
    within("the hub is back", gateway.uplink().until(true)).await;
    within("connected after the hub", swarm.connected()).await;
    played(&swarm, 20).await;

    // The hub disconnects a revoked gateway.
    let request = RevokeDeviceRequest {
        device: devices[0].device.clone(),
        reason: String::new(),
    };
    let revoked = hall.arbiter.client().revoke_device(request).await.unwrap();
    assert_eq!(revoked.into_inner().revoked_by, "chief");
    within("cut off", gateway.uplink().until(false)).await;
    hall.all_speak("silence", |agent| agent.link.is_empty())
        .await;
    drop(radio);
    gateway.stop().await;

    let other = hall.badge("near corner").await;
    let gateway = hall.gateway(&other).await;
    let _radio = air.listen(gateway.uplink().clone(), USUAL, honest());
    within("connected elsewhere", swarm.connected()).await;
    played(&swarm, 20).await;
    hall.check(vec![swarm]).await;
}

/// Enrols a clock over Bluetooth LE: the clock shows a pairing code, and an arbiter types it.
async fn enrolled_through_the_air(hall: &mut Hall, air: &Air, board: &str) -> Identity {
    let keys = Keys::generate().unwrap();
    let (show, mut shown) = mpsc::unbounded_channel();
    let (own, mut radio) = (keys.clone(), air.radio());
    let enrolling = tokio::spawn(async move {
        let show = move |code: &proto::ble::PairingCode| show.send(code.to_string()).unwrap();
        enrol_over_ble(&own, &mut radio, "fresh clock", Some(70), show).await
    });
    let pairing_code = shown.recv().await.unwrap();
    // The list of nearby clocks contains the clock before anyone has typed its code.
    let tag = keys.agent_id().short();
    let seen = async {
        let mut look = tokio::time::interval(Duration::from_millis(50));
        loop {
            look.tick().await;
            let reply = hall
                .arbiter
                .client()
                .list_agents(ListAgentsRequest {})
                .await;
            let nearby = reply.unwrap().into_inner().nearby;
            if let Some(clock) = nearby.iter().find(|clock| tag.starts_with(&clock.tag)) {
                return clock.adapter.clone();
            }
        }
    };
    assert_eq!(
        within("a clock in the air", seen).await,
        "gateway far corner, air0"
    );
    let request = CreateEnrolmentCodeRequest {
        board: board.to_owned(),
        pairing_code,
        ..CreateEnrolmentCodeRequest::default()
    };
    let reply = hall.arbiter.client().create_enrolment_code(request).await;
    assert_eq!(
        reply.unwrap().into_inner().agent,
        keys.agent_id().to_string()
    );
    let enrolment = enrolling.await.unwrap().unwrap();
    Identity { keys, enrolment }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enrolment_from_before_bluetooth_learns_the_hubs_key_over_quic() {
    let hall = Hall::open(1).await;
    let state = tempfile::tempdir().unwrap();
    let mut old = hall.clocks[0].clone();
    let key = std::mem::take(&mut old.enrolment.hub_exchange_key);
    old.save(state.path()).unwrap();
    let run = |link: &str| {
        let mut command = Command::new(program("clock-agent").unwrap());
        command.args(["run", "--buttons", "none", "--face", "none", "--link", link]);
        command.args(["--hub", &hall.at.listen.to_string(), "--state"]);
        command.arg(state.path()).stdin(Stdio::null());
        command
    };
    let refused = run("ble").output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(
        said.contains("run the clock once where it reaches the hub over QUIC"),
        "{said}"
    );

    let mut clock = run("quic")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let learnt = until(PATIENCE, "the hub's key", || {
        let now = Enrolment::load(state.path()).ok()??;
        (now.hub_exchange_key == key).then_some(now)
    });
    clock.kill().unwrap();
    clock.wait().unwrap();
    assert_eq!(learnt.unwrap(), hall.clocks[0].enrolment);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gateways_program_enrols_connects_and_stays_out_once_it_is_shut_out() {
    let hall = Hall::open(1).await;
    let flagfall = program("flagfall").unwrap();
    let cli = Cli::new(&flagfall, hall.at.listen, hall.dir.path());
    let made = cli.json(&["enrol", "--gateway", "far corner"]).unwrap();
    let code = made[0]["uri"].as_str().unwrap();
    let state = tempfile::tempdir().unwrap();
    let start = || gateway_program(&flagfall, state.path(), code);
    let mut gateway = start();
    let listed = until(PATIENCE, "a gateway", || signed_in(&cli, "far corner"));
    let listed = listed.unwrap_or_else(|why| panic!("{why}: {}", gateway.said()));
    assert_eq!(listed["role"], "gateway");
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());

    // The code is used up, but the gateway has a saved identity and ignores the code.
    let mut gateway = start();
    until(PATIENCE, "it again", || signed_in(&cli, "far corner")).unwrap();
    let id = listed["device"].as_str().unwrap();
    let said = cli.done(&["ctl", "revoke", &id[..10]]).unwrap();
    assert!(
        said.contains("far corner") && said.contains("disconnected"),
        "{said}"
    );
    until(PATIENCE, "the refusal", || {
        gateway.said().contains("revoked").then_some(())
    })
    .unwrap();
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());
    let device = cli.json(&["ctl", "devices"]).unwrap().pop().unwrap();
    assert_eq!(
        (&device["signed_in"], &device["revoked_by"]),
        (&false.into(), &"chief".into())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_may_repeat_its_enrolment_until_it_is_revoked() {
    let mut hall = Hall::open(1).await;
    let (code, key) = (hall.gateway_code("far corner").await, new_key().unwrap());
    for _ in 0..2 {
        enrol(key.clone(), &code).await.unwrap();
    }
    let request = RevokeDeviceRequest {
        device: hall.devices().await.pop().unwrap().device,
        reason: String::new(),
    };
    hall.arbiter.client().revoke_device(request).await.unwrap();
    let refused = enrol(key, &code).await.unwrap_err().to_string();
    assert!(refused.contains("not valid"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_code_enrols_a_revoked_gateway_again() {
    let mut hall = Hall::open(1).await;
    let flagfall = program("flagfall").unwrap();
    let cli = Cli::new(&flagfall, hall.at.listen, hall.dir.path());
    let state = tempfile::tempdir().unwrap();
    let start = |code: &str| gateway_program(&flagfall, state.path(), code);
    let first = hall.gateway_code("far corner").await;
    let mut gateway = start(&first.to_string());
    let listed = until(PATIENCE, "a gateway", || signed_in(&cli, "far corner")).unwrap();

    cli.done(&["ctl", "revoke", listed["device"].as_str().unwrap()])
        .unwrap();
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());
    let mut gateway = start(&first.to_string());
    until(PATIENCE, "the refusal", || {
        gateway.said().contains("revoked").then_some(())
    })
    .unwrap();
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());

    let second = hall.gateway_code("near corner").await;
    let mut gateway = start(&second.to_string());
    let again = until(PATIENCE, "it again", || signed_in(&cli, "near corner"));
    let again = again.unwrap_or_else(|why| panic!("{why}: {}", gateway.said()));
    assert_eq!(again["device"], listed["device"]);
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());

    // If the hub refuses a code, the gateway keeps its identity.
    let other = hall.gateway_code("other").await;
    enrol(new_key().unwrap(), &other).await.unwrap();
    let mut gateway = start(&other.to_string());
    let still = until(PATIENCE, "it still", || signed_in(&cli, "near corner"));
    still.unwrap_or_else(|why| panic!("{why}: {}", gateway.said()));
    assert!(
        gateway.said().contains("the code was not used"),
        "{}",
        gateway.said()
    );
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());
}

fn gateway_program(flagfall: &Path, state: &Path, code: &str) -> HubProcess {
    let mut command = Command::new(flagfall);
    command.args(["gateway", "--code", code, "--state"]);
    command.arg(state.join("gateway")).stdin(Stdio::null());
    HubProcess::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped())).unwrap()
}

fn signed_in(cli: &Cli, name: &str) -> Option<Value> {
    let mut devices = cli.json(&["ctl", "devices"]).ok()?.into_iter();
    devices.find(|device| device["name"] == name && device["signed_in"] == true)
}
