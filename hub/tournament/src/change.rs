//! What can happen to an event: every change is one value, with its actor, and either applies whole or not at all.
//!
//! Owns the vocabulary and the reasons for a refusal. Must never apply anything: that is `fold`'s.

use std::fmt;

use timing::Side;

use super::event::Event;
use super::player::{Player, PlayerNo};
use super::result::{Bye, GameResult};
use super::round::{BoardNo, Match, MatchNo, RoundNo};
use super::stated::StatedStandings;
use super::team::{Team, TeamNo};

/// What an actor is, which decides what he may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActorKind {
    /// The chief arbiter: everything.
    ChiefArbiter,
    /// A floor arbiter: clocks, results, byes, and who has left or is back. The event itself, its players, pairings, forfeits of
    /// whole matches and confirmed rounds are the chief's.
    FloorArbiter,
    /// A board's clock: it says that it was set or pressed and proposes results.
    Clock,
    /// A program (an import, a watched folder): what the chief arbiter may, in his name.
    Program,
}

/// Who made a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Actor {
    /// What he is.
    pub kind: ActorKind,
    /// His name, or the board's, or the program's.
    pub name: String,
}

impl Actor {
    /// The chief arbiter of that name.
    #[must_use]
    pub fn chief(name: &str) -> Self {
        Self::of(ActorKind::ChiefArbiter, name)
    }

    /// A floor arbiter of that name.
    #[must_use]
    pub fn floor(name: &str) -> Self {
        Self::of(ActorKind::FloorArbiter, name)
    }

    /// The clock of that board.
    #[must_use]
    pub fn clock(name: &str) -> Self {
        Self::of(ActorKind::Clock, name)
    }

    /// The program of that name.
    #[must_use]
    pub fn program(name: &str) -> Self {
        Self::of(ActorKind::Program, name)
    }

    fn of(kind: ActorKind, name: &str) -> Self {
        Self {
            kind,
            name: name.to_owned(),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Which boards of a round are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Those of a sector of the event.
    Sector(String),
    /// One.
    Board(BoardNo),
}

/// One pairing of a round that is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The table.
    pub board: BoardNo,
    /// White; `None` only in a team match.
    pub white: Option<PlayerNo>,
    /// Black; `None` only in a team match.
    pub black: Option<PlayerNo>,
    /// The match it belongs to and its place in it, in a team event.
    pub of_match: Option<(MatchNo, u16)>,
}

impl Pairing {
    /// Two players at a board.
    #[must_use]
    pub const fn new(board: BoardNo, white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            board,
            white: Some(white),
            black: Some(black),
            of_match: None,
        }
    }
}

/// A round's pairings, or some of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// Boards.
    pub boards: Vec<Pairing>,
    /// Players without a game.
    pub byes: Vec<(PlayerNo, Bye)>,
    /// Matches of teams.
    pub matches: Vec<(MatchNo, Match)>,
    /// Teams without a match.
    pub team_byes: Vec<(TeamNo, Bye)>,
}

/// Who sits at boards of a round from now on: all of it at once, so that two players can change places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reseating {
    /// The boards that are meant, each once.
    pub boards: Vec<Pairing>,
    /// A board whose game has begun may be among them: that game is set aside, and the board begins anew.
    pub anew: bool,
}

impl From<Pairing> for Reseating {
    /// One board that was not started.
    fn from(pairing: Pairing) -> Self {
        Self {
            boards: vec![pairing],
            anew: false,
        }
    }
}

/// Other pairing numbers for all players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbering {
    /// Every player, by the present number: the first one of the list gets number 1.
    pub order: Vec<PlayerNo>,
    /// The event's kept lines with the new numbers.
    pub kept_lines: Vec<String>,
}

/// One change of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The event's own data are these.
    SetEvent(Box<Event>),
    /// A player enters, or his data are amended; the number says which.
    EnterPlayer(Box<Player>),
    /// A player who has never been paired is taken off the list.
    RemovePlayer(PlayerNo),
    /// The players get other pairing numbers; whatever they played and were granted stays theirs.
    Renumber(Box<Renumbering>),
    /// A player's last round was this one (0: he never played).
    Withdraw(PlayerNo, RoundNo),
    /// A player who had withdrawn plays again.
    Return(PlayerNo),
    /// A player gets a bye in a round, or (`None`) the one he got is taken back.
    GrantBye(PlayerNo, RoundNo, Option<Bye>),
    /// A team enters, or its data are amended.
    EnterTeam(Box<Team>),
    /// A team that has never been paired is taken off the list; its players stay.
    RemoveTeam(TeamNo),
    /// A round is announced, or more of its boards.
    PairRound(RoundNo, Box<Pairings>),
    /// A round is withdrawn before anything of it was started.
    Unpair(RoundNo),
    /// Other players at boards, before they were started unless that is said; or more boards of a paired round. Whoever is seated
    /// has no bye.
    Reseat(RoundNo, Reseating),
    /// Boards are taken off a paired round before a game has begun there.
    RemoveBoards(RoundNo, Vec<BoardNo>),
    /// A board's clock has control, names and number.
    Preset(RoundNo, BoardNo),
    /// An arbiter starts boards.
    Start(RoundNo, Scope),
    /// A board's clock was pressed for the first time.
    FirstPress(RoundNo, BoardNo),
    /// The clock, or the players, say what came of a game, and why.
    Propose(RoundNo, BoardNo, GameResult, String),
    /// An arbiter enters a result. Where another stands, the reason must not be empty.
    Enter(RoundNo, BoardNo, GameResult, String),
    /// An arbiter takes a result back, with a reason: the game goes on.
    TakeBack(RoundNo, BoardNo, String),
    /// A whole match is forfeited (`Some(winner)`), or that is taken back.
    ForfeitMatch(RoundNo, MatchNo, Option<Option<Side>>),
    /// A file states these standings of the event as it is now, or (`None`) the standings are computed again.
    StateStandings(Option<Box<StatedStandings>>),
    /// The chief arbiter confirms a finished round.
    Confirm(RoundNo),
    /// The chief arbiter opens a confirmed round again, with a reason.
    Reopen(RoundNo, String),
}

/// Why a change was not made. The event is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The actor may not do this.
    #[error("this is for the chief arbiter")]
    ChiefOnly,
    /// A clock proposes, an arbiter enters.
    #[error("this is for an arbiter")]
    ArbiterOnly,
    /// No such player.
    #[error("there is no player {0}")]
    NoPlayer(PlayerNo),
    /// No such team.
    #[error("there is no team {0}")]
    NoTeam(TeamNo),
    /// No such round.
    #[error("round {0} is not paired")]
    NoRound(RoundNo),
    /// No such board.
    #[error("round {0} has no board {1}")]
    NoBoard(RoundNo, BoardNo),
    /// No such match.
    #[error("round {0} has no match {1}")]
    NoMatch(RoundNo, MatchNo),
    /// No such sector.
    #[error("there is no sector {0:?}")]
    NoSector(String),
    /// The number or name is not one the event can have.
    #[error("{0}")]
    Invalid(String),
    /// Something stands that this would contradict.
    #[error("{0}")]
    Conflict(String),
    /// The round is confirmed.
    #[error("round {0} is confirmed; the chief arbiter may reopen it")]
    Confirmed(RoundNo),
    /// The pairing numbers are fixed since that round was paired.
    #[error("round {0} is paired: the pairing numbers do not change any more")]
    NumbersFixed(RoundNo),
    /// A correction needs a reason.
    #[error("a result that stands is changed with a reason")]
    ReasonMissing,
    /// The rule set of the event does not know this result.
    #[error("not a possible result: {0}")]
    Impossible(String),
}
