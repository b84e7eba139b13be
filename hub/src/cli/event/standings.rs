//! `flagfall event standings`: places and their explanations. Owns the table's texts; [`tournament`] owns places and numbers.

use std::collections::BTreeMap;

use super::super::output::{Failure, Table, print};
use super::set_up::{listed, tie_break};
use tournament::standings::explain;
use tournament::{
    Actor, Change, Contest, Participant, PlayerNo, RoundNo, Row, Standings, TeamNo, TieBreak,
    Tournament,
};

/// Prints standings.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A report instead of the hub's event; - for standard input
    pub(super) file: Option<String>,
    /// After this round, instead of after all known results
    #[arg(long, value_name = "ROUND")]
    after: Option<u16>,
    /// These tie-breaks instead of the event's, as TRF26 writes them: BH/C1,BH,SB,DE; or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = tie_break)]
    tie_breaks: Vec<Option<TieBreak>>,
    /// Explain each number of this player (or team)
    #[arg(long, value_name = "NUMBER", conflicts_with = "cross")]
    explain: Option<u16>,
    /// Every game of every player: number of the opponent's line, colour, result
    #[arg(long)]
    cross: bool,
}

/// Prints the requested tables. With `as_json`, prints one object a line, with rank, number, name, points, and every tie-break by its code.
pub(super) fn show(args: &Args, mut tournament: Tournament, as_json: bool) -> Result<(), Failure> {
    if let Some(list) = listed(&args.tie_breaks)? {
        let mut event = tournament.event().clone();
        event.tie_breaks = list;
        // This query does not change the event, so a note about the places that a file stated is not needed.
        for change in [
            Change::StateStandings(None),
            Change::SetEvent(Box::new(event)),
        ] {
            tournament
                .apply(&Actor::program("--tie-breaks"), change)
                .map_err(|refusal| Failure::Usage(format!("--tie-breaks: {refusal}")))?;
        }
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

fn heading(tournament: &Tournament, standings: &Standings) -> Result<(), Failure> {
    let provisional = if standings.provisional {
        ", provisional"
    } else {
        ""
    };
    print(format_args!(
        "{}: after round {} of {}{provisional}\n",
        tournament.event().name,
        standings.after,
        tournament.event().rounds
    ))?;
    match standings.source.words() {
        Some(words) => print(format_args!("{words}\n")),
        None => Ok(()),
    }
}

fn name(tournament: &Tournament, who: Participant) -> String {
    let found = match who {
        Participant::Player(no) => tournament.players().get(&no).map(|player| &player.name),
        Participant::Team(no) => tournament.teams().get(&no).map(|team| &team.name),
    };
    found.cloned().unwrap_or_default()
}

fn place(row: &Row) -> String {
    let shared = if row.shared { "=" } else { "" };
    format!("{shared}{}", row.rank)
}

fn table(tournament: &Tournament, standings: &Standings) -> Result<(), Failure> {
    heading(tournament, standings)?;
    let codes: Vec<String> = standings
        .tie_breaks
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut head = vec!["PLACE", "NO", "NAME", "POINTS"];
    head.extend(codes.iter().map(String::as_str));
    let mut table = Table::new(
        &head,
        &[
            true, true, false, true, true, true, true, true, true, true, true, true, true, true,
            true,
        ],
    );
    for row in &standings.rows {
        let pending = if row.pending { "*" } else { "" };
        let mut cells = vec![
            place(row),
            row.who.number().to_string(),
            name(tournament, row.who),
            format!("{}{pending}", row.score),
        ];
        let values = standings.tie_breaks.iter().zip(&row.values);
        cells.extend(values.map(|(tie_break, value)| explain::text(tie_break.code, *value)));
        table.row(cells);
    }
    print(table)?;
    if standings.rows.iter().any(|row| row.pending) {
        print("\n* a game without a result")?;
    }
    Ok(())
}

fn crossed(tournament: &Tournament, standings: &Standings, as_json: bool) -> Result<(), Failure> {
    if as_json {
        for line in tournament.cross_table(standings) {
            let cells = line.cells.iter();
            let cells: Vec<String> = cells.map(tournament::cross_table::Cell::text).collect();
            print(serde_json::json!({
                "line": line.number, "rank": line.rank, "shared": standings.row(Participant::Player(line.player)).is_some_and(|row| row.shared),
                "number": line.player.0, "name": name(tournament, Participant::Player(line.player)),
                "cells": cells, "points": line.points.to_string(),
            }))?;
        }
        return Ok(());
    }
    heading(tournament, standings)?;
    let rounds: Vec<String> = (1..=tournament.event().rounds)
        .map(|no| no.to_string())
        .collect();
    let mut head = vec!["LINE", "PLACE", "NO", "NAME"];
    head.extend(rounds.iter().map(String::as_str));
    head.push("POINTS");
    let mut table = Table::new(&head, &[true, true, true]);
    let rows = standings.rows.iter().map(|row| (row.who, row));
    let rows: BTreeMap<Participant, &Row> = rows.collect();
    for line in tournament.cross_table(standings) {
        let mut cells = vec![
            line.number.to_string(),
            rows.get(&Participant::Player(line.player))
                .map_or_else(String::new, |row| place(row)),
            line.player.to_string(),
            name(tournament, Participant::Player(line.player)),
        ];
        cells.extend(line.cells.iter().map(tournament::cross_table::Cell::text));
        cells.push(line.points.to_string());
        table.row(cells);
    }
    print(table)
}

fn json(tournament: &Tournament, standings: &Standings) -> Result<(), Failure> {
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
) -> Result<(), Failure> {
    let who = match tournament.event().contest {
        Contest::Individual => Participant::Player(PlayerNo(number)),
        Contest::Teams { .. } => Participant::Team(TeamNo(number)),
    };
    let row = standings
        .row(who)
        .ok_or_else(|| Failure::Usage(format!("--explain {number}: nobody has this number")))?;
    if as_json {
        for tie_break in &standings.tie_breaks {
            if let Some(explanation) = tournament.explain(after, who, *tie_break) {
                print(serde_json::json!({
                    "number": number, "name": name(tournament, who), "tie_break": tie_break.to_string(),
                    "words": explanation.words(tournament),
                }))?;
            }
        }
        return Ok(());
    }
    heading(tournament, standings)?;
    print(format_args!(
        "{} is at place {} with {} points",
        name(tournament, who),
        place(row),
        row.score
    ))?;
    for tie_break in &standings.tie_breaks {
        let Some(explanation) = tournament.explain(after, who, *tie_break) else {
            continue;
        };
        print("")?;
        for (line, words) in explanation.words(tournament).iter().enumerate() {
            let indent = if line == 0 { "" } else { "  " };
            print(format_args!("{indent}{words}"))?;
        }
    }
    Ok(())
}
