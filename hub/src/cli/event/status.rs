//! `flagfall event status` and `players`: show the event's progress and its players. Owns the summary.

use proto::grpc::{ListNewsRequest, News};
use serde_json::json;

use super::super::client::NO_EVENT;
use super::super::output::{Result, Table, counted, print, say, tell, unless_empty};
use super::hub::{Hub, Now};
use super::round::state;
use super::{abnormal, pairing_rules};
use crate::api::messages::remark::texts;
use crate::api::messages::text;
use crate::pairing::numbering;
use tournament::{Board, BoardPhase, Contest, Player, Round, RoundNo, System, Tournament};

pub(super) async fn run(hub: &mut Hub) -> Result<()> {
    let now = hub.now_if_any().await?;
    // Ignore a refusal: viewers and broadcasters are not allowed to list the watched folder.
    let news = hub.client.list_news(ListNewsRequest {}).await;
    let news = news.map_or_else(|_| Vec::new(), |reply| reply.into_inner().files);
    match now {
        Some(now) if hub.json => as_json(&now, &news),
        Some(now) => describe(&now, &news),
        None if hub.json => print(json!({"version": 0, "news": files(&news)})),
        None => {
            print(NO_EVENT)?;
            waiting(&news)
        }
    }
}

fn describe(now: &Now, news: &[News]) -> Result<()> {
    let tournament = &now.tournament;
    let event = tournament.event();
    print(&event.name)?;
    let who = match event.contest {
        Contest::Individual => counted(tournament.players().len(), "player"),
        Contest::Teams { boards } => format!(
            "{} on {}, {}",
            counted(tournament.teams().len(), "team"),
            counted(boards, "board"),
            counted(tournament.players().len(), "player")
        ),
    };
    say!(
        "{who}, {}, {} of {} paired",
        system(event.system),
        tournament.rounds().len(),
        counted(event.rounds, "round")
    )?;
    if !event.rules.is_empty() {
        say!("rule set: {}", rules(&event.rules))?;
    }
    for (round, key) in &event.round_rules {
        say!("rule set of round {round}: {}", rules(key))?;
    }
    for (name, sector) in &event.sectors {
        let control = unless_empty(&sector.control, |control| format!(", {control}"));
        let (from, to) = (sector.from, sector.to);
        say!("{name}: boards {from} to {to}{control}")?;
    }
    if !tournament.rounds().is_empty() {
        say!("\n{}", rounds(tournament))?;
    }
    for rule in &event.forbidden {
        print(pairing_rules::describe(now, rule))?;
    }
    for given in &event.abnormal_points {
        print(abnormal::describe(now, given))?;
    }
    if let Some(acceleration) = acceleration(now) {
        print(acceleration)?;
    }
    if let Some(remark) = numbering::remark(tournament) {
        print(remark)?;
    }
    for no in now.unconfirmed() {
        say!("\nround {no} waits for the chief arbiter: `flagfall event round confirm {no}`")?;
    }
    for import in &now.imports {
        say!(
            "\n{} was imported by {}: until the next round starts, `flagfall event undo {}` undoes the whole import",
            import.file,
            import.by,
            import.version
        )?;
    }
    waiting(news)
}

fn rounds(tournament: &Tournament) -> String {
    let rounds: Vec<_> = tournament.rounds().iter().collect();
    Table::of(&rounds)
        .right("ROUND", |(no, _)| no.to_string())
        .left("STATE", |(_, round)| state(round.phase()).to_owned())
        .right("BOARDS", |(_, round)| round.boards.len().to_string())
        .right("RUNNING", |(_, round)| Count::of(round).running.to_string())
        .right("WITHOUT RESULT", |(_, round)| {
            Count::of(round).open.to_string()
        })
        .right("PROPOSED", |(_, round)| {
            Count::of(round).proposed.to_string()
        })
        .right("BYES", |(no, _)| byes(tournament, **no).to_string())
        .to_string()
}

fn waiting(news: &[News]) -> Result<()> {
    for file in news {
        let what = match file.fault.as_str() {
            "" => "is new: `flagfall event import --watched` imports it",
            _ if file.foreign.is_some() => {
                "is a different event's file: `flagfall event import --watched` shows the differences"
            }
            _ => "cannot be read: `flagfall event import --watched` shows why",
        };
        say!("{} {what}", file.file)?;
    }
    Ok(())
}

fn acceleration(now: &Now) -> Option<String> {
    let event = now.tournament.event();
    let all = event.accelerations_for(now.tournament.players());
    let last = all.iter().map(|given| given.rounds.1).max()?;
    Some(match event.is_baku() && event.accelerations.is_empty() {
        true => {
            let group = all.first().map_or(0, |given| given.participants.1);
            format!("Baku acceleration: players 1 to {group}, until round {last}")
        }
        false => format!("accelerated until round {last}, as the imported file says"),
    })
}

fn rules(key: &str) -> String {
    match laws::RuleSet::find(key) {
        Some(rules) => format!("{} ({key})", rules.title),
        None => key.to_owned(),
    }
}

fn as_json(now: &Now, news: &[News]) -> Result<()> {
    let tournament = &now.tournament;
    let event = tournament.event();
    print(json!({
        "version": now.version, "name": event.name, "system": system(event.system),
        "players": tournament.players().len(), "teams": tournament.teams().len(),
        "rounds": event.rounds, "paired": tournament.rounds().iter().map(|(no, round)| {
            let count = Count::of(round);
            json!({
                "round": no.0, "state": state(round.phase()), "boards": round.boards.len(), "running": count.running,
                "open": count.open, "proposed": count.proposed, "byes": byes(tournament, *no),
            })
        }).collect::<Vec<_>>(), "tie_breaks": texts(&event.tie_breaks),
        "sectors": event.sectors.iter().map(|(name, sector)| json!({
            "name": name, "from": sector.from.0, "to": sector.to.0, "control": sector.control,
        })).collect::<Vec<_>>(),
        "rules": event.rules, "round_rules": event.round_rules.iter().map(|(round, key)| json!({
            "round": round.0, "rules": key,
        })).collect::<Vec<_>>(),
        "news": files(news),
        "forbidden": event.forbidden.iter().map(|rule| json!({
            "from": rule.rounds.0.0, "to": rule.rounds.1.0, "numbers": rule.participants,
        })).collect::<Vec<_>>(),
        "acceleration": acceleration(now), "numbers_in_order": tournament.better_numbering().is_none(),
        "number": now.number, "imports": now.imports.iter().map(|import| json!({
            "version": import.version, "file": import.file, "by": import.by, "opened": import.opened,
        })).collect::<Vec<_>>(),
    }))
}

fn files(news: &[News]) -> Vec<serde_json::Value> {
    let one = |news: &News| json!({"file": news.file, "words": news.words, "fault": news.fault});
    news.iter().map(one).collect()
}

fn system(system: System) -> String {
    match system {
        System::Swiss => "Swiss".to_owned(),
        System::RoundRobin { cycles: 1 } => "round robin".to_owned(),
        System::RoundRobin { cycles: 2 } => "double round robin".to_owned(),
        System::RoundRobin { cycles } => format!("round robin, {cycles} cycles"),
    }
}

/// Returns the number of players with a bye in a round, including byes granted before the pairing.
fn byes(tournament: &Tournament, no: RoundNo) -> usize {
    let players = tournament.players().values();
    players
        .filter(|player| tournament.assigned_bye(player.no, no).is_some())
        .count()
}

struct Count {
    running: usize,
    open: usize,
    proposed: usize,
}

impl Count {
    fn of(round: &Round) -> Self {
        let count = |wanted: fn(&&Board) -> bool| round.boards.values().filter(wanted).count();
        Self {
            running: count(|board| board.phase == BoardPhase::Running),
            open: count(|board| !board.result.is_some_and(|result| result.is_final())),
            proposed: count(|board| board.proposed.is_some()),
        }
    }
}

pub(super) async fn players(hub: &mut Hub) -> Result<()> {
    let now = hub.now().await?;
    let players: Vec<&Player> = now.tournament.players().values().collect();
    if players.is_empty() && !hub.json {
        return print(
            "the event has no players yet: enter them with `flagfall event enter NAME` or `flagfall event enter --list FILE`",
        );
    }
    Table::of(&players)
        .right("NO", |player| player.no.to_string())
        .left("TITLE", |player| player.title.clone())
        .left("NAME", |player| player.name.clone())
        .right("RATING", |player| text(player.rating))
        .left("FED", |player| player.federation.clone())
        .left("PLAYS", |player| plays(player))
        .print(hub.json, |player| player_json(player))?;
    if !hub.json
        && let Some(remark) = numbering::remark(&now.tournament)
    {
        tell!("{remark}");
    }
    Ok(())
}

fn plays(player: &Player) -> String {
    match (player.enters.0, player.leaves) {
        (0 | 1, None) => String::new(),
        (from, None) => format!("from round {from}"),
        (0 | 1, Some(last)) => format!("to round {last}"),
        (from, Some(last)) => format!("rounds {from} to {last}"),
    }
}

fn player_json(player: &Player) -> serde_json::Value {
    json!({
        "no": player.no.0, "name": player.name, "title": player.title, "rating": player.rating,
        "federation": player.federation, "fide_id": player.fide_id,
        "sex": player.sex.map(super::enter::sex_letter), "birth": player.birth, "club": player.club,
        "enters": player.enters.0, "leaves": player.leaves.map(|round| round.0),
    })
}
