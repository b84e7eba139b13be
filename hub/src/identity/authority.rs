//! The hub's certificate authority: generates its own key and issues leaf certificates. Must never write a file.
//!
//! Clocks, gateways and arbiters' programs trust it. Browsers have a separate authority (`browser_authority`), because
//! this one is not limited to the hub's names.
//!
//! The keys of authorities, arbiters and servers are P-256, because not every TLS library supports Ed25519. Certificates are valid from the year
//! 2000. A device without a battery-backed clock can therefore play even if its date is in the past after a restart. A clock's certificate expires,
//! and the hub renews it over the clock's link. A gateway's or an arbiter's ends by revocation; an arbiter's may also have an expiry date.

use std::net::IpAddr;

use jiff::civil::Date;
use pem::{EncodeConfig, LineEnding, Pem};
use proto::enrolment::fingerprint_text;
use proto::ids::AgentId;
use proto::quic::voucher_name;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, PublicKeyData, SanType, SerialNumber, SignatureAlgorithm,
    date_time_ymd,
};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};
use x509_parser::prelude::X509Certificate;

use super::browser_authority::has_signed;
use super::gateways::GatewayId;
use super::peer::{Arbiter, arbiter_uri};
use super::{IdentityError, random};

pub struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

#[derive(Clone, Debug)]
pub struct IssuedCertificate {
    pub certificate: CertificateDer<'static>,
    /// The certificate's serial number, by which a revocation names it.
    pub serial: [u8; 16],
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Authority({})", fingerprint_text(&self.fingerprint()))
    }
}

impl Authority {
    /// Creates a new authority.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the key or the certificate cannot be created.
    pub fn generate() -> Result<Self, IdentityError> {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let certificate = authority_params(&key).self_signed(&key)?.into();
        Ok(Self::new(certificate, key))
    }

    /// Returns the certificate and key as PEM. Anyone who has this text can act as the hub.
    pub fn to_pem(&self) -> String {
        self.certificate_pem() + &self.issuer.key().serialize_pem()
    }

    /// Parses the text of [`Authority::to_pem`].
    ///
    /// # Errors
    /// Returns a description of the error in the text.
    pub fn from_pem(pem: &str) -> Result<Self, String> {
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes())
            .map_err(|error| format!("it contains no certificate ({error})"))?;
        let key = private_key(pem)?;
        let (rest, parsed) = x509_parser::parse_x509_certificate(&certificate)
            .map_err(|error| format!("its certificate is invalid ({error})"))?;
        if !rest.is_empty() {
            return Err("its certificate is followed by extra data".to_owned());
        }
        check_key(&parsed, &key)?;
        if !has_signed(&parsed, &parsed) {
            return Err("its certificate does not match its signature".to_owned());
        }
        Ok(Self::new(certificate, key))
    }

    fn new(certificate: CertificateDer<'static>, key: KeyPair) -> Self {
        let issuer = Issuer::new(authority_params(&key), key);
        Self {
            certificate,
            issuer,
        }
    }

    pub fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    pub fn certificate_pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
    }

    /// Returns the fingerprint by which a code names the authority (see [`proto::enrolment::fingerprint`]).
    pub fn fingerprint(&self) -> [u8; 16] {
        proto::enrolment::fingerprint(&self.certificate)
    }

    /// Derives a secret for one `purpose` from the authority's key. The secret stays the same as long as the key does, and
    /// does not reveal the key.
    pub(crate) fn secret_for<const N: usize>(&self, purpose: &str) -> [u8; N] {
        const { assert!(N <= 32, "a hash has 32 bytes") };
        let mut hash = Sha256::new();
        hash.update(b"flagfall secret v1\n");
        hash.update(purpose.as_bytes());
        hash.update(b"\n");
        hash.update(self.issuer.key().serialized_der());
        let hash = hash.finalize();
        std::array::from_fn(|at| hash[at])
    }

    /// Certifies an agent's Ed25519 key for as long as this authority is valid.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the certificate cannot be created.
    pub fn issue_agent(&self, agent: &AgentId) -> Result<IssuedCertificate, IdentityError> {
        self.issue_agent_until(agent, None)
    }

    /// Certifies an agent's Ed25519 key until `end` (Unix time, seconds), or for as long as this authority is valid.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the certificate cannot be created.
    pub fn issue_agent_until(
        &self,
        agent: &AgentId,
        end: Option<u64>,
    ) -> Result<IssuedCertificate, IdentityError> {
        let uri = format!("{}{agent}", proto::quic::AGENT_URI);
        let mut params = client_params(&format!("agent {}", agent.short()), &uri)?;
        if let Some(end) = end {
            let since_1970 = std::time::Duration::from_secs(end);
            params.not_after = date_time_ymd(1970, 1, 1) + since_1970;
        }
        self.issue(params, &Ed25519Key(agent.0))
    }

    pub(crate) fn issue_gateway(
        &self,
        gateway: &GatewayId,
    ) -> Result<IssuedCertificate, IdentityError> {
        let uri = format!("{}{}", proto::quic::GATEWAY_URI, AgentId(gateway.0));
        let params = client_params(&format!("gateway {gateway}"), &uri)?;
        self.issue(params, &Ed25519Key(gateway.0))
    }

    /// Certifies the key. If `expires` is given, the certificate is valid until the start of that day (UTC).
    pub(crate) fn issue_arbiter(
        &self,
        key: &KeyPair,
        arbiter: &Arbiter,
        expires: Option<Date>,
    ) -> Result<IssuedCertificate, IdentityError> {
        let Arbiter { name, role, .. } = arbiter;
        let common_name = format!("{} {name}", role.as_str());
        let mut params = client_params(&common_name, &arbiter_uri(arbiter))?;
        if let Some(day) = expires {
            let (month, day_of_month) = (day.month().unsigned_abs(), day.day().unsigned_abs());
            params.not_after = date_time_ymd(day.year().into(), month, day_of_month);
        }
        self.issue(params, key)
    }

    pub(crate) fn issue_server(
        &self,
        key: &KeyPair,
        names: &[String],
    ) -> Result<IssuedCertificate, IdentityError> {
        self.issue(server_params(names)?, key)
    }

    /// Vouches for `next` to clients that trust this authority: issues a certificate for the key of `next`, under a server name derived
    /// from its fingerprint.
    pub(crate) fn vouch_for(&self, next: &Self) -> Result<IssuedCertificate, IdentityError> {
        let mut params = leaf_params("next authority")?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.subject_alt_names = vec![san(&voucher_name(&next.fingerprint()))?];
        self.issue(params, next.issuer.key())
    }

    fn issue(
        &self,
        params: CertificateParams,
        key: &impl PublicKeyData,
    ) -> Result<IssuedCertificate, IdentityError> {
        sign(params, key, &self.issuer)
    }
}

pub(super) fn sign(
    mut params: CertificateParams,
    key: &impl PublicKeyData,
    issuer: &Issuer<'_, KeyPair>,
) -> Result<IssuedCertificate, IdentityError> {
    let mut serial = random::<16>()?;
    // A serial number is positive, and its encoding has no leading zero.
    serial[0] = serial[0] & 0x7f | 0x40;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    let certificate = params.signed_by(key, issuer)?.into();
    Ok(IssuedCertificate {
        certificate,
        serial,
    })
}

fn authority_params(key: &KeyPair) -> CertificateParams {
    let mut params = CertificateParams::default();
    let id = Sha256::digest(key.public_key_raw());
    params.distinguished_name = name(&format!("hub {}", proto::ids::hex(&id[..4])));
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2100, 1, 1);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::CrlSign,
        KeyUsagePurpose::DigitalSignature,
    ];
    params
}

fn client_params(common_name: &str, uri: &str) -> Result<CertificateParams, IdentityError> {
    let mut params = leaf_params(common_name)?;
    params.subject_alt_names = vec![SanType::URI(ia5(uri)?)];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    Ok(params)
}

pub(super) fn server_params(names: &[String]) -> Result<CertificateParams, IdentityError> {
    let mut params = leaf_params("hub")?;
    params.subject_alt_names = names
        .iter()
        .map(|name| san(name))
        .collect::<Result<_, _>>()?;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

fn leaf_params(common_name: &str) -> Result<CertificateParams, IdentityError> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name = name(common_name);
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2100, 1, 1);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.use_authority_key_identifier_extension = true;
    Ok(params)
}

pub(super) fn name(common: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "Flagfall");
    name.push(DnType::CommonName, common);
    name
}

pub(super) fn ia5(text: &str) -> Result<rcgen::string::Ia5String, IdentityError> {
    text.try_into()
        .map_err(|_| IdentityError::Make(format!("{text:?} is not ASCII: use its xn-- form")))
}

fn san(name: &str) -> Result<SanType, IdentityError> {
    Ok(match name.parse::<IpAddr>() {
        Ok(address) => SanType::IpAddress(address),
        Err(_) => SanType::DnsName(ia5(name)?),
    })
}

pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    let unix_lines = EncodeConfig::new().set_line_ending(LineEnding::LF);
    pem::encode_config(&Pem::new(label, der), unix_lines)
}

/// Parses the private key in a PEM text, whose first block may be a certificate.
pub(super) fn private_key(pem: &str) -> Result<KeyPair, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("it contains no private key ({error})");
    let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|error| unreadable(&error))?;
    KeyPair::try_from(&key).map_err(|error| unreadable(&error))
}

pub(super) fn check_key(certificate: &X509Certificate<'_>, key: &KeyPair) -> Result<(), String> {
    match *certificate.public_key().subject_public_key.data == *key.public_key_raw() {
        true => Ok(()),
        false => Err("its certificate belongs to a different key".to_owned()),
    }
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

#[cfg(test)]
mod tests {
    use super::Authority;

    #[test]
    fn authority_round_trips_as_text() {
        let made = Authority::generate().unwrap();
        let read = Authority::from_pem(&made.to_pem()).unwrap();
        assert_eq!(read.certificate(), made.certificate());
        assert_eq!(read.to_pem(), made.to_pem());
        assert!(Authority::from_pem(&made.certificate_pem()).is_err());
    }
}
