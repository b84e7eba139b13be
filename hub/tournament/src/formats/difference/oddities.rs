//! Remarks on odd pairings that may be intended. Owns the remarks; must never refuse a pairing.

use std::collections::BTreeMap;

use super::words;
use crate::formats::draft::{Draft, DraftRound};
use crate::{Bye, Contest, Forbidden, Pairings, PlayerNo, RoundNo, System, TeamNo};

/// Returns remarks for an arbiter to check before these pairings are announced. They concern players who have
/// withdrawn, have not arrived or have a bye, and forbidden pairs. In a Swiss they also concern repeated pairings and a
/// second pairing-allocated bye (C.04.1).
///
/// `file` supplies earlier rounds that `known` does not have.
pub fn oddities(known: &Draft, file: &Draft, no: RoundNo, pairings: &Pairings) -> Vec<String> {
    let boards = pairings.boards.iter();
    let seated = boards
        .flat_map(|pairing| [pairing.white, pairing.black])
        .flatten();
    let mut odd: Vec<String> = seated
        .filter_map(|player| away(known, no, player))
        .collect();
    odd.extend(forbidden(known, file, no, pairings));
    if [known.event.system, file.event.system] != [System::Swiss; 2] {
        return odd;
    }
    let before = Before::new(known, file, no);
    match file.event.contest {
        Contest::Individual => {
            let name = |no: PlayerNo| named(known, file, no);
            for pairing in &pairings.boards {
                if let (Some(white), Some(black)) = (pairing.white, pairing.black)
                    && let Some(round) = before.players.get(&both(white, black))
                {
                    odd.push(met(&name(white), &name(black), *round));
                }
            }
            let byes = pairings.byes.iter().filter(|(_, bye)| allocated(*bye));
            let again = byes.filter_map(|(no, _)| Some((name(*no), before.byes.get(no)?)));
            odd.extend(again.map(|(name, round)| second_bye(&name, *round)));
        }
        Contest::Teams { .. } => {
            let name = |no: TeamNo| team(known, file, no);
            for (_, paired) in &pairings.matches {
                if let Some(round) = before.teams.get(&both(paired.white, paired.black)) {
                    odd.push(met(&name(paired.white), &name(paired.black), *round));
                }
            }
            let byes = pairings.team_byes.iter().filter(|(_, bye)| allocated(*bye));
            let again = byes.filter_map(|(no, _)| Some((name(*no), before.team_byes.get(no)?)));
            odd.extend(again.map(|(name, round)| second_bye(&name, *round)));
        }
    }
    odd
}

/// Returns remarks on pairs that the event forbids.
fn forbidden(known: &Draft, file: &Draft, no: RoundNo, pairings: &Pairings) -> Vec<String> {
    let words = |one: u16, other: u16, names: [String; 2]| {
        let mut events = [&known.event, &file.event].into_iter();
        let rule = events.find_map(|event| event.forbidden_pair(no, one, other))?;
        let rounds = match rule.rounds {
            Forbidden::ALL_ROUNDS => String::new(),
            (first, last) => format!(" in rounds {first} to {last}"),
        };
        let [one, other] = names;
        Some(format!(
            "{one} and {other} are paired in round {no}, but the event forbids them to meet{rounds}"
        ))
    };
    match file.event.contest {
        Contest::Individual => {
            let boards = pairings.boards.iter();
            let pairs = boards.filter_map(|pairing| Some((pairing.white?, pairing.black?)));
            let said = pairs.filter_map(|(white, black)| {
                let names = [white, black].map(|no| named(known, file, no));
                words(white.0, black.0, names)
            });
            said.collect()
        }
        Contest::Teams { .. } => {
            let said = pairings.matches.iter().filter_map(|(_, paired)| {
                let names = [paired.white, paired.black].map(|no| team(known, file, no));
                words(paired.white.0, paired.black.0, names)
            });
            said.collect()
        }
    }
}

/// Returns a remark if a player is not expected in the round.
fn away(known: &Draft, no: RoundNo, player: PlayerNo) -> Option<String> {
    let entered = known.players.get(&player)?;
    let why = match entered.leaves {
        Some(last) if no > last => format!("has withdrawn after round {last}"),
        _ if no < entered.enters => format!("arrives only for round {}", entered.enters),
        Some(_) | None => {
            let of_round = known
                .rounds
                .get(&no)
                .and_then(|round| round.byes.get(&player));
            let bye = entered.byes.get(&no).or(of_round)?;
            format!("has a bye in it: {}", words::kind_of_bye(*bye))
        }
    };
    Some(format!(
        "{player} {} is paired in round {no} but {why}",
        entered.name
    ))
}

/// Opponents met and pairing-allocated byes before a round, each with its first round.
struct Before {
    players: BTreeMap<(PlayerNo, PlayerNo), RoundNo>,
    byes: BTreeMap<PlayerNo, RoundNo>,
    teams: BTreeMap<(TeamNo, TeamNo), RoundNo>,
    team_byes: BTreeMap<TeamNo, RoundNo>,
}

impl Before {
    fn new(known: &Draft, file: &Draft, no: RoundNo) -> Self {
        let mut rounds: BTreeMap<RoundNo, &DraftRound> = BTreeMap::new();
        // Known rounds take precedence over the file's.
        rounds.extend(file.rounds.range(..no).map(|(no, round)| (*no, round)));
        rounds.extend(known.rounds.range(..no).map(|(no, round)| (*no, round)));
        let mut before = Self {
            players: BTreeMap::new(),
            byes: BTreeMap::new(),
            teams: BTreeMap::new(),
            team_byes: BTreeMap::new(),
        };
        for (no, round) in rounds {
            before.add(no, round);
        }
        before
    }

    fn add(&mut self, no: RoundNo, round: &DraftRound) {
        for seats in round.boards.values() {
            let played = seats.result.is_some_and(|result| result.is_played());
            if let (Some(white), Some(black), true) = (seats.white, seats.black, played) {
                self.players.entry(both(white, black)).or_insert(no);
            }
        }
        for (player, _) in round.byes.iter().filter(|(_, bye)| allocated(**bye)) {
            self.byes.entry(*player).or_insert(no);
        }
        for paired in round
            .matches
            .values()
            .filter(|paired| paired.forfeit.is_none())
        {
            self.teams
                .entry(both(paired.white, paired.black))
                .or_insert(no);
        }
        for (team, _) in round.team_byes.iter().filter(|(_, bye)| allocated(**bye)) {
            self.team_byes.entry(*team).or_insert(no);
        }
    }
}

fn both<T: Ord>(one: T, other: T) -> (T, T) {
    if one < other {
        (one, other)
    } else {
        (other, one)
    }
}

fn allocated(bye: Bye) -> bool {
    bye == Bye::PairingAllocated
}

fn met(one: &str, other: &str, round: RoundNo) -> String {
    format!("{one} and {other} have played each other in round {round}")
}

fn second_bye(name: &str, round: RoundNo) -> String {
    format!("{name} already had the pairing-allocated bye in round {round}")
}

fn named(known: &Draft, file: &Draft, no: PlayerNo) -> String {
    match known.players.get(&no).or_else(|| file.players.get(&no)) {
        Some(player) => format!("{no} {}", player.name),
        None => no.to_string(),
    }
}

fn team(known: &Draft, file: &Draft, no: TeamNo) -> String {
    match known.teams.get(&no).or_else(|| file.teams.get(&no)) {
        Some(team) => format!("{no} {}", team.name),
        None => no.to_string(),
    }
}
