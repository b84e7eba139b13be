//! The types for an event as a file states it, and the conversion of the hall's event to them.

use std::collections::{BTreeMap, BTreeSet};

use timing::Side;

use crate::{
    BoardNo, Bye, Event, GameResult, Match, MatchNo, Player, PlayerNo, Round, RoundNo,
    StatedStandings, Team, TeamNo, Tournament,
};

/// An event, limited to the data that a file can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The event's own data.
    pub event: Event,
    /// The players, by number.
    pub players: BTreeMap<PlayerNo, Player>,
    /// The teams, by number.
    pub teams: BTreeMap<TeamNo, Team>,
    /// The paired rounds, by number.
    pub rounds: BTreeMap<RoundNo, DraftRound>,
    /// Boards whose result an arbiter changed or removed with a reason. Empty for a file, because no report records
    /// corrections.
    pub corrected: BTreeSet<(RoundNo, BoardNo)>,
    /// The places and points that a file states, without the file's name; `None` if there are none or they no longer
    /// apply.
    pub stated: Option<StatedStandings>,
}

/// A round as a file states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftRound {
    /// The boards, by number.
    pub boards: BTreeMap<BoardNo, Seats>,
    /// The matches, in a team event.
    pub matches: BTreeMap<MatchNo, Match>,
    /// Players with a recorded bye.
    pub byes: BTreeMap<PlayerNo, Bye>,
    /// Teams with a bye.
    pub team_byes: BTreeMap<TeamNo, Bye>,
    /// Boards whose numbers a table states.
    pub numbered: BTreeSet<BoardNo>,
}

/// A board as a file states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    /// White; `None` only in a team match.
    pub white: Option<PlayerNo>,
    /// Black; `None` only in a team match.
    pub black: Option<PlayerNo>,
    /// The match and the board's place in it, from 1.
    pub of_match: Option<(MatchNo, u16)>,
    /// The final result, if any.
    pub result: Option<GameResult>,
}

/// White and Black at a board.
pub type Pair = (Option<PlayerNo>, Option<PlayerNo>);

impl Seats {
    /// Returns White and Black.
    pub fn pair(&self) -> Pair {
        (self.white, self.black)
    }

    /// Returns the players at the board, White first.
    pub fn players(&self) -> impl Iterator<Item = PlayerNo> + use<> {
        self.white.into_iter().chain(self.black)
    }

    /// Returns the player of this colour; `None` if the seat is empty.
    pub fn player(&self, side: Side) -> Option<PlayerNo> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Returns a player's colour at this board.
    pub fn side_of(&self, player: PlayerNo) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.player(*side) == Some(player))
    }
}

impl DraftRound {
    /// Returns the seated players.
    pub fn players(&self) -> impl Iterator<Item = PlayerNo> + '_ {
        self.boards.values().flat_map(Seats::players)
    }

    /// Returns the pair at every board.
    pub fn pairs(&self) -> BTreeSet<Pair> {
        self.boards.values().map(Seats::pair).collect()
    }

    /// Returns the board at which this pair plays with these colours.
    pub fn board_with(&self, pair: Pair) -> Option<(BoardNo, &Seats)> {
        let mut boards = self.boards.iter();
        let found = boards.find(|(_, seats)| seats.pair() == pair);
        found.map(|(no, seats)| (*no, seats))
    }

    /// Returns the board of a paired player.
    pub fn board_of(&self, player: PlayerNo) -> Option<(BoardNo, &Seats)> {
        let mut boards = self.boards.iter();
        let found = boards.find(|(_, seats)| seats.side_of(player).is_some());
        found.map(|(no, seats)| (*no, seats))
    }
}

impl Draft {
    /// Returns an event without players, teams or rounds.
    pub fn empty(event: Event) -> Self {
        Self {
            event,
            players: BTreeMap::new(),
            teams: BTreeMap::new(),
            rounds: BTreeMap::new(),
            corrected: BTreeSet::new(),
            stated: None,
        }
    }

    /// Returns the part of an event's data that a file can hold.
    pub fn of(tournament: &Tournament) -> Self {
        let rounds = tournament.rounds().iter().map(|(no, round)| {
            let boards = round.boards.iter().map(|(no, board)| {
                let seats = Seats {
                    white: board.white,
                    black: board.black,
                    of_match: board.of_match,
                    result: board.result.filter(|result| result.is_final()),
                };
                (*no, seats)
            });
            let draft = DraftRound {
                boards: boards.collect(),
                matches: round.matches.clone(),
                byes: byes_of(tournament, *no, round),
                team_byes: round.team_byes.clone(),
                numbered: BTreeSet::new(),
            };
            (*no, draft)
        });
        Self {
            event: tournament.event().clone(),
            rounds: rounds.collect(),
            players: players_of(tournament),
            teams: tournament.teams().clone(),
            corrected: corrected_in(tournament),
            stated: stated_in(tournament),
        }
    }
}

fn stated_in(tournament: &Tournament) -> Option<StatedStandings> {
    let stated = tournament.stated().filter(|stated| stated.holds())?;
    Some(StatedStandings {
        file: String::new(),
        ..stated.clone()
    })
}

/// Returns the boards whose result an arbiter corrected. Neither finishing an adjourned game nor importing a changed
/// result is a correction.
fn corrected_in(tournament: &Tournament) -> BTreeSet<(RoundNo, BoardNo)> {
    let boards = tournament.rounds().iter().flat_map(|(round, paired)| {
        let boards = paired.boards.iter();
        boards.map(move |(no, board)| ((*round, *no), board))
    });
    let corrected = boards.filter(|(_, board)| {
        let mut by_arbiters = board.corrections.iter().filter(|of| !of.imported);
        by_arbiters.any(|of| of.to.is_none() || of.from.is_some_and(GameResult::is_final))
    });
    corrected.map(|(at, _)| at).collect()
}

/// Returns the byes of a round, including those granted before the round was paired.
fn byes_of(tournament: &Tournament, no: RoundNo, round: &Round) -> BTreeMap<PlayerNo, Bye> {
    let mut byes = round.byes.clone();
    for player in tournament.players().values() {
        if let Some(bye) = player.byes.get(&no)
            && round.board_of(player.no).is_none()
        {
            byes.entry(player.no).or_insert(*bye);
        }
    }
    byes
}

/// Returns the players, each with only the byes in unpaired rounds. Paired rounds hold their byes themselves.
fn players_of(tournament: &Tournament) -> BTreeMap<PlayerNo, Player> {
    let rounds = tournament.rounds();
    let players = tournament.players().iter().map(|(no, player)| {
        let mut player = player.clone();
        player.byes.retain(|round, _| !rounds.contains_key(round));
        (*no, player)
    });
    players.collect()
}
