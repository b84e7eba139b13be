//! From a code to the hub that has taken this device. Owns the order in which things are written down: the key before the code is used up,
//! that a hub was asked before it is asked, and that it has taken the device before what was known until then is forgotten.

use std::sync::Arc;

use proto::enrolment::EnrolmentCode;
use proto::ids::hex;

use super::{Known, Shell, blocking};
use crate::device::Device;
use crate::error::ShellError;
use crate::hub_client::{Address, Connection, Enrolled, HubClient, Member, Session};
use crate::keys::{DeviceKey, KeyPlace, NewKey};

impl Shell {
    /// Enrols this device with the hub of `code`, in place of the one before; `name` is what the device is called in the chief arbiter's
    /// list.
    ///
    /// # Errors
    /// The code is none, the hub is another or says no, or the key cannot be kept: then all is as it was. A hub that did not answer may have
    /// taken this device: it is asked again with the next code, and at the next start.
    pub async fn enrol(&self, code: &str, name: &str) -> Result<Member, ShellError> {
        let code: EnrolmentCode = code.parse()?;
        let connection = Connection::new(Address::from(&code), code.authority)?;
        let NewKey { key, pkcs8 } = DeviceKey::generate()?;
        let lost = self.lost().await;
        let device = key.device();
        let record = Device {
            hub: connection.address().clone(),
            authority: hex(&code.authority),
            key: self.keep(device.clone(), pkcs8).await?,
            device,
        };
        if let Err(error) = self.note(record.clone()).await {
            self.forget(record).await;
            return Err(error);
        }
        match ask(&connection, &code, name, &key).await {
            Ok(enrolled) => {
                if let Some(lost) = lost {
                    self.forget(lost).await;
                }
                self.taken(record, connection, key, enrolled).await
            }
            Err(away @ ShellError::Unreachable { .. }) => Err(away),
            Err(refused) => {
                self.forget(record).await;
                self.taken_before(lost, refused).await
            }
        }
    }

    /// A code that is used up may have been used up by this device, by an attempt whose answer was lost.
    async fn taken_before(
        &self,
        lost: Option<Device>,
        refused: ShellError,
    ) -> Result<Member, ShellError> {
        let Some(lost) = lost else {
            self.noted_no_more().await;
            return Err(refused);
        };
        self.note(lost.clone()).await?;
        let (connection, key) = self.way_to(&lost).await?;
        match Enrolled::by_key(&connection, &key).await {
            Ok(enrolled) => self.taken(lost, connection, key, enrolled).await,
            Err(ShellError::NotEnrolled(_)) => {
                self.forget(lost).await;
                self.noted_no_more().await;
                Err(refused)
            }
            Err(error) => Err(error),
        }
    }

    /// The hub knows this key: it is the device's from now on.
    async fn taken(
        &self,
        record: Device,
        connection: Connection,
        key: DeviceKey,
        enrolled: Enrolled,
    ) -> Result<Member, ShellError> {
        let Enrolled { member, session } = enrolled;
        let hub = self.become_known(record, connection, key, session).await?;
        *self.hub.lock().await = Known::Hub(hub);
        Ok(member)
    }

    async fn become_known(
        &self,
        record: Device,
        connection: Connection,
        key: DeviceKey,
        session: Session,
    ) -> Result<Arc<HubClient>, ShellError> {
        let device = record.device.clone();
        let before = self.remember(record).await?;
        self.noted_no_more().await;
        if let Some(old) = before.filter(|old| old.device != device) {
            self.forget(old).await;
        }
        Ok(Arc::new(HubClient::new(connection, key, Some(session))))
    }

    /// The hub whose answer was lost, if it has taken this device. Where it has not, that is forgotten.
    pub(super) async fn read_asked(&self) -> Result<Option<Arc<HubClient>>, ShellError> {
        let Some(asked) = self.lost().await else {
            return Ok(None);
        };
        let (connection, key) = self.way_to(&asked).await?;
        match Enrolled::by_key(&connection, &key).await {
            Ok(enrolled) => {
                let hub = self
                    .become_known(asked, connection, key, enrolled.session)
                    .await?;
                Ok(Some(hub))
            }
            Err(ShellError::NotEnrolled(_)) => {
                self.forget(asked).await;
                self.noted_no_more().await;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn keep(&self, device: String, secret: Vec<u8>) -> Result<KeyPlace, ShellError> {
        let store = self.store.clone();
        blocking(move || store.keep(&device, &secret)).await
    }

    /// Writes down that a hub is asked to take this device.
    async fn note(&self, device: Device) -> Result<(), ShellError> {
        let asked = self.asked.clone();
        blocking(move || asked.write(&device)).await
    }

    /// What was asked is answered.
    async fn noted_no_more(&self) {
        let asked = self.asked.clone();
        // What stays is asked once more at the next start.
        let _ = blocking(move || asked.remove()).await;
    }

    /// The hub that was asked and has not answered; none where that cannot be read any more.
    async fn lost(&self) -> Option<Device> {
        let asked = self.asked.clone();
        blocking(move || asked.read()).await.unwrap_or(None)
    }

    /// Remembers a device; what was remembered before, as far as it could be read.
    async fn remember(&self, device: Device) -> Result<Option<Device>, ShellError> {
        let file = self.file.clone();
        blocking(move || {
            let before = file.read().unwrap_or(None);
            file.write(&device)?;
            Ok(before)
        })
        .await
    }
}

/// Uses the code up. Where the hub's answer was lost, the key says whether the hub has it.
async fn ask(
    connection: &Connection,
    code: &EnrolmentCode,
    name: &str,
    key: &DeviceKey,
) -> Result<Enrolled, ShellError> {
    match Enrolled::by_code(connection, code, name, key).await {
        Err(lost @ ShellError::Unreachable { .. }) => {
            Enrolled::by_key(connection, key).await.map_err(|_| lost)
        }
        answer => answer,
    }
}
