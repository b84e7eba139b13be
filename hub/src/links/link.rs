//! What a link is to a session, whatever carries it: frames that come in order, frames that come quickly, and a way out.

use std::future::Future;

use proto::frame::FrameError;
use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};
use timing::{Hub, Instant};

/// A link of one authenticated agent.
pub(super) struct Link<S, Q, O> {
    /// Frames in the order in which they were sent, none missing.
    pub(super) steady: S,
    /// Frames that may overtake and may be lost: watermarks, replies to probes.
    pub(super) quick: Q,
    /// Frames to the agent.
    pub(super) out: O,
}

/// A frame with the moment at which it reached this machine, as near as can be told.
pub(super) struct Arrived {
    pub(super) frame: AgentFrame,
    pub(super) at: Instant<Hub>,
}

/// Why no more frames come.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkEnd {
    /// The other end closed or fell silent; the text says which.
    #[error("{0}")]
    Lost(String),
    /// It sent what is no frame.
    #[error(transparent)]
    BadFrame(#[from] FrameError),
}

/// Where frames of the agent come from.
pub(super) trait Inbound: Send {
    /// Waits for the next frame.
    fn next(&mut self) -> impl Future<Output = Result<Arrived, LinkEnd>> + Send;
}

/// Where frames to the agent go.
pub(super) trait Outbound: Send {
    /// Hands frames to the carrier, in order; waits while it is full.
    fn send(&mut self, frames: Vec<HubFrame>) -> impl Future<Output = Result<(), LinkEnd>> + Send;

    /// Says why, and closes. Returns once the agent has it, or after a second.
    fn goodbye(&mut self, reason: GoodbyeReason, text: &str) -> impl Future<Output = ()> + Send;
}
