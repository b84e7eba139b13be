//! The changes that an actor can make to an event.
//!
//! Owns the list of changes and the reasons for a refusal. Must never apply a change: `fold` does that.

use timing::Side;

use super::event::Event;
use super::numbers::{BoardNo, MatchNo, PlayerNo, RoundNo, TeamNo};
use super::player::Player;
use super::refusal::{Conflict, Invalid, InvalidResult};
use super::result::{Bye, GameResult};
use super::round::{Match, ProposalReason};
use super::stated::StatedStandings;
use super::team::Team;

/// A selection of a round's boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every board.
    All,
    /// The boards of the event's sector with this name.
    Sector(String),
    /// One board.
    Board(BoardNo),
}

/// One pairing of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The board's number.
    pub board: BoardNo,
    /// White; `None` only in a team match.
    pub white: Option<PlayerNo>,
    /// Black; `None` only in a team match.
    pub black: Option<PlayerNo>,
    /// In a team event, the match and the board's place in it, from 1.
    pub of_match: Option<(MatchNo, u16)>,
}

impl Pairing {
    /// Returns a pairing of two players outside a team match.
    #[must_use]
    pub const fn new(board: BoardNo, white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            board,
            white: Some(white),
            black: Some(black),
            of_match: None,
        }
    }

    /// Returns the players at the board, White first.
    pub fn players(&self) -> impl Iterator<Item = PlayerNo> + use<> {
        self.white.into_iter().chain(self.black)
    }
}

/// The pairings of a round, or of part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// The paired boards.
    pub boards: Vec<Pairing>,
    /// Players without a game, each with a bye.
    pub byes: Vec<(PlayerNo, Bye)>,
    /// The team matches.
    pub matches: Vec<(MatchNo, Match)>,
    /// Teams without a match, each with a bye.
    pub team_byes: Vec<(TeamNo, Bye)>,
}

/// New seats at boards of a round, applied together so that two players can change places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reseating {
    /// The boards to change or add, each named once.
    pub boards: Vec<Pairing>,
    /// True if boards may be reseated after their game has begun. The game is then set aside, and the board starts
    /// again.
    pub restart: bool,
}

impl From<Pairing> for Reseating {
    fn from(pairing: Pairing) -> Self {
        Self {
            boards: vec![pairing],
            restart: false,
        }
    }
}

/// New pairing numbers for all players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbering {
    /// Every player's current number, in the new order: the first player gets number 1.
    pub order: Vec<PlayerNo>,
    /// The event's `kept_lines`, with the new numbers.
    pub kept_lines: Vec<String>,
}

/// One change to an event, which applies completely or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replaces the event's own data.
    SetEvent(Box<Event>),
    /// Enters a player, or replaces the player with that number.
    EnterPlayer(Box<Player>),
    /// Removes a player who has neither a game nor a bye in a paired round.
    RemovePlayer(PlayerNo),
    /// Gives the players new pairing numbers. Games and granted byes stay with their player.
    Renumber(Box<Renumbering>),
    /// Withdraws a player after a round; round 0 means before the first round.
    Withdraw(PlayerNo, RoundNo),
    /// Brings a withdrawn player back.
    ReturnPlayer(PlayerNo),
    /// Grants a player a bye in a round, or removes it (`None`).
    GrantBye(PlayerNo, RoundNo, Option<Bye>),
    /// Enters a team, or replaces the team with that number.
    EnterTeam(Box<Team>),
    /// Removes a team that has neither a match nor a bye in a paired round; its players stay.
    RemoveTeam(TeamNo),
    /// Pairs a round, or adds boards to a paired round.
    PairRound(RoundNo, Box<Pairings>),
    /// Withdraws the pairings of the last paired round, in which no game may have begun or have a result.
    Unpair(RoundNo),
    /// Seats different players at boards, or adds boards to a paired round. Started boards need [`Reseating::restart`].
    /// Seated players lose their bye.
    Reseat(RoundNo, Reseating),
    /// Removes boards from a paired round. Their games must not have begun or have a result.
    RemoveBoards(RoundNo, Vec<BoardNo>),
    /// Records that a board's clock has been set with the time control, the players' names and the board number.
    Preset(RoundNo, BoardNo),
    /// Starts boards at an arbiter's request.
    Start(RoundNo, Scope),
    /// Records the first press of a board's clock.
    FirstPress(RoundNo, BoardNo),
    /// Proposes a game's result, as the clock or the players report it, and states the reason.
    Propose(RoundNo, BoardNo, GameResult, ProposalReason),
    /// Enters a result. Changing a final result needs a reason, and so does a result that awards extra points.
    Enter(RoundNo, BoardNo, GameResult, String),
    /// Removes a result, with a reason; the game continues.
    RemoveResult(RoundNo, BoardNo, String),
    /// Forfeits a whole match (`Some(winner)`; no winner if both teams forfeit), or removes the forfeit (`None`).
    ForfeitMatch(RoundNo, MatchNo, Option<Option<Side>>),
    /// Adopts the standings that a file states for the event in its current state, or (`None`) returns to computed
    /// standings.
    StateStandings(Option<Box<StatedStandings>>),
    /// Confirms a finished round.
    Confirm(RoundNo),
    /// Reopens a confirmed round, with a reason.
    Reopen(RoundNo, String),
}

/// The reason why a change was refused. A refused change leaves the event unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Refusal {
    #[error("only the chief arbiter may do this")]
    ChiefOnly,
    #[error("only an arbiter may do this")]
    ArbiterOnly,
    #[error("there is no player {0}")]
    NoPlayer(PlayerNo),
    #[error("there is no team {0}")]
    NoTeam(TeamNo),
    #[error("round {0} is not paired")]
    NoRound(RoundNo),
    #[error("round {0} has no board {1}")]
    NoBoard(RoundNo, BoardNo),
    #[error("round {0} has no match {1}")]
    NoMatch(RoundNo, MatchNo),
    #[error("there is no sector {0:?}")]
    NoSector(String),
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error(transparent)]
    Conflict(#[from] Conflict),
    #[error("round {0} is confirmed: the chief arbiter can reopen it")]
    Confirmed(RoundNo),
    #[error("round {0} is paired: the pairing numbers can no longer change")]
    NumbersFixed(RoundNo),
    #[error("give a reason for changing the result")]
    ReasonMissing,
    #[error("not a possible result: {0}")]
    Impossible(#[from] InvalidResult),
}
