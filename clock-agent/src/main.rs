//! `clock-agent`: parses the command line and runs the subcommand.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use clock_agent::cli::{Cli, Command};
use clock_agent::run;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Run(args) => run::clock(args, &cli.log),
        Command::Enrol(args) => run::enrol(args, &cli.log),
        Command::Swarm(args) => run::swarm(args, &cli.log),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignore a closed standard error.
            let _ = writeln!(std::io::stderr(), "clock-agent: {error}");
            ExitCode::FAILURE
        }
    }
}
