//! The view of a board for the public and for arbiters: its clock as plain data, its plan on the hub's timeline.
//! Defines an *expected* flag; never decides that a flag has fallen.

use std::sync::Arc;

use proto::ids::AgentId;
use timing::{
    Allotment, Board as BoardTime, BoardClock, BoardState, Duration, FlagView, Hub, Instant,
    Segment, Side,
};

use super::Hall;
use super::arbiter_view::{BoardDetail, BoardNote};
use super::board::{Board, Keeper, flag_in};
use super::board_id::BoardId;
use super::effect::{HubEffect, Step};
use super::entry::Entry;
use super::play::view_side;
use super::wakes::Due;
use crate::view::{self, BoardView, PlanSegment, Running, SideView};

/// A board's clock as the hub estimates it now.
struct Picture<'a> {
    board: &'a Board,
    /// The offset (hub − board).
    offset: Duration,
    /// The board's present time, as estimated.
    now: Instant<BoardTime>,
    /// The clock as it would be now if there had been no press since it was last heard.
    expected: BoardClock,
    plan: Vec<Segment>,
    /// The next flag fall without further presses.
    flag: Option<(Instant<BoardTime>, Side)>,
}

impl Hall {
    /// Publishes every changed board, and schedules the next change that time alone causes.
    pub(crate) fn publish(&mut self, now: Instant<Hub>, step: &mut Step) {
        if self.live.touched.is_empty() {
            return;
        }
        let touched = std::mem::take(&mut self.live.touched);
        let mut boards = Vec::with_capacity(touched.len());
        for id in touched {
            self.plan_default_time(now, &id);
            self.tell_faces(now, &id, step);
            let Some(board) = self.fold.boards.get(&id) else {
                continue;
            };
            let picture = self.picture(board, now);
            let flag = picture.flag.map(|(at, _)| picture.hub(at));
            boards.push(Arc::new(self.draw(&picture)));
            let before = self.live.flags.remove(&id);
            if let Some(before) = before {
                self.live.wakes.remove(before, Due::Flag(id.clone()));
            }
            if let Some(at) = flag.filter(|at| *at > now) {
                self.live.flags.insert(id.clone(), at);
                self.live.wakes.add(at, Due::Flag(id));
            }
        }
        if !boards.is_empty() {
            step.effects.push(HubEffect::Publish { boards });
        }
    }

    /// Logs a flag that should have fallen while the board's clock has not confirmed it.
    pub(crate) fn log_expected_flag(&mut self, now: Instant<Hub>, id: &BoardId, step: &mut Step) {
        let Some(board) = self.fold.boards.get(id).filter(|board| board.runs()) else {
            return;
        };
        let picture = self.picture(board, now);
        let clock = board.clock();
        let due = flag_in(&clock.plan(clock.now())).map(|(at, side)| (picture.hub(at), side));
        let Some((at, side)) = due.filter(|(at, _)| *at <= now) else {
            return;
        };
        let entry = Entry::FlagExpected { side, at };
        // The entry changes nothing, so it always fits.
        let _ = self.log(now, Some(id.clone()), entry, step);
    }

    /// Returns the arbiters' view of a board.
    pub fn detail(&self, id: &BoardId, now: Instant<Hub>) -> Option<Arc<BoardDetail>> {
        let board = self.fold.boards.get(id)?;
        Some(Arc::new(self.draw(&self.picture(board, now))))
    }

    fn picture<'a>(&self, board: &'a Board, now: Instant<Hub>) -> Picture<'a> {
        let clock = board.clock();
        let offset = self.offset(board, now);
        let here = Instant::from_micros(now.as_micros().saturating_sub(offset.as_micros()));
        let here = here.max(clock.now());
        let plan = match board.runs() {
            true => clock.plan(clock.now()),
            false => clock.plan(here),
        };
        let mut expected = clock.clone();
        if board.fault.is_none() && clock.next_deadline().is_some_and(|due| due <= here) {
            // For the view only: these effects are not facts.
            let _ = expected.pass_time(here);
        }
        Picture {
            board,
            offset,
            now: here,
            expected,
            flag: board.runs().then(|| flag_in(&plan)).flatten(),
            plan: plan.segments,
        }
    }

    fn offset(&self, board: &Board, now: Instant<Hub>) -> Duration {
        let Keeper::Agent(agent) = board.keeper else {
            return Duration::ZERO;
        };
        let there = self.board_now(agent, now);
        let offset = there.map(|there| now.as_micros().saturating_sub(there.as_micros()));
        // An agent that keeps a board's time has been heard, so the offset is known. Without the offset, the clock would not advance.
        Duration::from_micros(offset.unwrap_or_default())
    }

    pub(super) fn board_now(
        &self,
        agent: AgentId,
        now: Instant<Hub>,
    ) -> Option<Instant<BoardTime>> {
        self.live
            .sessions
            .get(&agent)
            .and_then(|session| session.to_board(now))
            .or_else(|| self.fold.agents.get(&agent)?.board_time_at_least(now))
    }

    fn draw(&self, picture: &Picture<'_>) -> BoardDetail {
        let board = picture.board;
        let online = self.is_online(board);
        let state = board.clock().state();
        let lines = &board.play.lines;
        let view = BoardView {
            board: board.id.to_string(),
            white: picture.side(Side::White, &board.names.white),
            black: picture.side(Side::Black, &board.names.black),
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
            online,
            no_clock: board.agents().next().is_none(),
            clocks: self.side_clocks(&board.id).map(|clocks| view::Clocks {
                white: clocks.white.online,
                black: clocks.black.online,
            }),
            state: view_state(state),
            since_us: board.since.map(Instant::as_micros),
            silent_since_us: self
                .last_heard(board)
                .filter(|_| !online)
                .map(Instant::as_micros),
            first_flag: board.clock().first_flag().map(view_side),
            draw_odds: board.draw_odds.map(view_side),
            result: board.clock().result().map(|result| result.to_string()),
            control: board.clock().time_control().to_string(),
            plan: picture
                .plan
                .iter()
                .map(|segment| picture.segment(segment))
                .collect(),
            seq: board.changes.seq,
            last: lines.back().copied(),
            note: board
                .fault
                .as_ref()
                .map(|_| "the clock of this board is out of order".to_owned()),
        };
        let notes = self.notes_of(board);
        BoardDetail {
            view: Arc::new(view),
            white_button: board.clock().white_button(),
            round: board.seat.round.or(board.seat.restart_round),
            agent: board.agent,
            illegal_moves: board.offences.illegal_moves(),
            clocks: self.side_clocks(&board.id),
            arbiter_called: board.arbiter_called,
            paused_by: board.paused_by.clone(),
            word_alone: self.word_alone(&board.id),
            note: in_one_line(&notes),
            notes,
            pending: board.pending.clone(),
            presses: lines.iter().copied().collect(),
        }
    }

    fn last_heard(&self, board: &Board) -> Option<Instant<Hub>> {
        // Of two clocks, the one with the longer silence counts.
        let heard = board.agents().map(|agent| {
            let session = self.live.sessions.get(&agent);
            let this_run = session.and_then(|session| session.last_heard);
            this_run.or_else(|| self.fold.agents.get(&agent)?.heard)
        });
        heard.min().flatten()
    }
}

impl Picture<'_> {
    fn hub(&self, at: Instant<BoardTime>) -> Instant<Hub> {
        Instant::from_micros(at.as_micros().saturating_add(self.offset.as_micros()))
    }

    fn segment(&self, segment: &Segment) -> PlanSegment {
        PlanSegment {
            from_us: shown(self.hub(segment.from).as_micros()),
            white_us: shown(segment.white.as_micros()),
            black_us: shown(segment.black.as_micros()),
            white_rate: segment.white_rate,
            black_rate: segment.black_rate,
            white_phase: segment.white_phase.as_str(),
            black_phase: segment.black_phase.as_str(),
        }
    }

    fn side(&self, side: Side, name: &str) -> SideView {
        let known = self.board.clock();
        let shown = self.expected.side(side, self.now);
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
}

/// Joins notes into one line; returns `None` if there are none.
fn in_one_line(notes: &[BoardNote]) -> Option<String> {
    let texts: Vec<String> = notes
        .iter()
        .map(|note| match note.count {
            0 | 1 => note.text.clone(),
            count => format!("{} ({count} times)", note.text),
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}

/// Clamps a value to the range that a browser's number represents exactly; only a faulty or dishonest clock exceeds it.
fn shown(us: i64) -> i64 {
    const EXACT: i64 = (1 << 53) - 1;
    us.clamp(-EXACT, EXACT)
}

fn view_state(state: BoardState) -> view::BoardState {
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
