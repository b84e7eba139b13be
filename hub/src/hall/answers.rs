//! What became of every command of late, by its id, so that a repeated request is answered as it was at first. Owns the memory and
//! its bound; part of the fold.

use std::collections::{BTreeMap, VecDeque};

use proto::ids::CommandId;

use super::effect::Outcome;
use super::input::BoardId;

/// How many commands are remembered.
pub(crate) const REMEMBERED: usize = 100_000;

/// A command as it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// What became of it.
    pub(crate) outcome: Outcome,
    /// The board it concerned.
    pub(crate) board: Option<BoardId>,
    /// If it concerned the event: the event's version after it.
    pub(crate) version: Option<u64>,
}

/// The memory of answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    by_id: BTreeMap<CommandId, Kept>,
    order: VecDeque<CommandId>,
}

impl Answers {
    /// What became of a command.
    pub(crate) fn get(&self, id: &CommandId) -> Option<&Kept> {
        self.by_id.get(id)
    }

    /// Remembers a command, and forgets the oldest beyond [`REMEMBERED`].
    pub(crate) fn insert(&mut self, id: CommandId, outcome: Outcome, board: Option<BoardId>) {
        let version = None;
        self.remember(
            id,
            Kept {
                outcome,
                board,
                version,
            },
        );
    }

    /// Remembers what became of changes of the event.
    pub(crate) fn remember(&mut self, id: CommandId, kept: Kept) {
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
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&CommandId, &Kept)> {
        self.order
            .iter()
            .filter_map(|id| self.by_id.get_key_value(id))
    }
}
