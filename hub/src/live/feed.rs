//! A feed: keeps the newest numbered changes, and the positions of its readers. Owns numbers and waiting; never inspects a change.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use futures::Stream;
use tokio::sync::watch;

/// Maximum number of changes taken from the ring at a time, so that a reader far behind does not hold the lock for long.
const BATCH: usize = 64;

/// Maximum time that a reader of one board waits before it advances its position, which must not leave the ring.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

pub(crate) struct Feed<T> {
    epoch: u64,
    capacity: usize,
    ring: RwLock<Ring<T>>,
    /// The newest number for which waiting readers have been woken.
    announced: watch::Sender<u64>,
    /// For each board that has readers of its own, the newest number for which they have been woken.
    boards: RwLock<HashMap<String, watch::Sender<u64>>>,
}

struct Ring<T> {
    /// The changes numbered `newest - changes.len() + 1 ..= newest`.
    changes: VecDeque<Entry<T>>,
    newest: u64,
    /// The numbers of the changes about each board.
    of_board: HashMap<Arc<str>, VecDeque<u64>>,
    /// The numbers of the changes that concern readers of every board.
    of_all: VecDeque<u64>,
    touched: TouchedBoards,
}

struct Entry<T> {
    board: Option<Arc<str>>,
    change: T,
}

/// The boards with changes for which their readers have not been woken yet.
enum TouchedBoards {
    All,
    These(Vec<Arc<str>>),
}

impl TouchedBoards {
    /// Adds a board. Once more boards are listed than the ring has changes, counts every board as touched instead.
    fn add(&mut self, board: &Arc<str>, ring: usize) {
        if let Self::These(boards) = self {
            boards.push(board.clone());
            if boards.len() > ring + 1 {
                *self = Self::All;
            }
        }
    }
}

impl<T: Clone> Feed<T> {
    pub(super) fn new(epoch: u64, capacity: usize) -> Self {
        Self::after(epoch, capacity, 0)
    }

    /// Creates a feed whose next change follows the one numbered `newest`.
    pub(crate) fn after(epoch: u64, capacity: usize, newest: u64) -> Self {
        Self {
            epoch,
            capacity: capacity.max(1),
            ring: RwLock::new(Ring {
                changes: VecDeque::new(),
                newest,
                of_board: HashMap::new(),
                of_all: VecDeque::new(),
                touched: TouchedBoards::These(Vec::new()),
            }),
            announced: watch::Sender::new(newest),
            boards: RwLock::default(),
        }
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the number of the newest change.
    pub(crate) fn newest(&self) -> u64 {
        self.read().newest
    }

    /// Returns the changes after `seq`, at most `limit` of them, oldest first. Returns `None` if some are no longer kept or `seq` was never
    /// assigned.
    pub(crate) fn changes(&self, seq: u64, limit: usize) -> Option<Vec<T>> {
        let changes = self.read().after(seq, limit)?;
        Some(changes.into_iter().map(|(_, change)| change).collect())
    }

    /// Appends the change that `make` creates for its number. Waiting readers learn of it with the next [`Self::wake`].
    pub(crate) fn push(&self, make: impl FnOnce(u64) -> T) {
        self.push_about(None, make);
    }

    /// Like [`Self::push`], but if `board` is given, readers of other boards do not get the change.
    pub(crate) fn push_about(&self, board: Option<&str>, make: impl FnOnce(u64) -> T) {
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        if ring.changes.len() == self.capacity {
            ring.forget_oldest();
        }
        let number = ring.newest + 1;
        let change = make(number);
        ring.append(board, change);
    }

    /// Wakes waiting readers if there are new changes. Returns the number of new changes.
    pub(crate) fn wake(&self) -> u64 {
        let (newest, touched) = {
            let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
            let none = TouchedBoards::These(Vec::new());
            (ring.newest, std::mem::replace(&mut ring.touched, none))
        };
        {
            let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
            let tell = |told: &watch::Sender<u64>| {
                told.send_replace(newest);
            };
            match touched {
                TouchedBoards::All => boards.values().for_each(tell),
                TouchedBoards::These(touched) => {
                    let readers = touched.iter().filter_map(|board| boards.get(&**board));
                    readers.for_each(tell);
                }
            }
        }
        let mut more = 0;
        self.announced.send_if_modified(|announced| {
            more = newest.saturating_sub(*announced);
            *announced = newest.max(*announced);
            more > 0
        });
        more
    }

    /// Subscribes from just after `after`, an `(epoch, seq)` pair; without `after`, from the newest change.
    pub(crate) fn subscribe(self: &Arc<Self>, after: Option<(u64, u64)>) -> Subscription<T> {
        self.subscribe_to(None, after)
    }

    /// Like [`Self::subscribe`], but if `board` is given, the reader gets no changes about other boards.
    pub(crate) fn subscribe_to(
        self: &Arc<Self>,
        board: Option<&str>,
        after: Option<(u64, u64)>,
    ) -> Subscription<T> {
        let announced = match board {
            None => self.announced.subscribe(),
            Some(board) => self.announced_to(board),
        };
        let (seen, resync) = match after {
            None => (self.newest(), false),
            Some((epoch, seq)) if epoch == self.epoch => (seq, false),
            Some(_) => (0, true),
        };
        Subscription {
            announced,
            board: board.map(str::to_owned),
            feed: self.clone(),
            seen,
            taken: VecDeque::new(),
            resync,
        }
    }

    pub(crate) fn readers(&self) -> usize {
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        let of_boards = boards.values().map(watch::Sender::receiver_count);
        self.announced.receiver_count() + of_boards.sum::<usize>()
    }

    /// Returns true if there are more than `few` readers, or possibly any readers of a single board. Faster than [`Self::readers`].
    pub(super) fn has_more_readers_than(&self, few: usize) -> bool {
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        self.announced.receiver_count() > few || !boards.is_empty()
    }

    fn announced_to(&self, board: &str) -> watch::Receiver<u64> {
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        boards.retain(|_, told| told.receiver_count() > 0);
        let told = boards.entry(board.to_owned());
        told.or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    fn read(&self) -> RwLockReadGuard<'_, Ring<T>> {
        // Keep serving readers even if a writer has panicked.
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Ring<T> {
    fn append(&mut self, board: Option<&str>, change: T) {
        self.newest += 1;
        let board = board.map(|board| match self.of_board.get_key_value(board) {
            Some((known, _)) => known.clone(),
            None => Arc::from(board),
        });
        match &board {
            Some(board) => {
                let numbers = self.of_board.entry(board.clone()).or_default();
                numbers.push_back(self.newest);
                self.touched.add(board, self.changes.len());
            }
            None => {
                self.of_all.push_back(self.newest);
                self.touched = TouchedBoards::All;
            }
        }
        self.changes.push_back(Entry { board, change });
    }

    fn forget_oldest(&mut self) {
        let Some(oldest) = self.changes.pop_front() else {
            return;
        };
        let Some(board) = oldest.board else {
            self.of_all.pop_front();
            return;
        };
        if let Some(numbers) = self.of_board.get_mut(&board) {
            numbers.pop_front();
            if numbers.is_empty() {
                self.of_board.remove(&board);
            }
        }
    }

    /// Returns the same changes as [`Feed::changes`], with their numbers.
    fn after(&self, seq: u64, limit: usize) -> Option<Vec<(u64, T)>> {
        let start = self.index_after(seq)?;
        let numbers = seq + 1..;
        let changes = self.changes.range(start..).take(limit);
        let changes = changes.map(|entry| entry.change.clone());
        Some(numbers.zip(changes).collect())
    }

    /// Like [`Self::after`], for a reader of one board.
    fn after_about(&self, board: &str, seq: u64, limit: usize) -> Option<Vec<(u64, T)>> {
        self.index_after(seq)?;
        let of_board = self.of_board.get(board).into_iter().flatten();
        let newer = |number: &&u64| **number > seq;
        // Both lists are sorted; only their ends matter.
        let mut numbers: Vec<u64> = of_board.rev().take_while(newer).copied().collect();
        numbers.extend(self.of_all.iter().rev().take_while(newer));
        numbers.sort_unstable();
        numbers.truncate(limit);
        let first = self.newest - self.changes.len() as u64 + 1;
        let found = numbers.into_iter().filter_map(|number| {
            let index = usize::try_from(number - first).ok()?;
            Some((number, self.changes.get(index)?.change.clone()))
        });
        Some(found.collect())
    }

    /// Returns the index of the change after `seq`; `None` if it has left the ring or `seq` was never assigned.
    fn index_after(&self, seq: u64) -> Option<usize> {
        let missed = usize::try_from(self.newest.checked_sub(seq)?).ok()?;
        self.changes.len().checked_sub(missed)
    }
}

/// A message to a reader of a feed.
#[derive(Clone, Debug)]
pub enum Message<T> {
    Change {
        /// The change's number in the feed.
        seq: u64,
        change: T,
    },
    /// Changes are missing: take a new snapshot. The following messages continue after `seq`.
    Resync {
        /// Sequence number of the newest change.
        seq: u64,
    },
}

/// A reader's position in a feed: yields the changes for this reader after its starting point, in order, or reports that some are missing.
pub struct Subscription<T> {
    feed: Arc<Feed<T>>,
    announced: watch::Receiver<u64>,
    /// The board to which this reader is restricted.
    board: Option<String>,
    /// The last change that was returned, or skipped because it is about a different board.
    seen: u64,
    taken: VecDeque<(u64, T)>,
    resync: bool,
}

impl<T: Clone> Subscription<T> {
    /// Returns the number after which a later reader may resume.
    pub fn position(&self) -> u64 {
        self.seen
    }

    /// Waits for the next message. Cancel safe. Returns `None` only when the feed has ended.
    pub async fn next(&mut self) -> Option<Message<T>> {
        loop {
            if let Some(message) = self.ready() {
                return Some(message);
            }
            let changed = self.announced.changed();
            match self.board {
                None => changed.await.ok()?,
                // A spurious wake-up does no harm.
                Some(_) => tokio::time::timeout(LOOK_AGAIN, changed)
                    .await
                    .unwrap_or(Ok(()))
                    .ok()?,
            }
        }
    }

    /// Returns the next message if there already is one.
    pub(crate) fn ready(&mut self) -> Option<Message<T>> {
        if self.taken.is_empty() && !self.resync {
            self.announced.mark_unchanged();
            self.take();
        }
        if self.resync {
            self.resync = false;
            self.taken.clear();
            self.seen = self.feed.newest();
            return Some(Message::Resync { seq: self.seen });
        }
        let (seq, change) = self.taken.pop_front()?;
        self.seen = seq;
        Some(Message::Change { seq, change })
    }

    fn take(&mut self) {
        let ring = self.feed.read();
        let changes = match &self.board {
            None => ring.after(self.seen, BATCH),
            Some(board) => ring.after_about(board, self.seen, BATCH),
        };
        match changes {
            Some(changes) if changes.is_empty() => self.seen = ring.newest,
            Some(changes) => self.taken.extend(changes),
            None => self.resync = true,
        }
    }
}

impl<T: Clone + Send + Sync> Subscription<T> {
    pub fn into_stream(self) -> impl Stream<Item = Message<T>> + Send {
        futures::stream::unfold(self, |mut subscription| async {
            let message = subscription.next().await?;
            Some((message, subscription))
        })
    }
}
