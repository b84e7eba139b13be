//! "What may be claimed": every claim of the rule set, for both sides, with its article, and the reason why not.

use timing::{BoardState, FlagView, Side};

use super::{Proceedings, Refusal, Situation};
use crate::ClaimKind;
use crate::rule_set::FlagCaller;

/// One line of the panel "What may be claimed".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimable {
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The claimant.
    pub by: Side,
    /// The article.
    pub article: String,
    /// The reason why the claim is not available now.
    pub refused: Option<Refusal>,
    /// Where the claim is available and the moves are known: whether it is correct as the position stands.
    pub correct: Option<bool>,
    /// The moves, in SAN, that would make a correct claim if the claimant writes one of them down (FIDE 9.2.1, 9.3.1).
    pub by_writing: Vec<String>,
}

/// A flag that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallableFlag {
    /// The side whose flag is down.
    pub side: Side,
    /// The persons who may call it.
    pub callers: Vec<FlagCaller>,
    /// The article.
    pub article: String,
}

impl Claimable {
    /// Returns whether the claim is heard and, as far as the moves are known, would succeed.
    pub fn would_succeed(&self) -> bool {
        self.refused.is_none() && (self.correct != Some(false) || !self.by_writing.is_empty())
    }
}

impl Proceedings {
    /// Returns the claims that the rule set names, each for both sides, in the order of [`ClaimKind::ALL`].
    pub fn claims(&self, situation: Situation<'_>) -> Vec<Claimable> {
        let mut clock = situation.clock.clone();
        let _ = clock.pass_time(situation.now);
        let at = Situation {
            clock: &clock,
            ..situation
        };
        let mut found = Vec::new();
        for kind in ClaimKind::ALL {
            for by in Side::BOTH {
                if let Some(rule) = self.rules.claim.get(&kind) {
                    let mut line = self.line(at, kind, by);
                    line.article.clone_from(&rule.article);
                    found.push(line);
                }
            }
        }
        found
    }

    fn line(&self, at: Situation<'_>, kind: ClaimKind, by: Side) -> Claimable {
        let mut refused = self.may_claim(at, kind, by).err();
        if let (None, Some(open)) = (&refused, &self.open) {
            refused = Some(Refusal::ClaimOpen {
                kind: open.kind,
                by: open.by,
            });
        }
        if refused.is_none() && kind == ClaimKind::DoubleFlagDraw {
            let mut tried = at.clock.clone();
            refused = tried
                .on_command(at.now, &timing::Command::ClaimDraw(by))
                .err()
                .map(Refusal::Clock);
        }
        let (mut correct, mut by_writing) = (None, Vec::new());
        if let (None, Some(score)) = (&refused, at.score)
            && score.turn() == by
        {
            correct = self
                .finding(score, kind, None)
                .map(super::Finding::is_correct);
            if correct == Some(false) {
                by_writing = self.writable(score, kind);
            }
        }
        Claimable {
            kind,
            by,
            article: String::new(),
            refused,
            correct,
            by_writing,
        }
    }

    /// Returns the legal moves that would complete a claim about the board.
    fn writable(&self, score: &crate::Scoresheet, kind: ClaimKind) -> Vec<String> {
        score
            .look_at_all()
            .into_iter()
            .filter(|next| {
                self.finding(score, kind, Some(next))
                    .is_some_and(super::Finding::is_correct)
            })
            .map(|next| next.san)
            .collect()
    }

    /// Returns the fallen flags, with the persons who may call them.
    pub fn callable_flags(&self, situation: Situation<'_>) -> Vec<CallableFlag> {
        let over = situation.clock.state() == BoardState::Over;
        Side::BOTH
            .into_iter()
            .filter(|side| {
                let view = situation.clock.side(*side, situation.now);
                !over && view.flag != FlagView::None
            })
            .map(|side| CallableFlag {
                side,
                callers: self.rules.flag.called_by.clone(),
                article: self.rules.flag.article.clone(),
            })
            .collect()
    }

    /// Returns the kind of the claim on which judgement is reserved or postponed.
    pub fn watched(&self) -> Option<ClaimKind> {
        self.watching.map(|(kind, _)| kind)
    }
}
