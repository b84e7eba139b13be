//! `flagfall event`: what an event's file says, without a hub: whether it can be read, who stands where, and the same in other formats.
//!
//! Owns reading files from the disk for these commands, and their words. Must never change a file it reads.

mod check;
mod export;
mod standings;

use std::io::Read as _;

use super::output::{Failure, tell};
use crate::formats::draft::{Imported, import_file};
use crate::tournament::{Actor, Tournament};

/// Reads a tournament report.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event check open.trf                          what it holds, or every line that is wrong
  flagfall event standings open.trf                      the table with the event's own tie-breaks
  flagfall event standings open.trf --after 5 --tie-breaks BH/C1,BH,SB
  flagfall event standings open.trf --explain 7          how each number of player 7 comes about
  flagfall event export open.trf --as csv > open.csv

FILE is a TRF16 or TRF26 report, - is standard input. What is wrong in it is named with line and column, and the exit code is 2.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say what a report holds, and every line of it that is wrong
    Check(check::Args),
    /// Print the standings, a cross table, or how a player's numbers come about
    Standings(standings::Args),
    /// Write a report anew as TRF26, as TRF16, or its standings as CSV
    Export(export::Args),
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Standings(args) => standings::run(args),
        Command::Export(args) => export::run(args),
    }
}

/// The bytes of FILE.
fn bytes(file: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => std::io::stdin().read_to_end(&mut bytes).map(|_| ()),
        path => std::fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| Failure::Failed(format!("cannot read {file}: {error}")))?;
    Ok(bytes)
}

/// Reads FILE as an event; what the event has no word for is told.
fn read(file: &str) -> Result<Imported, Failure> {
    let imported = import_file(&bytes(file)?)
        .map_err(|faults| Failure::Usage(format!("{file} is not taken:\n{faults}")))?;
    for remark in &imported.remarks {
        tell(format_args!("{file}: {remark}"));
    }
    Ok(imported)
}

/// The event that a file makes out of nothing.
fn tournament(file: &str, imported: &Imported) -> Result<Tournament, Failure> {
    let mut tournament = Tournament::new(imported.draft.event.clone());
    let actor = Actor::program(file);
    for change in imported.draft.changes(file) {
        tournament
            .apply(&actor, change)
            .map_err(|refusal| Failure::Usage(format!("{file} is not taken: {refusal}")))?;
    }
    Ok(tournament)
}
