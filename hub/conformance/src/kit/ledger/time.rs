//! Watermarks and time replies: signatures, order and intervals, and the accuracy of the clock's crystal.

use proto::chain::verify_watermark;
use proto::watermark::SHORT_OF_TIME_US;
use proto::wire::{TimeReply, Watermark};
use timing::Instant;

use super::Ledger;
use crate::engine;
use crate::kit::board_time::Exchange;
use crate::report::Report;
use crate::rule::Rule;

/// Maximum interval between watermarks, with tolerance for a busy machine, in microseconds.
const CALM_LIMIT_US: i64 = 1_900_000;
/// Maximum interval between watermarks while a player is short of time, in microseconds.
const HURRIED_LIMIT_US: i64 = 600_000;
/// Delay after a player becomes short of time before the kit demands the shorter interval, in microseconds.
const HURRIED_AFTER_US: i64 = 700_000;

impl Ledger {
    pub(in crate::kit) fn on_watermark(
        &mut self,
        watermark: Watermark,
        at_us: i64,
        report: &mut Report,
    ) {
        let Watermark {
            at_us: promised,
            seq,
            ref signature,
        } = watermark;
        report.check(
            Rule::W1,
            verify_watermark(promised, seq, signature, &self.agent).is_ok(),
            "a signature over the context and both numbers",
            format!("{} bytes that do not match", signature.len()),
        );
        // A jump that the clock has not recorded yet ends all earlier promises.
        let jumping = self.jump.is_some();
        let promise = self.promised.filter(|_| !jumping);
        let least = promise.map_or(i64::MIN, |(at, _)| at);
        let exchange = self.exchange.filter(|_| !jumping);
        let most = exchange.map_or(i64::MAX, |exchange| exchange.at_most(at_us));
        report.check(
            Rule::W2,
            (least..=most).contains(&promised),
            format!("a watermark from {least} to {most} us"),
            format!("{promised} us"),
        );
        if let Some((last, _)) = self.watermarks.last() {
            self.check_gap(*last, at_us, report);
        }
        self.hurry(promised, at_us);
        if self.promised.is_none_or(|(at, _)| at < promised) {
            self.promised = Some((promised, seq));
        }
        if self.due.is_some_and(|(event, _)| event <= seq) {
            report.check(Rule::W4, true, "", "");
            self.due = None;
        }
        self.watermarks.push((at_us, watermark));
    }

    /// Judges the watermarks that are missing or overdue at `now_us`.
    pub(in crate::kit) fn on_time(&mut self, now_us: i64, report: &mut Report) {
        if let Some((event, by_us)) = self.due
            && by_us < now_us
        {
            self.due = None;
            let first = *self.missed.get_or_insert(event);
            report.check(
                Rule::W4,
                first == event,
                format!("a watermark with events {first} and {event} within 0.6 s, or one of the two lost"),
                "no watermark with either",
            );
        }
        if let Some((last, _)) = self.watermarks.last() {
            self.check_gap(*last, now_us, report);
        }
    }

    fn check_gap(&self, last_us: i64, at_us: i64, report: &mut Report) {
        let hurried = self
            .hurried_since
            .is_some_and(|since| at_us - since > HURRIED_AFTER_US);
        let limit = if hurried {
            HURRIED_LIMIT_US
        } else {
            CALM_LIMIT_US
        };
        let gap = at_us - last_us;
        report.check(
            Rule::W3,
            gap <= limit,
            format!("a watermark every {} ms", if hurried { 100 } else { 1_000 }),
            format!("none for {} ms", gap / 1_000),
        );
    }

    fn hurry(&mut self, board_us: i64, at_us: i64) {
        let left_us = engine::movers_time(self.clock.as_ref(), Instant::from_micros(board_us));
        let short = left_us.is_some_and(|us| us > 0 && us < SHORT_OF_TIME_US);
        self.hurried_since = short.then(|| self.hurried_since.unwrap_or(at_us));
    }

    pub(in crate::kit) fn on_reply(&mut self, reply: TimeReply, at_us: i64, report: &mut Report) {
        let known = self.probes.get(&reply.nonce).copied();
        report.check(
            Rule::T1,
            known.is_some(),
            "the nonce of a probe",
            format!("{}", reply.nonce),
        );
        report.check(
            Rule::T3,
            reply.received_us <= reply.sent_us,
            "sent_us not before received_us",
            format!("received {}, sent {}", reply.received_us, reply.sent_us),
        );
        let Some((number, sent_us)) = known else {
            return;
        };
        self.replies.push((number, reply));
        if self.jump.is_some() || number < self.first_probe {
            // Until the event that records the jump arrives, the reply may use board time from before or after it.
            return;
        }
        let exchange = Exchange {
            sent_us,
            board_us: reply.received_us,
            back_us: at_us,
        };
        let first = *self.first_exchange.get_or_insert(exchange);
        let bounds = first.at_least(sent_us)..=first.at_most(at_us);
        report.check(
            Rule::B1,
            bounds.contains(&reply.received_us),
            format!(
                "board time in {bounds:?} after {} ms",
                (at_us - first.back_us) / 1_000
            ),
            format!("{}", reply.received_us),
        );
        self.exchange = Some(exchange);
    }
}
