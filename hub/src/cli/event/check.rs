//! `flagfall event check`: what a report holds.

use super::super::output::{Failure, print};
use super::{read, tournament};
use crate::tournament::Contest;

/// Says what a report holds.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The report; - for standard input
    file: String,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let imported = read(&args.file)?;
    let tournament = tournament(&args.file, &imported)?;
    let event = tournament.event();
    print(format_args!("{}", event.name))?;
    if let Contest::Teams { boards } = event.contest {
        let teams = tournament.teams().len();
        print(format_args!("{teams} teams on {boards} boards"))?;
    }
    let (players, rounds) = (tournament.players().len(), tournament.rounds());
    print(format_args!(
        "{players} players, {} of {} rounds paired",
        rounds.len(),
        event.rounds
    ))?;
    for (no, round) in rounds {
        let open = round
            .boards
            .values()
            .filter(|board| !board.result.is_some_and(|result| result.is_final()))
            .count();
        let free = imported
            .draft
            .rounds
            .get(no)
            .map_or(0, |round| round.byes.len());
        print(format_args!(
            "round {no}: {} games, {open} without a result, {free} byes",
            round.boards.len()
        ))?;
    }
    let list = event.tie_breaks.iter().map(ToString::to_string);
    let list: Vec<String> = list.collect();
    print(format_args!("tie-breaks: {}", list.join(", ")))
}
