//! Gateways that were enrolled with a code: machines whose radios carry clocks that the hub's do not reach. Kept in one private file
//! of the data directory, whole or as it was before; holds no private key. A gateway carries sealed values: it is nobody's arbiter and no clock.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use proto::ids::{hex, unhex};
use serde::{Deserialize, Serialize};

use super::{IdentityError, Revoked, files};

/// File in the data directory.
const FILE: &str = "gateways.json";
/// The form of the file.
const VERSION: u32 = 1;

/// Who a gateway is: its Ed25519 public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GatewayId(pub [u8; 32]);

/// `g-` and sixteen hexadecimal digits, as people name it.
impl fmt::Display for GatewayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g-{}", hex(&self.0[..8]))
    }
}

/// A gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    /// Its key.
    pub id: GatewayId,
    /// What it is called, as in its code.
    pub name: String,
    /// When it was enrolled: Unix time, microseconds.
    pub enrolled_us: i64,
    /// Who gave out its code.
    pub enrolled_by: String,
    /// Set once it is shut out.
    pub revoked: Option<Revoked>,
}

/// All of them.
#[derive(Debug)]
pub struct Gateways {
    path: PathBuf,
    all: BTreeMap<GatewayId, Gateway>,
}

impl Gateways {
    /// Reads the gateways of the hub whose data lies in `dir`. The caller holds the directory's lock.
    ///
    /// # Errors
    /// [`IdentityError::Io`] or [`IdentityError::Damaged`]: a list is never replaced silently, because a gateway that was shut out
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

    /// The gateway with this key, shut out or not.
    pub fn get(&self, id: &GatewayId) -> Option<&Gateway> {
        self.all.get(id)
    }

    /// All gateways, in the order of their enrolment.
    pub fn all(&self) -> Vec<Gateway> {
        let mut all: Vec<_> = self.all.values().cloned().collect();
        all.sort_by_key(|gateway| gateway.enrolled_us);
        all
    }

    /// Keeps `gateway`, in the place of one with the same key. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn keep(&mut self, gateway: Gateway) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        all.insert(gateway.id, gateway);
        self.replace(all)
    }

    /// Shuts a gateway out. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn revoke(&mut self, id: &GatewayId, revoked: Revoked) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        if let Some(gateway) = all.get_mut(id) {
            gateway.revoked.get_or_insert(revoked);
        }
        self.replace(all)
    }

    fn replace(&mut self, all: BTreeMap<GatewayId, Gateway>) -> Result<(), IdentityError> {
        files::write_private(&self.path, &write(&all)?)?;
        self.all = all;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    gateways: Vec<KeptGateway>,
}

#[derive(Serialize, Deserialize)]
struct KeptGateway {
    public_key: String,
    name: String,
    enrolled_us: i64,
    enrolled_by: String,
    revoked: Option<Revoked>,
}

fn write(all: &BTreeMap<GatewayId, Gateway>) -> Result<String, IdentityError> {
    let gateways = all.values().map(|gateway| KeptGateway {
        public_key: hex(&gateway.id.0),
        name: gateway.name.clone(),
        enrolled_us: gateway.enrolled_us,
        enrolled_by: gateway.enrolled_by.clone(),
        revoked: gateway.revoked.clone(),
    });
    let kept = Kept {
        version: VERSION,
        gateways: gateways.collect(),
    };
    serde_json::to_string_pretty(&kept).map_err(|error| IdentityError::Make(error.to_string()))
}

fn read(text: &str) -> Result<BTreeMap<GatewayId, Gateway>, String> {
    let kept: Kept = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if kept.version != VERSION {
        return Err(format!("it has the form {}, not {VERSION}", kept.version));
    }
    let gateways = kept.gateways.into_iter().map(|kept| {
        let key = unhex(&kept.public_key).map_err(|error| error.to_string())?;
        let key = key.try_into().map_err(|_| "a key has 32 bytes")?;
        let gateway = Gateway {
            id: GatewayId(key),
            name: kept.name,
            enrolled_us: kept.enrolled_us,
            enrolled_by: kept.enrolled_by,
            revoked: kept.revoked,
        };
        Ok((gateway.id, gateway))
    });
    gateways.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gateways_and_those_shut_out_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut gateways = Gateways::open(dir.path()).unwrap();
        let id = GatewayId([0xab; 32]);
        assert_eq!(id.to_string(), "g-abababababababab");
        let gateway = Gateway {
            id,
            name: "far corner".to_owned(),
            enrolled_us: 7,
            enrolled_by: "chief".to_owned(),
            revoked: None,
        };
        gateways.keep(gateway.clone()).unwrap();
        assert_eq!(Gateways::open(dir.path()).unwrap().all(), [gateway]);
        let by = |by: &str| Revoked {
            at_us: 9,
            by: by.to_owned(),
        };
        gateways.revoke(&id, by("Anna")).unwrap();
        gateways.revoke(&id, by("Per")).unwrap();
        let again = Gateways::open(dir.path()).unwrap();
        let revoked = again.get(&id).and_then(|gateway| gateway.revoked.clone());
        assert_eq!(revoked, Some(by("Anna")));

        std::fs::write(dir.path().join(FILE), "{}").unwrap();
        assert!(Gateways::open(dir.path()).is_err());
    }
}
