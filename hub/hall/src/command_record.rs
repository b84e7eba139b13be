//! An arbiter's command from its acceptance to its answer. The hall makes one record when it accepts the command. The
//! log, the board's pending commands, the clock's order and the board's view share that record.

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
    /// The id that its sender chose.
    pub id: CommandId,
    /// The arbiter or program that gave it.
    pub actor: String,
    /// The reason, in the actor's words.
    pub reason: String,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    /// The kind of command, with its data.
    pub kind: CommandKind,
    /// The offence to which it refers.
    pub offence: Option<Offence>,
    /// The side with draw odds in the new board's first game or in the new game.
    pub draw_odds: Option<Side>,
    /// The round of the event to whose game it belongs.
    pub round: Option<RoundNo>,
    /// The digest of the request.
    pub digest: RequestDigest,
}

/// The kind of an accepted command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// A command for the board's clock.
    Board(Command),
    /// Adds the board.
    AddBoard(Setup),
    /// Removes the board from the hall.
    RemoveBoard,
    /// Assigns the board to this agent, or to none.
    Assign(Option<AgentId>),
    /// Assigns this side to this agent, or to none.
    AssignSide(Side, Option<AgentId>),
    /// Sets the players' names and the round.
    Names {
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The round, in words.
        round: String,
    },
    /// Counts a drawn game as won by this side, or by neither side.
    DrawOdds(Option<Side>),
    /// Starts a clock test.
    ZeroTest,
    /// A refused command, which has no effect.
    Refused(Refusal),
}

/// A command that waits for its board's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCommand {
    /// The command.
    pub record: Arc<CommandRecord>,
    /// Hub instant of its acceptance.
    pub since: Instant<Hub>,
}

impl CommandRecord {
    /// Returns the command for the board's clock; `None` for a command that no clock carries out.
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
    /// Converts an accepted request to a record. `round` is the round of its game, if that is one of the event's.
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
    /// Returns a command that the hub itself gives on a board.
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

    /// Logs a command, which carries it out or queues it for its clock.
    pub(crate) fn log_command(
        &mut self,
        now: Instant<Hub>,
        board: Option<BoardId>,
        record: CommandRecord,
        step: &mut Step,
    ) -> Result<(), FoldError> {
        self.log(now, board, Entry::Command(Arc::new(record)), step)
    }

    /// Gives a command of the hub itself on a board.
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

    /// Returns an id for the hub's own command, derived from its place in the log.
    pub(crate) fn own_id(&self) -> CommandId {
        let mut hash = Sha256::new();
        hash.update(b"flagfall hub command\n");
        hash.update(self.fold.origin.as_deref().unwrap_or_default());
        hash.update(self.fold.records.to_be_bytes());
        first_half(hash)
    }
}
