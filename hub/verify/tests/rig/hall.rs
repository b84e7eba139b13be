//! A simulated hall whose clocks and devices sign with real keys, and the export of its log. The seed determines the course
//! of play, but not the keys of devices and authorities.

#[path = "authority.rs"]
pub(crate) mod authority;
#[path = "mutate.rs"]
pub(crate) mod mutate;

use std::collections::VecDeque;

use ed25519_dalek::SigningKey;
use hall::view::EventView;
use hall::{
    Action, AgentFrame, BoardId, Enrolment, Hall, HallRequest, Hello, HubEffect, Immediate, Input,
    LinkId, OriginText, ReplyId, Request, RequestDigest, StartUp, Step,
};
use prost::Message as _;
use proto::chain::{self, chain_hash, genesis};
use proto::evidence::{Game, Header, Opening, Redaction, Writer};
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::RequestSigned;
use proto::merkle::{Frontier, Hash, leaf_hash};
use proto::note::Signer;
use proto::wire::{self, EventBody, event_body::Fact, hub_frame};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use sha2::{Digest as _, Sha256};
use timing::{Board, Button, Duration, Hub, Instant, Setup, StartRule};
use verify::HubKey;

pub(crate) const ORIGIN: &str = "flagfall.example/trial";
const START: Instant<Hub> = Instant::from_micros(1_000_000_000_000);
const SECRET: [u8; 32] = [9; 32];

pub(crate) struct Draw(SplitMix64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }
}

pub(crate) fn signer(number: u8) -> Signer {
    let key = SigningKey::from_bytes(&[number; 32]);
    Signer::new(ORIGIN, key).unwrap()
}

pub(crate) fn key(number: u8) -> HubKey {
    signer(number).verifier().clone().into()
}

pub(crate) type Records = Vec<Vec<u8>>;

pub(crate) fn concealed(record: &[u8], index: u64) -> (Vec<u8>, Vec<Opening>) {
    proto::names::conceal(record, index, &SECRET).expect("a record of the hall")
}

pub(crate) fn export(records: &[Vec<u8>], by: &Signer, chosen: impl Fn(usize) -> bool) -> Vec<u8> {
    // A file that leaves out records must name a game; otherwise it claims to be the whole event.
    let game = Game {
        board: "2".to_owned(),
        game: 1,
        round: 0,
    };
    let partly = !(0..records.len()).all(&chosen);
    let mut writer = Writer::new(Header {
        log_origin: ORIGIN.to_owned(),
        games: partly.then_some(game).into_iter().collect(),
        event_name: "Trial Open".to_owned(),
        records: records.len() as u64,
        redaction: Redaction::None.into(),
        ..Header::default()
    });
    for (at, record) in records.iter().enumerate() {
        let (content, openings) = concealed(record, at as u64);
        match chosen(at) {
            true => writer.record(content, openings),
            false => writer.omit(leaf_hash(&content)),
        }
    }
    writer.sign(by, root_of(records), None, Vec::new());
    writer.take()
}

/// Returns the root hash of the tree over the unconcealed records.
pub(crate) fn root_of(records: &[Vec<u8>]) -> Hash {
    let mut tree = Frontier::default();
    for record in records {
        tree.push(leaf_hash(record));
    }
    tree.root()
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) boards: u16,
    pub(crate) presses: u32,
}

impl Size {
    pub(crate) fn drawn(draw: &mut Draw) -> Self {
        Self {
            boards: 1 + draw.below(4) as u16,
            presses: 5 + draw.below(60) as u32,
        }
    }
}

pub(crate) fn play(seed: u64, size: Size, keep: &mut dyn FnMut(Vec<u8>)) {
    let mut play = Play {
        hall: Hall::new(),
        now: START,
        draw: Draw::new(seed),
        keep,
        clocks: Vec::new(),
        device: device(),
        actions: 0,
        next_request: 1,
        longest_wait_us: 24_000_000 / usize::from(size.boards.max(4)),
    };
    play.input(Input::StartUp(Box::new(start_up())));
    for number in 1..=size.boards {
        play.furnish(number);
    }
    for _ in 0..size.presses {
        play.turn();
    }
}

pub(crate) fn played(seed: u64, size: Size) -> Records {
    let mut records = Vec::new();
    play(seed, size, &mut |record| records.push(record));
    records
}

fn device() -> EcdsaKeyPair {
    let (alg, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(alg, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(alg, pkcs8.as_ref(), &random).unwrap()
}

fn start_up() -> StartUp {
    StartUp {
        origin: ORIGIN.to_owned(),
        event: EventView {
            name: "Trial Open".to_owned(),
            ..EventView::default()
        },
        boot: vec![1; 16],
        wall_us: START.as_micros(),
        timeline: "first start".to_owned(),
        bound_us: 0,
        authority_der: authority::der(1),
        voucher_der: Vec::new(),
        nonce_seed: 1,
        scheduled: None,
    }
}

struct Play<'a> {
    hall: Hall,
    now: Instant<Hub>,
    draw: Draw,
    keep: &'a mut dyn FnMut(Vec<u8>),
    /// Indexed by link number.
    clocks: Vec<SigningClock>,
    device: EcdsaKeyPair,
    actions: u64,
    next_request: u64,
    /// Upper bound of the random part of a wait in `turn`. Lower in large halls, so that each board still has frequent turns.
    longest_wait_us: usize,
}

/// A clock that carries out every order immediately.
struct SigningClock {
    key: SigningKey,
    board: BoardId,
    seq: u64,
    head: [u8; 32],
    orders_taken: u64,
    presses: u32,
}

impl Play<'_> {
    fn furnish(&mut self, number: u16) {
        let board: BoardId = number.to_string().parse().unwrap();
        let controls = ["90m+30s", "3m+2s", "2m", "5m delay 3s", "3/90s : 1m+5s"];
        let control = controls[self.draw.below(controls.len())];
        let setup = Setup {
            control: control.parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        self.act(&board, Action::AddBoard(setup, None));
        let names = Action::Names {
            white: format!("Lefebvre-{number}, Émile"),
            black: format!("Oyelaran-{number}, Ada"),
            round: "1".to_owned(),
        };
        self.act(&board, names);
        self.connect(board);
        self.act(&number.to_string().parse().unwrap(), command("start"));
    }

    fn connect(&mut self, board: BoardId) {
        let number = self.clocks.len() as u64;
        let mut seed = [self.draw.below(256) as u8; 32];
        seed[..8].copy_from_slice(&number.to_be_bytes());
        let key = SigningKey::from_bytes(&seed);
        let agent = AgentId(key.verifying_key().to_bytes());
        let (certificate_serial, certificate) = authority::certificate(1, &agent);
        let enrolment = Enrolment {
            agent,
            exchange_key: agent.0.to_vec(),
            name: format!("clock {number}"),
            certificate_serial,
            certificate,
            board: Some(board.clone()),
            side: None,
            admitted_by: "Ada".to_owned(),
        };
        self.ask(HallRequest::Enrol(Box::new(enrolment)));
        self.clocks.push(SigningClock {
            head: genesis(ORIGIN, &agent),
            key,
            board,
            seq: 0,
            orders_taken: 0,
            presses: 0,
        });
        let hello = Hello {
            major: proto::MAJOR,
            minor: 0,
            firmware: "trial".parse().unwrap(),
            log_origin: OriginText::default(),
            next_seq: EventSeq(1),
            head: None,
            boot: vec![1; 16],
            now: board_time(self.now),
            orders_taken: 0,
            rebooted: false,
            foreign: None,
            journal_damaged: false,
            process: None,
            no_corrections: false,
        };
        self.input(Input::AgentConnected {
            agent,
            link: LinkId(number),
            opened: self.now,
            hello: Box::new(hello),
        });
    }

    fn turn(&mut self) {
        let wait = 1_000 + self.draw.below(self.longest_wait_us) as i64;
        let until = self.now + Duration::from_micros(wait);
        while let Some(wake) = self.hall.next_wake().filter(|wake| *wake <= until) {
            self.now = self.now.max(wake);
            self.input(Input::Wake);
        }
        self.now = until;
        let clock = self.draw.below(self.clocks.len());
        let board = self.clocks[clock].board.clone();
        match self.draw.below(200) {
            0..8 => {
                self.act(&board, command("pause"));
                self.act(&board, command("add white 2m"));
                self.act(&board, command("resume"));
            }
            8..16 => self.act(&board, command("add black 30s")),
            16 => self.event(clock, Fact::Stop(wire::Stop {})),
            _ => self.press(clock),
        }
    }

    fn press(&mut self, clock: usize) {
        let of = &mut self.clocks[clock];
        let wrong = self.draw.below(10) == 0;
        let button = match of.presses.is_multiple_of(2) != wrong {
            true => wire::Button::Left,
            false => wire::Button::Right,
        };
        of.presses += u32::from(!wrong);
        self.event(
            clock,
            Fact::Press(wire::Press {
                button: button.into(),
            }),
        );
    }

    /// Sends an arbiter's action. A device signs every second action.
    fn act(&mut self, board: &BoardId, action: Action) {
        self.actions += 1;
        let mut id = CommandId([0; 16]);
        id.0[..8].copy_from_slice(&self.actions.to_be_bytes());
        if self.actions.is_multiple_of(2) {
            self.sign(&id);
        }
        let detail = self.hall.detail(board, self.now);
        let request = Request {
            digest: RequestDigest::OWN,
            id,
            actor: hall::Actor {
                name: "Ada".to_owned(),
                role: hall::Role::Chief,
            },
            board: Some(board.clone()),
            seen_seq: detail.map_or(0, |detail| detail.view.seq),
            offence: None,
            reason: "Lefebvre asked".to_owned(),
            action,
        };
        self.ask(HallRequest::Command(Box::new(request)));
    }

    fn sign(&mut self, id: &CommandId) {
        let request = id.0.to_vec();
        let (path, session) = ("/flagfall.api.v1.Arbiter/Send", "s1");
        let mut message = format!("flagfall-command-v1\n{path}\n{session}\n").into_bytes();
        message.extend_from_slice(&request);
        let signature = self.device.sign(&SystemRandom::new(), &message).unwrap();
        let point = self.device.public_key().as_ref().to_vec();
        let signed = RequestSigned {
            actor: "Ada".to_owned(),
            device: verify::device_id(&point),
            public_key: point,
            session: session.to_owned(),
            path: path.to_owned(),
            request_digest: Sha256::digest(&request).to_vec(),
            request,
            signature: signature.as_ref().to_vec(),
        };
        self.input(Input::Signed(Box::new(signed)));
    }

    fn ask(&mut self, request: HallRequest) {
        self.next_request += 1;
        let reply = ReplyId(self.next_request);
        self.input(Input::Asked { request, reply });
    }

    fn event(&mut self, clock: usize, fact: Fact) {
        let frame = self.clocks[clock].event(self.now, fact);
        self.input(Input::AgentFrame {
            link: LinkId(clock as u64),
            received: self.now,
            frame,
        });
    }

    fn input(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let Step {
                records,
                effects,
                immediate,
            } = self.hall.on_input(self.now, input);
            for record in records {
                (self.keep)(record.encode_to_vec());
            }
            for effect in immediate {
                if let Immediate::Probe { link, probe } = effect {
                    let at = board_time(self.now);
                    inputs.push_back(Input::AgentFrame {
                        link,
                        received: self.now,
                        frame: AgentFrame::TimeReply {
                            nonce: probe.nonce,
                            received: at,
                            sent: at,
                        },
                    });
                }
            }
            for effect in effects {
                if let HubEffect::ToAgent { link, frame } = effect
                    && let Some(hub_frame::Frame::Order(order)) = frame.frame
                {
                    inputs.extend(self.take_order(link, order.number));
                }
            }
        }
    }

    fn take_order(&mut self, link: LinkId, order: u64) -> Option<Input> {
        let clock = &mut self.clocks[link.0 as usize];
        if order <= clock.orders_taken {
            return None;
        }
        clock.orders_taken = order;
        let frame = clock.event(self.now, Fact::OrderTaken(wire::OrderTaken { order }));
        Some(Input::AgentFrame {
            link,
            received: self.now,
            frame,
        })
    }
}

impl SigningClock {
    fn event(&mut self, now: Instant<Hub>, fact: Fact) -> AgentFrame {
        self.seq += 1;
        let body = EventBody {
            seq: self.seq,
            prev_hash: self.head.to_vec(),
            at_us: board_time(now).as_micros(),
            fact: Some(fact),
            ..EventBody::default()
        };
        let event = chain::sign(&body, &self.key);
        self.head = chain_hash(&event.body);
        let event = hall::from_proto::signed_event(event.body, event.signature).unwrap();
        AgentFrame::Event(Box::new(event))
    }
}

fn command(text: &str) -> Action {
    Action::Board(text.parse().unwrap())
}

fn board_time(now: Instant<Hub>) -> Instant<Board> {
    Instant::from_micros((now - START).as_micros() + 5_000_000_000)
}
