//! Inputs of the hall. An input has already been decoded, and its signature checked.
//!
//! Defines the vocabulary only; the sibling modules decide what each input does.

use proto::ids::AgentId;
use proto::log::RequestSigned;
use timing::{Hub, Instant};

use super::agent_frame::{AgentFrame, Hello, LinkId};
use super::ask::{HallRequest, ReplyId};
use super::note::Notice;
use crate::view::EventView;

/// External data that the hall needs when the hub starts.
#[derive(Clone, Debug)]
pub struct StartUp {
    /// The origin of a new log. Used only when the log is empty.
    pub origin: String,
    /// The public view of the event, from which a new log takes the event's name.
    pub event: EventView,
    /// Id of the current boot of the hub's machine.
    pub boot: Vec<u8>,
    /// Wall-clock time of the start, in microseconds since 1970, for display.
    pub wall_us: i64,
    /// A description, for the log, of how the hub's timeline was recovered.
    pub timeline: String,
    /// Error bound of the hub's timeline relative to the previous run, in microseconds.
    pub bound_us: i64,
    /// Certificate of the hub's authority in DER, for the log.
    pub authority_der: Vec<u8>,
    /// Certificate in DER that the former authority issued for this authority; empty unless the authority is changing.
    pub voucher_der: Vec<u8>,
    /// Seed of the nonces of time probes: random in a real hub, fixed in a simulation.
    pub nonce_seed: u64,
    /// The scheduled start of the prepared boards, if there is one.
    pub scheduled: Option<Instant<Hub>>,
}

/// An input of the hall's state machine.
#[derive(Clone, Debug)]
pub enum Input {
    /// The hub starts. This is the first input of a run, and comes only once.
    StartUp(Box<StartUp>),
    /// An agent opened a link and sent its hello.
    AgentConnected {
        /// The agent, as named by its certificate.
        agent: AgentId,
        /// The link that the agent opened.
        link: LinkId,
        /// Hub instant at which the link was accepted, before the agent created its hello.
        opened: Instant<Hub>,
        /// The agent's first frame on the link.
        hello: Box<Hello>,
    },
    /// An agent sent a frame.
    AgentFrame {
        /// The link on which the frame arrived.
        link: LinkId,
        /// Hub instant of the arrival.
        received: Instant<Hub>,
        /// The decoded frame.
        frame: AgentFrame,
    },
    /// A link has closed.
    AgentGone {
        /// The link that has closed.
        link: LinkId,
        /// A description of the reason, for display.
        why: String,
    },
    /// A caller sent a request.
    Asked {
        /// The request to judge and carry out.
        request: HallRequest,
        /// The caller that waits for the reply.
        reply: ReplyId,
    },
    /// The verified signature of an arbiter's device over a request. The request itself is the next input.
    Signed(Box<RequestSigned>),
    /// A note for arbiters from a part of the hub outside the hall.
    Noted(Box<Notice>),
    /// The instant of [`super::Hall::next_wake`] has been reached.
    Wake,
}

impl Input {
    /// Returns the input for a request.
    pub fn asked(request: impl Into<HallRequest>, reply: ReplyId) -> Self {
        Self::Asked {
            request: request.into(),
            reply,
        }
    }
}
