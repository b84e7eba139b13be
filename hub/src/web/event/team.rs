//! Teams: their list, their cards, and their cross table.

use serde::Serialize;

use super::edition::Edition;
use super::shared::{Name, bye};
use super::table::{CrossTable, LineHead, PlaceView, State, scores};
use tournament::standings::{RoundKind, RoundRecord};
use tournament::{Participant, Points, Side, Team, TeamNo};

#[derive(Serialize)]
pub(super) struct TeamsView<'a> {
    version: u64,
    teams: Vec<TeamLine<'a>>,
}

#[derive(Serialize)]
struct TeamLine<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    rank: Option<usize>,
    score: String,
    /// The team's players, in board order.
    players: Vec<Name<'a>>,
}

pub(super) fn teams(edition: &Edition) -> TeamsView<'_> {
    let standings = edition.now();
    let line = |team: &'_ Team| {
        let row = standings.row(Participant::Team(team.no));
        let players = team.players.iter();
        let players = players.map(|no| Name::player(&edition.tournament, *no));
        TeamLine {
            name: Name::team(&edition.tournament, team.no),
            rank: row.map(|row| row.rank),
            score: row.map_or(Points::ZERO, |row| row.score).to_string(),
            players: players.collect(),
        }
    };
    TeamsView {
        version: edition.version,
        teams: edition.tournament.teams().values().map(line).collect(),
    }
}

#[derive(Serialize)]
struct MatchCell<'a> {
    round: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<Name<'a>>,
    /// The opponent's place; 0 without an opponent.
    rank: usize,
    /// The number of the opponent's line in the cross table; 0 without an opponent.
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<&'static str>,
    /// `played`, `pending`, `forfeit`, or the kind of bye.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bye_code: Option<&'static str>,
    /// Points in the primary score of the standings.
    points: String,
    /// Points in the secondary score.
    second: String,
}

fn match_cell<'a>(edition: &'a Edition, round: u16, record: &RoundRecord) -> MatchCell<'a> {
    let standings = edition.now();
    let opponent = record.opponent;
    let mut lines = standings.rows.iter().zip(1..);
    let found = lines.find(|(row, _)| Some(row.who) == opponent);
    MatchCell {
        round,
        opponent: opponent.map(|who| Name::who(&edition.tournament, who)),
        rank: found.map_or(0, |(row, _)| row.rank),
        line: found.map_or(0, |(_, line)| line),
        colour: record.colour.map(Side::as_str),
        kind: match record.kind {
            RoundKind::Played => "played",
            RoundKind::Pending => "pending",
            RoundKind::ForfeitWin | RoundKind::ForfeitLoss => "forfeit",
            RoundKind::Bye(kind) => bye(kind).bye,
        },
        bye_code: match record.kind {
            RoundKind::Bye(kind) => Some(bye(kind).bye_code),
            RoundKind::Played
            | RoundKind::Pending
            | RoundKind::ForfeitWin
            | RoundKind::ForfeitLoss => None,
        },
        points: record.points.to_string(),
        second: record.second.to_string(),
    }
}

fn cells(edition: &Edition, team: TeamNo) -> Vec<MatchCell<'_>> {
    let records = edition.records().get(&Participant::Team(team));
    let rounds = records.map_or(&[][..], Vec::as_slice).iter().zip(1..);
    rounds
        .map(|(record, round)| match_cell(edition, round, record))
        .collect()
}

#[derive(Serialize)]
pub(super) struct TeamRow<'a> {
    #[serde(flatten)]
    head: LineHead<'a>,
    /// One cell for each paired round.
    matches: Vec<MatchCell<'a>>,
}

pub(super) fn cross_table(edition: &Edition) -> CrossTable<TeamRow<'_>> {
    let standings = edition.now();
    let rows = standings.rows.iter().zip(1..).map(|(row, line)| TeamRow {
        head: LineHead {
            line,
            rank: row.rank,
            shared: row.shared,
            name: Name::who(&edition.tournament, row.who),
            score: row.score.to_string(),
        },
        matches: cells(edition, TeamNo(row.who.number())),
    });
    CrossTable {
        version: edition.version,
        state: State::of(edition, &standings),
        team: true,
        rows: rows.collect(),
    }
}

#[derive(Serialize)]
pub(super) struct TeamCard<'a> {
    version: u64,
    rounds: u16,
    after: u16,
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(flatten)]
    place: PlaceView,
    score: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_score: Option<String>,
    scores: [&'static str; 2],
    matches: Vec<MatchCell<'a>>,
    /// The team's players, in board order.
    players: Vec<Member<'a>>,
}

#[derive(Serialize)]
struct Member<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// The player's points, with any bonuses and penalties.
    score: String,
    games: usize,
}

pub(super) fn team(edition: &Edition, no: TeamNo) -> Option<TeamCard<'_>> {
    let tournament = &edition.tournament;
    let team = tournament.teams().get(&no)?;
    let standings = edition.now();
    let row = standings.row(Participant::Team(no));
    let member = |player: &_| {
        let line = edition.line(*player);
        let boards = tournament.rounds().values();
        let boards = boards.filter_map(|round| Some(round.board_of(*player)?.1));
        Member {
            name: Name::player(tournament, *player),
            score: line.map_or(Points::ZERO, |line| line.points).to_string(),
            games: boards.filter(|board| board.result.is_some()).count(),
        }
    };
    Some(TeamCard {
        version: edition.version,
        rounds: tournament.event().rounds,
        after: standings.after,
        name: Name::team(tournament, no),
        place: PlaceView::of(&standings, Participant::Team(no)),
        score: row.map_or(Points::ZERO, |row| row.score).to_string(),
        second_score: row.and_then(|row| Some(row.second_score?.to_string())),
        scores: scores(&standings),
        matches: cells(edition, no),
        players: team.players.iter().map(member).collect(),
    })
}
