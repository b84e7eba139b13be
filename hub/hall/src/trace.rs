//! Collects the changes that a record makes on its board, such as moves, flag falls, and values before and after the
//! record. They are for readers of the log; the fold itself never reads them. Also finds the game of each record.

use std::collections::BTreeMap;

use proto::log::{self, BoardValues, Changed, FlagFall, MoveMade, Record, SideValues, record};
use timing::{
    Board as BoardTime, BoardClock, BoardState, Button, ClockStep, Duration, Effect, Effects, Hub,
    Instant, Side,
};

use super::play::{GameStep, Play, domain_side};
use super::words::state_word;
use crate::to_proto;
use crate::view::PressLine;

/// Maximum number of moves in one record; further moves are left out.
const MAX_MOVES: usize = 32;
/// Maximum length of a time control in a record, in bytes, so that a record with two of them remains short.
const MAX_CONTROL: usize = 200;

/// Returns the clock's values before a step, if the step is a command, which may change them.
pub(super) fn before(clock: &BoardClock, step: &GameStep) -> Option<BoardValues> {
    match &step.step {
        ClockStep::Command { at, .. } => Some(values(clock, *at)),
        ClockStep::Fact { .. } | ClockStep::TimePassed(_) | ClockStep::Moved(_) => None,
    }
}

pub(super) fn of_step(
    play: &Play,
    step: &GameStep,
    effects: &Effects,
    found: Option<BoardValues>,
) -> Changed {
    let mut changed = Changed {
        at_us: step.step.at().map(|_| step.hub.as_micros()),
        ..Changed::default()
    };
    let mut made = 0;
    for effect in effects.iter() {
        if let Effect::MoveCompleted { .. } = effect {
            made += 1;
        } else if let Effect::FlagFell { side, at } = effect {
            changed.flags.push(FlagFall {
                side: to_proto::side(*side).into(),
                at_us: hub_of(step, *at).as_micros(),
            });
        } else if let Effect::Stopped = effect {
            changed.stopped = true;
        }
    }
    let newest = play.lines.len().saturating_sub(made);
    changed.moves = play.lines.iter().skip(newest).map(move_made).collect();
    if let Some(mut found) = found {
        let mut left = values(&play.clock, play.clock.now());
        if found.control == left.control {
            found.control.clear();
            left.control.clear();
        }
        (changed.before, changed.after) = (Some(Box::new(found)), Some(Box::new(left)));
    }
    changed
}

pub(super) fn join(changed: &mut Changed, later: Changed) {
    changed.at_us = later.at_us.or(changed.at_us);
    changed.moves.extend(later.moves);
    changed.moves.truncate(MAX_MOVES);
    changed.flags.extend(later.flags);
    changed.before = changed.before.take().or(later.before);
    changed.after = later.after.or(changed.after.take());
    changed.stopped |= later.stopped;
    changed.arbiter_called |= later.arbiter_called;
}

/// Converts a board instant to the hub's timeline, using its distance from the step, whose hub instant is known.
fn hub_of(step: &GameStep, at: Instant<BoardTime>) -> Instant<Hub> {
    let since = step.step.at().map_or(Duration::ZERO, |step| step - at);
    step.hub - since
}

fn move_made(line: &PressLine) -> MoveMade {
    MoveMade {
        side: to_proto::side(domain_side(line.side)).into(),
        r#move: line.n,
        used_us: line.used_us,
        left_us: line.left_us,
        at_us: line.at_us,
        event_seq: line.event_seq.0,
    }
}

fn values(clock: &BoardClock, at: Instant<BoardTime>) -> BoardValues {
    let state = clock.state();
    let turn = match state {
        BoardState::Running { mover } => Some(mover),
        BoardState::Paused { next, .. } | BoardState::Stopped { next, .. } => Some(next),
        BoardState::Ready | BoardState::Flagged { .. } | BoardState::Over => None,
    };
    let result = clock.result().map(|result| result.to_string());
    BoardValues {
        white: Some(side_values(clock, Side::White, at)),
        black: Some(side_values(clock, Side::Black, at)),
        phase: state_word(state).to_owned(),
        turn: to_proto::side(turn).into(),
        white_is_right: clock.white_button() == Button::Right,
        result: result.unwrap_or_default(),
        control: shortened(clock.time_control().to_string()),
    }
}

fn side_values(clock: &BoardClock, side: Side, at: Instant<BoardTime>) -> SideValues {
    let view = clock.side(side, at.max(clock.now()));
    SideValues {
        time_us: view.time.as_micros(),
        moves: view.moves,
        period: view.period,
        byo_left: view.byo_left,
        stones: view.stones,
        bank_us: view.bank.map(Duration::as_micros),
    }
}

fn shortened(mut control: String) -> String {
    if control.len() > MAX_CONTROL {
        control.truncate(control.floor_char_boundary(MAX_CONTROL));
        control.push('…');
    }
    control
}

/// A game on one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamePlace {
    /// Number of the game on its board, from 1; 0 before the first game or without a board.
    pub game: u32,
    /// Round of the event, from 1; 0 for a game outside the event.
    pub round: u32,
}

/// A cursor that finds the game of each record's board while a log is read in order.
#[derive(Debug, Default)]
pub struct GameCursor {
    boards: BTreeMap<String, GamePlace>,
}

impl GameCursor {
    /// Returns the game that is on the record's board after the record.
    pub fn place(&mut self, record: &Record) -> GamePlace {
        if record.board.is_empty() {
            return GamePlace::default();
        }
        let before = self.boards.get(&record.board).copied().unwrap_or_default();
        let place = before.followed_by(record);
        if place != before {
            self.boards.insert(record.board.clone(), place);
        }
        place
    }
}

impl GamePlace {
    /// Returns the board's game after `record`, which must be the board's next record.
    pub(crate) fn followed_by(self, record: &Record) -> Self {
        new_game(record).map_or(self, |round| Self {
            game: self.game + 1,
            round,
        })
    }

    /// Returns true if the game matches `game` and `round`; 0 matches every game, or every round.
    pub fn is_in(self, game: u32, round: u32) -> bool {
        (game == 0 || game == self.game) && (round == 0 || round == self.round)
    }
}

/// Returns the round of the game that a record begins. In the logs of older hubs, a game begins with the command that
/// requests it.
fn new_game(record: &Record) -> Option<u32> {
    if let Some(changed) = &record.changed {
        return changed.new_game.map(|game| game.round);
    }
    let Some(record::Input::Command(command)) = &record.input else {
        return None;
    };
    let begins = match &command.what {
        Some(log::command_received::What::AddBoard(_)) => true,
        Some(log::command_received::What::BoardCommand(text)) => text.starts_with("prepare "),
        Some(_) | None => false,
    };
    begins.then_some(command.of_round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_time_control_is_truncated_between_characters() {
        assert_eq!(shortened("5m".to_owned()), "5m");
        let cut = shortened("é".repeat(MAX_CONTROL));
        assert_eq!(cut, format!("{}…", "é".repeat(MAX_CONTROL / 2)));
    }

    #[test]
    fn the_number_of_moves_in_a_record_is_limited() {
        let made = |n| Changed {
            moves: vec![MoveMade {
                r#move: n,
                ..MoveMade::default()
            }],
            ..Changed::default()
        };
        let mut changed = Changed::default();
        for n in 1..=2 * u32::try_from(MAX_MOVES).unwrap() {
            join(&mut changed, made(n));
        }
        assert_eq!(changed.moves.len(), MAX_MOVES);
        assert_eq!(changed.moves.last().map(|made| made.r#move), Some(32));
    }
}
