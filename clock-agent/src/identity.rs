//! This clock's identity: its keys, created at the first run, and its enrolment with one hub. Owns the files that store them. Never logs a secret.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey, KeypairBytes};
use proto::ids::{AgentId, hex, unhex};
use serde::{Deserialize, Serialize};
use x25519_dalek::{PublicKey, StaticSecret};

const SIGNING_FILE: &str = "signing-key.pem";
const EXCHANGE_FILE: &str = "exchange-key.hex";
const ENROLMENT_FILE: &str = "enrolment.json";

/// An agent's own keys: Ed25519 for signing events and for the certificate, X25519 for Bluetooth LE.
#[derive(Clone)]
pub struct Keys {
    signing: SigningKey,
    exchange: StaticSecret,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolment {
    /// Certificate for the signing key, DER.
    #[serde(with = "hex_bytes")]
    pub certificate_der: Vec<u8>,
    /// Certificate of the hub's authority, DER. Only the hub has a server certificate from this authority.
    #[serde(with = "hex_bytes")]
    pub authority_der: Vec<u8>,
    pub log_origin: String,
    /// The hub's name for this clock.
    pub name: String,
    /// The board at enrolment; empty if there was none. Later, the hub decides which board the clock serves.
    pub board: String,
    /// Last known address of the hub, `host:port`; empty if it was only reached over Bluetooth LE.
    pub hub: String,
    /// The hub's X25519 public key; empty if the hub has sent none.
    #[serde(default, with = "hex_bytes")]
    pub hub_exchange_key: Vec<u8>,
    /// Fingerprints of the hub's former authorities in hexadecimal digits, oldest first. Each authority vouched for the next. A code may still name a
    /// former authority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_authorities: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Identity {
    pub keys: Keys,
    pub enrolment: Enrolment,
}

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {what}; restore it from a copy, or remove it and enrol this clock again", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("{} can be read by other users (mode {mode:o}): set its mode with chmod 600, and enrol this clock again if someone may have read it", path.display())]
    Open { path: PathBuf, mode: u32 },
    #[error("cannot get random bytes for new keys: {0}")]
    Random(getrandom::Error),
}

impl Keys {
    pub fn generate() -> Result<Self, IdentityError> {
        let mut signing = [0; 32];
        let mut exchange = [0; 32];
        getrandom::fill(&mut signing).map_err(IdentityError::Random)?;
        getrandom::fill(&mut exchange).map_err(IdentityError::Random)?;
        Ok(Self::from_secrets(signing, exchange))
    }

    pub fn from_secrets(signing: [u8; 32], exchange: [u8; 32]) -> Self {
        Self {
            signing: SigningKey::from_bytes(&signing),
            exchange: StaticSecret::from(exchange),
        }
    }

    /// Reads the keys in `dir`. Creates each missing key and writes it (mode 0600, synced).
    ///
    /// # Errors
    /// Returns an [`IdentityError`] if a file is unusable or no random bytes are available. Existing keys are never replaced.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let (signing, exchange) = (dir.join(SIGNING_FILE), dir.join(EXCHANGE_FILE));
        let found = (read_secret(&signing)?, read_secret(&exchange)?);
        let mut keys = Self::generate()?;
        match found.0 {
            Some(pem) => {
                keys.signing =
                    SigningKey::from_pkcs8_pem(&pem).map_err(|error| damaged(&signing, &error))?;
            }
            None => write_secret(&signing, &keys.signing_pem()?)?,
        }
        match found.1 {
            Some(text) => {
                keys.exchange = exchange_key(&text)
                    .ok_or_else(|| damaged(&exchange, &"expected 64 hexadecimal digits"))?;
            }
            None => write_secret(&exchange, &(hex(keys.exchange.as_bytes()) + "\n"))?,
        }
        Ok(keys)
    }

    pub fn agent_id(&self) -> AgentId {
        AgentId(self.signing.verifying_key().to_bytes())
    }

    pub fn signing_key(&self) -> &SigningKey {
        &self.signing
    }

    pub fn exchange_public(&self) -> [u8; 32] {
        PublicKey::from(&self.exchange).to_bytes()
    }

    pub(crate) fn exchange_secret(&self) -> [u8; 32] {
        self.exchange.to_bytes()
    }

    /// Returns the signing key as PKCS#8 version 1, which TLS libraries read.
    pub(crate) fn signing_pkcs8(&self) -> Result<Vec<u8>, ed25519_dalek::pkcs8::Error> {
        let pair = KeypairBytes {
            secret_key: self.signing.to_bytes(),
            public_key: None,
        };
        Ok(pair.to_pkcs8_der()?.as_bytes().to_vec())
    }

    fn signing_pem(&self) -> Result<String, IdentityError> {
        let pem = self.signing.to_pkcs8_pem(LineEnding::LF);
        pem.map(|pem| pem.to_string())
            .map_err(|error| damaged(Path::new(SIGNING_FILE), &error))
    }
}

impl fmt::Debug for Keys {
    /// Omits the secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({})", self.agent_id())
    }
}

impl Enrolment {
    /// Reads the enrolment in `dir`, if there is one.
    ///
    /// # Errors
    /// Returns an [`IdentityError`] if the file cannot be read or is damaged.
    pub fn load(dir: &Path) -> Result<Option<Self>, IdentityError> {
        let path = dir.join(ENROLMENT_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(IdentityError::Io { path, error }),
        };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| damaged(&path, &error))
    }

    /// Writes the enrolment, replacing any previous enrolment.
    pub fn save(&self, dir: &Path) -> Result<(), IdentityError> {
        let path = dir.join(ENROLMENT_FILE);
        let text = serde_json::to_string_pretty(self).map_err(|error| damaged(&path, &error))?;
        let beside = path.with_extension("new");
        write_new(&beside, &(text + "\n"))
            .and_then(|()| fs::rename(&beside, &path))
            .and_then(|()| File::open(dir)?.sync_all())
            .map_err(|error| IdentityError::Io { path, error })
    }

    /// Returns the fingerprint of the authority, as used in enrolment codes.
    pub fn authority(&self) -> [u8; 16] {
        proto::enrolment::fingerprint(&self.authority_der)
    }

    /// Returns true if `fingerprint` belongs to the hub of this enrolment: to its authority or a former authority.
    pub fn trusts_authority(&self, fingerprint: &[u8; 16]) -> bool {
        self.authority() == *fingerprint || self.former_authorities.contains(&hex(fingerprint))
    }
}

impl Identity {
    /// Reads the state directory of an enrolled clock; `None` if it is not enrolled. Creates missing keys.
    ///
    /// # Errors
    /// Returns an [`IdentityError`] if a file is unusable, or a missing key cannot be created.
    pub fn load(dir: &Path) -> Result<Option<Self>, IdentityError> {
        match Enrolment::load(dir)? {
            Some(enrolment) => Ok(Some(Self {
                keys: Keys::open(dir)?,
                enrolment,
            })),
            None => Ok(None),
        }
    }

    /// Writes the keys and the enrolment into `dir`, which is created if needed.
    pub fn save(&self, dir: &Path) -> Result<(), IdentityError> {
        fs::create_dir_all(dir).map_err(|error| IdentityError::Io {
            path: dir.to_owned(),
            error,
        })?;
        write_secret(&dir.join(SIGNING_FILE), &self.keys.signing_pem()?)?;
        let exchange = hex(self.keys.exchange.as_bytes()) + "\n";
        write_secret(&dir.join(EXCHANGE_FILE), &exchange)?;
        self.enrolment.save(dir)
    }
}

fn exchange_key(text: &str) -> Option<StaticSecret> {
    let bytes: [u8; 32] = unhex(text.trim()).ok()?.try_into().ok()?;
    Some(StaticSecret::from(bytes))
}

fn damaged(path: &Path, what: &dyn fmt::Display) -> IdentityError {
    IdentityError::Damaged {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

fn read_secret(path: &Path) -> Result<Option<String>, IdentityError> {
    let failed = |error| IdentityError::Io {
        path: path.to_owned(),
        error,
    };
    match fs::metadata(path) {
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => Err(IdentityError::Open {
            path: path.to_owned(),
            mode: meta.permissions().mode() & 0o777,
        }),
        Ok(_) => fs::read_to_string(path).map(Some).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Writes a file atomically: a partly written key would force a new enrolment.
fn write_secret(path: &Path, text: &str) -> Result<(), IdentityError> {
    let beside = path.with_extension("new");
    write_new(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .and_then(|()| {
            // The parent of a file name without a directory is the empty path.
            let named = path.parent().filter(|dir| !dir.as_os_str().is_empty());
            File::open(named.unwrap_or(Path::new(".")))?.sync_all()
        })
        .map_err(|error| IdentityError::Io {
            path: path.to_owned(),
            error,
        })
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

mod hex_bytes {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&proto::ids::hex(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        proto::ids::unhex(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_created_once_and_private() {
        let dir = tempfile::tempdir().unwrap();
        let first = Keys::open(dir.path()).unwrap();
        let again = Keys::open(dir.path()).unwrap();
        assert_eq!(first.agent_id(), again.agent_id());
        assert_eq!(first.exchange_public(), again.exchange_public());
        for name in [SIGNING_FILE, EXCHANGE_FILE] {
            let mode = fs::metadata(dir.path().join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        assert!(!format!("{first:?}").contains(&hex(&first.signing.to_bytes())));
    }

    #[test]
    fn a_secret_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        Keys::open(dir.path()).unwrap();
        let path = dir.path().join(SIGNING_FILE);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = Keys::open(dir.path()).unwrap_err();
        assert!(error.to_string().contains("644"), "{error}");
    }

    #[test]
    fn a_damaged_key_is_named_and_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(SIGNING_FILE);
        write_secret(&path, "not a key").unwrap();
        let error = Keys::open(dir.path()).unwrap_err();
        assert!(error.to_string().contains(SIGNING_FILE), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "not a key");
    }

    #[test]
    fn an_identity_is_saved_and_loaded() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Identity::load(dir.path()).unwrap().is_none());
        let identity = Identity {
            keys: Keys::generate().unwrap(),
            enrolment: Enrolment {
                certificate_der: vec![1, 2],
                authority_der: vec![3],
                log_origin: "flagfall.example/1".to_owned(),
                name: "clock 7".to_owned(),
                board: "7".to_owned(),
                hub: "192.0.2.7:7464".to_owned(),
                hub_exchange_key: vec![4; 32],
                former_authorities: vec!["0f".repeat(16)],
            },
        };
        identity.save(dir.path()).unwrap();
        let found = Identity::load(dir.path()).unwrap().unwrap();
        assert_eq!(found.enrolment, identity.enrolment);
        assert_eq!(found.keys.agent_id(), identity.keys.agent_id());
    }
}
