//! The enrolments whose outcome is unknown. Each record belongs to one code of one hub, and names the key for that code.
//! Each code has its own private file, so that no attempt overwrites another.
//!
//! Owns the files. Must never talk to a hub or touch a key.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proto::enrolment::EnrolmentCode;
use proto::ids::{hex, unhex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ShellError;
use crate::keys::{KeyPlace, write_private};

/// The key for one code, which the hub was asked or will be asked to accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingKey {
    /// The device's name at that hub. The key is stored under this name.
    pub device: String,
    /// The place where the key is stored.
    pub key: KeyPlace,
}

struct Record {
    path: PathBuf,
    authority: [u8; 16],
    key: PendingKey,
}

/// The folder with the records, one file per code.
#[derive(Clone, Debug)]
pub struct PendingKeys(PathBuf);

impl PendingKeys {
    /// Uses the subfolder `asked` of the app's folder.
    pub fn new(folder: &Path) -> Self {
        Self(folder.join("asked"))
    }

    /// Returns the key that the hub was asked to accept for `code`. A record that is not valid JSON counts as missing.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the file exists but cannot be read.
    pub fn read(&self, code: &EnrolmentCode) -> Result<Option<PendingKey>, ShellError> {
        let path = self.file(code);
        match std::fs::read(&path) {
            Ok(json) => Ok(serde_json::from_slice(&json).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, &error)),
        }
    }

    /// Records the key that the hub will be asked to accept for `code`; call this before sending the request. On Unix, durable on return.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the file cannot be written.
    pub fn write(&self, code: &EnrolmentCode, key: &PendingKey) -> Result<(), ShellError> {
        let path = self.file(code);
        let json = serde_json::to_vec_pretty(key).map_err(|error| failed(&path, &error))?;
        write_private(&path, &json).map_err(|error| failed(&path, &error))
    }

    /// Returns the key of `device`, with the authority of the hub that was asked to accept it. An unreadable record counts as missing.
    pub fn find(&self, device: &str) -> Option<([u8; 16], PendingKey)> {
        let found = self.records().find(|record| record.key.device == device);
        found.map(|record| (record.authority, record.key))
    }

    /// Returns the keys that the hub with this authority was asked to accept. Skips unreadable records.
    pub fn all_of(&self, authority: [u8; 16]) -> Vec<PendingKey> {
        let of_hub = self.records().filter(|one| one.authority == authority);
        of_hub.map(|one| one.key).collect()
    }

    /// Removes the readable records of `device`.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if a file cannot be removed.
    pub fn remove(&self, device: &str) -> Result<(), ShellError> {
        for record in self.records().filter(|one| one.key.device == device) {
            std::fs::remove_file(&record.path).map_err(|error| failed(&record.path, &error))?;
        }
        Ok(())
    }

    /// Removes all records for the hub with this authority, and returns their keys. A record that cannot be read or removed stays; its key
    /// is not returned.
    pub fn remove_all_of(&self, authority: [u8; 16]) -> Vec<PendingKey> {
        self.records()
            .filter(|one| one.authority == authority)
            .filter_map(|one| std::fs::remove_file(one.path).ok().map(|()| one.key))
            .collect()
    }

    fn records(&self) -> impl Iterator<Item = Record> + use<> {
        let files = std::fs::read_dir(&self.0).into_iter().flatten();
        files.filter_map(Result::ok).filter_map(|file| {
            let path = file.path();
            let name = path.file_stem()?.to_str()?;
            let (authority, _) = name.split_once('-')?;
            let authority = unhex(authority).ok()?.try_into().ok()?;
            let key = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
            Some(Record {
                path,
                authority,
                key,
            })
        })
    }

    /// Returns the path of the file for `code`. The name depends on the hub's authority, not on its address. An unused code is a secret, so
    /// the name contains only a digest of its token.
    fn file(&self, code: &EnrolmentCode) -> PathBuf {
        let digest = Sha256::digest(code.token);
        let (hub, code) = (hex(&code.authority), hex(&digest[..16]));
        self.0.join(format!("{hub}-{code}.json"))
    }
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

    fn key(device: &str) -> PendingKey {
        PendingKey {
            device: device.to_owned(),
            key: KeyPlace::File,
        }
    }

    #[test]
    fn each_code_of_each_hub_has_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        let pending = PendingKeys::new(folder.path());
        let all = [(1, 1, "d-a"), (1, 2, "d-b"), (2, 1, "d-c")];
        for (authority, token, device) in all {
            let code = code("hub", authority, token);
            assert_eq!(pending.read(&code).unwrap(), None);
            pending.write(&code, &key(device)).unwrap();
        }
        for (authority, token, device) in all {
            // The address is not part of a hub's identity.
            let code = code("192.0.2.7", authority, token);
            assert_eq!(pending.read(&code).unwrap(), Some(key(device)));
        }
        assert_eq!(pending.find("d-c"), Some(([2; 16], key("d-c"))));
        assert_eq!(pending.all_of([1; 16]).len(), 2);
        pending.remove("d-a").unwrap();
        pending.remove("d-a").unwrap();
        assert_eq!(pending.find("d-a"), None);
        assert_eq!(pending.read(&code("hub", 1, 1)).unwrap(), None);
        assert_eq!(pending.remove_all_of([1; 16]), [key("d-b")]);
        assert_eq!(pending.remove_all_of([1; 16]), []);
        assert_eq!(pending.read(&code("hub", 2, 1)).unwrap(), Some(key("d-c")));
    }

    #[test]
    fn file_names_do_not_contain_the_code_and_invalid_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let pending = PendingKeys::new(folder.path());
        pending.write(&code("hub", 1, 7), &key("d-a")).unwrap();
        let [file] = std::fs::read_dir(folder.path().join("asked"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert!(!file.to_string_lossy().contains(&hex(&[7; 16])), "{file:?}");
        std::fs::write(&file, "{").unwrap();
        assert_eq!(pending.read(&code("hub", 1, 7)).unwrap(), None);
    }
}
