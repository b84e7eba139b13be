//! The hub's side of the kit: enrols one clock, keeps sessions with it, and judges its frames.
//!
//! Owns the endpoint, the clock's ledger and the report. The `scenarios` provoke events; the `ledger` checks them.

mod board_time;
mod ledger;
mod link;
mod scenarios;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use proto::enrolment::EnrolmentCode;
use proto::frame::encode;
use proto::ids::AgentId;
use proto::wire::{
    Ack, AgentFrame, Arbiter, Arbiters, HubFrame, Order, TimeProbe, Welcome, agent_frame, order,
};
use quinn::Endpoint;
use tokio::sync::mpsc;

use crate::clock::Closed;
use crate::incoming::{Incoming, Received};
use crate::operator::{Instruction, Operator, OperatorKind};
use crate::report::{Print, Report};
use crate::rule::{JudgedSide, Rule};
use crate::time_source::raw_us;
use crate::tls::{Authority, TlsError};
use ledger::Ledger;
use link::{Arrival, Link};

pub use scenarios::Scenario;

const ORIGIN: &str = "flagfall.conformance/1";
/// Name of the only arbiter on the kit's list.
const ARBITER: &str = "Conformance Arbiter";
const PIN: &str = "471108";
const SALT: [u8; 16] = [7; 16];
const PROBE_EVERY_US: i64 = 500_000;
/// Time without a frame or a connection after which the kit checks for overdue watermarks.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
const CONNECT_WITHIN_MS: i64 = 20_000;
/// Time allowed for a program to carry out an instruction.
const PROGRAM_WITHIN_MS: i64 = 5_000;
const PERSON_WITHIN_MS: i64 = 120_000;
const REACTS_WITHIN_MS: i64 = 3_000;

#[derive(Debug)]
pub struct KitOptions {
    pub listen: SocketAddr,
    /// The host in the enrolment code; the IP address of `listen` if `None`.
    pub host: Option<String>,
    pub operator: OperatorKind,
    pub scenarios: Vec<Scenario>,
    /// Files with scripts of games to play with real frames.
    pub vectors: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum KitError {
    #[error("cannot listen on {address} (UDP): {error}")]
    Bind {
        address: SocketAddr,
        error: std::io::Error,
    },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error("the system has no random bytes: {0}")]
    Random(getrandom::Error),
    #[error("cannot run the program that presses the buttons: {0}")]
    Operator(std::io::Error),
    #[error("{}: {what}", path.display())]
    Vector { path: PathBuf, what: String },
    #[error("a PIN's key cannot be derived: {0}")]
    Pin(#[from] proto::pin::PinError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acks {
    /// Acknowledges events with the digest of the kit's own board.
    Honest,
    WrongDigest,
    Held,
}

/// A hub for one clock under test.
#[derive(Debug)]
pub struct Kit {
    options: KitOptions,
    authority: Authority,
    code: EnrolmentCode,
    arrivals: mpsc::UnboundedReceiver<Arrival>,
    endpoint: Endpoint,
    pub(crate) report: Report,
    operator: Option<Operator>,
    ledger: Ledger,
    certificate: Vec<u8>,
    link: Option<Link>,
    /// True once the kit has sent Welcome on this link.
    welcomed: bool,
    acks: Acks,
    /// The number of the clock's newest event that the kit has acknowledged.
    acked: u64,
    welcome_major: u32,
    /// The jump of board time in the next Welcome, in microseconds.
    welcome_rebase_us: i64,
    probe_us: i64,
    next_order: u64,
    pin_key: [u8; 32],
    /// True if the clock reports its own digest when the kit's differs.
    compares: bool,
}

impl Kit {
    /// Creates a kit that listens at the configured address. Must be called inside a tokio runtime.
    pub fn open(options: KitOptions, print: Print) -> Result<Self, KitError> {
        let authority = Authority::generate()?;
        let address = options.listen;
        let endpoint = Endpoint::server(authority.server()?, address)
            .map_err(|error| KitError::Bind { address, error })?;
        let local = endpoint
            .local_addr()
            .map_err(|error| KitError::Bind { address, error })?;
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(KitError::Random)?;
        let code = EnrolmentCode {
            host: options
                .host
                .clone()
                .unwrap_or_else(|| local.ip().to_string()),
            port: local.port(),
            authority: authority.fingerprint(),
            token,
        };
        let pin_key = proto::pin::public(&proto::pin::derive_key(PIN, &SALT)?);
        Ok(Self {
            options,
            authority,
            code,
            arrivals: link::accept(endpoint.clone()),
            endpoint,
            report: Report::new(print),
            operator: None,
            ledger: Ledger::new(AgentId([0; 32]), ORIGIN),
            certificate: Vec::new(),
            link: None,
            welcomed: false,
            acks: Acks::Honest,
            acked: 0,
            welcome_major: proto::MAJOR,
            welcome_rebase_us: 0,
            probe_us: 0,
            next_order: 1,
            pin_key,
            compares: false,
        })
    }

    pub fn code(&self) -> &EnrolmentCode {
        &self.code
    }

    /// Runs the scenarios and returns the verdicts.
    ///
    /// # Errors
    /// Returns [`KitError::Operator`] if the program that presses the buttons does not start, [`KitError::Tls`] if the clock cannot be certified, and
    /// [`KitError::Vector`] for a script that cannot be read or parsed.
    pub async fn run(mut self) -> Result<Report, KitError> {
        let code = self.code.to_string();
        let operator = Operator::start(self.options.operator.clone(), &code);
        self.operator = Some(operator.map_err(KitError::Operator)?);
        for scenario in self.options.scenarios.clone() {
            self.report.say(&format!("      {}", scenario.title()));
            let done = scenario.run(&mut self).await?;
            self.report.print_verdicts(scenario.rules());
            if !done {
                let line =
                    "      the clock did not get this far: the remaining scenarios are not run";
                self.report.say(line);
                break;
            }
            self.acks = Acks::Honest;
        }
        self.report.print_verdicts(Rule::ALL);
        self.report.print_untouched(JudgedSide::Clock);
        if let Some(operator) = &mut self.operator {
            operator.end().await;
        }
        if let Some(link) = self.link.take() {
            link.close(0, "the conformance kit has ended");
        }
        self.endpoint.close(0_u32.into(), b"");
        Ok(self.report)
    }

    async fn until<T>(
        &mut self,
        within_ms: i64,
        mut found: impl FnMut(&Self) -> Option<T>,
    ) -> Option<T> {
        let end_us = raw_us() + within_ms * 1_000;
        loop {
            if let Some(value) = found(self) {
                return Some(value);
            }
            if raw_us() >= end_us {
                return None;
            }
            self.step().await;
        }
    }

    /// Waits until `holds` is true, for at most `within_ms`. Returns false if the time ran out.
    async fn wait_until(&mut self, within_ms: i64, holds: impl Fn(&Self) -> bool) -> bool {
        let came = self.until(within_ms, |kit| holds(kit).then_some(()));
        came.await.is_some()
    }

    /// Waits until `holds` is true, for at most the time in which a clock must react. Records the verdict on `rule`, and
    /// returns true if the clock kept the rule.
    async fn demands(
        &mut self,
        rule: Rule,
        holds: impl Fn(&Self) -> bool,
        expected: impl Into<String>,
        otherwise: &str,
    ) -> bool {
        let came = self.wait_until(REACTS_WITHIN_MS, holds).await;
        self.report.check(rule, came, expected, otherwise);
        came
    }

    /// Waits for `ms` milliseconds, and judges the frames that arrive.
    async fn pass(&mut self, ms: i64) {
        let _ = self.wait_until(ms, |_| false).await;
    }

    /// Handles the next connection or frame, or lets a short time pass. Then sends a time probe if one is due.
    async fn step(&mut self) {
        let heard = async {
            match &mut self.link {
                Some(link) => link.heard.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            heard = heard => match heard {
                Some(heard) => self.hear(heard).await,
                None => self.link = None,
            },
            Some(arrival) = self.arrivals.recv() => self.arrive(arrival).await,
            () = tokio::time::sleep(CHECK_INTERVAL) => {
                // No received frame was waiting, so a watermark that is missing after its time limit is overdue.
                if self.welcomed && self.link.is_some() {
                    self.ledger.on_time(raw_us(), &mut self.report);
                }
            }
        }
        let due = self.probe_us + PROBE_EVERY_US <= raw_us();
        if due && self.welcomed && self.link.is_some() {
            self.probe(true).await;
        }
    }

    /// Sends a time probe and returns its nonce. Uses a datagram if `datagram` is true and the link allows it,
    /// otherwise the stream.
    async fn probe(&mut self, datagram: bool) -> u64 {
        let now_us = raw_us();
        let number = self.ledger.probes.len();
        let nonce = 0x1234_5678_9abc_0000 ^ (now_us.unsigned_abs() << 8) ^ number as u64;
        self.probe_us = now_us;
        self.ledger.probes.insert(nonce, (number, now_us));
        let frame: HubFrame = TimeProbe {
            nonce,
            hub_us: now_us,
        }
        .into();
        let sent = datagram
            && self
                .link
                .as_ref()
                .zip(encode(&frame).ok())
                .is_some_and(|(link, bytes)| link.datagram(bytes));
        if !sent {
            self.send(frame).await;
        }
        nonce
    }

    async fn send(&mut self, frame: HubFrame) {
        if let Some(link) = &mut self.link {
            link.send(&frame).await;
        }
    }

    async fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(link) = &mut self.link {
            link.send_bytes(bytes).await;
        }
    }

    /// Closes the link without a goodbye, as if the connection were lost.
    fn drop_link(&mut self) {
        if let Some(link) = self.link.take() {
            link.close(0, "");
        }
        self.welcomed = false;
    }

    async fn arrive(&mut self, arrival: Arrival) {
        if arrival.protocol != proto::quic::ALPN_SESSION {
            // The clock is enrolled and needs no second certificate.
            arrival.connection.close(1_u32.into(), b"enrolled already");
            return;
        }
        let chain = arrival.connection.peer_identity().and_then(|chain| {
            chain
                .downcast::<Vec<rustls_pki_types::CertificateDer<'static>>>()
                .ok()
        });
        let shown = chain.and_then(|chain| chain.first().cloned());
        self.report.check(
            Rule::Q12,
            shown.as_deref() == Some(&self.certificate),
            "the certificate of the enrolment",
            if shown.is_some() {
                "a different one"
            } else {
                "none"
            },
        );
        let accepted = arrival.connection.accept_bi();
        let Ok(Ok((send, receive))) = tokio::time::timeout(Duration::from_secs(5), accepted).await
        else {
            let expected = "a stream with a Hello within 5 s";
            self.report.check(Rule::S1, false, expected, "no stream");
            return;
        };
        if self.link.is_some() {
            // The end of the old link might arrive later or never, so it is recorded here.
            self.ledger.ended.push(Closed {
                goodbye: self.ledger.goodbye,
                code: None,
                text: "the clock opened another link".to_owned(),
            });
        }
        self.drop_link();
        self.link = Some(Link::new(arrival.connection, send, receive));
        self.ledger.on_link();
    }

    async fn hear(&mut self, Received { at_us, what }: Received<AgentFrame>) {
        match what {
            Incoming::Frame(frame) if self.welcomed => self.on_frame(frame, at_us).await,
            Incoming::Frame(frame) => self.greet(frame, at_us).await,
            Incoming::Bad(error) => {
                let came = format!("bytes: {error}");
                self.report.check(Rule::F2, false, "frames", came);
            }
            Incoming::Closed { code, text } => {
                let goodbye = self.ledger.goodbye.take();
                self.ledger.ended.push(Closed {
                    goodbye,
                    code,
                    text,
                });
                self.link = None;
                self.welcomed = false;
            }
        }
    }

    async fn greet(&mut self, frame: AgentFrame, at_us: i64) {
        let Some(agent_frame::Frame::Hello(hello)) = frame.frame else {
            let (expected, came) = ("Hello as first frame", kind(&frame));
            self.report.check(Rule::S1, false, expected, came);
            return self.drop_link();
        };
        self.report.check(Rule::S1, true, "", "");
        let last = self.ledger.hellos.last();
        let no_boot_change = last.is_none_or(|last| last.boot == hello.boot);
        self.ledger.on_hello(hello, at_us, &mut self.report);
        let (major, mut rebase_us) = (self.welcome_major, self.welcome_rebase_us);
        if !no_boot_change && rebase_us == 0 {
            rebase_us = 1_000_000;
        }
        if rebase_us > 0 || !no_boot_change {
            self.ledger.jump = Some((rebase_us, 1_000));
        }
        self.welcome_rebase_us = 0;
        let acked = self.acked;
        self.ledger.welcomed = acked;
        let mut events = self.ledger.events.iter();
        let known = events.find(|kept| kept.body.seq == acked);
        let acked_head = known.map(|kept| proto::chain::chain_hash(&kept.event.body).to_vec());
        let welcome = Welcome {
            major,
            minor: proto::MINOR,
            log_origin: ORIGIN.to_owned(),
            acked_seq: acked,
            acked_head: acked_head.unwrap_or_default(),
            epoch: 1,
            rebase_us,
            rebase_uncertainty_us: if rebase_us > 0 { 1_000 } else { 0 },
            exchange_key: Vec::new(),
            loss_confirmed: false,
            takes_moves: false,
        };
        self.send(welcome.into()).await;
        self.welcomed = true;
        // The gap since the previous link's watermarks does not count.
        self.ledger.watermarks.clear();
        if major != proto::MAJOR {
            return;
        }
        let pending = self.ledger.orders.range(self.ledger.taken + 1..);
        let pending: Vec<Order> = pending.map(|(_, (order, _))| order.clone()).collect();
        for order in pending {
            self.send(order.into()).await;
        }
        if self.takes_corrections() {
            self.send_arbiters().await;
        }
        self.probe(true).await;
    }

    fn takes_corrections(&self) -> bool {
        let hello = self.ledger.hellos.last();
        hello.is_none_or(|hello| !hello.no_corrections)
    }

    async fn send_arbiters(&mut self) {
        let arbiters = Arbiters {
            salt: SALT.to_vec(),
            arbiters: vec![Arbiter {
                name: ARBITER.to_owned(),
                key: self.pin_key.to_vec(),
            }],
        };
        self.ledger.permitted = Some(ledger::Permitted {
            name: ARBITER.to_owned(),
            key: self.pin_key,
        });
        self.send(arbiters.into()).await;
    }

    async fn on_frame(&mut self, frame: AgentFrame, at_us: i64) {
        use agent_frame::Frame;
        let report = &mut self.report;
        match frame.frame {
            Some(Frame::Event(event)) => {
                self.ledger.on_event(event, at_us, report);
                self.acknowledge().await;
            }
            Some(Frame::Watermark(watermark)) => {
                self.ledger.on_watermark(watermark, at_us, report);
            }
            Some(Frame::TimeReply(reply)) => self.ledger.on_reply(reply, at_us, report),
            Some(Frame::Health(health)) => self.ledger.health.push(health),
            Some(Frame::Goodbye(goodbye)) => self.ledger.goodbye = Some(goodbye.reason()),
            Some(Frame::Diverged(diverged)) => self.ledger.diverged.push(diverged),
            Some(Frame::LogContradiction(told)) => self.ledger.contradictions.push(told),
            // The kit has no electronic board.
            Some(Frame::BoardMoves(_)) => {}
            Some(Frame::Hello(_)) => {
                report.check(Rule::S1, false, "one Hello on a link", "a second one");
            }
            None => {}
        }
    }

    async fn acknowledge(&mut self) {
        if self.acks == Acks::Held || self.acked == self.ledger.seq {
            return;
        }
        self.acked = self.ledger.seq;
        let mut digest = self.ledger.digest().map(Vec::from).unwrap_or_default();
        if self.acks == Acks::WrongDigest {
            digest.iter_mut().for_each(|byte| *byte ^= 0xff);
        }
        let ack = Ack {
            seq: self.acked,
            board_digest: digest,
        };
        self.send(ack.into()).await;
    }

    async fn order(&mut self, what: order::What) -> u64 {
        let number = self.next_order;
        self.next_order += 1;
        let order = Order {
            number,
            what: Some(what),
        };
        self.ledger.orders.insert(number, (order.clone(), raw_us()));
        self.send(order.into()).await;
        number
    }

    /// Passes an instruction to the operator, and waits until `found` returns a value. Returns `None` if the time runs
    /// out.
    async fn instructed<T>(
        &mut self,
        instruction: Instruction,
        found: impl FnMut(&Self) -> Option<T>,
    ) -> Option<T> {
        let mut within_ms = PROGRAM_WITHIN_MS;
        if let Some(operator) = &mut self.operator {
            if operator.is_person() {
                within_ms = PERSON_WITHIN_MS;
            }
            let report = &mut self.report;
            if let Err(error) = operator.instruct(&instruction, report).await {
                report.say(&format!(
                    "      the program that presses the buttons has ended: {error}"
                ));
            }
        }
        self.until(within_ms, found).await
    }
}

fn kind(frame: &AgentFrame) -> &'static str {
    match &frame.frame {
        Some(agent_frame::Frame::Hello(_)) => "Hello",
        Some(agent_frame::Frame::Event(_)) => "Event",
        Some(agent_frame::Frame::Watermark(_)) => "Watermark",
        Some(agent_frame::Frame::TimeReply(_)) => "TimeReply",
        Some(agent_frame::Frame::Health(_)) => "Health",
        Some(agent_frame::Frame::Goodbye(_)) => "Goodbye",
        Some(agent_frame::Frame::Diverged(_)) => "Diverged",
        Some(agent_frame::Frame::LogContradiction(_)) => "LogContradiction",
        Some(agent_frame::Frame::BoardMoves(_)) => "BoardMoves",
        None => "no known frame",
    }
}
