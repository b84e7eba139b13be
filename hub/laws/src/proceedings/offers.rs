//! Draw offers (FIDE 9.1.2), and the offer that a claim contains.

use timing::Side;

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};
use crate::rule_set::ClaimKind;

impl Proceedings {
    fn offer_article(&self) -> Result<&'static str, Refusal> {
        match &self.rules.draw_offer {
            None => Err(Refusal::NoDraws {
                article: self.rules.results.article.clone(),
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

    pub(super) fn offer_draw(&mut self, at: Situation<'_>, by: Side) -> Result<Steps, Refusal> {
        let article = self.offer_article()?;
        at.in_progress()?;
        if self.draw_offer() == Some(by) {
            return Err(Refusal::OfferStands);
        }
        self.offers(by);
        let text = format!("{} offers a draw", name(by));
        Ok(vec![step(Actor::Player(by), article, text, Vec::new())])
    }

    pub(super) fn accept(&mut self, at: Situation<'_>, by: Side) -> Result<Steps, Refusal> {
        at.in_progress()?;
        if self.offer != Some(by.other()) {
            return Err(Refusal::NoOffer);
        }
        self.open = None;
        self.offer = None;
        let commands = vec![self.drawn()];
        let text = format!("{} accepts: drawn", name(by));
        let own = self.offer_article().unwrap_or_default();
        let article = self.numbered("5.2.3", own);
        Ok(vec![step(Actor::Player(by), article, text, commands)])
    }

    pub(super) fn decline(&mut self, by: Side) -> Result<Steps, Refusal> {
        if self.offer != Some(by.other()) {
            return Err(Refusal::NoOffer);
        }
        let text = format!("{} rejects the draw", name(by));
        let article = match &mut self.open {
            Some(open) => {
                open.declined = true;
                self.rejected = true;
                match open.kind {
                    ClaimKind::LosingChancesOld | ClaimKind::LosingChancesNew => "14H2",
                    ClaimKind::Threefold
                    | ClaimKind::FiftyMoves
                    | ClaimKind::Increment
                    | ClaimKind::NormalMeans
                    | ClaimKind::NormalMeansNoArbiter
                    | ClaimKind::DoubleFlagDraw
                    | ClaimKind::Director => "9.1.2.1",
                }
            }
            None => {
                self.offer = None;
                "9.1.2.1"
            }
        };
        Ok(vec![step(Actor::Player(by), article, text, Vec::new())])
    }
}
