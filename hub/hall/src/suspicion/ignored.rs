//! Orders that a connected clock does not carry out. Notes them when the clock's own watermark proves that it had
//! enough time.

use proto::ids::AgentId;
use timing::{Board, Duration, Instant};

use crate::agent::{Order, OrderKind};
use crate::effect::OpenStep;
use crate::{Hall, note};

/// Time after which an order that is not carried out is noted. In this time a lost frame can be sent again several
/// times.
const PATIENCE: Duration = Duration::from_secs(5);

impl Hall {
    /// Notes, once, the first order that should be in the clock's complete report of the time before `at`, but is not.
    /// The clock's events up to `at` have been applied.
    pub(crate) fn look_at_orders(
        &mut self,
        agent: AgentId,
        at: Instant<Board>,
        step: &mut OpenStep,
    ) {
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
