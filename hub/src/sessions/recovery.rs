//! Recovery after the loss of a chief arbiter's device. The printed code revokes every device and key file of a chief arbiter and admits one new
//! device. `chief.pem` in the data directory is replaced, so that the hub's own machine still has a valid key file.
//!
//! Owns the limits on guesses. The caller must record the recovery in the log before it takes effect.

use std::net::IpAddr;
use std::sync::Arc;

use super::first_chief::is_chiefs;
use super::{ArbiterCode, ArbiterGrant, SessionError, Sessions, lock};
use crate::connections::network_of;
use crate::identity::{
    Arbiter, Device, Identity, IdentityError, KeyFiles, RecoveryCode, Revoked, Role, TokenRefusal,
    random,
};

const NAME: &str = "Chief arbiter";
/// The actor of the revocations and the creator of the new code, as the list of devices names it.
const BY: &str = "recovery code";
const REASON: &str = "the chief arbiter's device was lost";

#[derive(Debug)]
pub struct Recovered {
    /// The code for the new chief arbiter, valid for one device and ten minutes.
    pub code: ArbiterCode,
    /// The next recovery code, which is shown once.
    pub recovery: RecoveryCode,
}

/// A network's turn to have one recovery code checked.
pub struct RecoveryTurn {
    sessions: Arc<Sessions>,
    from: IpAddr,
    alone: tokio::sync::OwnedMutexGuard<()>,
}

/// The right to recover, granted for the correct code. While this value exists, no other code is checked.
pub struct RecoveryProof {
    sessions: Arc<Sessions>,
    _alone: tokio::sync::OwnedMutexGuard<()>,
}

impl Sessions {
    /// Waits for a turn to check a recovery code from the address `from`. All addresses of a network share one limit on guesses.
    ///
    /// # Errors
    /// Returns [`SessionError::Token`] if the network has guessed too often.
    pub async fn recovery_turn(
        self: &Arc<Self>,
        from: IpAddr,
    ) -> Result<RecoveryTurn, SessionError> {
        let from = network_of(from);
        self.may_guess(from)?;
        let alone = self.recovering.clone().lock_owned().await;
        // Other devices on the same network may have guessed while this one waited.
        self.may_guess(from)?;
        Ok(RecoveryTurn {
            sessions: self.clone(),
            from,
            alone,
        })
    }

    fn may_guess(&self, from: IpAddr) -> Result<(), TokenRefusal> {
        let now = self.time.hub_now();
        match lock(&self.recovery_guesses).are_many(now, from) {
            true => Err(TokenRefusal::TooMany),
            false => Ok(()),
        }
    }
}

impl RecoveryTurn {
    /// Checks a recovery code. Deliberately slow.
    ///
    /// # Errors
    /// Returns [`SessionError::Token`] if the code is wrong, and [`SessionError::Unavailable`] if it cannot be checked.
    pub fn check(self, code: &str) -> Result<RecoveryProof, SessionError> {
        let sessions = self.sessions;
        let code = code.parse::<RecoveryCode>().ok();
        let is_right = code.map(|code| sessions.recovery.is(&code)).transpose()?;
        if is_right != Some(true) {
            let now = sessions.time.hub_now();
            lock(&sessions.recovery_guesses).note(now, self.from);
            tracing::warn!(from = %self.from, "a wrong recovery code was refused");
            return Err(TokenRefusal::NotValid.into());
        }
        Ok(RecoveryProof {
            sessions,
            _alone: self.alone,
        })
    }
}

impl RecoveryProof {
    /// Returns the ids of the chief arbiters' devices and key files that the recovery revokes. Reads the disk.
    ///
    /// # Errors
    /// Returns an [`IdentityError`] if the key files cannot be listed.
    pub fn revoked(&self, key_files: &KeyFiles) -> Result<Vec<String>, IdentityError> {
        let devices = self.devices().into_iter();
        let devices = devices.map(|device| device.id().to_string());
        let key_files = key_files.chiefs()?.into_iter();
        Ok(devices.chain(key_files.map(|id| id.to_string())).collect())
    }

    fn devices(&self) -> Vec<Device> {
        let mut devices = lock(&self.sessions.devices).all();
        devices.retain(is_chiefs);
        devices
    }

    /// Revokes every device and key file of a chief arbiter and every open code for a device, replaces `chief.pem`, and creates the new
    /// codes. Writes to the disk.
    ///
    /// # Errors
    /// Returns [`SessionError::Unavailable`] if the disk fails or the system provides no random numbers.
    pub fn recover(
        self,
        key_files: &KeyFiles,
        identity: &Identity,
    ) -> Result<Recovered, SessionError> {
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
            tracing::info!(device = %device.id(), "an arbiter's device is revoked by the recovery code");
        }
        key_files.revoke_chiefs(BY, REASON)?;
        identity.replace_chief_file(at_us, BY)?;
        let token = random()?;
        let grant = ArbiterGrant {
            arbiter: Arbiter::new(Role::Chief, NAME),
            by: BY.to_owned(),
            first: false,
        };
        let recovery = sessions.recovery.replace(at_us)?;
        let mut codes = lock(&sessions.codes);
        let now = sessions.time.hub_now();
        // The holder of the lost device may have created codes.
        codes.withdraw(now, |_| true);
        codes.issue(now, token, grant)?;
        Ok(Recovered {
            code: sessions.code_with(token),
            recovery,
        })
    }
}
