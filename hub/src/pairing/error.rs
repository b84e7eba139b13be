//! Why a round was not paired, in words that say what to do. Owns the sentences alone.

use std::io;

use tournament::{BoardNo, Refusal, RoundNo};

/// Why there is no pairing. The event is as it was.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// Every round is paired.
    #[error("all {0} rounds are paired")]
    Over(u16),
    /// A Swiss round rests on the results of all before it.
    #[error(
        "board {1} of round {0} has no final result yet: a Swiss round is paired from all results before it"
    )]
    Open(RoundNo, BoardNo),
    /// Only the table of a round robin is known in advance.
    #[error("a Swiss is paired round by round")]
    NotAllAtOnce,
    /// Nothing is configured.
    #[error(
        "no pairing program is configured: install bbpPairings (or a program with its command line), set pairing_program = \"/path/to/bbpPairings\" in the hub's configuration (or FLAGFALL_PAIRING_PROGRAM) and restart the hub; or pair with another program and import its file"
    )]
    NoProgram,
    /// The program has no option for the event's system.
    #[error(
        "{0} is not one of the systems the pairing program is asked for (Dutch, Burstein): import a file with the pairings"
    )]
    System(String),
    /// The colour of the first player is drawn, not computed (C.04.1).
    #[error(
        "the first player's colour is not drawn yet: say it with `flagfall event set --first-colour white` (or black)"
    )]
    FirstColour,
    /// It is not there, or not to be run.
    #[error("cannot start the pairing program {program}: {error}")]
    Start {
        /// As configured.
        program: String,
        /// The system's words.
        error: io::Error,
    },
    /// It did not end in time and was ended.
    #[error(
        "the pairing program {program} had not ended after {limit} and was stopped{}",
        quoted(said)
    )]
    TooSlow {
        /// As configured.
        program: String,
        /// The configured time.
        limit: timing::Duration,
        /// What it had said.
        said: String,
    },
    /// It ended with a fault.
    #[error("the pairing program {program} failed: {how}{}", quoted(said))]
    Failed {
        /// As configured.
        program: String,
        /// Its exit code, and what it stands for.
        how: String,
        /// What it said.
        said: String,
    },
    /// Its answer is no pairing of this round.
    #[error(
        "the answer of the pairing program {program} is not a pairing of round {round}: {fault}"
    )]
    Answer {
        /// As configured.
        program: String,
        /// The round.
        round: RoundNo,
        /// Where, and what is wrong.
        fault: String,
    },
    /// The files between hub and program cannot be written or read.
    #[error("cannot give the pairing program its files: {0}")]
    Files(#[from] io::Error),
    /// The event does not take it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// What a program said, behind a sentence about it.
fn quoted(said: &str) -> String {
    match said.trim() {
        "" => String::new(),
        said => format!("; it said: {said}"),
    }
}
