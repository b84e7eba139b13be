//! The hub's disk: measures its speed, and copies a killed hub's files.
//!
//! Must never open a data directory in place: the hub's own recovery at start-up is part of the test.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use crate::stopwatch::Stopwatch;

/// Measures, `count` times, how long it takes to append a record in `dir` and fdatasync it; returns the sorted microseconds.
pub fn fdatasync_us(dir: &Path, count: usize) -> std::io::Result<Vec<i64>> {
    const RECORD: [u8; 224] = [7; 224];
    let path = dir.join("fdatasync-probe");
    let mut file = File::create(&path)?;
    let mut taken = Vec::with_capacity(count);
    for _ in 0..count {
        let watch = Stopwatch::start();
        file.write_all(&RECORD)?;
        file.sync_data()?;
        taken.push(watch.elapsed_us());
    }
    std::fs::remove_file(path)?;
    taken.sort_unstable();
    Ok(taken)
}

/// Copies a data directory, except its ballast file, which holds no data.
pub fn copy_without_ballast(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            copy_without_ballast(&path, &to.join(name))?;
        } else if !name.to_string_lossy().contains("ballast") {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
