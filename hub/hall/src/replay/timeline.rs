//! The timeline of one game: its moments in order, and the clock after each step.

use serde::Serialize;
use timing::{Board as BoardTime, BoardClock, BoardState, Duration, Instant, Side};

use super::day::{DayMoment, Turns};
use super::moment::{Clocks, Moment, MomentDetail, Pending};
use super::tap::{Omitted, Restore};
use crate::play::view_side;
use crate::public_board::{segment_view, side_view, view_state};
use crate::view::PlanSegment;

/// One game on one board, according to the log or under a supposition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    pub board: String,
    /// The number of the game on that board, from 1.
    pub game: u32,
    /// The round of the event; 0 for a game outside the event.
    pub round: u32,
    /// White's name; empty if none was given.
    pub white: String,
    /// Black's name; empty if none was given.
    pub black: String,
    /// The time control at the start of the game.
    pub control: String,
    /// The moves written down, in SAN.
    pub score: Vec<String>,
    /// The views of the board in a game of Time Chess, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub days: Vec<DayMoment>,
    /// The turns of a game of Time Chess; `None` for any other game.
    #[serde(skip)]
    pub turns: Option<Turns>,
    /// The moments, in the log's order.
    pub moments: Vec<Moment>,
    /// Hub instant of the newest record that was read, in microseconds. The clocks are not known after it.
    #[serde(skip)]
    pub known_until_us: i64,
    /// The clock after each step, in the order of hub time.
    #[serde(skip)]
    pub(crate) steps: Vec<Step>,
    /// The pending commands after each change of them, and the hub instant of the change in microseconds.
    #[serde(skip)]
    pub(crate) waiting: Vec<(i64, Vec<Pending>)>,
    /// The arbiters' actions: the index of each action's moment, and the action as a supposition would omit it.
    #[serde(skip)]
    pub(crate) actions: Vec<(usize, Omitted)>,
    /// The restores of the board, in this game or an earlier one.
    #[serde(skip)]
    pub(crate) restores: Vec<Restore>,
}

/// The clock of the board after one step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// Hub instant, never earlier than that of the previous step.
    pub(crate) hub_us: i64,
    pub(crate) at: Instant<BoardTime>,
    pub(crate) clock: BoardClock,
    /// True if the step begins a new timeline, whose instants cannot be compared with earlier ones.
    pub(crate) moved: bool,
    /// The number of moments up to this step.
    pub(crate) moments: usize,
}

impl Timeline {
    /// Returns the hub instant of the first moment, in microseconds.
    pub fn start_us(&self) -> i64 {
        self.moments.first().map_or(0, |moment| moment.at_us)
    }

    /// Returns the hub instant of the last change of a clock, in microseconds.
    pub fn end_us(&self) -> i64 {
        self.steps
            .last()
            .map_or_else(|| self.start_us(), |step| step.hub_us)
    }

    /// Returns the plans for drawing the clocks, each with the hub instant at which it becomes valid.
    pub fn plans(&self) -> Vec<(i64, Vec<PlanSegment>)> {
        let drawn = self.steps.iter().map(|step| {
            let offset = step.hub_us.saturating_sub(step.at.as_micros());
            let offset = Duration::from_micros(offset);
            let plan = step.clock.plan(step.at);
            let segments = plan.segments.iter();
            let segments = segments.map(|segment| segment_view(segment, offset));
            (step.hub_us, segments.collect())
        });
        drawn.collect()
    }

    pub(crate) fn action(&self, record: u64) -> Option<Omitted> {
        let mut actions = self.actions.iter();
        let found = actions.find(|(index, _)| {
            let moment = &self.moments[*index];
            let asked =
                matches!(moment.what, MomentDetail::Action { asked, .. } if asked == Some(record));
            asked || moment.record == record
        });
        found.map(|(_, omitted)| *omitted)
    }
}

/// Returns the view of both clocks at a board instant. Assumes that no press follows the last change of `clock`.
pub(crate) fn clocks(
    clock: &BoardClock,
    at: Instant<BoardTime>,
    (white, black): (&str, &str),
) -> Clocks {
    let mut then = clock.clone();
    // The view includes everything caused only by the passing of time up to `at`.
    let _ = then.pass_time(at);
    let state = then.state();
    let side = |side, name: &str| side_view((&then, &then), at.max(then.now()), side, name);
    Clocks {
        white: side(Side::White, white),
        black: side(Side::Black, black),
        state: view_state(state),
        turn: match state {
            BoardState::Running { mover } => Some(view_side(mover)),
            BoardState::Paused { next, .. } | BoardState::Stopped { next, .. } => {
                Some(view_side(next))
            }
            BoardState::Flagged { side } => Some(view_side(side)),
            BoardState::Ready | BoardState::Over => None,
        },
        result: then.result().map(|result| result.to_string()),
    }
}
