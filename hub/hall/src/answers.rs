//! What became of every command of late, by its id, so that a repeated request is answered as it was at first. Owns the memory and
//! its bound; part of the fold.

use std::collections::{BTreeMap, VecDeque};

use proto::ids::CommandId;

use super::effect::{Denied, Outcome};
use super::input::{BoardId, RequestDigest};

/// How many commands are remembered.
pub(crate) const REMEMBERED: usize = 100_000;

/// The result of a command or of changes of the event, as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandResult {
    /// What became of it.
    pub(crate) outcome: Outcome,
    /// The board it concerned.
    pub(crate) board: Option<BoardId>,
    /// If it concerned the event: the event's version after it.
    pub(crate) version: Option<u64>,
    /// The digest of the request.
    pub(crate) digest: RequestDigest,
}

/// The memory of answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    by_id: BTreeMap<CommandId, CommandResult>,
    order: VecDeque<CommandId>,
}

impl Answers {
    /// What became of a command.
    pub(crate) fn get(&self, id: &CommandId) -> Option<&CommandResult> {
        self.by_id.get(id)
    }

    /// What became of a request, if it or another one under its id came before.
    ///
    /// # Errors
    /// It was another one: that one's answer is none to this.
    pub(crate) fn repeated(
        &self,
        id: &CommandId,
        digest: RequestDigest,
    ) -> Result<Option<&CommandResult>, Denied> {
        match self.by_id.get(id) {
            Some(kept) if kept.digest != digest => Err(Denied::Invalid(format!(
                "the id {id} was another request's: make a new id for each request, and keep it only to repeat that request"
            ))),
            kept => Ok(kept),
        }
    }

    /// Remembers a command or changes of the event, and forgets the oldest beyond [`REMEMBERED`].
    pub(crate) fn remember(&mut self, id: CommandId, kept: CommandResult) {
        if self.by_id.insert(id, kept).is_none() {
            self.order.push_back(id);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }

    /// Says what became of a command that was pending. A forgotten one stays forgotten.
    pub(crate) fn settle(&mut self, id: &CommandId, outcome: Outcome) {
        if let Some(kept) = self.by_id.get_mut(id) {
            kept.outcome = outcome;
        }
    }

    /// Every command, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&CommandId, &CommandResult)> {
        self.order
            .iter()
            .filter_map(|id| self.by_id.get_key_value(id))
    }
}
