//! One complete link, from values to frames and back. Owns the order of handshake and frames. The caller owns the radio and the deadlines, and
//! decides on admission.

use alloc::vec::Vec;
use core::fmt;

use crate::ids::AgentId;

use super::code::PairingCode;
use super::noise::{Handshake, LocalKeys, NoiseError, Seal};
use super::pipe::{Pipe, PipeError};

/// Version of the link protocol; the first byte of the first message.
const VERSION: u8 = 1;

/// The purpose of a link, as stated by the second byte of the first message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A session with the hub at which the clock is enrolled.
    Session,
    /// The enrolment of a clock with the pairing code on its display.
    Enrolment,
}

impl Purpose {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Session => 1,
            Self::Enrolment => 2,
        }
    }
}

/// The result of receiving one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// Nothing that the caller must handle.
    Nothing,
    /// A clock's request for a session with this hub. It may be a replay: only the link's first frame proves that the peer holds `exchange_key`.
    SessionRequest {
        /// The claimed identity.
        agent: AgentId,
        /// The X25519 public key in the request.
        exchange_key: [u8; 32],
    },
    /// The handshake is complete: frames may be sent. A hub's session opens in [`Channel::answer`] instead.
    Opened {
        /// A unique identifier of this link, the same at both ends. An enrolment request's signature covers this identifier.
        binding: [u8; 16],
        /// The peer's X25519 public key.
        peer: [u8; 32],
    },
    /// A received frame, as the peer encoded it.
    Frame(Vec<u8>),
}

/// The reason why a link cannot begin or has ended, or why a frame cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ChannelError {
    #[error("{0}")]
    Pipe(#[from] PipeError),
    #[error("message refused: {0}")]
    Noise(#[from] NoiseError),
    #[error("the clock uses version {0} of the link protocol; this hub uses version {VERSION}")]
    Version(u8),
    #[error(
        "an enrolment was requested without an open pairing code, or a session during an enrolment"
    )]
    Purpose,
    #[error("the link is not open")]
    Closed,
}

enum Stage {
    Listening {
        secret: [u8; 32],
        random: [u8; 32],
        code: Option<PairingCode>,
    },
    Shaking(Handshake),
    Open(Seal),
    Over,
}

/// One end of a Bluetooth LE link, at a clock or at a hub.
pub struct Channel {
    pipe: Pipe,
    stage: Stage,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stage {
            Stage::Listening { .. } => "listening",
            Stage::Shaking(_) => "shaking hands",
            Stage::Open(_) => "open",
            Stage::Over => "over",
        };
        write!(f, "Channel({stage})")
    }
}

impl Channel {
    /// Starts a session of the clock `agent` with the hub whose X25519 key is `hub`.
    ///
    /// # Errors
    /// Returns [`NoiseError::Keys`] if the keys cannot be used.
    pub fn session(
        own: LocalKeys<'_>,
        agent: &AgentId,
        hub: &[u8; 32],
    ) -> Result<Self, ChannelError> {
        let handshake = Handshake::session(own, hub)?;
        Self::begin(handshake, Purpose::Session, &agent.0)
    }

    /// Starts a clock's enrolment with the hub at which an arbiter typed the displayed `code`.
    ///
    /// # Errors
    /// Returns [`NoiseError::Keys`] if the keys cannot be used.
    pub fn enrolment(own: LocalKeys<'_>, code: &PairingCode) -> Result<Self, ChannelError> {
        let handshake = Handshake::enrolment(own, &code.key())?;
        Self::begin(handshake, Purpose::Enrolment, &[])
    }

    fn begin(
        mut handshake: Handshake,
        purpose: Purpose,
        payload: &[u8],
    ) -> Result<Self, ChannelError> {
        let mut first = Vec::from([VERSION, purpose.byte()]);
        first.extend(handshake.write(payload)?);
        let mut pipe = Pipe::default();
        pipe.push(first)?;
        Ok(Self {
            pipe,
            stage: Stage::Shaking(handshake),
        })
    }

    /// Creates the hub's end of a link: for an enrolment if an arbiter has typed the clock's `code`, otherwise for a session.
    pub fn hub(own: LocalKeys<'_>, code: Option<PairingCode>) -> Self {
        Self {
            pipe: Pipe::default(),
            stage: Stage::Listening {
                secret: *own.secret,
                random: own.random,
                code,
            },
        }
    }

    /// Receives a value.
    ///
    /// # Errors
    /// Returns a [`ChannelError`] for an invalid value or message. The link has then ended, and each further value returns [`ChannelError::Closed`].
    pub fn receive(&mut self, value: &[u8]) -> Result<Received, ChannelError> {
        if matches!(self.stage, Stage::Over) {
            return Err(ChannelError::Closed);
        }
        let came = match self.pipe.receive(value) {
            Ok(Some(message)) => self.message(&message),
            Ok(None) => Ok(Received::Nothing),
            Err(error) => Err(error.into()),
        };
        if came.is_err() {
            self.stage = Stage::Over;
        }
        came
    }

    fn message(&mut self, message: &[u8]) -> Result<Received, ChannelError> {
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Over => Err(ChannelError::Closed),
            Stage::Open(mut seal) => {
                let frame = seal.open(message)?;
                self.stage = Stage::Open(seal);
                Ok(Received::Frame(frame))
            }
            Stage::Shaking(mut handshake) => {
                handshake.read(message)?;
                if !handshake.is_over() {
                    let last = handshake.write(&[])?;
                    self.pipe.push(last)?;
                }
                self.open(handshake)
            }
            Stage::Listening {
                secret,
                random,
                code,
            } => self.on_first_message(
                message,
                LocalKeys {
                    secret: &secret,
                    random,
                },
                code,
            ),
        }
    }

    fn on_first_message(
        &mut self,
        message: &[u8],
        own: LocalKeys<'_>,
        code: Option<PairingCode>,
    ) -> Result<Received, ChannelError> {
        let Some((&[version, purpose], message)) = message.split_first_chunk() else {
            return Err(NoiseError::Forged.into());
        };
        if version != VERSION {
            return Err(ChannelError::Version(version));
        }
        let enrolment = purpose == Purpose::Enrolment.byte();
        if !enrolment && purpose != Purpose::Session.byte() {
            return Err(ChannelError::Purpose);
        }
        let mut handshake = match code {
            Some(code) if enrolment => Handshake::hub_enrolment(own, &code.key())?,
            None if !enrolment => Handshake::hub_session(own)?,
            Some(_) | None => return Err(ChannelError::Purpose),
        };
        let payload = handshake.read(message)?;
        let received = if enrolment {
            Received::Nothing
        } else {
            Received::SessionRequest {
                agent: AgentId::try_from(payload.as_slice()).map_err(|_| NoiseError::Forged)?,
                exchange_key: handshake.peer().ok_or(NoiseError::Forged)?,
            }
        };
        self.stage = Stage::Shaking(handshake);
        if enrolment {
            self.answer()?;
        }
        Ok(received)
    }

    /// Accepts a [`Received::SessionRequest`]; afterwards frames may be sent to the clock.
    ///
    /// # Errors
    /// Returns a [`ChannelError`], such as [`ChannelError::Closed`] if no handshake is in progress. The link has then ended.
    pub fn answer(&mut self) -> Result<(), ChannelError> {
        let Stage::Shaking(mut handshake) = core::mem::replace(&mut self.stage, Stage::Over) else {
            return Err(ChannelError::Closed);
        };
        let answer = handshake.write(&[])?;
        self.pipe.push(answer)?;
        if handshake.is_over() {
            self.open(handshake)?;
        } else {
            self.stage = Stage::Shaking(handshake);
        }
        Ok(())
    }

    fn open(&mut self, handshake: Handshake) -> Result<Received, ChannelError> {
        let peer = handshake.peer().ok_or(NoiseError::Forged)?;
        let mut binding = [0; 16];
        binding.copy_from_slice(&handshake.hash()[..16]);
        self.stage = Stage::Open(handshake.seal()?);
        Ok(Received::Opened { binding, peer })
    }

    /// Seals and queues a frame.
    ///
    /// # Errors
    /// Returns [`ChannelError::Closed`] before the handshake is complete or after the link has ended. Returns [`PipeError::Length`] if the frame is
    /// too long, and [`PipeError::Full`] if the queue has no room. After the last two errors, the caller must end the link.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), ChannelError> {
        let Stage::Open(seal) = &mut self.stage else {
            return Err(ChannelError::Closed);
        };
        let sealed = seal.close(frame)?;
        Ok(self.pipe.push(sealed)?)
    }

    /// Returns the next value to send; see [`Pipe::next_value`].
    pub fn next_value(&mut self, room: usize) -> Option<Vec<u8>> {
        self.pipe.next_value(room)
    }

    /// Returns true if all queued messages have been sent.
    pub fn is_idle(&self) -> bool {
        self.pipe.is_empty()
    }

    /// Returns true if any sent value is still unacknowledged.
    pub fn has_unacknowledged(&self) -> bool {
        self.pipe.has_unacknowledged()
    }

    /// Returns true if frames may be sent.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }
}
