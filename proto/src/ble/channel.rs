//! One link, whole: values in, frames out, and the other way round. Owns the order of handshake and frames; its caller owns
//! the radio, the deadlines, and the decision who is admitted.

use alloc::vec::Vec;
use core::fmt;

use crate::ids::AgentId;

use super::code::PairingCode;
use super::noise::{Handshake, NoiseError, Own, Seal};
use super::pipe::{Pipe, PipeError};

/// Version of all this; the first byte of the first message.
const VERSION: u8 = 1;

/// What a clock opens a link for; the second byte of the first message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A session with the hub that it is enrolled with.
    Session,
    /// An enrolment.
    Enrolment,
}

impl Purpose {
    /// As the first message has it.
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Session => 1,
            Self::Enrolment => 2,
        }
    }
}

/// What a value that came has brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// Nothing that its caller need know.
    Nothing,
    /// To a hub: somebody holds `exchange_key` and says to be `agent`. Nothing he says counts before the first frame.
    Knock {
        /// Who he says to be.
        agent: AgentId,
        /// The X25519 key that he holds.
        exchange_key: [u8; 32],
    },
    /// The handshake is over: frames may be sent.
    Open {
        /// A name for this link, the same at both ends and of no other link: what an enrolment signs.
        binding: [u8; 16],
        /// The X25519 key that the other end holds.
        peer: [u8; 32],
    },
    /// A frame, as the other end encoded it.
    Frame(Vec<u8>),
}

/// Why a link is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelError {
    /// A value.
    #[error("{0}")]
    Pipe(#[from] PipeError),
    /// A message.
    #[error("a message is refused: {0}")]
    Noise(#[from] NoiseError),
    /// The first message is of another version.
    #[error("the clock speaks version {0} of the link, this hub version {VERSION}")]
    Version(u8),
    /// The first message asks for what is not offered now.
    #[error(
        "an enrolment that nobody has asked for, or a session of a clock that is to be enrolled"
    )]
    Purpose,
    /// Frames before the handshake is over, or after the end.
    #[error("the link is not open")]
    Closed,
}

enum Stage {
    /// A hub's, before the first message.
    Listening {
        secret: [u8; 32],
        random: [u8; 32],
        code: Option<PairingCode>,
    },
    Shaking(Handshake),
    Open(Seal),
    Over,
}

/// One end of a link.
pub struct Channel {
    pipe: Pipe,
    stage: Stage,
}

impl fmt::Debug for Channel {
    /// Leaves the secrets out.
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
    /// The clock `agent` begins a session with the hub whose X25519 key is `hub`.
    ///
    /// # Errors
    /// [`NoiseError::Keys`].
    pub fn session(own: Own<'_>, agent: &AgentId, hub: &[u8; 32]) -> Result<Self, ChannelError> {
        let handshake = Handshake::session(own, hub)?;
        Self::begin(handshake, Purpose::Session, &agent.0)
    }

    /// A clock begins its enrolment with whoever knows the `code` that it shows.
    ///
    /// # Errors
    /// [`NoiseError::Keys`].
    pub fn enrolment(own: Own<'_>, code: &PairingCode) -> Result<Self, ChannelError> {
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

    /// The hub's end: of an enrolment when an arbiter has typed the clock's `code`, else of a session.
    pub fn hub(own: Own<'_>, code: Option<PairingCode>) -> Self {
        Self {
            pipe: Pipe::default(),
            stage: Stage::Listening {
                secret: *own.secret,
                random: own.random,
                code,
            },
        }
    }

    /// Takes a value that came.
    ///
    /// # Errors
    /// Every [`ChannelError`]; the link is over then, and whatever else comes is [`ChannelError::Closed`].
    pub fn take(&mut self, value: &[u8]) -> Result<Came, ChannelError> {
        if matches!(self.stage, Stage::Over) {
            return Err(ChannelError::Closed);
        }
        let came = match self.pipe.take(value) {
            Ok(Some(message)) => self.message(&message),
            Ok(None) => Ok(Came::Nothing),
            Err(error) => Err(error.into()),
        };
        if came.is_err() {
            self.stage = Stage::Over;
        }
        came
    }

    fn message(&mut self, message: &[u8]) -> Result<Came, ChannelError> {
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Over => Err(ChannelError::Closed),
            Stage::Open(mut seal) => {
                let frame = seal.open(message)?;
                self.stage = Stage::Open(seal);
                Ok(Came::Frame(frame))
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
            } => self.first(
                message,
                Own {
                    secret: &secret,
                    random,
                },
                code,
            ),
        }
    }

    /// The clock's first message to a hub.
    fn first(
        &mut self,
        message: &[u8],
        own: Own<'_>,
        code: Option<PairingCode>,
    ) -> Result<Came, ChannelError> {
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
        let knock = if enrolment {
            Came::Nothing
        } else {
            Came::Knock {
                agent: AgentId::try_from(payload.as_slice()).map_err(|_| NoiseError::Forged)?,
                exchange_key: handshake.peer().ok_or(NoiseError::Forged)?,
            }
        };
        self.stage = Stage::Shaking(handshake);
        if enrolment {
            self.answer()?;
        }
        Ok(knock)
    }

    /// A hub answers a [`Came::Knock`]: from here on frames may be sent to the clock.
    ///
    /// # Errors
    /// [`ChannelError::Closed`] when nobody has knocked.
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

    fn open(&mut self, handshake: Handshake) -> Result<Came, ChannelError> {
        let peer = handshake.peer().ok_or(NoiseError::Forged)?;
        let mut binding = [0; 16];
        binding.copy_from_slice(&handshake.hash()[..16]);
        self.stage = Stage::Open(handshake.seal()?);
        Ok(Came::Open { binding, peer })
    }

    /// Queues a frame, sealed.
    ///
    /// # Errors
    /// [`ChannelError::Closed`] before the handshake is over, [`PipeError::Full`] when the other end does not keep up.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), ChannelError> {
        let Stage::Open(seal) = &mut self.stage else {
            return Err(ChannelError::Closed);
        };
        let sealed = seal.close(frame)?;
        Ok(self.pipe.push(sealed)?)
    }

    /// The next value to send: see [`Pipe::next_value`].
    pub fn next_value(&mut self, room: usize) -> Option<Vec<u8>> {
        self.pipe.next_value(room)
    }

    /// Whether everything that was queued has gone.
    pub fn is_idle(&self) -> bool {
        self.pipe.is_empty()
    }

    /// Whether values are on the way that the other end has not acknowledged.
    pub fn awaits(&self) -> bool {
        self.pipe.awaits()
    }

    /// Whether frames may be sent.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }
}
