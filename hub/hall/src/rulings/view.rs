//! The claims, rulings and moves of one board at an instant, for an arbiter's panel.

use std::sync::Arc;

use laws::{Choice, OpenClaim, Proceedings, RuleSet, Scoresheet, Situation};
use timing::{Board, BoardClock, BySide, Duration, Instant, Side};

use super::{ahead_of, is_in_step};

/// A copy of a board's proceedings. The methods compute their results on demand.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardProceedings {
    pub(crate) seq: u64,
    pub(crate) clock: BoardClock,
    pub(crate) now: Instant<Board>,
    pub(crate) proceedings: Proceedings,
    pub(crate) score: Arc<Scoresheet>,
    /// Time since the start of play, and the default time. `None` outside play, without a default time, or once both sides
    /// have completed a move.
    pub(crate) absence: Option<(Duration, Duration)>,
}

impl BoardProceedings {
    /// Returns the board's sequence number, which a request quotes as the state that its sender saw.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn rules(&self) -> &'static RuleSet {
        self.proceedings.rules()
    }

    /// Returns the moves written down, in SAN.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.score.moves().iter();
        moves.map(|played| played.san.clone()).collect()
    }

    /// Returns the position after the moves as FEN; `None` if the game is not chess.
    pub fn fen(&self) -> Option<String> {
        (self.rules().game == laws::GameKind::Chess).then(|| self.score.fen())
    }

    /// Returns, for each side, the moves written down minus the moves completed on the clock; zero if none are written
    /// down.
    pub fn ahead(&self) -> BySide<i64> {
        if self.score.moves().is_empty() {
            return BySide::default();
        }
        ahead_of(&self.score, &self.clock)
    }

    pub fn open_claim(&self) -> Option<&OpenClaim> {
        self.proceedings.open_claim()
    }

    pub fn draw_offer(&self) -> Option<Side> {
        self.proceedings.draw_offer()
    }

    /// Returns the side whose claim was incorrect, with the intended move that it must play, in SAN.
    pub fn must_play(&self) -> Option<(Side, &str)> {
        self.proceedings.must_play()
    }

    /// Returns all requests that the rule set allows, including those that are not possible now. While a claim waits for a
    /// decision, returns only the decisions about it and the answers to a draw offer.
    pub fn choices(&self) -> Vec<Choice> {
        let situation = Situation {
            clock: &self.clock,
            now: self.now,
            score: Some(&*self.score)
                .filter(|score| !score.moves().is_empty() && is_in_step(score, &self.clock)),
        };
        let mut choices = self.proceedings.choices(situation);
        if let Some((elapsed, default_time)) = self.absence
            && self.open_claim().is_none()
        {
            choices.extend(self.proceedings.absences(situation, elapsed, default_time));
        }
        choices
    }
}
