//! A minimal hub on a real socket: it enrols, welcomes, verifies, folds and acknowledges. It can be killed and restarted.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

mod authority;
mod session;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clock_agent::enrol::enrol;
use clock_agent::identity::{Identity, Keys};
use proto::chain::{ChainHash, chain_hash, genesis};
use proto::enrolment::EnrolmentCode;
use proto::ids::AgentId;
use proto::wire::{Ack, Event, EventBody, GoodbyeReason, HubFrame, Order, event_body, order};
use quinn::Endpoint;
use sha2::{Digest, Sha256};
use timing::{BoardClock, Button, ClockStep, Fact, Instant, Setup, Snapshot, StartRule};
use tokio::sync::{Notify, broadcast};

pub use authority::Authority;

/// The time limit for the waits in these tests; far more than a working machine needs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A hub that outlives its socket: its state survives [`FakeHub::kill`].
pub struct FakeHub {
    pub authority: Arc<Authority>,
    pub hall: Arc<Mutex<Hall>>,
    pub address: SocketAddr,
    endpoint: Option<Endpoint>,
    news: broadcast::Sender<()>,
    /// Notified after each hello, event and nudge, and after each link that ends with a goodbye.
    happened: Arc<Notify>,
}

pub struct Hall {
    pub origin: String,
    pub agents: BTreeMap<AgentId, Agent>,
    pub tokens: Vec<[u8; 16]>,
    /// The time control of every board. A board's game starts as soon as its clock has adopted the time control.
    pub control: String,
    /// The major protocol version in every welcome.
    pub major: u32,
    /// For each link that a clock has ended with a goodbye: the goodbye's reason and the close code.
    pub ends: Vec<(GoodbyeReason, u64)>,
    /// True to withhold acknowledgements.
    pub silent: bool,
}

pub struct Agent {
    pub seq: u64,
    pub head: ChainHash,
    pub last_at: i64,
    pub clock: Option<BoardClock>,
    pub orders: Vec<order::What>,
    pub taken: u64,
    pub facts: Vec<EventBody>,
    pub links: u32,
}

impl FakeHub {
    pub async fn start(control: &str) -> Self {
        Self::with_origin(control, "flagfall.test/1").await
    }

    pub async fn with_origin(control: &str, origin: &str) -> Self {
        let hall = Hall {
            origin: origin.to_owned(),
            agents: BTreeMap::new(),
            tokens: Vec::new(),
            control: control.to_owned(),
            major: proto::MAJOR,
            ends: Vec::new(),
            silent: false,
        };
        let (news, _) = broadcast::channel(16);
        let mut hub = Self {
            authority: Arc::new(Authority::new()),
            hall: Arc::new(Mutex::new(hall)),
            address: ([127, 0, 0, 1], 0).into(),
            endpoint: None,
            news,
            happened: Arc::default(),
        };
        hub.listen().await;
        hub
    }

    /// Starts to listen; after a kill, at the previous address.
    pub async fn listen(&mut self) {
        let config = self.authority.server_config();
        let bound = async {
            loop {
                match Endpoint::server(config.clone(), self.address) {
                    Ok(endpoint) => return endpoint,
                    // The killed hub's tasks release its socket only gradually.
                    Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                        tokio::task::yield_now().await;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        };
        let endpoint = tokio::time::timeout(PATIENCE, bound)
            .await
            .expect("a socket");
        self.address = endpoint.local_addr().unwrap();
        let (hall, authority) = (self.hall.clone(), self.authority.clone());
        let (accepting, news) = (endpoint.clone(), self.news.clone());
        let happened = self.happened.clone();
        tokio::spawn(async move {
            while let Some(incoming) = accepting.accept().await {
                let (hall, authority) = (hall.clone(), authority.clone());
                let (news, happened) = (news.subscribe(), happened.clone());
                tokio::spawn(async move {
                    if let Ok(connection) = incoming.await {
                        session::serve(connection, hall, authority, news, happened).await;
                    }
                });
            }
        });
        self.endpoint = Some(endpoint);
    }

    /// Cuts every link and closes the socket, but keeps the state.
    pub async fn kill(&mut self) {
        if let Some(endpoint) = self.endpoint.take() {
            endpoint.close(0_u32.into(), b"killed");
            endpoint.wait_idle().await;
        }
    }

    pub fn code(&self) -> EnrolmentCode {
        let mut token = [0; 16];
        getrandom::fill(&mut token).unwrap();
        self.hall.lock().unwrap().tokens.push(token);
        EnrolmentCode {
            host: self.address.ip().to_string(),
            port: self.address.port(),
            authority: self.authority.fingerprint(),
            token,
        }
    }

    pub async fn enrolled(&self, agents: usize) -> Vec<Identity> {
        let mut identities = Vec::new();
        for _ in 0..agents {
            let keys = Keys::generate().unwrap();
            let enrolment = enrol(&keys, &self.code(), "test", |_| ()).await.unwrap();
            identities.push(Identity { keys, enrolment });
        }
        identities
    }

    /// Makes the sessions send any pending orders.
    pub fn nudge(&self) {
        let _ = self.news.send(());
    }

    pub fn order(&self, agent: &AgentId, text: &str) {
        let mut hall = self.hall.lock().unwrap();
        let agent = hall.agents.get_mut(agent).unwrap();
        agent.orders.push(order::What::Command(text.to_owned()));
        drop(hall);
        self.nudge();
    }

    /// Waits until `reached` accepts the hub's state. Panics after [`PATIENCE`].
    pub async fn until(&self, reached: impl Fn(&Hall) -> bool) {
        let wait = async {
            loop {
                let happened = self.happened.notified();
                tokio::pin!(happened);
                happened.as_mut().enable();
                if reached(&self.hall.lock().unwrap()) {
                    return;
                }
                happened.await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("in time");
    }

    #[track_caller]
    pub fn agent<T>(&self, agent: &AgentId, look: impl FnOnce(&Agent) -> T) -> T {
        look(&self.hall.lock().unwrap().agents[agent])
    }
}

impl Agent {
    pub fn new(origin: &str, agent: &AgentId, control: &str) -> Self {
        let clock = BoardClock::new(Setup {
            control: control.parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        let adopt = proto::wire::Adopt {
            board: agent.short(),
            snapshot: clock.snapshot().to_bytes(),
        };
        Self {
            seq: 0,
            head: genesis(origin, agent),
            last_at: i64::MIN,
            clock: None,
            orders: vec![
                order::What::Adopt(adopt),
                order::What::Command("start".to_owned()),
            ],
            taken: 0,
            facts: Vec::new(),
            links: 0,
        }
    }

    /// Applies an event; panics if it breaks the chain.
    pub fn event(&mut self, event: &Event, agent: &AgentId) {
        proto::chain::verify(event, agent).unwrap();
        let body: EventBody = prost::Message::decode(event.body.as_slice()).unwrap();
        if body.seq <= self.seq {
            return;
        }
        assert_eq!(body.seq, self.seq + 1, "a gap in the chain of {agent}");
        assert_eq!(body.prev_hash, self.head, "a broken chain");
        assert!(body.at_us >= self.last_at, "stamps run backwards");
        (self.seq, self.head, self.last_at) = (body.seq, chain_hash(&event.body), body.at_us);
        self.apply(&body);
        self.facts.push(body);
    }

    fn apply(&mut self, body: &EventBody) {
        let at = Instant::from_micros(body.at_us);
        let step = match body.fact.as_ref().unwrap() {
            event_body::Fact::Press(press) if press.button == 1 => {
                ClockStep::fact(at, Fact::Pressed(Button::Left))
            }
            event_body::Fact::Press(_) => ClockStep::fact(at, Fact::Pressed(Button::Right)),
            event_body::Fact::Stop(_) => ClockStep::fact(at, Fact::Stopped),
            event_body::Fact::Rebase(_) => ClockStep::TimePassed(at),
            event_body::Fact::ZeroTested(_) | event_body::Fact::Correction(_) => return,
            event_body::Fact::OrderTaken(taken) => {
                assert!(taken.order > self.taken, "an order was taken twice");
                self.taken = taken.order;
                match &self.orders[usize::try_from(taken.order).unwrap() - 1].clone() {
                    order::What::Adopt(adopt) => {
                        let snapshot = Snapshot::from_bytes(&adopt.snapshot).unwrap();
                        self.clock = BoardClock::from_snapshot(&snapshot.moved_to(at)).ok();
                        return;
                    }
                    order::What::ServeSide(_) => unreachable!("this hub serves whole boards"),
                    order::What::Command(text) => ClockStep::command(at, text.parse().unwrap()),
                }
            }
        };
        if let Some(clock) = &mut self.clock {
            // An error is fine: the agent's clock refuses the step too.
            let _ = clock.apply(&step);
        }
    }

    pub fn ack(&self) -> HubFrame {
        let digest = self.clock.as_ref().map(|clock| {
            let hash = Sha256::digest(clock.snapshot().to_bytes());
            hash[..8].to_vec()
        });
        Ack {
            seq: self.seq,
            board_digest: digest.unwrap_or_default(),
        }
        .into()
    }

    pub fn orders_after(&self, number: u64) -> Vec<HubFrame> {
        let numbered = self.orders.iter().zip(1_u64..);
        numbered
            .filter(|(_, n)| *n > number)
            .map(|(what, number)| {
                Order {
                    number,
                    what: Some(what.clone()),
                }
                .into()
            })
            .collect()
    }
}
