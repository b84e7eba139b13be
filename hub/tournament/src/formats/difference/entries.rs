//! Compares players and teams: new entries and changed data. Owns the rule for which values of a file replace known
//! ones; must never remove a player or a team.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Difference, DifferenceKind};
use super::words;
use crate::formats::draft::{Draft, player_as_written, team_as_written};
use crate::formats::remark::{Entrant, EventRemark};
use crate::{Change, Player, PlayerNo, Team};

pub(super) fn players(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, player) in &file.players {
        let entered = Player {
            byes: BTreeMap::new(),
            ..player.clone()
        };
        let Some(before) = known.players.get(no) else {
            let words = format!("New player {no}: {}", words::player(player));
            let change = Change::EnterPlayer(Box::new(entered));
            difference.add(DifferenceKind::NewPlayer, words, vec![change]);
            continue;
        };
        let merged = merged(before, &entered);
        if merged != *before {
            let words = words::changed_player(before, &merged);
            let change = Change::EnterPlayer(Box::new(merged));
            difference.add(DifferenceKind::ChangedPlayer, words, vec![change]);
        }
    }
}

/// Returns the known player with the file's data. A known value stays if the file leaves it out or only abbreviates it.
fn merged(before: &Player, file: &Player) -> Player {
    let merged = replaced(before, file, before);
    match merged == *before {
        true => merged,
        // Rendering a player as in a report is slow, so only players who differ are rendered.
        false => replaced(before, file, &player_as_written(before)),
    }
}

/// Returns the file's text, or the known text if the file adds nothing. It adds nothing if its text is empty or equals
/// `written`, the known text as a report shows it.
fn text(said: &str, written: &str, before: &str) -> String {
    let known = said.is_empty() || said == written;
    if known { before } else { said }.to_owned()
}

fn number<T: PartialEq>(said: Option<T>, written: Option<T>, before: Option<T>) -> Option<T> {
    match said == written {
        true => before,
        false => said.or(before),
    }
}

fn replaced(before: &Player, file: &Player, written: &Player) -> Player {
    let text = |of: fn(&Player) -> &String| text(of(file), of(written), of(before));
    Player {
        no: before.no,
        name: text(|player| &player.name),
        sex: file.sex.or(before.sex),
        title: text(|player| &player.title),
        rating: number(file.rating, written.rating, before.rating),
        federation: text(|player| &player.federation),
        fide_id: number(file.fide_id, written.fide_id, before.fide_id),
        birth: text(|player| &player.birth),
        enters: before.enters,
        leaves: before.leaves,
        byes: before.byes.clone(),
        club: before.club.clone(),
        kept_lines: before.kept_lines.clone(),
    }
}

pub(super) fn teams(known: &Draft, file: &Draft, difference: &mut Difference) {
    let in_file = file.teams.values();
    let in_file = in_file.flat_map(|team| team.players.iter().copied());
    let in_file: BTreeSet<PlayerNo> = in_file.collect();
    for (no, team) in &file.teams {
        let before = known.teams.get(no);
        let merged = match before {
            None => team.clone(),
            Some(before) => merged_team(before, team, &in_file),
        };
        if before == Some(&merged) {
            continue;
        }
        let words = match before {
            None => format!("New team {no}: {}", team.name),
            Some(before) if before.players != merged.players => {
                let name = &merged.name;
                format!("Team {no}, {name}: different players or board order")
            }
            Some(before) if before.name == merged.name => {
                let (name, short) = (&merged.name, &merged.short_name);
                match before.short_name.as_str() {
                    "" => format!("Team {no}, {name}: the short name is now {short}"),
                    old => format!("Team {no}, {name}: the short name {old} is now {short}"),
                }
            }
            Some(before) => format!("Team {no}: {} is now {}", before.name, merged.name),
        };
        difference.add(
            DifferenceKind::Team,
            words,
            vec![Change::EnterTeam(Box::new(merged))],
        );
    }
}

/// Returns the known team with the file's data. Known members whom the file does not list in any team follow the file's
/// members.
fn merged_team(before: &Team, file: &Team, in_file: &BTreeSet<PlayerNo>) -> Team {
    let written = team_as_written(before);
    let others = before.players.iter().filter(|no| !in_file.contains(no));
    Team {
        no: before.no,
        name: text(&file.name, &written.name, &before.name),
        short_name: text(&file.short_name, &written.short_name, &before.short_name),
        federation: before.federation.clone(),
        players: file.players.iter().chain(others).copied().collect(),
    }
}

/// Adds a remark on active players who are missing from the file: they were entered at the hub, or the file is older.
pub(super) fn missing(known: &Draft, file: &Draft, difference: &mut Difference) {
    let missing = known.players.values();
    let missing =
        missing.filter(|player| !file.players.contains_key(&player.no) && player.leaves.is_none());
    let missing = missing.map(|player| Entrant::named(player.no.0, &player.name));
    let missing: Vec<Entrant> = missing.collect();
    if !missing.is_empty() {
        let remark = EventRemark::MissingPlayers(missing);
        difference.remarks.push(remark.into());
    }
}
