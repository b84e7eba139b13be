//! The notes about a log that was rewritten or set back, and about damaged journals of clocks. Owns their texts.

use proto::ids::AgentId;

use super::{NoteKind, Notice, of_agent};
use crate::LogContradiction;

pub(crate) fn log_rewritten(agent: AgentId, told: &LogContradiction) -> Notice {
    let root = |root: &[u8]| proto::checkpoint::root_text(root);
    let word = match told.signed {
        true => "",
        false => {
            "; the checkpoint is not signed by this hub, so only the clock itself vouches for it"
        }
    };
    let text = format!(
        "clock {} holds a checkpoint of {} records (root {}) that does not match this log of {} records (root {}): records were \
         changed or lost, or an older copy of the log was restored; keep this clock as evidence{word}",
        agent.short(),
        told.kept.0,
        root(&told.kept.1),
        told.sent.0,
        root(&told.sent.1)
    );
    of_agent(NoteKind::LogRewritten, agent, text).with(|figures| {
        figures.kept_records = told.kept.0;
        figures.log_records = told.sent.0;
    })
}

pub(crate) fn log_set_back(agent: AgentId, reached: u64, acked: u64) -> Notice {
    let text = format!(
        "the log has the events of clock {} up to {acked}, but the clock made events up to {reached} and no longer has all of \
         them: the log was set back; restore a newer backup, or compare the clock with the scoresheets and let the chief arbiter confirm the loss \
         (`flagfall ctl acknowledge --confirm-loss`): the clock then continues after event {acked}",
        agent.short()
    );
    of_agent(NoteKind::LogSetBack, agent, text).at_event(acked)
}

pub(crate) fn journal_damaged(agent: AgentId, reached: u64) -> Notice {
    let text = format!(
        "the journal of clock {} was damaged when its program started: it is readable up to event {reached}, and the clock keeps a copy of \
         the damaged file; compare the board with the scoresheets, and replace the clock's card",
        agent.short()
    );
    of_agent(NoteKind::JournalDamaged, agent, text).at_event(reached)
}
