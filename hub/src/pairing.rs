//! The sources of pairings: Berger tables, a Swiss pairing program, and a folder into which a pairing program writes its files.
//!
//! Owns the request for pairings and the proposal to an arbiter. Must never change the event: an accepted proposal
//! becomes an ordinary change with its actor.

mod error;
pub mod folder;
mod memory;
pub mod numbering;
mod output;
mod plain_file;
mod program;
mod teams;

use tournament::formats::difference::{difference, pairing_remarks};
use tournament::formats::draft::Draft;
use tournament::formats::remark::Remark;
use tournament::{
    Actor, BoardNo, Change, Contest, Renumbering, Round, RoundNo, System, Tournament,
};

pub use error::{PairingError, ProgramEnd};
pub use folder::{Folder, News, Verdict};
pub use output::read as read_answer;
pub use program::Program;

#[derive(Debug, Default)]
pub struct PairingDesk {
    pub program: Option<Program>,
    pub folder: Option<std::sync::Arc<Folder>>,
}

/// A proposed pairing of one or several rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The author: `Berger's table`, or the program's name.
    pub by: String,
    /// Description of the new pairing numbers, if any, and of the rounds.
    pub words: String,
    pub remarks: Vec<Remark>,
    /// The changes to make: new pairing numbers, if any, and then the rounds.
    pub changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundsToPair {
    /// The round after the last paired one.
    Next,
    /// All remaining rounds, which are known in advance only in a round robin.
    AllRemaining,
}

/// The pairing numbers for the first round of a Swiss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Numbers by FIDE's initial order (C.04.2).
    ByRank,
    /// The players' current numbers.
    Unchanged,
}

impl PairingDesk {
    /// Proposes pairings for the requested rounds. Does not change the event.
    ///
    /// # Errors
    /// Returns the reason, worded for the arbiter, why there is no pairing.
    pub async fn propose(
        &self,
        tournament: &Tournament,
        wanted: RoundsToPair,
        numbers: Numbers,
    ) -> Result<Proposal, PairingError> {
        let first = next_round(tournament)?;
        let teams = matches!(tournament.event().contest, Contest::Teams { .. });
        let entered = match teams {
            true => tournament.teams().len(),
            false => tournament.players().len(),
        };
        if entered < 2 {
            return Err(PairingError::TooFew { entered, teams });
        }
        let mut remarks = Vec::new();
        let (by, renumber, changes) = match tournament.event().system {
            System::RoundRobin { .. } => {
                let last = match wanted {
                    RoundsToPair::Next => first,
                    RoundsToPair::AllRemaining => RoundNo(tournament.event().rounds),
                };
                let rounds = (first.0..=last.0).map(RoundNo);
                let changes: Result<Vec<_>, _> =
                    rounds.map(|round| tournament.berger_round(round)).collect();
                (BERGER.to_owned(), None, changes?)
            }
            System::Swiss => {
                if wanted == RoundsToPair::AllRemaining {
                    return Err(PairingError::NotAllAtOnce);
                }
                let program = self.program.as_ref().ok_or(PairingError::NoProgram)?;
                let better = numbering::better(tournament);
                let renumber = better.filter(|_| first.0 == 1 && numbers == Numbers::ByRank);
                if renumber.is_none() {
                    remarks.extend(numbering::remark(tournament).map(Remark::from));
                }
                let numbered = numbering::with(tournament, renumber.as_ref())?;
                let pairings = program.pair(&numbered, first).await?;
                let change = Change::PairRound(first, Box::new(pairings));
                (program.name(), renumber, vec![change])
            }
        };
        proposal(tournament, by, renumber, changes, remarks)
    }
}

fn proposal(
    tournament: &Tournament,
    by: String,
    renumber: Option<Renumbering>,
    changes: Vec<Change>,
    mut remarks: Vec<Remark>,
) -> Result<Proposal, PairingError> {
    let actor = Actor::program(&by);
    let numbered = numbering::with(tournament, renumber.as_ref())?;
    let known = Draft::of(&numbered);
    let mut after = numbered;
    for change in &changes {
        if let Change::PairRound(round, pairings) = change {
            remarks.extend(pairing_remarks(&known, &known, *round, pairings));
        }
        after.apply(&actor, change.clone())?;
    }
    let found = difference(&known, &Draft::of(&after), &by);
    let numbers = renumber
        .as_ref()
        .map(|new| numbering::words(tournament, new));
    let words: Vec<String> = numbers.into_iter().chain([found.words()]).collect();
    let renumber = renumber.map(|new| Change::Renumber(Box::new(new)));
    Ok(Proposal {
        by,
        words: words.join("\n"),
        remarks,
        changes: renumber.into_iter().chain(changes).collect(),
    })
}

const BERGER: &str = "Berger's table";

fn next_round(tournament: &Tournament) -> Result<RoundNo, PairingError> {
    let event = tournament.event();
    let next = tournament.last_round().map_or(RoundNo(1), RoundNo::next);
    if next.0 > event.rounds {
        return Err(PairingError::Over(event.rounds));
    }
    if event.system == System::Swiss {
        let open = tournament
            .rounds()
            .iter()
            .find_map(|(no, round)| Some((*no, open_board(round)?)));
        if let Some((round, board)) = open {
            return Err(PairingError::Open(round, board));
        }
    }
    Ok(next)
}

/// Returns the round's first board without a final result.
fn open_board(round: &Round) -> Option<BoardNo> {
    let mut boards = round.boards.iter();
    let open = boards.find(|(_, board)| !board.result.is_some_and(|result| result.is_final()));
    open.map(|(no, _)| *no)
}

#[cfg(test)]
mod tests;
