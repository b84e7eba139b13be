//! The sessions of agents: hellos, links, silence, time exchanges. This state is not logged and does not survive a
//! restart. The fold holds each agent's identity and the state of its chain.

mod links;

use std::collections::VecDeque;

use proto::chain::ChainHash;
use proto::ids::EventSeq;
use timing::sync::OffsetEstimate;
use timing::{Board, Duration, Hub, Instant};

use super::agent_frame::{FirmwareText, Health, Hello, LinkId, Process, SignedEvent};
use super::evidence::{RecentEvents, StampLowerBound};
use super::placing::Placing;
use super::recent::push_recent;
use super::suspicion::{Heartbeats, Reports};

/// Time without a frame after which an agent is offline.
pub(crate) const SILENCE: Duration = Duration::from_millis(3_500);

/// Number of probes in quick succession after a link comes up.
pub(crate) const BURST: u8 = 8;

/// Number of event hashes kept, to distinguish a repetition from a contradiction.
const MAX_RECENT: usize = 64;

/// The moves on an agent's electronic board, in UCI notation.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardMoves {
    pub(crate) shown: Vec<String>,
    /// The instant of the newest entry from this board, and the moves that the board showed then.
    pub(crate) last_written: Option<(Instant<Hub>, Vec<String>)>,
}

#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) link: Option<Open>,
    pub(crate) online: bool,
    pub(crate) firmware: FirmwareText,
    pub(crate) minor: u32,
    /// True if arbiters cannot enter corrections at this clock.
    pub(crate) no_corrections: bool,
    /// Instants at which the newest links of this run came up.
    pub(crate) links: VecDeque<Instant<Hub>>,
    pub(crate) boot: Vec<u8>,
    pub(crate) health: Option<Health>,
    pub(crate) last_heard: Option<Instant<Hub>>,
    pub(crate) estimate: OffsetEstimate,
    pub(crate) greeted: Option<HelloTime>,
    pub(crate) round_trip: Option<Duration>,
    pub(crate) probes: VecDeque<(u64, Instant<Hub>)>,
    pub(crate) burst: u8,
    pub(crate) probe_due: Option<Instant<Hub>>,
    silence_due: Option<Instant<Hub>>,
    /// A contradiction in the agent's time, and the instant at which it was first seen. A jump whose event is still in
    /// transit may explain it.
    pub(crate) contradiction: Option<(Instant<Hub>, Contradiction)>,
    /// A promise that cannot apply yet, because some of the events that it covers have not arrived.
    pub(crate) mark: Option<(Instant<Board>, EventSeq)>,
    pub(crate) promised: Option<Promise>,
    /// The highest order number sent on a link in this run.
    pub(crate) delivered: u64,
    /// Data for placing the agent's events on the hub's timeline.
    pub(crate) placing: Placing,
    /// The highest order number in a note about an ignored order in this run.
    pub(crate) ignored: u64,
    pub(crate) told_start: Option<Instant<Board>>,
    recent: VecDeque<(EventSeq, ChainHash)>,
    pub(crate) recent_events: RecentEvents,
    pub(crate) reports: Reports,
    /// Counts watermarks and answered time probes, to detect missing watermarks.
    pub(crate) heartbeats: Heartbeats,
    pub(crate) floor: StampLowerBound,
    /// True if the agent's journal belongs to a different log. Its statements about the past then do not count as
    /// contradictions.
    pub(crate) foreign: bool,
    /// The run of the agent's program on the newest link.
    pub(crate) process: Option<Process>,
    /// True if the agent's program lost its journal, and with it a jump of its timeline. No event of the chain will
    /// report that jump, so the log's offsets belong to a timeline that has ended.
    pub(crate) lost_jump: bool,
    pub(crate) board_moves: BoardMoves,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) link: LinkId,
    /// The highest order number that this link need not send again: the newest order carried out before the link opened,
    /// or the newest sent on it.
    pub(crate) sent: u64,
}

/// An impossible statement by a clock about its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// The crystal runs too fast or too slow, or the clock's time was set.
    Crystal,
    /// A promise covers a moment in the future.
    Promise {
        /// Distance into the future, in microseconds.
        by_us: i64,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) at: Instant<Board>,
    pub(crate) seq: EventSeq,
    pub(crate) heard: Instant<Hub>,
}

/// Divisor of the time since the hello that gives the allowed drift. The allowance is generous, so that a faulty
/// crystal does not move a press.
const HELLO_DRIFT: i64 = 1_000;

/// The board time in an agent's hello. Bounds the agent's time until a time exchange provides a better bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HelloTime {
    /// Upper bound of the board time at `opened`; later jumps are added.
    pub(crate) shown: Instant<Board>,
    pub(crate) opened: Instant<Hub>,
    /// Number of the first event that the agent recorded after the hello.
    pub(crate) next: EventSeq,
    /// The jump that the welcome specified; zero once the chain has reported it.
    pub(crate) jump: Duration,
}

/// Distance behind the proven board time beyond which a hello belongs to a different timeline. A faulty crystal causes
/// a smaller difference.
const SET_BACK_TOLERANCE: Duration = Duration::from_millis(20);

impl HelloTime {
    pub(crate) fn latest(&self, received: Instant<Hub>) -> Instant<Board> {
        let since = (received - self.opened).or_zero();
        let drift = Duration::from_micros(since.as_micros() / HELLO_DRIFT + 1);
        self.shown + since + drift
    }
}

impl Session {
    /// Returns the latest possible board time at `received`.
    ///
    /// Time exchanges prove the bound; before the first exchange, it comes from the hello. While the chain has not
    /// reported a jump, the exchanges may already be from after that jump, so the lower of the two bounds applies.
    pub(crate) fn latest(&self, received: Instant<Hub>) -> Instant<Board> {
        let proven = self.estimate.to_board(received).map(|mapped| mapped.hi);
        let greeted = self.greeted.map(|greeted| greeted.latest(received));
        let told = self
            .greeted
            .is_none_or(|greeted| !greeted.jump.is_positive());
        match (proven, greeted) {
            (Some(proven), _) if told => proven,
            (Some(proven), Some(greeted)) => proven.min(greeted),
            (one, other) => one.or(other).unwrap_or(Instant::MAX),
        }
    }

    /// Returns the bound on the agent's time after the jump that this event reports.
    ///
    /// The time in the hello already includes every jump that was recorded before it. The jump that the welcome
    /// specified comes after the hello. Its event may have an earlier number, because the chain continues on a
    /// different clock. The bound from exchanges holds on both sides of the jump, because no jump is longer than the
    /// outage of the machine.
    pub(crate) fn after_jump(
        &self,
        seq: EventSeq,
        jump: Duration,
        received: Instant<Hub>,
    ) -> Option<HelloTime> {
        let greeted = self.greeted?;
        let asked = jump == greeted.jump;
        let new = asked || seq >= greeted.next;
        let told = greeted.latest(received) + if new { jump } else { Duration::ZERO };
        let proven = self.estimate.to_board(received);
        Some(HelloTime {
            shown: proven.map_or(told, |proven| told.min(proven.hi + jump)),
            opened: received,
            next: greeted.next,
            jump: if asked { Duration::ZERO } else { greeted.jump },
        })
    }

    /// Returns true if the newest welcome specified this jump and the chain has not reported it yet.
    pub(crate) fn was_given(&self, jump: Duration) -> bool {
        let given = self.greeted.map(|greeted| greeted.jump);
        jump.is_positive() && given == Some(jump)
    }

    pub(crate) fn remember(&mut self, event: &SignedEvent) {
        self.recent_events.keep(event);
        push_recent(&mut self.recent, MAX_RECENT, (event.seq, event.hash));
    }

    pub(crate) fn remembers(&self, seq: EventSeq, hash: &ChainHash) -> bool {
        self.recent
            .iter()
            .any(|(taken, as_hash)| *taken == seq && as_hash == hash)
    }

    /// Returns true if the hello comes from a different run of the agent's program than the newest link.
    pub(crate) fn is_another_run(&self, hello: &Hello) -> bool {
        let token = |process: Option<Process>| process.map(|process| process.token);
        token(self.process) != token(hello.process)
    }

    /// Returns true if the hub can prove that the agent's board time was already later than the time in the hello.
    /// `logged` is the lower bound from the log.
    pub(crate) fn is_ahead_of(
        &self,
        hello: &Hello,
        opened: Instant<Hub>,
        logged: Option<Instant<Board>>,
    ) -> bool {
        let proven = self.estimate.to_board(opened).map(|mapped| mapped.lo);
        let least = proven.max(logged);
        least.is_some_and(|least| hello.now < least - SET_BACK_TOLERANCE)
    }

    /// Discards the measurements on the agent's former timeline: the offset estimate, the round trip, the probes and
    /// any contradiction.
    pub(crate) fn forget_timeline(&mut self) {
        self.estimate = OffsetEstimate::default();
        self.reset_exchanges();
        self.round_trip = None;
        self.probes.clear();
        self.burst = BURST;
        self.contradiction = None;
    }

    pub(crate) fn to_board(&self, at: Instant<Hub>) -> Option<Instant<Board>> {
        self.estimate.to_board(at).map(|mapped| mapped.est)
    }
}
