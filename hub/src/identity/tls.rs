//! TLS of the hub: only version 1.3, only the ring provider, no resumption, and only certificates of its own
//! authorities.
//!
//! On the arbiters' port, each caller is shown a certificate of an authority that it trusts. Programs trust the hall's
//! authority, as clocks do. Browsers trust the browser authority, or an external one. [`ApiTls`] distinguishes them.
//!
//! A client without a certificate passes the handshake, since enrolment needs that. Afterwards `links` only lets it
//! enrol, and `api` allows nothing. A certificate of any other authority ends the handshake.

use std::fmt;
use std::sync::Arc;

use proto::enrolment::fingerprint;
use proto::quic::{ALPN_ENROL, ALPN_GATEWAY, ALPN_SESSION, SERVER_NAME};
use rcgen::KeyPair;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{
    ClientHello, NoServerSessionStorage, ResolvesServerCert, WebPkiClientVerifier,
};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::time_provider::TimeProvider;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, DistinguishedName, Error,
    OtherError, RootCertStore, ServerConfig, SignatureScheme, WantsVerifier,
};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime};

use super::{Authority, BrowserTrust, Credentials, IdentityError};

/// Reads the wall clock: Unix time, microseconds.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Returns the TLS configuration of the links with agents and gateways: sessions, enrolments, relays. `names` are DNS
/// names and IP addresses.
pub fn session_config(
    authority: &Authority,
    names: &[String],
    wall: WallClock,
) -> Result<ServerConfig, IdentityError> {
    let shown = Arc::new(SingleCertAndKey::from(hall_certificate(authority, names)?));
    let protocols = [ALPN_SESSION, ALPN_ENROL, ALPN_GATEWAY];
    server_config(authority, shown, wall, &protocols)
}

/// TLS of the gRPC service and the app: one configuration per kind of caller.
///
/// Only programs are asked for a client certificate. A browser has none from this hub, and if asked it interrupts its
/// user (WebKitGTK opens a dialog, Safari offers certificates from the keychain) or gives up.
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
    /// Returns [`IdentityError::Make`].
    pub fn new(
        authority: &Authority,
        names: &[String],
        browsers: Arc<BrowserTrust>,
        wall: WallClock,
    ) -> Result<Self, IdentityError> {
        let hall = Arc::new(SingleCertAndKey::from(hall_certificate(authority, names)?));
        let programs = server_config(authority, hall, wall.clone(), &[H2, HTTP_1])?;
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

    /// Returns the configuration for the caller with this hello.
    ///
    /// Flagfall's programs ask for [`SERVER_NAME`], by which no browser can reach the hub. Other gRPC libraries ask for
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
        if hello.server_name() == Some(SERVER_NAME) || speaks_h2_alone {
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
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots(credentials.authority())?)
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
        .with_root_certificates(roots(&authority)?)
        .with_client_auth_cert(vec![certificate], PrivatePkcs8KeyDer::from(key).into())?;
    Ok(with_protocol(config, protocol))
}

/// Returns the TLS configuration of a gateway that is enrolling, which trusts any server that shows the authority of
/// the code.
pub(crate) fn enrolling_client_config(
    authority: [u8; 16],
    wall: WallClock,
) -> Result<ClientConfig, Error> {
    let verifier = PinnedAuthority(authority);
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

fn roots(authority: &CertificateDer<'_>) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone().into_owned())?;
    Ok(roots)
}

/// Accepts a hub that shows the authority with this fingerprint along with its own certificate.
#[derive(Debug)]
struct PinnedAuthority([u8; 16]);

impl ServerCertVerifier for PinnedAuthority {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let authority = intermediates
            .iter()
            .find(|shown| fingerprint(shown) == self.0)
            .ok_or(Error::InvalidCertificate(CertificateError::UnknownIssuer))?;
        let roots = Arc::new(roots(authority)?);
        let webpki = WebPkiServerVerifier::builder_with_provider(roots, provider())
            .build()
            .map_err(|error| Error::General(error.to_string()))?;
        webpki.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("only TLS 1.3 is supported".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = provider().signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
}

const H2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

/// Shows browsers the certificate for the requested name.
#[derive(Debug)]
struct BrowserResolver(Arc<BrowserTrust>);

impl ResolvesServerCert for BrowserResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.certificate_for(hello.server_name()))
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
    let issued = authority.issue_server(&key, &names)?;
    // The chain includes the authority, so that an enrolling agent can check it against the fingerprint in its code.
    let chain = vec![issued.certificate, authority.certificate().clone()];
    let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
    let key = any_supported_type(&key).map_err(make)?;
    Ok(CertifiedKey::new(chain, key))
}

fn server_config(
    authority: &Authority,
    shown: Arc<dyn ResolvesServerCert>,
    wall: WallClock,
    protocols: &[&[u8]],
) -> Result<ServerConfig, IdentityError> {
    let config = server_builder(wall)?
        .with_client_cert_verifier(Arc::new(OwnAuthorityVerifier::new(authority)?))
        .with_cert_resolver(shown);
    Ok(without_resumption(config, protocols))
}

fn server_builder(
    wall: WallClock,
) -> Result<ConfigBuilder<ServerConfig, WantsVerifier>, IdentityError> {
    ServerConfig::builder_with_details(provider(), Arc::new(Wall(wall)))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(make)
}

/// Disables resumption, because a resumed session would skip the certificate and with it a revocation.
fn without_resumption(mut config: ServerConfig, protocols: &[&[u8]]) -> ServerConfig {
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.max_early_data_size = 0;
    config
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn make(error: impl fmt::Display) -> IdentityError {
    IdentityError::Make(error.to_string())
}

/// The wall clock for certificate dates, never before the year in which they begin: the hub's machine may have no
/// battery clock either.
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

/// Accepts the certificates of this hub's authority. For others, the error tells the other end what to do.
#[derive(Debug)]
struct OwnAuthorityVerifier {
    webpki: Arc<dyn ClientCertVerifier>,
}

#[derive(thiserror::Error)]
#[error("the certificate was issued by another hub: enrol here with a code from `flagfall enrol`")]
struct OtherHub;

/// Formats like `Display`, since TLS sends the debug form to the other end.
impl fmt::Debug for OtherHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl OwnAuthorityVerifier {
    fn new(authority: &Authority) -> Result<Self, IdentityError> {
        let roots = Arc::new(roots(authority.certificate()).map_err(make)?);
        let webpki = WebPkiClientVerifier::builder_with_provider(roots, provider())
            .allow_unauthenticated()
            .build()
            .map_err(make)?;
        Ok(Self { webpki })
    }
}

impl ClientCertVerifier for OwnAuthorityVerifier {
    fn client_auth_mandatory(&self) -> bool {
        self.webpki.client_auth_mandatory()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.webpki.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.webpki
            .verify_client_cert(end_entity, intermediates, now)
            .map_err(|error| {
                if error == Error::InvalidCertificate(CertificateError::UnknownIssuer) {
                    let why = OtherError(Arc::new(OtherHub));
                    Error::InvalidCertificate(CertificateError::Other(why))
                } else {
                    error
                }
            })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.webpki
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.webpki
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.webpki.supported_verify_schemes()
    }
}
