//! US Chess 14H, insufficient losing chances, in its old and its new text.

use timing::{Command, Duration, Side};

use super::claims::wrong_decision;
use super::guidelines::with_bonus;
use super::{Actor, Decision, OpenClaim, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::{ClaimKind, ClaimRule};

/// Minimum time that halving or a penalty leaves the claimant. A penalty takes nothing from a claimant who has less.
const MIN_LEFT: Duration = Duration::from_secs(1);

/// Returns half of the claimant's time, rounded to the nearest second (half a second rounds up), and at least one
/// second (14H2a).
pub(crate) fn half_of(time: Duration) -> Duration {
    let half_seconds = time.as_micros().saturating_add(1_000_000) / 2_000_000;
    Duration::from_secs(half_seconds).max(MIN_LEFT)
}

impl Proceedings {
    pub(super) fn decide_losing_chances(
        &mut self,
        at: Situation<'_>,
        open: &OpenClaim,
        decision: &Decision,
    ) -> Result<Steps, Refusal> {
        let rule = self.rule_of(open.kind)?;
        let is_new = open.kind == ClaimKind::LosingChancesNew;
        if is_new && !open.declined {
            return Err(Refusal::OfferNotAnswered);
        }
        if is_new && open.delay_clock && !matches!(decision, Decision::Fit(_)) {
            return Err(wrong_decision(
                &rule.article,
                ": a delay clock is available, and the new text introduces it without a judgement (14H2a)",
            ));
        }
        match decision {
            Decision::Fit(_) if !open.delay_clock => Err(wrong_decision(
                &rule.article,
                ": no delay clock is available (14H2b)",
            )),
            Decision::Fit(Some(delay)) => self.fit_delay(at, open, *delay),
            Decision::Correct => {
                let article = if is_new { "14H2b" } else { "14H2c" };
                let text = "the claim is clearly correct: drawn";
                Ok(vec![step(Actor::Arbiter, article, text, [self.drawn()])])
            }
            Decision::Incorrect { penalty } => self.clearly_incorrect(at, rule, open, *penalty),
            Decision::Deny | Decision::Watch if !is_new && open.delay_clock => Err(wrong_decision(
                &rule.article,
                ": a delay clock is available; answer an unclear claim by introducing it (14H2a)",
            )),
            Decision::Deny => {
                let text = "the claim is denied; the claimant may claim again later";
                Ok(self.play_on(open.by, "14H2b", text, None))
            }
            Decision::Watch => {
                self.watching = Some((open.kind, open.by));
                let text =
                    "the director watches and reserves judgement, to decide before a flag falls";
                Ok(self.play_on(open.by, "14H2b", text, None))
            }
            Decision::AsFound
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Continue
            | Decision::Uphold
            | Decision::Result(_) => Err(wrong_decision(&rule.article, "")),
        }
    }

    fn fit_delay(
        &mut self,
        at: Situation<'_>,
        open: &OpenClaim,
        delay: Duration,
    ) -> Result<Steps, Refusal> {
        let before = at.clock.side(open.by, at.now).time;
        let half = half_of(before);
        let control = with_bonus(at.clock.time_control(), &format!(" delay {delay}"), "14H2a")?;
        self.fitted = Some("14H2a");
        let text = format!(
            "a delay clock is introduced with {delay}; {} has {half} of {before}, the opponent's time is unchanged",
            name(open.by)
        );
        let halved = Command::Set {
            side: open.by,
            to: half,
        };
        let commands = [Command::ChangeControl(control), halved];
        Ok(self.play_on(open.by, "14H2a", &text, commands))
    }

    fn clearly_incorrect(
        &mut self,
        at: Situation<'_>,
        rule: &ClaimRule,
        open: &OpenClaim,
        penalty: Duration,
    ) -> Result<Steps, Refusal> {
        let article = rule.wrong_article.as_deref().unwrap_or(&rule.article);
        let most = rule.wrong_claimant_loses.unwrap_or(Duration::ZERO);
        if penalty > most || penalty < Duration::ZERO {
            return Err(Refusal::PenaltyTooHigh {
                article: article.to_owned(),
                most,
            });
        }
        let has = at.clock.side(open.by, at.now).time;
        let left = (has - penalty).max(MIN_LEFT.min(has));
        let taken = (left != has).then(|| Command::Add {
            side: open.by,
            by: left - has,
        });
        let text = format!(
            "the claim is clearly incorrect; {} loses {}",
            name(open.by),
            has - left
        );
        Ok(self.play_on(open.by, article, &text, taken))
    }

    /// Returns the steps by which the game continues: the arbiter's decision, then the restart of the claimant's clock.
    /// Records the claim as a draw offer under 14B3.
    fn play_on(
        &mut self,
        by: Side,
        article: &str,
        text: &str,
        commands: impl IntoIterator<Item = Command>,
    ) -> Steps {
        self.offers(by);
        let offer = format!(
            "{}'s clock runs; the claim is a draw offer before moving: the opponent may ask for a move first",
            name(by)
        );
        let resume = Command::Resume(Some(by));
        vec![
            step(Actor::Arbiter, article, text, commands),
            step(Actor::Arbiter, "14B3", offer, [resume]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_to_the_nearest_second() {
        for (has, gets) in [
            (120_000, 60_000),
            (119_999, 60_000),
            (97_000, 49_000),
            (96_400, 48_000),
            (61_000, 31_000),
            (3_000, 2_000),
            (1_000, 1_000),
            (999, 1_000),
        ] {
            assert_eq!(
                half_of(Duration::from_millis(has)),
                Duration::from_millis(gets),
                "{has}"
            );
        }
    }
}
