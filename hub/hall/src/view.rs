//! The public view of the hall: plain data, ready for JSON. The hall creates it; pages and apps display it.
//!
//! Defines the boards and the event in `/live/boards.json`, `/live/boards/{board}.json` and the deltas in
//! `/live/events`. Contains no timing rules: a viewer draws the clocks from [`PlanSegment`]s alone. Must never publish
//! private data (keys, actors, reasons).
//!
//! Every `_us` is in microseconds. Instants are on the hub's timeline and stay below 2^53, so that a browser's numbers
//! represent them exactly.

use proto::ids::EventSeq;
use serde::Serialize;

/// A side of the board, as spelt in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player with the white pieces, always drawn on the left.
    White,
    Black,
}

/// The side whose clock is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Running {
    White,
    Black,
    None,
}

/// The state of a side's flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// The flag is not known to have fallen.
    None,
    /// By the hub's time the flag should have fallen, but the clock has not confirmed this: a press may still be in
    /// transit.
    Expected,
    /// The flag has fallen and has not been called yet.
    Fallen,
    /// The fallen flag has been called (FIDE 6.8).
    Called,
}

/// The state of a board's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardState {
    /// The game is prepared but has not started.
    Ready,
    /// A clock is running.
    Running,
    /// An arbiter has stopped the clocks.
    Paused,
    /// The players have stopped the clocks, to call an arbiter or to report a result.
    Stopped,
    /// A flag has fallen, and both clocks are stopped.
    Flagged,
    /// The game has a result.
    Over,
}

/// One side's clock at the time of the board's last publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideView {
    /// The player's name, surname first; empty if no player is assigned.
    pub name: String,
    /// Time in hand at the `hub_us` of the enclosing message.
    pub us: i64,
    /// The kind of time that the side is using, or its flag fall: `main`, `byo`, `canadian`, `extra`, `grace`,
    /// `overtime` or `flagged`.
    pub phase: &'static str,
    pub moves: u32,
    /// The side's period, from 1.
    pub period: u32,
    pub flag: Flag,
    /// Number of byo-yomi periods left, including the current one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byo_left: Option<u32>,
    /// Number of moves still to be made in the current Canadian period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<u32>,
    /// Time in the bank, in addition to the time for this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_us: Option<i64>,
    /// Penalty points, in games that count overtime in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// The remaining delay of this move at `hub_us`; between moves, the whole delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_us: Option<i64>,
}

/// A segment of the drawing plan. Until the next segment starts, each clock shows `us + rate * (now - from_us)`. The
/// value never goes below zero except in the phase `overtime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlanSegment {
    pub from_us: i64,
    pub white_us: i64,
    pub black_us: i64,
    /// Direction of a side's time: −1 while it runs down, 0 while it stands still, 1 while it grows.
    pub white_rate: i8,
    pub black_rate: i8,
    /// The kind of time that a side is using; see [`SideView::phase`].
    pub white_phase: &'static str,
    pub black_phase: &'static str,
}

/// A press that completed a move, as a line in the list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PressLine {
    /// The move's number: 12 for both `12.` and `12…`.
    pub n: u32,
    pub side: Side,
    pub at_us: i64,
    /// Time used for this move.
    pub used_us: i64,
    /// Time in hand after the press, including any addition for the move.
    pub left_us: i64,
    /// The press's sequence number in the chain of the board's clock, or the board's own count if each side has its own
    /// clock. An arbiter uses it to restore the board to before this press; spectators do not see it.
    #[serde(skip)]
    pub event_seq: EventSeq,
}

/// The newest move that has been entered, with the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Number of half-moves entered, including this one.
    pub count: u32,
    pub san: String,
    /// The move in UCI notation; castling is given as the king's move.
    pub uci: String,
    pub fen: String,
}

/// The part of a game of Time Chess that both players may see now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimeChess {
    /// The phase: `dawn`, `midday`, `evening`, `dusk`, `midnight` or `morning`.
    pub phase: &'static str,
    /// The player who sees only their own pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Side>,
    /// The visible pieces, as the first field of a FEN.
    pub pieces: String,
}

/// Connection state of a board's two clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clocks {
    pub white: bool,
    pub black: bool,
}

/// The public view of one board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardView {
    /// The board's number or name; unique in the hall.
    pub board: String,
    pub white: SideView,
    pub black: SideView,
    pub running: Running,
    /// The side whose clock will run when the clocks start again (on paused or stopped boards).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Side>,
    pub paused: bool,
    /// True if the board's clock is connected, or if the hub itself is the clock. If each side has its own clock, both
    /// must be connected.
    pub online: bool,
    /// True if no clock is assigned to the board and the hub is not its clock either. This is not the same as no signal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_clock: bool,
    /// The connection of each side's clock, on a board where each side has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    pub state: BoardState,
    /// Hub instant at which `state` began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_us: Option<i64>,
    /// Hub instant at which the clock was last heard, on a board that is not online. If both clocks of a board are
    /// silent, the one with the longer silence counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent_since_us: Option<i64>,
    /// The side whose flag fell first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_flag: Option<Side>,
    /// The result: `1-0`, `0-1` or `1/2-1/2` as in PGN, or `0-0`, `1/2-0` or `0-1/2`; forfeits have an `f` (`1-0f`,
    /// `0-0f`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The side for which a drawn game counts as won (armageddon). Draw odds do not change `result`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_odds: Option<Side>,
    pub control: String,
    /// The drawing plan of the clocks, in hub time; valid until an event that the plan cannot predict.
    pub plan: Vec<PlanSegment>,
    /// The board's sequence number. A command quotes it as the state that its sender saw.
    pub seq: u64,
    /// The newest completed move, so that a viewer can follow the game without further requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<PressLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    /// The public part of this board's game of Time Chess; `None` on other boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_chess: Option<TimeChess>,
    /// A public note that the hub can no longer compute the board's clock; `None` if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Time added to the board's instants, except those of its moves. `None` unless the board has a broadcast delay of its
    /// own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later_us: Option<i64>,
}

/// The event that is being played in the hall.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventView {
    pub name: String,
    /// The round being played, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The usual time control, in Flagfall's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Hub instant of the scheduled start; `None` if no start is scheduled or once it has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_at_us: Option<i64>,
    /// The IANA name of the hall's time zone, such as `Europe/Berlin`. Without it, viewers use their own time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// True if the hub's log has failed. Viewers then see the last recorded state, and nothing more is recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recording_stopped: bool,
}

/// The largest difference that is invisible on a drawn clock. Such differences are ignored, because each probe changes
/// the estimate of a clock's offset, and so every instant of a plan, by microseconds.
const INVISIBLE_US: u64 = 1_000;

impl BoardView {
    /// Returns this board with both sides' time in hand and phase at `hub_us`, according to its plan.
    pub fn at(&self, hub_us: i64) -> Self {
        let mut view = self.clone();
        if let Some(segment) = self.plan.iter().rfind(|s| s.from_us <= hub_us) {
            let segment = segment.at(hub_us);
            view.white.us = segment.white_us;
            view.black.us = segment.black_us;
            view.white.phase = segment.white_phase;
            view.black.phase = segment.black_phase;
        }
        view
    }

    /// Returns this board with its instants, except those of its moves, `us` later.
    #[must_use]
    pub fn later_by(&self, us: i64) -> Self {
        let later = |at: Option<i64>| at.map(|at| at + us);
        let plan = self.plan.iter().map(|segment| PlanSegment {
            from_us: segment.from_us + us,
            ..*segment
        });
        Self {
            plan: plan.collect(),
            since_us: later(self.since_us),
            silent_since_us: later(self.silent_since_us),
            later_us: Some(us),
            ..self.clone()
        }
    }

    /// Returns true if both boards look the same to spectators at `hub_us` and, according to their plans, afterwards.
    pub fn looks_like(&self, other: &Self, hub_us: i64) -> bool {
        let (mut one, mut two) = (self.at(hub_us), other.at(hub_us));
        let plans = (std::mem::take(&mut one.plan), std::mem::take(&mut two.plan));
        one.white.follow(&two.white, one.running == Running::White);
        one.black.follow(&two.black, one.running == Running::Black);
        one == two && plans_look_alike(&plans.0, &plans.1, hub_us)
    }
}

impl SideView {
    /// Copies from `other` the values that differ only because the two views were taken at different moments.
    fn follow(&mut self, other: &Self, runs: bool) {
        if is_invisible(self.us, other.us) {
            self.us = other.us;
        }
        if runs && self.delay_us.is_some() {
            self.delay_us = other.delay_us;
        }
    }
}

impl PlanSegment {
    /// Returns the part of the segment from `hub_us`, which must not be earlier than the segment's start.
    fn at(self, hub_us: i64) -> Self {
        let elapsed = hub_us.saturating_sub(self.from_us);
        let drawn = |us: i64, rate: i8, phase: &str| {
            let now = us.saturating_add(elapsed.saturating_mul(i64::from(rate)));
            if phase == "overtime" { now } else { now.max(0) }
        };
        Self {
            from_us: hub_us,
            white_us: drawn(self.white_us, self.white_rate, self.white_phase),
            black_us: drawn(self.black_us, self.black_rate, self.black_phase),
            ..self
        }
    }

    fn looks_like(self, other: Self) -> bool {
        let shifted = Self {
            from_us: other.from_us,
            white_us: other.white_us,
            black_us: other.black_us,
            ..self
        };
        shifted == other
            && is_invisible(self.from_us, other.from_us)
            && is_invisible(self.white_us, other.white_us)
            && is_invisible(self.black_us, other.black_us)
    }
}

fn plans_look_alike(one: &[PlanSegment], two: &[PlanSegment], hub_us: i64) -> bool {
    let (one, two) = (rest_of_plan(one, hub_us), rest_of_plan(two, hub_us));
    one.clone().count() == two.clone().count() && one.zip(two).all(|(a, b)| a.looks_like(b))
}

fn rest_of_plan(
    plan: &[PlanSegment],
    hub_us: i64,
) -> impl Iterator<Item = PlanSegment> + Clone + '_ {
    let begun = plan.iter().rposition(|s| s.from_us <= hub_us);
    let rest = plan.get(begun.unwrap_or(0)..).unwrap_or_default();
    rest.iter()
        .map(move |segment| match segment.from_us <= hub_us {
            true => segment.at(hub_us),
            false => *segment,
        })
}

fn is_invisible(one: i64, two: i64) -> bool {
    one.abs_diff(two) <= INVISIBLE_US
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(from_us: i64, white_us: i64, white_rate: i8, phase: &'static str) -> PlanSegment {
        PlanSegment {
            from_us,
            white_us,
            black_us: 70,
            white_rate,
            black_rate: 0,
            white_phase: phase,
            black_phase: "main",
        }
    }

    #[track_caller]
    fn check(plan: Vec<PlanSegment>, hub_us: i64, us: i64, phase: &str) {
        let side = |us| SideView {
            name: String::new(),
            us,
            phase: "main",
            moves: 0,
            period: 1,
            flag: Flag::None,
            byo_left: None,
            stones: None,
            bank_us: None,
            points: None,
            delay_us: None,
        };
        let board = BoardView {
            board: "1".into(),
            white: side(12),
            black: side(70),
            running: Running::White,
            next: None,
            paused: false,
            online: true,
            no_clock: false,
            clocks: None,
            state: BoardState::Running,
            since_us: None,
            silent_since_us: None,
            first_flag: None,
            result: None,
            draw_odds: None,
            control: String::new(),
            plan,
            seq: 0,
            last: None,
            written: None,
            time_chess: None,
            note: None,
            later_us: None,
        };
        let drawn = board.at(hub_us);
        assert_eq!((drawn.white.us, drawn.white.phase), (us, phase));
        assert_eq!(drawn.black.us, 70);
    }

    #[test]
    fn time_in_hand_follows_the_plan() {
        let plan = || {
            vec![
                segment(100, 50, 0, "main"),
                segment(105, 50, -1, "main"),
                segment(155, 30, -1, "byo"),
                segment(185, 0, 0, "flagged"),
            ]
        };
        check(plan(), 104, 50, "main");
        check(plan(), 105, 50, "main");
        check(plan(), 154, 1, "main");
        check(plan(), 155, 30, "byo");
        check(plan(), 184, 1, "byo");
        check(plan(), 10_000, 0, "flagged");
        // Before the plan begins, and without a plan, the published values apply.
        check(plan(), 99, 12, "main");
        check(Vec::new(), 99, 12, "main");
    }

    #[test]
    fn only_overtime_goes_below_zero_and_an_hourglass_fills() {
        check(vec![segment(0, 5, -1, "main")], 9, 0, "main");
        check(vec![segment(0, 0, -1, "overtime")], 9, -9, "overtime");
        check(vec![segment(0, 5, 1, "main")], 9, 14, "main");
        check(
            vec![segment(0, i64::MAX, 1, "main")],
            i64::MAX,
            i64::MAX,
            "main",
        );
    }
}
