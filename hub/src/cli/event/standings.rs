//! `flagfall event standings`: prints the standings or the cross table, or explains a player's or team's tie-breaks. Owns the layout;
//! [`tournament`] computes places and figures.

use std::collections::BTreeMap;

use super::super::output::{Failure, Result, Table, print, say, usage};
use super::set_up::{listed, tie_break};
use tournament::cross_table::{Cell, Line};
use tournament::standings::explain::{self, name};
use tournament::standings::{RoundKind, RoundRecord};
use tournament::{
    Bye, Contest, Participant, PlayerNo, RoundNo, Row, Standings, TeamNo, TieBreak, Tournament,
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
    /// Print the cross table: for each game the opponent's line, the colour and the result; for each match of a team
    /// the opponent's line and the points in both scores
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
        None if args.cross => crossed(&tournament, &standings, after, as_json),
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

fn place(rank: usize, shared: bool) -> String {
    let mark = if shared { "=" } else { "" };
    format!("{mark}{rank}")
}

fn table(tournament: &Tournament, standings: &Standings) -> Result<()> {
    heading(tournament, standings)?;
    let mut table = Table::of(&standings.rows)
        .right("PLACE", |row| place(row.rank, row.shared))
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

struct CrossLine {
    line: usize,
    /// 0 for a player who is not in the standings.
    rank: usize,
    shared: bool,
    who: Participant,
    /// One cell for each round of the event.
    cells: Vec<String>,
    points: String,
}

fn cross_lines(
    tournament: &Tournament,
    standings: &Standings,
    after: Option<RoundNo>,
) -> Vec<CrossLine> {
    match tournament.event().contest {
        Contest::Individual => {
            let lines = tournament.cross_table(standings);
            let of_player = |line: &Line| {
                let who = Participant::Player(line.player);
                CrossLine {
                    line: line.number,
                    rank: line.rank,
                    shared: standings.row(who).is_some_and(|row| row.shared),
                    who,
                    cells: line.cells.iter().map(Cell::text).collect(),
                    points: line.points.to_string(),
                }
            };
            lines.iter().map(of_player).collect()
        }
        Contest::Teams { .. } => {
            let records = tournament.records(after.or(tournament.last_round()));
            let of_team = |(row, line): (&Row, usize)| {
                let matches = records.get(&row.who).map_or(&[][..], Vec::as_slice);
                let cells = matches.iter().map(|one| match_cell(standings, one));
                let mut cells: Vec<String> = cells.collect();
                cells.resize(usize::from(tournament.event().rounds), String::new());
                CrossLine {
                    line,
                    rank: row.rank,
                    shared: row.shared,
                    who: row.who,
                    cells,
                    points: row.score.to_string(),
                }
            };
            standings.rows.iter().zip(1..).map(of_team).collect()
        }
    }
}

fn crossed(
    tournament: &Tournament,
    standings: &Standings,
    after: Option<RoundNo>,
    as_json: bool,
) -> Result<()> {
    let lines = cross_lines(tournament, standings, after);
    if as_json {
        return lines.iter().try_for_each(|line| {
            print(serde_json::json!({
                "line": line.line, "rank": line.rank, "shared": line.shared, "number": line.who.number(),
                "name": name(tournament, line.who), "cells": line.cells, "points": line.points,
            }))
        });
    }
    heading(tournament, standings)?;
    let mut table = Table::of(&lines)
        .right("LINE", |line| line.line.to_string())
        .right("PLACE", |line| match line.rank {
            0 => String::new(),
            rank => place(rank, line.shared),
        })
        .right("NO", |line| line.who.number().to_string())
        .left("NAME", |line| name(tournament, line.who));
    for round in 1..=tournament.event().rounds {
        table = table.left(&round.to_string(), |line| {
            let cell = line.cells.get(usize::from(round) - 1);
            cell.cloned().unwrap_or_default()
        });
    }
    print(table.left("POINTS", |line| line.points.clone()))
}

fn match_cell(standings: &Standings, one: &RoundRecord) -> String {
    let opponent = |row: &Row| Some(row.who) == one.opponent;
    let line = standings
        .rows
        .iter()
        .position(opponent)
        .map_or(0, |at| at + 1);
    match one.kind {
        RoundKind::Bye(Bye::PairingAllocated) => format!("bye {}", one.points),
        RoundKind::Bye(Bye::Full | Bye::Half | Bye::Zero) => format!("– {}", one.points),
        RoundKind::Pending => format!("{line} *"),
        RoundKind::Played => format!("{line} {} ({})", one.points, one.second),
        RoundKind::ForfeitWin => format!("{line}+ {} ({})", one.points, one.second),
        RoundKind::ForfeitLoss => format!("{line}- {} ({})", one.points, one.second),
    }
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
        place(row.rank, row.shared),
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
