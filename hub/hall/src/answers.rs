//! The outcomes of recent commands by id: a repeated request gets the same answer. Part of the fold.

use std::collections::{BTreeMap, VecDeque};

use proto::ids::CommandId;

use super::board_id::BoardId;
use super::outcome::{Denied, Outcome};
use super::request::RequestDigest;

pub(crate) const REMEMBERED: usize = 100_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandResult {
    pub(crate) outcome: Outcome,
    pub(crate) board: Option<BoardId>,
    /// Version of the event after the request, if the request changed the event.
    pub(crate) version: Option<u64>,
    pub(crate) digest: RequestDigest,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    by_id: BTreeMap<CommandId, CommandResult>,
    order: VecDeque<CommandId>,
}

impl Answers {
    pub(crate) fn get(&self, id: &CommandId) -> Option<&CommandResult> {
        self.by_id.get(id)
    }

    /// Returns the stored result if the request is a repetition. Fails if the id belongs to a different request.
    pub(crate) fn repeated(
        &self,
        id: &CommandId,
        digest: RequestDigest,
    ) -> Result<Option<&CommandResult>, Denied> {
        match self.by_id.get(id) {
            Some(kept) if kept.digest != digest => Err(Denied::Invalid(format!(
                "the id {id} belongs to a different request: make a new id for each request, and reuse it only to repeat that request"
            ))),
            kept => Ok(kept),
        }
    }

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

    /// Sets the outcome of a pending command, unless the command has been forgotten.
    pub(crate) fn settle(&mut self, id: &CommandId, outcome: Outcome) {
        if let Some(kept) = self.by_id.get_mut(id) {
            kept.outcome = outcome;
        }
    }
}
