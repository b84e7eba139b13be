//! The state of the program: this device's hub, its keys, and the streams to the page.
//!
//! Owns the connections to hubs. The page decides about enrolment and sessions (`companion-app/src/lib/enrol/session.ts`); `session` and
//! `stored` carry out its requests.

mod session;
mod stored;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hyper::Response;
use hyper::body::Incoming;
use proto::enrolment::EnrolmentCode;
use tokio::sync::Mutex;

use crate::device::{Device, DeviceFile};
use crate::discovery;
use crate::error::ShellError;
use crate::hub_client::{Address, Call, Connection, FullResponse, HubClient, Search};
use crate::keys::{DeviceKey, KeyStore, Keyring, SystemStore};
use crate::pending_keys::PendingKeys;
use crate::streams::Streams;

pub use stored::{KeyOfCode, PublicKey, StoredKeys};

/// The hub connections, the keys and the streams of the program.
pub struct Shell {
    store: KeyStore,
    file: DeviceFile,
    pending_keys: PendingKeys,
    /// This device's hub. This lock is also held while `file` changes.
    hub: Mutex<Known>,
    /// The hubs of the codes entered since the last enrolment, by authority.
    entered: Mutex<BTreeMap<[u8; 16], Arc<HubClient>>>,
    /// A lock held while stored keys change.
    changing: Mutex<()>,
    loaded: Mutex<BTreeMap<String, Result<Arc<DeviceKey>, String>>>,
    /// The latest unused challenges, oldest first, each with the authority of the hub that issued it.
    challenges: Mutex<Vec<([u8; 16], String)>>,
    streams: Streams,
    search: Option<Search>,
}

enum Known {
    NotRead,
    /// The reason why this device has no usable enrolment.
    NotEnrolled(String),
    Hub(Device, Arc<HubClient>),
}

const NOT_ENROLLED: &str = "this device is not enrolled with a hub";

impl Shell {
    /// Creates a shell that uses the system's key store and stores its data in `folder`. If connecting to the hub's address fails,
    /// the shell searches for the hub's mDNS announcement. Reads nothing yet.
    pub fn new(folder: PathBuf) -> Self {
        Self::with_store(folder, Arc::new(Keyring)).with_search(Arc::new(discovery::hubs_of))
    }

    /// Creates a shell that uses the key store `system` instead of the operating system's. It searches for the hub only after
    /// [`Self::with_search`].
    pub fn with_store(folder: PathBuf, system: Arc<dyn SystemStore>) -> Self {
        Self {
            store: KeyStore::new(&folder, system),
            file: DeviceFile::new(&folder),
            pending_keys: PendingKeys::new(&folder),
            hub: Mutex::new(Known::NotRead),
            entered: Mutex::default(),
            changing: Mutex::default(),
            loaded: Mutex::default(),
            challenges: Mutex::default(),
            streams: Streams::default(),
            search: None,
        }
    }

    /// Sets the search that is used when connecting to the hub's address fails.
    #[must_use]
    pub fn with_search(mut self, search: Search) -> Self {
        self.search = Some(search);
        self
    }

    /// Returns the stored address of this device's hub; `None` if the device is not enrolled or its enrolment cannot be read.
    pub async fn hub_address(&self) -> Option<Address> {
        let file = self.file.clone();
        let device = blocking(move || file.read()).await.ok().flatten();
        device.map(|device| device.hub)
    }

    /// Returns the streams that the page follows.
    pub fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Makes a unary call.
    ///
    /// # Errors
    /// Returns the errors of [`HubClient::unary`], and [`ShellError::NotEnrolled`] if this device has no usable enrolment.
    pub async fn unary(&self, call: &Call) -> Result<FullResponse, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.unary(call).await;
        self.store_new_address(&hub).await;
        answer
    }

    /// Makes a streaming call.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::unary`].
    pub async fn stream(&self, call: &Call) -> Result<Response<Incoming>, ShellError> {
        let hub = self.hub().await?;
        let answer = hub.stream(call).await;
        self.store_new_address(&hub).await;
        answer
    }

    async fn hub(&self) -> Result<Arc<HubClient>, ShellError> {
        let mut known = self.hub.lock().await;
        self.read_into(&mut known).await;
        match &*known {
            Known::Hub(_, hub) => Ok(Arc::clone(hub)),
            Known::NotEnrolled(why) => Err(ShellError::NotEnrolled(why.clone())),
            Known::NotRead => Err(ShellError::NotEnrolled(NOT_ENROLLED.to_owned())),
        }
    }

    async fn read_into(&self, known: &mut Known) {
        if !matches!(known, Known::NotRead) {
            return;
        }
        let file = self.file.clone();
        let read = blocking(move || file.read()).await;
        let read = read.and_then(|device| match device {
            Some(device) => {
                let connection = Connection::new(device.hub.clone(), device.authority()?)?;
                let connection = connection.with_search(self.search.clone());
                Ok(Known::Hub(device, Arc::new(HubClient::new(connection))))
            }
            None => Ok(Known::NotEnrolled(NOT_ENROLLED.to_owned())),
        });
        *known = read.unwrap_or_else(|error| Known::NotEnrolled(error.to_string()));
    }

    /// Returns the client for the hub that issued `code`. Reuses the client of an earlier code with the same authority and address.
    async fn hub_of(&self, code: &EnrolmentCode) -> Result<Arc<HubClient>, ShellError> {
        let mut entered = self.entered.lock().await;
        let address = Address::from(code);
        if let Some(hub) = entered.get(&code.authority)
            && hub.address() == address
        {
            return Ok(Arc::clone(hub));
        }
        let hub = Arc::new(HubClient::new(Connection::new(address, code.authority)?));
        entered.insert(code.authority, Arc::clone(&hub));
        Ok(hub)
    }

    /// Stores the hub's new address, if a search found one. If storing fails, the next start searches again.
    async fn store_new_address(&self, hub: &Arc<HubClient>) {
        let Some(address) = hub.take_new_address() else {
            return;
        };
        let mut known = self.hub.lock().await;
        let Known::Hub(device, now) = &mut *known else {
            return;
        };
        if !Arc::ptr_eq(now, hub) {
            return;
        }
        device.hub = address;
        let (file, device) = (self.file.clone(), device.clone());
        let _ = blocking(move || file.write(&device)).await;
    }
}

async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, ShellError> + Send + 'static,
) -> Result<T, ShellError> {
    tokio::task::spawn_blocking(act)
        .await
        .unwrap_or_else(|panic| Err(ShellError::Storage(panic.to_string())))
}
