//! From a code to the hub that has taken this device. Owns the order in which things are written down: the key, and that the hub is asked
//! to take it, before the hub is asked; the device, once the hub has said that it knows the key; and only then what was before is forgotten.
//!
//! Whatever a hub may have taken is kept until that hub has said what became of it: a lost answer, or one that cannot be read, is none.

use std::sync::Arc;

use proto::enrolment::EnrolmentCode;
use proto::ids::hex;

use super::{Known, Shell, blocking};
use crate::asked::AskedKey;
use crate::device::Device;
use crate::error::ShellError;
use crate::hub_client::{Address, Connection, Enrolled, HubClient, Member};
use crate::keys::{DeviceKey, NewKey};

/// The key that a hub is asked to take for a code.
struct Asking {
    key: DeviceKey,
    kept: AskedKey,
    before: Before,
}

/// Whether the hub may have the key already.
enum Before {
    /// It was made just now.
    Never,
    /// It was sent once, and no answer came.
    Sent,
}

/// Why the hub has not taken the key, as far as is known.
enum No {
    /// It has not got it, and never will by this code.
    Certain(ShellError),
    /// It may have it.
    Unclear(ShellError),
}

impl Shell {
    /// Enrols this device with the hub of `code`, in place of the one before; `name` is what the device is called in the chief arbiter's
    /// list. Entering the same code again after an answer that was lost costs nothing: the hub is asked for the same key.
    ///
    /// # Errors
    /// The code is none, the hub is another or away or says no, or the key cannot be kept: then the hub of before is still the hub.
    pub async fn enrol(&self, code: &str, name: &str) -> Result<Member, ShellError> {
        let code: EnrolmentCode = code.parse()?;
        let connection = Connection::new(Address::from(&code), code.authority)?;
        // One after the other: two with one code would make two keys for it.
        let _alone = self.enrolling.lock().await;
        let asking = self.key_for(&code).await?;
        match asking.ask(&connection, &code, name).await {
            Ok(enrolled) => self.taken(&code, asking, connection, enrolled).await,
            Err(No::Unclear(why)) => Err(why),
            Err(No::Certain(why)) => {
                self.let_go(code, asking.kept).await;
                Err(why)
            }
        }
    }

    /// The key that this hub was asked to take for this code; where it was not asked, a new one, kept and written down.
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

    /// The hub knows this key: it is the device's from now on, and no other is needed for this hub.
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
        // Held from the file to what is known: what the hub of before says meanwhile must not count for the new one.
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
        // What could not be forgotten is no good to anybody.
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

    /// Forgets a key that no hub has.
    async fn let_go(&self, code: EnrolmentCode, kept: AskedKey) {
        let (store, asked, file) = (self.store.clone(), self.asked.clone(), self.file.clone());
        // What stays is asked for again with the same code, and with no other.
        let _ = blocking(move || {
            asked.remove(&code)?;
            // A start that was cut short may have left it behind after the hub had taken it.
            if file.read()?.is_none_or(|now| now.device != kept.device) {
                store.forget(kept.key, &kept.device);
            }
            Ok(())
        })
        .await;
    }
}

impl Asking {
    /// Uses the code up. Whatever else but a session comes of that, the key says whether the hub has it.
    async fn ask(
        &self,
        connection: &Connection,
        code: &EnrolmentCode,
        name: &str,
    ) -> Result<Enrolled, No> {
        let said = match Enrolled::by_code(connection, code, name, &self.key).await {
            Ok(enrolled) => return Ok(enrolled),
            // Nothing was sent to who is no hub of ours.
            Err(stranger @ ShellError::OtherHub { .. }) => {
                return Err(match self.before {
                    Before::Never => No::Certain(stranger),
                    Before::Sent => No::Unclear(stranger),
                });
            }
            Err(said) => said,
        };
        let used_up = matches!(said, ShellError::CodeRefused(_));
        match Enrolled::by_key(connection, &self.key).await {
            Ok(enrolled) => Ok(enrolled),
            Err(ShellError::NotEnrolled(_)) if used_up => Err(No::Certain(said)),
            // That the code is not good says nothing as long as it may be this key that has used it up.
            Err(error) if used_up => Err(No::Unclear(error)),
            Err(_) => Err(No::Unclear(said)),
        }
    }
}
