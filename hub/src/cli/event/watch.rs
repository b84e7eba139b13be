//! `flagfall event watch`: prints one line per change to the event, until Ctrl-C.

use proto::event::{RoundPhase, RoundState};
use proto::grpc::{Standings, TournamentUpdate, WatchTournamentRequest};
use serde_json::json;

use super::super::client::{answer, each_update};
use super::super::output::{Result, counted, stream};
use super::hub::Hub;

pub(super) async fn follow(hub: &mut Hub) -> Result<()> {
    let request = WatchTournamentRequest {};
    let updates = answer(hub.client.watch_tournament(request).await)?;
    let json = hub.json;
    each_update(updates, |update| match json {
        true => stream(as_json(&update)),
        false => stream(describe(&update)),
    })
    .await
}

fn describe(update: &TournamentUpdate) -> String {
    if update.version == 0 {
        return "no event yet".to_owned();
    }
    let mut words = Vec::new();
    for round in &update.rounds {
        let open = open(round);
        let left = match open {
            0 => String::new(),
            open => format!(", {} without a result", counted(open, "board")),
        };
        words.push(format!("round {} {}{left}", round.round, state(round)));
    }
    let gone = update.gone.iter();
    words.extend(gone.map(|round| format!("round {round} is no longer paired")));
    if update.entries_changed {
        words.push("entries changed".to_owned());
    }
    words.extend(update.standings.as_ref().and_then(leaders));
    format!("{}: {}", update.version, words.join("; "))
}

fn leaders(standings: &Standings) -> Option<String> {
    let first = standings.rows.first()?;
    let score = tournament::Points::from_hundredths(first.score);
    let leads = match first.shared {
        true => "shares the lead",
        false => "leads",
    };
    Some(format!(
        "{} {leads} with {score} after round {}",
        first.name, standings.after
    ))
}

fn as_json(update: &TournamentUpdate) -> serde_json::Value {
    let rows = update.standings.iter().flat_map(|table| &table.rows);
    json!({
        "version": update.version, "gone": update.gone, "entries": update.entries_changed,
        "rounds": update.rounds.iter().map(|round| json!({
            "round": round.round, "state": state(round), "open": open(round),
        })).collect::<Vec<_>>(),
        "provisional": update.standings.as_ref().map(|table| table.provisional),
        "standings": rows.map(|row| json!({
            "rank": row.rank, "no": row.no, "name": row.name, "pending": row.pending,
            "points": tournament::Points::from_hundredths(row.score).to_string(),
            "values": row.values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn open(round: &RoundState) -> usize {
    let boards = round.boards.iter();
    boards.filter(|board| board.result.is_none()).count()
}

fn state(round: &RoundState) -> &'static str {
    match round.phase() {
        RoundPhase::Unspecified => "in an unknown state",
        RoundPhase::Paired => "paired",
        RoundPhase::Preset => "clocks set",
        RoundPhase::Started => "started",
        RoundPhase::Running => "running",
        RoundPhase::Finished => "finished",
        RoundPhase::Confirmed => "confirmed",
    }
}
