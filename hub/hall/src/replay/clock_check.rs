//! Computes the clocks again from exported records, with the fold that ran the hall. Must never trust a stated clock.

use proto::log::{Changed, Record, record::Input};

use super::event_rules::EventRules;
use crate::fold::{Fold, FoldError};
use crate::from_proto;

/// The clocks of a log, computed from its first record onwards. Records of unrelated boards may be missing, and names
/// may be concealed, because no clock depends on them. Clocks depend on no event data other than the rules of the
/// event's games.
#[derive(Debug, Default)]
pub struct ClockCheck {
    fold: Fold,
    event_rules: EventRules,
}

impl ClockCheck {
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies the record with this index in its log, and compares the resulting clocks with those that the record
    /// states. Returns the changes to the record's board.
    ///
    /// # Errors
    /// Returns a [`FoldError`] if the record cannot be applied or the clocks differ; the check must then be discarded.
    pub fn apply(&mut self, index: u64, record: Record) -> Result<Changed, FoldError> {
        if let Some(Input::EventChanged(changed)) = &record.input {
            if self.event_rules.follow(changed) {
                self.fold.follow_event_rules(self.event_rules.current());
            }
            return Ok(Changed::default());
        }
        // The floor plan affects no clock, and a held command that is confirmed has records of its own.
        if let Some(Input::FloorArranged(_) | Input::CommandHeld(_) | Input::HeldDecided(_)) =
            record.input
        {
            return Ok(Changed::default());
        }
        let logged =
            from_proto::records::logged(record).map_err(|error| FoldError::Unreadable {
                index,
                what: error.to_string(),
            })?;
        self.fold.records = index;
        self.fold.replay(&logged)
    }

    pub fn boards(&self) -> usize {
        self.fold.boards.len()
    }

    pub fn clocks(&self) -> usize {
        self.fold.agents.len()
    }

    /// Returns the name of the log once its first record has been applied.
    pub fn log_origin(&self) -> Option<&str> {
        self.fold.origin.as_deref()
    }
}
