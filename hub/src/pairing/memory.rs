//! Which contents of files an arbiter has decided about, kept in a file of the data directory: the folder is compared anew after every
//! start of the hub, and what was taken or dismissed is no news again. Owns that file; what a content means is the folder's affair.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tournament::formats::watch::Digest;

/// Bytes of the file that are read: a line for each of some ten thousand files.
const MOST_BYTES: u64 = 1 << 20;

/// Contents that were decided about.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// `None`: nothing is kept beyond this run.
    path: Option<PathBuf>,
}

impl Memory {
    /// The memory in this file, and what it remembers. A file that is not there remembers nothing; a line that is none (the power went
    /// while it was written) is left out: at worst a file is offered again.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub(super) fn open(path: &Path) -> io::Result<(Self, BTreeSet<Digest>)> {
        let memory = Self {
            path: Some(path.to_owned()),
        };
        let mut text = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(MOST_BYTES).read_to_end(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((memory, BTreeSet::new()));
            }
            Err(error) => return Err(error),
        };
        let text = String::from_utf8_lossy(&text);
        Ok((memory, text.lines().filter_map(digest).collect()))
    }

    /// Keeps one more, durably.
    ///
    /// # Errors
    /// When it cannot be written: it is then known until the hub ends.
    pub(super) fn keep(&self, content: &Digest) -> io::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // Begins its line anew, in case the last one breaks off.
        file.write_all(format!("\n{}\n", proto::ids::hex(content)).as_bytes())?;
        file.sync_all()?;
        // The name of a file that is new is the directory's.
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
    fn what_was_decided_is_known_after_a_start_though_a_line_breaks_off() {
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
