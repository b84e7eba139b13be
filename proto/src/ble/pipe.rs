//! Messages as values of a characteristic: cutting, joining, and how much may be on the way. Owns the two bytes before each
//! value. Keeps no secrets: whoever forges a value breaks the link, and the seal of a message shows any other damage.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::frame::MAX_FRAME;

/// Bytes before the payload of each value.
pub const HEADER: usize = 2;
/// The smallest value that a link carries: what is left of an MTU of 23.
pub const MIN_VALUE: usize = 20;
/// The largest, however large the MTU. An attribute has 512 bytes at most, and BlueZ up to 5.66 counts the two of the handle among them
/// when a value is written: it drops a longer one without a word.
pub const MAX_VALUE: usize = 510;
/// No message is longer: a sealed frame.
pub const MAX_MESSAGE: usize = MAX_FRAME + 16;
/// Values that may be on the way without an acknowledgement.
pub const WINDOW: u8 = 16;

/// Bytes that may wait to be sent: more than a session that keeps up ever leaves there.
const QUEUE: usize = 32 * 1024;
/// Bytes of the length before a message.
const LENGTH: usize = 2;
/// An acknowledgement goes out by itself once so many values wait for one.
const ACKNOWLEDGE: u8 = WINDOW / 2;

const FIRST: u8 = 0x80;
const LAST: u8 = 0x40;
const BARE: u8 = 0x80;
const RESERVED: u8 = 0x40;
const NUMBER: u8 = 0x3f;

/// Why a value is none of this link. The link is closed: nothing after it would have a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipeError {
    /// Fewer bytes than the header, more than an attribute holds, or no payload.
    #[error("a value of {0} bytes")]
    Size(usize),
    /// Bits that mean nothing in this version.
    #[error("a value with an unknown header")]
    Header,
    /// A value is missing, came twice, or came in another's place.
    #[error("value {got} came, {expected} was to come")]
    Sequence {
        /// The number that was to come, modulo 64.
        expected: u8,
        /// The number that came.
        got: u8,
    },
    /// Values are acknowledged that were never sent.
    #[error("an acknowledgement of what was not sent")]
    Acknowledgement,
    /// More values than may be on the way.
    #[error("more than {WINDOW} values without an acknowledgement")]
    Window,
    /// A message begins inside another, or goes on without a beginning.
    #[error("a message that does not begin where it should")]
    Beginning,
    /// A message longer than any may be, or empty.
    #[error("a message of {0} bytes is announced")]
    Length(usize),
    /// A message that does not end where its length says.
    #[error("a message that does not end where it should")]
    End,
    /// The other end has not acknowledged for so long that the queue is full.
    #[error("the other end takes nothing")]
    Full,
}

/// Both directions of one link.
#[derive(Debug, Default)]
pub struct Pipe {
    out: VecDeque<Vec<u8>>,
    queued: usize,
    /// Bytes of the front message that have gone.
    gone: usize,
    /// Number of the next value to send.
    next: u8,
    /// Number of the oldest value that is not acknowledged.
    oldest: u8,
    /// Number of the value that is to come.
    expected: u8,
    /// Values that came since an acknowledgement went.
    owed: u8,
    coming: Option<Coming>,
}

/// A message that is not whole yet.
#[derive(Debug)]
struct Coming {
    bytes: Vec<u8>,
    whole: usize,
}

impl Pipe {
    /// Queues a message of 1 to [`MAX_MESSAGE`] bytes.
    ///
    /// # Errors
    /// [`PipeError::Length`], [`PipeError::Full`].
    pub fn push(&mut self, message: Vec<u8>) -> Result<(), PipeError> {
        length(message.len())?;
        if self.queued + message.len() > QUEUE {
            return Err(PipeError::Full);
        }
        self.queued += message.len();
        self.out.push_back(message);
        Ok(())
    }

    /// The next value to send, of at most `room` bytes ([`MIN_VALUE`] to [`MAX_VALUE`]; what is outside is taken as the nearest
    /// of the two). `None` when there is nothing to send, or the other end has to acknowledge first.
    pub fn next_value(&mut self, room: usize) -> Option<Vec<u8>> {
        let room = room.clamp(MIN_VALUE, MAX_VALUE) - HEADER;
        let on_the_way = distance(self.oldest, self.next);
        let Some(message) = self.out.front().filter(|_| on_the_way < WINDOW) else {
            return (self.owed >= ACKNOWLEDGE).then(|| self.acknowledge());
        };
        let mut value = Vec::with_capacity(HEADER + room);
        let mut head = self.next;
        value.extend([0, self.expected]);
        if self.gone == 0 {
            head |= FIRST;
            // MAX_MESSAGE fits 16 bits, and `push` keeps to it.
            value.extend((message.len() as u16).to_be_bytes());
        }
        let free = room + HEADER - value.len();
        let rest = &message[self.gone..];
        let part = &rest[..rest.len().min(free)];
        value.extend_from_slice(part);
        self.gone += part.len();
        if self.gone == message.len() {
            head |= LAST;
            self.queued -= message.len();
            self.gone = 0;
            self.out.pop_front();
        }
        value[0] = head;
        self.next = after(self.next);
        self.owed = 0;
        Some(value)
    }

    /// Whether anything has been queued that has not gone.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Whether values are on the way that the other end has not acknowledged.
    pub fn awaits(&self) -> bool {
        self.oldest != self.next
    }

    /// Takes a value that came; the message that it makes whole, if it does.
    ///
    /// # Errors
    /// Every [`PipeError`] but [`PipeError::Full`]; the link is over then.
    pub fn take(&mut self, value: &[u8]) -> Result<Option<Vec<u8>>, PipeError> {
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
            let coming = Coming {
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
