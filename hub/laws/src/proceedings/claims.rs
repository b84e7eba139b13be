//! Claims: what must hold before one is heard, and the way to its procedure.

use timing::{Bonus, Command, Length, Side};

use super::board_claim::Finding;
use super::{Actor, Decision, Proceedings, Refusal, Request, Situation, Steps, name, step};
use crate::rule_set::{ClaimKind, ClaimRule};

/// A claim that waits for a decision. The clocks are stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClaim {
    /// The kind.
    pub kind: ClaimKind,
    /// The claimant.
    pub by: Side,
    /// The move that the claimant has written down, in SAN.
    pub written: Option<String>,
    /// The answer that the moves of the game give, where they are known.
    pub finding: Option<Finding>,
    /// A delay clock is at hand (US Chess 14H).
    pub delay_clock: bool,
    /// The opponent has rejected the draw offer that the claim contains.
    pub declined: bool,
}

impl OpenClaim {
    /// Refuses requests other than those that belong to an open claim.
    pub(super) fn admits(&self, request: &Request) -> Result<(), Refusal> {
        match request {
            Request::Decide(_)
            | Request::Withdraw { .. }
            | Request::Accept { .. }
            | Request::Decline { .. }
            | Request::EndedOnBoard(_) => Ok(()),
            Request::Claim { .. }
            | Request::OfferDraw { .. }
            | Request::Touch { .. }
            | Request::AgreeExtension
            | Request::IllegalMove { .. }
            | Request::CallFlag { .. }
            | Request::WrongSetting { .. }
            | Request::ReversedColours
            | Request::ScorekeepingStopped
            | Request::Absent { .. }
            | Request::Adjourn
            | Request::OpenSealedMove
            | Request::Appeal
            | Request::CaptainsRescue { .. }
            | Request::Othello { .. } => Err(Refusal::ClaimOpen {
                kind: self.kind,
                by: self.by,
            }),
        }
    }
}

impl Proceedings {
    /// Returns the rule for a claim, or the reason why it does not exist here.
    pub(super) fn rule_of(&self, kind: ClaimKind) -> Result<&'static ClaimRule, Refusal> {
        match self.rules.claim.get(&kind) {
            None => Err(Refusal::NotInRules {
                rules: self.rules.title.clone(),
            }),
            Some(rule) => match &rule.off {
                Some(why) => Err(Refusal::Off {
                    article: rule.article.clone(),
                    why: why.clone(),
                }),
                None => Ok(rule),
            },
        }
    }

    /// Checks everything but the board that a claim needs, and returns its rule.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub(crate) fn may_claim(
        &self,
        at: Situation<'_>,
        kind: ClaimKind,
        by: Side,
    ) -> Result<&'static ClaimRule, Refusal> {
        let rule = self.rule_of(kind)?;
        at.in_progress()?;
        let article = || rule.article.clone();
        let at_any_time = matches!(kind, ClaimKind::DoubleFlagDraw | ClaimKind::Director);
        if !at_any_time && at.on_move() != Some(by) {
            return Err(Refusal::NotOnMove { article: article() });
        }
        match kind {
            ClaimKind::Threefold | ClaimKind::FiftyMoves if self.touched[by] => {
                Err(Refusal::Touched)
            }
            ClaimKind::Threefold
            | ClaimKind::FiftyMoves
            | ClaimKind::DoubleFlagDraw
            | ClaimKind::Director => Ok(rule),
            ClaimKind::LosingChancesOld
            | ClaimKind::LosingChancesNew
            | ClaimKind::Increment
            | ClaimKind::NormalMeans
            | ClaimKind::NormalMeansNoArbiter => self.in_time_trouble(at, kind, by, rule),
        }
    }

    fn in_time_trouble(
        &self,
        at: Situation<'_>,
        kind: ClaimKind,
        by: Side,
        rule: &'static ClaimRule,
    ) -> Result<&'static ClaimRule, Refusal> {
        let article = || rule.article.clone();
        let view = at.clock.side(by, at.now);
        let is_losing_chances = matches!(
            kind,
            ClaimKind::LosingChancesOld | ClaimKind::LosingChancesNew
        );
        if view.flag != timing::FlagView::None {
            let article = if is_losing_chances {
                "14H4".to_owned()
            } else {
                article()
            };
            return Err(Refusal::FlagDown { article });
        }
        if self.fitted.is_some() {
            return Err(Refusal::AlreadyFitted { article: article() });
        }
        let periods = at.clock.control(by).periods();
        let index = usize::try_from(view.period).unwrap_or(usize::MAX);
        let Some(last) = periods.last().filter(|_| index >= periods.len()) else {
            return Err(Refusal::NotSuddenDeath { article: article() });
        };
        if last.length != Length::ToTheEnd {
            return Err(Refusal::NotSuddenDeath { article: article() });
        }
        if last.bonus != Bonus::None {
            let article = if is_losing_chances {
                "14H5".to_owned()
            } else {
                "Guidelines III.2".to_owned()
            };
            return Err(Refusal::DelayInUse { article });
        }
        // 14H: "two minutes or less"; Guidelines III.4: "less than two minutes".
        let too_much = rule.at_most.is_some_and(|most| match is_losing_chances {
            true => view.time > most,
            false => view.time >= most,
        });
        if too_much {
            return Err(Refusal::TooMuchTime {
                article: article(),
                has: view.time,
            });
        }
        Ok(rule)
    }

    pub(super) fn claim(
        &mut self,
        at: Situation<'_>,
        kind: ClaimKind,
        by: Side,
        written: Option<&str>,
        delay_clock: bool,
    ) -> Result<Steps, Refusal> {
        let rule = self.may_claim(at, kind, by)?;
        if kind == ClaimKind::DoubleFlagDraw {
            return Ok(Self::double_flag_draw(rule, by));
        }
        if kind == ClaimKind::NormalMeansNoArbiter {
            return Ok(self.claim_without_arbiter(at, rule, by));
        }
        let (written, finding) = self.find(at, kind, written)?;
        let mut commands = at.pause();
        let text = match &written {
            Some(san) => format!("{} claims and has written {san}", name(by)),
            None => format!("{} claims ({})", name(by), kind.as_str()),
        };
        if kind == ClaimKind::Director {
            commands.retain(|command| *command == Command::Pause);
        } else {
            // FIDE 9.1.2.3, 14H, Guidelines III.4: the claim is a draw offer.
            self.offers(by);
        }
        self.open = Some(OpenClaim {
            kind,
            by,
            written,
            finding,
            delay_clock,
            declined: false,
        });
        Ok(vec![step(Actor::Player(by), &rule.article, text, commands)])
    }

    /// Decides the open claim, a claim that is being watched, or the appeal.
    pub(super) fn decide(
        &mut self,
        at: Situation<'_>,
        decision: &Decision,
    ) -> Result<Steps, Refusal> {
        if self.appealed.is_some() {
            return self.decide_appeal(decision);
        }
        let Some(open) = self.open.clone() else {
            return self.decide_watched(at, decision);
        };
        let steps = match open.kind {
            ClaimKind::Threefold | ClaimKind::FiftyMoves => {
                self.decide_board_claim(at, &open, decision)
            }
            ClaimKind::LosingChancesOld | ClaimKind::LosingChancesNew => {
                self.decide_losing_chances(at, &open, decision)
            }
            ClaimKind::Increment | ClaimKind::NormalMeans => {
                self.decide_guidelines(at, &open, decision)
            }
            ClaimKind::Director => self.decide_for_director(&open, decision),
            ClaimKind::NormalMeansNoArbiter | ClaimKind::DoubleFlagDraw => {
                Err(Refusal::NothingOpen)
            }
        }?;
        self.open = None;
        Ok(steps)
    }

    /// Decides a claim on which judgement was reserved or postponed: only as a draw.
    fn decide_watched(&mut self, at: Situation<'_>, decision: &Decision) -> Result<Steps, Refusal> {
        let (kind, by) = self.watching.ok_or(Refusal::NothingOpen)?;
        let rule = self.rule_of(kind)?;
        at.in_progress()?;
        match decision {
            Decision::Correct => {
                self.watching = None;
                let text = format!("the claim of {} is upheld: drawn", by.as_str());
                Ok(vec![step(
                    Actor::Arbiter,
                    &rule.article,
                    text,
                    vec![self.drawn()],
                )])
            }
            Decision::Continue => {
                self.watching = None;
                let text = format!("the claim of {} is not upheld", by.as_str());
                Ok(vec![step(Actor::Arbiter, &rule.article, text, Vec::new())])
            }
            Decision::AsFound
            | Decision::Incorrect { .. }
            | Decision::Deny
            | Decision::Watch
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Uphold
            | Decision::Result(_) => Err(wrong_decision(rule, "")),
        }
    }

    fn decide_for_director(
        &mut self,
        open: &OpenClaim,
        decision: &Decision,
    ) -> Result<Steps, Refusal> {
        let rule = self.rule_of(open.kind)?;
        let (text, command) = match decision {
            Decision::Continue => ("play continues".to_owned(), Command::Resume(None)),
            Decision::Correct => ("drawn".to_owned(), self.drawn()),
            Decision::Result(result) if self.rules.permits(*result) => (
                format!("{result}"),
                Command::End(timing::Ending::Result(Some(*result))),
            ),
            Decision::AsFound
            | Decision::Incorrect { .. }
            | Decision::Deny
            | Decision::Watch
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Uphold
            | Decision::Result(_) => return Err(wrong_decision(rule, "")),
        };
        let text = format!("the director decides: {text}");
        Ok(vec![step(
            Actor::Arbiter,
            &rule.article,
            text,
            vec![command],
        )])
    }

    pub(super) fn withdraw(&mut self, by: Side) -> Result<Steps, Refusal> {
        match &self.open {
            Some(open) if open.by == by => match open.kind {
                ClaimKind::Threefold | ClaimKind::FiftyMoves => {
                    Err(Refusal::CannotWithdraw { article: "9.5.2" })
                }
                ClaimKind::LosingChancesOld | ClaimKind::LosingChancesNew => {
                    Err(Refusal::CannotWithdraw { article: "14H2" })
                }
                ClaimKind::Increment
                | ClaimKind::NormalMeans
                | ClaimKind::NormalMeansNoArbiter
                | ClaimKind::DoubleFlagDraw
                | ClaimKind::Director => Err(Refusal::CannotWithdraw { article: "9.1.2.1" }),
            },
            Some(_) | None => Err(Refusal::NothingOpen),
        }
    }
}

pub(super) fn wrong_decision(rule: &ClaimRule, why: &'static str) -> Refusal {
    Refusal::WrongDecision {
        article: rule.article.clone(),
        why,
    }
}
