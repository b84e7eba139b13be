//! The command line: what can be asked, what comes back, and with which exit code.
//!
//! Owns arguments, tables and messages. 0 is done, 1 is not done (and a line on standard error says why and what to do), 2 is a
//! command line or a configuration that cannot be understood. What programs read goes to standard output, what people
//! are told on the way goes to standard error.

mod client;
mod clock_text;
mod control;
mod convert;
mod credential;
mod ctl;
mod demo;
mod enrol;
mod event;
mod fide;
mod gateway;
mod hall_time;
mod history;
mod output;
mod presets;
mod rehearse;
mod replay;
mod serve;
mod settings;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use output::Failure;
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
  flagfall demo                            a hall of twelve boards that play by themselves
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
    /// Run a hub until it is told to stop (Ctrl-C, SIGTERM)
    Serve(serve::Args),
    /// Run a hub with simulated players in a fresh directory, and show it
    Demo(demo::Args),
    /// Act on a running hub as an arbiter
    Ctl(ctl::Args),
    /// Carry Bluetooth LE clocks of a far corner to a hub elsewhere, with this machine's radios
    Gateway(gateway::Args),
    /// Make a code with which one clock, one arbiter's device or one gateway may enrol: single use, ten minutes
    Enrol(enrol::Args),
    /// Make a key file for an arbiter or a display, on the hub's own machine
    Credential(credential::Args),
    /// Print every record of a stopped hub's log, with the clocks after each
    Replay(replay::Args),
    /// Check rehearsal scripts, or show what a clock will do under a time control
    Rehearse(rehearse::Args),
    /// List the time controls that have a name
    Presets(presets::Args),
    /// Say a time control in PGN, as Lichess reads it, in TRF26, or read one from there
    Convert(convert::Args),
    /// Run the event: pairings in, results out, standings with their reasons; also of files, without a hub
    Event(Box<event::Args>),
    /// Keep FIDE's rating list at the hub, and search it
    Fide(fide::Args),
    /// Print a configuration file with every key, its meaning and its default
    Config,
}

/// The command line as it is defined: what can be asked, and the help for it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output, with code 0; all else to standard error, with code 2.
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

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Ctl(args) => ctl::run(args),
        Command::Gateway(args) => gateway::run(&args),
        Command::Enrol(args) => enrol::run(&args),
        Command::Credential(args) => credential::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Rehearse(args) => rehearse::run(&args),
        Command::Presets(args) => presets::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Event(args) => event::run(*args),
        Command::Fide(args) => fide::run(args),
        Command::Config => output::print(crate::config::Config::documented().trim_end()),
    }
}
