//! The state of the program: this device's hub, its key store, and the streams that the page follows.
//!
//! Owns what is stored about the hub; `enrolment` establishes it. A device that the hub has revoked forgets its key.

mod enrolment;

use std::path::PathBuf;
use std::sync::Arc;

use hyper::Response;
use hyper::body::Incoming;
use tokio::sync::Mutex;

use crate::asked::AskedFolder;
use crate::device::{Device, DeviceFile};
use crate::discovery;
use crate::error::{Denial, ShellError};
use crate::hub_client::{Address, Call, Connection, HubClient, Search, Whole};
use crate::keys::{DeviceKey, KeyStore, Keyring, SystemStore};
use crate::streams::Streams;

/// The state of the program.
pub struct Shell {
    store: KeyStore,
    /// The hub that knows this device.
    file: DeviceFile,
    /// Hubs whose answer to an enrolment is missing.
    asked: AskedFolder,
    /// Also held while `file` is changed.
    hub: Mutex<Known>,
    /// Held during an enrolment.
    enrolling: Mutex<()>,
    streams: Streams,
    /// The search for a hub whose address has changed.
    search: Option<Search>,
}

/// This device's hub.
enum Known {
    /// The device file has not been read.
    NotRead,
    NotEnrolled(Denial),
    Hub(Arc<HubClient>),
}

const NOT_ENROLLED: &str = "this device is not enrolled with a hub";

impl Shell {
    /// Uses the system's key store and stores data in `folder`; a hub whose address has changed is found by its announcement (mDNS).
    /// Reads nothing yet.
    pub fn new(folder: PathBuf) -> Self {
        Self::with_store(folder, Arc::new(Keyring)).with_search(Arc::new(discovery::hubs_of))
    }

    /// Uses another key store than the system's.
    pub fn with_store(folder: PathBuf, system: Arc<dyn SystemStore>) -> Self {
        Self {
            store: KeyStore::new(&folder, system),
            file: DeviceFile::new(&folder),
            asked: AskedFolder::new(&folder),
            hub: Mutex::new(Known::NotRead),
            enrolling: Mutex::default(),
            streams: Streams::default(),
            search: None,
        }
    }

    /// Adds a search for the hub for when it does not answer at its address.
    #[must_use]
    pub fn with_search(mut self, search: Search) -> Self {
        self.search = Some(search);
        self
    }

    /// Returns the last known address of this device's hub; `None` if the device is not enrolled.
    pub async fn hub_address(&self) -> Option<Address> {
        let file = self.file.clone();
        let device = blocking(move || file.read()).await.ok().flatten();
        device.map(|device| device.hub)
    }

    /// Returns the streams that the page follows.
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
        self.handle(&hub, answer).await
    }

    /// Makes a call answered by a stream.
    ///
    /// # Errors
    /// As [`HubClient::unary`].
    pub async fn stream(&self, call: &Call) -> Result<Response<Incoming>, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.stream(call).await;
        self.handle(&hub, answer).await
    }

    /// Asks the hub about this device's session.
    ///
    /// # Errors
    /// As [`HubClient::unary`].
    pub async fn session(&self) -> Result<Whole, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.session().await;
        self.handle(&hub, answer).await
    }

    /// Returns the hub of this device, which is read from storage at the first call.
    async fn hub(&self) -> Result<Arc<HubClient>, ShellError> {
        let mut known = self.hub.lock().await;
        if matches!(*known, Known::NotRead) {
            // A locked key store is tried once in a run: an arbiter who did not unlock it had a reason.
            *known = match self.read().await {
                Ok(Some(hub)) => Known::Hub(Arc::new(hub)),
                Ok(None) => Known::NotEnrolled(Denial::new(NOT_ENROLLED)),
                Err(error) => Known::NotEnrolled(Denial::new(error.to_string())),
            };
        }
        match &*known {
            Known::Hub(hub) => Ok(Arc::clone(hub)),
            Known::NotEnrolled(why) => Err(ShellError::NotEnrolled(why.clone())),
            Known::NotRead => Err(ShellError::NotEnrolled(Denial::new(NOT_ENROLLED))),
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
        let connection = connection.with_search(self.search.clone());
        Ok(Some(HubClient::new(connection, key, None)))
    }

    /// Handles an answer: forgets a hub that no longer knows this device, and stores a changed address.
    async fn handle<T>(
        &self,
        hub: &Arc<HubClient>,
        answer: Result<T, ShellError>,
    ) -> Result<T, ShellError> {
        if let Some(address) = hub.take_new_address() {
            self.moved(hub, address).await;
        }
        if let Err(ShellError::NotEnrolled(why)) = &answer {
            let mut known = self.hub.lock().await;
            if matches!(&*known, Known::Hub(now) if Arc::ptr_eq(now, hub)) {
                *known = Known::NotEnrolled(why.clone());
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

    /// Stores the hub's new address. If that fails, the next start searches again.
    async fn moved(&self, hub: &Arc<HubClient>, address: Address) {
        let known = self.hub.lock().await;
        if !matches!(&*known, Known::Hub(now) if Arc::ptr_eq(now, hub)) {
            return;
        }
        let file = self.file.clone();
        let _ = blocking(move || match file.read()? {
            Some(device) => file.write(&Device {
                hub: address,
                ..device
            }),
            None => Ok(()),
        })
        .await;
    }
}

/// Runs work that may block, such as key stores and files.
async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, ShellError> + Send + 'static,
) -> Result<T, ShellError> {
    tokio::task::spawn_blocking(act)
        .await
        .unwrap_or_else(|panic| Err(ShellError::Storage(panic.to_string())))
}
