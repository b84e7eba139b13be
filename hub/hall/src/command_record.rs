//! An arbiter's command from its acceptance to its answer. The hall makes one record when it accepts the command; the log, the
//! board's pending commands, the clock's order and the board's picture carry that record and no copy of its fields.

use std::sync::Arc;

use proto::ids::{AgentId, CommandId};
use sha2::{Digest, Sha256};
use timing::{Command, Hub, Instant, Setup, Side};

use super::board::spoken;
use super::effect::Step;
use super::entry::Entry;
use super::fold::FoldError;
use super::input::{BoardId, Request, RequestDigest};
use super::offence::Offence;
use super::refusal::Refusal;
use super::{Hall, first_half};
use tournament::RoundNo;

/// An accepted command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRecord {
    /// The id that its sender made.
    pub id: CommandId,
    /// The arbiter or the program that gave it.
    pub actor: String,
    /// The reason, in the actor's words.
    pub reason: String,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    /// What it does.
    pub kind: CommandKind,
    /// The offence it is about.
    pub offence: Option<Offence>,
    /// With a new board or a new game: the side that has draw odds in it.
    pub draw_odds: Option<Side>,
    /// The round of the event for whose game it was given.
    pub round: Option<RoundNo>,
    /// The digest of the request.
    pub digest: RequestDigest,
}

/// The kind of an accepted command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// A command of the board's clock.
    Board(Command),
    /// A new board.
    AddBoard(Setup),
    /// The board leaves the hall.
    RemoveBoard,
    /// This agent serves the board, or none.
    Assign(Option<AgentId>),
    /// This agent alone serves this side, or none does.
    AssignSide(Side, Option<AgentId>),
    /// The players' names.
    Names {
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The round, as people call it.
        round: String,
    },
    /// A drawn game counts as won by this side, or by neither.
    DrawOdds(Option<Side>),
    /// The board's clock makes a scripted press.
    ZeroTest,
    /// Nothing: it was refused.
    Refused(Refusal),
}

/// A command that waits for its board's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCommand {
    /// The command.
    pub record: Arc<CommandRecord>,
    /// When it was accepted.
    pub since: Instant<Hub>,
}

impl CommandRecord {
    /// Returns the command of the board's clock; `None` for one that no clock carries out.
    pub fn clock_command(&self) -> Option<&Command> {
        match &self.kind {
            CommandKind::Board(command) => Some(command),
            CommandKind::AddBoard(_)
            | CommandKind::RemoveBoard
            | CommandKind::Assign(_)
            | CommandKind::AssignSide(..)
            | CommandKind::Names { .. }
            | CommandKind::DrawOdds(_)
            | CommandKind::ZeroTest
            | CommandKind::Refused(_) => None,
        }
    }

    /// Returns the game that the command sets on its board, if it sets one.
    pub(crate) fn prepares(&self) -> Option<&Setup> {
        if let Some(Command::Prepare(setup)) = self.clock_command() {
            return Some(setup);
        }
        None
    }

    /// Returns the clock's command as lists and messages show it.
    pub fn text(&self) -> String {
        self.clock_command().map(spoken).unwrap_or_default()
    }
}

impl Request {
    /// Makes the record of a request that was accepted, for a game of `round` if it is one of the event's.
    pub(crate) fn into_record(self, kind: CommandKind, round: Option<RoundNo>) -> CommandRecord {
        CommandRecord {
            id: self.id,
            actor: self.actor.name,
            reason: self.reason,
            seen_seq: self.seen_seq,
            kind,
            offence: self.offence,
            draw_odds: self.action.odds_of_game(),
            round,
            digest: self.digest,
        }
    }
}

impl Hall {
    /// Makes a command that the hub itself gives on a board.
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
        }
    }

    /// Logs a command and carries it out, or queues it for its clock.
    pub(crate) fn log_command(
        &mut self,
        now: Instant<Hub>,
        board: Option<BoardId>,
        record: CommandRecord,
        step: &mut Step,
    ) -> Result<(), FoldError> {
        self.log(now, board, Entry::Command(Arc::new(record)), step)
    }

    /// Gives the hub's own order on a board.
    pub(crate) fn hub_command(
        &mut self,
        now: Instant<Hub>,
        board: &BoardId,
        reason: &str,
        kind: CommandKind,
        step: &mut Step,
    ) -> Result<(), FoldError> {
        let record = self.own_command(board, "hub", reason, kind);
        self.log_command(now, Some(board.clone()), record, step)
    }

    /// Returns an id for a command of the hub itself: its place in the log.
    pub(crate) fn own_id(&self) -> CommandId {
        let mut hash = Sha256::new();
        hash.update(b"flagfall hub command\n");
        hash.update(self.fold.origin.as_deref().unwrap_or_default());
        hash.update(self.fold.records.to_be_bytes());
        first_half(hash)
    }
}
