//! The sentences of a difference. Owns the wording only.

use timing::Side;

use super::name;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::{BoardNo, Bye, Event, GameResult, Match, Player, PlayerNo, RoundNo};

/// Describes the changed fields of an event.
pub(super) fn event(before: &Event, after: &Event) -> String {
    let mut changed = Vec::new();
    let mut compare = |what: &str, before: String, after: String| {
        if before != after {
            changed.push(arrow(what, &before, &after));
        }
    };
    compare("name", before.name.clone(), after.name.clone());
    compare("city", before.city.clone(), after.city.clone());
    compare(
        "federation",
        before.federation.clone(),
        after.federation.clone(),
    );
    let day = |event: &Event, start: bool| {
        let date = if start { event.starts } else { event.ends };
        date.map(|date| date.to_string()).unwrap_or_default()
    };
    compare("start", day(before, true), day(after, true));
    compare("end", day(before, false), day(after, false));
    compare(
        "chief arbiter",
        before.chief_arbiter.clone(),
        after.chief_arbiter.clone(),
    );
    compare(
        "deputies",
        before.deputies.join("; "),
        after.deputies.join("; "),
    );
    compare(
        "time control",
        before.time_control.clone(),
        after.time_control.clone(),
    );
    compare(
        "encoded time control",
        before.time_control_code.clone(),
        after.time_control_code.clone(),
    );
    compare("type", before.type_text.clone(), after.type_text.clone());
    compare(
        "encoded type",
        before.type_code.clone(),
        after.type_code.clone(),
    );
    compare(
        "rounds",
        before.rounds.to_string(),
        after.rounds.to_string(),
    );
    let codes = |event: &Event| {
        let codes: Vec<String> = event.tie_breaks.iter().map(ToString::to_string).collect();
        codes.join(",")
    };
    compare("tie-breaks", codes(before), codes(after));
    changed.extend(others(before, after).map(str::to_owned));
    if changed.is_empty() {
        changed.push("records read only by other programs".to_owned());
    }
    format!("The event: {}", changed.join(", "))
}

/// Returns the changes of an event that are too long to spell out.
fn others(before: &Event, after: &Event) -> impl Iterator<Item = &'static str> {
    let mut changed = Vec::new();
    if before.scoring != after.scoring || before.match_scoring != after.match_scoring {
        changed.push("different points for results");
    }
    if before.round_dates != after.round_dates {
        changed.push("different round dates");
    }
    if (before.system, before.contest) != (after.system, after.contest) {
        changed.push("different system");
    }
    if before.initial_colour != after.initial_colour {
        changed.push("different first colour");
    }
    if before.forbidden != after.forbidden {
        changed.push("different forbidden pairs");
    }
    if before.accelerations != after.accelerations {
        changed.push("different acceleration");
    }
    if before.abnormal_points != after.abnormal_points {
        changed.push("different bonuses, penalties or points for single results");
    }
    if before.team_bye_points != after.team_bye_points {
        changed.push("different points for a team's bye");
    }
    changed.into_iter()
}

/// Describes a player by name, title, rating and federation.
pub(super) fn player(player: &Player) -> String {
    let mut words = vec![player.name.clone()];
    words.extend(Some(player.title.clone()).filter(|title| !title.is_empty()));
    words.extend(player.rating.map(|rating| rating.to_string()));
    words.extend(Some(player.federation.clone()).filter(|code| !code.is_empty()));
    words.join(", ")
}

/// Describes a player's changes.
pub(super) fn changed_player(before: &Player, after: &Player) -> String {
    let mut changed = Vec::new();
    let mut compare = |what: &str, before: String, after: String| {
        if before != after {
            changed.push(arrow(what, &before, &after));
        }
    };
    let shown = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    compare("name", before.name.clone(), after.name.clone());
    compare("title", before.title.clone(), after.title.clone());
    compare(
        "rating",
        shown(before.rating.map(u64::from)),
        shown(after.rating.map(u64::from)),
    );
    compare(
        "federation",
        before.federation.clone(),
        after.federation.clone(),
    );
    compare("FIDE ID", shown(before.fide_id), shown(after.fide_id));
    compare("birth", before.birth.clone(), after.birth.clone());
    if before.sex != after.sex {
        changed.push("sex".to_owned());
    }
    format!(
        "Player {}, {}: {}",
        before.no,
        before.name,
        changed.join(", ")
    )
}

/// Describes a new round.
pub(super) fn new_round(file: &Draft, no: RoundNo, round: &DraftRound) -> String {
    let results = round
        .boards
        .values()
        .filter(|seats| seats.result.is_some())
        .count();
    let mut words = format!(
        "Round {no} is paired: {}",
        count(round.boards.len(), "board")
    );
    if !round.matches.is_empty() {
        words.push_str(&format!(
            " in {}",
            plural(round.matches.len(), "match", "matches")
        ));
    }
    if !round.byes.is_empty() {
        words.push_str(&format!(", {}", count(round.byes.len(), "bye")));
    }
    if results > 0 {
        words.push_str(&format!(", {}", count(results, "result")));
    }
    for (board, seats) in &round.boards {
        words.push_str(&format!("\n  {board}: {}", pair(file, seats)));
    }
    for (team, bye) in &round.team_byes {
        let name = file.teams.get(team).map_or("", |team| team.name.as_str());
        words.push_str(&format!("\n  team {team} {name}: {}", kind_of_bye(*bye)));
    }
    words
}

/// Describes the new pairings of a round that is paired differently.
pub(super) fn changed_round(
    file: &Draft,
    no: RoundNo,
    before: &DraftRound,
    after: &DraftRound,
) -> String {
    let known = |seats: &Seats| {
        let same = |other: &&Seats| (other.white, other.black) == (seats.white, seats.black);
        before.boards.values().find(same).is_some()
    };
    let mut words = format!("Round {no} is paired differently:");
    for (board, seats) in after.boards.iter().filter(|(_, seats)| !known(seats)) {
        words.push_str(&format!("\n  {board}: {}", pair(file, seats)));
    }
    words
}

/// Describes the boards that disappear from a round, with their players.
pub(super) fn removed_boards<'r>(
    known: &Draft,
    no: RoundNo,
    removed: impl Iterator<Item = (&'r BoardNo, &'r Seats)>,
) -> String {
    let lines: Vec<String> = removed
        .map(|(board, seats)| format!("\n  {board}: {}", pair(known, seats)))
        .collect();
    format!(
        "Round {no} loses {}:{}",
        count(lines.len(), "pairing"),
        lines.concat()
    )
}

/// Returns a line about the pairings that disappear when a whole round is paired again.
pub(super) fn other_pairings_gone(removed: usize) -> String {
    match removed {
        0 => String::new(),
        removed => format!(
            "\n  {} already known would be gone",
            count(removed, "pairing")
        ),
    }
}

/// Describes the boards added to an announced round.
pub(super) fn more_boards(file: &Draft, no: RoundNo, late: &DraftRound) -> String {
    let mut words = format!("Round {no} has {} more:", count(late.boards.len(), "board"));
    for (board, seats) in &late.boards {
        words.push_str(&format!("\n  {board}: {}", pair(file, seats)));
    }
    words
}

/// Returns a line about participants without an opponent, to follow the boards; empty if there are none.
pub(super) fn left_over(names: Vec<String>, one: &str, many: &str) -> String {
    match names.len() {
        0 => String::new(),
        left => format!(
            "\n  {} no opponent and no bye: {}",
            plural(left, one, many),
            first_of(names.into_iter())
        ),
    }
}

/// Describes a result and the one it replaces.
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
    format!(
        "Round {no}, board {board}, {}: {}{was}",
        pair(file, before),
        after.label()
    )
}

/// Describes a match that is forfeited, or no longer forfeited.
pub(super) fn forfeit(
    file: &Draft,
    no: RoundNo,
    paired: &Match,
    forfeit: Option<Option<Side>>,
) -> String {
    let team = |no| {
        file.teams
            .get(&no)
            .map_or(String::new(), |team| team.name.clone())
    };
    let (white, black) = (team(paired.white), team(paired.black));
    let what = match forfeit {
        None => "is no longer forfeited".to_owned(),
        Some(None) => "is forfeited by both teams".to_owned(),
        Some(Some(Side::White)) => format!("is won by {white} by forfeit"),
        Some(Some(Side::Black)) => format!("is won by {black} by forfeit"),
    };
    format!("Round {no}: {white} – {black} {what}")
}

/// Describes a player's bye.
pub(super) fn bye(file: &Draft, no: RoundNo, player: PlayerNo, bye: Option<Bye>) -> String {
    let what = bye.map_or("no longer a bye", kind_of_bye);
    format!("Round {no}, {}: {what}", name(file, Some(player)))
}

/// Returns the name of a bye.
pub(in crate::formats) const fn kind_of_bye(bye: Bye) -> &'static str {
    match bye {
        Bye::Full => "full-point bye",
        Bye::Half => "half-point bye",
        Bye::Zero => "absent",
        Bye::PairingAllocated => "pairing-allocated bye",
    }
}

/// Returns the first five names.
pub(in crate::formats) fn first_of(mut names: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = names.by_ref().take(5).collect();
    let more = match names.next() {
        Some(_) => " …",
        None => "",
    };
    first.join("; ") + more
}

fn pair(file: &Draft, seats: &Seats) -> String {
    format!("{} – {}", name(file, seats.white), name(file, seats.black))
}

fn arrow(what: &str, before: &str, after: &str) -> String {
    let shown = |text: &str| {
        if text.is_empty() {
            "none".to_owned()
        } else {
            text.to_owned()
        }
    };
    format!("{what} {} → {}", shown(before), shown(after))
}

fn count(number: usize, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

pub(in crate::formats) fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
