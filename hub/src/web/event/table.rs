//! The standings, and the cross table of an individual event.

use serde::Serialize;

use super::edition::Edition;
use super::shared::{ByeView, Name, bye, half};
use super::tie_break_names::TieBreakView;
use tournament::cross_table::Cell;
use tournament::standings::explain::text;
use tournament::tie_break::primary;
use tournament::{GameResult, Participant, PlaceSource, Row, Standings};

#[derive(Serialize)]
pub(super) struct StandingsView<'a> {
    version: u64,
    #[serde(flatten)]
    state: State,
    team: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<[&'static str; 2]>,
    tie_breaks: Vec<TieBreakView>,
    rows: Vec<RowView<'a>>,
}

/// The rounds that a table counts, and whether it is provisional.
#[derive(Serialize)]
pub(super) struct State {
    after: u16,
    rounds: u16,
    /// True if a counted game has no final result.
    provisional: bool,
    /// Number of counted games without a final result.
    open: usize,
    /// True if the places are those stated in an imported file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    places_of_file: bool,
}

impl State {
    pub(super) fn of(edition: &Edition, standings: &Standings) -> Self {
        let rounds = edition.tournament.rounds().iter();
        let counted = rounds.filter(|(no, _)| no.0 <= standings.after);
        let boards = counted.flat_map(|(_, round)| round.boards.values());
        Self {
            after: standings.after,
            rounds: edition.tournament.event().rounds,
            provisional: standings.provisional,
            open: boards
                .filter(|board| !board.result.is_some_and(GameResult::is_final))
                .count(),
            places_of_file: matches!(standings.source, PlaceSource::File(_)),
        }
    }
}

#[derive(Serialize)]
struct RowView<'a> {
    rank: usize,
    /// True if another participant has the same place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shared: bool,
    #[serde(flatten)]
    name: Name<'a>,
    score: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_score: Option<String>,
    /// One value for each tie-break; `–` if the tie-break has no value.
    values: Vec<String>,
    /// True if a counted game of the participant has no final result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
}

pub(super) fn standings(edition: &Edition, after: u16) -> StandingsView<'_> {
    let standings = edition.standings(after);
    let rows = standings.rows.iter();
    StandingsView {
        version: edition.version,
        state: State::of(edition, &standings),
        team: edition.is_team(),
        scores: edition.is_team().then(|| scores(&standings)),
        tie_breaks: TieBreakView::list(&standings.tie_breaks),
        rows: rows.map(|row| row_view(edition, &standings, row)).collect(),
    }
}

fn row_view<'a>(edition: &'a Edition, standings: &Standings, row: &Row) -> RowView<'a> {
    RowView {
        rank: row.rank,
        shared: row.shared,
        name: Name::who(&edition.tournament, row.who),
        score: row.score.to_string(),
        second_score: row.second_score.map(|score| score.to_string()),
        values: values(standings, row),
        pending: row.pending,
    }
}

#[derive(Serialize)]
pub(super) struct PlaceView {
    /// `null` for a player in a team event.
    rank: Option<usize>,
    shared: bool,
    pending: bool,
    tie_breaks: Vec<TieBreakView>,
    values: Vec<String>,
}

impl PlaceView {
    pub(super) fn of(standings: &Standings, who: Participant) -> Self {
        let row = standings.row(who);
        Self {
            rank: row.map(|row| row.rank),
            shared: row.is_some_and(|row| row.shared),
            pending: row.is_some_and(|row| row.pending),
            tie_breaks: TieBreakView::list(&standings.tie_breaks),
            values: row.map_or_else(Vec::new, |row| values(standings, row)),
        }
    }
}

/// Returns `MP` and `GP`, the primary score first.
pub(super) fn scores(standings: &Standings) -> [&'static str; 2] {
    let first = primary(&standings.tie_breaks);
    [first.as_str(), first.other().as_str()]
}

fn values(standings: &Standings, row: &Row) -> Vec<String> {
    let columns = standings.tie_breaks.iter().zip(&row.values);
    columns
        .map(|(tie_break, value)| text(tie_break.code, *value))
        .collect()
}

#[derive(Serialize)]
pub(super) struct CrossTable<L> {
    pub(super) version: u64,
    #[serde(flatten)]
    pub(super) state: State,
    pub(super) team: bool,
    pub(super) rows: Vec<L>,
}

/// The first columns of a line in a cross table.
#[derive(Serialize)]
pub(super) struct LineHead<'a> {
    /// The number of the line, by which cells refer to opponents.
    pub(super) line: usize,
    pub(super) rank: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) shared: bool,
    #[serde(flatten)]
    pub(super) name: Name<'a>,
    pub(super) score: String,
}

#[derive(Serialize)]
pub(super) struct LineView<'a> {
    #[serde(flatten)]
    head: LineHead<'a>,
    /// One cell for each round of the event; `null` if the round is not paired.
    cells: Vec<Option<CellView>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CellView {
    Game {
        /// The opponent's number; `null` if the opposing team had no player at the board.
        opponent: Option<u16>,
        line: usize,
        colour: &'static str,
        board: u16,
        /// The participant's half of the result; `null` without a result.
        mark: Option<&'static str>,
        points: String,
    },
    Free {
        #[serde(flatten)]
        bye: ByeView,
        points: String,
    },
}

pub(super) fn cross_table(edition: &Edition) -> CrossTable<LineView<'_>> {
    let standings = edition.now();
    let line = |line: &'_ tournament::cross_table::Line| LineView {
        head: LineHead {
            line: line.number,
            rank: line.rank,
            shared: standings
                .row(Participant::Player(line.player))
                .is_some_and(|row| row.shared),
            name: Name::player(&edition.tournament, line.player),
            score: line.points.to_string(),
        },
        cells: line.cells.iter().map(cell_view).collect(),
    };
    CrossTable {
        version: edition.version,
        state: State::of(edition, &standings),
        team: false,
        rows: edition.lines().iter().map(line).collect(),
    }
}

fn cell_view(cell: &Cell) -> Option<CellView> {
    match cell {
        Cell::Game {
            opponent,
            opponent_line,
            colour: side,
            board,
            result,
            points,
        } => Some(CellView::Game {
            opponent: opponent.map(|player| player.0),
            line: *opponent_line,
            colour: side.as_str(),
            board: board.0,
            mark: half(*result, *side),
            points: points.to_string(),
        }),
        Cell::Free(kind, points) => Some(CellView::Free {
            bye: bye(*kind),
            points: points.to_string(),
        }),
        Cell::Open => None,
    }
}
