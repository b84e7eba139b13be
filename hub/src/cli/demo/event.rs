//! A demonstration's event: a Swiss with a finished first round and a paired second round. Pairs by score, without FIDE's rules, which would need a
//! pairing program.

use std::collections::{BTreeMap, BTreeSet};

use super::players::{player, result, sectors};
use tournament::{
    BoardNo, Change, Event, GameResult, Outcome, Pairing, Pairings, PlayerNo, RoundNo, TieBreak,
    Tournament,
};

pub(super) const NAME: &str = "Flagfall demonstration";
/// The event's initial number of rounds; pairing a later round extends the event.
const ROUNDS: u16 = 9;

/// Returns the changes that create the event: its players, round 1 with its results, round 2 paired. `rules` is the key of the rule set;
/// if empty, the time control determines the rule set.
pub(super) fn opening(seed: u64, boards: u16, rules: &str) -> Vec<Change> {
    let players = boards * 2;
    let mut event = Event::new(NAME, ROUNDS);
    event.time_control = "Blitz, a different control in each sector".to_owned();
    event.type_text = "Individual: Swiss-System".to_owned();
    event.sectors = sectors(boards);
    rules.clone_into(&mut event.rules);
    let tie_breaks = ["BH/C1", "BH", "SB"].into_iter();
    event.tie_breaks = tie_breaks
        .filter_map(|code| TieBreak::parse(code).ok())
        .collect();

    let first: Vec<_> = (1..=boards)
        .map(|board| {
            let (upper, lower) = (PlayerNo(board), PlayerNo(board + boards));
            match board % 2 {
                1 => Pairing::new(BoardNo(board), upper, lower),
                _ => Pairing::new(BoardNo(board), lower, upper),
            }
        })
        .collect();
    let results: Vec<_> = (1..=boards).map(|board| result(seed, board, 1)).collect();
    let mut played = Played::default();
    for (pairing, outcome) in first.iter().zip(&results) {
        played.add(pairing.white, pairing.black, Some(*outcome));
    }
    let second = played.pair((1..=players).map(PlayerNo));

    let mut changes = vec![Change::SetEvent(Box::new(event))];
    let entered = (1..=players).map(|no| player(no, usize::from(players)));
    changes.extend(entered.map(|player| Change::EnterPlayer(Box::new(player))));
    changes.push(announced(RoundNo(1), first));
    changes.extend((1..=boards).zip(results).map(|(board, outcome)| {
        let result = GameResult::played(outcome);
        Change::Enter(RoundNo(1), BoardNo(board), result, String::new())
    }));
    changes.push(Change::Confirm(RoundNo(1)));
    changes.push(announced(RoundNo(2), second));
    changes
}

/// Returns the changes that confirm the finished `round` and pair the next one. After the last round, they first add a round to the event.
pub(super) fn next_round(tournament: &Tournament, round: RoundNo) -> Vec<Change> {
    let mut played = Played::default();
    let rounds = tournament.rounds().values();
    for board in rounds.flat_map(|round| round.boards.values()) {
        let outcome = match board.result {
            Some(GameResult::Played { white, .. }) => Some(white),
            Some(GameResult::Forfeit { .. } | GameResult::Adjourned) | None => None,
        };
        played.add(board.white, board.black, outcome);
    }
    let next = round.next();
    let mut changes = vec![Change::Confirm(round)];
    if next.0 > tournament.event().rounds {
        let mut longer = tournament.event().clone();
        longer.rounds = next.0;
        changes.push(Change::SetEvent(Box::new(longer)));
    }
    let pairings = played.pair(tournament.players().keys().copied());
    changes.push(announced(next, pairings));
    changes
}

fn announced(round: RoundNo, boards: Vec<Pairing>) -> Change {
    let pairings = Pairings {
        boards,
        ..Pairings::default()
    };
    Change::PairRound(round, Box::new(pairings))
}

#[derive(Default)]
struct Played {
    half_points: BTreeMap<PlayerNo, u32>,
    whites: BTreeMap<PlayerNo, u32>,
    met: BTreeSet<(PlayerNo, PlayerNo)>,
}

impl Played {
    fn add(&mut self, white: Option<PlayerNo>, black: Option<PlayerNo>, outcome: Option<Outcome>) {
        let (Some(white), Some(black)) = (white, black) else {
            return;
        };
        let half_points = |outcome: Outcome| match outcome {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            Outcome::Loss => 0,
        };
        if let Some(outcome) = outcome {
            *self.half_points.entry(white).or_default() += half_points(outcome);
            *self.half_points.entry(black).or_default() += half_points(outcome.opposite());
        }
        *self.whites.entry(white).or_default() += 1;
        self.met.insert((white.min(black), white.max(black)));
    }

    /// Pairs each player, from the top, with the next best player whom this player has not met; if there is none, with the next best player.
    fn pair(&self, players: impl Iterator<Item = PlayerNo>) -> Vec<Pairing> {
        let points = |player: &PlayerNo| self.half_points.get(player).copied().unwrap_or(0);
        let mut left: Vec<_> = players.collect();
        left.sort_by_key(|player| (std::cmp::Reverse(points(player)), *player));
        let mut pairings = Vec::new();
        while left.len() > 1 {
            let one = left.remove(0);
            let new = |other: &PlayerNo| !self.met.contains(&(one.min(*other), one.max(*other)));
            let other = left.remove(left.iter().position(new).unwrap_or(0));
            let whites = |player: &PlayerNo| self.whites.get(player).copied().unwrap_or(0);
            let (white, black) = match whites(&one) <= whites(&other) {
                true => (one, other),
                false => (other, one),
            };
            let board = u16::try_from(pairings.len() + 1).unwrap_or(u16::MAX);
            pairings.push(Pairing::new(BoardNo(board), white, black));
        }
        pairings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::{Actor, RoundPhase};

    fn opened(boards: u16) -> Tournament {
        let mut changes = opening(7, boards, "").into_iter();
        let Some(Change::SetEvent(event)) = changes.next() else {
            panic!("an event begins with its own data");
        };
        let mut tournament = Tournament::new(*event);
        for change in changes {
            tournament
                .apply(&Actor::program("demonstration"), change)
                .unwrap();
        }
        tournament
    }

    #[test]
    fn round_1_is_confirmed_and_round_2_seats_every_player_against_another_opponent() {
        let tournament = opened(6);
        let rounds = tournament.rounds();
        assert_eq!(rounds[&RoundNo(1)].phase(), RoundPhase::Confirmed);
        assert_eq!(rounds[&RoundNo(2)].phase(), RoundPhase::Paired);
        for player in tournament.players().keys() {
            let opponents: BTreeSet<_> = rounds
                .values()
                .map(|round| {
                    let (_, board) = round.board_of(*player).unwrap();
                    let side = board.side_of(*player).unwrap();
                    board.player(side.other()).unwrap()
                })
                .collect();
            assert_eq!(opponents.len(), 2, "{player}");
        }
    }

    #[test]
    fn rounds_continue_after_the_last_planned_one() {
        for boards in [1, 3] {
            let mut tournament = opened(boards);
            for no in 2..=ROUNDS + 1 {
                let mut changes: Vec<_> = (1..=boards)
                    .map(|board| {
                        let result = GameResult::played(result(7, board, no));
                        Change::Enter(RoundNo(no), BoardNo(board), result, String::new())
                    })
                    .collect();
                for change in changes.drain(..) {
                    tournament
                        .apply(&Actor::program("demonstration"), change)
                        .unwrap();
                }
                for change in next_round(&tournament, RoundNo(no)) {
                    tournament
                        .apply(&Actor::program("demonstration"), change)
                        .unwrap();
                }
            }
            assert_eq!(tournament.last_round(), Some(RoundNo(ROUNDS + 2)));
            assert_eq!(tournament.event().rounds, ROUNDS + 2);
        }
    }
}
