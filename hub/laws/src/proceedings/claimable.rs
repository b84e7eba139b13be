//! The panel "What may be claimed": every claim of the rule set, for both sides, with its article and, if it is not
//! available, the reason.

use timing::Side;

use super::{Finding, OpenClaim, Proceedings, Refusal, Situation};
use crate::ClaimKind;

/// One line of the panel "What may be claimed".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimable {
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The claimant.
    pub by: Side,
    /// The article that provides for the claim.
    pub article: String,
    /// The reason why the claim is not available now; `None` if it is.
    pub refused: Option<Refusal>,
    /// True if the claim is correct in the current position. `None` if the claim is not available or not about the board, or
    /// if the moves are unknown or show the opponent to move.
    pub correct: Option<bool>,
    /// The moves, in SAN, that would make the claim correct if the claimant writes one of them down (FIDE 9.2.1,
    /// 9.3.1).
    pub by_writing: Vec<String>,
}

impl Claimable {
    /// Returns true if the claim would be heard, and either the moves do not refute it or a written move would make it
    /// correct.
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
        for (kind, rule) in &self.rules.claim {
            for by in Side::BOTH {
                found.push(self.line(at, *kind, by, &rule.article));
            }
        }
        found
    }

    fn line(&self, at: Situation<'_>, kind: ClaimKind, by: Side, article: &str) -> Claimable {
        let mut refused = self.may_claim(at, kind, by).err();
        refused = refused.or_else(|| self.open.as_ref().map(OpenClaim::still_open));
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
            correct = self.finding(score, kind, None).map(Finding::is_correct);
            if correct == Some(false) {
                by_writing = self.writable(score, kind);
            }
        }
        Claimable {
            kind,
            by,
            article: article.to_owned(),
            refused,
            correct,
            by_writing,
        }
    }

    fn writable(&self, score: &crate::Scoresheet, kind: ClaimKind) -> Vec<String> {
        let mut moves = score.legal_moves();
        moves.retain(|next| {
            let finding = self.finding(score, kind, Some(next));
            finding.is_some_and(Finding::is_correct)
        });
        moves.into_iter().map(|next| next.san).collect()
    }

    /// Returns the kind of the claim that is decided later, because judgement is reserved or postponed, or because
    /// there is no arbiter.
    pub fn watched(&self) -> Option<ClaimKind> {
        self.watching.map(|(kind, _)| kind)
    }
}
