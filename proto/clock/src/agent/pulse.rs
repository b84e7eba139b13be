//! Periodic and deferred work: waiting orders and corrections, flag falls, watermarks, health, electronic boards' moves, board time in the journal,
//! compaction and retries. Owns the timing. Every step ends with one call of `AgentCore::beat`.

use alloc::vec::Vec;
use proto::watermark;
use proto::wire::{BoardMoves, Health, Watermark};
use timing::{Board, BoardState, Duration, Instant};

use super::entry::{Kind, WriteMode};
use super::events::{Awaited, Waiting};
use super::{AgentCore, Journal, Link, Output};

const CALM: Duration = Duration::from_micros(watermark::WATERMARK_INTERVAL_US);
const HURRIED: Duration = Duration::from_micros(watermark::SHORT_WATERMARK_INTERVAL_US);
const SHORT_OF_TIME: Duration = Duration::from_micros(watermark::SHORT_OF_TIME_US);
const HEALTH: Duration = Duration::from_secs(30);
/// Interval at which board time is written while a clock runs. After a power cut, board time continues from the journal's latest instant.
const HEARTBEAT: Duration = Duration::from_secs(10);
const JOURNAL_RETRY: Duration = Duration::from_secs(10);
/// Interval at which work that waits for the buttons is checked again.
const RECHECK: Duration = Duration::from_millis(5);
/// Maximum time that an order or a correction waits for the buttons.
const MAX_ORDER_WAIT: Duration = Duration::from_millis(250);
/// Number of entries after which a journal is compacted, as soon as the hub has acknowledged everything.
const COMPACT_AFTER: usize = 512;

#[derive(Debug)]
pub(super) struct Pulse {
    /// Lower bound of all future stamps: this program's start, the newest watermark's instant, or the instant at which a due deadline was settled.
    promised: Instant<Board>,
    watermark_at: Instant<Board>,
    watermark_due: bool,
    health_at: Instant<Board>,
    health_due: bool,
    moves_due: bool,
    heartbeat_at: Instant<Board>,
    /// Number of entries written to the journal since it was last replaced.
    entries: usize,
    acked_written: u64,
}

impl Pulse {
    pub(super) fn new(now: Instant<Board>) -> Self {
        Self {
            // Every press from before this program's start is already in the chain or lost, and promises of earlier runs still hold.
            promised: now,
            watermark_at: now,
            watermark_due: false,
            health_at: now,
            health_due: false,
            moves_due: false,
            heartbeat_at: now,
            entries: 0,
            acked_written: 0,
        }
    }

    pub(super) fn promised(&self) -> Instant<Board> {
        self.promised
    }

    pub(super) fn watermark_asked(&mut self) {
        self.watermark_due = true;
    }

    pub(super) fn event_chained(&mut self) {
        self.watermark_due = true;
    }

    pub(super) fn entries_written(&mut self, entries: usize) {
        self.entries += entries;
    }

    pub(super) fn moves_changed(&mut self) {
        self.moves_due = true;
    }

    pub(super) fn health_changed(&mut self) {
        self.health_due = true;
    }

    pub(super) fn link_came_up(&mut self) {
        self.watermark_due = true;
        self.health_due = true;
    }
}

impl AgentCore {
    /// Returns the next instant at which the core has work to do without an input, if any. The instant is always later than the last step.
    pub fn next_wake(&self) -> Option<Instant<Board>> {
        let mut wake = self.seat.next_deadline();
        let mut sooner = |at: Instant<Board>| wake = Some(wake.map_or(at, |wake| wake.min(at)));
        if let Link::Connected { .. } = self.link {
            sooner(self.pulse.watermark_at + self.watermark_interval());
            sooner(self.pulse.health_at + HEALTH);
        }
        if self.running() {
            sooner(self.pulse.heartbeat_at + HEARTBEAT);
        }
        if let Journal::Failed { since, .. } | Journal::Rewriting { since, .. } = self.journal {
            sooner(since + JOURNAL_RETRY);
        }
        if !self.waiting.is_empty() {
            sooner(self.now);
        }
        if let Some(until) = self.zero_test_until {
            sooner(until);
        }
        wake.map(|wake| {
            if wake <= self.now {
                self.now + RECHECK
            } else {
                wake
            }
        })
    }

    pub(super) fn beat(&mut self, out: &mut Vec<Output>) {
        let quiet = self.quiet_before.unwrap_or(self.now).min(self.now);
        self.take_waiting_orders(quiet, out);
        self.beat_zero_test(out);
        if self.seat.pass_time(quiet) {
            self.pulse.promised = self.pulse.promised.max(quiet);
            self.pulse.watermark_due = true;
            out.push(Output::FaceChanged);
        }
        self.beat_watermark(quiet, out);
        self.beat_health(out);
        self.beat_board_moves(out);
        self.beat_keeping(out);
        self.beat_journal(out);
    }

    fn take_waiting_orders(&mut self, quiet: Instant<Board>, out: &mut Vec<Output>) {
        while let Some(Waiting { at, .. }) = self.waiting.front() {
            if *at > quiet && self.now - *at < MAX_ORDER_WAIT {
                return;
            }
            match self.waiting.pop_front() {
                Some(Waiting {
                    at,
                    what: Awaited::Order(order),
                }) => self.take_order(at, order, out),
                Some(Waiting {
                    at,
                    what: Awaited::Correction(request),
                }) => self.take_correction(at, request, out),
                None => return,
            }
        }
    }

    /// Sends a watermark if due. It promises the time up to `quiet`, before which the buttons have delivered every press, or up to an
    /// earlier promise if that is later.
    fn beat_watermark(&mut self, quiet: Instant<Board>, out: &mut Vec<Output>) {
        if !self.connected() {
            return;
        }
        let due = self.pulse.watermark_due
            || self.pulse.watermark_at + self.watermark_interval() <= self.now;
        if !due {
            return;
        }
        self.pulse.watermark_due = false;
        self.pulse.watermark_at = self.now;
        self.pulse.promised = self.pulse.promised.max(quiet);
        let (at_us, seq) = (self.pulse.promised.as_micros(), self.chain.seq);
        let signature = self.signer.sign_watermark(at_us, seq);
        let watermark = Watermark {
            at_us,
            seq,
            signature,
        };
        out.push(Output::Datagram(watermark.into()));
    }

    fn beat_health(&mut self, out: &mut Vec<Output>) {
        let due = self.pulse.health_due || self.pulse.health_at + HEALTH <= self.now;
        if !due || !self.connected() {
            return;
        }
        self.pulse.health_due = false;
        self.pulse.health_at = self.now;
        out.push(Output::Send(
            Health {
                battery_percent: self.battery_percent.map(u32::from),
                journal_ok: self.journal.works(),
                unacknowledged: self.chain.seq - self.chain.acked,
                temperature_mc: self.temperature_mc,
                unsaved: self.unsaved(),
                wrong_pins: self.pins.attempts.wrong,
            }
            .into(),
        ));
    }

    fn beat_board_moves(&mut self, out: &mut Vec<Output>) {
        if !(self.pulse.moves_due && self.hub_takes_moves && self.connected()) {
            return;
        }
        self.pulse.moves_due = false;
        if let Some(uci) = self.board_moves.clone() {
            out.push(Output::Send(BoardMoves { uci }.into()));
        }
    }

    fn beat_journal(&mut self, out: &mut Vec<Output>) {
        match self.journal {
            Journal::Failed { since, .. } | Journal::Rewriting { since, .. }
                if since + JOURNAL_RETRY <= self.now =>
            {
                self.write_whole(out);
                return;
            }
            Journal::Failed { .. } | Journal::Rewriting { .. } => return,
            Journal::Writing { .. } => {}
        }
        if self.chain.queue.is_empty() && self.pulse.entries >= COMPACT_AFTER {
            self.write_whole(out);
            return;
        }
        let beat = self.pulse.heartbeat_at + HEARTBEAT <= self.now;
        if !beat {
            return;
        }
        let mut entries = Vec::new();
        if self.chain.acked > self.pulse.acked_written {
            self.pulse.acked_written = self.chain.acked;
            entries.push(Kind::Acked(self.chain.acked).into());
        }
        let running = self.running();
        if running {
            entries.push(Kind::Timeline(self.timeline()).into());
        }
        if running || !entries.is_empty() {
            self.pulse.heartbeat_at = self.now;
            let mode = if running {
                WriteMode::Synced
            } else {
                WriteMode::Lazy
            };
            self.persist(entries, mode, out);
        }
    }

    /// Hands over the whole journal, to replace the stored journal. Later entries are appended to the replacement: after a failed write, the stored
    /// journal would have a gap before them.
    pub(super) fn write_whole(&mut self, out: &mut Vec<Output>) {
        if !self.journal.works() {
            self.journal = Journal::Rewriting {
                synced: self.journal.synced(),
                since: self.now,
            };
        }
        self.pulse.entries = 0;
        self.pulse.acked_written = self.chain.acked;
        self.pulse.heartbeat_at = self.now;
        out.push(Output::Persist(self.whole_journal()));
    }

    fn running(&self) -> bool {
        self.seat
            .clock
            .as_ref()
            .is_some_and(|clock| matches!(clock.state(), BoardState::Running { .. }))
    }

    fn watermark_interval(&self) -> Duration {
        let Some(clock) = &self.seat.clock else {
            return CALM;
        };
        match clock.state() {
            BoardState::Running { mover } if clock.side(mover, self.now).time < SHORT_OF_TIME => {
                HURRIED
            }
            BoardState::Running { .. }
            | BoardState::Ready
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => CALM,
        }
    }
}
