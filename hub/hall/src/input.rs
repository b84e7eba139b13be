//! Inputs of the hall. The caller has decoded an input and checked any signature, except that of a promise.
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
    /// Seed of the hall's random generator, for example for the nonces of time probes: random in a real hub, fixed in a
    /// simulation.
    pub nonce_seed: u64,
    /// The scheduled start of the prepared boards, if there is one.
    pub scheduled: Option<Instant<Hub>>,
}

#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum Input {
    /// The hub starts. This is the first input of a run, and comes only once.
    StartUp(Box<StartUp>),
    AgentConnected {
        /// The agent, as named by its certificate.
        agent: AgentId,
        link: LinkId,
        /// Hub instant at which the link was accepted, before the agent created its hello.
        opened: Instant<Hub>,
        hello: Box<Hello>,
    },
    AgentFrame {
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
    },
    AgentGone {
        link: LinkId,
        /// A description of the reason, for display.
        why: String,
    },
    Asked {
        request: HallRequest,
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
    pub fn asked(request: impl Into<HallRequest>, reply: ReplyId) -> Self {
        Self::Asked {
            request: request.into(),
            reply,
        }
    }
}
