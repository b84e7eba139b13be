//! `flagfall event check`: checks a report.

use super::super::output::{Failure, print};
use super::{read, tournament};
use tournament::Contest;

/// Checks a report.
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
        print(format_args!(
            "{} on {}",
            counted(teams, "team"),
            counted(boards.into(), "board")
        ))?;
    }
    let (players, rounds) = (tournament.players().len(), tournament.rounds());
    print(format_args!(
        "{}, {} of {} paired",
        counted(players, "player"),
        rounds.len(),
        counted(event.rounds.into(), "round")
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
            "round {no}: {}, {open} without a result, {}",
            counted(round.boards.len(), "game"),
            counted(free, "bye")
        ))?;
    }
    let list = event.tie_breaks.iter().map(ToString::to_string);
    let list: Vec<String> = list.collect();
    print(format_args!("tie-breaks: {}", list.join(", ")))
}

/// Formats a count: `1 bye`, `2 byes`.
fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
