//! The sentences of a difference.

use timing::Side;

use super::item::name;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::wording::{first_of, joined, kind_of_bye, plural, shown};
use crate::{BoardNo, Bye, Event, GameResult, Match, Player, PlayerNo, RoundNo, TeamNo};

pub(super) fn event(before: &Event, after: &Event) -> String {
    let mut changed = changes([before, after].map(|event| {
        [
            ("name", event.name.clone()),
            ("city", event.city.clone()),
            ("federation", event.federation.clone()),
            ("start", shown(event.starts)),
            ("end", shown(event.ends)),
            ("chief arbiter", event.chief_arbiter.clone()),
            ("deputies", event.deputies.join("; ")),
            ("time control", event.time_control.clone()),
            ("encoded time control", event.time_control_code.clone()),
            ("type", event.type_text.clone()),
            ("encoded type", event.type_code.clone()),
            ("rounds", event.rounds.to_string()),
            ("tie-breaks", joined(&event.tie_breaks, ",")),
        ]
    }));
    changed.extend(others(before, after).into_iter().map(str::to_owned));
    if changed.is_empty() {
        changed.push("records read only by other programs".to_owned());
    }
    format!("The event: {}", changed.join(", "))
}

/// Names the changed data whose values the sentence does not give.
fn others(before: &Event, after: &Event) -> Vec<&'static str> {
    let mut words = Vec::new();
    if (before.scoring, before.match_scoring) != (after.scoring, after.match_scoring) {
        words.push("different points for results");
    }
    if before.round_dates != after.round_dates {
        words.push("different round dates");
    }
    if (before.system, before.contest) != (after.system, after.contest) {
        words.push("different system");
    }
    if before.initial_colour != after.initial_colour {
        words.push("different first colour");
    }
    if before.forbidden != after.forbidden {
        words.push("different forbidden pairings");
    }
    if before.accelerations != after.accelerations {
        words.push("different acceleration");
    }
    if before.abnormal_points != after.abnormal_points {
        words.push("different bonuses, penalties or points for single results");
    }
    if before.team_bye_points != after.team_bye_points {
        words.push("different points for a team's bye");
    }
    words
}

fn changes<const N: usize>([before, after]: [[(&str, String); N]; 2]) -> Vec<String> {
    let shown = |text: String| match text.as_str() {
        "" => "none".to_owned(),
        _ => text,
    };
    let pairs = before.into_iter().zip(after);
    let differ = pairs.filter(|((_, before), (_, after))| before != after);
    differ
        .map(|((what, before), (_, after))| format!("{what} {} → {}", shown(before), shown(after)))
        .collect()
}

pub(super) fn player(player: &Player) -> String {
    let mut words = vec![player.name.clone()];
    words.extend(Some(player.title.clone()).filter(|title| !title.is_empty()));
    words.extend(player.rating.map(|rating| rating.to_string()));
    words.extend(Some(player.federation.clone()).filter(|code| !code.is_empty()));
    words.join(", ")
}

pub(super) fn changed_player(before: &Player, after: &Player) -> String {
    let mut changed = changes([before, after].map(|player| {
        [
            ("name", player.name.clone()),
            ("title", player.title.clone()),
            ("rating", shown(player.rating)),
            ("federation", player.federation.clone()),
            ("FIDE ID", shown(player.fide_id)),
            ("birth", player.birth.clone()),
        ]
    }));
    if before.sex != after.sex {
        changed.push("sex".to_owned());
    }
    let (no, name) = (before.no, &before.name);
    format!("Player {no}, {name}: {}", changed.join(", "))
}

pub(super) fn new_round(file: &Draft, no: RoundNo, round: &DraftRound) -> String {
    let boards = count(round.boards.len(), "board");
    let mut words = format!("Round {no} is paired: {boards}");
    if !round.matches.is_empty() {
        words += " in ";
        words += &plural(round.matches.len(), "match", "matches");
    }
    let seats = round.boards.values();
    let results = seats.filter(|seats| seats.result.is_some()).count();
    for (number, what) in [(round.byes.len(), "bye"), (results, "result")] {
        if number > 0 {
            words += ", ";
            words += &count(number, what);
        }
    }
    words += &lines(file, &round.boards);
    for (team, bye) in &round.team_byes {
        let (name, bye) = (team_name(file, *team), kind_of_bye(*bye));
        words += &format!("\n  team {team} {name}: {bye}");
    }
    words
}

pub(super) fn changed_round(
    file: &Draft,
    no: RoundNo,
    before: &DraftRound,
    after: &DraftRound,
) -> String {
    let fresh = after.boards.iter();
    let fresh = fresh.filter(|(_, seats)| before.board_with(seats.pair()).is_none());
    format!("Round {no} is paired differently:{}", lines(file, fresh))
}

pub(super) fn removed_boards<'r>(
    known: &Draft,
    no: RoundNo,
    removed: impl Iterator<Item = (&'r BoardNo, &'r Seats)>,
) -> String {
    let removed: Vec<_> = removed.collect();
    let pairings = count(removed.len(), "pairing");
    format!("Round {no}: {pairings} removed:{}", lines(known, removed))
}

pub(super) fn other_pairings_gone(removed: usize) -> String {
    if removed == 0 {
        return String::new();
    }
    let pairings = count(removed, "pairing");
    format!("\n  {pairings} already in the event would be removed")
}

pub(super) fn more_boards(file: &Draft, no: RoundNo, late: &DraftRound) -> String {
    let boards = count(late.boards.len(), "board");
    format!("Round {no}: {boards} added:{}", lines(file, &late.boards))
}

pub(super) fn left_over(names: Vec<String>, one: &str, many: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    let (have, names) = (plural(names.len(), one, many), first_of(names.into_iter()));
    format!("\n  {have} no opponent and no bye: {names}")
}

pub(super) fn result(
    file: &Draft,
    no: RoundNo,
    board: BoardNo,
    before: &Seats,
    after: GameResult,
) -> String {
    let was = match before.result {
        Some(result) => format!(" (was {})", result.label()),
        None => String::new(),
    };
    let (pair, label) = (pair(file, before), after.label());
    format!("Round {no}, board {board}, {pair}: {label}{was}")
}

pub(super) fn forfeit(
    file: &Draft,
    no: RoundNo,
    paired: &Match,
    forfeit: Option<Option<Side>>,
) -> String {
    let [white, black] = paired.teams().map(|team| team_name(file, team));
    let what = match forfeit {
        None => "is no longer forfeited".to_owned(),
        Some(None) => "is forfeited by both teams".to_owned(),
        Some(Some(Side::White)) => format!("is won by {white} by forfeit"),
        Some(Some(Side::Black)) => format!("is won by {black} by forfeit"),
    };
    format!("Round {no}: {white} – {black} {what}")
}

pub(super) fn bye(file: &Draft, no: RoundNo, player: PlayerNo, bye: Bye) -> String {
    let what = kind_of_bye(bye);
    format!("Round {no}, {}: {what}", name(file, Some(player)))
}

fn team_name(file: &Draft, team: TeamNo) -> &str {
    file.teams.get(&team).map_or("", |team| &team.name)
}

fn lines<'r>(draft: &Draft, boards: impl IntoIterator<Item = (&'r BoardNo, &'r Seats)>) -> String {
    let boards = boards.into_iter();
    boards
        .map(|(board, seats)| format!("\n  {board}: {}", pair(draft, seats)))
        .collect()
}

fn pair(file: &Draft, seats: &Seats) -> String {
    format!("{} – {}", name(file, seats.white), name(file, seats.black))
}

fn count(number: usize, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}
