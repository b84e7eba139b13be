//! Bounded queues of the newest items.

use std::collections::VecDeque;

/// Adds an item to a queue. If the queue already has `most` items, drops the oldest.
pub(crate) fn push_recent<T>(queue: &mut VecDeque<T>, most: usize, item: T) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(item);
}
