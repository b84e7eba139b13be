//! Counts the watermarks of connected clocks, and adds notes about missing ones.

use proto::ids::AgentId;
use timing::{Hub, Instant};

use super::heartbeat::HeartbeatFault;
use crate::agent_frame::SignedPromise;
use crate::effect::OpenStep;
use crate::{Hall, note};

/// First minor version of the frame protocol that signs watermarks.
const SIGNED_SINCE_MINOR: u32 = 1;

impl Hall {
    /// Counts a watermark. Adds a note the first time that one is unsigned although the clock's protocol version
    /// requires signatures.
    pub(crate) fn count_watermark(
        &mut self,
        agent: AgentId,
        word: &SignedPromise,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.heartbeats.marked(received);
        let unsigned = word.signature.is_empty() && session.minor >= SIGNED_SINCE_MINOR;
        if unsigned && !std::mem::replace(&mut session.heartbeats.unsigned, true) {
            self.note(step, note::unsigned_watermarks(agent));
        }
    }

    /// Counts an answered time probe, unless it belongs to a burst.
    pub(crate) fn count_reply(&mut self, agent: AgentId) {
        let kept = self.fold.kept_by(agent);
        let hurried = kept
            .and_then(super::delay::short_of_time)
            .unwrap_or_default();
        if let Some(session) = self.live.sessions.get_mut(&agent)
            && session.burst == 0
        {
            session.heartbeats.replied(hurried);
        }
    }

    /// Adds a note if a connected clock sends no watermarks, or fewer than are due. Adds another if its link has become
    /// slow.
    pub(crate) fn check_heartbeats(&mut self, agent: AgentId, step: &mut OpenStep) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if !session.online {
            return;
        }
        if let Some(least) = session.reports.first_slow_trip() {
            self.note(step, note::slow_link(agent, least));
        }
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let hurried = session.heartbeats.hurried;
        let notice = match session.heartbeats.fault(step.now) {
            HeartbeatFault::None => return,
            HeartbeatFault::Missing => note::no_watermarks(agent),
            HeartbeatFault::Slow => note::slow_watermarks(agent, hurried),
        };
        self.note(step, notice);
    }
}
