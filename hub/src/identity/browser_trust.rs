//! The certificates that browsers see, and the authority behind them: the hub's own, or one outside.
//!
//! Owns the files of the browser authority and the renewal of what it issues. Never touches an open connection: TLS asks for a
//! certificate at each handshake. Programs and clocks are shown another one (`tls`).

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
use super::outside::{Outside, OutsideFiles, vouches};
use super::tls::WallClock;
use super::{AUTHORITY_PUBLIC_FILE, IdentityError, browser_names, files};
use crate::time_source::WallTime;

/// File in the data directory: certificates and key of the browser authority.
pub const BROWSER_AUTHORITY_FILE: &str = "browser-authority.pem";
/// File in the data directory: the authorities that browsers were told to install before the present one.
pub const FORMER_AUTHORITIES_FILE: &str = "former-authorities.pem";
/// Arbiters are told this long before the authority ends.
const TOLD_BEFORE: Duration = Duration::from_secs(60 * 86_400);

/// The configuration's part of what browsers trust.
#[derive(Clone, Debug, Default)]
pub struct TrustSettings {
    /// Names and addresses from the configuration by which browsers reach the hub.
    pub configured: Vec<String>,
    /// A certificate from outside.
    pub outside: Option<OutsideFiles>,
}

/// The certificates for browsers.
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
    /// Names and addresses of this machine and its configuration.
    names: Vec<String>,
    outside: Option<Arc<Outside>>,
    /// Why the certificate from outside, or its newest version, is not used.
    problem: Option<String>,
    former: Vec<CertificateDer<'static>>,
}

/// The facts about trust that people need.
#[derive(Clone, Debug)]
pub struct TrustStatus {
    /// The certificate that devices install.
    pub root: CertificateDer<'static>,
    /// When the authority ends.
    pub authority_until: WallTime,
    /// True in the last 60 days before that.
    pub ends_soon: bool,
    /// The names and addresses of the certificate that the hub made for browsers.
    pub names: Vec<String>,
    /// When that certificate ends; it is renewed before.
    pub until: WallTime,
    /// Names by which the hub may be called, but which no certificate covers.
    pub uncovered: Vec<String>,
    /// Names and end of the certificate from outside.
    pub outside: Option<(Vec<String>, WallTime)>,
    /// Why the certificate from outside, or its newest version, is not used.
    pub problem: Option<String>,
    /// Authorities that browsers were told to install before this one.
    pub former: Vec<CertificateDer<'static>>,
}

impl TrustStatus {
    /// Returns true if a browser that calls the hub by this name or address sees a certificate for it.
    pub fn covers(&self, name: &str) -> bool {
        self.names.iter().any(|known| vouches(known, name)) || self.needs_nothing(name)
    }

    /// Returns true if a browser that calls the hub by this name sees a certificate of an authority that it knows already.
    pub fn needs_nothing(&self, name: &str) -> bool {
        let outside = self.outside.iter().flat_map(|(names, _)| names);
        // By its address a browser says no name, and is shown the hub's own certificate.
        name.parse::<IpAddr>().is_err() && outside.into_iter().any(|known| vouches(known, name))
    }
}

impl BrowserTrust {
    /// Opens the browser authority in `dir`, and makes it there if there is none or it has ended. The caller holds the directory's lock.
    ///
    /// # Errors
    /// Every [`IdentityError`]. A certificate from outside that cannot be used is no error: see [`TrustStatus::problem`].
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
            outside: None,
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

    /// Renews what is due: the authority once it has ended, its certificate before that ends or when the hub's names change, and
    /// the certificate from outside when its files do. Reads files; open connections stay as they are.
    ///
    /// # Errors
    /// The authority cannot be made or written; everything stays as it was.
    pub fn refresh(&self) -> Result<(), IdentityError> {
        let now = self.now();
        let mut state = State::clone(&self.state());
        state.names = browser_names(&self.settings.configured);
        if state.authority.has_ended(now) {
            tracing::warn!(
                "the browser authority has ended: every browser has to install the new one"
            );
            state.authority = Arc::new(make(&self.dir, &self.settings, &state.names, now)?);
            state.former = former(&self.dir)?;
            (state.own, state.certified) = issue(&state.authority, &state.names, now)?;
        }
        if state.authority.has_outdated(&state.own, &state.names, now) {
            (state.own, state.certified) = issue(&state.authority, &state.names, now)?;
            tracing::info!(until = %state.own.until, "a new server certificate for browsers");
        }
        if let Some(files) = &self.settings.outside {
            state.read_outside(files, &self.settings.configured, now);
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        Ok(())
    }

    /// The certificate for a browser that calls the hub by this name; by an address it gives none.
    pub(super) fn certificate_for(&self, name: Option<&str>) -> Arc<CertifiedKey> {
        let (state, now) = (self.state(), self.now());
        let outside = state.outside.as_ref().zip(name);
        match outside.filter(|(outside, name)| outside.is_valid(now) && outside.covers(name)) {
            Some((outside, _)) => outside.certified().clone(),
            None => state.certified.clone(),
        }
    }

    /// Returns the facts about trust that people need now.
    pub fn status(&self) -> TrustStatus {
        let (state, now) = (self.state(), self.now());
        let outside = state
            .outside
            .as_ref()
            .filter(|outside| outside.is_valid(now));
        let is_covered = |name: &String| {
            state.authority.covers(name) || outside.is_some_and(|outside| outside.covers(name))
        };
        // IPv6 addresses come and go, and are not typed.
        let is_called = |name: &String| {
            self.settings.configured.contains(name) || name.parse::<Ipv6Addr>().is_err()
        };
        let uncovered = state
            .names
            .iter()
            .filter(|name| is_called(name) && !is_covered(name));
        let authority_until = state.authority.until();
        let left_us = authority_until.unix_us().saturating_sub(now.unix_us());
        TrustStatus {
            root: state.authority.root().clone(),
            authority_until,
            ends_soon: u128::from(left_us.max(0).unsigned_abs()) < TOLD_BEFORE.as_micros(),
            names: state.own.names.clone(),
            until: state.own.until,
            uncovered: uncovered.cloned().collect(),
            outside: outside.map(|outside| (outside.names().to_owned(), outside.until())),
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
    /// Takes the files' certificate if it passes the checks; keeps the previous one if not.
    fn read_outside(&mut self, files: &OutsideFiles, configured: &[String], now: WallTime) {
        match Outside::load(files, configured, now) {
            Ok(read) => {
                let shown = self.outside.as_ref().map(|shown| &shown.certified().cert);
                if shown != Some(&read.certified().cert) {
                    tracing::info!(names = ?read.names(), until = %read.until(), "the certificate from outside is in use");
                    self.outside = Some(Arc::new(read));
                }
                self.problem = None;
            }
            Err(error) => {
                let why = error.to_string();
                if self.problem.as_ref() != Some(&why) {
                    let kept = match &self.outside {
                        Some(outside) if outside.is_valid(now) => "the previous one stays",
                        Some(_) | None => "browsers get the hub's own",
                    };
                    tracing::warn!("the certificate from outside is not used, {kept}: {why}");
                }
                self.problem = Some(why);
            }
        }
    }
}

/// Makes an authority and writes it: first what it replaces, last what browsers are to install.
fn make(
    dir: &Path,
    settings: &TrustSettings,
    names: &[String],
    now: WallTime,
) -> Result<BrowserAuthority, IdentityError> {
    remember_former(dir)?;
    // Private addresses are covered by their ranges; some halls have public ones. Those of IPv6 come and go, and are not typed.
    let lasting = names
        .iter()
        .filter(|name| name.parse::<Ipv6Addr>().is_err() || settings.configured.contains(name));
    let lasting: Vec<String> = lasting.cloned().collect();
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
    let key =
        any_supported_type(&own.key).map_err(|error| IdentityError::Make(error.to_string()))?;
    let certified = CertifiedKey::new(own.chain.clone(), key);
    Ok((Arc::new(own), Arc::new(certified)))
}

/// Browsers were told to install the certificate in the public file. It may be the hall's own authority, from before browsers had theirs.
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
    let path = dir.join(FORMER_AUTHORITIES_FILE);
    if files::exists(&path)? {
        certificates(&path)
    } else {
        Ok(Vec::new())
    }
}

/// The certificates in a public file; what is no certificate was no authority of a browser either.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, IdentityError> {
    let text = files::read_public(path)?;
    Ok(CertificateDer::pem_slice_iter(&text)
        .filter_map(Result::ok)
        .collect())
}
