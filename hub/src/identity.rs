//! Who is who in a hall: the hub's own certificate authorities, the certificates they issue, the codes that enrol a clock.
//!
//! Clocks, gateways and programs trust the authority of the hall; browsers have one of their own, which can vouch for this hub alone.
//!
//! Owns the authority's key and the rule that a certificate of another hub is nobody here. Must never decide what an
//! identity may do (that is `api::roles` and the hall), and never lets a private key leave the data directory, but for the
//! credentials of arbiters, which are made to be carried away.

mod authority;
mod browser_authority;
mod browser_trust;
mod credentials;
mod device_key;
mod devices;
pub(crate) mod files;
mod gateways;
mod kept_list;
mod names;
mod outside;
mod peer;
mod pin_salt;
mod tls;
mod tokens;

use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;

pub use authority::{Authority, Issued};
pub use browser_authority::{
    AUTHORITY_LIFE, BrowserAuthority, CERTIFICATE_LIFE, ServerCertificate,
};
pub use browser_trust::{
    BROWSER_AUTHORITY_FILE, BrowserTrust, FORMER_AUTHORITIES_FILE, TrustSettings, TrustStatus,
};
pub use credentials::{Credentials, CredentialsError};
pub use device_key::{DeviceId, DeviceKey, KeyError};
pub use devices::{Device, Devices};
pub use gateways::{Gateway, GatewayId, Gateways};
pub use kept_list::Revoked;
use names::browser_names;
pub use names::server_names;
pub use outside::{Outside, OutsideError, OutsideFiles};
pub use peer::{Arbiter, Peer, PeerError, Role, peer_of};
pub use tls::{ApiTls, WallClock, arbiter_client_config, session_config};
pub(crate) use tls::{enrolling_client_config, gateway_client_config};
pub use tokens::{ClockGrant, TokenRefusal, Tokens, VALID_FOR};

/// File in the data directory: certificate and key of the authority. Whoever reads it is the hub.
pub const AUTHORITY_FILE: &str = "authority.pem";
/// File in the data directory: the certificate that browsers have to install. It holds no secret.
pub const AUTHORITY_PUBLIC_FILE: &str = "authority.crt";
/// File in the data directory: the chief arbiter's credentials, made on the first start.
pub const CHIEF_FILE: &str = "chief.pem";

/// Why the hub's identity is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A file could not be read or written.
    #[error("cannot {what} {path}: {source}")]
    Io {
        /// Read, write, …
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is there, but is not what it should be.
    #[error(
        "{path} is damaged: {what}; restore it from a copy (with another authority every clock and arbiter would have to enrol again)"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The browser authority's file is not what it should be.
    #[error(
        "{path} is damaged: {what}; restore it from a copy, or move it away: the hub then makes a new authority, which every browser has to install"
    )]
    DamagedBrowserAuthority {
        /// The file.
        path: PathBuf,
        /// The fault.
        what: String,
    },
    /// The system gives no randomness, or the library refuses.
    #[error("cannot make a certificate: {0}")]
    Make(String),
}

impl From<rcgen::Error> for IdentityError {
    fn from(error: rcgen::Error) -> Self {
        Self::Make(error.to_string())
    }
}

/// The hub's identity as it lies in a data directory.
#[derive(Debug)]
pub struct Identity {
    authority: Authority,
    chief_file: PathBuf,
    pin_salt: Vec<u8>,
    first_start: bool,
}

impl Identity {
    /// Opens the identity in `dir`, and makes it there on the first start: authority and the chief arbiter's credentials, both
    /// mode 0600 and synced. The caller holds the directory's lock.
    ///
    /// # Errors
    /// Every [`IdentityError`]; an authority is never replaced silently.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let path = dir.join(AUTHORITY_FILE);
        let first_start = !files::exists(&path)?;
        let authority = if first_start {
            let authority = Authority::generate()?;
            files::write_private(&path, &authority.to_pem())?;
            authority
        } else {
            Authority::from_pem(&files::read_private(&path)?)
                .map_err(|what| IdentityError::Damaged { path, what })?
        };
        let chief_file = dir.join(CHIEF_FILE);
        if first_start || !files::exists(&chief_file)? {
            let chief = Credentials::issue(&authority, Role::Chief, "chief")?;
            files::write_private(&chief_file, &chief.to_pem())?;
        }
        Ok(Self {
            authority,
            chief_file,
            pin_salt: pin_salt::open(dir)?,
            first_start,
        })
    }

    /// The certificate authority.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// The authority's certificate.
    pub fn authority_der(&self) -> &CertificateDer<'static> {
        self.authority.certificate()
    }

    /// Where the chief arbiter's credentials lie.
    pub fn chief_file(&self) -> &Path {
        &self.chief_file
    }

    /// By which arbiters' PINs become keys.
    pub fn pin_salt(&self) -> &[u8] {
        &self.pin_salt
    }

    /// The authority has been made just now.
    pub fn first_start(&self) -> bool {
        self.first_start
    }
}

/// Fills `N` bytes with the system's randomness.
///
/// # Errors
/// [`IdentityError::Make`] when the system has none.
pub fn random<const N: usize>() -> Result<[u8; N], IdentityError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| IdentityError::Make(format!("no randomness: {error}")))?;
    Ok(bytes)
}
