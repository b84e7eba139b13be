//! `flagfall event enter --list` and `flagfall event refresh`: many players at once, from a table and from the FIDE list. Owns the preview
//! of the changes.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proto::grpc::{FidePlayer, RateOfPlay};
use serde_json::json;

use super::super::fide;
use super::super::output::{Failure, print, tell};
use super::bytes;
use super::confirm::Consent;
use super::enter::{EnterArgs, next_number};
use super::hub::{Hub, Now};
use super::listed::{fill, is_same_name, lookup, of_name, renew};
use tournament::fold::MAX_PLAYER_NO;
use tournament::formats::table::entries::{self, Entry};
use tournament::{Change, Player, PlayerNo, RoundNo, TITLES};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    FideList,
    Table,
}

pub(super) async fn enter(hub: &mut Hub, args: &EnterArgs, file: &str) -> Result<(), Failure> {
    let read = entries::read(&bytes(file)?)
        .map_err(|faults| Failure::Usage(format!("{file} is not taken:\n{faults}")))?;
    for heading in &read.ignored {
        tell(format_args!("{file}: the column {heading:?} was not read"));
    }
    let now = hub.now().await?;
    let mut players = planned(hub, &now, args, file, &read.entries).await?;
    number(&now, &mut players)?;
    show(hub, &players)?;
    if players.is_empty() {
        return Ok(());
    }
    let count = players.len();
    if !args.consent.to(&format!("Enter {}", these(count)))? {
        return Ok(());
    }
    let changes = players
        .into_iter()
        .map(|(player, _)| Change::EnterPlayer(Box::new(player)));
    let changes: Vec<Change> = changes.collect();
    let words = format!("{} entered", counted(count));
    hub.apply(Some(now.version), "", &changes, &words).await
}

fn counted(players: usize) -> String {
    match players {
        1 => "1 player".to_owned(),
        players => format!("{players} players"),
    }
}

fn these(players: usize) -> String {
    match players {
        1 => "this player".to_owned(),
        players => format!("these {players} players"),
    }
}

/// Returns the table's players that are not in the event yet, completed from the FIDE list where it has them.
async fn planned(
    hub: &mut Hub,
    now: &Now,
    args: &EnterArgs,
    file: &str,
    entries: &[Entry],
) -> Result<Vec<(Player, Origin)>, Failure> {
    let mut players: Vec<(Player, Origin)> = Vec::new();
    // The line of each entered player.
    let mut lines: Vec<usize> = Vec::new();
    let listed = match args.by_hand {
        true => None,
        false => by_number(hub, entries).await?,
    };
    if listed.is_none() && !args.by_hand {
        tell(
            "the hub has no FIDE list (`flagfall fide import FILE`): every player is entered as the table has it",
        );
    }
    let enters = args.from.map_or_else(|| now.next_round(), RoundNo);
    for entry in entries {
        if let Some(known) = already_there(now, entry) {
            tell(format_args!(
                "line {}: {} is player {known} already",
                entry.line,
                shown(entry)
            ));
            continue;
        }
        let found = match &listed {
            Some((listed, rate)) => matching(hub, entry, listed)
                .await?
                .map(|player| (player, *rate)),
            None => None,
        };
        let mut player = from_entry(entry, enters);
        let origin = match &found {
            Some((listed, rate)) => {
                if entry.rating.is_some() {
                    let said = player.rating;
                    fill(&mut player, listed, *rate);
                    player.rating = said;
                } else {
                    fill(&mut player, listed, *rate);
                }
                Origin::FideList
            }
            None => Origin::Table,
        };
        if player.name.is_empty() {
            return Err(Failure::Failed(format!(
                "{file} is not taken: line {}: FIDE ID {} is not in the hub's FIDE list, and there is no name",
                entry.line,
                entry.fide_id.unwrap_or(0)
            )));
        }
        let earlier = players.iter().map(|(player, _)| player).zip(&lines);
        if is_repeated(entry.line, &player, earlier) {
            continue;
        }
        players.push((player, origin));
        lines.push(entry.line);
    }
    Ok(players)
}

/// Warns if an earlier line of the table may have the same player. Returns true for the same FIDE number; the same name may belong to two
/// players and only causes a warning.
fn is_repeated<'p>(
    line: usize,
    player: &Player,
    earlier: impl Iterator<Item = (&'p Player, &'p usize)>,
) -> bool {
    for (other, before) in earlier {
        match (player.fide_id, other.fide_id) {
            (Some(id), Some(same)) if id == same => {
                tell(format_args!(
                    "line {line}: FIDE ID {id}, {}, is in line {before} already: not entered again",
                    other.name
                ));
                return true;
            }
            (Some(_), Some(_)) => (),
            _ if is_same_name(&player.name, &other.name) => tell(format_args!(
                "line {line}: look twice: {} is in line {before} too; if they are two players, FIDE IDs tell them apart",
                player.name
            )),
            _ => (),
        }
    }
    false
}

type Listed = (BTreeMap<u64, FidePlayer>, RateOfPlay);

/// Returns the listed players for the table's FIDE numbers; `None` without a list.
async fn by_number(hub: &mut Hub, entries: &[Entry]) -> Result<Option<Listed>, Failure> {
    let ids: Vec<u64> = entries.iter().filter_map(|entry| entry.fide_id).collect();
    // Without numbers, ask for one that is never assigned, to learn if the hub has a list.
    let asked = if ids.is_empty() { vec![0] } else { ids };
    let found = lookup(hub, &asked).await?;
    Ok(found.map(|(players, rate)| {
        let players = players.into_iter().map(|player| (player.fide_id, player));
        (players.collect(), rate)
    }))
}

/// Returns the single listed player that an entry means. Reports when there is none, or more than one.
async fn matching(
    hub: &mut Hub,
    entry: &Entry,
    by_number: &BTreeMap<u64, FidePlayer>,
) -> Result<Option<FidePlayer>, Failure> {
    let line = entry.line;
    if let Some(id) = entry.fide_id {
        let found = by_number.get(&id);
        match found {
            // Without a name there is nothing to enter: the whole table is refused.
            None if entry.name.is_empty() => (),
            None => tell(format_args!(
                "line {line}: FIDE ID {id} is not in the FIDE list: entered as written"
            )),
            Some(listed) if !entry.name.is_empty() && !is_same_name(&entry.name, &listed.name) => {
                tell(format_args!(
                    "line {line}: look twice: FIDE ID {id} is {}, the table has {}",
                    listed.name, entry.name
                ))
            }
            Some(_) => (),
        }
        return Ok(found.cloned());
    }
    let found = of_name(hub, &entry.name, &entry.federation).await?;
    let mut players = found.map(|(players, _)| players).unwrap_or_default();
    let born = entry
        .birth
        .get(..4)
        .and_then(|year| year.parse::<u32>().ok());
    if let Some(born) = born {
        players.retain(|player| player.birth_year == 0 || player.birth_year == born);
    }
    match players.as_slice() {
        [] => {
            tell(format_args!(
                "line {line}: {} is not in the FIDE list: entered as written",
                entry.name
            ));
            Ok(None)
        }
        [_] => Ok(players.pop()),
        several => {
            let ids = several.iter().take(5).map(|player| {
                let born = player.birth_year;
                format!("{} ({} {born})", player.fide_id, player.federation)
            });
            let ids: Vec<String> = ids.collect();
            tell(format_args!(
                "line {line}: the FIDE list has {} players {}: entered as written; say which with a FIDE ID: {}",
                several.len(),
                entry.name,
                ids.join(", ")
            ));
            Ok(None)
        }
    }
}

fn from_entry(entry: &Entry, enters: RoundNo) -> Player {
    Player {
        enters,
        rating: entry.rating.filter(|rating| *rating > 0),
        title: entry.title.clone(),
        federation: entry.federation.clone(),
        fide_id: entry.fide_id,
        sex: entry.sex,
        birth: entry.birth.clone(),
        club: entry.club.clone(),
        ..Player::new(PlayerNo(0), &entry.name)
    }
}

fn shown(entry: &Entry) -> String {
    match (entry.name.as_str(), entry.fide_id) {
        ("", Some(id)) => id.to_string(),
        (name, _) => name.to_owned(),
    }
}

/// Returns the event's player that an entry means, by the FIDE number, else by the whole name.
fn already_there(now: &Now, entry: &Entry) -> Option<PlayerNo> {
    let mut players = now.tournament.players().values();
    let found = players.find(|player| match (entry.fide_id, player.fide_id) {
        (Some(one), Some(other)) => one == other,
        _ => !entry.name.is_empty() && is_same_name(&entry.name, &player.name),
    });
    found.map(|player| player.no)
}

/// Assigns numbers: the next ones, or by rating, title and name in an event without players (C.04.2 2.2).
fn number(now: &Now, players: &mut [(Player, Origin)]) -> Result<(), Failure> {
    let first = next_number(now);
    if now.tournament.players().is_empty() {
        let rank = |title: &str| {
            TITLES
                .iter()
                .position(|known| *known == title)
                .unwrap_or(TITLES.len())
        };
        players.sort_by_cached_key(|(player, _)| {
            (
                Reverse(player.rating),
                rank(&player.title),
                player.name.to_lowercase(),
            )
        });
    }
    for (no, (player, _)) in (first..).zip(players.iter_mut()) {
        player.no = PlayerNo(no);
    }
    let room = usize::from(MAX_PLAYER_NO + 1 - first.min(MAX_PLAYER_NO + 1));
    match players.len() <= room {
        true => Ok(()),
        false => Err(Failure::Failed(format!(
            "an event has players 1 to {MAX_PLAYER_NO}: there is no room for {} more",
            players.len()
        ))),
    }
}

fn show(hub: &Hub, players: &[(Player, Origin)]) -> Result<(), Failure> {
    for (player, origin) in players {
        let origin = match origin {
            Origin::FideList => "FIDE list",
            Origin::Table => "as written",
        };
        if hub.json {
            print(json!({
                "no": player.no.0, "name": player.name, "title": player.title, "rating": player.rating,
                "federation": player.federation, "fide_id": player.fide_id, "from": origin,
            }))?;
            continue;
        }
        let rating = player
            .rating
            .map_or("unrated".to_owned(), |rating| rating.to_string());
        let id = player
            .fide_id
            .map_or("no FIDE ID".to_owned(), |id| id.to_string());
        print(format_args!(
            "{:>4} {:>3} {} {} {rating} {id} ({origin})",
            player.no.0, player.title, player.name, player.federation
        ))?;
    }
    Ok(())
}

/// Refreshes players from the FIDE list.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event refresh --dry-run      what the FIDE list has that the event has not
  flagfall event refresh --yes          a new list was imported: ratings and titles as it has them

Before round 1 is paired: ratings (of the event's rate of play) and titles become those of the list; FIDE ID, federation, sex and
birth are filled where they are empty. A player without a FIDE ID is taken for a listed one only if the list has the name once.")]
pub(super) struct RefreshArgs {
    #[command(flatten)]
    consent: Consent,
}

pub(super) async fn refresh(hub: &mut Hub, args: &RefreshArgs) -> Result<(), Failure> {
    let now = hub.now().await?;
    if let Some(last) = now.tournament.last_round() {
        return Err(Failure::Failed(format!(
            "round {last} is paired: ratings and titles stay as they were when the event began; amend one player with \
             `flagfall event enter --no NUMBER --rating RATING`"
        )));
    }
    let ids: Vec<u64> = now
        .tournament
        .players()
        .values()
        .filter_map(|player| player.fide_id)
        .collect();
    let asked = if ids.is_empty() { vec![0] } else { ids };
    let Some((listed, rate)) = lookup(hub, &asked).await? else {
        return Err(fide::no_list());
    };
    let listed: BTreeMap<u64, FidePlayer> = listed
        .into_iter()
        .map(|player| (player.fide_id, player))
        .collect();
    let mut changes = Vec::new();
    for player in now.tournament.players().values() {
        let found = listed_for(hub, player, &listed).await?;
        let Some(found) = found else {
            continue;
        };
        let mut renewed = player.clone();
        renew(&mut renewed, &found, rate);
        if renewed != *player {
            print(format_args!(
                "player {}, {}: {}",
                player.no,
                player.name,
                differences(player, &renewed)
            ))?;
            changes.push(Change::EnterPlayer(Box::new(renewed)));
        }
    }
    if changes.is_empty() {
        return print("every player is as the FIDE list has them");
    }
    let count = changes.len();
    if !args.consent.to(&format!("Amend {}", these(count)))? {
        return Ok(());
    }
    let words = format!("{} amended", counted(count));
    hub.apply(
        Some(now.version),
        "renewed from the FIDE list",
        &changes,
        &words,
    )
    .await
}

/// Returns the listed player of an event's player: by number, else by a name that is unique in the list.
async fn listed_for(
    hub: &mut Hub,
    player: &Player,
    by_number: &BTreeMap<u64, FidePlayer>,
) -> Result<Option<FidePlayer>, Failure> {
    if let Some(id) = player.fide_id {
        let found = by_number.get(&id).cloned();
        if found.is_none() {
            tell(format_args!(
                "player {}, {}: FIDE ID {id} is not in the list",
                player.no, player.name
            ));
        }
        return Ok(found);
    }
    let found = of_name(hub, &player.name, &player.federation).await?;
    let mut found = found.map(|(players, _)| players).unwrap_or_default();
    Ok(if found.len() == 1 { found.pop() } else { None })
}

fn differences(before: &Player, after: &Player) -> String {
    let rating = |player: &Player| {
        player
            .rating
            .map_or("none".to_owned(), |rating| rating.to_string())
    };
    let text = |text: &str| {
        if text.is_empty() {
            "none".to_owned()
        } else {
            text.to_owned()
        }
    };
    let id = |player: &Player| {
        player
            .fide_id
            .map_or("none".to_owned(), |id| id.to_string())
    };
    let sex = |player: &Player| {
        player
            .sex
            .map_or("none", super::enter::sex_letter)
            .to_owned()
    };
    let fields = [
        ("rating", rating(before), rating(after)),
        ("title", text(&before.title), text(&after.title)),
        ("FIDE ID", id(before), id(after)),
        (
            "federation",
            text(&before.federation),
            text(&after.federation),
        ),
        ("sex", sex(before), sex(after)),
        ("birth", text(&before.birth), text(&after.birth)),
    ];
    let changed = fields
        .into_iter()
        .filter(|(_, before, after)| before != after);
    let changed = changed.map(|(what, before, after)| format!("{what} {before} → {after}"));
    changed.collect::<Vec<_>>().join(", ")
}
