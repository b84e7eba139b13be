//! The view of a board for the public and for arbiters: its clock as plain data, and its plan on the hub's timeline.
//! Logs an *expected* flag; never decides that a flag has fallen.

use std::sync::Arc;

use laws::Scoresheet;
use proto::ids::{AgentId, EventSeq};
use time_chess::{Viewer, side_of};
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::Hall;
use super::arbiter_view::{BoardDetail, BoardNote};
use super::board::{Board, Keeper, flag_in};
use super::board_id::BoardId;
use super::effect::{HubEffect, OpenStep};
use super::entry::Entry;
use super::wakes::WakeReason;
use crate::play::view_side;
use crate::public_board::{About, Drawing, PublicBoard, Published, Renewed, Touch, on_hub};
use crate::time_chess::TimeChessBoard;
use crate::view::{self, BoardView, PressLine, Written};

impl Hall {
    /// Publishes every changed board, and schedules the next change caused only by the passing of time.
    pub(crate) fn publish(&mut self, step: &mut OpenStep) {
        let now = step.now;
        if self.live.touched.is_empty() {
            return;
        }
        let touched = std::mem::take(&mut self.live.touched);
        let mut boards = Vec::with_capacity(touched.len());
        for (id, touch) in touched {
            self.plan_default_time(now, &id);
            self.tell_faces(&id, step);
            let Some(board) = self.fold.boards.get(&id) else {
                continue;
            };
            let Renewed { published, flag } = self.renewed(now, board, touch);
            boards.push(Arc::new(self.draw(now, board, published.view.clone())));
            self.live.published.insert(id.clone(), published);
            if let Some(flag) = flag {
                self.plan_flag(now, id, flag);
            }
        }
        if !boards.is_empty() {
            step.effect(HubEffect::Publish { boards });
        }
    }

    /// Returns the view of a board to publish at `now`: the previous view, unless spectators would see a difference.
    pub(crate) fn renewed(&self, now: Instant<Hub>, board: &Board, touch: Touch) -> Renewed {
        let public = self.public_board(board);
        let known = self.live.published.get(&board.id);
        if let (Some(known), Touch::Changed) = (known, touch)
            && known.board.looks_like(&public, now, known.offset)
        {
            let published = Published {
                board: public,
                ..known.clone()
            };
            return Renewed {
                published,
                flag: None,
            };
        }
        let offset = self.offset(board, now);
        let number = known.map_or(0, |known| known.view.seq);
        let Drawing { mut view, flag } = public.draw(now, offset, number);
        let same = known.filter(|known| known.view.looks_like(&view, now.as_micros()));
        let view = same.map_or_else(
            || {
                view.seq += 1;
                Arc::new(view)
            },
            |known| known.view.clone(),
        );
        let published = Published {
            board: public,
            offset,
            view,
        };
        Renewed {
            published,
            flag: Some(flag),
        }
    }

    fn public_board(&self, board: &Board) -> PublicBoard {
        let online = self.is_online(board) || board.is_hub_clock();
        let last = board.play.lines.back();
        PublicBoard {
            clock: board.clock().clone(),
            about: About {
                board: board.id.to_string(),
                white: board.names.white.clone(),
                black: board.names.black.clone(),
                timeline: match board.keeper {
                    Keeper::Agent(agent) => Some(agent),
                    Keeper::Hub { .. } => None,
                },
                faulted: board.fault.is_some(),
                since: board.since,
                draw_odds: board.draw_odds,
                // The event's number in the clock's chain is removed: it also counts events that only arbiters may see.
                last: last.map(|line| PressLine {
                    event_seq: EventSeq::default(),
                    ..*line
                }),
                written: board.rulings.score().and_then(|score| written(score)),
                time_chess: time_chess_board(board).map(|game| spectators(&game)),
                online,
                no_clock: board.agents().next().is_none() && !board.is_hub_clock(),
                clocks: self.side_clocks(&board.id).map(|clocks| view::Clocks {
                    white: clocks.white.online,
                    black: clocks.black.online,
                }),
                silent_since: self.last_heard(board).filter(|_| !online),
            },
        }
    }

    /// Schedules the publication of a board's expected flag, and cancels the previously scheduled one.
    fn plan_flag(&mut self, now: Instant<Hub>, id: BoardId, flag: Option<Instant<Hub>>) {
        if let Some(before) = self.live.flags.remove(&id) {
            self.live.wakes.remove(before, WakeReason::Flag(id.clone()));
        }
        if let Some(at) = flag.filter(|at| *at > now) {
            self.live.flags.insert(id.clone(), at);
            self.live.wakes.add(at, WakeReason::Flag(id));
        }
    }

    /// Logs a flag that should have fallen but that the board's clock has not confirmed.
    pub(crate) fn log_expected_flag(&mut self, id: &BoardId, step: &mut OpenStep) {
        let now = step.now;
        let Some(board) = self.fold.boards.get(id).filter(|board| board.runs()) else {
            return;
        };
        let offset = self.offset(board, now);
        let clock = board.clock();
        let due = flag_in(&clock.plan(clock.now()));
        let due = due.map(|(at, side)| (on_hub(at, offset), side));
        let Some((at, side)) = due.filter(|(at, _)| *at <= now) else {
            return;
        };
        let entry = Entry::FlagExpected { side, at };
        // The entry changes nothing, so the fold always accepts it.
        let _ = self.log(Some(id.clone()), entry, step);
    }

    pub fn detail(&self, id: &BoardId, now: Instant<Hub>) -> Option<Arc<BoardDetail>> {
        let board = self.fold.boards.get(id)?;
        let published = match self.live.published.get(id) {
            Some(published) => published.view.clone(),
            None => self.renewed(now, board, Touch::Moved).published.view,
        };
        Some(Arc::new(self.draw(now, board, published)))
    }

    fn offset(&self, board: &Board, now: Instant<Hub>) -> Duration {
        let Keeper::Agent(agent) = board.keeper else {
            return Duration::ZERO;
        };
        let there = self.board_now(agent, now);
        let offset = there.map(|there| now.as_micros().saturating_sub(there.as_micros()));
        // An agent that keeps a board's time has been heard, so the offset is known.
        Duration::from_micros(offset.unwrap_or_default())
    }

    pub(super) fn board_now(
        &self,
        agent: AgentId,
        now: Instant<Hub>,
    ) -> Option<Instant<BoardTime>> {
        let session = self.live.sessions.get(&agent);
        let estimate = session.and_then(|session| session.to_board(now));
        estimate.or_else(|| self.fold.agents.get(&agent)?.board_time_at_least(now))
    }

    /// Builds the arbiters' view of a board, which has its own sequence number and the current offset.
    fn draw(&self, now: Instant<Hub>, board: &Board, published: Arc<BoardView>) -> BoardDetail {
        let offset = self.offset(board, now);
        let drawing = self
            .public_board(board)
            .draw(now, offset, board.changes.seq);
        let notes = self.notes_of(board);
        BoardDetail {
            view: Arc::new(drawing.view),
            published,
            white_button: board.clock().white_button(),
            round: board.seat.any_round(),
            agent: board.agent,
            rules: board.rulings.rules(board.clock().time_control()).ok(),
            open_claim: board.rulings.open_claim().cloned(),
            illegal_moves: board.offences.illegal_moves(),
            clocks: self.side_clocks(&board.id),
            arbiter_called: board.arbiter_called,
            paused_by: board.paused_by.clone(),
            unverified_time: self.unverified_time(&board.id),
            note: in_one_line(&notes),
            notes,
            pending: board.pending.clone(),
            presses: board.play.lines.iter().copied().collect(),
            time_chess: time_chess_board(board).map(Arc::new),
        }
    }

    fn last_heard(&self, board: &Board) -> Option<Instant<Hub>> {
        // If both clocks are silent, the one with the longer silence counts.
        let heard = board.agents().filter_map(|agent| {
            let session = self.live.sessions.get(&agent);
            let silent = session.is_none_or(|session| !session.online);
            let this_run = session.and_then(|session| session.last_heard);
            silent.then(|| this_run.or_else(|| self.fold.agents.get(&agent)?.heard))
        });
        heard.min().flatten()
    }
}

fn time_chess_board(board: &Board) -> Option<TimeChessBoard> {
    let game = board.time_chess.as_ref()?;
    Some(TimeChessBoard {
        game: game.shown(board.clock()),
        press: board.press_rule,
        offer: game.offer(),
    })
}

/// Returns the part of a game that spectators may see now.
fn spectators(game: &TimeChessBoard) -> view::TimeChess {
    let seen = game.view(Viewer::Spectator);
    view::TimeChess {
        phase: seen.phase.name(),
        blind: seen
            .phase
            .blind()
            .filter(|_| seen.outcome.is_none())
            .map(|side| view_side(side_of(side))),
        pieces: seen.board.board_fen().to_string(),
    }
}

fn written(score: &Scoresheet) -> Option<Written> {
    let moves = score.moves();
    let newest = moves.last()?;
    Some(Written {
        count: u32::try_from(moves.len()).unwrap_or(u32::MAX),
        san: newest.san.clone(),
        uci: newest.uci(),
        fen: score.fen(),
    })
}

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
