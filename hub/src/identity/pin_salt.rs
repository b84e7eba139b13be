//! The salt that turns arbiters' PINs into keys: created once per data directory, private, never logged. Owns its file.

use std::path::Path;

use proto::pin::SALT;

use super::{IdentityError, files, random};

const FILE: &str = "pin-salt.hex";

/// Returns the salt in `dir`, and creates it if there is none.
pub(super) fn open(dir: &Path) -> Result<Vec<u8>, IdentityError> {
    let path = dir.join(FILE);
    if !files::exists(&path)? {
        let salt: [u8; SALT] = random()?;
        files::write_private(&path, &format!("{}\n", hex::encode(salt)))?;
        return Ok(salt.to_vec());
    }
    let text = files::read_private(&path)?;
    hex::decode(text.trim())
        .ok()
        .filter(|salt| salt.len() == SALT)
        .ok_or_else(|| files::damaged(
            &path,
            format!("it must contain {SALT} bytes as hexadecimal digits"),
            "restore it from a copy, or move it away: the hub then makes a new one and sends it to the clocks",
        ))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn salt_is_private_and_created_only_once() {
        let dir = tempfile::tempdir().unwrap();
        let salt = open(dir.path()).unwrap();
        assert_eq!(salt.len(), SALT);
        assert_eq!(open(dir.path()).unwrap(), salt);
        let path = dir.path().join(FILE);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(&path, "abc\n").unwrap();
        assert!(matches!(
            open(dir.path()),
            Err(IdentityError::Damaged { .. })
        ));
        let other = tempfile::tempdir().unwrap();
        assert_ne!(open(other.path()).unwrap(), salt);
    }
}
