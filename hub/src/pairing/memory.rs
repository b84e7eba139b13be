//! The digests of the file versions that an arbiter has applied or dismissed, stored in a file of the data directory. The hub examines the folder
//! again after every start, and versions with a stored digest do not count as new. Owns that file; `folder` interprets the watched files.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tournament::formats::watch::Digest;

/// Maximum number of bytes read: enough for about 15,000 digests, one a line.
const MAX_BYTES: u64 = 1 << 20;

#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The file; `None` if decisions are kept only until the hub stops.
    path: Option<PathBuf>,
}

impl Memory {
    /// Opens the file, and returns the digests stored in it. A missing file counts as empty. Skips an invalid line, which a power cut during
    /// writing may leave: at worst a file is offered again.
    ///
    /// # Errors
    /// Fails if the file exists but cannot be read.
    pub(super) fn open(path: &Path) -> io::Result<(Self, BTreeSet<Digest>)> {
        let memory = Self {
            path: Some(path.to_owned()),
        };
        let mut text = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(MAX_BYTES).read_to_end(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((memory, BTreeSet::new()));
            }
            Err(error) => return Err(error),
        };
        let text = String::from_utf8_lossy(&text);
        Ok((memory, text.lines().filter_map(digest).collect()))
    }

    /// Stores one more digest durably.
    ///
    /// # Errors
    /// Fails if the digest cannot be written. The decision is then kept only until the hub stops.
    pub(super) fn keep(&self, content: &Digest) -> io::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // Start on a new line, in case a power cut left the last one incomplete.
        file.write_all(format!("\n{}\n", proto::ids::hex(content)).as_bytes())?;
        file.sync_all()?;
        // A new file's name is durable only once the directory is synced.
        path.parent()
            .map_or(Ok(()), |dir| File::open(dir)?.sync_all())
    }
}

fn digest(line: &str) -> Option<Digest> {
    let bytes = hex::decode(line.trim()).ok()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_survive_a_restart_and_an_incomplete_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("watched");
        let (memory, known) = Memory::open(&path).unwrap();
        assert_eq!(known.len(), 0);
        memory.keep(&[7; 32]).unwrap();
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "\n0808";
        std::fs::write(&path, text).unwrap();
        let (memory, known) = Memory::open(&path).unwrap();
        assert_eq!(known, [[7; 32]].into());
        memory.keep(&[9; 32]).unwrap();
        let (_, known) = Memory::open(&path).unwrap();
        assert_eq!(known, [[7; 32], [9; 32]].into());
    }
}
