//! The live feed: what changed, numbered, encoded once, and kept long enough to resume.
//!
//! One task publishes after durability; any number of watchers read. Every change gets the next sequence number
//! and is encoded a single time, whoever reads it. The last few thousand changes stay in a ring: a watcher that comes
//! back within it gets exactly what it missed, and one that fell behind is told to resynchronise. A watcher can therefore
//! never slow the publisher, and the publisher never waits.
//!
//! Must never decide what a change means, and must never be handed anything that is not yet durable.

mod encode;
mod order;
mod subscription;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use tokio::sync::watch;

use crate::metrics;
use hall::view::{BoardView, EventView};
pub(crate) use order::BoardOrder;

pub use subscription::{Message, Subscription};

/// How many changes a watcher may miss and still resume, unless told otherwise: some 15 s of a thousand blitz boards.
pub const RING: usize = 4096;

/// Sequence numbers and epochs travel as JSON numbers, which browsers hold exactly up to 2^53.
const EXACT: u64 = (1 << 53) - 1;

/// One numbered change.
#[derive(Debug)]
pub struct Delta {
    /// Its place in this epoch, from 1, without gaps.
    pub seq: u64,
    /// `{"epoch", "seq", "hub_us", …}` with `board`, `event`, `gone` or `tournament`; a slice of [`Delta::frame`].
    pub json: Bytes,
    /// The same as a server-sent event, ready to be written.
    pub frame: Bytes,
    /// What changed.
    pub change: Change,
}

/// What a [`Delta`] is about.
#[derive(Clone, Debug)]
pub enum Change {
    /// A board as it stands now, whole.
    Board(Arc<BoardView>),
    /// The event's name, round and the like.
    Event(Arc<EventView>),
    /// A board that is no longer part of the hall.
    Gone(Arc<str>),
    /// Players, pairings or results of the event are others; the version they have now. What they are is asked for.
    Tournament(u64),
}

/// Every board at one place in the feed.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The feed's epoch: sequence numbers of another one mean nothing here.
    pub epoch: u64,
    /// The newest change contained.
    pub seq: u64,
    /// Hub instant the times in hand are given for.
    pub hub_us: i64,
    /// The event.
    pub event: Arc<EventView>,
    /// The version of the event's players, pairings and results; `None` before anything was said of them.
    pub tournament: Option<u64>,
    /// All boards in board order, as they were published.
    pub boards: Vec<Arc<BoardView>>,
}

impl Snapshot {
    /// The body of `/live/boards.json`, with every time in hand as it is at [`Snapshot::hub_us`].
    pub fn to_json(&self) -> Bytes {
        encode::snapshot(self)
    }
}

/// The hub's public state and its recent past.
pub struct LiveFeed {
    epoch: u64,
    capacity: usize,
    hub_now: Box<dyn Fn() -> i64 + Send + Sync>,
    hall: RwLock<Hall>,
    newest: watch::Sender<u64>,
}

#[derive(Default)]
struct Hall {
    boards: BTreeMap<BoardOrder, Arc<BoardView>>,
    event: Arc<EventView>,
    tournament: Option<u64>,
    /// The deltas numbered `newest - ring.len() + 1 ..= newest`.
    ring: VecDeque<Arc<Delta>>,
    newest: u64,
}

impl LiveFeed {
    /// Makes an empty feed. `epoch` tells this run of the hub from every other; its low 53 bits are used. `capacity` is how
    /// many changes stay resumable (see [`RING`]); `hub_now` reads the hub's timeline in microseconds.
    pub fn new(
        epoch: u64,
        capacity: usize,
        hub_now: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            epoch: epoch & EXACT,
            capacity: capacity.max(1),
            hub_now: Box::new(hub_now),
            hall: RwLock::default(),
            newest: watch::Sender::new(0),
        }
    }

    /// The epoch every identifier of this feed begins with.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The hub's time in microseconds.
    pub fn hub_us(&self) -> i64 {
        (self.hub_now)()
    }

    /// Publishes what became true at `hub_us`: the boards that changed, each whole, and the event if it changed.
    /// To be called by one task, after the records behind it are durable.
    pub fn publish(&self, hub_us: i64, changed: Vec<BoardView>, event: Option<EventView>) {
        let boards = changed
            .into_iter()
            .map(|board| Change::Board(Arc::new(board.at(hub_us))));
        let changes = event
            .map(|event| Change::Event(Arc::new(event)))
            .into_iter()
            .chain(boards);
        self.append(hub_us, changes);
    }

    /// Takes boards out of the hall, for instance at the start of a round with fewer of them.
    pub fn withdraw(&self, hub_us: i64, boards: &[String]) {
        self.append(
            hub_us,
            boards
                .iter()
                .map(|board| Change::Gone(board.as_str().into())),
        );
    }

    /// Says that the event's players, pairings or results are those of another version now. To be called after what they are
    /// can be asked for.
    pub fn announce(&self, hub_us: i64, version: u64) {
        self.append(hub_us, std::iter::once(Change::Tournament(version)));
    }

    /// Says once more how a board stands: something about it that is not the public's has changed.
    pub fn repeat(&self, board: &str) {
        let hub_us = self.hub_us();
        // As in `append`; held throughout, so that nothing newer is overtaken.
        let mut hall = self.hall.write().unwrap_or_else(PoisonError::into_inner);
        let Some(view) = hall.boards.get(&BoardOrder::of(board)).cloned() else {
            return;
        };
        let again = Change::Board(Arc::new(Arc::unwrap_or_clone(view).at(hub_us)));
        hall.apply(self.epoch, hub_us, again, self.capacity);
        let newest = hall.newest;
        drop(hall);
        metrics::live_deltas(1);
        self.newest.send_replace(newest);
    }

    fn append(&self, hub_us: i64, changes: impl Iterator<Item = Change>) {
        // A reader that panicked left nothing half-written: readers do not write.
        let mut hall = self.hall.write().unwrap_or_else(PoisonError::into_inner);
        let before = hall.newest;
        for change in changes {
            hall.apply(self.epoch, hub_us, change, self.capacity);
        }
        let newest = hall.newest;
        drop(hall);
        if newest > before {
            metrics::live_deltas(newest - before);
            self.newest.send_replace(newest);
        }
    }

    /// Every board as of now.
    pub fn snapshot(&self) -> Snapshot {
        let hall = self.read();
        Snapshot {
            epoch: self.epoch,
            seq: hall.newest,
            hub_us: self.hub_us(),
            event: hall.event.clone(),
            tournament: hall.tournament,
            boards: hall.boards.values().cloned().collect(),
        }
    }

    /// The sequence number of the newest change; 0 before the first.
    pub fn newest(&self) -> u64 {
        self.read().newest
    }

    /// One board, as it was last published.
    pub fn board(&self, board: &str) -> Option<Arc<BoardView>> {
        self.read().boards.get(&BoardOrder::of(board)).cloned()
    }

    /// The boards before and after `board` in board order.
    pub fn neighbours(&self, board: &str) -> (Option<String>, Option<String>) {
        let hall = self.read();
        let order = BoardOrder::of(board);
        let name = |(_, board): (&BoardOrder, &Arc<BoardView>)| board.board.clone();
        let before = hall.boards.range(..&order).next_back().map(name);
        let after = (Excluded(&order), Unbounded);
        (before, hall.boards.range(after).next().map(name))
    }

    /// The event, as it was last published.
    pub fn event(&self) -> Arc<EventView> {
        self.read().event.clone()
    }

    /// Follows the feed: from just after `after`, an `(epoch, seq)` pair, or from now on when there is none. When the changes
    /// in between are no longer at hand, or never belonged to this epoch, the first message is [`Message::Resync`].
    pub fn subscribe(self: &Arc<Self>, after: Option<(u64, u64)>) -> Subscription {
        Subscription::new(self.clone(), self.newest.subscribe(), after)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Hall> {
        self.hall.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hall {
    fn apply(&mut self, epoch: u64, hub_us: i64, change: Change, capacity: usize) {
        match &change {
            Change::Board(board) => {
                self.boards
                    .insert(BoardOrder::of(&board.board), board.clone());
            }
            Change::Event(event) => self.event = event.clone(),
            Change::Tournament(version) => self.tournament = Some(*version),
            Change::Gone(board) => {
                if self.boards.remove(&BoardOrder::of(board)).is_none() {
                    return;
                }
            }
        }
        self.newest += 1;
        let delta = encode::delta(epoch, self.newest, hub_us, change);
        if self.ring.len() == capacity {
            self.ring.pop_front();
        }
        self.ring.push_back(Arc::new(delta));
    }

    /// The changes after `seq`, at most `limit` of them, oldest first; `None` when some of them have left the ring
    /// or `seq` has never been given out.
    fn after(&self, seq: u64, limit: usize) -> Option<Vec<Arc<Delta>>> {
        let missed = usize::try_from(self.newest.checked_sub(seq)?).ok()?;
        let start = self.ring.len().checked_sub(missed)?;
        Some(self.ring.range(start..).take(limit).cloned().collect())
    }
}

#[cfg(test)]
mod tests;
