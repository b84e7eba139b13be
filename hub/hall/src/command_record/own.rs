//! Builds the commands that the hub issues itself, and logs commands.

use std::sync::Arc;

use proto::ids::CommandId;
use sha2::{Digest, Sha256};

use super::{CommandKind, CommandRecord};
use crate::Hall;
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::entry::Entry;
use crate::fold::FoldError;
use crate::hall::first_half;
use crate::request::RequestDigest;

impl Hall {
    pub(crate) fn own_command(
        &self,
        board: &BoardId,
        actor: &str,
        reason: &str,
        kind: CommandKind,
    ) -> CommandRecord {
        let board = self.fold.boards.get(board);
        CommandRecord {
            id: self.own_id(),
            actor: actor.to_owned(),
            reason: reason.to_owned(),
            seen_seq: board.map_or(0, |board| board.changes.seq),
            kind,
            offence: None,
            draw_odds: None,
            round: None,
            digest: RequestDigest::OWN,
            asked: String::new(),
        }
    }

    /// Logs a command. Applying the record of an accepted command carries it out, or queues it for the board's clock.
    pub(crate) fn log_command(
        &mut self,
        board: Option<BoardId>,
        record: CommandRecord,
        step: &mut OpenStep,
    ) -> Result<(), FoldError> {
        self.log(board, Entry::Command(Arc::new(record)), step)
    }

    pub(crate) fn hub_command(
        &mut self,
        board: &BoardId,
        reason: &str,
        kind: CommandKind,
        step: &mut OpenStep,
    ) -> Result<(), FoldError> {
        let record = self.own_command(board, "hub", reason, kind);
        self.log_command(Some(board.clone()), record, step)
    }

    /// Derives the id of a command that the hub issues itself, from the log's origin and the index of the command's
    /// record.
    pub(crate) fn own_id(&self) -> CommandId {
        let mut hash = Sha256::new();
        hash.update(b"flagfall hub command\n");
        hash.update(self.fold.origin.as_deref().unwrap_or_default());
        hash.update(self.fold.records.to_be_bytes());
        first_half(hash)
    }
}
