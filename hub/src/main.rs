//! The program `flagfall`: hands its arguments to [`hub::cli`] and exits with what that says.

use std::process::ExitCode;

fn main() -> ExitCode {
    hub::cli::run(std::env::args_os())
}
