//! Corrections that an arbiter makes at this clock, by a PIN (FIDE 6.10.2): who may, how long somebody who guesses has to wait,
//! and the events of the chain that come of them. Owns these; never reads a PIN and never makes a key from one, which takes
//! too long for a task that carries presses.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use ed25519_dalek::SigningKey;
use proto::pin::{self, Made, PinKey};
use proto::wire::{Arbiters, Correction, event_body};
use timing::{Board, BoardClock, Command, Duration, Instant};

use super::entry::{Kind, Need, PinTries};
use super::events::{Awaited, Waiting};
use super::{AgentCore, Output};
use crate::tracing;

/// Wrong PINs that cost no waiting: fingers slip.
const FREE_TRIES: u32 = 3;
/// How long the next try has to wait after the last free one; twice as long after each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);
/// At most: ten thousand PINs then take a hundred days.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// Who may correct this clock, and who tried to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins {
    pub(super) arbiters: Arbiters,
    pub(super) tries: PinTries,
}

impl Pins {
    /// What a hub has said, before anybody has tried.
    pub fn new(arbiters: Arbiters) -> Self {
        Self {
            arbiters,
            tries: PinTries::default(),
        }
    }

    /// A PIN was tried at `at`: a right one ends the waiting, a wrong one lengthens it.
    pub fn tried(&mut self, right: bool, at: Instant<Board>) {
        self.tries.wrong = if right {
            0
        } else {
            self.tries.wrong.saturating_add(1)
        };
        self.tries.at_us = at.as_micros();
    }

    /// Whether anybody may correct at this clock.
    pub fn any(&self) -> bool {
        !self.arbiters.arbiters.is_empty()
    }

    /// What makes a key of a PIN.
    pub fn salt(&self) -> &[u8] {
        &self.arbiters.salt
    }

    /// The arbiter whose PIN makes this key.
    pub fn arbiter(&self, key: &PinKey) -> Option<&str> {
        let of_key = |arbiter: &&proto::wire::Arbiter| arbiter.key == key;
        let arbiter = self.arbiters.arbiters.iter().find(of_key)?;
        Some(&arbiter.name)
    }

    /// When the next PIN may be tried; `None`: now.
    pub fn locked_until(&self, now: Instant<Board>) -> Option<Instant<Board>> {
        let over = self.tries.wrong.checked_sub(FREE_TRIES)?;
        let wait = FIRST_WAIT.as_micros() << over.min(16);
        let wait = Duration::from_micros(wait).min(LONGEST_WAIT);
        let until = Instant::from_micros(self.tries.at_us) + wait;
        (until > now).then_some(until)
    }
}

/// What an arbiter who has shown the PIN wants done, in this order.
#[derive(Clone, Debug)]
pub struct Correcting {
    /// The name that goes with the key.
    pub arbiter: String,
    /// Made from the PIN.
    pub key: Box<SigningKey>,
    /// Set, add, moves, pause, resume.
    pub commands: Vec<Command>,
}

impl AgentCore {
    /// The clock, if it is one that is corrected here: a board with a clock for each side is corrected at the hub.
    pub fn correctable(&self) -> Option<&BoardClock> {
        self.seat
            .clock
            .as_ref()
            .filter(|_| self.seat.ours.is_none())
    }

    /// Who may correct this clock.
    pub fn pins(&self) -> &Pins {
        &self.pins
    }

    pub(super) fn on_arbiters(&mut self, arbiters: Arbiters, out: &mut Vec<Output>) {
        if arbiters != self.pins.arbiters {
            self.pins.arbiters = arbiters.clone();
            self.persist(vec![Kind::Arbiters(arbiters).into()], Need::Lazy, out);
            out.push(Output::FaceChanged);
        }
    }

    /// A PIN was tried. Written down at once: a restart gives no new tries.
    pub(super) fn on_pin_tried(&mut self, right: bool, out: &mut Vec<Output>) {
        if right && self.pins.tries.wrong == 0 {
            return;
        }
        self.pins.tried(right, self.now);
        let tries = &self.pins.tries;
        if !right {
            tracing::warn!(wrong = tries.wrong, "a wrong PIN was tried at this clock");
        }
        let entry = Kind::Pins(tries.clone()).into();
        self.persist(vec![entry], Need::Synced, out);
        self.pulse.health_changed();
        out.push(Output::FaceChanged);
    }

    /// An arbiter corrects. Like an order it waits for presses that may still be in the pipeline of the buttons.
    pub(super) fn on_correcting(&mut self, at: Instant<Board>, correcting: Correcting) {
        let key = pin::public(&correcting.key);
        if self.pins.arbiter(&key) == Some(correcting.arbiter.as_str()) {
            self.waiting.push_back(Waiting {
                at,
                what: Awaited::Correction(correcting),
            });
        } else {
            tracing::warn!("a correction by somebody who may not correct any more: not taken");
        }
    }

    pub(super) fn take_correction(
        &mut self,
        at: Instant<Board>,
        correcting: Correcting,
        out: &mut Vec<Output>,
    ) {
        if self.correctable().is_none() {
            tracing::error!("no board that is corrected here: not taken");
            return;
        }
        for command in &correcting.commands {
            let board = self.seat.labels.board.clone();
            if board.is_empty() || self.chain.queue.len() >= self.bounds.kept {
                tracing::error!(%command, "no board, or no room for a correction: not taken");
                return;
            }
            let at = self.stamp(at);
            let made_us = self.seat.corrected_us.saturating_add(1).max(at.as_micros());
            let text = command.to_string();
            let made = Made {
                agent: &self.agent(),
                made_us,
                board: &board,
                command: &text,
            };
            let correction = Correction {
                proof: made.proof(&correcting.key),
                command: text,
                arbiter: correcting.arbiter.clone(),
                made_us,
                hub_away: !self.connected(),
            };
            tracing::info!(arbiter = correction.arbiter, %command, "corrected at this clock");
            self.chain_correction(at, correction, out);
        }
    }

    /// Gives a correction its place in the chain.
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
