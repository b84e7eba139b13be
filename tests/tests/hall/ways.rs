//! Links between clocks and a real hub process: QUIC, Bluetooth LE, and Bluetooth LE through a gateway. The clocks and the gateway are real except
//! for their radios, whose connections the test simulates.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod air;
mod cable;
mod hall;
mod hostile;

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
use proto::grpc::{CreateEnrolmentCodeRequest, ListAgentsRequest, RevokeDeviceRequest};
use tests::rig::{Cli, HubProcess, program, until};
use tokio::sync::mpsc;

use air::{Air, honest};
use cable::Cable;
use hall::{Hall, Reach, clocks, played, within};

const PATIENCE: Duration = Duration::from_secs(120);
/// Bytes in a value at the minimum MTU of 23.
const NARROW: usize = 20;
/// Bytes in a value at an MTU of 185, which phones and BlueZ usually choose.
const USUAL: usize = 182;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_goes_from_quic_to_bluetooth_and_back_without_a_lost_or_doubled_press() {
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
async fn another_hub_at_the_known_address_keeps_no_clock_off_the_air() {
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
async fn a_clock_without_a_radio_goes_on_looking_for_quic() {
    let hall = Hall::open(1).await;
    let cable = Cable::to(hall.at.listen).await;
    cable.cut(true);
    let asked = Arc::new(AtomicUsize::new(0));
    let config = hall::swarm_config(&hall.clocks, cable.address());
    let swarm = Swarm::start_over(config, |identity, dialer, hub| {
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

    // The hub disconnects a revoked gateway and does not admit it again.
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

    // The clocks go on through another gateway.
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
async fn an_enrolment_from_before_bluetooth_learns_the_hubs_key_over_quic_and_stays_what_it_is() {
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
    let start = |more: &[&str]| {
        let mut command = Command::new(&flagfall);
        command.arg("gateway").args(more).arg("--state");
        command
            .arg(state.path().join("gateway"))
            .stdin(Stdio::null());
        HubProcess::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped())).unwrap()
    };
    let mut gateway = start(&["--code", code]);
    let listed = until(PATIENCE, "a gateway", || {
        let mut devices = cli.json(&["ctl", "devices"]).ok()?.into_iter();
        let device = devices.find(|device| device["name"] == "far corner")?;
        (device["signed_in"] == true).then_some(device)
    });
    let listed = listed.unwrap_or_else(|why| panic!("{why}: {}", gateway.said()));
    assert_eq!(listed["role"], "gateway");
    assert!(gateway.stop().unwrap().success(), "{}", gateway.said());

    // The code is used up, but the gateway has a saved identity and ignores the code.
    let mut gateway = start(&["--code", code]);
    until(PATIENCE, "it again", || {
        let mut devices = cli.json(&["ctl", "devices"]).ok()?.into_iter();
        let device = devices.find(|device| device["name"] == "far corner")?;
        (device["signed_in"] == true).then_some(())
    })
    .unwrap();
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
