//! Anomalies of one game: presses that do not register, impossible counters, a score that does not match the clock,
//! presses out of turn, and games that stopped without a result. Defines the conditions and the texts; needs figures
//! only, not the hall. Honest games of every pace must not raise a note.

use timing::{BoardState, BySide, Duration, Side};

use super::{Thresholds, Verdict};
use crate::board_id::BoardId;
use crate::words::capital;

/// A move counts as long only if it takes at least this many times as long as the longest previous move of the game.
const TIMES_LONGEST: i64 = 4;
/// Average number of half-moves that the other running boards must have completed since the move began for it to count
/// as long.
const PLIES_MEANWHILE: u64 = 20;
/// Minimum number of other running boards for the average of [`PLIES_MEANWHILE`].
const MIN_OTHERS: u64 = 3;
/// Number of presses out of turn in one game that raises a note, if the opponent made less than a quarter as many.
const OUT_OF_TURN: u32 = 10;

/// Number of moves by which a side's score must lag behind play to raise a note, on boards whose moves are entered as
/// they are played.
const MOVES_BEHIND: i64 = 3;

#[derive(Clone, Debug)]
pub(super) struct GameFigures<'a> {
    pub(super) id: &'a BoardId,
    pub(super) state: BoardState,
    /// Time since the clocks entered their current state.
    pub(super) in_state_for: Duration,
    pub(super) moves: BySide<u32>,
    pub(super) main: BySide<Duration>,
    /// True if a move has begun since the current note about a missing press was raised.
    pub(super) moved_on: bool,
    /// The moves written down, compared with the clock's count; `None` if no move is written down, or if the clock is not
    /// connected.
    pub(super) score: Option<ScoreFigures>,
    /// The counts of the board's game in this run of the hub; `None` if nothing has been counted.
    pub(super) counts: Option<Counts>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) ignored_in_move: u32,
    pub(super) ignored_in_game: BySide<u32>,
    pub(super) longest: Duration,
    /// Time used so far by the side to move; `None` if no clock is running or the time is unknown.
    pub(super) think: Option<Duration>,
    /// Number of other boards with running clocks.
    pub(super) others: u64,
    /// Number of half-moves completed in the whole hall since the current move began.
    pub(super) hall_plies: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreFigures {
    pub(super) ahead: BySide<i64>,
    pub(super) is_followed: bool,
}

/// Checks for a press that did not register: the waiting side presses several times during one move, or the move takes
/// far longer than any other in the game.
pub(super) fn missed_press(figures: &GameFigures<'_>, thresholds: &Thresholds) -> Verdict {
    let BoardState::Running { mover } = figures.state else {
        return Verdict::Gone;
    };
    let Some(counts) = figures.counts else {
        return Verdict::Unknown;
    };
    let (id, who, other) = (figures.id, capital(mover), capital(mover.other()));
    if thresholds.ignored_presses > 0 && counts.ignored_in_move >= thresholds.ignored_presses {
        let count = counts.ignored_in_move;
        return Verdict::Seen(format!(
            "board {id}: {other} pressed {count} times while {who}'s clock was running: {who}'s presses may not be registered \
             (not made, or a faulty button). Watch the board and say nothing to the players (FIDE 12.6); if the clock \
             is faulty, stop it and correct the times (FIDE 6.10.1, 7.1)"
        ));
    }
    match long_think(figures, counts, mover, thresholds.long_think_percent) {
        Some(true) => Verdict::Seen(format!(
            "board {id}: {who} has used far longer for this move than for any other in this game, while the other boards \
             played on: a press may be missing. Watch the board and say nothing to the players (FIDE 12.6); if the clock \
             is faulty, stop it and correct the times (FIDE 6.10.1, 7.1)"
        )),
        Some(false) => Verdict::Gone,
        None if figures.moved_on => Verdict::Gone,
        None => Verdict::Unknown,
    }
}

fn long_think(
    figures: &GameFigures<'_>,
    counts: Counts,
    mover: Side,
    percent: u32,
) -> Option<bool> {
    if percent == 0 {
        return Some(false);
    }
    let think = counts.think?.as_micros();
    let main = figures.main[mover].as_micros();
    let own = think / i64::from(percent) >= main / 100
        && main > 0
        && think >= counts.longest.as_micros().saturating_mul(TIMES_LONGEST);
    let hall = counts.others >= MIN_OTHERS && counts.hall_plies / counts.others >= PLIES_MEANWHILE;
    Some(own && hall)
}

pub(super) fn counters(figures: &GameFigures<'_>) -> Option<String> {
    let (white, black) = (figures.moves.white, figures.moves.black);
    let possible = white.abs_diff(black) <= 1;
    let game = in_play(figures.state);
    (game && !possible).then(|| {
        format!(
            "board {}: the counters show {white} moves for White and {black} for Black, which is impossible: compare the \
             scoresheets and correct the counters (FIDE 6.10.2; `flagfall ctl moves`)",
            figures.id
        )
    })
}

/// Checks that the moves written down agree with the clock's count. One move may be entered before its press, and moves
/// may be entered later than they are played.
pub(super) fn score(figures: &GameFigures<'_>) -> Verdict {
    if !in_play(figures.state) {
        return Verdict::Gone;
    }
    let Some(ScoreFigures { ahead, is_followed }) = figures.score else {
        return Verdict::Unknown;
    };
    let not_pressed = ahead.white >= 0 && ahead.black >= 0 && ahead.white + ahead.black > 1;
    let not_written = is_followed && ahead.white.min(ahead.black) <= -MOVES_BEHIND;
    if !(not_pressed || not_written || ahead.white.signum() * ahead.black.signum() < 0) {
        return Verdict::Gone;
    }
    let of = |side: Side| i64::from(figures.moves[side]) + ahead[side];
    Verdict::Seen(format!(
        "board {}: moves written down: White {}, Black {}; counted by the clock: White {}, Black {}: a press or a move is \
         missing; compare the scoresheets and the clock (FIDE 6.2.1, 6.10.2)",
        figures.id,
        of(Side::White),
        of(Side::Black),
        figures.moves.white,
        figures.moves.black
    ))
}

/// Checks for a button that is often pressed out of turn in one game.
pub(super) fn ignored_presses(figures: &GameFigures<'_>, thresholds: &Thresholds) -> Verdict {
    if !in_play(figures.state) || thresholds.ignored_presses == 0 {
        return Verdict::Gone;
    }
    let Some(counts) = figures.counts else {
        return Verdict::Unknown;
    };
    let odd = Side::BOTH.into_iter().find(|side| {
        let (own, other) = (
            counts.ignored_in_game[*side],
            counts.ignored_in_game[side.other()],
        );
        own >= OUT_OF_TURN && other.saturating_mul(4) < own
    });
    odd.map(|side| {
        format!(
            "board {}: {}'s button was pressed {} times out of turn, the opponent's {}: check the button and how the player \
             uses it (FIDE 6.2.4, 6.10.1)",
            figures.id,
            capital(side),
            counts.ignored_in_game[side],
            counts.ignored_in_game[side.other()]
        )
    })
    .into()
}

pub(super) fn stopped(figures: &GameFigures<'_>, thresholds: &Thresholds) -> Option<String> {
    let long = thresholds
        .stopped
        .filter(|long| figures.in_state_for >= *long)?;
    let id = figures.id;
    match figures.state {
        BoardState::Stopped { .. } => Some(format!(
            "board {id}: the players stopped both clocks {long} ago or earlier, and there is no result: go to the board and enter the \
             result, or decide how play continues (FIDE 6.11.2, 6.11.3)"
        )),
        BoardState::Flagged { .. } => Some(format!(
            "board {id}: a flag fell {long} ago or earlier, and there is no result: go to the board and decide (FIDE 6.4, 6.8, 6.9)"
        )),
        BoardState::Ready
        | BoardState::Running { .. }
        | BoardState::Paused { .. }
        | BoardState::Over => None,
    }
}

fn in_play(state: BoardState) -> bool {
    match state {
        BoardState::Ready | BoardState::Over => false,
        BoardState::Running { .. }
        | BoardState::Paused { .. }
        | BoardState::Stopped { .. }
        | BoardState::Flagged { .. } => true,
    }
}
