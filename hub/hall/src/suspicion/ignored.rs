//! Adds notes about orders that a connected clock does not carry out, once the clock's own watermark proves that it had
//! enough time.

use proto::ids::AgentId;
use timing::{Board, Duration, Instant};

use crate::agent::{Order, OrderKind};
use crate::effect::OpenStep;
use crate::{Hall, note};

/// Time that a clock has to carry out an order: long enough to resend a lost frame several times.
const EXECUTION_TIMEOUT: Duration = Duration::from_secs(5);

impl Hall {
    /// Adds a note if the clock has not carried out an order that was sent to it at least [`EXECUTION_TIMEOUT`] before
    /// `at`. The clock's events up to `at` must already have been applied. A session has at most one note about each order.
    pub(crate) fn check_orders(&mut self, agent: AgentId, at: Instant<Board>, step: &mut OpenStep) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let (Some(open), Some(opened), Some(known)) = (
            session.link,
            session.links.back(),
            self.fold.agents.get(&agent),
        ) else {
            return;
        };
        let delivered = |order: &&Order| order.number <= open.sent && !order.withdrawn;
        let Some(order) = known.orders.iter().find(delivered) else {
            return;
        };
        let Some(complete) = session.estimate.to_hub(at) else {
            return;
        };
        let waited = complete.lo - order.issued.max(*opened);
        if waited < EXECUTION_TIMEOUT || order.number <= session.ignored {
            return;
        }
        session.ignored = order.number;
        let command = match &order.what {
            OrderKind::Command { record, .. } => record.text(),
            OrderKind::Adopt { .. } | OrderKind::ServeSide { .. } | OrderKind::Release => {
                String::new()
            }
        };
        let notice = note::order_ignored(agent, order.number, command, waited);
        self.note(step, notice);
    }
}
