//! The storage of keys: the system's key store or, if that fails, private files.
//!
//! Owns the choice between them. It is made for each key and recorded by the caller, so that a key is looked up where it was put. Calls here may
//! block until the arbiter unlocks the key store: never make them from an async task.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::write_private;
use crate::error::ShellError;

/// The place where a key is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    /// The system's key store.
    System,
    /// A file in the app's folder.
    File,
}

/// A key store of the operating system: secrets by name.
pub trait SystemStore: Send + Sync {
    /// Stores a secret.
    ///
    /// # Errors
    /// Returns the key store's error message.
    fn set(&self, name: &str, secret: &[u8]) -> Result<(), String>;
    /// Returns the secret with this name.
    ///
    /// # Errors
    /// Returns the key store's error message, including when the secret does not exist.
    fn get(&self, name: &str) -> Result<Vec<u8>, String>;
    /// Removes a secret.
    ///
    /// # Errors
    /// Returns the key store's error message.
    fn delete(&self, name: &str) -> Result<(), String>;
}

/// The storage of this device's keys.
#[derive(Clone)]
pub struct KeyStore {
    folder: PathBuf,
    system: Arc<dyn SystemStore>,
}

impl KeyStore {
    /// Creates a storage that puts keys into `system` or, if that fails, into files in the subfolder `keys` of `folder`.
    pub fn new(folder: &Path, system: Arc<dyn SystemStore>) -> Self {
        Self {
            folder: folder.join("keys"),
            system,
        }
    }

    /// Stores a secret, and returns the place where it was stored.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if neither the key store nor the file system accepts it.
    pub fn keep(&self, name: &str, secret: &[u8]) -> Result<KeyPlace, ShellError> {
        // Some stores accept a secret but do not return it, so read it back immediately.
        let taken = self.system.set(name, secret).is_ok();
        if taken && self.system.get(name).is_ok_and(|kept| kept == secret) {
            return Ok(KeyPlace::System);
        }
        let path = self.file(name);
        write_private(&path, secret)
            .map_err(|error| ShellError::Storage(format!("{}: {error}", path.display())))?;
        Ok(KeyPlace::File)
    }

    /// Returns the secret with this name.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the secret is missing or cannot be read, for example because the arbiter did not unlock the key store.
    pub fn read(&self, place: KeyPlace, name: &str) -> Result<Vec<u8>, ShellError> {
        match place {
            KeyPlace::System => self.system.get(name).map_err(ShellError::Storage),
            KeyPlace::File => {
                let path = self.file(name);
                std::fs::read(&path)
                    .map_err(|error| ShellError::Storage(format!("{}: {error}", path.display())))
            }
        }
    }

    /// Removes a secret, and ignores a failure.
    pub fn forget(&self, place: KeyPlace, name: &str) {
        match place {
            KeyPlace::System => drop(self.system.delete(name)),
            KeyPlace::File => drop(std::fs::remove_file(self.file(name))),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("pk8")
    }
}

/// The key store of this system: Secret Service on Linux, the keychain on macOS, the Credential Manager on Windows. On Android and iOS every call
/// fails, so keys are stored in files.
pub struct Keyring;

#[cfg(not(any(target_os = "android", target_os = "ios")))]
mod system {
    use keyring::v1::Entry;

    use super::{Keyring, SystemStore};

    /// The name by which the user sees the key in the key store.
    const SERVICE: &str = "org.flagfall.companion";

    fn with<T>(
        name: &str,
        act: impl FnOnce(&Entry) -> keyring::v1::Result<T>,
    ) -> Result<T, String> {
        Entry::new(SERVICE, name)
            .and_then(|entry| act(&entry))
            .map_err(|error| error.to_string())
    }

    impl SystemStore for Keyring {
        fn set(&self, name: &str, secret: &[u8]) -> Result<(), String> {
            with(name, |entry| entry.set_secret(secret))
        }

        fn get(&self, name: &str) -> Result<Vec<u8>, String> {
            with(name, Entry::get_secret)
        }

        fn delete(&self, name: &str) -> Result<(), String> {
            with(name, Entry::delete_credential)
        }
    }
}

#[cfg(any(target_os = "android", target_os = "ios"))]
mod system {
    use super::{Keyring, SystemStore};

    const NONE: &str = "the app's own folder is the key store here";

    impl SystemStore for Keyring {
        fn set(&self, _name: &str, _secret: &[u8]) -> Result<(), String> {
            Err(NONE.to_owned())
        }

        fn get(&self, _name: &str) -> Result<Vec<u8>, String> {
            Err(NONE.to_owned())
        }

        fn delete(&self, _name: &str) -> Result<(), String> {
            Err(NONE.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct SimulatedStore {
        kept: Mutex<BTreeMap<String, Vec<u8>>>,
        missing: bool,
        forgets: bool,
    }

    impl SystemStore for SimulatedStore {
        fn set(&self, name: &str, secret: &[u8]) -> Result<(), String> {
            if self.missing {
                return Err("no store".to_owned());
            }
            if !self.forgets {
                let mut kept = self.kept.lock().unwrap();
                kept.insert(name.to_owned(), secret.to_owned());
            }
            Ok(())
        }

        fn get(&self, name: &str) -> Result<Vec<u8>, String> {
            let kept = self.kept.lock().unwrap();
            kept.get(name).cloned().ok_or_else(|| "none".to_owned())
        }

        fn delete(&self, name: &str) -> Result<(), String> {
            self.kept.lock().unwrap().remove(name);
            Ok(())
        }
    }

    #[track_caller]
    fn goes_to(system: SimulatedStore, wanted: KeyPlace) {
        let folder = tempfile::tempdir().unwrap();
        let store = KeyStore::new(folder.path(), Arc::new(system));
        assert_eq!(store.keep("ab", b"secret").unwrap(), wanted);
        assert_eq!(store.read(wanted, "ab").unwrap(), b"secret");
        let file = folder.path().join("keys").join("ab.pk8");
        assert_eq!(file.exists(), wanted == KeyPlace::File);
        store.forget(wanted, "ab");
        assert!(store.read(wanted, "ab").is_err());
        assert!(!file.exists());
    }

    #[test]
    fn a_key_goes_to_the_key_store() {
        goes_to(SimulatedStore::default(), KeyPlace::System);
    }

    #[test]
    fn without_a_key_store_the_key_goes_to_a_file() {
        let missing = true;
        goes_to(
            SimulatedStore {
                missing,
                ..SimulatedStore::default()
            },
            KeyPlace::File,
        );
    }

    #[test]
    fn a_forgetful_key_store_is_not_used() {
        let forgets = true;
        goes_to(
            SimulatedStore {
                forgets,
                ..SimulatedStore::default()
            },
            KeyPlace::File,
        );
    }
}
