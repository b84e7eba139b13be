//! Arbiters' key files, with their holders, expiry dates and revocations. Each key file has a small record in the folder `key-files` of the data
//! directory. `flagfall credential` adds records while the hub runs, and only the hub changes them.
//!
//! A key file without a record is refused: its record, and a revocation in it, may have been lost. Must never hold a key.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls_pki_types::CertificateDer;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{Arbiter, IdentityError, Revoked, Role, WallClock, files};
use crate::lock::lock;

pub(super) const FOLDER: &str = "key-files";
/// The first Unix second of 2099. A certificate that ends then or later has no expiry of its own.
const NO_EXPIRY_FROM: i64 = 4_070_908_800;
pub(crate) const REVOKED: &str =
    "this key file was revoked: ask the chief arbiter for a new one, or for a code";
const UNKNOWN: &str =
    "this hub has no record of this key file: ask the chief arbiter for a new one, or for a code";

/// The id of a key file: `k-` and the first 16 hexadecimal digits of its certificate's serial number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KeyFileId(String);

impl KeyFileId {
    pub const PREFIX: &'static str = "k-";

    pub fn of_serial(serial: &[u8]) -> Self {
        let digits: String = proto::ids::hex(serial).chars().take(16).collect();
        Self(Self::PREFIX.to_owned() + &digits)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyFileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFile {
    pub id: KeyFileId,
    #[serde(flatten)]
    pub arbiter: Arbiter,
    /// Time of issue: Unix time, microseconds.
    pub issued_us: i64,
    /// The program that created the key file, or the occasion, such as the hub's start.
    pub issued_by: String,
    /// Time at which the key file expires: Unix time, microseconds; `None` for never.
    pub expires_us: Option<i64>,
    pub revoked: Option<Revoked>,
}

impl KeyFile {
    fn of(
        certificate: &CertificateDer<'_>,
        arbiter: &Arbiter,
        issued_us: i64,
        issued_by: &str,
    ) -> Option<Self> {
        let (serial, expires_us) = read_certificate(certificate)?;
        Some(Self {
            id: KeyFileId::of_serial(&serial),
            arbiter: arbiter.clone(),
            issued_us,
            issued_by: issued_by.to_owned(),
            expires_us,
            revoked: None,
        })
    }

    /// Returns true if this is a chief arbiter's key file that is not revoked.
    fn is_chiefs(&self) -> bool {
        self.revoked.is_none() && self.arbiter.role == Role::Chief
    }
}

#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error("there is no key file {0:?}; `flagfall ctl devices` lists all key files")]
    NotFound(String),
    #[error("more than one key file's id begins with {0:?}")]
    Ambiguous(String),
    /// Some records cannot be read, and the text is not the whole id of a key file with a readable record.
    #[error(
        "no key file was revoked, because not all their records can be read: {0}; to revoke one whose record is intact, give its whole id"
    )]
    Unreadable(#[source] IdentityError),
    #[error(
        "the key file is revoked until the hub stops, but the revocation could not be stored: {0}"
    )]
    NotStored(#[source] IdentityError),
}

pub struct KeyFiles {
    folder: PathBuf,
    wall: WallClock,
    known: Mutex<BTreeMap<KeyFileId, Known>>,
    /// Held while a record is written, so that an older record never replaces a revocation. Locked before `known`.
    writing: Mutex<()>,
}

struct Known {
    key_file: KeyFile,
    /// Cancelled when the key file is revoked.
    over: CancellationToken,
    connections: usize,
}

impl Known {
    fn new(key_file: KeyFile) -> Self {
        let over = CancellationToken::new();
        if key_file.revoked.is_some() {
            over.cancel();
        }
        Self {
            key_file,
            over,
            connections: 0,
        }
    }

    /// Ends the connections of the key file and marks it as revoked, unless it already was.
    fn shut_out(&mut self, by: &str, reason: &str, at_us: i64) {
        self.over.cancel();
        self.key_file.revoked.get_or_insert_with(|| Revoked {
            at_us,
            by: by.to_owned(),
            reason: reason.to_owned(),
        });
    }
}

/// Records a key file that was just made for `arbiter`, in the data directory `dir`.
///
/// # Errors
/// Returns [`IdentityError::Io`], or [`IdentityError::Make`] if `certificate` cannot be read.
pub fn record_key_file(
    dir: &Path,
    certificate: &CertificateDer<'_>,
    arbiter: &Arbiter,
    issued_us: i64,
    issued_by: &str,
) -> Result<KeyFile, IdentityError> {
    let made = KeyFile::of(certificate, arbiter, issued_us, issued_by);
    let made = made.ok_or_else(|| IdentityError::Make("it cannot be read again".to_owned()))?;
    store(&dir.join(FOLDER), &made)?;
    Ok(made)
}

impl KeyFiles {
    /// Reads the records in the data directory `dir`. Creates their folder. The caller holds the directory's lock.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] or [`IdentityError::Damaged`]. A record is never left out, because it may hold a revocation.
    pub fn open(dir: &Path, wall: WallClock) -> Result<Self, IdentityError> {
        let folder = dir.join(FOLDER);
        files::create_dir(&folder)?;
        let mut known = BTreeMap::new();
        for path in record_files(&folder)? {
            let key_file = read(&path)?;
            known.insert(key_file.id.clone(), Known::new(key_file));
        }
        Ok(Self {
            folder,
            wall,
            known: Mutex::new(known),
            writing: Mutex::new(()),
        })
    }

    /// Begins the use of a key file on one connection. TLS has already checked the certificate's signature and dates.
    ///
    /// # Errors
    /// Returns a sentence for the holder if the key file was revoked, has no record, or cannot be checked.
    pub fn begin_use(
        self: &Arc<Self>,
        certificate: &CertificateDer<'_>,
    ) -> Result<KeyFileUse, &'static str> {
        let now_us = (self.wall)();
        let (serial, expires_us) =
            read_certificate(certificate).ok_or("this certificate cannot be read")?;
        let id = KeyFileId::of_serial(&serial);
        let expires_in = expires_us.map(|at| at.saturating_sub(now_us));
        let mut known = lock(&self.known);
        let entry = match known.entry(id.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(Known::new(self.recorded(&id)?)),
        };
        if entry.over.is_cancelled() {
            return Err(REVOKED);
        }
        entry.connections += 1;
        Ok(KeyFileUse {
            files: self.clone(),
            id,
            over: entry.over.clone(),
            expires_in: expires_in.map(|us| Duration::from_micros(us.max(0).unsigned_abs())),
        })
    }

    /// Reads the record of a key file that is not loaded yet.
    fn recorded(&self, id: &KeyFileId) -> Result<KeyFile, &'static str> {
        let path = self.folder.join(file_name(id));
        match read(&path) {
            Ok(recorded) => Ok(recorded),
            Err(_) if matches!(files::exists(&path), Ok(false)) => Err(UNKNOWN),
            Err(error) => {
                tracing::error!(%error, "a key file is refused: it may have been revoked");
                Err("the hub cannot read its record of this key file: its log says why")
            }
        }
    }

    /// Reads the folder. Returns every key file in the order of issue, and whether it is in use.
    ///
    /// # Errors
    /// Returns the same errors as [`KeyFiles::open`].
    pub fn list(&self) -> Result<Vec<(KeyFile, bool)>, IdentityError> {
        self.learn_new()?;
        let known = lock(&self.known);
        let in_use = |known: &Known| (known.key_file.clone(), known.connections > 0);
        let mut all: Vec<_> = known.values().map(in_use).collect();
        all.sort_by_key(|(key_file, _)| key_file.issued_us);
        Ok(all)
    }

    /// Returns the arbiters with a key file that is neither revoked nor expired, once for each file. Reads the folder.
    ///
    /// # Errors
    /// Returns the same errors as [`KeyFiles::open`].
    pub(crate) fn arbiters(&self) -> Result<Vec<Arbiter>, IdentityError> {
        let now_us = (self.wall)();
        let valid = |key_file: &KeyFile| {
            key_file.revoked.is_none()
                && key_file.expires_us.is_none_or(|end| end > now_us)
                && key_file.arbiter.role.is_arbiter()
        };
        let all = self.list()?.into_iter().map(|(key_file, _)| key_file);
        Ok(all.filter(valid).map(|key_file| key_file.arbiter).collect())
    }

    /// Returns the only key file whose id has this prefix. Reads the folder.
    pub fn find(&self, beginning: &str) -> Result<KeyFile, KeyFileError> {
        self.with_only(beginning, |known| known.key_file.clone())
    }

    /// Revokes the only key file whose id has this prefix, ends its connections, and then stores the revocation.
    pub fn revoke(&self, beginning: &str, by: &str, reason: &str) -> Result<KeyFile, KeyFileError> {
        let revoked = self.with_only(beginning, |known| {
            known.shut_out(by, reason, (self.wall)());
            known.key_file.clone()
        })?;
        tracing::warn!(key_file = %revoked.id, holder = %revoked.arbiter, by, "a key file is revoked");
        let stored = self.store_newest(&revoked.id);
        stored.map_err(KeyFileError::NotStored)?;
        Ok(revoked)
    }

    fn with_only<T>(
        &self,
        beginning: &str,
        act: impl FnOnce(&mut Known) -> T,
    ) -> Result<T, KeyFileError> {
        let learned = self.learn_new();
        let mut known = lock(&self.known);
        let is_whole_id = known.keys().any(|id| id.as_str() == beginning);
        match learned {
            // A prefix might also be that of the unreadable record's key file, but a whole id is unique. A damaged record must not protect another
            // key file.
            Err(error) if !is_whole_id => Err(KeyFileError::Unreadable(error)),
            Ok(()) | Err(_) => only(&mut known, beginning).map(act),
        }
    }

    /// Returns the key files of chief arbiters that are not revoked. Reads the folder.
    ///
    /// # Errors
    /// Returns the same errors as [`KeyFiles::open`].
    pub fn chiefs(&self) -> Result<Vec<KeyFileId>, IdentityError> {
        let all = self.list()?.into_iter().map(|(key_file, _)| key_file);
        let chiefs = all.filter(KeyFile::is_chiefs);
        Ok(chiefs.map(|key_file| key_file.id).collect())
    }

    /// Revokes every key file of a chief arbiter, ends their connections, and then stores the revocations.
    ///
    /// # Errors
    /// Fails if a record cannot be read or a revocation cannot be stored. The key files already loaded then stay revoked at least until the hub
    /// stops.
    pub fn revoke_chiefs(&self, by: &str, reason: &str) -> Result<(), IdentityError> {
        // A damaged folder must not protect the key files already loaded.
        let mut revoked = self.shut_out_chiefs(by, reason);
        self.learn_new()?;
        revoked.extend(self.shut_out_chiefs(by, reason));
        revoked.iter().try_for_each(|id| self.store_newest(id))
    }

    fn shut_out_chiefs(&self, by: &str, reason: &str) -> Vec<KeyFileId> {
        let mut known = lock(&self.known);
        let chiefs = known.values_mut();
        let chiefs = chiefs.filter(|known| known.key_file.is_chiefs());
        let shut_out = chiefs.map(|known| {
            known.shut_out(by, reason, (self.wall)());
            tracing::warn!(key_file = %known.key_file.id, by, "a key file is revoked");
            known.key_file.id.clone()
        });
        shut_out.collect()
    }

    /// Loads every new record that can be read, and then returns the first error, if any.
    fn learn_new(&self) -> Result<(), IdentityError> {
        let mut learned = Ok(());
        for path in record_files(&self.folder)? {
            let stem = path.file_stem().unwrap_or_default();
            if lock(&self.known).keys().any(|id| stem == id.as_str()) {
                continue;
            }
            match read(&path) {
                Ok(key_file) => {
                    let mut known = lock(&self.known);
                    let entry = known.entry(key_file.id.clone());
                    entry.or_insert_with(|| Known::new(key_file));
                }
                Err(error) => learned = learned.and(Err(error)),
            }
        }
        learned
    }

    fn store_newest(&self, id: &KeyFileId) -> Result<(), IdentityError> {
        let _one_at_a_time = lock(&self.writing);
        let newest = lock(&self.known)
            .get(id)
            .map(|known| known.key_file.clone());
        newest.map_or(Ok(()), |newest| store(&self.folder, &newest))
    }
}

/// A connection's use of a key file, which ends when this value is dropped.
pub struct KeyFileUse {
    files: Arc<KeyFiles>,
    id: KeyFileId,
    over: CancellationToken,
    expires_in: Option<Duration>,
}

impl KeyFileUse {
    pub fn id(&self) -> &KeyFileId {
        &self.id
    }

    /// Returns the token that is cancelled when the key file is revoked.
    pub fn over(&self) -> CancellationToken {
        self.over.clone()
    }

    /// Returns the time from the start of this use until the key file expires; `None` if it never expires.
    pub fn expires_in(&self) -> Option<Duration> {
        self.expires_in
    }
}

impl Drop for KeyFileUse {
    fn drop(&mut self) {
        if let Some(known) = lock(&self.files.known).get_mut(&self.id) {
            known.connections = known.connections.saturating_sub(1);
        }
    }
}

/// Returns a certificate's serial number and its expiry: Unix time in microseconds, `None` for never.
fn read_certificate(certificate: &CertificateDer<'_>) -> Option<(Vec<u8>, Option<i64>)> {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate).ok()?;
    let end = parsed.validity().not_after.timestamp();
    let end = (end < NO_EXPIRY_FROM).then(|| end.saturating_mul(1_000_000));
    Some((parsed.raw_serial().to_vec(), end))
}

fn only<'a>(
    known: &'a mut BTreeMap<KeyFileId, Known>,
    beginning: &str,
) -> Result<&'a mut Known, KeyFileError> {
    let mut found = known
        .values_mut()
        .filter(|known| known.key_file.id.as_str().starts_with(beginning));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(KeyFileError::Ambiguous(beginning.to_owned())),
        (None, _) => Err(KeyFileError::NotFound(beginning.to_owned())),
    }
}

fn file_name(id: &KeyFileId) -> String {
    format!("{id}.json")
}

fn record_files(folder: &Path) -> Result<Vec<PathBuf>, IdentityError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(files::io("list", folder)(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(files::io("list", folder))?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            paths.push(path);
        }
    }
    Ok(paths)
}

fn read(path: &Path) -> Result<KeyFile, IdentityError> {
    const ADVICE: &str = "restore it from a copy; if there is none, move it away and make every key file invalid with `flagfall roll-authority --days 1`, because this one may have been revoked";
    files::read_json(path, ADVICE)
}

fn store(folder: &Path, key_file: &KeyFile) -> Result<(), IdentityError> {
    files::create_dir(folder)?;
    files::write_json(&folder.join(file_name(&key_file.id)), key_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Authority, Credentials, Role};

    fn wall() -> WallClock {
        Arc::new(|| 1_000_000)
    }

    fn ann() -> Arbiter {
        Arbiter::new(Role::Floor, "Ann")
    }

    #[test]
    fn a_revoked_key_file_stays_out_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let authority = Authority::generate().unwrap();
        let made = Credentials::issue(&authority, Role::Floor, "Ann").unwrap();
        let files = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        // Recorded by another program while the hub runs.
        let recorded = record_key_file(dir.path(), made.certificate(), &ann(), 7, "test").unwrap();
        assert_eq!(files.list().unwrap(), [(recorded.clone(), false)]);
        let held = files.begin_use(made.certificate()).unwrap();
        assert_eq!(held.id(), &recorded.id);
        assert_eq!(files.list().unwrap(), [(recorded.clone(), true)]);
        let revoked = files.revoke(recorded.id.as_str(), "chief", "lost").unwrap();
        assert!(held.over().is_cancelled());
        assert_eq!(revoked.revoked.as_ref().unwrap().reason, "lost");
        assert!(files.begin_use(made.certificate()).is_err());
        drop(held);
        let again = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        assert_eq!(again.list().unwrap(), [(revoked, false)]);
        assert!(again.begin_use(made.certificate()).is_err());
    }

    #[test]
    fn a_key_file_without_a_record_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let authority = Authority::generate().unwrap();
        let made = Credentials::issue(&authority, Role::Floor, "Ann").unwrap();
        let files = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        let unknown = files.begin_use(made.certificate());
        assert_eq!(unknown.err(), Some(UNKNOWN));
        assert!(files.list().unwrap().is_empty());
        record_key_file(dir.path(), made.certificate(), &ann(), 7, "test").unwrap();
        let held = files.begin_use(made.certificate()).unwrap();
        assert_eq!(held.expires_in(), None);
        files.revoke("k-", "chief", "").unwrap();
        fs::remove_dir_all(dir.path().join(FOLDER)).unwrap();
        let again = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        assert!(again.begin_use(made.certificate()).is_err());
        assert!(matches!(
            files.revoke("k-x", "chief", ""),
            Err(KeyFileError::NotFound(_))
        ));
    }

    #[test]
    fn a_recovery_revokes_the_key_files_of_chiefs_alone() {
        let dir = tempfile::tempdir().unwrap();
        let authority = Authority::generate().unwrap();
        let issue = |role| {
            let made = Credentials::issue(&authority, role, "Ann").unwrap();
            let holder = Arbiter { role, ..ann() };
            let kept = record_key_file(dir.path(), made.certificate(), &holder, 7, "test");
            (made, kept.unwrap().id)
        };
        let (used, unused, floor) = (issue(Role::Chief), issue(Role::Chief), issue(Role::Floor));
        let files = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        let held = files.begin_use(used.0.certificate()).unwrap();
        let of_floor = files.begin_use(floor.0.certificate()).unwrap();
        let chiefs = files.chiefs().unwrap();
        assert!(chiefs.len() == 2 && chiefs.contains(&unused.1));
        files.revoke_chiefs("recovery code", "lost").unwrap();
        assert!(held.over().is_cancelled() && !of_floor.over().is_cancelled());
        assert!(files.chiefs().unwrap().is_empty());
        let later = issue(Role::Chief);
        let restarted = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        for files in [&files, &restarted] {
            let begins = |made: &Credentials| files.begin_use(made.certificate()).is_ok();
            assert!(!begins(&used.0) && !begins(&unused.0));
            assert!(begins(&later.0) && begins(&floor.0));
        }
    }

    #[test]
    fn a_damaged_record_protects_no_other_key_file() {
        let dir = tempfile::tempdir().unwrap();
        let authority = Authority::generate().unwrap();
        let made = Credentials::issue(&authority, Role::Floor, "Ann").unwrap();
        let files = Arc::new(KeyFiles::open(dir.path(), wall()).unwrap());
        let recorded = record_key_file(dir.path(), made.certificate(), &ann(), 7, "test").unwrap();
        fs::write(dir.path().join(FOLDER).join("k-00.json"), "{").unwrap();
        for refused in [
            files.find("k-").unwrap_err(),
            files.revoke("k-", "chief", "lost").unwrap_err(),
            files.revoke("k-00", "chief", "lost").unwrap_err(),
        ] {
            let text = refused.to_string();
            assert!(matches!(refused, KeyFileError::Unreadable(_)), "{text}");
            assert!(text.starts_with("no key file was revoked"), "{text}");
        }
        let held = files.begin_use(made.certificate()).unwrap();
        let id = recorded.id.as_str();
        assert_eq!(files.find(id).unwrap(), recorded);
        let revoked = files.revoke(id, "chief", "lost").unwrap();
        assert!(held.over().is_cancelled());
        let stored = read(&dir.path().join(FOLDER).join(file_name(&recorded.id)));
        assert_eq!(stored.unwrap(), revoked);
    }

    #[test]
    fn a_damaged_record_is_not_ignored() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(FOLDER)).unwrap();
        fs::write(dir.path().join(FOLDER).join("k-00.json"), "{").unwrap();
        let opened = KeyFiles::open(dir.path(), wall());
        assert!(matches!(opened, Err(IdentityError::Damaged { .. })));
    }
}
