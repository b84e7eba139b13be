//! The published state of the hall: the one place where pages, arbiters and the hub's own tasks read durable state.
//!
//! One task writes, in batches, after the records are durable; any number of readers read. Each board is stored once, as the hall drew it.
//! Two feeds announce changes: one to spectators about public data, one to arbiters about everything they may see.
//!
//! A feed keeps its last few thousand changes. A reader that returns within them gets exactly what it missed; one that fell behind is told
//! to resynchronise. A reader can therefore never slow the writer, and the writer never waits.
//!
//! Must never decide what a change means, and must never receive anything that is not yet durable.

mod encode;
mod feed;
mod order;
mod public;
mod update;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use tokio::sync::watch;

use feed::Feed;
use hall::view::{BoardView, EventView};
use hall::{BoardDetail, FloorPlan, HeldCommand, TournamentNow};

pub use feed::{Message, Subscription};
pub(crate) use order::BoardOrder;
pub use public::{Change, Delta, PublicHall, Snapshot};
pub use update::{Announcement, Update};

/// Default number of changes that a reader may miss and still resume: about 15 s of a thousand blitz boards.
pub const RING: usize = 4096;

/// Sequence numbers and epochs travel as JSON numbers, which browsers represent exactly up to 2^53.
const EXACT: u64 = (1 << 53) - 1;

/// A change in the data for arbiters. Its current value is read from the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArbiterChange {
    /// A board, or the arbiters' messages about it.
    Board(Arc<str>),
    /// A board has left the hall.
    Gone(Arc<str>),
    /// The event's name, round and similar data.
    Event,
}

/// Every board at one position in the arbiters' feed.
#[derive(Clone, Debug)]
pub struct ArbiterSnapshot {
    /// The newest change contained.
    pub seq: u64,
    /// The event.
    pub event: Arc<EventView>,
    /// All boards in board order.
    pub boards: Vec<Arc<BoardDetail>>,
}

/// The durable state of the hall.
pub struct LiveHall {
    epoch: u64,
    hub_now: Box<dyn Fn() -> i64 + Send + Sync>,
    state: RwLock<State>,
    public: Arc<Feed<Arc<Delta>>>,
    arbiters: Arc<Feed<ArbiterChange>>,
    tournament: watch::Sender<Option<TournamentNow>>,
    floor: watch::Sender<FloorPlan>,
    held: watch::Sender<Vec<HeldCommand>>,
}

#[derive(Default)]
struct State {
    boards: BTreeMap<BoardOrder, Published>,
    event: Arc<EventView>,
    /// The version of the event's players, pairings and results; `None` before the first.
    tournament: Option<u64>,
    /// Number of boards whose clocks are connected.
    online: usize,
    trouble: Option<String>,
}

struct Published {
    detail: Arc<BoardDetail>,
    /// The view in the newest change for spectators: that of `detail`, or one that looks the same.
    view: Arc<BoardView>,
}

impl LiveHall {
    /// Creates an empty hall. `epoch` distinguishes this run of the hub from every other; its low 53 bits are used. `capacity` is the
    /// number of changes that stay resumable (see [`RING`]). `hub_now` reads the hub's timeline in microseconds.
    pub fn new(
        epoch: u64,
        capacity: usize,
        hub_now: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Self {
        let epoch = epoch & EXACT;
        Self {
            epoch,
            hub_now: Box::new(hub_now),
            state: RwLock::default(),
            public: Arc::new(Feed::new(epoch, capacity)),
            arbiters: Arc::new(Feed::new(epoch, capacity)),
            tournament: watch::Sender::default(),
            floor: watch::Sender::default(),
            held: watch::Sender::default(),
        }
    }

    /// Returns the epoch of both feeds.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the hub's time in microseconds.
    pub fn hub_us(&self) -> i64 {
        (self.hub_now)()
    }

    /// Publishes a batch of changes: readers see all of it or nothing. Only one task may call this, after the records behind the batch are
    /// durable. Waiting readers are woken when the announcement is dropped.
    pub fn update(&self, changes: impl FnOnce(&mut Update<'_>)) -> Announcement<'_> {
        update::run(self, changes)
    }

    /// Tells arbiters of a change about a board that this hall does not store.
    pub(crate) fn tell_arbiters(&self, board: &str) {
        self.arbiters
            .push(|_| ArbiterChange::Board(Arc::from(board)));
        self.arbiters.wake();
    }

    pub(crate) fn set_trouble(&self, trouble: String) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.trouble = Some(trouble);
    }

    /// Returns the public part of the hall.
    pub fn public(self: &Arc<Self>) -> PublicHall {
        PublicHall::of(self.clone())
    }

    /// Returns one board.
    pub fn board(&self, board: &str) -> Option<Arc<BoardDetail>> {
        let state = self.read();
        let found = state.boards.get(&BoardOrder::of(board))?;
        Some(found.detail.clone())
    }

    /// Returns every board, in board order.
    pub fn boards(&self) -> Vec<Arc<BoardDetail>> {
        self.read().details()
    }

    /// Returns the event.
    pub fn event(&self) -> Arc<EventView> {
        self.read().event.clone()
    }

    /// Returns players, pairings and results; `None` while the hub has no event.
    pub fn tournament(&self) -> Option<TournamentNow> {
        self.tournament.borrow().clone()
    }

    /// Follows players, pairings and results. A slow reader sees the newest, not every one in between.
    pub(crate) fn follow_tournament(&self) -> watch::Receiver<Option<TournamentNow>> {
        self.tournament.subscribe()
    }

    /// Returns the floor plan.
    pub fn floor(&self) -> FloorPlan {
        self.floor.borrow().clone()
    }

    /// Follows the floor plan. A slow reader sees the newest.
    pub(crate) fn follow_floor(&self) -> watch::Receiver<FloorPlan> {
        self.floor.subscribe()
    }

    /// Returns the commands that wait for a second arbiter, oldest first.
    pub fn held(&self) -> Vec<HeldCommand> {
        self.held.borrow().clone()
    }

    /// Follows the commands that wait for a second arbiter. A slow reader sees the newest list.
    pub(crate) fn follow_held(&self) -> watch::Receiver<Vec<HeldCommand>> {
        self.held.subscribe()
    }

    /// Returns the number of boards, and the number whose clocks are connected.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.read();
        (state.boards.len(), state.online)
    }

    /// Returns `Ok` if the hub is healthy.
    ///
    /// # Errors
    /// A sentence that describes the failure.
    pub fn health(&self) -> Result<(), String> {
        self.read().trouble.clone().map_or(Ok(()), Err)
    }

    /// Returns every board now, with the position in the arbiters' feed.
    pub(crate) fn arbiter_snapshot(&self) -> ArbiterSnapshot {
        let state = self.read();
        ArbiterSnapshot {
            // Read before the boards: an acknowledgement is announced without the lock, and must be sent again rather than missed.
            seq: self.arbiters.newest(),
            event: state.event.clone(),
            boards: state.details(),
        }
    }

    /// Follows the data for arbiters: from just after `after`, an `(epoch, seq)` pair, or from now on if there is none. If the changes in
    /// between have left the feed, or never belonged to this epoch, the first message is [`Message::Resync`].
    pub fn subscribe(&self, after: Option<(u64, u64)>) -> Subscription<ArbiterChange> {
        self.arbiters.subscribe(after)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        // Readers do not write, so a panic of one leaves no partial write.
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn details(&self) -> Vec<Arc<BoardDetail>> {
        self.boards
            .values()
            .map(|board| board.detail.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests;
