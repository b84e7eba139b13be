//! The scripted clock itself: board time, the board's engine, and the loop that serves the link, the caller and the timer. Owns the
//! frames that the clock sends unprompted; [`super::react`] owns its replies.

use std::net::SocketAddr;
use std::time::Duration;

use ed25519_dalek::Signer as _;
use ed25519_dalek::SigningKey;
use proto::chain::sign_watermark;
use proto::frame::{encode, encode_prefixed};
use proto::pin::{CorrectionClaim, derive_key};
use proto::watermark::{SHORT_OF_TIME_US, SHORT_WATERMARK_INTERVAL_US, WATERMARK_INTERVAL_US};
use proto::wire::{
    AgentFrame, Arbiters, Button, Correction, EventBody, Goodbye, GoodbyeReason, HubFrame, Press,
    Process, Stop, Watermark, event_body::Fact, order,
};
use timing::{Board, BoardClock, Instant, Side};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::chain::{Chain, Digest};
use super::wire::Wire;
use super::{Act, ClockIdentity, EnrolFailure, Fault, Seen};
use crate::incoming::Incoming;
use crate::time_source::raw_us;
use crate::{engine, framed};

/// Board time at the start of a scripted clock, in microseconds.
const FIRST_US: i64 = 1_000_000_000;
const RECONNECT_DELAY: Duration = Duration::from_millis(200);
/// Maximum time between two checks for due flag falls and watermarks.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// Interval between the watermarks of a clock that sends too few, in microseconds.
const SELDOM_US: i64 = 5_000_000;

/// An event for a clock to send, even if it did not happen.
#[derive(Clone, Debug)]
pub struct StatedEvent {
    pub fact: Fact,
    /// The stamp, in microseconds; `None` means now, or the latest stamp or promise if that is later.
    pub at_us: Option<i64>,
    /// Nonce of the time probe that the event names; `None` stands for the newest probe at the time of the stamp.
    pub probe: Option<u64>,
}

impl StatedEvent {
    pub fn press(button: Button) -> Self {
        Self::of(Fact::Press(Press {
            button: button.into(),
        }))
    }

    pub fn stop() -> Self {
        Self::of(Fact::Stop(Stop {}))
    }

    /// Builds an event that reports `fact`. Its stamp and its probe are chosen when it is sent.
    pub fn of(fact: Fact) -> Self {
        Self {
            fact,
            at_us: None,
            probe: None,
        }
    }

    /// Sets the stamp, in microseconds of board time.
    #[must_use]
    pub fn at(mut self, at_us: i64) -> Self {
        self.at_us = Some(at_us);
        self
    }
}

/// The state of a scripted clock. A caller may act on it between two of the clock's own steps.
#[derive(Debug)]
pub struct ClockBody {
    pub(super) key: SigningKey,
    pub(super) identity: ClockIdentity,
    hub: SocketAddr,
    pub(super) faults: Vec<Fault>,
    pub(super) chain: Chain,
    base_us: i64,
    started_us: i64,
    pub(super) boot: Vec<u8>,
    pub(super) process: Process,
    pub(super) clock: Option<BoardClock>,
    pub(super) board: String,
    pub(super) orders_taken: u64,
    /// The newest two time probes: the nonce of each, and the board time at which it arrived.
    pub(super) probes: [(u64, i64); 2],
    pub(super) first_probe: Option<u64>,
    pub(super) arbiters: Arbiters,
    corrected_us: i64,
    pub(super) promised_us: i64,
    watermark_us: i64,
    /// Bytes to append to the next event's frame, like a field of a newer protocol version.
    unknown_field: Vec<u8>,
    saved_chain: Option<Chain>,
    pub(super) order_shift_us: i64,
    pub(super) wire: Option<Wire>,
    opening: Option<JoinHandle<Result<Wire, EnrolFailure>>>,
    away: bool,
    pub(super) show: watch::Sender<Seen>,
}

impl ClockBody {
    pub(super) fn new(
        identity: ClockIdentity,
        hub: SocketAddr,
        faults: &[Fault],
        show: watch::Sender<Seen>,
    ) -> Self {
        Self {
            key: identity.key.clone(),
            chain: Chain::new(identity.key.clone(), &identity.enrolled.log_origin),
            identity,
            hub,
            faults: faults.to_vec(),
            base_us: FIRST_US,
            started_us: raw_us(),
            boot: random_bytes::<16>().to_vec(),
            process: Process {
                token: u64::from_le_bytes(random_bytes()),
                ..Process::default()
            },
            clock: None,
            board: String::new(),
            orders_taken: 0,
            probes: [(0, i64::MIN); 2],
            first_probe: None,
            arbiters: Arbiters::default(),
            corrected_us: 0,
            promised_us: FIRST_US,
            watermark_us: 0,
            unknown_field: Vec::new(),
            saved_chain: None,
            order_shift_us: 0,
            wire: None,
            opening: None,
            away: false,
            show,
        }
    }

    pub(super) async fn run(mut self, mut asked: mpsc::UnboundedReceiver<Act>) {
        loop {
            self.dial();
            let wait = self.next_check();
            tokio::select! {
                act = asked.recv() => match act {
                    Some(act) => act(&mut self),
                    None => return self.say_goodbye(GoodbyeReason::ShuttingDown, "the scripted clock stops"),
                },
                incoming = incoming(&mut self.wire) => self.on_incoming(incoming),
                opened = opened(&mut self.opening) => {
                    self.opening = None;
                    match opened {
                        Ok(wire) => self.on_link(wire),
                        Err(error) => self.closed(None, None, error.to_string()),
                    }
                }
                () = tokio::time::sleep(wait) => {}
            }
            self.beat();
        }
    }

    fn dial(&mut self) {
        if self.away || self.wire.is_some() || self.opening.is_some() {
            return;
        }
        let (identity, hub, faults) = (self.identity.clone(), self.hub, self.faults.clone());
        let first = self.show.borrow().links == 0 && self.show.borrow().closed.is_empty();
        self.opening = Some(tokio::spawn(async move {
            if !first {
                tokio::time::sleep(RECONNECT_DELAY).await;
            }
            Wire::open(&identity, hub, faults).await
        }));
    }

    pub(super) fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    pub fn set_faults(&mut self, faults: &[Fault]) {
        self.faults = faults.to_vec();
    }

    /// Shifts the stamps of the clock's confirmations of later orders by this many microseconds.
    pub fn shift_orders(&mut self, by_us: i64) {
        self.order_shift_us = by_us;
    }

    /// Returns the current board time, in microseconds.
    pub fn now_us(&self) -> i64 {
        let mut passed = raw_us() - self.started_us;
        if self.has(Fault::FastCrystal) {
            passed += passed / 100;
        }
        self.base_us + passed
    }

    pub fn seq(&self) -> u64 {
        self.chain.seq
    }

    /// Returns the nonce of the newest time probe.
    pub fn newest_probe(&self) -> u64 {
        self.probes[1].0
    }

    /// Returns the nonce of the newest probe if it had arrived by this instant, otherwise of the one before it.
    fn probe_at(&self, at_us: i64) -> u64 {
        let [older, newer] = self.probes;
        if newer.1 <= at_us { newer.0 } else { older.0 }
    }

    /// Returns the scripted clock's copy of its board's clock; `None` if it serves no board.
    pub fn board_clock(&self) -> Option<&BoardClock> {
        self.clock.as_ref()
    }

    /// Returns the latest instant up to which the clock has promised that no event is missing.
    pub fn promised_us(&self) -> i64 {
        self.promised_us
    }

    /// Moves board time by this many microseconds, without telling the hub.
    pub fn move_time(&mut self, by_us: i64) {
        self.base_us += by_us;
    }

    /// Presses a button now. Returns the event's number.
    pub fn press(&mut self, button: Button) -> u64 {
        self.press_at(button, None)
    }

    /// Presses a button at `at_us` of board time, or at the latest stamp or promise if that is later. `None` means
    /// now. Returns the event's number.
    pub fn press_at(&mut self, button: Button, at_us: Option<i64>) -> u64 {
        let button = match button {
            button if !self.has(Fault::WrongButton) => button,
            Button::Left => Button::Right,
            Button::Right | Button::Unspecified => Button::Left,
        };
        let at_us = at_us.map(|at| at.max(self.chain.last_us).max(self.promised_us));
        self.send_event(StatedEvent {
            at_us,
            ..StatedEvent::press(button)
        })
    }

    /// Holds both buttons. Returns the event's number.
    pub fn stop(&mut self) -> u64 {
        self.send_event(StatedEvent::stop())
    }

    /// Corrects the board with an arbiter's PIN. Returns the event's number, or `None` if no key can be derived
    /// from the PIN.
    pub fn correct(&mut self, arbiter: &str, pin: &str, command: &str) -> Option<u64> {
        let key = derive_key(pin, &self.arbiters.salt).ok()?;
        let at_us = self.now_us().max(self.chain.last_us).max(self.promised_us);
        let made_us = at_us.max(self.corrected_us + 1);
        self.corrected_us = made_us;
        let agent = self.identity.agent();
        let claim = CorrectionClaim {
            agent: &agent,
            made_us,
            board: &self.board,
            command,
        };
        let mut proof = claim.proof(&key);
        if self.has(Fault::CorrectionProof) {
            proof = CorrectionClaim {
                command: "set white 9h",
                ..claim
            }
            .proof(&key);
        }
        let arbiter = match self.has(Fault::CorrectionName) {
            true => "somebody else",
            false => arbiter,
        };
        let correction = Correction {
            command: command.to_owned(),
            arbiter: arbiter.to_owned(),
            made_us,
            proof,
            hub_away: self.wire.is_none(),
        };
        Some(self.send_event(StatedEvent::of(Fact::Correction(correction)).at(at_us)))
    }

    /// Stamps, signs, applies and sends an event, even if it did not happen. Returns the event's number.
    pub fn send_event(&mut self, stated: StatedEvent) -> u64 {
        self.send_event_for(stated, None)
    }

    pub(super) fn send_event_for(
        &mut self,
        stated: StatedEvent,
        order: Option<&order::What>,
    ) -> u64 {
        let honest = self.now_us().max(self.chain.last_us).max(self.promised_us);
        let mut at_us = stated.at_us.unwrap_or(honest);
        if self.has(Fault::DecreasingStamp) && self.chain.seq > 0 {
            at_us = self.chain.last_us - 1;
        }
        if self.has(Fault::WatermarkBroken) && self.chain.seq > 0 {
            at_us = at_us.min(self.promised_us - 1).max(self.chain.last_us);
        }
        let newest = match self.first_probe {
            Some(first) if self.has(Fault::StaleProbe) => first,
            Some(_) | None => self.probe_at(at_us),
        };
        let body = EventBody {
            seq: 0,
            prev_hash: Vec::new(),
            at_us,
            boot: self.boot.clone(),
            newest_probe: stated.probe.unwrap_or(newest),
            fact: Some(stated.fact.clone()),
        };
        self.apply(at_us, &stated.fact, order);
        let event = self.chain.append(body, &self.faults);
        let digest = self.digest();
        if let Some(waiting) = self.chain.waiting.back_mut() {
            waiting.digest = digest;
        }
        let frame: AgentFrame = event.into();
        let added = std::mem::take(&mut self.unknown_field);
        if added.is_empty() {
            self.send(frame);
        } else if let Ok(frame) = encode(&frame) {
            self.send_bytes(framed(&[frame, added].concat()));
        }
        if !self.has(Fault::WatermarkLate) {
            self.watermark_us = 0;
        }
        self.chain.seq
    }

    fn apply(&mut self, at_us: i64, fact: &Fact, order: Option<&order::What>) {
        let at = Instant::<Board>::from_micros(at_us);
        engine::apply(&mut self.clock, at, fact, order);
        let wrong = self.has(Fault::WrongIncrement);
        if let (Fact::Press(_), Some(clock), true) = (fact, &mut self.clock, wrong) {
            let side = clock.running().map_or(Side::White, Side::other);
            let by = timing::Duration::from_micros(1);
            // If the clock refuses the command, its time stays correct and the fault has no effect.
            let _ = clock.on_command(clock.now(), &timing::Command::Add { side, by });
        }
    }

    pub(super) fn digest(&self) -> Option<Digest> {
        self.clock.as_ref().map(engine::digest)
    }

    /// Adds these bytes, an unknown field, to the frame of the next event.
    pub fn unknown_field_on_next_event(&mut self, bytes: Vec<u8>) {
        self.unknown_field = bytes;
    }

    /// Keeps a copy of the chain for [`ClockBody::restore_chain`].
    pub fn keep_chain(&mut self) {
        self.saved_chain = Some(self.chain.clone());
    }

    /// Restores the copy of the chain, if there is one, as if later events had never happened.
    pub fn restore_chain(&mut self) {
        if let Some(kept) = self.saved_chain.take() {
            self.chain = kept;
        }
    }

    /// Sends a frame on the stream, if the hub has welcomed the clock on this link.
    pub fn send(&mut self, frame: AgentFrame) {
        if self.show.borrow().connected {
            self.send_anyway(frame);
        }
    }

    /// Sends bytes on the stream as they are; they need not form a frame.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) {
        if let Some(wire) = &self.wire {
            wire.send(bytes);
        }
    }

    pub fn datagram(&mut self, frame: &AgentFrame) {
        if let (Some(wire), Ok(bytes)) = (&self.wire, encode(frame)) {
            wire.datagram(bytes);
        }
    }

    /// Sends a watermark. Honest clocks sign it; the clock's faults can omit or spoil the signature.
    pub fn watermark(&mut self, at_us: i64, seq: u64) {
        let signature = if self.has(Fault::WatermarkUnsigned) {
            Vec::new()
        } else if self.has(Fault::WatermarkForged) {
            self.key.sign(&at_us.to_be_bytes()).to_bytes().to_vec()
        } else {
            sign_watermark(at_us, seq, &self.key)
        };
        let watermark = Watermark {
            at_us,
            seq,
            signature,
        };
        self.promised_us = self.promised_us.max(at_us);
        self.datagram(&watermark.into());
    }

    /// Closes the link. The clock then opens a new one, unless it stays away.
    pub fn drop_link(&mut self) {
        if let Some(wire) = self.wire.take() {
            wire.close(0, "the scripted clock drops its link");
            self.closed(None, None, "dropped here".to_owned());
        }
    }

    /// Closes the link and stays away until [`ClockBody::come_back`].
    pub fn stay_away(&mut self) {
        self.away = true;
        self.opening = None;
        self.drop_link();
    }

    pub fn come_back(&mut self) {
        self.away = false;
    }

    /// Restarts the clock's program: the same journal, a new run.
    pub fn restart(&mut self) {
        self.process = Process {
            token: u64::from_le_bytes(random_bytes()),
            follows: self.process.token,
            links: 0,
        };
        if self.has(Fault::JournalForgotten) {
            self.chain = Chain::new(self.key.clone(), &self.identity.enrolled.log_origin);
            self.orders_taken = 0;
            self.clock = None;
        }
        self.drop_link();
    }

    /// Restarts the clock's machine: the same journal, a new boot.
    pub fn reboot(&mut self) {
        self.boot = random_bytes::<16>().to_vec();
        self.restart();
    }

    pub(super) fn say_goodbye(&mut self, reason: GoodbyeReason, text: &str) {
        let goodbye = Goodbye {
            reason: reason.into(),
            text: text.to_owned(),
        };
        self.send_anyway(goodbye.into());
        if let Some(mut wire) = self.wire.take() {
            wire.finish();
            let text = text.to_owned();
            tokio::spawn(async move {
                // The peer closes the link on receiving the goodbye. If it does not, this end closes the link.
                let gone = async { while !matches!(wire.next().await, Incoming::Closed { .. }) {} };
                let _ = tokio::time::timeout(Duration::from_millis(300), gone).await;
                wire.close(reason as u32, &text);
            });
            self.closed(None, None, format!("closed here: {reason:?}"));
        }
    }

    /// Sends a frame even before the hub has welcomed the clock.
    pub(super) fn send_anyway(&mut self, frame: AgentFrame) {
        if let Ok(bytes) = encode_prefixed(&frame) {
            self.send_bytes(bytes);
        }
    }

    fn beat(&mut self) {
        let now_us = self.now_us();
        let now = Instant::<Board>::from_micros(now_us);
        if let Some(clock) = &mut self.clock
            && clock.next_deadline().is_some_and(|at| at <= now)
        {
            // The returned effects are also visible in the clock's state.
            let _ = clock.pass_time(now);
            if !self.has(Fault::WatermarkNoFlag) {
                self.watermark_us = 0;
            }
        }
        let due = self.watermark_us + self.interval_us() <= now_us;
        if due && self.show.borrow().connected && !self.has(Fault::WatermarkNone) {
            self.watermark_us = now_us;
            let broken = self.has(Fault::WatermarkBroken);
            let ahead = if broken { 2_000_000 } else { 0 };
            let at_us = self.promised_us.max(now_us + ahead);
            self.watermark(at_us, self.chain.seq);
        }
    }

    fn interval_us(&self) -> i64 {
        if self.has(Fault::WatermarkSeldom) {
            return SELDOM_US;
        }
        let now = Instant::from_micros(self.now_us());
        let left_us = engine::movers_time(self.clock.as_ref(), now);
        let short = left_us.is_some_and(|us| us < SHORT_OF_TIME_US);
        match short && !self.has(Fault::WatermarkCalm) {
            true => SHORT_WATERMARK_INTERVAL_US,
            false => WATERMARK_INTERVAL_US,
        }
    }

    fn next_check(&self) -> Duration {
        let deadline = self.clock.as_ref().and_then(BoardClock::next_deadline);
        let left = deadline.map(|at| (at.as_micros() - self.now_us()).clamp(0, 50_000));
        left.map_or(CHECK_INTERVAL, |us| {
            Duration::from_micros(us.unsigned_abs())
        })
        .max(Duration::from_millis(1))
    }
}

async fn incoming(wire: &mut Option<Wire>) -> Incoming<HubFrame> {
    match wire {
        Some(wire) => wire.next().await,
        None => std::future::pending().await,
    }
}

async fn opened(
    opening: &mut Option<JoinHandle<Result<Wire, EnrolFailure>>>,
) -> Result<Wire, EnrolFailure> {
    match opening {
        Some(opening) => opening
            .await
            .unwrap_or_else(|error| Err(EnrolFailure::Link(error.to_string()))),
        None => std::future::pending().await,
    }
}

/// Returns random bytes. If the system has none, every run uses the same bytes, which does no harm in a test.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [7; N];
    let _ = getrandom::fill(&mut bytes);
    bytes
}
