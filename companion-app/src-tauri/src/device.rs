//! What this device remembers of its hub from one run to the next: where it is, whom to trust, and where the key lies. No secret is
//! in it, but nobody else has to read it either. Owns the file; never talks to a hub.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::ShellError;
use crate::hub_client::Address;
use crate::keys::{KeyPlace, write_private};

/// One enrolment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Where the hub was when this device enrolled.
    pub hub: Address,
    /// First 16 bytes of SHA-256 of the authority's certificate: 32 hexadecimal digits.
    pub authority: String,
    /// What the hub calls this device; its key is kept under the same name.
    pub device: String,
    /// Where the key lies.
    pub key: KeyPlace,
}

/// The file.
#[derive(Clone, Debug)]
pub struct DeviceFile(PathBuf);

impl DeviceFile {
    /// In the app's own folder.
    pub fn new(folder: &Path) -> Self {
        Self(folder.join("device.json"))
    }

    /// What was remembered, if anything was.
    ///
    /// # Errors
    /// [`ShellError::Storage`] if it is there and cannot be read.
    pub fn read(&self) -> Result<Option<Device>, ShellError> {
        match std::fs::read(&self.0) {
            Ok(json) => serde_json::from_slice(&json)
                .map(Some)
                .map_err(|error| self.failed(&error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Remembers `device` in place of what was.
    ///
    /// # Errors
    /// [`ShellError::Storage`].
    pub fn write(&self, device: &Device) -> Result<(), ShellError> {
        let json = serde_json::to_vec_pretty(device).map_err(|error| self.failed(&error))?;
        write_private(&self.0, &json).map_err(|error| self.failed(&error))
    }

    /// Forgets what was remembered.
    ///
    /// # Errors
    /// [`ShellError::Storage`].
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
    /// The fingerprint.
    ///
    /// # Errors
    /// [`ShellError::Storage`] if the file says something that is none.
    pub fn authority(&self) -> Result<[u8; 16], ShellError> {
        proto::ids::unhex(&self.authority)
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| ShellError::Storage(format!("{:?} is no fingerprint", self.authority)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_remembered() {
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
