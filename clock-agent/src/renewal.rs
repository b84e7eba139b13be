//! Certificate renewal over the link: the checks before a new certificate replaces the stored one. Owns no file. Must never check a date, because
//! this machine's date may be wrong.

use proto::ids::hex;
use proto::wire::Certificate;

use crate::identity::{Enrolment, Identity};
use crate::links::{check_voucher, session_config};

#[derive(Debug, thiserror::Error)]
pub enum RenewalError {
    #[error("this clock's authority does not vouch for the new authority: {0}")]
    Voucher(rustls::Error),
    /// The certificate is unreadable or belongs to a different key.
    #[error("the certificate does not match this clock's key: {0}")]
    Unusable(rustls::Error),
}

impl Identity {
    /// Returns the stored enrolment, updated with the hub's new certificate and the authority that issued it.
    ///
    /// # Errors
    /// Returns a [`RenewalError`] if a check fails; the stored enrolment then stays valid.
    pub fn renewed(&self, certificate: &Certificate) -> Result<Enrolment, RenewalError> {
        let known = &self.enrolment.authority_der;
        let mut former_authorities = self.enrolment.former_authorities.clone();
        if certificate.authority_der != *known {
            check_voucher(known, &certificate.voucher_der, &certificate.authority_der)
                .map_err(RenewalError::Voucher)?;
            former_authorities.push(hex(&self.enrolment.authority()));
        }
        let renewed = Self {
            keys: self.keys.clone(),
            enrolment: Enrolment {
                certificate_der: certificate.certificate_der.clone(),
                authority_der: certificate.authority_der.clone(),
                former_authorities,
                ..self.enrolment.clone()
            },
        };
        // The TLS configuration can be created only if the certificate matches the key.
        session_config(&renewed).map_err(RenewalError::Unusable)?;
        Ok(renewed.enrolment)
    }
}

#[cfg(test)]
mod tests {
    use proto::quic::voucher_name;
    use rcgen::{
        BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
        KeyPair, PublicKeyData, SignatureAlgorithm,
    };

    use super::*;
    use crate::identity::Keys;

    struct Authority {
        der: Vec<u8>,
        issuer: Issuer<'static, KeyPair>,
    }

    struct ClockKey([u8; 32]);

    impl PublicKeyData for ClockKey {
        fn der_bytes(&self) -> &[u8] {
            &self.0
        }

        fn algorithm(&self) -> &'static SignatureAlgorithm {
            &rcgen::PKCS_ED25519
        }
    }

    impl Authority {
        fn new(name: &str) -> Self {
            let key = KeyPair::generate().unwrap();
            let mut params = CertificateParams::new(Vec::new()).unwrap();
            params.distinguished_name.push(DnType::CommonName, name);
            // Like the hub's authority, this one may sign leaf certificates only.
            params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
            params.not_before = rcgen::date_time_ymd(2000, 1, 1);
            let der = params.self_signed(&key).unwrap().der().to_vec();
            let issuer = Issuer::new(params, key);
            Self { der, issuer }
        }

        fn vouch_for(&self, next: &Self) -> Vec<u8> {
            let name = voucher_name(&proto::enrolment::fingerprint(&next.der));
            let mut params = CertificateParams::new(vec![name]).unwrap();
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
            params.not_before = rcgen::date_time_ymd(2000, 1, 1);
            let voucher = params.signed_by(next.issuer.key(), &self.issuer).unwrap();
            voucher.der().to_vec()
        }

        fn issue(&self, keys: &Keys) -> Vec<u8> {
            let params = CertificateParams::new(Vec::new()).unwrap();
            let key = ClockKey(keys.agent_id().0);
            params.signed_by(&key, &self.issuer).unwrap().der().to_vec()
        }
    }

    fn identity(authority: &Authority) -> Identity {
        let keys = Keys::generate().unwrap();
        let certificate_der = authority.issue(&keys);
        Identity {
            keys,
            enrolment: Enrolment {
                certificate_der,
                authority_der: authority.der.clone(),
                log_origin: "flagfall.example/1".to_owned(),
                name: "clock 7".to_owned(),
                board: String::new(),
                hub: String::new(),
                hub_exchange_key: Vec::new(),
                former_authorities: Vec::new(),
            },
        }
    }

    #[test]
    fn a_new_authority_needs_the_voucher_of_the_own_one() {
        let (own, next, other) = (
            Authority::new("own"),
            Authority::new("next"),
            Authority::new("other"),
        );
        let clock = identity(&own);
        let offer = |voucher_der: Vec<u8>| Certificate {
            certificate_der: next.issue(&clock.keys),
            authority_der: next.der.clone(),
            voucher_der,
        };
        let taken = clock.renewed(&offer(own.vouch_for(&next))).unwrap();
        assert_eq!(taken.authority_der, next.der);
        // A service may pass its original enrolment code at every start, so the former authority must still be accepted.
        for authority in [&own, &next] {
            assert!(taken.trusts_authority(&proto::enrolment::fingerprint(&authority.der)));
        }
        assert!(!taken.trusts_authority(&proto::enrolment::fingerprint(&other.der)));
        for forged in [
            Vec::new(),
            next.vouch_for(&next),
            other.vouch_for(&next),
            own.vouch_for(&other),
            next.der.clone(),
        ] {
            let refused = clock.renewed(&offer(forged));
            assert!(
                matches!(refused, Err(RenewalError::Voucher(_))),
                "{refused:?}"
            );
        }
    }

    #[test]
    fn a_certificate_of_another_key_is_ignored() {
        let own = Authority::new("own");
        let (clock, other) = (identity(&own), identity(&own));
        let offer = |certificate_der: Vec<u8>| Certificate {
            certificate_der,
            authority_der: own.der.clone(),
            voucher_der: Vec::new(),
        };
        let next = own.issue(&clock.keys);
        let taken = clock.renewed(&offer(next.clone())).unwrap();
        assert_eq!(taken.certificate_der, next);
        for wrong in [own.issue(&other.keys), vec![1, 2, 3], Vec::new()] {
            let refused = clock.renewed(&offer(wrong));
            assert!(
                matches!(refused, Err(RenewalError::Unusable(_))),
                "{refused:?}"
            );
        }
    }
}
