//! Replaces the hall's authority: from then on, the new one certifies clocks, gateways and arbiters. The former one vouches for it until the change
//! is complete.
//!
//! Owns the files of both authorities and the order in which they are written: a power cut leaves the authority either unchanged or replaced. The
//! replacement must never run while a hub uses the directory.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{AUTHORITY_FILE, Authority, IdentityError, files, make_chief_file};

/// File in the data directory: the former authority with its key, until every clock has had time to receive the new one.
pub const FORMER_AUTHORITY_FILE: &str = "former-authority.json";
/// File in the data directory: the hub's secret for Bluetooth LE, once the authority that it was derived from is no longer the current one.
const EXCHANGE_FILE: &str = "ble-key.hex";
const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

/// Number of days for which the former authority stays valid, unless the caller chooses another.
pub const OVERLAP_DAYS: u32 = 30;

/// The authority before the current one, which clients may still trust.
#[derive(Debug)]
pub struct FormerAuthority {
    authority: Authority,
    until_us: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum RollError {
    #[error("{0} has no authority yet: the hub makes one at its first start")]
    NoAuthority(std::path::PathBuf),
    /// Clocks that were offline during the last change may not have received the new authority yet.
    #[error(
        "the last change of authority is not complete: the former authority is valid until {0}; repeat the change after that date"
    )]
    Incomplete(crate::time_source::WallTime),
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

#[derive(Debug)]
pub struct AuthorityRollover {
    /// Fingerprint of the former authority.
    pub former: [u8; 16],
    /// Fingerprint of the new authority.
    pub current: [u8; 16],
    /// The time until which the former authority is valid: Unix time, microseconds.
    pub until_us: i64,
}

impl FormerAuthority {
    pub(crate) fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Returns the former authority's expiry: Unix time, microseconds.
    pub fn until_us(&self) -> i64 {
        self.until_us
    }

    pub fn is_valid(&self, now_us: i64) -> bool {
        now_us < self.until_us
    }
}

#[derive(Serialize, Deserialize)]
struct FormerFile {
    version: u32,
    authority_pem: String,
    until_us: i64,
}

/// Replaces the authority in `dir` at `now_us`. The former authority stays valid for `days`. The caller holds the directory's lock.
///
/// # Errors
/// Returns any [`RollError`]. The authority is then unchanged, unless the failure came after the new authority's file was in place.
pub fn roll_authority(dir: &Path, now_us: i64, days: u32) -> Result<AuthorityRollover, RollError> {
    let path = dir.join(AUTHORITY_FILE);
    if !files::exists(&path)? {
        return Err(RollError::NoAuthority(dir.to_owned()));
    }
    let former = read_authority(&path)?;
    if let Some(older) = open_former(dir, &former)?
        && older.is_valid(now_us)
    {
        let until = crate::time_source::WallTime::from_unix_us(older.until_us);
        return Err(RollError::Incomplete(until));
    }
    keep_exchange_secret(dir, &former)?;
    let current = Authority::generate()?;
    let until_us = now_us.saturating_add(i64::from(days).saturating_mul(DAY_US));
    let kept = FormerFile {
        version: files::FORMAT_VERSION,
        authority_pem: former.to_pem(),
        until_us,
    };
    // This file has no effect while it names the current authority.
    files::write_json(&dir.join(FORMER_AUTHORITY_FILE), &kept)?;
    files::write_private(&path, &current.to_pem())?;
    make_chief_file(dir, &current, now_us, "flagfall roll-authority")?;
    Ok(AuthorityRollover {
        former: former.fingerprint(),
        current: current.fingerprint(),
        until_us,
    })
}

pub(super) fn read_authority(path: &Path) -> Result<Authority, IdentityError> {
    const ADVICE: &str = "restore it from a copy; if there is none, `flagfall roll-authority --lost` makes a new authority, with which every clock and arbiter must enrol again";
    let read = Authority::from_pem(&files::read_private(path)?);
    read.map_err(|what| files::damaged(path, what, ADVICE))
}

/// Reads the former authority; `None` if there is none, or if it is `current` itself.
pub(super) fn open_former(
    dir: &Path,
    current: &Authority,
) -> Result<Option<FormerAuthority>, IdentityError> {
    const ADVICE: &str = "restore it from a copy, or move it away: clocks that have not connected since the authority changed must then enrol again";
    let path = dir.join(FORMER_AUTHORITY_FILE);
    let Some(kept) = files::find_json::<FormerFile>(&path, ADVICE)? else {
        return Ok(None);
    };
    files::check_version(&path, kept.version, ADVICE)?;
    let authority = Authority::from_pem(&kept.authority_pem)
        .map_err(|what| files::damaged(&path, what, ADVICE))?;
    // A power cut interrupted the change before the new authority was written.
    if authority.certificate() == current.certificate() {
        return Ok(None);
    }
    Ok(Some(FormerAuthority {
        authority,
        until_us: kept.until_us,
    }))
}

pub(super) fn remove_former(dir: &Path) -> Result<(), IdentityError> {
    files::remove(&dir.join(FORMER_AUTHORITY_FILE))
}

/// Returns the hub's X25519 secret key. Clocks use the public key over Bluetooth LE, and the secret survives a change of authority.
pub(super) fn exchange_secret(dir: &Path, current: &Authority) -> Result<[u8; 32], IdentityError> {
    let path = dir.join(EXCHANGE_FILE);
    if !files::exists(&path)? {
        return Ok(derived(current));
    }
    let text = files::read_private(&path)?;
    let bytes = proto::ids::unhex(text.trim()).ok();
    bytes
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| files::damaged(
            &path,
            "it must have 64 hexadecimal digits".to_owned(),
            "restore it from a copy, or move it away: clocks on Bluetooth LE must then enrol again",
        ))
}

fn keep_exchange_secret(dir: &Path, former: &Authority) -> Result<(), IdentityError> {
    let path = dir.join(EXCHANGE_FILE);
    if files::exists(&path)? {
        return Ok(());
    }
    files::write_private(&path, &(proto::ids::hex(&derived(former)) + "\n"))
}

fn derived(authority: &Authority) -> [u8; 32] {
    authority.secret_for("ble exchange key")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{CHIEF_FILE, Credentials, Identity};

    #[test]
    fn the_former_authority_stays_until_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let before = Identity::open(dir.path()).unwrap();
        let secret = before.exchange_secret();
        let rolled = roll_authority(dir.path(), 5 * DAY_US, 30).unwrap();
        assert_eq!(rolled.former, before.authority().fingerprint());
        let mut after = Identity::open(dir.path()).unwrap();
        assert_eq!(after.authority().fingerprint(), rolled.current);
        assert_ne!(rolled.current, rolled.former);
        assert_eq!(after.exchange_secret(), secret, "clocks know this key");
        let chief = Credentials::load(&dir.path().join(CHIEF_FILE)).unwrap();
        assert_eq!(chief.authority(), after.authority_der());

        let again = roll_authority(dir.path(), 34 * DAY_US, 30);
        assert!(matches!(again, Err(RollError::Incomplete(_))), "{again:?}");
        after.end_former(35 * DAY_US - 1).unwrap();
        assert!(after.former().is_some());
        after.end_former(35 * DAY_US).unwrap();
        assert!(after.former().is_none());
        assert!(!dir.path().join(FORMER_AUTHORITY_FILE).exists());
        roll_authority(dir.path(), 35 * DAY_US, 30).unwrap();
        let last = Identity::open(dir.path()).unwrap();
        assert_eq!(last.exchange_secret(), secret);
    }

    #[test]
    fn a_change_that_was_cut_off_is_undone() {
        let dir = tempfile::tempdir().unwrap();
        let before = Identity::open(dir.path()).unwrap();
        let kept = FormerFile {
            version: files::FORMAT_VERSION,
            authority_pem: before.authority().to_pem(),
            until_us: i64::MAX,
        };
        let text = serde_json::to_string(&kept).unwrap();
        files::write_private(&dir.path().join(FORMER_AUTHORITY_FILE), &text).unwrap();
        assert!(Identity::open(dir.path()).unwrap().former().is_none());
        roll_authority(dir.path(), 0, 30).unwrap();
        assert!(Identity::open(dir.path()).unwrap().former().is_some());
    }

    #[test]
    fn a_directory_without_an_authority_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let refused = roll_authority(dir.path(), 0, 30);
        assert!(matches!(refused, Err(RollError::NoAuthority(_))));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
