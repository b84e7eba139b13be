//! The code for the first chief arbiter of a hub, shown at the hub's own terminal because no arbiter can create a code yet.
//!
//! Owns the code's lifetime: it is valid for one device, once, and only while no chief arbiter's device is enrolled. It has no deadline, because an
//! organiser may need more than ten minutes to unpack. 128 random bits protect it from guessing, and only the hub's memory holds it.

use tokio_util::sync::CancellationToken;

use super::{ArbiterCode, ArbiterGrant, SessionError, Sessions, lock};
use crate::identity::{Arbiter, Device, Devices, Role, random};

const NAME: &str = "Chief arbiter";
/// The creator of the code, as the list of devices names it.
const BY: &str = "first start";

impl Sessions {
    /// Returns a code for the first chief arbiter's device, or `None` if a chief arbiter's device is enrolled. The code expires when it is used, when
    /// a chief arbiter's device enrols with any other code, when the next such code is created, after a recovery, or when the hub stops.
    ///
    /// # Errors
    /// Returns [`SessionError::Unavailable`] if the system provides no random numbers, and [`SessionError::Token`] if too many codes are open.
    pub fn first_chief_code(&self) -> Result<Option<ArbiterCode>, SessionError> {
        // Held to the end: if a device enrols at the same time, it must find this code and withdraw it.
        let devices = lock(&self.devices);
        if has_chief(&devices) {
            return Ok(None);
        }
        let token = random()?;
        let grant = ArbiterGrant {
            arbiter: Arbiter::new(Role::Chief, NAME),
            by: BY.to_owned(),
            first: true,
        };
        let mut codes = lock(&self.codes);
        let now = self.time.hub_now();
        codes.withdraw(now, |grant| grant.first);
        codes.issue_unlimited(now, token, grant)?;
        Ok(Some(self.code_with(token)))
    }

    /// Returns a token that is cancelled once a chief arbiter's device has been enrolled.
    pub fn chief_enrolled(&self) -> &CancellationToken {
        &self.chief_enrolled
    }

    /// If `enrolled` is a chief arbiter's device, withdraws the code for the first chief arbiter and cancels [`Sessions::chief_enrolled`]. The code
    /// with which the device enrolled does not matter.
    pub(super) fn end_first_chief_code(&self, enrolled: &Device) {
        if enrolled.arbiter.role == Role::Chief {
            lock(&self.codes).withdraw(self.time.hub_now(), |grant| grant.first);
            self.chief_enrolled.cancel();
        }
    }
}

pub(super) fn has_chief(devices: &Devices) -> bool {
    devices.all().iter().any(is_chiefs)
}

pub(super) fn is_chiefs(device: &Device) -> bool {
    device.revoked.is_none() && device.arbiter.role == Role::Chief
}
