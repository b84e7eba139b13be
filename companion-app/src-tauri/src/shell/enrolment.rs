//! Enrolment, from a code to a hub that knows this device. Owns the order of storage: first the key and the intent to enrol, then the
//! request, then the enrolment that the hub confirmed; only after that is the previous one removed.
//!
//! A key that a hub may have accepted is kept until that hub has given a readable answer.

use std::sync::Arc;

use proto::enrolment::EnrolmentCode;
use proto::ids::hex;

use super::{Known, Shell, blocking};
use crate::asked::AskedKey;
use crate::device::Device;
use crate::error::ShellError;
use crate::hub_client::{Address, Connection, Enrolled, HubClient, Member};
use crate::keys::{DeviceKey, NewKey};

/// The enrolment of a key with a code.
struct Asking {
    key: DeviceKey,
    kept: AskedKey,
    before: Before,
}

/// The history of a key at the hub.
enum Before {
    /// The key is new.
    Never,
    /// The key was sent once, and the answer is missing.
    Sent,
}

/// Why the enrolment failed.
enum Failure {
    /// The hub does not have the key, and will not accept it with this code.
    NotTaken(ShellError),
    /// The hub may have accepted the key.
    Unknown(ShellError),
}

impl Shell {
    /// Enrols this device with the hub of `code` in place of the previous one; `name` is the device's name in the chief arbiter's list. After
    /// a lost answer the same code can be entered again: it uses the same key.
    ///
    /// # Errors
    /// The code is invalid, the hub is another one, unreachable or refuses, or the key cannot be stored. Then the previous hub stays.
    pub async fn enrol(&self, code: &str, name: &str) -> Result<Member, ShellError> {
        let code: EnrolmentCode = code.parse()?;
        let connection = Connection::new(Address::from(&code), code.authority)?;
        // One at a time: two enrolments with one code would create two keys for it.
        let _alone = self.enrolling.lock().await;
        let asking = self.key_for(&code).await?;
        match asking.ask(&connection, &code, name).await {
            Ok(enrolled) => self.taken(&code, asking, connection, enrolled).await,
            Err(Failure::Unknown(why)) => Err(why),
            Err(Failure::NotTaken(why)) => {
                self.discard(code, asking.kept).await;
                Err(why)
            }
        }
    }

    /// Returns the key of an earlier attempt with this code, or a new one, stored and recorded.
    async fn key_for(&self, code: &EnrolmentCode) -> Result<Asking, ShellError> {
        let (store, folder, code) = (self.store.clone(), self.asked.clone(), code.clone());
        blocking(move || {
            if let Some(kept) = folder.read(&code)? {
                let secret = store.read(kept.key, &kept.device)?;
                let key = DeviceKey::from_pkcs8(&secret)?;
                let before = Before::Sent;
                return Ok(Asking { key, kept, before });
            }
            let NewKey { key, pkcs8 } = DeviceKey::generate()?;
            let device = key.device();
            let place = store.keep(&device, &pkcs8)?;
            let kept = AskedKey { device, key: place };
            if let Err(error) = folder.write(&code, &kept) {
                store.forget(kept.key, &kept.device);
                return Err(error);
            }
            let before = Before::Never;
            Ok(Asking { key, kept, before })
        })
        .await
    }

    /// Makes a key that the hub knows the device's key, and removes its other keys.
    async fn taken(
        &self,
        code: &EnrolmentCode,
        asking: Asking,
        connection: Connection,
        enrolled: Enrolled,
    ) -> Result<Member, ShellError> {
        let record = Device {
            hub: connection.address(),
            authority: hex(&code.authority),
            device: asking.kept.device,
            key: asking.kept.key,
        };
        let connection = connection.with_search(self.search.clone());
        let hub = HubClient::new(connection, asking.key, Some(enrolled.session));
        // Held until the file and the state agree: answers of the previous hub must not affect the new one.
        let mut known = self.hub.lock().await;
        let (file, device) = (self.file.clone(), record.device.clone());
        let before = blocking(move || {
            let before = file.read().unwrap_or(None);
            file.write(&record)?;
            Ok(before)
        })
        .await?;
        *known = Known::Hub(Arc::new(hub));
        drop(known);
        let (store, asked, authority) = (self.store.clone(), self.asked.clone(), code.authority);
        // A key that cannot be removed is useless.
        let _ = blocking(move || {
            let others = asked.remove_all_of(authority).into_iter();
            let others = others.map(|one| (one.key, one.device));
            for (place, name) in others.chain(before.map(|old| (old.key, old.device))) {
                if name != device {
                    store.forget(place, &name);
                }
            }
            Ok(())
        })
        .await;
        Ok(enrolled.member)
    }

    /// Removes a key that no hub has.
    async fn discard(&self, code: EnrolmentCode, kept: AskedKey) {
        let (store, asked, file) = (self.store.clone(), self.asked.clone(), self.file.clone());
        // If the record stays, its key is used again with the same code only.
        let _ = blocking(move || {
            asked.remove(&code)?;
            // A start that was cut short may have left the record after the hub accepted the key.
            if file.read()?.is_none_or(|now| now.device != kept.device) {
                store.forget(kept.key, &kept.device);
            }
            Ok(())
        })
        .await;
    }
}

impl Asking {
    /// Uses the code up. If the answer is no session, asks with the key whether the hub has accepted it.
    async fn ask(
        &self,
        connection: &Connection,
        code: &EnrolmentCode,
        name: &str,
    ) -> Result<Enrolled, Failure> {
        let said = match Enrolled::by_code(connection, code, name, &self.key).await {
            Ok(enrolled) => return Ok(enrolled),
            // Refuse before sending anything: the peer is not the hub of the code.
            Err(stranger @ ShellError::OtherHub { .. }) => {
                return Err(match self.before {
                    Before::Never => Failure::NotTaken(stranger),
                    Before::Sent => Failure::Unknown(stranger),
                });
            }
            Err(said) => said,
        };
        let used_up = matches!(said, ShellError::CodeRefused(_));
        match Enrolled::by_key(connection, &self.key).await {
            Ok(enrolled) => Ok(enrolled),
            Err(ShellError::NotEnrolled(_)) if used_up => Err(Failure::NotTaken(said)),
            // A refused code proves nothing, because this key may have used it up.
            Err(error) if used_up => Err(Failure::Unknown(error)),
            Err(_) => Err(Failure::Unknown(said)),
        }
    }
}
