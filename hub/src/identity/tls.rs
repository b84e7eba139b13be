//! TLS as the hub speaks it: version 1.3 alone, ring alone, no resumption, and only its own authorities' certificates.
//!
//! On the port of arbiters a caller is shown the certificate of the authority it trusts. Programs trust the hall's, as clocks do;
//! browsers trust the browser authority, or one outside. [`ApiTls`] tells them apart.
//!
//! A client without a certificate gets through the handshake, because enrolment needs that; what it may then do is decided
//! by `links` (nothing but enrol) and `api` (nothing). A certificate of any other authority ends the handshake.

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

/// TLS of the links with agents and gateways: sessions, enrolments, relays. `names` are DNS names and IP addresses.
///
/// # Errors
/// [`IdentityError::Make`].
pub fn session_config(
    authority: &Authority,
    names: &[String],
    wall: WallClock,
) -> Result<ServerConfig, IdentityError> {
    let shown = Arc::new(SingleCertAndKey::from(hall_certificate(authority, names)?));
    let protocols = [ALPN_SESSION, ALPN_ENROL, ALPN_GATEWAY];
    server_config(authority, shown, wall, &protocols)
}

/// TLS of the gRPC service and the app: one configuration for each kind of caller.
///
/// Only programs are asked for a client certificate. A browser has none of this hub's, and one that is asked interrupts its user
/// (WebKitGTK opens a dialog, Safari offers what its keychain has) or gives up.
#[derive(Clone)]
pub struct ApiTls {
    programs: Arc<ServerConfig>,
    browsers: Arc<ServerConfig>,
}

impl ApiTls {
    /// Makes both configurations. Arbiters' programs call the hub by `names`; browsers are shown the certificates of `browsers`.
    ///
    /// # Errors
    /// [`IdentityError::Make`].
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
                .with_cert_resolver(Arc::new(ForBrowsers(browsers))),
            &[H2, HTTP_1],
        );
        Ok(Self {
            programs: Arc::new(programs),
            browsers: Arc::new(browsers),
        })
    }

    /// Returns the configuration for the caller with this hello.
    ///
    /// Our programs ask for [`SERVER_NAME`], under which no browser can reach the hub. Other gRPC libraries ask for the host, but
    /// offer HTTP/2 alone, as gRPC has to; every browser offers HTTP/1.1 too. The hello has nothing else to go by: the client's own
    /// certificate comes after the hub's, and no browser says which authorities it trusts. Signing one authority with the other would
    /// not help either: the hall's may have no authority below it (path length 0).
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

/// TLS of an arbiter's program: trusts the one hub that its credentials name.
///
/// # Errors
/// The credentials do not fit together.
pub fn arbiter_client_config(credentials: &Credentials) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(credentials.authority().clone())?;
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_client_auth_cert(
            vec![credentials.certificate().clone()],
            credentials.key().clone_key(),
        )?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    config.resumption = rustls::client::Resumption::disabled();
    Ok(config)
}

/// TLS of a gateway: trusts the one hub whose authority it holds, and shows the certificate of `key` (PKCS#8).
///
/// # Errors
/// Certificate, key and authority do not fit together.
pub(crate) fn gateway_client_config(
    authority: CertificateDer<'static>,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
    protocol: &[u8],
    wall: WallClock,
) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(authority)?;
    let mut config = ClientConfig::builder_with_details(provider(), Arc::new(Wall(wall)))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_client_auth_cert(vec![certificate], PrivatePkcs8KeyDer::from(key).into())?;
    config.alpn_protocols = vec![protocol.to_vec()];
    config.resumption = rustls::client::Resumption::disabled();
    Ok(config)
}

/// TLS of a gateway that is about to enrol: trusts whoever shows the authority of the code.
///
/// # Errors
/// The library refuses.
pub(crate) fn enrolling_client_config(
    authority: [u8; 16],
    wall: WallClock,
) -> Result<ClientConfig, Error> {
    let verifier = OfFingerprint(authority);
    let mut config = ClientConfig::builder_with_details(provider(), Arc::new(Wall(wall)))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![ALPN_ENROL.to_vec()];
    config.resumption = rustls::client::Resumption::disabled();
    Ok(config)
}

/// Accepts the hub that shows the authority with this fingerprint beside its own certificate.
#[derive(Debug)]
struct OfFingerprint([u8; 16]);

impl ServerCertVerifier for OfFingerprint {
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
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let webpki = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider())
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
        Err(Error::General("TLS 1.3 alone is spoken here".to_owned()))
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

/// Protocols of browsers and of gRPC, as TLS names them.
const H2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";

/// Shows browsers the certificate for the name they ask for.
#[derive(Debug)]
struct ForBrowsers(Arc<BrowserTrust>);

impl ResolvesServerCert for ForBrowsers {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.certificate_for(hello.server_name()))
    }
}

/// A new key, certified by the hall's authority as long as that is valid: an agent's calendar may be wrong by decades.
fn hall_certificate(
    authority: &Authority,
    names: &[String],
) -> Result<CertifiedKey, IdentityError> {
    let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
    let mut names = names.to_vec();
    names.push(SERVER_NAME.to_owned());
    let issued = authority.issue_server(&key, &names)?;
    // The authority goes along, so that an agent that enrols can check it against the fingerprint of its code.
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
        .with_client_cert_verifier(Arc::new(OursAlone::new(authority)?))
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

/// A resumed session would skip the certificate, and with it a revocation.
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

/// The wall clock for certificate dates, which never stands before the year in which they begin: the hub's machine may
/// have no battery clock either.
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

/// Accepts the certificates of this hub's authority, and says of others what to do about them: the text reaches the other end.
#[derive(Debug)]
struct OursAlone {
    webpki: Arc<dyn ClientCertVerifier>,
}

#[derive(thiserror::Error)]
#[error("the certificate was issued by another hub; enrol here with a code of `flagfall enrol`")]
struct OtherHub;

/// What reaches the other end is the debug form.
impl fmt::Debug for OtherHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl OursAlone {
    fn new(authority: &Authority) -> Result<Self, IdentityError> {
        let mut roots = RootCertStore::empty();
        roots.add(authority.certificate().clone()).map_err(make)?;
        let webpki = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider())
            .allow_unauthenticated()
            .build()
            .map_err(make)?;
        Ok(Self { webpki })
    }
}

impl ClientCertVerifier for OursAlone {
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
