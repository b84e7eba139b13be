//! The enrolments whose outcome is unknown: which hub was asked to accept which key for which code. One private file for each code, so
//! that no attempt overwrites another. Never read at start.
//!
//! Owns the files. Must never talk to a hub or touch a key.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proto::enrolment::EnrolmentCode;
use proto::ids::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ShellError;
use crate::keys::{KeyPlace, write_private};

/// The key that one hub was asked to accept for one code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedKey {
    /// The device's name at that hub; the key is stored under the same name.
    pub device: String,
    /// The place of the key.
    pub key: KeyPlace,
}

/// The folder of the files.
#[derive(Clone, Debug)]
pub struct AskedFolder(PathBuf);

impl AskedFolder {
    /// Uses a subfolder of the app's folder.
    pub fn new(folder: &Path) -> Self {
        Self(folder.join("asked"))
    }

    /// Returns the key that the hub of `code` was asked to accept for it. An unreadable record counts as none.
    ///
    /// # Errors
    /// [`ShellError::Storage`] if the system does not let the file be read.
    pub fn read(&self, code: &EnrolmentCode) -> Result<Option<AskedKey>, ShellError> {
        let path = self.file(code);
        match std::fs::read(&path) {
            Ok(json) => Ok(serde_json::from_slice(&json).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, &error)),
        }
    }

    /// Records the key that the hub of `code` is about to be asked to accept. Durable on return.
    ///
    /// # Errors
    /// [`ShellError::Storage`].
    pub fn write(&self, code: &EnrolmentCode, asked: &AskedKey) -> Result<(), ShellError> {
        let path = self.file(code);
        let json = serde_json::to_vec_pretty(asked).map_err(|error| failed(&path, &error))?;
        write_private(&path, &json).map_err(|error| failed(&path, &error))
    }

    /// Removes the record for `code`.
    ///
    /// # Errors
    /// [`ShellError::Storage`].
    pub fn remove(&self, code: &EnrolmentCode) -> Result<(), ShellError> {
        let path = self.file(code);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(&path, &error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Removes all records for the hub with this authority, and returns their keys. A file that cannot be read or removed stays, and its
    /// key with it.
    pub fn remove_all_of(&self, authority: [u8; 16]) -> Vec<AskedKey> {
        let Ok(files) = std::fs::read_dir(&self.0) else {
            return Vec::new();
        };
        let hub = of_hub(authority);
        files
            .filter_map(Result::ok)
            .filter(|file| file.file_name().to_string_lossy().starts_with(&hub))
            .filter_map(|file| {
                let json = std::fs::read(file.path()).ok()?;
                let asked = serde_json::from_slice(&json).ok()?;
                std::fs::remove_file(file.path()).ok().map(|()| asked)
            })
            .collect()
    }

    /// Returns one file name for one code of one hub, whatever its typed address. An unused code is a secret, so the name contains its
    /// digest.
    fn file(&self, code: &EnrolmentCode) -> PathBuf {
        let digest = Sha256::digest(code.token);
        let name = format!("{}{}.json", of_hub(code.authority), hex(&digest[..16]));
        self.0.join(name)
    }
}

/// Returns the prefix of the names of one hub's files.
fn of_hub(authority: [u8; 16]) -> String {
    format!("{}-", hex(&authority))
}

fn failed(path: &Path, error: &dyn std::error::Error) -> ShellError {
    ShellError::Storage(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(host: &str, authority: u8, token: u8) -> EnrolmentCode {
        EnrolmentCode {
            host: host.to_owned(),
            port: 7464,
            authority: [authority; 16],
            token: [token; 16],
        }
    }

    fn key(device: &str) -> AskedKey {
        AskedKey {
            device: device.to_owned(),
            key: KeyPlace::File,
        }
    }

    #[test]
    fn each_code_of_each_hub_has_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        let asked = AskedFolder::new(folder.path());
        let all = [(1, 1, "d-a"), (1, 2, "d-b"), (2, 1, "d-c")];
        for (authority, token, device) in all {
            let code = code("hub", authority, token);
            assert_eq!(asked.read(&code).unwrap(), None);
            asked.write(&code, &key(device)).unwrap();
        }
        for (authority, token, device) in all {
            // The address does not identify a hub.
            let code = code("192.0.2.7", authority, token);
            assert_eq!(asked.read(&code).unwrap(), Some(key(device)));
        }
        asked.remove(&code("hub", 1, 1)).unwrap();
        asked.remove(&code("hub", 1, 1)).unwrap();
        assert_eq!(asked.read(&code("hub", 1, 1)).unwrap(), None);
        assert_eq!(asked.remove_all_of([1; 16]), [key("d-b")]);
        assert_eq!(asked.remove_all_of([1; 16]), []);
        assert_eq!(asked.read(&code("hub", 2, 1)).unwrap(), Some(key("d-c")));
    }

    #[test]
    fn file_names_do_not_contain_the_code_and_invalid_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let asked = AskedFolder::new(folder.path());
        asked.write(&code("hub", 1, 7), &key("d-a")).unwrap();
        let [file] = std::fs::read_dir(folder.path().join("asked"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert!(!file.to_string_lossy().contains(&hex(&[7; 16])), "{file:?}");
        std::fs::write(&file, "{").unwrap();
        assert_eq!(asked.read(&code("hub", 1, 7)).unwrap(), None);
    }
}
