//! Recovery of a lost chief arbiter: the printed code revokes every chief arbiter's device and lets one new device in.
//!
//! Owns the limits on guesses. The log has the recovery before it takes effect, for which the caller is responsible.

use std::net::IpAddr;
use std::sync::Arc;

use super::{ArbiterCode, ArbiterGrant, SessionError, Sessions, lock};
use crate::identity::{Arbiter, Device, RecoveryCode, Revoked, Role, TokenRefusal, random};

/// Name of the new chief arbiter in the log.
const NAME: &str = "Chief arbiter";
/// The author of the revocations and of the new code, for the list of devices.
const BY: &str = "recovery code";
const REASON: &str = "the chief arbiter's device was lost";

/// The result of a recovery.
#[derive(Debug)]
pub struct Recovered {
    /// The code for the new chief arbiter's device: one device, ten minutes.
    pub code: ArbiterCode,
    /// The next recovery code, which is shown once.
    pub recovery: RecoveryCode,
}

/// The right to recover, proved by the code. While it exists, no other code is checked.
pub struct RecoveryProof {
    sessions: Arc<Sessions>,
    _alone: tokio::sync::OwnedMutexGuard<()>,
}

impl Sessions {
    /// Checks a recovery code that came from the address `from`. Slow on purpose, and one at a time.
    ///
    /// # Errors
    /// [`SessionError::Token`] if the code is wrong, the address has guessed too often, or another code is being checked;
    /// [`SessionError::Unavailable`].
    pub fn check_recovery(
        self: &Arc<Self>,
        code: &str,
        from: IpAddr,
    ) -> Result<RecoveryProof, SessionError> {
        let alone = self
            .recovering
            .clone()
            .try_lock_owned()
            .map_err(|_| TokenRefusal::TooMany)?;
        let now = self.time.hub_now();
        if lock(&self.recovery_guesses).are_many(now, from) {
            return Err(TokenRefusal::TooMany.into());
        }
        let is_right = match code.parse::<RecoveryCode>() {
            Ok(code) => self.recovery.is(&code)?,
            Err(_) => false,
        };
        if !is_right {
            lock(&self.recovery_guesses).note(now, from);
            tracing::warn!(%from, "a wrong recovery code was refused");
            return Err(TokenRefusal::NotValid.into());
        }
        Ok(RecoveryProof {
            sessions: self.clone(),
            _alone: alone,
        })
    }
}

impl RecoveryProof {
    /// Returns the chief arbiters' devices that the recovery revokes.
    pub fn devices(&self) -> Vec<Device> {
        let mut devices = lock(&self.sessions.devices).all();
        devices.retain(|device| device.revoked.is_none() && device.arbiter.role == Role::Chief);
        devices
    }

    /// Revokes every chief arbiter's device and every open code for a device, and makes the codes that follow. Writes to the disk.
    ///
    /// # Errors
    /// [`SessionError::Unavailable`]: the code is then still valid, and may be used again.
    pub fn recover(self) -> Result<Recovered, SessionError> {
        let sessions = &self.sessions;
        let at_us = sessions.time.wall_now().unix_us();
        for device in self.devices() {
            let revoked = Revoked {
                at_us,
                by: BY.to_owned(),
                reason: REASON.to_owned(),
            };
            lock(&sessions.open).shut_out(&device.id());
            lock(&sessions.devices).revoke(&device.id(), revoked)?;
            tracing::info!(device = %device.id(), "an arbiter's device is shut out by the recovery code");
        }
        let token = random()?;
        let grant = ArbiterGrant {
            arbiter: Arbiter::new(Role::Chief, NAME),
            by: BY.to_owned(),
            first: false,
        };
        let recovery = sessions.recovery.replace(at_us)?;
        let mut codes = lock(&sessions.codes);
        let now = sessions.time.hub_now();
        // The holder of the lost device may have made codes.
        codes.withdraw(now, |_| true);
        codes.issue(now, token, grant)?;
        Ok(Recovered {
            code: sessions.code_with(token),
            recovery,
        })
    }
}
