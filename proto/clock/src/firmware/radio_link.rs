//! A clock's radio link: advertising, hiding, and one connection at a time with its handshake and deadlines. Owns the values waiting to be sent; does
//! not interpret frames.

use alloc::boxed::Box;
use alloc::vec::Vec;

use proto::ble::{ATT_HEADER, Channel, ChannelError, HEADER, MIN_VALUE, Received};

use super::platform::Radio;

/// Maximum duration of a handshake, or of an enrolment, in microseconds.
const HANDSHAKE_TIMEOUT: i64 = 10_000_000;
/// A link counts as lost after this many microseconds without a sealed message. The hub sends a time probe every second.
const SILENCE_TIMEOUT: i64 = 6_000_000;
/// Maximum time for sending the last frames of a link, in microseconds.
const CLOSING_TIME: i64 = 500_000;
/// Microseconds for which the clock does not advertise after a link that ended for a reason that a person must resolve.
const HIDE_TIME: i64 = 30_000_000;

/// An event that the maker's radio driver passes to [`Firmware::run_once`](super::Firmware::run_once).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RadioEvent {
    /// A hub subscribed to the clock's characteristic.
    Subscribed {
        /// The connection's MTU in bytes, 23 to 517.
        mtu: u16,
    },
    /// The hub wrote a value.
    Value(Vec<u8>),
    /// The radio has room for a notification again.
    RoomAvailable,
    /// The connection ended.
    Disconnected,
}

#[derive(Debug)]
pub(super) enum RadioLink {
    Advertising,
    Hidden { until: i64 },
    Linked(Box<Linked>),
}

#[derive(Debug)]
pub(super) struct Linked {
    channel: Channel,
    /// Maximum size of a value that the MTU permits, in bytes.
    room: usize,
    /// The next value to send, for which the radio had no room.
    waiting: Option<Vec<u8>>,
    opened: i64,
    heard: i64,
    /// True if the link is for an enrolment, which must finish within [`HANDSHAKE_TIMEOUT`].
    pub(super) enrols: bool,
    /// Latest instant at which a closing link ends; `None` while the link is not closing.
    closing_at: Option<i64>,
    hides_after: bool,
}

impl RadioLink {
    pub(super) fn linked(channel: Channel, mtu: u16, enrols: bool, now: i64) -> Self {
        Self::Linked(Box::new(Linked {
            channel,
            room: usize::from(mtu).saturating_sub(ATT_HEADER).max(MIN_VALUE),
            waiting: None,
            opened: now,
            heard: now,
            enrols,
            closing_at: None,
            hides_after: false,
        }))
    }

    /// Receives a value from the hub. After an error, the caller must end the link.
    pub(super) fn take(&mut self, value: &[u8], now: i64) -> Result<Received, ChannelError> {
        match self {
            // Ignore a late value from a link that has ended.
            Self::Advertising | Self::Hidden { .. } => Ok(Received::Nothing),
            Self::Linked(linked) => {
                let came = linked.channel.receive(value)?;
                // Only sealed data prove that the hub is alive, because anything else can be forged.
                if came != Received::Nothing {
                    linked.heard = now;
                }
                Ok(came)
            }
        }
    }

    /// Queues a frame if the link is open. After an error, such as a full queue, the caller must end the link.
    pub(super) fn send(&mut self, frame: &[u8]) -> Result<(), ChannelError> {
        match self {
            Self::Linked(linked) if linked.channel.is_open() => linked.channel.send(frame),
            Self::Linked(_) | Self::Advertising | Self::Hidden { .. } => Ok(()),
        }
    }

    /// Schedules the end of the link: once all queued values are sent, but at the latest after [`CLOSING_TIME`].
    pub(super) fn close_after_sending(&mut self, hides_after: bool, now: i64) {
        if let Self::Linked(linked) = self {
            linked.closing_at.get_or_insert(now + CLOSING_TIME);
            linked.hides_after |= hides_after;
        }
    }

    /// Passes values to the radio until none is left, or until the channel's window or the radio's queue is full.
    pub(super) fn hand_over(&mut self, radio: &mut impl Radio) {
        let Self::Linked(linked) = self else { return };
        while let Some(value) = linked
            .waiting
            .take()
            .or_else(|| linked.channel.next_value(linked.room))
        {
            debug_assert!(value.len() >= HEADER);
            if !radio.notify(&value) {
                linked.waiting = Some(value);
                return;
            }
        }
    }

    /// Returns true if the link must end now, or if a hidden clock may advertise again.
    pub(super) fn is_over(&self, now: i64) -> bool {
        match self {
            Self::Advertising => false,
            Self::Hidden { until } => *until <= now,
            Self::Linked(linked) => {
                let gone = linked.waiting.is_none() && linked.channel.is_idle();
                linked.ends_at() <= now || (linked.closing_at.is_some() && gone)
            }
        }
    }

    pub(super) fn after(&self, now: i64) -> Self {
        match self {
            Self::Linked(linked) if linked.hides_after => Self::Hidden {
                until: now + HIDE_TIME,
            },
            Self::Linked(_) | Self::Advertising | Self::Hidden { .. } => Self::Advertising,
        }
    }

    /// Returns the instant at which [`RadioLink::is_over`] becomes true without any event; `None` while advertising.
    pub(super) fn wake(&self) -> Option<i64> {
        match self {
            Self::Advertising => None,
            Self::Hidden { until } => Some(*until),
            Self::Linked(linked) => Some(linked.ends_at()),
        }
    }
}

impl Linked {
    fn ends_at(&self) -> i64 {
        let shaking = self.enrols || !self.channel.is_open();
        let ends = if shaking {
            self.opened + HANDSHAKE_TIMEOUT
        } else {
            self.heard + SILENCE_TIMEOUT
        };
        self.closing_at
            .map_or(ends, |closing_at| closing_at.min(ends))
    }
}
