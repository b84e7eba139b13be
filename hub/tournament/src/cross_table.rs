//! The cross table: every player's results, in numbered lines.
//!
//! Owns the line numbers, the cells and their marks. Must never compute standings itself.

use std::collections::BTreeMap;

use crate::{
    BoardNo, Bye, Contest, GameResult, Outcome, Participant, PlaceSource, PlayerNo, Points,
    ResultKind, RoundNo, Side, Standings, Tournament,
};

/// A player's entry for one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The player is paired at a board.
    Game {
        /// The opponent; `None` if the opposing team had no player at the board.
        opponent: Option<PlayerNo>,
        /// The number of the opponent's line; 0 without an opponent.
        opponent_line: usize,
        /// The player's colour.
        colour: Side,
        /// The board's number.
        board: BoardNo,
        /// The game's result; `None` until one is entered.
        result: Option<GameResult>,
        /// The points that the result gives the player.
        points: Points,
    },
    /// A bye and its points.
    Free(Bye, Points),
    /// The round is not paired.
    Open,
}

impl Cell {
    /// Returns the cell as tables print it, with the opponent's line number. Examples are `12w1`, `3b½`, `5w+`, `7b-`,
    /// `9w*` without a final result, `bye 1`, `– ½` and `– 0`. The text is empty if the round is not paired.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Game {
                opponent_line,
                colour,
                result,
                ..
            } => {
                let (letter, mark) = (&colour.as_str()[..1], mark(*result, *colour));
                format!("{opponent_line}{letter}{mark}")
            }
            Self::Free(Bye::PairingAllocated, points) => format!("bye {points}"),
            Self::Free(Bye::Full | Bye::Half | Bye::Zero, points) => format!("– {points}"),
            Self::Open => String::new(),
        }
    }
}

fn mark(result: Option<GameResult>, side: Side) -> String {
    let outcome = result.and_then(|result| result.outcome(side));
    let own = outcome.map_or("*", Outcome::mark);
    match result {
        Some(GameResult::Forfeit { winner }) if winner == Some(side) => "+".to_owned(),
        Some(GameResult::Forfeit { .. }) => "-".to_owned(),
        Some(GameResult::Played {
            tally: Some(tally), ..
        }) => format!("{own} {}:{}", tally.of(side), tally.of(side.other())),
        Some(GameResult::Played { tally: None, .. } | GameResult::Adjourned) | None => {
            own.to_owned()
        }
    }
}

/// One player's line of the cross table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line number, from 1. Unlike places, line numbers are never shared.
    pub number: usize,
    /// The place in the standings; 0 for a player whom they do not list, as in a team event.
    pub rank: usize,
    /// The line's player.
    pub player: PlayerNo,
    /// One cell for each round of the event.
    pub cells: Vec<Cell>,
    /// The sum of the points, including bonuses and penalties, or the points that a file states.
    pub points: Points,
}

impl Tournament {
    /// Returns the cross table of players in the order of the given standings. Players who are not in the
    /// standings, and all players of a team event, follow in the order of their numbers.
    #[must_use]
    pub fn cross_table(&self, standings: &Standings) -> Vec<Line> {
        let mut ranks = BTreeMap::new();
        let mut order = Vec::with_capacity(self.players().len());
        if self.event().contest == Contest::Individual {
            for row in &standings.rows {
                ranks.insert(PlayerNo(row.who.number()), row.rank);
                order.push(PlayerNo(row.who.number()));
            }
        }
        let players = self.players().keys();
        order.extend(players.filter(|player| !ranks.contains_key(*player)));
        let numbers: BTreeMap<PlayerNo, usize> = order.iter().copied().zip(1..).collect();
        let number = |player: PlayerNo| numbers.get(&player).copied().unwrap_or(0);
        let begun = RoundNo(self.rounds_begun());
        let stated = matches!(standings.source, PlaceSource::File(_));
        let line = |player: PlayerNo| {
            let rounds = (1..=self.event().rounds).map(RoundNo);
            let cells = rounds.map(|round| self.cell(player, round, &number));
            let cells: Vec<Cell> = cells.collect();
            let computed = cells.iter().map(cell_points).sum::<Points>();
            let row = || standings.row(Participant::Player(player));
            let stated = stated.then(row).flatten();
            Line {
                number: number(player),
                rank: ranks.get(&player).copied().unwrap_or(0),
                player,
                points: stated.map_or(computed + self.bonuses(player, begun), |row| row.score),
                cells,
            }
        };
        order.into_iter().map(line).collect()
    }

    /// Returns the sum of a player's bonuses and penalties up to and including a round. The sum is zero in a team
    /// event, where they count for teams.
    #[must_use]
    pub fn bonuses(&self, player: PlayerNo, last: RoundNo) -> Points {
        match self.event().contest {
            Contest::Teams { .. } => Points::ZERO,
            Contest::Individual => {
                let rounds = (1..=last.0).map(RoundNo);
                rounds.map(|no| self.event().bonus(no, player.0).1).sum()
            }
        }
    }

    fn cell(&self, player: PlayerNo, round: RoundNo, number: &impl Fn(PlayerNo) -> usize) -> Cell {
        let scoring = &self.event().scoring;
        let of_players = self.event().contest == Contest::Individual;
        let worth = |kind: Option<ResultKind>, usual: Points| {
            let kind = kind.filter(|_| of_players);
            let replaced = kind.and_then(|kind| self.event().replaced(kind, round, player.0).1);
            replaced.unwrap_or(usual)
        };
        let free = |bye: Bye| Cell::Free(bye, worth(ResultKind::of_bye(bye), bye.points(scoring)));
        let Some(paired) = self.rounds().get(&round) else {
            return Cell::Open;
        };
        let Some((no, board)) = paired.board_of(player) else {
            return self.bye_of(player, round).map_or(Cell::Open, free);
        };
        let colour = board.side_of(player).unwrap_or(Side::Black);
        let opponent = board.player(colour.other());
        let points = board.result.and_then(|result| {
            let usual = result.points(colour, scoring)?;
            Some(worth(ResultKind::of_game(result, colour), usual))
        });
        Cell::Game {
            opponent,
            opponent_line: opponent.map_or(0, number),
            colour,
            board: no,
            result: board.result,
            points: points.unwrap_or(Points::ZERO),
        }
    }
}

const fn cell_points(cell: &Cell) -> Points {
    match cell {
        Cell::Game { points, .. } | Cell::Free(_, points) => *points,
        Cell::Open => Points::ZERO,
    }
}
