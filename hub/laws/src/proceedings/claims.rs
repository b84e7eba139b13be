//! Claims: the conditions under which the arbiter hears a claim, and the procedure that then applies.

use timing::{Bonus, Command, Length, Side};

use super::board_claim::Finding;
use super::{Actor, Decision, Proceedings, Refusal, Request, Situation, Steps};
use super::{ends_with, name, step};
use crate::rule_set::{ClaimKind, ClaimRule};

/// A claim that waits for a decision. The clocks are stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClaim {
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The claimant.
    pub by: Side,
    /// The move that the claimant has written down, in SAN if the game's moves are known.
    pub written: Option<String>,
    /// The evidence from the moves; `None` if they are not known or the claim is not about them.
    pub finding: Option<Finding>,
    /// True if a delay clock is available (US Chess 14H).
    pub delay_clock: bool,
    /// True if the opponent has rejected the draw offer that the claim contains.
    pub declined: bool,
}

impl OpenClaim {
    /// Refuses a request that must wait for the decision about this claim.
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
            | Request::Othello { .. } => Err(self.still_open()),
        }
    }

    pub(super) fn still_open(&self) -> Refusal {
        Refusal::ClaimOpen {
            kind: self.kind,
            by: self.by,
        }
    }
}

impl Proceedings {
    pub(super) fn rule_of(&self, kind: ClaimKind) -> Result<&'static ClaimRule, Refusal> {
        let rule = self.rules.claim.get(&kind);
        let rule = rule.ok_or_else(|| self.not_in_rules())?;
        Refusal::if_off(&rule.article, rule.off.as_deref())?;
        Ok(rule)
    }

    /// Checks the rule's conditions for a claim, except the position on the board, and returns the claim's rule.
    ///
    /// # Errors
    /// Returns the [`Refusal`] of the first condition that does not hold.
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
        if !at_any_time && at.side_on_move() != Some(by) {
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
        let is_losing_chances = kind.is_losing_chances();
        if view.flag != timing::FlagView::None {
            let article = match is_losing_chances {
                true => "14H4".to_owned(),
                false => article(),
            };
            return Err(Refusal::FlagDown { article });
        }
        if self.fitted.is_some() {
            return Err(Refusal::AlreadyFitted { article: article() });
        }
        let periods = at.clock.control(by).periods();
        let index = usize::try_from(view.period).unwrap_or(usize::MAX);
        let last = periods.last().filter(|_| index >= periods.len());
        let Some(last) = last.filter(|last| last.length == Length::ToTheEnd) else {
            return Err(Refusal::NotSuddenDeath { article: article() });
        };
        if last.bonus != Bonus::None {
            let article = match is_losing_chances {
                true => "14H5",
                false => "Guidelines III.2",
            };
            return Err(Refusal::DelayInUse {
                article: article.to_owned(),
            });
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
        let text = match &written {
            Some(san) => format!("{} claims and has written {san}", name(by)),
            None => format!("{} claims ({})", name(by), kind.as_str()),
        };
        if kind != ClaimKind::Director {
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
        let player = Actor::Player(by);
        Ok(vec![step(player, &rule.article, text, at.pause())])
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

    /// Decides a claim on which judgement was reserved or postponed, or that was made without an arbiter. The only
    /// possible ruling in its favour is a draw.
    fn decide_watched(&mut self, at: Situation<'_>, decision: &Decision) -> Result<Steps, Refusal> {
        let (kind, by) = self.watching.ok_or(Refusal::NothingOpen)?;
        let rule = self.rule_of(kind)?;
        at.in_progress()?;
        let (text, command) = match decision {
            Decision::Correct => ("upheld: drawn", Some(self.drawn())),
            Decision::Continue => ("not upheld", None),
            Decision::AsFound
            | Decision::Incorrect { .. }
            | Decision::Deny
            | Decision::Watch
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Uphold
            | Decision::Result(_) => return Err(wrong_decision(&rule.article, "")),
        };
        self.watching = None;
        let text = format!("the claim by {} is {text}", by.as_str());
        Ok(vec![step(Actor::Arbiter, &rule.article, text, command)])
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
            Decision::Result(result) if self.rules.permits(*result) => {
                (result.to_string(), ends_with(*result))
            }
            Decision::AsFound
            | Decision::Incorrect { .. }
            | Decision::Deny
            | Decision::Watch
            | Decision::Fit(_)
            | Decision::Postpone { .. }
            | Decision::Reject
            | Decision::Uphold
            | Decision::Result(_) => return Err(wrong_decision(&rule.article, "")),
        };
        let text = format!("the director decides: {text}");
        Ok(vec![step(Actor::Arbiter, &rule.article, text, [command])])
    }

    pub(super) fn withdraw(&mut self, by: Side) -> Result<Steps, Refusal> {
        let open = self.open.as_ref().filter(|open| open.by == by);
        let article = match open.ok_or(Refusal::NothingOpen)?.kind {
            ClaimKind::Threefold | ClaimKind::FiftyMoves => "9.5.2",
            ClaimKind::LosingChancesOld | ClaimKind::LosingChancesNew => "14H2",
            ClaimKind::Increment
            | ClaimKind::NormalMeans
            | ClaimKind::NormalMeansNoArbiter
            | ClaimKind::DoubleFlagDraw
            | ClaimKind::Director => "9.1.2.1",
        };
        Err(Refusal::CannotWithdraw { article })
    }
}

pub(super) fn wrong_decision(article: &str, why: &'static str) -> Refusal {
    Refusal::WrongDecision {
        article: article.to_owned(),
        why,
    }
}
