//! Verifies a hub's certificate for its clients. A hub is identified by its authority alone. Whatever name or address a client uses, the
//! certificate must be for the name that all hubs share. Must never accept a hub because of its address.

use std::fmt;
use std::sync::Arc;

use proto::enrolment::fingerprint;
use proto::quic::SERVER_NAME;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};

use super::tls::{provider, roots};

/// A verifier that accepts only the hub of one authority.
pub(super) enum HubVerifier {
    /// The authority stored with a client's own certificate.
    Authority(CertificateDer<'static>),
    /// The fingerprint of the authority in a code. The hub shows the authority along with its own certificate.
    Fingerprint([u8; 16]),
}

impl fmt::Debug for HubVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HubVerifier")
    }
}

impl HubVerifier {
    fn authority<'a>(
        &'a self,
        shown: &'a [CertificateDer<'a>],
    ) -> Result<&'a CertificateDer<'a>, Error> {
        match self {
            Self::Authority(authority) => Ok(authority),
            Self::Fingerprint(wanted) => shown
                .iter()
                .find(|shown| fingerprint(shown) == *wanted)
                .ok_or(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }
}

impl ServerCertVerifier for HubVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let unusable = |error: &dyn fmt::Display| Error::General(error.to_string());
        let roots = Arc::new(roots(&[self.authority(intermediates)?])?);
        let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider())
            .build()
            .map_err(|error| unusable(&error))?;
        let name = ServerName::try_from(SERVER_NAME).map_err(|error| unusable(&error))?;
        verifier.verify_server_cert(end_entity, intermediates, &name, ocsp_response, now)
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
