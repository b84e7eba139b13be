//! The clock test: a board's clock makes a scripted press, and the hub compares its stamp with the time between its
//! request and the answer. Defines the limits, the certificate and the verdict. Must never change a board's clock.
//!
//! A test is refused while a game is in progress, so that it does not disturb a player's display.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::wire;
use timing::sync::{MAX_DRIFT_PPM, Mapped};
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::Hall;
use super::board::Board;
use super::command::Verdict;
use super::command_record::CommandKind;
use super::effect::{Denied, HubEffect, Step};
use super::entry::Entry;
use super::input::{BoardId, Request};
use super::refusal::Why;
use super::wakes::Due;

/// Limit for the distance of the stamp's best estimate from the time between request and answer. A wider offset
/// interval extends the limit: a slow link is not the clock's fault.
pub const LIMIT_ERROR: Duration = Duration::from_millis(1);
/// Limit for the half-width of the proven interval of the offset.
pub const LIMIT_INTERVAL: Duration = Duration::from_millis(10);
/// Limit for the rate error of a crystal, in parts per billion.
pub const LIMIT_RATE_PPB: i64 = MAX_DRIFT_PPM * 1_000;
/// Time limit for the press.
pub const LIMIT_ANSWER: Duration = Duration::from_millis(1_500);

/// First minor version of the frame protocol with the clock test.
const SINCE_MINOR: u32 = 1;

/// The outcome of a clock test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The command that started the test.
    pub command: CommandId,
    /// The clock.
    pub agent: AgentId,
    /// The clock's name.
    pub name: String,
    /// The clock's firmware.
    pub firmware: String,
    /// Hub instant of the request.
    pub asked: Instant<Hub>,
    /// Wall-clock time of the request, in microseconds since 1970.
    pub wall_us: i64,
    /// The scripted press; `None` if none came.
    pub press: Option<TestPress>,
    /// Rate of the crystal relative to the hub's, in parts per billion.
    pub rate_ppb: Option<i64>,
    /// Round trip of the last time exchange, in microseconds.
    pub round_trip_us: Option<i64>,
    /// Battery charge, 0 to 100.
    pub battery_percent: Option<u32>,
    /// Temperature in thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    /// Reasons for a failure; empty if the clock passed.
    pub findings: Vec<String>,
}

/// The scripted press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPress {
    /// Hub instant of the arrival.
    pub heard: Instant<Hub>,
    /// Sequence number in the clock's chain.
    pub seq: EventSeq,
    /// The clock's stamp.
    pub stamp: Instant<BoardTime>,
    /// The stamp on the hub's timeline; `None` without a time exchange.
    pub mapped: Option<Mapped<Hub>>,
}

impl Certificate {
    /// Returns true if the clock passed every check.
    pub fn passed(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the distance of the stamp's best estimate from the time between request and answer; `None` without a
    /// stamp.
    pub fn error(&self) -> Option<Duration> {
        let press = self.press?;
        let est = press.mapped?.est;
        let early = (self.asked - est).or_zero();
        Some(early.max((est - press.heard).or_zero()))
    }

    /// Returns the limit for [`Self::error`]: [`LIMIT_ERROR`], or half the proven interval where that is wider.
    pub fn allowed_error(&self) -> Duration {
        self.half_width()
            .map_or(LIMIT_ERROR, |width| width.max(LIMIT_ERROR))
    }

    /// Returns half the width of the proven interval.
    pub fn half_width(&self) -> Option<Duration> {
        let mapped = self.press?.mapped?;
        Some(Duration::from_micros(
            ((mapped.hi - mapped.lo).as_micros() + 1) / 2,
        ))
    }

    /// Returns every failed check, in words.
    fn judge(&self) -> Vec<String> {
        let mut findings = Vec::new();
        let Some(press) = self.press else {
            return vec![format!("no scripted press came within {LIMIT_ANSWER}")];
        };
        let Some(mapped) = press.mapped else {
            return vec!["no time exchange with this clock has been completed".to_owned()];
        };
        if mapped.hi < self.asked || mapped.lo > press.heard {
            findings.push(
                "the proven interval of its stamp lies outside the time between question and answer"
                    .to_owned(),
            );
        }
        let allowed = self.allowed_error();
        if let Some(error) = self.error().filter(|error| *error > allowed) {
            let (off, limit) = (ms(error), ms(allowed));
            findings.push(format!("its stamp is off by {off}, more than {limit}"));
        }
        if let Some(width) = self.half_width().filter(|width| *width > LIMIT_INTERVAL) {
            let (width, limit) = (ms(width), ms(LIMIT_INTERVAL));
            findings.push(format!(
                "its offset is known to ± {width} only, not to ± {limit}: the link is slow"
            ));
        }
        if self
            .rate_ppb
            .is_some_and(|rate| rate.abs() >= LIMIT_RATE_PPB)
        {
            findings.push(format!(
                "its crystal is off by {MAX_DRIFT_PPM} ppm or more: do not use this clock"
            ));
        }
        findings
    }
}

/// Formats a span in milliseconds with three decimals.
fn ms(span: Duration) -> String {
    let us = span.as_micros();
    format!("{}.{:03} ms", us / 1_000, us % 1_000)
}

/// Formats the certificate as a line of the log.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zero test of clock {}: ", self.agent.short())?;
        match self.findings.as_slice() {
            [] => f.write_str("passed")?,
            findings => write!(f, "FAILED, {}", findings.join("; "))?,
        }
        if let (Some(error), Some(width)) = (self.error(), self.half_width()) {
            write!(f, " (off by {}, known to ± {}", ms(error), ms(width))?;
            if let Some(rate) = self.rate_ppb {
                write!(f, ", crystal {} ppb", rate)?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(crate) struct ZeroTests {
    under_way: BTreeMap<AgentId, UnderWay>,
    /// The certificates of each board's newest test, one for each clock.
    ended: BTreeMap<BoardId, Vec<Arc<Certificate>>>,
}

#[derive(Clone, Debug)]
struct UnderWay {
    command: CommandId,
    board: BoardId,
    nonce: u64,
    asked: Instant<Hub>,
}

impl ZeroTests {
    /// Returns true if this command's test is still in progress.
    pub(crate) fn is_under_way(&self, command: &CommandId) -> bool {
        self.under_way.values().any(|test| test.command == *command)
    }

    /// Returns the certificates of this command's test, if it was the board's newest.
    pub(crate) fn certificates(
        &self,
        board: &BoardId,
        command: &CommandId,
    ) -> Vec<Arc<Certificate>> {
        let newest = self.ended.get(board).into_iter().flatten();
        newest
            .filter(|certificate| certificate.command == *command)
            .cloned()
            .collect()
    }

    fn end(&mut self, board: BoardId, certificate: Certificate) {
        let newest = self.ended.entry(board).or_default();
        newest.retain(|known| known.command == certificate.command);
        newest.push(Arc::new(certificate));
    }
}

impl Hall {
    /// Decides if a test is possible on the board of a request.
    pub(crate) fn judge_zero_test(&self, request: &Request) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = Some(board.id.clone());
        Ok(match self.hindrance(board) {
            Some(why) => Verdict::Refuse(id, why.into()),
            None => Verdict::Accept(id, CommandKind::ZeroTest),
        })
    }

    fn hindrance(&self, board: &Board) -> Option<Why> {
        let id = &board.id;
        if board.in_play() {
            return Some(Why::ZeroTestInPlay(id.clone()));
        }
        if board.agents().next().is_none() {
            return Some(Why::NoClock(id.clone()));
        }
        board.agents().find_map(|agent| self.unfit(id, agent))
    }

    /// Returns the reason why a clock cannot be tested now.
    fn unfit(&self, id: &BoardId, agent: AgentId) -> Option<Why> {
        let Some(session) = self
            .live
            .sessions
            .get(&agent)
            .filter(|session| session.online && session.link.is_some())
        else {
            return Some(Why::ClockSilent(id.clone()));
        };
        if session.minor < SINCE_MINOR {
            return Some(Why::ZeroTestUnknown {
                board: id.clone(),
                firmware: session.firmware.clone(),
            });
        }
        self.live
            .zero_tests
            .under_way
            .contains_key(&agent)
            .then(|| Why::ZeroTestUnderWay(id.clone()))
    }

    /// Asks the board's clocks for their scripted presses.
    pub(crate) fn begin_zero_test(
        &mut self,
        now: Instant<Hub>,
        board: &BoardId,
        command: CommandId,
        step: &mut Step,
    ) {
        let clocks: Vec<AgentId> = match self.fold.boards.get(board) {
            Some(board) => board.agents().collect(),
            None => return,
        };
        for agent in clocks {
            self.ask_for_press(now, board, agent, command, step);
        }
    }

    fn ask_for_press(
        &mut self,
        now: Instant<Hub>,
        board: &BoardId,
        agent: AgentId,
        command: CommandId,
        step: &mut Step,
    ) {
        let link = self
            .live
            .sessions
            .get(&agent)
            .and_then(|session| session.link);
        let Some(open) = link else {
            return;
        };
        let nonce = self.live.nonces.next();
        let test = UnderWay {
            command,
            board: board.clone(),
            nonce,
            asked: now,
        };
        self.live.zero_tests.under_way.insert(agent, test);
        self.live
            .wakes
            .add(now + LIMIT_ANSWER, Due::ZeroTest(agent, nonce));
        step.effects.push(HubEffect::ToAgent {
            link: open.link,
            frame: wire::ZeroTest { nonce }.into(),
        });
    }

    /// Ends the test with its scripted press. A press without a matching test stays in the chain and means nothing
    /// else.
    pub(crate) fn on_zero_tested(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        (nonce, seq, stamp): (u64, EventSeq, Instant<BoardTime>),
        received: Instant<Hub>,
        step: &mut Step,
    ) {
        let tests = &self.live.zero_tests.under_way;
        if tests.get(&agent).is_none_or(|test| test.nonce != nonce) {
            return;
        }
        let session = self.live.sessions.get(&agent);
        let press = TestPress {
            heard: received,
            seq,
            stamp,
            mapped: session.and_then(|session| session.estimate.to_hub(stamp)),
        };
        self.end_zero_test(now, agent, Some(press), step);
    }

    /// Ends a test whose press did not come in time.
    pub(crate) fn on_zero_test_due(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        nonce: u64,
        step: &mut Step,
    ) {
        let tests = &self.live.zero_tests.under_way;
        if tests.get(&agent).is_some_and(|test| test.nonce == nonce) {
            self.end_zero_test(now, agent, None, step);
        }
    }

    fn end_zero_test(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        press: Option<TestPress>,
        step: &mut Step,
    ) {
        let Some(test) = self.live.zero_tests.under_way.remove(&agent) else {
            return;
        };
        let session = self.live.sessions.get(&agent);
        let health = session.and_then(|session| session.health);
        let mut certificate = Certificate {
            command: test.command,
            agent,
            name: self
                .fold
                .agents
                .get(&agent)
                .map(|known| known.name.clone())
                .unwrap_or_default(),
            firmware: session
                .map(|session| session.firmware.clone())
                .unwrap_or_default(),
            asked: test.asked,
            wall_us: self
                .live
                .wall_us
                .saturating_add((test.asked - self.live.started).as_micros()),
            press,
            rate_ppb: session.and_then(|session| session.estimate.rate_ppb()),
            round_trip_us: session
                .and_then(|session| session.round_trip)
                .map(Duration::as_micros),
            battery_percent: health.and_then(|health| health.battery_percent),
            temperature_mc: health.and_then(|health| health.temperature_mc),
            findings: Vec::new(),
        };
        certificate.findings = certificate.judge();
        if session.is_some_and(|session| session.contradiction.is_some()) {
            let finding =
                "its time contradicts what it said before: its crystal is faulty, or it was set";
            certificate.findings.push(finding.to_owned());
        }
        if health.is_some_and(|health| !health.journal_ok) {
            let finding = "it cannot write its journal";
            certificate.findings.push(finding.to_owned());
        }
        let entry = Entry::ZeroTestEnded(Box::new(certificate.clone()));
        self.live.zero_tests.end(test.board.clone(), certificate);
        // The entry changes nothing in the fold, so it fits.
        let _ = self.log(now, Some(test.board), entry, step);
    }
}
