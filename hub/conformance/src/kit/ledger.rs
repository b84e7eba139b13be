//! The frames that a clock has sent so far, and the limits on its next frames. In every scenario, checks each hello, event, watermark and reply
//! against the rules.

mod time;

use std::collections::BTreeMap;

use prost::Message as _;
use proto::chain::{ChainHash, chain_hash, genesis, verify};
use proto::ids::{AgentId, hex};
use proto::pin::{CorrectionClaim, PinKey};
use proto::wire::{
    Correction, Diverged, Event, EventBody, GoodbyeReason, Health, Hello, LogContradiction, Order,
    TimeReply, Watermark, event_body::Fact,
};
use timing::{Board, BoardClock, Instant};

use super::board_time::Exchange;
use crate::clock::Closed;
use crate::engine;
use crate::report::Report;
use crate::rule::Rule;

/// Time within which a watermark must follow an event.
const FOLLOWS_WITHIN_US: i64 = 600_000;

#[derive(Clone, Debug)]
pub(super) struct ReceivedEvent {
    pub(super) body: EventBody,
    pub(super) event: Event,
}

/// The only arbiter in the kit's list.
#[derive(Clone, Debug)]
pub(super) struct Permitted {
    pub(super) name: String,
    pub(super) key: PinKey,
}

#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) agent: AgentId,
    pub(super) origin: String,
    pub(super) head: ChainHash,
    pub(super) events: Vec<ReceivedEvent>,
    pub(super) seq: u64,
    last_us: i64,
    pub(super) hellos: Vec<Hello>,
    /// Number of the clock's last event according to its newest hello.
    pub(super) claimed: u64,
    /// Number of the last event that this link's Welcome acknowledged.
    pub(super) welcomed: u64,
    /// Numbers of the events that arrived on this link.
    on_link: Vec<u64>,
    promised: Option<(i64, u64)>,
    pub(super) watermarks: Vec<(i64, Watermark)>,
    /// The kit's time at which a player's time became short, as far as the kit can tell.
    hurried_since: Option<i64>,
    /// An event, and the kit's time by which a watermark must have followed it.
    due: Option<(u64, i64)>,
    /// The first event without its watermark. One watermark may be lost, because clocks do not repeat watermarks (W6).
    missed: Option<u64>,
    pub(super) probes: BTreeMap<u64, (usize, i64)>,
    pub(super) replies: Vec<(usize, TimeReply)>,
    /// The first probe whose reply counts. The clock may answer an earlier probe in board time before or after a jump.
    first_probe: usize,
    pub(super) exchange: Option<Exchange>,
    first_exchange: Option<Exchange>,
    pub(super) orders: BTreeMap<u64, (Order, i64)>,
    pub(super) taken: u64,
    pub(super) clock: Option<BoardClock>,
    pub(super) board: String,
    pub(super) diverged: Vec<Diverged>,
    pub(super) contradictions: Vec<LogContradiction>,
    pub(super) health: Vec<Health>,
    pub(super) zero_tests: Vec<u64>,
    pub(super) zero_tested: Vec<u64>,
    pub(super) permitted: Option<Permitted>,
    corrected_us: i64,
    /// The jump in this link's Welcome that the clock has not recorded yet: length and uncertainty.
    pub(super) jump: Option<(i64, i64)>,
    pub(super) jumped: bool,
    pub(super) goodbye: Option<GoodbyeReason>,
    pub(super) ended: Vec<Closed>,
    pub(super) links: u32,
}

impl Ledger {
    pub(super) fn new(agent: AgentId, origin: &str) -> Self {
        Self {
            agent,
            origin: origin.to_owned(),
            head: genesis(origin, &agent),
            events: Vec::new(),
            seq: 0,
            last_us: i64::MIN,
            hellos: Vec::new(),
            claimed: 0,
            welcomed: 0,
            on_link: Vec::new(),
            promised: None,
            watermarks: Vec::new(),
            hurried_since: None,
            due: None,
            missed: None,
            probes: BTreeMap::new(),
            replies: Vec::new(),
            first_probe: 0,
            exchange: None,
            first_exchange: None,
            orders: BTreeMap::new(),
            taken: 0,
            clock: None,
            board: String::new(),
            diverged: Vec::new(),
            contradictions: Vec::new(),
            health: Vec::new(),
            zero_tests: Vec::new(),
            zero_tested: Vec::new(),
            permitted: None,
            corrected_us: i64::MIN,
            jump: None,
            jumped: false,
            goodbye: None,
            ended: Vec::new(),
            links: 0,
        }
    }

    fn boot(&self) -> &[u8] {
        self.hellos.last().map_or(&[], |hello| &hello.boot)
    }

    /// Begins a link. Events that were sent on an earlier link may be sent again.
    pub(super) fn on_link(&mut self) {
        self.links += 1;
        self.on_link.clear();
        self.goodbye = None;
        self.jump = None;
        self.due = None;
        self.hurried_since = None;
    }

    pub(super) fn on_hello(&mut self, hello: Hello, at_us: i64, report: &mut Report) {
        let whole = hello.major == proto::MAJOR && hello.firmware.chars().count() <= 80;
        report.check(
            Rule::S2,
            whole && hello.orders_taken == self.taken,
            format!(
                "major 1, a firmware of at most 80 characters, orders_taken {}",
                self.taken
            ),
            format!(
                "major {}, firmware {:?}, orders_taken {}",
                hello.major, hello.firmware, hello.orders_taken
            ),
        );
        self.check_boot(&hello, report);
        self.check_place(&hello, report);
        self.check_process(&hello, report);
        let same_boot = self
            .hellos
            .last()
            .is_some_and(|last| last.boot == hello.boot);
        if let (Some(exchange), true) = (self.exchange, same_boot) {
            let bounds = exchange.at_least(at_us - 5_000_000)..=exchange.at_most(at_us);
            report.check(
                Rule::S2,
                bounds.contains(&hello.now_us),
                format!("now_us in {bounds:?}"),
                format!("{}", hello.now_us),
            );
        }
        if !same_boot {
            self.exchange = None;
            self.first_exchange = None;
        }
        let last_boot = self.events.last().map(|kept| kept.body.boot.clone());
        if hello.next_seq == self.seq + 1 {
            let other = last_boot.is_some_and(|last| last != hello.boot);
            report.check(
                Rule::S4,
                hello.rebooted == other,
                format!("rebooted {other}"),
                format!("{}", hello.rebooted),
            );
        }
        self.claimed = hello.next_seq.saturating_sub(1);
        self.hellos.push(hello);
    }

    fn check_boot(&self, hello: &Hello, report: &mut Report) {
        let events = self.events.iter().map(|kept| &kept.body);
        let in_boot = events.filter(|body| body.boot == hello.boot);
        let stamped = in_boot.map(|body| body.at_us).max();
        let same_boot = |last: &Hello| last.boot == hello.boot;
        let exchange = self
            .exchange
            .filter(|_| self.hellos.last().is_some_and(same_boot));
        let shown = exchange.map(|exchange| exchange.board_us);
        let least = stamped.max(shown).unwrap_or(0).max(0);
        report.check(
            Rule::B2,
            (1..=64).contains(&hello.boot.len()) && hello.now_us >= least,
            format!("a boot of 1 to 64 bytes and board time of at least {least} us"),
            format!("{} bytes, {} us", hello.boot.len(), hello.now_us),
        );
    }

    fn check_place(&self, hello: &Hello, report: &mut Report) {
        let first = hello.next_seq == 1;
        let shape = if first {
            hello.log_origin.is_empty() && hello.head.is_empty()
        } else {
            hello.log_origin == self.origin && hello.head.len() == 32
        };
        let fits = hello.next_seq > self.seq
            && (hello.next_seq != self.seq + 1 || first || hello.head == self.head);
        report.check(
            Rule::S3,
            shape && fits,
            format!(
                "origin, next event {} or later, head {}; all empty for an empty journal",
                self.seq + 1,
                hex(&self.head[..4])
            ),
            format!(
                "origin {:?}, next event {}, head {}",
                hello.log_origin,
                hello.next_seq,
                hex(hello.head.get(..4).unwrap_or_default())
            ),
        );
    }

    fn check_process(&self, hello: &Hello, report: &mut Report) {
        let process = hello.process.unwrap_or_default();
        let last = self.hellos.last().and_then(|hello| hello.process);
        let fits = match last {
            Some(last) if last.token == process.token => {
                process.links > last.links && process.follows == last.follows
            }
            Some(last) => process.follows == last.token,
            None => true,
        };
        report.check(
            Rule::S5,
            process.token != 0 && process.links > 0 && fits,
            format!("a token other than 0 and more links than before, or a token that follows the last one ({last:?})"),
            format!("{process:?}"),
        );
    }

    pub(super) fn on_event(&mut self, event: Event, at_us: i64, report: &mut Report) {
        let Ok(body) = EventBody::decode(event.body.as_slice()) else {
            report.check(Rule::C1, false, "an EventBody", hex(&event.body));
            return;
        };
        let known = body.fact.is_some();
        report.check(Rule::C1, known, "a fact of a known kind", "none");
        let signed = verify(&event, &self.agent);
        report.check(
            Rule::C4,
            signed.is_ok(),
            "a signature over the context and the body",
            format!("event {}: {signed:?}", body.seq),
        );
        let again = self.on_link.contains(&body.seq);
        self.on_link.push(body.seq);
        if body.seq <= self.seq {
            self.check_again(&body, &event, again, report);
            return;
        }
        report.check(
            Rule::C2,
            body.seq == self.seq + 1,
            format!("event {}", self.seq + 1),
            format!("event {}", body.seq),
        );
        report.check(
            Rule::C3,
            body.prev_hash == self.head,
            format!("previous hash {}", hex(&self.head)),
            hex(&body.prev_hash),
        );
        self.check_stamp(&body, at_us, report);
        self.check_context(&body, report);
        if let Some(fact) = &body.fact {
            self.check_fact(fact, &body, report);
        }
        self.head = chain_hash(&event.body);
        self.seq = body.seq;
        self.last_us = self.last_us.max(body.at_us);
        // A watermark is a datagram and may have overtaken its event.
        let newest = self.watermarks.last();
        if newest.is_none_or(|(_, watermark)| watermark.seq < body.seq) {
            self.due = Some((body.seq, at_us + FOLLOWS_WITHIN_US));
        } else {
            report.check(Rule::W4, true, "", "");
        }
        self.apply(&body);
        self.events.push(ReceivedEvent { body, event });
    }

    fn check_again(&self, body: &EventBody, event: &Event, again: bool, report: &mut Report) {
        let known = self.events.iter().find(|kept| kept.body.seq == body.seq);
        let same = known.is_some_and(|kept| kept.event == *event);
        report.check(
            Rule::C7,
            same && !again && body.seq > self.welcomed,
            format!(
                "an event after {}, once on a link, byte for byte as before",
                self.welcomed
            ),
            format!(
                "event {} {}{}",
                body.seq,
                if same {
                    "again"
                } else {
                    "with different bytes"
                },
                if again { " on the same link" } else { "" }
            ),
        );
    }

    fn check_stamp(&mut self, body: &EventBody, at_us: i64, report: &mut Report) {
        let most = self.exchange.map_or(i64::MAX, |exchange| {
            let mut jump = 0;
            if let Some(Fact::Rebase(rebase)) = body.fact {
                jump = rebase.jump_us.max(0);
            }
            exchange.at_most(at_us).saturating_add(jump)
        });
        report.check(
            Rule::C5,
            body.at_us >= self.last_us && body.at_us <= most,
            format!("a stamp from {} to {most} us", self.last_us),
            format!("event {} at {} us", body.seq, body.at_us),
        );
        if let Some((promised, seq)) = self.promised
            && body.seq > seq
        {
            report.check(
                Rule::W2,
                body.at_us >= promised,
                format!("no event after {seq} before {promised} us, as promised"),
                format!("event {} at {} us", body.seq, body.at_us),
            );
        }
    }

    fn check_context(&self, body: &EventBody, report: &mut Report) {
        let known = match body.newest_probe {
            0 => Some(0),
            nonce => self.probes.get(&nonce).map(|(number, _)| number + 1),
        };
        let at_us = body.at_us;
        let replies = self.replies.iter();
        let answered = replies.clone().filter(|(_, reply)| reply.sent_us < at_us);
        let newest = answered.map(|(number, _)| number + 1).max().unwrap_or(0);
        let later = replies.clone().any(|(number, reply)| {
            reply.received_us > at_us && known.is_some_and(|known| known == number + 1)
        });
        report.check(
            Rule::C6,
            body.boot == self.boot() && known.is_some_and(|known| known >= newest) && !later,
            format!("the boot of Hello, and the newest probe at the stamp: {newest}"),
            format!(
                "event {}: boot {}, probe {}",
                body.seq,
                hex(&body.boot),
                known.map_or("unknown".to_owned(), |known| known.to_string())
            ),
        );
    }

    fn check_fact(&mut self, fact: &Fact, body: &EventBody, report: &mut Report) {
        match fact {
            Fact::OrderTaken(taken) => {
                let mut waiting = self.orders.range(self.taken + 1..);
                let next = waiting.next().map(|(number, _)| *number);
                report.check(
                    Rule::O1,
                    Some(taken.order) == next,
                    next.map_or("no order taken".to_owned(), |next| format!("order {next}")),
                    format!("order {} taken", taken.order),
                );
                if let (Some((_, sent_us)), Some(exchange)) =
                    (self.orders.get(&taken.order), self.exchange)
                {
                    let least = exchange.at_least(*sent_us);
                    report.check(
                        Rule::O2,
                        body.at_us >= least,
                        format!("a stamp of at least {least} us, when the order was sent"),
                        format!("order {} taken at {} us", taken.order, body.at_us),
                    );
                }
            }
            Fact::Rebase(rebase) => {
                let given = self.jump.take();
                let fits = given == Some((rebase.jump_us, rebase.uncertainty_us))
                    || rebase.uncharged && rebase.jump_us == 0;
                report.check(
                    Rule::S8,
                    fits,
                    format!("the jump in Welcome: {given:?}"),
                    format!("{rebase:?}"),
                );
                self.jumped = true;
                self.first_probe = self.probes.len();
                self.promised = None;
                self.exchange = None;
                self.first_exchange = None;
            }
            Fact::ZeroTested(tested) => {
                report.check(
                    Rule::D5,
                    self.zero_tests.contains(&tested.nonce),
                    format!("one of the nonces {:?}", self.zero_tests),
                    format!("{}", tested.nonce),
                );
                self.zero_tested.push(tested.nonce);
            }
            Fact::Correction(correction) => self.check_correction(correction, body, report),
            Fact::Press(_) | Fact::Stop(_) => (),
        }
    }

    fn check_correction(&mut self, made: &Correction, body: &EventBody, report: &mut Report) {
        let word = made.command.split(' ').next().unwrap_or_default();
        report.check(
            Rule::A5,
            ["set", "add", "moves", "pause", "resume"].contains(&word)
                && made.command.parse::<timing::Command>().is_ok(),
            "set, add, moves, pause or resume",
            format!("{:?}", made.command),
        );
        let due_us = body.at_us.max(self.corrected_us.saturating_add(1));
        report.check(
            Rule::A6,
            made.made_us == due_us,
            format!("made_us {due_us}"),
            made.made_us.to_string(),
        );
        self.corrected_us = made.made_us;
        let Some(permitted) = &self.permitted else {
            report.check(Rule::A8, false, "no correction", &made.arbiter);
            return;
        };
        report.check(
            Rule::A8,
            made.arbiter == permitted.name && !made.hub_away,
            format!("{:?}, with the hub connected", permitted.name),
            format!("{:?}, hub_away {}", made.arbiter, made.hub_away),
        );
        let claim = CorrectionClaim {
            agent: &self.agent,
            made_us: made.made_us,
            board: &self.board,
            command: &made.command,
        };
        report.check(
            Rule::A7,
            claim.is_proved_by(&permitted.key, &made.proof),
            format!(
                "a proof over this clock, {} us, board {:?} and {:?}",
                made.made_us, self.board, made.command
            ),
            "a signature that does not match",
        );
    }

    fn apply(&mut self, body: &EventBody) {
        let Some(fact) = &body.fact else { return };
        let mut what = None;
        if let Fact::OrderTaken(taken) = fact {
            self.taken = self.taken.max(taken.order);
            let order = self.orders.get(&taken.order);
            what = order.and_then(|(order, _)| order.what.as_ref());
        }
        let at = Instant::<Board>::from_micros(body.at_us);
        engine::apply(&mut self.clock, at, fact, what);
    }

    pub(super) fn digest(&self) -> Option<[u8; 8]> {
        self.clock.as_ref().map(engine::digest)
    }
}
