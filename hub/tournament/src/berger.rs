//! Round robins: Berger tables (FIDE C.05, annex 1) for one or more cycles, with colours.
//!
//! Owns the rule that generates the tables for any number of players, the pairing of a round by the table, and the
//! teams' line-ups. Must never know results.

use crate::standings::explain::name;
use crate::{
    BoardNo, Bye, Change, Conflict, Contest, Invalid, Match, MatchNo, Pairing, Pairings,
    Participant, PlayerNo, Refusal, RoundNo, System, TeamNo, Tournament,
};

/// Returns the rounds of a round robin, each a list of (White, Black) in board order, with players numbered from 1.
///
/// With an odd number of players, the opponent of the missing last player has no game. Every second cycle reverses the
/// colours. With several cycles of more than two rounds, the last two rounds of the first cycle are exchanged. This
/// avoids the same colour three times in a row where the second cycle begins.
#[must_use]
pub fn rounds(players: u16, cycles: u8) -> Vec<Vec<(PlayerNo, PlayerNo)>> {
    let once: Vec<_> = (0..table_rounds(players))
        .map(|round| table(players, round))
        .collect();
    let mut all = Vec::with_capacity(once.len() * usize::from(cycles));
    for cycle in 0..cycles {
        let mut of_cycle = once.clone();
        if cycle % 2 == 1 {
            for (white, black) in of_cycle.iter_mut().flatten() {
                std::mem::swap(white, black);
            }
        }
        all.extend(of_cycle);
    }
    if cycles > 1 && once.len() > 2 {
        all.swap(once.len() - 2, once.len() - 1);
    }
    all
}

const fn table_size(players: u16) -> u16 {
    players + players % 2
}

/// Returns the number of rounds in which every player meets every other player once.
pub(crate) const fn table_rounds(players: u16) -> u16 {
    match players {
        0 | 1 => 0,
        _ => table_size(players) - 1,
    }
}

/// Returns one round of the table; rounds are numbered from 0.
fn table(players: u16, round: u16) -> Vec<(PlayerNo, PlayerNo)> {
    let last = table_size(players);
    let ring = last - 1;
    // Ring index of the last player's opponent. In successive rounds, this opponent is player 1, n/2 + 1, 2, n/2 + 2,
    // …, where n is the number of the last player.
    let first = u32::from(round) * u32::from(last / 2) % u32::from(ring);
    let seat = |offset: u32| {
        let place = (first + offset) % u32::from(ring);
        PlayerNo(u16::try_from(place + 1).unwrap_or(u16::MAX))
    };
    let mut pairs = Vec::with_capacity(usize::from(last / 2));
    // The last player has White in even-numbered rounds, counted from 1.
    let top = if round.is_multiple_of(2) {
        (seat(0), PlayerNo(last))
    } else {
        (PlayerNo(last), seat(0))
    };
    if last == players {
        pairs.push(top);
    }
    for offset in 1..u32::from(last / 2) {
        pairs.push((seat(offset), seat(u32::from(ring) - offset)));
    }
    pairs
}

impl Tournament {
    /// Returns the change that pairs a round of a round robin by the Berger table. Players or teams take their places
    /// in the table in the order of their numbers. Withdrawn players keep their places.
    ///
    /// # Errors
    /// Returns an error if the event is not a round robin, the table has no such round, or a pair would meet too often.
    pub fn berger_round(&self, round: RoundNo) -> Result<Change, Refusal> {
        let System::RoundRobin { cycles } = self.event().system else {
            return Err(Conflict::NotRoundRobin.into());
        };
        let teams: Vec<TeamNo> = self.teams().keys().copied().collect();
        let players: Vec<PlayerNo> = self.players().keys().copied().collect();
        let in_teams = matches!(self.event().contest, Contest::Teams { .. });
        let count = if in_teams { teams.len() } else { players.len() };
        let table = rounds(u16::try_from(count).unwrap_or(u16::MAX), cycles);
        let place = usize::from(round.0).checked_sub(1);
        let Some(pairs) = place.and_then(|place| table.get(place)) else {
            let last = u16::try_from(table.len()).unwrap_or(u16::MAX);
            return Err(Invalid::TableRound { last, given: round }.into());
        };
        let pairings = match self.event().contest {
            Contest::Individual => {
                let pairs = placed(pairs, &players);
                self.check_meetings(round, cycles, &pairs, Participant::Player)?;
                let boards = (1..).map(BoardNo).zip(&pairs);
                let boards = boards.map(|(no, (white, black))| Pairing::new(no, *white, *black));
                Pairings {
                    boards: boards.collect(),
                    byes: free(&players, &pairs),
                    ..Pairings::default()
                }
            }
            Contest::Teams { boards } => {
                let pairs = placed(pairs, &teams);
                self.check_meetings(round, cycles, &pairs, Participant::Team)?;
                Pairings {
                    team_byes: free(&teams, &pairs),
                    ..self.seated_matches(round, &pairs, boards)
                }
            }
        };
        Ok(Change::PairRound(round, Box::new(pairings)))
    }

    /// Refuses a round of the table in which a pair would meet more often than the event has cycles. In that case,
    /// other rounds were not paired from this table, so the table must not be used.
    fn check_meetings<T: Copy>(
        &self,
        round: RoundNo,
        cycles: u8,
        pairs: &[(T, T)],
        participant: fn(T) -> Participant,
    ) -> Result<(), Refusal> {
        for (one, other) in pairs {
            let pair = [*one, *other].map(participant);
            let others = self.rounds().iter().filter(|(no, _)| **no != round);
            let mut met = others.filter(|(_, paired)| paired.meets(pair));
            if let Some((earlier, _)) = met.next()
                && met.count() + 1 >= usize::from(cycles)
            {
                let names = pair.map(|one| name(self, one));
                let round = *earlier;
                return Err(Conflict::TableRepeats { names, round }.into());
            }
        }
        Ok(())
    }

    /// Returns the matches of a round with the teams' line-ups. The first-named team has White on odd boards. Players
    /// who do not take part in the round are skipped, and the players below them move up.
    #[must_use]
    pub fn seated_matches(
        &self,
        round: RoundNo,
        pairs: &[(TeamNo, TeamNo)],
        boards: u16,
    ) -> Pairings {
        let mut pairings = Pairings::default();
        for ((white, black), no) in pairs.iter().zip((1..).map(MatchNo)) {
            let paired = Match {
                white: *white,
                black: *black,
                forfeit: None,
            };
            pairings.matches.push((no, paired));
            let line_ups = [*white, *black].map(|team| self.line_up(team, round));
            for place in 0..boards {
                let member = |team: &Vec<PlayerNo>| team.get(usize::from(place)).copied();
                let mut seats = line_ups.each_ref().map(member);
                if seats == [None, None] {
                    continue;
                }
                if !place.is_multiple_of(2) {
                    seats.reverse();
                }
                let [white, black] = seats;
                let board = BoardNo((no.0 - 1).saturating_mul(boards).saturating_add(place + 1));
                pairings.boards.push(Pairing {
                    board,
                    white,
                    black,
                    of_match: Some((no, place + 1)),
                });
            }
        }
        pairings
    }

    /// Returns a team's players who take part in a round, in board order.
    pub(crate) fn line_up(&self, team: TeamNo, round: RoundNo) -> Vec<PlayerNo> {
        let team = self.teams().get(&team).into_iter();
        let members = team.flat_map(|team| team.players.iter().copied());
        let plays = |no: &PlayerNo| {
            let player = self.players().get(no);
            player.is_some_and(|player| player.bye_in(round).is_none())
        };
        members.filter(plays).collect()
    }
}

fn placed<T: Copy>(pairs: &[(PlayerNo, PlayerNo)], all: &[T]) -> Vec<(T, T)> {
    let pairs = pairs.iter();
    let pairs = pairs.filter_map(|(white, black)| Some((nth(all, *white)?, nth(all, *black)?)));
    pairs.collect()
}

fn free<T: Copy + PartialEq>(all: &[T], pairs: &[(T, T)]) -> Vec<(T, Bye)> {
    let paired = |who: &T| pairs.iter().any(|(one, other)| one == who || other == who);
    let free = all.iter().filter(|who| !paired(who));
    free.map(|who| (*who, Bye::Zero)).collect()
}

fn nth<T: Copy>(all: &[T], place: PlayerNo) -> Option<T> {
    all.get(usize::from(place.0).checked_sub(1)?).copied()
}
