//! Conditions for new requests, in addition to those that [`Proceedings::on_request`] checks, and for starting the
//! clocks. Requests from the log are judged again at every start of the hub without these conditions, because older
//! hubs accepted requests that are refused here.

use timing::{BoardClock, Side};

use super::{OffenceKind, Proceedings, Refusal, Request, Situation};
use crate::{MoveError, Scoresheet};

impl Proceedings {
    /// Checks a new request before it is judged.
    pub fn admit(&self, at: Situation<'_>, request: &Request) -> Result<(), Refusal> {
        if !matches!(request, Request::Decide(_)) {
            self.no_appeal(at.clock)?;
        }
        if !is_for_adjourned(request) && self.is_adjourned(at.clock) {
            return Err(Refusal::Adjourned);
        }
        match request {
            Request::IllegalMove { by, kind } => self.has_completed(at, *by, *kind),
            Request::Claim {
                written: Some(text),
                ..
            } => readable(text),
            Request::Accept { by } | Request::Decline { by }
                if self.draw_offer() != Some(by.other()) =>
            {
                Err(Refusal::NoOffer)
            }
            Request::Decide(_) if self.appealed.is_some() && at.clock.result().is_some() => {
                Err(Refusal::NothingOpen)
            }
            Request::OpenSealedMove if self.sealed.is_some() && !self.is_adjourned(at.clock) => {
                Err(Refusal::NotAdjourned)
            }
            Request::Absent { sides, .. } => Side::BOTH
                .into_iter()
                .find(|side| sides[*side] && at.clock.side(*side, at.now).moves > 0)
                .map_or(Ok(()), |side| Err(Refusal::Arrived { side })),
            Request::Claim { written: None, .. }
            | Request::Accept { .. }
            | Request::Decline { .. }
            | Request::Decide(_)
            | Request::OpenSealedMove
            | Request::Withdraw { .. }
            | Request::OfferDraw { .. }
            | Request::Touch { .. }
            | Request::AgreeExtension
            | Request::CallFlag { .. }
            | Request::WrongSetting { .. }
            | Request::ReversedColours
            | Request::ScorekeepingStopped
            | Request::EndedOnBoard(_)
            | Request::Adjourn
            | Request::Appeal
            | Request::CaptainsRescue { .. }
            | Request::Othello { .. } => Ok(()),
        }
    }

    /// Checks that an arbiter may start the clocks.
    ///
    /// # Errors
    /// Returns a [`Refusal`] while an appeal is open or the game is adjourned.
    pub fn may_start(&self, clock: &BoardClock) -> Result<(), Refusal> {
        self.no_appeal(clock)?;
        if self.is_adjourned(clock) {
            return Err(Refusal::Adjourned);
        }
        Ok(())
    }

    fn no_appeal(&self, clock: &BoardClock) -> Result<(), Refusal> {
        let waits = self.appealed.is_some() && clock.result().is_none();
        // If the clocks were started despite the appeal, the game continues.
        if waits && clock.running().is_none() {
            return Err(Refusal::AppealOpen);
        }
        Ok(())
    }

    /// Returns true if the game waits for its sealed move: it has no result, no clock runs, and the move has not been
    /// counted.
    fn is_adjourned(&self, clock: &BoardClock) -> bool {
        self.sealed.is_some_and(|sealed| {
            let made = clock.side(sealed.by, clock.now()).moves;
            clock.running().is_none() && clock.result().is_none() && made < sealed.number
        })
    }

    fn has_completed(&self, at: Situation<'_>, by: Side, kind: OffenceKind) -> Result<(), Refusal> {
        let replaces = self.replacing[by] > 0 && self.illegal_moves(by) >= self.replacing[by];
        if self.rules.illegal_move.is_some()
            && at.in_progress().is_ok()
            && (replaces || at.clock.side(by, at.now).moves == 0)
        {
            return Err(Refusal::NothingCompleted {
                article: self.article_of_offence(kind).to_owned(),
                side: by,
            });
        }
        Ok(())
    }
}

fn is_for_adjourned(request: &Request) -> bool {
    match request {
        Request::OpenSealedMove
        | Request::Appeal
        | Request::Decide(_)
        | Request::OfferDraw { .. }
        | Request::Accept { .. }
        | Request::Decline { .. }
        | Request::WrongSetting { .. }
        | Request::Absent { .. } => true,
        Request::Claim { .. }
        | Request::Withdraw { .. }
        | Request::Touch { .. }
        | Request::AgreeExtension
        | Request::IllegalMove { .. }
        | Request::CallFlag { .. }
        | Request::ReversedColours
        | Request::ScorekeepingStopped
        | Request::EndedOnBoard(_)
        | Request::Adjourn
        | Request::CaptainsRescue { .. }
        | Request::Othello { .. } => false,
    }
}

/// Refuses text that is not a move in any accepted notation.
fn readable(text: &str) -> Result<(), Refusal> {
    match Scoresheet::new().read_without_playing(text) {
        Err(error @ MoveError::Unreadable { .. }) => Err(Refusal::WrittenMove(error)),
        Ok(_) | Err(_) => Ok(()),
    }
}
