//! Effects of the hall. Most are carried out only once the records of the same step are durable. Defines the vocabulary
//! only.

use std::sync::Arc;

use proto::log::Record;
use proto::wire::{GoodbyeReason, HubFrame, TimeProbe};
use timing::{Hub, Instant};

use super::agent_frame::LinkId;
use super::arbiter_view::BoardDetail;
use super::ask::{Answer, Reply, ReplyId};
use super::board_id::BoardId;
use super::floor::FloorPlan;
use super::held::HeldCommand;
use super::note::Notice;
use super::outcome::{Denied, Outcome};
use super::tournament::TournamentNow;
use crate::view::EventView;

/// The records and effects that one input causes.
#[derive(Debug, Default)]
#[must_use]
pub struct Step {
    /// Records to log, in this order.
    pub records: Vec<Record>,
    /// Effects to carry out once the records are durable. The frames to one link keep this order, except for acknowledgements, which follow the
    /// other frames.
    pub effects: Vec<HubEffect>,
    /// Effects that need not wait for the records.
    pub immediate: Vec<Immediate>,
}

#[derive(Debug)]
pub(crate) struct OpenStep {
    pub(crate) now: Instant<Hub>,
    pub(crate) step: Step,
}

impl OpenStep {
    pub(crate) fn new(now: Instant<Hub>) -> Self {
        let step = Step::default();
        Self { now, step }
    }

    pub(crate) fn effect(&mut self, effect: HubEffect) {
        self.step.effects.push(effect);
    }

    pub(crate) fn send(&mut self, link: LinkId, frame: impl Into<HubFrame>) {
        let frame = frame.into();
        self.effect(HubEffect::ToAgent { link, frame });
    }

    pub(crate) fn reply(&mut self, reply: ReplyId, answer: Result<Reply, Denied>) {
        self.effect(HubEffect::Reply { reply, answer });
    }

    pub(crate) fn reply_to_command(&mut self, reply: ReplyId, answer: Result<Answer, Denied>) {
        let taken = answer
            .as_ref()
            .is_ok_and(|answer| matches!(answer.outcome, Outcome::Done | Outcome::Pending));
        self.effect(HubEffect::Count(Count::Command { taken }));
        self.reply(reply, answer.map(Reply::Command));
    }
}

/// An effect that may be carried out before the records of its step are durable, because it reveals nothing about them.
#[derive(Clone, Debug)]
pub enum Immediate {
    /// Asks a clock for its time. Waiting for the disk would cost precision.
    Probe {
        /// The clock's link.
        link: LinkId,
        probe: TimeProbe,
    },
    /// Updates the metrics about the connected clocks.
    ClockHealth(ClockHealth),
}

/// An effect that waits until the records of its step are durable.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum HubEffect {
    /// Sends a frame to an agent.
    ToAgent { link: LinkId, frame: HubFrame },
    /// Sends a goodbye and closes the link.
    CloseLink {
        link: LinkId,
        reason: GoodbyeReason,
        text: String,
    },
    Reply {
        reply: ReplyId,
        /// The answer, or the reason for denying the request.
        answer: Result<Reply, Denied>,
    },
    /// Publishes the floor plan.
    Floor(FloorPlan),
    /// Publishes the held commands, oldest first.
    Held(Vec<HeldCommand>),
    /// Publishes players, pairings and results.
    Tournament { now: TournamentNow },
    /// Publishes that the hub no longer has an event.
    NoTournament {
        /// The event's version after its removal.
        version: u64,
    },
    /// Publishes the boards that have changed.
    Publish {
        /// Each changed board in full.
        boards: Vec<Arc<BoardDetail>>,
    },
    /// Publishes the view of the event.
    PublishEvent { event: EventView },
    /// Publishes that a board has left the hall.
    BoardRemoved { board: BoardId },
    /// Writes a note to the hub's own output, as a warning.
    Notice(Notice),
    /// Counts an occurrence in the hub's metrics.
    Count(Count),
}

/// An occurrence that the hub's metrics count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A press completed a move.
    Press {
        /// Hub instant of the press, as estimated.
        at: Instant<Hub>,
    },
    PressIgnored,
    /// A flag fall was confirmed.
    Flag,
    /// A command was answered.
    Command {
        /// True if the command was carried out or is pending.
        taken: bool,
    },
}

/// A summary of the condition of the hall's clocks. All fields except `notes` cover only the clocks that are online.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockHealth {
    pub online: u64,
    /// Number of different firmware versions among the clocks.
    pub firmware_versions: u64,
    /// Greatest absolute error of a crystal's rate, in parts per billion.
    pub rate_ppb_max: i64,
    /// Number of clocks whose crystal reaches the rate limit, or that made an impossible statement about their time.
    pub crystals_faulty: u64,
    /// Greatest half-width of a proven offset interval, in microseconds.
    pub offset_half_width_us_max: i64,
    /// Longest of the clocks' latest round trips, in microseconds.
    pub round_trip_us_max: i64,
    /// Lowest battery charge, 0 to 100; `None` if all clocks are on mains power or report no charge.
    pub battery_percent_min: Option<u32>,
    /// Number of clocks with a note about a low battery.
    pub batteries_low: u64,
    /// Highest temperature, in thousandths of a degree Celsius; `None` if no clock reports one.
    pub temperature_mc_max: Option<i32>,
    /// Number of events, over all clocks, that are missing from the log.
    pub unacknowledged: u64,
    /// Number of events, over all clocks, that are missing from both the log and the clock's journal.
    pub unsaved: u64,
    /// Number of clocks that cannot write their journals.
    pub journals_failed: u64,
    /// Number of current notes for arbiters.
    pub notes: u64,
}
