//! Reads the output of `tests/agreement/generate.py` from standard input, compares it with this crate's answers, and prints every difference.
//!
//! ```sh
//! python3 hub/laws/tests/agreement/generate.py --positions 100000 --games 10000 --seed 1 |
//!     cargo run -p laws --example agreement
//! ```
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::io::BufRead;
use std::process::ExitCode;

#[path = "../tests/agreement/check.rs"]
mod check;

fn main() -> ExitCode {
    let (mut positions, mut games, mut wrong) = (0_u64, 0_u64, 0_u64);
    for line in std::io::stdin().lock().lines() {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                println!("standard input: {error}");
                return ExitCode::FAILURE;
            }
        };
        if line.starts_with("game") {
            games += 1;
        } else {
            positions += 1;
        }
        for difference in check::differences(&line) {
            println!("{difference}");
            wrong += 1;
        }
    }
    println!("{positions} positions, {games} games, {wrong} differences");
    if wrong == 0 && positions + games > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
