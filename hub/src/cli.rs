//! The command line: commands, outputs and exit codes.
//!
//! Owns arguments, tables and messages. Exit code 0 means success. Code 1 means failure; a line on standard error says why and what to do.
//! Code 2 means an invalid command line, configuration or file. Results go to standard output, messages for people to standard error.

mod accept_log;
mod backup;
mod broadcast;
mod checkpoint_file;
mod client;
mod conformance;
mod control;
mod convert;
mod credential;
mod ctl;
mod demo;
mod edge;
mod enrol;
mod event;
mod export;
mod fide;
mod forget_names;
mod game;
mod gateway;
mod hall_time;
mod history;
mod import;
mod livechess;
mod output;
mod presets;
mod proof;
mod recovery;
mod rehearse;
mod replay;
mod restore;
mod roll_authority;
mod roll_log_key;
mod rule;
mod serve;
mod settings;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use output::Result;
use settings::Settings;

/// The hub of a hall of connected chess clocks.
#[derive(Debug, Parser)]
#[command(
    name = "flagfall",
    version,
    about,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  flagfall demo                            show a hall of twelve boards with simulated players
  flagfall serve --data-dir /srv/flagfall  run a hub; the first start shows the chief arbiter's code
  flagfall ctl add 1-40 90m+30s            give it forty boards
  flagfall enrol --board 1                 a code for the clock of board 1
  flagfall ctl start 1-40                  start the round

Exit codes: 0 done, 1 not done (standard error says why), 2 not understood."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a hub until it is stopped (Ctrl-C, SIGTERM)
    Serve(serve::Args),
    /// Run a hub with simulated players in a fresh directory, as a demonstration
    Demo(demo::Args),
    /// Act on a running hub as an arbiter
    Ctl(ctl::Args),
    /// Connect Bluetooth LE clocks that the hub's radios cannot reach to the hub, with this machine's radios
    Gateway(gateway::Args),
    /// Make codes that enrol clocks, arbiters' and players' devices, and gateways
    Enrol(enrol::Args),
    /// Make a key file for an arbiter or a display, on the hub's own machine
    Credential(credential::Args),
    /// Print a new recovery code for the chief arbiter's access, on the hub's own machine
    Recovery(recovery::Args),
    /// Replace the certificate authority of a stopped hub; its clocks stay enrolled
    RollAuthority(roll_authority::Args),
    /// Replace the key that signs a stopped hub's checkpoints; kept checkpoints stay valid
    RollLogKey(roll_log_key::Args),
    /// Make a consistent, checked copy of a data directory, even while its hub runs
    Backup(backup::Args),
    /// Restore a data directory from a backup
    Restore(restore::Args),
    /// Accept a stopped hub's log as complete after its file head was lost
    AcceptLog(accept_log::Args),
    /// Replay a game of a stopped hub, ask "what if", or print every record of its log
    Replay(replay::Args),
    /// Check a proof that a record is in a hub's log, anywhere and without the hub
    Proof(proof::Args),
    /// Write an evidence file of a game, a round or the event, which anyone can verify offline
    Export(export::Args),
    /// Verify an evidence file and keep it as a read-only archive
    Import(import::Args),
    /// Conceal the names in an archive's evidence files when their retention period is over
    ForgetNames(forget_names::Args),
    /// Check rehearsal scripts, or show what a clock will do under a time control
    Rehearse(rehearse::Args),
    /// List the named time controls
    Presets(presets::Args),
    /// Show the articles of the Laws as this program applies them
    Rule(rule::Args),
    /// Write down the moves of DGT boards as LiveChess reports them
    Livechess(livechess::Args),
    /// Convert a time control to and from PGN, Lichess's PGN and TRF26
    Convert(convert::Args),
    /// Manage the event: pairings, results, and standings with explanations; also from files, without a hub
    Event(Box<event::Args>),
    /// Set when spectators see the games, and send games to a folder or to Lichess
    Broadcast(broadcast::Args),
    /// Serve a hub's public pages from a separate machine
    Edge(edge::Args),
    /// Import FIDE's rating list into the hub, and search it
    Fide(fide::Args),
    /// Test a clock or a different hub against the protocol's rules (for makers of clocks and hubs)
    Conformance(conformance::Args),
    /// Print a configuration file with every key, its documentation and its default
    Config,
}

pub fn command() -> clap::Command {
    with_flowing_help(Cli::command())
}

/// Makes the prose below the options wrap at the terminal's width, in every command.
fn with_flowing_help(command: clap::Command) -> clap::Command {
    let command = command.mut_subcommands(with_flowing_help);
    match command.get_after_help().map(ToString::to_string) {
        Some(text) => command.after_help(flowing(&text)),
        None => command,
    }
}

/// Minimum length of a line of prose that continues on the next line. A shorter line ends its paragraph.
const FULL_LINE: usize = 110;

/// Joins the lines of each paragraph of prose. Indented lines, such as examples, are kept as they are.
fn flowing(text: &str) -> String {
    let mut flowing = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        flowing.push_str(line);
        let prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let goes_on =
            prose(line) && line.len() >= FULL_LINE && lines.peek().is_some_and(|next| prose(next));
        if goes_on {
            flowing.push(' ');
        } else if lines.peek().is_some() {
            flowing.push('\n');
        }
    }
    flowing
}

/// Runs the program. The first of `arguments` is the program's name.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let parsed = command().try_get_matches_from(arguments);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help and version to standard output with code 0, and errors to standard error with code 2.
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match dispatch(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(command: Command) -> Result<()> {
    match command {
        Command::Serve(args) => serve::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Ctl(args) => ctl::run(args),
        Command::Gateway(args) => gateway::run(&args),
        Command::Enrol(args) => enrol::run(&args),
        Command::Credential(args) => credential::run(&args),
        Command::Recovery(args) => recovery::run(&args),
        Command::RollAuthority(args) => roll_authority::run(&args),
        Command::RollLogKey(args) => roll_log_key::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::AcceptLog(args) => accept_log::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Proof(args) => proof::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args),
        Command::ForgetNames(args) => forget_names::run(&args),
        Command::Rehearse(args) => rehearse::run(&args),
        Command::Presets(args) => presets::run(&args),
        Command::Rule(args) => rule::run(&args),
        Command::Livechess(args) => livechess::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Event(args) => event::run(*args),
        Command::Broadcast(args) => broadcast::run(&args),
        Command::Edge(args) => edge::run(&args),
        Command::Fide(args) => fide::run(args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Config => output::print(crate::config::Config::documented().trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_below_the_options_flows_and_examples_stay() {
        let full = "A sentence that goes on ".repeat(5);
        let text = format!("Examples:\n  one\n  two\n\n{full}\nin the next line.\nShort.\nLast.");
        let expected =
            format!("Examples:\n  one\n  two\n\n{full} in the next line.\nShort.\nLast.");
        assert_eq!(flowing(&text), expected);
        let import = command()
            .find_subcommand("event")
            .and_then(|event| event.find_subcommand("import"))
            .and_then(|import| import.get_after_help().map(ToString::to_string))
            .unwrap_or_default();
        assert!(import.contains("late arrivals, withdrawals."), "{import}");
    }
}
