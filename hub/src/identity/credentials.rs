//! The credentials of an arbiter's program: its certificate, its key, and the authority by which it recognises the hub.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use rcgen::KeyPair;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use super::authority::{check_key, pem};
use super::browser_authority::{has_signed, parsed};
use super::{Arbiter, Authority, IdentityError, Role, files};

/// An arbiter's credentials, as stored in a key file such as `chief.pem`.
pub struct Credentials {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    authority: CertificateDer<'static>,
}

#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    #[error("cannot read the key file {path}: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{path} is not an arbiter's key file: {what}; make another with `flagfall credential` (a restart of the hub makes chief.pem if it was moved away)"
    )]
    Malformed { path: PathBuf, what: String },
}

impl Credentials {
    /// Creates a key and certifies it for a role in the whole hall. The certificate does not expire.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the key or the certificate cannot be created.
    pub fn issue(authority: &Authority, role: Role, name: &str) -> Result<Self, IdentityError> {
        Self::issue_until(authority, &Arbiter::new(role, name), None)
    }

    /// Creates a key and certifies it for `arbiter`. If `expires` is given, the certificate is valid until the start of
    /// that day (UTC).
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the key or the certificate cannot be created.
    pub fn issue_until(
        authority: &Authority,
        arbiter: &Arbiter,
        expires: Option<Date>,
    ) -> Result<Self, IdentityError> {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let issued = authority.issue_arbiter(&key, arbiter, expires)?;
        Ok(Self {
            certificate: issued.certificate,
            key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            authority: authority.certificate().clone(),
        })
    }

    pub fn to_pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
            + &pem("PRIVATE KEY", self.key.secret_der())
            + &pem("CERTIFICATE", &self.authority)
    }

    /// Writes the credentials to a file that only its owner can read. Replaces an existing file.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), IdentityError> {
        files::write_private(path, &self.to_pem())
    }

    /// Loads a file that contains the text of [`Credentials::to_pem`].
    pub fn load(path: &Path) -> Result<Self, CredentialsError> {
        let text = std::fs::read(path).map_err(|source| CredentialsError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::from_pem(&text).map_err(|what| CredentialsError::Malformed {
            path: path.to_owned(),
            what,
        })
    }

    fn from_pem(text: &[u8]) -> Result<Self, String> {
        let mut certificates = CertificateDer::pem_slice_iter(text)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| format!("a certificate in it is invalid ({error})"))?
            .into_iter();
        let (Some(certificate), Some(authority)) = (certificates.next(), certificates.next())
        else {
            return Err("it must contain two certificates, the arbiter's and the hub's".to_owned());
        };
        let key = PrivateKeyDer::from_pem_slice(text)
            .map_err(|error| format!("the private key cannot be read ({error})"))?;
        check(&certificate, &key, &authority)?;
        Ok(Self {
            certificate,
            key,
            authority,
        })
    }

    pub fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    pub fn key(&self) -> &PrivateKeyDer<'static> {
        &self.key
    }

    pub fn authority(&self) -> &CertificateDer<'static> {
        &self.authority
    }
}

/// Checks that certificate, key and authority belong together. Otherwise a damaged file would show up only as a failed
/// handshake.
fn check(
    certificate: &CertificateDer<'_>,
    key: &PrivateKeyDer<'_>,
    authority: &CertificateDer<'_>,
) -> Result<(), String> {
    let key = KeyPair::try_from(key)
        .map_err(|error| format!("the private key cannot be read ({error})"))?;
    let (certificate, authority) = (parsed(certificate)?, parsed(authority)?);
    check_key(&certificate, &key)?;
    if !has_signed(&authority, &certificate) || !has_signed(&authority, &authority) {
        return Err("the hub's authority did not sign its certificates".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_round_trip_as_text() {
        let authority = Authority::generate().unwrap();
        let issued = Credentials::issue(&authority, Role::Chief, "chief").unwrap();
        let read = Credentials::from_pem(issued.to_pem().as_bytes()).unwrap();
        assert_eq!(read.certificate(), issued.certificate());
        assert_eq!(read.key().secret_der(), issued.key().secret_der());
        assert_eq!(read.authority(), authority.certificate());
        let halved = authority.to_pem();
        assert!(Credentials::from_pem(halved.as_bytes()).is_err());
    }
}
