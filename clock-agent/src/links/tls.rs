//! TLS for a clock: version 1.3, ring, one trusted authority and, once enrolled, the clock's own certificate. Owns the check that the peer is this
//! clock's hub; the hub's address does not matter.

use std::sync::{Arc, Mutex};

use proto::enrolment::fingerprint;
use proto::quic::{SERVER_NAME, voucher_name};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, PeerIncompatible, RootCertStore,
    SignatureScheme,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};

use crate::identity::Identity;

/// The earliest date used to check a certificate. A machine without a battery-backed clock boots with a date in the distant past. Every authority is
/// valid on this date.
const EARLIEST: std::time::Duration = std::time::Duration::from_secs(946_684_800 + 2 * 86_400);

#[derive(Clone, Debug)]
pub(crate) enum Trust {
    /// An authority known by its certificate.
    Authority(CertificateDer<'static>),
    /// An authority known by its fingerprint; the hub sends the authority's certificate along with its own.
    Fingerprint([u8; 16]),
}

/// The authority of the hub whose certificate was rejected last. Used to explain the failure.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherAuthority(Arc<Mutex<Option<[u8; 16]>>>);

impl OtherAuthority {
    pub(crate) fn take(&self) -> Option<[u8; 16]> {
        self.slot().take()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<[u8; 16]>> {
        // Ignore poisoning: any value left by a panicking holder is valid.
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

pub(crate) fn session_config(identity: &Identity) -> Result<(ClientConfig, OtherAuthority), Error> {
    let enrolment = &identity.enrolment;
    let trust = Trust::Authority(enrolment.authority_der.clone().into());
    let key = identity
        .keys
        .signing_pkcs8()
        .map_err(|error| Error::General(error.to_string()))?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
    let chain = vec![enrolment.certificate_der.clone().into()];
    let other_authority = OtherAuthority::default();
    let mut config = builder(trust, &other_authority)?.with_client_auth_cert(chain, key)?;
    finish(&mut config, proto::quic::ALPN_SESSION);
    Ok((config, other_authority))
}

pub(crate) fn enrol_config(authority: [u8; 16]) -> Result<(ClientConfig, OtherAuthority), Error> {
    let other_authority = OtherAuthority::default();
    let mut config =
        builder(Trust::Fingerprint(authority), &other_authority)?.with_no_client_auth();
    finish(&mut config, proto::quic::ALPN_ENROL);
    Ok((config, other_authority))
}

fn builder(
    trust: Trust,
    other_authority: &OtherAuthority,
) -> Result<rustls::ConfigBuilder<ClientConfig, rustls::client::WantsClientCert>, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = OneHub {
        trust,
        provider: provider.clone(),
        other_authority: other_authority.clone(),
    };
    Ok(ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier)))
}

fn finish(config: &mut ClientConfig, alpn: &[u8]) {
    config.alpn_protocols = vec![alpn.to_vec()];
    // A resumed session would skip the certificate check, and early data, such as a press, could be replayed.
    config.resumption = Resumption::disabled();
    config.enable_early_data = false;
}

#[derive(Debug)]
struct OneHub {
    trust: Trust,
    provider: Arc<CryptoProvider>,
    other_authority: OtherAuthority,
}

impl OneHub {
    /// Returns the authority to check against, or an error if the hub did not send it.
    fn anchor(
        &self,
        leaf: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
    ) -> Result<CertificateDer<'static>, Error> {
        match &self.trust {
            Trust::Authority(authority) => Ok(authority.clone()),
            Trust::Fingerprint(wanted) => std::iter::once(leaf)
                .chain(chain)
                .find(|certificate| fingerprint(certificate) == *wanted)
                .map(|certificate| certificate.clone().into_owned())
                .ok_or(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn check(
        &self,
        leaf: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        check_issued(self.anchor(leaf, chain)?, leaf, chain, now, SERVER_NAME)
    }
}

fn check_issued(
    authority: CertificateDer<'static>,
    leaf: &CertificateDer<'_>,
    chain: &[CertificateDer<'_>],
    now: UnixTime,
    name: &str,
) -> Result<(), Error> {
    let mut roots = RootCertStore::empty();
    roots.add(authority)?;
    let leaf = ParsedCertificate::try_from(leaf)?;
    let earliest = UnixTime::since_unix_epoch(EARLIEST);
    let now = if now.as_secs() < earliest.as_secs() {
        earliest
    } else {
        now
    };
    let algorithms = rustls::crypto::ring::default_provider()
        .signature_verification_algorithms
        .all;
    verify_server_cert_signed_by_trust_anchor(&leaf, &roots, chain, now, algorithms)?;
    let name = ServerName::try_from(name)
        .map_err(|_| Error::General(format!("{name} is not a server name")))?;
    verify_server_name(&leaf, &name)
}

/// Checks `voucher`, the certificate by which `authority` vouches for the authority `next`. All three are in DER.
pub(crate) fn check_voucher(authority: &[u8], voucher: &[u8], next: &[u8]) -> Result<(), Error> {
    let name = voucher_name(&fingerprint(next));
    let authority = authority.to_vec().into();
    // The date is unknown on a machine without a battery-backed clock. The connected hub decides whether the voucher is still valid.
    let now = UnixTime::since_unix_epoch(EARLIEST);
    check_issued(authority, &voucher.to_vec().into(), &[], now, &name)
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
        match self.check(end_entity, intermediates, now) {
            Ok(()) => Ok(ServerCertVerified::assertion()),
            Err(error) => {
                let shown = intermediates.last().unwrap_or(end_entity);
                *self.other_authority.slot() = Some(fingerprint(shown));
                Err(error)
            }
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::PeerIncompatible(
            PeerIncompatible::Tls13RequiredForQuic,
        ))
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
