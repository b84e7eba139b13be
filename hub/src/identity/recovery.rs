//! The recovery code: a printed secret that admits a new chief arbiter when the devices of all chief arbiters are
//! lost.
//!
//! Owns the file with the code's slow hash. Must never store or log a code, or return it again after creating it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::{IdentityError, files, random};

/// File in the data directory: the hash of the recovery code.
pub const RECOVERY_FILE: &str = "recovery.json";
/// Crockford's base 32: without I, L and O, which are easily misread, and without U.
const SYMBOLS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Number of symbols in a code, for 125 random bits.
const LENGTH: usize = 25;
const GROUP: usize = 5;
/// Memory that Argon2id uses for a hash, in KiB. Arbiters' PINs are hashed with the same amount.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// A recovery code, displayed in groups of five symbols.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode([u8; LENGTH]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a recovery code has {LENGTH} letters and digits, in groups of {GROUP}")]
pub struct RecoveryCodeError;

impl RecoveryCode {
    fn generate() -> Result<Self, IdentityError> {
        let bytes: [u8; LENGTH] = random()?;
        Ok(Self(bytes.map(|byte| SYMBOLS[usize::from(byte % 32)])))
    }
}

impl fmt::Display for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, symbol) in self.0.iter().enumerate() {
            if at > 0 && at % GROUP == 0 {
                f.write_str("-")?;
            }
            write!(f, "{}", char::from(*symbol))?;
        }
        Ok(())
    }
}

impl fmt::Debug for RecoveryCode {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode")
    }
}

impl FromStr for RecoveryCode {
    type Err = RecoveryCodeError;

    /// Ignores spaces, hyphens and case, and reads the letters O, I and L as the digits that they look like.
    fn from_str(text: &str) -> Result<Self, RecoveryCodeError> {
        let symbols: Option<Vec<u8>> = text
            .chars()
            .filter(|symbol| !symbol.is_whitespace() && *symbol != '-')
            .map(|symbol| {
                let symbol = match symbol.to_ascii_uppercase() {
                    'O' => b'0',
                    'I' | 'L' => b'1',
                    other => u8::try_from(other).ok()?,
                };
                SYMBOLS.contains(&symbol).then_some(symbol)
            })
            .collect();
        let symbols = symbols.and_then(|symbols| symbols.try_into().ok());
        symbols.map(Self).ok_or(RecoveryCodeError)
    }
}

#[derive(Serialize, Deserialize)]
struct RecoveryFile {
    version: u32,
    #[serde(with = "hex::serde")]
    salt: [u8; 16],
    #[serde(with = "hex::serde")]
    hash: [u8; 32],
    /// Time of the code's creation: Unix time, microseconds.
    made_us: i64,
}

#[derive(Clone, Debug)]
pub struct Recovery {
    path: PathBuf,
}

impl Recovery {
    /// Returns a handle to the recovery code of the data directory `dir`, without reading its file.
    pub fn in_dir(dir: &Path) -> Self {
        Self {
            path: dir.join(RECOVERY_FILE),
        }
    }

    /// Returns true if a recovery code exists.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] if the directory cannot be read.
    pub fn exists(&self) -> Result<bool, IdentityError> {
        files::exists(&self.path)
    }

    /// Creates a new code, which replaces the previous one. Deliberately slow.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] or [`IdentityError::Make`]. The previous code is then still valid, unless only the final sync of the directory
    /// failed.
    pub fn replace(&self, now_us: i64) -> Result<RecoveryCode, IdentityError> {
        let code = RecoveryCode::generate()?;
        let salt = random()?;
        let kept = RecoveryFile {
            version: files::FORMAT_VERSION,
            salt,
            hash: hash(&code, &salt)?,
            made_us: now_us,
        };
        files::write_json(&self.path, &kept)?;
        Ok(code)
    }

    /// Returns true if `code` is the data directory's recovery code. Deliberately slow.
    ///
    /// # Errors
    /// Returns an [`IdentityError`] if the file cannot be read or is damaged.
    pub fn is(&self, code: &RecoveryCode) -> Result<bool, IdentityError> {
        const ADVICE: &str = "print a new recovery code with `flagfall recovery`";
        let Some(kept) = files::find_json::<RecoveryFile>(&self.path, ADVICE)? else {
            return Ok(false);
        };
        files::check_version(&self.path, kept.version, ADVICE)?;
        Ok(hash(code, &kept.salt)?.ct_eq(&kept.hash).into())
    }
}

fn hash(code: &RecoveryCode, salt: &[u8; 16]) -> Result<[u8; 32], IdentityError> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).map_err(IdentityError::make)?;
    let mut hash = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(&code.0, salt, &mut hash)
        .map_err(IdentityError::make)?;
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = RecoveryCode::generate().unwrap();
        let text = code.to_string();
        assert_eq!(text.len(), LENGTH + 4, "{text}");
        assert_eq!(text.parse(), Ok(code.clone()));
        let typed = text.to_lowercase().replace('-', " ").replace('0', "o");
        assert_eq!(typed.replace('1', "l").parse(), Ok(code.clone()));
        for wrong in ["", "12345", &text[1..], &format!("{text}0"), "ü"] {
            assert_eq!(wrong.parse::<RecoveryCode>(), Err(RecoveryCodeError));
        }
        assert!(!format!("{code:?}").contains(&text));
    }

    #[test]
    fn only_the_newest_code_is_valid_and_the_file_has_no_code() {
        let dir = tempfile::tempdir().unwrap();
        let recovery = Recovery::in_dir(dir.path());
        assert!(!recovery.is(&RecoveryCode::generate().unwrap()).unwrap());
        let first = recovery.replace(1).unwrap();
        assert!(recovery.is(&first).unwrap());
        let second = recovery.replace(2).unwrap();
        assert!(!recovery.is(&first).unwrap());
        assert!(Recovery::in_dir(dir.path()).is(&second).unwrap());
        let path = dir.path().join(RECOVERY_FILE);
        let kept = std::fs::read_to_string(&path).unwrap();
        let symbols = String::from_utf8(second.0.to_vec()).unwrap();
        assert!(!kept.contains(&second.to_string()) && !kept.contains(&symbols));
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(&path, "{}").unwrap();
        assert!(recovery.is(&second).is_err());
    }
}
