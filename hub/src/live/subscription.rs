//! One watcher's place in the feed.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::Stream;
use tokio::sync::watch;

use super::{Delta, LiveFeed};

/// Changes taken from the ring at a time, so that a watcher far behind does not hold the lock for long.
const BATCH: usize = 64;

/// What a watcher gets.
#[derive(Clone, Debug)]
pub enum Message {
    /// The next change.
    Delta(Arc<Delta>),
    /// Changes are missing: take a new snapshot. What follows continues after `seq`.
    Resync {
        /// The newest change at this moment.
        seq: u64,
    },
}

/// A watcher: yields every change after its starting point, in order, or says that some are missing.
pub struct Subscription {
    feed: Arc<LiveFeed>,
    newest: watch::Receiver<u64>,
    /// The last change handed out.
    seen: u64,
    taken: VecDeque<Arc<Delta>>,
    resync: bool,
}

impl Subscription {
    pub(super) fn new(
        feed: Arc<LiveFeed>,
        newest: watch::Receiver<u64>,
        after: Option<(u64, u64)>,
    ) -> Self {
        let (seen, resync) = match after {
            None => (feed.newest(), false),
            Some((epoch, seq)) if epoch == feed.epoch() => (seq, false),
            Some(_) => (0, true),
        };
        Self {
            feed,
            newest,
            seen,
            taken: VecDeque::new(),
            resync,
        }
    }

    /// The last change handed out: where a watcher that leaves now may resume.
    pub fn position(&self) -> u64 {
        self.seen
    }

    /// Waits for the next message. Cancel safe. Returns `None` only when the feed is gone.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            if self.resync {
                self.resync = false;
                self.taken.clear();
                self.seen = self.feed.newest();
                return Some(Message::Resync { seq: self.seen });
            }
            if let Some(delta) = self.taken.pop_front() {
                self.seen = delta.seq;
                return Some(Message::Delta(delta));
            }
            self.newest.mark_unchanged();
            match self.feed.read().after(self.seen, BATCH) {
                Some(deltas) => self.taken.extend(deltas),
                None => self.resync = true,
            }
            if self.taken.is_empty() && !self.resync {
                self.newest.changed().await.ok()?;
            }
        }
    }

    /// The same as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Message> + Send {
        futures::stream::unfold(self, |mut subscription| async {
            let message = subscription.next().await?;
            Some((message, subscription))
        })
    }
}
