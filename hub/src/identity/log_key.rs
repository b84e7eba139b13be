//! The key that signs the log's checkpoints: created once per data directory, private, never logged. Owns its file. It is
//! not the authority's key, so that a new authority leaves the proofs of earlier days valid.

use std::path::Path;

use ed25519_dalek::SigningKey;
use proto::note::Signer;

use super::{IdentityError, files, random};

/// File in the data directory. Anyone who can read it can sign another history of the log.
pub const LOG_KEY_FILE: &str = "log-key.hex";

/// Returns the key in `dir` under the name of the log, `origin`. Creates the key if there is none.
///
/// # Errors
/// Returns every [`IdentityError`]. A damaged key is never replaced.
pub fn log_signer(dir: &Path, origin: &str) -> Result<Signer, IdentityError> {
    let path = dir.join(LOG_KEY_FILE);
    let seed: [u8; 32] = if files::exists(&path)? {
        let text = files::read_private(&path)?;
        let bytes = hex::decode(text.trim()).ok();
        let seed = bytes.and_then(|bytes| bytes.try_into().ok());
        seed.ok_or_else(|| IdentityError::DamagedLogKey {
            path: path.clone(),
            what: "it must have 64 hexadecimal digits".to_owned(),
        })?
    } else {
        let seed = random()?;
        files::write_private(&path, &format!("{}\n", hex::encode(seed)))?;
        seed
    };
    Signer::new(origin, SigningKey::from_bytes(&seed))
        .map_err(|error| IdentityError::Make(error.to_string()))
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
