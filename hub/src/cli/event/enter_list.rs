//! `flagfall event enter --list` and `flagfall event refresh`: enter or update many players at once, from a table and the FIDE list. Owns
//! the preview of the changes.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proto::grpc::FidePlayer;
use serde_json::json;

use super::super::fide;
use super::super::output::{Result, counted, failed, print, say, tell, usage};
use super::bytes;
use super::confirm::Consent;
use super::enter::{EnterArgs, next_number};
use super::hub::{Hub, Now};
use super::listed::{by_number, fill, is_same_name, of_name, renew};
use crate::api::messages::text;
use tournament::fold::MAX_PLAYER_NO;
use tournament::formats::table::entries::{self, Entry};
use tournament::{Change, Player, PlayerNo, RoundNo, TITLES};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    FideList,
    Table,
}

pub(super) async fn enter(hub: &mut Hub, args: &EnterArgs, file: &str) -> Result<()> {
    let read = entries::read(&bytes(file)?)
        .map_err(|faults| usage!("{file} is not imported:\n{faults}"))?;
    for remark in &read.remarks {
        tell!("{file}: {remark}");
    }
    for heading in &read.ignored {
        tell!("{file}: the column {heading:?} was not read");
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
    let words = format!("{} entered", counted(count, "player"));
    hub.apply(&now, "", &changes, &words).await
}

fn these(players: usize) -> String {
    match players {
        1 => "this player".to_owned(),
        players => format!("these {players} players"),
    }
}

/// Returns the table's players who are not in the event yet. The FIDE list supplies missing data, unless the hub has no list or `--by-hand` is
/// given.
async fn planned(
    hub: &mut Hub,
    now: &Now,
    args: &EnterArgs,
    file: &str,
    entries: &[Entry],
) -> Result<Vec<(Player, Origin)>> {
    let mut players: Vec<(Player, Origin)> = Vec::new();
    let mut lines: Vec<usize> = Vec::new();
    let listed = match args.by_hand {
        true => None,
        false => {
            let ids = entries.iter().filter_map(|entry| entry.fide_id);
            by_number(hub, ids.collect()).await?
        }
    };
    if listed.is_none() && !args.by_hand {
        tell!(
            "the hub has no FIDE list (`flagfall fide import FILE`): every player is entered as in the table",
        );
    }
    let enters = args.from.map_or_else(|| now.next_round(), RoundNo);
    for entry in entries {
        if let Some(known) = entered_player(now, entry) {
            tell!(
                "line {}: {} is already player {known}",
                entry.line,
                shown(entry)
            );
            continue;
        }
        let found = match &listed {
            Some((listed, rate)) => matching(hub, entry, listed)
                .await?
                .map(|player| (player, *rate)),
            None => None,
        };
        let mut player = from_entry(entry, enters);
        let said = player.rating;
        let origin = match &found {
            Some((listed, rate)) => {
                fill(&mut player, listed, *rate);
                Origin::FideList
            }
            None => Origin::Table,
        };
        if entry.rating.is_some() {
            player.rating = said;
        }
        if player.name.is_empty() {
            return Err(failed!(
                "{file} is not imported: line {}: FIDE ID {} is not in the hub's FIDE list, and the line has no name: add the name",
                entry.line,
                entry.fide_id.unwrap_or(0)
            ));
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

/// Warns if an earlier line of the table may name the same player. Returns true if the FIDE IDs are equal. An equal name causes only a
/// warning, because two players can share it.
fn is_repeated<'p>(
    line: usize,
    player: &Player,
    earlier: impl Iterator<Item = (&'p Player, &'p usize)>,
) -> bool {
    for (other, before) in earlier {
        match (player.fide_id, other.fide_id) {
            (Some(id), Some(same)) if id == same => {
                tell!(
                    "line {line}: FIDE ID {id}, {}, is already on line {before}: not entered again",
                    other.name
                );
                return true;
            }
            (Some(_), Some(_)) => (),
            _ if is_same_name(&player.name, &other.name) => tell!(
                "line {line}: please check: {} is on line {before} too; if these are two players, add their FIDE IDs",
                player.name
            ),
            _ => (),
        }
    }
    false
}

/// Returns the listed player who matches an entry; `None` if there is no such player, or more than one.
async fn matching(
    hub: &mut Hub,
    entry: &Entry,
    by_number: &BTreeMap<u64, FidePlayer>,
) -> Result<Option<FidePlayer>> {
    let line = entry.line;
    if let Some(id) = entry.fide_id {
        let found = by_number.get(&id);
        match found {
            // The caller refuses the whole table, because the line has no name to enter.
            None if entry.name.is_empty() => (),
            None => tell!("line {line}: FIDE ID {id} is not in the FIDE list: entered as written"),
            Some(listed) if !entry.name.is_empty() && !is_same_name(&entry.name, &listed.name) => {
                tell!(
                    "line {line}: please check: FIDE ID {id} is {}, but the table has {}",
                    listed.name,
                    entry.name
                )
            }
            Some(_) => (),
        }
        return Ok(found.cloned());
    }
    let mut players = of_name(hub, &entry.name, &entry.federation).await?;
    let born = entry
        .birth
        .get(..4)
        .and_then(|year| year.parse::<u32>().ok());
    if let Some(born) = born {
        players.retain(|player| player.birth_year == 0 || player.birth_year == born);
    }
    match players.as_slice() {
        [] => {
            tell!(
                "line {line}: {} is not in the FIDE list: entered as written",
                entry.name
            );
            Ok(None)
        }
        [_] => Ok(players.pop()),
        several => {
            let ids = several.iter().take(5).map(|player| {
                let born = player.birth_year;
                format!("{} ({} {born})", player.fide_id, player.federation)
            });
            let ids: Vec<String> = ids.collect();
            tell!(
                "line {line}: the FIDE list has {} players named {}: entered as written; to choose one, give a FIDE ID: {}",
                several.len(),
                entry.name,
                ids.join(", ")
            );
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

/// Returns the number of the event's player who matches an entry: by FIDE ID if both have one, else by name.
fn entered_player(now: &Now, entry: &Entry) -> Option<PlayerNo> {
    let mut players = now.tournament.players().values();
    let found = players.find(|player| match (entry.fide_id, player.fide_id) {
        (Some(one), Some(other)) => one == other,
        _ => !entry.name.is_empty() && is_same_name(&entry.name, &player.name),
    });
    found.map(|player| player.no)
}

/// Assigns the next numbers to new players. If the event has no players yet, first sorts the new ones by rating, title and name (C.04.2
/// 2.2).
fn number(now: &Now, players: &mut [(Player, Origin)]) -> Result<()> {
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
        false => Err(failed!(
            "player numbers end at {MAX_PLAYER_NO}: there is no room for {} more",
            players.len()
        )),
    }
}

fn show(hub: &Hub, players: &[(Player, Origin)]) -> Result<()> {
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
        say!(
            "{:>4} {:>3} {} {} {rating} {id} ({origin})",
            player.no.0,
            player.title,
            player.name,
            player.federation
        )?;
    }
    Ok(())
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event refresh --dry-run      show what would change
  flagfall event refresh --yes          apply ratings and titles of the newly imported list

Works before round 1 is paired. Ratings (for the event's rate of play) and titles are replaced with those of the list. FIDE ID, federation,
sex and birth are filled in if they are empty. A player without a FIDE ID is matched only if the list has the name exactly once.")]
pub(super) struct RefreshArgs {
    #[command(flatten)]
    consent: Consent,
}

pub(super) async fn refresh(hub: &mut Hub, args: &RefreshArgs) -> Result<()> {
    let now = hub.now().await?;
    if let Some(last) = now.tournament.last_round() {
        return Err(failed!(
            "round {last} is paired: ratings and titles stay as they were when the event began; amend one player with \
             `flagfall event enter --no NUMBER --rating RATING`"
        ));
    }
    let players = now.tournament.players().values();
    let ids = players.filter_map(|player| player.fide_id).collect();
    let Some((listed, rate)) = by_number(hub, ids).await? else {
        return Err(fide::no_list());
    };
    let mut changes = Vec::new();
    for player in now.tournament.players().values() {
        let Some(found) = listed_for(hub, player, &listed).await? else {
            continue;
        };
        let mut renewed = player.clone();
        renew(&mut renewed, &found, rate);
        if renewed != *player {
            say!(
                "player {}, {}: {}",
                player.no,
                player.name,
                differences(player, &renewed)
            )?;
            changes.push(Change::EnterPlayer(Box::new(renewed)));
        }
    }
    if changes.is_empty() {
        return print("every player already agrees with the FIDE list");
    }
    let count = changes.len();
    if !args.consent.to(&format!("Amend {}", these(count)))? {
        return Ok(());
    }
    let words = format!("{} amended", counted(count, "player"));
    hub.apply(&now, "updated from the FIDE list", &changes, &words)
        .await
}

/// Returns the FIDE list's entry for a player of the event: by FIDE ID or, without one, by a name that is unique (in the
/// player's federation, if it is known).
async fn listed_for(
    hub: &mut Hub,
    player: &Player,
    by_number: &BTreeMap<u64, FidePlayer>,
) -> Result<Option<FidePlayer>> {
    if let Some(id) = player.fide_id {
        let found = by_number.get(&id).cloned();
        if found.is_none() {
            tell!(
                "player {}, {}: FIDE ID {id} is not in the list",
                player.no,
                player.name
            );
        }
        return Ok(found);
    }
    let mut found = of_name(hub, &player.name, &player.federation).await?;
    Ok(if found.len() == 1 { found.pop() } else { None })
}

fn differences(before: &Player, after: &Player) -> String {
    let fields = |player: &Player| {
        [
            ("rating", text(player.rating)),
            ("title", player.title.clone()),
            ("FIDE ID", text(player.fide_id)),
            ("federation", player.federation.clone()),
            ("sex", text(player.sex.map(super::enter::sex_letter))),
            ("birth", player.birth.clone()),
        ]
    };
    let shown = |text: String| match text.as_str() {
        "" => "none".to_owned(),
        _ => text,
    };
    let pairs = fields(before).into_iter().zip(fields(after));
    let changed = pairs.filter(|(before, after)| before != after);
    let words = changed
        .map(|((what, before), (_, after))| format!("{what} {} → {}", shown(before), shown(after)));
    words.collect::<Vec<_>>().join(", ")
}
