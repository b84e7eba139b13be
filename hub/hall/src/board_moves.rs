//! The moves that a clock reads from an electronic board, and the entries that bring the game's score up to date with
//! them. The entries change no time, replace no move that a person entered, and end no game.

use std::sync::Arc;

use laws::BoardEntry;
use proto::ids::AgentId;
use proto::log::MovesEntered;
use timing::{BoardState, Duration, Side};

use super::Hall;
use super::board::Board;
use super::command_record::CommandKind;
use super::effect::OpenStep;
use super::entry::Entry;

const ACTOR: &str = "electronic board";
/// Maximum number of half-moves on the board that the clock has not counted yet: a move before its press, and the
/// reply.
const MAX_AHEAD: usize = 2;
/// Minimum time between two entries from one clock, which limits how much a faulty board can write to the log.
const MIN_INTERVAL: Duration = Duration::from_millis(200);

impl Hall {
    pub(crate) fn on_board_moves(
        &mut self,
        agent: AgentId,
        moves: Vec<String>,
        step: &mut OpenStep,
    ) {
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session.board_moves.shown = moves;
            self.write_board_moves(agent, step);
        }
    }

    /// Brings the game's score up to date with an agent's electronic board. Called again regularly, because presses may
    /// arrive after the moves.
    pub(crate) fn write_board_moves(&mut self, agent: AgentId, step: &mut OpenStep) {
        let now = step.now;
        let (Some(id), Some(session)) = (self.board_of(agent), self.live.sessions.get(&agent))
        else {
            return;
        };
        let on_board = &session.board_moves;
        let last_written = on_board.last_written.as_ref();
        if on_board.shown.is_empty() || last_written.is_some_and(|(at, _)| now < *at + MIN_INTERVAL)
        {
            return;
        }
        let written = last_written.map_or(&[][..], |(_, moves)| moves);
        let Some(board) = self.fold.boards.get(&id) else {
            return;
        };
        let Some(entered) = entry(board, written, &on_board.shown) else {
            return;
        };
        let shown = on_board.shown.clone();
        let record = self.own_command(&id, ACTOR, "", CommandKind::Moves(entered));
        let entry = Entry::Command(Arc::new(record));
        if self.log(Some(id), entry, step).is_ok()
            && let Some(session) = self.live.sessions.get_mut(&agent)
        {
            session.board_moves.last_written = Some((now, shown));
        }
    }
}

/// Returns the entry that brings the score up to date with the electronic board. Returns `None` if the score already
/// has these moves, if the game is over, or if the moves do not fit the game.
fn entry(board: &Board, written: &[String], moves: &[String]) -> Option<MovesEntered> {
    let clock = board.clock();
    if clock.state() == BoardState::Over {
        return None;
    }
    let counted = Side::BOTH.map(|side| clock.side(side, clock.now()).moves);
    let counted = usize::try_from(counted.iter().sum::<u32>()).ok()?;
    if moves.len() > counted + MAX_AHEAD {
        return None;
    }
    let score = board.rulings.score().map(|score| score.moves().iter());
    let score = score.into_iter().flatten().map(|played| played.uci());
    let score: Vec<String> = score.collect();
    let entry = BoardEntry::of(moves, &score, written).ok()??;
    let after = u32::try_from(entry.after).ok()?;
    board.rulings.read_moves(clock, after, &entry.moves).ok()
}
