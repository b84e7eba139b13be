//! Decides whether a file describes the hub's event: same event name, same people under the same numbers. Owns
//! that decision and its error text; must never change anything.

use std::collections::BTreeMap;

use super::item::{DifferenceKind, Item, name};
use crate::formats::draft::{Draft, player_as_written};
use crate::formats::fault::shell_word;
use crate::formats::table::pairings::plain;
use crate::formats::wording::plural;
use crate::{Change, Player, PlayerNo};

/// Maximum number of differing players that the text names; the others are only counted.
const MAX_NAMED: usize = 5;

/// The relation between a file and the hub's event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The same event and the same people.
    Same,
    /// The same people under different numbers, and nothing depends on the numbers yet. Maps each differing
    /// number in the hub's event to the number in the file.
    Renumbered(BTreeMap<PlayerNo, PlayerNo>),
    /// A different event, different people, or numbers that the hub's event cannot adopt.
    Foreign(Box<IdentityMismatch>),
}

/// The reasons why a file is not accepted for this event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentityMismatch {
    /// The names of the hub's event and of the file's event, if they differ.
    pub event: Option<(String, String)>,
    /// Numbers that belong to one person in the hub's event and to a different person in the file.
    pub mismatches: Vec<PlayerMismatch>,
    /// People whose number in the hub's event differs from their number in the file.
    pub renumbered: Vec<Renumbered>,
}

/// A number that belongs to one person in the hub's event and to a different person in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMismatch {
    /// The number that both people have.
    pub no: PlayerNo,
    /// The person in the hub's event: name, and FIDE ID or date of birth if known.
    pub here: String,
    /// The person in the file, described in the same way as `here`.
    pub in_file: String,
}

/// A person whose number in the hub's event differs from the number in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renumbered {
    /// The number in the hub's event.
    pub no: PlayerNo,
    /// The number in the file.
    pub in_file: PlayerNo,
    /// The name.
    pub name: String,
}

impl IdentityMismatch {
    /// Describes the differences and how to proceed. `known` is the name of the hub's event.
    pub fn words(&self, known: &str) -> String {
        let mut differs = Vec::new();
        if let Some((here, in_file)) = &self.event {
            let differ = format!("the event is “{here}” here and “{in_file}” in the file");
            differs.push(differ);
        }
        let mismatches = self.mismatches.iter().map(|other| {
            let PlayerMismatch { no, here, in_file } = other;
            format!("player {no} is {here} here and {in_file} in the file")
        });
        let renumbered = self.renumbered.iter().map(|other| {
            let Renumbered { no, in_file, name } = other;
            format!("player {no}, {name}, has number {in_file} in the file")
        });
        let players: Vec<String> = mismatches.chain(renumbered).collect();
        differs.extend(players.iter().take(MAX_NAMED).cloned());
        if players.len() > MAX_NAMED {
            let more = players.len() - MAX_NAMED;
            differs.push(plural(more, "more player differs", "more players differ"));
        }
        format!(
            "{}: {}.{} To open the file as a separate event and keep this one: \
             `flagfall event open FILE --set-aside {}`",
            self.what(),
            differs.join("; "),
            self.same_event(),
            shell_word(known)
        )
    }

    fn what(&self) -> &'static str {
        match self.event.is_none() && self.mismatches.is_empty() {
            true => "the file numbers players differently",
            false => "the file is about a different event",
        }
    }

    fn same_event(&self) -> String {
        let mut ways = Vec::new();
        if let Some((_, in_file)) = &self.event {
            ways.push(format!(
                "rename the event here: `flagfall event set --name {}`",
                shell_word(in_file)
            ));
        }
        if !self.mismatches.is_empty() {
            ways.push(
                "amend the players here first: `flagfall event enter NAME --no NUMBER`".to_owned(),
            );
        }
        if !self.renumbered.is_empty() {
            ways.push(
                "give the players the numbers they have here (`flagfall event export` writes them)"
                    .to_owned(),
            );
        }
        format!(" If it is the same event, {}.", ways.join(" and "))
    }
}

/// Decides whether a file is about the known event.
///
/// People are identified by FIDE ID if both have one, otherwise by name and a date of birth that does not conflict. A
/// differently spelled name is an amendment only if the FIDE ID or the full date of birth matches. A different FIDE ID
/// is a correction if the name and the full date of birth match.
pub fn identity(known: &Draft, file: &Draft) -> Identity {
    let mut foreign = IdentityMismatch {
        event: other_event(known, file),
        ..IdentityMismatch::default()
    };
    let mut numbers = BTreeMap::new();
    for (no, player) in &known.players {
        let in_file = file.players.get(no);
        if in_file.is_some_and(|other| same_person(player, other)) {
            continue;
        }
        if let Some(other) = number_in_file(known, file, player) {
            numbers.insert(*no, other);
        } else if let Some(other) = in_file {
            foreign.mismatches.push(PlayerMismatch {
                no: *no,
                here: person(player),
                in_file: person(other),
            });
        }
    }
    let same = foreign.event.is_none() && foreign.mismatches.is_empty();
    if same && numbers.is_empty() {
        return Identity::Same;
    }
    if same && known.rounds.is_empty() && !names_players(known) && all_free(known, &numbers) {
        return Identity::Renumbered(numbers);
    }
    let renumbered = numbers.into_iter().map(|(no, in_file)| Renumbered {
        no,
        in_file,
        name: name(known, Some(no)),
    });
    foreign.renumbered = renumbered.collect();
    Identity::Foreign(Box::new(foreign))
}

pub(super) fn renumber(known: &Draft, numbers: &BTreeMap<PlayerNo, PlayerNo>) -> (Draft, Item) {
    let mut renumbered = known.clone();
    renumbered.players.retain(|no, _| !numbers.contains_key(no));
    let mut changes: Vec<Change> = numbers.keys().copied().map(Change::RemovePlayer).collect();
    let mut words = "Players get the numbers they have in the file:".to_owned();
    for (from, to) in numbers {
        let Some(player) = known.players.get(from) else {
            continue;
        };
        let player = Player {
            no: *to,
            ..player.clone()
        };
        words += &format!("\n  {from} {} is {to}", player.name);
        changes.push(Change::EnterPlayer(Box::new(player.clone())));
        renumbered.players.insert(*to, player);
    }
    let item = Item {
        kind: DifferenceKind::ChangedPlayer,
        words,
        changes,
    };
    (renumbered, item)
}

fn names_players(known: &Draft) -> bool {
    let event = &known.event;
    !(known.teams.is_empty()
        && event.forbidden.is_empty()
        && event.accelerations.is_empty()
        && event.abnormal_points.is_empty())
}

fn all_free(known: &Draft, numbers: &BTreeMap<PlayerNo, PlayerNo>) -> bool {
    let mut taken = numbers.values();
    taken.all(|no| numbers.contains_key(no) || !known.players.contains_key(no))
}

fn other_event(known: &Draft, file: &Draft) -> Option<(String, String)> {
    let (here, in_file) = (known.event.name.trim(), file.event.name.trim());
    let differ = !here.is_empty() && !in_file.is_empty() && !same_text(here, in_file);
    differ.then(|| (here.to_owned(), in_file.to_owned()))
}

/// Returns the player's number in the file if it differs from the number in the hub's event. Returns `None` if that
/// number belongs to the same other person in both.
fn number_in_file(known: &Draft, file: &Draft, player: &Player) -> Option<PlayerNo> {
    let settled = |other: &Player| {
        let here = known.players.get(&other.no);
        here.is_some_and(|here| same_person(here, other))
    };
    let by_id = |other: &&Player| fide_id(player).is_some() && fide_id(other) == fide_id(player);
    let by_name = |other: &&Player| {
        !player.name.trim().is_empty() && same_name(player, other) && same_person(player, other)
    };
    let others = || file.players.values().filter(|other| other.no != player.no);
    let named = || others().filter(by_name).find(|other| !settled(other));
    let found = others().find(by_id).or_else(named)?;
    (!settled(found)).then_some(found.no)
}

fn same_person(here: &Player, in_file: &Player) -> bool {
    let (born, other_born) = (Birth::of(&here.birth), Birth::of(&in_file.birth));
    let same_day = born.is_whole() && born == other_born;
    let named = |here, in_file| {
        let silent = |player: &Player| player.name.trim().is_empty();
        silent(here) || silent(in_file) || same_name(here, in_file)
    };
    match (fide_id(here), fide_id(in_file)) {
        (Some(id), Some(other)) if id == other => true,
        // A different FIDE ID counts as a correction if the name and the full date of birth match.
        (Some(_), Some(_)) => same_day && named(here, in_file),
        (Some(_) | None, Some(_) | None) => {
            born.agrees(other_born) && (same_day || named(here, in_file))
        }
    }
}

fn fide_id(player: &Player) -> Option<u64> {
    player.fide_id.filter(|id| *id > 0)
}

/// Returns true if two names are equal, or one is the other shortened to fit into a report.
fn same_name(here: &Player, in_file: &Player) -> bool {
    let written =
        |one: &Player, other: &Player| same_text(&player_as_written(one).name, &other.name);
    same_text(&here.name, &in_file.name) || written(here, in_file) || written(in_file, here)
}

/// Returns true if two texts have the same words in any order, ignoring case, spaces and punctuation other than hyphens
/// and apostrophes.
fn same_text(one: &str, other: &str) -> bool {
    let (plain_one, plain_other) = (plain(one), plain(other));
    match plain_one.is_empty() && plain_other.is_empty() {
        true => one.trim() == other.trim(),
        false => plain_one == plain_other,
    }
}

/// Year, month and day of birth, each 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Birth([u16; 3]);

impl Birth {
    fn of(text: &str) -> Self {
        let mut birth = Self::default();
        let numbers = text.split(|char: char| !char.is_ascii_digit());
        for (part, number) in birth.0.iter_mut().zip(numbers) {
            *part = number.parse().unwrap_or(0);
        }
        birth
    }

    fn is_whole(self) -> bool {
        self.0.iter().all(|part| *part > 0)
    }

    fn agrees(self, other: Self) -> bool {
        let mut parts = self.0.into_iter().zip(other.0);
        parts.all(|(one, other)| one == 0 || other == 0 || one == other)
    }
}

fn person(player: &Player) -> String {
    match (fide_id(player), player.birth.as_str()) {
        (Some(id), _) => format!("{} (FIDE {id})", player.name),
        (None, "") => player.name.clone(),
        (None, birth) => format!("{} (born {birth})", player.name),
    }
}
