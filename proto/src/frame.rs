//! Frames as bytes: encoding, decoding, and the maximum sizes of the frames between clocks and the hub. Owns the framing of a byte stream; never
//! interprets a frame.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use prost::Message;

use crate::wire::{AgentFrame, EnrolAnswer, EnrolRequest, HubFrame, agent_frame, hub_frame};

/// Maximum size of any frame, in bytes.
pub const MAX_FRAME: usize = 4096;

/// Size of the length prefix on a stream, in bytes. The prefix is big-endian.
pub const PREFIX: usize = 2;

/// A message that is sent as one frame. Each kind of frame has a maximum size.
pub trait Frame: Message + Default {
    /// Returns the maximum encoded size of this kind of frame, in bytes; 0 for an unknown kind.
    fn max_size(&self) -> usize;
}

/// The reason for rejecting a frame. If the frame was received, its link is closed; other links are not affected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum FrameError {
    #[error("a frame of {got} bytes: at most {bound} are allowed")]
    TooLong {
        /// Length of the frame in bytes, as encoded, as received or as stated by the length prefix.
        got: usize,
        bound: usize,
    },
    #[error("not a frame: {0}")]
    Malformed(String),
    /// The bytes match this schema, but the kind of frame is missing or not known to this version.
    #[error("a frame of an unknown kind")]
    UnknownKind,
}

impl Frame for AgentFrame {
    fn max_size(&self) -> usize {
        match &self.frame {
            Some(agent_frame::Frame::Hello(_) | agent_frame::Frame::LogContradiction(_)) => 1024,
            Some(agent_frame::Frame::Event(_)) => 512,
            Some(agent_frame::Frame::TimeReply(_)) => 64,
            Some(
                agent_frame::Frame::Watermark(_)
                | agent_frame::Frame::Health(_)
                | agent_frame::Frame::Diverged(_),
            ) => 128,
            Some(agent_frame::Frame::Goodbye(_)) => 512,
            Some(agent_frame::Frame::BoardMoves(_)) => MAX_FRAME,
            None => 0,
        }
    }
}

impl Frame for HubFrame {
    fn max_size(&self) -> usize {
        match &self.frame {
            Some(
                hub_frame::Frame::Order(_)
                | hub_frame::Frame::SharedBoard(_)
                | hub_frame::Frame::LogCheckpoint(_),
            ) => MAX_FRAME,
            Some(hub_frame::Frame::Welcome(_) | hub_frame::Frame::Labels(_)) => 1024,
            Some(hub_frame::Frame::Arbiters(_) | hub_frame::Frame::Certificate(_)) => 2048,
            Some(hub_frame::Frame::Show(_) | hub_frame::Frame::Goodbye(_)) => 512,
            Some(hub_frame::Frame::Ack(_) | hub_frame::Frame::TimeProbe(_)) => 64,
            Some(hub_frame::Frame::Identify(_) | hub_frame::Frame::ZeroTest(_)) => 64,
            None => 0,
        }
    }
}

impl Frame for EnrolRequest {
    fn max_size(&self) -> usize {
        512
    }
}

impl Frame for EnrolAnswer {
    fn max_size(&self) -> usize {
        MAX_FRAME
    }
}

/// Encodes a frame without a prefix, for a datagram or a BLE message.
///
/// # Errors
/// Returns [`FrameError::TooLong`] if the frame exceeds its bound.
pub fn encode<F: Frame>(frame: &F) -> Result<Vec<u8>, FrameError> {
    let got = frame.encoded_len();
    let bound = frame.max_size();
    if got > bound {
        return Err(FrameError::TooLong { got, bound });
    }
    Ok(frame.encode_to_vec())
}

/// Encodes a frame with a length prefix, for a stream.
///
/// # Errors
/// Returns the same errors as [`encode`].
pub fn encode_prefixed<F: Frame>(frame: &F) -> Result<Vec<u8>, FrameError> {
    let body = encode(frame)?;
    // The cast loses nothing: `encode` enforces MAX_FRAME, which fits into 16 bits.
    let mut bytes = (body.len() as u16).to_be_bytes().to_vec();
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Decodes one frame without a prefix.
///
/// # Errors
/// Returns a [`FrameError`] if the bytes are not a valid frame. Never panics, whatever the input.
pub fn decode<F: Frame>(bytes: &[u8]) -> Result<F, FrameError> {
    length(bytes.len())?;
    let frame = F::decode(bytes).map_err(|error| FrameError::Malformed(error.to_string()))?;
    let bound = frame.max_size();
    if bound == 0 {
        return Err(FrameError::UnknownKind);
    }
    if bytes.len() > bound {
        return Err(FrameError::TooLong {
            got: bytes.len(),
            bound,
        });
    }
    Ok(frame)
}

/// A buffer that extracts complete frames from a byte stream.
#[derive(Debug, Default)]
pub struct Deframer {
    buffer: Vec<u8>,
}

impl Deframer {
    /// Appends received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete frame, or `None` until more bytes arrive.
    ///
    /// # Errors
    /// Returns the same errors as [`decode`]. After an error, the rest of the stream is meaningless.
    #[expect(
        clippy::should_implement_trait,
        reason = "the caller chooses the frame type at each call, so this is not an iterator"
    )]
    pub fn next<F: Frame>(&mut self) -> Result<Option<F>, FrameError> {
        let Some((prefix, rest)) = self.buffer.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let len = length(usize::from(u16::from_be_bytes(*prefix)))?;
        if rest.len() < len {
            return Ok(None);
        }
        let frame = decode(&rest[..len])?;
        self.buffer.drain(..PREFIX + len);
        Ok(Some(frame))
    }
}

fn length(got: usize) -> Result<usize, FrameError> {
    if got > MAX_FRAME {
        return Err(FrameError::TooLong {
            got,
            bound: MAX_FRAME,
        });
    }
    Ok(got)
}

macro_rules! into_frame {
    ($outer:ident, $module:ident, $($kind:ident),+) => {
        $(impl From<crate::wire::$kind> for $outer {
            fn from(frame: crate::wire::$kind) -> Self {
                Self { frame: Some($module::Frame::$kind(frame)) }
            }
        })+
    };
}
into_frame!(
    AgentFrame,
    agent_frame,
    Hello,
    Event,
    Watermark,
    TimeReply,
    Health,
    Goodbye,
    Diverged,
    LogContradiction,
    BoardMoves
);
into_frame!(
    HubFrame,
    hub_frame,
    Welcome,
    Ack,
    Order,
    TimeProbe,
    Show,
    Identify,
    Goodbye,
    Labels,
    ZeroTest,
    SharedBoard,
    Arbiters,
    Certificate,
    LogCheckpoint
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Ack, Show, Watermark};
    use proptest::prelude::*;

    #[test]
    fn frames_survive_any_split_of_the_stream() {
        let sent: Vec<AgentFrame> = (1..=50)
            .map(|seq| {
                Watermark {
                    at_us: seq,
                    seq: seq.unsigned_abs(),
                    signature: vec![7; 64],
                }
                .into()
            })
            .collect();
        let stream: Vec<u8> = sent
            .iter()
            .flat_map(|frame| encode_prefixed(frame).unwrap())
            .collect();
        for piece in [1, 2, 3, 7, stream.len()] {
            let mut deframer = Deframer::default();
            let mut got = Vec::new();
            for bytes in stream.chunks(piece) {
                deframer.push(bytes);
                while let Some(frame) = deframer.next::<AgentFrame>().unwrap() {
                    got.push(frame);
                }
            }
            assert_eq!(got, sent);
        }
    }

    #[test]
    fn a_long_frame_is_refused_before_it_is_read() {
        let mut deframer = Deframer::default();
        deframer.push(&[0xff, 0xff]);
        assert_eq!(
            deframer.next::<AgentFrame>(),
            Err(FrameError::TooLong {
                got: 65_535,
                bound: MAX_FRAME
            })
        );
    }

    #[test]
    fn each_kind_has_its_own_bound() {
        let frame: HubFrame = Show {
            text: "x".repeat(600),
        }
        .into();
        assert_eq!(
            encode(&frame),
            Err(FrameError::TooLong {
                got: 606,
                bound: 512
            })
        );
        let mut bytes = frame.encode_to_vec();
        assert!(matches!(
            decode::<HubFrame>(&bytes),
            Err(FrameError::TooLong { .. })
        ));
        bytes.clear();
        assert_eq!(decode::<HubFrame>(&bytes), Err(FrameError::UnknownKind));
        let ack: HubFrame = Ack {
            seq: u64::MAX,
            board_digest: vec![0; 8],
        }
        .into();
        assert_eq!(decode(&encode(&ack).unwrap()), Ok(ack));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..5000)) {
            if let Ok(frame) = decode::<AgentFrame>(&bytes) {
                prop_assert!(frame.encoded_len() <= MAX_FRAME);
            }
            let mut deframer = Deframer::default();
            deframer.push(&bytes);
            while let Ok(Some(_)) = deframer.next::<HubFrame>() {}
        }
    }
}
