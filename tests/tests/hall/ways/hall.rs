//! A real hub with boards, clocks that reach it over different links, and the checks of their games.

use std::time::Duration;

use clock_agent::identity::Identity;
use clock_agent::links::HubRoute;
use clock_agent::links::ble::{BleConnector, HubKey};
use clock_agent::links::quic::{HubLocation, QuicConnector};
use clock_agent::swarm::{AgentReport, Journals, Pace, Players, Swarm, SwarmConfig};
use hub::gateway::{Badge, Gateway, enrol, new_key};
use prost::Message as _;
use proto::enrolment::EnrolmentCode;
use proto::grpc::{
    Agent, CreateEnrolmentCodeRequest, Device, ListAgentsRequest, ListDevicesRequest,
};
use proto::wire::{EventBody, event_body};
use tests::rig::{Addresses, Arbiter, Evidence, HubProcess, program, same_clock};
use timing::{BoardClock, Fact, Instant, Setup, StartRule};

use super::air::{Air, ClockRadio};

const PATIENCE: Duration = Duration::from_secs(120);
/// Time control of every board: so long that no flag falls.
const CONTROL: &str = "90m+1s";

pub(crate) struct Hall {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) hub: HubProcess,
    pub(crate) at: Addresses,
    pub(crate) arbiter: Arbiter,
    pub(crate) clocks: Vec<Identity>,
}

impl Hall {
    pub(crate) async fn open(boards: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &[]).unwrap();
        let at = hub.ready(PATIENCE).unwrap();
        let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
        let clocks = arbiter.furnish(boards, CONTROL).await.unwrap();
        Self {
            dir,
            hub,
            at,
            arbiter,
            clocks,
        }
    }

    pub(crate) async fn start_again(&mut self) {
        let flagfall = program("flagfall").unwrap();
        self.hub = HubProcess::start(&flagfall, self.dir.path(), Some(self.at), &[]).unwrap();
        self.hub.ready(PATIENCE).unwrap();
        let arbiter = Arbiter::connect(self.at.listen, self.dir.path()).await;
        self.arbiter = arbiter.unwrap();
    }

    pub(crate) async fn gateway_code(&mut self, name: &str) -> EnrolmentCode {
        let request = CreateEnrolmentCodeRequest {
            gateway: name.to_owned(),
            ..CreateEnrolmentCodeRequest::default()
        };
        let code = self.arbiter.client().create_enrolment_code(request).await;
        code.unwrap().into_inner().uri.parse().unwrap()
    }

    pub(crate) async fn badge(&mut self, name: &str) -> Badge {
        let code = self.gateway_code(name).await;
        enrol(new_key().unwrap(), &code).await.unwrap()
    }

    /// Starts a gateway with this identity that uses none of the machine's radios, and waits until the hub has welcomed it.
    pub(crate) async fn gateway(&self, badge: &Badge) -> Gateway {
        let gateway = Gateway::start(badge.clone(), None);
        within("the hub's welcome", gateway.uplink().until(true)).await;
        gateway
    }

    pub(crate) async fn all_speak(&mut self, what: &str, is: impl Fn(&Agent) -> bool) {
        let mut look = tokio::time::interval(Duration::from_millis(100));
        let looking = async {
            loop {
                look.tick().await;
                let agents = self.agents().await;
                if agents.iter().all(&is) {
                    return;
                }
            }
        };
        within(what, looking).await;
    }

    pub(crate) async fn agents(&mut self) -> Vec<Agent> {
        let reply = self.arbiter.client().list_agents(ListAgentsRequest {});
        reply.await.unwrap().into_inner().agents
    }

    pub(crate) async fn devices(&mut self) -> Vec<Device> {
        let reply = self.arbiter.client().list_devices(ListDevicesRequest {});
        reply.await.unwrap().into_inner().devices
    }

    /// Ends the games and stops the hub. Checks that the log holds every press of every clock exactly once. Also checks that the hub's boards are
    /// identical to those of the clocks and to those of an undisturbed run.
    pub(crate) async fn check(mut self, swarms: Vec<Swarm>) {
        let mut reports = Vec::new();
        for swarm in swarms {
            within("what is not acknowledged", swarm.drain()).await;
            reports.extend(swarm.stop().await);
        }
        self.hub.stop().unwrap();
        let evidence = Evidence::of(self.dir.path()).unwrap();
        assert_eq!(evidence.doubled(), Vec::<String>::new());
        for report in reports {
            for seq in 1..=report.seq {
                let times = evidence.events.get(&(report.agent.0.to_vec(), seq));
                assert_eq!(times, Some(&1), "event {seq} of board {}", report.board);
            }
            let hubs = evidence.hall.clock_bytes(&report.board).unwrap();
            let clock = report.clock.as_ref().unwrap();
            same_clock(&hubs, clock).unwrap();
            same_clock(&hubs, &undisturbed(&report)).unwrap();
        }
    }
}

/// Computes the board that results from the clock's presses alone, with the stamps that the clock gave them.
fn undisturbed(report: &AgentReport) -> BoardClock {
    let shown = report.clock.as_ref().unwrap();
    let mut clock = BoardClock::new(Setup {
        control: CONTROL.parse().unwrap(),
        start: StartRule::BlackPress,
        white: shown.button_of(timing::Side::White),
    });
    let mut presses = 0;
    for event in &report.events {
        let body = EventBody::decode(event.body.as_slice()).unwrap();
        if let Some(event_body::Fact::Press(press)) = body.fact {
            let button = button_of(press.button);
            let _effects = clock.on_fact(Instant::from_micros(body.at_us), Fact::Pressed(button));
            presses += 1;
        }
    }
    assert!(presses >= 20, "only {presses} presses");
    clock
}

fn button_of(button: i32) -> timing::Button {
    match proto::wire::Button::try_from(button).unwrap() {
        proto::wire::Button::Left => timing::Button::Left,
        proto::wire::Button::Right => timing::Button::Right,
        proto::wire::Button::Unspecified => panic!("a press of no button"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Ble,
    Auto,
}

pub(crate) fn swarm_config(identities: &[Identity], hub: std::net::SocketAddr) -> SwarmConfig {
    SwarmConfig {
        hub: hub.to_string(),
        identities: identities.to_vec(),
        players: Players::Endless(Pace::Bullet),
        seed: 5,
        journals: Journals::Memory,
        record: true,
        endpoints: 1,
    }
}

pub(crate) async fn clocks(
    identities: &[Identity],
    reach: Reach,
    hub: std::net::SocketAddr,
    air: &Air,
) -> Swarm {
    let config = swarm_config(identities, hub);
    let swarm = Swarm::start_with(config, |identity, dialer, hub| {
        let quic = || {
            let hub = HubLocation::At(hub.clone());
            QuicConnector::new(identity, dialer.clone(), hub, Box::new(|_| ()))
        };
        let ble = || BleConnector::new(identity, air.radio(), || Some(80), key(identity));
        Ok::<HubRoute<ClockRadio>, rustls::Error>(match reach {
            Reach::Ble => HubRoute::Ble(Box::new(ble())),
            Reach::Auto => HubRoute::auto(quic()?, ble()),
        })
    });
    let swarm = swarm.await.unwrap();
    within("connected", swarm.connected()).await;
    swarm
}

/// Returns a function that gives a clock's Bluetooth link the hub's key, as stored in the clock's enrolment.
pub(crate) fn key(identity: &Identity) -> HubKey {
    let key = identity.enrolment.hub_exchange_key.as_slice().try_into();
    std::sync::Arc::new(move || key.ok())
}

pub(crate) async fn played(swarm: &Swarm, more: u64) {
    let before = swarm.counts().acknowledged;
    let playing = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while swarm.counts().acknowledged < before + more {
            look.tick().await;
        }
    };
    within("presses", playing).await;
}

pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    let Ok(value) = tokio::time::timeout(PATIENCE, future).await else {
        panic!("{what}: not within {PATIENCE:?}");
    };
    value
}
