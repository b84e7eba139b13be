//! A private copy of a stopped hub's log. Opening a log writes into its directory, which a replay or an export must not do.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use super::super::output::{Failure, Result, failed};
use durable_log::{Log, Options};

/// An open copy of a log. Dropping it removes its files.
pub(in crate::cli) struct LogCopy {
    pub(in crate::cli) log: Log,
    _files: tempfile::TempDir,
}

impl LogCopy {
    pub(in crate::cli) fn open(dir: &Path) -> Result<Self> {
        if !dir.join("sled").is_dir() {
            return Err(failed!(
                "{} holds no log; name the data directory of a hub",
                dir.display()
            ));
        }
        let _held = held(dir)?;
        let cannot = |error| failed!("cannot copy the log of {}: {error}", dir.display());
        let files = tempfile::tempdir().map_err(cannot)?;
        for file in ["format", "head"] {
            if dir.join(file).exists() {
                fs::copy(dir.join(file), files.path().join(file)).map_err(cannot)?;
            }
        }
        copy_all(&dir.join("sled"), &files.path().join("sled")).map_err(cannot)?;
        let options = Options {
            ballast_bytes: 0,
            // A hub refuses to start on a log whose file `head` is missing, but a replay can still read the records.
            accept_unknown_head: true,
            ..Options::default()
        };
        let log = Log::open_with(files.path(), options).map_err(Failure::failed)?;
        Ok(Self { log, _files: files })
    }
}

/// Locks the directory, so that no hub starts on it during the copy. Returns `None` if there is no lock file: a directory that
/// no hub has used has none.
fn held(dir: &Path) -> Result<Option<File>> {
    let lock = match File::open(dir.join("lock")) {
        Ok(lock) => lock,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(failed!(
                "cannot open the lock file of {}: {error}",
                dir.display()
            ));
        }
    };
    flock(&lock, FlockOperation::NonBlockingLockShared).map_err(|_| {
        failed!(
            "{} is in use by a running hub: use `flagfall ctl game` or `flagfall ctl log` instead",
            dir.display()
        )
    })?;
    Ok(Some(lock))
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_all(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), to)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_that_cannot_be_opened_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(held(dir.path()), Ok(None)));
        std::os::unix::fs::symlink("lock", dir.path().join("lock")).unwrap();
        assert!(held(dir.path()).is_err());
    }
}
