//! Writes a backup.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use durable_log::{Hash, chained};
use sha2::{Digest as _, Sha256};

use super::{BackupError, FILES_DIR, Manifest, RECORDS_FILE, finish, io, make_dir, unfinished};

/// Entries of a data directory that a backup omits, besides the store: parts of the log, and files that belong to one machine or one run.
const LEFT_OUT: [&str; 8] = [
    "lock",
    "format",
    "ballast",
    "head",
    "addresses",
    "set-aside",
    "archive",
    "lost+found",
];

/// A backup in progress. If it is dropped before [`BackupWriter::finish`], nothing remains under the backup's name.
pub struct BackupWriter {
    path: PathBuf,
    prepared: PathBuf,
    records: BufWriter<File>,
    end: (u64, Hash),
    /// The length and head that the hub reported, checked once the records reach that length.
    stated: (u64, Hash),
    confirmed: bool,
}

impl BackupWriter {
    /// Begins a backup at `path`, which must not exist. The log must contain at least the `stated` number of records, which must lead to the
    /// `stated` head.
    ///
    /// # Errors
    /// Returns [`BackupError::Exists`] or [`BackupError::Io`].
    pub fn create(path: &Path, stated: (u64, Hash)) -> Result<Self, BackupError> {
        if path.try_exists().map_err(io("look for", path))? {
            return Err(BackupError::Exists(path.to_owned()));
        }
        let prepared = unfinished(path);
        if prepared.try_exists().map_err(io("look for", &prepared))? {
            // These are the remains of an interrupted backup.
            fs::remove_dir_all(&prepared).map_err(io("remove", &prepared))?;
        }
        make_dir(&prepared)?;
        let file = prepared.join(RECORDS_FILE);
        let records = File::create_new(&file).map_err(io("create", &file))?;
        let end = (0, Hash::default());
        Ok(Self {
            path: path.to_owned(),
            prepared,
            records: BufWriter::new(records),
            end,
            stated,
            confirmed: end == stated,
        })
    }

    /// Adds the next record.
    ///
    /// # Errors
    /// Returns [`BackupError::OtherLog`] if `index` is not the next index or the records lead to a different head, and [`BackupError::Io`]
    /// if the disk fails.
    pub fn add(&mut self, index: u64, payload: &[u8]) -> Result<(), BackupError> {
        let (len, head) = self.end;
        if index != len {
            let what = format!("record {index} follows record {len}");
            return Err(BackupError::OtherLog(what));
        }
        let path = self.prepared.join(RECORDS_FILE);
        let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        self.records
            .write_all(&length.to_le_bytes())
            .and_then(|()| self.records.write_all(payload))
            .map_err(io("write", &path))?;
        self.end = (len + 1, chained(&head, payload));
        if self.end.0 == self.stated.0 {
            self.confirmed = self.end == self.stated;
            if !self.confirmed {
                let what = format!("after {} records their head differs", self.stated.0);
                return Err(BackupError::OtherLog(what));
            }
        }
        Ok(())
    }

    /// Adds the other files of `data_dir`, writes the manifest, and renames the backup to its final name. Copies the files after the
    /// records, so that a device revoked in between stays revoked.
    ///
    /// # Errors
    /// Returns [`BackupError::OtherLog`] if the log is shorter than stated, and [`BackupError::Io`] if the disk fails.
    pub fn finish(
        mut self,
        data_dir: &Path,
        made_us: i64,
        timeline: String,
    ) -> Result<Manifest, BackupError> {
        if !self.confirmed {
            let what = format!(
                "it ends after {} records, but {} were acknowledged",
                self.end.0, self.stated.0
            );
            return Err(BackupError::OtherLog(what));
        }
        let path = self.prepared.join(RECORDS_FILE);
        self.records.flush().map_err(io("write", &path))?;
        let mut manifest = Manifest::new(made_us, self.end, timeline);
        let files = self.prepared.join(FILES_DIR);
        make_dir(&files)?;
        copy_all(data_dir, &files, Path::new(""), &mut manifest)?;
        manifest.write(&self.prepared)?;
        finish(&self.prepared, &self.path)?;
        Ok(manifest)
    }
}

fn copy_all(
    data_dir: &Path,
    to: &Path,
    below: &Path,
    manifest: &mut Manifest,
) -> Result<(), BackupError> {
    let dir = data_dir.join(below);
    for entry in fs::read_dir(&dir).map_err(io("list", &dir))? {
        let entry = entry.map_err(io("list", &dir))?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let left_out = LEFT_OUT.contains(&&*text) || text.starts_with("sled");
        // These endings mark incomplete files. The complete version of each has the name without the ending.
        let unfinished = text.ends_with(".new") || text.ends_with(".unfinished");
        if (below.as_os_str().is_empty() && left_out) || unfinished {
            continue;
        }
        let (from, below) = (entry.path(), below.join(&name));
        let kind = entry.file_type().map_err(io("read", &from))?;
        if kind.is_dir() {
            make_dir(&to.join(&below))?;
            copy_all(data_dir, to, &below, manifest)?;
        } else if kind.is_file() {
            let bytes = fs::read(&from).map_err(io("read", &from))?;
            let target = to.join(&below);
            fs::write(&target, &bytes).map_err(io("write", &target))?;
            let mode = entry.metadata().map_err(io("read", &from))?.permissions();
            fs::set_permissions(&target, mode).map_err(io("protect", &target))?;
            let hash = proto::ids::hex(&Sha256::digest(&bytes));
            let name = below.to_string_lossy().into_owned();
            manifest.files.insert(name, hash);
        }
    }
    Ok(())
}
