//! Sessions of arbiters' browsers and apps: codes that enrol a device, cookies that name it, signatures that prove its commands.
//!
//! Owns who is signed in now. A cookie alone looks; whatever changes something is also signed with the device's key, over the
//! session, the call and its bytes, and each signature counts once. What a role may do is decided by `api::roles` and the hall.
//! Sessions live in memory: after a restart a device proves its key and goes on (`renew`), without a new code.

mod challenges;
mod first_chief;
mod open;

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use proto::enrolment::EnrolmentCode;
use tokio_util::sync::CancellationToken;

use crate::identity::{
    Arbiter, Device, DeviceId, DeviceKey, Devices, Identity, IdentityError, KeyError, Revoked,
    TokenRefusal, Tokens, random,
};
use crate::time_source::{TimeSource, WallTime};
use challenges::Challenges;
use open::OpenSessions;

pub use open::Session;

/// Bytes of the name of an arbiter or a device.
const NAME: usize = 64;
/// Bytes of the reason for which a device is shut out.
const REASON: usize = 300;

/// Why a device is not let in. The text goes to whoever asked.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// What was sent has not the shape it must have.
    #[error("{0}")]
    Malformed(String),
    /// A name that is empty where it must not be, too long, or does not print.
    #[error("{0}, in at most {NAME} bytes")]
    Name(&'static str),
    /// The device's key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The code is another hub's.
    #[error("this code belongs to another hub: ask the chief arbiter of this event for one")]
    OtherHub,
    /// The code.
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    /// The hub does not know the device, or no longer.
    #[error(
        "this device is not enrolled at this hub, or was shut out: ask the chief arbiter for a code"
    )]
    NotEnrolled,
    /// The device has proved its key, and was shut out.
    #[error("{}", shut_out(.0))]
    ShutOut(Revoked),
    /// The proof of the device's key does not hold.
    #[error("the device's proof does not hold, or comes too late: ask for a new challenge")]
    NoProof,
    /// There is no such device.
    #[error("there is no device {0:?}; `flagfall ctl devices` shows those there are")]
    NoSuchDevice(String),
    /// The hub cannot: its disk, or the system's randomness.
    #[error("the hub cannot do that now: {0}")]
    Unavailable(#[from] IdentityError),
}

/// What a device sends with its code.
#[derive(Clone, Debug)]
pub struct Enrolment {
    /// Which hub the code names.
    pub authority: [u8; 16],
    /// The code's secret.
    pub token: [u8; 16],
    /// What the device calls itself; may be empty.
    pub label: String,
    /// The device's key.
    pub key: DeviceKey,
}

/// A session that has just begun, with the secret that goes into its cookie and nowhere else.
#[derive(Debug)]
pub struct Begun {
    /// The session.
    pub session: Session,
    /// 128 random bits and more, in characters that a cookie may hold.
    pub secret: String,
}

/// A code for an arbiter's device.
#[derive(Clone, Debug)]
pub struct ArbiterCode(pub EnrolmentCode);

impl ArbiterCode {
    /// The same as an address for a browser. What stands after the `#` never leaves the browser by itself.
    pub fn browser_address(&self) -> String {
        let text = self.0.to_string();
        let (address, secret) = text.split_once('#').unwrap_or((&text, ""));
        let address = address.replacen("flagfall://", "https://", 1);
        format!("{address}/#{secret}")
    }
}

/// What a code lets its holder become.
#[derive(Clone, Debug)]
struct ArbiterGrant {
    arbiter: Arbiter,
    by: String,
    /// It is the code for the hub's first chief arbiter.
    first: bool,
}

/// The desk at which arbiters' devices sign in.
pub struct Sessions {
    authority: [u8; 16],
    host: String,
    port: u16,
    time: TimeSource,
    codes: Mutex<Tokens<ArbiterGrant>>,
    devices: Mutex<Devices>,
    open: Mutex<OpenSessions>,
    challenges: Challenges,
    /// Cancelled once a chief arbiter's device is enrolled.
    chief_enrolled: CancellationToken,
}

impl Sessions {
    /// Opens the desk. `host` and `port` are where a code sends a device.
    ///
    /// # Errors
    /// [`IdentityError::Make`]: there is no randomness.
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
            chief_enrolled,
        })
    }

    /// Where browsers find the page.
    pub fn address(&self) -> String {
        format!("https://{}:{}/", self.bracketed_host(), self.port)
    }

    /// Where everybody finds the public pages, whose port this is.
    pub fn public_address(&self, port: u16) -> String {
        format!("http://{}:{port}/", self.bracketed_host())
    }

    fn bracketed_host(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        }
    }

    /// What the session's cookie is called: each hub has its own, also where two share a host name.
    pub fn cookie_name(&self) -> String {
        format!("__Host-flagfall-{}", proto::ids::hex(&self.authority[..4]))
    }

    /// Makes a code with which one device may enrol for `arbiter`; `by` gave it out.
    ///
    /// # Errors
    /// [`SessionError::Name`], [`SessionError::Token`] when too many codes are open.
    pub fn code(&self, arbiter: Arbiter, by: &str) -> Result<ArbiterCode, SessionError> {
        if arbiter.name.trim().is_empty() || !prints(&arbiter.name) {
            return Err(SessionError::Name("an arbiter needs a name that prints"));
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

    /// Returns the arbiter that a device becomes with a code, and leaves the code good.
    ///
    /// # Errors
    /// [`SessionError::OtherHub`] or [`SessionError::Token`].
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

    /// Turns a code into a device that is known for good, and begins its first session. Writes to the disk.
    ///
    /// # Errors
    /// Every [`SessionError`].
    pub fn enrol(&self, request: Enrolment, from: IpAddr) -> Result<Begun, SessionError> {
        if request.authority != self.authority {
            return Err(SessionError::OtherHub);
        }
        if !prints(&request.label) {
            return Err(SessionError::Name("a device's name prints"));
        }
        // Held from the code to the list: a device that asks by its key after an answer that was lost is known as soon as its code is
        // used up.
        let mut devices = lock(&self.devices);
        let now = self.time.hub_now();
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
        self.end_first_chief_code(&device);
        // The key may have been another arbiter's before.
        lock(&self.open).end(&device.id());
        tracing::info!(device = %device.id(), arbiter = %device.arbiter, by = device.enrolled_by, "an arbiter's device is enrolled");
        self.begin(&device)
    }

    /// A question for [`Sessions::renew`], good for a minute and once.
    ///
    /// # Errors
    /// [`SessionError::Unavailable`].
    pub fn challenge(&self) -> Result<String, SessionError> {
        Ok(self.challenges.ask(self.time.hub_now())?)
    }

    /// Begins a new session of a device that proves its key.
    ///
    /// # Errors
    /// [`SessionError::NotEnrolled`], [`SessionError::NoProof`], or [`SessionError::ShutOut`], which only the holder of the key is told.
    pub fn renew(
        &self,
        device: &str,
        challenge: &str,
        signature: &[u8],
    ) -> Result<Begun, SessionError> {
        // Held to the end: who is shut out meanwhile must not begin a session.
        let devices = lock(&self.devices);
        let device = devices.find(device).ok_or(SessionError::NotEnrolled)?;
        let text = [challenges::PURPOSE, challenge].concat();
        if !device.key.has_signed(text.as_bytes(), signature)
            || !self.challenges.answered(challenge, self.time.hub_now())
        {
            // Without the proof, a device that was shut out is answered like one that never enrolled.
            return Err(match device.revoked {
                Some(_) => SessionError::NotEnrolled,
                None => SessionError::NoProof,
            });
        }
        if let Some(revoked) = &device.revoked {
            return Err(SessionError::ShutOut(revoked.clone()));
        }
        self.begin(device)
    }

    /// The session of a cookie's secret, if it goes on. Using it keeps it alive.
    pub fn find(&self, secret: &str) -> Option<Session> {
        lock(&self.open).find(secret, self.time.hub_now())
    }

    /// Whether `signature` proves that the session's device sent `message` to `path` now: holds once.
    ///
    /// # Errors
    /// A sentence for whoever sent it.
    pub fn prove(
        &self,
        session: &Session,
        path: &str,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), &'static str> {
        let text = signed_text(path, &session.id, message);
        if !session.key.has_signed(&text, signature) {
            return Err("the signature of this device does not fit this request; nothing was done");
        }
        lock(&self.open).use_up(session, signature)
    }

    /// All devices, in the order of their enrolment.
    pub fn devices(&self) -> Vec<Device> {
        lock(&self.devices).all()
    }

    /// Shuts a device out: its sessions and their streams end now, and it cannot begin another. Writes to the disk.
    ///
    /// # Errors
    /// [`SessionError::NoSuchDevice`], [`SessionError::Malformed`] for a reason that does not print or is too long,
    /// [`SessionError::Unavailable`].
    pub fn revoke(&self, device: &str, by: &str, reason: &str) -> Result<Device, SessionError> {
        let reason = checked_reason(reason)?;
        let mut devices = lock(&self.devices);
        let id = devices
            .find(device)
            .map(Device::id)
            .ok_or_else(|| SessionError::NoSuchDevice(device.to_owned()))?;
        let at_us = self.time.wall_now().unix_us();
        let by = by.to_owned();
        devices.revoke(&id, Revoked { at_us, by, reason })?;
        lock(&self.open).end(&id);
        tracing::info!(device = %id, "an arbiter's device is shut out");
        let found = devices.find(device).cloned();
        found.ok_or_else(|| SessionError::NoSuchDevice(device.to_owned()))
    }

    /// Whether a device has a session that goes on.
    pub fn is_signed_in(&self, device: &DeviceId) -> bool {
        lock(&self.open).has(device, self.time.hub_now())
    }

    fn begin(&self, device: &Device) -> Result<Begun, SessionError> {
        let (session, secret) = lock(&self.open).begin(device, self.time.hub_now())?;
        Ok(Begun { session, secret })
    }
}

/// What a device signs for a command.
pub(crate) fn signed_text(path: &str, session: &str, message: &[u8]) -> Vec<u8> {
    let mut text = format!("flagfall-command-v1\n{path}\n{session}\n").into_bytes();
    text.extend_from_slice(message);
    text
}

/// Returns the reason for shutting a device out, without the spaces around it.
fn checked_reason(reason: &str) -> Result<String, SessionError> {
    let reason = reason.trim();
    if reason.len() > REASON || timing::text::hidden_in(reason).is_some() {
        let what = format!("a reason prints, in at most {REASON} bytes");
        return Err(SessionError::Malformed(what));
    }
    Ok(reason.to_owned())
}

/// Returns the sentence for a device that was shut out.
fn shut_out(revoked: &Revoked) -> String {
    let at = WallTime::from_unix_us(revoked.at_us);
    let reason = match revoked.reason.as_str() {
        "" => String::new(),
        reason => format!(" ({reason})"),
    };
    format!(
        "{} shut this device out at {at}{reason}: ask the chief arbiter for a new code",
        revoked.by
    )
}

fn prints(name: &str) -> bool {
    name.len() <= NAME && timing::text::hidden_in(name).is_none()
}

/// Nothing behind these locks panics half-way.
fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
