//! The keys and the enrolment stored on this device, changed at the page's request. Owns the order of changes on disk. A key and its record
//! are written before the page learns of the key; a new enrolment is written before the previous key is removed.
//!
//! A private key must never leave the Rust side, and signs only commands and its own hub's challenges.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proto::enrolment::EnrolmentCode;
use proto::ids::hex;
use serde::Serialize;

use super::{Known, NOT_ENROLLED, Shell, blocking};
use crate::device::Device;
use crate::error::ShellError;
use crate::hub_client::{Connection, HubClient};
use crate::keys::{DeviceKey, KeyPlace, NewKey};
use crate::pending_keys::PendingKey;

/// The public half of a stored key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicKey {
    /// The device's name at its hub.
    pub device: String,
    /// The key as `SubjectPublicKeyInfo`: DER in base64.
    pub public_key: String,
}

/// The public keys for this device's hub.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoredKeys {
    /// The key that the hub has confirmed.
    pub enrolled: Option<PublicKey>,
    /// Keys that this hub was asked to accept and has not confirmed.
    pub pending: Vec<PublicKey>,
}

/// The key for one code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyOfCode {
    /// The public half of the key that was created for the code.
    pub key: PublicKey,
    /// True if an earlier attempt with this code may have sent the key.
    pub sent: bool,
}

impl Shell {
    /// Returns the keys for this device's hub; none if the device has no usable enrolment. Skips unconfirmed keys that cannot be read.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the enrolled key cannot be read, for example because the arbiter did not unlock the key store.
    pub async fn stored_keys(&self) -> Result<StoredKeys, ShellError> {
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        let Known::Hub(device, _) = &*known else {
            return Ok(StoredKeys::default());
        };
        let device = device.clone();
        drop(known);
        let enrolled = self.load(&device.device, device.key).await?;
        let (folder, authority) = (self.pending_keys.clone(), device.authority()?);
        let records = blocking(move || Ok(folder.all_of(authority))).await?;
        let mut pending = Vec::new();
        for record in records {
            // An interrupted enrolment may have left the record of the enrolled key.
            if record.device != device.device
                && let Ok(key) = self.load(&record.device, record.key).await
            {
                pending.push(public(&key));
            }
        }
        let enrolled = Some(public(&enrolled));
        Ok(StoredKeys { enrolled, pending })
    }

    /// Returns the key for `code`: the key of an earlier attempt, or else a new key, stored and recorded.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the key cannot be stored or read.
    pub async fn key_of(&self, code: &EnrolmentCode) -> Result<KeyOfCode, ShellError> {
        let _alone = self.changing.lock().await;
        let (folder, of_code) = (self.pending_keys.clone(), code.clone());
        if let Some(record) = blocking(move || folder.read(&of_code)).await? {
            let key = public(&*self.load(&record.device, record.key).await?);
            return Ok(KeyOfCode { key, sent: true });
        }
        let (store, folder, code) = (self.store.clone(), self.pending_keys.clone(), code.clone());
        let made = blocking(move || {
            let NewKey { key, pkcs8 } = DeviceKey::generate()?;
            let device = key.device();
            let place = store.keep(&device, &pkcs8)?;
            let record = PendingKey { device, key: place };
            if let Err(error) = folder.write(&code, &record) {
                store.forget(record.key, &record.device);
                return Err(error);
            }
            Ok(key)
        });
        let made = Arc::new(made.await?);
        let key = public(&made);
        let mut loaded = self.loaded.lock().await;
        loaded.insert(key.device.clone(), Ok(made));
        Ok(KeyOfCode { key, sent: false })
    }

    pub(super) async fn recorded_key_of(
        &self,
        code: &EnrolmentCode,
    ) -> Result<Option<PublicKey>, ShellError> {
        let (folder, code) = (self.pending_keys.clone(), code.clone());
        let Some(record) = blocking(move || folder.read(&code)).await? else {
            return Ok(None);
        };
        Ok(Some(public(&*self.load(&record.device, record.key).await?)))
    }

    /// Signs a command with the key of `device`, which must be enrolled; returns base64 of r and s.
    ///
    /// # Errors
    /// Returns [`ShellError::Request`] if the device is not enrolled or the message is not a command, and [`ShellError::Storage`] if the key cannot
    /// be read or used.
    pub async fn sign(&self, device: &str, message: &[u8]) -> Result<String, ShellError> {
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        let enrolled = match &*known {
            Known::Hub(now, _) => Some((now.device.clone(), now.key)),
            Known::NotRead | Known::NotEnrolled(_) => None,
        };
        drop(known);
        let enrolled = enrolled.filter(|(own, _)| own == device);
        let (_, place) = enrolled.ok_or(ShellError::Request("the key is not enrolled"))?;
        self.load(device, place).await?.sign_command(message)
    }

    /// Promotes a key to this device's enrolled key; call this only after its hub has confirmed the key. Replaces the previous enrolled key, and
    /// removes the other keys for that hub.
    ///
    /// # Errors
    /// Returns [`ShellError::Request`] if no code's record names the key, or if this run has no client for its hub. Returns
    /// [`ShellError::Storage`] if TLS is not available or the enrolment cannot be written; the previous enrolment then stays in use.
    pub async fn enrol(&self, device: &str) -> Result<(), ShellError> {
        let _alone = self.changing.lock().await;
        let record = self.pending_key(device).await?;
        let (authority, kept) = record.ok_or(ShellError::Request("no code has this key"))?;
        // Hold the lock until the file and the state agree, so that a late response from the previous hub cannot change the new enrolment.
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        let entered = self.entered.lock().await.get(&authority).cloned();
        let of_page = match &*known {
            Known::Hub(_, hub) if hub.authority() == authority => Some(Arc::clone(hub)),
            Known::Hub(..) | Known::NotRead | Known::NotEnrolled(_) => None,
        };
        let hubs = [entered, of_page].into_iter().flatten();
        // Either client may have authenticated with the key. Prefer a client with a session, and the code's client if both have one.
        let client = hubs.min_by_key(|hub| !hub.has_session());
        let client = client.ok_or(ShellError::Request(
            "there is no connection to the hub of this key",
        ))?;
        let record = Device {
            hub: client.address(),
            authority: hex(&authority),
            device: kept.device,
            key: kept.key,
        };
        let connection = Connection::new(record.hub.clone(), authority)?;
        let connection = connection.with_search(self.search.clone());
        let hub = HubClient::with_session_of(connection, &client);
        let (file, written) = (self.file.clone(), record.clone());
        let before = blocking(move || {
            let before = file.read().unwrap_or(None);
            file.write(&written)?;
            Ok(before)
        });
        let before = before.await?;
        *known = Known::Hub(record, Arc::new(hub));
        drop(known);
        self.entered.lock().await.clear();
        self.remove_others(device, authority, before).await;
        Ok(())
    }

    /// Removes all records for the enrolled hub, and the keys other than `device`'s that they or the previous enrolment name. Ignores failures.
    async fn remove_others(&self, device: &str, authority: [u8; 16], before: Option<Device>) {
        let (store, pending) = (self.store.clone(), self.pending_keys.clone());
        let device = device.to_owned();
        let _ = blocking(move || {
            let others = pending.remove_all_of(authority).into_iter();
            let others = others.map(|one| (one.key, one.device));
            for (place, name) in others.chain(before.map(|old| (old.key, old.device))) {
                if name != device {
                    store.forget(place, &name);
                }
            }
            Ok(())
        })
        .await;
    }

    /// Removes a key, its record and, if the key was enrolled, the enrolment. Does nothing if there is no such key.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the enrolment or the record cannot be removed; the key then stays.
    pub async fn forget(&self, device: &str) -> Result<(), ShellError> {
        let _alone = self.changing.lock().await;
        let Ok(place) = self.place_of(device).await else {
            return Ok(());
        };
        let mut known = self.hub.lock().await;
        if matches!(&*known, Known::Hub(now, _) if now.device == device) {
            let file = self.file.clone();
            blocking(move || file.remove()).await?;
            *known = Known::NotEnrolled(NOT_ENROLLED.to_owned());
        }
        drop(known);
        self.loaded.lock().await.remove(device);
        let (store, pending, device) = (
            self.store.clone(),
            self.pending_keys.clone(),
            device.to_owned(),
        );
        blocking(move || {
            pending.remove(&device)?;
            store.forget(place, &device);
            Ok(())
        })
        .await
    }

    async fn place_of(&self, device: &str) -> Result<KeyPlace, ShellError> {
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        if let Known::Hub(now, _) = &*known
            && now.device == device
        {
            return Ok(now.key);
        }
        drop(known);
        let record = self.pending_key(device).await?;
        let record = record.ok_or(ShellError::Request("unknown key"))?;
        Ok(record.1.key)
    }

    async fn pending_key(
        &self,
        device: &str,
    ) -> Result<Option<([u8; 16], PendingKey)>, ShellError> {
        let (folder, device) = (self.pending_keys.clone(), device.to_owned());
        blocking(move || Ok(folder.find(&device))).await
    }

    /// Returns a stored key. Each key is read at most once per run, even if that fails. An arbiter who did not unlock the key store must not be asked
    /// repeatedly.
    pub(super) async fn load(
        &self,
        device: &str,
        place: KeyPlace,
    ) -> Result<Arc<DeviceKey>, ShellError> {
        let mut loaded = self.loaded.lock().await;
        if let Some(known) = loaded.get(device) {
            return known.clone().map_err(ShellError::Storage);
        }
        let (store, name) = (self.store.clone(), device.to_owned());
        let read = blocking(move || DeviceKey::from_pkcs8(&store.read(place, &name)?)).await;
        let read = read.map(Arc::new).map_err(|error| {
            if let ShellError::Storage(why) = error {
                return why;
            }
            error.to_string()
        });
        loaded.insert(device.to_owned(), read.clone());
        read.map_err(ShellError::Storage)
    }
}

fn public(key: &DeviceKey) -> PublicKey {
    PublicKey {
        device: key.device(),
        public_key: STANDARD.encode(key.spki()),
    }
}
