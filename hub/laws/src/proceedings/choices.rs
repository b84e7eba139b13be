//! The requests that a panel offers an arbiter, possible or not, each with its article. Each is tried on a copy, so that the panel can disable a
//! request that would be refused.

use timing::{Allotment, BoardState, BySide, Command, Duration, FlagView, Side};

use super::{
    Claimable, Decision, FlagOrder, OffenceKind, ProcedureStep, Proceedings, Refusal, Request,
    Situation,
};
use crate::rule_set::FlagCaller;
use crate::{GameKind, board_end};

/// A request, and whether it would be refused now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The request, with default figures, such as the highest penalty or the current times.
    pub request: Request,
    /// The article that provides for the request, or on which its refusal is based; empty if there is none.
    pub article: String,
    /// The reason why the request would be refused now; `None` if it is possible.
    pub refused: Option<Refusal>,
    /// The command that the clock would carry out for the request; `None` if the clock would not change.
    pub effect: Option<Command>,
    /// For a claim: whether it is correct in the current position; `None` if that is unknown.
    pub correct: Option<bool>,
    /// For a claim: the moves, in SAN, that would make it correct if the claimant writes one of them down.
    pub by_writing: Vec<String>,
}

impl Proceedings {
    /// Returns the requests of the rule set, possible or not, in panel order: decisions that are due, answers to a
    /// draw offer, flags, claims, draw offers, illegal moves, and the remaining procedures. While a claim is open,
    /// returns only the decisions and the answers.
    pub fn choices(&self, situation: Situation<'_>) -> Vec<Choice> {
        let mut clock = situation.clock.clone();
        let _ = clock.pass_time(situation.now);
        let at = Situation {
            clock: &clock,
            ..situation
        };
        let mut choices: Vec<Choice> = self
            .decisions()
            .into_iter()
            .filter_map(|decision| self.decision_choice(at, decision))
            .collect();
        for by in Side::BOTH {
            if self.draw_offer() == Some(by.other()) {
                choices.push(self.tried(at, Request::Accept { by }));
                choices.push(self.tried(at, Request::Decline { by }));
            }
        }
        if self.open.is_some() {
            return choices;
        }
        let over = clock.state() == BoardState::Over;
        let is_down = |side: &Side| !over && clock.side(*side, at.now).flag != FlagView::None;
        let callers = self.rules.flag.called_by.iter().copied();
        for side in Side::BOTH.into_iter().filter(is_down) {
            for caller in callers.clone().filter(|by| *by != FlagCaller::Clock) {
                let request = Request::CallFlag {
                    side,
                    caller,
                    order: FlagOrder::Known,
                };
                choices.push(self.tried(at, request));
            }
        }
        choices.extend(self.claim_choices(at));
        let others = self.others(at);
        choices.extend(others.into_iter().map(|request| self.tried(at, request)));
        choices
    }

    /// Returns the choices that apply if one or both players are still absent `elapsed` after the start of play.
    pub fn absences(
        &self,
        situation: Situation<'_>,
        elapsed: Duration,
        default_time: Duration,
    ) -> Vec<Choice> {
        let absent = [(true, false), (false, true), (true, true)];
        let tried = absent.map(|(white, black)| {
            let request = Request::Absent {
                sides: BySide { white, black },
                elapsed,
                default_time,
            };
            self.tried(situation, request)
        });
        tried
            .into_iter()
            .filter(|choice| !matches!(choice.refused, Some(Refusal::NotInRules { .. })))
            .collect()
    }

    /// Returns the decisions with their default figures, in panel order.
    fn decisions(&self) -> Vec<Decision> {
        let open = self.open.as_ref();
        let rule = open.and_then(|open| self.rules.claim_rule(open.kind));
        let penalty = rule.and_then(|rule| rule.wrong_claimant_loses);
        let penalty = penalty.unwrap_or(Duration::ZERO);
        let delay = rule.and_then(|rule| rule.fits);
        let results = self.rules.results.permitted.iter().copied();
        let mut decisions = vec![
            Decision::AsFound,
            Decision::Correct,
            Decision::Incorrect { penalty },
            Decision::Deny,
            Decision::Watch,
            Decision::Fit(delay),
            Decision::Fit(None),
            Decision::Postpone { award: false },
            Decision::Postpone { award: true },
            Decision::Reject,
            Decision::Uphold,
            Decision::Continue,
        ];
        decisions.extend(results.map(Decision::Result));
        decisions.dedup();
        decisions
    }

    /// Tries a decision and returns the resulting choice; `None` if the decision applies to no open or watched claim
    /// and to no appeal.
    fn decision_choice(&self, at: Situation<'_>, decision: Decision) -> Option<Choice> {
        let choice = self.tried(at, Request::Decide(decision));
        match &choice.refused {
            Some(Refusal::NothingOpen) => None,
            // An empty reason means that the claim has no such decision.
            Some(Refusal::WrongDecision { why: "", .. }) => None,
            Some(_) | None => Some(choice),
        }
    }

    fn claim_choices(&self, at: Situation<'_>) -> Vec<Choice> {
        let choice = |claim: Claimable| {
            let request = Request::Claim {
                kind: claim.kind,
                by: claim.by,
                written: None,
                delay_clock: claim.kind.is_losing_chances(),
            };
            Choice {
                article: claim.article,
                correct: claim.correct,
                by_writing: claim.by_writing,
                ..self.tried(at, request)
            }
        };
        self.claims(at).into_iter().map(choice).collect()
    }

    fn others(&self, at: Situation<'_>) -> Vec<Request> {
        let mut others = Vec::new();
        if self.rules.draw_offer.is_some() && self.draw_offer().is_none() {
            others.extend(Side::BOTH.map(|by| Request::OfferDraw { by }));
        }
        if self.rules.illegal_move.is_some() {
            for by in Side::BOTH {
                others.extend(OffenceKind::ALL.map(|kind| Request::IllegalMove { by, kind }));
            }
        }
        if self.rules.game == GameKind::Chess {
            others.extend(Side::BOTH.map(|by| Request::Touch { by }));
        }
        // Whole seconds, because clocks show whole seconds.
        let times = BySide::from_fn(|side| {
            let micros = at.clock.side(side, at.now).time.as_micros();
            Duration::from_secs(micros.div_euclid(1_000_000))
        });
        others.extend([
            Request::WrongSetting {
                times,
                moves: None,
                schedule_suffers: false,
            },
            Request::ReversedColours,
            Request::ScorekeepingStopped,
            Request::Adjourn,
            Request::OpenSealedMove,
            Request::Appeal,
        ]);
        others.extend(Side::BOTH.map(|side| Request::CaptainsRescue {
            side,
            amount: None,
            substituted: true,
            after_end_date: false,
        }));
        if self.rules.game == GameKind::Chess {
            others.push(Request::AgreeExtension);
        }
        others.extend(at.score.and_then(board_end).map(Request::EndedOnBoard));
        others.push(Request::Othello {
            graced: Side::BOTH
                .into_iter()
                .find(|side| at.clock.side(*side, at.now).allotment == Allotment::Grace),
            discs: BySide::from_fn(|_| 32),
        });
        others
            .into_iter()
            .filter(|request| {
                let refused = self.tried(at, request.clone()).refused;
                !matches!(
                    refused,
                    Some(Refusal::NotInRules { .. } | Refusal::NotAdjourned | Refusal::NotOnBoard)
                )
            })
            .collect()
    }

    fn tried(&self, at: Situation<'_>, request: Request) -> Choice {
        let admitted = self.admit(at, &request);
        let judged = admitted.and_then(|()| self.clone().on_request(at, &request));
        let steps = judged.as_deref().unwrap_or_default();
        let article = match &judged {
            Ok(steps) => steps.first().map(|first| first.article.as_str()),
            Err(refusal) => refusal.article(),
        };
        Choice {
            request,
            article: article.unwrap_or_default().to_owned(),
            effect: effect_of(steps),
            refused: judged.err(),
            correct: None,
            by_writing: Vec::new(),
        }
    }
}

/// Returns the command that carries out the steps on the clock; `None` if the steps do not change the clock.
pub fn effect_of(steps: &[ProcedureStep]) -> Option<Command> {
    let parts = steps.iter().flat_map(|step| step.commands.iter().cloned());
    Command::of_parts(parts.collect())
}
