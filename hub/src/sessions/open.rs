//! The open sessions: their devices, their last use and their used signatures. Does not deal with files or codes.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use timing::{Duration, Hub, Instant};
use tokio_util::sync::CancellationToken;

use crate::identity::{Arbiter, Device, DeviceId, DeviceKey, IdentityError, random};

const MAX_IDLE: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of sessions of a device. One more ends the session that has been idle longest.
const MAX_PER_DEVICE: usize = 8;
/// Maximum number of signatures per session. The session then ends, and the device must renew it.
const MAX_SIGNATURES: usize = 100_000;

#[derive(Clone, Debug)]
pub struct Session {
    /// The id of this session in signed texts; not secret.
    pub id: String,
    pub device: DeviceId,
    pub key: DeviceKey,
    pub arbiter: Arbiter,
    /// Cancelled when the session ends; open streams end then too.
    pub ended: CancellationToken,
}

/// An open session, which ends when this value is dropped.
#[derive(Debug)]
struct Open {
    session: Session,
    used_at: Instant<Hub>,
    /// The first half (r) of each used signature. The other half has a second valid form, so it cannot identify the signature.
    used_up: BTreeSet<[u8; 32]>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.session.ended.cancel();
    }
}

#[derive(Debug, Default)]
pub(super) struct OpenSessions {
    /// The sessions, keyed by the hash of the cookie's secret, so that the hub's memory holds no secret that permits a sign-in.
    all: BTreeMap<[u8; 32], Open>,
    /// Devices that were revoked in this run of the hub, even if the revocation could not be stored.
    shut_out: BTreeSet<DeviceId>,
}

impl OpenSessions {
    /// Begins a session and returns it with its secret, which must go only into the cookie. Returns `None` for a device revoked in this run.
    pub(super) fn begin(
        &mut self,
        device: &Device,
        now: Instant<Hub>,
    ) -> Result<Option<(Session, String)>, IdentityError> {
        if self.shut_out.contains(&device.id()) {
            return Ok(None);
        }
        self.forget(now);
        self.make_room(&device.id());
        let secret = URL_SAFE_NO_PAD.encode(random::<32>()?);
        let session = Session {
            id: proto::ids::hex(&random::<16>()?),
            device: device.id(),
            key: device.key,
            arbiter: device.arbiter.clone(),
            ended: CancellationToken::new(),
        };
        let open = Open {
            session: session.clone(),
            used_at: now,
            used_up: BTreeSet::new(),
        };
        self.all.insert(hash(&secret), open);
        Ok(Some((session, secret)))
    }

    pub(super) fn find(&mut self, secret: &str, now: Instant<Hub>) -> Option<Session> {
        self.forget(now);
        let open = self.all.get_mut(&hash(secret))?;
        open.used_at = now;
        Some(open.session.clone())
    }

    pub(super) fn has(&mut self, device: &DeviceId, now: Instant<Hub>) -> bool {
        self.forget(now);
        self.all.values().any(|open| open.session.device == *device)
    }

    /// Marks a signature as used. Fails if it was used before, if it is too short, or if the session has ended.
    pub(super) fn use_up(
        &mut self,
        session: &Session,
        signature: &[u8],
    ) -> Result<(), &'static str> {
        const OVER: &str = "the session is over: renew it";
        let open = self.all.values_mut();
        let mut open = open.filter(|open| open.session.id == session.id);
        let open = open.next().ok_or(OVER)?;
        let half = signature.first_chunk().ok_or("this is not a signature")?;
        if !open.used_up.insert(*half) {
            return Err(
                "this signed request was sent before; the device must sign each request separately",
            );
        }
        if open.used_up.len() >= MAX_SIGNATURES {
            self.all.retain(|_, open| open.session.id != session.id);
        }
        Ok(())
    }

    /// Ends the sessions of a device. The device cannot begin another session in this run of the hub.
    pub(super) fn shut_out(&mut self, device: &DeviceId) {
        self.shut_out.insert(device.clone());
        self.all.retain(|_, open| open.session.device != *device);
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.all.retain(|_, open| now < open.used_at + MAX_IDLE);
    }

    fn make_room(&mut self, device: &DeviceId) {
        let all = self.all.iter();
        let theirs = all.filter(|(_, open)| open.session.device == *device);
        let oldest = theirs.clone().min_by_key(|(_, open)| open.used_at);
        if let Some((&oldest, _)) = oldest
            && theirs.count() >= MAX_PER_DEVICE
        {
            self.all.remove(&oldest);
        }
    }
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Role;

    const KEY: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf5WSVxWgtMJlEC3g+pauxfoCSp2WCk9ebZttJxcjCTGAcL0OLCdKlEjF2va3PEASNKWJjJKyO+Rj2grbyLQOuA==";
    const DAY: i64 = 24 * 60 * 60;

    fn at(secs: i64) -> Instant<Hub> {
        Instant::from_micros(secs * 1_000_000)
    }

    fn device() -> Device {
        Device {
            key: DeviceKey::from_base64(KEY).unwrap(),
            arbiter: Arbiter::new(Role::Floor, "Ann"),
            label: String::new(),
            enrolled_us: 0,
            enrolled_by: "chief".to_owned(),
            revoked: None,
        }
    }

    fn begin(open: &mut OpenSessions, secs: i64) -> (Session, String) {
        open.begin(&device(), at(secs)).unwrap().unwrap()
    }

    #[test]
    fn a_used_session_lasts_and_an_unused_one_ends_after_a_day() {
        let mut open = OpenSessions::default();
        let (session, secret) = begin(&mut open, 0);
        let almost = DAY - 1;
        for use_of in 1..30 {
            assert!(open.find(&secret, at(use_of * almost)).is_some());
        }
        assert!(!session.ended.is_cancelled());
        let ended = at(29 * almost + DAY);
        assert!(open.find(&secret, ended).is_none());
        assert!(session.ended.is_cancelled());
        assert!(!open.has(&session.device, ended));
    }

    #[test]
    fn the_longest_unused_session_of_a_device_gives_way() {
        let mut open = OpenSessions::default();
        let begun: Vec<_> = (0..8).map(|n| begin(&mut open, n)).collect();
        assert!(open.find(&begun[0].1, at(10)).is_some());
        begin(&mut open, 11);
        let over: Vec<_> = begun
            .iter()
            .map(|(one, _)| one.ended.is_cancelled())
            .collect();
        assert_eq!(over.iter().position(|over| *over), Some(1));
        assert_eq!(over.iter().filter(|over| **over).count(), 1);
        open.shut_out(&device().id());
        assert!(open.begin(&device(), at(12)).unwrap().is_none());
        assert!(begun.iter().all(|(one, _)| one.ended.is_cancelled()));
        assert!(open.find(&begun[0].1, at(12)).is_none());
    }

    #[test]
    fn a_signature_is_used_up_regardless_of_its_second_half() {
        let mut open = OpenSessions::default();
        let (session, _) = begin(&mut open, 0);
        let (other, _) = begin(&mut open, 0);
        let signature = [7; 64];
        let mut form = signature;
        form[63] = 8;
        assert!(open.use_up(&session, &signature).is_ok());
        assert!(open.use_up(&session, &signature).is_err());
        assert!(open.use_up(&session, &form).is_err());
        assert!(open.use_up(&session, &[8; 64]).is_ok());
        assert!(open.use_up(&session, &[8; 31]).is_err());
        // Signatures are verified elsewhere; each session keeps its own list of used ones.
        assert!(open.use_up(&other, &signature).is_ok());
        open.shut_out(&session.device);
        assert!(open.use_up(&session, &[9; 64]).is_err());
    }
}
