//! Procedures of other rule sets: the captain's rescue in Triple Block and the capped result in Othello.

use timing::{BySide, Command, Duration, GameResult, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, ends_with, step};
use crate::rule_set::ProcedureKind;

/// Returns the discs to record if `graced` used the two minutes after its flag fell: at best, that side loses 31–33
/// (Othello IV.6). If the two minutes were `overstepped` too, the side has 0 discs and the opponent 64.
pub fn othello_score(graced: Side, discs: BySide<u32>, overstepped: bool) -> BySide<u32> {
    let most = if overstepped { 0 } else { 31 };
    let own = discs[graced].min(most);
    let whole = match overstepped || discs[graced] > most {
        true => 64,
        false => discs.white + discs.black,
    };
    BySide::from_fn(|side| if side == graced { own } else { whole - own })
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
        let refill = Command::Refill { side, amount };
        Ok(vec![step(Actor::Arbiter, article, text, [refill])])
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
        let recorded = graced.map_or(discs, |side| othello_score(side, discs, false));
        let result = match recorded.white.cmp(&recorded.black) {
            std::cmp::Ordering::Greater => GameResult::WhiteWins,
            std::cmp::Ordering::Less => GameResult::BlackWins,
            std::cmp::Ordering::Equal => GameResult::Draw,
        };
        let text = format!(
            "recorded: White {}, Black {}",
            recorded.white, recorded.black
        );
        Ok(vec![step(Actor::Rules, article, text, [ends_with(result)])])
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
            assert_eq!((score.white, score.black), expected);
            let score = othello_score(
                Side::Black,
                BySide {
                    white: black,
                    black: white,
                },
                overstepped,
            );
            assert_eq!((score.black, score.white), expected);
        }
    }
}
