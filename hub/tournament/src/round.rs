//! One round: its boards, matches and byes, and how far each has come.
//!
//! Owns pairings and what was decided about them. Must never decide a result by itself: a clock proposes, an arbiter
//! enters.

use std::collections::BTreeMap;
use std::fmt;

use timing::Side;

use super::change::Actor;
use super::player::PlayerNo;
use super::result::{Bye, GameResult};
use super::team::TeamNo;

/// A round's number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundNo(pub u16);

impl RoundNo {
    /// The round after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for RoundNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A board's number in its round, from 1: the number on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardNo(pub u16);

impl fmt::Display for BoardNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A match of two teams, numbered within its round from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchNo(pub u16);

impl fmt::Display for MatchNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How far a board has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardPhase {
    /// The players are known, the clock is not set.
    Paired,
    /// The clock has the control, the names and the board's number.
    Preset,
    /// An arbiter has started it; nobody has pressed yet.
    Started,
    /// A press was seen.
    Running,
    /// A result stands.
    Finished,
}

/// How far a round has come: what its boards say, and whether the chief arbiter has confirmed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundPhase {
    /// Not every clock is set.
    Paired,
    /// Every clock is set.
    Preset,
    /// A board was started.
    Started,
    /// A board runs, or has ended while others have not.
    Running,
    /// Every board has a final result.
    Finished,
    /// The chief arbiter has confirmed every result.
    Confirmed,
}

/// A result that was changed, kept for the appeals committee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What stood before; `None` if there was none.
    pub from: Option<GameResult>,
    /// What stands now; `None` if it was taken back.
    pub to: Option<GameResult>,
    /// Who changed it.
    pub by: Actor,
    /// Why.
    pub reason: String,
}

/// One pairing of two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// White; `None` where a team had nobody for this board (the other side then wins by forfeit).
    pub white: Option<PlayerNo>,
    /// Black; likewise.
    pub black: Option<PlayerNo>,
    /// The match of two teams it belongs to, and its place in it from 1.
    pub of_match: Option<(MatchNo, u16)>,
    /// How far it has come.
    pub phase: BoardPhase,
    /// How far it has come apart from its result, at most [`BoardPhase::Running`]: where it stands again when the result is
    /// taken back.
    pub reached: BoardPhase,
    /// What the clock or a player says came of it, until an arbiter enters a result.
    pub proposed: Option<(GameResult, String)>,
    /// What came of it.
    pub result: Option<GameResult>,
    /// Results that stood here before, oldest first.
    pub corrections: Vec<Correction>,
}

impl Board {
    /// A board nobody has touched yet.
    #[must_use]
    pub const fn new(white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            white: Some(white),
            black: Some(black),
            of_match: None,
            phase: BoardPhase::Paired,
            reached: BoardPhase::Paired,
            proposed: None,
            result: None,
            corrections: Vec::new(),
        }
    }

    /// The board has come so far; a result that stands goes on standing.
    pub(super) fn come_to(&mut self, phase: BoardPhase) {
        self.phase = self.phase.max(phase);
        self.reached = self.reached.max(phase);
    }

    /// Who plays a side.
    #[must_use]
    pub const fn player(&self, side: Side) -> Option<PlayerNo> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The side a player has here.
    #[must_use]
    pub fn side_of(&self, player: PlayerNo) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.player(*side) == Some(player))
    }
}

/// A match of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The team whose first board has White.
    pub white: TeamNo,
    /// The other.
    pub black: TeamNo,
    /// The whole match was forfeited: who gets the win, `None` inside if neither. `None` if it was played, or is to be.
    pub forfeit: Option<Option<Side>>,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Its boards.
    pub boards: BTreeMap<BoardNo, Board>,
    /// Its matches, in a team event.
    pub matches: BTreeMap<MatchNo, Match>,
    /// Players without a pairing. Whoever is on no board and not here has a zero point bye.
    pub byes: BTreeMap<PlayerNo, Bye>,
    /// Teams without a match.
    pub team_byes: BTreeMap<TeamNo, Bye>,
    /// Who confirmed it, once somebody has.
    pub confirmed: Option<Actor>,
}

impl Round {
    /// How far the round has come.
    #[must_use]
    pub fn phase(&self) -> RoundPhase {
        let has = |phase: BoardPhase| self.boards.values().any(|board| board.phase == phase);
        let all = |phase: BoardPhase| self.boards.values().all(|board| board.phase >= phase);
        if self.confirmed.is_some() {
            RoundPhase::Confirmed
        } else if all(BoardPhase::Finished) {
            RoundPhase::Finished
        } else if has(BoardPhase::Running) || has(BoardPhase::Finished) {
            RoundPhase::Running
        } else if has(BoardPhase::Started) {
            RoundPhase::Started
        } else if all(BoardPhase::Preset) {
            RoundPhase::Preset
        } else {
            RoundPhase::Paired
        }
    }

    /// The board of a player, if he is paired.
    #[must_use]
    pub fn board_of(&self, player: PlayerNo) -> Option<(BoardNo, &Board)> {
        self.boards
            .iter()
            .find(|(_, board)| board.side_of(player).is_some())
            .map(|(no, board)| (*no, board))
    }

    /// Whether any result has been entered.
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.boards.values().any(|board| board.result.is_some())
            || self.matches.values().any(|paired| paired.forfeit.is_some())
    }
}
