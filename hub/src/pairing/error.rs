//! The reasons why a round was not paired, with the remedy. Owns only the sentences.

use std::io;

use tournament::{BoardNo, Refusal, RoundNo};

/// The reason why there is no pairing. The event is unchanged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PairingError {
    #[error("all {0} rounds are already paired")]
    Over(u16),
    #[error(
        "board {1} of round {0} has no final result yet: a Swiss round needs all previous results"
    )]
    Open(RoundNo, BoardNo),
    #[error("a Swiss is paired one round at a time")]
    NotAllAtOnce,
    #[error(
        "no pairing program is configured: install bbpPairings (or a program with its command line), set pairing_program = \"/path/to/bbpPairings\" in the hub's configuration (or FLAGFALL_PAIRING_PROGRAM) and restart the hub; or pair with another program and import its file"
    )]
    NoProgram,
    #[error(
        "{0} is not a system that the pairing program supports (Dutch, Burstein): import a file with the pairings"
    )]
    System(String),
    /// The first player's colour is drawn by lot, not computed (C.04.1).
    #[error(
        "the first player's colour is not drawn yet: enter it with `flagfall event set --first-colour white` (or black)"
    )]
    FirstColour,
    /// The program is missing or cannot be executed.
    #[error("cannot start the pairing program {program}: {error}")]
    Start { program: String, error: io::Error },
    #[error(
        "the pairing program {program} did not end within {limit} and was stopped{}",
        quoted(output)
    )]
    TooSlow {
        program: String,
        limit: timing::Duration,
        output: String,
    },
    #[error("the pairing program {program} failed: {how}{}", quoted(output))]
    Failed {
        program: String,
        /// Its exit code and the meaning of the code.
        how: String,
        output: String,
    },
    #[error(
        "the answer of the pairing program {program} is not a pairing of round {round}: {fault}"
    )]
    Answer {
        program: String,
        round: RoundNo,
        fault: String,
    },
    #[error("cannot exchange files with the pairing program: {0}")]
    Files(#[from] io::Error),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Formats a program's output as the end of a sentence.
fn quoted(output: &str) -> String {
    match output.trim() {
        "" => String::new(),
        output => format!("; its output: {output}"),
    }
}
