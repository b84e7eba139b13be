//! The log against power cuts, killed writers, flipped bits and failing disks. Most tests start processes that write or fail.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod bit_flip;
mod failing_disk;
mod kill;
mod log_writer;
mod power_cut;
mod recorder;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Makes the tests run one at a time. Until a child process has executed its program, it holds the locks of every log open in this process.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves as the process that a test kills, records, or lets finish.
#[test]
fn writer() {
    log_writer::write();
}
