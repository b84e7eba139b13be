//! TLS settings of this device: version 1.3, the ring provider, and a single trusted authority, given by its fingerprint.
//!
//! Owns the check that the authority issued the peer's certificate for a hub. The hub's address is not checked, because it may change.

use std::sync::Arc;

use proto::enrolment::fingerprint;
use proto::quic::SERVER_NAME;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, PeerIncompatible, RootCertStore,
    SignatureScheme,
};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};

/// Returns the TLS settings for the hub whose authority has this fingerprint.
///
/// # Errors
/// Returns an error if the provider does not support TLS 1.3. The ring provider supports it.
pub(super) fn config(authority: [u8; 16]) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = OneHub {
        authority,
        provider: Arc::clone(&provider),
    };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    // A resumed session would skip the certificate check. Early data can be replayed, which must not happen to a command.
    config.resumption = Resumption::disabled();
    config.enable_early_data = false;
    Ok(config)
}

pub(super) fn server_name() -> Result<ServerName<'static>, Error> {
    ServerName::try_from(SERVER_NAME)
        .map_err(|_| Error::General("the hub's server name is invalid".to_owned()))
}

#[derive(Debug)]
struct OneHub {
    authority: [u8; 16],
    provider: Arc<CryptoProvider>,
}

impl OneHub {
    fn check(
        &self,
        leaf: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        let authority = chain
            .iter()
            .find(|certificate| fingerprint(certificate) == self.authority)
            .ok_or(Error::InvalidCertificate(CertificateError::UnknownIssuer))?;
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let leaf = ParsedCertificate::try_from(leaf)?;
        let algorithms = self.provider.signature_verification_algorithms.all;
        verify_server_cert_signed_by_trust_anchor(&leaf, &roots, &[], now, algorithms)?;
        verify_server_name(&leaf, &server_name()?)
    }
}

impl ServerCertVerifier for OneHub {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(end_entity, intermediates, now)
            .map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
