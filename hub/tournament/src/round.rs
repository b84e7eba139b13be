//! One round: its boards, matches and byes, and their progress.
//!
//! Owns a round's pairings, progress, results and confirmation. Must never decide a result by itself.

use std::collections::BTreeMap;

use timing::Side;

use super::actor::Actor;
use super::numbers::{BoardNo, MatchNo, Participant, PlayerNo, TeamNo};
use super::result::{Bye, GameResult};

/// The progress of a board, from its pairing to its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardPhase {
    /// The players are known; the clock is not set.
    Paired,
    /// The clock has been set with the time control, the names and the board number.
    Preset,
    /// The board has been started; no button has been pressed yet.
    Started,
    /// The clock has been pressed.
    Running,
    /// A final result is entered.
    Finished,
}

/// The progress of a round, which follows from its boards and its confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundPhase {
    /// At least one clock is not set, and no board has started.
    Paired,
    /// Every clock is set, and no board has started.
    Preset,
    /// A board has been started; no button has been pressed yet.
    Started,
    /// A board is running, or has finished while others have not.
    Running,
    /// Every board has a final result.
    Finished,
    /// The round is confirmed: its results cannot change until it is reopened.
    Confirmed,
}

/// A changed result, kept for the appeals committee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The previous result; `None` if there was none.
    pub from: Option<GameResult>,
    /// The new result; `None` if the result was removed.
    pub to: Option<GameResult>,
    /// The author of the change.
    pub by: Actor,
    /// The reason that the author gave.
    pub reason: String,
    /// True if the author imported the change with a file. A later file may then change the result again.
    pub imported: bool,
}

/// The reason for a proposed result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ProposalReason {
    #[error("{}'s flag has fallen, and the arbiter has called it", match .0 {
        Side::White => "White",
        Side::Black => "Black",
    })]
    FlagCalled(Side),
    #[error("the rules of the time control ended the game")]
    Rules,
    #[error("the clock shows this result")]
    Clock,
    /// A reason as free text, from a program or an older log.
    #[error("{0}")]
    Text(String),
}

/// A board of a round with its pairing, progress and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// White; `None` if the team had no player for this board, so that the opponent wins by forfeit.
    pub white: Option<PlayerNo>,
    /// Black; `None` if the team had no player for this board, so that the opponent wins by forfeit.
    pub black: Option<PlayerNo>,
    /// In a team event, the match and the board's place in it, from 1.
    pub of_match: Option<(MatchNo, u16)>,
    /// The progress of the board, including its result.
    pub phase: BoardPhase,
    /// The progress apart from the result, at most [`BoardPhase::Running`]. The board returns to this phase when the
    /// result is removed or the game is adjourned.
    pub reached: BoardPhase,
    /// The proposed result and its reason, until the entered result changes.
    pub proposed: Option<(GameResult, ProposalReason)>,
    /// The entered result, if any.
    pub result: Option<GameResult>,
    /// Changes to the result, oldest first.
    pub corrections: Vec<Correction>,
}

impl Board {
    /// Creates a newly paired board.
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

    /// Advances to a phase, but never goes back.
    pub(super) fn advance_to(&mut self, phase: BoardPhase) {
        self.phase = self.phase.max(phase);
        self.reached = self.reached.max(phase);
    }

    /// Returns the player on a side, or `None` if the seat is empty.
    #[must_use]
    pub const fn player(&self, side: Side) -> Option<PlayerNo> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Returns a player's side at this board, or `None` if the player is not at this board.
    #[must_use]
    pub fn side_of(&self, player: PlayerNo) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.player(*side) == Some(player))
    }
}

/// A match of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The team whose first board has White.
    pub white: TeamNo,
    /// The opposing team.
    pub black: TeamNo,
    /// Set if the match was forfeited as a whole: the winner, or `Some(None)` if neither team wins.
    pub forfeit: Option<Option<Side>>,
}

impl Match {
    /// Returns both teams, White's first.
    #[must_use]
    pub const fn teams(&self) -> [TeamNo; 2] {
        [self.white, self.black]
    }

    /// Returns true if a team plays the match.
    #[must_use]
    pub fn has(&self, team: TeamNo) -> bool {
        self.teams().contains(&team)
    }
}

/// One paired round: its boards, matches and byes, and its confirmation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The boards, by number.
    pub boards: BTreeMap<BoardNo, Board>,
    /// The matches, in a team event.
    pub matches: BTreeMap<MatchNo, Match>,
    /// Byes of players without an opponent. A player with neither a board nor an entry in this map has the bye of
    /// [`Player::bye_in`](crate::Player::bye_in), or else a zero-point bye.
    pub byes: BTreeMap<PlayerNo, Bye>,
    /// Byes of teams without a match.
    pub team_byes: BTreeMap<TeamNo, Bye>,
    /// The actor who confirmed the round; `None` while it is unconfirmed.
    pub confirmed: Option<Actor>,
}

impl Round {
    /// Returns true if two players, or two teams, are paired with each other in the round.
    #[must_use]
    pub fn meets(&self, pair: [Participant; 2]) -> bool {
        let boards = self.boards.values();
        let boards = boards
            .map(|board| [board.white, board.black].map(|player| player.map(Participant::Player)));
        let matches = self.matches.values();
        let matches = matches.map(|paired| paired.teams().map(Participant::Team).map(Some));
        let [one, other] = pair.map(Some);
        let mut meetings = boards.chain(matches);
        meetings.any(|met| met == [one, other] || met == [other, one])
    }

    /// Returns the progress of the round.
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

    /// Returns a player's board and its number, or `None` if the player is not paired.
    #[must_use]
    pub fn board_of(&self, player: PlayerNo) -> Option<(BoardNo, &Board)> {
        let mut boards = self.boards.iter();
        let found = boards.find(|(_, board)| board.side_of(player).is_some());
        found.map(|(no, board)| (*no, board))
    }

    /// Returns true if any board has a result, or if any match was forfeited.
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.boards.values().any(|board| board.result.is_some())
            || self.matches.values().any(|paired| paired.forfeit.is_some())
    }
}
