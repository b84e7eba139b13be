//! Remarks on odd pairings that may be intended. Owns the remarks; must never refuse a pairing.

use std::collections::BTreeMap;

use super::entrant;
use crate::formats::draft::{Draft, DraftRound};
use crate::formats::remark::{Entrant, PairingRemark, Remark};
use crate::{Bye, Contest, Forbidden, Pairings, PlayerNo, RoundNo, System, TeamNo};

/// Returns remarks for an arbiter to check before these pairings are announced. They concern players who have
/// withdrawn, have not arrived or have a bye, and forbidden pairs. In a Swiss they also concern repeated pairings and a
/// second pairing-allocated bye (C.04.1).
///
/// `file` supplies earlier rounds that `known` does not have.
pub fn oddities(known: &Draft, file: &Draft, no: RoundNo, pairings: &Pairings) -> Vec<Remark> {
    let boards = pairings.boards.iter();
    let seated = boards
        .flat_map(|pairing| [pairing.white, pairing.black])
        .flatten();
    let mut odd: Vec<PairingRemark> = seated
        .filter_map(|player| away(known, no, player))
        .collect();
    odd.extend(forbidden(known, file, no, pairings));
    if [known.event.system, file.event.system] != [System::Swiss; 2] {
        return odd.into_iter().map(Remark::from).collect();
    }
    let before = Before::new(known, file, no);
    match file.event.contest {
        Contest::Individual => {
            let player = |no: PlayerNo| entrant(known, file, no);
            for pairing in &pairings.boards {
                if let (Some(white), Some(black)) = (pairing.white, pairing.black)
                    && let Some(round) = before.players.get(&both(white, black))
                {
                    odd.push(met([white, black].map(player), *round));
                }
            }
            let byes = pairings.byes.iter().filter(|(_, bye)| allocated(*bye));
            odd.extend(byes.filter_map(|(no, _)| {
                let round = *before.byes.get(no)?;
                let entrant = player(*no);
                Some(PairingRemark::SecondBye { entrant, round })
            }));
        }
        Contest::Teams { .. } => {
            let team = |no: TeamNo| team(known, file, no);
            for (_, paired) in &pairings.matches {
                if let Some(round) = before.teams.get(&both(paired.white, paired.black)) {
                    odd.push(met([paired.white, paired.black].map(team), *round));
                }
            }
            let byes = pairings.team_byes.iter().filter(|(_, bye)| allocated(*bye));
            odd.extend(byes.filter_map(|(no, _)| {
                let round = *before.team_byes.get(no)?;
                let entrant = team(*no);
                Some(PairingRemark::SecondBye { entrant, round })
            }));
        }
    }
    odd.into_iter().map(Remark::from).collect()
}

/// Returns remarks on pairs that the event forbids.
fn forbidden(known: &Draft, file: &Draft, no: RoundNo, pairings: &Pairings) -> Vec<PairingRemark> {
    let remark = |one: u16, other: u16, pair: [Entrant; 2]| {
        let mut events = [&known.event, &file.event].into_iter();
        let rule = events.find_map(|event| event.forbidden_pair(no, one, other))?;
        Some(PairingRemark::ForbiddenPair {
            pair,
            round: no,
            forbidden: Some(rule.rounds).filter(|rounds| *rounds != Forbidden::ALL_ROUNDS),
        })
    };
    match file.event.contest {
        Contest::Individual => {
            let boards = pairings.boards.iter();
            let pairs = boards.filter_map(|pairing| Some((pairing.white?, pairing.black?)));
            let said = pairs.filter_map(|(white, black)| {
                let pair = [white, black].map(|no| entrant(known, file, no));
                remark(white.0, black.0, pair)
            });
            said.collect()
        }
        Contest::Teams { .. } => {
            let said = pairings.matches.iter().filter_map(|(_, paired)| {
                let pair = [paired.white, paired.black].map(|no| team(known, file, no));
                remark(paired.white.0, paired.black.0, pair)
            });
            said.collect()
        }
    }
}

/// Returns a remark if a player is not expected in the round.
fn away(known: &Draft, round: RoundNo, player: PlayerNo) -> Option<PairingRemark> {
    let entered = known.players.get(&player)?;
    let player = Entrant::named(player.0, &entered.name);
    Some(match entered.leaves {
        Some(last) if round > last => PairingRemark::PairedAfterWithdrawal {
            player,
            round,
            last,
        },
        _ if round < entered.enters => PairingRemark::PairedBeforeArrival {
            player,
            round,
            enters: entered.enters,
        },
        Some(_) | None => {
            let of_round = known
                .rounds
                .get(&round)
                .and_then(|paired| paired.byes.get(&entered.no));
            let bye = *entered.byes.get(&round).or(of_round)?;
            PairingRemark::PairedDespiteBye { player, round, bye }
        }
    })
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

fn met(pair: [Entrant; 2], round: RoundNo) -> PairingRemark {
    PairingRemark::MetBefore { pair, round }
}

fn team(known: &Draft, file: &Draft, no: TeamNo) -> Entrant {
    let team = known.teams.get(&no).or_else(|| file.teams.get(&no));
    Entrant::named(no.0, team.map_or("", |team| &team.name))
}
