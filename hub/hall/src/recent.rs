//! Bounded queues of the newest items.

use std::collections::VecDeque;

pub(crate) fn push_recent<T>(queue: &mut VecDeque<T>, most: usize, item: T) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(item);
}
