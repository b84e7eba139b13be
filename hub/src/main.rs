//! The program `flagfall`: passes its arguments to [`hub::cli`] and exits with the returned code.

use std::process::ExitCode;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    hub::cli::run(std::env::args_os())
}
