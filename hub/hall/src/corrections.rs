//! Corrections that an arbiter makes at a board's own clock with a PIN: the arbiters who may do so, and the messages
//! to clocks and to other arbiters. The fold applies a correction (`fold/correction.rs`).

mod messages;

use proto::pin::PinKey;
use timing::Command;

use super::refusal::Refusal;

/// An arbiter who may correct boards at their clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arbiter {
    pub name: String,
    /// Public key of the key pair that is derived from the arbiter's PIN.
    pub key: PinKey,
}

/// The arbiters who may correct boards at their clocks in this run of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arbiters {
    /// The salt that clocks use to derive a key from a PIN. Never logged.
    pub salt: Vec<u8>,
    pub list: Vec<Arbiter>,
}

/// A correction as the clock's event states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    pub command: Command,
    /// The command's text, which the proof covers byte for byte.
    pub text: String,
    /// The arbiter's name according to the clock. Only a valid proof confirms the name.
    pub arbiter: String,
    /// Board time of the correction, in microseconds.
    pub made_us: i64,
    /// Proof that the arbiter made the correction: a signature with the key that is derived from the PIN.
    pub proof: Vec<u8>,
    /// True if the clock had no link to the hub when the arbiter made the correction.
    pub hub_away: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Corrected {
    Done,
    /// The rules forbid the correction, so both the clock and the hub refuse it.
    Refused(Refusal),
    /// The proof is invalid. The correction is not applied, and the clock adopts the hub's state of the board.
    Unproved(&'static str),
    /// The clock does not keep the board's time, for example because the hub has taken the board over. The correction
    /// is kept for review.
    Late,
}

impl Correction {
    pub(crate) fn words(&self) -> String {
        format!("“{}” by {}, at the clock", self.text, self.arbiter)
    }
}
