//! The data directory: its lock and format, the reserve of disk space, the cleanup before sled opens, and the replacement of damaged stores
//! and caches.
//!
//! ```text
//! lock            held while the log is open; contains the holder's process id
//! format          "flagfall data directory, format 1"
//! ballast         64 MiB, released when the disk is nearly full, so that the log can still be opened
//! head            see `head_file`
//! sled/           the store; created as `sled.new` and renamed when complete, so it is never partial
//! sled.trial/     a copy of the store, while a start checks which records are readable
//! sled.rebuilt/   a complete new store, while a start puts it in place of a damaged one
//! archive/        the log as plain files, see `archive`
//! set-aside/      damaged caches of sled and damaged stores, each time in a new numbered directory; never read or removed
//! ```
//!
//! Must never touch anything before the lock is held and the format is known.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{FallocateFlags, FlockOperation};

use super::error::{OpenError, is_full};
use super::{Notice, lock};

/// The format that this version reads and writes.
pub(super) const FORMAT: u32 = 1;
const FORMAT_LINE: &str = "flagfall data directory, format ";

const SET_ASIDE: &str = "set-aside";
/// Name of the directory, in the data directory, of a complete new store that is about to be moved into place.
pub const REBUILT: &str = "sled.rebuilt";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopiedParts {
    Whole,
    /// Only the main file; sled rebuilds its caches.
    WithoutCaches,
}

/// Free space, in bytes, below which the ballast is released.
const NEARLY_FULL: u64 = 16 << 20;

/// A data directory held by this process until dropped.
#[derive(Debug)]
pub(super) struct DataDir {
    dir: PathBuf,
    lock: File,
    release: Release,
}

/// A handle that reports when a data directory is no longer held, so that another [`Log`](crate::Log) can be opened in
/// it.
#[derive(Clone, Debug, Default)]
pub struct Release(Arc<(Mutex<bool>, Condvar)>);

impl Release {
    /// Waits until the log and all its readers are dropped. Returns false if this takes longer than `limit`.
    pub fn wait(&self, limit: Duration) -> bool {
        let (released, changed) = &*self.0;
        let waited = changed.wait_timeout_while(lock(released), limit, |released| !*released);
        let (released, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *released
    }

    fn tell(&self) {
        let (released, changed) = &*self.0;
        *lock(released) = true;
        changed.notify_all();
    }
}

impl DataDir {
    /// Creates the directory if needed (readable only by its owner), takes its lock and checks its format.
    pub(super) fn lock(dir: &Path) -> Result<DataDir, OpenError> {
        let created = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        created.map_err(|error| OpenError::io("create the data directory", dir, error))?;
        let data_dir = DataDir {
            dir: dir.to_path_buf(),
            lock: take_lock(dir)?,
            release: Release::default(),
        };
        data_dir.check_format()?;
        Ok(data_dir)
    }

    pub(super) fn path(&self) -> &Path {
        &self.dir
    }

    pub(super) fn release(&self) -> Release {
        self.release.clone()
    }

    pub(super) fn store(&self) -> PathBuf {
        self.dir.join("sled")
    }

    pub(super) fn unfinished_store(&self) -> PathBuf {
        self.dir.join("sled.new")
    }

    pub(super) fn head(&self) -> PathBuf {
        self.dir.join("head")
    }

    fn check_format(&self) -> Result<(), OpenError> {
        let path = self.dir.join("format");
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.write_format(&path);
            }
            Err(error) => {
                let what = "read the format of the data directory";
                return Err(OpenError::io(what, &path, error));
            }
        };
        let found = text
            .strip_prefix(FORMAT_LINE)
            .and_then(|rest| rest.trim_end().parse::<u32>().ok());
        match found {
            Some(FORMAT) => Ok(()),
            Some(found) if found > FORMAT => Err(OpenError::NewerVersion {
                dir: self.dir.clone(),
                found,
                known: FORMAT,
            }),
            Some(_) | None => Err(OpenError::UnknownFormat {
                path,
                expected: format!("{FORMAT_LINE}{FORMAT}"),
                found: text.trim_end().escape_debug().to_string(),
            }),
        }
    }

    /// Writes the format on a first start. The line is complete on disk before the store is created.
    fn write_format(&self, path: &Path) -> Result<(), OpenError> {
        let failed = |error| OpenError::io("write the format of the data directory", path, error);
        let new = self.dir.join("format.new");
        let mut file = File::create(&new).map_err(failed)?;
        writeln!(file, "{FORMAT_LINE}{FORMAT}").map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&new, path).map_err(failed)?;
        sync_dir(&self.dir)
    }

    /// Releases the ballast if the disk is nearly full, and removes or completes the remains of an interrupted start.
    pub(super) fn tidy(&self) -> Result<Vec<Notice>, OpenError> {
        let mut notices = Vec::new();
        if self.free_bytes()? < NEARLY_FULL && remove_file(&self.ballast())? {
            notices.push(Notice::BallastReleased);
        }
        self.remove_trial()?;
        if self.remove_unfinished()? {
            notices.push(Notice::UnfinishedStoreRemoved);
        }
        self.finish_replacement()?;
        let store = self.store();
        if exists(&store)? {
            for path in half_written_snapshots(&store)? {
                remove_file(&path)?;
                notices.push(Notice::HalfWrittenSnapshotRemoved);
            }
        }
        Ok(notices)
    }

    /// Returns true if there is a store. Fails with [`OpenError::Unreadable`] if the store's main file is missing.
    pub(super) fn has_store(&self) -> Result<bool, OpenError> {
        if !exists(&self.store())? {
            return Ok(false);
        }
        if exists(&self.store().join("db"))? {
            return Ok(true);
        }
        let what = "the file sled/db is missing";
        Err(OpenError::damaged_store(&self.dir, what))
    }

    /// Removes a store that was never put into place. Returns true if there was one.
    pub(super) fn remove_unfinished(&self) -> Result<bool, OpenError> {
        let unfinished = self.unfinished_store();
        if !exists(&unfinished)? {
            return Ok(false);
        }
        // Nothing is lost: a first store is renamed before anything is acknowledged, and a rebuilt one contains copies only.
        let removed = fs::remove_dir_all(&unfinished);
        removed.map_err(|error| OpenError::io("remove an unfinished store", &unfinished, error))?;
        Ok(true)
    }

    /// Copies the store. Returns the directory of the copy; `None` if the store's main file is missing.
    pub(super) fn make_trial(&self, trial: CopiedParts) -> Result<Option<PathBuf>, OpenError> {
        self.remove_trial()?;
        let (store, path) = (self.store(), self.trial());
        if !exists(&store.join("db"))? {
            return Ok(None);
        }
        let failed = |error| OpenError::io("copy the store to", &path, error);
        fs::create_dir(&path).map_err(failed)?;
        fs::copy(store.join("db"), path.join("db")).map_err(failed)?;
        if trial == CopiedParts::Whole {
            for cache in caches(&store)? {
                if let Some(name) = cache.file_name() {
                    fs::copy(&cache, path.join(name)).map_err(failed)?;
                }
            }
        }
        Ok(Some(path))
    }

    /// Puts the complete unfinished store in place of the damaged one. Returns the new directory of the damaged store; `None` if there was none.
    pub(super) fn replace_store(&self) -> Result<Option<PathBuf>, OpenError> {
        let (unfinished, rebuilt) = (self.unfinished_store(), self.rebuilt_store());
        sync_store(&unfinished)?;
        let failed = |error| OpenError::io("move the new store into place", &rebuilt, error);
        fs::rename(&unfinished, &rebuilt).map_err(failed)?;
        sync_dir(&self.dir)?;
        if !exists(&self.store())? {
            self.finish_replacement()?;
            return Ok(None);
        }
        let aside = self.make_aside()?;
        let path = aside.join("sled");
        fs::rename(self.store(), &path).map_err(failed)?;
        for dir in [&aside, &self.dir.join(SET_ASIDE), &self.dir] {
            sync_dir(dir)?;
        }
        self.finish_replacement()?;
        Ok(Some(path))
    }

    /// Completes the replacement of a store, or undoes it if the damaged store is still in place.
    fn finish_replacement(&self) -> Result<(), OpenError> {
        let (store, rebuilt) = (self.store(), self.rebuilt_store());
        if !exists(&rebuilt)? {
            return Ok(());
        }
        let failed = |error| OpenError::io("move the new store into place", &rebuilt, error);
        match exists(&store)? {
            // The damaged store has not been moved aside yet: discard the new store, and let this start rebuild it.
            true => fs::remove_dir_all(&rebuilt).map_err(failed)?,
            false => fs::rename(&rebuilt, &store).map_err(failed)?,
        }
        sync_dir(&self.dir)
    }

    fn rebuilt_store(&self) -> PathBuf {
        self.dir.join(REBUILT)
    }

    fn make_aside(&self) -> Result<PathBuf, OpenError> {
        let all = self.dir.join(SET_ASIDE);
        let (mut number, mut aside) = (1_u32, all.join("1"));
        while exists(&aside)? {
            number += 1;
            aside = all.join(number.to_string());
        }
        fs::create_dir_all(&aside)
            .map_err(|error| OpenError::io("set damaged files aside in", &all, error))?;
        Ok(aside)
    }

    /// Removes the trial copy, whose content is also in the store.
    pub(super) fn remove_trial(&self) -> Result<(), OpenError> {
        let trial = self.trial();
        match fs::remove_dir_all(&trial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(OpenError::io("remove the copy of the store", &trial, error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    pub(super) fn set_caches_aside(&self) -> Result<PathBuf, OpenError> {
        let all = self.dir.join(SET_ASIDE);
        let failed = |error| OpenError::io("set caches of the store aside in", &all, error);
        let aside = self.make_aside()?;
        for path in caches(&self.store())? {
            if let Some(name) = path.file_name() {
                fs::rename(&path, aside.join(name)).map_err(failed)?;
            }
        }
        for dir in [&aside, &all, &self.store(), &self.dir] {
            sync_dir(dir)?;
        }
        Ok(aside)
    }

    fn trial(&self) -> PathBuf {
        self.dir.join("sled.trial")
    }

    pub(super) fn finish_store(&self) -> Result<(), OpenError> {
        let unfinished = self.unfinished_store();
        sync_store(&unfinished)?;
        fs::rename(&unfinished, self.store())
            .map_err(|error| OpenError::io("move the new store into place", &unfinished, error))?;
        sync_dir(&self.dir)
    }

    /// Syncs the opened store and the directories that contain it, so that they survive a power cut.
    pub(super) fn sync_all(&self) -> Result<(), OpenError> {
        sync_store(&self.store())?;
        sync_dir(&self.dir)?;
        let dir = self.dir.canonicalize().ok();
        let parent = dir.as_deref().and_then(Path::parent);
        parent.map_or(Ok(()), sync_dir)
    }

    /// Reserves `bytes` bytes of disk space if at least twice as much is free. Too little space is not an error.
    pub(super) fn make_ballast(&self, bytes: u64) -> Result<(), OpenError> {
        let path = self.ballast();
        if bytes == 0 || fs::metadata(&path).is_ok_and(|found| found.len() == bytes) {
            return Ok(());
        }
        if self.free_bytes()? < bytes.saturating_mul(2) {
            return Ok(());
        }
        let failed = |error| OpenError::io("reserve disk space", &path, error);
        let file = File::create(&path).map_err(failed)?;
        let reserved = rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, bytes);
        match reserved.map_err(io::Error::from) {
            Ok(()) => file.sync_all().map_err(failed),
            // The disk is full after all, or the file system cannot reserve space: continue without a reserve.
            Err(error) if is_full(&error) || error.kind() == io::ErrorKind::Unsupported => {
                remove_file(&path).map(|_| ())
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn ballast(&self) -> PathBuf {
        self.dir.join("ballast")
    }

    pub(super) fn free_bytes(&self) -> Result<u64, OpenError> {
        let what = "find out how much space is left";
        let stat = rustix::fs::statvfs(&self.dir);
        let stat = stat.map_err(|error| OpenError::io(what, &self.dir, error.into()))?;
        Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
}

impl Drop for DataDir {
    /// Releases the lock immediately. Closing the file might not release it yet: a child process that is being
    /// started holds a copy of the file descriptor until its `exec`.
    fn drop(&mut self) {
        // If this fails, the lock is released later, when the last file descriptor is closed.
        let _ = rustix::fs::flock(&self.lock, FlockOperation::Unlock);
        self.release.tell();
    }
}

fn take_lock(dir: &Path) -> Result<File, OpenError> {
    let path = dir.join("lock");
    let failed = |error| OpenError::io("lock the data directory", &path, error);
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(failed)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text); // the pid is optional information
            return Err(OpenError::InUse {
                dir: dir.to_path_buf(),
                pid: text.trim().parse().ok(),
            });
        }
        Err(error) => return Err(failed(error.into())),
    }
    // On a full disk the process id may be missing, but the lock is held.
    let emptied = file.set_len(0);
    match emptied.and_then(|()| writeln!(file, "{}", std::process::id())) {
        Err(error) if !is_full(&error) => Err(failed(error)),
        Ok(()) | Err(_) => Ok(file),
    }
}

/// Returns sled's half-written snapshots. Sled would mistake them for complete ones and then fail to open.
fn half_written_snapshots(store: &Path) -> Result<Vec<PathBuf>, OpenError> {
    files_named(store, |name| {
        name.starts_with("snap.") && name.ends_with(".generating")
    })
}

/// Returns sled's caches: the files that sled writes again if they are missing.
fn caches(store: &Path) -> Result<Vec<PathBuf>, OpenError> {
    files_named(store, |name| name == "conf" || name.starts_with("snap."))
}

fn files_named(store: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, OpenError> {
    let failed = |error| OpenError::io("list the store", store, error);
    let mut found = Vec::new();
    for entry in fs::read_dir(store).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if wanted(&path.file_name().unwrap_or_default().to_string_lossy()) {
            found.push(path);
        }
    }
    Ok(found)
}

fn sync_store(store: &Path) -> Result<(), OpenError> {
    for name in ["db", "conf"] {
        let path = store.join(name);
        File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(|error| OpenError::io("sync the store", &path, error))?;
    }
    sync_dir(store)
}

fn sync_dir(dir: &Path) -> Result<(), OpenError> {
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(|error| OpenError::io("sync the directory", dir, error))
}

fn exists(path: &Path) -> Result<bool, OpenError> {
    path.try_exists()
        .map_err(|error| OpenError::io("look for", path, error))
}

fn remove_file(path: &Path) -> Result<bool, OpenError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(OpenError::io("remove", path, error)),
    }
}
