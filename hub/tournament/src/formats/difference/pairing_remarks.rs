//! Remarks on odd pairings that may be intended. Owns the remarks; must never refuse a pairing.

use std::collections::BTreeMap;

use super::item::entrant;
use crate::formats::draft::{Draft, DraftRound};
use crate::formats::remark::{Entrant, PairingRemark, Remark};
use crate::{
    Bye, Contest, Forbidden, GameResult, Match, Pairing, Pairings, Participant, PlayerNo, RoundNo,
    System,
};

/// Returns remarks for an arbiter to check before these pairings are announced. They concern players who have
/// withdrawn, have not arrived or have a bye, and forbidden pairings. In a Swiss event they also concern repeated pairings
/// and a second pairing-allocated bye (C.04.1).
///
/// `file` supplies earlier rounds that `known` does not have, and additional forbidden pairings.
pub fn pairing_remarks(
    known: &Draft,
    file: &Draft,
    no: RoundNo,
    pairings: &Pairings,
) -> Vec<Remark> {
    let seated = pairings.boards.iter().flat_map(Pairing::players);
    let odd = seated.filter_map(|player| away(known, no, player));
    let mut odd: Vec<PairingRemark> = odd.collect();
    let named = |who: Participant| entrant(known, file, who);
    let pairs = pairs(file.event.contest, pairings);
    odd.extend(pairs.iter().filter_map(|pair| {
        let [one, other] = pair.map(Participant::number);
        let mut events = [&known.event, &file.event].into_iter();
        let rule = events.find_map(|event| event.forbidden_pair(no, one, other))?;
        Some(PairingRemark::ForbiddenPair {
            pair: pair.map(named),
            round: no,
            forbidden: Some(rule.rounds).filter(|rounds| *rounds != Forbidden::ALL_ROUNDS),
        })
    }));
    if [known.event.system, file.event.system] == [System::Swiss; 2] {
        let before = History::new(known, file, no);
        odd.extend(pairs.iter().filter_map(|pair| {
            let round = *before.met.get(&sorted(*pair))?;
            let pair = pair.map(named);
            Some(PairingRemark::MetBefore { pair, round })
        }));
        let byes = allocated_byes(file.event.contest, pairings).into_iter();
        odd.extend(byes.filter_map(|who| {
            let round = *before.byes.get(&who)?;
            let entrant = named(who);
            Some(PairingRemark::SecondBye { entrant, round })
        }));
    }
    odd.into_iter().map(Remark::from).collect()
}

fn pairs(contest: Contest, pairings: &Pairings) -> Vec<[Participant; 2]> {
    let boards = pairings.boards.iter();
    let matches = pairings.matches.iter();
    match contest {
        Contest::Individual => {
            let pairs = boards.filter_map(|at| players(at.white, at.black));
            pairs.collect()
        }
        Contest::Teams { .. } => matches.map(|(_, paired)| teams(paired)).collect(),
    }
}

fn allocated_byes(contest: Contest, pairings: &Pairings) -> Vec<Participant> {
    let given = |bye: Bye| bye == Bye::PairingAllocated;
    match contest {
        Contest::Individual => {
            let byes = pairings.byes.iter().filter(|(_, bye)| given(*bye));
            byes.map(|(no, _)| Participant::Player(*no)).collect()
        }
        Contest::Teams { .. } => {
            let byes = pairings.team_byes.iter().filter(|(_, bye)| given(*bye));
            byes.map(|(no, _)| Participant::Team(*no)).collect()
        }
    }
}

fn players(white: Option<PlayerNo>, black: Option<PlayerNo>) -> Option<[Participant; 2]> {
    Some([white?, black?].map(Participant::Player))
}

fn teams(paired: &Match) -> [Participant; 2] {
    paired.teams().map(Participant::Team)
}

fn sorted(mut pair: [Participant; 2]) -> [Participant; 2] {
    pair.sort_unstable();
    pair
}

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
            let of_round = known.rounds.get(&round);
            let of_round = of_round.and_then(|paired| paired.byes.get(&entered.no));
            let bye = *entered.byes.get(&round).or(of_round)?;
            PairingRemark::PairedDespiteBye { player, round, bye }
        }
    })
}

/// The pairs that have met and the participants who have had a pairing-allocated bye, each with the first round
/// in which that happened.
#[derive(Default)]
struct History {
    met: BTreeMap<[Participant; 2], RoundNo>,
    byes: BTreeMap<Participant, RoundNo>,
}

impl History {
    fn new(known: &Draft, file: &Draft, no: RoundNo) -> Self {
        // Known rounds take precedence over the file's.
        let rounds = file.rounds.range(..no).chain(known.rounds.range(..no));
        let rounds: BTreeMap<&RoundNo, &DraftRound> = rounds.collect();
        let mut before = Self::default();
        for (no, round) in rounds {
            before.add(*no, round);
        }
        before
    }

    fn add(&mut self, no: RoundNo, round: &DraftRound) {
        let boards = round.boards.values();
        let played = boards.filter(|seats| seats.result.is_some_and(GameResult::is_played));
        let games = played.filter_map(|seats| players(seats.white, seats.black));
        let matches = round.matches.values();
        let matches = matches.filter(|paired| paired.forfeit.is_none()).map(teams);
        for pair in games.chain(matches) {
            self.met.entry(sorted(pair)).or_insert(no);
        }
        let of_players = round.byes.iter();
        let of_players = of_players.map(|(player, bye)| (Participant::Player(*player), bye));
        let of_teams = round.team_byes.iter();
        let of_teams = of_teams.map(|(team, bye)| (Participant::Team(*team), bye));
        for (who, bye) in of_players.chain(of_teams) {
            if *bye == Bye::PairingAllocated {
                self.byes.entry(who).or_insert(no);
            }
        }
    }
}
