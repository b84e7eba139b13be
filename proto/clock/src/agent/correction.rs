//! Corrections made with an arbiter's PIN at this clock (FIDE 6.10.2): permitted arbiters, delays against guessing, and the resulting events. Never
//! derives a key from a PIN, because that takes too long for a task that handles presses.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use ed25519_dalek::SigningKey;
use proto::pin::{self, CorrectionClaim, PinKey};
use proto::wire::{Arbiters, Correction, event_body};
use timing::{Board, BoardClock, Command, Duration, Instant};

use super::entry::{Kind, PinAttempts, WriteMode};
use super::events::{Awaited, Waiting};
use super::{AgentCore, Output};
use crate::tracing;

/// Number of wrong PINs after which the first delay starts. Earlier mistakes cost nothing, because fingers slip.
const FREE_ATTEMPTS: u32 = 3;
/// Length of the first delay. Each further wrong PIN doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(30);
/// Maximum delay. At this rate, ten thousand PINs take a hundred days.
const MAX_WAIT: Duration = Duration::from_secs(15 * 60);

/// The arbiters permitted to correct this clock, and the PIN attempts so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins {
    pub(super) arbiters: Arbiters,
    pub(super) attempts: PinAttempts,
}

impl Pins {
    /// Permits the given arbiters, from the hub's list. Starts with no PIN attempts.
    pub fn new(arbiters: Arbiters) -> Self {
        Self {
            arbiters,
            attempts: PinAttempts::default(),
        }
    }

    /// Records an attempt at `at`. Counts the wrong PINs since the last correct one, which determine the delay.
    pub fn attempted(&mut self, correct: bool, at: Instant<Board>) {
        self.attempts.wrong = if correct {
            0
        } else {
            self.attempts.wrong.saturating_add(1)
        };
        self.attempts.at_us = at.as_micros();
    }

    /// Returns true if at least one arbiter is permitted to correct this clock.
    pub fn any(&self) -> bool {
        !self.arbiters.arbiters.is_empty()
    }

    /// Returns the salt for deriving keys from PINs.
    pub fn salt(&self) -> &[u8] {
        &self.arbiters.salt
    }

    /// Returns the name of the permitted arbiter with this key, if any.
    pub fn arbiter(&self, key: &PinKey) -> Option<&str> {
        let of_key = |arbiter: &&proto::wire::Arbiter| arbiter.key == key;
        let arbiter = self.arbiters.arbiters.iter().find(of_key)?;
        Some(&arbiter.name)
    }

    /// Returns the instant until which no PIN may be entered; `None` if there is no delay.
    pub fn locked_until(&self, now: Instant<Board>) -> Option<Instant<Board>> {
        let over = self.attempts.wrong.checked_sub(FREE_ATTEMPTS)?;
        let wait = FIRST_WAIT.as_micros() << over.min(16);
        let wait = Duration::from_micros(wait).min(MAX_WAIT);
        let until = Instant::from_micros(self.attempts.at_us) + wait;
        (until > now).then_some(until)
    }
}

/// A correction by an arbiter who has entered a correct PIN.
#[derive(Clone, Debug)]
pub struct CorrectionRequest {
    /// Name of the arbiter to whom `key` belongs.
    pub arbiter: String,
    /// The key derived from the PIN.
    pub key: Box<SigningKey>,
    /// The commands to carry out, in order.
    pub commands: Vec<Command>,
}

impl AgentCore {
    /// Returns the board's clock if it can be corrected here. `None` without a board, or if each side has its own clock: such a board is
    /// corrected at the hub.
    pub fn correctable(&self) -> Option<&BoardClock> {
        self.seat
            .clock
            .as_ref()
            .filter(|_| self.seat.ours.is_none())
    }

    /// Returns the permitted arbiters and the PIN attempts so far.
    pub fn pins(&self) -> &Pins {
        &self.pins
    }

    pub(super) fn on_arbiters(&mut self, arbiters: Arbiters, out: &mut Vec<Output>) {
        if arbiters != self.pins.arbiters {
            self.pins.arbiters = arbiters.clone();
            self.persist(vec![Kind::Arbiters(arbiters).into()], WriteMode::Lazy, out);
            out.push(Output::FaceChanged);
        }
    }

    /// Records a PIN attempt immediately, so that a restart does not allow extra attempts.
    pub(super) fn on_pin_attempt(&mut self, correct: bool, out: &mut Vec<Output>) {
        if correct && self.pins.attempts.wrong == 0 {
            return;
        }
        self.pins.attempted(correct, self.now);
        let attempts = &self.pins.attempts;
        if !correct {
            tracing::warn!(wrong = attempts.wrong, "wrong PIN");
        }
        let entry = Kind::Pins(attempts.clone()).into();
        self.persist(vec![entry], WriteMode::Synced, out);
        self.pulse.health_changed();
        out.push(Output::FaceChanged);
    }

    /// Queues a correction if its arbiter is still permitted. Like an order, it waits for earlier presses.
    pub(super) fn on_correction(&mut self, at: Instant<Board>, request: CorrectionRequest) {
        let key = pin::public(&request.key);
        if self.pins.arbiter(&key) == Some(request.arbiter.as_str()) {
            self.waiting.push_back(Waiting {
                at,
                what: Awaited::Correction(request),
            });
        } else {
            tracing::warn!("correction ignored: the arbiter is no longer permitted");
        }
    }

    pub(super) fn take_correction(
        &mut self,
        at: Instant<Board>,
        request: CorrectionRequest,
        out: &mut Vec<Output>,
    ) {
        if self.correctable().is_none() {
            tracing::error!(
                "correction ignored: this clock has no board, or its board is corrected at the hub"
            );
            return;
        }
        for command in &request.commands {
            let board = self.seat.labels.board.clone();
            if board.is_empty() || self.chain.queue.len() >= self.bounds.max_events {
                tracing::error!(%command, "correction ignored: no board, or no room in the queue");
                return;
            }
            let at = self.stamp(at);
            let made_us = self.seat.corrected_us.saturating_add(1).max(at.as_micros());
            let text = command.to_string();
            let made = CorrectionClaim {
                agent: &self.agent(),
                made_us,
                board: &board,
                command: &text,
            };
            let correction = Correction {
                proof: made.proof(&request.key),
                command: text,
                arbiter: request.arbiter.clone(),
                made_us,
                hub_away: !self.connected(),
            };
            tracing::info!(arbiter = correction.arbiter, %command, "corrected at this clock");
            self.chain_correction(at, correction, out);
        }
    }

    pub(super) fn chain_correction(
        &mut self,
        at: Instant<Board>,
        correction: Correction,
        out: &mut Vec<Output>,
    ) {
        let fact = event_body::Fact::Correction(correction);
        self.chain_event(at, fact, None, Vec::new(), out);
    }
}
