//! The moves of an electronic board that a clock reads: what they add to the score of the board's game. A clock says what
//! lies on its board; it changes no time, and never a move that a person wrote down.

use std::sync::Arc;

use proto::ids::AgentId;
use timing::{BoardState, Duration, Hub, Instant, Side};

use super::Hall;
use super::board::Board;
use super::command_record::CommandKind;
use super::effect::Step;
use super::entry::Entry;

/// The name in the log of the one that writes these moves down.
const ACTOR: &str = "electronic board";
/// Half-moves that a board may take back. With more, it shows another game.
const MAX_BACK: usize = 4;
/// Half-moves on the board that the clock does not count yet: a move before its press, and the answer to it.
const MAX_AHEAD: usize = 2;
/// Least distance of two entries of one clock, which bounds what a broken board writes to the log.
const EVERY: Duration = Duration::from_millis(200);

impl Hall {
    pub(crate) fn on_board_moves(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        moves: Vec<String>,
        step: &mut Step,
    ) {
        let (Some(id), Some(session)) = (self.board_of(agent), self.live.sessions.get(&agent))
        else {
            return;
        };
        let left = session.board_moves.as_ref();
        if left.is_some_and(|(at, _)| now < *at + EVERY) {
            return;
        }
        let left = left.map(|(_, moves)| moves.as_slice());
        let Some(board) = self.fold.boards.get(&id) else {
            return;
        };
        let Some((after, added)) = entry(board, left, &moves) else {
            return;
        };
        // Moves that cannot be played were not made on this game's board.
        let Ok(entered) = board.rulings.read_moves(board.clock(), after, &added) else {
            return;
        };
        let record = self.own_command(&id, ACTOR, "", CommandKind::Moves(entered));
        let entry = Entry::Command(Arc::new(record));
        if self.log(now, Some(id.clone()), entry, step).is_ok() {
            if let Some(session) = self.live.sessions.get_mut(&agent) {
                session.board_moves = Some((now, moves));
            }
            self.end_by_moves(now, &id, step);
        }
    }
}

/// Returns the number of half-moves that stay and those that follow them; `None` if the board adds nothing to the score.
/// `left` is the score as this board left it.
fn entry(board: &Board, left: Option<&[String]>, moves: &[String]) -> Option<(u32, Vec<String>)> {
    let clock = board.clock();
    if clock.state() == BoardState::Over {
        return None;
    }
    let counted: u32 = Side::BOTH
        .into_iter()
        .map(|side| clock.side(side, clock.now()).moves)
        .sum();
    if moves.len() > usize::try_from(counted).ok()? + MAX_AHEAD {
        return None;
    }
    let score = board.rulings.score().map(|score| score.moves().iter());
    let score: Vec<String> = score
        .into_iter()
        .flatten()
        .map(|played| played.uci())
        .collect();
    let same = moves.iter().zip(&score).take_while(|(a, b)| a == b).count();
    let back = score.len() - same;
    if back > MAX_BACK || (back > 0 && left != Some(&score)) {
        return None;
    }
    let added = moves[same..].to_vec();
    (back > 0 || !added.is_empty()).then_some((u32::try_from(same).ok()?, added))
}
