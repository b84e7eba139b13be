//! TLS of the hub and of its clients in this program: only version 1.3, only the ring provider, and no resumption. The hub accepts client
//! certificates only from its own authorities.
//!
//! On the arbiters' port, each caller is shown a certificate of an authority that it trusts. Programs trust the hall's
//! authority, as clocks do. Browsers trust the browser authority, or an external one. [`ApiTls`] distinguishes them.
//!
//! While a former authority is valid, clients of either authority are accepted. A client that names an authority in its hello
//! ([`server_name_of`]) is shown a certificate of that authority.
//!
//! A client without a certificate passes the handshake, since enrolment needs that. Afterwards `links` lets such a client only enrol, and
//! `api` refuses a program without one. A certificate of any other authority ends the handshake.

use std::fmt;
use std::sync::Arc;

use proto::quic::{ALPN_ENROL, ALPN_GATEWAY, ALPN_SESSION, SERVER_NAME, server_name_of};
use rcgen::KeyPair;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::CryptoProvider;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{
    ClientHello, NoServerSessionStorage, ResolvesServerCert, WebPkiClientVerifier,
};
use rustls::sign::CertifiedKey;
use rustls::time_provider::TimeProvider;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, DistinguishedName, Error,
    OtherError, RootCertStore, ServerConfig, SignatureScheme, WantsVerifier,
};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};

use super::hub_verifier::HubVerifier;
use super::peer::agent_end;
use super::{Authority, BrowserTrust, Credentials, Identity, IdentityError};

/// A function that returns the wall-clock time: Unix time, microseconds.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Returns the TLS configuration of the links with agents and gateways: sessions, enrolments, relays. `names` are DNS
/// names and IP addresses.
pub fn session_config(
    identity: &Identity,
    names: &[String],
    wall: WallClock,
) -> Result<ServerConfig, IdentityError> {
    let protocols = [ALPN_SESSION, ALPN_ENROL, ALPN_GATEWAY];
    server_config(identity, names, wall, &protocols)
}

/// TLS of the gRPC service and the app: one configuration per kind of caller.
///
/// Only programs are asked for a client certificate. A browser has no certificate from this hub. If asked for one, it interrupts its user
/// (WebKitGTK opens a dialog, Safari offers certificates from the keychain) or gives up.
#[derive(Clone)]
pub struct ApiTls {
    programs: Arc<ServerConfig>,
    browsers: Arc<ServerConfig>,
}

impl ApiTls {
    /// Creates both configurations. Arbiters' programs use `names` for the hub; browsers are shown the certificates of
    /// `browsers`.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if a key or certificate cannot be created.
    pub fn new(
        identity: &Identity,
        names: &[String],
        browsers: Arc<BrowserTrust>,
        wall: WallClock,
    ) -> Result<Self, IdentityError> {
        let programs = server_config(identity, names, wall.clone(), &[H2, HTTP_1])?;
        let browsers = without_resumption(
            server_builder(wall)?
                .with_no_client_auth()
                .with_cert_resolver(Arc::new(BrowserResolver(browsers))),
            &[H2, HTTP_1],
        );
        Ok(Self {
            programs: Arc::new(programs),
            browsers: Arc::new(browsers),
        })
    }

    /// Returns the configuration for the caller that sent `hello`.
    ///
    /// Flagfall's programs ask for [`SERVER_NAME`] or a name below it, by which no browser can reach the hub. Other gRPC libraries ask for
    /// the host but offer only HTTP/2, as gRPC requires; every browser also offers HTTP/1.1.
    ///
    /// The hello contains no better criterion. The client's own certificate comes after the hub's, and no browser says
    /// which authorities it trusts. Signing one authority with the other would not help: the hall's may have no
    /// authority below it (path length 0).
    #[must_use]
    pub fn for_caller(&self, hello: &ClientHello<'_>) -> Arc<ServerConfig> {
        let speaks_h2_alone = hello.alpn().is_some_and(|offered| {
            let offered: Vec<&[u8]> = offered.collect();
            offered.contains(&H2) && !offered.contains(&HTTP_1)
        });
        if hello.server_name().is_some_and(is_hubs_own) || speaks_h2_alone {
            self.programs.clone()
        } else {
            self.browsers.clone()
        }
    }
}

/// Returns the TLS configuration of an arbiter's program, which trusts the one hub that its credentials name.
///
/// # Errors
/// Fails if the credentials do not match each other.
pub fn arbiter_client_config(credentials: &Credentials) -> Result<ClientConfig, Error> {
    let hub = HubVerifier::Authority(credentials.authority().clone());
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(hub))
        .with_client_auth_cert(
            vec![credentials.certificate().clone()],
            credentials.key().clone_key(),
        )?;
    Ok(with_protocol(config, H2))
}

/// Returns the TLS configuration of a gateway, which trusts the one hub whose authority it holds and shows the
/// certificate of `key` (PKCS#8).
pub(crate) fn gateway_client_config(
    authority: CertificateDer<'static>,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
    protocol: &[u8],
    wall: WallClock,
) -> Result<ClientConfig, Error> {
    let config = client_builder(wall)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(HubVerifier::Authority(authority)))
        .with_client_auth_cert(vec![certificate], PrivatePkcs8KeyDer::from(key).into())?;
    Ok(with_protocol(config, protocol))
}

/// Returns the TLS configuration of a gateway that is enrolling, which trusts any server that the authority named in the code has certified.
pub(crate) fn enrolling_client_config(
    authority: [u8; 16],
    wall: WallClock,
) -> Result<ClientConfig, Error> {
    let verifier = HubVerifier::Fingerprint(authority);
    let config = client_builder(wall)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(with_protocol(config, ALPN_ENROL))
}

fn client_builder(wall: WallClock) -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, Error> {
    ClientConfig::builder_with_details(provider(), Arc::new(Wall(wall)))
        .with_protocol_versions(&[&rustls::version::TLS13])
}

fn with_protocol(mut config: ClientConfig, protocol: &[u8]) -> ClientConfig {
    config.alpn_protocols = vec![protocol.to_vec()];
    config.resumption = rustls::client::Resumption::disabled();
    config
}

pub(super) fn roots(authorities: &[&CertificateDer<'_>]) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add((*authority).clone().into_owned())?;
    }
    Ok(roots)
}

const H2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

#[derive(Debug)]
struct BrowserResolver(Arc<BrowserTrust>);

impl ResolvesServerCert for BrowserResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.certificate_for(hello.server_name()))
    }
}

fn is_hubs_own(name: &str) -> bool {
    let below = name.strip_suffix(SERVER_NAME);
    below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
}

/// A resolver that presents a certificate issued by an authority that the clock, gateway or program trusts.
struct HallResolver {
    current: HubCertificate,
    former: Option<(HubCertificate, i64)>,
    wall: WallClock,
}

struct HubCertificate {
    /// The server name that identifies the authority.
    name: String,
    certificate: Arc<CertifiedKey>,
}

impl HallResolver {
    fn new(identity: &Identity, names: &[String], wall: WallClock) -> Result<Self, IdentityError> {
        let shown = |authority: &Authority| {
            Ok::<_, IdentityError>(HubCertificate {
                name: server_name_of(&authority.fingerprint()),
                certificate: Arc::new(hall_certificate(authority, names)?),
            })
        };
        let former = identity.former();
        let former = former
            .map(|former| Ok::<_, IdentityError>((shown(former.authority())?, former.until_us())));
        Ok(Self {
            current: shown(identity.authority())?,
            former: former.transpose()?,
            wall,
        })
    }
}

impl fmt::Debug for HallResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HallResolver")
    }
}

impl ResolvesServerCert for HallResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let former = self.former.as_ref();
        let former = former.filter(|(_, until_us)| (self.wall)() < *until_us);
        let named = hello.server_name();
        // An older clock or gateway names no authority. If it is enrolled, it knows the former authority; if it has a code, it knows the
        // current one.
        let enrolled_before = || {
            let offered = hello.alpn();
            named == Some(SERVER_NAME)
                && offered.is_some_and(|mut all| {
                    all.any(|one| one == ALPN_SESSION || one == ALPN_GATEWAY)
                })
        };
        let shown = match former {
            Some((former, _)) if named == Some(former.name.as_str()) || enrolled_before() => former,
            Some(_) | None => &self.current,
        };
        Some(shown.certificate.clone())
    }
}

/// Creates a key and certifies it for as long as the hall's authority is valid, since an agent's clock may be wrong by
/// decades.
fn hall_certificate(
    authority: &Authority,
    names: &[String],
) -> Result<CertifiedKey, IdentityError> {
    let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
    let mut names = names.to_vec();
    names.push(SERVER_NAME.to_owned());
    names.push(server_name_of(&authority.fingerprint()));
    let issued = authority.issue_server(&key, &names)?;
    // The chain includes the authority, so that an enrolling agent can check it against the fingerprint in its code.
    let chain = vec![issued.certificate, authority.certificate().clone()];
    let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
    let key = any_supported_type(&key).map_err(IdentityError::make)?;
    Ok(CertifiedKey::new(chain, key))
}

fn server_config(
    identity: &Identity,
    names: &[String],
    wall: WallClock,
    protocols: &[&[u8]],
) -> Result<ServerConfig, IdentityError> {
    let shown = HallResolver::new(identity, names, wall.clone())?;
    let config = server_builder(wall)?
        .with_client_cert_verifier(Arc::new(HallVerifier::new(identity)?))
        .with_cert_resolver(Arc::new(shown));
    Ok(without_resumption(config, protocols))
}

fn server_builder(
    wall: WallClock,
) -> Result<ConfigBuilder<ServerConfig, WantsVerifier>, IdentityError> {
    ServerConfig::builder_with_details(provider(), Arc::new(Wall(wall)))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(IdentityError::make)
}

/// Disables resumption, because a resumed session would skip the certificate and so the check for a revocation.
fn without_resumption(mut config: ServerConfig, protocols: &[&[u8]]) -> ServerConfig {
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.max_early_data_size = 0;
    config
}

pub(super) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// The wall clock for certificate dates, never before the year in which certificates become valid: the hub's machine may have no battery
/// clock.
struct Wall(WallClock);

const YEAR_2000: std::time::Duration = std::time::Duration::from_secs(946_684_800 + 86_400);

impl TimeProvider for Wall {
    fn current_time(&self) -> Option<UnixTime> {
        let wall = u64::try_from((self.0)()).unwrap_or(0);
        let wall = std::time::Duration::from_micros(wall);
        Some(UnixTime::since_unix_epoch(wall.max(YEAR_2000)))
    }
}

impl fmt::Debug for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wall")
    }
}

/// A verifier that accepts the certificates of this hub's authorities. If another authority issued a certificate, the error tells the peer to enrol
/// here.
///
/// Accepts a clock's certificate even after it has expired: the enrolment desk then renews it, or refuses the clock with a message. The
/// date of either machine may be wrong.
#[derive(Debug)]
struct HallVerifier {
    current: Arc<dyn ClientCertVerifier>,
    /// The verifier for certificates of the former authority, and the Unix time until which it applies, in microseconds.
    former: Option<(Arc<dyn ClientCertVerifier>, i64)>,
    hints: Vec<DistinguishedName>,
}

#[derive(thiserror::Error)]
#[error("the certificate was issued by another hub: enrol here with a code from `flagfall enrol`")]
struct OtherHub;

/// Formats like `Display`, because TLS sends the debug form to the peer.
impl fmt::Debug for OtherHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl HallVerifier {
    fn new(identity: &Identity) -> Result<Self, IdentityError> {
        let current = client_verifier(identity.authority())?;
        let former = identity
            .former()
            .map(|former| {
                Ok::<_, IdentityError>((client_verifier(former.authority())?, former.until_us()))
            })
            .transpose()?;
        let mut hints = current.root_hint_subjects().to_vec();
        if let Some((former, _)) = &former {
            hints.extend_from_slice(former.root_hint_subjects());
        }
        Ok(Self {
            current,
            former,
            hints,
        })
    }
}

fn client_verifier(authority: &Authority) -> Result<Arc<dyn ClientCertVerifier>, IdentityError> {
    let roots = Arc::new(roots(&[authority.certificate()]).map_err(IdentityError::make)?);
    WebPkiClientVerifier::builder_with_provider(roots, provider())
        .allow_unauthenticated()
        .build()
        .map_err(IdentityError::make)
}

/// Verifies a client's certificate. Accepts an expired certificate if it is a clock's.
fn verify(
    verifier: &dyn ClientCertVerifier,
    leaf: &CertificateDer<'_>,
    intermediates: &[CertificateDer<'_>],
    now: UnixTime,
) -> Result<ClientCertVerified, Error> {
    let verified = verifier.verify_client_cert(leaf, intermediates, now);
    let has_ended = matches!(
        verified,
        Err(Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. }
        ))
    );
    let Some(end) = has_ended.then(|| agent_end(leaf)).flatten() else {
        return verified;
    };
    let end = UnixTime::since_unix_epoch(std::time::Duration::from_secs(end));
    verifier.verify_client_cert(leaf, intermediates, end)
}

fn is_unknown_issuer(error: &Error) -> bool {
    *error == Error::InvalidCertificate(CertificateError::UnknownIssuer)
}

impl ClientCertVerifier for HallVerifier {
    fn client_auth_mandatory(&self) -> bool {
        self.current.client_auth_mandatory()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.hints
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let mut verified = verify(&*self.current, end_entity, intermediates, now);
        let now_us = i64::try_from(now.as_secs())
            .unwrap_or(i64::MAX)
            .saturating_mul(1_000_000);
        if let (Err(error), Some((former, until_us))) = (&verified, &self.former)
            && is_unknown_issuer(error)
            && now_us < *until_us
        {
            verified = verify(&**former, end_entity, intermediates, now);
        }
        verified.map_err(|error| match is_unknown_issuer(&error) {
            true => {
                let why = OtherError(Arc::new(OtherHub));
                Error::InvalidCertificate(CertificateError::Other(why))
            }
            false => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.current
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.current
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.current.supported_verify_schemes()
    }
}
