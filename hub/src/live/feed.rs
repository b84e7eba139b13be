//! A feed: numbered changes, the newest of them kept, and its readers' positions. Owns numbers and waiting; never inspects a change.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use futures::Stream;
use tokio::sync::watch;

/// Changes taken from the ring at a time, so that a reader far behind does not hold the lock for long.
const BATCH: usize = 64;

/// Groups of changes, so that a reader of one board is not woken for each change of all boards.
const GROUPS: usize = 64;

/// A reader of a group takes what it was not woken for at least this often, so that it keeps its place.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub(crate) struct Feed<T> {
    epoch: u64,
    capacity: usize,
    ring: RwLock<Ring<T>>,
    /// The newest number that has woken waiting readers.
    announced: watch::Sender<u64>,
    /// The same for the readers of each group.
    groups: [watch::Sender<u64>; GROUPS],
}

struct Ring<T> {
    /// The changes numbered `newest - changes.len() + 1 ..= newest`.
    changes: VecDeque<T>,
    newest: u64,
    /// A bit for each group with changes that have woken no reader yet.
    touched: u64,
}

/// Returns the group of a board.
fn group_of(board: &str) -> usize {
    board
        .bytes()
        .fold(0, |sum, byte| (sum * 31 + usize::from(byte)) % GROUPS)
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
                touched: 0,
            }),
            announced: watch::Sender::new(newest),
            groups: std::array::from_fn(|_| watch::Sender::new(newest)),
        }
    }

    /// Returns the epoch, which names the feed's numbers.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the number of the newest change; 0 before the first.
    pub(crate) fn newest(&self) -> u64 {
        self.read().newest
    }

    /// Returns the changes after `seq`, at most `limit` of them, oldest first; `None` if some of them are no longer kept, or not there yet.
    pub(crate) fn changes(&self, seq: u64, limit: usize) -> Option<Vec<T>> {
        self.read().after(seq, limit)
    }

    /// Appends the change that `make` creates for its number. Waiting readers learn of it with the next [`Self::wake`].
    pub(crate) fn push(&self, make: impl FnOnce(u64) -> T) {
        self.push_about(None, make);
    }

    /// Like [`Self::push`], for a change that concerns readers of this board only.
    pub(crate) fn push_about(&self, board: Option<&str>, make: impl FnOnce(u64) -> T) {
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        ring.touched |= board.map_or(u64::MAX, |board| 1 << group_of(board));
        ring.newest += 1;
        let change = make(ring.newest);
        if ring.changes.len() == self.capacity {
            ring.changes.pop_front();
        }
        ring.changes.push_back(change);
    }

    /// Wakes waiting readers if there are new changes, and returns their number.
    pub(crate) fn wake(&self) -> u64 {
        let (newest, touched) = {
            let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
            (ring.newest, std::mem::take(&mut ring.touched))
        };
        for (no, group) in self.groups.iter().enumerate() {
            if touched >> no & 1 == 1 {
                group.send_replace(newest);
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

    /// Subscribes from just after `after`, or from the newest change.
    pub(crate) fn subscribe(self: &Arc<Self>, after: Option<(u64, u64)>) -> Subscription<T> {
        let (seen, resync) = match after {
            None => (self.newest(), false),
            Some((epoch, seq)) if epoch == self.epoch => (seq, false),
            Some(_) => (0, true),
        };
        Subscription {
            announced: self.announced.subscribe(),
            again: None,
            feed: self.clone(),
            seen,
            taken: VecDeque::new(),
            resync,
        }
    }

    /// Like [`Self::subscribe`], for a reader of one board: changes of others come late, by up to a second.
    pub(crate) fn subscribe_to(
        self: &Arc<Self>,
        board: Option<&str>,
        after: Option<(u64, u64)>,
    ) -> Subscription<T> {
        let all = self.subscribe(after);
        match board {
            None => all,
            Some(board) => Subscription {
                announced: self.groups[group_of(board)].subscribe(),
                again: Some(LOOK_AGAIN),
                ..all
            },
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Ring<T>> {
        // Readers do not write, so a panic of one leaves no partial write.
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Ring<T> {
    /// Returns the changes after `seq`, at most `limit` of them, oldest first. Returns `None` if some of them have left the ring or `seq`
    /// was never assigned.
    fn after(&self, seq: u64, limit: usize) -> Option<Vec<T>> {
        let missed = usize::try_from(self.newest.checked_sub(seq)?).ok()?;
        let start = self.changes.len().checked_sub(missed)?;
        Some(self.changes.range(start..).take(limit).cloned().collect())
    }
}

/// A message to a reader of a feed.
#[derive(Clone, Debug)]
pub enum Message<T> {
    /// The next change.
    Change {
        /// Its position in this epoch, from 1, without gaps.
        seq: u64,
        /// The change.
        change: T,
    },
    /// Changes are missing: take a new snapshot. The following messages continue after `seq`.
    Resync {
        /// The newest change at this instant.
        seq: u64,
    },
}

/// A reader's position in a feed: yields every change after its starting point, in order, or reports that some are missing.
pub struct Subscription<T> {
    feed: Arc<Feed<T>>,
    announced: watch::Receiver<u64>,
    /// The longest wait for a reader of a group.
    again: Option<Duration>,
    /// The last change that was returned.
    seen: u64,
    taken: VecDeque<T>,
    resync: bool,
}

impl<T: Clone> Subscription<T> {
    /// Returns the last returned change, after which a later reader may resume.
    pub fn position(&self) -> u64 {
        self.seen
    }

    /// Waits for the next message. Cancel safe. Returns `None` only when the feed has ended.
    pub async fn next(&mut self) -> Option<Message<T>> {
        loop {
            if self.resync {
                self.resync = false;
                self.taken.clear();
                self.seen = self.feed.newest();
                return Some(Message::Resync { seq: self.seen });
            }
            if let Some(change) = self.taken.pop_front() {
                self.seen += 1;
                let seq = self.seen;
                return Some(Message::Change { seq, change });
            }
            self.announced.mark_unchanged();
            match self.feed.read().after(self.seen, BATCH) {
                Some(changes) => self.taken.extend(changes),
                None => self.resync = true,
            }
            if self.taken.is_empty() && !self.resync {
                let changed = self.announced.changed();
                match self.again {
                    None => changed.await.ok()?,
                    // A look in vain does no harm.
                    Some(again) => tokio::time::timeout(again, changed)
                        .await
                        .unwrap_or(Ok(()))
                        .ok()?,
                }
            }
        }
    }
}

impl<T: Clone + Send + Sync> Subscription<T> {
    /// Converts the subscription to a stream.
    pub fn into_stream(self) -> impl Stream<Item = Message<T>> + Send {
        futures::stream::unfold(self, |mut subscription| async {
            let message = subscription.next().await?;
            Some((message, subscription))
        })
    }
}
