//! Queues of the newest items.

use std::collections::VecDeque;

/// Adds an item to a queue, which drops its oldest one if it has `most` items.
pub(crate) fn push_recent<T>(queue: &mut VecDeque<T>, most: usize, item: T) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(item);
}
