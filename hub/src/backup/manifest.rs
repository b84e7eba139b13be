//! The manifest of a backup: its contents, and the hashes that verify them.

use std::collections::BTreeMap;
use std::path::Path;

use durable_log::Hash;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{BackupError, io};

/// Name of a backup's manifest, which is the last file to be written.
pub const MANIFEST_FILE: &str = "backup.json";
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// Unix time of the backup, in microseconds.
    pub made_us: i64,
    pub records: u64,
    /// The chain's head after the last record, as hexadecimal digits.
    pub head: String,
    /// The position of the hub's timeline, as the log stores it.
    pub timeline: String,
    /// The other files, by their path in the data directory, with their SHA-256 as hexadecimal digits.
    pub files: BTreeMap<String, String>,
    /// SHA-256 of this manifest, computed without this field.
    check: String,
}

impl Manifest {
    pub(super) fn new(made_us: i64, (records, head): (u64, Hash), timeline: String) -> Self {
        Self {
            version: VERSION,
            made_us,
            records,
            head: proto::ids::hex(&head),
            timeline,
            files: BTreeMap::new(),
            check: String::new(),
        }
    }

    /// Reads the manifest of the backup in `dir`.
    ///
    /// # Errors
    /// Returns [`BackupError::NoManifest`], [`BackupError::Damaged`] or [`BackupError::Io`].
    pub fn read(dir: &Path) -> Result<Self, BackupError> {
        let path = dir.join(MANIFEST_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(BackupError::NoManifest(dir.to_owned()));
            }
            Err(error) => return Err(io("read", &path)(error)),
        };
        let damaged = |what: String| BackupError::Damaged {
            path: path.clone(),
            what,
        };
        let read: Self = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if read.version != VERSION {
            let what = format!("it has format version {}, not {VERSION}", read.version);
            return Err(damaged(what));
        }
        if read.check != read.checksum() {
            return Err(damaged("its checksum does not match".to_owned()));
        }
        Ok(read)
    }

    fn checksum(&self) -> String {
        let unchecked = Self {
            check: String::new(),
            ..self.clone()
        };
        // Serialisation fails only for maps with keys that are not text, and a manifest has none.
        let text = serde_json::to_string(&unchecked).unwrap_or_default();
        proto::ids::hex(&Sha256::digest(text))
    }

    pub(super) fn write(&mut self, dir: &Path) -> Result<(), BackupError> {
        self.check = self.checksum();
        let path = dir.join(MANIFEST_FILE);
        let text = serde_json::to_string_pretty(self).map_err(|error| BackupError::Io {
            what: "write",
            path: path.clone(),
            source: error.into(),
        })?;
        std::fs::write(&path, text + "\n").map_err(io("write", &path))
    }
}
