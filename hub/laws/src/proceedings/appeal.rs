//! Appeals: a decided game is reopened until the appeal is decided. The clocks keep their times from the decision.

use timing::{Command, Ending};

use super::claims::wrong_decision;
use super::{Actor, Decision, Proceedings, Refusal, Situation, Steps, ends_with, step};
use crate::rule_set::ProcedureKind;

impl Proceedings {
    pub(super) fn appeal(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Appeal)?;
        let result = at.clock.result().ok_or(Refusal::NoResult)?;
        self.appealed = Some(result);
        let text = format!("the decision {result} is appealed; the game has no result for now");
        let lift = Command::End(Ending::Result(None));
        Ok(vec![step(Actor::Arbiter, article, text, [lift])])
    }

    pub(super) fn decide_appeal(&mut self, decision: &Decision) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Appeal)?;
        let appealed = self.appealed.take().ok_or(Refusal::NothingOpen)?;
        let (text, command) = match decision {
            Decision::Uphold => (
                format!("the decision stands: {appealed}"),
                ends_with(appealed),
            ),
            Decision::Continue => (
                "the decision is set aside; play continues".to_owned(),
                Command::Resume(None),
            ),
            Decision::Result(result) if self.rules.permits(*result) => (
                format!("the result is changed to {result}"),
                ends_with(*result),
            ),
            Decision::AsFound
            | Decision::Correct
            | Decision::Incorrect { .. }
            | Decision::Deny
            | Decision::Watch
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Result(_) => return Err(wrong_decision(article, "")),
        };
        Ok(vec![step(Actor::Arbiter, article, text, [command])])
    }
}
