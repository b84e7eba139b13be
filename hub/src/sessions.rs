//! Sessions of arbiters' and players' browsers and apps: codes that enrol a device, cookies that identify it, and signatures that authenticate its
//! commands. Also the first chief arbiter's code, and the use of the recovery code.
//!
//! Owns the list of signed-in devices. A device proves possession of its key when it enrols, and an enrolled key always stays with the same
//! arbiter. A cookie alone permits reading. A request that changes something is also signed with the device's key, over the session, the
//! call and its bytes; each signature counts once. `api::roles` and the hall decide what a role may do. Sessions live in memory: after a
//! restart a device proves possession of its key (`renew`) and needs no new code.

mod challenges;
mod first_chief;
mod open;
mod recovery;

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use proto::enrolment::EnrolmentCode;
use timing::text::DisplayText;
use tokio_util::sync::CancellationToken;

use crate::identity::{
    Arbiter, Device, DeviceId, DeviceKey, Devices, Identity, IdentityError, KeyError, Recovery,
    Revoked, TokenRefusal, Tokens, WrongCodes, bracketed, random,
};
use crate::lock::lock;
use crate::time_source::{TimeSource, WallTime};
use challenges::Challenges;
use open::OpenSessions;

pub use open::Session;
pub use recovery::{Recovered, RecoveryProof, RecoveryTurn};

/// Maximum length of the name of an arbiter or a device, in bytes.
const NAME: usize = 64;
/// Maximum length of the reason for revoking a device, in bytes.
const REASON: usize = 300;
const REPLACED: &str = "another device took the player's place";

/// The reason for refusing a device, or a request about a device. The text is sent to the caller.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{0}")]
    Malformed(String),
    /// A name is missing, too long, or not printable.
    #[error("{0}, in at most {NAME} bytes")]
    Name(&'static str),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("this code belongs to another hub: ask the chief arbiter of this event for one")]
    OtherHub,
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    /// The device is unknown or was revoked.
    #[error(
        "this device is not enrolled at this hub, or was revoked: ask the chief arbiter for a code"
    )]
    NotEnrolled,
    /// The device was revoked. Reported only to a device that has proved possession of its key.
    #[error("{}", shut_out(.0))]
    ShutOut(Revoked),
    #[error("the device's proof is invalid or too late: ask for a new challenge")]
    NoProof,
    #[error("there is no device {0:?}; `flagfall ctl devices` lists all devices")]
    NoSuchDevice(String),
    /// The key already belongs to a device, revoked or not.
    #[error(
        "this key is enrolled already: let the device create a new key, and use the code again"
    )]
    KeyInUse,
    /// The hub's disk or the system's randomness failed.
    #[error("the hub cannot do that now: {0}")]
    Unavailable(#[from] IdentityError),
}

#[derive(Clone, Debug)]
pub struct Enrolment {
    /// Fingerprint of the authority in the code, which identifies the hub.
    pub authority: [u8; 16],
    pub token: [u8; 16],
    /// The name that the device gives itself; may be empty.
    pub label: String,
    pub key: DeviceKey,
    /// The hub's challenge, which the device signs.
    pub challenge: String,
    /// The device's signature of [`enrolment_text`], made with `key`.
    pub signature: Vec<u8>,
}

/// A new session, and the secret that must be sent only in its cookie.
#[derive(Debug)]
pub struct NewSession {
    pub session: Session,
    /// At least 128 random bits, in characters that a cookie may hold.
    pub secret: String,
}

#[derive(Clone, Debug)]
pub struct ArbiterCode(pub EnrolmentCode);

impl ArbiterCode {
    /// Returns the code as an address for a browser. The browser does not send the part after `#`.
    pub fn browser_address(&self) -> String {
        let text = self.0.to_string();
        let (address, secret) = text.split_once('#').unwrap_or((&text, ""));
        let address = address.replacen("flagfall://", "https://", 1);
        format!("{address}/#{secret}")
    }
}

#[derive(Clone, Debug)]
struct ArbiterGrant {
    arbiter: Arbiter,
    by: String,
    /// True for the code of the hub's first chief arbiter.
    first: bool,
}

pub struct Sessions {
    authority: [u8; 16],
    host: String,
    port: u16,
    time: TimeSource,
    codes: Mutex<Tokens<ArbiterGrant>>,
    devices: Mutex<Devices>,
    open: Mutex<OpenSessions>,
    challenges: Challenges,
    recovery: Recovery,
    recovery_guesses: Mutex<WrongCodes>,
    /// Held while a recovery code is checked and used.
    recovering: Arc<tokio::sync::Mutex<()>>,
    /// Cancelled once a chief arbiter's device is enrolled.
    chief_enrolled: CancellationToken,
}

impl Sessions {
    /// Creates the sessions of the arbiters' and players' devices. Enrolment codes direct devices to `host` and `port`.
    ///
    /// # Errors
    /// Returns [`IdentityError::Make`] if the system provides no random numbers.
    pub fn new(
        devices: Devices,
        identity: &Identity,
        time: TimeSource,
        host: String,
        port: u16,
    ) -> Result<Self, IdentityError> {
        let chief_enrolled = CancellationToken::new();
        if first_chief::has_chief(&devices) {
            chief_enrolled.cancel();
        }
        Ok(Self {
            authority: identity.authority().fingerprint(),
            host,
            port,
            time,
            codes: Mutex::default(),
            devices: Mutex::new(devices),
            open: Mutex::default(),
            challenges: Challenges::new()?,
            recovery: identity.recovery(),
            recovery_guesses: Mutex::default(),
            recovering: Arc::default(),
            chief_enrolled,
        })
    }

    /// Returns the address of the arbiters' page.
    pub fn address(&self) -> String {
        format!("https://{}:{}/", bracketed(&self.host), self.port)
    }

    pub(crate) fn public_address(&self, port: u16) -> String {
        format!("http://{}:{port}/", bracketed(&self.host))
    }

    /// Returns the name or address at which this hub is reached.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the name of the session cookie. Each hub has its own, because two hubs may share a host name.
    pub(crate) fn cookie_name(&self) -> String {
        format!("__Host-flagfall-{}", proto::ids::hex(&self.authority[..4]))
    }

    /// Creates a code that lets one device enrol for `arbiter`. `by` names the arbiter who requested the code.
    ///
    /// # Errors
    /// Returns [`SessionError::Name`] if a name is invalid, [`SessionError::Token`] if too many codes are open, and [`SessionError::Unavailable`] if
    /// the system provides no random numbers.
    pub fn code(&self, arbiter: Arbiter, by: &str) -> Result<ArbiterCode, SessionError> {
        if arbiter.name.trim().is_empty() || !prints(&arbiter.name) {
            return Err(SessionError::Name("an arbiter needs a printable name"));
        }
        let token = random()?;
        let grant = ArbiterGrant {
            arbiter: Arbiter {
                name: arbiter.name.trim().to_owned(),
                ..arbiter
            },
            by: by.to_owned(),
            first: false,
        };
        lock(&self.codes).issue(self.time.hub_now(), token, grant)?;
        Ok(self.code_with(token))
    }

    fn code_with(&self, token: [u8; 16]) -> ArbiterCode {
        ArbiterCode(EnrolmentCode {
            host: self.host.clone(),
            port: self.port,
            authority: self.authority,
            token,
        })
    }

    /// Returns the arbiter for whom a code would enrol a device, without using up the code.
    ///
    /// # Errors
    /// Returns [`SessionError::OtherHub`] or [`SessionError::Token`].
    pub fn offer(
        &self,
        authority: [u8; 16],
        token: &[u8; 16],
        from: IpAddr,
    ) -> Result<Arbiter, SessionError> {
        if authority != self.authority {
            return Err(SessionError::OtherHub);
        }
        let granted = lock(&self.codes).peek(self.time.hub_now(), token, from)?;
        Ok(granted.arbiter)
    }

    /// Exchanges a code for the enrolment of a device, and begins its first session. Writes to the disk.
    pub fn enrol(&self, request: Enrolment, from: IpAddr) -> Result<NewSession, SessionError> {
        if request.authority != self.authority {
            return Err(SessionError::OtherHub);
        }
        if !prints(&request.label) {
            return Err(SessionError::Name("a device's name must be printable"));
        }
        let text = enrolment_text(&request.authority, &request.token, &request.challenge);
        if !request.key.has_signed(text.as_bytes(), &request.signature) {
            return Err(SessionError::NoProof);
        }
        // Held from the check of the code to the change of the list: the device is known as soon as its code is used up. If the response is
        // lost, the device retries with its key.
        let mut devices = lock(&self.devices);
        let now = self.time.hub_now();
        lock(&self.codes).peek(now, &request.token, from)?;
        if !self.challenges.answered(&request.challenge, now) {
            return Err(SessionError::NoProof);
        }
        if devices.get(&request.key.id()).is_some() {
            return Err(SessionError::KeyInUse);
        }
        let granted = lock(&self.codes).take(now, &request.token, from)?;
        let device = Device {
            key: request.key,
            arbiter: granted.arbiter,
            label: request.label.trim().to_owned(),
            enrolled_us: self.time.wall_now().unix_us(),
            enrolled_by: granted.by,
            revoked: None,
        };
        devices.keep(device.clone())?;
        self.replace_at_seat(&mut devices, &device);
        self.end_first_chief_code(&device);
        tracing::info!(device = %device.id(), arbiter = %device.arbiter, by = device.enrolled_by, "an arbiter's device is enrolled");
        self.begin(&device)
    }

    /// Revokes the devices that a player's new device replaces, because only one device may show what that side may see.
    fn replace_at_seat(&self, devices: &mut Devices, new: &Device) {
        let Some(seat) = &new.arbiter.seat else {
            return;
        };
        let others = devices.all().into_iter().filter(|other| {
            other.arbiter.seat.as_ref() == Some(seat)
                && other.revoked.is_none()
                && other.id() != new.id()
        });
        for other in others {
            lock(&self.open).shut_out(&other.id());
            let revoked = Revoked {
                at_us: new.enrolled_us,
                by: new.enrolled_by.clone(),
                reason: REPLACED.to_owned(),
            };
            if let Err(error) = devices.revoke(&other.id(), revoked) {
                tracing::error!(%error, "the former device of a player is revoked only until the hub stops");
            }
        }
    }

    /// Returns a challenge for [`Sessions::enrol`] or [`Sessions::renew`], valid for one minute and one use.
    ///
    /// # Errors
    /// Returns [`SessionError::Unavailable`] if the system provides no random numbers.
    pub fn challenge(&self) -> Result<String, SessionError> {
        Ok(self.challenges.ask(self.time.hub_now())?)
    }

    /// Begins a new session for a device that proves possession of its key.
    ///
    /// # Errors
    /// Returns [`SessionError::NotEnrolled`], [`SessionError::NoProof`] or [`SessionError::Unavailable`]; or, only to the holder of the key,
    /// [`SessionError::ShutOut`].
    pub fn renew(
        &self,
        device: &str,
        challenge: &str,
        signature: &[u8],
    ) -> Result<NewSession, SessionError> {
        let known = lock(&self.devices).find(device).cloned();
        let known = known.ok_or(SessionError::NotEnrolled)?;
        let text = [challenges::PURPOSE, challenge].concat();
        // Checked without locking the list: a flood of invalid signatures must not delay a revocation.
        let proved = known.key.has_signed(text.as_bytes(), signature)
            && self.challenges.answered(challenge, self.time.hub_now());
        // Held to the end: a device that is revoked meanwhile must not begin a session.
        let devices = lock(&self.devices);
        let device = devices.find(device).ok_or(SessionError::NotEnrolled)?;
        match (&device.revoked, proved) {
            (Some(revoked), true) => Err(SessionError::ShutOut(revoked.clone())),
            // Without the proof, a revoked device gets the same error as an unknown one.
            (Some(_), false) => Err(SessionError::NotEnrolled),
            (None, false) => Err(SessionError::NoProof),
            (None, true) => self.begin(device),
        }
    }

    /// Returns the session with this cookie secret if it is still open, and restarts its idle time.
    pub fn find(&self, secret: &str) -> Option<Session> {
        lock(&self.open).find(secret, self.time.hub_now())
    }

    /// Checks that `signature` proves that the session's device sent `message` to `path`. Each signature is accepted once.
    ///
    /// # Errors
    /// Returns the reason for the refusal, worded for the sender.
    pub fn prove(
        &self,
        session: &Session,
        path: &str,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), &'static str> {
        let text = signed_text(path, &session.id, message);
        if !session.key.has_signed(&text, signature) {
            return Err(
                "the signature of this device does not match this request; nothing was done",
            );
        }
        lock(&self.open).use_up(session, signature)
    }

    /// Returns all devices in the order of their enrolment.
    pub fn devices(&self) -> Vec<Device> {
        lock(&self.devices).all()
    }

    /// Returns the arbiters with an enrolled device that is not revoked, once for each such device.
    pub(crate) fn arbiters(&self) -> Vec<Arbiter> {
        let mut devices = self.devices();
        devices.retain(|device| device.revoked.is_none() && device.arbiter.role.is_arbiter());
        devices.into_iter().map(|device| device.arbiter).collect()
    }

    /// Revokes a device: ends its sessions, their streams and connections immediately, and refuses new sessions. Then stores the revocation.
    ///
    /// # Errors
    /// Returns [`SessionError::NoSuchDevice`]; [`SessionError::Malformed`] if the reason is too long or not printable; or
    /// [`SessionError::Unavailable`] if the revocation could not be stored: the device then stays revoked until the hub stops.
    pub fn revoke(&self, device: &str, by: &str, reason: &str) -> Result<Device, SessionError> {
        let reason = checked_reason(reason)?;
        let mut devices = lock(&self.devices);
        let id = devices
            .find(device)
            .map(Device::id)
            .ok_or_else(|| SessionError::NoSuchDevice(device.to_owned()))?;
        let at_us = self.time.wall_now().unix_us();
        let by = by.to_owned();
        // A slow or full disk must not keep a revoked device signed in.
        lock(&self.open).shut_out(&id);
        devices.revoke(&id, Revoked { at_us, by, reason })?;
        tracing::info!(device = %id, "an arbiter's device is revoked");
        let found = devices.find(device).cloned();
        found.ok_or_else(|| SessionError::NoSuchDevice(device.to_owned()))
    }

    pub(crate) fn is_signed_in(&self, device: &DeviceId) -> bool {
        lock(&self.open).has(device, self.time.hub_now())
    }

    fn begin(&self, device: &Device) -> Result<NewSession, SessionError> {
        let begun = lock(&self.open).begin(device, self.time.hub_now())?;
        let (session, secret) = begun.ok_or(SessionError::NotEnrolled)?;
        Ok(NewSession { session, secret })
    }
}

/// Returns the text that a device signs to enrol. It contains the hub's authority, the code, and the hub's challenge.
pub fn enrolment_text(authority: &[u8; 16], token: &[u8; 16], challenge: &str) -> String {
    let (authority, token) = (proto::ids::hex(authority), proto::ids::hex(token));
    format!("flagfall-enrol-v1\n{authority}\n{token}\n{challenge}")
}

/// Returns the text that a device signs for a command.
pub(crate) fn signed_text(path: &str, session: &str, message: &[u8]) -> Vec<u8> {
    let mut text = format!("flagfall-command-v1\n{path}\n{session}\n").into_bytes();
    text.extend_from_slice(message);
    text
}

pub(crate) fn checked_reason(reason: &str) -> Result<String, SessionError> {
    let reason = reason.trim().parse::<DisplayText<REASON>>();
    let reason = reason.map_err(|error| SessionError::Malformed(format!("the reason {error}")))?;
    Ok(reason.into_string())
}

fn shut_out(revoked: &Revoked) -> String {
    let at = WallTime::from_unix_us(revoked.at_us);
    let reason = match revoked.reason.as_str() {
        "" => String::new(),
        reason => format!(" ({reason})"),
    };
    format!(
        "{} revoked this device at {at}{reason}: ask the chief arbiter for a new code",
        revoked.by
    )
}

fn prints(name: &str) -> bool {
    name.parse::<DisplayText<NAME>>().is_ok()
}
