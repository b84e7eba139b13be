//! The stored enrolment of this device: the hub's address and authority, the device's name, and where its key is stored. The file contains no
//! secret. Owns the file. Must never talk to a hub.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::ShellError;
use crate::hub_client::Address;
use crate::keys::{KeyPlace, write_private};

/// The enrolment of this device with its hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// The hub's last known address.
    pub hub: Address,
    /// The first 16 bytes of the SHA-256 of the authority's certificate, as 32 hexadecimal digits.
    pub authority: String,
    /// The device's name at the hub. The key is stored under this name.
    pub device: String,
    /// The place where the key is stored.
    pub key: KeyPlace,
}

/// The file that stores the enrolment.
#[derive(Clone, Debug)]
pub struct DeviceFile(PathBuf);

impl DeviceFile {
    /// Uses `device.json` in the app's folder.
    pub fn new(folder: &Path) -> Self {
        Self(folder.join("device.json"))
    }

    /// Returns the stored enrolment, if there is one.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the file exists but cannot be read or parsed.
    pub fn read(&self) -> Result<Option<Device>, ShellError> {
        match std::fs::read(&self.0) {
            Ok(json) => serde_json::from_slice(&json)
                .map(Some)
                .map_err(|error| self.failed(&error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Stores an enrolment in place of the previous one.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the file cannot be written.
    pub fn write(&self, device: &Device) -> Result<(), ShellError> {
        let json = serde_json::to_vec_pretty(device).map_err(|error| self.failed(&error))?;
        write_private(&self.0, &json).map_err(|error| self.failed(&error))
    }

    /// Removes the stored enrolment.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the file exists but cannot be removed.
    pub fn remove(&self) -> Result<(), ShellError> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn failed(&self, error: &dyn std::error::Error) -> ShellError {
        ShellError::Storage(format!("{}: {error}", self.0.display()))
    }
}

impl Device {
    /// Parses the authority's fingerprint.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the stored fingerprint is invalid.
    pub fn authority(&self) -> Result<[u8; 16], ShellError> {
        proto::ids::unhex(&self.authority)
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| {
                ShellError::Storage(format!("{:?} is not a fingerprint", self.authority))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enrolment_is_stored() {
        let folder = tempfile::tempdir().unwrap();
        let file = DeviceFile::new(folder.path());
        assert_eq!(file.read().unwrap(), None);
        let device = Device {
            hub: Address {
                host: "2001:db8::1".to_owned(),
                port: 7464,
            },
            authority: "01".repeat(16),
            device: "d-0123456789abcdef".to_owned(),
            key: KeyPlace::File,
        };
        file.write(&device).unwrap();
        assert_eq!(file.read().unwrap(), Some(device.clone()));
        assert_eq!(device.authority().unwrap(), [1; 16]);
        std::fs::write(folder.path().join("device.json"), "{").unwrap();
        assert!(file.read().is_err());
        file.remove().unwrap();
        assert_eq!(file.read().unwrap(), None);
        file.remove().unwrap();
    }
}
