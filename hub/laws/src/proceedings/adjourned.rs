//! Adjournment with a sealed move (FIDE Guidelines I).

use timing::{BySide, Command, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::ProcedureKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SealedMove {
    pub(crate) by: Side,
    /// The move's number, from 1.
    pub(crate) number: u32,
}

impl Proceedings {
    pub(super) fn article_of(&self, kind: ProcedureKind) -> Result<&'static str, Refusal> {
        let switch = self.rules.procedure.get(&kind);
        switch.ok_or_else(|| self.not_in_rules())?.article_if_on()
    }

    pub(super) fn adjourn(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Adjournment)?;
        at.in_progress()?;
        let by = at.side_on_move().ok_or(Refusal::NotStarted)?;
        let views = BySide::from_fn(|side| at.clock.side(side, at.now));
        let number = views[by].moves + 1;
        self.sealed = Some(SealedMove { by, number });
        let text = format!(
            "{} seals move {number}; on the envelope: White {}, Black {}",
            name(by),
            views.white.time,
            views.black.time
        );
        Ok(vec![step(Actor::Player(by), article, text, at.pause())])
    }

    pub(super) fn open_sealed_move(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Adjournment)?;
        let sealed = self.sealed.take().ok_or(Refusal::NotAdjourned)?;
        at.in_progress()?;
        let text = format!(
            "the sealed move is played, and {}'s clock is started",
            name(sealed.by.other())
        );
        let played = Command::Moves {
            side: sealed.by,
            to: sealed.number,
        };
        let commands = [played, Command::Resume(Some(sealed.by.other()))];
        Ok(vec![step(Actor::Arbiter, article, text, commands)])
    }
}
