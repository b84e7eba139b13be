//! The delayed hall that spectators see: a second fold of the same log, which applies each record after the broadcast
//! delay.
//!
//! All public data comes from this fold, so nothing can reach a spectator early. Some states never reach spectators: if
//! an arbiter corrects a board or the event within the delay, the state between the mistake and its correction is
//! withheld. Decides what to withhold, but not how long the delay is.

mod corrections;

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::ids::AgentId;
use proto::log::Record;
use timing::{Hub, Instant};
use tournament::Tournament;

use crate::arbiter_view::BoardDetail;
use crate::board_id::BoardId;
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, Logged};
use crate::event_no::EventNo;
use crate::fold::{Applied, FoldOutcome};
use crate::public_board::Renewed;
use crate::view::{EventView, PressLine};
use crate::{FoldError, Hall, from_proto};
use corrections::{Corrections, contradicts};

/// A hall that lags behind its log.
#[derive(Debug)]
pub struct DelayedHall {
    hall: Hall,
    corrections: Corrections,
    /// For each withheld board, the score of its game from before the mistake, in SAN.
    scores: BTreeMap<String, Vec<String>>,
    /// True once the event's configured view has been published.
    event_view_published: bool,
    event_changed: bool,
    shown: Option<(EventNo, Arc<Tournament>)>,
    gone: Vec<BoardId>,
}

impl DelayedHall {
    /// Creates a delayed hall to which no record has been applied. `event` is the view from the hub's configuration.
    pub fn new(event: EventView) -> Self {
        let mut hall = Hall::new();
        hall.live.event = event;
        Self {
            hall,
            corrections: Corrections::default(),
            scores: BTreeMap::new(),
            event_view_published: false,
            event_changed: true,
            shown: None,
            gone: Vec::new(),
        }
    }

    pub fn records(&self) -> u64 {
        self.hall.records()
    }

    /// Returns the score of a board's game, in SAN. For a withheld board, returns the score from before the mistake.
    pub fn score(&self, board: &str) -> Vec<String> {
        if let Some(moves) = self.scores.get(board) {
            return moves.clone();
        }
        let board = self.hall.fold.boards.get(board);
        let score = board.and_then(|board| board.rulings.score());
        let moves = score.into_iter().flat_map(|score| score.moves());
        moves.map(|played| played.san.clone()).collect()
    }

    /// Returns the number of records that a board's public view includes. For a withheld board, this is less than the
    /// number of applied records.
    pub fn shown_records(&self, board: &str) -> u64 {
        let records = self.hall.records();
        self.corrections.mistake(board, records).unwrap_or(records)
    }

    /// Registers a durable record before it is due, because it may correct an earlier one. Each record must be
    /// announced once, in the log's order; those already due when the hub starts may be omitted.
    pub fn announce(&mut self, index: u64, record: &Record) {
        self.corrections.announce(index, record);
    }

    /// Applies the next record of the log. The record must already be due.
    ///
    /// # Errors
    /// Returns a [`FoldError`] if the record cannot be applied; the hall must then be discarded.
    pub fn apply(&mut self, record: Record) -> Result<(), FoldError> {
        let index = self.hall.records();
        self.corrections.applied(index, &record.board);
        self.keep_score(&record.board);
        let logged =
            from_proto::records::logged(record).map_err(|error| FoldError::Unreadable {
                index,
                what: error.to_string(),
            })?;
        let applied = self.hall.fold.apply(&logged)?;
        self.follow_links(&logged);
        self.follow(applied);
        Ok(())
    }

    /// Keeps a copy of a board's score from before the mistake while the board is withheld. Drops the copy afterwards.
    fn keep_score(&mut self, board: &str) {
        let records = self.hall.records() + 1;
        if self.corrections.mistake(board, records).is_none() {
            self.scores.remove(board);
        } else if !self.scores.contains_key(board) {
            self.scores.insert(board.to_owned(), self.score(board));
        }
    }

    fn follow(&mut self, applied: Applied) {
        for board in &applied.boards {
            self.hall.touch(board);
        }
        for outcome in applied.outcomes {
            if let FoldOutcome::Removed(board) = outcome {
                self.hall.live.touched.remove(&board);
                self.hall.live.published.remove(&board);
                self.hall.live.flags.remove(&board);
                self.gone.push(board);
            } else if let FoldOutcome::TournamentChanged(_) | FoldOutcome::TournamentReplaced(_) =
                outcome
            {
                self.event_changed = true;
            }
        }
    }

    fn follow_links(&mut self, logged: &Logged) {
        if let Entry::LinkChanged(change) = &logged.entry {
            self.set_online(change.agent, change.online);
        } else if let Entry::HubStarted(_) = &logged.entry {
            let agents: Vec<AgentId> = self.hall.live.sessions.keys().copied().collect();
            for agent in agents {
                self.set_online(agent, false);
            }
        }
    }

    fn set_online(&mut self, agent: AgentId, online: bool) {
        self.hall.live.sessions.entry(agent).or_default().online = online;
        self.hall.touch_board_of(agent);
    }

    /// Returns the changes to show to spectators at `now`. All records due by then must have been applied. `newest` is
    /// the event as arbiters see it.
    pub fn publish(
        &mut self,
        now: Instant<Hub>,
        newest: Option<(EventNo, &Tournament)>,
    ) -> Vec<HubEffect> {
        let mut step = OpenStep::new(now);
        if !std::mem::replace(&mut self.event_view_published, true) {
            let event = self.hall.live.event.clone();
            step.effect(HubEffect::PublishEvent { event });
        }
        self.publish_event(newest, &mut step);
        let gone = self.gone.drain(..);
        let gone = gone.map(|board| HubEffect::BoardRemoved { board });
        step.step.effects.extend(gone);
        let due = self.hall.live.flags.iter().filter(|(_, at)| **at <= now);
        let due: Vec<BoardId> = due.map(|(board, _)| board.clone()).collect();
        for board in due {
            self.hall.touch_moved(&board);
        }
        let boards = self.draw(now);
        if !boards.is_empty() {
            step.effect(HubEffect::Publish { boards });
        }
        step.step.effects
    }

    fn publish_event(&mut self, newest: Option<(EventNo, &Tournament)>, step: &mut OpenStep) {
        if !self.event_changed {
            return;
        }
        let now = self.hall.tournament();
        let now = now.map(|now| (now.number(), now.tournament));
        if let (Some((number, event)), Some((newest_number, newest))) = (&now, newest)
            && *number == newest_number
        {
            let shown = self.shown.as_ref().filter(|(shown, _)| shown == number);
            let shown = shown.map(|(_, event)| &**event);
            if contradicts(event, shown, newest) {
                return;
            }
        }
        self.event_changed = false;
        self.shown = now;
        self.hall.publish_tournament(step);
    }

    /// Builds the views of the changed boards. Withheld boards stay marked as changed.
    fn draw(&mut self, now: Instant<Hub>) -> Vec<Arc<BoardDetail>> {
        let touched = std::mem::take(&mut self.hall.live.touched);
        let mut boards = Vec::with_capacity(touched.len());
        for (id, touch) in touched {
            if self.is_withheld(id.as_str()) {
                self.hall.live.touched.insert(id, touch);
                continue;
            }
            let Some(board) = self.hall.fold.boards.get(&id) else {
                continue;
            };
            let Renewed { published, flag } = self.hall.renewed(now, board, touch);
            boards.push(Arc::new(BoardDetail {
                presses: board.play.lines.iter().copied().collect(),
                ..BoardDetail::shown(published.view.clone())
            }));
            self.hall.live.published.insert(id.clone(), published);
            if let Some(flag) = flag {
                match flag.filter(|at| *at > now) {
                    Some(at) => drop(self.hall.live.flags.insert(id, at)),
                    None => drop(self.hall.live.flags.remove(&id)),
                }
            }
        }
        boards
    }

    /// Returns the completed moves of a board's game, oldest first; `None` while the board is withheld.
    pub fn presses(&self, board: &str) -> Option<Vec<PressLine>> {
        (!self.is_withheld(board)).then(|| self.hall.presses(board))
    }

    fn is_withheld(&self, board: &str) -> bool {
        let mistake = self.corrections.mistake(board, self.hall.records());
        mistake.is_some()
    }
}
