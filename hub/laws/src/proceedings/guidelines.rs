//! FIDE Guidelines III: games without an increment in the last period, when a player has less than two minutes.

use timing::{Command, Duration, Side, TimeControl};

use super::claims::wrong_decision;
use super::{Actor, Decision, OpenClaim, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::{ClaimKind, ClaimRule};

/// Returns the time control with a bonus added to the last period of both sides. Returns a refusal if that period
/// already has a delay or an increment; the refusal names `article`.
pub(super) fn with_bonus(
    control: &TimeControl,
    bonus: &str,
    article: &str,
) -> Result<TimeControl, Refusal> {
    let text = control.to_string();
    let (sides, runs_on) = match text.strip_suffix(" runs on") {
        Some(sides) => (sides, " runs on"),
        None => (text.as_str(), ""),
    };
    let fitted: Vec<String> = sides
        .split(" vs ")
        .map(|side| format!("{side}{bonus}"))
        .collect();
    let whole = format!("{}{runs_on}", fitted.join(" vs "));
    whole.parse().map_err(|_| Refusal::DelayInUse {
        article: article.to_owned(),
    })
}

impl Proceedings {
    pub(super) fn decide_guidelines(
        &mut self,
        at: Situation<'_>,
        open: &OpenClaim,
        decision: &Decision,
    ) -> Result<Steps, Refusal> {
        let rule = self.rule_of(open.kind)?;
        let opponent = open.by.other();
        let resume = Command::Resume(Some(open.by));
        let add = |by| Command::Add { side: opponent, by };
        let gains = |span: Option<Duration>| Vec::from_iter(span.map(add));
        let (text, mut commands, goes_on) = match (open.kind, decision) {
            (ClaimKind::Increment, Decision::Fit(None)) => {
                let fits = rule.fits.unwrap_or(Duration::ZERO);
                let control = with_bonus(
                    at.clock.time_control(),
                    &format!("+{fits}"),
                    "Guidelines III.4",
                )?;
                self.fitted = Some("Guidelines III.4");
                let mut commands = vec![Command::ChangeControl(control)];
                commands.extend(gains(rule.opponent_gains));
                let text = format!(
                    "an increment of {fits} is introduced for both players; {} receives extra time",
                    name(opponent)
                );
                (text, commands, true)
            }
            (ClaimKind::Increment, Decision::Deny) => {
                let text =
                    "no increment is introduced; the player may claim under III.5".to_owned();
                (text, Vec::new(), true)
            }
            (ClaimKind::NormalMeans, Decision::Correct) => (
                "the opponent cannot win, or is not trying to: drawn".to_owned(),
                vec![self.drawn()],
                false,
            ),
            (ClaimKind::NormalMeans, Decision::Postpone { award }) => {
                self.watching = Some((open.kind, open.by));
                let extra = if *award { rule.opponent_gains } else { None };
                let text = "the decision is postponed; it may come even after a flag has fallen";
                (text.to_owned(), gains(extra), true)
            }
            (ClaimKind::NormalMeans, Decision::Reject) => (
                format!(
                    "the claim is rejected; {} receives extra time",
                    name(opponent)
                ),
                gains(rule.wrong_opponent_gains),
                true,
            ),
            _ => return Err(wrong_decision(&rule.article, "")),
        };
        if goes_on {
            commands.push(resume);
        }
        Ok(vec![step(Actor::Arbiter, &rule.article, text, commands)])
    }

    /// Returns the step of a claim without an arbiter (III.6): play ends, and both players verify the final position.
    pub(super) fn claim_without_arbiter(
        &mut self,
        at: Situation<'_>,
        rule: &ClaimRule,
        by: Side,
    ) -> Steps {
        let position = at
            .score
            .map_or_else(String::new, |score| format!(": {}", score.fen()));
        self.watching = Some((ClaimKind::NormalMeansNoArbiter, by));
        let text = format!(
            "{} claims; play ends, and both players verify the final position{position}",
            name(by)
        );
        vec![step(Actor::Player(by), &rule.article, text, at.pause())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bonus_beside_an_increment_is_refused_by_its_article() {
        let with = |control: &str| with_bonus(&control.parse().unwrap(), "+5s", "Guidelines III.4");
        assert_eq!(with("3m").unwrap().to_string(), "3m+5s");
        let article = "Guidelines III.4".to_owned();
        assert_eq!(with("3m+2s"), Err(Refusal::DelayInUse { article }));
    }
}
