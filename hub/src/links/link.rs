//! A session's view of a link, over any carrier: ordered frames, quick frames, and an outlet.

use std::future::Future;

use proto::frame::FrameError;
use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};
use timing::{Hub, Instant};

pub(super) struct Link<S, Q, O> {
    /// Frames in the order in which they were sent, without gaps.
    pub(super) steady: S,
    /// Frames that may arrive out of order or get lost: watermarks and replies to probes.
    pub(super) quick: Q,
    pub(super) out: O,
}

/// A frame with its instant of arrival at this machine, as precisely as it is known.
pub(super) struct ReceivedFrame {
    pub(super) frame: AgentFrame,
    pub(super) at: Instant<Hub>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkEnd {
    /// The link is lost, for example because the other end closed it or fell silent. The text gives the reason.
    #[error("{0}")]
    Lost(String),
    #[error(transparent)]
    BadFrame(#[from] FrameError),
}

pub(super) enum End {
    /// The link is lost, or the other end has said goodbye. The text gives the reason.
    Lost(String),
    /// This end closes the link, with this reason and explanation.
    Close(GoodbyeReason, String),
}

impl From<LinkEnd> for End {
    fn from(end: LinkEnd) -> Self {
        match end {
            LinkEnd::Lost(why) => Self::Lost(why),
            LinkEnd::BadFrame(error) => Self::Close(GoodbyeReason::BadFrame, error.to_string()),
        }
    }
}

pub(super) trait Inbound: Send {
    fn next(&mut self) -> impl Future<Output = Result<ReceivedFrame, LinkEnd>> + Send;
}

pub(super) trait Outbound: Send {
    /// Passes frames to the carrier, in order. Waits while the carrier is full.
    fn send(&mut self, frames: Vec<HubFrame>) -> impl Future<Output = Result<(), LinkEnd>> + Send;

    /// Sends the reason and closes the link, within about a second.
    fn goodbye(&mut self, reason: GoodbyeReason, text: &str) -> impl Future<Output = ()> + Send;
}
