//! `flagfall event check`: reads a report and prints a summary, or its faults.

use super::super::output::{Result, counted, say};
use super::{read, tournament};
use crate::api::messages::remark::texts;
use tournament::Contest;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The report to check; - for standard input
    file: String,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let imported = read(&args.file)?;
    let tournament = tournament(&args.file, &imported)?;
    let event = tournament.event();
    say!("{}", event.name)?;
    if let Contest::Teams { boards } = event.contest {
        let teams = tournament.teams().len();
        say!("{} on {}", counted(teams, "team"), counted(boards, "board"))?;
    }
    let (players, rounds) = (tournament.players().len(), tournament.rounds());
    say!(
        "{}, {} of {} paired",
        counted(players, "player"),
        rounds.len(),
        counted(event.rounds, "round")
    )?;
    for (no, round) in rounds {
        let open = round
            .boards
            .values()
            .filter(|board| !board.result.is_some_and(|result| result.is_final()))
            .count();
        let drafted = imported.draft.rounds.get(no);
        let free = drafted.map_or(0, |round| round.byes.len());
        say!(
            "round {no}: {}, {open} without a result, {}",
            counted(round.boards.len(), "game"),
            counted(free, "bye")
        )?;
    }
    let list = texts(&event.tie_breaks).join(", ");
    say!("tie-breaks: {list}")
}
