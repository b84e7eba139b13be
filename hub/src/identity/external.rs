//! An external server certificate, as an ACME client stores it: read from two files, and checked before it is shown.
//!
//! Owns the checks. Must never write a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring::sign::any_supported_type;
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::X509Certificate;

use super::browser_authority::{parsed, validity};
use super::names::ip_address;
use crate::time_source::WallTime;

/// Maximum size of a file; a chain has about ten thousand bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalFiles {
    /// The certificate and the chain to its authority (PEM).
    pub chain: PathBuf,
    /// The certificate's private key (PEM).
    pub key: PathBuf,
}

/// An external certificate that has passed the checks.
#[derive(Debug)]
pub struct ExternalCertificate {
    names: Vec<String>,
    from: WallTime,
    until: WallTime,
    certified: Arc<CertifiedKey>,
}

#[derive(Debug, thiserror::Error)]
pub enum ExternalCertificateError {
    #[error("cannot read {path}: {why}")]
    Read { path: PathBuf, why: String },
    #[error("{path}: {what}")]
    Malformed { path: PathBuf, what: String },
    #[error(
        "the key in {} does not belong to the certificate in {}: give both files of one certificate",
        files.key.display(), files.chain.display()
    )]
    OtherKey { files: ExternalFiles },
    #[error("{path} expired at {until}: renew it")]
    Ended { path: PathBuf, until: WallTime },
    #[error(
        "{path} is valid only from {from}, which is in the future by the hub's clock: check the hub's clock"
    )]
    NotYet { path: PathBuf, from: WallTime },
    #[error(
        "{path} is for {}, but the hub is called {}: set public_name or browser_names to a name of the certificate",
        listed(names),
        listed(hub)
    )]
    OtherNames {
        path: PathBuf,
        names: Vec<String>,
        hub: Vec<String>,
    },
}

impl ExternalCertificate {
    /// Reads the files, and checks that the certificate is valid at `now` for at least one name in `hub`.
    pub fn load(
        files: &ExternalFiles,
        hub: &[String],
        now: WallTime,
    ) -> Result<Self, ExternalCertificateError> {
        let path = &files.chain;
        let malformed = |path: &Path, what: String| ExternalCertificateError::Malformed {
            path: path.to_owned(),
            what,
        };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&read(path)?)
            .collect::<Result<_, _>>()
            .map_err(|error| malformed(path, format!("a certificate is invalid ({error})")))?;
        let key = PrivateKeyDer::from_pem_slice(&read(&files.key)?).map_err(|error| {
            malformed(&files.key, format!("it contains no private key ({error})"))
        })?;
        let key = any_supported_type(&key)
            .map_err(|error| malformed(&files.key, format!("its key cannot be used ({error})")))?;
        let (names, from, until) = checked(&chain).map_err(|what| malformed(path, what))?;
        let certified = CertifiedKey::new(chain, key);
        if certified.keys_match().is_err() {
            let files = files.clone();
            return Err(ExternalCertificateError::OtherKey { files });
        }
        let external = Self {
            names,
            from,
            until,
            certified: Arc::new(certified),
        };
        let path = path.clone();
        if now >= until {
            return Err(ExternalCertificateError::Ended { path, until });
        }
        if now < from {
            return Err(ExternalCertificateError::NotYet { path, from });
        }
        if !hub.iter().any(|name| external.covers(name)) {
            return Err(ExternalCertificateError::OtherNames {
                path,
                names: external.names,
                hub: hub.to_owned(),
            });
        }
        Ok(external)
    }

    pub fn covers(&self, name: &str) -> bool {
        self.names.iter().any(|known| vouches(known, name))
    }

    pub(crate) fn is_valid(&self, now: WallTime) -> bool {
        self.from <= now && now < self.until
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn until(&self) -> WallTime {
        self.until
    }

    pub fn certified(&self) -> &Arc<CertifiedKey> {
        &self.certified
    }
}

/// Returns true if a certificate for `known` covers `name`. `*.example.org` covers every name one label longer than
/// `example.org`.
pub(super) fn vouches(known: &str, name: &str) -> bool {
    let below = name.split_once('.').map(|(_, below)| below);
    let wild = known.strip_prefix("*.").zip(below);
    known.eq_ignore_ascii_case(name)
        || wild.is_some_and(|(known, below)| known.eq_ignore_ascii_case(below))
}

/// Checks the order of the chain and the purpose of its first certificate. Returns that certificate's names and dates.
fn checked(chain: &[CertificateDer<'_>]) -> Result<(Vec<String>, WallTime, WallTime), String> {
    let all: Vec<_> = chain
        .iter()
        .map(|one| parsed(one))
        .collect::<Result<_, _>>()?;
    let leaf = all.first().ok_or("it contains no certificate")?;
    let mut pairs = all.windows(2);
    let broken = pairs.position(|pair| pair[0].issuer().as_raw() != pair[1].subject().as_raw());
    if let Some(at) = broken {
        return Err(format!(
            "certificate {} was not issued by the one after it: put the server's certificate first, then each issuer",
            at + 1
        ));
    }
    if leaf.is_ca() {
        return Err("its first certificate is an authority's, not a server's".to_owned());
    }
    let uses = leaf.extended_key_usage().ok().flatten();
    if uses.is_some_and(|uses| !uses.value.server_auth && !uses.value.any) {
        return Err("its certificate is not for servers (serverAuth)".to_owned());
    }
    let names = names_of(leaf);
    if names.is_empty() {
        return Err("its certificate contains no host name (subjectAltName)".to_owned());
    }
    let (from, until) = validity(leaf);
    Ok((names, from, until))
}

fn names_of(certificate: &X509Certificate<'_>) -> Vec<String> {
    let found = certificate.subject_alternative_name().ok().flatten();
    let names = found.map(|found| &found.value.general_names);
    names.into_iter().flatten().filter_map(host).collect()
}

fn host(name: &GeneralName<'_>) -> Option<String> {
    if let GeneralName::DNSName(name) = name {
        return Some((*name).to_owned());
    }
    let GeneralName::IPAddress(bytes) = name else {
        return None;
    };
    Some(ip_address(bytes)?.to_string())
}

fn read(path: &Path) -> Result<Vec<u8>, ExternalCertificateError> {
    use std::io::Read as _;
    let failed = |why: String| ExternalCertificateError::Read {
        path: path.to_owned(),
        why,
    };
    let file = std::fs::File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(failed("the file is larger than 1 MiB".to_owned()));
    }
    Ok(bytes)
}

fn listed(names: &[String]) -> String {
    names.join(", ")
}
