//! The requests of arbiters: their senders, the actions, and the digest that identifies a repetition. Also the
//! enrolment of an agent.
//!
//! Defines the vocabulary only; `command.rs` judges the requests.

use proto::ids::{AgentId, CommandId, EventSeq};
use sha2::{Digest, Sha256};
use timing::{Button, Command, Setup, Side, StartRule, TimeControl};

use crate::board_id::BoardId;
use crate::offence::Offence;
use crate::time_chess::PressRule;
use crate::words::display_text;

/// The role of an actor, which determines the requests that the actor may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Makes no changes. Stands for every sender without authority over boards: viewer, broadcaster, auditor and player.
    Viewer,
    /// Acts on the boards of a sector, or on all boards.
    Floor,
    /// Acts on everything.
    Chief,
    /// The hub's own process: configuration, the schedule, a demonstration.
    Hub,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub name: String,
    pub role: Role,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum Action {
    /// A command for the board's clock.
    Board(Command),
    /// Sets a new game; the buttons stay as they are unless `white` names one.
    Prepare {
        control: TimeControl,
        start: StartRule,
        white: Option<Button>,
        /// The side with draw odds in this game.
        draw_odds: Option<Side>,
    },
    /// Restores the board to its state before this event, with the clocks stopped. The number counts the agent's
    /// events, or the board's events if each side has its own clock.
    RestoreBefore(EventSeq),
    /// Adds a board; the side, if given, has draw odds in its first game.
    AddBoard(Setup, Option<Side>),
    RemoveBoard,
    /// Assigns the board to the agent whose key has this prefix; an empty prefix leaves the board without a clock.
    Assign(String),
    /// Assigns one side of the board to the agent whose key has this prefix; an empty prefix leaves the side without a
    /// clock. The other side then needs a clock of its own.
    AssignSide(Side, String),
    Names {
        white: String,
        black: String,
        round: String,
    },
    /// Gives draw odds: a drawn game counts as won by this side. `None` removes the odds. An existing result remains.
    DrawOdds(Option<Side>),
    /// A claim, decision or report under the Laws.
    Rule(Box<laws::Request>),
    /// Enters moves of the game after the first `after` half-moves. The entered moves replace all later moves.
    Moves {
        /// Number of half-moves that stay before the entered moves.
        after: u32,
        /// The moves in order, in SAN or UCI.
        moves: Vec<String>,
    },
    Rules(&'static laws::RuleSet),
    /// Chooses the action that completes a turn of Time Chess on the board.
    PressRule(PressRule),
    Identify,
    Show(String),
    /// Starts a clock test: each clock of the board makes a scripted press, which is checked against the limits.
    ZeroTest,
    /// Applies a pending command without waiting for the clock's answer.
    Force(CommandId),
    Withdraw(CommandId),
    /// Revokes the agent whose key has this prefix.
    RevokeAgent(String),
}

impl Action {
    /// Returns true if a floor arbiter may request the action; all other actions are reserved for chief arbiters and
    /// the hub.
    pub fn is_allowed_for_floor_arbiters(&self) -> bool {
        match self {
            Action::Board(_)
            | Action::Prepare { .. }
            | Action::RestoreBefore(_)
            | Action::Names { .. }
            | Action::DrawOdds(_)
            | Action::Rule(_)
            | Action::Moves { .. }
            | Action::Rules(_)
            | Action::PressRule(_)
            | Action::Identify
            | Action::ZeroTest
            | Action::Show(_)
            | Action::Withdraw(_) => true,
            Action::AddBoard(..)
            | Action::RemoveBoard
            | Action::Assign(_)
            | Action::AssignSide(..)
            | Action::Force(_)
            | Action::RevokeAgent(_) => false,
        }
    }

    /// Returns the clock command or request under the Laws in its text form; empty for all other actions.
    pub(crate) fn text(&self) -> String {
        match self {
            Action::Board(command) => display_text(command),
            Action::Prepare {
                control,
                start,
                white,
                draw_odds: _,
            } => {
                let setup = Setup {
                    control: control.clone(),
                    start: *start,
                    white: white.unwrap_or(Button::Left),
                };
                Command::Prepare(setup).to_string()
            }
            Action::RestoreBefore(_) => "restore".to_owned(),
            Action::Rule(asked) => asked.to_string(),
            Action::AddBoard(..)
            | Action::RemoveBoard
            | Action::Assign(_)
            | Action::AssignSide(..)
            | Action::Names { .. }
            | Action::DrawOdds(_)
            | Action::Moves { .. }
            | Action::Rules(_)
            | Action::PressRule(_)
            | Action::Identify
            | Action::Show(_)
            | Action::ZeroTest
            | Action::Force(_)
            | Action::Withdraw(_)
            | Action::RevokeAgent(_) => String::new(),
        }
    }

    pub(crate) fn odds_of_game(&self) -> Option<Side> {
        if let Action::Prepare { draw_odds, .. } | Action::AddBoard(_, draw_odds) = self {
            return *draw_odds;
        }
        None
    }
}

/// Returns true if two names belong to one person: letter case and the amount of space between words do not matter.
pub fn is_same_person(one: &str, other: &str) -> bool {
    fn words(name: &str) -> impl Iterator<Item = String> {
        name.split_whitespace().map(str::to_lowercase)
    }
    words(one).eq(words(other))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The idempotency key, chosen by the client: a repeated request is applied only once.
    pub id: CommandId,
    pub actor: Actor,
    /// The board; `None` only for actions that need no board.
    pub board: Option<BoardId>,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    pub reason: String,
    /// The offence that the request counts or withdraws, if there is one.
    pub offence: Option<Offence>,
    pub action: Action,
    pub digest: RequestDigest,
}

/// The first eight bytes of the SHA-256 of a request. They distinguish a repetition from a different request with the
/// same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestDigest(pub u64);

impl RequestDigest {
    /// The digest of the hub's own requests, which no client repeats.
    pub const OWN: Self = Self(0);

    /// Returns the digest of a request's kind, actor and bytes.
    pub fn of(kind: &str, actor: &str, request: &[u8]) -> Self {
        let mut hash = Sha256::new();
        for part in [kind, actor] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(request);
        let mut first = [0; 8];
        for (to, from) in first.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Self(u64::from_be_bytes(first))
    }
}

/// The enrolment of an agent that an enrolment code or an arbiter admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// The signing key, which is the agent's identity.
    pub agent: AgentId,
    /// The agent's X25519 public key, for Bluetooth LE.
    pub exchange_key: Vec<u8>,
    pub name: String,
    pub certificate_serial: Vec<u8>,
    /// The certificate itself; empty in logs of older hubs.
    pub certificate: Vec<u8>,
    /// The board that the agent will serve; `None` if it gets none yet.
    pub board: Option<BoardId>,
    /// The side that the agent will serve, if not the whole board.
    pub side: Option<Side>,
    /// The arbiter who admitted the agent; empty if the agent used its own enrolment code.
    pub admitted_by: String,
}
