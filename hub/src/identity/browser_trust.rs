//! The certificates shown to browsers, and the authority behind them: the hub's own, or an external one.
//!
//! Owns the files of the browser authority and the renewal of its certificates. Must never affect an open connection: TLS asks for a
//! certificate only at a handshake. Programs and clocks are shown a different certificate (`tls`).

use std::net::{IpAddr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::crypto::ring::sign::any_supported_type;
use rustls::sign::CertifiedKey;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use super::authority::pem;
use super::browser_authority::{BrowserAuthority, ServerCertificate};
use super::external::{ExternalCertificate, ExternalFiles, vouches};
use super::tls::WallClock;
use super::{AUTHORITY_PUBLIC_FILE, IdentityError, browser_names, files};
use crate::time_source::WallTime;

/// File in the data directory: certificates and key of the browser authority.
pub const BROWSER_AUTHORITY_FILE: &str = "browser-authority.pem";
/// File in the data directory: the former authorities that browsers were told to install.
pub const FORMER_AUTHORITIES_FILE: &str = "former-authorities.pem";
const WARN_BEFORE_EXPIRY: Duration = Duration::from_secs(60 * 86_400);

#[derive(Clone, Debug, Default)]
pub struct TrustSettings {
    /// Configured names and addresses by which browsers reach the hub.
    pub configured: Vec<String>,
    pub external: Option<ExternalFiles>,
}

pub struct BrowserTrust {
    dir: PathBuf,
    settings: TrustSettings,
    wall: WallClock,
    state: RwLock<Arc<State>>,
}

#[derive(Clone)]
struct State {
    authority: Arc<BrowserAuthority>,
    own: Arc<ServerCertificate>,
    certified: Arc<CertifiedKey>,
    /// Names and addresses from this machine and its configuration.
    names: Vec<String>,
    external: Option<Arc<ExternalCertificate>>,
    /// The reason why the external certificate, or its newest version, is not used; `None` if there is no problem.
    problem: Option<String>,
    former: Vec<CertificateDer<'static>>,
}

#[derive(Clone, Debug)]
pub struct TrustStatus {
    /// The certificate that devices install.
    pub root: CertificateDer<'static>,
    pub authority_until: WallTime,
    /// True if fewer than 60 days of the authority's validity remain.
    pub ends_soon: bool,
    /// The names and addresses of the hub's own certificate for browsers.
    pub names: Vec<String>,
    /// The end of the validity of the hub's own certificate, which is renewed earlier.
    pub until: WallTime,
    /// Possible names of the hub that no certificate covers.
    pub uncovered: Vec<String>,
    /// The names and the end of validity of the external certificate, if one is used.
    pub external: Option<(Vec<String>, WallTime)>,
    /// The reason why the external certificate, or its newest version, is not used.
    pub problem: Option<String>,
    pub former: Vec<CertificateDer<'static>>,
}

impl TrustStatus {
    /// Returns true if a browser that opens the hub by this name or address is shown a certificate that covers it.
    pub fn covers(&self, name: &str) -> bool {
        self.names.iter().any(|known| vouches(known, name)) || self.is_already_trusted(name)
    }

    /// Returns true if a browser that opens the hub by this name is shown the external certificate, whose authority it already trusts.
    pub fn is_already_trusted(&self, name: &str) -> bool {
        let external = self.external.iter().flat_map(|(names, _)| names);
        // For an address, browsers send no name and are shown the hub's own certificate.
        name.parse::<IpAddr>().is_err() && external.into_iter().any(|known| vouches(known, name))
    }
}

impl BrowserTrust {
    /// Opens the browser authority in `dir`, or creates it if it is missing or has expired. The caller holds the
    /// directory's lock.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`], [`IdentityError::DamagedBrowserAuthority`] or [`IdentityError::Make`]. An unusable external certificate is
    /// not an error: see [`TrustStatus::problem`].
    pub fn open(
        dir: &Path,
        settings: TrustSettings,
        wall: WallClock,
    ) -> Result<Self, IdentityError> {
        let now = WallTime::from_unix_us(wall());
        let names = browser_names(&settings.configured);
        let path = dir.join(BROWSER_AUTHORITY_FILE);
        let authority = if files::exists(&path)? {
            BrowserAuthority::from_pem(&files::read_private(&path)?)
                .map_err(|what| IdentityError::DamagedBrowserAuthority { path, what })?
        } else {
            make(dir, &settings, &names, now)?
        };
        let (own, certified) = issue(&authority, &names, now)?;
        let state = State {
            authority: Arc::new(authority),
            own,
            certified,
            names,
            external: None,
            problem: None,
            former: former(dir)?,
        };
        let trust = Self {
            dir: dir.to_owned(),
            settings,
            wall,
            state: RwLock::new(Arc::new(state)),
        };
        trust.refresh()?;
        Ok(trust)
    }

    /// Replaces the authority if it has expired, and the server certificate if it is outdated (see [`BrowserAuthority::has_outdated`]). Reads the
    /// external certificate's files again. Open connections are not affected.
    ///
    /// # Errors
    /// Fails if a certificate cannot be created, or a file cannot be read or written. The certificates in use then do not change.
    pub fn refresh(&self) -> Result<(), IdentityError> {
        let now = self.now();
        let mut state = State::clone(&self.state());
        state.names = browser_names(&self.settings.configured);
        if state.authority.has_ended(now) {
            tracing::warn!(
                "the browser authority has expired: every browser has to install the new one"
            );
            state.authority = Arc::new(make(&self.dir, &self.settings, &state.names, now)?);
            state.former = former(&self.dir)?;
            (state.own, state.certified) = issue(&state.authority, &state.names, now)?;
        }
        if state.authority.has_outdated(&state.own, &state.names, now) {
            (state.own, state.certified) = issue(&state.authority, &state.names, now)?;
            tracing::info!(until = %state.own.until, "a new server certificate for browsers");
        }
        if let Some(files) = &self.settings.external {
            state.read_external(files, &self.settings.configured, now);
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        Ok(())
    }

    /// Returns the certificate for a browser that opens the hub by this name, or by an address (`None`).
    pub(super) fn certificate_for(&self, name: Option<&str>) -> Arc<CertifiedKey> {
        let (state, now) = (self.state(), self.now());
        let external = state.external.as_ref().zip(name);
        match external.filter(|(external, name)| external.is_valid(now) && external.covers(name)) {
            Some((external, _)) => external.certified().clone(),
            None => state.certified.clone(),
        }
    }

    pub fn status(&self) -> TrustStatus {
        let (state, now) = (self.state(), self.now());
        let external = state.external.as_ref();
        let external = external.filter(|external| external.is_valid(now));
        let is_covered = |name: &String| {
            state.authority.covers(name) || external.is_some_and(|external| external.covers(name))
        };
        // IPv6 addresses change often and are not typed by hand.
        let is_called = |name: &String| {
            self.settings.configured.contains(name) || name.parse::<Ipv6Addr>().is_err()
        };
        let names = state.names.iter();
        let uncovered = names.filter(|name| is_called(name) && !is_covered(name));
        let authority_until = state.authority.until();
        let left_us = authority_until.unix_us().saturating_sub(now.unix_us());
        TrustStatus {
            root: state.authority.root().clone(),
            authority_until,
            ends_soon: u128::from(left_us.max(0).unsigned_abs()) < WARN_BEFORE_EXPIRY.as_micros(),
            names: state.own.names.clone(),
            until: state.own.until,
            uncovered: uncovered.cloned().collect(),
            external: external.map(|external| (external.names().to_owned(), external.until())),
            problem: state.problem.clone(),
            former: state.former.clone(),
        }
    }

    fn state(&self) -> Arc<State> {
        let state = self.state.read();
        state.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn now(&self) -> WallTime {
        WallTime::from_unix_us((self.wall)())
    }
}

impl std::fmt::Debug for BrowserTrust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BrowserTrust({:?})", self.state().authority)
    }
}

impl State {
    /// Uses the files' certificate if it passes the checks; keeps the previous one otherwise.
    fn read_external(&mut self, files: &ExternalFiles, configured: &[String], now: WallTime) {
        match ExternalCertificate::load(files, configured, now) {
            Ok(read) => {
                let shown = self.external.as_ref().map(|shown| &shown.certified().cert);
                if shown != Some(&read.certified().cert) {
                    tracing::info!(names = ?read.names(), until = %read.until(), "using a new external certificate");
                    self.external = Some(Arc::new(read));
                }
                self.problem = None;
            }
            Err(error) => {
                let why = error.to_string();
                if self.problem.as_ref() != Some(&why) {
                    let kept = match &self.external {
                        Some(external) if external.is_valid(now) => "the previous one stays in use",
                        Some(_) | None => "browsers get the hub's own",
                    };
                    tracing::warn!("the external certificate is not used, {kept}: {why}");
                }
                self.problem = Some(why);
            }
        }
    }
}

/// Creates an authority and writes its files: first the former authorities, last the certificate for browsers to
/// install.
fn make(
    dir: &Path,
    settings: &TrustSettings,
    names: &[String],
    now: WallTime,
) -> Result<BrowserAuthority, IdentityError> {
    remember_former(dir)?;
    // Include the machine's public addresses, which the built-in ranges do not cover. Leave out IPv6 addresses unless they are configured: they
    // change often and are not typed by hand.
    let lasts =
        |name: &&String| name.parse::<Ipv6Addr>().is_err() || settings.configured.contains(name);
    let lasting: Vec<String> = names.iter().filter(lasts).cloned().collect();
    let authority = BrowserAuthority::generate(&lasting, now)?;
    files::write_private(&dir.join(BROWSER_AUTHORITY_FILE), &authority.to_pem())?;
    files::write_public(&dir.join(AUTHORITY_PUBLIC_FILE), &authority.root_pem())?;
    Ok(authority)
}

fn issue(
    authority: &BrowserAuthority,
    names: &[String],
    now: WallTime,
) -> Result<(Arc<ServerCertificate>, Arc<CertifiedKey>), IdentityError> {
    let own = authority.issue(names, now)?;
    let key = any_supported_type(&own.key).map_err(IdentityError::make)?;
    let certified = CertifiedKey::new(own.chain.clone(), key);
    Ok((Arc::new(own), Arc::new(certified)))
}

/// Adds the public file's certificate, which browsers were told to install, to the former authorities. In a data directory of an older version, that
/// file holds the hall authority's certificate.
fn remember_former(dir: &Path) -> Result<(), IdentityError> {
    let public = dir.join(AUTHORITY_PUBLIC_FILE);
    if !files::exists(&public)? {
        return Ok(());
    }
    let mut all = former(dir)?;
    for one in certificates(&public)? {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    let text: String = all.iter().map(|one| pem("CERTIFICATE", one)).collect();
    files::write_public(&dir.join(FORMER_AUTHORITIES_FILE), &text)
}

fn former(dir: &Path) -> Result<Vec<CertificateDer<'static>>, IdentityError> {
    certificates(&dir.join(FORMER_AUTHORITIES_FILE))
}

/// Returns the certificates in a public file, if it exists. Invalid blocks are skipped: no browser can have installed them.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, IdentityError> {
    if !files::exists(path)? {
        return Ok(Vec::new());
    }
    let text = files::read_public(path)?;
    Ok(CertificateDer::pem_slice_iter(&text)
        .filter_map(Result::ok)
        .collect())
}
