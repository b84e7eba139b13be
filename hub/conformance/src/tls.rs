//! TLS for both ends, as the protocol demands: version 1.3, certificates from one authority, no resumption. Owns the checks of certificates; frames
//! are not its concern. Repeats the checks of the hub and the clock, because the kit judges both and shares no TLS code with them.

use std::sync::Arc;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use proto::enrolment::fingerprint;
use proto::ids::AgentId;
use proto::quic::{AGENT_URI, ALPN_ENROL, ALPN_SESSION, SERVER_NAME};
use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PublicKeyData, SanType, SignatureAlgorithm, date_time_ymd,
};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::server::WebPkiClientVerifier;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, Error, RootCertStore,
    SignatureScheme, WantsVerifier,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};

#[derive(Debug, thiserror::Error)]
#[error("cannot set up TLS: {0}")]
pub struct TlsError(String);

fn failed(error: impl std::fmt::Display) -> TlsError {
    TlsError(error.to_string())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Returns the client configuration for an enrolment. The clock presents no certificate, and accepts only a hub whose
/// authority has this fingerprint.
pub(crate) fn enrolling_client(authority: [u8; 16]) -> Result<quinn::ClientConfig, TlsError> {
    let config = client_builder()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(ByFingerprint(authority, provider())))
        .with_no_client_auth();
    client(config, ALPN_ENROL)
}

/// Returns the client configuration for a session. An empty certificate stands for a clock that never enrolled.
pub(crate) fn session_client(
    authority_der: &[u8],
    certificate_der: &[u8],
    key: &SigningKey,
) -> Result<quinn::ClientConfig, TlsError> {
    let mut roots = RootCertStore::empty();
    roots.add(authority_der.to_vec().into()).map_err(failed)?;
    let config = client_builder()?.with_root_certificates(roots);
    if certificate_der.is_empty() {
        return client(config.with_no_client_auth(), ALPN_SESSION);
    }
    let key = key.to_pkcs8_der().map_err(failed)?.as_bytes().to_vec();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
    let chain = vec![certificate_der.to_vec().into()];
    let config = config.with_client_auth_cert(chain, key).map_err(failed)?;
    client(config, ALPN_SESSION)
}

fn client_builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, TlsError> {
    ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(failed)
}

fn client(mut config: ClientConfig, alpn: &[u8]) -> Result<quinn::ClientConfig, TlsError> {
    config.alpn_protocols = vec![alpn.to_vec()];
    config.resumption = Resumption::disabled();
    let config = QuicClientConfig::try_from(config).map_err(failed)?;
    Ok(quinn::ClientConfig::new(Arc::new(config)))
}

/// A verifier that accepts a hub whose certificate chain is valid for the authority with this fingerprint.
#[derive(Debug)]
struct ByFingerprint([u8; 16], Arc<CryptoProvider>);

impl ServerCertVerifier for ByFingerprint {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut chain = std::iter::once(end_entity).chain(intermediates);
        let authority = chain
            .find(|certificate| fingerprint(certificate) == self.0)
            .ok_or(Error::InvalidCertificate(CertificateError::UnknownIssuer))?;
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), self.1.clone())
            .build()
            .map_err(|error| Error::General(error.to_string()))?;
        let name =
            ServerName::try_from(SERVER_NAME).map_err(|error| Error::General(error.to_string()))?;
        verifier.verify_server_cert(end_entity, intermediates, &name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("QUIC needs TLS 1.3".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.1.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.1.signature_verification_algorithms.supported_schemes()
    }
}

/// The kit's own certificate authority, created for one run.
pub(crate) struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Authority({})", proto::ids::hex(&self.fingerprint()))
    }
}

impl Authority {
    pub(crate) fn generate() -> Result<Self, TlsError> {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).map_err(failed)?;
        let mut params = params("conformance kit")?;
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![
            KeyUsagePurpose::KeyCertSign,
            KeyUsagePurpose::DigitalSignature,
        ];
        let certificate = params.self_signed(&key).map_err(failed)?.into();
        Ok(Self {
            certificate,
            issuer: Issuer::new(params, key),
        })
    }

    pub(crate) fn der(&self) -> &[u8] {
        &self.certificate
    }

    pub(crate) fn fingerprint(&self) -> [u8; 16] {
        fingerprint(&self.certificate)
    }

    pub(crate) fn certify(&self, agent: &AgentId) -> Result<Vec<u8>, TlsError> {
        let mut params = params(&format!("agent {}", agent.short()))?;
        let uri = format!("{AGENT_URI}{agent}");
        params.subject_alt_names = vec![SanType::URI(uri.try_into().map_err(failed)?)];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let signed = params.signed_by(&Ed25519Key(agent.0), &self.issuer);
        Ok(signed.map_err(failed)?.der().to_vec())
    }

    /// Returns the server configuration for enrolments and sessions. A clock with a certificate from a different
    /// authority fails the handshake.
    pub(crate) fn server(&self) -> Result<quinn::ServerConfig, TlsError> {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).map_err(failed)?;
        let mut params = params("hub")?;
        let name = SERVER_NAME.to_owned().try_into().map_err(failed)?;
        params.subject_alt_names = vec![SanType::DnsName(name)];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.signed_by(&key, &self.issuer).map_err(failed)?;
        let chain = vec![certificate.der().clone(), self.certificate.clone()];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).map_err(failed)?;
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider())
            .allow_unauthenticated()
            .build()
            .map_err(failed)?;
        let mut config = rustls::ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(failed)?
            .with_client_cert_verifier(clients)
            .with_single_cert(chain, key)
            .map_err(failed)?;
        config.alpn_protocols = vec![ALPN_SESSION.to_vec(), ALPN_ENROL.to_vec()];
        config.send_tls13_tickets = 0;
        config.max_early_data_size = 0;
        let config = QuicServerConfig::try_from(config).map_err(failed)?;
        Ok(quinn::ServerConfig::with_crypto(Arc::new(config)))
    }
}

fn params(common_name: &str) -> Result<CertificateParams, TlsError> {
    let mut params = CertificateParams::new(Vec::new()).map_err(failed)?;
    let name = &mut params.distinguished_name;
    name.push(DnType::OrganizationName, "Flagfall");
    name.push(DnType::CommonName, common_name);
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2100, 1, 1);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    Ok(params)
}

struct Ed25519Key([u8; 32]);

impl PublicKeyData for Ed25519Key {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_ED25519
    }
}
