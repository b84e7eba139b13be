//! The key that signs the log's checkpoints: private, never logged. Owns its file: the secret, and, for
//! each former key, that key's signed statement of the next key. The key is separate from the authority's, so that earlier proofs stay
//! valid under a new authority.

use std::path::Path;

use ed25519_dalek::SigningKey;
use proto::note::{Signer, Successor};

use super::{IdentityError, files, random};

/// File in the data directory. Anyone who can read it can sign a different history of the log.
pub const LOG_KEY_FILE: &str = "log-key.hex";

struct LogKey {
    key: SigningKey,
    changes: Vec<Successor>,
}

impl LogKey {
    fn read(path: &Path) -> Result<Option<LogKey>, IdentityError> {
        if !files::exists(path)? {
            return Ok(None);
        }
        let text = files::read_private(path)?;
        let damaged = |what: &str| IdentityError::DamagedLogKey {
            path: path.to_owned(),
            what: what.to_owned(),
        };
        let mut lines = text.lines();
        let seed = hex::decode(lines.next().unwrap_or_default().trim()).ok();
        let seed: [u8; 32] = seed
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| damaged("its first line must have 64 hexadecimal digits"))?;
        let changes = lines.map(str::parse).collect::<Result<Vec<Successor>, _>>();
        let changes = changes.map_err(|_| {
            damaged("after its first line, each line must be a former key's statement of the next")
        })?;
        let key = SigningKey::from_bytes(&seed);
        Ok(Some(LogKey { key, changes }))
    }

    fn signer(self, origin: &str) -> Result<Signer, IdentityError> {
        let signer = Signer::new(origin, self.key);
        signer
            .map(|signer| signer.succeeding(self.changes))
            .map_err(IdentityError::make)
    }

    fn write(&self, path: &Path) -> Result<(), IdentityError> {
        let mut text = format!("{}\n", hex::encode(self.key.to_bytes()));
        for change in &self.changes {
            text.push_str(&format!("{change}\n"));
        }
        files::write_private(path, &text)
    }
}

/// Returns a signer that uses the key in `dir` and signs as `origin`, the log's name. Creates the key if there is none.
///
/// # Errors
/// Returns [`IdentityError::Io`], [`IdentityError::DamagedLogKey`] or [`IdentityError::Make`]. A damaged key is never replaced.
pub fn log_signer(dir: &Path, origin: &str) -> Result<Signer, IdentityError> {
    let path = dir.join(LOG_KEY_FILE);
    match LogKey::read(&path)? {
        Some(found) => found.signer(origin),
        None => {
            let made = LogKey {
                key: SigningKey::from_bytes(&random()?),
                changes: Vec::new(),
            };
            made.write(&path)?;
            made.signer(origin)
        }
    }
}

/// Returns a signer that uses the key in `dir` and signs as `origin`, the log's name; `None` if there is no key.
pub fn known_log_signer(dir: &Path, origin: &str) -> Result<Option<Signer>, IdentityError> {
    let known = LogKey::read(&dir.join(LOG_KEY_FILE))?;
    known.map(|key| key.signer(origin)).transpose()
}

/// Replaces the log's key in `dir` with a new one that the former key names as its successor. The former secret is not kept. The
/// caller holds the directory's lock.
///
/// # Errors
/// Returns [`IdentityError::Io`], [`IdentityError::DamagedLogKey`] or [`IdentityError::Make`]. The key is then unchanged, unless only
/// the final sync of the directory failed.
pub fn roll_log_key(dir: &Path) -> Result<(), IdentityError> {
    let path = dir.join(LOG_KEY_FILE);
    let Some(LogKey {
        key: former,
        mut changes,
    }) = LogKey::read(&path)?
    else {
        return Err(IdentityError::Make(format!(
            "{} has no {LOG_KEY_FILE}: start the hub, which makes it",
            dir.display()
        )));
    };
    let key = SigningKey::from_bytes(&random()?);
    changes.push(Successor::sign(&former, &key.verifying_key()));
    LogKey { key, changes }.write(&path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_key_is_private_and_created_only_once() {
        let dir = tempfile::tempdir().unwrap();
        let key = log_signer(dir.path(), "flagfall/a/b").unwrap();
        let path = dir.path().join(LOG_KEY_FILE);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = log_signer(dir.path(), "flagfall/a/b").unwrap();
        assert_eq!(again.verifier(), key.verifier());
        let other = tempfile::tempdir().unwrap();
        let other = log_signer(other.path(), "flagfall/a/b").unwrap();
        assert_ne!(other.verifier(), key.verifier());
    }

    #[test]
    fn a_rolled_key_is_accepted_by_those_who_know_a_former_one() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = proto::checkpoint::Checkpoint {
            origin: "flagfall/a/b".to_owned(),
            size: 0,
            root: [1; 32],
            concealed: None,
        };
        let first = log_signer(dir.path(), "flagfall/a/b").unwrap();
        roll_log_key(dir.path()).unwrap();
        let second = log_signer(dir.path(), "flagfall/a/b").unwrap();
        roll_log_key(dir.path()).unwrap();
        let third = log_signer(dir.path(), "flagfall/a/b").unwrap();
        let note = checkpoint.sign(&third);
        for known in [&first, &second, &third] {
            let opened = proto::checkpoint::Checkpoint::open(&note, known.verifier());
            assert_eq!(opened.as_ref(), Ok(&checkpoint));
        }
        assert_eq!(third.verifiers().len(), 3);
        let text = std::fs::read_to_string(dir.path().join(LOG_KEY_FILE)).unwrap();
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn a_damaged_key_is_named_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LOG_KEY_FILE);
        std::fs::write(&path, "abc\n").unwrap();
        let error = log_signer(dir.path(), "flagfall/a/b").unwrap_err();
        assert!(
            error.to_string().contains("log-key.hex is damaged"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "abc\n");
    }
}
