//! The program `flagfall`: passes its arguments to [`hub::cli`] and exits with the returned code.

use std::process::ExitCode;

fn main() -> ExitCode {
    hub::cli::run(std::env::args_os())
}
