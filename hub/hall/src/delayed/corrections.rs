//! Corrections within the delay: decides for which records a board is withheld, and when the event is withheld.
//!
//! A correction is an intervention that changes a clock, replaces a result or written moves, or takes back a move or
//! the end of a game. The mistake begins with the first corrected record that is not applied yet. Nothing earlier is
//! withheld, and a mistake that was already shown stays visible.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use proto::log::{BoardValues, Changed, MovesEntered, Record, command_received, record};
use tournament::{Board, BoardNo, RoundNo, Tournament};

/// The corrections among the records that are not applied yet.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    boards: BTreeMap<String, UpcomingSteps>,
}

#[derive(Debug, Default)]
struct UpcomingSteps {
    steps: VecDeque<Step>,
    /// Ranges of withheld records, each from a mistake up to but not including its correction.
    withheld: Vec<Range<u64>>,
}

/// A board's record that has not been applied yet, with the state of the game after it.
#[derive(Clone, Copy, Debug)]
struct Step {
    index: u64,
    /// Number of half-moves completed.
    moves: u32,
    /// Number of half-moves written down; 0 if the record enters no moves.
    written: u32,
    /// True if a flag has fallen or the game has ended.
    ended: bool,
    has_result: bool,
}

impl Corrections {
    pub(super) fn announce(&mut self, index: u64, record: &Record) {
        let written = moves_entered(record);
        if record.board.is_empty() || (written.is_none() && record.changed.is_none()) {
            return;
        }
        if !self.boards.contains_key(&record.board) {
            self.boards
                .insert(record.board.clone(), UpcomingSteps::default());
        }
        let Some(board) = self.boards.get_mut(&record.board) else {
            return;
        };
        if let Some(written) = written {
            board.write(index, written);
        }
        if let Some(changed) = &record.changed {
            board.announce(index, changed);
        }
    }

    pub(super) fn applied(&mut self, index: u64, board: &str) {
        let Some(ahead) = self.boards.get_mut(board) else {
            return;
        };
        while ahead.steps.front().is_some_and(|step| step.index <= index) {
            ahead.steps.pop_front();
        }
        ahead.withheld.retain(|span| span.end > index);
        if ahead.steps.is_empty() && ahead.withheld.is_empty() {
            self.boards.remove(board);
        }
    }

    /// Returns the index of the record with the mistake, if a later record corrects the state that a board has
    /// after `records` records.
    pub(super) fn mistake(&self, board: &str, records: u64) -> Option<u64> {
        let newest = records.checked_sub(1)?;
        let withheld = &self.boards.get(board)?.withheld;
        let spans = withheld.iter().filter(|span| span.contains(&newest));
        spans.map(|span| span.start).min()
    }
}

impl UpcomingSteps {
    fn announce(&mut self, index: u64, changed: &Changed) {
        if changed.new_game.is_some() {
            self.steps.clear();
        }
        let values = changed.before.as_ref().zip(changed.after.as_ref());
        if let Some((before, after)) = values
            && let Some(from) = self.corrected_from(before, after)
        {
            self.withheld.push(from..index);
        }
        let moved = changed.moves.last().map(half_moves);
        let set = changed.after.as_deref().map(moves_of);
        let Some(moves) = moved.or(set).or(self.steps.back().map(|step| step.moves)) else {
            return;
        };
        let after = changed.after.as_deref();
        let ended = !changed.flags.is_empty() || after.is_some_and(is_ended);
        let has_result = after.is_some_and(|after| !after.result.is_empty());
        self.steps.push_back(Step {
            index,
            moves,
            written: 0,
            ended,
            has_result,
        });
    }

    /// Registers entered moves. Moves that replace earlier ones are a correction.
    fn write(&mut self, index: u64, entered: &MovesEntered) {
        let mut steps = self.steps.iter();
        if let Some(mistake) = steps.find(|step| step.written > entered.after) {
            self.withheld.push(mistake.index..index);
        }
        let count = u32::try_from(entered.uci.len()).unwrap_or(u32::MAX);
        self.steps.push_back(Step {
            index,
            moves: self.steps.back().map_or(0, |step| step.moves),
            written: entered.after.saturating_add(count),
            ended: false,
            has_result: false,
        });
    }

    /// Returns the index of the first record, among those not applied yet, that an intervention corrects.
    fn corrected_from(&self, before: &BoardValues, after: &BoardValues) -> Option<u64> {
        let (made, left) = (moves_of(before), moves_of(after));
        // A clock that is paused or stopped after a flag fall keeps the flag fall.
        let stands = matches!(after.phase.as_str(), "paused" | "stopped");
        let lifts = is_ended(before) && !is_ended(after) && !stands;
        // A result entered after a flag fall is not a correction: the flag has still fallen.
        let changes_result = !before.result.is_empty() && before.result != after.result;
        let sets = before.white != after.white || before.black != after.black;
        let step = self.steps.iter().find(|step| {
            let is_corrected = match made > left {
                true => step.moves > left,
                false => sets && step.moves >= left,
            };
            is_corrected || (lifts && step.ended) || (changes_result && step.has_result)
        });
        step.map(|step| step.index)
    }
}

fn moves_entered(record: &Record) -> Option<&MovesEntered> {
    let Some(record::Input::Command(command)) = &record.input else {
        return None;
    };
    let Some(command_received::What::Moves(entered)) = &command.what else {
        return None;
    };
    Some(entered)
}

/// Returns the number of half-moves completed with this move, assuming that the sides have alternated.
fn half_moves(made: &proto::log::MoveMade) -> u32 {
    let both = made.r#move.saturating_mul(2);
    match made.side() {
        proto::Side::White => both.saturating_sub(1),
        proto::Side::Black | proto::Side::Unspecified => both,
    }
}

fn moves_of(values: &BoardValues) -> u32 {
    let sides = [&values.white, &values.black].into_iter().flatten();
    sides.map(|side| side.moves).sum()
}

fn is_ended(values: &BoardValues) -> bool {
    !values.result.is_empty() || matches!(values.phase.as_str(), "flagged" | "over")
}

/// Returns true if `event` has a game that differs from the one in `newest`, unless `shown` already contains that game.
pub(super) fn contradicts(
    event: &Tournament,
    shown: Option<&Tournament>,
    newest: &Tournament,
) -> bool {
    event.rounds().iter().any(|(no, round)| {
        round.boards.iter().any(|(place, board)| {
            let same_in = |other: &Tournament| {
                let round = other.rounds().get(no);
                let other = round.and_then(|round| round.boards.get(place));
                other.is_some_and(|other| is_same(board, other))
            };
            !shown.is_some_and(same_in) && !agrees(board, newest, *no, *place)
        })
    })
}

/// Returns true if `newest` has the same game; only its result may have been added since.
fn agrees(board: &Board, newest: &Tournament, round: RoundNo, place: BoardNo) -> bool {
    let round = newest.rounds().get(&round);
    let Some(other) = round.and_then(|round| round.boards.get(&place)) else {
        return false;
    };
    (board.white, board.black) == (other.white, other.black)
        && (board.result.is_none() || board.result == other.result)
}

fn is_same(board: &Board, other: &Board) -> bool {
    (board.white, board.black, board.result) == (other.white, other.black, other.result)
}
