//! Draw offers (FIDE 9.1.2), and the offer that a claim contains.

use timing::Side;

use super::{Actor, Proceedings, Refusal, Situation, Steps, name, step};

impl Proceedings {
    fn offer_article(&self) -> Result<&'static str, Refusal> {
        let no_draws = || Refusal::NoDraws {
            article: self.rules.results.article.clone(),
        };
        let switch = self.rules.draw_offer.as_ref();
        switch.ok_or_else(no_draws)?.article_if_on()
    }

    pub(super) fn offer_draw(&mut self, at: Situation<'_>, by: Side) -> Result<Steps, Refusal> {
        let article = self.offer_article()?;
        at.in_progress()?;
        if self.draw_offer() == Some(by) {
            return Err(Refusal::OfferStands);
        }
        self.offers(by);
        let text = format!("{} offers a draw", name(by));
        Ok(vec![step(Actor::Player(by), article, text, [])])
    }

    pub(super) fn accept(&mut self, at: Situation<'_>, by: Side) -> Result<Steps, Refusal> {
        at.in_progress()?;
        if self.offer != Some(by.other()) {
            return Err(Refusal::NoOffer);
        }
        self.open = None;
        self.offer = None;
        let text = format!("{} accepts: drawn", name(by));
        let own = self.offer_article().unwrap_or_default();
        let article = self.numbered("5.2.3", own);
        let player = Actor::Player(by);
        Ok(vec![step(player, article, text, [self.drawn()])])
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
                match open.kind.is_losing_chances() {
                    true => "14H2",
                    false => "9.1.2.1",
                }
            }
            None => {
                self.offer = None;
                "9.1.2.1"
            }
        };
        Ok(vec![step(Actor::Player(by), article, text, [])])
    }
}
