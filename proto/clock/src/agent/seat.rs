//! The agent's board: its clock, its labels, and the orders taken. Owns the effect of a chain event on the clock, live and during recovery. Never
//! sends or writes, and never decides the instant of an event.

use proto::wire::{Labels, event_body, order};
use sha2::{Digest, Sha256};
use timing::{Board, BoardClock, ClockStep, Command, Effects, Fact, Instant, Snapshot};

use super::facts;
use super::shared::{self, ServedSide};
use crate::tracing;

/// The first eight bytes of the SHA-256 hash of a board's snapshot. The agent compares its digest with the hub's at each acknowledgement.
pub type ClockDigest = [u8; 8];

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seat {
    pub(crate) clock: Option<BoardClock>,
    /// The side served here, if the other side's clock is elsewhere.
    pub(crate) ours: Option<ServedSide>,
    pub(crate) labels: Labels,
    pub(crate) orders_taken: u64,
    pub(crate) corrected_us: i64,
}

impl Seat {
    /// Applies an event of the chain. For an `OrderTaken` event, `ordered` is the content of the order; `None` if it is no longer known. A refusal
    /// is only logged.
    pub(crate) fn apply(
        &mut self,
        at: Instant<Board>,
        fact: &event_body::Fact,
        ordered: Option<&order::What>,
    ) {
        match fact {
            event_body::Fact::Press(_) | event_body::Fact::Stop(_) => match facts::of_wire(fact) {
                // On a clock that serves one side, the other side's button has no effect.
                Some(fact) if self.counts(fact) => self.step(&ClockStep::fact(at, fact)),
                Some(_) => self.step(&ClockStep::TimePassed(at)),
                None => (),
            },
            event_body::Fact::Rebase(_) => self.step(&ClockStep::TimePassed(at)),
            event_body::Fact::Correction(correction) => {
                self.corrected_us = self.corrected_us.max(correction.made_us);
                self.command(at, None, &correction.command);
            }
            // The scripted press of a clock test does not affect the clock.
            event_body::Fact::ZeroTested(_) => (),
            event_body::Fact::OrderTaken(taken) => {
                self.orders_taken = self.orders_taken.max(taken.order);
                self.order(at, taken.order, ordered);
            }
        }
    }

    fn order(&mut self, at: Instant<Board>, number: u64, what: Option<&order::What>) {
        match what {
            Some(order::What::Command(text)) => self.command(at, Some(number), text),
            Some(order::What::Adopt(adopt)) if adopt.board.is_empty() => {
                self.labels = Labels::default();
                self.clock = None;
                self.ours = None;
            }
            Some(order::What::Adopt(adopt)) => {
                self.labels.board.clone_from(&adopt.board);
                self.ours = None;
                self.adopt(at, number, &adopt.snapshot);
            }
            Some(order::What::ServeSide(serve)) => {
                self.labels.board.clone_from(&serve.board);
                self.ours = shared::side(serve.side()).map(|side| ServedSide {
                    side,
                    other_heard: false,
                });
                self.adopt(at, number, &serve.snapshot);
            }
            None => tracing::warn!(number, "order skipped: its content is unknown"),
        }
    }

    fn counts(&self, fact: Fact) -> bool {
        match (fact, &self.ours, &self.clock) {
            (Fact::Pressed(button), Some(ours), Some(clock)) => clock.side_of(button) == ours.side,
            (Fact::Pressed(_) | Fact::Stopped, _, _) => true,
        }
    }

    /// Returns the next instant at which the clock changes without a press, if any; always `None` while the running clock is elsewhere.
    pub(crate) fn next_deadline(&self) -> Option<Instant<Board>> {
        let clock = self.clock.as_ref()?;
        let elsewhere = self
            .ours
            .as_ref()
            .is_some_and(|ours| clock.running() == Some(ours.side.other()));
        if elsewhere {
            None
        } else {
            clock.next_deadline()
        }
    }

    /// Moves the clock forward to `to` if a change is due by then. Returns true if a change was due.
    pub(crate) fn pass_time(&mut self, to: Instant<Board>) -> bool {
        let due = self.next_deadline().is_some_and(|deadline| deadline <= to);
        match &mut self.clock {
            Some(clock) if due => {
                log_effects(&clock.pass_time(to));
                true
            }
            Some(_) | None => false,
        }
    }

    pub(crate) fn digest(&self) -> Option<ClockDigest> {
        // The hub keeps the time of a board with two clocks, so there is nothing to compare.
        if self.ours.is_some() {
            return None;
        }
        let bytes = self.clock.as_ref()?.to_bytes();
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        hash.first_chunk().copied()
    }

    /// Applies a press, a stop or the passing of time, which are never refused.
    fn step(&mut self, step: &ClockStep) {
        if let Some(Ok(effects)) = self.clock.as_mut().map(|clock| clock.apply(step)) {
            log_effects(&effects);
        }
    }

    fn command(&mut self, at: Instant<Board>, number: Option<u64>, text: &str) {
        let Some(clock) = &mut self.clock else {
            tracing::warn!(number, text, "command skipped: this clock serves no board");
            return;
        };
        let step = match text.parse::<Command>() {
            Ok(command) => ClockStep::command(at, command),
            Err(error) => {
                tracing::error!(
                    number, text, %error,
                    "unknown command from the hub: the clocks will differ until the hub sends its state"
                );
                ClockStep::TimePassed(at)
            }
        };
        match clock.apply(&step) {
            Ok(effects) => log_effects(&effects),
            Err(rejection) => tracing::info!(number, text, %rejection, "order refused"),
        }
    }

    fn adopt(&mut self, at: Instant<Board>, number: u64, snapshot: &[u8]) {
        match restored(snapshot, Some(at)) {
            Ok(clock) => self.clock = Some(clock),
            Err(error) => tracing::error!(number, %error, "cannot adopt the hub's board"),
        }
    }
}

pub(crate) fn restored(
    snapshot: &[u8],
    at: Option<Instant<Board>>,
) -> Result<BoardClock, timing::SnapshotError> {
    let snapshot = Snapshot::from_bytes(snapshot)?;
    match at {
        Some(at) => BoardClock::from_snapshot(&snapshot.moved_to(at)),
        None => BoardClock::from_snapshot(&snapshot),
    }
}

fn log_effects(effects: &Effects) {
    for effect in effects.iter() {
        tracing::debug!(?effect, "clock");
    }
}
