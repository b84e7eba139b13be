//! Certificate authorities that issue the certificates of simulated clocks. Each number stands for a different authority.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use proto::ids::AgentId;
use rcgen::{
    CertificateParams, DistinguishedName, Issuer, KeyPair, PKCS_ED25519, PublicKeyData,
    SerialNumber, SignatureAlgorithm,
};

static KEYS: Mutex<BTreeMap<u8, Vec<u8>>> = Mutex::new(BTreeMap::new());

pub(crate) fn key(number: u8) -> KeyPair {
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    let der = keys
        .entry(number)
        .or_insert_with(|| KeyPair::generate().unwrap().serialize_der());
    KeyPair::try_from(der.as_slice()).unwrap()
}

pub(crate) fn params(serial: &[u8]) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.serial_number = Some(SerialNumber::from_slice(serial));
    params
}

pub(crate) fn der(number: u8) -> Vec<u8> {
    // Each call creates a new signature and so a different certificate. The log of a simulated hall contains that of its authority.
    params(&[1])
        .self_signed(&key(number))
        .unwrap()
        .der()
        .to_vec()
}

/// Issues a clock's certificate from authority `number`. Returns its serial number and its DER encoding.
pub(crate) fn certificate(number: u8, agent: &AgentId) -> (Vec<u8>, Vec<u8>) {
    // With 0x40 as the first byte, the serial number is positive and has no leading zero, as DER requires.
    let serial = vec![0x40, agent.0[0]];
    let issuer = Issuer::new(params(&[1]), key(number));
    let certificate = params(&serial).signed_by(&Key(agent.0), &issuer).unwrap();
    (serial, certificate.der().to_vec())
}

struct Key([u8; 32]);

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ED25519
    }
}
