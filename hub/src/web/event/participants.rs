//! The list of players, and each player's card.

use serde::Serialize;

use super::edition::Edition;
use super::shared::{ByeView, Name, board_state, bye, half};
use super::table::PlaceView;
use tournament::cross_table::Cell;
use tournament::standings::explain::text;
use tournament::{Code, Participant, Player, PlayerNo, Points, RoundNo, TieBreak};

#[derive(Serialize)]
pub(super) struct PlayersView<'a> {
    version: u64,
    team: bool,
    players: Vec<PlayerLine<'a>>,
}

#[derive(Serialize)]
struct PlayerLine<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Name<'a>>,
    /// The points, including bonuses and penalties.
    score: String,
    /// The place; `null` in a team event.
    rank: Option<usize>,
    /// The last round before the player withdrew.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_after: Option<u16>,
}

pub(super) fn players(edition: &Edition) -> PlayersView<'_> {
    let players = edition.tournament.players().values();
    let mut teams = std::collections::BTreeMap::new();
    for team in edition.tournament.teams().values() {
        teams.extend(team.players.iter().map(|player| (*player, team)));
    }
    let lines = edition.lines().iter().map(|line| (line.player, line));
    let lines: std::collections::BTreeMap<_, _> = lines.collect();
    let line = |player: &'_ Player| {
        let line = lines.get(&player.no);
        PlayerLine {
            name: Name::player(&edition.tournament, player.no),
            team: teams.get(&player.no).map(|team| Name::of_team(team)),
            score: line.map_or(Points::ZERO, |line| line.points).to_string(),
            rank: line.map(|line| line.rank).filter(|rank| *rank > 0),
            left_after: player.leaves.map(|round| round.0),
        }
    };
    PlayersView {
        version: edition.version,
        team: edition.is_team(),
        players: players.map(line).collect(),
    }
}

#[derive(Serialize)]
pub(super) struct PlayerCard<'a> {
    version: u64,
    rounds: u16,
    /// Number of rounds that the standings count.
    after: u16,
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fide_id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Name<'a>>,
    score: String,
    #[serde(flatten)]
    place: PlaceView,
    /// The tournament performance rating (C.07 10.2), if it has a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_after: Option<u16>,
    /// One line for each paired round.
    games: Vec<GameLine<'a>>,
}

#[derive(Serialize)]
struct GameLine<'a> {
    round: u16,
    #[serde(flatten)]
    what: CardEntry<'a>,
    points: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CardEntry<'a> {
    Game {
        board: u16,
        colour: &'static str,
        opponent: Option<Name<'a>>,
        opponent_rank: usize,
        state: &'static str,
        mark: Option<&'static str>,
    },
    Free {
        #[serde(flatten)]
        bye: ByeView,
    },
}

pub(super) fn player(edition: &Edition, no: PlayerNo) -> Option<PlayerCard<'_>> {
    let tournament = &edition.tournament;
    let player = tournament.players().get(&no)?;
    let (standings, line) = (edition.now(), edition.line(no)?);
    let row = standings.row(Participant::Player(no));
    let team = tournament.team_of(no);
    let cells = line.cells.iter().zip(1..);
    Some(PlayerCard {
        version: edition.version,
        rounds: tournament.event().rounds,
        after: standings.after,
        name: Name::player(tournament, no),
        fide_id: player.fide_id,
        team: team.map(|team| Name::team(tournament, team)),
        score: line.points.to_string(),
        place: PlaceView::of(&standings, Participant::Player(no)),
        performance: row.and_then(|_| performance(edition, no, standings.after)),
        left_after: player.leaves.map(|round| round.0),
        games: cells
            .filter_map(|(cell, round)| game(edition, RoundNo(round), cell))
            .collect(),
    })
}

fn performance(edition: &Edition, no: PlayerNo, after: u16) -> Option<String> {
    let rating = TieBreak::new(Code::Tpr);
    let explainer = edition.explainer(after);
    let made = explainer.explain(Participant::Player(no), rating)?;
    made.value.map(|value| text(Code::Tpr, Some(value)))
}

fn game<'a>(edition: &'a Edition, round: RoundNo, cell: &Cell) -> Option<GameLine<'a>> {
    match cell {
        Cell::Game {
            opponent,
            opponent_line: _,
            colour: side,
            board,
            result,
            points,
        } => {
            let standings = edition.now();
            let rank = |player| Some(standings.row(Participant::Player(player))?.rank);
            let paired = edition.tournament.rounds().get(&round);
            let table = paired.and_then(|paired| paired.boards.get(board));
            Some(GameLine {
                round: round.0,
                what: CardEntry::Game {
                    board: board.0,
                    colour: side.as_str(),
                    opponent: opponent.map(|player| Name::player(&edition.tournament, player)),
                    opponent_rank: opponent.and_then(rank).unwrap_or(0),
                    state: table.map_or("paired", board_state),
                    mark: half(*result, *side),
                },
                points: points.to_string(),
            })
        }
        Cell::Free(kind, points) => Some(GameLine {
            round: round.0,
            what: CardEntry::Free { bye: bye(*kind) },
            points: points.to_string(),
        }),
        Cell::Open => None,
    }
}
