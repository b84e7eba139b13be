//! The delayed hall: folds the log again for spectators, applies each record once its delay has passed, and publishes the result.
//!
//! Owns one fold for each delay. All data for spectators comes from these folds. The live hall is read only to withhold results that
//! arbiters have since corrected.

use std::sync::Arc;

use proto::log::Record;
use timing::{Duration, Hub, Instant};

use super::Settings;
use crate::event_loop;
use crate::live::LiveHall;
use crate::replay::{ReplayError, decoded};
use durable_log::LogReader;
use hall::view::{EventView, PressLine};
use hall::{BoardDetail, DelayedHall, HubEffect, TournamentNow};

/// Maximum number of records applied at a time. Other threads may lock the stage in between.
const AT_ONCE: usize = 4_096;

/// A source of durable records, in order.
pub trait Records {
    fn count(&self) -> u64;
    /// Calls `take` with each record from index `from` onwards, until it returns false.
    ///
    /// # Errors
    /// Returns an error if the log is damaged.
    fn each(&self, from: u64, take: &mut dyn FnMut(u64, &[u8]) -> bool) -> Result<(), ReplayError>;
}

impl Records for LogReader {
    fn count(&self) -> u64 {
        self.len()
    }

    fn each(&self, from: u64, take: &mut dyn FnMut(u64, &[u8]) -> bool) -> Result<(), ReplayError> {
        for record in self.read(from) {
            let (index, payload) = record?;
            if !take(index, &payload) {
                break;
            }
        }
        Ok(())
    }
}

pub struct Stage {
    settings: Settings,
    folds: Vec<Fold>,
    live: Arc<LiveHall>,
    announced: u64,
}

struct Fold {
    delay_s: u32,
    /// This fold's delay minus the event's delay.
    beyond: Duration,
    hall: DelayedHall,
    /// True for the fold that supplies the event's players, pairings and results.
    has_event: bool,
}

impl Stage {
    /// Creates a stage that has not applied any record. The stage publishes to `live`, whose time is the hub's minus the event's delay. `event` is
    /// the event as configured.
    pub fn new(settings: Settings, live: Arc<LiveHall>, event: &EventView) -> Self {
        let delays = settings.delays();
        let longest = delays.last().copied();
        let folds = delays.iter().map(|delay_s| Fold {
            delay_s: *delay_s,
            beyond: seconds(*delay_s) - seconds(settings.delay_s),
            hall: DelayedHall::new(event.clone()),
            // Standings reveal the results of all boards, so they come from the fold with the longest delay.
            has_event: Some(*delay_s) == longest,
        });
        Self {
            folds: folds.collect(),
            settings,
            live,
            announced: 0,
        }
    }

    pub fn live(&self) -> &Arc<LiveHall> {
        &self.live
    }

    /// Applies some of the records that are due at `now` (hub time), and publishes the result once all due records are applied. `newest` is
    /// the event as arbiters see it. Returns true if more records may be due.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or is not a hall's log.
    pub fn advance(
        &mut self,
        log: &impl Records,
        now: Instant<Hub>,
        newest: Option<&TournamentNow>,
    ) -> Result<bool, ReplayError> {
        self.announce(log, now)?;
        let mut more = self.announced < log.count();
        if !more {
            for fold in &mut self.folds {
                more |= fold.apply_due(log, now)?;
            }
        }
        if !more {
            self.publish(now, newest);
        }
        Ok(more)
    }

    /// Announces new records to every fold in which they are not due yet, because they may correct an earlier move.
    fn announce(&mut self, log: &impl Records, now: Instant<Hub>) -> Result<(), ReplayError> {
        take(log, self.announced, |index, record| {
            let folds = self.folds.iter_mut();
            for fold in folds.filter(|fold| !fold.is_due(&record, now)) {
                fold.hall.announce(index, &record);
            }
            self.announced = index + 1;
            Ok(true)
        })
        .map(drop)
    }

    fn publish(&mut self, now: Instant<Hub>, newest: Option<&TournamentNow>) {
        let newest = newest.map(|newest| (newest.number(), &*newest.tournament));
        let news = self.live.update(|update| {
            for fold in &mut self.folds {
                let shows = |board: &str| self.settings.delay_of(board) == fold.delay_s;
                for effect in fold.hall.publish(fold.instant(now), newest) {
                    if let HubEffect::Publish { boards } = &effect {
                        for board in boards.iter().filter(|board| shows(&board.view.board)) {
                            update.board(moved(board, fold.beyond));
                        }
                    } else if let HubEffect::BoardRemoved { board } = &effect {
                        if shows(board.as_str()) {
                            update.gone(board.as_str());
                        }
                    } else if fold.has_event {
                        event_loop::publish(update, &effect);
                    }
                }
            }
        });
        drop(news);
    }

    /// Returns the completed moves of a board's game that are shown, oldest first.
    pub fn presses(&self, board: &str) -> Vec<PressLine> {
        let fold = self.fold_of(board);
        let whole = fold.and_then(|fold| fold.hall.presses(board));
        whole.unwrap_or_else(|| {
            let shown = self.live.board(board);
            shown.map_or_else(Vec::new, |shown| shown.presses.clone())
        })
    }

    /// Returns the moves written down for a board's game, in SAN. If the board is waiting for a correction, returns only the moves before the
    /// mistake.
    pub fn score(&self, board: &str) -> Vec<String> {
        let fold = self.fold_of(board);
        fold.map_or_else(Vec::new, |fold| fold.hall.score(board))
    }

    /// Returns how many of the log's records the shown state of a board includes.
    pub(super) fn shown_records(&self, board: &str) -> u64 {
        let fold = self.fold_of(board);
        fold.map_or(0, |fold| fold.hall.shown_records(board))
    }

    fn fold_of(&self, board: &str) -> Option<&Fold> {
        let delay_s = self.settings.delay_of(board);
        self.folds.iter().find(|fold| fold.delay_s == delay_s)
    }
}

impl Fold {
    fn instant(&self, now: Instant<Hub>) -> Instant<Hub> {
        now - seconds(self.delay_s)
    }

    fn is_due(&self, record: &Record, now: Instant<Hub>) -> bool {
        Instant::from_micros(record.hub_us) <= self.instant(now)
    }

    /// Applies some of the records that are due. Returns true if more may be due.
    fn apply_due(&mut self, log: &impl Records, now: Instant<Hub>) -> Result<bool, ReplayError> {
        take(log, self.hall.records(), |_, record| {
            let is_due = self.is_due(&record, now);
            if is_due {
                self.hall.apply(record)?;
            }
            Ok(is_due)
        })
    }
}

/// Passes records from `from` onwards to `each`, at most [`AT_ONCE`], until `each` returns false. Returns true if the limit stopped it.
fn take(
    log: &impl Records,
    from: u64,
    mut each: impl FnMut(u64, Record) -> Result<bool, ReplayError>,
) -> Result<bool, ReplayError> {
    let mut failed = None;
    let mut left = AT_ONCE;
    log.each(from, &mut |index, payload| {
        let taken = decoded(index, payload).and_then(|record| each(index, record));
        let goes_on = taken.unwrap_or_else(|error| {
            failed = Some(error);
            false
        });
        left -= 1;
        goes_on && left > 0
    })?;
    match failed {
        Some(error) => Err(error),
        None => Ok(left == 0),
    }
}

/// Returns a board with the instants of its published view moved later by `beyond`. Its presses keep their instants, because spectators see them as
/// times of day.
fn moved(board: &Arc<BoardDetail>, beyond: Duration) -> Arc<BoardDetail> {
    if beyond == Duration::ZERO {
        return board.clone();
    }
    Arc::new(BoardDetail {
        presses: board.presses.clone(),
        ..BoardDetail::public(board.published.later_by(beyond.as_micros()))
    })
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_micros(i64::from(seconds) * 1_000_000)
}
