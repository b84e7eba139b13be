//! The log against cut power, killed writers, flipped bits and failing disks. Each test starts processes that write or fail.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod bit_flip;
mod failing_disk;
mod kill;
mod log_writer;
mod power_cut;
mod recorder;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps the other tests waiting: until a new process has started its program, it holds the locks of every log that is open here.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process that is killed, recorded, or left to end.
#[test]
fn writer() {
    log_writer::write();
}
