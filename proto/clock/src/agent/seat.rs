//! The board as this agent has it: its clock, its labels, the orders it has taken. Owns how an event of the chain changes
//! the clock, live and when a journal is read again; never sends, never writes, never decides when something happened.

use proto::wire::{Correction, Labels, order};
use sha2::{Digest, Sha256};
use timing::{Board, BoardClock, Button, Command, Effects, Fact, Instant, Snapshot};

use super::shared::{self, ServedSide};
use crate::tracing;

/// First bytes of SHA-256 over a board's snapshot: agent and hub compare it after an event.
pub type ClockDigest = [u8; 8];

/// A board and its clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seat {
    pub(crate) clock: Option<BoardClock>,
    /// Which side is ours, where the other has a clock elsewhere.
    pub(crate) ours: Option<ServedSide>,
    pub(crate) labels: Labels,
    pub(crate) orders_taken: u64,
    /// When the newest correction was made, microseconds of board time.
    pub(crate) corrected_us: i64,
}

/// What an event of the chain does to a board's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed<'a> {
    Pressed(Button),
    Stopped,
    Rebased,
    /// By an arbiter, at this clock.
    Corrected(&'a Correction),
    /// A scripted press: the clock does not notice.
    ZeroTested,
    /// Order of this number; `None` when what it asked is not known any more.
    Order(u64, Option<&'a order::What>),
}

impl Seat {
    /// Carries out `deed` at `at`. Whether it could be is logged and shows in the digest; it never fails.
    pub(crate) fn apply(&mut self, at: Instant<Board>, deed: Deed<'_>) {
        match deed {
            // The other button of a clock that serves one side means nothing.
            Deed::Pressed(button) if !self.counts(button) => self.settle(at, Fact::TimePassed),
            Deed::Pressed(button) => self.settle(at, Fact::Pressed(button)),
            Deed::Stopped => self.settle(at, Fact::Stopped),
            Deed::Rebased => self.settle(at, Fact::TimePassed),
            Deed::Corrected(correction) => {
                self.corrected_us = self.corrected_us.max(correction.made_us);
                self.command(at, None, &correction.command);
            }
            Deed::ZeroTested => (),
            Deed::Order(number, what) => {
                self.orders_taken = self.orders_taken.max(number);
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
                    None => tracing::warn!(number, "an order whose content is not known: skipped"),
                }
            }
        }
    }

    fn counts(&self, button: Button) -> bool {
        match (&self.ours, &self.clock) {
            (Some(ours), Some(clock)) => clock.side_of(button) == ours.side,
            (None, _) | (_, None) => true,
        }
    }

    /// When something changes here without a press: never on behalf of a side whose clock is elsewhere.
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

    /// Lets time pass up to `to`, if something falls due until then; says whether it did.
    pub(crate) fn pass_time(&mut self, to: Instant<Board>) -> bool {
        let due = self.next_deadline().is_some_and(|deadline| deadline <= to);
        match &mut self.clock {
            Some(clock) if due => {
                log_effects(&clock.on_fact(to, Fact::TimePassed));
                true
            }
            Some(_) | None => false,
        }
    }

    /// The digest of the clock as it stands.
    pub(crate) fn digest(&self) -> Option<ClockDigest> {
        // The hub keeps the time of a board with two clocks: nothing to compare.
        if self.ours.is_some() {
            return None;
        }
        let bytes = self.clock.as_ref()?.snapshot().to_bytes();
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        hash.first_chunk().copied()
    }

    fn settle(&mut self, at: Instant<Board>, fact: Fact) {
        if let Some(clock) = &mut self.clock {
            log_effects(&clock.on_fact(at, fact));
        }
    }

    /// `number` is the order's, if it is one.
    fn command(&mut self, at: Instant<Board>, number: Option<u64>, text: &str) {
        let Some(clock) = &mut self.clock else {
            tracing::warn!(number, text, "an order, but this clock serves no board");
            return;
        };
        match text.parse::<Command>() {
            Ok(command) => match clock.on_command(at, &command) {
                Ok(effects) => return log_effects(&effects),
                Err(rejection) => {
                    tracing::info!(number, text, %rejection, "order refused");
                    // Agent and hub let time pass after a refusal, so that both stand alike whoever had settled before.
                    log_effects(&clock.on_fact(at, Fact::TimePassed));
                }
            },
            Err(error) => tracing::error!(
                number, text, %error,
                "this program does not know the hub's order: the clocks will differ until the hub sends its own"
            ),
        }
        // A refusal leaves the clock as it was; time is settled all the same, at the hub as here.
        self.settle(at, Fact::TimePassed);
    }

    fn adopt(&mut self, at: Instant<Board>, number: u64, snapshot: &[u8]) {
        match restored(snapshot, Some(at)) {
            Ok(clock) => self.clock = Some(clock),
            Err(error) => tracing::error!(number, %error, "cannot adopt the hub's board"),
        }
    }
}

/// The clock in `snapshot`, moved to `at` where one is given.
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
