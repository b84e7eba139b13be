//! An attacker's certificates: stolen, expired, issued by a different hub, or self-signed.

use anyhow::Context as _;
use clock_agent::identity::Identity;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use hub::identity::{Authority, Credentials, Role};
use proto::ids::AgentId;
use proto::quic::{AGENT_URI, ARBITER_URI};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, Issuer, KeyPair,
    KeyUsagePurpose, SanType, date_time_ymd,
};
use ring::digest::{SHA256, digest};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

pub struct Badge {
    pub certificate: CertificateDer<'static>,
    pub key: PrivateKeyDer<'static>,
}

impl Badge {
    /// Returns a copy. `Clone` is not derived, so that a private key is never copied by accident.
    #[must_use]
    pub fn copied(&self) -> Self {
        Self {
            certificate: self.certificate.clone(),
            key: self.key.clone_key(),
        }
    }

    pub fn of(credentials: &Credentials) -> Self {
        Self {
            certificate: credentials.certificate().clone(),
            key: credentials.key().clone_key(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Holder {
    Agent(AgentId),
    Chief,
}

pub fn badge(identity: &Identity) -> anyhow::Result<Badge> {
    let key = identity.keys.signing_key().to_pkcs8_der()?;
    Ok(Badge {
        certificate: identity.enrolment.certificate_der.clone().into(),
        key: PrivatePkcs8KeyDer::from(key.as_bytes().to_vec()).into(),
    })
}

/// Returns the authority of a different hub, and the badge of its chief arbiter.
pub fn foreign_authority() -> anyhow::Result<(Authority, Badge)> {
    let authority = Authority::generate()?;
    let chief = Credentials::issue(&authority, Role::Chief, "chief")?;
    let badge = Badge::of(&chief);
    Ok((authority, badge))
}

/// Returns an expired badge of a clock. `authority` is the certificate authority of the issuing hub with its key, in PEM.
pub fn expired_agent(authority: &str, agent: AgentId) -> anyhow::Result<Badge> {
    issued(Some(authority), Holder::Agent(agent))
}

/// Returns an expired badge of the chief arbiter, issued as in [`expired_agent`].
pub fn expired_arbiter(authority: &str) -> anyhow::Result<Badge> {
    issued(Some(authority), Holder::Chief)
}

impl Holder {
    pub fn self_signed(self) -> anyhow::Result<Badge> {
        issued(None, self)
    }

    fn uri(self) -> String {
        match self {
            Self::Agent(agent) => format!("{AGENT_URI}{agent}"),
            Self::Chief => format!("{ARBITER_URI}chief:chief"),
        }
    }
}

/// Creates a certificate for a holder. If `authority` is given, the certificate is issued by it and expired; otherwise it is self-signed and valid.
fn issued(authority: Option<&str>, holder: Holder) -> anyhow::Result<Badge> {
    let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
    let mut params = CertificateParams::default();
    params.subject_alt_names = vec![SanType::URI(holder.uri().try_into()?)];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2020, 1, 1);
    let certificate = match authority {
        None => {
            params.not_after = date_time_ymd(2100, 1, 1);
            params.self_signed(&key)?
        }
        Some(pem) => {
            let own = pem.find("-----BEGIN PRIVATE KEY").context("no key")?;
            let own = KeyPair::from_pem(&pem[own..])?;
            // Verifiers find the authority's certificate by this name.
            let id = digest(&SHA256, own.public_key_raw());
            let name = format!("hub {}", hex::encode(&id.as_ref()[..4]));
            let mut authority = CertificateParams::default();
            authority.distinguished_name = DistinguishedName::new();
            for (kind, text) in [
                (DnType::OrganizationName, "Flagfall"),
                (DnType::CommonName, name.as_str()),
            ] {
                authority.distinguished_name.push(kind, text);
            }
            params.signed_by(&key, &Issuer::new(authority, own))?
        }
    };
    Ok(Badge {
        certificate: certificate.into(),
        key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
    })
}
