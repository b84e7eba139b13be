//! Expiry and renewal of clock certificates: their lifetime, their renewal over the clock's own link, and the refusal of expired ones.
//!
//! The hub's date decides, because a clock may not know the date. Owns no link.

use proto::ids::AgentId;
use proto::wire::Certificate;
use rustls_pki_types::CertificateDer;

use super::{EnrolmentDesk, EnrolmentError};
use crate::identity::{agent_end, is_issued_by};
use crate::time_source::WallTime;

const SECOND_US: i64 = 1_000_000;
const DAY_S: u64 = 24 * 60 * 60;
/// Lifetime of a clock's certificate, chosen so that a clock used once a year need not enrol again.
const LIFE_S: u64 = 400 * DAY_S;
/// The earliest plausible date (2025-01-01). A hub with an earlier date has no battery-backed clock, and issues certificates that never expire.
const PLAUSIBLE_S: u64 = 1_735_689_600;

impl EnrolmentDesk {
    /// Returns the expiry of a certificate issued now (Unix time, seconds), or `None` if the hub's date is implausible.
    pub(super) fn next_end(&self) -> Option<u64> {
        Some(self.unix_s())
            .filter(|now| *now >= PLAUSIBLE_S)
            .map(|now| now + LIFE_S)
    }

    /// Returns the next certificate for `agent` if a renewal is due: half of the lifetime of `shown`, the agent's current certificate, is
    /// over, or the former authority issued `shown`.
    pub(crate) fn renewal(
        &self,
        agent: &AgentId,
        shown: &CertificateDer<'_>,
    ) -> Option<Certificate> {
        let current = is_issued_by(shown, self.identity.authority_der());
        let now = self.unix_s();
        let near_its_end = now >= PLAUSIBLE_S
            && agent_end(shown).is_some_and(|end| end < now.saturating_add(LIFE_S / 2));
        if current && !near_its_end {
            return None;
        }
        match self.renewed(agent, current) {
            Ok(certificate) => {
                tracing::info!(
                    agent = agent.short(),
                    new_authority = !current,
                    "a clock's next certificate is issued"
                );
                Some(certificate)
            }
            Err(error) => {
                tracing::error!(agent = agent.short(), %error, "a clock's certificate cannot be renewed");
                None
            }
        }
    }

    fn renewed(&self, agent: &AgentId, current: bool) -> Result<Certificate, EnrolmentError> {
        let authority = self.identity.authority();
        let issued = authority.issue_agent_until(agent, self.next_end())?;
        let voucher = match current {
            true => None,
            false => self.identity.voucher()?,
        };
        Ok(Certificate {
            certificate_der: issued.certificate.to_vec(),
            authority_der: self.identity.authority_der().to_vec(),
            voucher_der: voucher.unwrap_or_default(),
        })
    }

    /// Returns the reason to refuse a clock if its certificate has expired.
    pub(crate) fn ended(&self, shown: &CertificateDer<'_>) -> Option<String> {
        let end = agent_end(shown)?;
        let now = self.unix_s();
        (end <= now).then(|| {
            format!(
                "this clock's certificate expired on {}, and the hub's date is {}: enrol the clock again, or set the hub's date",
                date(end),
                date(now)
            )
        })
    }

    /// While two authorities are valid, refuses a clock that cannot store certificates. Its TLS handshake names no authority, so the hub would
    /// present the former one, which a newly enrolled clock does not trust.
    pub(super) fn check_renews(&self, renews: bool) -> Result<(), EnrolmentError> {
        let former = self.identity.former();
        match former.filter(|former| former.is_valid(self.time.wall_now().unix_us())) {
            Some(former) if !renews => Err(EnrolmentError::AuthorityChanges {
                until: WallTime::from_unix_us(former.until_us()),
            }),
            Some(_) | None => Ok(()),
        }
    }

    fn unix_s(&self) -> u64 {
        u64::try_from(self.time.wall_now().unix_us() / SECOND_US).unwrap_or(0)
    }
}

fn date(unix_s: u64) -> WallTime {
    let unix_s = i64::try_from(unix_s).unwrap_or(i64::MAX);
    WallTime::from_unix_us(unix_s.saturating_mul(SECOND_US))
}
