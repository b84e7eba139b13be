//! An event as a file has it: the same words as the tournament core, without the history of the hall. Owns the way between a
//! report and the core; never applies anything, never reads a file.

use std::collections::{BTreeMap, BTreeSet};

use timing::Side;

use crate::{
    BoardNo, Bye, Event, GameResult, Match, MatchNo, Player, PlayerNo, Renumbering, RoundNo,
    StatedStandings, Team, TeamNo, Tournament,
};

mod abnormal;
mod cells;
mod export;
mod for_pairing;
mod import;
mod kind;
mod notes;
mod pairing_rules;
mod rating;
mod scoring;
mod stated;
mod teams;
mod unlettered;

pub use export::{Totals, export, report};
pub(super) use export::{kept_lines_as_trf16, player_as_written, team_as_written};
pub use for_pairing::export_for_pairing;
pub use import::{Imported, import, import_file};
pub use rating::{control_of, export_for_rating};

/// The change of numbers that gives the first player of `order` number 1: the lines kept from files name players too.
pub fn renumbering(event: &Event, order: Vec<PlayerNo>) -> Renumbering {
    Renumbering {
        kept_lines: pairing_rules::renumbered_lines(event, &order),
        order,
    }
}

/// What a file says of an event, or could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The event's own data.
    pub event: Event,
    /// The players, by number.
    pub players: BTreeMap<PlayerNo, Player>,
    /// The teams, by number.
    pub teams: BTreeMap<TeamNo, Team>,
    /// The rounds that are paired, by number.
    pub rounds: BTreeMap<RoundNo, DraftRound>,
    /// Boards whose result an arbiter has changed or taken back with a reason. No report says that: empty in what a file says.
    pub corrected: BTreeSet<(RoundNo, BoardNo)>,
    /// The places and points that a file states, while they hold; without its name.
    pub stated: Option<StatedStandings>,
}

/// A round as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftRound {
    /// Its boards.
    pub boards: BTreeMap<BoardNo, Seats>,
    /// Its matches, in a team event.
    pub matches: BTreeMap<MatchNo, Match>,
    /// Players without a pairing, as far as they have a bye that is said.
    pub byes: BTreeMap<PlayerNo, Bye>,
    /// Teams without a match.
    pub team_byes: BTreeMap<TeamNo, Bye>,
    /// Boards whose numbers a table states; numbers of the other boards follow from the order of the file.
    pub numbered: BTreeSet<BoardNo>,
}

/// A board as a file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    /// White; `None` only in a team match.
    pub white: Option<PlayerNo>,
    /// Black; `None` only in a team match.
    pub black: Option<PlayerNo>,
    /// The match it belongs to and its place in it, from 1.
    pub of_match: Option<(MatchNo, u16)>,
    /// What came of it.
    pub result: Option<GameResult>,
}

impl Seats {
    /// Who sits on a side.
    pub fn player(&self, side: Side) -> Option<PlayerNo> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The side a player has here.
    pub fn side_of(&self, player: PlayerNo) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.player(*side) == Some(player))
    }
}

impl DraftRound {
    /// The board of a player, if he is paired.
    pub fn board_of(&self, player: PlayerNo) -> Option<(BoardNo, &Seats)> {
        let mut boards = self.boards.iter();
        let found = boards.find(|(_, seats)| seats.side_of(player).is_some());
        found.map(|(no, seats)| (*no, seats))
    }
}

impl Draft {
    /// What a file could say of an event.
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
                byes: byes_of(tournament, *no),
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

/// The places and points that the last file stated, if the event has not changed since.
fn stated_in(tournament: &Tournament) -> Option<StatedStandings> {
    let stated = tournament.stated().filter(|stated| stated.holds())?;
    Some(StatedStandings {
        file: String::new(),
        ..stated.clone()
    })
}

/// The boards at which something else stood before. The end of an adjourned game is no correction.
fn corrected_in(tournament: &Tournament) -> BTreeSet<(RoundNo, BoardNo)> {
    let boards = tournament.rounds().iter().flat_map(|(round, paired)| {
        let boards = paired.boards.iter();
        boards.map(move |(no, board)| ((*round, *no), board))
    });
    let corrected = boards.filter(|(_, board)| {
        let mut corrections = board.corrections.iter();
        corrections.any(|correction| {
            correction.to.is_none() || correction.from.is_some_and(|from| from.is_final())
        })
    });
    corrected.map(|(at, _)| at).collect()
}

/// The byes of a round, those included that were granted before it was paired and still hold.
fn byes_of(tournament: &Tournament, no: RoundNo) -> BTreeMap<PlayerNo, Bye> {
    let Some(round) = tournament.rounds().get(&no) else {
        return BTreeMap::new();
    };
    let mut byes = round.byes.clone();
    for player in tournament.players().values() {
        let seated = || round.board_of(player.no).is_some();
        if let Some(bye) = player.byes.get(&no)
            && !byes.contains_key(&player.no)
            && !seated()
        {
            byes.insert(player.no, *bye);
        }
    }
    byes
}

/// The players, with only those byes that concern rounds to come: the others are the rounds'.
fn players_of(tournament: &Tournament) -> BTreeMap<PlayerNo, Player> {
    let rounds = tournament.rounds();
    let players = tournament.players().iter().map(|(no, player)| {
        let mut player = player.clone();
        player.byes.retain(|round, _| !rounds.contains_key(round));
        (*no, player)
    });
    players.collect()
}
