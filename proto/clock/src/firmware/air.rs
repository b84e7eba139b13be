//! The radio's side of a clock: when it can be found, one connection at a time, its handshake, its deadlines. Owns the values that
//! wait; never knows what a frame says.

use alloc::boxed::Box;
use alloc::vec::Vec;

use proto::ble::{ATT_HEADER, Came, Channel, ChannelError, HEADER, MIN_VALUE};

use super::platform::Radio;

/// A handshake takes no longer, nor an enrolment's answer, microseconds.
const SHAKEN_WITHIN: i64 = 10_000_000;
/// A link on which nothing has come for so long is lost: the hub probes the time once a second.
const SILENT: i64 = 6_000_000;
/// Last words have so long to get through.
const PARTING: i64 = 500_000;
/// So long does a clock hide that somebody has to do something about first.
const RARELY: i64 = 30_000_000;

/// What a radio tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RadioEvent {
    /// A hub has subscribed to the clock's characteristic, on a connection of this MTU (23 to 517).
    Subscribed {
        /// The connection's MTU, bytes.
        mtu: u16,
    },
    /// The hub has written a value.
    Value(Vec<u8>),
    /// There is room for a notification again.
    Room,
    /// The connection is over.
    Gone,
}

/// The link, as far as there is one.
#[derive(Debug)]
pub(super) enum Air {
    /// To be found.
    Shown,
    /// Not to be found before this.
    Hidden { until: i64 },
    /// Connected.
    Linked(Box<Linked>),
}

#[derive(Debug)]
pub(super) struct Linked {
    channel: Channel,
    /// Bytes of a value.
    room: usize,
    /// A value that the radio had no room for.
    waiting: Option<Vec<u8>>,
    opened: i64,
    heard: i64,
    /// An enrolment is over within the time of a handshake.
    pub(super) enrols: bool,
    /// It ends once everything has gone, or then.
    parting: Option<i64>,
    /// What comes after it: the clock hides for a while.
    rarely: bool,
}

impl Air {
    /// A connection was made: the clock speaks first.
    pub(super) fn linked(channel: Channel, mtu: u16, enrols: bool, now: i64) -> Self {
        Self::Linked(Box::new(Linked {
            channel,
            room: usize::from(mtu).saturating_sub(ATT_HEADER).max(MIN_VALUE),
            waiting: None,
            opened: now,
            heard: now,
            enrols,
            parting: None,
            rarely: false,
        }))
    }

    /// Takes a value that the hub wrote.
    ///
    /// # Errors
    /// [`ChannelError`]; the link has to end.
    pub(super) fn take(&mut self, value: &[u8], now: i64) -> Result<Came, ChannelError> {
        match self {
            // A value that was under way when the link ended.
            Self::Shown | Self::Hidden { .. } => Ok(Came::Nothing),
            Self::Linked(linked) => {
                let came = linked.channel.take(value)?;
                // Only what was sealed is a sign of life: anybody on the way can make up the rest.
                if came != Came::Nothing {
                    linked.heard = now;
                }
                Ok(came)
            }
        }
    }

    /// Queues a frame, if there is a link to send it on.
    ///
    /// # Errors
    /// [`ChannelError`]; the link has to end.
    pub(super) fn send(&mut self, frame: &[u8]) -> Result<(), ChannelError> {
        match self {
            Self::Linked(linked) if linked.channel.is_open() => linked.channel.send(frame),
            Self::Linked(_) | Self::Shown | Self::Hidden { .. } => Ok(()),
        }
    }

    /// Lets what is queued go, and the link after that.
    pub(super) fn part(&mut self, rarely: bool, now: i64) {
        if let Self::Linked(linked) = self {
            linked.parting.get_or_insert(now + PARTING);
            linked.rarely |= rarely;
        }
    }

    /// Hands over what the window and the radio have room for.
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

    /// Whether the link has outlived itself, or the hiding.
    pub(super) fn is_over(&self, now: i64) -> bool {
        match self {
            Self::Shown => false,
            Self::Hidden { until } => *until <= now,
            Self::Linked(linked) => {
                let gone = linked.waiting.is_none() && linked.channel.is_idle();
                linked.ends_at() <= now || (linked.parting.is_some() && gone)
            }
        }
    }

    /// What comes after a link: being found again, at once or later.
    pub(super) fn after(&self, now: i64) -> Self {
        match self {
            Self::Linked(linked) if linked.rarely => Self::Hidden {
                until: now + RARELY,
            },
            Self::Linked(_) | Self::Shown | Self::Hidden { .. } => Self::Shown,
        }
    }

    /// When [`Air::is_over`] without anything else happening.
    pub(super) fn wake(&self) -> Option<i64> {
        match self {
            Self::Shown => None,
            Self::Hidden { until } => Some(*until),
            Self::Linked(linked) => Some(linked.ends_at()),
        }
    }
}

impl Linked {
    fn ends_at(&self) -> i64 {
        let shaking = self.enrols || !self.channel.is_open();
        let ends = if shaking {
            self.opened + SHAKEN_WITHIN
        } else {
            self.heard + SILENT
        };
        self.parting.map_or(ends, |parting| parting.min(ends))
    }
}
