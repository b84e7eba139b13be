//! `flagfall event standings`: prints places and explains them. Owns the wording of the table; [`tournament`] computes places and figures.

use std::collections::BTreeMap;

use super::super::output::{Failure, Result, Table, print, say, usage};
use super::set_up::{listed, tie_break};
use tournament::cross_table::{Cell, Line};
use tournament::standings::explain::{self, name};
use tournament::{
    Contest, Participant, PlayerNo, RoundNo, Row, Standings, TeamNo, TieBreak, Tournament,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A report to read instead of the hub's event; - for standard input
    pub(super) file: Option<String>,
    /// The standings after this round [default: after all known results]
    #[arg(long, value_name = "ROUND")]
    after: Option<u16>,
    /// The tie-breaks to use instead of the event's, as TRF26 writes them: BH/C1,BH,SB,DE; or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = tie_break)]
    tie_breaks: Vec<Option<TieBreak>>,
    /// Explain each tie-break value of this player (or team)
    #[arg(long, value_name = "NUMBER", conflicts_with = "cross")]
    explain: Option<u16>,
    /// Print the cross table: for each game the opponent's line, the colour and the result
    #[arg(long)]
    cross: bool,
}

pub(super) fn show(args: &Args, mut tournament: Tournament, as_json: bool) -> Result<()> {
    if let Some(list) = listed(&args.tie_breaks)? {
        let other = tournament.with_tie_breaks(list);
        tournament = other.map_err(|refusal| usage!("--tie-breaks: {refusal}"))?;
    }
    let after = args.after.map(RoundNo);
    if after.is_some_and(|round| !tournament.rounds().contains_key(&round)) {
        let asked = args.after.unwrap_or_default();
        return Err(Failure::Usage(match tournament.last_round() {
            Some(last) => format!("--after {asked}: rounds 1 to {last} are paired so far"),
            None => format!("--after {asked}: no round is paired yet"),
        }));
    }
    let standings = tournament.standings(after);
    match args.explain {
        Some(number) => explained(&tournament, &standings, after, number, as_json),
        None if args.cross => crossed(&tournament, &standings, as_json),
        None if as_json => json(&tournament, &standings),
        None => table(&tournament, &standings),
    }
}

fn heading(tournament: &Tournament, standings: &Standings) -> Result<()> {
    let provisional = if standings.provisional {
        ", provisional"
    } else {
        ""
    };
    say!(
        "{}: after round {} of {}{provisional}\n",
        tournament.event().name,
        standings.after,
        tournament.event().rounds
    )?;
    match standings.source.words() {
        Some(words) => say!("{words}\n"),
        None => Ok(()),
    }
}

fn place(row: &Row) -> String {
    let shared = if row.shared { "=" } else { "" };
    format!("{shared}{}", row.rank)
}

fn table(tournament: &Tournament, standings: &Standings) -> Result<()> {
    heading(tournament, standings)?;
    let mut table = Table::of(&standings.rows)
        .right("PLACE", place)
        .right("NO", |row| row.who.number().to_string())
        .left("NAME", |row| name(tournament, row.who))
        .right("POINTS", |row| {
            let pending = if row.pending { "*" } else { "" };
            format!("{}{pending}", row.score)
        });
    for (at, tie_break) in standings.tie_breaks.iter().enumerate() {
        table = table.right(&tie_break.to_string(), |row| {
            explain::text(tie_break.code, row.values.get(at).copied().flatten())
        });
    }
    print(table)?;
    if standings.rows.iter().any(|row| row.pending) {
        print("\n* has a game without a result")?;
    }
    Ok(())
}

fn crossed(tournament: &Tournament, standings: &Standings, as_json: bool) -> Result<()> {
    let lines = tournament.cross_table(standings);
    let name = |line: &Line| name(tournament, Participant::Player(line.player));
    let row = |line: &Line| standings.row(Participant::Player(line.player));
    if as_json {
        return lines.iter().try_for_each(|line| {
            let cells: Vec<String> = line.cells.iter().map(Cell::text).collect();
            print(serde_json::json!({
                "line": line.number, "rank": line.rank, "shared": row(line).is_some_and(|row| row.shared),
                "number": line.player.0, "name": name(line), "cells": cells, "points": line.points.to_string(),
            }))
        });
    }
    heading(tournament, standings)?;
    let mut table = Table::of(&lines)
        .right("LINE", |line| line.number.to_string())
        .right("PLACE", |line| row(line).map_or(String::new(), place))
        .right("NO", |line| line.player.to_string())
        .left("NAME", name);
    for round in 1..=tournament.event().rounds {
        table = table.left(&round.to_string(), |line| {
            let cell = line.cells.get(usize::from(round) - 1);
            cell.map_or(String::new(), Cell::text)
        });
    }
    print(table.left("POINTS", |line| line.points.to_string()))
}

fn json(tournament: &Tournament, standings: &Standings) -> Result<()> {
    for row in &standings.rows {
        let values = standings.tie_breaks.iter().zip(&row.values);
        let tie_breaks: BTreeMap<String, Option<String>> = values
            .map(|(tie_break, value)| (tie_break.to_string(), value.map(|value| value.decimal())))
            .collect();
        print(serde_json::json!({
            "rank": row.rank, "shared": row.shared, "number": row.who.number(), "name": name(tournament, row.who),
            "points": row.score.to_string(), "pending": row.pending, "tie_breaks": tie_breaks,
            "after": standings.after, "provisional": standings.provisional,
            "places_from": standings.source.file(),
        }))?;
    }
    Ok(())
}

fn explained(
    tournament: &Tournament,
    standings: &Standings,
    after: Option<RoundNo>,
    number: u16,
    as_json: bool,
) -> Result<()> {
    let who = match tournament.event().contest {
        Contest::Individual => Participant::Player(PlayerNo(number)),
        Contest::Teams { .. } => Participant::Team(TeamNo(number)),
    };
    let row = standings
        .row(who)
        .ok_or_else(|| usage!("--explain {number}: no player or team has this number"))?;
    let explainer = tournament.explainer(after);
    let list = standings.tie_breaks.iter();
    let mut explained = list.filter_map(|tie_break| explainer.explain(who, *tie_break));
    if as_json {
        return explained.try_for_each(|explained| {
            print(serde_json::json!({
                "number": number, "name": name(tournament, who), "tie_break": explained.tie_break.to_string(),
                "words": explained.words(tournament),
            }))
        });
    }
    heading(tournament, standings)?;
    say!(
        "{}: place {}, points {}",
        name(tournament, who),
        place(row),
        row.score
    )?;
    for explained in explained {
        print("")?;
        for (line, words) in explained.words(tournament).iter().enumerate() {
            let indent = if line == 0 { "" } else { "  " };
            say!("{indent}{words}")?;
        }
    }
    Ok(())
}
