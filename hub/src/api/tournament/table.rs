//! Converts standings and the cross table for the wire. Computes nothing: places, values and explanations come from `tournament`.

use proto::grpc::{
    CrossTable, CrossTableCell, CrossTableLine, Explanation, GetStandingsRequest, Standings,
    StandingsRow, Term, TieBreakValue,
};
use tonic::{Result, Status};

use super::super::messages::{count, remark::texts};
use super::counted::CountedStandings;
use hall::{TournamentNow, to_proto};
use tournament::cross_table::{Cell, Line};
use tournament::standings::explain::{self, name};
use tournament::{
    Code, Contest, Participant, PlaceSource, PlayerNo, Points, Ratio, RoundNo, TeamNo, TieBreak,
    Tournament, standings,
};

const MAX_TIE_BREAKS: usize = 40;

pub(super) fn after(tournament: &Tournament, no: u32) -> Result<Option<RoundNo>> {
    if no == 0 {
        return Ok(None);
    }
    let paired = u16::try_from(no).map(RoundNo).ok();
    let paired = paired.filter(|round| tournament.rounds().contains_key(round));
    let missing = || Status::invalid_argument(format!("round {no} is not paired"));
    paired.ok_or_else(missing).map(Some)
}

pub(super) fn asked_for(
    now: &TournamentNow,
    request: &GetStandingsRequest,
    counted: &CountedStandings,
) -> Result<Standings> {
    let after = after(&now.tournament, request.after)?;
    if after.is_none() && request.tie_breaks.is_empty() && request.explain == 0 {
        return Ok(standings(now.version, &now.tournament, now.standings()));
    }
    let counted = counted.of(now, after, tie_breaks(&request.tie_breaks)?)?;
    let (tournament, computed) = (&*counted.tournament, &counted.standings);
    let mut reply = standings(now.version, tournament, computed);
    if request.explain != 0 {
        let who = participant(tournament, request.explain)?;
        let explainer = tournament.explainer(after);
        let list = computed.tie_breaks.iter();
        let explained = list.filter_map(|tie_break| explainer.explain(who, *tie_break));
        let explanations = explained.map(|explained| explanation(tournament, &explained));
        reply.explanations = explanations.collect();
    }
    Ok(reply)
}

fn tie_breaks(list: &[String]) -> Result<Vec<TieBreak>> {
    if list.len() > MAX_TIE_BREAKS {
        return Err(Status::invalid_argument(format!(
            "too many tie-breaks: a list may have at most {MAX_TIE_BREAKS}"
        )));
    }
    let parsed = list.iter().map(|text| TieBreak::parse(text));
    parsed
        .collect::<Result<_, _>>()
        .map_err(Status::invalid_argument)
}

fn participant(tournament: &Tournament, no: u32) -> Result<Participant> {
    let known = |no: u16| match tournament.event().contest {
        Contest::Individual => {
            let player = tournament.players().get_key_value(&PlayerNo(no));
            player.map(|(no, _)| Participant::Player(*no))
        }
        Contest::Teams { .. } => {
            let team = tournament.teams().get_key_value(&TeamNo(no));
            team.map(|(no, _)| Participant::Team(*no))
        }
    };
    let found = u16::try_from(no).ok().and_then(known);
    found.ok_or_else(|| Status::not_found(format!("no player in the standings has number {no}")))
}

pub(super) fn standings(
    version: u64,
    tournament: &Tournament,
    standings: &standings::Standings,
) -> Standings {
    let row = |row: &standings::Row| StandingsRow {
        rank: count(row.rank),
        shared: row.shared,
        no: row.who.number().into(),
        name: name(tournament, row.who),
        score: row.score.hundredths(),
        second_score: row.second_score.map(Points::hundredths),
        values: standings
            .tie_breaks
            .iter()
            .zip(&row.values)
            .map(|(tie_break, number)| value(tie_break.code, *number))
            .collect(),
        pending: row.pending,
    };
    let (places_from, places_were_from) = match &standings.source {
        PlaceSource::Computed => (String::new(), String::new()),
        PlaceSource::File(file) => (file.clone(), String::new()),
        PlaceSource::SinceFile(file) => (String::new(), file.clone()),
    };
    Standings {
        places_from,
        places_were_from,
        version,
        after: standings.after.into(),
        provisional: standings.provisional,
        tie_breaks: texts(&standings.tie_breaks),
        teams: matches!(tournament.event().contest, Contest::Teams { .. }),
        rows: standings.rows.iter().map(row).collect(),
        explanations: Vec::new(),
    }
}

fn explanation(tournament: &Tournament, explained: &standings::Explanation) -> Explanation {
    let term = |term: &standings::Term| Term {
        round: term.round.into(),
        opponent: term.opponent.map_or(0, |who| who.number().into()),
        amount: term.value,
        cut: term.cut.is_some(),
    };
    Explanation {
        tie_break: explained.tie_break.to_string(),
        value: Some(value(explained.tie_break.code, explained.value)),
        terms: explained.terms.iter().map(term).collect(),
        words: explained.words(tournament),
    }
}

fn value(code: Code, number: Option<Ratio>) -> TieBreakValue {
    TieBreakValue {
        numerator: number.map_or(0, Ratio::numerator),
        denominator: number.map_or(0, Ratio::denominator),
        text: explain::text(code, number),
    }
}

pub(super) fn cross(now: &TournamentNow, after: Option<RoundNo>) -> CrossTable {
    let tournament = &*now.tournament;
    let computed;
    let standings = match after {
        None => now.standings(),
        Some(_) => {
            computed = tournament.standings(after);
            &computed
        }
    };
    let lines = tournament.cross_table(standings);
    let line = |line: &Line| {
        let row = standings.row(Participant::Player(line.player));
        cross_line(tournament, line, row.is_some_and(|row| row.shared))
    };
    CrossTable {
        version: now.version,
        lines: lines.iter().map(line).collect(),
    }
}

fn cross_line(tournament: &Tournament, line: &Line, shared: bool) -> CrossTableLine {
    CrossTableLine {
        line: count(line.number),
        shared,
        rank: count(line.rank),
        no: line.player.0.into(),
        name: name(tournament, Participant::Player(line.player)),
        cells: line.cells.iter().map(cell).collect(),
        points: line.points.hundredths(),
    }
}

fn cell(cell: &Cell) -> CrossTableCell {
    let text = cell.text();
    match cell {
        Cell::Game {
            opponent,
            colour,
            board,
            points,
            ..
        } => CrossTableCell {
            text,
            opponent: opponent.map_or(0, |opponent| opponent.0.into()),
            colour: to_proto::side(*colour).into(),
            board: board.0.into(),
            points: points.hundredths(),
        },
        Cell::Free(_, points) => CrossTableCell {
            text,
            points: points.hundredths(),
            colour: proto::Side::Unspecified.into(),
            ..CrossTableCell::default()
        },
        Cell::Open => CrossTableCell::default(),
    }
}
