//! The certificate authority of a fake hub.

use std::sync::Arc;

use proto::ids::AgentId;
use proto::quic::{ALPN_ENROL, ALPN_SESSION, SERVER_NAME};
use quinn::crypto::rustls::QuicServerConfig;
use rcgen::{
    BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    PublicKeyData, SignatureAlgorithm,
};
use rustls::RootCertStore;
use rustls::server::WebPkiClientVerifier;
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer};

pub struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
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

impl Authority {
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        let certificate = params.self_signed(&key).unwrap().into();
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    pub fn der(&self) -> Vec<u8> {
        self.certificate.to_vec()
    }

    pub fn fingerprint(&self) -> [u8; 16] {
        proto::enrolment::fingerprint(&self.certificate)
    }

    pub fn issue(&self, agent: &AgentId) -> Vec<u8> {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params
            .signed_by(&Ed25519Key(agent.0), &self.issuer)
            .unwrap();
        certificate.der().to_vec()
    }

    pub fn server_config(&self) -> quinn::ServerConfig {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![SERVER_NAME.to_owned()]).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let leaf = params.signed_by(&key, &self.issuer).unwrap();
        let chain = vec![leaf.into(), self.certificate.clone()];
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .allow_unauthenticated()
                .build()
                .unwrap();
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain, PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .unwrap();
        config.alpn_protocols = vec![ALPN_SESSION.to_vec(), ALPN_ENROL.to_vec()];
        let crypto = QuicServerConfig::try_from(config).unwrap();
        quinn::ServerConfig::with_crypto(Arc::new(crypto))
    }
}
