//! Arbiters' devices that were enrolled with a code: who acts with each, and by which key it is known. Kept in one private file of
//! the data directory, whole or as it was before; holds no private key and no session.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Arbiter, DeviceId, DeviceKey, IdentityError, files};

/// File in the data directory.
const FILE: &str = "devices.json";
/// The form of the file.
const VERSION: u32 = 1;

/// A device of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its key.
    pub key: DeviceKey,
    /// Who acts with it, and as what.
    pub arbiter: Arbiter,
    /// What it calls itself, for the list; may be empty.
    pub label: String,
    /// When it was enrolled: Unix time, microseconds.
    pub enrolled_us: i64,
    /// Who gave out its code.
    pub enrolled_by: String,
    /// Set once it is shut out.
    pub revoked: Option<Revoked>,
}

/// That a device is shut out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// When: Unix time, microseconds.
    pub at_us: i64,
    /// By whom.
    pub by: String,
}

impl Device {
    /// What it is called by the hub.
    pub fn id(&self) -> DeviceId {
        self.key.id()
    }
}

/// All of them.
#[derive(Debug)]
pub struct Devices {
    path: PathBuf,
    all: BTreeMap<DeviceId, Device>,
}

impl Devices {
    /// Reads the devices of the hub whose data lies in `dir`. The caller holds the directory's lock.
    ///
    /// # Errors
    /// [`IdentityError::Io`] or [`IdentityError::Damaged`]: a list is never replaced silently, because a device that was shut out
    /// stands in it.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let path = dir.join(FILE);
        let all = if files::exists(&path)? {
            read(&files::read_private(&path)?).map_err(|what| IdentityError::Damaged {
                path: path.clone(),
                what,
            })?
        } else {
            BTreeMap::new()
        };
        Ok(Self { path, all })
    }

    /// The device of this id, shut out or not.
    pub fn find(&self, id: &str) -> Option<&Device> {
        self.all.values().find(|device| device.id().as_str() == id)
    }

    /// All devices, in the order of their enrolment.
    pub fn all(&self) -> Vec<Device> {
        let mut all: Vec<_> = self.all.values().cloned().collect();
        all.sort_by_key(|device| device.enrolled_us);
        all
    }

    /// Keeps `device`, in the place of one with the same key. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn keep(&mut self, device: Device) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        all.insert(device.id(), device);
        self.replace(all)
    }

    /// Shuts a device out. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn revoke(&mut self, id: &DeviceId, revoked: Revoked) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        if let Some(device) = all.get_mut(id) {
            device.revoked.get_or_insert(revoked);
        }
        self.replace(all)
    }

    fn replace(&mut self, all: BTreeMap<DeviceId, Device>) -> Result<(), IdentityError> {
        files::write_private(&self.path, &write(&all)?)?;
        self.all = all;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    devices: Vec<KeptDevice>,
}

#[derive(Serialize, Deserialize)]
struct KeptDevice {
    public_key: String,
    name: String,
    role: String,
    label: String,
    enrolled_us: i64,
    enrolled_by: String,
    revoked: Option<Revoked>,
}

fn write(all: &BTreeMap<DeviceId, Device>) -> Result<String, IdentityError> {
    let devices = all.values().map(|device| KeptDevice {
        public_key: device.key.to_base64(),
        name: device.arbiter.name.clone(),
        role: device.arbiter.role.as_str().to_owned(),
        label: device.label.clone(),
        enrolled_us: device.enrolled_us,
        enrolled_by: device.enrolled_by.clone(),
        revoked: device.revoked.clone(),
    });
    let kept = Kept {
        version: VERSION,
        devices: devices.collect(),
    };
    serde_json::to_string_pretty(&kept).map_err(|error| IdentityError::Make(error.to_string()))
}

fn read(text: &str) -> Result<BTreeMap<DeviceId, Device>, String> {
    let kept: Kept = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if kept.version != VERSION {
        return Err(format!("it has the form {}, not {VERSION}", kept.version));
    }
    let devices = kept.devices.into_iter().map(|kept| {
        let device = Device {
            key: DeviceKey::from_base64(&kept.public_key).map_err(|error| error.to_string())?,
            arbiter: Arbiter {
                role: kept.role.parse()?,
                name: kept.name,
            },
            label: kept.label,
            enrolled_us: kept.enrolled_us,
            enrolled_by: kept.enrolled_by,
            revoked: kept.revoked,
        };
        Ok((device.id(), device))
    });
    devices.collect()
}
