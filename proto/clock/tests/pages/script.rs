//! The scripted enrolment and session on the trace page (`proto/traces.md`). The enrolment request and the clock's frames come from the clock's own
//! code, with fixed keys, times and random values; the hub's messages are written here. Owns the script, but not the page's prose.

use std::fmt::Write as _;

use clock_core::agent::signer::Signer;
use clock_core::agent::{AgentCore, CoreConfig, CorrectionRequest, Input, Output, Recovered};
use clock_core::buttons::ButtonEvent;
use clock_core::enrolment::{exchange_key, request};
use ed25519_dalek::SigningKey;
use proto::chain::genesis;
use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::frame::{encode, encode_prefixed};
use proto::ids::{AgentId, hex};
use proto::pin::{derive_key, public};
use proto::wire::{
    Ack, Adopt, AgentFrame, Arbiter, Arbiters, EnrolAnswer, Enrolled, HubFrame, Labels, Order,
    TimeProbe, Welcome, agent_frame, enrol_answer, order,
};
use sha2::{Digest, Sha256};
use timing::{BoardClock, Button, Instant, Setup, StartRule};

use crate::{decoded, snapshot};

const ORIGIN: &str = "flagfall.example/open";
const FIRMWARE: &str = "example 1.0";
const BOARD: &str = "12";
// Stand-ins for the certificates, whose signatures would be random.
const AUTHORITY: &[u8] = &[0x30, 0x03, 0x02, 0x01, 0x01];
const CERTIFICATE: &[u8] = &[0x30, 0x03, 0x02, 0x01, 0x02];
const TOKEN: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const SALT: [u8; 16] = [7; 16];
const PIN: &str = "4711";
const ARBITER: &str = "Ada Okonkwo";

pub(crate) struct Script {
    core: AgentCore,
    now_us: i64,
    text: String,
}

fn signing_key() -> SigningKey {
    SigningKey::from_bytes(&[0x33; 32])
}

fn hub_key() -> [u8; 32] {
    exchange_key(&[0x22; 32])
}

/// Formats a frame as sent on a stream: its length prefix, a space, and its bytes.
fn on_stream(prefixed: &[u8]) -> String {
    let (length, frame) = prefixed.split_at(2);
    format!("{} {}", hex(length), hex(frame))
}

impl Script {
    pub(crate) fn new() -> Self {
        let agent = AgentId(signing_key().verifying_key().to_bytes());
        let config = CoreConfig {
            signer: Signer::Ed25519(Box::new(signing_key())),
            firmware: FIRMWARE.to_owned(),
            boot: vec![0xbb; 16],
            base_us: 0,
            token: 0x0123_4567_89ab_cdef,
        };
        let now_us = 1_000_000;
        let fresh = Recovered::fresh(ORIGIN, &agent);
        Self {
            core: AgentCore::new(config, fresh, Instant::from_micros(now_us)),
            now_us,
            text: String::new(),
        }
    }

    fn block(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn line(&mut self, name: &str, value: &str) {
        writeln!(self.text, "{name:<22}{value}").unwrap();
    }

    pub(crate) fn keys(&mut self) -> String {
        let agent = self.core.agent();
        let code = EnrolmentCode {
            host: "192.0.2.1".to_owned(),
            port: 7464,
            authority: fingerprint(AUTHORITY),
            token: TOKEN,
        };
        let pin = derive_key(PIN, &SALT).unwrap();
        self.line("clock's Ed25519 key", &agent.to_string());
        self.line("clock's X25519 key", &hex(&exchange_key(&[0x11; 32])));
        self.line("hub's X25519 key", &hex(&hub_key()));
        self.line("URI of certificate", &format!("flagfall:agent:{agent}"));
        self.line("code", &code.to_string());
        self.line("first prev_hash", &hex(&genesis(ORIGIN, &agent)));
        self.line("PIN's Ed25519 seed", &hex(&pin.to_bytes()));
        self.line("PIN's Ed25519 key", &hex(&public(&pin)));
        self.block()
    }

    pub(crate) fn enrolment(&mut self) -> String {
        let mut asked = request(
            &signing_key(),
            &exchange_key(&[0x11; 32]),
            &TOKEN,
            "example",
        );
        asked.can_wait = true;
        FIRMWARE.clone_into(&mut asked.firmware);
        let bytes = encode_prefixed(&asked).unwrap();
        writeln!(self.text, "clock stream {}", on_stream(&bytes)).unwrap();
        let words = format!(
            "EnrolRequest major={} minor={} token={} name={:?} can_wait={} firmware={:?}\n  signing_key={}\n  exchange_key={}\n  signature={}",
            asked.major,
            asked.minor,
            hex(&asked.token),
            asked.name,
            asked.can_wait,
            asked.firmware,
            hex(&asked.signing_key),
            hex(&asked.exchange_key),
            hex(&asked.signature)
        );
        self.words(&words);
        let enrolled = Enrolled {
            certificate_der: CERTIFICATE.to_vec(),
            authority_der: AUTHORITY.to_vec(),
            log_origin: ORIGIN.to_owned(),
            name: "example".to_owned(),
            board: BOARD.to_owned(),
            exchange_key: hub_key().to_vec(),
        };
        let words = format!(
            "EnrolAnswer enrolled: certificate_der={} authority_der={} log_origin={ORIGIN:?} name={:?} board={BOARD:?}\n  exchange_key={}",
            hex(CERTIFICATE),
            hex(AUTHORITY),
            enrolled.name,
            hex(&enrolled.exchange_key)
        );
        let answer = EnrolAnswer {
            answer: Some(enrol_answer::Answer::Enrolled(enrolled)),
        };
        let bytes = encode_prefixed(&answer).unwrap();
        writeln!(self.text, "hub   stream {}", on_stream(&bytes)).unwrap();
        self.words(&words);
        self.block()
    }

    fn words(&mut self, words: &str) {
        for line in words.lines() {
            writeln!(self.text, "      {line}").unwrap();
        }
    }

    fn input(&mut self, at_us: i64, input: Input) {
        self.now_us = at_us;
        let outputs = self.core.step(Instant::from_micros(at_us), input);
        for output in outputs {
            match output {
                Output::Send(frame) => {
                    let bytes = encode_prefixed(&frame).unwrap();
                    writeln!(self.text, "clock stream {}", on_stream(&bytes)).unwrap();
                    self.sent(&frame);
                }
                Output::Datagram(frame) => {
                    let bytes = encode(&frame).unwrap();
                    writeln!(self.text, "clock datagram {}", hex(&bytes)).unwrap();
                    self.sent(&frame);
                }
                Output::Close(close) => panic!("{close:?}"),
                Output::Persist(_)
                | Output::Chained { .. }
                | Output::FaceChanged
                | Output::Acknowledged { .. }
                | Output::KeepCheckpoint(_)
                | Output::Contradiction { .. }
                | Output::Jump(_)
                | Output::OtherLog { .. } => {}
            }
        }
    }

    fn sent(&mut self, frame: &AgentFrame) {
        self.words(&decoded::agent(frame));
        if let Some(agent_frame::Frame::Event(_)) = &frame.frame {
            let (snapshot, digest) = self.state();
            let words = format!("  board afterwards={}\n  digest={digest}", hex(&snapshot));
            self.words(&words);
        }
    }

    fn state(&self) -> (Vec<u8>, String) {
        let snapshot = self.core.clock().unwrap().to_bytes();
        let digest = hex(&Sha256::digest(&snapshot)[..8]);
        (snapshot, digest)
    }

    fn hear(&mut self, at_us: i64, frame: impl Into<HubFrame>) {
        let frame = frame.into();
        let bytes = encode_prefixed(&frame).unwrap();
        writeln!(self.text, "hub   stream {}", on_stream(&bytes)).unwrap();
        self.words(&decoded::hub(&frame));
        self.input(at_us, Input::Frame(frame));
    }

    fn acknowledge(&mut self) {
        let (snapshot, _) = self.state();
        let ack = Ack {
            seq: self.core.seq().0,
            board_digest: Sha256::digest(snapshot)[..8].to_vec(),
        };
        self.hear(self.now_us + 1_000, ack);
    }

    fn command(&mut self, at_us: i64, number: u64, command: &str) {
        let what = Some(order::What::Command(command.to_owned()));
        self.hear(at_us, Order { number, what });
        self.acknowledge();
    }

    pub(crate) fn session(&mut self) -> String {
        self.input(1_000_000, Input::LinkUp);
        let welcome = Welcome {
            major: proto::MAJOR,
            minor: proto::MINOR,
            log_origin: ORIGIN.to_owned(),
            epoch: 1,
            exchange_key: hub_key().to_vec(),
            ..Welcome::default()
        };
        self.hear(1_002_000, welcome);
        let probe: HubFrame = TimeProbe {
            nonce: 0x0102_0304_0506_0708,
            hub_us: 9_000_000,
        }
        .into();
        let bytes = encode(&probe).unwrap();
        writeln!(self.text, "hub   datagram {}", hex(&bytes)).unwrap();
        self.words(&decoded::hub(&probe));
        self.input(1_003_000, Input::Frame(probe));
        self.block()
    }

    pub(crate) fn board(&mut self) -> String {
        let setup = Setup {
            control: "5m+3s".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        let adopt = Adopt {
            board: BOARD.to_owned(),
            snapshot: BoardClock::new(setup).to_bytes(),
        };
        let what = Some(order::What::Adopt(adopt));
        self.hear(1_004_000, Order { number: 1, what });
        self.acknowledge();
        let labels = Labels {
            board: BOARD.to_owned(),
            round: "Round 1".to_owned(),
            white: "Judit Polgár".to_owned(),
            black: "Vera Menchik".to_owned(),
            ..Labels::default()
        };
        self.hear(1_006_000, labels);
        let key = public(&derive_key(PIN, &SALT).unwrap()).to_vec();
        let arbiters = Arbiters {
            salt: SALT.to_vec(),
            arbiters: vec![Arbiter {
                name: ARBITER.to_owned(),
                key,
            }],
        };
        self.hear(1_006_000, arbiters);
        self.command(2_000_000, 2, "start");
        self.block()
    }

    pub(crate) fn presses(&mut self) -> String {
        for (at_us, button) in [(7_500_000, Button::Left), (11_250_001, Button::Right)] {
            let press = ButtonEvent::press(button, Instant::from_micros(at_us));
            self.input(at_us + 200, Input::Button(press));
            self.acknowledge();
        }
        self.block()
    }

    pub(crate) fn pause_and_correction(&mut self) -> String {
        self.command(13_000_000, 3, "pause");
        let correcting = CorrectionRequest {
            arbiter: ARBITER.to_owned(),
            key: Box::new(derive_key(PIN, &SALT).unwrap()),
            commands: vec!["set white 4m".parse().unwrap()],
        };
        let at = Instant::from_micros(14_000_000);
        self.input(
            14_000_000,
            Input::Corrected {
                at,
                request: correcting,
            },
        );
        self.acknowledge();
        self.command(15_000_000, 4, "resume");
        self.block()
    }

    pub(crate) fn fields(&self) -> String {
        let (bytes, digest) = self.state();
        let fields = snapshot::fields(&bytes);
        format!(
            "{:<13}{}\n{fields}{:<13}{digest}\n",
            "bytes",
            hex(&bytes),
            "digest"
        )
    }
}
