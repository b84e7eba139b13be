//! Procedures of the other rule sets: the captain's rescue of Triple Block, the capped result of Othello, the overtime of
//! Scrabble.

use timing::{BySide, Command, Duration, Ending, GameResult, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, step};
use crate::rule_set::ProcedureKind;

/// The discs recorded for an Othello game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthelloScore {
    /// The discs of each side.
    pub discs: BySide<u32>,
}

/// Returns the score that is recorded if `graced` used the two minutes after its flag: at best 31–33 (Othello IV.6). A
/// second overstep is recorded as 0–64.
pub fn othello_score(graced: Side, discs: BySide<u32>, overstepped: bool) -> OthelloScore {
    let own = if overstepped {
        0
    } else {
        discs[graced].min(31)
    };
    let whole = if overstepped || discs[graced] > 31 {
        64
    } else {
        discs.white + discs.black
    };
    let other = whole - own;
    OthelloScore {
        discs: match graced {
            Side::White => BySide {
                white: own,
                black: other,
            },
            Side::Black => BySide {
                white: other,
                black: own,
            },
        },
    }
}

/// Readings of Scrabble's overtime penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OvertimeScale {
    /// 10 points for every minute or part of one.
    PerMinuteOrPart,
    /// 10 points on entering overtime, and 10 for every full minute.
    EntryAndFullMinutes,
}

/// Returns the penalty points for so much overtime.
pub fn overtime_points(scale: OvertimeScale, overtime: Duration) -> i64 {
    const MINUTE: i64 = 60_000_000;
    let used = overtime.as_micros();
    if used <= 0 {
        return 0;
    }
    match scale {
        OvertimeScale::PerMinuteOrPart => 10 * ((used + MINUTE - 1) / MINUTE),
        OvertimeScale::EntryAndFullMinutes => 10 + 10 * (used / MINUTE),
    }
}

impl Proceedings {
    pub(super) fn captains_rescue(
        &mut self,
        at: Situation<'_>,
        side: Side,
        amount: Option<Duration>,
        substituted: bool,
        after_end_date: bool,
    ) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::CaptainsRescue)?;
        at.in_progress()?;
        if after_end_date {
            return Err(Refusal::AfterEndDate);
        }
        if !substituted {
            return Err(Refusal::NotSubstituted);
        }
        let text = "the captain refills the clock of a substituted player; the clocks keep running";
        Ok(vec![step(
            Actor::Arbiter,
            article,
            text,
            vec![Command::Refill { side, amount }],
        )])
    }

    pub(super) fn othello(
        &mut self,
        at: Situation<'_>,
        graced: Option<Side>,
        discs: BySide<u32>,
    ) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::GraceResult)?;
        at.in_progress()?;
        let total = discs.white.saturating_add(discs.black);
        if total > 64 {
            return Err(Refusal::TooManyDiscs { discs: total });
        }
        let recorded = graced.map_or(discs, |side| othello_score(side, discs, false).discs);
        let result = match recorded.white.cmp(&recorded.black) {
            std::cmp::Ordering::Greater => GameResult::WhiteWins,
            std::cmp::Ordering::Less => GameResult::BlackWins,
            std::cmp::Ordering::Equal => GameResult::Draw,
        };
        let text = format!(
            "recorded: White {}, Black {}",
            recorded.white, recorded.black
        );
        Ok(vec![step(
            Actor::Rules,
            article,
            text,
            vec![Command::End(Ending::Result(Some(result)))],
        )])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grace_caps_the_othello_score() {
        for (white, black, overstepped, expected) in [
            (40, 24, false, (31, 33)),
            (32, 32, false, (31, 33)),
            (31, 33, false, (31, 33)),
            (20, 44, false, (20, 44)),
            (40, 24, true, (0, 64)),
        ] {
            let score = othello_score(Side::White, BySide { white, black }, overstepped);
            assert_eq!((score.discs.white, score.discs.black), expected);
            let score = othello_score(
                Side::Black,
                BySide {
                    white: black,
                    black: white,
                },
                overstepped,
            );
            assert_eq!((score.discs.black, score.discs.white), expected);
        }
    }

    #[test]
    fn overtime_counts_in_two_ways() {
        for (micros, per_part, entry) in [
            (0, 0, 0),
            (1_000, 10, 10),
            (60_000_000, 10, 20),
            (60_001_000, 20, 20),
        ] {
            let overtime = Duration::from_micros(micros);
            let points = |scale| overtime_points(scale, overtime);
            assert_eq!(points(OvertimeScale::PerMinuteOrPart), per_part);
            assert_eq!(points(OvertimeScale::EntryAndFullMinutes), entry);
        }
    }
}
