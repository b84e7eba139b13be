//! What lasts while the program runs: the hub this device is enrolled with, its key store, the streams that the page follows.
//!
//! Owns enrolment from the code to the next start: the key is kept before the code is used up, so that no code is lost on a device that
//! cannot keep a key. A device that the hub has shut out forgets its key.

use std::path::PathBuf;
use std::sync::Arc;

use hyper::Response;
use hyper::body::Incoming;
use proto::enrolment::EnrolmentCode;
use proto::ids::hex;
use tokio::sync::Mutex;

use crate::device::{Device, DeviceFile};
use crate::error::ShellError;
use crate::hub_client::{Address, Call, Connection, Enrolled, HubClient, Member, Whole};
use crate::keys::{DeviceKey, KeyPlace, KeyStore, Keyring, NewKey, SystemStore};
use crate::streams::Streams;

/// The state of the program.
pub struct Shell {
    store: KeyStore,
    file: DeviceFile,
    hub: Mutex<Known>,
    streams: Streams,
}

/// The hub of this device, as far as is known.
enum Known {
    /// Nobody has looked yet.
    NotRead,
    /// None, and why.
    Nobody(String),
    /// This one.
    Hub(Arc<HubClient>),
}

const NOBODY: &str = "this device is not enrolled with a hub";

impl Shell {
    /// With the system's key store, and what it remembers in `folder`. Nothing is read yet.
    pub fn new(folder: PathBuf) -> Self {
        Self::with_store(folder, Arc::new(Keyring))
    }

    /// With another key store than the system's.
    pub fn with_store(folder: PathBuf, system: Arc<dyn SystemStore>) -> Self {
        Self {
            store: KeyStore::new(&folder, system),
            file: DeviceFile::new(&folder),
            hub: Mutex::new(Known::NotRead),
            streams: Streams::default(),
        }
    }

    /// The streams that the page follows.
    pub fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Makes a call that has one answer.
    ///
    /// # Errors
    /// As [`HubClient::unary`].
    pub async fn unary(&self, call: &Call) -> Result<Whole, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.unary(call).await;
        self.heed(&hub, answer).await
    }

    /// Makes a call that is answered bit by bit.
    ///
    /// # Errors
    /// As [`HubClient::unary`].
    pub async fn stream(&self, call: &Call) -> Result<Response<Incoming>, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.stream(call).await;
        self.heed(&hub, answer).await
    }

    /// What the hub says of this device.
    ///
    /// # Errors
    /// As [`HubClient::unary`].
    pub async fn session(&self) -> Result<Whole, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.session().await;
        self.heed(&hub, answer).await
    }

    /// Enrols this device with the hub of `code`, in place of the one before; `name` is what the device is called in the chief arbiter's
    /// list.
    ///
    /// # Errors
    /// The code is none, the hub is another or away or says no, or the key cannot be kept: then all is as it was.
    pub async fn enrol(&self, code: &str, name: &str) -> Result<Member, ShellError> {
        let code: EnrolmentCode = code.parse()?;
        let connection = Connection::new(Address::from(&code), code.authority)?;
        let NewKey { key, pkcs8 } = DeviceKey::generate()?;
        let device = key.device();
        let place = self.keep(device.clone(), pkcs8).await?;
        let enrolled = match ask(&connection, &code, name, &key).await {
            Ok(enrolled) => enrolled,
            Err(error) => {
                self.forget(place, device).await;
                return Err(error);
            }
        };
        let record = Device {
            hub: connection.address().clone(),
            authority: hex(&code.authority),
            device: device.clone(),
            key: place,
        };
        let before = match self.remember(record).await {
            Ok(before) => before,
            Err(error) => {
                self.forget(place, device).await;
                return Err(error);
            }
        };
        let hub = HubClient::new(connection, key, Some(enrolled.session));
        *self.hub.lock().await = Known::Hub(Arc::new(hub));
        if let Some(old) = before.filter(|old| old.device != device) {
            self.forget(old.key, old.device).await;
        }
        Ok(enrolled.member)
    }

    /// The hub of this device, read at the first call.
    async fn hub(&self) -> Result<Arc<HubClient>, ShellError> {
        let mut known = self.hub.lock().await;
        if matches!(*known, Known::NotRead) {
            // A key that is locked away is asked for once in a run: whoever did not unlock it meant it.
            *known = match self.read().await {
                Ok(Some(hub)) => Known::Hub(Arc::new(hub)),
                Ok(None) => Known::Nobody(NOBODY.to_owned()),
                Err(error) => Known::Nobody(error.to_string()),
            };
        }
        match &*known {
            Known::Hub(hub) => Ok(Arc::clone(hub)),
            Known::Nobody(why) => Err(ShellError::NotEnrolled(why.clone())),
            Known::NotRead => Err(ShellError::NotEnrolled(NOBODY.to_owned())),
        }
    }

    async fn read(&self) -> Result<Option<HubClient>, ShellError> {
        let (file, store) = (self.file.clone(), self.store.clone());
        let read = blocking(move || {
            let Some(device) = file.read()? else {
                return Ok(None);
            };
            let secret = store.read(device.key, &device.device)?;
            Ok(Some((device, secret)))
        });
        let Some((device, secret)) = read.await? else {
            return Ok(None);
        };
        let key = DeviceKey::from_pkcs8(&secret)?;
        let connection = Connection::new(device.hub.clone(), device.authority()?)?;
        Ok(Some(HubClient::new(connection, key, None)))
    }

    /// A hub that no longer knows this device is a hub no longer.
    async fn heed<T>(
        &self,
        hub: &Arc<HubClient>,
        answer: Result<T, ShellError>,
    ) -> Result<T, ShellError> {
        if let Err(ShellError::NotEnrolled(why)) = &answer {
            let mut known = self.hub.lock().await;
            if matches!(&*known, Known::Hub(now) if Arc::ptr_eq(now, hub)) {
                *known = Known::Nobody(why.clone());
                let (file, store) = (self.file.clone(), self.store.clone());
                blocking(move || {
                    if let Some(device) = file.read()? {
                        store.forget(device.key, &device.device);
                    }
                    file.remove()
                })
                .await?;
            }
        }
        answer
    }

    async fn keep(&self, device: String, secret: Vec<u8>) -> Result<KeyPlace, ShellError> {
        let store = self.store.clone();
        blocking(move || store.keep(&device, &secret)).await
    }

    async fn forget(&self, place: KeyPlace, device: String) {
        let store = self.store.clone();
        // What could not be forgotten is no good to anybody: the hub does not know it.
        let _ = blocking(move || {
            store.forget(place, &device);
            Ok(())
        })
        .await;
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

/// Key stores and files make whoever asks wait.
async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, ShellError> + Send + 'static,
) -> Result<T, ShellError> {
    tokio::task::spawn_blocking(act)
        .await
        .unwrap_or_else(|panic| Err(ShellError::Storage(panic.to_string())))
}
