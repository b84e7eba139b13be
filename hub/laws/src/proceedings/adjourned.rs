//! Adjournment with a sealed move (FIDE Guidelines I).

use timing::{BySide, Command, Duration, Side};

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::ProcedureKind;

/// An adjourned game: what its envelope shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedMove {
    /// The player who sealed the move.
    pub by: Side,
    /// The times used up to then are what the clocks show.
    pub times: BySide<Duration>,
    /// The number of the sealed move, from 1.
    pub number: u32,
}

impl Proceedings {
    /// Returns the article of a procedure, or the reason why it does not exist here.
    pub(super) fn article_of(&self, kind: ProcedureKind) -> Result<&'static str, Refusal> {
        match self.rules.procedure.get(&kind) {
            None => Err(Refusal::NotInRules {
                rules: self.rules.title.clone(),
            }),
            Some(switch) => match &switch.off {
                Some(why) => Err(Refusal::Off {
                    article: switch.article.clone(),
                    why: why.clone(),
                }),
                None => Ok(&switch.article),
            },
        }
    }

    /// Returns the sealed move of an adjourned game.
    pub fn sealed_move(&self) -> Option<SealedMove> {
        self.sealed
    }

    pub(super) fn adjourn(&mut self, at: Situation<'_>) -> Result<Steps, Refusal> {
        let article = self.article_of(ProcedureKind::Adjournment)?;
        at.in_progress()?;
        let by = at.on_move().ok_or(Refusal::NotStarted)?;
        let views = BySide::from_fn(|side| at.clock.side(side, at.now));
        let number = views[by].moves + 1;
        self.sealed = Some(SealedMove {
            by,
            times: BySide::from_fn(|side| views[side].time),
            number,
        });
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
        let commands = vec![
            Command::Moves {
                side: sealed.by,
                to: sealed.number,
            },
            Command::Resume(Some(sealed.by.other())),
        ];
        Ok(vec![step(Actor::Arbiter, article, text, commands)])
    }
}
