//! One round: its pairings and results.

use serde::Serialize;

use super::edition::Edition;
use super::overview::{results, round_date};
use super::shared::{ByeView, Name, ResultView, board_state, bye, result, round_state};
use tournament::cross_table::Cell;
use tournament::{Board, BoardNo, MatchNo, Participant, PlayerNo, Points, Round, RoundNo, TeamNo};

#[derive(Serialize)]
pub(super) struct RoundView<'a> {
    version: u64,
    round: u16,
    rounds: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    state: &'static str,
    results: usize,
    boards: Vec<BoardLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<MatchLine<'a>>,
    byes: Vec<ByeLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    team_byes: Vec<ByeLine<'a>>,
}

#[derive(Serialize)]
struct BoardLine<'a> {
    board: u16,
    /// The number of the match to which the board belongs, and the board's number within the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_match: Option<(u16, u16)>,
    #[serde(skip_serializing_if = "str::is_empty")]
    sector: &'a str,
    white: Option<Seat<'a>>,
    black: Option<Seat<'a>>,
    state: &'static str,
    result: Option<ResultView>,
}

/// A player at a board, with the points before the round.
#[derive(Serialize)]
struct Seat<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    score: String,
}

#[derive(Serialize)]
struct MatchLine<'a> {
    #[serde(rename = "match")]
    no: u16,
    white: TeamSeat<'a>,
    black: TeamSeat<'a>,
}

/// A team in a match, with its points before the round and its board points in this match so far.
#[derive(Serialize)]
struct TeamSeat<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    score: String,
    game_points: String,
}

#[derive(Serialize)]
struct ByeLine<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    score: String,
    #[serde(flatten)]
    bye: ByeView,
    points: String,
}

pub(super) fn of(edition: &Edition, no: RoundNo) -> Option<RoundView<'_>> {
    let tournament = &edition.tournament;
    let (event, round) = (tournament.event(), tournament.rounds().get(&no)?);
    let sheet = Sheet { edition, no };
    let (boards, matches) = (round.boards.iter(), round.matches.iter());
    let (byes, team_byes) = match edition.is_team() {
        true => (Vec::new(), sheet.team_byes(round)),
        false => (sheet.byes(), Vec::new()),
    };
    Some(RoundView {
        version: edition.version,
        round: no.0,
        rounds: event.rounds,
        date: round_date(event, no),
        state: round_state(round.phase()),
        results: results(round),
        boards: boards.map(|(no, board)| sheet.board(*no, board)).collect(),
        matches: matches
            .map(|(no, sides)| sheet.of_match(*no, sides.white, sides.black))
            .collect(),
        byes,
        team_byes,
    })
}

struct Sheet<'a> {
    edition: &'a Edition,
    no: RoundNo,
}

impl<'a> Sheet<'a> {
    fn board(&self, table: BoardNo, board: &Board) -> BoardLine<'a> {
        let seat = |player: Option<PlayerNo>| {
            let player = player?;
            Some(Seat {
                name: Name::player(&self.edition.tournament, player),
                score: self.score(player).to_string(),
            })
        };
        BoardLine {
            board: table.0,
            of_match: board.of_match.map(|(no, place)| (no.0, place)),
            sector: self.sector(table),
            white: seat(board.white),
            black: seat(board.black),
            state: board_state(board),
            result: result(board.result),
        }
    }

    fn sector(&self, table: BoardNo) -> &'a str {
        let mut sectors = self.edition.tournament.event().sectors.iter();
        let found = sectors.find(|(_, sector)| sector.has(table));
        found.map_or("", |(name, _)| name)
    }

    fn score(&self, player: PlayerNo) -> Points {
        let last = self.no.0.saturating_sub(1);
        let before = usize::from(last);
        let line = self.edition.line(player);
        let cells = line.map_or(&[][..], |line| &line.cells);
        let results: Points = cells.iter().take(before).map(cell_points).sum();
        let apart = self.edition.tournament.bonuses(player, RoundNo(last));
        results + apart
    }

    fn team_score(&self, team: TeamNo) -> Points {
        let before = usize::from(self.no.0.saturating_sub(1));
        let records = self.edition.records().get(&Participant::Team(team));
        let rounds = records.map_or(&[][..], Vec::as_slice);
        rounds.iter().take(before).map(|round| round.points).sum()
    }

    fn of_match(&self, no: MatchNo, white: TeamNo, black: TeamNo) -> MatchLine<'a> {
        let seat = |team: TeamNo| {
            let index = usize::from(self.no.0.saturating_sub(1));
            let record = self.edition.records().get(&Participant::Team(team));
            let record = record.and_then(|rounds| rounds.get(index));
            let points = record.map_or(Points::ZERO, |round| round.game_points);
            TeamSeat {
                name: Name::team(&self.edition.tournament, team),
                score: self.team_score(team).to_string(),
                game_points: points.to_string(),
            }
        };
        MatchLine {
            no: no.0,
            white: seat(white),
            black: seat(black),
        }
    }

    /// Returns the players without a pairing in this round and their byes, starting with the most valuable bye. Omits players who have withdrawn
    /// or have not joined yet.
    fn byes(&self) -> Vec<ByeLine<'a>> {
        let tournament = &self.edition.tournament;
        let away = |no: &PlayerNo| {
            tournament.players().get(no).is_some_and(|player| {
                self.no < player.enters || player.leaves.is_some_and(|last| self.no > last)
            })
        };
        let players = tournament.players().keys().filter(|no| !away(no));
        let mut byes: Vec<_> = players
            .filter_map(|player| Some((tournament.bye_of(*player, self.no)?, *player)))
            .collect();
        byes.sort_by_key(|(bye, player)| {
            let points = bye.points(&tournament.event().scoring);
            (std::cmp::Reverse(points), !bye.is_voluntary(), *player)
        });
        let line = |(kind, player)| {
            let kind: tournament::Bye = kind;
            ByeLine {
                name: Name::player(tournament, player),
                score: self.score(player).to_string(),
                bye: bye(kind),
                points: kind.points(&tournament.event().scoring).to_string(),
            }
        };
        byes.into_iter().map(line).collect()
    }

    fn team_byes(&self, round: &Round) -> Vec<ByeLine<'a>> {
        let tournament = &self.edition.tournament;
        let line = |(team, kind): (&TeamNo, &tournament::Bye)| ByeLine {
            name: Name::team(tournament, *team),
            score: self.team_score(*team).to_string(),
            bye: bye(*kind),
            points: kind.points(&tournament.event().match_scoring).to_string(),
        };
        round.team_byes.iter().map(line).collect()
    }
}

pub(super) const fn cell_points(cell: &Cell) -> Points {
    match cell {
        Cell::Game { points, .. } | Cell::Free(_, points) => *points,
        Cell::Open => Points::ZERO,
    }
}
