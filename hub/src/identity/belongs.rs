//! The rule that the authority and the log in a data directory belong together.
//!
//! Clocks trust one authority, and the log names it. A hub that started with parts of two directories, or with one part missing, would lock
//! every clock out, or show an empty hall. Owns these checks and the replacement of a lost authority. Must never create an authority without
//! the operator's command.

use std::path::{Path, PathBuf};

use durable_log::{ARCHIVE_DIR, REBUILT, stated_head};
use proto::enrolment::fingerprint_text;
use serde::{Deserialize, Serialize};

use super::roll::{FORMER_AUTHORITY_FILE, open_former, read_authority};
use super::{
    AUTHORITY_FILE, Authority, CHIEF_FILE, IdentityError, LOG_KEY_FILE, files, make_chief_file,
};

/// File in the data directory: names the log that a new authority took over, until the log itself names that authority.
const SUCCESSOR_FILE: &str = "authority-successor.json";

/// The length, the origin and the authority of a log, according to the log itself.
#[derive(Clone, Copy, Debug)]
pub struct LogIdentity<'a> {
    pub records: u64,
    /// The origin, which names the log; `None` while the log is empty.
    pub origin: Option<&'a str>,
    /// Fingerprint of the authority under which the hub last started; `None` if the log states none.
    pub authority: Option<[u8; 16]>,
}

#[derive(Debug, thiserror::Error)]
pub enum DataDirectoryError {
    #[error(
        "{}: the log is missing: there is an authority ({AUTHORITY_FILE}), but no directory sled; copy sled and head from the same backup of \
         this directory, or start a new event in another directory with --data-dir, where every clock enrols again (nothing was changed)",
        dir.display()
    )]
    LogMissing { dir: PathBuf },
    #[error(
        "{}: the authority is missing: the log has {records} records, but there is no {AUTHORITY_FILE}, which every clock and arbiter \
         trusts; copy it from a backup of this directory; if there is none, make a new one, with which every clock and arbiter must enrol \
         again: flagfall roll-authority --lost --data-dir {}",
        dir.display(), dir.display()
    )]
    AuthorityMissing { dir: PathBuf, records: u64 },
    #[error(
        "{}: the log belongs to another hub: its authority was {}, but {AUTHORITY_FILE} is {}; copy sled, head and {AUTHORITY_FILE} from the \
         same backup; if the log's authority is lost, make a new one, with which every clock and arbiter must enrol again: \
         flagfall roll-authority --lost --data-dir {}",
        dir.display(), fingerprint_text(log), fingerprint_text(found), dir.display()
    )]
    OtherAuthority {
        dir: PathBuf,
        /// Fingerprint of the log's authority.
        log: [u8; 16],
        /// Fingerprint of the authority in the directory.
        found: [u8; 16],
    },
    #[error("{}: the authority is not lost: it is the log's own; to replace it, leave --lost out", dir.display())]
    NotLost { dir: PathBuf },
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Successor {
    log_origin: String,
    /// Fingerprint of the log's authority; empty if the log names none.
    lost: String,
    current: String,
}

impl Successor {
    fn of(log: LogIdentity<'_>, current: [u8; 16]) -> Self {
        Self {
            log_origin: log.origin.unwrap_or_default().to_owned(),
            lost: log
                .authority
                .map(|one| fingerprint_text(&one))
                .unwrap_or_default(),
            current: fingerprint_text(&current),
        }
    }
}

/// Checks, before the log of `dir` is opened, that no authority is without a log, and no archive without the log's key. A first start creates the
/// log before the authority.
///
/// # Errors
/// Returns [`DataDirectoryError::LogMissing`], or [`DataDirectoryError::Identity`] if the directory cannot be read or the log's key is missing.
pub fn check_log_exists(dir: &Path) -> Result<(), DataDirectoryError> {
    let authority = files::exists(&dir.join(AUTHORITY_FILE))?;
    let archived = files::exists(&dir.join(ARCHIVE_DIR).join("checkpoint"))?;
    // A lost store is rebuilt from the archive, up to the length that the file `head` states.
    let has_log = files::exists(&dir.join("sled"))?
        || files::exists(&dir.join(REBUILT))?
        || archived && matches!(stated_head(dir), Ok(Some((1.., _))));
    if authority && !has_log {
        return Err(DataDirectoryError::LogMissing {
            dir: dir.to_owned(),
        });
    }
    if archived && !files::exists(&dir.join(LOG_KEY_FILE))? {
        return Err(IdentityError::NoLogKey {
            dir: dir.to_owned(),
        }
        .into());
    }
    Ok(())
}

/// Checks that the authority in `dir` is the log's own or its successor. An empty log needs no authority, and any authority fits a log that states
/// none. The caller holds the directory's lock.
///
/// # Errors
/// Returns [`DataDirectoryError::AuthorityMissing`], [`DataDirectoryError::OtherAuthority`] or [`DataDirectoryError::Identity`].
pub fn check_authority(dir: &Path, log: LogIdentity<'_>) -> Result<(), DataDirectoryError> {
    if log.records == 0 {
        return Ok(());
    }
    let path = dir.join(AUTHORITY_FILE);
    if !files::exists(&path)? {
        return Err(DataDirectoryError::AuthorityMissing {
            dir: dir.to_owned(),
            records: log.records,
        });
    }
    let current = read_authority(&path)?;
    let found = current.fingerprint();
    let Some(recorded) = log.authority else {
        return Ok(());
    };
    if recorded == found {
        return files::remove(&dir.join(SUCCESSOR_FILE)).map_err(DataDirectoryError::from);
    }
    let former = open_former(dir, &current)?;
    let rolled = former.is_some_and(|former| former.authority().fingerprint() == recorded);
    if rolled || successor(dir)? == Some(Successor::of(log, found)) {
        return Ok(());
    }
    Err(DataDirectoryError::OtherAuthority {
        dir: dir.to_owned(),
        log: recorded,
        found,
    })
}

/// Creates, at `now_us`, a new authority for a log whose own authority is lost, and returns its fingerprint. Moves existing authority files and
/// the chief arbiter's key file aside. The caller holds the directory's lock.
///
/// # Errors
/// Returns [`DataDirectoryError::NotLost`] or [`DataDirectoryError::Identity`].
pub fn replace_lost_authority(
    dir: &Path,
    log: LogIdentity<'_>,
    now_us: i64,
) -> Result<[u8; 16], DataDirectoryError> {
    match check_authority(dir, log) {
        Ok(()) => {
            return Err(DataDirectoryError::NotLost {
                dir: dir.to_owned(),
            });
        }
        Err(DataDirectoryError::Identity(error @ IdentityError::Io { .. })) => {
            return Err(error.into());
        }
        Err(_) => (),
    }
    files::set_aside(dir, &[AUTHORITY_FILE, FORMER_AUTHORITY_FILE, CHIEF_FILE])?;
    let authority = Authority::generate()?;
    let successor = Successor::of(log, authority.fingerprint());
    // Write this file before the authority: without it, the next start would refuse the new authority.
    files::write_json(&dir.join(SUCCESSOR_FILE), &successor)?;
    files::write_private(&dir.join(AUTHORITY_FILE), &authority.to_pem())?;
    make_chief_file(dir, &authority, now_us, "flagfall roll-authority --lost")?;
    Ok(authority.fingerprint())
}

fn successor(dir: &Path) -> Result<Option<Successor>, IdentityError> {
    let advice = "move it away, and use `flagfall roll-authority --lost` again";
    files::find_json(&dir.join(SUCCESSOR_FILE), advice)
}
