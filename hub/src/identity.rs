//! The identities of a hall: the hub's certificate authorities and the certificates they issue, enrolment codes, and the lists of enrolled
//! devices, gateways and key files. It also holds the log's key, the salt of PINs and the recovery code.
//!
//! Clocks, gateways and programs trust the hall's authority. Browsers trust a separate authority, which is limited to this hub's names and
//! addresses and the private address ranges.
//!
//! Owns the authority's key and the rule that a different hub's certificate is refused. Must never decide an identity's permissions:
//! `api::roles` and the hall decide them. Must never let a private key leave the data directory, except in an arbiter's credentials, which
//! are meant to be exported.

mod authority;
mod belongs;
mod browser_authority;
mod browser_trust;
mod credentials;
mod device_key;
mod devices;
mod enrolled_list;
mod external;
pub(crate) mod files;
mod gateways;
mod hub_verifier;
mod key_files;
mod log_key;
mod log_keys;
mod lost_lists;
mod names;
mod peer;
mod pin_salt;
mod recovery;
mod roll;
mod sector;
mod tls;
mod tokens;

use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;

use crate::time_source::wall_now;

pub(crate) use authority::pem;
pub use authority::{Authority, IssuedCertificate};
pub use belongs::{
    DataDirectoryError, LogIdentity, check_authority, check_log_exists, replace_lost_authority,
};
pub use browser_authority::{
    AUTHORITY_LIFE, BrowserAuthority, CERTIFICATE_LIFE, ServerCertificate,
};
pub use browser_trust::{
    BROWSER_AUTHORITY_FILE, BrowserTrust, FORMER_AUTHORITIES_FILE, TrustSettings, TrustStatus,
};
pub use credentials::{Credentials, CredentialsError};
pub use device_key::{DeviceId, DeviceKey, KeyError};
pub use devices::{Device, Devices};
pub use enrolled_list::Revoked;
pub use external::{ExternalCertificate, ExternalCertificateError, ExternalFiles};
pub use gateways::{Gateway, GatewayId, Gateways};
pub(crate) use key_files::REVOKED;
pub use key_files::{KeyFile, KeyFileError, KeyFileId, KeyFileUse, KeyFiles, record_key_file};
pub use log_key::{LOG_KEY_FILE, known_log_signer, log_signer, roll_log_key};
pub use log_keys::LogKeys;
pub use lost_lists::lost_lists;
pub(crate) use names::bracketed;
use names::browser_names;
pub use names::server_names;
pub use peer::{Arbiter, Peer, PeerError, PlayerSeat, Role, peer_of};
pub(crate) use peer::{RESERVED, agent_end, is_issued_by};
pub use recovery::{RECOVERY_FILE, Recovery, RecoveryCode, RecoveryCodeError};
pub use roll::{
    AuthorityRollover, FORMER_AUTHORITY_FILE, FormerAuthority, OVERLAP_DAYS, RollError,
    roll_authority,
};
pub use sector::Sector;
pub use tls::{ApiTls, WallClock, arbiter_client_config, session_config};
pub(crate) use tls::{enrolling_client_config, gateway_client_config};
pub(crate) use tokens::WrongCodes;
pub use tokens::{ClockGrant, TokenRefusal, Tokens, VALID_FOR};

/// File in the data directory: the authority's certificate and key. Anyone who can read it can act as the hub.
pub const AUTHORITY_FILE: &str = "authority.pem";
/// File in the data directory: the certificate for browsers to install. It is not secret.
pub const AUTHORITY_PUBLIC_FILE: &str = "authority.crt";
/// File in the data directory: the chief arbiter's credentials, created at a start if the file is missing.
pub const CHIEF_FILE: &str = "chief.pem";

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("cannot {what} {path}: {source}")]
    Io {
        what: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path} is damaged: {what}; {advice}")]
    Damaged {
        path: PathBuf,
        what: String,
        /// The remedy, in the imperative.
        advice: &'static str,
    },
    #[error(
        "{path} is damaged: {what}; restore it from a copy: without this key, no new checkpoint can continue the log's earlier ones"
    )]
    DamagedLogKey { path: PathBuf, what: String },
    #[error(
        "{}: the log's key ({LOG_KEY_FILE}), which signed its checkpoints, is missing; copy it from a backup of this directory; if it is lost \
         for good, move archive (and the mirror) away: the hub then makes a new key, and no checkpoint continues the earlier ones",
        dir.display()
    )]
    NoLogKey { dir: PathBuf },
    #[error(
        "{path} is damaged: {what}; restore it from a copy, or move it away: the hub then makes a new authority, which every browser has to install"
    )]
    DamagedBrowserAuthority { path: PathBuf, what: String },
    /// The system supplies no random numbers, a name or key is unusable, or the cryptographic library fails.
    #[error("cannot create a certificate: {0}")]
    Make(String),
}

impl IdentityError {
    pub(crate) fn make(error: impl std::fmt::Display) -> Self {
        Self::Make(error.to_string())
    }
}

impl From<rcgen::Error> for IdentityError {
    fn from(error: rcgen::Error) -> Self {
        Self::make(error)
    }
}

#[derive(Debug)]
pub struct Identity {
    dir: PathBuf,
    authority: Authority,
    former: Option<FormerAuthority>,
    exchange_secret: [u8; 32],
    chief_file: PathBuf,
    pin_salt: Vec<u8>,
    first_start: bool,
}

impl Identity {
    /// Opens the identity in `dir`. On the first start, creates it: the authority and the chief arbiter's credentials,
    /// both with mode 0600 and synced. The caller holds the directory's lock.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`], [`IdentityError::Damaged`] or [`IdentityError::Make`]. An authority is never replaced silently.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let path = dir.join(AUTHORITY_FILE);
        let first_start = !files::exists(&path)?;
        let authority = if first_start {
            let authority = Authority::generate()?;
            files::write_private(&path, &authority.to_pem())?;
            authority
        } else {
            roll::read_authority(&path)?
        };
        let former = roll::open_former(dir, &authority)?;
        let exchange_secret = roll::exchange_secret(dir, &authority)?;
        let chief_file = dir.join(CHIEF_FILE);
        if first_start || !files::exists(&chief_file)? {
            make_chief_file(dir, &authority, wall_now().unix_us(), "the hub's start")?;
        } else if let Err(error) = Credentials::load(&chief_file) {
            tracing::warn!("{error}");
        }
        Ok(Self {
            dir: dir.to_owned(),
            authority,
            former,
            exchange_secret,
            chief_file,
            pin_salt: pin_salt::open(dir)?,
            first_start,
        })
    }

    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    pub fn authority_der(&self) -> &CertificateDer<'static> {
        self.authority.certificate()
    }

    /// Returns the former authority, if clients may still trust it instead of the current one.
    pub fn former(&self) -> Option<&FormerAuthority> {
        self.former.as_ref()
    }

    /// Destroys the former authority if it has expired at `now_us`.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] if its file cannot be removed.
    pub fn end_former(&mut self, now_us: i64) -> Result<(), IdentityError> {
        let ended = |former: &mut FormerAuthority| !former.is_valid(now_us);
        if self.former.take_if(ended).is_some() {
            roll::remove_former(&self.dir)?;
        }
        Ok(())
    }

    /// Returns the certificate that the former authority issues for the current one (DER); `None` if there is no former authority.
    pub(crate) fn voucher(&self) -> Result<Option<Vec<u8>>, IdentityError> {
        let Some(former) = &self.former else {
            return Ok(None);
        };
        let issued = former.authority().vouch_for(&self.authority)?;
        Ok(Some(issued.certificate.to_vec()))
    }

    /// Returns the hub's X25519 secret key. Clocks use the public key over Bluetooth LE.
    pub(crate) fn exchange_secret(&self) -> [u8; 32] {
        self.exchange_secret
    }

    /// Returns a handle to the data directory's recovery code, which is stored as a hash.
    pub fn recovery(&self) -> Recovery {
        Recovery::in_dir(&self.dir)
    }

    /// Replaces `chief.pem` and records `by` as its source. Does not revoke the old key file.
    pub(crate) fn replace_chief_file(&self, now_us: i64, by: &str) -> Result<(), IdentityError> {
        make_chief_file(&self.dir, &self.authority, now_us, by)
    }

    pub(crate) fn chief_file(&self) -> &Path {
        &self.chief_file
    }

    pub(crate) fn pin_salt(&self) -> &[u8] {
        &self.pin_salt
    }

    /// Returns true if the hub created its authority during this run.
    pub fn first_start(&self) -> bool {
        self.first_start
    }
}

fn make_chief_file(
    dir: &Path,
    authority: &Authority,
    now_us: i64,
    by: &str,
) -> Result<(), IdentityError> {
    let arbiter = Arbiter::new(Role::Chief, "chief");
    let chief = Credentials::issue(authority, arbiter.role, &arbiter.name)?;
    // Record it first: a key file that is not listed could not be revoked.
    record_key_file(dir, chief.certificate(), &arbiter, now_us, by)?;
    files::write_private(&dir.join(CHIEF_FILE), &chief.to_pem())
}

/// Returns `N` random bytes from the operating system.
///
/// # Errors
/// Returns [`IdentityError::Make`] if the operating system cannot supply random bytes.
pub fn random<const N: usize>() -> Result<[u8; N], IdentityError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| IdentityError::Make(format!("no randomness: {error}")))?;
    Ok(bytes)
}
