//! Opens the log's sled store directly, bypassing the log.

use std::path::Path;

/// Opens the store once sled's own threads have released it, which may be a moment after this process has dropped its last handle.
pub(crate) fn open(dir: &Path) -> sled::Db {
    for _ in 0..100_000 {
        match sled::open(dir.join("sled")) {
            Err(sled::Error::Io(error))
                if error.to_string().starts_with("could not acquire lock") =>
            {
                std::thread::yield_now();
            }
            opened => return opened.unwrap(),
        }
    }
    panic!("somebody else holds {}", dir.display());
}
