//! Players who follow a script, with exactly the script's stamps.

use std::collections::VecDeque;
use std::sync::Arc;

use timing::{Board, Instant};

use super::ScriptedPress;
use super::record::ScriptEnd;
use crate::buttons::ButtonEvent;
use crate::time_source::TimeSource;

pub(super) struct ScriptedPlayers {
    left: VecDeque<ButtonEvent>,
    time: Arc<TimeSource>,
    end: Option<ScriptEnd>,
}

impl ScriptedPlayers {
    pub(super) fn new(
        presses: impl Iterator<Item = ScriptedPress>,
        time: Arc<TimeSource>,
        end: ScriptEnd,
    ) -> Self {
        let left = presses.map(|press| press.event).collect();
        Self {
            left,
            time,
            end: Some(end),
        }
    }

    pub(super) async fn wait(&mut self) {
        match self.left.front() {
            Some(next) => {
                let wait = (next.at - self.time.now()).or_zero();
                let wait = wait.as_micros().unsigned_abs();
                tokio::time::sleep(std::time::Duration::from_micros(wait)).await;
            }
            None => std::future::pending().await,
        }
    }

    /// Returns the presses up to `now`, with the stamps from the script however late the call is, and the instant up to which presses are complete.
    pub(super) fn drain(&mut self, now: Instant<Board>) -> (Vec<ButtonEvent>, Instant<Board>) {
        let mut events = Vec::new();
        while let Some(event) = self.left.pop_front_if(|event| event.at <= now) {
            events.push(event);
        }
        if self.left.is_empty() {
            // Dropping the guard marks the script as finished.
            self.end = None;
        }
        (events, now)
    }
}
