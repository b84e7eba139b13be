//! `flagfall event team`, `teams` and `remove-team`: teams and their board order. Owns the command line.

use serde_json::json;

use super::super::output::{Result, Table, counted, failed, print};
use super::amend;
use super::hub::{Hub, Now};
use crate::api::messages::text;
use tournament::fold::{MAX_PLAYER_NO, MAX_TEAM_NO};
use tournament::formats::fault::shell_word;
use tournament::{Change, Contest, Player, PlayerNo, Team, TeamNo, Tournament};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event team \"Bergen\" --players 1,2,3,4,5     enter a team in board order; extra players are reserves
  flagfall event team \"Bergen\" --players 2,1,3,4,5     change the board order
  flagfall event team 1 --name \"Bergen SK\"             rename team 1
  flagfall event enter \"Foxtrot, Fay\" --team Bergen    add a player at the end of the team

Teams are numbered in the order of entry. Enter the strongest team first, because a Swiss is paired by these numbers.")]
pub(super) struct TeamArgs {
    /// The team's name or number
    team: String,
    /// The team's number; an existing number amends that team [default: the next number]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_TEAM_NO)))]
    no: Option<u16>,
    /// The new name
    #[arg(long)]
    name: Option<String>,
    /// The players' numbers in board order, reserves last; each player first leaves any previous team
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_PLAYER_NO)))]
    players: Option<Vec<u16>>,
    /// A short name for tables
    #[arg(long)]
    short: Option<String>,
    /// The team's federation, as FIDE's three-letter code
    #[arg(long, value_name = "CODE")]
    federation: Option<String>,
}

pub(super) async fn team(hub: &mut Hub, args: &TeamArgs) -> Result<()> {
    let now = hub.now().await?;
    of_teams(&now.tournament)?;
    let known = match args.no {
        Some(no) => now.tournament.teams().get(&TeamNo(no)),
        None => found(&now.tournament, &args.team),
    };
    let no = args.no.map(TeamNo).or(known.map(|team| team.no));
    let mut team = known.cloned().unwrap_or_else(|| Team {
        no: no.unwrap_or_else(|| next(&now.tournament)),
        name: args.team.clone(),
        short_name: String::new(),
        federation: String::new(),
        players: Vec::new(),
    });
    if let Some(players) = &args.players {
        team.players = players.iter().copied().map(PlayerNo).collect();
    }
    amend([
        (&args.name, &mut team.name),
        (&args.short, &mut team.short_name),
        (&args.federation, &mut team.federation),
    ]);
    let count = team.players.len();
    let done = if known.is_some() {
        "amended"
    } else {
        "entered"
    };
    let words = format!(
        "team {}, {}: {done}, {}",
        team.no,
        team.name,
        counted(count, "player")
    );
    let change = Change::EnterTeam(Box::new(team));
    hub.apply(&now, "", &[change], &words).await
}

pub(super) async fn remove(hub: &mut Hub, team: &str) -> Result<()> {
    let now = hub.now().await?;
    let team = named(&now.tournament, team)?;
    let words = format!("team {}, {}: removed from the list", team.no, team.name);
    let change = Change::RemoveTeam(team.no);
    hub.apply(&now, "", &[change], &words).await
}

/// Returns the changes that move a player to `place` (counted from 1) in a team's board order, or to the end if `None`.
pub(super) fn with_player(
    now: &Now,
    player: &Player,
    team: &Team,
    place: Option<u16>,
) -> Vec<Change> {
    let before = now
        .tournament
        .team_of(player.no)
        .filter(|before| *before != team.no);
    let left = before.and_then(|no| now.tournament.teams().get(&no));
    let left = left.map(|other| Team {
        players: without(&other.players, player.no),
        ..other.clone()
    });
    let mut players = without(&team.players, player.no);
    let last = players.len();
    let place = place.map_or(last, |place| usize::from(place).saturating_sub(1).min(last));
    players.insert(place, player.no);
    let joined = Team {
        players,
        ..team.clone()
    };
    let changes = left.into_iter().chain([joined]);
    changes
        .map(|team| Change::EnterTeam(Box::new(team)))
        .collect()
}

fn without(players: &[PlayerNo], player: PlayerNo) -> Vec<PlayerNo> {
    let others = players.iter().filter(|no| **no != player);
    others.copied().collect()
}

fn next(tournament: &Tournament) -> TeamNo {
    let last = tournament.teams().keys().next_back();
    TeamNo(last.map_or(1, |last| last.0.saturating_add(1)))
}

fn found<'t>(tournament: &'t Tournament, text: &str) -> Option<&'t Team> {
    if let Ok(no) = text.parse() {
        return tournament.teams().get(&TeamNo(no));
    }
    let name = text.to_lowercase();
    let mut teams = tournament.teams().values();
    teams.find(|team| {
        [&team.name, &team.short_name]
            .map(|of| of.to_lowercase())
            .contains(&name)
    })
}

pub(super) fn named<'t>(tournament: &'t Tournament, text: &str) -> Result<&'t Team> {
    of_teams(tournament)?;
    found(tournament, text).ok_or_else(|| {
        failed!("there is no team {text}: `flagfall event team {}` enters it, `flagfall event teams` lists the teams",
            shell_word(text))
    })
}

fn of_teams(tournament: &Tournament) -> Result<()> {
    match tournament.event().contest {
        Contest::Teams { .. } => Ok(()),
        Contest::Individual => Err(failed!(
            "this is an individual event: before round 1, `flagfall event set --teams BOARDS` makes it a team event"
        )),
    }
}

pub(super) async fn list(hub: &mut Hub) -> Result<()> {
    let now = hub.now().await?;
    let boards = match now.tournament.event().contest {
        Contest::Teams { boards } => usize::from(boards),
        Contest::Individual => 0,
    };
    let teams = now.tournament.teams().values();
    if hub.json {
        return teams.map(|team| json_of(team, boards)).try_for_each(print);
    }
    if now.tournament.teams().is_empty() {
        of_teams(&now.tournament)?;
        return print("the event has no teams yet: enter them with `flagfall event team NAME`");
    }
    let rows: Vec<(&Team, usize, Option<PlayerNo>)> = teams
        .flat_map(|team| {
            let players = team.players.iter().copied().map(Some);
            let none = team.players.is_empty().then_some(None);
            (1..)
                .zip(players.chain(none))
                .map(move |(place, no)| (team, place, no))
        })
        .collect();
    let rating = |no: PlayerNo| now.tournament.players().get(&no)?.rating;
    let table = Table::of(&rows)
        .left("TEAM", |(team, place, _)| match place {
            1 => format!("{} {}", team.no, team.name),
            _ => String::new(),
        })
        .right("BOARD", |(_, place, no)| match no {
            None => String::new(),
            Some(_) if *place <= boards => place.to_string(),
            Some(_) => "reserve".to_owned(),
        })
        .right("NO", |(_, _, no)| text(*no))
        .left("NAME", |(_, _, no)| {
            no.map_or("no players".to_owned(), |no| now.name(no))
        })
        .right("RATING", |(_, _, no)| text(no.and_then(rating)));
    print(table)
}

fn json_of(team: &Team, boards: usize) -> serde_json::Value {
    let players: Vec<u16> = team.players.iter().map(|no| no.0).collect();
    json!({
        "no": team.no.0, "name": team.name, "short_name": team.short_name,
        "federation": team.federation, "boards": boards, "players": players,
    })
}
