//! Restores a backup into a new data directory.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Component, Path};
use std::sync::mpsc;

use durable_log::{Durable, Log, MAX_RECORD, Options, Submission};
use sha2::{Digest as _, Sha256};

use super::{
    BackupError, FILES_DIR, Manifest, RECORDS_FILE, RESTORED, finish, io, make_dir, unfinished,
};
use crate::event_loop::TIMELINE;

const BATCH: usize = 256;
/// Maximum number of submissions that may wait for the disk.
const AHEAD: usize = 64;

/// Restores the backup in `backup` as the data directory `dir`, which must not exist or must be empty. Checks every record and every file.
///
/// # Errors
/// Returns any [`BackupError`] except [`BackupError::OtherLog`]. `dir` is then unchanged or completely restored.
pub fn restore(backup: &Path, dir: &Path) -> Result<Manifest, BackupError> {
    let manifest = Manifest::read(backup)?;
    if dir.try_exists().map_err(io("look for", dir))? {
        let mut entries = fs::read_dir(dir).map_err(io("list", dir))?;
        if entries.next().is_some() {
            return Err(BackupError::Exists(dir.to_owned()));
        }
    }
    let prepared = unfinished(dir);
    if prepared.try_exists().map_err(io("look for", &prepared))? {
        fs::remove_dir_all(&prepared).map_err(io("remove", &prepared))?;
    }
    make_dir(&prepared)?;
    restore_log(backup, &prepared, &manifest)?;
    for (name, hash) in &manifest.files {
        restore_file(backup, &prepared, name, hash)?;
    }
    finish(&prepared, dir)?;
    Ok(manifest)
}

fn restore_log(backup: &Path, dir: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    let path = backup.join(RECORDS_FILE);
    let damaged = |what: String| BackupError::Damaged {
        path: path.clone(),
        what,
    };
    let file = File::open(&path).map_err(io("read", &path))?;
    let mut records = BufReader::new(file);
    let options = Options {
        ballast_bytes: 0,
        ..Options::default()
    };
    let mut log = Log::open_with(dir, options)?;
    log.set_meta(TIMELINE, manifest.timeline.as_bytes())?;
    log.set_meta(RESTORED, &manifest.records.to_be_bytes())?;
    let (released, durable) = mpsc::channel();
    let release = move |steps: Vec<Durable<()>>| {
        // After an error the receiver is gone, and the remaining records do not matter.
        let _ = released.send(steps.len());
    };
    let commit = log.into_commit(release, |_| ())?;
    let mut waiting = 0;
    let mut left = manifest.records;
    while left > 0 {
        let mut batch = Vec::with_capacity(BATCH);
        while left > 0 && batch.len() < BATCH {
            let record = next(&mut records).map_err(|error| damaged(error.to_string()))?;
            batch.push(record);
            left -= 1;
        }
        let submission = Submission {
            records: batch,
            effects: (),
        };
        waiting += 1;
        // A log that has stopped reports the reason when it is closed.
        if commit.submit(submission).is_err() {
            break;
        }
        while waiting >= AHEAD {
            match durable.recv() {
                Ok(steps) => waiting -= steps,
                Err(_) => break,
            }
        }
    }
    let (len, head) = commit.close()?;
    if records.read(&mut [0]).map_err(io("read", &path))? > 0 {
        let count = manifest.records;
        return Err(damaged(format!("it has more than {count} records")));
    }
    if (len, proto::ids::hex(&head)) != (manifest.records, manifest.head.clone()) {
        let what = "the hash of its records does not match".to_owned();
        return Err(damaged(what));
    }
    Ok(())
}

fn next(records: &mut impl std::io::Read) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    records.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > MAX_RECORD {
        let what = format!("a record of {length} bytes is longer than {MAX_RECORD}");
        return Err(std::io::Error::other(what));
    }
    let mut record = vec![0; length];
    records.read_exact(&mut record)?;
    Ok(record)
}

fn restore_file(backup: &Path, dir: &Path, name: &str, hash: &str) -> Result<(), BackupError> {
    let below = Path::new(name);
    let from = backup.join(FILES_DIR).join(below);
    let damaged = |what: &str| BackupError::Damaged {
        path: from.clone(),
        what: what.to_owned(),
    };
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if !below.components().all(plain) {
        return Err(damaged("its name leads out of the directory"));
    }
    let bytes = fs::read(&from).map_err(io("read", &from))?;
    if proto::ids::hex(&Sha256::digest(&bytes)) != hash {
        return Err(damaged("its hash does not match"));
    }
    let to = dir.join(below);
    if let Some(parent) = to.parent() {
        make_dir(parent)?;
    }
    fs::write(&to, bytes).map_err(io("write", &to))?;
    let about = fs::metadata(&from).map_err(io("read", &from))?;
    fs::set_permissions(&to, about.permissions()).map_err(io("protect", &to))
}
