//! The authority for browsers, limited to this hub's names and addresses and the private address ranges.
//!
//! Owns its certificates, its key, and the rule for the names it covers. Must never write a file or certify a client.
//!
//! It has two certificates: the root, which devices install, and the signer below it, whose key the hub holds. The root's key is discarded once it
//! has signed. Some systems ignore the name constraints of an installed certificate, but respect those of the signer. Someone who steals the hub's
//! disk gets only the constrained key.

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, NameConstraints, date_time_ymd,
};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::X509Certificate;

use super::IdentityError;
use super::authority::{check_key, ia5, name, pem, private_key, server_params, sign};
use super::names::ip_address;
use crate::time_source::WallTime;

/// Lifetime of the authority. Every device must install its successor.
pub const AUTHORITY_LIFE: Duration = Duration::from_secs(2 * 365 * DAY);
/// Lifetime of a server certificate. From 2029, public authorities may issue certificates for at most 47 days.
pub const CERTIFICATE_LIFE: Duration = Duration::from_secs(14 * DAY);
/// Time by which certificates are backdated, because tablets' clocks are not exact.
const BACKDATED: Duration = Duration::from_secs(DAY);
const DAY: u64 = 86_400;

/// Address ranges that every browser authority covers: loopback, private (RFC 1918), link-local, shared (RFC 6598), and
/// unique local addresses.
const RANGES: [&str; 9] = [
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
];

pub struct BrowserAuthority {
    root: CertificateDer<'static>,
    signer: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
    covered: Covered,
    from: WallTime,
    until: WallTime,
}

#[derive(Clone, Debug, Default)]
struct Covered {
    names: Vec<String>,
    ranges: Vec<IpNet>,
}

#[derive(Debug)]
pub struct ServerCertificate {
    /// The certificate, followed by the signer's.
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
    pub names: Vec<String>,
    pub from: WallTime,
    /// The time at which the hub replaces the certificate.
    pub renewed: WallTime,
    pub until: WallTime,
}

impl BrowserAuthority {
    /// Creates, at `now`, an authority for `names` (DNS names and addresses) and the private address ranges.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the keys or certificates cannot be created.
    pub fn generate(names: &[String], now: WallTime) -> Result<Self, IdentityError> {
        let now = now.max(EARLIEST);
        let (from, until) = (minus(now, BACKDATED), plus(now, AUTHORITY_LIFE));
        let constraints = constraints(names)?;
        let root_key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let id = id_of(&root_key);
        let mut params = authority_params(1, &constraints, (from, until));
        params.distinguished_name = name(&format!("hub {id} for browsers"));
        let root = params.self_signed(&root_key)?.into();
        // The root's key is dropped at the end of this function.
        let root_issuer = Issuer::new(params, root_key);
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let mut params = authority_params(0, &constraints, (from, until));
        params.distinguished_name = name(&signer_name(&key));
        params.use_authority_key_identifier_extension = true;
        let signer = sign(params, &key, &root_issuer)?.certificate;
        Self::new(root, signer, key).map_err(IdentityError::Make)
    }

    /// Returns the signer's certificate and key, and the root's certificate, as PEM. The text is secret.
    pub fn to_pem(&self) -> String {
        pem("CERTIFICATE", &self.signer)
            + &self.issuer.key().serialize_pem()
            + &pem("CERTIFICATE", &self.root)
    }

    /// Parses the text of [`BrowserAuthority::to_pem`].
    ///
    /// # Errors
    /// Returns a description of the error in the text.
    pub fn from_pem(text: &str) -> Result<Self, String> {
        let certificates: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(text.as_bytes())
                .collect::<Result<_, _>>()
                .map_err(|error| format!("a certificate in it cannot be read ({error})"))?;
        let [signer, root] = <[_; 2]>::try_from(certificates)
            .map_err(|found| format!("it contains {} certificates instead of two", found.len()))?;
        let key = private_key(text)?;
        Self::new(root, signer, key)
    }

    fn new(
        root: CertificateDer<'static>,
        signer: CertificateDer<'static>,
        key: KeyPair,
    ) -> Result<Self, String> {
        let parsed_root = parsed(&root)?;
        let parsed_signer = parsed(&signer)?;
        check_key(&parsed_signer, &key)?;
        if !has_signed(&parsed_root, &parsed_root) {
            return Err("its root certificate does not match its signature".to_owned());
        }
        if !has_signed(&parsed_root, &parsed_signer) {
            return Err("its root did not sign the certificate below it".to_owned());
        }
        let covered = Covered::of(&parsed_signer)?;
        let (from, until) = validity(&parsed_signer);
        // Signing needs only the issuer's name and key.
        let mut params = CertificateParams::default();
        params.distinguished_name = name(&signer_name(&key));
        Ok(Self {
            root,
            signer,
            issuer: Issuer::new(params, key),
            covered,
            from,
            until,
        })
    }

    /// Returns the certificate that devices install.
    pub fn root(&self) -> &CertificateDer<'static> {
        &self.root
    }

    pub(crate) fn root_pem(&self) -> String {
        pem("CERTIFICATE", &self.root)
    }

    pub fn until(&self) -> WallTime {
        self.until
    }

    /// Returns true if the authority has expired. An authority that is not valid yet has not expired: the machine's clock was set back, or
    /// has no battery.
    pub fn has_ended(&self, now: WallTime) -> bool {
        now >= self.until
    }

    /// Returns true if the authority's constraints allow this DNS name or address.
    pub fn covers(&self, name: &str) -> bool {
        self.covered.includes(name)
    }

    /// Returns the DNS names that the authority's constraints allow. Each name includes all names below it.
    pub fn names(&self) -> &[String] {
        &self.covered.names
    }

    /// Certifies a new key for those of `names` that the authority covers.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the key or the certificate cannot be created.
    pub fn issue(
        &self,
        names: &[String],
        now: WallTime,
    ) -> Result<ServerCertificate, IdentityError> {
        let now = now.max(self.from);
        let until = plus(now, CERTIFICATE_LIFE).min(self.until);
        let names = self.covered(names);
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let mut params = server_params(&names)?;
        let from = minus(now, BACKDATED).max(self.from);
        set_validity(&mut params, from, until);
        let leaf = sign(params, &key, &self.issuer)?.certificate;
        let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(IdentityError::make)?;
        let left_us = until.unix_us() - now.unix_us();
        Ok(ServerCertificate {
            chain: vec![leaf, self.signer.clone()],
            key,
            names,
            from,
            renewed: WallTime::from_unix_us(now.unix_us() + left_us / 2),
            until,
        })
    }

    /// Returns true if `shown` needs replacing: its renewal is due, the machine's clock was set back, or the hub's names have changed.
    pub fn has_outdated(&self, shown: &ServerCertificate, names: &[String], now: WallTime) -> bool {
        // No certificate is valid before its authority, but a machine without a battery-backed clock may report such a time.
        let now = now.max(self.from);
        now >= shown.renewed || now < shown.from || shown.names != self.covered(names)
    }

    fn covered(&self, names: &[String]) -> Vec<String> {
        let covered = names.iter().filter(|name| self.covers(name));
        covered.cloned().collect()
    }
}

impl std::fmt::Debug for BrowserAuthority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BrowserAuthority({:?})", self.covered.names)
    }
}

impl Covered {
    fn of(certificate: &X509Certificate<'_>) -> Result<Self, String> {
        let found = certificate.name_constraints().ok().flatten();
        let permitted = found.and_then(|found| found.value.permitted_subtrees.as_ref());
        let permitted = permitted.ok_or("its certificate has no name constraints")?;
        let mut covered = Self::default();
        for subtree in permitted {
            if let GeneralName::DNSName(name) = &subtree.base {
                covered.names.push((*name).to_owned());
            } else if let GeneralName::IPAddress(range) = &subtree.base {
                let (address, mask) = range.split_at(range.len() / 2);
                let range = ip_address(address).zip(ip_address(mask));
                let range = range.and_then(|(base, mask)| IpNet::with_netmask(base, mask).ok());
                covered.ranges.extend(range);
            }
        }
        Ok(covered)
    }

    fn includes(&self, name: &str) -> bool {
        match name.parse::<IpAddr>() {
            Ok(address) => self.ranges.iter().any(|range| range.contains(&address)),
            Err(_) => self.names.iter().any(|known| is_below(name, known)),
        }
    }
}

pub(super) fn validity(certificate: &X509Certificate<'_>) -> (WallTime, WallTime) {
    let at = |seconds: i64| WallTime::from_unix_us(seconds.saturating_mul(1_000_000));
    let dates = certificate.validity();
    let (from, until) = (dates.not_before, dates.not_after);
    (at(from.timestamp()), at(until.timestamp()))
}

pub(super) fn parsed<'a>(
    certificate: &'a CertificateDer<'_>,
) -> Result<X509Certificate<'a>, String> {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate)
        .map_err(|error| format!("a certificate in it cannot be read ({error})"))?;
    Ok(parsed)
}

pub(super) fn has_signed(above: &X509Certificate<'_>, below: &X509Certificate<'_>) -> bool {
    let key = &above.public_key().subject_public_key.data;
    let (text, signature) = (below.tbs_certificate.as_ref(), &below.signature_value.data);
    // The signature does not cover these two fields, but changing them changes the certificate's fingerprint.
    let as_signed = below.signature_algorithm == below.tbs_certificate.signature
        && below.signature_value.unused_bits == 0;
    as_signed
        && UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, key)
            .verify(text, signature)
            .is_ok()
}

fn is_below(name: &str, base: &str) -> bool {
    let (name, base) = (name.to_ascii_lowercase(), base.to_ascii_lowercase());
    name.strip_suffix(&base)
        .is_some_and(|head| head.is_empty() || head.ends_with('.'))
}

fn authority_params(
    below: u8,
    constraints: &NameConstraints,
    (from, until): (WallTime, WallTime),
) -> CertificateParams {
    let mut params = CertificateParams::default();
    set_validity(&mut params, from, until);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(below));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    // Without this, Windows would trust the authority for code signing, and mail programs for email.
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.name_constraints = Some(constraints.clone());
    params
}

fn constraints(names: &[String]) -> Result<NameConstraints, IdentityError> {
    let mut permitted_subtrees = Vec::new();
    let mut covered = Covered::default();
    for range in RANGES {
        let range: IpNet = range
            .parse()
            .map_err(|_| IdentityError::Make(format!("{range} is not a range")))?;
        covered.ranges.push(range);
        permitted_subtrees.push(subnet(range));
    }
    for name in names {
        if covered.includes(name) {
            continue;
        }
        permitted_subtrees.push(match name.parse::<IpAddr>() {
            Ok(address) => subnet(address.into()),
            Err(_) => {
                covered.names.push(name.clone());
                ia5(name)?;
                GeneralSubtree::DnsName(name.clone())
            }
        });
    }
    Ok(NameConstraints {
        permitted_subtrees,
        excluded_subtrees: Vec::new(),
    })
}

fn subnet(range: IpNet) -> GeneralSubtree {
    let subnet = CidrSubnet::from_addr_prefix(range.addr(), range.prefix_len());
    GeneralSubtree::IpAddress(subnet)
}

fn signer_name(key: &KeyPair) -> String {
    format!("hub {} server certificates", id_of(key))
}

fn id_of(key: &KeyPair) -> String {
    proto::ids::hex(&Sha256::digest(key.public_key_raw())[..4])
}

/// The earliest plausible time, 2026-01-01. A machine without a battery clock may report an earlier one.
const EARLIEST: WallTime = WallTime::from_unix_us(1_767_225_600_000_000);

fn plus(at: WallTime, span: Duration) -> WallTime {
    WallTime::from_unix_us(at.unix_us().saturating_add(micros(span)))
}

fn minus(at: WallTime, span: Duration) -> WallTime {
    WallTime::from_unix_us(at.unix_us().saturating_sub(micros(span)))
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

fn set_validity(params: &mut CertificateParams, from: WallTime, until: WallTime) {
    let since_1970 =
        |at: WallTime| Duration::from_micros(u64::try_from(at.unix_us()).unwrap_or_default());
    params.not_before = date_time_ymd(1970, 1, 1) + since_1970(from);
    params.not_after = date_time_ymd(1970, 1, 1) + since_1970(until);
}
