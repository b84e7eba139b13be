//! Splits messages into characteristic values and joins them, with flow control. Owns the two-byte header of each value. Holds no keys. An invalid
//! value ends the link; a message's seal reveals any other damage.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::frame::MAX_FRAME;

/// Number of bytes before the payload of each value.
pub const HEADER: usize = 2;
/// Size of a value at the smallest MTU (23), in bytes.
pub const MIN_VALUE: usize = 20;
/// Maximum size of a value, in bytes, even at a larger MTU. An attribute has at most 512 bytes. In a write, BlueZ up to 5.66 counts the handle's two
/// bytes towards this limit, and silently drops a longer value.
pub const MAX_VALUE: usize = 510;
/// Maximum length of a message, in bytes: the longest frame and its seal.
pub const MAX_MESSAGE: usize = MAX_FRAME + 16;
/// Number of values that may be sent without an acknowledgement.
pub const WINDOW: u8 = 16;

/// Maximum number of bytes in the queue.
const QUEUE: usize = 32 * 1024;
/// Length of a message's length prefix, in bytes.
const LENGTH: usize = 2;
/// Number of received values that cause an acknowledgement even if there is nothing else to send.
const ACKNOWLEDGE: u8 = WINDOW / 2;

const FIRST: u8 = 0x80;
const LAST: u8 = 0x40;
const BARE: u8 = 0x80;
const RESERVED: u8 = 0x40;
const NUMBER: u8 = 0x3f;

/// The reason for rejecting a received value or a message to send. The link is then closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PipeError {
    /// The value is shorter than the header or longer than [`MAX_VALUE`], or has no payload.
    #[error("a value has the invalid size of {0} bytes")]
    Size(usize),
    /// The header has bits that this version does not define, or a bare acknowledgement has further content.
    #[error("a value with an unknown header")]
    Header,
    #[error("expected value {expected}, got {got}")]
    Sequence {
        /// Expected number, modulo 64.
        expected: u8,
        got: u8,
    },
    #[error("an acknowledgement of values that were not sent")]
    Acknowledgement,
    #[error("more than {WINDOW} values without an acknowledgement")]
    Window,
    /// A message begins inside another, continues without a beginning, or begins without its complete length.
    #[error("a message begins in the wrong place")]
    Beginning,
    #[error("a message states the invalid length of {0} bytes")]
    Length(usize),
    #[error("a message ends in the wrong place")]
    End,
    #[error("the other end no longer acknowledges")]
    Full,
}

/// The values of one link in both directions: what is queued, sent, acknowledged and partly received.
#[derive(Debug, Default)]
pub struct Pipe {
    out: VecDeque<Vec<u8>>,
    queued: usize,
    /// Number of bytes of the queue's first message that are already sent.
    sent_bytes: usize,
    next: u8,
    /// Number of the oldest unacknowledged value.
    oldest: u8,
    expected: u8,
    /// Number of values received since the last acknowledgement was sent.
    owed: u8,
    coming: Option<Incoming>,
}

#[derive(Debug)]
struct Incoming {
    bytes: Vec<u8>,
    whole: usize,
}

impl Pipe {
    /// Queues a message of 1 to [`MAX_MESSAGE`] bytes.
    ///
    /// # Errors
    /// Returns [`PipeError::Length`] for a message of the wrong length, and [`PipeError::Full`] if the queue has no room.
    pub fn push(&mut self, message: Vec<u8>) -> Result<(), PipeError> {
        length(message.len())?;
        if self.queued + message.len() > QUEUE {
            return Err(PipeError::Full);
        }
        self.queued += message.len();
        self.out.push_back(message);
        Ok(())
    }

    /// Returns the next value to send. The value has at most `room` bytes, where `room` is clamped to [`MIN_VALUE`]..=[`MAX_VALUE`]. Returns `None`
    /// if there is nothing to send, or if the peer must acknowledge first.
    pub fn next_value(&mut self, room: usize) -> Option<Vec<u8>> {
        let room = room.clamp(MIN_VALUE, MAX_VALUE) - HEADER;
        let on_the_way = distance(self.oldest, self.next);
        let Some(message) = self.out.front().filter(|_| on_the_way < WINDOW) else {
            return (self.owed >= ACKNOWLEDGE).then(|| self.acknowledge());
        };
        let mut value = Vec::with_capacity(HEADER + room);
        let mut head = self.next;
        value.extend([0, self.expected]);
        if self.sent_bytes == 0 {
            head |= FIRST;
            // The cast loses nothing: `push` enforces MAX_MESSAGE, which fits into 16 bits.
            value.extend((message.len() as u16).to_be_bytes());
        }
        let free = room + HEADER - value.len();
        let rest = &message[self.sent_bytes..];
        let part = &rest[..rest.len().min(free)];
        value.extend_from_slice(part);
        self.sent_bytes += part.len();
        if self.sent_bytes == message.len() {
            head |= LAST;
            self.queued -= message.len();
            self.sent_bytes = 0;
            self.out.pop_front();
        }
        value[0] = head;
        self.next = after(self.next);
        self.owed = 0;
        Some(value)
    }

    /// Returns true if all queued messages have been sent.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Returns true if any sent value is still unacknowledged.
    pub fn has_unacknowledged(&self) -> bool {
        self.oldest != self.next
    }

    /// Receives a value. Returns the message that the value completes, if any.
    ///
    /// # Errors
    /// Returns a [`PipeError`] other than [`PipeError::Full`] for an invalid value. The caller must then end the link.
    pub fn receive(&mut self, value: &[u8]) -> Result<Option<Vec<u8>>, PipeError> {
        let Some((&[head, tail], payload)) = value.split_first_chunk::<HEADER>() else {
            return Err(PipeError::Size(value.len()));
        };
        if value.len() > MAX_VALUE {
            return Err(PipeError::Size(value.len()));
        }
        if tail & RESERVED != 0 {
            return Err(PipeError::Header);
        }
        if tail & BARE != 0 && (head != 0 || !payload.is_empty()) {
            return Err(PipeError::Header);
        }
        self.acknowledged(tail & NUMBER)?;
        if tail & BARE != 0 {
            return Ok(None);
        }
        let got = head & NUMBER;
        if got != self.expected {
            let expected = self.expected;
            return Err(PipeError::Sequence { expected, got });
        }
        if payload.is_empty() {
            return Err(PipeError::Size(value.len()));
        }
        if self.owed >= WINDOW {
            return Err(PipeError::Window);
        }
        self.owed += 1;
        self.expected = after(self.expected);
        self.join(head & FIRST != 0, head & LAST != 0, payload)
    }

    fn join(
        &mut self,
        first: bool,
        last: bool,
        payload: &[u8],
    ) -> Result<Option<Vec<u8>>, PipeError> {
        let mut payload = payload;
        if first {
            let Some((announced, rest)) = payload.split_first_chunk::<LENGTH>() else {
                return Err(PipeError::Beginning);
            };
            let whole = length(usize::from(u16::from_be_bytes(*announced)))?;
            let coming = Incoming {
                bytes: Vec::with_capacity(whole),
                whole,
            };
            if self.coming.replace(coming).is_some() {
                return Err(PipeError::Beginning);
            }
            payload = rest;
        }
        let Some(coming) = &mut self.coming else {
            return Err(PipeError::Beginning);
        };
        if payload.len() > coming.whole - coming.bytes.len() {
            return Err(PipeError::End);
        }
        coming.bytes.extend_from_slice(payload);
        if last != (coming.bytes.len() == coming.whole) {
            return Err(PipeError::End);
        }
        Ok(self.coming.take_if(|_| last).map(|whole| whole.bytes))
    }

    fn acknowledged(&mut self, up_to: u8) -> Result<(), PipeError> {
        if distance(self.oldest, up_to) > distance(self.oldest, self.next) {
            return Err(PipeError::Acknowledgement);
        }
        self.oldest = up_to;
        Ok(())
    }

    fn acknowledge(&mut self) -> Vec<u8> {
        self.owed = 0;
        [0, BARE | self.expected].into()
    }
}

fn length(bytes: usize) -> Result<usize, PipeError> {
    if bytes == 0 || bytes > MAX_MESSAGE {
        return Err(PipeError::Length(bytes));
    }
    Ok(bytes)
}

fn after(number: u8) -> u8 {
    number.wrapping_add(1) & NUMBER
}

fn distance(from: u8, to: u8) -> u8 {
    to.wrapping_sub(from) & NUMBER
}
