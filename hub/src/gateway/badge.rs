//! The gateway's identity: its key, made for its first enrolment, and what the hub issued then. Owns the one file that holds both, and
//! never lets the secret into a log.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::{EncodePrivateKey, KeypairBytes};
use proto::enrolment::EnrolmentCode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::{GatewayId, IdentityError, WallClock, files, gateway_client_config, random};
use crate::time_source::TimeSource;

/// Name of the file in the gateway's directory. Its mode is 0600.
const FILE: &str = "gateway.json";
const VERSION: u32 = 1;
const ADVICE: &str = "restore it from a copy, or move it away and enrol the gateway again";

/// A gateway's key and certificate, and the authority of its only hub.
#[derive(Clone)]
pub struct Badge {
    pub key: SigningKey,
    /// The gateway's certificate (DER).
    pub certificate: Vec<u8>,
    /// The hub's authority (DER). A peer with a server certificate from this authority is the hub.
    pub authority: Vec<u8>,
    pub name: String,
    /// The hub's address, `host:port`.
    pub hub: String,
    /// A hash of the code of this enrolment; `None` if an earlier version, which did not store it, enrolled the gateway.
    pub used_code: Option<UsedCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedCode(#[serde(with = "hex::serde")] [u8; 32]);

impl UsedCode {
    pub fn of(code: &EnrolmentCode) -> Self {
        Self(Sha256::digest(code.token).into())
    }
}

impl fmt::Debug for Badge {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Badge({}, {:?})", self.id(), self.name)
    }
}

impl Badge {
    pub fn id(&self) -> GatewayId {
        GatewayId(self.key.verifying_key().to_bytes())
    }

    /// Returns the fingerprint by which codes name the authority.
    pub fn fingerprint(&self) -> [u8; 16] {
        proto::enrolment::fingerprint(&self.authority)
    }

    pub(super) fn tls(&self, protocol: &[u8]) -> Result<rustls::ClientConfig, rustls::Error> {
        let pair = KeypairBytes {
            secret_key: self.key.to_bytes(),
            public_key: None,
        };
        let key = pair.to_pkcs8_der();
        let key = key.map_err(|error| rustls::Error::General(error.to_string()))?;
        gateway_client_config(
            self.authority.clone().into(),
            self.certificate.clone().into(),
            key.as_bytes().to_vec(),
            protocol,
            wall(),
        )
    }

    pub(super) fn load(dir: &Path) -> Result<Option<Self>, IdentityError> {
        let path = dir.join(FILE);
        let Some(kept) = files::find_json::<BadgeFile>(&path, ADVICE)? else {
            return Ok(None);
        };
        if kept.version != VERSION {
            let what = format!("it has format version {}, not {VERSION}", kept.version);
            return Err(files::damaged(&path, what, ADVICE));
        }
        Ok(Some(Self {
            key: SigningKey::from_bytes(&kept.secret_key),
            certificate: kept.certificate,
            authority: kept.authority,
            name: kept.name,
            hub: kept.hub,
            used_code: kept.used_code,
        }))
    }

    /// Writes the badge into `dir`, replacing an older one. Durable on return.
    pub(super) fn save(&self, dir: &Path) -> Result<(), IdentityError> {
        let kept = BadgeFile {
            version: VERSION,
            secret_key: self.key.to_bytes(),
            certificate: self.certificate.clone(),
            authority: self.authority.clone(),
            name: self.name.clone(),
            hub: self.hub.clone(),
            used_code: self.used_code,
        };
        files::write_json(&dir.join(FILE), &kept)
    }
}

/// Generates a key for a gateway that has none.
///
/// # Errors
/// Returns [`IdentityError::Make`] if the system supplies no random numbers.
pub fn new_key() -> Result<SigningKey, IdentityError> {
    Ok(SigningKey::from_bytes(&random()?))
}

pub(super) fn wall() -> WallClock {
    let time = TimeSource::resume(None).0;
    Arc::new(move || time.wall_now().unix_us())
}

#[derive(Serialize, Deserialize)]
struct BadgeFile {
    version: u32,
    #[serde(with = "hex::serde")]
    secret_key: [u8; 32],
    #[serde(with = "hex::serde")]
    certificate: Vec<u8>,
    #[serde(with = "hex::serde")]
    authority: Vec<u8>,
    name: String,
    hub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    used_code: Option<UsedCode>,
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_saved_badge_is_loaded_and_readable_only_by_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Badge::load(dir.path()).unwrap().is_none());
        let badge = Badge {
            key: new_key().unwrap(),
            certificate: vec![1, 2],
            authority: vec![3],
            name: "far corner".to_owned(),
            hub: "hub.local:7464".to_owned(),
            used_code: None,
        };
        badge.save(dir.path()).unwrap();
        // Without a code, the file equals one of an earlier version.
        let found = Badge::load(dir.path()).unwrap().unwrap();
        assert_eq!(found.used_code, None);
        let badge = Badge {
            used_code: Some(UsedCode([7; 32])),
            ..badge
        };
        badge.save(dir.path()).unwrap();
        let found = Badge::load(dir.path()).unwrap().unwrap();
        assert_eq!(found.id(), badge.id());
        assert_eq!(
            (found.certificate, found.authority, found.name, found.hub),
            (badge.certificate, badge.authority, badge.name, badge.hub)
        );
        assert_eq!(found.used_code, badge.used_code);
        let mode = std::fs::metadata(dir.path().join(FILE)).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o600);
        std::fs::write(dir.path().join(FILE), "{}").unwrap();
        assert!(Badge::load(dir.path()).is_err());
    }
}
