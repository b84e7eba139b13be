//! Checks the clocks' certificates: the hall's authority must have issued each of them, for the clock's own key. Owns
//! the authorities that the log states, and compares the first of them with the announced one, if any.

use proto::enrolment::{fingerprint, fingerprint_text};
use proto::ids::hex;
use proto::log::{AgentEnrolled, HubStarted};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use x509_parser::certificate::X509Certificate;

use crate::fault::{Fault, FaultKind};
use crate::findings::StatedAuthority;

#[derive(Default)]
pub(crate) struct Authorities {
    announced: Option<[u8; 16]>,
    current: Option<Authority>,
    stated: Vec<StatedAuthority>,
}

struct Authority {
    der: Vec<u8>,
    point: Vec<u8>,
}

impl Authorities {
    pub(crate) fn announced(announced: Option<[u8; 16]>) -> Self {
        Self {
            announced,
            ..Self::default()
        }
    }

    /// Adopts the authority of a run of the hub. If a fingerprint was announced, each run must name an authority, and
    /// the first authority must match the fingerprint. Each later one then needs a voucher from the previous one.
    /// Without an announcement, a later authority may have no voucher, but a voucher that it has must be valid.
    pub(crate) fn started(&mut self, index: u64, run: &HubStarted) -> Result<(), Fault> {
        let known = self.current.as_ref();
        let bad = |what: &str| Fault::at(index, FaultKind::Certificate, what);
        if run.authority_der.is_empty() && self.announced.is_some() {
            let what = "the hub's start record names no authority, but one was announced";
            return Err(bad(what));
        }
        if run.authority_der.is_empty() || known.is_some_and(|of| of.der == run.authority_der) {
            return Ok(());
        }
        let authority =
            parsed(&run.authority_der).ok_or_else(|| bad("the authority cannot be read"))?;
        let point = point_of(&authority).to_vec();
        let fingerprint = fingerprint(&run.authority_der);
        let vouched = !run.voucher_der.is_empty();
        match known {
            Some(former) if vouched => {
                let voucher = parsed(&run.voucher_der)
                    .filter(|voucher| former.issued(voucher) && point_of(voucher) == point);
                voucher.ok_or_else(|| {
                    bad("the former authority does not vouch for the new authority")
                })?;
            }
            Some(_) if self.announced.is_some() => {
                return Err(bad("no former authority vouches for the new authority"));
            }
            None if self.announced.is_some_and(|of| of != fingerprint) => {
                return Err(bad("the authority is not the one that was announced"));
            }
            Some(_) | None => (),
        }
        self.stated.push(StatedAuthority {
            fingerprint: fingerprint_text(&fingerprint),
            unvouched_at: (known.is_some() && !vouched).then_some(index),
        });
        self.current = Some(Authority {
            der: run.authority_der.clone(),
            point,
        });
        Ok(())
    }

    /// Checks a clock's certificate. Returns false if the record contains no certificate. A missing certificate is a
    /// fault if an authority was announced.
    pub(crate) fn enrolled(&self, index: u64, clock: &AgentEnrolled) -> Result<bool, Fault> {
        let bad = |what: &str| {
            let agent = hex(&clock.agent);
            let detail = format!("clock {}: {what}", agent.get(..8).unwrap_or_default());
            Fault::at(index, FaultKind::Certificate, detail)
        };
        match (clock.certificate_der.is_empty(), self.announced) {
            (true, Some(_)) => {
                return Err(bad("it has no certificate from the announced authority"));
            }
            (true, None) => return Ok(false),
            (false, _) => (),
        }
        let certificate =
            parsed(&clock.certificate_der).ok_or_else(|| bad("the certificate cannot be read"))?;
        if point_of(&certificate) != clock.agent {
            return Err(bad("the certificate is for a different key"));
        }
        if certificate.raw_serial() != clock.certificate_serial {
            return Err(bad("the certificate has a different serial number"));
        }
        let authority = self.current.as_ref();
        match authority.is_some_and(|of| of.issued(&certificate)) {
            true => Ok(true),
            false => Err(bad("the hall's authority did not issue the certificate")),
        }
    }

    pub(crate) fn stated(&self) -> &[StatedAuthority] {
        &self.stated
    }
}

impl Authority {
    fn issued(&self, certificate: &X509Certificate<'_>) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.point);
        let signed = certificate.tbs_certificate.as_ref();
        let signature = &certificate.signature_value.data;
        key.verify(signed, signature).is_ok()
    }
}

fn parsed(der: &[u8]) -> Option<X509Certificate<'_>> {
    let (rest, certificate) = x509_parser::parse_x509_certificate(der).ok()?;
    rest.is_empty().then_some(certificate)
}

/// Returns the certificate's public key: 32 bytes for Ed25519, or an uncompressed point for P-256.
fn point_of<'a>(certificate: &'a X509Certificate<'_>) -> &'a [u8] {
    &certificate.public_key().subject_public_key.data
}
