//! The reasons why a round was not paired, with the remedy. Owns only the sentences.

use std::io;

use tournament::{BoardNo, Refusal, RoundNo};

/// The reason why there is no pairing. The event is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    #[error(
        "every round is paired: the event has {0}; `flagfall event set --rounds NUMBER` changes that"
    )]
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
    #[error(
        "no one takes part in round {0}: every player has a bye, has withdrawn or has not joined yet; change a bye with \
         `flagfall event bye NUMBER {0} none`"
    )]
    NoPlayers(RoundNo),
    #[error(
        "a round needs at least two {}, and the event has {}: enter them with `flagfall event {}`",
        if *teams { "teams" } else { "players" },
        if *entered == 0 { "none" } else { "only one" },
        if *teams { "team` and `flagfall event enter" } else { "enter" }
    )]
    TooFew { entered: usize, teams: bool },
    /// The first player's colour is drawn by lot, not computed (C.04.1).
    #[error(
        "the first player's colour is not drawn yet: enter it with `flagfall event set --first-colour white` (or black)"
    )]
    FirstColour,
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
    #[error("the pairing program {program} failed: {end}{}", quoted(output))]
    Failed {
        program: String,
        end: ProgramEnd,
        /// The beginning of the program's error output.
        output: String,
    },
    #[error("the pairing program {program} returned an invalid pairing for round {round}: {fault}")]
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

/// The end of a pairing program that produced no pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramEnd {
    #[error("it ended with code {code}{}", meaning(*code))]
    Code {
        /// The exit code, never zero.
        code: i32,
    },
    #[error("it was ended by signal {0}")]
    Signal(i32),
    #[error("it ended without an error but wrote no answer")]
    NoAnswer,
}

/// Returns the meaning of an exit code of bbpPairings, as the end of a sentence.
fn meaning(code: i32) -> &'static str {
    match code {
        1 => " (no valid pairing exists)",
        2 => " (an error of the program itself)",
        3 => " (the request was not understood)",
        4 => " (the event is too large for it)",
        5 => " (a file could not be read or written)",
        _ => "",
    }
}

/// Formats a program's output as the end of a sentence.
fn quoted(output: &str) -> String {
    match output.trim() {
        "" => String::new(),
        output => format!("; its output: {output}"),
    }
}
