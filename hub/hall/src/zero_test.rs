//! The clock test: a board's clock makes a scripted press, and the hub checks that the press's stamp lies between the
//! request and the answer. Defines the limits, the certificate and the verdict. Must never change a board's clock.
//!
//! A test is refused while a game is in progress, so that it does not disturb a player's display.

mod run;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use proto::ids::{AgentId, CommandId, EventSeq};
use timing::sync::{MAX_DRIFT_PPM, Mapped};
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::board_id::BoardId;

/// Maximum distance of the stamp, by its best estimate, from the interval between request and answer. A wider offset
/// interval raises the limit, because a slow link is not the clock's fault.
pub const LIMIT_ERROR: Duration = Duration::from_millis(1);

/// Maximum half-width of the interval within which the offset is proven to lie.
pub const LIMIT_INTERVAL: Duration = Duration::from_millis(10);

/// Rate error of a crystal from which a test fails, in parts per billion.
pub const LIMIT_RATE_PPB: i64 = MAX_DRIFT_PPM * 1_000;

/// Maximum time from the request to the arrival of the scripted press.
pub const LIMIT_ANSWER: Duration = Duration::from_millis(1_500);

/// The outcome of a clock test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub command: CommandId,
    pub agent: AgentId,
    pub name: String,
    pub firmware: String,
    /// Hub instant of the request.
    pub asked: Instant<Hub>,
    /// Wall-clock time of the request, in microseconds since 1970.
    pub wall_us: i64,
    /// The scripted press; `None` if none arrived.
    pub press: Option<TestPress>,
    /// Rate error of the clock's crystal relative to the hub's, in parts per billion; `None` if it is not known.
    pub rate_ppb: Option<i64>,
    /// Round trip of the last time exchange, in microseconds; `None` if there was no exchange.
    pub round_trip_us: Option<i64>,
    /// Battery charge in percent; `None` if the clock does not report it.
    pub battery_percent: Option<u32>,
    /// The clock's temperature in thousandths of a degree Celsius; `None` if the clock does not report it.
    pub temperature_mc: Option<i32>,
    /// Descriptions of the failed checks; empty if the clock passed.
    pub findings: Vec<String>,
}

/// The scripted press of a clock test, as the hub received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPress {
    pub heard: Instant<Hub>,
    /// The press's sequence number in the clock's chain.
    pub seq: EventSeq,
    /// The clock's stamp of the press, in board time.
    pub stamp: Instant<BoardTime>,
    /// The stamp on the hub's timeline; `None` if no time exchange was completed.
    pub mapped: Option<Mapped<Hub>>,
}

impl Certificate {
    pub fn passed(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the distance of the stamp, by its best estimate, from the interval between request and answer. Returns
    /// `None` if there is no press or no estimate.
    pub fn error(&self) -> Option<Duration> {
        let press = self.press?;
        let est = press.mapped?.est;
        let early = (self.asked - est).or_zero();
        Some(early.max((est - press.heard).or_zero()))
    }

    /// Returns the limit for [`Self::error`]: [`LIMIT_ERROR`] or [`Self::half_width`], whichever is larger.
    pub fn allowed_error(&self) -> Duration {
        self.half_width()
            .map_or(LIMIT_ERROR, |width| width.max(LIMIT_ERROR))
    }

    /// Returns half the width of the interval within which the stamp is proven to lie on the hub's timeline.
    pub fn half_width(&self) -> Option<Duration> {
        let mapped = self.press?.mapped?;
        Some(Duration::from_micros(
            ((mapped.hi - mapped.lo).as_micros() + 1) / 2,
        ))
    }

    fn judge(&self) -> Vec<String> {
        let mut findings = Vec::new();
        let Some(press) = self.press else {
            return vec![format!("no scripted press arrived within {LIMIT_ANSWER}")];
        };
        let Some(mapped) = press.mapped else {
            return vec!["no time exchange with this clock has been completed".to_owned()];
        };
        if mapped.hi < self.asked || mapped.lo > press.heard {
            findings.push(
                "the proven interval of its stamp is outside the interval between request and answer"
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
                "its offset is known only to within ± {width}; the limit is ± {limit}: the link is slow"
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

fn ms(span: Duration) -> String {
    let us = span.as_micros();
    format!("{}.{:03} ms", us / 1_000, us % 1_000)
}

/// Formats the certificate as part of the line that describes its record in the log.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "test of clock {}: ", self.agent.short())?;
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
    pub(crate) fn is_under_way(&self, command: &CommandId) -> bool {
        self.under_way.values().any(|test| test.command == *command)
    }

    /// Returns the certificates of this command's test; none if the board has had a newer test.
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
