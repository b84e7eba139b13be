//! A board's public view, built only from data that spectators may see.
//!
//! Decides whether a board's public view has changed. A note, a pending command or any other matter for arbiters leaves
//! the view unchanged, including its number and its instants on the hub's timeline. So spectators learn nothing about
//! such matters (FIDE 12.6).

use std::sync::Arc;

use proto::ids::AgentId;
use timing::{
    Allotment, Board as BoardTime, BoardClock, BoardState, Duration, FlagView, Hub, Instant, Plan,
    Segment, Side,
};

use crate::board::flag_in;
use crate::play::view_side;
use crate::view::{self, BoardView, PlanSegment, PressLine, Running, SideView, Written};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    /// The board's data changed, possibly only data that spectators do not see.
    Changed,
    /// A new offset to the hub's timeline is known, or time alone changed the view.
    Moved,
}

#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(crate) board: PublicBoard,
    /// Hub time minus board time, as used in the view.
    pub(crate) offset: Duration,
    /// The view. Its sequence number counts the board's published views.
    pub(crate) view: Arc<BoardView>,
}

pub(crate) struct Renewed {
    pub(crate) published: Published,
    /// The next flag fall if there are no further presses. The outer `None` means that the view was not built again.
    pub(crate) flag: Option<Option<Instant<Hub>>>,
}

#[derive(Clone, Debug)]
pub(crate) struct PublicBoard {
    pub(crate) clock: BoardClock,
    pub(crate) about: About,
}

/// A board's public data, apart from the state of its clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct About {
    pub(crate) board: String,
    pub(crate) white: String,
    pub(crate) black: String,
    /// The agent on whose timeline the clock runs; `None` for the hub's timeline.
    pub(crate) timeline: Option<AgentId>,
    pub(crate) faulted: bool,
    pub(crate) since: Option<Instant<Hub>>,
    pub(crate) draw_odds: Option<Side>,
    pub(crate) last: Option<PressLine>,
    pub(crate) written: Option<Written>,
    pub(crate) time_chess: Option<view::TimeChess>,
    pub(crate) online: bool,
    pub(crate) no_clock: bool,
    pub(crate) clocks: Option<view::Clocks>,
    pub(crate) silent_since: Option<Instant<Hub>>,
}

pub(crate) struct Drawing {
    pub(crate) view: BoardView,
    pub(crate) flag: Option<Instant<Hub>>,
}

impl PublicBoard {
    /// Returns true if both boards look the same from `now` on when drawn with the same offset.
    pub(crate) fn looks_like(&self, other: &Self, now: Instant<Hub>, offset: Duration) -> bool {
        let drawn = |board: &Self| board.draw(now, offset, 0).view;
        self.about == other.about
            && (self.clock == other.clock || drawn(self).looks_like(&drawn(other), now.as_micros()))
    }

    pub(crate) fn draw(&self, now: Instant<Hub>, offset: Duration, seq: u64) -> Drawing {
        let Self { clock, about } = self;
        let here = Instant::from_micros(now.as_micros().saturating_sub(offset.as_micros()));
        let here = here.max(clock.now());
        let state = clock.state();
        let plan = match state {
            BoardState::Running { .. } => clock.plan(clock.now()),
            BoardState::Ready
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => clock.plan(here),
        };
        // The clock as it would be now if there had been no press since it was last heard.
        let mut expected = clock.clone();
        if !about.faulted && clock.next_deadline().is_some_and(|due| due <= here) {
            // The expected clock is for the view only, so these effects are not facts.
            let _ = expected.pass_time(here);
        }
        let side = |side, name: &str| side_view((clock, &expected), here, side, name);
        let flag = flag_instant(clock, &plan, offset);
        let plan = plan.segments.iter();
        let view = BoardView {
            board: about.board.clone(),
            white: side(Side::White, &about.white),
            black: side(Side::Black, &about.black),
            running: running(state),
            next: match state {
                BoardState::Paused { next, .. } | BoardState::Stopped { next, .. } => {
                    Some(view_side(next))
                }
                BoardState::Ready
                | BoardState::Running { .. }
                | BoardState::Flagged { .. }
                | BoardState::Over => None,
            },
            paused: matches!(state, BoardState::Paused { .. }),
            online: about.online,
            no_clock: about.no_clock,
            clocks: about.clocks,
            state: view_state(state),
            since_us: about.since.map(Instant::as_micros),
            silent_since_us: about.silent_since.map(Instant::as_micros),
            first_flag: clock.first_flag().map(view_side),
            draw_odds: about.draw_odds.map(view_side),
            result: clock.result().map(|result| result.to_string()),
            control: clock.time_control().to_string(),
            plan: plan.map(|segment| segment_view(segment, offset)).collect(),
            seq,
            last: about.last,
            written: about.written.clone(),
            time_chess: about.time_chess.clone(),
            note: about
                .faulted
                .then(|| "the clock of this board is out of order".to_owned()),
            later_us: None,
        };
        Drawing { view, flag }
    }
}

pub(crate) fn segment_view(segment: &Segment, offset: Duration) -> PlanSegment {
    PlanSegment {
        from_us: shown(on_hub(segment.from, offset).as_micros()),
        white_us: shown(segment.white.as_micros()),
        black_us: shown(segment.black.as_micros()),
        white_rate: segment.white_rate,
        black_rate: segment.black_rate,
        white_phase: segment.white_phase.as_str(),
        black_phase: segment.black_phase.as_str(),
    }
}

pub(crate) fn side_view(
    (known, expected): (&BoardClock, &BoardClock),
    now: Instant<BoardTime>,
    side: Side,
    name: &str,
) -> SideView {
    let shown = expected.side(side, now);
    let certain = known.side(side, known.now());
    let fell = shown.allotment == Allotment::Flagged || shown.flag != FlagView::None;
    let flag = match certain.flag {
        FlagView::Fallen => view::Flag::Fallen,
        FlagView::Called => view::Flag::Called,
        FlagView::None if fell => view::Flag::Expected,
        FlagView::None => view::Flag::None,
    };
    SideView {
        name: name.to_owned(),
        us: self::shown(shown.time.as_micros()),
        phase: shown.allotment.as_str(),
        moves: certain.moves,
        period: shown.period,
        flag,
        byo_left: shown.byo_left,
        stones: shown.stones,
        bank_us: shown.bank.map(Duration::as_micros),
        points: shown.points,
        delay_us: shown.delay_left.map(Duration::as_micros),
    }
}

/// Clamps microseconds to the range that a JavaScript number represents exactly; only a faulty or dishonest clock
/// exceeds it.
fn shown(us: i64) -> i64 {
    const EXACT: i64 = (1 << 53) - 1;
    us.clamp(-EXACT, EXACT)
}

pub(crate) fn view_state(state: BoardState) -> view::BoardState {
    match state {
        BoardState::Ready => view::BoardState::Ready,
        BoardState::Running { .. } => view::BoardState::Running,
        BoardState::Paused { .. } => view::BoardState::Paused,
        BoardState::Stopped { .. } => view::BoardState::Stopped,
        BoardState::Flagged { .. } => view::BoardState::Flagged,
        BoardState::Over => view::BoardState::Over,
    }
}

fn running(state: BoardState) -> Running {
    match state {
        BoardState::Running { mover: Side::White } => Running::White,
        BoardState::Running { mover: Side::Black } => Running::Black,
        BoardState::Ready
        | BoardState::Paused { .. }
        | BoardState::Stopped { .. }
        | BoardState::Flagged { .. }
        | BoardState::Over => Running::None,
    }
}

/// Returns the hub instant of a board instant. `offset` is hub time minus board time.
pub(crate) fn on_hub(at: Instant<BoardTime>, offset: Duration) -> Instant<Hub> {
    Instant::from_micros(at.as_micros().saturating_add(offset.as_micros()))
}

fn flag_instant(clock: &BoardClock, plan: &Plan, offset: Duration) -> Option<Instant<Hub>> {
    let runs = matches!(clock.state(), BoardState::Running { .. });
    let flag = runs.then(|| flag_in(plan)).flatten();
    flag.map(|(at, _)| on_hub(at, offset))
}
