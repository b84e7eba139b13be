//! A minimal hub that verifies every event, applies each one once and acknowledges it with a digest. Stores nothing on disk.

use alloc::collections::BTreeMap;

use proto::chain::{ChainHash, chain_hash, genesis};
use proto::ids::AgentId;
use proto::wire::{
    Ack, Adopt, Event, EventBody, Hello, HubFrame, Order, Watermark, Welcome, event_body, order,
};
use sha2::{Digest, Sha256};
use timing::{Board, BoardClock, ClockStep, Instant, Setup, Snapshot};

use crate::agent::facts;
use crate::agent::signer::verify_hash;

pub(super) const ORIGIN: &str = "flagfall.test/1";

#[derive(Clone)]
pub(super) struct Hub {
    pub(super) agent: AgentId,
    pub(super) origin: String,
    pub(super) seq: u64,
    pub(super) head: ChainHash,
    pub(super) last_at: i64,
    pub(super) clock: Option<BoardClock>,
    orders: BTreeMap<u64, order::What>,
    pub(super) taken: Vec<u64>,
    pub(super) loss_confirmed: bool,
    pub(super) takes_moves: bool,
    /// The highest watermark, and the sequence number it covers.
    pub(super) promised: (i64, u64),
    pub(super) facts: Vec<EventBody>,
}

impl Hub {
    pub(super) fn new(agent: AgentId) -> Self {
        Self {
            agent,
            origin: ORIGIN.to_owned(),
            seq: 0,
            head: genesis(ORIGIN, &agent),
            last_at: i64::MIN,
            clock: None,
            orders: BTreeMap::new(),
            taken: Vec::new(),
            loss_confirmed: false,
            takes_moves: false,
            promised: (i64::MIN, 0),
            facts: Vec::new(),
        }
    }

    /// Makes the hub lose everything except its orders.
    pub(super) fn forget_events(&mut self) {
        *self = Self {
            orders: self.orders.clone(),
            ..Self::new(self.agent)
        };
    }

    pub(super) fn welcome(&self) -> HubFrame {
        Welcome {
            major: proto::MAJOR,
            minor: proto::MINOR,
            log_origin: self.origin.clone(),
            acked_seq: self.seq,
            acked_head: self.head.to_vec(),
            epoch: 1,
            rebase_us: 0,
            rebase_uncertainty_us: 0,
            exchange_key: Vec::new(),
            loss_confirmed: self.loss_confirmed,
            takes_moves: self.takes_moves,
        }
        .into()
    }

    /// Returns the orders that the agent has not taken yet, which the hub sends after every welcome.
    pub(super) fn unanswered(&self, hello: &Hello) -> Vec<HubFrame> {
        let taken = hello.orders_taken;
        self.orders
            .iter()
            .filter(|(number, _)| **number > taken && !self.taken.contains(number))
            .map(|(number, what)| order(*number, what.clone()))
            .collect()
    }

    pub(super) fn command(&mut self, text: &str) -> HubFrame {
        self.order(order::What::Command(text.to_owned()))
    }

    /// Returns the order to adopt the current board or, if there is none, a new board.
    pub(super) fn adopt(&mut self, control: &str) -> HubFrame {
        let clock = self.clock.clone().unwrap_or_else(|| {
            BoardClock::new(Setup {
                control: control.parse().unwrap(),
                start: timing::StartRule::Arbiter,
                white: timing::Button::Left,
            })
        });
        self.order(order::What::Adopt(Adopt {
            board: "7".to_owned(),
            snapshot: clock.to_bytes(),
        }))
    }

    fn order(&mut self, what: order::What) -> HubFrame {
        let number = self.orders.len() as u64 + 1;
        self.orders.insert(number, what.clone());
        order(number, what)
    }

    pub(super) fn event(&mut self, event: &Event) -> Option<Ack> {
        assert!(verify_hash(event, &self.agent), "signature");
        let body: EventBody = prost::Message::decode(event.body.as_slice()).unwrap();
        if body.seq <= self.seq {
            return None;
        }
        assert_eq!(body.seq, self.seq + 1, "a gap in the chain");
        assert_eq!(body.prev_hash, self.head, "a broken chain");
        assert!(body.at_us >= self.last_at, "stamps run backwards");
        assert!(
            body.seq <= self.promised.1 || body.at_us >= self.promised.0,
            "event {} at {} contradicts the watermark {:?}",
            body.seq,
            body.at_us,
            self.promised
        );
        self.seq = body.seq;
        self.head = chain_hash(&event.body);
        self.last_at = body.at_us;
        self.apply(&body);
        self.facts.push(body);
        Some(self.ack())
    }

    pub(super) fn ack(&self) -> Ack {
        Ack {
            seq: self.seq,
            board_digest: self.clock.as_ref().map(digest).unwrap_or_default(),
        }
    }

    pub(super) fn watermark(&mut self, watermark: Watermark) {
        assert!(watermark.at_us >= self.promised.0, "a promise taken back");
        self.promised = (watermark.at_us, watermark.seq);
    }

    fn apply(&mut self, body: &EventBody) {
        let at = Instant::from_micros(body.at_us);
        match body.fact.as_ref().unwrap() {
            fact @ (event_body::Fact::Press(_) | event_body::Fact::Stop(_)) => {
                let fact = facts::of_wire(fact).unwrap();
                self.step(&ClockStep::fact(at, fact));
            }
            event_body::Fact::Rebase(_) => self.step(&ClockStep::TimePassed(at)),
            event_body::Fact::ZeroTested(_) => {}
            event_body::Fact::Correction(correction) => self.command_at(at, &correction.command),
            event_body::Fact::OrderTaken(taken) => {
                assert!(
                    !self.taken.contains(&taken.order),
                    "an order was taken twice"
                );
                self.taken.push(taken.order);
                self.carry_out(at, &self.orders[&taken.order].clone());
            }
        }
    }

    fn carry_out(&mut self, at: Instant<Board>, what: &order::What) {
        match what {
            order::What::Adopt(adopt) => {
                let snapshot = Snapshot::from_bytes(&adopt.snapshot).unwrap();
                self.clock = Some(BoardClock::from_snapshot(&snapshot.moved_to(at)).unwrap());
            }
            order::What::ServeSide(_) => unreachable!("this hub serves whole boards"),
            order::What::Command(text) => {
                self.command_at(at, text);
            }
        }
    }

    fn command_at(&mut self, at: Instant<Board>, text: &str) {
        self.step(&ClockStep::command(at, text.parse().unwrap()));
    }

    fn step(&mut self, step: &ClockStep) {
        if let Some(clock) = &mut self.clock {
            // A refusal is not an error: the agent refuses the same steps, and the digests show whether both clocks agree.
            let _ = clock.apply(step);
        }
    }
}

fn order(number: u64, what: order::What) -> HubFrame {
    Order {
        number,
        what: Some(what),
    }
    .into()
}

pub(super) fn digest(clock: &BoardClock) -> Vec<u8> {
    Sha256::digest(clock.to_bytes())[..8].to_vec()
}
