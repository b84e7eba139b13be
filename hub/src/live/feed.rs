//! A feed: numbered changes, the newest of them kept, and its readers' positions. Owns numbers and waiting; never inspects a change.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use futures::Stream;
use tokio::sync::watch;

/// Changes taken from the ring at a time, so that a reader far behind does not hold the lock for long.
const BATCH: usize = 64;

pub(crate) struct Feed<T> {
    epoch: u64,
    capacity: usize,
    ring: RwLock<Ring<T>>,
    /// The newest number that has woken waiting readers.
    announced: watch::Sender<u64>,
}

struct Ring<T> {
    /// The changes numbered `newest - changes.len() + 1 ..= newest`.
    changes: VecDeque<T>,
    newest: u64,
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
            }),
            announced: watch::Sender::new(newest),
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
        let mut ring = self.ring.write().unwrap_or_else(PoisonError::into_inner);
        ring.newest += 1;
        let change = make(ring.newest);
        if ring.changes.len() == self.capacity {
            ring.changes.pop_front();
        }
        ring.changes.push_back(change);
    }

    /// Wakes waiting readers if there are new changes, and returns their number.
    pub(crate) fn wake(&self) -> u64 {
        let newest = self.newest();
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
            feed: self.clone(),
            seen,
            taken: VecDeque::new(),
            resync,
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
                self.announced.changed().await.ok()?;
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
