//! The hall as it is published: the one place where pages, arbiters and the hub's own tasks read what is durable.
//!
//! One task writes, in batches, after durability; any number of readers look. A board is kept once, as the hall drew it. Two feeds say
//! what changed: spectators hear of what is public, arbiters of everything that may be shown to them. A feed keeps its last few
//! thousand changes: a reader that comes back within them gets exactly what it missed, and one that fell behind is told to
//! resynchronise. A reader can therefore never slow the writer, and the writer never waits.
//!
//! Must never decide what a change means, and must never be handed anything that is not yet durable.

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
use hall::{BoardDetail, FloorPlan, TournamentNow};

pub use feed::{Message, Subscription};
pub(crate) use order::BoardOrder;
pub use public::{Change, Delta, PublicHall, Snapshot};
pub use update::{Announcement, Update};

/// The number of changes a reader may miss and still resume, unless told otherwise: some 15 s of a thousand blitz boards.
pub const RING: usize = 4096;

/// Sequence numbers and epochs travel as JSON numbers, which browsers hold exactly up to 2^53.
const EXACT: u64 = (1 << 53) - 1;

/// A change in what arbiters may see. What it is now is read from the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArbiterChange {
    /// A board, or what arbiters say of it.
    Board(Arc<str>),
    /// A board has left the hall.
    Gone(Arc<str>),
    /// The event's name, round and the like.
    Event,
}

/// Every board at one place in the arbiters' feed.
#[derive(Clone, Debug)]
pub struct ArbiterSnapshot {
    /// The newest change contained.
    pub seq: u64,
    /// The event.
    pub event: Arc<EventView>,
    /// All boards in board order.
    pub boards: Vec<Arc<BoardDetail>>,
}

/// The hall as it is durable.
pub struct LiveHall {
    epoch: u64,
    hub_now: Box<dyn Fn() -> i64 + Send + Sync>,
    state: RwLock<State>,
    public: Arc<Feed<Arc<Delta>>>,
    arbiters: Arc<Feed<ArbiterChange>>,
    tournament: watch::Sender<Option<TournamentNow>>,
    floor: watch::Sender<FloorPlan>,
}

#[derive(Default)]
struct State {
    boards: BTreeMap<BoardOrder, Published>,
    event: Arc<EventView>,
    /// The version of the event's players, pairings and results; `None` before anything was said of them.
    tournament: Option<u64>,
    /// Boards whose clocks are connected.
    online: usize,
    trouble: Option<String>,
}

struct Published {
    detail: Arc<BoardDetail>,
    /// The view of the newest change that spectators were told of: that of `detail`, or one that looks like it.
    view: Arc<BoardView>,
}

impl LiveHall {
    /// Makes an empty hall. `epoch` tells this run of the hub from every other; its low 53 bits are used. `capacity` is how
    /// many changes stay resumable (see [`RING`]); `hub_now` reads the hub's timeline in microseconds.
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
        }
    }

    /// The epoch of both feeds.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The hub's time in microseconds.
    pub fn hub_us(&self) -> i64 {
        (self.hub_now)()
    }

    /// Publishes a batch of changes: readers see all of it or nothing. One task may do so, after the records behind it are durable.
    /// Those who wait for changes are woken when the announcement is dropped.
    pub fn update(&self, changes: impl FnOnce(&mut Update<'_>)) -> Announcement<'_> {
        update::run(self, changes)
    }

    /// Tells arbiters that something about a board has changed that this hall does not keep.
    pub fn tell_arbiters(&self, board: &str) {
        self.arbiters
            .push(|_| ArbiterChange::Board(Arc::from(board)));
        self.arbiters.wake();
    }

    /// Says that the hub no longer does its whole job.
    pub fn set_trouble(&self, trouble: String) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.trouble = Some(trouble);
    }

    /// What everyone may see of it.
    pub fn public(self: &Arc<Self>) -> PublicHall {
        PublicHall::of(self.clone())
    }

    /// One board.
    pub fn board(&self, board: &str) -> Option<Arc<BoardDetail>> {
        let state = self.read();
        let found = state.boards.get(&BoardOrder::of(board))?;
        Some(found.detail.clone())
    }

    /// Every board, in board order.
    pub fn boards(&self) -> Vec<Arc<BoardDetail>> {
        self.read().details()
    }

    /// The event.
    pub fn event(&self) -> Arc<EventView> {
        self.read().event.clone()
    }

    /// Players, pairings and results; `None` while the hub has no event.
    pub fn tournament(&self) -> Option<TournamentNow> {
        self.tournament.borrow().clone()
    }

    /// Follows players, pairings and results. A slow reader sees the newest, not every one in between.
    pub fn follow_tournament(&self) -> watch::Receiver<Option<TournamentNow>> {
        self.tournament.subscribe()
    }

    /// The floor plan.
    pub fn floor(&self) -> FloorPlan {
        self.floor.borrow().clone()
    }

    /// Follows the floor plan. A slow reader sees the newest.
    pub fn follow_floor(&self) -> watch::Receiver<FloorPlan> {
        self.floor.subscribe()
    }

    /// How many boards there are, and how many of their clocks are connected.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.read();
        (state.boards.len(), state.online)
    }

    /// Whether the hub does its whole job.
    ///
    /// # Errors
    /// What it does not do, in a sentence.
    pub fn health(&self) -> Result<(), String> {
        self.read().trouble.clone().map_or(Ok(()), Err)
    }

    /// Every board as it stands, with its place in the arbiters' feed.
    pub fn arbiter_snapshot(&self) -> ArbiterSnapshot {
        let state = self.read();
        ArbiterSnapshot {
            // Before the boards: an acknowledgement is told without the lock, and must come again rather than be missed.
            seq: self.arbiters.newest(),
            event: state.event.clone(),
            boards: state.details(),
        }
    }

    /// Follows what arbiters may see: from just after `after`, an `(epoch, seq)` pair, or from now on when there is none. When
    /// the changes in between have left the feed, or never belonged to this epoch, the first message is [`Message::Resync`].
    pub fn subscribe(&self, after: Option<(u64, u64)>) -> Subscription<ArbiterChange> {
        self.arbiters.subscribe(after)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        // A thread that panicked left nothing half-written: readers do not write.
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
