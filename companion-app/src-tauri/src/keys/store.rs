//! Where the key is kept: the system's key store, or, where there is none, a file of its own that nobody else may read.
//!
//! Owns that choice. It is made anew for every key and written down with the device, so that a key is looked for where it is.
//! Everything here may wait for the arbiter to unlock a key store: never call it from a task that others wait for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::write_private;
use crate::error::ShellError;

/// Where a key lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    /// In the system's key store.
    System,
    /// In a file of this app's folder.
    File,
}

/// A key store of the system: secrets by name.
pub trait SystemStore: Send + Sync {
    /// Keeps a secret.
    ///
    /// # Errors
    /// In the store's own words.
    fn set(&self, name: &str, secret: &[u8]) -> Result<(), String>;
    /// The secret of this name.
    ///
    /// # Errors
    /// In the store's own words, also when there is none.
    fn get(&self, name: &str) -> Result<Vec<u8>, String>;
    /// Forgets it.
    ///
    /// # Errors
    /// In the store's own words.
    fn delete(&self, name: &str) -> Result<(), String>;
}

/// The keys of this device.
#[derive(Clone)]
pub struct KeyStore {
    folder: PathBuf,
    system: Arc<dyn SystemStore>,
}

impl KeyStore {
    /// Keys in `system` or, if that fails, in files of `folder`.
    pub fn new(folder: &Path, system: Arc<dyn SystemStore>) -> Self {
        Self {
            folder: folder.join("keys"),
            system,
        }
    }

    /// Keeps a secret, and says where.
    ///
    /// # Errors
    /// [`ShellError::Storage`] when neither place takes it.
    pub fn keep(&self, name: &str, secret: &[u8]) -> Result<KeyPlace, ShellError> {
        // A store that takes a secret and does not give it back has been seen: it is asked at once.
        let taken = self.system.set(name, secret).is_ok();
        if taken && self.system.get(name).is_ok_and(|kept| kept == secret) {
            return Ok(KeyPlace::System);
        }
        let path = self.file(name);
        write_private(&path, secret)
            .map_err(|error| ShellError::Storage(format!("{}: {error}", path.display())))?;
        Ok(KeyPlace::File)
    }

    /// The secret of this name.
    ///
    /// # Errors
    /// [`ShellError::Storage`] when it is not there, or the arbiter has not unlocked it.
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

    /// Forgets it. What cannot be forgotten is of no use to anybody once the hub has another key of this device.
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

/// The key store of this system: Secret Service on Linux, the keychain of macOS, Windows' credentials. Elsewhere there is none
/// that a program in Rust alone can reach, and every answer is an error.
pub struct Keyring;

#[cfg(not(any(target_os = "android", target_os = "ios")))]
mod system {
    use keyring::v1::Entry;

    use super::{Keyring, SystemStore};

    /// Under this name the store shows the key to its owner.
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

    /// A store in memory, or one that is not there, or one that forgets.
    #[derive(Default)]
    struct Pretended {
        kept: Mutex<BTreeMap<String, Vec<u8>>>,
        missing: bool,
        forgets: bool,
    }

    impl SystemStore for Pretended {
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
    fn goes_to(system: Pretended, wanted: KeyPlace) {
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
    fn a_key_goes_to_the_systems_store() {
        goes_to(Pretended::default(), KeyPlace::System);
    }

    #[test]
    fn without_a_store_it_goes_to_a_file() {
        let missing = true;
        goes_to(
            Pretended {
                missing,
                ..Pretended::default()
            },
            KeyPlace::File,
        );
    }

    #[test]
    fn a_store_that_forgets_is_none() {
        let forgets = true;
        goes_to(
            Pretended {
                forgets,
                ..Pretended::default()
            },
            KeyPlace::File,
        );
    }
}
