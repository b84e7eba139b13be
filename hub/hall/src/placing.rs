//! Places the facts from a board's two clocks on the hub's timeline: bounds from the time exchanges, narrowed by
//! causality. Holds the state of this run only. The record contains the result, and the fold uses nothing else.

mod advance;

use timing::sync::OffsetEstimate;
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::agent_frame::{LinkId, SignedEvent};
use super::recent::push_recent;
use super::session::Session;

/// Number of exchanges after which events can be placed precisely: as many as the burst on a new link.
const MIN_EXCHANGES: u32 = 8;

/// Number of remembered probes. An event that echoes a probe is later than that probe.
const MAX_PROBES: usize = 64;

/// Maximum number of events that wait until they can be placed.
const MAX_WAITING_EVENTS: usize = 512;

/// Smallest error of a clock face's instants that causes an update.
const NOTICEABLE: Duration = Duration::from_millis(10);

#[derive(Debug, Default)]
pub(crate) struct Placing {
    exchanges: u32,
    /// The estimate from before a jump that the agent's chain has not reported yet.
    before: Option<OffsetEstimate>,
    /// True if the exchanges contradict `before`. Until the chain reports the jump, its events are from before the
    /// jump.
    jumps: bool,
    probes: std::collections::VecDeque<(u64, Instant<Hub>)>,
    /// Instant before which the clock has reported everything.
    passed: Option<Instant<Hub>>,
    /// Events that arrived before they could be placed.
    waiting: std::collections::VecDeque<(Box<SignedEvent>, Instant<Hub>)>,
    told: Option<FaceUpdate>,
}

#[derive(Debug, PartialEq, Eq)]
struct FaceUpdate {
    link: LinkId,
    snapshot: Vec<u8>,
    seq: u64,
    other_heard: bool,
    at: Instant<BoardTime>,
}

impl Session {
    /// Returns the estimate that places an event of the agent's chain; `None` if there is no exchange from the event's
    /// boot.
    fn estimate_for(&self, event: &SignedEvent) -> Option<&OffsetEstimate> {
        match &self.placing.before {
            Some(before) if self.of_another_boot(event) || self.placing.jumps => Some(before),
            None if self.of_another_boot(event) => None,
            Some(_) | None => Some(&self.estimate),
        }
    }

    /// Returns true if an event was recorded before the last restart of the agent's machine.
    fn of_another_boot(&self, event: &SignedEvent) -> bool {
        !event.boot.is_empty() && event.boot != self.boot
    }

    pub(crate) fn probe_sent(&mut self, nonce: u64, at: Instant<Hub>) {
        push_recent(&mut self.placing.probes, MAX_PROBES, (nonce, at));
    }

    /// Returns the earliest possible board time at which the hub sent the probe that an event echoes. The clock's reply
    /// is not a bound, because a copy of the probe may have arrived late.
    pub(crate) fn time_of_echo(&self, event: &SignedEvent) -> Option<Instant<BoardTime>> {
        let sent = self.probe_instant(event.newest_probe)?;
        self.board_time_from(event, sent)
    }

    /// Returns the earliest possible board time at a hub instant, on the timeline of this event.
    pub(crate) fn board_time_from(
        &self,
        event: &SignedEvent,
        at: Instant<Hub>,
    ) -> Option<Instant<BoardTime>> {
        let mapped = self.estimate_for(event)?.to_board(at)?;
        Some(mapped.lo)
    }

    /// Returns the latest possible board time at a hub instant, on the timeline of this event.
    pub(crate) fn board_time_up_to(
        &self,
        event: &SignedEvent,
        at: Instant<Hub>,
    ) -> Option<Instant<BoardTime>> {
        let mapped = self.estimate_for(event)?.to_board(at)?;
        Some(mapped.hi)
    }

    /// Counts an exchange. `before` is the previous estimate if the exchange contradicted that estimate.
    pub(crate) fn exchanged(&mut self, before: Option<OffsetEstimate>) {
        match before {
            Some(before) if self.estimate != before => {
                self.placing.before.get_or_insert(before);
                self.placing.jumps = true;
                self.placing.exchanges = 1;
            }
            Some(_) => (),
            None => self.placing.exchanges = self.placing.exchanges.saturating_add(1),
        }
    }

    /// Sets the estimate aside, because the agent has a new timeline and its chain has not reported the jump yet.
    pub(crate) fn timeline_changed(&mut self) {
        let before = std::mem::take(&mut self.estimate);
        // After two restarts with unreported jumps, it is unknown which events belong to which estimate.
        self.placing.before = match self.placing.before.take() {
            None => Some(before),
            Some(_) => None,
        };
        self.placing.exchanges = 0;
    }

    /// Discards the old estimate, because the chain has reported the jump or the contradiction can no longer be
    /// explained.
    pub(crate) fn jump_told(&mut self) {
        self.placing.before = None;
        self.placing.jumps = false;
    }

    pub(crate) fn reset_exchanges(&mut self) {
        self.placing.exchanges = 0;
    }

    /// Prepares for a new link: discards the waiting events, because the agent sends them again, and the last update of
    /// its face.
    pub(crate) fn forget_waiting(&mut self) {
        self.placing.waiting.clear();
        self.placing.told = None;
    }

    /// Returns true if events need not wait for further exchanges.
    fn can_place(&self) -> bool {
        let placing = &self.placing;
        placing.jumps
            || placing.exchanges >= MIN_EXCHANGES
            || (placing.exchanges > 0 && self.burst == 0)
    }

    fn probe_instant(&self, nonce: u64) -> Option<Instant<Hub>> {
        let mut newest = self.placing.probes.iter().rev();
        newest.find(|(sent, _)| *sent == nonce).map(|(_, at)| *at)
    }
}

impl FaceUpdate {
    /// Returns true if a face that got this message already shows `news`.
    fn already_shows(&self, news: &Self) -> bool {
        self.link == news.link
            && self.snapshot == news.snapshot
            && self.seq == news.seq
            && self.other_heard == news.other_heard
            && !differ(self.at, news.at)
    }
}

fn differ(a: Instant<BoardTime>, b: Instant<BoardTime>) -> bool {
    a - b >= NOTICEABLE || b - a >= NOTICEABLE
}
