//! Anomalies of a board compared with the other boards of its round: a different time control, or a clock that has not
//! been started. Sections may have different controls, so a control that many boards share is not unusual. Also
//! compares the most frequent control of any round with the event's.

use std::collections::BTreeMap;

use timing::{BoardState, Bonus, Duration, Hub, Instant, Side, TimeControl};

use super::{Finding, Kind, Subject, Verdict};
use crate::Hall;
use crate::board::Board;

/// A control is common if at least this many boards of the round have it.
const COMMON: usize = 4;
/// A control is unusual if the most common control has more than this many times its number of boards.
const UNUSUAL_RATIO: usize = 8;
/// Minimum number of started games for a round to count as in progress.
const MIN_UNDER_WAY: usize = 3;

#[derive(Debug, Default)]
struct Round<'a> {
    /// Each time control on boards with unfinished games, and the number of those boards.
    controls: Vec<(&'a TimeControl, usize)>,
    began: Vec<Instant<Hub>>,
    /// Number of boards whose clocks are set and have not started.
    ready: usize,
    named: bool,
}

impl<'a> Round<'a> {
    fn add(&mut self, board: &'a Board) {
        let control = board.clock().time_control();
        match board.clock().state() {
            BoardState::Over => return,
            BoardState::Ready => self.ready += 1,
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. } => self.began.extend(board.opening.started),
        }
        self.named |= has_names(board);
        let same = self
            .controls
            .iter_mut()
            .find(|(known, _)| alike(known, control));
        match same {
            Some((_, count)) => *count += 1,
            None => self.controls.push((control, 1)),
        }
    }

    /// Returns the most frequent control and its number of boards, if at least [`COMMON`] boards have it.
    fn common(&self) -> Option<(&'a TimeControl, usize)> {
        let most = self.controls.iter().max_by_key(|(_, count)| *count)?;
        (most.1 >= COMMON).then_some(*most)
    }

    fn having(&self, control: &TimeControl) -> usize {
        self.controls
            .iter()
            .find(|(known, _)| alike(known, control))
            .map_or(0, |(_, count)| *count)
    }

    /// Returns the time since the median start of the games in progress. `None` unless at least [`MIN_UNDER_WAY`]
    /// boards have started, and more than are ready.
    fn under_way(&mut self, now: Instant<Hub>) -> Option<Duration> {
        self.began.sort_unstable();
        let begun = self.began.len();
        (begun >= MIN_UNDER_WAY && begun > self.ready).then(|| now - self.began[begun / 2])
    }
}

fn has_names(board: &Board) -> bool {
    !board.names.white.is_empty() || !board.names.black.is_empty()
}

/// Returns true if two controls grant the same times. The rule after a flag fall does not matter.
fn alike(one: &TimeControl, other: &TimeControl) -> bool {
    Side::BOTH
        .into_iter()
        .all(|side| one.side(side) == other.side(side))
}

fn gives_time_per_move(control: &TimeControl) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let periods = control.side(side).periods();
        periods.iter().any(|period| match period.bonus {
            Bonus::Increment(_)
            | Bonus::Delay(_)
            | Bonus::Bronstein(_)
            | Bonus::MoveTime(_)
            | Bonus::TripleBlock(_) => true,
            Bonus::None => false,
        })
    })
}

impl Hall {
    pub(super) fn check_rounds(&self, now: Instant<Hub>) -> Vec<Finding> {
        let sound = || {
            self.fold
                .boards
                .values()
                .filter(|board| board.fault.is_none())
        };
        let mut rounds: BTreeMap<&str, Round<'_>> = BTreeMap::new();
        for board in sound() {
            rounds.entry(&board.names.round).or_default().add(board);
        }
        let mut found = Vec::new();
        let expected = self.live.options.notes.control.as_ref();
        let whole = expected.and_then(|expected| whole_hall(&rounds, expected));
        found.extend(self.news(Subject::default(), Kind::OtherControl, whole.into()));
        let under_way: BTreeMap<&str, Option<Duration>> = rounds
            .iter_mut()
            .map(|(name, round)| (*name, round.under_way(now)))
            .collect();
        for board in sound() {
            let name = board.names.round.as_str();
            let Some(round) = rounds.get(name) else {
                continue;
            };
            let control = match self.live.options.notes.other_control {
                true => other_control(board, round, expected),
                false => None,
            };
            found.extend(self.news(
                Subject::board(&board.id),
                Kind::OtherControl,
                control.into(),
            ));
            let since = under_way.get(name).copied().flatten();
            let limit = self.live.options.notes.not_started;
            let standing = not_started(board, round, since.zip(limit));
            let verdict = Verdict::from(standing);
            found.extend(self.news(Subject::board(&board.id), Kind::NotStarted, verdict));
        }
        found
    }
}

/// Checks whether the most frequent time control of any round differs from the event's.
fn whole_hall(rounds: &BTreeMap<&str, Round<'_>>, expected: &TimeControl) -> Option<String> {
    let (common, boards) = rounds
        .values()
        .filter_map(Round::common)
        .max_by_key(|(_, count)| *count)?;
    (!alike(common, expected)).then(|| {
        format!(
            "{boards} boards are set to {common}, but the event's control is {expected}. If that is not intended, use \
             `flagfall ctl control all …` before the start; during play stop the clocks and correct them (FIDE 6.10.2), or change \
             the event's control"
        )
    })
}

fn other_control(
    board: &Board,
    round: &Round<'_>,
    expected: Option<&TimeControl>,
) -> Option<String> {
    if board.clock().state() == BoardState::Over {
        return None;
    }
    let control = board.clock().time_control();
    let (wanted, whose) = match (round.common(), expected) {
        (Some((common, boards)), _) if round.having(control) * UNUSUAL_RATIO < boards => {
            (common, format!("{boards} boards of the round"))
        }
        (None, Some(expected)) => (expected, "the event".to_owned()),
        (Some(_) | None, _) => return None,
    };
    if alike(control, wanted) {
        return None;
    }
    let missing = match (gives_time_per_move(wanted), gives_time_per_move(control)) {
        (true, false) => ": no time is added for moves",
        (_, _) => "",
    };
    Some(format!(
        "board {}: its control is {control}, that of {whose} is {wanted}{missing}. If that is not intended, stop the clocks and correct \
         control, times and counters (FIDE 6.10.2; `flagfall ctl change-control`)",
        board.id
    ))
}

fn not_started(
    board: &Board,
    round: &Round<'_>,
    since: Option<(Duration, Duration)>,
) -> Option<String> {
    let (since, limit) = since?;
    let waits = board.clock().state() == BoardState::Ready;
    // A board without players is a spare if other boards have players.
    let played = has_names(board) || !round.named;
    (waits && played && since >= limit).then(|| {
        format!(
            "board {}: its clock has not been started, although most of the round has been in progress for {limit} or longer. White's \
             clock runs from the start of the round (FIDE 6.6); a late player may have lost (FIDE 6.7)",
            board.id
        )
    })
}
