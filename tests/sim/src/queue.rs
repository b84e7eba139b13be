//! The queue of planned events, in order. Events for the same instant happen in the order in which they were planned. Knows nothing about the
//! events themselves.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Ns;

#[derive(Debug)]
pub(super) struct Queue<E> {
    heap: BinaryHeap<Planned<E>>,
    planned: u64,
}

#[derive(Debug)]
struct Planned<E> {
    at: Ns,
    order: u64,
    event: E,
}

impl<E> Queue<E> {
    pub(super) fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            planned: 0,
        }
    }

    pub(super) fn push(&mut self, at: Ns, event: E) {
        self.planned += 1;
        self.heap.push(Planned {
            at,
            order: self.planned,
            event,
        });
    }

    /// Takes the next event if it is due by `until`. An event left in the queue keeps its order among events of the same instant.
    pub(super) fn pop_until(&mut self, until: Ns) -> Option<(Ns, E)> {
        if self.heap.peek()?.at > until {
            return None;
        }
        self.heap.pop().map(|planned| (planned.at, planned.event))
    }
}

impl<E> Ord for Planned<E> {
    /// Orders the earliest event as the greatest, because the heap pops the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.order).cmp(&(self.at, self.order))
    }
}

impl<E> PartialOrd for Planned<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Planned<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Planned<E> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_instant_keep_their_order_across_stretches() {
        let mut queue = Queue::new();
        queue.push(7, "first");
        assert_eq!(queue.pop_until(6), None);
        queue.push(7, "second");
        assert_eq!(queue.pop_until(7), Some((7, "first")));
        assert_eq!(queue.pop_until(7), Some((7, "second")));
        assert_eq!(queue.pop_until(7), None);
    }
}
