//! A command from its record to its answer. The hall makes one record when it accepts or refuses the command. The log,
//! the board's pending commands, the clock's order and the board's view share that record.

mod own;

use std::sync::Arc;

use laws::RuleSet;
use proto::ids::{AgentId, CommandId};
use proto::log::{MovesEntered, Names};
use timing::{Command, Hub, Instant, Setup, Side};

use super::offence::{Offence, OffenceKind};
use super::refusal::Refusal;
use super::request::{Request, RequestDigest};
use super::ruling::Ruling;
use super::time_chess::{PlayerAct, PressRule};
use super::words::display_text;
use tournament::RoundNo;

/// A command as logged, accepted or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub struct CommandRecord {
    pub id: CommandId,
    /// The arbiter, player or program that gave the command.
    pub actor: String,
    pub reason: String,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    pub kind: CommandKind,
    pub offence: Option<Offence>,
    /// For a command that adds a board or sets a new game: the side with draw odds in that game.
    pub draw_odds: Option<Side>,
    /// The event's round to which the command's game belongs.
    pub round: Option<RoundNo>,
    pub digest: RequestDigest,
    /// The refused clock command or request under the Laws, as text; empty for any other command.
    pub asked: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// A command for the board's clock.
    Board(Command),
    /// A claim, decision or report under the Laws.
    Ruling(Box<Ruling>),
    /// Moves entered in the score of the game.
    Moves(MovesEntered),
    Rules(&'static RuleSet),
    AddBoard(Setup),
    RemoveBoard,
    /// Assigns this agent to the board; `None` leaves the board without a clock.
    Assign(Option<AgentId>),
    /// Assigns this agent to one side of the board; `None` leaves the side without a clock.
    AssignSide(Side, Option<AgentId>),
    Names(Names),
    /// Counts a drawn game as won by this side; `None` removes the draw odds.
    DrawOdds(Option<Side>),
    /// A Time Chess player's action.
    Player(Side, PlayerAct),
    /// Sets the action that completes a turn of Time Chess on the board.
    PressRule(PressRule),
    ZeroTest,
    /// A refused command, which has no effect.
    Refused(Refusal),
}

/// A command that waits for its board's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCommand {
    pub record: Arc<CommandRecord>,
    /// Hub instant at which the command was accepted.
    pub since: Instant<Hub>,
}

impl CommandKind {
    /// Returns the command for the board's clock; `None` for a command that no clock carries out.
    pub fn clock_command(&self) -> Option<&Command> {
        match self {
            Self::Board(command) => Some(command),
            Self::Ruling(ruling) => ruling.command.as_ref(),
            Self::Moves(_)
            | Self::Rules(_)
            | Self::AddBoard(_)
            | Self::RemoveBoard
            | Self::Assign(_)
            | Self::AssignSide(..)
            | Self::Names(_)
            | Self::DrawOdds(_)
            | Self::Player(..)
            | Self::PressRule(_)
            | Self::ZeroTest
            | Self::Refused(_) => None,
        }
    }
}

impl CommandRecord {
    pub fn clock_command(&self) -> Option<&Command> {
        self.kind.clock_command()
    }

    pub(crate) fn prepares(&self) -> Option<&Setup> {
        if let Some(Command::Prepare(setup)) = self.clock_command() {
            return Some(setup);
        }
        None
    }

    /// Returns the text of the clock's command, for lists and messages.
    pub fn text(&self) -> String {
        self.clock_command().map(display_text).unwrap_or_default()
    }
}

impl Request {
    /// Converts a judged request to a record. `round` is the round of its game, if the game belongs to the event.
    pub(crate) fn into_record(self, kind: CommandKind, round: Option<RoundNo>) -> CommandRecord {
        let offence = self.offence.or_else(|| offence_in(&kind));
        let asked = if let CommandKind::Refused(_) = kind {
            self.action.text()
        } else {
            String::new()
        };
        CommandRecord {
            asked,
            id: self.id,
            actor: self.actor.name,
            reason: self.reason,
            seen_seq: self.seen_seq,
            kind,
            offence,
            draw_odds: self.action.odds_of_game(),
            round,
            digest: self.digest,
        }
    }
}

fn offence_in(kind: &CommandKind) -> Option<Offence> {
    if let CommandKind::Ruling(ruling) = kind
        && let laws::Request::IllegalMove { by, kind: _ } = ruling.request
    {
        return Some(Offence {
            kind: OffenceKind::IllegalMove,
            side: by,
            withdrawn: false,
        });
    }
    None
}
