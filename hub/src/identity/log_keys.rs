//! The secrets behind an evidence file: the log's key, which signs the checkpoint, and the secret from which the salts of concealed names are
//! derived. Both survive a change of authority.

use std::path::{Path, PathBuf};

use proto::note::Signer;
use sha2::{Digest, Sha256};

use super::{AUTHORITY_FILE, IdentityError, known_log_signer, roll};

pub struct LogKeys {
    dir: PathBuf,
    exchange_secret: [u8; 32],
}

impl LogKeys {
    /// Reads the secrets in the data directory `dir` of a hub that has been started before.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] or [`IdentityError::Damaged`].
    pub fn read(dir: &Path) -> Result<Self, IdentityError> {
        let authority = roll::read_authority(&dir.join(AUTHORITY_FILE))?;
        Ok(Self {
            dir: dir.to_owned(),
            exchange_secret: roll::exchange_secret(dir, &authority)?,
        })
    }

    /// Returns the signer for checkpoints of the log named `tree`.
    ///
    /// # Errors
    /// Returns [`IdentityError::NoLogKey`] if there is no key, or any other [`IdentityError`].
    pub fn signer(&self, tree: &str) -> Result<Signer, IdentityError> {
        known_log_signer(&self.dir, tree)?.ok_or_else(|| IdentityError::NoLogKey {
            dir: self.dir.clone(),
        })
    }

    pub fn name_secret(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"flagfall log secret v1\nname salts\n");
        hash.update(self.exchange_secret);
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Identity, log_signer, roll_authority};

    #[test]
    fn the_keys_of_the_log_survive_a_change_of_the_authority() {
        let secrets = |dir: &Path| {
            log_signer(dir, "a/evidence").unwrap();
            let keys = LogKeys::read(dir).unwrap();
            let key = keys.signer("a/evidence").unwrap().verifier().to_string();
            (key, keys.name_secret())
        };
        let dir = tempfile::tempdir().unwrap();
        Identity::open(dir.path()).unwrap();
        let before = secrets(dir.path());
        roll_authority(dir.path(), 0, 30).unwrap();
        assert_eq!(secrets(dir.path()), before);
        let other = tempfile::tempdir().unwrap();
        Identity::open(other.path()).unwrap();
        let other = secrets(other.path());
        assert_ne!(other.0, before.0);
        assert_ne!(other.1, before.1);
    }
}
