//! Players who press only when the caller makes them. Owns each board's queue. A press counts at the instant at which the clock takes it from the
//! queue.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use timing::{Board, Fact, Instant};
use tokio::sync::Notify;

use crate::buttons::ButtonEvent;

/// A handle for pressing the buttons of one clock.
#[derive(Clone, Debug, Default)]
pub struct PressHandle(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    facts: Mutex<VecDeque<Fact>>,
    added: Notify,
}

impl PressHandle {
    /// Presses a button, or stops the clocks.
    pub fn press(&self, fact: Fact) {
        let mut facts = self.0.facts.lock().unwrap_or_else(PoisonError::into_inner);
        facts.push_back(fact);
        drop(facts);
        self.0.added.notify_one();
    }

    pub(super) async fn wait(&self) {
        self.0.added.notified().await;
    }

    pub(super) fn drain(&self, now: Instant<Board>) -> Vec<ButtonEvent> {
        let mut facts = self.0.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let made = facts.drain(..);
        made.map(|fact| ButtonEvent { at: now, fact }).collect()
    }
}
