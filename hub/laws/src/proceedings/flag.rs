//! Flag calls by the arbiter, the opponent or the clock (FIDE 6.8), and their consequences (FIDE 6.9, Guidelines
//! III.3.1).

use timing::{BySide, Command, FlagView, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::FlagCaller;

/// The log's evidence about the order in which two flags fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagOrder {
    /// The log shows which flag fell first.
    Known,
    /// The two flags fell so close together that the log cannot show their order.
    Unknown,
}

impl Proceedings {
    pub(super) fn call_flag(
        &mut self,
        at: Situation<'_>,
        side: Side,
        caller: FlagCaller,
        order: FlagOrder,
    ) -> Result<Steps, Refusal> {
        at.in_progress()?;
        let rule = &self.rules.flag;
        if !self.rules.may_call(caller) {
            return Err(Refusal::MayNotCall {
                article: rule.article.clone(),
            });
        }
        let views = BySide::from_fn(|side| at.clock.side(side, at.now));
        if views[side].flag == FlagView::None {
            return Err(Refusal::FlagUp);
        }
        if let Some(end) = self.board_end(at) {
            return Err(Refusal::EndedOnBoard {
                article: end.article(),
            });
        }
        let actor = match caller {
            FlagCaller::Arbiter => Actor::Arbiter,
            FlagCaller::Opponent => Actor::Player(side.other()),
            FlagCaller::Clock => Actor::Rules,
        };
        let called = match views[side].flag {
            FlagView::Called => None,
            FlagView::None | FlagView::Fallen => Some(Command::CallFlag(side)),
        };
        let text = format!("{}'s flag has fallen", name(side));
        let mut steps = vec![step(actor, &rule.article, text, called)];
        let both_down = views[side.other()].flag != FlagView::None;
        let article = rule.both_down_article.as_ref().filter(|_| both_down);
        steps.push(match (article, order) {
            (Some(article), FlagOrder::Unknown) => self.both_down(at, article),
            (Some(article), FlagOrder::Known) => {
                let first = at.clock.first_flag().unwrap_or(side);
                let (end, words) = self.loss(at, first, rule.cannot_mate);
                let text = format!("{}'s flag fell first: {words}", name(first));
                step(Actor::Rules, article, text, [end])
            }
            (None, FlagOrder::Known | FlagOrder::Unknown) => {
                let (end, words) = self.loss(at, side, rule.cannot_mate);
                step(Actor::Rules, &rule.outcome_article, words, [end])
            }
        });
        Ok(steps)
    }

    /// Returns the step for two fallen flags in unknown order: the game is drawn in the last period and otherwise
    /// continues.
    fn both_down(&self, at: Situation<'_>, article: &str) -> super::ProcedureStep {
        let in_last = Side::BOTH.into_iter().all(|side| {
            let period = at.clock.side(side, at.now).period;
            usize::try_from(period)
                .is_ok_and(|index| index >= at.clock.control(side).periods().len())
        });
        if in_last {
            let text = "both flags are down in the last period, their order unknown: drawn";
            step(Actor::Rules, article, text, [self.drawn()])
        } else {
            let text = "both flags are down, their order unknown: the game continues";
            step(Actor::Rules, article, text, [])
        }
    }
}
