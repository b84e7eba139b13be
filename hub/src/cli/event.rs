//! `flagfall event`: manages a running hub's event, and reads an event's file without a hub.
//!
//! Must never change a file that it reads, and must show what a file or a proposal changes before the hub makes the changes.

mod abnormal;
mod check;
mod clocks;
mod confirm;
mod enter;
mod enter_list;
mod entries;
mod events;
mod export;
mod hub;
mod import;
mod listed;
mod numbers;
mod pair;
mod pairing_rules;
mod report;
mod result;
mod round;
mod seats;
mod set_up;
mod standings;
mod status;
mod teams;
mod watch;

use std::io::Read as _;

use super::client::HubOptions;
use super::output::{Result, failed, init_messages, tell, usage};
use hub::Hub;
use tournament::formats::draft::{Imported, import_file};
use tournament::{Actor, Tournament};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event check open.trf                     show a file's contents, or every invalid line
  flagfall event open open.trf                      make the file's event the hub's event
  flagfall event status                             show the progress of the rounds, and the open decisions
  flagfall event import open.trf                    show the changes that a file would make; asks before making them
  flagfall event undo                               undo the whole last import; asks first
  flagfall event pair                               pair the next round with the Berger table or the pairing program; asks
  flagfall event preset 1                           set the clocks of round 1: control, names, board numbers
  flagfall event start 1                            start the clocks of round 1
  flagfall event result 7 1-0                       enter the result of board 7 in the current round
  flagfall event result 7 0-1 --reason \"misread\"    replace a result that was entered
  flagfall event round confirm 1                    declare every result of round 1 final
  flagfall event standings --explain 7              explain how each figure of player 7 is computed
  flagfall event export --as trf26 > open.trf
  flagfall event report --check                     list what is missing for the FIDE rating report

FILE is a TRF16 or TRF26 report (or CSV, for the pairings of one round); - is standard input. If it is not valid, each fault is shown with
line and column, and the exit code is 2. `standings`, `export` and `report` can read a FILE instead of the hub's event.")]
pub(super) struct Args {
    #[command(flatten)]
    hub: HubOptions,
    /// Print one JSON object per line, for programs
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Check a report, and list its contents and every invalid line
    Check(check::Args),
    /// Make an event without a file
    New(set_up::NewArgs),
    /// Open the event in a file as the hub's event
    Open(import::OpenArgs),
    /// Amend the event's data
    Set(set_up::SetArgs),
    /// Show the progress of the event, and the decisions that are still open
    Status,
    /// Show the changes that a file would make, and import it after confirmation
    Import(import::Args),
    /// Undo everything that one import changed, after confirmation
    Undo(events::UndoArgs),
    /// List the hub's events: the current one and those set aside
    List,
    /// Switch to an event that was set aside; the current one is set aside
    Switch(events::SwitchArgs),
    /// Write the event as TRF26 or TRF16, its pairings or standings as CSV, or its games as PGN
    Export(export::Args),
    /// Write the FIDE rating report, or list what is missing for it
    Report(report::Args),
    /// Print the standings, a cross table, or an explanation of a player's score and tie-breaks
    Standings(standings::Args),
    /// Follow the event: print one line per change
    Watch,
    /// Pair the next round, and announce it after confirmation
    Pair(pair::Args),
    /// Show, confirm, reopen or unpair a round
    #[command(subcommand)]
    Round(round::Command),
    /// Set the clocks of a round: control, names, board numbers
    Preset(clocks::PresetArgs),
    /// Start the clocks of a round, a sector or a board
    Start(clocks::StartArgs),
    /// Enter a result, or correct one with a reason
    Result(result::Args),
    /// Forfeit a whole team match, or remove its forfeit
    ForfeitMatch(result::ForfeitArgs),
    /// Assign pairing numbers by FIDE's initial order or by drawing lots
    Renumber(numbers::Args),
    /// Forbid pairs, permit them again, or list the forbidden pairs
    Forbid(pairing_rules::ForbidArgs),
    /// Accelerate the first rounds with the Baku method, or remove the acceleration
    Accelerate(pairing_rules::AccelerateArgs),
    /// Set bonuses, penalties or different points for a result, or list them
    Points(abnormal::Args),
    /// Enter a team, or amend its data and board order
    Team(teams::TeamArgs),
    /// List the teams with their board orders
    Teams,
    /// Remove a team that was never paired; its players stay
    RemoveTeam {
        /// The team's name or number
        team: String,
    },
    /// List the players
    Players,
    /// Enter a player from the FIDE list or by hand, enter a list of names, or amend a player's data
    Enter(enter::EnterArgs),
    /// Update ratings and titles from the FIDE list, before round 1
    Refresh(enter_list::RefreshArgs),
    /// Remove a player who was never paired
    Remove {
        /// The player's number
        player: u16,
    },
    /// Withdraw a player from the remaining rounds
    Withdraw(entries::WithdrawArgs),
    /// Let a withdrawn player play again
    Return {
        /// The player's number
        player: u16,
    },
    /// Give a player a bye in a round, or remove it
    Bye(entries::ByeArgs),
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { hub, json, command } = args;
    // Reading a file needs neither a hub nor a runtime.
    if let Command::Check(args) = &command {
        return check::run(args);
    }
    if let Command::Export(args) = &command
        && let Some(file) = &args.file
    {
        return export::write(args, &read_tournament(file)?, file);
    }
    if let Command::Report(args) = &command
        && let Some(file) = &args.file
    {
        return report::run(args, &read_tournament(file)?, json);
    }
    if let Command::Standings(args) = &command
        && let Some(file) = &args.file
    {
        return standings::show(args, read_tournament(file)?, json);
    }
    init_messages("warn");
    super::serve::runtime()?.block_on(act(&hub, json, command))
}

async fn act(options: &HubOptions, json: bool, command: Command) -> Result<()> {
    // Read an imported file first, so that an unreadable file is reported before the hub is contacted. The hub checks the content.
    let mut import = None;
    if let Command::Import(args) = &command {
        import = Some(import::prepare(args)?);
    } else if let Command::Open(args) = &command {
        import = Some(import::prepare_open(args)?);
    }
    let mut hub = Hub::connect(options, json).await?;
    if let Some(wanted) = import {
        return import::run(&mut hub, wanted).await;
    }
    match command {
        Command::Check(args) => check::run(&args),
        Command::New(args) => set_up::new(&mut hub, &args).await,
        Command::Set(args) => set_up::set(&mut hub, &args).await,
        Command::Open(_) | Command::Import(_) => Ok(()), // carried out above
        Command::Status => status::run(&mut hub).await,
        Command::Renumber(args) => numbers::run(&mut hub, &args).await,
        Command::Forbid(args) => pairing_rules::forbid(&mut hub, &args).await,
        Command::Accelerate(args) => pairing_rules::accelerate(&mut hub, &args).await,
        Command::Points(args) => abnormal::run(&mut hub, &args).await,
        Command::Team(args) => teams::team(&mut hub, &args).await,
        Command::Teams => teams::list(&mut hub).await,
        Command::RemoveTeam { team } => teams::remove(&mut hub, &team).await,
        Command::Players => status::players(&mut hub).await,
        Command::Undo(args) => events::undo(&mut hub, &args).await,
        Command::List => events::list(&mut hub).await,
        Command::Switch(args) => events::switch(&mut hub, &args).await,
        Command::Export(args) => export::from_hub(&mut hub, &args).await,
        Command::Report(args) => {
            let now = hub.now().await?;
            report::run(&args, &now.tournament, json)
        }
        Command::Standings(args) => {
            let now = hub.now().await?;
            standings::show(&args, now.tournament, json)
        }
        Command::Watch => watch::follow(&mut hub).await,
        Command::Pair(args) => pair::run(&mut hub, &args).await,
        Command::Round(command) => round::run(&mut hub, command).await,
        Command::Preset(args) => clocks::preset(&mut hub, &args).await,
        Command::Start(args) => clocks::start(&mut hub, &args).await,
        Command::Result(args) => result::enter(&mut hub, &args).await,
        Command::ForfeitMatch(args) => result::forfeit(&mut hub, &args).await,
        Command::Enter(args) => match &args.list {
            Some(file) => enter_list::enter(&mut hub, &args, file).await,
            None => enter::enter(&mut hub, &args).await,
        },
        Command::Refresh(args) => enter_list::refresh(&mut hub, &args).await,
        Command::Remove { player } => entries::remove(&mut hub, player).await,
        Command::Withdraw(args) => entries::withdraw(&mut hub, &args).await,
        Command::Return { player } => entries::back(&mut hub, player).await,
        Command::Bye(args) => entries::bye(&mut hub, &args).await,
    }
}

fn amend<const N: usize>(fields: [(&Option<String>, &mut String); N]) {
    for (given, field) in fields {
        if let Some(given) = given {
            field.clone_from(given);
        }
    }
}

fn bytes(file: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => std::io::stdin().read_to_end(&mut bytes).map(|_| ()),
        path => std::fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| failed!("cannot read {file}: {error}"))?;
    Ok(bytes)
}

fn read(file: &str) -> Result<Imported> {
    let imported =
        import_file(&bytes(file)?).map_err(|faults| usage!("{file} is not valid:\n{faults}"))?;
    for remark in &imported.remarks {
        tell!("{file}: {remark}");
    }
    Ok(imported)
}

fn read_tournament(file: &str) -> Result<Tournament> {
    tournament(file, &read(file)?)
}

fn tournament(file: &str, imported: &Imported) -> Result<Tournament> {
    let mut tournament = Tournament::new(imported.draft.event.clone());
    let actor = Actor::program(file);
    for change in imported.draft.changes(file) {
        tournament
            .apply(&actor, change)
            .map_err(|refusal| usage!("{file} is not valid: {refusal}"))?;
    }
    Ok(tournament)
}
