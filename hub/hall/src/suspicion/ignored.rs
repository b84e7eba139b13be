//! Adds notes about orders that a connected clock does not carry out, once the clock's own watermark proves that it had
//! enough time.

use proto::ids::AgentId;
use timing::{Board, Duration, Instant};

use crate::agent::{Order, OrderKind};
use crate::effect::OpenStep;
use crate::{Hall, note};

/// Time after which a note is added about an order that was not carried out: long enough to resend a lost frame several
/// times.
const PATIENCE: Duration = Duration::from_secs(5);

impl Hall {
    /// Adds a note if the clock has reported everything before `at` but has not carried out an order that it received
    /// at least [`PATIENCE`] earlier. Notes each order once. The clock's events up to `at` must already have been
    /// applied.
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
        if waited < PATIENCE || order.number <= session.ignored {
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
